// The cases of one type as generate.py has written them.
#include "cases.hpp"

#include <sinter/codegen/ops/apply.hpp>

#include <cstdio>

namespace conformance {

using namespace sinter;

namespace {

std::string text_in(const npz_file& file, const char* name) {
    const std::vector<std::uint8_t> bytes = to_vector(file.get<std::uint8_t>(name));
    return {bytes.begin(), bytes.end()};
}

/// Takes arrays one after the other from bytes.
class reader {
public:
    explicit reader(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}
    /// Of `float64:3,4`.
    elements next(std::string_view described) {
        const std::vector<std::string> d = parts_of(described, ':');
        elements e{dtype_named(d[0]), dims_of(d.size() > 1 ? d[1] : ""), {}};
        const auto size = static_cast<std::size_t>(e.shape.product() * codegen::size_of(e.type));
        if (size > bytes_.size() - at_) throw value_error("[conformance] the file has too few bytes");
        e.bytes.assign(bytes_.begin() + static_cast<std::ptrdiff_t>(at_),
                       bytes_.begin() + static_cast<std::ptrdiff_t>(at_ + size));
        at_ += size;
        return e;
    }

private:
    std::vector<std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<std::string> parts_of(std::string_view text, char separator) {
    std::vector<std::string> parts;
    if (text.empty()) return parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

dims dims_of(std::string_view text) {
    dims d;
    for (const std::string& number : parts_of(text, ',')) d.insert(d.size(), std::stoll(number));
    return d;
}

dtype dtype_named(std::string_view name) {
    for (int t = 0; t < dtype_count; ++t)
        if (to_string(static_cast<dtype>(t)) == name) return static_cast<dtype>(t);
    throw value_error("[conformance] no type has this name: " + std::string(name));
}

case_file read_cases(const std::string& path) {
    const npz_file file = loadz(path);
    case_file all;
    reader values(to_vector(file.get<std::uint8_t>("values")));
    for (const std::string& line : parts_of(text_in(file, "cases"), '\n')) {
        const std::vector<std::string> p = parts_of(line, '|');
        if (p.size() != 4) throw value_error("[conformance] not a case: " + line);
        test_case c{p[0], p[1], {}, {}, 0, p[3][0] == 's'};
        if (p[3][0] != '=') c.tolerance = std::stod(p[3].substr(1));
        if (p[2].starts_with('!')) c.thrown = p[2].substr(1);
        else
            for (const std::string& result : parts_of(p[2], ' ')) c.results.push_back(values.next(result));
        all.cases.push_back(std::move(c));
    }
    reader pool(to_vector(file.get<std::uint8_t>("pool_values")));
    for (const std::string& line : parts_of(text_in(file, "pool"), '\n')) {
        const std::vector<std::string> p = parts_of(line, ' ');
        all.pool.push_back({p[0], pool.next(p[1])});
    }
    return all;
}

std::string elements::text() const {
    constexpr std::int64_t most = 6;
    std::vector<double> v(static_cast<std::size_t>(shape.product()) * 2);
    codegen::convert(type, dtype::complex128, bytes.data(), v.data(), shape.product());
    std::string t = std::string(to_string(type)) + " " + to_string(shape) + " [";
    for (std::int64_t i = 0; i < std::min(shape.product(), most); ++i) {
        char number[80];
        const auto at = static_cast<std::size_t>(2 * i);
        if (codegen::is_complex(type)) std::snprintf(number, sizeof number, " %.17g%+.17gj", v[at], v[at + 1]);
        else std::snprintf(number, sizeof number, " %.17g", v[at]);
        t += number;
    }
    return t + (shape.product() > most ? " …]" : "]");
}

}  // namespace conformance

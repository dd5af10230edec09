// Printing of host memory against texts that NumPy wrote; knows no arrays.
#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <sinter/array/printing/format.hpp>
#include <vector>

namespace {

using namespace sinter;

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts(1);
    for (char c : text)
        if (c == at) parts.emplace_back();
        else parts.back() += c;
    return parts;
}

std::string unescape(const std::string& text) {
    std::string s;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] != '\\') s += text[i];
        else s += text[++i] == 'n' ? '\n' : '\\';
    return s;
}

dtype parse_dtype(const std::string& name) {
    for (int i = 0; i < dtype_count; ++i)
        if (to_string(static_cast<dtype>(i)) == name) return static_cast<dtype>(i);
    FAIL("unknown dtype " << name);
    return {};
}

dims parse_shape(const std::string& text) {
    dims shape;
    if (!text.empty())
        for (const std::string& n : split(text, ',')) shape.push_back(std::stoll(n));
    return shape;
}

print_options parse_options(const std::string& text) {
    print_options o;
    if (text.empty()) return o;
    for (const std::string& part : split(text, ';')) {
        std::string v = part.substr(1);
        switch (part[0]) {
            case 'p': o.precision = std::stoi(v); break;
            case 't': o.threshold = std::stoi(v); break;
            case 'e': o.edgeitems = std::stoi(v); break;
            case 'w': o.linewidth = std::stoi(v); break;
            case 's': o.suppress = v == "1"; break;
            case 'S': o.sign = v[0]; break;
            case 'n': o.nanstr = v; break;
            case 'i': o.infstr = v; break;
            default:
                o.floatmode = v == "fixed"     ? float_mode::fixed
                              : v == "unique"  ? float_mode::unique
                              : v == "maxprec" ? float_mode::maxprec
                                               : float_mode::maxprec_equal;
        }
    }
    return o;
}

// Little-endian bytes of elements that are decimal integers or stripped hexadecimal bits.
std::vector<char> parse_data(dtype type, const std::string& text) {
    std::vector<char> bytes;
    if (text.empty()) return bytes;
    bool bits = codegen::is_floating(type) || codegen::is_complex(type);
    auto size = static_cast<std::size_t>(codegen::size_of(codegen::real_of(type)));
    for (std::string part : split(text, ' ')) {
        std::uint64_t v;
        if (bits) part.resize(2 * size, '0'), v = std::stoull(part, nullptr, 16);
        else v = part[0] == '-' ? static_cast<std::uint64_t>(std::stoll(part)) : std::stoull(part);
        char raw[8];
        std::memcpy(raw, &v, 8);
        bytes.insert(bytes.end(), raw, raw + size);
    }
    return bytes;
}

}  // namespace

TEST_CASE("arrays and scalars print byte for byte as NumPy prints them") {
    std::ifstream file(SINTER_TEST_DATA "/golden/print.txt");
    REQUIRE(file.good());
    std::string line;
    int cases = 0;
    while (std::getline(file, line)) {
        auto field = split(line, '|');
        REQUIRE(field.size() == 6);
        ++cases;
        dtype type = parse_dtype(field[0]);
        print_options options = parse_options(field[2]);
        std::vector<char> data = parse_data(type, field[3]);
        bool scalar = field[1] == "scalar";
        dims shape = scalar ? dims() : parse_shape(field[1]);
        CAPTURE(line);
        if (!scalar)
            REQUIRE(static_cast<std::size_t>(detail::shown_shape(shape, options).product()) * codegen::size_of(type) ==
                    data.size());
        for (bool repr : {false, true}) {
            std::string text = scalar ? detail::format_scalar(type, data.data(), repr)
                                      : detail::format_array(type, shape, data.data(), repr, options);
            CHECK(text == unescape(field[repr ? 5 : 4]));
        }
    }
    CHECK(cases >= 2200);
}

TEST_CASE("print options are process-wide, and values out of range are refused and change nothing") {
    print_options before = get_printoptions();
    CHECK(before.precision == 8);
    CHECK(before.linewidth == 75);
    set_printoptions({.precision = 2, .threshold = 5});
    double third = 1.0 / 3;
    CHECK(detail::format_array(dtype::float64, dims(1), &third, false) == "[0.33]");
    CHECK(detail::shown_shape(dims(100, 2)) == dims(6, 2));
    CHECK_THROWS_WITH_AS(set_printoptions({.precision = -1}), "[set_printoptions] precision must be 0 to 1100: -1",
                         value_error);
    CHECK_THROWS_AS(set_printoptions({.edgeitems = 0}), value_error);
    CHECK_THROWS_AS(set_printoptions({.threshold = -1}), value_error);
    CHECK_THROWS_AS(set_printoptions({.sign = 'x'}), value_error);
    CHECK(get_printoptions().threshold == 5);
    set_printoptions(before);
    CHECK(detail::format_array(dtype::float64, dims(1), &third, false) == "[0.33333333]");
}

TEST_CASE("a summarised shape need not have a representable size") {
    dims huge(std::int64_t{1} << 40, std::int64_t{1} << 40);
    CHECK(detail::shown_shape(huge) == dims(6, 6));
    std::vector<std::int8_t> zeros(36);
    CHECK(detail::format_array(dtype::int8, huge, zeros.data(), true).substr(0, 32) ==
          "array([[0, 0, 0, ..., 0, 0, 0],\n");
    CHECK(detail::shown_shape(dims(0, 5000)) == dims(0, 5000));
    CHECK(detail::format_array(dtype::int64, dims(0, 5000), nullptr, true) ==
          "array([], shape=(0, 5000), dtype=int64)");
}

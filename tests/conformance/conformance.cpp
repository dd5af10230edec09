// Replays the table of calls on a backend and compares with NumPy's answers:
// --backend host|interpreter|cuda --part K --of N (an N-th of the cases) --type float32 (one type only)
// --only SUBSTRING (of a call's text) --jobs J.
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/ops/op.hpp>
#include <sinter/sinter.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>

#include "../support/device_check.hpp"
#include "../support/process_pool.hpp"
#include "calls.hpp"
#include "cases.hpp"

using namespace sinter;
using namespace conformance;

namespace {

/// Cases that are evaluated together, at most: they share kernels where they can.
constexpr std::size_t most_together = 24;
/// Cases of a piece of work, which one process takes as a whole.
constexpr std::size_t most_in_piece = 480;

const char* const types[] = {"bool",   "int8",   "int16",   "int32",   "int64",   "uint8",     "uint16",
                             "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128"};

std::span<const call> calls_of(dtype type) {
    switch (type) {
        case dtype::bool_: return calls_of_bool();
        case dtype::int8: return calls_of_int8();
        case dtype::uint64: return calls_of_uint64();
        case dtype::complex64: return calls_of_complex64();
        case dtype::int32: return calls_of_int32();
        case dtype::int64: return calls_of_int64();
        case dtype::uint8: return calls_of_uint8();
        case dtype::float16: return calls_of_float16();
        case dtype::float32: return calls_of_float32();
        case dtype::float64: return calls_of_float64();
        case dtype::complex128: return calls_of_complex128();
        default: return {};
    }
}

codegen::op operation_named(const std::string& name) {
#define SINTER_OP(operation, ...) \
    if (name == #operation) return codegen::op::operation;
#include <sinter/codegen/ops/ops.def>
#undef SINTER_OP
    throw value_error("[conformance] no operation has this name: " + name);
}

const call* call_of(const test_case& c, dtype type) {
    if (c.call.find_first_not_of("0123456789") != std::string::npos) return nullptr;
    for (const call& k : calls_of(type))
        if (std::to_string(k.number) == c.call) return &k;
    throw value_error("[conformance] calls.def has no call " + c.call + " of " + std::string(to_string(type)));
}

std::string text_of(const test_case& c, dtype type) {
    const call* k = call_of(c, type);
    return (k ? k->text : c.call) + std::string(" of ") + std::string(to_string(type)) + " " + c.operands;
}

std::string default_type(char letter, dtype type) {
    if (letter == 'i' || letter == 'j') return "int64";
    if (letter == 'm') return "bool";
    if (letter == 'w') return "float64";
    return std::string(to_string(type));
}

/// The operands of cases, each array stored once for all of them.
class operand_store {
public:
    operand_store(const case_file& file, dtype type) : file_(file), type_(type) {}

    operands of(const test_case& c) {
        operands o;
        for (const std::string& word : parts_of(c.operands, ';')) {
            const std::string value = word.substr(2);
            switch (word[0]) {
                case 'a': o.a = std::stoll(value); break;
                case 'b': o.b = std::stoll(value); break;
                case 'n': o.n = std::stoll(value); break;
                case 'k': o.k = std::stoll(value); break;
                case 'p': o.p = std::stod(value); break;
                case 'q': o.q = std::stod(value); break;
                case 's': o.s = dims_of(value); break;
                case 't': o.t = dims_of(value); break;
                case 'v':
                    for (const std::string& n : parts_of(value, ',')) o.v.push_back(std::stoll(n));
                    break;
                case 'c': o.text = value; break;
                default: o.arrays[word[0]] = array_named(word[0], value);
            }
        }
        return o;
    }

private:
    handle array_named(char letter, const std::string& value) {
        const std::string name =
            value.find(':') == std::string::npos ? default_type(letter, type_) + ":" + value : value;
        handle& h = stored_[name];
        if (h) return h;
        for (const pool_entry& e : file_.pool)
            if (e.name == name) return h = detail::store(e.value.type, e.value.shape, e.value.bytes.data());
        throw value_error("[conformance] the pool has no array " + name);
    }

    const case_file& file_;
    dtype type_;
    std::map<std::string, handle> stored_;
};

/// What sinter gives to a case.
struct outcome {
    std::vector<handle> recorded;
    std::vector<elements> results;
    std::string thrown, words;
};

template <class Body>
void note_thrown(outcome& o, const Body& body) {
    try {
        body();
        return;
    } catch (const shape_error& e) {
        o.thrown = "shape_error", o.words = e.what();
    } catch (const index_error& e) {
        o.thrown = "index_error", o.words = e.what();
    } catch (const value_error& e) {
        o.thrown = "value_error", o.words = e.what();
    } catch (const type_error& e) {
        o.thrown = "type_error", o.words = e.what();
    } catch (const linalg_error& e) {
        o.thrown = "linalg_error", o.words = e.what();
    } catch (const std::exception& e) {
        o.thrown = "another error", o.words = e.what();
    }
    o.recorded.clear();
}

std::vector<handle> record(const test_case& c, dtype type, const operands& o) {
    if (const call* k = call_of(c, type)) return k->run(o);
    std::vector<handle> given;
    for (char letter : {'x', 'y', 'z'}) {
        const auto at = o.arrays.find(letter);
        if (at != o.arrays.end()) given.push_back(at->second);
    }
    return {detail::record_apply(operation_named(c.call), given)};
}

void read(outcome& o) {
    note_thrown(o, [&] {
        for (const handle& h : o.recorded) {
            elements e{h->type, h->shape, std::vector<unsigned char>(static_cast<std::size_t>(h->bytes()))};
            detail::read(h, e.bytes.data());
            o.results.push_back(std::move(e));
        }
    });
    o.recorded.clear();
}

/// Recorded one after the other, evaluated together and then read; what throws is read by itself.
std::vector<outcome> run(std::span<const test_case* const> cases, dtype type, operand_store& store) {
    std::vector<outcome> all(cases.size());
    std::vector<handle> recorded;
    for (std::size_t n = 0; n < cases.size(); ++n) {
        outcome& o = all[n];
        note_thrown(o, [&] { o.recorded = record(*cases[n], type, store.of(*cases[n])); });
        if (cases[n]->thrown.empty()) recorded.insert(recorded.end(), o.recorded.begin(), o.recorded.end());
    }
    outcome together;
    note_thrown(together, [&] { detail::evaluate(recorded); });
    recorded.clear();
    for (outcome& o : all) read(o);
    return all;
}

bool is_same_error(const std::string& expected, const std::string& found) {
    return expected == found || (expected == "value_error" && found == "shape_error");
}

bool is_near(const test_case& c, double expected, double found, double allowed) {
    if (std::isnan(expected) || std::isnan(found)) return std::isnan(expected) && std::isnan(found);
    if (c.tolerance == 0) return std::memcmp(&expected, &found, sizeof expected) == 0;
    return expected == found || std::fabs(expected - found) <= allowed;
}

double epsilon_of(dtype type) {
    switch (codegen::real_of(type)) {
        case dtype::float16: return 0x1p-10;
        case dtype::float32: return 0x1p-23;
        default: return 0x1p-52;
    }
}

std::string difference(const test_case& c, const elements& expected, const elements& found) {
    if (expected.type != found.type || expected.shape != found.shape) return "gives another type or shape";
    const std::int64_t count = expected.shape.product();
    if (codegen::is_integer(expected.type)) return expected.bytes == found.bytes ? "" : "differs";
    std::vector<double> a(static_cast<std::size_t>(2 * count)), b(a.size());
    codegen::convert(expected.type, dtype::complex128, expected.bytes.data(), a.data(), count);
    codegen::convert(found.type, dtype::complex128, found.bytes.data(), b.data(), count);
    double scale = 0;
    for (double x : a)
        if (std::isfinite(x)) scale = std::fmax(scale, std::fabs(x));
    for (std::size_t i = 0; i < a.size(); ++i) {
        // Both parts of a complex number are as near as its modulus allows.
        const double modulus = std::hypot(a[i & ~std::size_t{1}], a[i | 1]);
        const double allowed = c.tolerance * epsilon_of(expected.type) * (c.of_scale ? scale : modulus);
        if (!is_near(c, a[i], b[i], std::isnan(allowed) ? 0 : allowed)) {
            char text[100];
            std::snprintf(text, sizeof text, "element %zu is %.17g and not %.17g", i / 2, b[i], a[i]);
            return text;
        }
    }
    return {};
}

std::string difference(const test_case& c, const outcome& o) {
    if (!c.thrown.empty() || !o.thrown.empty()) {
        if (is_same_error(c.thrown, o.thrown)) return {};
        return (o.thrown.empty() ? "does not throw but gives " + (o.results.empty() ? "nothing" : o.results[0].text())
                                 : "throws " + o.thrown + ": " + o.words) +
               ", NumPy " +
               (!c.thrown.empty() ? c.thrown : "gives " + (c.results.empty() ? "nothing" : c.results[0].text()));
    }
    if (c.results.size() != o.results.size()) return "gives another number of results";
    for (std::size_t n = 0; n < c.results.size(); ++n) {
        const std::string d = difference(c, c.results[n], o.results[n]);
        if (!d.empty())
            return "result " + std::to_string(n) + " " + d + ": " + o.results[n].text() + ", NumPy " +
                   c.results[n].text();
    }
    return {};
}

struct board : process_pool::board {
    std::atomic<std::int64_t> right, wrong;
};

/// Cases of a type that one process takes as a whole.
struct piece {
    dtype type;
    std::vector<const test_case*> cases;
};

// Edges of bins that lie on a GPU are not looked at, as histogram's documentation says.
bool is_not_looked_at(const test_case& c, dtype type, const outcome& o, bool cuda) {
    return cuda && c.thrown == "value_error" && o.thrown.empty() &&
           text_of(c, type).find("histogram") != std::string::npos;
}

bool is_right(board& b, const piece& p, const case_file& file, runtime::backend on) {
    const bool cuda = on == runtime::backend::cuda;
    device_scope device(cuda ? device::cuda(0) : device::cpu());
    std::optional<runtime::backend_scope> backend;
    if (!cuda) backend.emplace(on);
    operand_store store(file, p.type);
    for (std::size_t first = 0; first < p.cases.size(); first += most_together) {
        const std::span<const test_case* const> cases =
            std::span(p.cases).subspan(first, std::min(most_together, p.cases.size() - first));
        const std::vector<outcome> found = run(cases, p.type, store);
        for (std::size_t n = 0; n < cases.size(); ++n) {
            if (is_not_looked_at(*cases[n], p.type, found[n], cuda)) continue;
            const std::string d = difference(*cases[n], found[n]);
            ++(d.empty() ? b.right : b.wrong);
            if (!d.empty()) std::printf("%s: %s\n", text_of(*cases[n], p.type).c_str(), d.c_str());
        }
    }
    return true;
}

struct request {
    runtime::backend on = runtime::backend::host;
    std::uint64_t part = 0, of = 1;
    std::string type, only;
    int jobs = static_cast<int>(std::thread::hardware_concurrency());
};

int fail(const char* text, const char* what) { return std::printf(text, what), 2; }

/// Of the cases that are evaluated together, those of the part that is asked for.
void keep_part(std::vector<const test_case*>& all, const request& r) {
    std::vector<const test_case*> kept;
    for (std::size_t n = 0; n < all.size(); ++n) {
        const std::uint64_t group = (n / most_together + 1) * 0x9e3779b97f4a7c15ull >> 32;
        if (group % r.of == r.part % r.of) kept.push_back(all[n]);
    }
    all = std::move(kept);
}

int run_all(const request& r) {
    std::map<dtype, case_file> files;
    std::vector<piece> pieces;
    {
        runtime::backend_scope backend(runtime::backend::interpreter);
        device_scope device(device::cpu());
        for (const char* name : types)
            if (r.type.empty() || r.type == name)
                files[dtype_named(name)] = read_cases(SINTER_TEST_DATA "/conformance/" + std::string(name) + ".npz");
    }
    for (const auto& [type, file] : files) {
        std::vector<const test_case*> all;
        for (const test_case& c : file.cases)
            if (r.only.empty() || text_of(c, type).find(r.only) != std::string::npos) all.push_back(&c);
        keep_part(all, r);
        for (std::size_t first = 0; first < all.size(); first += most_in_piece) {
            const auto from = all.begin() + static_cast<std::ptrdiff_t>(first);
            const std::size_t count = std::min(most_in_piece, all.size() - first);
            pieces.push_back({type, {from, from + static_cast<std::ptrdiff_t>(count)}});
        }
    }
    board& b = process_pool::shared_object<board>();
    process_pool::run_all(
        b, {.count = static_cast<std::int64_t>(pieces.size()), .jobs = r.jobs},
        [&](std::int64_t n) {
            const piece& p = pieces[static_cast<std::size_t>(n)];
            return is_right(b, p, files[p.type], r.on);
        },
        [&](double) {});
    const long long failed = b.wrong + b.faults, passed = b.right;
    std::printf("%lld passed, %lld failed\n", passed, failed);
    return failed != 0 || passed == 0;
}

}  // namespace

int main(int argc, char** argv) {
    request r;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i], value = argv[i + 1];
        if (name == "--type") r.type = value;
        else if (name == "--only") r.only = value;
        else if (name == "--part") r.part = std::strtoull(value.c_str(), nullptr, 10);
        else if (name == "--of") r.of = std::max(1ull, std::strtoull(value.c_str(), nullptr, 10));
        else if (name == "--jobs") r.jobs = std::clamp(std::atoi(value.c_str()), 1, process_pool::most_jobs);
        else if (name != "--backend") return fail("unknown argument %s\n", argv[i]);
        else if (value == "cuda") r.on = runtime::backend::cuda;
        else if (value == "interpreter") r.on = runtime::backend::interpreter;
        else if (value != "host") return fail("unknown backend %s\n", argv[i + 1]);
    }
    if (r.on == runtime::backend::cuda && !has_device_apart()) return fail("no CUDA device%s\n", "");
    return run_all(r);
}

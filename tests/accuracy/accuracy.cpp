// Measures the largest error of every function of floating numbers on a backend and compares with bounds.txt:
// --backend host|interpreter|cuda --every K (of all float32; as is done by default: 61, of special functions 977)
// --float64 N (arguments of float64, a sixteenth of them for special functions) --only NAME --type float32 --jobs J
// --part P --of N (one of N parts of the functions)
// --update (writes tests/results/accuracy-BACKEND.csv and include/accuracy.md) --page (writes the page of what is
// there).
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/ops/op.hpp>
#include <sinter/runtime/device/cuda_driver.hpp>
#include <sinter/sinter.hpp>

#include <gnu/libc-version.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "measure.hpp"
#include "records.hpp"

using namespace sinter;
using namespace accuracy;
using codegen::op;

namespace {

constexpr std::int64_t chunk_size = std::int64_t{1} << 20;
/// Special functions' exact results take long: arguments of theirs are fewer by this.
constexpr std::int64_t fewer = 16;

struct request {
    std::string backend = "host", only, type;
    std::int64_t every = 0, float64 = 1'000'000;
    std::size_t part = 0, of = 1;
    unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
    bool updates = false, only_writes = false;

    bool leaves_out(const std::string& name, std::size_t number) const {
        return only_writes || (!only.empty() && only != name) || (number + 1) % of != part;
    }
    std::int64_t step(const reference& r) const { return every > 0 ? every : r.is_deep ? 977 : 61; }
    std::int64_t doubles(const reference& r) const { return r.is_deep ? float64 / fewer : float64; }
};

format format_of(dtype type) {
    switch (type) {
        case dtype::float16: return {11, -14, 15};
        case dtype::bfloat16: return {8, -126, 127};
        case dtype::float32: return {24, -126, 127};
        default: return {53, -1022, 1023};
    }
}

/// How many arguments a function of this type is tried with.
std::int64_t count_of(const reference& r, dtype type, const request& q) {
    if (type == dtype::float64) return q.doubles(r);
    if (codegen::info(r.operation).arity == 2) return codegen::is_half(type) ? 1 << 16 : q.doubles(r);
    if (codegen::is_half(type)) return 1 << 16;
    return ((std::int64_t{1} << 32) + q.step(r) - 1) / q.step(r);
}

/// Operand `which` number n, as S holds it.
template <class S>
S operand_value(const reference& r, int which, std::int64_t n, std::int64_t step) {
    const codegen::op_info& row = codegen::info(r.operation);
    if (row.arity == 2) return static_cast<S>(paired_argument(row.domain, static_cast<std::uint64_t>(n), which == 1));
    if constexpr (std::is_same_v<S, double>) return argument(row.domain, static_cast<std::uint64_t>(n));
    else return __builtin_bit_cast(float, static_cast<std::uint32_t>(n * step));
}

/// Calls body(first, last) in several threads, for parts of n.
template <class Body>
void in_parts(std::int64_t n, unsigned jobs, Body body) {
    std::vector<std::thread> threads;
    for (unsigned j = 0; j < jobs; ++j) {
        const std::int64_t first = n * j / jobs, last = n * (j + 1) / jobs;
        if (first < last) threads.emplace_back([=] { body(first, last, j); });
    }
    for (std::thread& t : threads) t.join();
}

/// A function's arguments of one type in chunks, computed on the current backend and compared. S is the type that holds
/// their values.
template <class S>
class sweep {
public:
    sweep(const reference& r, dtype type, const request& q)
        : reference_(r),
          type_(type),
          request_(q),
          count_(count_of(r, type, q)),
          arity_(codegen::info(r.operation).arity) {}

    std::int64_t count() const { return count_; }

    worst largest_error() {
        worst found;
        for (std::int64_t first = 0; first < count_; first += chunk_size) {
            const std::int64_t n = std::min(chunk_size, count_ - first);
            fill(first, n);
            compute(n);
            compare(n, found);
        }
        return found;
    }

private:
    void fill(std::int64_t first, std::int64_t n) {
        const std::int64_t step = request_.step(reference_);
        for (int a = 0; a < arity_; ++a) {
            values_[a].resize(static_cast<std::size_t>(n));
            bytes_[a].resize(static_cast<std::size_t>(n * codegen::size_of(type_)));
            in_parts(n, request_.jobs, [&](std::int64_t from, std::int64_t to, unsigned) {
                for (std::int64_t i = from; i < to; ++i) place(a, i, first + i, step);
            });
        }
    }

    /// Half precision takes all of its numbers in turn, or pairs rounded to it.
    void place(int a, std::int64_t i, std::int64_t n, std::int64_t step) {
        const std::int64_t size = codegen::size_of(type_);
        unsigned char* to = &bytes_[a][static_cast<std::size_t>(i * size)];
        S& value = values_[a][static_cast<std::size_t>(i)];
        if (!codegen::is_half(type_)) {
            value = operand_value<S>(reference_, a, n, step);
            std::memcpy(to, &value, sizeof value);
            return;
        }
        const std::uint16_t bits = static_cast<std::uint16_t>(n);
        if (arity_ == 1) {
            std::memcpy(to, &bits, sizeof bits);
        } else {
            const S pair = operand_value<S>(reference_, a, n, step);
            codegen::convert(dtype::float32, type_, &pair, to, 1);
        }
        codegen::convert(type_, dtype::float32, to, &value, 1);
    }

    void compute(std::int64_t n) {
        std::vector<detail::handle> operands;
        for (int a = 0; a < arity_; ++a) operands.push_back(detail::store(type_, dims(n), bytes_[a].data()));
        const detail::handle result = detail::record_apply(reference_.operation, operands);
        results_.resize(static_cast<std::size_t>(n));
        if (!codegen::is_half(type_)) return detail::read(result, results_.data());
        std::vector<std::uint16_t> halves(static_cast<std::size_t>(n));
        detail::read(result, halves.data());
        codegen::convert(type_, dtype::float32, halves.data(), results_.data(), n);
    }

    void compare(std::int64_t n, worst& found) {
        std::vector<worst> parts(request_.jobs, found);
        in_parts(n, request_.jobs, [&](std::int64_t from, std::int64_t to, unsigned job) {
            const S* second = arity_ == 2 ? values_[1].data() + from : nullptr;
            const chunk<S> c{values_[0].data() + from, second, results_.data() + from, to - from, format_of(type_)};
            if constexpr (std::is_same_v<S, double>) parts[job] = reference_.measure_double(c, parts[job]);
            else parts[job] = reference_.measure_float(c, parts[job]);
        });
        for (const worst& w : parts) found.take(w);
    }

    const reference& reference_;
    const dtype type_;
    const request& request_;
    const std::int64_t count_;
    const int arity_;
    std::vector<S> values_[2], results_;
    std::vector<unsigned char> bytes_[2];
};

/// Whether an operation gives a floating number of one or two such numbers.
bool is_measured(op o) {
    const codegen::op_info& row = codegen::info(o);
    return o != op::cast && (row.arity == 1 || row.arity == 2) && row.typing != codegen::rule::scale &&
           codegen::defined_for(o, dtype::float32) && codegen::result_type(o, dtype::float32) == dtype::float32 &&
           std::strchr(row.kinds, 'f');
}

std::string place_text(const worst& w, int arity) {
    char text[120];
    if (arity == 2) std::snprintf(text, sizeof text, "%.17g and %.17g", w.x, w.y);
    else std::snprintf(text, sizeof text, "%.17g", w.x);
    return text;
}

struct tally {
    std::vector<record> records;
    std::vector<std::string> functions;
    int passed = 0, failed = 0;

    void fail(const std::string& text) {
        ++failed;
        std::printf("%s\n", text.c_str());
    }
};

void run_one(const reference& r, dtype type, const request& q, const bound_table& bounds, tally& t) {
    const codegen::op_info& row = codegen::info(r.operation);
    const auto start = std::chrono::steady_clock::now();
    worst w;
    std::int64_t count = 0;
    auto run = [&](auto s) {
        count = s.count();
        w = s.largest_error();
    };
    if (type == dtype::float64) run(sweep<double>(r, type, q));
    else run(sweep<float>(r, type, q));
    const std::string name = row.name, type_name(to_string(type));
    const double bound = bounds.bound(name, type_name, q.backend);
    const bool good = w.error <= bound;
    t.records.push_back({name, type_name, count, w.error, place_text(w, row.arity)});
    ++(good ? t.passed : t.failed);
    std::printf("%-14s %-9s %9lld arguments, %5.1f s, %9s ULP at %s, which gives %.17g%s\n", row.name,
                type_name.c_str(), static_cast<long long>(count),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
                error_text(w.error).c_str(), t.records.back().argument.c_str(), w.result,
                good ? "" : (": more than " + error_text(bound) + ", FAILED").c_str());
    std::fflush(stdout);
}

void run_all(const request& q, const bound_table& bounds, tally& t) {
    for (int i = 0; i < codegen::op_count; ++i) {
        const op o = static_cast<op>(i);
        const std::string name = codegen::info(o).name;
        const reference* r = find_reference(o);
        const bool exact = is_exact(o);
        if (is_measured(o) ? !r == !exact : r || exact)
            t.fail("[accuracy] references.def has too many or too few rows for " + name);
        if (!r) continue;
        if (!bounds.has(name)) {
            t.fail("[accuracy] bounds.txt has no goal for " + name);
            continue;
        }
        t.functions.push_back(name);
        if (q.leaves_out(name, t.functions.size())) continue;
        for (dtype type : {dtype::float32, dtype::float64, dtype::float16, dtype::bfloat16})
            if (q.type.empty() || q.type == to_string(type)) run_one(*r, type, q, bounds, t);
    }
    for (const auto& [name, goal] : bounds.goals())
        if (std::find(t.functions.begin(), t.functions.end(), name) == t.functions.end())
            t.fail("[accuracy] bounds.txt has a goal for " + name + ", which is not measured");
}

std::string how_text(const request& q) {
    const std::string where =
        q.backend == "cuda" ? runtime::properties(0).name : "glibc " + std::string(gnu_get_libc_version());
    return where + "; float32: every " + std::to_string(q.every > 0 ? q.every : 61) +
           (q.every > 0 ? "th number" : "st number, of special functions every 977th") +
           "; float64: " + std::to_string(q.float64) + " arguments, of special functions " +
           std::to_string(q.float64 / fewer);
}

int run(const request& q) {
    const bool cuda = q.backend == "cuda";
    if (cuda && device_count() == 0) return std::printf("no CUDA device\n"), 2;
    const std::string root = SINTER_TEST_ROOT;
    const bound_table bounds(root + "/tests/accuracy/bounds.txt");
    device_scope device(cuda ? device::cuda(0) : device::cpu());
    std::optional<runtime::backend_scope> backend;
    if (!cuda) backend.emplace(q.backend == "host" ? runtime::backend::host : runtime::backend::interpreter);
    tally t;
    run_all(q, bounds, t);
    if (q.updates && !q.only_writes)
        write_records(root + "/tests/results/accuracy-" + q.backend + ".csv", how_text(q), t.records);
    if (q.updates || q.only_writes)
        write_page(root + "/include/accuracy.md", root + "/tests/results", bounds, t.functions);
    std::printf("%d passed, %d failed\n", t.passed, t.failed);
    return t.failed != 0 || (t.passed == 0 && !q.only_writes);
}

}  // namespace

int main(int argc, char** argv) {
    request q;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--update" || name == "--page") {
            (name == "--page" ? q.only_writes : q.updates) = true;
            continue;
        }
        if (i + 1 == argc) return std::printf("%s wants a value\n", argv[i]), 2;
        const std::string value = argv[++i];
        if (name == "--backend") q.backend = value;
        else if (name == "--every") q.every = value == "all" ? 1 : std::strtoll(value.c_str(), nullptr, 10);
        else if (name == "--float64") q.float64 = std::strtoll(value.c_str(), nullptr, 10);
        else if (name == "--only") q.only = value;
        else if (name == "--type") q.type = value;
        else if (name == "--part") q.part = std::strtoull(value.c_str(), nullptr, 10);
        else if (name == "--of") q.of = std::strtoull(value.c_str(), nullptr, 10);
        else if (name == "--jobs") q.jobs = static_cast<unsigned>(std::clamp(std::atoi(value.c_str()), 1, 256));
        else return std::printf("unknown argument %s\n", name.c_str()), 2;
    }
    if (q.backend != "host" && q.backend != "interpreter" && q.backend != "cuda")
        return std::printf("unknown backend %s\n", q.backend.c_str()), 2;
    if (q.part >= q.of) return std::printf("--part wants less than --of\n"), 2;
    if (q.updates && (q.of > 1 || !(q.only + q.type).empty()))
        return std::printf("--update is of all functions and types\n"), 2;
    if (q.float64 < fewer) return std::printf("--float64 wants %lld or more\n", static_cast<long long>(fewer)), 2;
    return run(q);
}

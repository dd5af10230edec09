// Runs every way to make a value, every way to use it and every shape on a backend and on the interpreter, and
// compares:
// --backend host|cuda --part K --of N (about each N-th use of each value) --only VALUE --largest ELEMENTS
// (of x) --jobs J.
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/runtime/compile/record_pack.hpp>
#include <sinter/runtime/lazy/compile_ahead.hpp>
#include <sinter/sinter.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "../support/device_check.hpp"
#include "../support/process_pool.hpp"
#include "table.hpp"

using namespace sinter;
using namespace matrix;

namespace {

const dims shapes[] = {{}, {0, 5}, {1}, {7}, {3, 17}, {13, 13}, {4, 3, 5}, {67, 301}, {3, 20001}, {40000}};

/// Elements of a result, at most: larger ones, as of a column beside its transpose, are left out.
constexpr std::int64_t most_elements = 1 << 22;

/// Uses of one value that are evaluated together, at most.
constexpr std::size_t most_together = 10;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t x = a * 0x9e3779b97f4a7c15ull + b;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/// One maker at one shape.
struct made_value {
    std::uint64_t number;
    dtype type;
    dims shape;
    const maker& from;

    explicit made_value(std::int64_t n)
        : number(static_cast<std::uint64_t>(n)),
          type(mixed(number, 1) % 3 ? dtype::float64 : dtype::float32),
          shape(shapes[number % std::size(shapes)]),
          from(makers(type)[number / std::size(shapes)]) {}
    std::string text() const {
        return std::string(to_string(type)) + " x of " + to_string(shape) + ", v = " + from.text;
    }
    /// The uses of a part, in groups that are evaluated together; an eighth of the values is used once at a time.
    std::vector<std::vector<const use*>> groups(std::uint64_t part, std::uint64_t of) const {
        std::vector<std::vector<const use*>> list;
        const std::size_t together = mixed(number, part + 2) % 8 ? most_together : 1;
        const std::span<const use> all = uses(type);
        for (std::size_t u = 0; u < all.size(); ++u) {
            if (mixed(number, u + 100) % of != part % of || (all[u].decides && !from.exact)) continue;
            if (list.empty() || list.back().size() == together) list.emplace_back();
            list.back().push_back(&all[u]);
        }
        return list;
    }
};

std::int64_t value_count() { return static_cast<std::int64_t>(std::size(shapes) * makers(dtype::float64).size()); }

// Multiples of an eighth in [-8, 8].
handle data_of(const made_value& v) {
    std::vector<double> values(static_cast<std::size_t>(v.shape.product()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(mixed(12345, i) % 129) / 8 - 8;
    std::vector<unsigned char> bytes(values.size() * static_cast<std::size_t>(codegen::size_of(v.type)));
    codegen::convert(dtype::float64, v.type, values.data(), bytes.data(), static_cast<std::int64_t>(values.size()));
    return detail::store(v.type, v.shape, bytes.data());
}

struct result {
    dtype type;
    dims shape;
    std::vector<unsigned char> bytes;
};

/// What a use gave: results, or the words of what it threw.
struct outcome {
    std::vector<handle> recorded;
    std::vector<result> results;
    std::string thrown;
};

template <class Body>
std::string words_thrown_by(const Body& body) {
    try {
        body();
    } catch (const internal_error& e) {
        return std::string("internal_error: ") + e.what();
    } catch (const compile_error& e) {
        return std::string("compile_error: ") + e.what();
    } catch (const std::exception& e) {
        return e.what();
    }
    return {};
}

void read(outcome& o) {
    for (const handle& h : o.recorded) {
        result r{h->type, h->shape, {}};
        r.bytes.resize(static_cast<std::size_t>(h->bytes()));
        detail::read(h, r.bytes.data());
        o.results.push_back(std::move(r));
    }
    o.recorded.clear();
}

std::vector<double> numbers_of(const result& r) {
    std::vector<double> v(static_cast<std::size_t>(r.shape.product()) * 2);
    codegen::convert(r.type, dtype::complex128, r.bytes.data(), v.data(), r.shape.product());
    return v;
}

// Of the finite elements: how far sums of what is nearly equal may lie apart.
double sum_of_sizes(const result& r) {
    double sum = 0;
    for (double x : numbers_of(r))
        if (std::isfinite(x)) sum += std::fabs(x);
    return sum;
}

double sizes_of(const made_value& v) {
    device_scope device(device::cpu());
    runtime::backend_scope backend(runtime::backend::interpreter);
    outcome o;
    const std::string unmade = words_thrown_by([&] {
        o.recorded = {v.from.make(data_of(v))};
        read(o);
    });
    return unmade.empty() ? sum_of_sizes(o.results[0]) : 0;
}

// Uses of one value, recorded one after the other, evaluated together and then read.
std::vector<outcome> run(const made_value& v, const std::vector<const use*>& group, runtime::backend on) {
    const bool cuda = on == runtime::backend::cuda;
    device_scope device(cuda ? device::cuda(0) : device::cpu());
    std::optional<runtime::backend_scope> backend;
    if (!cuda) backend.emplace(on);
    std::vector<outcome> all(group.size());
    handle x, value;
    const std::string unmade = words_thrown_by([&] { x = data_of(v), value = v.from.make(x); });
    std::vector<handle> recorded;
    for (std::size_t i = 0; i < group.size(); ++i) {
        outcome& o = all[i];
        o.thrown = !unmade.empty() ? unmade : words_thrown_by([&] { o.recorded = group[i]->apply(value, x); });
        const bool fits =
            std::ranges::all_of(o.recorded, [](const handle& h) { return h->shape.product() <= most_elements; });
        if (!fits) {
            o.recorded.clear();
            o.thrown = "a result is too large";
        }
        recorded.insert(recorded.end(), o.recorded.begin(), o.recorded.end());
    }
    value = handle();
    const std::string wrong = words_thrown_by([&] { detail::evaluate(recorded); });
    for (outcome& o : all)
        if (o.thrown.empty()) o.thrown = !wrong.empty() ? wrong : words_thrown_by([&] { read(o); });
    return all;
}

// Equal bits, any NaN being like any other; where the value is only nearly the same, a distance that the largest number
// explains, or the rounding of sums of the value's elements.
std::string difference(const result& expected, const result& found, bool exact, double sizes) {
    if (expected.type != found.type || expected.shape != found.shape)
        return std::string(to_string(expected.type)) + " " + to_string(expected.shape) + " became " +
               std::string(to_string(found.type)) + " " + to_string(found.shape);
    if (expected.bytes == found.bytes) return {};
    const std::vector<double> a = numbers_of(expected), b = numbers_of(found);
    double scale = 1;
    for (double x : a)
        if (std::isfinite(x)) scale = std::fmax(scale, std::fabs(x));
    const bool wide = codegen::real_of(expected.type) == dtype::float64;
    const double allowed = exact ? 0 : (wide ? 1e-10 : 1e-4) * scale + (wide ? 1e-15 : 1e-6) * sizes;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const bool same = std::memcmp(&a[i], &b[i], sizeof a[i]) == 0 || (std::isnan(a[i]) && std::isnan(b[i])) ||
                          (!exact && (a[i] == b[i] || std::fabs(a[i] - b[i]) <= allowed));
        if (same) continue;
        char text[120];
        std::snprintf(text, sizeof text, "element %zu is %.17g and not %.17g", i / 2, b[i], a[i]);
        return text;
    }
    return {};
}

std::string difference(const outcome& expected, const outcome& found, bool exact, double sizes) {
    if (expected.thrown != found.thrown)
        return (found.thrown.empty() ? "did not throw" : "threw " + found.thrown) + ", the interpreter " +
               (expected.thrown.empty() ? "did not throw" : "threw " + expected.thrown);
    if (expected.thrown.starts_with("internal_error")) return "threw " + expected.thrown;
    for (std::size_t i = 0; i < expected.results.size(); ++i) {
        std::string d = difference(expected.results[i], found.results[i], exact, sizes);
        if (!d.empty()) return "result " + std::to_string(i) + ": " + d;
    }
    return {};
}

/// What the processes share: how often each row worked, so that none is never tried.
struct board : process_pool::board {
    std::atomic<std::int64_t> made[512], used[128], uses, wrong, thrown;
};

/// What is asked for.
struct request {
    runtime::backend on = runtime::backend::host;
    std::uint64_t part = 0, of = 1;
    std::int64_t largest = most_elements;

    bool leaves_out(const made_value& v) const { return v.shape.product() > largest; }
};

/// What the interpreter gives to values that have not been compared yet, by number and group; the kernels that they
/// need on the host are compiled for many of them together.
struct interpreted_values {
    std::map<std::int64_t, std::vector<std::vector<outcome>>> outcomes;
    runtime::kernels_ahead kernels;

    void interpret(std::int64_t number, const request& r) {
        const made_value v(number);
        if (r.leaves_out(v)) return;
        std::optional<runtime::interpret_ahead_scope> ahead;
        if (r.on == runtime::backend::host) ahead.emplace(kernels);
        std::vector<std::vector<outcome>>& of_value = outcomes[number];
        for (const std::vector<const use*>& group : v.groups(r.part, r.of))
            of_value.push_back(run(v, group, runtime::backend::interpreter));
    }
    void compile() {
        std::lock_guard lock(runtime::runtime_lock());
        kernels.compile();
    }
};

bool is_right(board& b, std::int64_t number, const request& r, interpreted_values& before) {
    const made_value v(number);
    if (r.leaves_out(v)) return true;
    const std::vector<std::vector<outcome>> all_expected = std::move(before.outcomes.extract(number).mapped());
    const std::vector<std::vector<const use*>> groups = v.groups(r.part, r.of);
    const double sizes = v.from.exact ? 0 : sizes_of(v);
    bool right = true;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::vector<const use*>& group = groups[g];
        const std::vector<outcome>&expected = all_expected[g], found = run(v, group, r.on);
        for (std::size_t i = 0; i < group.size(); ++i) {
            ++b.uses;
            const bool works = expected[i].thrown.empty();
            b.thrown += !works;
            b.made[&v.from - makers(v.type).data()] += works;
            b.used[group[i] - uses(v.type).data()] += works;
            const std::string d = difference(expected[i], found[i], v.from.exact && group[i]->exact, sizes);
            if (d.empty()) continue;
            right = false;
            ++b.wrong;
            std::printf("value %lld, %s, %s%s: %s\n", static_cast<long long>(number), v.text().c_str(), group[i]->text,
                        group.size() > 1 ? ", beside others" : "", d.c_str());
        }
    }
    return right;
}

int count_unused(const board& b) {
    int unused = 0;
    for (std::size_t i = 0; i < makers(dtype::float64).size(); ++i)
        if (b.made[i] == 0) ++unused, std::printf("never made anything: %s\n", makers(dtype::float64)[i].name);
    for (std::size_t i = 0; i < uses(dtype::float64).size(); ++i)
        if (b.used[i] == 0) ++unused, std::printf("never used anything: %s\n", uses(dtype::float64)[i].name);
    return unused;
}

}  // namespace

int main(int argc, char** argv) {
    request r;
    interpreted_values interpreted;
    process_pool::pieces all{.count = value_count(),
                             .jobs = static_cast<int>(std::thread::hardware_concurrency()),
                             .at_end = runtime::write_recorded_kernels,
                             .prepare = [&](std::int64_t n) { interpreted.interpret(n, r); },
                             .prepare_together = [&] { interpreted.compile(); }};
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i], value = argv[i + 1];
        if (name == "--part") r.part = std::strtoull(value.c_str(), nullptr, 10);
        else if (name == "--of") r.of = std::max(1ull, std::strtoull(value.c_str(), nullptr, 10));
        else if (name == "--largest") r.largest = std::atoll(value.c_str());
        else if (name == "--only") all.first = std::atoll(value.c_str()), all.count = 1;
        else if (name == "--jobs") all.jobs = std::clamp(std::atoi(value.c_str()), 1, process_pool::most_jobs);
        else if (name == "--backend" && value == "cuda") r.on = runtime::backend::cuda;
        else if (name != "--backend" || value != "host")
            return std::printf("unknown argument %s %s\n", argv[i], argv[i + 1]), 2;
    }
    if (r.on == runtime::backend::cuda && !has_device_apart()) return std::printf("no CUDA device\n"), 3;
    // About as many uses in each block, whose outcomes a process has in memory.
    all.block = std::clamp<std::int64_t>(static_cast<std::int64_t>(2 * r.of), 1, 128);
    board& b = process_pool::shared_object<board>();
    process_pool::run_all(
        b, all, [&](std::int64_t n) { return is_right(b, n, r, interpreted); },
        [&](double s) {
            std::printf("%lld of %lld values, %.0f s\n", static_cast<long long>(b.done),
                        static_cast<long long>(all.count), s);
            std::fflush(stdout);
        });
    // A small part need not hold every row in a shape that fits it.
    const long long failed = b.faults + (r.of <= 10 && all.count > 1 && b.faults == 0 ? count_unused(b) : 0);
    std::printf("%lld uses threw the same on both\n%lld passed, %lld failed\n", static_cast<long long>(b.thrown),
                static_cast<long long>(b.uses - b.wrong), failed);
    return failed != 0;
}

// Times the first call of one program in this process: `bench_first_calls ROW cpu|cuda` prints milliseconds in all, of
// compilers, of waiting for them and of loading libraries, and how many kernels were compiled.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <sinter/sinter.hpp>

using namespace sinter;

namespace {

using number = array<float>;

struct row {
    const char* name;
    void (*run)(const number& x);  ///< x: 1000 x 1000, stored
};

number stencil(const number& p) { return 4.1f * p - roll(p, 1, 0) - roll(p, -1, 0) - roll(p, 1, 1) - roll(p, -1, 1); }

void conjugate_gradients(const number& b) {
    number x = zeros<float>({1000, 1000}), r = b, p = b, rr = sum(r * r);
    for (int i = 0; i < 3; ++i) {
        number q = stencil(p), alpha = rr / sum(p * q);
        x = x + alpha * p;
        r = r - alpha * q;
        number next = sum(r * r);
        p = r + next / rr * p;
        rr = next;
    }
    eval(x, rr);
}

constexpr row rows[] = {
    {"gaussian", [](const number& x) { eval(exp(-0.5f * square((x - 0.25f) / 1.5f)) / 3.76f); }},
    {"sum", [](const number& x) { eval(sum(x)); }},
    {"cumsum", [](const number& x) { eval(cumsum(x)); }},
    {"softmax",
     [](const number& x) {
         number e = exp(x - max(x, 1, keepdims));
         eval(e / sum(e, 1, keepdims));
     }},
    {"moments", [](const number& x) { eval(mean(x, 0), var(x, 0), max(x, 1), argmax(x, 1), sum(x * x)); }},
    {"conjugate_gradients", conjugate_gradients},
    {"solve", [](const number& x) { eval(linalg::solve(x + 1000.0f * eye<float>(1000), x)); }},
    {"cholesky", [](const number& x) { eval(linalg::cholesky(x + x.T() + 2000.0f * eye<float>(1000))); }},
    {"sort", [](const number& x) { eval(sort(ravel(x))); }},
    {"median", [](const number& x) { eval(median(x, 1)); }},
    {"permutation", [](const number&) { eval(random::permutation(1'000'000)); }},
    {"histogram",
     [](const number& x) {
         auto [counts, edges] = histogram(x, 256);
         eval(counts);
     }},
    {"scatter_add",
     [](const number& x) {
         const array<std::int64_t> at = arange<std::int64_t>(1'000'000) * 7919 % 10'007;
         number sums = zeros<float>({10'007});
         scatter_add(sums, at, ravel(x));
         eval(sums);
     }},
};

// Earlier versions count less.
template <class Counters>
void print(const Counters& c, double milliseconds) {
    std::printf("%.1f", milliseconds);
    if constexpr (requires { c.compile_ms; })
        std::printf(" %lld %lld %lld", static_cast<long long>(c.compile_ms), static_cast<long long>(c.wait_ms),
                    static_cast<long long>(c.library_ms));
    else std::printf(" - - -");
    std::printf(" %lld\n", static_cast<long long>(c.kernels_compiled));
}

}  // namespace

int main(int count, char** words) {
    for (const row& r : rows) {
        if (count == 2 && !std::strcmp(words[1], "--rows")) std::printf("%s ", r.name);
        if (count != 3 || std::strcmp(words[1], r.name) != 0) continue;
        const device where = std::strcmp(words[2], "cuda") == 0 ? device::cuda(0) : device::cpu();
        const device_scope on(where);
        std::vector<float> values(1000 * 1000);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 1013) * 0.001f;
        const number x = reshape(asarray(values), {1000, 1000});
        eval(x);
        where.synchronize();
        reset_counters();
        const auto begin = std::chrono::steady_clock::now();
        r.run(x);
        where.synchronize();
        const auto end = std::chrono::steady_clock::now();
        print(counters(), std::chrono::duration<double, std::milli>(end - begin).count());
    }
}

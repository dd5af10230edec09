// Bodies of programs.hpp.
#include "programs.hpp"

#include "calls.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <sinter/sinter.hpp>

namespace failing_calls {

using namespace sinter;

// What a function reads; once more where a call has failed, without any failing.
template <class Read>
static auto again(const Read& read) {
    try {
        return read();
    } catch (const std::bad_alloc&) {
        end();
        return read();
    } catch (const error&) {
        end();
        return read();
    }
}

// Numbers whose sums are exact, in no order.
static std::vector<double> scattered(int n) {
    std::vector<double> v;
    for (int i = 0; i < n; ++i) v.push_back(i * 37 % n - n / 2);
    return v;
}

static numbers compute_elements(const std::string&) {
    const array<double> x = asarray(scattered(101));
    const array<double> y = where(x > 0, x * 2, x - 1);
    const array<double> m = reshape(concatenate(std::tuple(x, y)), {2, 101});
    const array<double> total = sum(y);
    return again([&] {
        return numbers{double(total), double(max(x * y)), y.item(7), mean(m, 1).item(1),
                       double(sum(square(m(0, slice(3, 50)))))};
    });
}

static numbers wanted_elements() {
    const auto x = scattered(101);
    std::vector<double> y;
    double total = 0, greatest = -1e9, part = 0;
    for (double e : x) y.push_back(e > 0 ? e * 2 : e - 1);
    for (std::size_t i = 0; i < x.size(); ++i) {
        total += y[i];
        greatest = std::max(greatest, x[i] * y[i]);
        if (i >= 3 && i < 50) part += x[i] * x[i];
    }
    return {total, greatest, y[7], total / 101, part};
}

static numbers compute_order(const std::string&) {
    array<double> x = asarray(scattered(67));
    const array<double> sorted = sort(x);
    const array<double> positive = x[x > 0];
    x(slice(0, 10)) = 5;
    x[argsort(x)(slice(0, 3))] += 1;
    return again([&] {
        return numbers{sorted.item(0),          sorted.item(66), double(sum(positive)),
                       double(positive.size()), double(sum(x)),  double(cumsum(sorted).item(33))};
    });
}

static numbers wanted_order() {
    auto x = scattered(67), sorted = x;
    std::sort(sorted.begin(), sorted.end());
    double positive = 0, count = 0, total = 3, running = 0;
    for (double e : x) positive += e > 0 ? e : 0, count += e > 0;
    for (std::size_t i = 0; i < x.size(); ++i) total += i < 10 ? 5 : x[i];
    for (std::size_t i = 0; i <= 33; ++i) running += sorted[i];
    return {sorted[0], sorted[66], positive, count, total, running};
}

static numbers compute_step(const std::string&) {
    graph step([](auto u, auto dt) { return u + dt * (max(u) - u); });
    array<double> u = asarray(scattered(31));
    for (int i = 0; i < 4; ++i) u = step(u, 0.5);
    return again([&] { return numbers{double(sum(u)), u.item(3)}; });
}

static numbers wanted_step() {
    auto u = scattered(31);
    for (int i = 0; i < 4; ++i) {
        const double most = *std::max_element(u.begin(), u.end());
        for (double& e : u) e += 0.5 * (most - e);
    }
    double total = 0;
    for (double e : u) total += e;
    return {total, u[3]};
}

static numbers compute_files(const std::string& folder) {
    const array<double> x = asarray(scattered(40));
    const array<std::int32_t> n = astype<std::int32_t>(x);
    save(folder + "/x.npy", x);
    savez(folder + "/all.npz", {{"x", x}, {"n", n}});
    savetxt(folder + "/x.txt", reshape(x, {5, 8}));
    const array<double> y = load<double>(folder + "/x.npy"), t = loadtxt<double>(folder + "/x.txt");
    const array<std::int32_t> k = loadz(folder + "/all.npz").get<std::int32_t>("n");
    return {double(sum(y)), y.item(11), double(k.item(12)), t.item(2, 3), double(t.size())};
}

static numbers wanted_files() {
    const auto x = scattered(40);
    double total = 0;
    for (double e : x) total += e;
    return {total, x[11], x[12], x[19], 40};
}

static numbers compute_kernel(const std::string&) {
    const array<double> x = asarray(scattered(23));
    const array<double> y = x * x + 3;
    return again([&] { return numbers{y.item(0), y.item(22)}; });
}

static numbers wanted_kernel() {
    const auto x = scattered(23);
    return {x[0] * x[0] + 3, x[22] * x[22] + 3};
}

// Enough elements for several threads.
static numbers compute_on_threads(const std::string&) {
    const array<double> x = arange<double>(200'000);
    const array<double> y = sqrt(x * x) + 1;
    return again([&] { return numbers{double(sum(y)), y.item(199'999), double(max(sort(y % 1000.0)))}; });
}

static numbers wanted_on_threads() { return {200'000.0 * 199'999 / 2 + 200'000, 200'000, 999}; }

static numbers compute_products(const std::string&) {
    const array<double> a = reshape(asarray(scattered(12)), {3, 4});
    const array<double> b = matmul(a, a.T()) + 40.0 * eye(3);
    const array<double> x = linalg::solve(b, matmul(b, array<double>{1, 2, 3}));
    // Written into the memory of what it was before, and multiplied by the same evaluation.
    array<double> c = reshape(asarray(scattered(16)), {4, 4});
    c(0, all) += 1;
    const array<double> d = matmul(c, c);
    return again([&] {
        return numbers{double(sum(d)), double(sum(matmul(a, a.T()))), std::round(x.item(0) * 1e6),
                       std::round(x.item(2) * 1e6)};
    });
}

static numbers wanted_products() {
    const auto a = scattered(12);
    double total = 0;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 4; ++k) total += a[4 * i + k] * a[4 * j + k];
    auto c = scattered(16);
    double product = 0;
    for (std::size_t j = 0; j < 4; ++j) ++c[j];
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            for (std::size_t k = 0; k < 4; ++k) product += c[4 * i + k] * c[4 * k + j];
    return {product, total, 1e6, 3e6};
}

const std::vector<program> programs = {
    {"elements", compute_elements, wanted_elements}, {"order", compute_order, wanted_order},
    {"kernel", compute_kernel, wanted_kernel, true}, {"step", compute_step, wanted_step},
    {"files", compute_files, wanted_files},          {"threads", compute_on_threads, wanted_on_threads},
    {"products", compute_products, wanted_products},
};

}  // namespace failing_calls

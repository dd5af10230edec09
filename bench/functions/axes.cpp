// Rows of reductions and of running values along axes.
#include "functions.hpp"

using namespace sinter;

namespace bench {

namespace {

array<float> with_gaps(const dims& shape) {
    array<float> x = hashed(shape);
    return array<float>(where(x < 0.1f, std::nanf(""), x)).eval();
}

function_rows running() {
    return {
        {"cumsum_axis0",
         [](const sizes& s) {
             return computing([](const auto& x) { return cumsum(x, 0); }, hashed({s.side(8192), s.side(8192)}));
         }},
        {"cumsum_axis1",
         [](const sizes& s) {
             return computing([](const auto& x) { return cumsum(x, 1); }, hashed({s.side(8192), s.side(8192)}));
         }},
        {"cumsum_middle",
         [](const sizes& s) {
             return computing([](const auto& x) { return cumsum(x, 1); },
                              hashed({s.edge(64), s.edge(1024), s.edge(1024)}));
         }},
        {"cumprod_rows",
         [](const sizes& s) {
             auto factors = array<float>(1.0f + 0.01f * hashed_around_zero({s.line(65536), 1000})).eval();
             return computing([](const auto& x) { return cumprod(x, 1); }, factors);
         }},
        {"cummax",
         [](const sizes& s) { return computing([](const auto& x) { return cummax(x); }, hashed({s.line(1e8)})); }},
        {"log_cumsum_exp",
         [](const sizes& s) {
             return computing(
                 [](const auto& x) {
                     array<float> m = max(x, 1, keepdims);
                     return log(cumsum(exp(x - m), 1)) + m;
                 },
                 hashed({s.side(8192), s.side(8192)}));
         }},
    };
}

function_rows reducing() {
    return {
        {"sum_bool",
         [](const sizes& s) {
             return computing([](const auto& x) { return sum(x); }, array<bool>(hashed({s.line(4e8)}) < 0.5f).eval());
         }},
        {"sum_int8",
         [](const sizes& s) {
             return computing([](const auto& x) { return sum(x); }, hashed_whole<std::int8_t>({s.line(4e8)}, 100));
         }},
        {"sum_bool_axis1",
         [](const sizes& s) {
             return computing([](const auto& x) { return sum(x, 1); },
                              array<bool>(hashed({s.side(16384), s.side(16384)}) < 0.5f).eval());
         }},
        {"any_axis1",
         [](const sizes& s) {
             return computing([](const auto& x) { return any(x, 1); },
                              array<bool>(hashed({s.side(16384), s.side(16384)}) < 1e-4f).eval());
         }},
        {"all_axis0",
         [](const sizes& s) {
             return computing([](const auto& x) { return sinter::all(x, 0); },
                              array<bool>(hashed({s.side(16384), s.side(16384)}) > 1e-4f).eval());
         }},
        {"argmax_axis0",
         [](const sizes& s) {
             return computing([](const auto& x) { return argmax(x, 0); }, hashed({s.side(8192), s.side(8192)}));
         }},
        {"argmin_axis1",
         [](const sizes& s) {
             return computing([](const auto& x) { return argmin(x, 1); }, hashed({s.line(100000), 1000}));
         }},
        {"std_axis0",
         [](const sizes& s) {
             return computing([](const auto& x) { return stddev(x, 0); }, hashed({s.side(8192), s.side(8192)}));
         }},
        {"nanmean_axis0",
         [](const sizes& s) {
             return computing([](const auto& x) { return nanmean(x, 0); }, with_gaps({s.side(8192), s.side(8192)}));
         }},
        {"nanstd_axis0",
         [](const sizes& s) {
             return computing([](const auto& x) { return nanstd(x, 0); }, with_gaps({s.side(8192), s.side(8192)}));
         }},
        {"norm_axis1",
         [](const sizes& s) {
             return computing([](const auto& x) { return linalg::norm(x, 2, 1); }, hashed({s.line(100000), 1000}));
         }},
        {"logsumexp_axis1",
         [](const sizes& s) {
             return computing([](const auto& x) { return logsumexp(x, 1); }, hashed({s.line(100000), 1000}));
         }},
        {"logsumexp_axis0",
         [](const sizes& s) {
             return computing([](const auto& x) { return logsumexp(x, 0); }, hashed({s.side(8192), s.side(8192)}));
         }},
        {"softmax_axis0",
         [](const sizes& s) {
             return computing([](const auto& x) { return softmax(x, 0); }, hashed({s.side(8192), s.side(8192)}));
         }},
        {"layer_norm_middle",
         [](const sizes& s) {
             return computing(
                 [](const auto& x) {
                     array<float> m = mean(x, 1, keepdims), v = var(x, 1, keepdims);
                     return (x - m) / sqrt(v + 1e-5f);
                 },
                 hashed({s.line(64), 256, 4096}));
         }},
    };
}

function_rows of_other_types() {
    return {
        {"sum_float64",
         [](const sizes& s) { return computing([](const auto& x) { return sum(x); }, hashed<double>({s.line(1e8)})); }},
        {"sum_int64",
         [](const sizes& s) {
             return computing([](const auto& x) { return sum(x); }, hashed_whole({s.line(1e8)}, 1000));
         }},
        {"max_int32_axis1",
         [](const sizes& s) {
             return computing([](const auto& x) { return max(x, 1); },
                              hashed_whole<std::int32_t>({s.line(100000), 1000}, 1e9));
         }},
        {"sum_float16_axis1",
         [](const sizes& s) {
             return computing([](const auto& x) { return sum(x, 1); }, hashed<half>({s.side(16384), s.side(8192)}));
         }},
        {"mean_bfloat16_axis0",
         [](const sizes& s) {
             return computing([](const auto& x) { return mean(x, 0); },
                              hashed<bfloat16>({s.side(16384), s.side(8192)}));
         }},
        {"cov",
         [](const sizes& s) {
             return computing([](const auto& x) { return cov(x); }, hashed<double>({s.side(1000), s.side(20000)}));
         }},
        {"corrcoef",
         [](const sizes& s) {
             return computing([](const auto& x) { return corrcoef(x); }, hashed<double>({s.side(1000), s.side(20000)}));
         }},
    };
}

}  // namespace

function_rows functions_of_axes() {
    function_rows rows;
    for (auto part : {running, reducing, of_other_types})
        for (const function_row& row : part()) rows.push_back(row);
    return rows;
}

}  // namespace bench

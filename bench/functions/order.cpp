// Rows of sorting, selecting, counting and looking up.
#include "functions.hpp"

using namespace sinter;

namespace bench {

namespace {

function_rows sorting() {
    return {
        {"argsort",
         [](const sizes& s) { return computing([](const auto& x) { return argsort(x); }, hashed({s.line(1e7)})); }},
        {"sort_rows",
         [](const sizes& s) {
             return computing([](const auto& x) { return sort(x); }, hashed({s.line(50000), 1000}));
         }},
        {"sort_axis0",
         [](const sizes& s) {
             return computing([](const auto& x) { return sort(x, 0); }, hashed({1000, s.line(50000)}));
         }},
        {"sort_int64",
         [](const sizes& s) {
             return computing([](const auto& x) { return sort(x); }, hashed_whole({s.line(1e7)}, 4e9));
         }},
        {"topk_rows",
         [](const sizes& s) {
             return computing([](const auto& x) { return std::tuple(topk(x, 10).values); },
                              hashed({s.line(10000), 10000}));
         }},
        {"unique",
         [](const sizes& s) {
             return computing([](const auto& x) { return unique(x); }, hashed_whole({s.line(1e7)}, s.line(1e6)));
         }},
        {"unique_counts",
         [](const sizes& s) {
             return computing([](const auto& x) { return std::tuple(unique_counts(x).counts); },
                              hashed_whole<std::int32_t>({s.line(1e7)}, 1000));
         }},
        {"median_axis0",
         [](const sizes& s) {
             return computing([](const auto& x) { return median(x, 0); }, hashed({s.side(4096), s.side(8192)}));
         }},
        {"median_axis1",
         [](const sizes& s) {
             return computing([](const auto& x) { return median(x, 1); }, hashed({s.line(50000), 1000}));
         }},
        {"quantile_axis0",
         [](const sizes& s) {
             return computing([](const auto& x) { return quantile(x, 0.9, 0); }, hashed({s.side(4096), s.side(8192)}));
         }},
        {"quantile_axis1",
         [](const sizes& s) {
             return computing([](const auto& x) { return quantile(x, 0.9, 1); }, hashed({s.line(50000), 1000}));
         }},
        {"median",
         [](const sizes& s) { return computing([](const auto& x) { return median(x); }, hashed({s.line(5e7)})); }},
        {"partition_rows",
         [](const sizes& s) {
             return computing([](const auto& x) { return partition(x, 500)(all, 500); }, hashed({s.line(50000), 1000}));
         }},
    };
}

function_rows counting() {
    return {
        {"histogram",
         [](const sizes& s) {
             return computing([](const auto& x) { return std::tuple(histogram(x, 100).hist); }, hashed({s.line(1e8)}));
         }},
        {"bincount_weights",
         [](const sizes& s) {
             return computing(
                 [](const auto& i, const auto& w) { return bincount<double>(i, {.minlength = 1000, .weights = w}); },
                 hashed_whole<std::int32_t>({s.line(5e7)}, 1000), hashed<double>({s.line(5e7)}, 2));
         }},
        {"segment_sum",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& i) { return segment_sum(x, i, {.num_segments = 1000}); },
                              hashed({s.line(1e6), 32}), hashed_whole({s.line(1e6)}, 1000, 3));
         }},
        {"digitize",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& edges) { return digitize(x, edges); },
                              hashed({s.line(5e7)}), linspace<float>(0, 1, 256).eval());
         }},
        {"isin",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& among) { return isin(x, among); },
                              hashed_whole({s.line(1e7)}, 1e5), hashed_whole({1000}, 1e5, 99));
         }},
        {"interp",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& at, const auto& y) { return interp(x, at, y); },
                              hashed<double>({s.line(2e7)}), linspace<double>(0, 1, 10000).eval(),
                              hashed<double>({10000}, 5));
         }},
        {"compress_rows",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& m) { return compress(m, x, 0); }, hashed({s.line(1e6), 64}),
                              array<bool>(hashed({s.line(1e6)}, 2) < 0.5f).eval());
         }},
        {"nonzero",
         [](const sizes& s) {
             return computing([](const auto& x) { return flatnonzero(x); },
                              array<bool>(hashed({s.line(1e8)}) < 0.1f).eval());
         }},
    };
}

}  // namespace

function_rows functions_of_order() {
    function_rows rows = sorting();
    for (const function_row& row : counting()) rows.push_back(row);
    return rows;
}

}  // namespace bench

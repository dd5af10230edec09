// Rows that move elements: parts, permutations, joins, gathers and scatters.
#include "functions.hpp"

using namespace sinter;

namespace bench {

namespace {

function_rows moving() {
    return {
        {"flip",
         [](const sizes& s) {
             return computing([](const auto& x) { return flip(x).copy(); }, hashed({s.side(8192), s.side(8192)}));
         }},
        {"roll_2d",
         [](const sizes& s) {
             return computing([](const auto& x) { return roll(x, {3, -5}, {0, 1}); },
                              hashed({s.side(8192), s.side(8192)}));
         }},
        {"pad",
         [](const sizes& s) {
             return computing([](const auto& x) { return pad(x, 3); }, hashed({s.side(8192), s.side(8192)}));
         }},
        {"pad_reflect",
         [](const sizes& s) {
             return computing([](const auto& x) { return pad(x, 3, {.mode = "reflect"}); },
                              hashed({s.side(8192), s.side(8192)}));
         }},
        {"tile",
         [](const sizes& s) {
             return computing([](const auto& x) { return tile(x, {2, 3}); }, hashed({s.side(4096), s.side(4096)}));
         }},
        {"repeat",
         [](const sizes& s) { return computing([](const auto& x) { return repeat(x, 4); }, hashed({s.line(2e7)})); }},
        {"concatenate_axis1",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& y) { return concatenate(std::tuple(x, y), 1); },
                              hashed({s.side(8192), s.side(4096)}), hashed({s.side(8192), s.side(1000)}, 2));
         }},
        {"stack_last",
         [](const sizes& s) {
             return computing(
                 [](const auto& x, const auto& y, const auto& z) { return stack(std::tuple(x, y, z), -1); },
                 hashed({s.line(3e7)}), hashed({s.line(3e7)}, 2), hashed({s.line(3e7)}, 3));
         }},
        {"slice_step2",
         [](const sizes& s) {
             return computing([](const auto& x) { return x(slice(none, none, 2)) + 1.0f; }, hashed({s.line(1e8)}));
         }},
        {"sum_columns_step3",
         [](const sizes& s) {
             return computing([](const auto& x) { return sum(x(all, slice(none, none, 3)), 1); },
                              hashed({s.side(8192), s.side(8192)}));
         }},
        {"transpose_021",
         [](const sizes& s) {
             return computing([](const auto& x) { return transpose(x, {0, 2, 1}).copy(); },
                              hashed({s.edge(64), s.edge(1024), s.edge(1024)}));
         }},
        {"transpose_210",
         [](const sizes& s) {
             return computing([](const auto& x) { return transpose(x, {2, 1, 0}).copy(); },
                              hashed({s.edge(512), s.edge(512), s.edge(256)}));
         }},
        {"nhwc_to_nchw",
         [](const sizes& s) {
             return computing([](const auto& x) { return transpose(x, {0, 3, 1, 2}).copy(); },
                              hashed({s.line(64), 128, 128, 64}));
         }},
        {"nchw_to_nhwc_rgb",
         [](const sizes& s) {
             return computing([](const auto& x) { return transpose(x, {0, 2, 3, 1}).copy(); },
                              hashed({s.line(64), 3, 512, 512}));
         }},
        {"triu",
         [](const sizes& s) {
             return computing([](const auto& x) { return triu(x); }, hashed({s.side(8192), s.side(8192)}));
         }},
        {"tril_times",
         [](const sizes& s) {
             return computing([](const auto& x) { return tril(x, -1) * 2.0f; }, hashed({s.side(8192), s.side(8192)}));
         }},
    };
}

function_rows indexing() {
    return {
        {"one_hot",
         [](const sizes& s) {
             return computing([](const auto& i) { return astype<float>(i(all, newaxis) == arange<std::int64_t>(100)); },
                              hashed_whole({s.line(1e6)}, 100));
         }},
        {"embedding",
         [](const sizes& s) {
             return computing([](const auto& t, const auto& i) { return take(t, i, 0); }, hashed({s.line(50000), 256}),
                              hashed_whole({s.line(300000)}, s.line(50000), 7));
         }},
        {"masked_fill",
         [](const sizes& s) {
             return computing(
                 [](const auto& x, const auto& m) {
                     array<float> y = x;
                     y[m] = -1.0f;
                     return y;
                 },
                 hashed({s.side(8192), s.side(8192)}),
                 array<bool>(hashed({s.side(8192), s.side(8192)}, 2) < 0.3f).eval());
         }},
        {"scatter_rows",
         [](const sizes& s) {
             array<std::int64_t> order = argsort(hashed<double>({s.line(500000)}, 5)).eval();
             return computing(
                 [](const auto& x, const auto& i) {
                     array<float> y = zeros<float>(x.shape());
                     y(i) = x;
                     return y;
                 },
                 hashed({s.line(500000), 64}), order);
         }},
        {"scatter_add_rows",
         [](const sizes& s) {
             const std::int64_t n = s.line(50000);
             return computing(
                 [n](const auto& x, const auto& i) {
                     array<float> y = zeros<float>({n, 64});
                     scatter_add(y, i, x);
                     return y;
                 },
                 hashed({s.line(500000), 64}), hashed_whole({s.line(500000)}, static_cast<double>(n), 3));
         }},
        {"take_along_axis",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& i) { return take_along_axis(x, i, 1); },
                              hashed({s.line(100000), 500}), hashed_whole({s.line(100000), 100}, 500, 3));
         }},
        {"take_columns",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& i) { return x(all, i); }, hashed({s.line(50000), 1000}),
                              hashed_whole({500}, 1000, 3));
         }},
        {"diagonal_plus",
         [](const sizes& s) {
             return computing([](const auto& x) { return x + eye<float>(x.shape(0)); },
                              hashed({s.side(8192), s.side(8192)}));
         }},
    };
}

}  // namespace

function_rows functions_of_shapes() {
    function_rows rows = moving();
    for (const function_row& row : indexing()) rows.push_back(row);
    return rows;
}

}  // namespace bench

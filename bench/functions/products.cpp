// Rows of products and of small matrices in stacks.
#include "functions.hpp"

using namespace sinter;

namespace bench {

namespace {

// Symmetric matrices with positive eigenvalues.
template <class T>
array<T> positive_definite(const dims& shape) {
    array<T> a = hashed_around_zero<T>(shape);
    return array<T>(matmul(a, a.mT()) + eye<T>(shape.back())).eval();
}

function_rows plain() {
    return {
        {"outer",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& y) { return outer(x, y); }, hashed({s.side(8192)}),
                              hashed({s.side(8192)}, 2));
         }},
        {"kron",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& y) { return kron(x, y); },
                              hashed({s.side(128), s.side(128)}), hashed({64, 64}, 2));
         }},
        {"cross",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& y) { return cross(x, y); }, hashed({s.line(1e7), 3}),
                              hashed({s.line(1e7), 3}, 2));
         }},
        {"dot",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& y) { return dot(x, y); }, hashed({s.line(1e8)}),
                              hashed({s.line(1e8)}, 2));
         }},
        {"matvec",
         [](const sizes& s) {
             return computing([](const auto& m, const auto& v) { return matmul(m, v); },
                              hashed({s.side(16384), s.side(8192)}), hashed({s.side(8192)}, 2));
         }},
        {"vecmat",
         [](const sizes& s) {
             return computing([](const auto& m, const auto& v) { return matmul(v, m); },
                              hashed({s.side(16384), s.side(8192)}), hashed({s.side(16384)}, 2));
         }},
        {"gram",
         [](const sizes& s) {
             return computing([](const auto& x) { return matmul(x.T(), x); }, hashed({s.line(1e6), 64}));
         }},
        {"matmul_4x4",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& y) { return matmul(x, y); }, hashed({s.line(2e6), 4, 4}),
                              hashed({s.line(2e6), 4, 4}, 2));
         }},
        {"matmul_64x64",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& y) { return matmul(x, y); },
                              hashed({s.line(10000), 64, 64}), hashed({s.line(10000), 64, 64}, 2));
         }},
        {"matmul_int32",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& y) { return matmul(x, y); },
                              hashed_whole<std::int32_t>({s.side(1024), s.side(1024)}, 100),
                              hashed_whole<std::int32_t>({s.side(1024), s.side(1024)}, 100, 2));
         }},
        {"einsum_ij_kj",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& y) { return einsum("ij,kj->ik", x, y); },
                              hashed({s.side(4096), s.side(512)}), hashed({s.side(4096), s.side(512)}, 2));
         }},
        {"einsum_bij_bjk",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& y) { return einsum("bij,bjk->bik", x, y); },
                              hashed({s.line(256), 256, 128}), hashed({s.line(256), 128, 256}, 2));
         }},
        {"einsum_i_j_ij",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& y, const auto& m) { return einsum("i,j,ij->", x, y, m); },
                              hashed({s.side(8192)}), hashed({s.side(8192)}, 2),
                              hashed({s.side(8192), s.side(8192)}, 3));
         }},
        {"tensordot",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& y) { return tensordot(x, y, {{1}, {0}}); },
                              hashed({s.line(256), 64, 256}), hashed({64, 64}, 2));
         }},
    };
}

function_rows stacks() {
    return {
        {"inv_3x3",
         [](const sizes& s) {
             return computing([](const auto& x) { return linalg::inv(x); },
                              positive_definite<float>({s.line(500000), 3, 3}));
         }},
        {"det_3x3",
         [](const sizes& s) {
             return computing([](const auto& x) { return linalg::det(x); }, hashed_around_zero({s.line(500000), 3, 3}));
         }},
        {"solve_8x8",
         [](const sizes& s) {
             return computing([](const auto& x, const auto& b) { return linalg::solve(x, b); },
                              positive_definite<double>({s.line(50000), 8, 8}),
                              hashed<double>({s.line(50000), 8, 1}, 2));
         }},
        {"cholesky_16x16",
         [](const sizes& s) {
             return computing([](const auto& x) { return linalg::cholesky(x); },
                              positive_definite<double>({s.line(20000), 16, 16}));
         }},
        {"eigvalsh_3x3",
         [](const sizes& s) {
             return computing([](const auto& x) { return linalg::eigvalsh(x); },
                              positive_definite<float>({s.line(100000), 3, 3}));
         }},
    };
}

}  // namespace

function_rows products() {
    function_rows rows = plain();
    for (const function_row& row : stacks()) rows.push_back(row);
    return rows;
}

}  // namespace bench

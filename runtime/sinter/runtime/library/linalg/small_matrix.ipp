// Triangles and factors of small matrices in plain loops; the arrays are LAPACK's, which lie by columns.
#pragma once

#include <algorithm>
#include <complex>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/runtime/library/linalg/linalg_task.hpp>
#include <sinter/runtime/library/linalg/small_matrix.hpp>
#include <utility>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::runtime::small_matrix {

/// Sides of matrices up to which these loops take less time than a call of OpenBLAS.
inline constexpr int longest_side = 16;

template <class T>
inline constexpr bool is_complex_number = false;
template <class R>
inline constexpr bool is_complex_number<std::complex<R>> = true;

/// What LAPACK compares to find pivots.
template <class T>
auto size_of_number(const T& x) {
    if constexpr (is_complex_number<T>) return codegen::ieee::fabs(x.real()) + codegen::ieee::fabs(x.imag());
    else return codegen::ieee::fabs(x);
}

template <class T>
T conjugated(const T& x) {
    if constexpr (is_complex_number<T>) return T(x.real(), -x.imag());
    else return x;
}

template <class T>
auto real_part_of(const T& x) {
    if constexpr (is_complex_number<T>) return x.real();
    else return x;
}

// The operators of <complex> keep the file's options.
template <class T>
T product_of(const T& a, const T& b) {
    if constexpr (is_complex_number<T>)
        return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    else return a * b;
}

template <class T>
void subtract(T& from, const T& x) {
    if constexpr (is_complex_number<T>) from = T(from.real() - x.real(), from.imag() - x.imag());
    else from -= x;
}

// By Smith's method, which overflows only where the quotient nearly does.
template <class T>
SINTER_COMPARES T quotient_of(const T& a, const T& b) {
    if constexpr (is_complex_number<T>) {
        if (codegen::ieee::fabs(b.real()) >= codegen::ieee::fabs(b.imag())) {
            const auto ratio = b.imag() / b.real(), by = b.real() + b.imag() * ratio;
            return T((a.real() + a.imag() * ratio) / by, (a.imag() - a.real() * ratio) / by);
        }
        const auto ratio = b.real() / b.imag(), by = b.real() * ratio + b.imag();
        return T((a.real() * ratio + a.imag()) / by, (a.imag() * ratio - a.real()) / by);
    } else {
        return a / b;
    }
}

/// The row from j on that has the largest number of a column; NaN at j stays.
template <class T>
SINTER_COMPARES int pivot_of(const T* column, int j, int m) {
    int at = j;
    auto most = size_of_number(column[j]);
    for (int i = j + 1; i < m; ++i)
        if (const auto size = size_of_number(column[i]); size > most) {
            most = size;
            at = i;
        }
    return at;
}

template <class T>
void exchange_rows(T* a, int n, int step, int i, int j) {
    if (i == j) return;
    for (int k = 0; k < n; ++k) {
        const T x = a[k * step + i];
        a[k * step + i] = a[k * step + j];
        a[k * step + j] = x;
    }
}

/// getrf: pivots are counted from 1, and so is the first of zero.
template <class T>
SINTER_COMPARES int factor(int m, int n, T* a, int* pivots) {
    int info = 0;
    for (int j = 0; j < std::min(m, n); ++j) {
        T* const column = a + j * m;
        const int at = pivot_of(column, j, m);
        pivots[j] = at + 1;
        if (size_of_number(column[at]) == 0) {
            if (info == 0) info = j + 1;
        } else {
            exchange_rows(a, n, m, j, at);
            for (int i = j + 1; i < m; ++i) column[i] = quotient_of(column[i], column[j]);
        }
        // Also behind a pivot of zero: what is NaN there stays.
        for (int k = j + 1; k < n; ++k) {
            T* const other = a + k * m;
            const T by = other[j];
            for (int i = j + 1; i < m; ++i) subtract(other[i], product_of(column[i], by));
        }
    }
    return info;
}

/// A triangular matrix as it stands in op(a): steps to the next row and column, which of its halves are read.
struct triangle {
    int n, row, column;
    bool lower, unit, conjugate;

    triangle transposed() const { return {n, column, row, !lower, unit, conjugate}; }
    triangle adjoint() const { return {n, column, row, !lower, unit, !conjugate}; }
};

// A column of a triangle times x is taken from b. Steps that are known to be one become vectors.
template <class T, bool IsDense>
void take_column(const triangle& t, const T* a, T* b, int step, int j) {
    const T x = b[j * step];
    const int begin = t.lower ? j + 1 : 0, end = t.lower ? t.n : j;
    for (int i = begin; i < end; ++i) {
        const T& number = a[IsDense ? i + j * t.column : i * t.row + j * t.column];
        subtract(b[IsDense ? i : i * step], product_of(t.conjugate ? conjugated(number) : number, x));
    }
}

/// a x = b in the place of b, whose numbers lie `step` apart; of b those before `first` are zero if a is lower.
template <class T>
void solve(const triangle& t, const T* a, T* b, int step, int first = 0) {
    const bool is_dense = t.row == 1 && step == 1;
    for (int at = t.lower ? first : 0; at < t.n; ++at) {
        const int j = t.lower ? at : t.n - 1 - at;
        const T& diagonal = a[j * (t.row + t.column)];
        if (!t.unit) b[j * step] = quotient_of(b[j * step], t.conjugate ? conjugated(diagonal) : diagonal);
        if (is_dense) take_column<T, true>(t, a, b, step, j);
        else take_column<T, false>(t, a, b, step, j);
    }
}

/// The triangles of getrf's factors.
inline triangle lower_factor(int n) { return {n, 1, n, true, true, false}; }
inline triangle upper_factor(int n) { return {n, 1, n, false, false, false}; }

inline triangle applied(const linalg_task& t, const triangle& a) {
    return t.call.has(codegen::call_info::adjoint)      ? a.adjoint()
           : t.call.has(codegen::call_info::transposed) ? a.transposed()
                                                        : a;
}

template <class T>
int run_getrf(const linalg_task& t, char* const* at) {
    int *pivots = reinterpret_cast<int*>(at[1]), *rows = reinterpret_cast<int*>(at[2]);
    const int info = factor(t.m, t.n, reinterpret_cast<T*>(at[0]), pivots);
    if (!t.call.has(codegen::call_info::rows)) return info;
    for (int i = 0; i < t.m; ++i) rows[i] = i;
    for (int i = 0; i < std::min(t.m, t.n); ++i) std::swap(rows[i], rows[pivots[i] - 1]);
    return info;
}

template <class T>
int run_getrs(const linalg_task& t, char* const* at) {
    T* const b = reinterpret_cast<T*>(at[0]);
    const T* const lu = reinterpret_cast<const T*>(at[1]);
    const int* const pivots = reinterpret_cast<const int*>(at[2]);
    const triangle lower = applied(t, lower_factor(t.m)), upper = applied(t, upper_factor(t.m));
    const bool plain = lower.lower;
    if (plain)
        for (int i = 0; i < t.m; ++i) exchange_rows(b, t.n, t.m, i, pivots[i] - 1);
    for (int k = 0; k < t.n; ++k) {
        solve(plain ? lower : upper, lu, b + k * t.m, 1);
        solve(plain ? upper : lower, lu, b + k * t.m, 1);
    }
    if (!plain)
        for (int i = t.m; i-- > 0;) exchange_rows(b, t.n, t.m, i, pivots[i] - 1);
    return 0;
}

template <class T>
int run_inverse(const linalg_task& t, char* const* at) {
    const int n = t.n;
    T lu[longest_side * longest_side], *const to = reinterpret_cast<T*>(at[1]);
    int pivots[longest_side], rows[longest_side];
    std::copy_n(reinterpret_cast<const T*>(at[0]), n * n, lu);
    if (const int info = factor(n, n, lu, pivots)) return info;
    for (int i = 0; i < n; ++i) rows[i] = i;
    for (int i = 0; i < n; ++i) std::swap(rows[i], rows[pivots[i] - 1]);
    std::fill_n(to, n * n, T(0));
    for (int i = 0; i < n; ++i) {
        T* const x = to + rows[i] * n;
        x[i] = T(1);
        solve(lower_factor(n), lu, x, 1, i);
        solve(upper_factor(n), lu, x, 1);
    }
    return 0;
}

/// Of the upper triangle the conjugated factor is found, in its transposed place.
template <class T>
SINTER_COMPARES int run_potrf(const linalg_task& t, char* const* at) {
    const bool upper = t.call.has(codegen::call_info::upper);
    const int n = t.n, row = upper ? n : 1, column = upper ? 1 : n;
    T* const a = reinterpret_cast<T*>(at[0]);
    for (int j = 0; j < n; ++j) {
        const auto pivot = real_part_of(a[j * (n + 1)]);
        if (pivot <= 0) return j + 1;
        const auto root = codegen::ieee::sqrt(pivot);
        a[j * (n + 1)] = T(root);
        for (int i = j + 1; i < n; ++i) {
            T& x = a[i * row + j * column];
            if constexpr (is_complex_number<T>) x = T(x.real() / root, x.imag() / root);
            else x /= root;
        }
        for (int k = j + 1; k < n; ++k) {
            const T by = conjugated(a[k * row + j * column]);
            for (int i = k; i < n; ++i) subtract(a[i * row + k * column], product_of(a[i * row + j * column], by));
        }
    }
    return 0;
}

/// Equations whose unknowns stand left, x op(a) = b, are those of the transposed triangle for the rows of b.
template <class T>
int run_trsm(const linalg_task& t, char* const* at) {
    const bool right = t.call.has(codegen::call_info::right);
    const int n = right ? t.n : t.m, others = right ? t.m : t.n;
    const triangle given{n, 1, n, !t.call.has(codegen::call_info::upper), t.call.has(codegen::call_info::unit), false};
    const triangle by = right ? applied(t, given).transposed() : applied(t, given);
    T* const b = reinterpret_cast<T*>(at[0]);
    const T* const a = reinterpret_cast<const T*>(at[1]);
    for (int k = 0; k < others; ++k) solve(by, a, b + (right ? k : k * t.m), right ? t.m : 1);
    return 0;
}

template <class T>
small_matrix_function* function_of(codegen::routine what) {
    switch (what) {
        case codegen::routine::getrf: return run_getrf<T>;
        case codegen::routine::getrs: return run_getrs<T>;
        case codegen::routine::inverse: return run_inverse<T>;
        case codegen::routine::potrf: return run_potrf<T>;
        case codegen::routine::trsm: return run_trsm<T>;
        default: return nullptr;
    }
}

}  // namespace sinter::inline SINTER_ABI::runtime::small_matrix

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE small_matrix_function* small_matrix_function_of(const linalg_task& t) {
    if (std::max(t.m, t.n) > small_matrix::longest_side) return nullptr;
    switch (t.type) {
        case dtype::float32: return small_matrix::function_of<float>(t.call.what);
        case dtype::float64: return small_matrix::function_of<double>(t.call.what);
        case dtype::complex64: return small_matrix::function_of<std::complex<float>>(t.call.what);
        case dtype::complex128: return small_matrix::function_of<std::complex<double>>(t.call.what);
        default: return nullptr;
    }
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_IEEE_END

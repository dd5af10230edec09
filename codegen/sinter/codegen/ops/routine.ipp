// Bodies of routine.hpp.
#pragma once

#include <algorithm>
#include <sinter/codegen/ops/routine.hpp>

namespace sinter::inline SINTER_ABI {

SINTER_INLINE std::string_view to_string(precision p) {
    static constexpr const char* names[] = {"highest", "tf32x3", "tf32", "bf16"};
    return names[static_cast<int>(p)];
}

}  // namespace sinter::inline SINTER_ABI

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr routine_info routine_infos[] = {
#define SINTER_ROUTINE(name, operands, results, base) {#name, operands, results, base_use::base},
#include <sinter/codegen/ops/routines.def>
#undef SINTER_ROUTINE
};

SINTER_INLINE const routine_info& info(routine r) { return routine_infos[static_cast<int>(r)]; }
SINTER_INLINE bool is_routine(std::uint32_t number) { return number < std::size(routine_infos); }
SINTER_INLINE std::string_view to_string(routine r) { return info(r).name; }

SINTER_INLINE std::string_view to_string(purpose p) {
    static constexpr const char* names[] = {
        "none",
#define SINTER_PURPOSE(name) #name,
#include <sinter/codegen/ops/purposes.def>
#undef SINTER_PURPOSE
    };
    return names[static_cast<int>(p)];
}

SINTER_INLINE std::string to_string(const call_info& c) {
    std::string s(to_string(c.what));
    if (c.in() != precision::highest) s.append(" in ").append(to_string(c.in()));
    if (c.has_factor()) s += " * factor";
    if (is_product(c.what) && c.has(call_info::bias)) s += " + bias";
    if (c.last() != activation::none) s.append(" + ").append(info(operation_of(c.last())).name);
    return s;
}

// A shape whose last two axes are replaced by others, of which -1 is none.
SINTER_INLINE dims with_matrix(const dims& shape, std::int64_t columns, std::int64_t rows) {
    dims s = shape;
    s.erase(s.size() - 1);
    s.erase(s.size() - 1);
    if (columns >= 0) s.push_back(columns);
    s.push_back(rows);
    return s;
}

SINTER_INLINE dims transformed_shape(const call_info& c, const dims& base) {
    dims s = base;
    std::int64_t& n = s[c.last_axis()];
    if (c.what == routine::rfft) n = n / 2 + 1;
    if (c.what == routine::irfft) n = 2 * (n - 1) + (c.has(call_info::odd) ? 1 : 0);
    return s;
}

SINTER_INLINE dims result_shape(const call_info& c, const dims& base) {
    if (is_fourier(c.what)) return transformed_shape(c, base);
    if (c.result == 0) return base;
    const int r = base.size();
    const std::int64_t n = base[r - 2], m = base[r - 1], least = std::min(m, n);
    switch (c.what) {
        case routine::gesvd:
            if (c.result == 1) return with_matrix(base, c.has(call_info::full) ? m : least, m);
            if (c.result == 2) return with_matrix(base, -1, least);
            if (c.has(call_info::plain_v)) return with_matrix(base, c.has(call_info::full) ? n : least, n);
            return with_matrix(base, n, c.has(call_info::full) ? n : least);
        case routine::getrf: return with_matrix(base, -1, c.result == 1 ? least : c.has(call_info::rows) ? m : 0);
        case routine::geev: return c.result == 1 ? with_matrix(base, -1, n) : base;
        default: return with_matrix(base, -1, least);
    }
}

SINTER_INLINE dtype result_type(const call_info& c, dtype base) {
    if (c.what == routine::rfft) return complex_of(base);
    if (c.what == routine::irfft) return real_of(base);
    if (c.what == routine::getrf && c.result > 0) return dtype::int32;
    if (c.what == routine::syevd && c.result == 1) return real_of(base);
    if (c.what == routine::gesvd && c.result == 2) return real_of(base);
    if (c.what == routine::geev && c.result > 0)
        return real_of(base) == dtype::float32 ? dtype::complex64 : dtype::complex128;
    return base;
}

SINTER_INLINE const char* find_misfit(const call_info& c, std::span<const dims> shapes) {
    const dims& base = shapes[0];
    const int r = base.size();
    if (is_fourier(c.what)) {
        if (c.axes == 0 || c.axes >> r) return "a transformed axis does not exist";
        const dims result = transformed_shape(c, base);
        for (int i = 0; i < r; ++i)
            if (c.has_axis(i) && (base[i] < 1 || result[i] < 1)) return "a transformed axis has no elements";
        return nullptr;
    }
    if (r < 2) return "a matrix has two axes";
    for (const dims& s : shapes)
        for (int i = 0; i < r - 2; ++i)
            if (s.size() < r - 1 || s[i] != base[i]) return "stacks of different shapes";
    const std::int64_t n = base[r - 2], m = base[r - 1];
    switch (c.what) {
        case routine::inverse:
        case routine::potrf:
        case routine::syevd:
        case routine::geev: return m == n ? nullptr : "the matrix is not square";
        case routine::getrs: {
            const dims &lu = shapes[1], &pivots = shapes[2];
            if (lu.size() != r || pivots.size() != r - 1) return "matrices of different ranks";
            return lu[r - 2] == m && lu[r - 1] == m && pivots[r - 2] == m ? nullptr : "matrices do not fit";
        }
        case routine::gtsv: {
            for (int i = 1; i < 4; ++i)
                if (shapes[i].size() != r - 1 || shapes[i].back() != (i == 2 ? m : std::max<std::int64_t>(m - 1, 0)))
                    return "diagonals do not fit";
            return nullptr;
        }
        case routine::trsm: {
            const std::int64_t k = c.has(call_info::right) ? n : m;
            return shapes[1].size() == r && shapes[1][r - 2] == k && shapes[1][r - 1] == k ? nullptr
                                                                                           : "matrices do not fit";
        }
        case routine::orgqr:
            return n <= m && shapes[1].size() == r - 1 && shapes[1][r - 2] <= n ? nullptr : "too few reflectors";
        default: return nullptr;
    }
}

SINTER_INLINE std::string failure_text(const call_info& c, const dims& stack, std::int64_t at, int info) {
    dims index = stack;
    for (int i = stack.size(); i-- > 0; at /= stack[i]) index[i] = at % stack[i];
    std::string s = "[" + std::string(to_string(c.why)) + "] " +
                    (stack.empty() ? std::string("the matrix") : "matrix " + to_string(index));
    const std::string number = std::to_string(info);
    if (info == not_finite) return s + " has elements that are not finite";
    if (info == overflowed) return s + " has elements so large that its values overflow: they came out as NaN";
    if (info < 0) return s + ": argument " + number.substr(1) + " of the library's routine has an illegal value";
    if (c.what == routine::getrf || c.what == routine::inverse || c.what == routine::gtsv)
        return s + " is singular: pivot " + number + " is zero";
    if (c.what == routine::potrf) return s + " is not positive definite: leading minor of order " + number;
    return s + ": the iteration did not converge (" + number + ")";
}

SINTER_INLINE std::string failure_text(const call_info& c, const dims& stack, std::int64_t word) {
    return failure_text(c, stack, word >> 32, static_cast<int>(word & 0xFFFFFFFF));
}

}  // namespace sinter::inline SINTER_ABI::codegen

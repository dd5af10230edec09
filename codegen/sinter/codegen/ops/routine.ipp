// Bodies of routine.hpp.
#pragma once

#include <algorithm>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/ops/routine.hpp>

namespace sinter::inline SINTER_ABI {

SINTER_INLINE std::string_view to_string(precision p) {
    static constexpr const char* names[] = {"highest", "tf32x3", "tf32", "bf16"};
    return names[static_cast<int>(p)];
}

}  // namespace sinter::inline SINTER_ABI

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE std::string_view to_string(routine r) { return info(r).name; }

inline constexpr std::string_view purpose_names[] = {
    "none",
#define SINTER_PURPOSE(name) #name,
#include <sinter/codegen/ops/purposes.def>
#undef SINTER_PURPOSE
};

SINTER_INLINE std::string_view to_string(purpose p) { return purpose_names[static_cast<int>(p)]; }

SINTER_INLINE purpose purpose_of(std::string_view name) {
    const auto* const at = codegen::find(std::begin(purpose_names), std::end(purpose_names), name);
    return at == std::end(purpose_names) ? purpose::none : static_cast<purpose>(at - purpose_names);
}

SINTER_INLINE std::string_view failing_function(const call_info& c) {
    return c.why == purpose::none ? to_string(c.what) : to_string(c.why);
}

SINTER_INLINE std::string_view indexing_function(purpose why) {
    return why == purpose::none ? std::string_view("take") : to_string(why);
}

SINTER_INLINE std::string to_string(const call_info& c) {
    std::string s(to_string(c.what));
    if (c.in() != precision::highest) s.append(" in ").append(to_string(c.in()));
    if (c.has_factor()) s += " * factor";
    if (is_product(c.what) && c.has(call_info::bias)) s += " + bias";
    if (c.last() != activation::none) s.append(" + ").append(info(operation_of(c.last())).name);
    return s;
}

// What the letters of a call's shapes in routines.def stand for.
struct shape_letters {
    const call_info& c;
    std::int64_t n, m, j = -1, k = -1;

    shape_letters(const call_info& call, const dims& base)
        : c(call), n(base[base.size() - 2]), m(base[base.size() - 1]) {}

    std::int64_t extent(char letter) const {
        const std::int64_t least = std::min(m, n);
        switch (letter) {
            case 'm': return m;
            case 'n': return n;
            case 'l': return least;
            case 'd': return std::max<std::int64_t>(m - 1, 0);
            case 's': return c.has(call_info::right) ? n : m;
            case 'j': return j;
            case 'k': return k;
            case 'r': return c.has(call_info::rows) ? m : 0;
            case 'u': return c.has(call_info::full) ? m : least;
            case 'v': return c.has(call_info::full) ? n : least;
            case 'p': return extent(c.has(call_info::plain_v) ? 'v' : 'n');
            case 'q': return extent(c.has(call_info::plain_v) ? 'n' : 'v');
            default: throw internal_error(std::string("[routine] no extent is called ") + letter);
        }
    }

    // Whether the axes of a shape behind those of the stack are these; any number is what it is first.
    bool fits(std::string_view word, span<const std::int64_t> axes) {
        if (axes.size() != word.size()) return false;
        for (std::size_t i = 0; i < word.size(); ++i) {
            if (word[i] == 'j' && j < 0) j = axes[i];
            if (word[i] == 'k' && k < 0) k = axes[i];
            if (axes[i] != extent(word[i])) return false;
        }
        return true;
    }
    bool holds(std::string_view condition) const { return extent(condition.front()) <= extent(condition.back()); }
};

SINTER_INLINE std::string_view word_of(std::string_view list, int i) {
    while (i-- > 0) take_word(list);
    return take_word(list);
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
    const shape_letters letters(c, base);
    const std::string_view word = word_of(info(c.what).result_shapes, c.result);
    dims s = base;
    s.erase(s.size() - 1);
    s.erase(s.size() - 1);
    for (char letter : word.substr(0, word.find('/'))) s.push_back(letters.extent(letter));
    return s;
}

SINTER_INLINE dtype result_type(const call_info& c, dtype base) {
    if (c.what == routine::rfft) return complex_of(base);
    if (c.what == routine::irfft) return real_of(base);
    if (!is_linalg(c.what)) return base;
    const std::string_view word = word_of(info(c.what).result_shapes, c.result);
    if (word.ends_with("/i")) return dtype::int32;
    if (word.ends_with("/r")) return real_of(base);
    if (word.ends_with("/c")) return real_of(base) == dtype::float32 ? dtype::complex64 : dtype::complex128;
    return base;
}

SINTER_INLINE const char* find_misfit(const call_info& c, span<const dims> shapes) {
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
    shape_letters letters(c, base);
    std::string_view list = info(c.what).operand_shapes;
    for (std::size_t i = 0; !list.empty(); ++i) {
        const std::string_view word = take_word(list);
        if (is_shape(word) ? !letters.fits(word, {shapes[i].begin() + (r - 2),
                                                  static_cast<std::size_t>(shapes[i].size() - (r - 2))})
                           : !letters.holds(word))
            return i == 0 ? "the matrix is not square" : info(c.what).misfit;
    }
    return nullptr;
}

SINTER_INLINE std::int64_t reflectors_of(const call_info& c, span<const dims> shapes) {
    std::string_view list = info(c.what).operand_shapes;
    for (const dims& s : shapes) {
        const std::size_t at = take_word(list).find('k');
        if (at != list.npos) return s[shapes[0].size() - 2 + static_cast<int>(at)];
    }
    return 0;
}

SINTER_INLINE std::string failure_text(const call_info& c, const dims& stack, std::int64_t at, int info) {
    dims index = stack;
    for (int i = stack.size(); i-- > 0; at /= stack[i]) index[i] = at % stack[i];
    std::string s =
        joined({"[", to_string(c.why), "] ", stack.empty() ? std::string("the matrix") : "matrix " + to_string(index)});
    const std::string number = std::to_string(info);
    if (info == not_finite) return s + " has elements that are not finite";
    if (info == overflowed) return s + " has elements so large that its values overflow: they came out as NaN";
    if (info < 0) return joined({s, ": argument ", number.substr(1), " of the library's routine has an illegal value"});
    if (codegen::info(c.what).fails == failure::singular)
        return joined({s, " is singular: pivot ", number, " is zero"});
    if (codegen::info(c.what).fails == failure::indefinite)
        return joined({s, " is not positive definite: leading minor of order ", number});
    return joined({s, ": the iteration did not converge (", number, ")"});
}

SINTER_INLINE std::string failure_text(const call_info& c, const dims& stack, std::int64_t word) {
    return failure_text(c, stack, word >> 32, static_cast<int>(word & 0xFFFFFFFF));
}

}  // namespace sinter::inline SINTER_ABI::codegen

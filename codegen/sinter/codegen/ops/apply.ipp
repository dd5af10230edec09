// Bodies of apply.hpp: every row of ops.def over six types; integers compute in 64 bits and are cut to their width.
#pragma once

#include <cstring>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/ops/scalar.hpp>
#include <string>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// The type of a row's result when it computes in T.
template <rule Typing, class T>
struct row_result {
    using type = T;
};
template <class T>
struct row_result<rule::compare, T> {
    using type = bool;
};
template <class T>
struct row_result<rule::logical, T> : row_result<rule::compare, T> {};
template <class T>
struct row_result<rule::real, scalar::complex<T>> {
    using type = T;
};
template <class T>
struct row_result<rule::angle, scalar::complex<T>> : row_result<rule::real, scalar::complex<T>> {};
template <class T>
struct row_result<rule::exponent, T> {
    using type = std::int32_t;
};
template <class T>
struct row_result<rule::count, T> {
    using type = std::uint8_t;
};
template <class T>
struct row_result<rule::random_32, T> {
    using type = std::uint32_t;
};
template <class T>
struct row_result<rule::unit_32, T> {
    using type = float;
};
template <class T>
struct row_result<rule::unit_64, T> {
    using type = double;
};

constexpr bool computes_unsigned(rule typing, dtype t) { return typing == rule::arithmetic || kind_of(t) != 'i'; }

constexpr bool has_kind(const char* kinds, char kind) {
    for (; *kinds; ++kinds)
        if (*kinds == kind) return true;
    return false;
}

// Whether a row can be asked to compute in T: bool computes as uint64, and signed integers where they may wrap.
template <class T>
constexpr bool computes_in(rule typing, const char* kinds) {
    if (typing == rule::select) return false;
    if constexpr (std::is_same_v<T, std::uint64_t>)
        return has_kind(kinds, 'u') || has_kind(kinds, 'b') || (typing == rule::arithmetic && has_kind(kinds, 'i'));
    else if constexpr (std::is_same_v<T, std::int64_t>) return typing != rule::arithmetic && has_kind(kinds, 'i');
    else return has_kind(kinds, std::is_floating_point_v<T> ? 'f' : 'c');
}

// One element at a time through one switch: a loop per row would double what a user's file costs to compile.
template <class T>
SINTER_COMPARES void apply_in(op o, const void* const* args, const std::int64_t* steps, void* out, std::int64_t n) {
    using namespace scalar;
    const T* from[3] = {static_cast<const T*>(args[0]), static_cast<const T*>(args[1]), static_cast<const T*>(args[2])};
    for (std::int64_t i = 0; i < n; ++i) {
        const T a = from[0][i * steps[0]], b = from[1][i * steps[1]], c = from[2][i * steps[2]];
        switch (o) {
// Rows are written for kernels, which convert without a word.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#define SINTER_OP(name, arity, typing, kinds, cost, domain, ...)  \
    case op::name:                                                \
        if constexpr (computes_in<T>(rule::typing, kinds)) {      \
            using R = typename row_result<rule::typing, T>::type; \
            static_cast<R*>(out)[i] = R(__VA_ARGS__);             \
        }                                                         \
        break;
#include <sinter/codegen/ops/ops.def>
#undef SINTER_OP
#pragma GCC diagnostic pop
            default: break;
        }
    }
}

template <class From, class To>
void copy_as(const void* in, std::int64_t step, void* out, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i)
        static_cast<To*>(out)[i] = static_cast<To>(static_cast<const From*>(in)[i * step]);
}

// Integers of any width as 64-bit ones, sign- or zero-extended.
SINTER_INLINE void widen(dtype from, const void* in, std::int64_t step, std::int64_t* out, std::int64_t n) {
    switch (from) {
        case dtype::int8: return copy_as<std::int8_t, std::int64_t>(in, step, out, n);
        case dtype::int16: return copy_as<std::int16_t, std::int64_t>(in, step, out, n);
        case dtype::int32: return copy_as<std::int32_t, std::int64_t>(in, step, out, n);
        case dtype::bool_:
        case dtype::uint8: return copy_as<std::uint8_t, std::int64_t>(in, step, out, n);
        case dtype::uint16: return copy_as<std::uint16_t, std::int64_t>(in, step, out, n);
        case dtype::uint32: return copy_as<std::uint32_t, std::int64_t>(in, step, out, n);
        default: return copy_as<std::int64_t, std::int64_t>(in, step, out, n);
    }
}

// 64-bit integers cut to a width; bool is `!= 0`.
SINTER_INLINE void narrow(dtype to, const std::int64_t* in, void* out, std::int64_t n) {
    if (to == dtype::bool_) return copy_as<std::int64_t, bool>(in, 1, out, n);
    switch (size_of(to)) {
        case 1: return copy_as<std::int64_t, std::uint8_t>(in, 1, out, n);
        case 2: return copy_as<std::int64_t, std::uint16_t>(in, 1, out, n);
        case 4: return copy_as<std::int64_t, std::uint32_t>(in, 1, out, n);
        default: return copy_as<std::int64_t, std::int64_t>(in, 1, out, n);
    }
}

inline constexpr std::int64_t interpreter_block = 256;

// Operands wider than they are stored, in blocks; results of other types than the operands' are written as they are.
SINTER_INLINE void apply_to_integers(op o, dtype type, dtype result, const void* const* args, const std::int64_t* steps,
                                     void* out, std::int64_t n) {
    std::int64_t wide[3][interpreter_block], cut[interpreter_block];
    const void* from[3];
    rule typing = info(o).typing;
    bool narrows = result == type && typing != rule::compare && typing != rule::logical && typing != rule::count;
    bool is_unsigned = computes_unsigned(typing, type);
    for (std::int64_t start = 0; start < n; start += interpreter_block) {
        std::int64_t count = n - start < interpreter_block ? n - start : interpreter_block;
        for (int i = 0; i < 3; ++i) {
            widen(type, static_cast<const char*>(args[i]) + start * steps[i] * size_of(type), 1, wide[i],
                  steps[i] ? count : 1);
            from[i] = wide[i];
        }
        char* to = static_cast<char*>(out) + start * size_of(result);
        void* direct = narrows ? static_cast<void*>(cut) : to;
        if (is_unsigned) apply_in<std::uint64_t>(o, from, steps, direct, count);
        else apply_in<std::int64_t>(o, from, steps, direct, count);
        if (narrows) narrow(result, cut, to, count);
    }
}

SINTER_INLINE void apply_to_type(op o, dtype type, dtype result, const void* const* args, const std::int64_t* steps,
                                 void* out, std::int64_t n) {
    switch (type) {
        case dtype::float32: return apply_in<float>(o, args, steps, out, n);
        case dtype::float64: return apply_in<double>(o, args, steps, out, n);
        case dtype::complex64: return apply_in<scalar::complex<float>>(o, args, steps, out, n);
        case dtype::complex128: return apply_in<scalar::complex<double>>(o, args, steps, out, n);
        default: return apply_to_integers(o, type, result, args, steps, out, n);
    }
}

// Exponents as floating numbers; those beyond the clamp all give zero or infinity.
SINTER_INLINE void apply_scale(op o, dtype type, const void* const* args, const std::int64_t* steps, void* out,
                               std::int64_t n) {
    std::int32_t exponent[interpreter_block];
    double wide[interpreter_block];
    const std::int64_t moves[3] = {steps[0], 1, 1};
    for (std::int64_t start = 0; start < n; start += interpreter_block) {
        std::int64_t count = n - start < interpreter_block ? n - start : interpreter_block;
        for (std::int64_t i = 0; i < count; ++i) {
            std::int32_t e = static_cast<const std::int32_t*>(args[1])[(start + i) * steps[1]];
            exponent[i] = e < -5000 ? -5000 : e > 5000 ? 5000 : e;
        }
        convert(dtype::int32, type, exponent, wide, count);
        const void* from[3] = {static_cast<const char*>(args[0]) + start * steps[0] * size_of(type), wide, wide};
        apply_to_type(o, type, type, from, moves, static_cast<char*>(out) + start * size_of(type), count);
    }
}

SINTER_INLINE void apply_select(int size, const void* const* args, const std::int64_t* steps, void* out,
                                std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
        int which = static_cast<const bool*>(args[0])[i * steps[0]] ? 1 : 2;
        std::memmove(static_cast<char*>(out) + i * size,
                     static_cast<const char*>(args[which]) + i * steps[which] * size, static_cast<std::size_t>(size));
    }
}

// Neighbours of a number of 16 bits, from its bits.
SINTER_INLINE void apply_to_bits(op o, bool is_float16, const void* const* args, const std::int64_t* steps, void* out,
                                 std::int64_t n) {
    using namespace scalar;
    for (std::int64_t i = 0; i < n; ++i) {
        const auto a = static_cast<const std::uint16_t*>(args[0])[i * steps[0]];
        std::uint16_t& to = static_cast<std::uint16_t*>(out)[i];
        if (o == op::spacing) {
            to = is_float16 ? half_spacing(a) : bfloat16_spacing(a);
            continue;
        }
        const auto b = static_cast<const std::uint16_t*>(args[1])[i * steps[1]];
        to = is_float16 ? half_nextafter(a, b) : bfloat16_nextafter(a, b);
    }
}

// Half precision in blocks of float32, its results rounded.
SINTER_INLINE void apply_to_half(op o, dtype type, const void* const* args, const std::int64_t* steps, void* out,
                                 std::int64_t n) {
    if (computes_on_bits(o)) {
        if (o == op::positive)
            return (is_complex(type) ? copy_as<std::uint32_t, std::uint32_t>
                                     : copy_as<std::uint16_t, std::uint16_t>)(args[0], steps[0], out, n);
        return apply_to_bits(o, type == dtype::float16, args, steps, out, n);
    }
    alignas(8) float wide[3][2 * interpreter_block], computed[2 * interpreter_block];  // pairs where complex
    const bool scales = info(o).typing == rule::scale;
    const dtype result = result_type(o, type), inside = widened(type);
    for (std::int64_t start = 0; start < n; start += interpreter_block) {
        const std::int64_t count = n - start < interpreter_block ? n - start : interpreter_block;
        const void* from[3] = {wide[0], wide[1], wide[2]};
        for (int i = 0; i < info(o).arity; ++i) {
            const bool is_exponent = scales && i == 1;
            const void* at = static_cast<const char*>(args[i]) + start * steps[i] * (is_exponent ? 4 : size_of(type));
            if (is_exponent) from[i] = at;
            else convert(type, inside, at, wide[i], steps[i] ? count : 1);
        }
        char* to = static_cast<char*>(out) + start * size_of(result);
        apply(o, inside, from, steps, is_half(result) ? static_cast<void*>(computed) : to, count);
        if (is_half(result)) convert(widened(result), result, computed, to, count);
    }
}

SINTER_INLINE void apply(op o, dtype common, const void* const* args, const std::int64_t* steps, void* out,
                         std::int64_t n) {
    if (n <= 0) return;
    const subnormal_scope exact;
    if (o == op::cast) throw internal_error("[interpreter] a cast needs two types: use convert");
    rule typing = info(o).typing;
    if (typing == rule::select) return apply_select(size_of(common), args, steps, out, n);
    dtype type = operand_type(o, 0, common);
    if (!defined_for(o, common)) throw type_error(joined({"[", info(o).name, "] not defined for ", info(type).name}));
    if (is_half(type)) return apply_to_half(o, type, args, steps, out, n);
    if (typing == rule::scale) return apply_scale(o, type, args, steps, out, n);
    const void* from[3] = {args[0], args[0], args[0]};
    std::int64_t moves[3] = {steps[0], 0, 0};
    for (int i = 1; i < info(o).arity; ++i) {
        from[i] = args[i];
        moves[i] = steps[i];
    }
    if (kind_rank(type) < 2 && typing == rule::rounding) o = op::positive;
    if (type == dtype::bool_ && o == op::invert) o = op::logical_not;
    apply_to_type(o, type, result_type(o, common), from, moves, out, n);
}

template <class To>
void copy_saturated(const double* in, void* out, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) static_cast<To*>(out)[i] = scalar::to_integer<To>(in[i]);
}

SINTER_INLINE void convert_floating(dtype to, const double* in, void* out, std::int64_t n) {
    switch (to) {
        case dtype::bool_: return copy_as<double, bool>(in, 1, out, n);
        case dtype::int8: return copy_saturated<std::int8_t>(in, out, n);
        case dtype::int16: return copy_saturated<std::int16_t>(in, out, n);
        case dtype::int32: return copy_saturated<std::int32_t>(in, out, n);
        case dtype::int64: return copy_saturated<std::int64_t>(in, out, n);
        case dtype::uint8: return copy_saturated<std::uint8_t>(in, out, n);
        case dtype::uint16: return copy_saturated<std::uint16_t>(in, out, n);
        case dtype::uint32: return copy_saturated<std::uint32_t>(in, out, n);
        case dtype::uint64: return copy_saturated<std::uint64_t>(in, out, n);
        case dtype::float32: return copy_as<double, float>(in, 1, out, n);
        default: return copy_as<double, double>(in, 1, out, n);
    }
}

SINTER_INLINE void convert_integer(bool is_unsigned, dtype to, const std::int64_t* in, void* out, std::int64_t n) {
    if (to == dtype::float32)
        return is_unsigned ? copy_as<std::uint64_t, float>(in, 1, out, n) : copy_as<std::int64_t, float>(in, 1, out, n);
    if (to == dtype::float64)
        return is_unsigned ? copy_as<std::uint64_t, double>(in, 1, out, n)
                           : copy_as<std::int64_t, double>(in, 1, out, n);
    narrow(to, in, out, n);
}

// Real types through int64 or double, which hold every element exactly; count fits a block.
SINTER_INLINE void convert_real(dtype from, dtype to, const void* in, void* out, std::int64_t count) {
    if (kind_rank(from) < 2) {
        std::int64_t wide[interpreter_block];
        widen(from, in, 1, wide, count);
        return convert_integer(kind_of(from) != 'i', to, wide, out, count);
    }
    double wide[interpreter_block];
    if (from == dtype::float32) copy_as<float, double>(in, 1, wide, count);
    else copy_as<double, double>(in, 1, wide, count);
    convert_floating(to, wide, out, count);
}

template <class T>
void split_parts(const void* in, void* re, void* im, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
        static_cast<T*>(re)[i] = static_cast<const scalar::complex<T>*>(in)[i].re;
        static_cast<T*>(im)[i] = static_cast<const scalar::complex<T>*>(in)[i].im;
    }
}

template <class T>
void join_parts(const void* re, const void* im, void* out, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i)
        static_cast<scalar::complex<T>*>(out)[i] = {static_cast<const T*>(re)[i], static_cast<const T*>(im)[i]};
}

// From and to half precision through float32, save from float64 to float16; count fits a block.
SINTER_INLINE void convert_half(dtype from, dtype to, const void* in, void* out, std::int64_t count) {
    if (from == to) return copy_as<std::uint16_t, std::uint16_t>(in, 1, out, count);
    if (from == dtype::float64 && to == dtype::float16) {
        for (std::int64_t i = 0; i < count; ++i)
            static_cast<std::uint16_t*>(out)[i] = scalar::double_to_half(static_cast<const double*>(in)[i]);
        return;
    }
    float wide[interpreter_block];
    const float* numbers = wide;
    if (from == dtype::float32) numbers = static_cast<const float*>(in);
    else if (from == dtype::float16) copy_as<half, float>(in, 1, wide, count);
    else if (from == dtype::bfloat16) copy_as<bfloat16, float>(in, 1, wide, count);
    else convert_real(from, dtype::float32, in, wide, count);
    if (to == dtype::float16) copy_as<float, half>(numbers, 1, out, count);
    else if (to == dtype::bfloat16) copy_as<float, bfloat16>(numbers, 1, out, count);
    else convert_real(dtype::float32, to, numbers, out, count);
}

// Conversions from or to complex types, part by part; count fits a block.
SINTER_INLINE void convert_complex(dtype from, dtype to, const void* in, void* out, std::int64_t count) {
    constexpr std::size_t bytes = interpreter_block * sizeof(double);
    alignas(double) unsigned char parts[2][bytes] = {}, ends[2][bytes] = {};
    if (from == dtype::complex32) split_parts<std::uint16_t>(in, parts[0], parts[1], count);
    else if (from == dtype::complex64) split_parts<float>(in, parts[0], parts[1], count);
    else if (from == dtype::complex128) split_parts<double>(in, parts[0], parts[1], count);
    else std::memcpy(parts[0], in, static_cast<std::size_t>(count * size_of(from)));
    const bool has_half = is_half(from) || is_half(to);
    for (int k = 0; k < 2; ++k)
        (has_half ? convert_half : convert_real)(real_of(from), real_of(to), parts[k], ends[k], count);
    if (to == dtype::complex32) return join_parts<std::uint16_t>(ends[0], ends[1], out, count);
    if (to == dtype::complex64) return join_parts<float>(ends[0], ends[1], out, count);
    if (to == dtype::complex128) return join_parts<double>(ends[0], ends[1], out, count);
    if (to == dtype::bool_)
        for (std::int64_t i = 0; i < count; ++i) ends[0][i] |= ends[1][i];
    std::memcpy(out, ends[0], static_cast<std::size_t>(count * size_of(to)));
}

SINTER_INLINE void convert(dtype from, dtype to, const void* in, void* out, std::int64_t n) {
    const subnormal_scope exact;
    bool complex = is_complex(from) || is_complex(to);
    for (std::int64_t start = 0; start < n; start += interpreter_block) {
        std::int64_t count = n - start < interpreter_block ? n - start : interpreter_block;
        const void* source = static_cast<const char*>(in) + start * size_of(from);
        void* target = static_cast<char*>(out) + start * size_of(to);
        if (complex) convert_complex(from, to, source, target, count);
        else if (is_half(from) || is_half(to)) convert_half(from, to, source, target, count);
        else convert_real(from, to, source, target, count);
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

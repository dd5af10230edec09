// Facts about statements and the data that they start from.
#include "program.hpp"

#include <sinter/codegen/ops/apply.hpp>

#include <cmath>
#include <limits>

namespace random_programs {

const char* name_of(kind k) {
    static constexpr const char* names[kind_count] = {"data",
                                                      "full",
                                                      "index",
                                                      "random",
                                                      "expression",
                                                      "function",
                                                      "made",
                                                      "loop",
                                                      "cast",
                                                      "select",
                                                      "take",
                                                      "mask_read",
                                                      "transpose",
                                                      "reshape",
                                                      "broadcast",
                                                      "reduce",
                                                      "scan",
                                                      "update",
                                                      "compound_update",
                                                      "overlap_update",
                                                      "mask_update",
                                                      "fill",
                                                      "concatenate",
                                                      "matmul",
                                                      "copy_handle",
                                                      "copy",
                                                      "drop",
                                                      "read",
                                                      "read_item",
                                                      "print",
                                                      "eval",
                                                      "explain"};
    return names[static_cast<int>(k)];
}

std::vector<int> program::order() const {
    std::vector<int> list;
    int n = static_cast<int>(statements.size());
    for (int i = 0; i < n; ++i) {
        list.push_back(i);
        if (i + 1 == loop_end)
            for (int t = 1; t < loop_times; ++t)
                for (int k = loop_begin; k < loop_end; ++k) list.push_back(k);
    }
    return list;
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    std::uint64_t x = a + b * 0xbf58476d1ce4e5b9ull + 0x632be59bd9b4e019ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

static double floating_number(dice& d, dtype type, int style) {
    if (style == 1) return d.roll(9) - 4;
    if (style == 2 && d.once_in(4)) {
        bool narrow = codegen::real_of(type) != dtype::float64;
        switch (d.roll(8)) {
            case 0: return INFINITY;
            case 1: return -INFINITY;
            case 2: return NAN;
            case 3: return -0.0;
            case 4: return narrow ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
            case 5: return narrow ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
            case 6: return narrow ? 1e10f : 1e100;
            default: return 0.1;
        }
    }
    return (d.roll(129) - 64) / 8.0;
}

static void write_integer(dice& d, dtype type, int style, unsigned char* to) {
    std::int64_t v = codegen::kind_of(type) == 'u' ? d.roll(16) : d.roll(17) - 8;
    if (style == 2 && d.once_in(4)) {
        static constexpr std::int64_t extremes[] = {
            std::numeric_limits<std::int64_t>::min(), -1, 127, 0x7fff, 0x7fffffff, 64,
            std::numeric_limits<std::int64_t>::max()};
        v = extremes[d.roll(7)];
        if (d.once_in(2)) v = static_cast<std::int64_t>(d.next());
        // The type's own smallest value, from the highest bit.
        if (d.once_in(3) && type == codegen::signed_of_size(codegen::size_of(type)))
            v = static_cast<std::int64_t>(std::uint64_t{1} << (8 * codegen::size_of(type) - 1));
    }
    codegen::convert(dtype::int64, type, &v, to, 1);
}

std::vector<unsigned char> make_data(dtype type, const dims& shape, std::uint64_t seed, int style) {
    dice d(seed);
    auto size = static_cast<std::size_t>(codegen::size_of(type));
    std::vector<unsigned char> bytes(static_cast<std::size_t>(shape.product()) * size);
    for (std::size_t at = 0; at < bytes.size(); at += size) {
        if (style > 2) {
            std::int64_t n = style - 3, v = n ? d.roll(static_cast<int>(n)) : 0;
            if (codegen::kind_of(type) == 'i' && d.once_in(3)) v -= n;
            codegen::convert(dtype::int64, type, &v, bytes.data() + at, 1);
        } else if (type == dtype::bool_) {
            bytes[at] = static_cast<unsigned char>(d.roll(2));
        } else if (codegen::is_integer(type)) {
            write_integer(d, type, style, bytes.data() + at);
        } else {
            double v[2] = {floating_number(d, type, style), 0};
            if (codegen::is_complex(type)) v[1] = floating_number(d, type, style);
            codegen::convert(dtype::complex128, type, v, bytes.data() + at, 1);
        }
    }
    return bytes;
}

codegen::scalar_value number_of(const token& scalar) {
    codegen::scalar_value v;
    v.type = scalar.type;
    codegen::convert(dtype::complex128, scalar.type, scalar.parts, v.bytes, 1);
    return v;
}

bool is_exact(op o, dtype common) {
    if (o == op::frexp_exponent || o == op::frexp_mantissa) return true;
    if (o == op::rsqrt || o == op::angle) return false;
    dtype operand = codegen::operand_type(o, codegen::info(o).typing == codegen::rule::select ? 1 : 0, common);
    if (codegen::kind_rank(operand) < 2) return true;
    // Complex products and quotients are rounded as each backend's complex type does it.
    if (codegen::is_complex(operand))
        return codegen::info(o).cost <= 1 && o != op::multiply && o != op::square && o != op::abs2 && o != op::absolute;
    return codegen::info(o).cost <= 6;
}

bool keeps_nearness(op o) {
    switch (o) {
        case op::positive:
        case op::negative:
        case op::absolute:
        case op::fabs:
        case op::real:
        case op::imag:
        case op::conj:
        case op::where: return true;
        default: return false;
    }
}

bool shows_nan_sign(op o) { return o == op::signbit || o == op::copysign; }

}  // namespace random_programs

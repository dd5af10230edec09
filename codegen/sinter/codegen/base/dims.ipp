// Bodies of dims.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/dims.hpp>

namespace sinter::inline SINTER_ABI {

SINTER_INLINE void dims::resize(int rank, std::int64_t v) {
    if (rank > max_rank) throw shape_error(codegen::joined({"[shape] at most 8 axes are supported, got ", rank}));
    for (int i = size_; i < rank; ++i) data_[i] = v;
    size_ = rank;
}

SINTER_INLINE void dims::push_back(std::int64_t v) { resize(size_ + 1, v); }

SINTER_INLINE void dims::insert(int at, std::int64_t v) {
    resize(size_ + 1);
    --size_;
    pad(at, v);
}

SINTER_INLINE void dims::pad(int at, std::int64_t v) {
    for (int i = size_++; i > at; --i) data_[i] = data_[i - 1];
    data_[at] = v;
}

SINTER_INLINE void dims::erase(int at) {
    for (int i = at; i + 1 < size_; ++i) data_[i] = data_[i + 1];
    --size_;
}

SINTER_INLINE std::int64_t dims::product() const {
    std::int64_t n = 1;
    for (std::int64_t v : *this)
        if (v == 0) return 0;
    for (std::int64_t v : *this)
        if (__builtin_mul_overflow(n, v, &n)) throw shape_error("[shape] too many elements: " + to_string(*this));
    return n;
}

SINTER_INLINE std::int64_t add_sizes(std::string_view operation, std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    throw shape_error(codegen::joined({"[", operation, "] too many elements: ", a, " + ", b}));
}

SINTER_INLINE std::int64_t multiply_sizes(std::string_view operation, std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(a, b, &product)) return product;
    throw shape_error(codegen::joined({"[", operation, "] too many elements: ", a, " * ", b}));
}

SINTER_INLINE std::string to_string(const dims& d) {
    std::string s = "(";
    for (int i = 0; i < d.size(); ++i) {
        if (i) s += ", ";
        s += std::to_string(d[i]);
    }
    return s + (d.size() == 1 ? ",)" : ")");
}

namespace codegen {

SINTER_INLINE dims contiguous_strides(const dims& shape) {
    dims s = shape;
    std::int64_t step = 1;
    for (int i = shape.size() - 1; i >= 0; --i) {
        s[i] = step;
        step *= shape[i] ? shape[i] : 1;
    }
    return s;
}

SINTER_INLINE std::optional<dims> common_shape(const dims& a, const dims& b) {
    const dims& big = a.size() >= b.size() ? a : b;
    const dims& small = a.size() >= b.size() ? b : a;
    dims out = big;
    int shift = big.size() - small.size();
    for (int i = 0; i < small.size(); ++i) {
        std::int64_t x = big[i + shift], y = small[i];
        if (x == y || y == 1) continue;
        if (x != 1) return std::nullopt;
        out[i + shift] = y;
    }
    return out;
}

SINTER_INLINE const dims& require_sizes(std::string_view operation, const dims& shape) {
    for (std::int64_t n : shape)
        if (n < 0) throw shape_error(codegen::joined({"[", operation, "] a size is negative: ", to_string(shape)}));
    return shape;
}

SINTER_INLINE void throw_no_broadcast(std::string_view operation, const dims& a, const dims& b) {
    throw shape_error(
        codegen::joined({"[", operation, "] shapes do not broadcast: ", to_string(a), " and ", to_string(b)}));
}

SINTER_INLINE dims broadcast_shapes(std::string_view operation, const dims& a, const dims& b) {
    if (a == b) return a;
    const std::optional<dims> common = common_shape(a, b);
    if (!common) throw_no_broadcast(operation, a, b);
    return *common;
}

SINTER_INLINE void require_fills(std::string_view operation, const dims& value, const dims& target) {
    if (broadcast_shapes(operation, value, target) == target) return;
    throw shape_error(
        codegen::joined({"[", operation, "] cannot broadcast ", to_string(value), " to ", to_string(target)}));
}

SINTER_INLINE int normalize_axis(std::string_view operation, std::int64_t axis, int rank) {
    if (axis < -rank || axis >= rank)
        throw index_error(codegen::joined(
            {"[", operation, "] axis ", axis, " is out of bounds for an array of ", rank, " dimensions"}));
    return static_cast<int>(axis < 0 ? axis + rank : axis);
}

}  // namespace codegen
}  // namespace sinter::inline SINTER_ABI

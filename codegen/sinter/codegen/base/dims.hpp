// Shapes and strides: a small fixed-capacity list of integers, its printing, and broadcasting; must not know arrays.
#pragma once

#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/base/way.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI {

inline constexpr int max_rank = 8;

/// A shape, or strides: up to eight integers, printed as a NumPy tuple.
class dims {
public:
    constexpr dims() = default;
    /// A shape accepts any integer types.
    template <std::integral... I>
        requires(sizeof...(I) > 0)
    constexpr dims(I... sizes) : size_(sizeof...(I)), data_{static_cast<std::int64_t>(sizes)...} {
        static_assert(sizeof...(I) <= max_rank, "sinter: a shape has at most eight axes");
    }
    /// As many sizes as a vector, a span or another range of integers has: `zeros(dims(sizes))`; throws shape_error for
    /// more than eight.
    template <class R>
        requires(requires(const R& r) {
            requires std::integral<std::remove_cvref_t<decltype(*r.begin())>>;
            r.end();
        })
    explicit dims(const R& sizes) {
        for (const auto& n : sizes) push_back(static_cast<std::int64_t>(n));
    }
    static dims filled(int rank, std::int64_t v) {
        dims d;
        d.resize(rank, v);
        return d;
    }

    constexpr int size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr std::int64_t& operator[](int i) { return data_[i]; }
    constexpr std::int64_t operator[](int i) const { return data_[i]; }
    constexpr std::int64_t* begin() { return data_; }
    constexpr std::int64_t* end() { return data_ + size_; }
    constexpr const std::int64_t* begin() const { return data_; }
    constexpr const std::int64_t* end() const { return data_ + size_; }
    constexpr std::int64_t back() const { return data_[size_ - 1]; }

    void push_back(std::int64_t v);
    void resize(int rank, std::int64_t v = 0);
    void insert(int at, std::int64_t v);
    void erase(int at);
    /// Inserts an axis into a kernel's space, which has one more than an array may have when it reduces all of eight.
    void pad(int at, std::int64_t v);

    /// Number of elements of a shape; throws shape_error when it exceeds 2^63 - 1.
    std::int64_t product() const;

    friend constexpr bool operator==(const dims& a, const dims& b) {
        if (a.size_ != b.size_) return false;
        for (int i = 0; i < a.size_; ++i)
            if (a.data_[i] != b.data_[i]) return false;
        return true;
    }

private:
    int size_ = 0;
    std::int64_t data_[max_rank + 1] = {};
};

/// Sum and product of sizes; throw shape_error naming the operation when they exceed 2^63 - 1.
std::int64_t add_sizes(std::string_view operation, std::int64_t a, std::int64_t b);
std::int64_t multiply_sizes(std::string_view operation, std::int64_t a, std::int64_t b);

/// A shape as Python prints it: `(3,)`, `(2, 5)`, `()`.
std::string to_string(const dims& d);

namespace codegen {

/// The shape; throws shape_error naming the operation when a size is negative.
const dims& require_sizes(std::string_view operation, const dims& shape);

/// Element strides of a row-major array of this shape.
dims contiguous_strides(const dims& shape);

/// numpy.broadcast_shapes of two, if they fit; or throws shape_error naming the operation and both shapes.
std::optional<dims> common_shape(const dims& a, const dims& b);
dims broadcast_shapes(std::string_view operation, const dims& a, const dims& b);
[[noreturn]] void throw_no_broadcast(std::string_view operation, const dims& a, const dims& b);
/// Throws shape_error unless a value of one shape can fill an array of another, which never grows for it.
void require_fills(std::string_view operation, const dims& value, const dims& target);

/// An axis in 0 … rank-1 from one that may be negative; throws index_error naming the operation.
int normalize_axis(std::string_view operation, std::int64_t axis, int rank);

}  // namespace codegen
}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/codegen/base/dims.ipp>
#endif

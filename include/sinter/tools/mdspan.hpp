// Host memory seen with a fixed number of axes, as std::mdspan sees it. Not part of the umbrella: include it where it
// is used.
#pragma once

#include <array>
#include <sinter/array/host.hpp>
#include <sinter/tools/rank.hpp>
#include <version>
#if defined(__cpp_lib_mdspan)
#include <mdspan>
#endif

namespace sinter::inline SINTER_ABI {

/// A row-major view with the members of std::mdspan, which it is where the standard library has that; it owns nothing.
template <class T, std::size_t Rank>
class host_view {
public:
    using element_type = T;
    using value_type = std::remove_cv_t<T>;
    using index_type = std::int64_t;
    using size_type = std::uint64_t;
    using rank_type = std::size_t;
    using data_handle_type = T*;
    using reference = T&;

    constexpr host_view() = default;
    constexpr host_view(T* data, const std::array<index_type, Rank>& extents) : data_(data), extents_(extents) {}

    static constexpr rank_type rank() { return Rank; }
    static constexpr rank_type rank_dynamic() { return Rank; }
    static constexpr bool is_always_exhaustive() { return true; }
    static constexpr bool is_always_strided() { return true; }
    static constexpr bool is_always_unique() { return true; }
    constexpr const std::array<index_type, Rank>& extents() const { return extents_; }
    constexpr index_type extent(rank_type axis) const { return extents_[axis]; }
    /// Elements between neighbours along an axis.
    constexpr index_type stride(rank_type axis) const {
        index_type n = 1;
        for (rank_type i = axis + 1; i < Rank; ++i) n *= extents_[i];
        return n;
    }
    constexpr size_type size() const {
        size_type n = 1;
        for (index_type e : extents_) n *= static_cast<size_type>(e);
        return n;
    }
    constexpr bool empty() const { return size() == 0; }
    constexpr data_handle_type data_handle() const { return data_; }

    /// The element at indices that are inside, which is not checked.
    template <std::integral... I>
        requires(sizeof...(I) == Rank)
    constexpr reference operator()(I... i) const {
        return (*this)[std::array<index_type, Rank>{static_cast<index_type>(i)...}];
    }
#if defined(__cpp_multidimensional_subscript)
    template <std::integral... I>
        requires(sizeof...(I) == Rank && Rank != 1)
    constexpr reference operator[](I... i) const {
        return (*this)(i...);
    }
#endif
    template <std::integral I>
        requires(Rank == 1)
    constexpr reference operator[](I i) const {
        return data_[i];
    }
    template <std::integral I>
    constexpr reference operator[](const std::array<I, Rank>& at) const {
        index_type number = 0;
        for (rank_type i = 0; i < Rank; ++i) number = number * extents_[i] + static_cast<index_type>(at[i]);
        return data_[number];
    }

private:
    T* data_ = nullptr;
    std::array<index_type, Rank> extents_{};
};

namespace detail {

template <std::size_t Rank, class T>
auto view_of(T* data, const dims& shape) {
    require_rank("to_mdspan", shape, static_cast<int>(Rank));
    std::array<std::int64_t, Rank> extents{};
    for (std::size_t i = 0; i < Rank; ++i) extents[i] = shape[static_cast<int>(i)];
#if defined(__cpp_lib_mdspan)
    return std::mdspan<T, std::dextents<std::int64_t, Rank>>(data, extents);
#else
    return host_view<T, Rank>(data, extents);
#endif
}

}  // namespace detail

/// A host_array as a std::mdspan with dynamic extents, or a host_view where the standard library has none:
/// `auto h = to_host(x); auto m = to_mdspan<2>(h);`. Throws shape_error when it has another number of axes. The
/// host_array has to stay.
template <std::size_t Rank, class T>
auto to_mdspan(host_array<T>& h) {
    return detail::view_of<Rank>(h.data(), h.shape());
}
/// A host_array as a std::mdspan with dynamic extents, or a host_view where the standard library has none.
template <std::size_t Rank, class T>
auto to_mdspan(const host_array<T>& h) {
    return detail::view_of<Rank>(h.data(), h.shape());
}
/// A host_array as a std::mdspan with dynamic extents, or a host_view where the standard library has none.
template <std::size_t Rank, class T>
void to_mdspan(host_array<T>&&) = delete;

/// A copy of what a std::mdspan or another view with its members sees, of any layout.
template <class View>
    requires requires(const View& v) {
        { View::rank() } -> std::convertible_to<std::size_t>;
        v.extent(0);
        v.data_handle();
        typename View::element_type;
    }
auto asarray(const View& view) {
    using T = std::remove_cv_t<typename View::element_type>;
    constexpr std::size_t rank = View::rank();
    dims shape;
    for (std::size_t i = 0; i < rank; ++i) shape.push_back(static_cast<std::int64_t>(view.extent(i)));
    host_array<T> rows(shape);
    std::array<std::int64_t, rank> at{};
    for (T& element : rows) {
        element = view[at];
        for (std::size_t axis = rank; axis-- > 0 && ++at[axis] == shape[static_cast<int>(axis)];) at[axis] = 0;
    }
    return asarray(rows.data(), shape);
}

}  // namespace sinter::inline SINTER_ABI

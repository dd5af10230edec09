// Between arrays and host memory: arrays from ranges and pointers, host_array, vectors, spans and single numbers.
#pragma once

#include <sinter/array/printing/format.hpp>
#include <sinter/array/operators.hpp>
#include <sinter/codegen/ops/ieee.hpp>

#include <iterator>
#include <memory>
#include <ostream>

namespace sinter::inline SINTER_ABI {

/// Elements of an array in host memory, row-major: `h(i, j)`, ranges over all of them, `data()`.
template <class T>
class host_array {
public:
    using value_type = T;

    host_array() : shape_(0) {}
    /// Elements of this shape without a particular value.
    explicit host_array(const dims& shape) : shape_(shape), data_(allocated(shape.product())), size_(shape.product()) {}
    host_array(const host_array& other) : host_array(other.shape_) {
        for (std::int64_t i = 0; i < size_; ++i) data_[i] = other.data_[i];
    }
    host_array(host_array&& other) noexcept
        : shape_(std::exchange(other.shape_, dims(0))),
          data_(std::move(other.data_)),
          size_(std::exchange(other.size_, 0)) {}
    host_array& operator=(host_array other) noexcept {
        std::swap(shape_, other.shape_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }

    const dims& shape() const { return shape_; }
    std::int64_t shape(int axis) const { return shape_[codegen::normalize_axis("shape", axis, shape_.size())]; }
    int ndim() const { return shape_.size(); }
    std::size_t size() const { return static_cast<std::size_t>(size_); }
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }

    /// The element at an index of one number per axis, negative allowed; throws index_error.
    template <std::integral... I>
    T& operator()(I... i) {
        return data_[offset({static_cast<std::int64_t>(i)...})];
    }
    template <std::integral... I>
    const T& operator()(I... i) const {
        return data_[offset({static_cast<std::int64_t>(i)...})];
    }
    T& operator[](std::int64_t i) { return data_[offset({i})]; }
    const T& operator[](std::int64_t i) const { return data_[offset({i})]; }

private:
    static T* allocated(std::int64_t n) {
        try {
            return new T[static_cast<std::size_t>(n)];
        } catch (const std::bad_alloc&) {
            detail::throw_no_host_memory("host_array", n, sizeof(T));
        }
    }
    std::int64_t offset(std::initializer_list<std::int64_t> at) const;

    dims shape_;
    std::unique_ptr<T[]> data_;
    std::int64_t size_ = 0;
};

namespace detail {

[[noreturn]] void throw_host_index(std::initializer_list<std::int64_t> at, const dims& shape);
/// NumPy's str or repr of elements in host memory, row-major.
std::string text_of_host(dtype type, const dims& shape, const void* elements, bool repr);
[[noreturn]] void throw_host_size(std::string_view operation, std::int64_t count, const dims& shape);

template <class R>
concept host_range = !expression<R> && requires(const R& r) {
    std::begin(r);
    std::end(r);
    requires scalar_operand<decltype(*std::begin(r))>;
};

/// A view that changes while it is walked over, such as one that filters.
template <class R>
concept passing_range = !expression<R> && !host_range<R> && requires(R& r) {
    std::begin(r);
    std::end(r);
    requires scalar_operand<decltype(*std::begin(r))>;
};

template <class R>
using range_value = std::remove_cvref_t<decltype(*std::begin(std::declval<R&>()))>;

/// Elements side by side in memory that are stored as they are.
template <class R, class T>
concept memory_range = requires(R& r) {
    { std::data(r) } -> std::convertible_to<const T*>;
    std::size(r);
    requires std::contiguous_iterator<decltype(std::begin(r))>;
};

/// A range of ranges of numbers, of any depth.
template <class R>
inline constexpr bool is_nested_range = false;
template <class R>
    requires(!expression<R> && requires(const R& r) { std::begin(*std::begin(r)); } &&
             !std::same_as<range_value<const R>, R>)
inline constexpr bool is_nested_range<R> = host_range<range_value<const R>> || is_nested_range<range_value<const R>>;
template <class R>
concept nested_range = is_nested_range<R>;

template <class R>
struct innermost_of {
    using type = R;
};
template <class R>
    requires(host_range<R> || nested_range<R>)
struct innermost_of<R> : innermost_of<range_value<const R>> {};
template <class R>
using innermost = typename innermost_of<R>::type;

[[noreturn]] void throw_ragged(std::int64_t size, std::int64_t first, int axis);

/// Appends a range's numbers, and the lengths of what is the first at its depth.
template <class T, class R>
void add_nested(const R& range, dims& shape, int axis, codegen::sequence<T>& flat) {
    const auto size = static_cast<std::int64_t>(std::distance(std::begin(range), std::end(range)));
    if (axis == shape.size()) shape.push_back(size);
    if (shape[axis] != size) throw_ragged(size, shape[axis], axis);
    for (const auto& each : range) {
        if constexpr (scalar_operand<range_value<const R>>) flat.push_back(codegen::ieee::as<T>(each));
        else add_nested(each, shape, axis + 1, flat);
    }
}

template <class T>
handle store_filling(const T* data, std::int64_t count, const dims* shape) {
    const dims flat(count);
    if (!shape) shape = &flat;
    if (shape->product() != count) throw_host_size("asarray", count, *shape);
    return store(dtype_of<T>, *shape, data);
}

template <class T, class R>
handle store_range(R& range, const dims* shape) {
    if constexpr (memory_range<R, T>) {
        return store_filling<T>(std::data(range), static_cast<std::int64_t>(std::size(range)), shape);
    } else {
        codegen::sequence<T> copy;
        for (auto&& v : range) copy.push_back(codegen::ieee::as<T>(v));
        return store_filling(copy.data(), static_cast<std::int64_t>(copy.size()), shape);
    }
}

}  // namespace detail

template <class T>
std::int64_t host_array<T>::offset(std::initializer_list<std::int64_t> at) const {
    if (static_cast<int>(at.size()) != shape_.size()) detail::throw_host_index(at, shape_);
    std::int64_t number = 0;
    int axis = 0;
    for (std::int64_t i : at) {
        std::int64_t n = shape_[axis++], k = i < 0 ? i + n : i;
        if (k < 0 || k >= n) detail::throw_host_index(at, shape_);
        number = number * n + k;
    }
    return number;
}

SINTER_IEEE_BEGIN
/// Whether shapes and all elements are equal (numpy.array_equal).
template <class T>
SINTER_COMPARES bool operator==(const host_array<T>& a, const host_array<T>& b) {
    bool equal = a.shape() == b.shape();
    for (std::size_t i = 0; equal && i < a.size(); ++i) equal = a.data()[i] == b.data()[i];
    return equal;
}
SINTER_IEEE_END

/// numpy.array_str of an array in host memory, byte for byte.
template <class T>
std::string str(const host_array<T>& a) {
    return detail::text_of_host(dtype_of<T>, a.shape(), a.data(), false);
}
/// numpy.array_repr of an array in host memory, byte for byte.
template <class T>
std::string repr(const host_array<T>& a) {
    return detail::text_of_host(dtype_of<T>, a.shape(), a.data(), true);
}
template <class T>
std::ostream& operator<<(std::ostream& out, const host_array<T>& a) {
    return out << str(a);
}

/// A copy of a range of numbers on the current device (numpy.asarray), of its own element type or of T.
template <class T = void, detail::host_range R>
auto asarray(const R& range) {
    using V = std::conditional_t<std::is_void_v<T>, detail::range_value<const R>, T>;
    return array<V>(detail::store_range<V>(range, nullptr));
}
/// A copy of a range of numbers on the current device (numpy.asarray), of its own element type or of T.
template <class T = void, class R>
    requires detail::passing_range<std::remove_cvref_t<R>>
auto asarray(R&& range) {
    using V = std::conditional_t<std::is_void_v<T>, detail::range_value<R>, T>;
    return array<V>(detail::store_range<V>(range, nullptr));
}
/// Numbers in braces (numpy.asarray of a list), of their own type or of T: `asarray({1, 2})`, `asarray<float>({1, 2})`.
template <class T = void, class S>
    requires detail::host_range<std::initializer_list<S>>
auto asarray(std::initializer_list<S> numbers) {
    using V = std::conditional_t<std::is_void_v<T>, S, T>;
    return array<V>(detail::store_range<V>(numbers, nullptr));
}
/// Numbers in braces of braces, which make rows, or of several types: `asarray<float>({{1, 2}, {3, 4.5}})`.
template <class T>
    requires(!std::is_void_v<T>)
array<T> asarray(std::initializer_list<detail::nested<T>> numbers) {
    return array<T>(numbers);
}
/// The same of ranges of ranges, of any depth, which have one length at each depth (numpy.asarray of nested lists);
/// throws shape_error.
template <class T = void, detail::nested_range R>
auto asarray(const R& range) {
    using V = std::conditional_t<std::is_void_v<T>, detail::innermost<R>, T>;
    dims shape;
    codegen::sequence<V> flat;
    detail::add_nested(range, shape, 0, flat);
    return array<V>(detail::store_filling(flat.data(), static_cast<std::int64_t>(flat.size()), &shape));
}
/// The same in another shape of as many elements; throws shape_error.
template <class T = void, detail::host_range R>
auto asarray(const R& range, const dims& shape) {
    using V = std::conditional_t<std::is_void_v<T>, detail::range_value<const R>, T>;
    return array<V>(detail::store_range<V>(range, &shape));
}
/// The same in another shape of as many elements.
template <class T = void, class R>
    requires detail::passing_range<std::remove_cvref_t<R>>
auto asarray(R&& range, const dims& shape) {
    using V = std::conditional_t<std::is_void_v<T>, detail::range_value<R>, T>;
    return array<V>(detail::store_range<V>(range, &shape));
}
/// A copy of row-major host memory.
template <class T>
array<T> asarray(const T* data, const dims& shape) {
    return array<T>(detail::store(dtype_of<T>, shape, data));
}
/// An array or an expression as an array.
template <expression E>
array<value_type_t<E>> asarray(const E& e) {
    return e;
}

/// The value in host memory (cupy.asnumpy).
template <expression E>
auto to_host(const E& e) {
    detail::handle h = detail::as_handle(e);
    host_array<value_type_t<E>> host(h->shape);
    detail::read(h, host.data());
    return host;
}
/// to_host by CuPy's name (cupy.asnumpy).
template <expression E>
auto asnumpy(const E& e) {
    return to_host(e);
}
/// The elements in row-major order.
template <expression E>
auto to_vector(const E& e) {
    using T = value_type_t<E>;
    if constexpr (std::same_as<T, bool>) {
        auto host = to_host(e);
        return std::vector<bool>(host.begin(), host.end());
    } else {
        detail::handle h = detail::as_handle(e);
        auto out = detail::reserved_on_host<T>("to_vector", h->shape.product());
        out.resize(static_cast<std::size_t>(h->shape.product()));
        detail::read(h, out.data());
        return out;
    }
}
/// Writes the elements in row-major order to a span, vector or array of their type and number; throws shape_error.
template <expression E, class R>
    requires requires(R&& r) {
        { std::data(r) } -> std::convertible_to<value_type_t<E>*>;
        std::size(r);
    }
void copy_to(const E& e, R&& to) {
    detail::handle h = detail::as_handle(e);
    if (static_cast<std::int64_t>(std::size(to)) != h->shape.product())
        detail::throw_host_size("copy_to", static_cast<std::int64_t>(std::size(to)), h->shape);
    detail::read(h, std::data(to));
}

/// The only element as a C++ number; throws value_error when there is not exactly one.
template <expression E>
value_type_t<E> item(const E& e) {
    return e.item();
}
/// The only elements of several values, computed together: `auto [low, high] = items(min(x), max(x))`.
template <expression... E>
std::tuple<value_type_t<E>...> items(const E&... e) {
    const detail::handle handles[] = {detail::as_handle(e)...};
    detail::evaluate(handles);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::tuple<value_type_t<E>...>(detail::read_item(handles[I], {}).template as<value_type_t<E>>()...);
    }(std::index_sequence_for<E...>());
}

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/array/host.ipp>
#endif

// Elements that somebody else has, like std::span with a tenth of its functions: users' files look at every conversion
// and compile every function of it per element type.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <cstddef>
#include <type_traits>

namespace sinter::inline SINTER_ABI::codegen {

/// A pointer to arrays of what a pointer points at: it converts where only const is added.
template <class T>
auto as_arrays(T* data) -> T (*)[];

/// What has data() and size(), and elements that are `T` but for const.
template <class R, class T>
concept span_of = requires(R& r, void (&takes)(T (*)[])) {
    takes(as_arrays(r.data()));
    static_cast<std::size_t>(r.size());
};

/// std::span's names and meanings, for the library's own use; iterators are pointers.
template <class T>
class span {
public:
    using element_type = T;
    using value_type = std::remove_const_t<T>;

    span() = default;
    [[gnu::always_inline]] span(T* first, std::size_t count) : data_(first), size_(count) {}
    template <class U>
        requires std::is_pointer_v<U>
    [[gnu::always_inline]] span(T* first, U last) : data_(first), size_(static_cast<std::size_t>(last - first)) {}
    template <std::size_t N>
    [[gnu::always_inline]] span(T (&values)[N]) : data_(values), size_(N) {}
    /// Of what is about to end only where nothing is written to it.
    template <class R>
        requires span_of<R, T> && (std::is_const_v<T> || std::is_lvalue_reference_v<R>)
    [[gnu::always_inline]] span(R&& r) : data_(r.data()), size_(static_cast<std::size_t>(r.size())) {}

    [[gnu::always_inline]] T* data() const { return data_; }
    [[gnu::always_inline]] std::size_t size() const { return size_; }
    [[gnu::always_inline]] std::size_t size_bytes() const { return size_ * sizeof(T); }
    [[gnu::always_inline]] bool empty() const { return size_ == 0; }
    [[gnu::always_inline]] T* begin() const { return data_; }
    [[gnu::always_inline]] T* end() const { return data_ + size_; }
    [[gnu::always_inline]] T& operator[](std::size_t i) const { return data_[i]; }
    [[gnu::always_inline]] T& front() const { return data_[0]; }
    [[gnu::always_inline]] T& back() const { return data_[size_ - 1]; }
    [[gnu::always_inline]] span first(std::size_t count) const { return {data_, count}; }
    [[gnu::always_inline]] span last(std::size_t count) const { return {data_ + (size_ - count), count}; }
    [[gnu::always_inline]] span subspan(std::size_t from) const { return {data_ + from, size_ - from}; }
    [[gnu::always_inline]] span subspan(std::size_t from, std::size_t count) const { return {data_ + from, count}; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

template <class R>
span(R&& r) -> span<std::remove_pointer_t<decltype(r.data())>>;

}  // namespace sinter::inline SINTER_ABI::codegen

// A growable array like std::vector with a tenth of its functions: users' files compile every one of them per element
// type.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <cstddef>
#include <initializer_list>
#include <new>
#include <type_traits>

namespace sinter::inline SINTER_ABI::codegen {

/// std::vector's names and meanings, for the library's own use; iterators are pointers, and bool is a byte.
template <class T>
class sequence {
public:
    using value_type = T;

    sequence() = default;
    explicit sequence(std::size_t count, const T& v = T()) : sequence() { resize(count, v); }
    sequence(std::initializer_list<T> values) : sequence(values.begin(), values.end()) {}
    template <class Iterator>
        requires requires(Iterator i) { *i; }
    sequence(Iterator first, Iterator last) : sequence() {
        append(first, last);
    }
    sequence(const sequence& other) : sequence(other.data_, other.data_ + other.size_) {}
    sequence(sequence&& other) noexcept { swap(other); }
    sequence& operator=(sequence other) noexcept {
        swap(other);
        return *this;
    }
    // Without a call, which in files that nobody optimises is a function more for each element type.
    ~sequence() {
        if (!data_) return;
        while (size_ > 0) data_[--size_].~T();
        ::operator delete(data_);
    }

    // Inlined also where nothing is optimised: else each is a function more for each element type.
    [[gnu::always_inline]] std::size_t size() const { return size_; }
    [[gnu::always_inline]] bool empty() const { return size_ == 0; }
    [[gnu::always_inline]] T* data() { return data_; }
    [[gnu::always_inline]] const T* data() const { return data_; }
    [[gnu::always_inline]] T* begin() { return data_; }
    [[gnu::always_inline]] T* end() { return data_ + size_; }
    [[gnu::always_inline]] const T* begin() const { return data_; }
    [[gnu::always_inline]] const T* end() const { return data_ + size_; }
    [[gnu::always_inline]] T& operator[](std::size_t i) { return data_[i]; }
    [[gnu::always_inline]] const T& operator[](std::size_t i) const { return data_[i]; }
    [[gnu::always_inline]] T& front() { return data_[0]; }
    [[gnu::always_inline]] const T& front() const { return data_[0]; }
    [[gnu::always_inline]] T& back() { return data_[size_ - 1]; }
    [[gnu::always_inline]] const T& back() const { return data_[size_ - 1]; }

    /// By value, so that an element may be its argument.
    void push_back(T v) {
        if (size_ == capacity_) reserve(capacity_ ? 2 * capacity_ : 4);
        new (data_ + size_) T(static_cast<T&&>(v));
        ++size_;
    }
    template <class... A>
    void emplace_back(A&&... args) {
        push_back(T(static_cast<A&&>(args)...));
    }
    void pop_back() { data_[--size_].~T(); }
    void clear() { shrink(0); }
    void resize(std::size_t count, const T& v = T()) {
        if (count > capacity_) reserve(count);
        while (size_ < count) new (data_ + size_++) T(v);
        shrink(count);
    }
    void assign(std::size_t count, const T& v) { *this = sequence(count, v); }
    template <class Iterator>
    void append(Iterator first, Iterator last) {
        for (; first != last; ++first) {
            if constexpr (std::is_arithmetic_v<T>) push_back(static_cast<T>(*first));
            else push_back(*first);
        }
    }
    /// Removes the elements from `from` up to `to`.
    void erase(T* from, T* to) {
        for (; to != end(); ++from, ++to) *from = static_cast<T&&>(*to);
        shrink(static_cast<std::size_t>(from - data_));
    }
    void erase(T* at) { erase(at, at + 1); }
    // Not a part of what appends: there it would be optimised once for each element type and place.
    [[gnu::noinline]] void reserve(std::size_t capacity) {
        if (capacity <= capacity_) return;
        sequence larger;
        larger.data_ = static_cast<T*>(::operator new(capacity * sizeof(T)));
        larger.capacity_ = capacity;
        for (; larger.size_ < size_; ++larger.size_)
            new (larger.data_ + larger.size_) T(static_cast<T&&>(data_[larger.size_]));
        swap(larger);
    }
    /// For so many elements more, so that the next times push_back takes no memory.
    void make_room(std::size_t count = 1) {
        if (size_ + count <= capacity_) return;
        const std::size_t twice = capacity_ ? 2 * capacity_ : 4;
        reserve(size_ + count > twice ? size_ + count : twice);
    }
    void swap(sequence& other) noexcept {
        T* const data = data_;
        const std::size_t size = size_, capacity = capacity_;
        data_ = other.data_;
        size_ = other.size_;
        capacity_ = other.capacity_;
        other.data_ = data;
        other.size_ = size;
        other.capacity_ = capacity;
    }

    friend bool operator==(const sequence& a, const sequence& b) {
        if (a.size_ != b.size_) return false;
        for (std::size_t i = 0; i < a.size_; ++i)
            if (!(a.data_[i] == b.data_[i])) return false;
        return true;
    }

private:
    void shrink(std::size_t count) {
        while (size_ > count) data_[--size_].~T();
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace sinter::inline SINTER_ABI::codegen

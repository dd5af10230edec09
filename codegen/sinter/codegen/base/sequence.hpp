// A growable array like std::vector with a tenth of its functions: users' files compile every one of them per element
// type.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <cstddef>
#include <initializer_list>
#include <new>
#include <type_traits>

namespace sinter::inline SINTER_ABI::codegen {

/// What sequences of all types of elements share.
class sequence_memory {
protected:
    /// Moves elements of so many bytes to memory that has none yet.
    using mover = void (*)(void* to, void* from, std::size_t bytes);

    sequence_memory() = default;
    sequence_memory(sequence_memory&& other) noexcept { swap(other); }
    void swap(sequence_memory& other) noexcept {
        void* const data = data_;
        const std::size_t size = size_, capacity = capacity_;
        data_ = other.data_;
        size_ = other.size_;
        capacity_ = other.capacity_;
        other.data_ = data;
        other.size_ = size;
        other.capacity_ = capacity;
    }
    /// For elements of a size, which are copied as bytes where nothing moves them.
    void reserve(std::size_t capacity, std::size_t element, mover move);
    void make_room(std::size_t count, std::size_t element, mover move);

    void* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

/// std::vector's names and meanings, for the library's own use; iterators are pointers, and bool is a byte. Elements
/// move without exceptions. What is inlined where nothing is optimised would be a function more for each element type.
template <class T>
class sequence : sequence_memory {
public:
    using value_type = T;

    [[gnu::always_inline]] sequence() = default;
    explicit sequence(std::size_t count, const T& v = T()) : sequence() { resize(count, v); }
    [[gnu::always_inline]] sequence(std::initializer_list<T> values) : sequence() {
        copy(values.begin(), values.size());
    }
    template <class Iterator>
        requires requires(Iterator i) { *i; }
    sequence(Iterator first, Iterator last) : sequence() {
        append(first, last);
    }
    [[gnu::always_inline]] sequence(const sequence& other) : sequence() { copy(other.data(), other.size_); }
    [[gnu::always_inline]] sequence(sequence&& other) noexcept
        : sequence_memory(static_cast<sequence_memory&&>(other)) {}
    [[gnu::always_inline]] sequence& operator=(sequence other) noexcept {
        sequence_memory::swap(other);
        return *this;
    }
    [[gnu::always_inline]] ~sequence() {
        if constexpr (std::is_trivially_copyable_v<T>) ::operator delete(data_);
        else release();
    }

    [[gnu::always_inline]] std::size_t size() const { return size_; }
    [[gnu::always_inline]] bool empty() const { return size_ == 0; }
    [[gnu::always_inline]] T* data() { return static_cast<T*>(data_); }
    [[gnu::always_inline]] const T* data() const { return static_cast<const T*>(data_); }
    [[gnu::always_inline]] T* begin() { return static_cast<T*>(data_); }
    [[gnu::always_inline]] T* end() { return static_cast<T*>(data_) + size_; }
    [[gnu::always_inline]] const T* begin() const { return static_cast<const T*>(data_); }
    [[gnu::always_inline]] const T* end() const { return static_cast<const T*>(data_) + size_; }
    [[gnu::always_inline]] T& operator[](std::size_t i) { return static_cast<T*>(data_)[i]; }
    [[gnu::always_inline]] const T& operator[](std::size_t i) const { return static_cast<const T*>(data_)[i]; }
    [[gnu::always_inline]] T& front() { return static_cast<T*>(data_)[0]; }
    [[gnu::always_inline]] const T& front() const { return static_cast<const T*>(data_)[0]; }
    [[gnu::always_inline]] T& back() { return static_cast<T*>(data_)[size_ - 1]; }
    [[gnu::always_inline]] const T& back() const { return static_cast<const T*>(data_)[size_ - 1]; }

    /// By value, so that an element may be its argument.
    void push_back(T v) {
        if (size_ == capacity_) make_room();
        new (data() + size_) T(static_cast<T&&>(v));
        ++size_;
    }
    template <class... A>
    void emplace_back(A&&... args) {
        push_back(T(static_cast<A&&>(args)...));
    }
    [[gnu::always_inline]] void pop_back() { data()[--size_].~T(); }
    [[gnu::always_inline]] void clear() { shrink(0); }
    void resize(std::size_t count, T v = T()) {
        if (count > capacity_) reserve(count);
        while (size_ < count) new (data() + size_++) T(v);
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
        shrink(static_cast<std::size_t>(from - data()));
    }
    void erase(T* at) { erase(at, at + 1); }
    [[gnu::always_inline]] void reserve(std::size_t capacity) {
        sequence_memory::reserve(capacity, sizeof(T), how_to_move());
    }
    /// For so many elements more, so that the next times push_back takes no memory.
    [[gnu::always_inline]] void make_room(std::size_t count = 1) {
        sequence_memory::make_room(count, sizeof(T), how_to_move());
    }
    [[gnu::always_inline]] void swap(sequence& other) noexcept { sequence_memory::swap(other); }

    friend bool operator==(const sequence& a, const sequence& b) {
        if (a.size_ != b.size_) return false;
        for (std::size_t i = 0; i < a.size_; ++i)
            if (!(a[i] == b[i])) return false;
        return true;
    }

private:
    void copy(const T* from, std::size_t count) {
        reserve(count);
        for (; size_ < count; ++size_) new (data() + size_) T(from[size_]);
    }
    [[gnu::always_inline]] static mover how_to_move() {
        static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__, "operator new aligns no further");
        if constexpr (std::is_trivially_copyable_v<T>) return nullptr;
        else return move_elements;
    }
    static void move_elements(void* to, void* from, std::size_t bytes) {
        T *const at = static_cast<T*>(to), *const old = static_cast<T*>(from);
        for (std::size_t i = 0; i < bytes / sizeof(T); ++i) {
            static_assert(noexcept(T(static_cast<T&&>(old[i]))), "what throws here is lost");
            new (at + i) T(static_cast<T&&>(old[i]));
            old[i].~T();
        }
    }
    void release() {
        destroy_behind(0);
        ::operator delete(data_);
    }
    [[gnu::always_inline]] void shrink(std::size_t count) {
        if constexpr (std::is_trivially_copyable_v<T>) size_ = count;
        else destroy_behind(count);
    }
    void destroy_behind(std::size_t count) {
        while (size_ > count) data()[--size_].~T();
    }
};

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/base/sequence.ipp>
#endif

// An object on the heap and who deletes it, like std::unique_ptr with a tenth of its functions: users' files compile
// every one of them, and its tuple's, per type.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// std::unique_ptr's names and meanings, for the library's own use; made of what `new` returns.
template <class T>
class owner {
public:
    owner() = default;
    [[gnu::always_inline]] owner(decltype(nullptr)) {}
    [[gnu::always_inline]] explicit owner(T* p) : p_(p) {}
    [[gnu::always_inline]] owner(owner&& other) noexcept : p_(other.release()) {}
    /// Of a class that derives from T.
    template <class U>
        requires requires(U* p, void (&takes)(T*)) { takes(p); }
    [[gnu::always_inline]] owner(owner<U>&& other) noexcept : p_(other.release()) {}
    [[gnu::always_inline]] owner& operator=(owner&& other) noexcept {
        reset(other.release());
        return *this;
    }
    // Without a call, which in files that nobody optimises is a function more for each type.
    [[gnu::always_inline]] ~owner() {
        static_assert(sizeof(T) > 0, "an owner deletes what is defined");
        delete p_;
    }

    [[gnu::always_inline]] T* get() const { return p_; }
    [[gnu::always_inline]] T* operator->() const { return p_; }
    [[gnu::always_inline]] T& operator*() const { return *p_; }
    [[gnu::always_inline]] explicit operator bool() const { return p_ != nullptr; }
    [[gnu::always_inline]] bool operator==(decltype(nullptr)) const { return p_ == nullptr; }
    [[gnu::always_inline]] T* release() {
        T* const p = p_;
        p_ = nullptr;
        return p;
    }
    /// What is deleted does not find itself here.
    [[gnu::always_inline]] void reset(T* p = nullptr) {
        T* const before = p_;
        p_ = p;
        delete before;
    }

private:
    T* p_ = nullptr;
};

}  // namespace sinter::inline SINTER_ABI::codegen

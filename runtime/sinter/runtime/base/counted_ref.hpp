// A counted hold on what is shared under runtime_lock(); must not know what that is.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <utility>

namespace sinter::inline SINTER_ABI::runtime {

/// Holds a T, by hold(const T&) and let_go(const T&), which stand beside T; counted without atomics, because
/// runtime_lock() guards every copy.
template <class T>
class counted_ref {
public:
    counted_ref() = default;
    counted_ref(const T* p) noexcept : to_(p) {
        if (p) hold(*p);
    }
    counted_ref(const counted_ref& other) noexcept : counted_ref(other.to_) {}
    counted_ref(counted_ref&& other) noexcept : to_(std::exchange(other.to_, nullptr)) {}
    counted_ref& operator=(counted_ref other) noexcept {
        std::swap(to_, other.to_);
        return *this;
    }
    ~counted_ref() {
        if (to_) let_go(*to_);
    }
    operator const T*() const noexcept { return to_; }
    const T* operator->() const noexcept { return to_; }
    const T& operator*() const noexcept { return *to_; }

private:
    const T* to_ = nullptr;
};

}  // namespace sinter::inline SINTER_ABI::runtime

// A counted hold on a plan that is ready to run; must not know what is in it.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <utility>

namespace sinter::inline SINTER_ABI::runtime {

struct prepared_plan;

/// A plan as values and tables hold it; counted without atomics, because runtime_lock() guards every copy.
class plan_ref {
public:
    plan_ref() = default;
    explicit plan_ref(const prepared_plan* p) noexcept;
    plan_ref(const plan_ref& other) noexcept : plan_ref(other.plan_) {}
    plan_ref(plan_ref&& other) noexcept : plan_(std::exchange(other.plan_, nullptr)) {}
    plan_ref& operator=(plan_ref other) noexcept {
        std::swap(plan_, other.plan_);
        return *this;
    }
    ~plan_ref() {
        if (plan_) release();
    }
    const prepared_plan* operator->() const noexcept { return plan_; }
    const prepared_plan& operator*() const noexcept { return *plan_; }
    explicit operator bool() const noexcept { return plan_ != nullptr; }

private:
    void release() noexcept;
    const prepared_plan* plan_ = nullptr;
};

}  // namespace sinter::inline SINTER_ABI::runtime

// Recording a step of a `graph`: what is to be computed waits for its end.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/base/span.hpp>

namespace sinter::inline SINTER_ABI::runtime {

class handle;
struct value;
class step_record;
class turn_repetition;

/// What a `graph` keeps from call to call, see step_record; a copy starts without.
class step_memory {
public:
    step_memory() = default;
    ~step_memory();
    step_memory(const step_memory&) noexcept {}
    step_memory& operator=(const step_memory&) noexcept { return *this; }

private:
    friend class step_scope;
    step_record* record_ = nullptr;
};

/// While one lives, this thread records a step of a `graph`: reading throws value_error, and what is to be computed
/// waits.
class step_scope {
public:
    explicit step_scope(step_memory& m);
    ~step_scope();
    step_scope(const step_scope&) = delete;
    step_scope& operator=(const step_scope&) = delete;
    /// Ends the recording and computes the results together with what waits; inside another step, all of it waits
    /// there. Of a turn of a loop nobody else can get a result or what it is computed from: an error loses them.
    void finish(codegen::span<const handle> results, turn_repetition* loop = nullptr);
    /// Lets values wait for the end of the step.
    void defer(codegen::span<value* const> roots);

private:
    step_scope* outer_;
    step_record* record_ = nullptr;  ///< of the outermost
    bool is_open_ = true;
    codegen::sequence<handle> waiting_;
};

/// The step that this thread records, or nullptr.
step_scope*& this_step();

/// Throws value_error while this thread records a step; `what` says what is not allowed then.
void require_no_step(const char* what);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/steps/step_scope.ipp>
#endif

// Runs pending statements: collects what a read needs, plans it, and executes the plan on the device it belongs to.
#pragma once

#include <sinter/codegen/base/sequence.hpp>

#include <span>

namespace sinter::inline SINTER_ABI::runtime {

class handle;
struct value;

/// Computes and stores the values, together in as few kernels as possible. Throws what computing them throws; a value
/// that failed throws again at each read.
void evaluate(std::span<value* const> roots);

/// The same for what completes a value that has been evaluated just now: nothing else that is pending is computed with
/// it.
void evaluate_only(std::span<value* const> roots);

/// The same for values that are asked for but not read: inside a step they wait for its end.
void evaluate_or_defer(std::span<value* const> roots);

class step_record;

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
    /// there.
    void finish(std::span<const handle> results);

private:
    friend void evaluate_or_defer(std::span<value* const> roots);
    step_scope* outer_;
    step_record* record_ = nullptr;  ///< of the outermost
    bool is_open_ = true;
    codegen::sequence<handle> waiting_;
};

/// The step that this thread records, or nullptr.
step_scope*& this_step();

/// Computes what of the values is pending, each device's together; runtime_lock() is held.
void run_values(std::span<value* const> roots);

/// Throws the error that makes a stored value's contents meaningless; call it after a wait for the device, when it is
/// read.
void require_valid(value& v);

/// Computes everything this thread has recorded and something still names; `what` says in the error why that is not
/// allowed while a step is recorded. Errors of data stay with the values.
void run_recorded(const char* what);
/// The same, then waits for the device.
void synchronize_all();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/evaluate.ipp>
#endif

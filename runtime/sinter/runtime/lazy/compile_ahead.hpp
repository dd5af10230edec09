// Kernels of evaluations to come, compiled at the same time; must not know how a plan runs.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/schedule/kernel.hpp>
#include <sinter/runtime/compile/kernel_cache.hpp>
#include <sinter/runtime/device/device.hpp>

namespace sinter::inline SINTER_ABI::codegen {
class graph;
}  // namespace sinter::inline SINTER_ABI::codegen

namespace sinter::inline SINTER_ABI::runtime {

struct program;
struct value;

/// The kernels that plans yet to be made will look for. What cannot be planned or compiled is left to who needs it, who
/// meets the same error. runtime_lock() is held.
class kernels_ahead {
public:
    /// Of a read of one value by itself, from what is stored now.
    void add(value& root);
    /// Of one read of several values.
    void add(codegen::span<value* const> roots);
    /// Of a program that has been collected and lowered for a device.
    void add(const program& p, const codegen::graph& g, device where);
    /// Makes those that this process does not have.
    void compile();

private:
    struct of_device {
        device where;
        codegen::sequence<codegen::kernel> kernels;
        codegen::sequence<sought_text> texts;
    };
    void plan(const program& p, const codegen::graph& g, device where);
    codegen::sequence<of_device> wanted_;
};

/// Where this thread's interpreter adds what it computes, or nullptr.
inline constinit thread_local kernels_ahead* interpreted_ahead = nullptr;

/// While it lives, what the interpreter computes for this thread is planned as well, as its device would compute it. So
/// a test that compares with the interpreter, or can afford it, knows the kernels of many computations before the first
/// one runs.
class interpret_ahead_scope {
public:
    explicit interpret_ahead_scope(kernels_ahead& to) : outer_(interpreted_ahead) { interpreted_ahead = &to; }
    ~interpret_ahead_scope() { interpreted_ahead = outer_; }
    interpret_ahead_scope(const interpret_ahead_scope&) = delete;
    interpret_ahead_scope& operator=(const interpret_ahead_scope&) = delete;

private:
    kernels_ahead* outer_;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/compile_ahead.ipp>
#endif

// Loops traced from expressions: statements over a state without a value become what one turn computes for one element.
#pragma once

#include <sinter/codegen/interpret/loop.hpp>
#include <sinter/runtime/lazy/value.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Records a loop: expressions of the state's parts say what a turn computes. While it lives, this thread's pending
/// statements are not run for being many.
class loop_trace {
public:
    /// `name`: of the function that users call, for messages and kernels.
    explicit loop_trace(const char* name);
    ~loop_trace();
    loop_trace(const loop_trace&) = delete;
    loop_trace& operator=(const loop_trace&) = delete;

    /// One more part of the state: an array that has no value.
    handle add_state(dtype type, const dims& shape, device where);

    /// What a turn reads besides the state: an array, or a number.
    struct constant {
        handle array;
        codegen::scalar_value number;
    };
    struct traced {
        const codegen::invocation* function;  ///< of the state, then of the constants
        codegen::sequence<constant> constants;
    };

    /// The loop that goes on while the condition holds. Throws type_error when a value that depends on the state is not
    /// computed element by element.
    traced finish(const handle& condition, std::span<const handle> next);

private:
    codegen::node_id node_of(value* v);
    codegen::node_id lower(const value& v);
    codegen::node_id add_constant(constant c, dtype type);
    bool depends_on_state(value* v);
    [[noreturn]] void throw_not_elementwise(const char* deed, const value& v) const;

    const char* name_;
    codegen::sequence<handle> states_;
    codegen::loop loop_;
    codegen::sequence<constant> constants_;
    /// Values that have been looked at: whether they depend on the state, and their nodes once there are some.
    struct seen {
        value* v;
        bool depends;
        codegen::node_id node;
    };
    codegen::sequence<seen> seen_;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/report/trace.ipp>
#endif

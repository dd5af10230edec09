// Loops traced from expressions: statements over a state without a value become what one turn computes for one element.
#pragma once

#include <sinter/codegen/base/number_map.hpp>
#include <sinter/codegen/interpret/loop.hpp>
#include <sinter/runtime/lazy/steps/recorded_turn.hpp>
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

    /// Whether all that depends on the state is computed element by element.
    bool is_elementwise(const handle& condition, codegen::span<const handle> next);
    /// The loop of such, which goes on while the condition holds.
    traced finish(const handle& condition, codegen::span<const handle> next);

    /// Results of a turn, to be recorded again over other states.
    recorded_turn turn(codegen::span<const handle> results) const;
    /// Throws type_error when the state, or something that depends on it, is still named elsewhere: what a condition or
    /// a body has left outside.
    void require_nothing_kept();

private:
    codegen::node_id node_of(value* v);
    codegen::node_id lower(const value& v);
    codegen::node_id add_constant(constant c, dtype type);
    std::uint32_t look_at(value* v);
    bool depends_on_state(value* v);

    const char* name_;
    std::uint64_t begin_ = 0;  ///< sequence of the first statement that may depend on the state
    codegen::sequence<handle> states_;
    codegen::loop loop_;
    codegen::sequence<constant> constants_;
    /// Values that have been looked at, each behind what it reads: whether they depend on the state, and their nodes
    /// once there are some.
    struct seen {
        value* v;
        bool depends;
        codegen::node_id node;
    };
    codegen::sequence<seen> seen_;
    codegen::number_map places_;  ///< from a value into those
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/report/trace.ipp>
#endif

// Operations on the elements of distributed values, untyped: operands as this rank computes with them, and results that
// stay open for the next operation.
#pragma once

#include <sinter/codegen/base/sequence.hpp>
#include <sinter/distributed/value.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// An operand: a number, a value that somebody holds, or one that is the operation's alone. An array that is given away
/// keeps its value until the operation is over, since it may stand on both sides.
class map_operand {
public:
    explicit map_operand(double given) : size(given) {}
    explicit map_operand(const distributed_ref& v) : held_(&v) {}
    explicit map_operand(distributed_ref* given_away) : held_(given_away), given_(given_away) {}
    explicit map_operand(distributed_ref&& made) : made_(std::move(made)) {}
    map_operand(const map_operand&) = delete;
    map_operand& operator=(const map_operand&) = delete;
    ~map_operand() {
        if (given_) given_->reset();
    }

    codegen::scalar_value number;  ///< as the operation takes it
    double size = 0;               ///< how large the number was before
    int converted = -1;            ///< the type to which a value is converted first, if it is

    /// The value, or nullptr of a number.
    distributed_value* value() const { return held().get(); }
    const distributed_ref& held() const { return held_ ? *held_ : made_; }
    /// Whether it is the operation's alone and has words, to which it may append.
    bool is_open() const { return given_ && (*given_)->open; }
    distributed_ref take() { return std::move(*given_); }

private:
    const distributed_ref* held_ = nullptr;
    distributed_ref* given_ = nullptr;
    distributed_ref made_;
};

/// What the elements of operands become: what `how` makes of them, or nothing but what they are converted to.
struct element_words {
    std::string_view name;  ///< in errors
    codegen::op how = codegen::op::positive;
    dtype result{};
    bool is_conversion = false;
};

/// Appends an operation to its first operand, where that is open, or begins an expression. Throws shape_error for
/// shapes that do not broadcast, and value_error for placements that differ.
distributed_ref apply_elements(const element_words& what, codegen::span<map_operand> operands);

/// The parts of operands that do not lie alike, or that a function of ordinary arrays is given, and how the result
/// lies.
struct planned_operands {
    codegen::sequence<handle> parts;  ///< of numbers empty
    session_ref session;
    distributed::map_plan plan;
    std::vector<std::string> moves;

    planned_operands(std::string_view name, distributed::operation_class c, codegen::span<const map_operand> operands);
    distributed_ref result(handle part) {
        return make_distributed(session, plan.shape, plan.result, std::move(part), std::move(moves));
    }
};

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/distributed/elements/element_operation.ipp>
#endif

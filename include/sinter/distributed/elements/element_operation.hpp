// Operations on the elements of distributed values, untyped: operands as this rank computes with them, and results that
// stay open for the next operation.
#pragma once

#include <sinter/distributed/value.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// An operand: a number, a value that somebody holds, or one that is the operation's alone.
class map_operand {
public:
    explicit map_operand(double given) : size(given) {}
    explicit map_operand(const distributed_ref& v) : named_(&v), value_(v.get()) {}
    explicit map_operand(distributed_ref&& v) : own_(std::move(v)), value_(own_.get()) {}

    codegen::scalar_value number;  ///< as the operation takes it
    double size = 0;               ///< how large the number was before
    int converted = -1;            ///< the type to which a value is converted first, if it is

    /// The value, or nullptr of a number.
    distributed_value* value() const { return value_; }
    const distributed_ref& held() const { return named_ ? *named_ : own_; }
    /// Whether the operation may append to it.
    bool is_open() const { return own_ && own_->open; }
    distributed_ref take() { return std::move(own_); }

private:
    const distributed_ref* named_ = nullptr;
    distributed_ref own_;
    distributed_value* value_ = nullptr;
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
distributed_ref apply_elements(const element_words& what, std::span<map_operand> operands);

/// The parts of operands that do not lie alike, or that a function of ordinary arrays is given, and how the result
/// lies.
struct planned_operands {
    std::vector<handle> parts;  ///< of numbers empty
    session_ref session;
    distributed::map_plan plan;
    std::vector<std::string> moves;

    planned_operands(std::string_view name, distributed::operation_class c, std::span<const map_operand> operands);
    distributed_ref result(handle part) {
        return make_distributed(session, plan.shape, plan.result, std::move(part), std::move(moves));
    }
};

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/distributed/elements/element_operation.ipp>
#endif

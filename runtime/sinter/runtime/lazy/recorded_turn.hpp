// Statements over values that stand for others, kept to be recorded again over those; must not know what repeats them.
#pragma once

#include <sinter/runtime/lazy/value.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// Some results as functions of stand-ins, values without elements: recorded once, and again over each turn's values.
class recorded_turn {
public:
    /// Copies the statements behind the results that depend on a stand-in, and those that are made of numbers alone.
    recorded_turn(std::span<const handle> stand_ins, std::span<const handle> results);
    ~recorded_turn();
    recorded_turn(const recorded_turn&) = delete;
    recorded_turn& operator=(const recorded_turn&) = delete;

    /// What else they read, the same in each turn: to be computed before.
    std::span<const handle> constants() const { return {constants_.data(), constants_.size()}; }
    /// The results over these values in the stand-ins' places: pending, constants or values that were given.
    codegen::sequence<handle> over(std::span<const handle> values) const;

private:
    /// A statement whose inputs are the stand-ins, the constants and the steps before it, counted in this order.
    struct step {
        dtype type;
        dims shape;
        device where;
        statement what;  ///< without its inputs
        codegen::sequence<std::uint32_t> inputs;
    };
    struct reached;

    static handle record(const step& s, codegen::sequence<value*>& inputs);

    codegen::sequence<handle> constants_;
    codegen::sequence<step> steps_;
    codegen::sequence<std::uint32_t> results_;
};

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/lazy/recorded_turn.ipp>
#endif

// The words of an expression; must not know values.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// A word of an expression in postfix order: an operation, or what it works on.
struct code {
    enum class what : std::uint8_t { input, scalar, literal, apply, cast, invoke, fast };
    what kind;
    // fast: what follows may be computed by fast, inexact functions
    std::uint8_t detail = 0;  ///< apply: the op · cast, scalar, literal: the dtype · invoke: which result
    std::uint16_t number =
        0;  ///< input, scalar: which · literal: the value, as a std::int16_t · invoke: of which invocation
    friend bool operator==(const code&, const code&) = default;
};

static_assert(sizeof(code) == 4);

}  // namespace sinter::inline SINTER_ABI::runtime

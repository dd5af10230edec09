// Expressions over distributed arrays that nobody has read or copied yet: words, to which the next operation appends
// its own instead of reading a statement's result; must not know placements.
#pragma once

#include <memory>
#include <sinter/array/record.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// What operations have been written down so far, in postfix order, and what they read.
struct open_expression {
    recorder words;
    codegen::sequence<handle> held;      ///< the inputs that the words name
    dims shape;                          ///< of this rank's part
    const std::string* label = nullptr;  ///< of the block where it was begun

    /// Words so many that operations behind them read their result.
    static constexpr std::size_t most_words = 64;

    /// Holds inputs that have been added; throws device_error when they live on different devices.
    void hold_inputs();
    /// The expression as a value, which is an input itself where there are no operations.
    handle close(dtype type) const;
    void flatten(recorder& into) const;
};

/// Gives an expression back to its thread, which keeps the memory of some.
struct end_of_expression {
    void operator()(open_expression* e) const noexcept;
};
using open_ref = std::unique_ptr<open_expression, end_of_expression>;

/// One without words; its shape is to be set.
open_ref begin_expression();
/// Whether statements may be recorded later than they are written: not where that would be seen.
bool may_stay_open();

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/distributed/elements/open_expression.ipp>
#endif

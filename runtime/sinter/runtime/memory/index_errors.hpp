// Errors of data, such as a bad index or a singular matrix, that a GPU reports after the work was enqueued, and the
// memory whose contents depend on them.
#pragma once

#include <exception>
#include <memory>
#include <sinter/codegen/ops/routine.hpp>
#include <sinter/codegen/base/sequence.hpp>
#include <sinter/runtime/base/process/call_place.hpp>
#include <sinter/runtime/device/device.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::runtime {

struct buffer;

/// Pinned words that one launch writes errors into, two per index: whether there was an error, and the index. Given
/// back when nothing depends on the launch any more.
class error_words {
public:
    error_words(device where, std::size_t indices);
    ~error_words();
    error_words(const error_words&) = delete;
    error_words& operator=(const error_words&) = delete;

    void* address() const;  ///< on the device
    /// Whether index number `i` was out of range; only after a wait for the device.
    bool is_set(std::uint32_t i) const;
    std::int64_t index(std::uint32_t i) const;

private:
    device where_;
    std::uint32_t first_, blocks_;
};

/// An index of a launch, and what to say when it is out of range; or the matrices of a call, and when one is unfit for
/// it.
struct index_check {
    static constexpr int in_position = -1, in_matrix = -2;

    std::shared_ptr<const error_words> words;
    std::uint32_t number;
    const char* operation;  ///< a literal
    int axis;  ///< or in_position: axis and index are in a codegen::bad_index, extents in `shape`; or in_matrix
    std::int64_t extent;
    dims shape;                                     ///< in_matrix: of the stack
    codegen::call_info call{};                      ///< in_matrix
    codegen::sequence<recorded_place> places = {};  ///< of the statements that it may be of, where that is kept

    /// The function that the error names.
    std::string_view function() const;
    /// What is wrong; only when the words are set.
    std::exception_ptr error() const;
};

/// The indices that decide whether the contents of a buffer mean anything.
struct index_checks {
    codegen::sequence<index_check> all;

    /// Adds another buffer's; indices that are there already are not added again.
    void add(const index_checks& more);
};

/// "[take] index 6 is out of bounds for axis 1 with size 6"
std::string index_error_text(std::string_view operation, std::int64_t index, int axis, std::int64_t extent);

/// Hangs checks on a buffer in place of its own. When there are many, waits for the device and keeps those that failed.
void depend_on(buffer& memory, device where, index_checks&& checks);

/// The error among a buffer's checks, or null; only after a wait for the device. Drops the checks when there is none.
std::exception_ptr index_error_of(buffer& memory);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/memory/index_errors.ipp>
#endif

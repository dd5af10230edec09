// The exception types of the library: what a user did wrong and what is our own fault are different types.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace sinter::inline SINTER_ABI {

/// Base of everything sinter throws; messages read `[operation] what is wrong: the values`.
struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
    /// Whether nothing more is said in what(): others may hold the error.
    bool is_complete() const noexcept { return is_complete_; }
    /// Says more at the end of what(), for the last time.
    void complete(const std::string& more = "") {
        if (!more.empty()) std::runtime_error::operator=(std::runtime_error(what() + more));
        is_complete_ = true;
    }

private:
    bool is_complete_ = false;
};

namespace codegen {

/// A complete error, to be kept and thrown to several.
template <class Error>
std::exception_ptr make_kept(Error why) {
    why.complete();
    return std::make_exception_ptr(std::move(why));
}

}  // namespace codegen

/// Shapes do not fit together, or data is ragged.
struct shape_error : error {
    using error::error;
};
/// What the elements of an array are wrong for, as far as it is found while computing: it belongs to the values that
/// depend on them, and is thrown where one of those is read.
struct data_error : error {
    using error::error;
};
/// An index or an axis is out of range.
struct index_error : data_error {
    using data_error::data_error;
};
/// An argument has a value that the operation does not accept.
struct value_error : error {
    using error::error;
};
/// An operation is not defined for these dtypes.
struct type_error : error {
    using error::error;
};
/// A matrix is singular, not positive definite, or an algorithm did not converge.
struct linalg_error : data_error {
    using data_error::data_error;
};
/// A file cannot be read or written, or its contents are malformed.
struct io_error : error {
    using error::error;
};
/// A generated kernel did not compile: a fault of sinter's own; carries the compiler's log and the numbered source.
struct compile_error : error {
    using error::error;
};
/// Memory ran out after pending work was run and the pool trimmed.
struct out_of_memory : error {
    using error::error;
};
/// A device or a library it needs is missing or failed.
struct device_error : error {
    using error::error;
};
/// An invariant of sinter itself does not hold: please report it.
struct internal_error : error {
    using error::error;
};

}  // namespace sinter::inline SINTER_ABI

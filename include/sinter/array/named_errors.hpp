// The name of a public function in errors of the functions that it consists of.
#pragma once

#include <sinter/codegen/base/error.hpp>

#include <string_view>

namespace sinter::inline SINTER_ABI::detail {

/// Throws the error that is being handled on, as the function's where it is about arguments and nothing was read.
[[noreturn]] void rethrow_named(std::string_view function);

/// What f returns, whose errors name the public function that was called.
template <class F>
decltype(auto) named_errors(std::string_view function, F&& f) {
    try {
        return f();
    } catch (const error&) {
        rethrow_named(function);
    }
}

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/array/named_errors.ipp>
#endif

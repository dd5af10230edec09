// Bodies of named_errors.hpp.
#pragma once

#include <sinter/array/named_errors.hpp>

#include <string>

namespace sinter::inline SINTER_ABI::detail {

template <class Error>
[[noreturn]] void throw_named(const Error& why, std::string_view function) {
    const std::string text = why.what();
    if (why.is_complete() || !text.starts_with('[')) throw;
    throw Error("[" + std::string(function) + text.substr(text.find(']')));
}

SINTER_INLINE void rethrow_named(std::string_view function) {
    try {
        throw;
    } catch (const shape_error& why) {
        throw_named(why, function);
    } catch (const index_error& why) {
        throw_named(why, function);
    } catch (const value_error& why) {
        throw_named(why, function);
    } catch (const type_error& why) {
        throw_named(why, function);
    }
}

}  // namespace sinter::inline SINTER_ABI::detail

// What a call throws, as text; must not know what is tested.
#pragma once

#include <sinter/codegen/base/error.hpp>
#include <string>

namespace test_messages {

/// The message of the error that f throws; empty where it throws none.
template <class F>
std::string message_of(F f) {
    try {
        f();
    } catch (const sinter::error& e) {
        return e.what();
    }
    return "";
}

}  // namespace test_messages

// Calls of functions as graphs hold them, for tests that have texts and no arrays.
#pragma once

#include <sinter/codegen/graph/graph.hpp>
#include <utility>

/// A call of a function by types; what it would run on the host is never run.
inline sinter::codegen::invocation make_invocation(const sinter::codegen::definition& d,
                                                   sinter::codegen::sequence<sinter::dtype> parameters,
                                                   sinter::codegen::sequence<sinter::dtype> results) {
    sinter::codegen::invocation f;
    f.function = &d;
    f.is_bundle = results.size() > 1;
    f.parameters = std::move(parameters);
    f.results = std::move(results);
    f.call = [](const void* const*, void* const*) {};
    return f;
}

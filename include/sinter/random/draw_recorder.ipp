// Bodies of draw_recorder.hpp.
#pragma once

#include <sinter/random/draw_recorder.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::detail {

// A tile is a loop of `first`, which fills vectors and gives NaN where it does not know, and one of the function.
SINTER_INLINE const codegen::invocation& find_drawing_function(const char* name, double cost, const char* first,
                                                               codegen::sequence<dtype> types, dtype result,
                                                               void (*call)(const void* const* args,
                                                                            void* const* results)) {
    auto* d = new codegen::definition;
    const std::string called = "scalar::" + std::string(name);
    std::string parameters, pointers, args, elements;
    for (std::size_t i = 0; i < types.size(); ++i) {
        constexpr const char* names[] = {"index", "seed", "stream", "a", "b", "c", "d"};
        const std::string type = codegen::type_text(types[i]), between = i > 0 ? ", " : "", is = names[i];
        parameters += between + type + " " + is;
        pointers += "const " + type + "* " + is + ", ";
        args += between + is;
        elements += between + is + "[l]";
    }
    d->name = name;
    d->text = "(" + parameters + ") { return " + called + "(" + args + "); }";
    if (first)
        d->tile = "(" + pointers + codegen::type_text(result) +
                  "* __restrict to, int m) { for (int l = 0; l < m; ++l) to[l] = scalar::" + first + "(" + elements +
                  "); for (int l = 0; l < m; ++l) if (to[l] != to[l]) to[l] = " + called + "(" + elements + "); }";
    d->identity = "sinter::" + d->name + d->text + d->tile;
    d->cost = cost;
    d->resolved = true;
    return runtime::find_invocation({0, d, std::move(types), {result}, false, false, call});
}

}  // namespace sinter::inline SINTER_ABI::detail

SINTER_COLD_END

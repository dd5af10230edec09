// Bodies of function_calls.hpp.
#pragma once

#include <sinter/codegen/ops/libm.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/print/function_calls.hpp>
#include <sinter/codegen/print/function_parts.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE bool may_vectorize(const invocation& f) {
    if (f.function->cost >= expensive_function || f.function->is_loop) return false;
    function_parts parts;
    add_parts(parts, f.function);
    bool any = false;
    for (const std::string& name : parts.math)
        scan_identifiers(
            info(operation_named(name)).form,
            [&](std::string_view w, bool called) { any = any || (called && (is_libm_vector(w) || w == "power")); },
            [](char) {});
    return any;
}

// The arguments of a call, each with a comma after it; of a loop those that its text takes, or the others.
SINTER_INLINE std::string arguments_text(const invocation& called, const sequence<std::string>& args, bool around) {
    std::string s;
    for (std::size_t a = 0; a < args.size(); ++a) {
        if (!called.around.empty() && (called.around[a] != 0) != around) continue;
        dtype t = called.parameters[a];
        if (called.is_whole(a)) {
            std::string type = (is_complex(t) ? "functions::" : "") + type_text(t);
            s += "functions::array_view<" + type + ", " + std::to_string(called.ranks[a]) + ">{" +
                 (is_complex(t) ? "(const " + type + "*)" : "") + args[a];
            for (int axis = 0, rank = called.ranks[a]; axis < rank; ++axis)
                s += std::string(axis ? ", " : ", {") + "(functions::view_index)" + args[++a];
            s += "}}, ";
            continue;
        }
        // Where arguments decide the parameters' types they must be those of the host.
        if (called.is_generic && is_complex(t)) s += "(functions::" + type_text(t) + ")";
        if (called.is_generic && is_integer(t) && size_of(t) == 8)
            s += t == dtype::int64 ? "(long)" : "(unsigned long)";
        s += args[a] + ", ";
    }
    return s;
}

SINTER_INLINE std::string call_text(const kernel& k, const instruction& i, const sequence<std::string>& args) {
    const invocation& called = *k.invocations[i.payload];
    std::string name = called.function->is_loop ? "operation" : "functions::" + parts_of(k).name_of(called.function);
    std::string list = arguments_text(called, args, false);
    return name + "(" + list.substr(0, list.size() - (list.empty() ? 0 : 2)) + ")";
}

SINTER_INLINE std::string around_text(const kernel& k, const sequence<std::string>& args) {
    const invocation& called = *k.invocations[call_around(k)->payload];
    return "functions::" + parts_of(k).name_of(called.function) + "(" + arguments_text(called, args, true) +
           "[&](const auto& operation) {";
}

SINTER_INLINE std::string result_names(const invocation& f, const std::string& name) {
    std::string names;
    for (std::size_t r = 0; r < f.results.size(); ++r) names += (r ? ", " : "") + name + "_" + std::to_string(r);
    return names;
}

SINTER_INLINE std::string call_statement(const kernel& k, const instruction& i, const sequence<std::string>& args,
                                         const std::string& target, const std::string& name) {
    const invocation& called = *k.invocations[i.payload];
    if (!called.is_bundle) return target + " = " + call_text(k, i, args) + ";";
    return "const auto [" + result_names(called, name) + "] = " + call_text(k, i, args) + ";";
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

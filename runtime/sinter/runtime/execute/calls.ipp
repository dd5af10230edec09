// Bodies of calls.hpp: the way to those of routines.hpp, which only a program that records a call has.
#pragma once

#include <sinter/codegen/interpret/interpret.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/base/on_demand.hpp>
#include <sinter/runtime/execute/calls.hpp>
#include <sinter/runtime/execute/routines.hpp>

#include <cstdio>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE bool may_be_quick(const codegen::library_call& c, device where) {
    const std::int64_t most = code_backend_of(where).most_quick_elements;
    bool is_large = c.shape.product() > most;
    for (const codegen::place& a : c.args) is_large = is_large || a.at.shape.product() > most;
    return !is_large;
}

SINTER_INLINE void show_call(const codegen::library_call& c, const std::string& label) {
    if (env().shows("launch"))
        std::fprintf(stderr, "[launch] %s%s%s %s\n", label.c_str(), label.empty() ? "" : ": ",
                     to_string(c.call).c_str(), to_string(c.shape).c_str());
}

struct call_functions {
    codegen::sequence<codegen::kernel_source> (*texts)(const codegen::library_call&, const codegen::plan&, device);
    prepared_call (*prepare)(const codegen::library_call&, const codegen::plan&, device);
    void (*run)(const prepared_call&, const codegen::library_call&, const codegen::plan&,
                const codegen::sequence<void*>&, void*, device, codegen::sequence<index_check>&, double);
    codegen::call_function on_host;

    static constexpr const char* name = "use_calls";
    static const call_functions& all();
};

SINTER_INLINE const call_functions& call_functions::all() {
    static constexpr call_functions functions{texts_of_routine, prepare_routine, run_routine, routine_on_host};
    return functions;
}

SINTER_INLINE void use_calls() { on_demand<call_functions>::bring(); }

SINTER_INLINE codegen::sequence<codegen::kernel_source> texts_of_call(const codegen::library_call& c,
                                                                      const codegen::plan& p, device where) {
    return on_demand<call_functions>::get().texts(c, p, where);
}

SINTER_INLINE codegen::sequence<sought_text> texts_of_calls(const codegen::plan& p, device where) {
    codegen::sequence<sought_text> texts;
    for (const codegen::library_call& c : p.calls)
        for (codegen::kernel_source& text : texts_of_call(c, p, where))
            texts.push_back({std::move(text), may_be_quick(c, where)});
    return texts;
}

SINTER_INLINE prepared_call prepare_call(const codegen::library_call& c, const codegen::plan& p, device where) {
    return on_demand<call_functions>::get().prepare(c, p, where);
}

SINTER_INLINE void run_call(const prepared_call& r, const codegen::library_call& c, const codegen::plan& p,
                            const codegen::sequence<void*>& memory, void* workspace, device where,
                            codegen::sequence<index_check>& checks, double factor) {
    on_demand<call_functions>::get().run(r, c, p, memory, workspace, where, checks, factor);
}

SINTER_INLINE void call_on_host(const codegen::graph& g, codegen::node_id n, const void* const* args, void* out) {
    on_demand<call_functions>::get().on_host(g, n, args, out);
}

}  // namespace sinter::inline SINTER_ABI::runtime

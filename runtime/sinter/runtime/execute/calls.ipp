// Bodies of calls.hpp: the way to those of routines.hpp, which only a program that records a call has.
#pragma once

#include <sinter/codegen/interpret/interpret.hpp>
#include <sinter/runtime/base/environment.hpp>
#include <sinter/runtime/execute/calls.hpp>
#include <sinter/runtime/execute/routines.hpp>

#include <atomic>
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
};

SINTER_INLINE std::atomic<const call_functions*>& calls_in_use() {
    static std::atomic<const call_functions*> functions{nullptr};
    return functions;
}

SINTER_INLINE const call_functions& functions_of_calls() {
#if !SINTER_HEADER_ONLY
    // What is compiled once has them in any case, and an array may come from a library that has sinter of its own.
    use_calls();
#endif
    const call_functions* const functions = calls_in_use().load(std::memory_order_acquire);
    if (!functions) throw internal_error("[call] a routine without use_calls()");
    return *functions;
}

SINTER_INLINE void use_calls() {
    static constexpr call_functions functions{texts_of_routine, prepare_routine, run_routine, routine_on_host};
    std::atomic<const call_functions*>& in_use = calls_in_use();
    // Threads that record read one cache line, and do not take it from each other.
    if (in_use.load(std::memory_order_relaxed) != &functions) in_use.store(&functions, std::memory_order_release);
}

SINTER_INLINE codegen::sequence<codegen::kernel_source> texts_of_call(const codegen::library_call& c,
                                                                      const codegen::plan& p, device where) {
    return functions_of_calls().texts(c, p, where);
}

SINTER_INLINE codegen::sequence<sought_text> texts_of_calls(const codegen::plan& p, device where) {
    codegen::sequence<sought_text> texts;
    for (const codegen::library_call& c : p.calls)
        for (codegen::kernel_source& text : texts_of_call(c, p, where))
            texts.push_back({std::move(text), may_be_quick(c, where)});
    return texts;
}

SINTER_INLINE prepared_call prepare_call(const codegen::library_call& c, const codegen::plan& p, device where) {
    return functions_of_calls().prepare(c, p, where);
}

SINTER_INLINE void run_call(const prepared_call& r, const codegen::library_call& c, const codegen::plan& p,
                            const codegen::sequence<void*>& memory, void* workspace, device where,
                            codegen::sequence<index_check>& checks, double factor) {
    functions_of_calls().run(r, c, p, memory, workspace, where, checks, factor);
}

SINTER_INLINE void call_on_host(const codegen::graph& g, codegen::node_id n, const void* const* args, void* out) {
    functions_of_calls().on_host(g, n, args, out);
}

}  // namespace sinter::inline SINTER_ABI::runtime

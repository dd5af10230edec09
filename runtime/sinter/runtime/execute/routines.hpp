// What computes the routines of a plan, for calls.hpp, which knows whether a program has any.
#pragma once

#include <sinter/runtime/execute/calls.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// As texts_of_call, prepare_call, run_call and call_on_host.
codegen::sequence<codegen::kernel_source> texts_of_routine(const codegen::library_call& c, const codegen::plan& p,
                                                           device where);
prepared_call prepare_routine(const codegen::library_call& c, const codegen::plan& p, device where);
void run_routine(const prepared_call& r, const codegen::library_call& c, const codegen::plan& p,
                 const codegen::sequence<void*>& memory, void* workspace, device where,
                 codegen::sequence<index_check>& checks, double factor);
void routine_on_host(const codegen::graph& g, codegen::node_id n, const void* const* args, void* out);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/execute/routines.ipp>
#endif

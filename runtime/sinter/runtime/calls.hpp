// Runs the routines of a plan: products by a library, sorts by kernels of their own; must not know arrays.
#pragma once

#include <sinter/codegen/fuse.hpp>
#include <sinter/runtime/memory_pool.hpp>
#include <sinter/runtime/order.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// What every run of a call shares.
struct prepared_call {
    prepared_order order;
    std::int64_t room = 0;  ///< bytes of memory that it needs besides its operands
};

/// Compiles what a call needs; throws what that throws.
prepared_call prepare_call(const codegen::library_call& c, const codegen::plan& p, device where);

/// Computes a call; on a GPU it returns when the work is enqueued.
void run_call(const prepared_call& r, const codegen::library_call& c, const codegen::plan& p,
              const codegen::sequence<buffer_ref>& memory, const buffer_ref& room, device where);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/calls.ipp>
#endif

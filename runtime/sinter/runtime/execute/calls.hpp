// Runs the routines of a plan: products, linear algebra and Fourier transforms by libraries, sorts,
// selections, scatters and counts by kernels of their own; must not know arrays.
#pragma once

#include <sinter/codegen/fuse/fuse.hpp>
#include <sinter/runtime/library/count.hpp>
#include <sinter/runtime/library/scatter.hpp>
#include <sinter/runtime/library/fourier.hpp>
#include <sinter/runtime/library/order/selection.hpp>
#include <sinter/runtime/memory/index_errors.hpp>
#include <sinter/runtime/library/linalg/linalg.hpp>
#include <sinter/runtime/memory/memory_pool.hpp>
#include <sinter/runtime/library/order/sort.hpp>
#include <sinter/runtime/library/tensor/cutensor.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// What every run of a call shares.
struct prepared_call {
    prepared_sort order;
    prepared_selection selection;
    prepared_scatter scatter;
    prepared_count count;
    prepared_linalg linalg;
    prepared_fourier fourier;
    prepared_contraction contraction;
    cuda_kernel small_products;  ///< of a product of small matrices
    cuda_kernel tiled_products;  ///< of a product of integers
    cuda_kernel list_matrices;   ///< of a product without one stride from matrix to matrix
    std::int64_t workspace = 0;  ///< bytes of memory that it needs besides its operands
};

/// The texts that prepare_call looks for, as far as they are known without a library.
codegen::sequence<codegen::kernel_source> texts_of_call(const codegen::library_call& c, const codegen::plan& p,
                                                        device where);
/// Those of all calls of a plan.
codegen::sequence<sought_text> texts_of_calls(const codegen::plan& p, device where);
/// Whether a run of a call may go with quick code.
bool may_be_quick(const codegen::library_call& c, device where);
/// Compiles what a call needs; throws what that throws.
prepared_call prepare_call(const codegen::library_call& c, const codegen::plan& p, device where);

/// SINTER_SHOW=launch: the call, behind what the user calls what it computes.
void show_call(const codegen::library_call& c, const std::string& label);

/// Computes a call with the addresses of the plan's slots; on a GPU it returns when the work is enqueued, and says what
/// has to hold of the indices in `checks`. `factor` is the number that a product is multiplied by. Throws index_error
/// and linalg_error on the host.
void run_call(const prepared_call& r, const codegen::library_call& c, const codegen::plan& p,
              const codegen::sequence<void*>& memory, void* workspace, device where,
              codegen::sequence<index_check>& checks, double factor = 1);

/// To be called before a call is recorded: programs that record none are not to compile what computes them.
void use_calls();

/// A codegen::call_function: linear algebra by the host's library, all else by codegen::call_reference.
void call_on_host(const codegen::graph& g, codegen::node_id n, const void* const* args, void* out);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/execute/calls.ipp>
#endif

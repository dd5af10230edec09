// Runs the linear algebra routines of a plan, on stacks of matrices that lie by columns; must not know arrays.
#pragma once

#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/schedule/plan.hpp>
#include <sinter/runtime/library/linalg/linalg_task.hpp>
#include <sinter/runtime/memory/index_errors.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// The task of a call; throws value_error where the library counts in 32 bits and that is not enough.
linalg_task task_of(const codegen::library_call& c, const codegen::plan& p);

/// What is compiled for a call, as far as it is known before a library answers.
codegen::sequence<codegen::kernel_source> texts_of_linalg(const codegen::library_call& c, const codegen::plan& p,
                                                          device where);

/// Finds the functions, and asks how much room they need. Throws device_error naming what to install.
prepared_linalg prepare_linalg(const codegen::library_call& c, const codegen::plan& p, device where);

/// Runs a routine on arrays at these addresses. On the host it throws linalg_error for the first matrix that it fails
/// for; on a GPU it returns when the work is enqueued, and says what has to hold in `checks`.
void run_linalg(const prepared_linalg& r, device where, char* const* arrays, char* workspace,
                codegen::sequence<index_check>& checks);

/// The functions above, once a routine was recorded: programs that record none are not to compile them.
struct linalg_functions {
    codegen::sequence<codegen::kernel_source> (*texts)(const codegen::library_call&, const codegen::plan&, device);
    prepared_linalg (*prepare)(const codegen::library_call&, const codegen::plan&, device);
    void (*run)(const prepared_linalg&, device, char* const*, char*, codegen::sequence<index_check>&);

    static constexpr const char* name = "use_linalg";
    static const linalg_functions& all();
};
/// To be called before a routine is recorded.
void use_linalg();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/linalg/linalg.ipp>
#endif

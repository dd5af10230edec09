// Linear algebra routines by the system's LAPACK; must not know GPUs.
#pragma once

#include <sinter/codegen/ops/routine.hpp>
#include <string_view>

namespace sinter::inline SINTER_ABI::runtime {

struct linalg_task;
struct prepared_linalg;

/// What routines.def says of a routine here: the functions that it calls, for real and for complex matrices, and
/// whether they are asked how much memory they work in.
struct lapack_names {
    enum work { none, asked };
    std::string_view real, complex;
    work wants;
};
const lapack_names& names_in_lapack(codegen::routine r);

/// Finds LAPACK's functions, and asks them how much memory they need. Throws device_error naming what to install.
prepared_linalg prepare_lapack(const linalg_task& t);

/// Runs a routine on the arrays at these addresses; throws linalg_error for the first matrix that it fails for.
void run_lapack(const prepared_linalg& r, char* const* arrays, char* workspace);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/linalg/lapack.ipp>
#endif

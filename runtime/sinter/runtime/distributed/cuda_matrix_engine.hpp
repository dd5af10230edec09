// The routines of a matrix_engine by cuSOLVERMp and cuBLASMp, for ranks that NCCL links; must not know arrays.
#pragma once

#include <memory>
#include <sinter/codegen/base/config.hpp>
#include <string_view>

namespace sinter::inline SINTER_ABI::distributed {

class communicator;
class matrix_engine;

/// The engine of ranks with a GPU each, on the grid that grid_of gives. What the libraries do not do throws
/// device_error with the function's name and their status. Throws device_error where a library is not there, with what
/// to install, and where ranks are not linked by NCCL.
std::shared_ptr<matrix_engine> make_cuda_matrix_engine(std::string_view operation, communicator& link);

}  // namespace sinter::inline SINTER_ABI::distributed

#if SINTER_HEADER_ONLY
#include <sinter/runtime/distributed/cuda_matrix_engine.ipp>
#endif

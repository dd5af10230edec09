// What the parts of the emulated libcusolver.so share: the handle and its queue.
#pragma once

#include <cusolverDn.h>

#include <algorithm>
#include <vector>

#include "library_calls.hpp"

namespace cuda_emulation {

struct emulated_handle {
    cudaStream_t stream = nullptr;
};

constexpr int work_elements = 64;  // what the buffer-size functions answer: too little memory shows

inline cusolverStatus_t enqueue(cusolverDnHandle_t h, std::function<void()> work) {
    return enqueue_work(reinterpret_cast<emulated_handle*>(h)->stream, std::move(work))
               ? CUSOLVER_STATUS_SUCCESS
               : CUSOLVER_STATUS_EXECUTION_FAILED;
}

inline std::int64_t span(std::int64_t columns, std::int64_t leading, std::int64_t rows) {
    return columns ? (columns - 1) * leading + rows : 0;
}

inline cusolverStatus_t answer(int* lwork) {
    *lwork = work_elements;
    return CUSOLVER_STATUS_SUCCESS;
}

inline cudaDataType real_type(cudaDataType t) {
    return t == CUDA_C_32F ? CUDA_R_32F : t == CUDA_C_64F ? CUDA_R_64F : t;
}

}  // namespace cuda_emulation

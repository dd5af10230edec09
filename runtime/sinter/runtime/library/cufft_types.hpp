// What Fourier transforms need of cuFFT as function types of plain C; must not include its headers.
#pragma once

#include <cstddef>
#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// cuFFT's functions, enumerations being int, streams and memory void; fourier_check.hpp compares with the toolkit's
/// headers.
struct cufft_types {
    using create = int(int* plan);
    using destroy = int(int plan);
    using set_auto_allocation = int(int plan, int on);
    using set_stream = int(int plan, void* stream);
    using set_work_area = int(int plan, void* workspace);
    using make_plan = int(int plan, int rank, long long* n, long long* inembed, long long istride, long long idist,
                          int in_type, long long* onembed, long long ostride, long long odist, int out_type,
                          long long batch, std::size_t* work, int execution_type);
    using execute = int(int plan, void* from, void* to, int direction);
};

struct cufft_constants {
    static constexpr int success = 0, alloc_failed = 2, forward = -1, inverse = 1;
    static constexpr int float16 = 2, float32 = 0, float64 = 1, complex32 = 6, complex64 = 4, complex128 = 5;
};

}  // namespace sinter::inline SINTER_ABI::runtime

// What contractions need of cuTENSOR as function types of plain C; must not include its headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::runtime {

/// cuTENSOR's functions (version 2), enumerations being int, handles, descriptors and streams void*.
struct cutensor_types {
    using create = int(void** handle);
    using create_tensor = int(void* handle, void** tensor, std::uint32_t modes, const std::int64_t* extent,
                              const std::int64_t* stride, int type, std::uint32_t alignment);
    using destroy = int(void* descriptor);
    using create_contraction = int(void* handle, void** operation, void* a, const std::int32_t* modes_a, int with_a,
                                   void* b, const std::int32_t* modes_b, int with_b, void* c,
                                   const std::int32_t* modes_c, int with_c, void* d, const std::int32_t* modes_d,
                                   void* compute);
    using create_preference = int(void* handle, void** preference, int algorithm, int compiles);
    using estimate_workspace = int(void* handle, void* operation, void* preference, int how, std::uint64_t* bytes);
    using create_plan = int(void* handle, void** plan, void* operation, void* preference, std::uint64_t workspace);
    using plan_attribute = int(void* handle, void* plan, int what, void* value, std::size_t bytes);
    using contract = int(void* handle, void* plan, const void* alpha, const void* a, const void* b, const void* beta,
                         const void* c, void* d, void* workspace, std::uint64_t bytes, void* stream);
    using error_text = const char*(int status);
};

struct cutensor_constants {
    static constexpr int success = 0, alloc_failed = 3;
    static constexpr int identity = 1, default_algorithm = -1, never_compiles = 0, default_workspace = 2,
                         required_workspace = 0;
    static constexpr int float16 = 2, bfloat16 = 14, float32 = 0, float64 = 1, complex64 = 4, complex128 = 5;
};

}  // namespace sinter::inline SINTER_ABI::runtime

// Contractions of arrays by cuTENSOR on CUDA devices, where it is installed; must not know arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <sinter/codegen/schedule/plan.hpp>
#include <sinter/runtime/device/device.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::runtime {

/// A contraction that cuTENSOR has planned.
struct contraction_plan {
    std::shared_ptr<void> plan;
    std::uint32_t alignment = 0;  ///< in bytes, that the operands' addresses have
    std::int64_t workspace = 0;   ///< bytes of memory that it needs besides its operands
};

/// What every run of a contraction shares.
struct prepared_contraction {
    contraction_plan usual;                               ///< for memory that lies as whole allocations do
    mutable codegen::sequence<contraction_plan> unusual;  ///< for less aligned memory, as runs met it
};

/// Whether contractions run on a device: it has CUDA, and cuTENSOR 2 is found and takes it; otherwise `why` says
/// why not.
bool cutensor_available(device where, std::string* why = nullptr);

/// Plans a call of routine::contract of a type. Throws device_error, out_of_memory.
prepared_contraction prepare_contraction(const codegen::library_call& c, dtype type, device where);

/// Enqueues it: `to` becomes the sums. Memory that lies less aligned than what was planned for is planned for once.
void run_contraction(const prepared_contraction& r, const codegen::library_call& c, dtype type, device where,
                     const void* a, const void* b, void* to, void* workspace);

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/library/tensor/cutensor.ipp>
#endif

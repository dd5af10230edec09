// The numbers that a GPU's schedules are tuned with, one row per family of devices; none of them changes the order in which a
// reduction combines, and so no result.
#pragma once

#include <sinter/codegen/config.hpp>

#include <cstdint>

namespace sinter::inline SINTER_ABI::codegen {

/// How a map is spread over threads.
struct map_schedule {
    int vector_bytes = 16;      ///< that one thread loads or stores at once
    int wide_tile = 64;         ///< side of the square tiles in which operands of up to 4 bytes are transposed
    int narrow_tile = 32;       ///< the same for larger ones, or where wide tiles take too much shared memory
    int shared_bytes = 48 << 10;  ///< that a kernel may use without asking
    std::uint32_t long_body = 96;  ///< instructions of a body that is limited by arithmetic: one element per thread
    std::uint32_t packed_body = 256;  ///< instructions of all the elements that one thread computes at once
};

/// Data-centre devices: compute capability 8.0, 9.0, 10.0. Measured on one H200, 2^29 elements: one 16-byte load per thread
/// and one tile per thread block move 4280 to 4470 GB/s, four 4-byte loads 4230 to 4490, one 4-byte load 2570 to 4200, loops
/// over the grid 5 to 15 % less. The tiles are reckoned, not measured: 32 loads of 4 bytes by each of 1024 threads are 128 KiB
/// in flight per multiprocessor, where 48 KiB hide its memory's latency; 256 bytes of a row at once fill two of its pages'
/// bursts.
inline constexpr map_schedule data_center_maps{};

/// Others: half the bytes in flight hide the latency of their slower memory. Not measured.
inline constexpr map_schedule other_maps{.wide_tile = 32};

/// The row for a compute capability.
constexpr const map_schedule& map_schedule_of(int major, int minor) {
    return minor == 0 && major >= 8 && major < 12 ? data_center_maps : other_maps;
}

}  // namespace sinter::inline SINTER_ABI::codegen

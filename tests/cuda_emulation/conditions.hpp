// Conditions of WHILE nodes on an emulated machine, and the one kernel of PTX that sets them; must not know graphs.
#pragma once

#include "kernel_interface.hpp"

#include <cstdint>
#include <cstring>
#include <map>

namespace cuda_emulation {

/// By handle.
inline std::map<std::uint64_t, unsigned>& conditions() {
    static std::map<std::uint64_t, unsigned>& c = *new std::map<std::uint64_t, unsigned>;
    return c;
}

// What set_condition of runtime/device/cuda_graph.ipp does: its handle, the turns left, the bool, the turns to begin
// with.
inline void run_set_condition(void** arguments) {
    std::uint64_t handle = 0;
    unsigned *left = nullptr, begin = 0;
    const unsigned char* condition = nullptr;
    std::memcpy(&handle, arguments[0], sizeof handle);
    std::memcpy(&left, arguments[1], sizeof left);
    std::memcpy(&condition, arguments[2], sizeof condition);
    std::memcpy(&begin, arguments[3], sizeof begin);
    *left = begin != 0 ? begin : *left - 1;
    conditions()[handle] = *left != 0 && (!condition || *condition);
}

inline const entry& set_condition_entry() {
    static const unsigned sizes[] = {8, 8, 8, 4};
    static const bool pointers[] = {false, true, true, false};
    static const entry e{4, sizes, pointers, nullptr, run_set_condition};
    return e;
}

}  // namespace cuda_emulation

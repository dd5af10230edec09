// Bodies of cupy.hpp.
#pragma once

#include <sinter/codegen/base/owner.hpp>
#include <sinter/random/cupy.hpp>
#include <sinter/random/random.hpp>
#include <sinter/runtime/base/environment.hpp>

namespace sinter::inline SINTER_ABI::random::cupy {

SINTER_INLINE codegen::owner<curand>& state_of_device() {
    static thread_local codegen::sequence<std::pair<device, codegen::owner<curand>>> all;
    const device here = runtime::current_device();
    for (auto& [where, state] : all)
        if (where == here) return state;
    all.push_back({here, nullptr});
    return all.back().second;
}

SINTER_INLINE curand& get_random_state() {
    codegen::owner<curand>& state = state_of_device();
    if (!state)
        state = codegen::owner(
            new curand(curand::xorwow, runtime::env().seed ? *runtime::env().seed : generator().state().seed));
    return *state;
}

SINTER_INLINE void seed(std::uint64_t value) { state_of_device() = codegen::owner(new curand(curand::xorwow, value)); }

}  // namespace sinter::inline SINTER_ABI::random::cupy

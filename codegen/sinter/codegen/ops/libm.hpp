// The rows of libm.def: which functions of C's mathematical library there are; must not call them.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <cstdint>
#include <string_view>

namespace sinter::inline SINTER_ABI::codegen {

enum class libm_parameters : std::uint8_t { one, two, three, scaled };
enum class libm_bits : std::uint8_t { exact, own, vector, device_float, written, written_float, written_near };
enum class libm_standard : std::uint8_t { same, other, fused };

/// A row of libm.def.
struct libm_function {
    std::string_view name;
    libm_parameters parameters;
    libm_bits bits;
    libm_standard standard;
    constexpr bool has_vector_form() const { return bits >= libm_bits::vector; }
    /// Whether kernels of CPUs have a function of scalar_random.def for this type in place of the vector form.
    constexpr bool is_written(bool single) const {
        return bits == libm_bits::written || bits == libm_bits::written_near ||
               (single && bits == libm_bits::written_float);
    }
    /// Whether kernels of GPUs have a function of scalar_special.def for floats in place of CUDA's.
    constexpr bool is_of_device() const { return bits == libm_bits::device_float; }
};

inline constexpr libm_function libm_functions[] = {
#define SINTER_LIBM(name, parameters, bits, standard) \
    {#name, libm_parameters::parameters, libm_bits::bits, libm_standard::standard},
#include <sinter/codegen/ops/libm.def>
#undef SINTER_LIBM
};

/// The row of a name, or nullptr.
constexpr const libm_function* find_libm(std::string_view name) {
    for (const libm_function& f : libm_functions)
        if (f.name == name) return &f;
    return nullptr;
}

/// Whether the function has a vector form.
constexpr bool is_libm_vector(std::string_view name) {
    const libm_function* f = find_libm(name);
    return f && f->has_vector_form();
}

}  // namespace sinter::inline SINTER_ABI::codegen

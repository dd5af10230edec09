// What Fourier transforms record: operands brought to size, as few calls over several axes as possible, a factor.
#pragma once

#include <sinter/functions/joining.hpp>

#include <optional>

namespace sinter::inline SINTER_ABI::fft {

/// Which direction divides by the number of points (numpy.fft's norm): the inverse one, both by its root, the forward
/// one.
enum class norm : std::uint8_t { backward, ortho, forward };
/// The same by its name too: "backward", "ortho" or "forward"; throws value_error for another one.
class norm_name {
public:
    constexpr norm_name(norm n) : value_(n) {}
    norm_name(const char* name);
    constexpr operator norm() const { return value_; }

private:
    norm value_;
};

}  // namespace sinter::inline SINTER_ABI::fft

namespace sinter::inline SINTER_ABI::detail {

/// What a transform does besides its axes.
struct fourier_request {
    std::string_view operation;
    codegen::routine what = codegen::routine::fft;
    bool inverse = false;
    fft::norm how = fft::norm::backward;
    bool fresh = false;  ///< the operand is an expression, which a kernel writes for the transform alone
};

/// Along one axis, of `n` points (of the result's where that is real), by default as many as there are.
handle record_fourier(const fourier_request& r, const handle& x, std::optional<std::int64_t> n, int axis);
/// Along several axes, by default the last ones that `s` has sizes for, or all.
handle record_fourier(const fourier_request& r, const handle& x, const std::optional<dims>& s,
                      const std::optional<dims>& axes);
/// Rolled by half of each axis, by default of all: rounded down, or up for the inverse.
handle record_fftshift(std::string_view operation, const handle& x, const std::optional<dims>& axes, bool inverse);

/// 1 / (n d); throws value_error unless n > 0 and d is not zero.
double frequency_step(std::string_view operation, std::int64_t n, double d);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/fft/record_fft.ipp>
#endif

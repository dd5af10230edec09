// Fourier transforms of distributed arrays, by exchanging axes where the lines are split.
#pragma once

#include <sinter/distributed/functions.hpp>
#include <sinter/fft/fft.hpp>

namespace sinter::inline SINTER_ABI::fft {

#define SINTER_DISTRIBUTED_TRANSFORM(name)                                                                        \
    template <class T>                                                                                            \
    auto name(const distributed::array<T>& x, int axis = -1) {                                                    \
        return distributed::lines(                                                                                \
            #name, x, axis, [axis](const auto& part) { return name(part, axis_options{.n = {}, .axis = axis}); }, \
            distributed::operation_class::fourier);                                                               \
    }
/// The transform along one axis and its inverse (numpy.fft.fft, numpy.fft.ifft). Along the split axis the array is
/// split along another one meanwhile, by two exchanges of all ranks; an array of one axis is gathered meanwhile.
SINTER_DISTRIBUTED_TRANSFORM(fft)
SINTER_DISTRIBUTED_TRANSFORM(ifft)
#undef SINTER_DISTRIBUTED_TRANSFORM

/// The transform along the last two axes (numpy.fft.fft2).
template <class T>
auto fft2(const distributed::array<T>& x) {
    return fft(fft(x, -1), -2);
}
/// Its inverse (numpy.fft.ifft2).
template <class T>
auto ifft2(const distributed::array<T>& x) {
    return ifft(ifft(x, -1), -2);
}
/// The transform along all axes (numpy.fft.fftn).
template <class T>
auto fftn(const distributed::array<T>& x) {
    auto y = fft(x, -1);
    for (int axis = x.ndim() - 1; axis-- > 0;) y = fft(y, axis);
    return y;
}
/// Its inverse (numpy.fft.ifftn).
template <class T>
auto ifftn(const distributed::array<T>& x) {
    auto y = ifft(x, -1);
    for (int axis = x.ndim() - 1; axis-- > 0;) y = ifft(y, axis);
    return y;
}

}  // namespace sinter::inline SINTER_ABI::fft

// Fourier transforms and their frequencies.
#include "module.hpp"

#include <sinter/fft.hpp>

namespace array_api {

namespace {

namespace fft = sinter::fft;

fft::norm norm_of(std::string_view name) {
    if (name == "backward") return fft::norm::backward;
    if (name == "ortho") return fft::norm::ortho;
    if (name == "forward") return fft::norm::forward;
    throw sinter::value_error("[fft] norm is backward, ortho or forward, not " + std::string(name));
}

fft::list list_of(nb::handle x) { return x.is_none() ? fft::list() : fft::list(dims_of(x)); }

}  // namespace

#define ARRAY_API_AXIS(name, ...)                                                            \
    m.def("fft_" #name, [](const ndarray& x, nb::handle n, int axis, const char* norm) {     \
        fft::axis_options o{.n = {}, .axis = axis, .norm = norm_of(norm)};                   \
        if (!n.is_none()) o.n = integer_of(n);                                               \
        return visit<__VA_ARGS__>(#name, x, [&](const auto& e) { return fft::name(e, o); }); \
    });
#define ARRAY_API_AXES(name, ...)                                                                 \
    m.def("fft_" #name, [](const ndarray& x, nb::handle s, nb::handle axes, const char* norm) {   \
        const fft::axes_options o{.s = list_of(s), .axes = list_of(axes), .norm = norm_of(norm)}; \
        return visit<__VA_ARGS__>(#name, x, [&](const auto& e) { return fft::name(e, o); });      \
    });

void define_fourier(nb::module_& m) {
    ARRAY_API_AXIS(fft, 'f', 'c')
    ARRAY_API_AXIS(ifft, 'f', 'c')
    ARRAY_API_AXIS(rfft, 'f')
    ARRAY_API_AXIS(irfft, 'f', 'c')
    ARRAY_API_AXIS(hfft, 'f', 'c')
    ARRAY_API_AXIS(ihfft, 'f')
    ARRAY_API_AXES(fftn, 'f', 'c')
    ARRAY_API_AXES(ifftn, 'f', 'c')
    ARRAY_API_AXES(rfftn, 'f')
    ARRAY_API_AXES(irfftn, 'f', 'c')
    const auto as_type = [](const array<double>& x, nb::handle type) {
        return visit_type<'f'>("fftfreq", type_or(type, dtype::float64),
                               [&]<class T>(T) { return sinter::astype<T>(x); });
    };
    m.def("fft_fftfreq", [=](std::int64_t n, double d, nb::handle type) { return as_type(fft::fftfreq(n, d), type); });
    m.def("fft_rfftfreq",
          [=](std::int64_t n, double d, nb::handle type) { return as_type(fft::rfftfreq(n, d), type); });
    m.def("fft_fftshift", [](const ndarray& x, nb::handle axes) {
        return visit_any("fftshift", x, [&](const auto& e) { return fft::fftshift(e, list_of(axes)); });
    });
    m.def("fft_ifftshift", [](const ndarray& x, nb::handle axes) {
        return visit_any("ifftshift", x, [&](const auto& e) { return fft::ifftshift(e, list_of(axes)); });
    });
}
#undef ARRAY_API_AXIS
#undef ARRAY_API_AXES

}  // namespace array_api

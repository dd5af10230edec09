// The steps after which points of the plane leave a circle: mandelbrot1 of npbench, originally of Rougier's numpy book.
#pragma once

#include "sizes.hpp"

#include <complex>

namespace programs {

struct mandelbrot1 {
    double xmin = 0, xmax = 0, ymin = 0, ymax = 0;
    int64_t xn = 0, yn = 0;
    int maxiter = 0;
    double horizon = 2;
    array<std::complex<double>> z;
    array<int64_t> n;

    // What the mask of the published source selects stays in place, as in the suite's JAX version.
    void run() {
        array<double> x = linspace(xmin, xmax, xn);
        const array<double> y = linspace(ymin, ymax, yn);
        array<std::complex<double>> c = x + y(all, newaxis) * std::complex<double>(0, 1);
        n = zeros<int64_t>({yn, xn});
        z = zeros<std::complex<double>>({yn, xn});
        for (int i = 0; i < maxiter; ++i) {
            array<bool> inside = abs(z) < horizon;
            n = where(inside, i, n);
            z = where(inside, square(z) + c, z);
        }
        n = where(n == maxiter - 1, 0, n);
        eval(z, n);
    }

    static mandelbrot1 initialize(const std::string& size) {
        return sized<mandelbrot1>(size, {-1.75, 0.25, -1.0, 1.0, 125, 125, 60, 2.0, {}, {}},
                                  {-1.75, 0.25, -1.0, 1.0, 250, 250, 150, 2.0, {}, {}},
                                  {-2.0, 0.5, -1.25, 1.25, 833, 833, 200, 2.0, {}, {}},
                                  {-2.25, 0.75, -1.25, 1.25, 1000, 1000, 200, 2.0, {}, {}});
    }
    void drop_results() {
        z = {};
        n = {};
    }
};

}  // namespace programs

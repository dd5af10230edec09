// The largest eigenvalue of a matrix that no rank has as a whole, by power iteration and by ScaLAPACK where ranks are
// processes of MPI. `mpirun -n 4 power_iteration`, or without mpirun alone.
#if __has_include(<mpi.h>)
#include <mpi.h>
#endif

#include <cmath>
#include <iomanip>
#include <iostream>
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

int main() {
    distributed::session s;
    const std::int64_t n = 500;
    // Hilbert's matrix, of which each rank computes its rows.
    const array<double> i = reshape(arange<double>(n), {n, 1}), j = arange<double>(n);
    const auto a = distribute(1 / (i + j + 1), distributed::split(0)).eval();

    array<double> v = ones({n});
    double value = 0;
    int steps = 0;
    for (double before = -1; std::abs(value - before) > 1e-14 * value || steps < 2; ++steps) {
        before = value;
        const auto w = matmul(a, v);  // each rank's rows
        value = std::sqrt(double(sum(w * w)));
        v = w.gather() / value;
    }
    const double rest = double(max(abs(matmul(a, v) - value * v)));
    bool right = rest < 1e-6 && value < pi;  // all of Hilbert's matrices stay below pi
    if (s.is_root()) std::cout << std::setprecision(12) << "largest eigenvalue " << value << '\n';
    try {
        const double by_library = double(max(linalg::eigh(a).eigenvalues));
        right = right && std::abs(by_library - value) < 1e-9;
    } catch (const device_error& e) {
        if (s.is_root()) std::cout << e.what() << '\n';
    }
    return right ? 0 : 1;
}

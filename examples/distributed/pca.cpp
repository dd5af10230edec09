// Principal components of handwritten digits whose rows are split over ranks, by the singular values of a matrix that
// no rank has as a whole; without ScaLAPACK by those of its covariance, 64 x 64. `mpirun -n 4 pca`, or without mpirun
// alone.
#if __has_include(<mpi.h>)
#include <mpi.h>
#endif

#include <iomanip>
#include <iostream>
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

int main() {
    distributed::session s;
    const auto images = load<uint8_t>(std::string(SINTER_EXAMPLE_DATA) + "/digits_images.npy", distributed::split(0));
    const auto n = images.shape(0);
    const auto x = reshape(images, {n, 64}).astype<double>();

    const auto away = x - mean(x, 0);
    array<double> variances, directions;  // descending, and by rows
    try {
        const auto f = linalg::svd(away, {.full_matrices = false});
        variances = square(f.s.gather()) / double(n - 1);
        directions = f.vh.gather();
    } catch (const device_error& e) {
        if (s.is_root()) std::cout << e.what() << '\n';
        const auto covariance = matmul(away.T(), away) / double(n - 1);  // partial: each rank's images
        const auto f = linalg::eigh(covariance);
        variances = flip(f.eigenvalues.gather(), 0);
        directions = flip(f.eigenvectors.gather(), 1).T();
    }
    const auto scores = matmul(away, directions.T());

    // The variance along each component is what the factors say, and ten of them tell most of an image.
    const array<double> spread = var(scores, 0, {}, {.ddof = 1});
    const bool right = allclose(spread, variances, {.rtol = 1e-9, .atol = 1e-9 * variances.item(0)});
    const double part = double(sum(variances(slice(10)))) / double(sum(variances));
    if (s.is_root())
        std::cout << std::setprecision(4) << n << " images on " << s.ranks() << " rank(s): ten components of 64 tell "
                  << 100 * part << " % of the variance\n"
                  << s.counters().bytes_sent << " bytes sent by rank 0, of " << n * 64 * 8 << " that the images have\n";
    return right && part > 0.7 ? 0 : 1;
}

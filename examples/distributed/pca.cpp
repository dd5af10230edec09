// Principal components of handwritten digits whose rows are split over ranks: what ranks say to each other is the mean
// and the covariance, not the images. `mpirun -n 4 pca`, or without mpirun alone.
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
    const auto covariance = matmul(away.T(), away) / double(n - 1);  // partial: each rank's images
    const auto [values, vectors] = linalg::eigh(covariance);         // 64 x 64, which all ranks have then
    const auto scores = matmul(away, vectors.gather()(all, slice(none, none, -1)));

    // The variance along each component is its eigenvalue, and ten of them tell most of an image.
    const array<double> spread = var(scores, 0, {}, {.ddof = 1}), wanted = flip(values.gather(), 0);
    const bool right = allclose(spread, wanted, {.rtol = 1e-9, .atol = 1e-9 * wanted.item(0)});
    const double part = double(sum(wanted(slice(10)))) / double(sum(wanted));
    if (s.is_root())
        std::cout << std::setprecision(4) << n << " images on " << s.ranks() << " rank(s): ten components of 64 tell "
                  << 100 * part << " % of the variance\n"
                  << s.counters().bytes_sent << " bytes sent by rank 0, of " << n * 64 * 8 << " that the images have\n";
    return right && part > 0.7 ? 0 : 1;
}

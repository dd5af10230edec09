// Handwritten digits by logistic regression, data-parallel: each rank has its rows of the images, all have the weights,
// and what ranks say to each other is the gradient. `mpirun -n 4 logistic`, or without mpirun alone.
#if __has_include(<mpi.h>)
#include <mpi.h>
#endif

#include <iostream>
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;

int main() {
    distributed::session s;
    const std::string folder = SINTER_EXAMPLE_DATA;
    const auto images = load<uint8_t>(folder + "/digits_images.npy", distributed::split(0));
    const auto labels = load<uint8_t>(folder + "/digits_labels.npy", distributed::split(0));
    const auto n = images.shape(0);
    const auto x = reshape(images, {n, 64}).astype<float>() / 16;
    const auto wanted = (reshape(labels, {n, 1}) == arange(10)).astype<float>();

    array<float> w = zeros<float>({64, 10}), b = zeros<float>({10});
    for (int step = 0; step <= 100; ++step) {
        const auto scores = matmul(x, w) + b;
        const auto powers = exp(scores - max(scores, 1, keepdims));
        const auto p = powers / sum(powers, 1, keepdims);
        const auto wrong = (p - wanted) / float(n);
        const auto dw = matmul(x.T(), wrong);  // partial: each rank's images
        const auto db = sum(wrong, 0);
        w -= 2 * dw.gather();
        b -= 2 * db.gather();
        if (step % 50 == 0) {
            const double loss = -double(mean(log(sum(p * wanted, 1))));
            if (s.is_root()) std::cout << "step " << step << ": loss " << loss << '\n';
        }
    }
    const auto right = mean((argmax(matmul(x, w) + b, 1) == labels).astype<double>());
    const double part = double(right);
    if (s.is_root()) std::cout << 100 * part << " % right, " << s.ranks() << " rank(s)\n";
    return part > 0.9 ? 0 : 1;
}

// Handwritten digits classified by logistic regression and by the nearest neighbour, as well as scikit-learn does.
#include <iostream>
#include <sinter/sinter.hpp>

using namespace sinter;

// What scikit-learn 1.9 classifies correctly of the same 360: LogisticRegression(C=1) and KNeighborsClassifier(1).
const int sklearn_regression = 325, sklearn_neighbour = 344;

/// Probabilities of the classes, a row per image.
array<float> softmax_rows(const array<float>& scores) {
    array<float> powers = exp(scores - max(scores, 1, keepdims));
    return powers / sum(powers, 1, keepdims);
}

int correct(const array<std::int64_t>& predicted, const array<std::int64_t>& labels) {
    return static_cast<int>(count_nonzero(predicted == labels).item());
}

/// Gradient descent with momentum on the mean cross-entropy plus the squared weights / (2 n), scikit-learn's objective.
array<std::int64_t> classify_by_regression(const array<float>& x, const array<std::int64_t>& y,
                                           const array<float>& test) {
    const auto n = x.shape(0);
    array<float> wanted = astype<float>(y(all, newaxis) == arange(10));  // (n, 10), one 1 per row
    array<float> w = zeros<float>({64, 10}), b = zeros<float>({10});
    array<float> dw = zeros_like(w), db = zeros_like(b);
    for (int step = 0; step <= 500; ++step) {
        array<float> p = softmax_rows(matmul(x, w) + b);
        array<float> wrong = (p - wanted) / n;
        dw = 0.95f * dw - (matmul(x.T(), wrong) + w / n);
        db = 0.95f * db - sum(wrong, 0);
        w += dw;
        b += db;
        if (step % 100 == 0) {
            array<float> loss = -mean(log(sum(p * wanted, 1))) + sum(square(w)) / (2 * n);
            std::printf("step %3d: loss %.5f\n", step, double(loss));
        }
    }
    return argmax(matmul(test, w) + b, 1);
}

/// The label of the nearest training image: |a - b|² = |a|² - 2 a·b + |b|².
array<std::int64_t> classify_by_neighbour(const array<float>& x, const array<std::int64_t>& y,
                                          const array<float>& test) {
    array<float> distance = sum(square(test), 1, keepdims) - 2 * matmul(test, x.T()) + sum(square(x), 1);
    return y(argmin(distance, 1));
}

int main() {
    array<float> images = load<float>(SINTER_EXAMPLE_DATA "/digits_images.npy");
    array<std::int64_t> labels = load<std::int64_t>(SINTER_EXAMPLE_DATA "/digits_labels.npy");
    images = images / 16;
    const slice train(1437), test(1437, none);
    std::cout << "images " << images.shape() << ", the first of them, a " << labels(0) << ":\n"
              << astype<int>(reshape(images(0), {8, 8}) * 16) << '\n';

    array<std::int64_t> truth = labels(test);
    int regression = correct(classify_by_regression(images(train), labels(train), images(test)), truth);
    int neighbour = correct(classify_by_neighbour(images(train), labels(train), images(test)), truth);
    const double total = static_cast<double>(truth.size());
    std::printf("logistic regression: %d of %.0f, accuracy %.4f (scikit-learn: %.4f)\n", regression, total,
                regression / total, sklearn_regression / total);
    std::printf("nearest neighbour:   %d of %.0f, accuracy %.4f (scikit-learn: %.4f)\n", neighbour, total,
                neighbour / total, sklearn_neighbour / total);
    const counters_t used = counters();
    std::printf("%lld kernels launched, %lld compiled or from the cache, %lld library calls\n",
                static_cast<long long>(used.launches), static_cast<long long>(used.kernels_compiled + used.disk_hits),
                static_cast<long long>(used.library_calls));
    return std::abs(regression - sklearn_regression) <= 1 && neighbour == sklearn_neighbour ? 0 : 1;
}

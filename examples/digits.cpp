// Handwritten digits classified by logistic regression and by the nearest neighbour, as well as scikit-learn does, and
// by a network of two layers, whose parameters are one value that is saved and loaded.
#include <iostream>
#include <sinter/parameters.hpp>
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

struct layer {
    BOOST_HANA_DEFINE_STRUCT(layer, (array<float>, w), (array<float>, b));
};
struct network {
    BOOST_HANA_DEFINE_STRUCT(network, (layer, hidden), (layer, last));
};

array<float> apply(const layer& l, const array<float>& x) { return matmul(x, l.w) + l.b; }

array<std::int64_t> classify(const network& p, const array<float>& x) {
    return argmax(apply(p.last, maximum(apply(p.hidden, x), 0)), 1);
}

/// The gradient of the mean cross-entropy.
network gradient(const network& p, const array<float>& x, const array<float>& wanted) {
    array<float> hidden = maximum(apply(p.hidden, x), 0);
    array<float> wrong = (softmax_rows(apply(p.last, hidden)) - wanted) / x.shape(0);
    array<float> wrong_hidden = where(hidden > 0, matmul(wrong, p.last.w.T()), 0.0f);
    return {{matmul(x.T(), wrong_hidden), sum(wrong_hidden, 0)}, {matmul(hidden.T(), wrong), sum(wrong, 0)}};
}

/// Gradient descent with momentum; each step is planned once.
network train(const array<float>& x, const array<std::int64_t>& y) {
    random::seed(1);
    auto weights = [](int from, int to) { return random::normal<float>(0, std::sqrt(2.0f / float(from)), {from, to}); };
    network p{{weights(64, 64), zeros<float>({64})}, {weights(64, 10), zeros<float>({10})}};
    network velocity = zeros_like(p);
    array<float> wanted = astype<float>(y(all, newaxis) == arange(10));
    graph step([](const network& p, const network& velocity, const array<float>& x, const array<float>& wanted) {
        const network next = 0.9f * velocity - 0.3f * gradient(p, x, wanted);
        return std::tuple(p + next, next);
    });
    for (int i = 0; i < 400; ++i) std::tie(p, velocity) = step(p, velocity, x, wanted);
    return p;
}

int main() {
    array<float> images = load<float>(SINTER_EXAMPLE_DATA "/digits_images.npy");
    array<std::int64_t> labels = load<std::int64_t>(SINTER_EXAMPLE_DATA "/digits_labels.npy");
    images = images / 16;
    const slice train_part(1437), test(1437, none);
    std::cout << "images " << images.shape() << ", the first of them, a " << labels(0) << ":\n"
              << astype<int>(reshape(images(0), {8, 8}) * 16) << '\n';

    array<std::int64_t> truth = labels(test);
    int regression = correct(classify_by_regression(images(train_part), labels(train_part), images(test)), truth);
    int neighbour = correct(classify_by_neighbour(images(train_part), labels(train_part), images(test)), truth);
    const double total = static_cast<double>(truth.size());
    std::printf("logistic regression: %d of %.0f, accuracy %.4f (scikit-learn: %.4f)\n", regression, total,
                regression / total, sklearn_regression / total);
    std::printf("nearest neighbour:   %d of %.0f, accuracy %.4f (scikit-learn: %.4f)\n", neighbour, total,
                neighbour / total, sklearn_neighbour / total);
    const network trained = train(images(train_part), labels(train_part));
    save("digits.npz", trained);
    const network loaded = load<network>("digits.npz");
    int layers = correct(classify(loaded, images(test)), truth);
    std::printf("two layers:          %d of %.0f, accuracy %.4f, by %lld parameters, which digits.npz holds\n", layers,
                total, layers / total, static_cast<long long>(count(loaded)));
    const counters_t used = counters();
    std::printf("%lld kernels launched, %lld compiled or from the cache, %lld library calls\n",
                static_cast<long long>(used.launches), static_cast<long long>(used.kernels_compiled + used.disk_hits),
                static_cast<long long>(used.library_calls));
    const bool is_same = array_equal(flatten(trained), flatten(loaded));
    return std::abs(regression - sklearn_regression) <= 1 && neighbour == sklearn_neighbour && is_same && layers > 320
               ? 0
               : 1;
}

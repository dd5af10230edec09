// Sinter's rows that reduce elements or keep running sums of them, along an axis or over all.
#include "sinter.hpp"

using namespace sinter;

namespace bench {

namespace {

// Rows whose elements are set against the maximum, the sum or the mean of their own.
work normalizing_row(const std::string& row, const dims& shape) {
    auto x = inputs(shape);
    if (row == "softmax")
        return evaluating([x](int i) {
            array<float> e = exp(pick(x, i) - max(pick(x, i), 1, keepdims));
            return std::tuple(array<float>(e / sum(e, 1, keepdims)));
        });
    if (row == "log_softmax")
        return evaluating([x](int i) {
            array<float> z = pick(x, i) - max(pick(x, i), 1, keepdims);
            return std::tuple(array<float>(z - log(sum(exp(z), 1, keepdims))));
        });
    return evaluating([x](int i) {  // layer_norm
        const array<float>& v = pick(x, i);
        array<float> normal = (v - mean(v, 1, keepdims)) / sqrt(var(v, 1, keepdims) + 1e-5f);
        return std::tuple(array<float>(normal * 1.5f + 0.5f));
    });
}

}  // namespace

work reduction_row(const std::string& row, const dims& shape) {
    for (const char* name : {"softmax", "log_softmax", "layer_norm"})
        if (row == name) return normalizing_row(row, shape);
    auto x = inputs(shape);
    if (row == "cosine")
        return evaluating([x, y = inputs(shape)](int i) {
            const array<float>&a = pick(x, i), &b = pick(y, i);
            return std::tuple(array<float>(sum(a * b, 1) / sqrt(sum(a * a, 1) * sum(b * b, 1))));
        });
    if (row == "mean_var")
        return evaluating(
            [x](int i) { return std::tuple(array<float>(mean(pick(x, i))), array<float>(var(pick(x, i)))); });
    if (row == "mean_var_columns")
        return evaluating(
            [x](int i) { return std::tuple(array<float>(mean(pick(x, i), 0)), array<float>(var(pick(x, i), 0))); });
    if (row == "argmax_max")
        return evaluating(
            [x](int i) { return std::tuple(array<std::int64_t>(argmax(pick(x, i))), array<float>(max(pick(x, i)))); });
    if (row == "middle_sums") return evaluating([x](int i) { return std::tuple(array<float>(sum(pick(x, i), 1))); });
    if (row == "cumsum_columns")
        return evaluating([x](int i) { return std::tuple(array<float>(cumsum(pick(x, i), 0))); });
    const int axis = row == "column_sums" ? 0 : 1;
    return evaluating([=](int i) { return std::tuple(array<float>(sum(pick(x, i) * pick(x, i), axis))); });
}

}  // namespace bench

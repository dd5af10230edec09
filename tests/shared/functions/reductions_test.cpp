// Functions of axes against NumPy: every set of axes with and without keepdims, ties, NaN, empty arrays, accumulators.
#include "support/backends.hpp"
#include "support/rows.hpp"
#include "support/language_golden.hpp"

using namespace sinter;
using namespace test_backends;
using golden::check;
using golden::data;

namespace {

/// Sums of float64 may differ from NumPy's in the last bits.
constexpr double tight = 1e-14;

template <class... Axes>
void check_axes(const std::string& suffix, const Axes&... axes) {
    array<double> f = data<double>({5, 6, 7}, 1);
    array<std::int32_t> i = data<std::int32_t>({5, 6, 7}, 2);
    array<bool> b = data<bool>({5, 6, 7}, 3);
    check("sum" + suffix, sum(f, axes...), tight);
    check("max" + suffix, max(i, axes...));
    check("min" + suffix, min(f, axes...));
    check("any" + suffix, any(b, axes...));
    check("all" + suffix, all(i, axes...));
    check("count" + suffix, count_nonzero(b, axes...));
    check("mean" + suffix, mean(f, axes...), tight);
    check("var" + suffix, var(f, axes...), tight);
    check("std ddof 1" + suffix, stddev(f, axes..., variance_options{.ddof = 1}), tight);
    check("prod" + suffix, prod(f / 16 + 1.1, axes...), 1e-12);
}

}  // namespace

TEST_CASE("reductions over no, one and several axes are NumPy's") {
    on_every_backend([](const tested_backend&) {
        check_axes("");
        check_axes(" 0", 0);
        check_axes(" 1", 1);
        check_axes(" -1", -1);
        check_axes(" keepdims", keepdims);
        check_axes(" 0 keepdims", 0, keepdims);
        check_axes(" -1 keepdims", -1, keepdims);
        array<double> f = data<double>({5, 6, 7}, 1);
        check("sum 0 2", sum(f, {0, 2}), tight);
        check("sum 1 2", sum(f, {1, -1}), tight);
        check("sum 0 1 2", sum(f, {0, 1, 2}), tight);
        check("sum 0 2 keepdims", sum(f, {0, 2}, keepdims), tight);
        check("sum 0 1 2 keepdims", sum(f, {2, 1, 0}, keepdims), tight);
        check("mean 0 2", mean(f, {0, 2}), tight);
        check("var 1 2 keepdims", var(f, {1, 2}, keepdims), tight);
        check("var 0 2", var(f, {0, 2}), tight);
        check("std ddof 1 1 2", stddev(f, {1, 2}, {.ddof = 1}), tight);
        check("std ddof 1 1", stddev(f, 1, {.ddof = 1}), tight);
        check("std ddof 1", stddev(f, {.ddof = 1}), tight);
        check("max 0 2 keepdims", max(data<std::int32_t>({5, 6, 7}, 2), {0, 2}, keepdims));
    });
}

TEST_CASE("axes with a name are those in braces, of every function that takes them") {
    on_every_backend([](const tested_backend&) {
        const array<double> f = data<double>({5, 6, 7}, 1);
        const axes last{1, -1}, one = 1, every;
        const std::size_t first = 0;
        check("sum 1 2", sum(f, last), tight);
        check("sum 1", sum(f, one), tight);
        check("sum 0", sum(f, first), tight);
        check("sum", sum(f, every), tight);
        check("sum", sum(f, {}), tight);
        CHECK(var(f, {}).shape() == dims());
        check("sum keepdims", sum(f, {}, keepdims), tight);
        check("var 1 2 keepdims", var(f, last, keepdims), tight);
        check("std ddof 1 1 2", stddev(f, last, {.ddof = 1}), tight);
        check("std ddof 1 1", stddev(f, one, {.ddof = 1}), tight);
        check("max 0 2 keepdims", amax(data<std::int32_t>({5, 6, 7}, 2), {0, 2}, keepdims));
        check("all 1", all(data<std::int32_t>({5, 6, 7}, 2), one));
        CHECK(array_equal(amin(f, last), min(f, {1, 2})));
        CHECK(array_equal(ptp(f, last, keepdims), max(f, last, keepdims) - min(f, last, keepdims)));
        CHECK(array_equal(median(f, last), median(f, {1, 2})));
        CHECK(array_equal(any(f > 9, last), any(f > 9, {1, 2})));
        CHECK(array_equal(average(f, last, f * f, keepdims), average(f, {1, 2}, f * f, keepdims)));
        CHECK(argmax(f, last, keepdims).shape() == dims(5, 1, 1));
    });
}

TEST_CASE("averages by weights of the array's shape, or of its axes in any order, are NumPy's") {
    on_every_backend([](const tested_backend&) {
        array<double> f = data<double>({5, 6, 7}, 1), w = data<double>({5, 6, 7}, 3) + 30.0,
                      w1 = data<double>({6}, 3) + 30.0, w2 = data<double>({7, 5}, 3) + 30.0;
        array<std::int32_t> i = data<std::int32_t>({5, 6, 7}, 2);
        check("average", average(f), tight);
        check("average 1 keepdims", average(f, 1, keepdims), tight);
        check("average weights", average(f, {}, w), tight);
        check("average weights 0 2 keepdims", average(f, {0, 2}, w, keepdims), tight);
        check("average weights of axis 1", average(f, 1, w1), tight);
        check("average weights of axis -2 keepdims", average(f, -2, w1, keepdims), tight);
        check("average weights of axes 2 0", average(f, {2, 0}, w2), tight);
        check("average int32", average(i, 1, data<std::int32_t>({6}, 7) + 60), tight);
        check("average int32 by float32", average(i, 1, astype<float>(w1)), tight);
        check("average float32", average(astype<float>(f), 1, astype<float>(w1)), 1e-6);
        check("average float32 by int8", average(astype<float>(f), 1, arange<std::int8_t>(1, 7)), 1e-6);
        check("average complex", average(data<std::complex<double>>({5, 6, 7}, 2), 1, w1), tight);
        check("average bool", average(data<bool>({5, 6, 7}, 3), 1), tight);
        check("average empty", average(data<double>({0, 3}), 1, ones({3})), tight);
        CHECK(isnan(average(f, {}, zeros({5, 6, 7}))).item());
    });
    array<double> x = zeros({2, 3});
    CHECK_THROWS_WITH_AS(average(x, 1, ones({2})),
                         "[average] weights of shape (2,) fit neither (2, 3) nor its axes (1,)", shape_error);
    CHECK_THROWS_AS(average(x, {}, ones({3})), shape_error);
    CHECK_THROWS_AS(average(x, 2, ones({3})), index_error);
}

TEST_CASE("an average and the sum of its weights are computed in one kernel") {
    on_compiling_backends([](const tested_backend&) {
        array<double> x = random::random({50, 20}).eval(), w = random::random({50, 20}).eval();
        CHECK(explain(average(x, 1, w)).kernels() == 1);
    });
}

TEST_CASE("all of five to eight axes that do not merge are reduced at once") {
    on_every_backend([](const tested_backend&) {
        for (int rank = 5; rank <= 8; ++rank) {
            dims shape, sparse;
            for (int axis = 0; axis < rank; ++axis) {
                shape.push_back(2);
                sparse.push_back(1 + axis % 2);
            }
            std::vector<std::int64_t> x(static_cast<std::size_t>(shape.product())),
                y(static_cast<std::size_t>(sparse.product()));
            for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int64_t>(i * i % 101);
            for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<std::int64_t>(3 * i + 1);
            std::int64_t want = 0;
            for (std::size_t i = 0; i < x.size(); ++i) {
                std::size_t at = 0;
                for (int axis = 0; axis < rank; ++axis)
                    if (axis % 2) at = 2 * at + (i >> (rank - 1 - axis)) % 2;
                want += x[i] * y[at];
            }
            CAPTURE(rank);
            CHECK(sum(asarray(x, shape) * asarray(y, sparse)).item() == want);
        }
    });
}

TEST_CASE("positions of extrema are NumPy's, the first among equals and the first NaN") {
    on_every_backend([](const tested_backend&) {
        array<std::int32_t> i = data<std::int32_t>({5, 6, 7}, 2);
        check("argmax None", argmax(i));
        check("argmin None", argmin(i));
        for (int axis = 0; axis < 3; ++axis) {
            check("argmax " + std::to_string(axis), argmax(i, axis));
            check("argmin " + std::to_string(axis), argmin(i, axis));
        }
        check("argmax keepdims", argmax(i, 1, keepdims));
        array<std::int64_t> t{3, 1, 3, 1, 2};
        CHECK(argmax(t).item() == 0);
        CHECK(argmin(t).item() == 1);
        array<double> n{1, constants::nan, 5, constants::nan};
        CHECK(argmax(n).item() == 1);
        CHECK(argmin(n).item() == 1);
        CHECK(argmax(zeros<float>({1000, 3}), 0).eval().item(2) == 0);
        // Ties over more elements than a block or a thread holds.
        array<float> many = zeros<float>({100'003});
        many(slice(777, none, 1000)) = 1.0f;
        CHECK(argmax(many).item() == 777);
        CHECK(argmin(many).item() == 0);
        many(50'001) = std::numeric_limits<float>::quiet_NaN();
        many(90'001) = std::numeric_limits<float>::quiet_NaN();
        CHECK(argmax(many).item() == 50'001);
    });
}

TEST_CASE("NaN propagates through extrema and sums wherever it stands") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t at : {0, 1, 31, 256, 4999, 10'006}) {
            array<float> x = ones<float>({10'007});
            x(at) = std::numeric_limits<float>::quiet_NaN();
            CAPTURE(at);
            CHECK(std::isnan(max(x).item()));
            CHECK(std::isnan(min(x).item()));
            CHECK(std::isnan(sum(x).item()));
            CHECK(argmax(x).item() == at);
            CHECK(any(isnan(x)).item());
            CHECK_FALSE(all(isfinite(x)).item());
        }
        CHECK(max(array<float>{-1, -0.0f}).item() == 0);
    });
}

TEST_CASE("extrema without NaN are those of the other elements, along every axis and in chains of rows") {
    on_every_backend([](const tested_backend&) {
        for (const std::int64_t columns : {1, 7, 33, 1024, 5000}) {
            CAPTURE(columns);
            array<float> x = test_rows::drawn<float>({3, columns}, 5), y = x;
            const float nan = std::numeric_limits<float>::quiet_NaN();
            y[x > 0.5f] = nan;
            const array<float> least = where(x > 0.5f, 9.0f, x), most = where(x > 0.5f, -9.0f, x);
            y(0, all) = nan;
            auto or_nan = [&](const array<bool>& empty, const array<float>& extreme) {
                return array<float>(where(empty, nan, extreme));
            };
            const array<bool> of_rows = all(isnan(y), -1), of_columns = all(isnan(y), 0, keepdims);
            CHECK(test_rows::same_bits(array<float>(nanmin(y, -1)), or_nan(of_rows, min(least, -1))));
            CHECK(test_rows::same_bits(array<float>(nanmax(y, -1)), or_nan(of_rows, max(most, -1))));
            CHECK(of_rows(0).item());
            const array<float> lowest = least(slice(1, none), all);
            CHECK(test_rows::same_bits(array<float>(nanmin(y, 0, keepdims)),
                                       or_nan(of_columns, min(lowest, 0, keepdims))));
            const array<float> chain = y - nanmax(y, -1, keepdims);
            CHECK(test_rows::same_bits(chain, or_nan(isnan(y), x - max(most, -1, keepdims))));
        }
        CHECK(nanmax(array<std::int16_t>{3, -4}).item() == 3);
        CHECK_THROWS_AS(nanmin(zeros({3, 0}), 1), value_error);
    });
}

TEST_CASE("positions without NaN are the first ones of the other elements, -1 where there are none, in one kernel") {
    on_every_backend([](const tested_backend&) {
        for (const std::int64_t columns : {1, 7, 33, 1024, 5000}) {
            CAPTURE(columns);
            array<double> x = round(test_rows::drawn<double>({4, columns}, 7)), y = x;
            y[x > 1.0] = constants::nan;
            y(0, all) = constants::nan;
            y.eval();
            const array<double> least = where(isnan(y), 99.0, y), most = where(isnan(y), -99.0, y);
            const array<bool> empty_rows = all(isnan(y), -1);
            const array<std::int64_t> low = nanargmin(y, -1);
            CHECK(explain(nanargmin(y, -1)).kernels() == 1);
            CHECK(array_equal(low, where(empty_rows, std::int64_t{-1}, argmin(least, -1))));
            CHECK(array_equal(nanargmax(y, -1), where(empty_rows, std::int64_t{-1}, argmax(most, -1))));
            const auto rest = slice(1, none);
            CHECK(array_equal(
                nanargmax(y(rest, all), 0, keepdims),
                where(all(isnan(y(rest, all)), 0, keepdims), std::int64_t{-1}, argmax(most(rest, all), 0, keepdims))));
        }
        CHECK(nanargmin(array<std::uint8_t>{3, 1, 1}).item() == 1);
        CHECK_THROWS_AS(nanargmax(zeros({0})), value_error);
    });
}

TEST_CASE("results have NumPy's dtypes") {
    on_every_backend([](const tested_backend&) {
        array<std::int32_t> i = data<std::int32_t>({5, 6, 7}, 2);
        array<std::complex<double>> c = data<std::complex<double>>({5, 6, 7}, 2);
        array<float> f = astype<float>(data<double>({5, 6, 7}, 1));
        check("sum int32", sum(i, 1));
        check("sum uint8", sum(data<std::uint8_t>({5, 6, 7}, 2), 1));
        check("sum bool", sum(data<bool>({5, 6, 7}, 3), 1));
        check("prod int32", prod(i, 1));
        check("sum complex", sum(c, 1), tight);
        check("mean int32", mean(i, 1), tight);
        check("mean float32", mean(f, 1), 1e-6);
        check("mean complex", mean(c, 1), tight);
        check("var complex", var(c, 1), tight);
        check("sum float32", sum(f, 2), 1e-6);
        check("ptp", ptp(i, 1));
        CHECK(sum<double>(f).dtype() == dtype::float64);
        CHECK(sum<std::int64_t>(i).dtype() == dtype::int64);
    });
}

TEST_CASE("empty arrays have the identity, or no extremum") {
    on_every_backend([](const tested_backend&) {
        array<double> e = data<double>({3, 0, 2}, 0);
        check("sum empty", sum(e, 1));
        check("prod empty", prod(e, 1));
        check("any empty", any(e, 1));
        check("all empty", all(e, 1));
        check("sum over none", sum(e, 0));
        CHECK(sum(e).item() == 0);
        CHECK(prod(e).item() == 1);
        CHECK(std::isnan(mean(e).item()));
        CHECK_THROWS_WITH_AS(max(e), "[max] an array of shape (3, 0, 2) has no element to reduce", value_error);
        CHECK_THROWS_AS(argmin(e, 1), value_error);
    });
}

TEST_CASE("an extremum needs an element along its axes, not in the whole array") {
    on_every_backend([](const tested_backend&) {
        for (int bits = 0; bits < 8; ++bits) {
            const dims shape(bits & 1 ? 3 : 0, bits & 2 ? 1 : 0, bits & 4 ? 2 : 0);
            array<float> x = ones<float>(shape) * 2.0f;
            for (int axis = 0; axis < 3; ++axis) {
                dims rest = shape;
                rest.erase(axis);
                CAPTURE(bits);
                CAPTURE(axis);
                if (shape[axis] == 0) {
                    CHECK_THROWS_AS(max(x, axis), value_error);
                    CHECK_THROWS_AS(argmin(x, axis), value_error);
                    CHECK_THROWS_AS(ptp(x, axis), value_error);
                    continue;
                }
                array<float> highest = max(x, axis);
                array<std::int64_t> lowest_at = argmin(x, axis);
                CHECK(highest.shape() == rest);
                CHECK(to_vector(highest) == std::vector<float>(static_cast<std::size_t>(rest.product()), 2.0f));
                CHECK(to_vector(lowest_at) == std::vector<std::int64_t>(static_cast<std::size_t>(rest.product()), 0));
                CHECK(to_vector(x - max(x, axis, keepdims)) == to_vector(x * 0.0f));
            }
            CHECK((bits == 7) == (to_vector(x).size() != 0));
            if (bits != 7) CHECK_THROWS_AS(max(x), value_error);
            if (shape[0] * shape[2] == 0) CHECK_THROWS_AS(min(x, {0, 2}), value_error);
            else CHECK(to_vector(min(x, {0, 2})) == std::vector<float>(static_cast<std::size_t>(shape[1]), 2.0f));
        }
    });
}

TEST_CASE("an axis that does not exist or is given twice throws") {
    on_every_backend([](const tested_backend&) {
        array<double> f = data<double>({5, 6}, 1);
        CHECK_THROWS_AS(sum(f, 2), index_error);
        CHECK_THROWS_AS(sum(f, -3), index_error);
        CHECK_THROWS_WITH_AS(sum(f, {0, 0}), "[sum] axis 0 is given twice", value_error);
        CHECK_THROWS_AS(mean(f, {1, -1}), value_error);
    });
}

TEST_CASE("errors of axes and of empty arrays name the function that was called, not what it consists of") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = ones({2, 3}), none_of_it = zeros({0});
        CHECK_THROWS_WITH_AS(stddev(x, 7), doctest::Contains("[stddev] axis 7"), index_error);
        CHECK_THROWS_WITH_AS(stddev(x, {0, 0}, {.where = x > 0}), "[stddev] axis 0 is given twice", value_error);
        CHECK_THROWS_WITH_AS(ptp(x, 7), doctest::Contains("[ptp] axis 7"), index_error);
        CHECK_THROWS_WITH_AS(count_nonzero(x, 7), doctest::Contains("[count_nonzero] axis 7"), index_error);
        CHECK_THROWS_WITH_AS(average(x, 7), doctest::Contains("[average] axis 7"), index_error);
        CHECK_THROWS_WITH_AS(nansum(x, {7}), doctest::Contains("[nansum] axis 7"), index_error);
        CHECK_THROWS_WITH_AS(nanmean(x, 7), doctest::Contains("[nanmean] axis 7"), index_error);
        CHECK_THROWS_WITH_AS(nanstd(x, 7), doctest::Contains("[nanstd] axis 7"), index_error);
        CHECK_THROWS_WITH_AS(softmax(x, 7), doctest::Contains("[softmax] axis 7"), index_error);
        CHECK_THROWS_WITH_AS(log_softmax(x, {7}), doctest::Contains("[log_softmax] axis 7"), index_error);
        CHECK_THROWS_WITH_AS(amax(x, axes(7)), doctest::Contains("[amax] axis 7"), index_error);
        CHECK_THROWS_WITH_AS(amax(x, {.where = x > 0}), "[amax] a condition needs an initial value", value_error);
        CHECK_THROWS_WITH_AS(nancumsum(x, 7), doctest::Contains("[nancumsum] axis 7"), index_error);
        CHECK_THROWS_WITH_AS(cumulative_prod(x, 7), doctest::Contains("[cumulative_prod] axis 7"), index_error);
        CHECK_THROWS_WITH_AS(append(x, x, 7), doctest::Contains("[append] axis 7"), index_error);
        CHECK_THROWS_WITH_AS(matvec(x, ones({2})), doctest::Contains("[matvec] inner dimensions differ"), shape_error);
        CHECK_THROWS_WITH_AS(ptp(none_of_it), "[ptp] an array of shape (0,) has no element to reduce", value_error);
        CHECK_THROWS_WITH_AS(softmax(none_of_it), "[softmax] an array of shape (0,) has no element to reduce",
                             value_error);
    });
}

TEST_CASE("reductions of views and their use in expressions are NumPy's") {
    on_every_backend([](const tested_backend&) {
        array<double> f = data<double>({5, 6, 7}, 1);
        check("sum transposed", sum(f.T(), 0), tight);
        check("sum strided", sum(f(slice(none, none, -2), slice(1, none), slice(none, none, 3)), {0, 2}), tight);
        check("softmax", exp(f - max(f, 1, keepdims)) / sum(exp(f - max(f, 1, keepdims)), 1, keepdims), 1e-13);
        check("standardised", (f - mean(f, 0)) / stddev(f, 0), 1e-13);
        check("row norms", sqrt(sum(f * f, -1)), tight);
        check("centred rows", f - mean(f, -1, keepdims), tight);
    });
}

TEST_CASE("large reductions of every shape are exact where integers are summed") {
    on_every_backend([](const tested_backend& b) {
        const std::int64_t scale = b.is_interpreter() ? 1 : 8;
        for (const dims& shape : {dims(100'003 * scale), dims(3, 33'331 * scale), dims(33'331 * scale, 3),
                                  dims(317, 331), dims(1, 70'001), dims(70'001, 1), dims(40, 50, 60)}) {
            array<std::int64_t> x = arange<std::int64_t>(shape.product());
            x = reshape(x, shape) % 1009;
            x.eval();
            std::vector<std::int64_t> v = to_vector(x);
            std::int64_t total = 0;
            for (std::int64_t e : v) total += e;
            CAPTURE(to_string(shape));
            CHECK(sum(x).item() == total);
            for (int axis = 0; axis < shape.size(); ++axis) CHECK(sum(sum(x, axis)).item() == total);
            CHECK(max(max(x, 0)).item() == max(x).item());
            CHECK(count_nonzero(x > 500).item() == sum(where(x > 500, 1, 0)).item());
        }
    });
}

TEST_CASE("rows of more than 1024 blocks of 4096 elements are joined from all of them, the first among equals too") {
    on_compiling_backends([](const tested_backend&) {
        for (std::int64_t size : {4096 * 1024 + 1, 4096 * 1030 + 5}) {
            array<std::int32_t> x = arange<std::int32_t>(size);
            x.eval();
            CAPTURE(size);
            CHECK(sum(astype<std::int64_t>(x)).item() == size * (size - 1) / 2);
            for (std::int64_t first :
                 {std::int64_t{5}, std::int64_t{4096} * 1023 + 4095, std::int64_t{4096} * 1024, size - 1}) {
                CAPTURE(first);
                CHECK(argmax(x >= static_cast<std::int32_t>(first)).item() == first);
            }
        }
    });
}

// What a GPU has of a row's blocks is joined level by level; the CPU has the same order and joins in another way.
TEST_CASE(
    "rows of more than 4096 blocks of 4096 elements have the same bits as on the CPU, whatever is loaded at once") {
    on_compiling_backends([](const tested_backend& b) {
        if (!b.is_cuda()) return;
        constexpr std::int64_t most = std::int64_t{4096} * 4096;
        std::vector<std::int64_t> sizes{most + 4096 * 1023 + 17, 2 * most + 9000};
        if (is_full()) sizes.insert(sizes.end(), {most + 1, most + 4096 * 1024, 2 * most, 3 * most - 5});
        for (const std::int64_t size : sizes) {
            const array<float> on_cpu = random::generator(7).normal<float>(1e4f, 1, {size}).to(device::cpu());
            const array<float> x = on_cpu.to(device::cuda(0));
            CAPTURE(size);
            auto check = [&](auto f) {
                array<float> one[] = {f(x), f(x)}, other = f(on_cpu);
                CHECK(test_rows::same_bits(one[0].eval().to(device::cpu()), other.eval()));
                CHECK(test_rows::same_bits(one[1].eval().to(device::cpu()), other));
            };
            check([](const array<float>& v) { return array<float>(sum(v * v)); });
            check([](const array<float>& v) { return array<float>(var(v) + mean(v)); });
            check([](const array<float>& v) { return array<float>(max(v) + astype<float>(argmax(v))); });
            check([](const array<float>& v) { return array<float>(min(v) - max(v) + sum(v) + prod(v * 1e-4f)); });
            // Of elements that lie apart nothing is loaded ahead; their rows are half as long.
            if (size <= 2 * most) continue;
            check([](const array<float>& v) {
                return array<float>(sum(v(slice(none, none, 2))) + max(v(slice(none, none, 2))));
            });
        }
    });
}

TEST_CASE("elements of two axes combine as those of one row do, wherever rows of memory end") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t length : {63, 64, 300, 1024, 1158, 2050, 4096, 5001}) {
            CAPTURE(length);
            const array<float> x = random::generator(3).normal<float>(50, 7, {4, 2, length}).eval();
            const array<float> row = reshape(transpose(x, {1, 0, 2}).copy(), {2, 4 * length}).eval();
            CHECK(test_rows::same_bits(sum(x * x, {0, 2}).eval(), sum(row * row, 1).eval()));
            CHECK(test_rows::same_bits(var(x, {0, 2}).eval(), var(row, 1).eval()));
            CHECK(test_rows::same_bits(max(x, {0, 2}).eval(), max(row, 1).eval()));
        }
    });
}

TEST_CASE("columns that lie in many lines of memory combine as those of one line do") {
    on_every_backend([](const tested_backend&) {
        for (std::int64_t inner : {1, 3, 90, 128, 131})
            for (std::int64_t rows : {3, 8, 41, 530}) {
                CAPTURE(inner);
                CAPTURE(rows);
                const array<float> whole = random::generator(5).normal<float>(3, 1, {rows, 5, inner + 2}).eval();
                const array<float> x = whole(all, all, slice(1, -1));
                const array<float> lines = reshape(x.copy(), {rows, 5 * inner}).eval();
                auto check = [&](auto f) {
                    CHECK(test_rows::same_bits(reshape(f(x), {5 * inner}).eval(), f(lines).eval()));
                };
                check([](const array<float>& v) { return array<float>(sum(v * v, 0)); });
                check([](const array<float>& v) { return array<float>(max(v, 0) + min(v, 0)); });
                check([](const array<float>& v) { return array<float>(var(v, 0)); });
            }
    });
}

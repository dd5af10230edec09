// Contractions whose operands lie in other orders than matrices, beside loops in double: by a library of contractions
// where a GPU has one, else by matrix products.
#include "support/backends.hpp"
#include "support/product_helpers.hpp"

#include <sinter/runtime/library/libraries.hpp>
#include <sinter/runtime/library/tensor/cutensor.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;
using namespace test_backends;
using test_products::mentions;

namespace {

array<double> draw(const dims& shape) { return random::random(shape) * 2 - 1; }

bool goes_to_library(const tested_backend& on) { return on.is_cuda() && runtime::cutensor_available(device::cuda(0)); }

// sum over p, k of x[p, m, q, k] y[k, n, p], in the order m, q, n.
template <class T>
std::vector<std::complex<double>> sums_of(const array<T>& x, const array<T>& y) {
    const auto a = to_vector(astype<std::complex<double>>(x)), b = to_vector(astype<std::complex<double>>(y));
    const std::int64_t P = x.shape(0), M = x.shape(1), Q = x.shape(2), K = x.shape(3), N = y.shape(1);
    std::vector<std::complex<double>> sums;
    for (std::int64_t m = 0; m < M; ++m)
        for (std::int64_t q = 0; q < Q; ++q)
            for (std::int64_t n = 0; n < N; ++n) {
                std::complex<double> sum = 0;
                for (std::int64_t p = 0; p < P; ++p)
                    for (std::int64_t k = 0; k < K; ++k)
                        sum += a[static_cast<std::size_t>(((p * M + m) * Q + q) * K + k)] *
                               b[static_cast<std::size_t>((k * N + n) * P + p)];
                sums.push_back(sum);
            }
    return sums;
}

template <class T>
void check_type(double tolerance) {
    array<T> x = astype<T>(draw({3, 5, 7, 4})), y = astype<T>(draw({4, 11, 3}));
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
        x = x * T(0.5f, 1);
        y = y * T(1, -2);
    }
    const array<T> z = einsum("pmqk,knp->mqn", x, y), w = tensordot(x, y, {{0, 3}, {2, 0}});
    CHECK(z.shape() == dims(5, 7, 11));
    const auto wanted = sums_of(x, y);
    for (const auto& got : {to_vector(astype<std::complex<double>>(z)), to_vector(astype<std::complex<double>>(w))})
        for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(std::abs(got[i] - wanted[i]) <= tolerance);
}

}  // namespace

TEST_CASE("a contraction whose operands lie in other orders is the sum of their products, of every type") {
    on_every_backend([](const tested_backend&) {
        check_type<float>(1e-5);
        check_type<double>(1e-13);
        check_type<std::complex<float>>(5e-5);
        check_type<std::complex<double>>(1e-12);
        check_type<half>(2e-2);
        check_type<bfloat16>(1e-1);
    });
}

TEST_CASE("a contraction computes in every precision that its type has") {
    on_every_backend([](const tested_backend&) {
        const array<float> x = astype<float>(draw({3, 5, 7, 4})), y = astype<float>(draw({4, 11, 3}));
        const array<std::complex<float>> z = x * std::complex<float>(1, -1);
        for (precision p : {precision::highest, precision::tf32x3, precision::tf32, precision::bf16}) {
            const precision_scope in(p);
            CHECK(allclose(einsum("pmqk,knp->mqn", x, y), tensordot(x, y, {{0, 3}, {2, 0}}), 0.1, 0.1));
            const auto wanted = sums_of(z, array<std::complex<float>>(astype<std::complex<float>>(y)));
            const auto found = to_vector(einsum("pmqk,knp->mqn", z, y));
            for (std::size_t i = 0; i < wanted.size(); ++i)
                CHECK(std::abs(std::complex<double>(found[i]) - wanted[i]) <= 0.2);
        }
    });
}

TEST_CASE("a contraction of parts and of what is pending is that of their copies") {
    on_every_backend([](const tested_backend&) {
        const array<float> whole = astype<float>(draw({4, 5, 9, 5})), y = astype<float>(draw({4, 11, 3}));
        const array<float> part = whole(slice(1, 4), all, slice(1, 8), slice(1, 5)), copy = part + 0.0f;
        eval(copy);
        CHECK(allclose(einsum("pmqk,knp->mqn", part, y), einsum("pmqk,knp->mqn", copy, y), 1e-5, 1e-5));
        CHECK(allclose(einsum("pmqk,knp->mqn", 2 * copy, y + 1), einsum("pmqk,knp->mqn", 2 * part, 1 + y), 1e-5, 1e-5));
        const array<float> turned = transpose(copy, {3, 0, 2, 1});
        CHECK(allclose(einsum("kpqm,knp->nmq", turned, y), einsum("pmqk,knp->nmq", copy, y), 1e-5, 1e-5));
    });
}

TEST_CASE("stacks, sums of one operand, broadcast axes and axes without elements are contracted too") {
    on_every_backend([](const tested_backend&) {
        const array<double> x = draw({3, 2, 5, 4}), y = draw({4, 6, 3, 5}), one = draw({3, 2, 1, 4});
        // A stack whose axis is in the middle of both; a label that one operand alone has, and not the result.
        CHECK(allclose(einsum("pmsk,knps->smn", x, y), transpose(einsum("pmsk,knps->msn", x, y), {1, 0, 2})));
        array<double> by_parts = zeros({5, 2, 6});
        for (std::int64_t s = 0; s < 5; ++s) by_parts(s) = einsum("pmk,knp->mn", x(all, all, s), y(ellipsis, s));
        CHECK(allclose(einsum("pmsk,knps->smn", x, y), by_parts));
        CHECK(allclose(einsum("pmqk,knps->mns", x, y), einsum("pmk,knps->mns", sum(x, 2), y)));
        CHECK(allclose(einsum("pmqk,knpq->mn", one, y), einsum("pmk,knp->mn", squeeze(one, 2), sum(y, 3))));
        CHECK(einsum("pmqk,knp->mqn", zeros({0, 2, 5, 4}), zeros({4, 7, 0})).shape() == dims(2, 5, 7));
        CHECK(double(sum(einsum("pmqk,knp->mqn", zeros({0, 2, 5, 4}), zeros({4, 7, 0})))) == 0);
        CHECK(einsum("pmqk,knp->mqn", zeros({3, 0, 5, 4}), zeros({4, 7, 3})).size() == 0);
    });
}

TEST_CASE("a contraction reads foreign memory of any alignment") {
    on_compiling_backends([](const tested_backend& on) {
        if (!on.is_cuda()) return;
        const array<double> x = draw({3 * 5 * 7 * 4 + 1}), y = draw({4, 11, 3});
        const array<float> whole = astype<float>(x).eval();
        const array<float> part = from_device(whole.data() + 1, {3, 5, 7, 4}),
                           copy = reshape(whole(slice(1, none)), {3, 5, 7, 4}) + 0.0f;
        const array<float> b = astype<float>(y);
        CHECK(allclose(einsum("pmqk,knp->mqn", part, b), einsum("pmqk,knp->mqn", copy, b), 1e-5, 1e-5));
    });
}

TEST_CASE("a contraction of memory that lies less aligned is planned once for all its runs") {
    on_compiling_backends([](const tested_backend& on) {
        auto* const plans = runtime::cutensor_library().function<long long()>("emulated_cutensor_plans");
        if (!goes_to_library(on) || !plans) return;
        const array<float> whole = astype<float>(draw({3 * 5 * 7 * 4 + 3})).eval(), y = astype<float>(draw({4, 11, 3}));
        eval(y);
        const auto contracted = [&](std::int64_t from) {
            const array<float> part = from_device(whole.data() + from, {3, 5, 7, 4});
            return einsum("pmqk,knp->mqn", part, y).eval();
        };
        std::vector<array<float>> wanted;
        for (std::int64_t from : {0, 1, 2}) {
            const array<float> copy = reshape(whole(slice(from, from + 420)), {3, 5, 7, 4}) + 0.0f;
            wanted.push_back(tensordot(copy, y, {{0, 3}, {2, 0}}).eval());
            contracted(from);
        }
        const long long before = plans();
        for (std::int64_t from : {2, 0, 1, 2, 1})
            CHECK(allclose(contracted(from), wanted[static_cast<std::size_t>(from)], 1e-5, 1e-5));
        CHECK(plans() == before);
    });
}

TEST_CASE("what a library of contractions refuses is said of the function that was called") {
    on_compiling_backends([](const tested_backend& on) {
        auto* const refuse = runtime::cutensor_library().function<void(int)>("emulated_cutensor_refuse");
        if (!goes_to_library(on) || !refuse) return;
        const array<float> x = astype<float>(draw({3, 5, 7, 2})).eval(), y = astype<float>(draw({2, 13, 3})).eval();
        refuse(1);
        const std::string why = "cutensorCreateContraction: CUTENSOR_STATUS_NOT_SUPPORTED";
        CHECK_THROWS_WITH_AS(einsum("pmqk,knp->mqn", x, y).eval(), ("[einsum] " + why).c_str(), device_error);
        CHECK_THROWS_WITH_AS(tensordot(x, y, {{0, 3}, {2, 0}}).eval(), ("[tensordot] " + why).c_str(), device_error);
        refuse(0);
        CHECK(einsum("pmqk,knp->mqn", x, y).eval().shape() == dims(5, 7, 13));
    });
}

TEST_CASE("where a GPU has a library of contractions, no operand is given another order before it") {
    on_compiling_backends([](const tested_backend& on) {
        const array<float> x = astype<float>(draw({3, 5, 7, 4})).eval(), y = astype<float>(draw({4, 11, 3})).eval();
        const auto e = explain(einsum("pmqk,knp->mqn", x, y));
        CHECK(e.library_calls() == 1);
        CHECK((e.kernels() == 0) == goes_to_library(on));
        // What matrices are made of as it lies stays a product of matrices.
        CHECK_FALSE(mentions(explain(einsum("pqk,kn->pqn", x(0), y(all, all, 0))), "contract"));
        const auto before = counters();
        const array<float> z = einsum("pmqk,knp->mqn", x, y).eval();
        if (goes_to_library(on)) CHECK(counters().launches == before.launches);
        if (goes_to_library(on))
            CHECK(counters().kernels_compiled + counters().disk_hits == before.kernels_compiled + before.disk_hits);
        CHECK(counters().library_calls - before.library_calls == 1);
    });
}

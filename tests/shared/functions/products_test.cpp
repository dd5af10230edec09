// Products over any axes against NumPy: einsum, tensordot and their kin, what they throw, and what is a matrix product.
#include "support/backends.hpp"
#include "support/language_golden.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

array<double> operand(const std::string& name) { return golden::stored<double>("linalg product " + name); }

array<double> part(const std::string& subscripts, int i) {
    return golden::stored<double>("linalg einsum " + subscripts + " " + std::to_string(i));
}

template <expression E>
void check(const std::string& name, const E& e) {
    golden::check("linalg " + name, e, 1e-13);
}

}  // namespace

TEST_CASE("einsum takes any subscripts") {
    on_every_backend([](const tested_backend&) {
        for (const char* s : {"ii", "ii->i", "ij->ji", "ij->", "ij->j", "ba", "iij->j", "i...->..."})
            check(std::string("einsum ") + s, einsum(s, part(s, 0)));
        for (const char* s : {"ij,jk->ik", "ij,jk", "ij,kj->ik", "ji,jk->ki", "bij,bjk->bik", "bij,jk->bik",
                              "...ij,...jk->...ik", "i,i", "i,j->ij", "i,j", "ijk,jil->kl", "ij,ij->ij", "ij,j->i",
                              "iij,jk->ik", "ij,jk->", "...j,j...->...", "ij,ik->ijk", "ij , jk -> ik"})
            check(std::string("einsum ") + s, einsum(s, part(s, 0), part(s, 1)));
        for (const char* s : {"i,ij,j", "ij,jk,kl->il", "ab,bc,ca"})
            check(std::string("einsum ") + s, einsum(s, part(s, 0), part(s, 1), part(s, 2)));
        for (const char* s : {"ijk,ilm,njm,nlk,abc->", "ea,fb,abcd,gc,hd->efgh"})
            check(std::string("einsum ") + s, einsum(s, part(s, 0), part(s, 1), part(s, 2), part(s, 3), part(s, 4)));
        for (const char* s : {"ij,jk->ik small", "ij,jk->ik none"})
            check(std::string("einsum ") + s, einsum("ij,jk->ik", part(s, 0), part(s, 1)));
        auto i = golden::stored<std::int64_t>("linalg product i");
        check("einsum integers", einsum("ij,kj->ik", i, i));
        check("einsum mixed", einsum("ij,ij->i", i, golden::stored<std::complex<double>>("linalg product z")));
    });
}

TEST_CASE("the order in which einsum multiplies is numpy.einsum_path's, and is the cheapest") {
    on_every_backend([](const tested_backend&) {
        using steps = std::vector<std::vector<int>>;
        const array<float> a = ones<float>({3, 40}), b = ones<float>({40, 5}), c = ones<float>({5, 7});
        const auto [path, text] = einsum_path("ij,jk,kl", a, b, c);
        CHECK(path == steps{{0, 1}, {0, 1}});
        CHECK(text ==
              "einsum ij,jk,kl: 705 multiplications, at once 8400; the largest product has 21 elements; steps "
              "(0, 1) (0, 1)");
        const array<double> t = ones({2, 6}), thin = ones({6, 100}), narrow = ones({100, 2});
        CHECK(einsum_path("ij,jk,kl,lm", narrow, t, thin, narrow).path == steps{{2, 3}, {1, 2}, {0, 1}});
        CHECK(einsum_path("ij,jk", a, b).path == steps{{0, 1}});
        CHECK(einsum_path("ij->j", a).path == steps{{0}});
        CHECK_THROWS_AS(einsum_path("ij,jk", a, a), shape_error);
        CHECK_THROWS_AS(einsum_path("ij", a, a), value_error);
    });
}

TEST_CASE("einsum says what is wrong with subscripts and sizes") {
    array<double> a = zeros({3, 4});
    CHECK_THROWS_WITH_AS(einsum("ij,jk->ik", a, a), "[einsum] sizes of label j differ in ij,jk->ik: 4 and 3",
                         shape_error);
    CHECK_THROWS_WITH_AS(einsum("...i,...i", a, zeros({2, 4})),
                         "[einsum] sizes of an axis of ... differ in ...i,...i: 3 and 2", shape_error);
    CHECK_THROWS_AS(einsum("ii", a), shape_error);
    CHECK_THROWS_WITH_AS(einsum("ijk->i", a), "[einsum] an operand of 2 axes has other subscripts: ijk->i",
                         value_error);
    CHECK_THROWS_AS(einsum("ij,ij", a), value_error);
    CHECK_THROWS_AS(einsum("ij", a, a), value_error);
    CHECK_THROWS_AS(einsum("i1", a), value_error);
    CHECK_THROWS_AS(einsum("ij->ik", a), value_error);
    CHECK_THROWS_AS(einsum("ij->ii", a), value_error);
}

TEST_CASE("tensordot, dot, inner, vdot, kron and trace are NumPy's") {
    on_every_backend([](const tested_backend&) {
        array<double> a = operand("a"), b = operand("b"), c = operand("c");
        auto z = golden::stored<std::complex<double>>("linalg product z");
        auto i = golden::stored<std::int64_t>("linalg product i");
        check("tensordot lists", tensordot(a, b, {{0, 1}, {1, 0}}));
        check("tensordot 1", tensordot(a, c, 1));
        check("tensordot 0", tensordot(c(slice(2), slice(2)), c(slice(2), slice(3)), 0));
        check("dot", dot(a, golden::stored<double>("linalg dot right")));
        check("inner", inner(a, golden::stored<double>("linalg inner right")));
        check("vdot", vdot(z, z * std::complex<double>(0, 2)));
        check("kron", kron(i, c));
        check("kron ranks", kron(c(0), i));
        check("trace", trace(a));
        check("trace integers", trace(i, 1));
        check("trace axes", trace(a, -1, 1, 2));
        CHECK_THROWS_AS(tensordot(a, b), shape_error);
        CHECK_THROWS_AS(tensordot(a, b, {{1, 1}, {0, 0}}), value_error);
        CHECK_THROWS_AS(tensordot(a, b, 4), value_error);
    });
}

TEST_CASE("products over several axes are one matrix product, rows of transposed operands included") {
    on_compiling_backends([](const tested_backend&) {
        array<double> a = random::random({6, 5}).eval(), b = random::random({6, 7}).eval(),
                      s = random::random({3, 4, 6}).eval();
        CHECK(explain(einsum("ji,jk->ik", a, b)).library_calls() == 1);
        CHECK(explain(einsum("ji,jk->ik", a, b)).kernels() == 0);
        CHECK(explain(einsum("abj,jk->abk", s, b)).library_calls() == 1);
        CHECK(explain(einsum("abj,jk->abk", s, b)).kernels() == 0);
        CHECK(explain(einsum("ij,ij->i", a, a)).library_calls() == 0);
        CHECK(explain(einsum("ij,ij->i", a, a)).kernels() == 1);
        // The small product first: 5 · 6 · 2 and not 5 · 6 · 7.
        array<double> thin = random::random({7, 2}).eval();
        CHECK(allclose(einsum("ji,jk,kl->il", a, b, thin), matmul(a.T(), matmul(b, thin))));
    });
}

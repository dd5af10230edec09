// Structures, tuples and vectors of arrays as one value: their functions, operators, steps and files, as JAX's trees.
#include <sinter/parameters.hpp>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/scratch_folder.hpp"

#if __has_include(<boost/hana/accessors.hpp>)

#include <boost/hana/for_each.hpp>
#include <fstream>

using namespace sinter;
using namespace test_backends;

namespace parameters_of_tests {

struct layer {
    BOOST_HANA_DEFINE_STRUCT(layer, (array<float>, w), (array<float>, b));
};
struct network {
    BOOST_HANA_DEFINE_STRUCT(network, (std::vector<layer>, layers), (array<double>, scale),
                             (boost::hana::tuple<array<float>, array<int>>, rest));
};
struct adapted {
    std::tuple<array<float>, layer> parts;
    array<std::complex<float>> z;
};
struct many_members {
    BOOST_HANA_DEFINE_STRUCT(many_members, (array<float>, a), (array<float>, b), (array<float>, c), (array<float>, d),
                             (array<float>, e), (array<float>, f), (array<float>, g), (array<float>, h),
                             (array<float>, i));
};
struct two_numbers {
    BOOST_HANA_DEFINE_STRUCT(two_numbers, (float, whole), (float, part));
};
struct two_arrays {
    BOOST_HANA_DEFINE_STRUCT(two_arrays, (array<float>, whole), (array<float>, part));
};

SINTER_FUNCTION(twice, (double x)->double { return 2 * x; })
SINTER_FUNCTION(whole_and_part, (float x)->two_numbers { return {floor(x), x - floor(x)}; })

}  // namespace parameters_of_tests
BOOST_HANA_ADAPT_STRUCT(parameters_of_tests::adapted, parts, z);

using namespace parameters_of_tests;

namespace {

network sample() {
    return {{{array<float>{{1, 2}, {3, 4}, {5, 6}}, array<float>{-1, 1}}, {array<float>{{7, 8}}, array<float>{9}}},
            array<double>{0.5, 0.25},
            {array<float>{10}, array<int>{11, 12, 13}}};
}

std::vector<double> elements(const network& p) { return to_vector(flatten(p)); }

std::string message_of(auto f) {
    try {
        f();
    } catch (const error& e) {
        return e.what();
    }
    return "nothing was thrown";
}

}  // namespace

TEST_CASE("a set of parameters is flattened in the members' order, and comes back with its shapes and types") {
    on_every_backend([](const tested_backend&) {
        const network p = sample();
        CHECK(count(p) == 17);
        CHECK(elements(p) == std::vector<double>{1, 2, 3, 4, 5, 6, -1, 1, 7, 8, 9, 0.5, 0.25, 10, 11, 12, 13});
        const network q = unflatten(p, 2.0 * flatten(p));
        CHECK(q.layers[0].w.shape() == dims(3, 2));
        CHECK(to_vector(q.layers[0].b) == std::vector<float>{-2, 2});
        CHECK(to_vector(boost::hana::at_c<1>(q.rest)) == std::vector<int>{22, 24, 26});
        CHECK(message_of([&] { unflatten(p, zeros({16})); }) ==
              "[unflatten] 17 elements along one axis are wanted, not shape (16,)");
        CHECK(message_of([&] { unflatten(p, zeros({17, 1})); }) ==
              "[unflatten] 17 elements along one axis are wanted, not shape (17, 1)");

        const adapted a{{array<float>{1, 2}, {array<float>{3}, array<float>{}}},
                        array<std::complex<float>>{std::complex<float>(4, 5)}};
        CHECK(to_vector(flatten(a)) == std::vector<std::complex<float>>{1, 2, 3, {4, 5}});
        CHECK(to_vector(unflatten(a, flatten(a)).z) == std::vector<std::complex<float>>{{4, 5}});
        CHECK(flatten(std::vector<array<float>>()).size() == 0);
    });
}

TEST_CASE("functions of arrays and of elements are applied to each array of one set, or of several") {
    on_every_backend([](const tested_backend&) {
        const network p = sample();
        CHECK(elements(transform(p, [](const auto& a) { return a * a + 1; }))[8] == 50);
        const std::vector<array<double>> v{array<double>{1, 2}, array<double>{3}};
        CHECK(to_vector(flatten(transform(v, twice))) == std::vector<double>{2, 4, 6});
        CHECK(elements(transform(p, ones_like(p), [](const auto& a, const auto& b) { return maximum(a, b); }))[6] == 1);
        CHECK(elements(transform(p, p, p, [](const auto& a, const auto& b, const auto& c) { return a + b + c; }))[9] ==
              24);
        CHECK(elements(zeros_like(p)) == std::vector<double>(17, 0));
        CHECK(boost::hana::at_c<1>(zeros_like(p).rest).dtype() == dtype::int32);
        array<float> squares = reduce(p, [](auto s, const auto& a) { return s + astype<float>(sum(square(a))); }, 0.0f);
        CHECK(squares.item() == 821.3125f);
        CHECK(reduce(p, [](int axes, const auto& a) { return axes + a.ndim(); }, 0) == 9);
        CHECK(reduce(std::vector<array<int>>(), [](auto s, const auto& a) { return s + sum(a); }, 3).item() == 3);
    });
}

TEST_CASE("whole sets are added, scaled and updated in place, array by array") {
    on_every_backend([](const tested_backend&) {
        const network p = sample(), g = ones_like(p);
        const std::vector<double> old = elements(p);
        const network q = p - transform(g, [](const auto& a) { return a * 3; });
        for (std::size_t i = 0; i < old.size(); ++i) CHECK(elements(q)[i] == old[i] - 3);
        const std::vector<layer> layers = p.layers, steps = 0.5f * (layers + layers) / array<float>{2};
        CHECK(to_vector(flatten(steps))[5] == 3);
        CHECK(to_vector(flatten(array<float>{1} - (1 - -layers)))[5] == -6);
        network r = p;
        r += p;
        r -= g;
        r *= 2;
        CHECK(elements(r)[7] == 2);
        CHECK(elements(r)[16] == 50);
        CHECK(elements(p) == old);
        std::tuple<array<double>, array<float>> t{array<double>{8}, array<float>{4}};
        t /= t * 2;
        CHECK(to_vector(flatten(t)) == std::vector<double>{0.5, 0.5});
    });
}

TEST_CASE("what does not fit is told with the member's name") {
    on_every_backend([](const tested_backend&) {
        const network p = sample();
        network shorter = p, other = p, larger = p;
        shorter.layers.pop_back();
        other.layers[1].w = zeros<float>({3});
        larger.scale = zeros({4, 2});
        CHECK(message_of([&] { p + shorter; }) == "[add] layers: of different lengths: 2 and 1");
        CHECK(message_of([&] { p* other; }) == "[multiply] layers.1.w: shapes do not broadcast: (1, 2) and (3,)");
        CHECK(message_of([&] {
                  network q = p;
                  q -= larger;
              }) == "[-=] scale: cannot broadcast (4, 2) to (2,)");
        CHECK(message_of([&] { p.layers / std::vector<layer>(); }) ==
              "[divide] the list: of different lengths: 2 and 0");
        CHECK_THROWS_AS(transform(p, other, [](const auto& a, const auto& b) { return a + b; }), shape_error);
        CHECK(message_of([&] { boost::hana::make_tuple(array<int>{1}) + 3'000'000'000; }) ==
              "[add] 0: 3000000000 does not fit in int32");
    });
}

TEST_CASE("a whole set is computed together, in one kernel for each shape") {
    on_compiling_backends([](const tested_backend&) {
        many_members p;
        boost::hana::for_each(boost::hana::accessors<many_members>(), [&](auto member) {
            boost::hana::second(member)(p) = full<float>({100}, 2.0f).copy().eval();
        });
        const std::vector<many_members> velocity{zeros_like(p)};
        const many_members q = p - 0.5f * (p + 2.0f * velocity[0]);
        CHECK(explain(q, velocity).kernels() <= 2);
        reset_counters();
        eval(q, velocity);
        CHECK(counters().launches <= 2);
        CHECK(q.i.item(99) == 1);
        CHECK(to_vector(flatten(q))[899] == 1);
        reset_counters();
        eval(boost::hana::make_tuple(q.a + 1.0f, q.b + 1.0f));
        CHECK(counters().launches == 1);
    });
}

TEST_CASE("steps of a graph take and give sets, and structures and vectors within tuples") {
    on_every_backend([](const tested_backend&) {
        graph step([](const network& p, const network& v, float rate) {
            network next = transform(v, p, [&](const auto& a, const auto& b) { return a + b; });
            return std::tuple(p - next, next.layers, sum(p.scale) * rate);
        });
        network p = sample(), same = p;
        const network v = ones_like(p);
        for (int i = 0; i < 4; ++i) {
            auto [q, layers, total] = step(p, v, 0.5f * static_cast<float>(i));
            CHECK(total.item() == doctest::Approx(to_vector(p.scale)[0] * 0.5 * i + to_vector(p.scale)[1] * 0.5 * i));
            CHECK(to_vector(flatten(layers)) == to_vector(flatten(p.layers + v.layers)));
            p = q + 1 * transform(same, [](const auto& a) { return a * 2; });
            same = same - 0 * same;
            CHECK(elements(q) == std::vector<double>(17, -1));
        }
    });
}

TEST_CASE("a function's several results are a structure's members") {
    on_every_backend([](const tested_backend&) {
        const two_arrays p = as_set<two_arrays>(vectorize(whole_and_part)(array<float>{1.25f, -0.5f}));
        CHECK(to_vector(p.whole) == std::vector<float>{1, -1});
        CHECK(to_vector(p.part) == std::vector<float>{0.25f, 0.5f});
    });
}

TEST_CASE("sets are saved under dotted names, and loaded with lists as long as they were") {
    on_every_backend([](const tested_backend&) {
        scratch_folder folder;
        const std::string path = folder.path + "/p.npz";
        network p = sample();
        for (int i = 0; i < 9; ++i) p.layers.push_back({array<float>{float(i)}, zeros<float>({0})});
        save(folder.path + "/p", p);
        const npz_file file = loadz(path);
        CHECK(file.names()[0] == "layers.0.w");
        CHECK(file.names()[21] == "layers.10.b");
        CHECK(file.names()[22] == "scale");
        CHECK(file.names()[24] == "rest.1");
        const network q = load<network>(path);
        CHECK(q.layers.size() == 11);
        CHECK(q.layers[0].w.shape() == dims(3, 2));
        CHECK(elements(q) == elements(p));
        save(path, p.layers);
        CHECK(loadz(path).names()[1] == "0.b");
        CHECK(load<std::vector<layer>>(path).size() == 11);
        const adapted a{{array<float>{1, 2}, {array<float>{3}, array<float>{}}},
                        array<std::complex<float>>{std::complex<float>(4, 5)}};
        save(path, a);
        CHECK(to_vector(flatten(load<adapted>(path))) == to_vector(flatten(a)));
    });
}

TEST_CASE("files that lack a name, or hold what would be lost, are refused with the name") {
    scratch_folder folder;
    const std::string path = folder.path + "/p.npz";
    auto refused = [&] { return message_of([&] { load<network>(path); }); };
    savez(path, {{"scale", zeros({2})}, {"rest.0", zeros({1})}, {"layers.0.w", zeros({1})}});
    CHECK(refused() == "[load] " + path + " has no array 'layers.0.b'");
    savez(path, {{"layers.0.w", zeros({1})}, {"layers.0.b", zeros({1})}, {"layers.2.w", zeros({1})}});
    CHECK(refused() == "[load] " + path + " has 'layers.2.w', but no 'layers.1'");
    savez(path, {{"scale", zeros<std::complex<double>>({2})}});
    CHECK(refused().find("scale.npy") != std::string::npos);
    CHECK_THROWS_AS(load<network>(path), type_error);
    savez(path, {{"scale", zeros({2})}, {"rest.0", zeros({1})}});
    CHECK(refused() == "[load] " + path + " has no array 'rest.1'");
    std::ofstream(path) << "no archive";
    CHECK_THROWS_AS(load<network>(path), io_error);
    CHECK_THROWS_AS(save(folder.path + "/none/p", sample()), io_error);
}

#else

TEST_CASE("sets of parameters need the headers of Boost.Hana") { MESSAGE("no Boost.Hana here: install libboost-dev"); }

#endif

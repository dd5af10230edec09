// The programs of bench/programs against NumPy's results on the same inputs.
#include "../../../bench/programs/all.hpp"
#include "support/backends.hpp"
#include "support/language_golden.hpp"

using namespace sinter;
using test_backends::on_every_backend;

namespace {

template <class T = double>
array<T> input(const std::string& program, int i) {
    return golden::stored<T>(program + " input " + std::to_string(i));
}

template <class T = double>
std::array<array<T>, 7> inputs(const std::string& program, int count) {
    std::array<array<T>, 7> list;
    for (int i = 0; i < count; ++i) list[static_cast<std::size_t>(i)] = input<T>(program, i);
    return list;
}

}  // namespace

TEST_CASE("programs of one expression agree with NumPy") {
    on_every_backend([](auto&) {
        auto a = inputs("arc_distance", 4);
        golden::check("arc_distance result 0", programs::arc_distance::kernel(a[0], a[1], a[2], a[3]), 1e-14);
        auto g = inputs("gesummv", 3);
        golden::check("gesummv result 0", programs::gesummv::kernel(1.5, 1.2, g[0], g[1], g[2]), 1e-14);
        golden::check("go_fast result 0", programs::go_fast::kernel(input("go_fast", 0)), 1e-14);
        golden::check("program_softmax result 0", programs::softmax::kernel(input<float>("program_softmax", 0)), 1e-6);
        auto m = inputs<float>("mlp", 7);
        golden::check("mlp result 0", programs::mlp::kernel(m[0], m[1], m[2], m[3], m[4], m[5], m[6]), 1e-5);
    });
}

TEST_CASE("the equation of state agrees with NumPy as far as its cancellations allow") {
    on_every_backend([](auto&) {
        auto e = inputs("equation_of_state", 3);
        golden::check("equation_of_state result 0", programs::equation_of_state::gsw_dHdT(e[0], e[1], e[2]), 1e-9);
    });
}

TEST_CASE("programs that assign to parts of arrays agree with NumPy") {
    on_every_backend([](auto&) {
        auto z = inputs("azimint_naive", 2);
        golden::check("azimint_naive result 0", programs::azimint_naive::kernel(z[0], z[1], 10), 1e-14);
        array<double> data = input("covariance", 0);
        golden::check("covariance result 0", programs::covariance::kernel(11, data), 1e-14);
        auto h = inputs("hdiff", 2);
        array<double> out_field;
        programs::hdiff::kernel(h[0], out_field, h[1]);
        golden::check("hdiff result 0", out_field, 1e-14);
        auto j = inputs("jacobi_2d", 2);
        programs::jacobi_2d::kernel(9, j[0], j[1]);
        golden::check("jacobi_2d result 0", j[0], 1e-14);
        golden::check("jacobi_2d result 1", j[1], 1e-14);
    });
}

TEST_CASE("a program of complex numbers and masks agrees with NumPy") {
    on_every_backend([](auto&) {
        programs::mandelbrot1 m{-1.75, 0.25, -1.0, 1.0, 11, 13, 40, 2.0, {}, {}};
        m.run();
        golden::check("mandelbrot1 result 0", m.z, 1e-12);
        golden::check("mandelbrot1 result 1", m.n);
    });
}

TEST_CASE("programs without intermediate results that must be stored need memory for inputs and results alone") {
    test_backends::on_compiling_backends([](auto&) {
        auto check = [](auto program) {
            program.drop_results();
            program.run();
            program.drop_results();
            synchronize();
            reset_counters();
            program.run();
            CHECK(counters().launches == 1);
            CHECK(counters().pool_peak == counters().pool_used);
        };
        auto a = inputs("arc_distance", 4);
        check(programs::arc_distance{a[0], a[1], a[2], a[3], {}});
        auto h = inputs("hdiff", 2);
        check(programs::hdiff{h[0], {}, h[1]});
        auto e = inputs("equation_of_state", 3);
        check(programs::equation_of_state{e[0], e[1], e[2], {}});
    });
}

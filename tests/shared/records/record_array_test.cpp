// Records: structures as elements, their columns, selections, order, text and structured .npy files as NumPy has them.
#include <sinter/records.hpp>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/scratch_folder.hpp"

#if __has_include(<boost/hana/accessors.hpp>)

#include <fstream>
#include <sstream>

using namespace sinter;
using namespace test_backends;

namespace records_of_tests {

struct particle {
    BOOST_HANA_DEFINE_STRUCT(particle, (float, x), (double, v), (int, n), (bool, alive));
    friend bool operator==(const particle&, const particle&) = default;
};
struct spectrum {
    std::complex<float> z;
    std::int8_t order;
};
struct only_x {
    BOOST_HANA_DEFINE_STRUCT(only_x, (double, x));
};
SINTER_STRUCT(whole_and_part, {
    double part;
    long whole;
})

SINTER_STRUCT(star, {
    float x, v = 1;
    std::complex<float> z{1, 2};
    bool is_lit = 3 < 4;
    std::int16_t code{7};
})
SINTER_STRUCT(adapted_star, { float x, y; })

SINTER_FUNCTION(
    step, (particle p, double dt)->particle {
        p.x = p.x + float(dt * p.v);
        if (p.alive && p.x > 3) {
            p.v = -p.v;
            ++p.n;
        }
        return p;
    })
SINTER_FUNCTION(
    pushed, (particle p, double dt)->particle {
        p.x += float(dt * p.v);
        return p;
    })
SINTER_FUNCTION(
    halves, (double x)->whole_and_part {
        long whole = long(x);
        return {x - double(whole), whole};
    })
SINTER_FUNCTION(energy, (const particle& p)->double { return 0.5 * p.v * p.v; })
SINTER_FUNCTION(faster, (particle a, double least, particle b)->bool { return fabs(a.v) > fabs(b.v) + least; })
SINTER_FUNCTION(turned, (spectrum s)->spectrum { return {std::complex<float>(-s.z.imag(), s.z.real()), s.order}; })
SINTER_FUNCTION(
    taken_apart, (only_x x)->whole_and_part {
        long whole = long(x.x);
        return {x.x - double(whole), whole};
    })

}  // namespace records_of_tests
BOOST_HANA_ADAPT_STRUCT(records_of_tests::spectrum, z, order);
BOOST_HANA_ADAPT_STRUCT(records_of_tests::adapted_star, y, x);

using namespace records_of_tests;

namespace {

const std::vector<particle> three{{1.5f, 2, 3, true}, {10.25f, -3, -4, false}, {0, 0.125, 7, true}};

std::vector<particle> many(int n) {
    std::vector<particle> all;
    for (int i = 0; i < n; ++i) all.push_back({static_cast<float>(i) / 4, double(i) * i, i - 5, i % 2 == 1});
    return all;
}

// The bytes of an .npy file of version 1.
void write_npy(const std::string& path, const std::string& dictionary, const std::string& data) {
    const auto length = static_cast<unsigned>(dictionary.size());
    std::ofstream(path, std::ios::binary) << std::string("\x93NUMPY\x01\x00", 8) << static_cast<char>(length & 255)
                                          << static_cast<char>(length >> 8) << dictionary << data;
}

}  // namespace

TEST_CASE("records are columns on the device, and come back as they were") {
    on_every_backend([](const tested_backend& b) {
        record_array<particle> p = three;
        CHECK(p.size() == 3);
        CHECK(p.get(&particle::x).device().is_cuda() == b.is_cuda());
        CHECK(to_vector(p) == three);
        CHECK(to_vector(p.get(&particle::v)) == std::vector<double>{2, -3, 0.125});
        CHECK(&p.get<"v">() == &p.get(&particle::v));
        CHECK(p(1) == three[1]);
        CHECK(p(-1) == three[2]);
        CHECK_THROWS_AS(p(3), index_error);
        CHECK(record_array<particle>().size() == 0);
        CHECK(to_vector(record_array<particle>(std::vector<particle>())).empty());
        for (int n : {1, 1001}) CHECK(to_vector(record_array<particle>(many(n))) == many(n));

        record_array<spectrum> s{{{1, 2}, -3}, {{0.5f, -1}, 4}};
        CHECK(to_vector(s.get(&spectrum::order)) == std::vector<std::int8_t>{-3, 4});
        CHECK(s(1).z == std::complex<float>(0.5f, -1));
    });
}

TEST_CASE("a column may be assigned to, and only what is used is computed") {
    on_compiling_backends([](const tested_backend&) {
        record_array<particle> p = many(1001);
        reset_counters();
        p.get(&particle::x) += 2.0f * p.get(&particle::x);
        p.get(&particle::v) = exp(p.get(&particle::v));
        CHECK(to_vector(p.get(&particle::x))[1000] == 750);
        CHECK(counters().launches == 1);
        CHECK(p(4).x == 3);
        p.get(&particle::n) = arange<int>(7);
        CHECK_THROWS_WITH_AS(to_vector(p), "[to_vector] the member 'n' has shape (7,), and 'x' has (1001,)",
                             shape_error);
        CHECK_THROWS_AS(record_array<whole_and_part>(std::tuple(zeros({2, 2}).eval(), zeros<long>({4}).eval())),
                        shape_error);
    });
}

TEST_CASE("slices, masks and indices take whole records, and a member orders them") {
    on_every_backend([](const tested_backend&) {
        const std::vector<particle> all = many(11);
        const record_array<particle> p = all;
        CHECK(to_vector(p(slice(1, 9, 3))) == std::vector<particle>{all[1], all[4], all[7]});
        CHECK(to_vector(p(slice(none, none, -1)))[0] == all[10]);
        CHECK(to_vector(p[p.get(&particle::n) > 3]) == std::vector<particle>{all[9], all[10]});
        CHECK(to_vector(p[array<int>{2, -1}]) == std::vector<particle>{all[2], all[10]});
        CHECK(to_vector(p[p.get<"alive">() && p.get<"x">() < 0.0f]).empty());
        const record_array<particle> q = three;
        CHECK(to_vector(sort(q, &particle::x)) == std::vector<particle>{three[2], three[0], three[1]});
        CHECK(to_vector(sort(p, &particle::alive))[5] == all[10]);
    });
}

TEST_CASE("a SINTER_STRUCT is a structure that Boost.Hana knows, by its text or as it is adapted") {
    on_every_backend([](const tested_backend&) {
        const record_array<star> p{{}, {2, 3, {4, 5}, false, 6}};
        CHECK(repr(p(slice(1))) ==
              "rec.array([(0., 1., 1.+2.j,  True, 7)],\n          dtype=[('x', '<f4'), ('v', '<f4'), "
              "('z', '<c8'), ('is_lit', '?'), ('code', '<i2')])");
        CHECK(p.get(&star::v).item(1) == 3);
        CHECK(p(1).code == 6);
        CHECK(boost::hana::Struct<star>::value);
        CHECK(str(record_array<adapted_star>{{1, 2}}) == "[(2., 1.)]");
    });
}

TEST_CASE("records stand along several axes") {
    on_every_backend([](const tested_backend&) {
        const std::vector<particle> all_of_them = many(12);
        const record_array<particle> p = record_array<particle>(all_of_them).reshape({3, 4});
        CHECK(p.shape() == dims(3, 4));
        CHECK(p.size() == 12);
        CHECK(p(1, -1) == all_of_them[7]);
        CHECK_THROWS_AS(p(1), index_error);
        CHECK_THROWS_AS(p(3, 0), index_error);
        CHECK(to_vector(p) == all_of_them);
        CHECK(to_vector(p(all, 1)) == std::vector<particle>{all_of_them[1], all_of_them[5], all_of_them[9]});
        CHECK(to_vector(p(2, slice(2))) == std::vector<particle>{all_of_them[8], all_of_them[9]});
        CHECK(to_vector(p[p.get<"n">() > 4]) == std::vector<particle>{all_of_them[10], all_of_them[11]});
        CHECK(to_vector(sort(p, &particle::alive))[1] == all_of_them[2]);
        CHECK(to_vector(vectorize(step)(p, 0.5))[11] == step(all_of_them[11], 0.5));
        CHECK(vectorize(energy)(p(slice(2), all)).shape() == dims(2, 4));
        const record_array<only_x> q(std::tuple(array<double>{{1, 2.5}, {-3, 4}}));
        CHECK(str(q) == "[[( 1. ,) ( 2.5,)]\n [(-3. ,) ( 4. ,)]]");
        CHECK(repr(q) ==
              "rec.array([[( 1. ,), ( 2.5,)],\n           [(-3. ,), ( 4. ,)]],\n          dtype=[('x', '<f8')])");
        CHECK(repr(q(slice(0), all)) == "rec.array([], shape=(0, 2),\n          dtype=[('x', '<f8')])");
        scratch_folder folder;
        save(folder.path + "/p", p);
        CHECK(load<particle>(folder.path + "/p.npy").shape() == dims(3, 4));
        CHECK(to_vector(load<particle>(folder.path + "/p.npy")) == all_of_them);
        write_npy(folder.path + "/f.npy", "{'descr': [('x', '|i1')], 'fortran_order': True, 'shape': (2, 3), }\n",
                  "\x01\x02\x03\x04\x05\x06");
        CHECK(to_vector(load<only_x>(folder.path + "/f.npy").get<"x">()) == std::vector<double>{1, 3, 5, 2, 4, 6});
    });
}

TEST_CASE("records go to .npz files, an array for each member, and come back") {
    on_every_backend([](const tested_backend&) {
        scratch_folder folder;
        const std::string path = folder.path + "/p.npz";
        savez(path, record_array<particle>(three));
        CHECK(loadz(path).names() == std::vector<std::string>{"x", "v", "n", "alive"});
        CHECK(loadz(path).get<double>("v").item(1) == -3);
        CHECK(to_vector(load<particle>(path)) == three);
        savez(path, {{"n", arange<int>(3)}, {"x", ones<float>({3})}});
        CHECK(load<only_x>(path)(2).x == 1);
        CHECK_THROWS_WITH_AS(load<particle>(path), ("[load] " + path + ": there is no member 'v'").c_str(), io_error);
        savez(path, {{"part", zeros({3})}, {"whole", zeros<long>({2})}});
        CHECK_THROWS_AS(load<whole_and_part>(path), shape_error);
    });
}

TEST_CASE("tables of text have the members' names in their first line") {
    on_every_backend([](const tested_backend&) {
        scratch_folder folder;
        const std::string path = folder.path + "/p.csv";
        to_csv(path, record_array<particle>(three));
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        CHECK(text.str() == "x,v,n,alive\n1.5,2.0,3,True\n10.25,-3.0,-4,False\n0.0,0.125,7,True\n");
        CHECK(to_vector(read_csv<particle>(path)) == three);
        to_csv(path, record_array<spectrum>{{{0.1f, -1e-20f}, -3}, {{3e20f, float(inf)}, 4}}, {.delimiter = ";"});
        const auto back = read_csv<spectrum>(path, {.delimiter = ";"});
        CHECK(back(0).z == std::complex<float>(0.1f, -1e-20f));
        CHECK(back(1).z == std::complex<float>(3e20f, float(inf)));
        to_csv(path, record_array<particle>());
        CHECK(read_csv<particle>(path).size() == 0);
        for (int n : {1, 100'003}) {
            to_csv(path, record_array<particle>(many(n)));
            CHECK(to_vector(read_csv<particle>(path)) == many(n));
        }
        // Another order, other columns, quotes, and the line that numpy.savetxt writes.
        std::ofstream(path) << "# name, \"whole\" ,part\r\n\"a,b\",7,0.5\r\nc,-1,2\r\n";
        const auto parts = to_vector(read_csv<whole_and_part>(path));
        CHECK(parts[0].whole == 7);
        CHECK(parts[1].part == 2);
    });
}

TEST_CASE("tables that lack a member, or have words for numbers, are refused with the name or the place") {
    scratch_folder folder;
    const std::string path = folder.path + "/p.csv";
    auto refuse = [&](const std::string& text, const std::string& what) {
        CAPTURE(text);
        std::ofstream(path) << text;
        try {
            read_csv<particle>(path);
            FAIL("it was read");
        } catch (const io_error& e) {
            CHECK_MESSAGE(std::string(e.what()).find(what) != std::string::npos, e.what());
        }
    };
    refuse("", "there is no member 'x'");
    refuse("x,v,N,alive\n1,2,3,1\n", "there is no member 'n'");
    refuse("x,v,n,alive\n1,2,3,1\n1,two,3,1\n", "two");
    refuse("x,v,n,alive\n1,2,3.5,1\n", "3.5");
    refuse("x,v,n,alive\n1,2,3,maybe\n", "maybe");
    refuse("x,v,n,alive\n1,2,3\n", "column");
    CHECK_THROWS_AS(read_csv<particle>(folder.path + "/none.csv"), io_error);
    CHECK_THROWS_AS(read_csv<particle>(path, {.delimiter = ""}), value_error);
    CHECK_THROWS_AS(to_csv(path, record_array<only_x>(std::tuple(zeros({2, 2}).eval()))), shape_error);
    CHECK_THROWS_AS(to_csv(folder.path + "/none/p.csv", record_array<only_x>()), io_error);
}

TEST_CASE("functions of structures take records and give records, in one kernel") {
    on_every_backend([](const tested_backend& b) {
        for (int n : {0, 1, 1001}) {
            const std::vector<particle> all = many(n);
            std::vector<particle> want;
            for (const particle& p : all) want.push_back(step(p, 0.125));
            const record_array<particle> p = all;
            const record_array<particle> q = vectorize(step)(p, 0.125);
            reset_counters();
            CHECK(to_vector(q) == want);
            if (b.compiles() && n > 0) CHECK(counters().launches == 1);
            array<double> energies = vectorize(energy)(p);
            CHECK(energies.size() == n);
            for (int i = 0; i < n; i += 100) CHECK(energies.item(i) == energy(all[static_cast<std::size_t>(i)]));
        }
        const record_array<particle> p = three;
        CHECK(to_vector(vectorize(faster)(p, array<double>{0, 1, 0}, p(slice(none, none, -1)))) ==
              std::vector<bool>{true, false, false});
        const record_array<spectrum> s = vectorize(turned)(record_array<spectrum>{{{1, 2}, -3}});
        CHECK(s(0).z == std::complex<float>(-2, 1));
        CHECK(s(0).order == -3);
        const auto parts = to_vector(vectorize(taken_apart)(record_array<only_x>{{2.75}, {-1.5}}));
        CHECK(parts[0].whole == 2);
        CHECK(parts[1].part == -0.5);
        const record_array<whole_and_part> named(vectorize(halves)(array<double>{2.75, -1.5}));
        CHECK(named(0).part == 0.75);
        CHECK(named(1).whole == -1);
        CHECK_THROWS_AS(vectorize(step)(p, arange<double>(2)), shape_error);
    });
}

TEST_CASE("what a function of records does not change costs nothing where only the rest is used") {
    on_compiling_backends([](const tested_backend&) {
        const record_array<particle> p = many(4096);
        const record_array<particle> q = vectorize(step)(p, 0.125);
        const auto plan = explain(q.get(&particle::alive));
        CHECK(plan.kernels() <= 1);
        CHECK(plan.bytes_written() <= 4096);
    });
}

TEST_CASE("members that a function only passes through are neither read nor written") {
    on_compiling_backends([](const tested_backend&) {
        const std::vector<particle> all_of_them = many(4096);
        const record_array<particle> p = all_of_them;
        const record_array<particle> q = vectorize(pushed)(p, 0.5);
        const auto plan = explain(q.get<"x">(), q.get<"v">(), q.get<"n">(), q.get<"alive">());
        CHECK(explain(q).kernels() == plan.kernels());
        CHECK(explain(q).bytes_written() == plan.bytes_written());
        CHECK(plan.bytes_written() == 4096 * 4);
        CHECK(plan.bytes_read() == 4096 * (4 + 8));
        CHECK(q(4095) == pushed(all_of_them[4095], 0.5));
        // The result is larger than the records: all of it is computed.
        const record_array<particle> r = vectorize(pushed)(p(slice(3)), array<double>{{0.5}, {1}});
        CHECK(r.shape() == dims(2, 3));
        CHECK(r(1, 2) == pushed(all_of_them[2], 1));
        CHECK(explain(vectorize(energy)(p)).bytes_read() == 4096 * 8);
    });
}

TEST_CASE("records are printed as NumPy prints its record arrays") {
    on_every_backend([](const tested_backend&) {
        std::ostringstream out;
        out << record_array<particle>(three);
        CHECK(out.str() == "[( 1.5 ,  2.   ,  3,  True) (10.25, -3.   , -4, False)\n ( 0.  ,  0.125,  7,  True)]");
        CHECK(repr(record_array<particle>(three)) ==
              "rec.array([( 1.5 ,  2.   ,  3,  True), (10.25, -3.   , -4, False),\n"
              "           ( 0.  ,  0.125,  7,  True)],\n"
              "          dtype=[('x', '<f4'), ('v', '<f8'), ('n', '<i4'), ('alive', '?')])");
        CHECK(str(record_array<particle>(many(1500))) ==
              "[(0.0000e+00, 0.000000e+00,   -5, False)\n"
              " (2.5000e-01, 1.000000e+00,   -4,  True)\n"
              " (5.0000e-01, 4.000000e+00,   -3, False) ...\n"
              " (3.7425e+02, 2.241009e+06, 1492,  True)\n"
              " (3.7450e+02, 2.244004e+06, 1493, False)\n"
              " (3.7475e+02, 2.247001e+06, 1494,  True)]");
        CHECK(repr(record_array<particle>(many(1500)))
                  .starts_with("rec.array([(0.0000e+00, 0.000000e+00,   -5, False),\n"
                               "           (2.5000e-01, 1.000000e+00,   -4,  True),\n"
                               "           (5.0000e-01, 4.000000e+00,   -3, False), ...,\n"
                               "           (3.7425e+02, "));
        CHECK(repr(record_array<only_x>{{1}, {2.5}}) == "rec.array([(1. ,), (2.5,)],\n          dtype=[('x', '<f8')])");
        CHECK(repr(record_array<spectrum>{{{1, 2}, -3}, {{0.5f, -1}, 4}}) ==
              "rec.array([(1. +2.j, -3), (0.5-1.j,  4)],\n          dtype=[('z', '<c8'), ('order', 'i1')])");
        CHECK(repr(record_array<only_x>()) == "rec.array([],\n          dtype=[('x', '<f8')])");
    });
}

TEST_CASE("structured .npy files are written as NumPy writes them, and read by the members' names") {
    on_every_backend([](const tested_backend&) {
        scratch_folder folder;
        const std::string path = folder.path + "/p.npy";
        for (int n : {0, 1, 3, 100'003}) {
            save(folder.path + "/p", record_array<particle>(many(n)));
            CHECK(to_vector(load<particle>(path)) == many(n));
        }
        save(path, record_array<particle>(three));
        std::ostringstream bytes;
        bytes << std::ifstream(path, std::ios::binary).rdbuf();
        CHECK(
            bytes.str().substr(10, 118) ==
            "{'descr': [('x', '<f4'), ('v', '<f8'), ('n', '<i4'), ('alive', '|b1')], 'fortran_order': False, 'shape': "
            "(3,), }      ");
        CHECK(bytes.str().size() == 192 + 3 * 17);
        // A part of the members, as a type that holds them.
        CHECK(to_vector(load<only_x>(path).get(&only_x::x)) == std::vector<double>{1.5, 10.25, 0});
        // Gaps, another order of members and of bytes.
        write_npy(path,
                  "{'descr': [('order', '|i1'), ('', '|V3'), ('z', '>c8')], 'fortran_order': False, 'shape': (1,), }\n",
                  std::string("\x05xyz\x3f\x80\x00\x00\xc0\x00\x00\x00", 12));
        const spectrum read = load<spectrum>(path)(0);
        CHECK(read.z == std::complex<float>(1, -2));
        CHECK(read.order == 5);
    });
}

TEST_CASE("files that are no such records are refused with the place and the name") {
    scratch_folder folder;
    const std::string path = folder.path + "/p.npy";
    auto refuse = [&](const std::string& descr, const std::string& what) {
        CAPTURE(descr);
        write_npy(path, "{'descr': " + descr + ", 'fortran_order': False, 'shape': (1,), }\n", std::string(64, 'a'));
        try {
            load<only_x>(path);
            FAIL("it was read");
        } catch (const error& e) {
            CHECK_MESSAGE(std::string(e.what()).find(what) != std::string::npos, e.what());
        }
    };
    refuse("'<f8'", "an array of numbers, not of records");
    refuse("[('y', '<f8')]", "there is no member 'x'");
    refuse("[('x', '<c16')]", "the member 'x' of " + path + " holds complex128, which float64 cannot hold");
    refuse("[('x', '<f8', (3,))]", "the member 'x' is an array itself");
    refuse("[]", "records without members");
    refuse("[('x', '<q8')]", "is not a type that sinter knows");
    refuse("[('x', '<f8'), ('', '|V99999999999')]", "a gap of 99999999999 bytes");
    refuse("[('x', '<f8'), ('', '|V100')]", "the data is cut short");
    refuse("[('x' '<f8')]", "malformed header");
    refuse("[('x', '<f8')", "malformed header");
    save(path, record_array<particle>(three));
    CHECK_THROWS_AS(load<double>(path), io_error);
}

#else

TEST_CASE("records need the headers of Boost.Hana") { MESSAGE("no Boost.Hana here: install libboost-dev"); }

#endif

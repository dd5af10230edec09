// Saving and loading arrays of every backend as .npy files.
#include <cstdio>
#include <cstdlib>
#include <sinter/sinter.hpp>

#include "../backends.hpp"
#include "../scratch_folder.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

template <class T>
void check_round_trip(const std::string& path) {
    array<T> a = astype<T>(arange<int>(24));
    a = reshape(a, {2, 3, 4});
    save(path, a);
    CHECK(array_equal(load<T>(path), a));
    array<T> part = a(slice(none, none, -1), slice(1, none), slice(none, none, 2)), turned = a.T();
    save(path, part);
    CHECK(array_equal(load<T>(path), part));
    save(path, turned);
    CHECK(array_equal(load<T>(path), turned));
}

}  // namespace

TEST_CASE("every dtype survives a file, views and expressions too") {
    on_every_backend([](const tested_backend&) {
        scratch_folder folder;
        std::string path = folder.path + "/a.npy";
        check_round_trip<bool>(path);
        check_round_trip<std::int8_t>(path);
        check_round_trip<std::uint16_t>(path);
        check_round_trip<std::int64_t>(path);
        check_round_trip<float>(path);
        check_round_trip<double>(path);
        check_round_trip<std::complex<float>>(path);
        save(path, arange<double>(5.0) * 2 + 1);
        CHECK(str(load<double>(path)) == "[1. 3. 5. 7. 9.]");
        save(path, zeros<float>({0, 3}));
        CHECK(to_string(load<float>(path).shape()) == "(0, 3)");
        save(folder.path + "/b", full({}, 2.5));
        CHECK(load<double>(folder.path + "/b.npy").item() == 2.5);
    });
}

TEST_CASE("a file loads as its kind or a higher one") {
    on_every_backend([](const tested_backend&) {
        scratch_folder folder;
        std::string path = folder.path + "/c.npy";
        save(path, array<int>{1, -2, 3});
        CHECK(str(load<double>(path)) == "[ 1. -2.  3.]");
        CHECK(str(load<std::int64_t>(path)) == "[ 1 -2  3]");
        save(path, array<double>{1.5});
        CHECK_THROWS_AS(load<int>(path), type_error);
        CHECK_THROWS_AS(load<int>(folder.path + "/nothing.npy"), io_error);
        CHECK_THROWS_AS(save(folder.path + "/no/such/folder.npy", array<int>{1}), io_error);
    });
}

TEST_CASE("NumPy's own files are read on every backend") {
    on_every_backend([](const tested_backend&) {
        std::string path = std::string(SINTER_TEST_DATA) + "/npy/float32_c.npy";
        if (std::FILE* f = std::fopen(path.c_str(), "rb")) {
            std::fclose(f);
            array<float> a = load<float>(path);
            std::vector<float> v = to_vector(a);
            int wrong = 0;
            for (std::size_t k = 0; k < v.size(); ++k) wrong += v[k] != static_cast<float>(k) / 2 - 3.25f;
            CHECK(wrong == 0);
        }
    });
}

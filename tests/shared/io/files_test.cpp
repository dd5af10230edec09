// Saving and loading arrays of every backend: .npy and .npz files.
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sinter/io/npy.hpp>
#include <sinter/runtime/library/deflate.hpp>
#include <sinter/runtime/memory/streaming.hpp>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/data_files.hpp"
#include "support/scratch_folder.hpp"

using namespace sinter;
using namespace test_backends;
using namespace test_files;

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

/// What generate/npy.py computes at each position.
template <class T>
array<T> generated(const dims& shape) {
    host_array<T> h(shape);
    for (std::size_t k = 0; k < h.size(); ++k) {
        const double x = static_cast<double>(k) / 2 - 3.25;
        constexpr char kind = codegen::kind_of(dtype_of<T>);
        if constexpr (kind == 'b') h.data()[k] = k % 3 == 0;
        else if constexpr (kind == 'u') h.data()[k] = static_cast<T>(7 * k);
        else if constexpr (kind == 'i') h.data()[k] = static_cast<T>(7 * static_cast<int>(k) - 40);
        else if constexpr (kind == 'f') h.data()[k] = static_cast<T>(x);
        else h.data()[k] = T(static_cast<typename T::value_type>(x), static_cast<typename T::value_type>(k));
    }
    return asarray(h.data(), shape);
}

template <class T>
void check_numpy_files() {
    const std::string name = data_folder + "/npy/" + std::string(to_string(dtype_of<T>));
    CAPTURE(name);
    const array<T> wanted = generated<T>({3, 7});
    for (const char* suffix : {"_c.npy", "_f.npy", "_big.npy"}) CHECK(same(load<T>(name + suffix), wanted));
    CHECK(load<T>(name + "_f.npy").strides() == dims(sizeof(T), 3 * sizeof(T)));
}

/// Bytes that this process holds at most from now on, in pages of its own.
struct memory_peak {
    memory_peak() { std::ofstream("/proc/self/clear_refs") << 5; }
    static std::int64_t now() {
        std::ifstream f("/proc/self/status");
        std::string word;
        std::int64_t kib = 0;
        while (f >> word)
            if (word == "VmHWM:") f >> kib;
        return kib * 1024;
    }
};

}  // namespace

TEST_CASE("every dtype survives a file, views and expressions too") {
    on_every_backend([](const tested_backend&) {
        scratch_folder folder;
        std::string path = folder.path + "/a.npy";
        check_round_trip<bool>(path);
        check_round_trip<std::int8_t>(path);
        check_round_trip<std::uint16_t>(path);
        check_round_trip<std::int64_t>(path);
        check_round_trip<half>(path);
        check_round_trip<bfloat16>(path);
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

TEST_CASE("bfloat16 is read from what ml_dtypes writes, and only as bfloat16") {
    on_every_backend([](const tested_backend&) {
        const std::string path = data_folder + "/npy/bfloat16_c.npy";
        CHECK(same(load<bfloat16>(path), generated<bfloat16>({3, 7})));
        CHECK_THROWS_WITH_AS(
            load<float>(path),
            ("[load] " + path + " holds elements of two bytes without a type, such as bfloat16: load them " +
             "as bfloat16 and use astype")
                .c_str(),
            type_error);
        scratch_folder folder;
        savez(folder.path + "/z", {{"x", generated<bfloat16>({3, 7})}});
        CHECK(same(loadz(folder.path + "/z.npz").get<bfloat16>("x"), generated<bfloat16>({3, 7})));
        save(folder.path + "/f", array<float>{1.5, -2});
        CHECK(to_vector(load<bfloat16>(folder.path + "/f.npy")) == std::vector<bfloat16>{1.5, -2});
    });
}

TEST_CASE("NumPy's own files are read on every backend, whatever their order of axes and bytes") {
    on_every_backend([](const tested_backend&) {
        check_numpy_files<bool>();
        check_numpy_files<std::int8_t>();
        check_numpy_files<std::int16_t>();
        check_numpy_files<std::int32_t>();
        check_numpy_files<std::int64_t>();
        check_numpy_files<std::uint8_t>();
        check_numpy_files<std::uint16_t>();
        check_numpy_files<std::uint32_t>();
        check_numpy_files<std::uint64_t>();
        check_numpy_files<float>();
        check_numpy_files<double>();
        check_numpy_files<std::complex<float>>();
        check_numpy_files<std::complex<double>>();
        const std::string folder = data_folder + "/npy/";
        CHECK(same(load<float>(folder + "rank4_f.npy"), generated<float>({2, 3, 1, 5})));
        CHECK(same(load<std::complex<float>>(folder + "rank3_big_f.npy"), generated<std::complex<float>>({2, 3, 5})));
        CHECK(same(load<double>(folder + "version3.npy"), generated<double>({2, 2})));
        CHECK(load<std::int64_t>(folder + "empty_2x0x3.npy").shape() == dims(2, 0, 3));
        CHECK(load<double>(folder + "rank0.npy").item() == -3.25);
    });
}

TEST_CASE("an array that is mapped has its file's elements, and changes nothing in the file") {
    on_every_backend([](const tested_backend& b) {
        scratch_folder folder;
        const std::string path = folder.path + "/x.npy";
        array<float> x = reshape(arange<float>(1009 * 7), {1009, 7});
        save(path, x);
        auto bytes = [&] {
            std::ifstream file(path, std::ios::binary);
            return std::string(std::istreambuf_iterator<char>(file), {});
        };
        const std::string before = bytes();
        const std::int64_t used = counters().pool_used;
        array<float> m = load<float>(path, mapped);
        if (!b.is_cuda()) CHECK(counters().pool_used == used);
        CHECK(array_equal(m, x));
        CHECK(array_equal(sum(m * m - m, 0), sum(x * x - x, 0)));
        const array<float> kept = m, part = m(slice(3, 9));
        {
            array<float> alone = load<float>(path, mapped);
            const std::int64_t before_writing = counters().pool_used;
            alone(0, 0) = -1.0f;
            CHECK(alone.item(0, 0) == -1);
            if (b.is_host()) CHECK(counters().pool_used == before_writing);
            save(folder.path + "/own.npy", x);
            array<float> own = load<float>(folder.path + "/own.npy", mapped);
            own(1008, 6) = 5.0f;
            save(folder.path + "/own.npy", own);
            CHECK(array_equal(load<float>(folder.path + "/own.npy"), own));
        }
        m(slice(2, 5)) = 7.0f;
        m += 1;
        array<float> wanted = x;
        wanted(slice(2, 5)) = 7.0f;
        CHECK(array_equal(m, wanted + 1));
        CHECK(array_equal(kept, x));
        CHECK(array_equal(part, x(slice(3, 9))));
        out(m) = x * 2;
        CHECK(array_equal(m, x * 2));
        array<float> sorted = sort(load<float>(path, mapped).T(), 0);
        CHECK(array_equal(sorted, x.T()));
        CHECK(bytes() == before);
        CHECK(array_equal(load<double>(path, mapped), astype<double>(x)));
        for (const char* name : {"fortran_float64", "big_endian_float64"}) {
            const std::string file = data_folder + "/npy/" + name + ".npy";
            if (std::ifstream(file)) CHECK(same(load<double>(file, mapped), load<double>(file)));
        }
        save(path, x > 9);
        CHECK(array_equal(load<bool>(path, mapped), x > 9));
        save(path, zeros<float>({3, 0}));
        CHECK(load<float>(path, mapped).shape() == dims(3, 0));
        CHECK_THROWS_AS(load<float>(folder.path + "/none.npy", mapped), io_error);
        save(path, x);
        CHECK_THROWS_AS(load<int>(path, mapped), type_error);
    });
}

TEST_CASE("files of several pieces load and save in either order") {
    on_every_backend([](const tested_backend&) {
        scratch_folder folder;
        // Neither the rows nor the whole are a multiple of the pieces.
        const std::int64_t rows = 1741, columns = 1009;
        array<double> a = arange<double>(rows * columns).eval();
        a = reshape(a, {rows, columns});
        save(folder.path + "/a.npy", a);
        CHECK(array_equal(load<double>(folder.path + "/a.npy"), a));
        // The same bytes as the transpose in Fortran order.
        std::string file = read_text(folder.path + "/a.npy");
        file.replace(file.find("False"), 5, "True ");
        file.replace(file.find("(1741, 1009)"), 12, "(1009, 1741)");
        std::ofstream(folder.path + "/f.npy", std::ios::binary) << file;
        CHECK(array_equal(load<double>(folder.path + "/f.npy"), a.T()));
        file.replace(file.find('<'), 1, ">");
        std::ofstream(folder.path + "/big.npy", std::ios::binary) << file;
        array<double> swapped = load<double>(folder.path + "/big.npy");
        std::uint64_t bits = __builtin_bswap64(std::bit_cast<std::uint64_t>(a.item(1000, 5)));
        CHECK(std::bit_cast<std::uint64_t>(swapped.item(5, 1000)) == bits);
    });
}

TEST_CASE("loading takes no more host memory than the array and a few pieces") {
    on_every_backend([](const tested_backend& b) {
        scratch_folder folder;
        const std::int64_t n = 40 << 20;
        { std::ofstream(folder.path + "/large.npy", std::ios::binary) << detail::make_npy_header(dtype::int32, {n}); }
        REQUIRE(::truncate((folder.path + "/large.npy").c_str(), 128 + 4 * n) == 0);
        load<int>(data_folder + "/npy/int32_c.npy").eval();
        memory_peak begun;
        const std::int64_t before = memory_peak::now();
        array<int> a = load<int>(folder.path + "/large.npy");
        const std::int64_t grown = memory_peak::now() - before;
        // The memory of the emulated device is the host's; a sanitizer has an eighth more.
        CHECK(grown <= 4 * n + 4 * n / 8 + 3 * static_cast<std::int64_t>(runtime::streamed_piece));
        CHECK(a.item(n - 1) == 0);
        if (b.is_cuda()) CHECK(counters().bytes_to_device >= 4 * n);
    });
}

TEST_CASE("a file that claims more than it has takes no memory") {
    on_every_backend([](const tested_backend&) {
        scratch_folder folder;
        std::ofstream(folder.path + "/x.npy", std::ios::binary)
            << detail::make_npy_header(dtype::float64, {1ll << 40}) << "12345678";
        const std::int64_t peak = counters().pool_peak;
        CHECK_THROWS_WITH_AS(load<double>(folder.path + "/x.npy"),
                             doctest::Contains("needs 8796093022208 bytes, the file has 8 (at byte 136)"), io_error);
        CHECK(counters().pool_peak == peak);
    });
}

TEST_CASE("archives that NumPy wrote are read: stored, deflated, of ZIP64, with comments") {
    on_every_backend([](const tested_backend&) {
        const std::string folder = data_folder + "/npz/";
        array<double> x = reshape(arange<double>(12.0), {3, 4}) - 2.5;
        array<std::int16_t> n = arange<std::int16_t>(-3, 4);
        npz_file stored = loadz(folder + "stored.npz");
        CHECK(stored.names() == std::vector<std::string>{"x", "n", "z", "turned", "big"});
        CHECK(stored.contains("z"));
        CHECK_FALSE(stored.contains("y"));
        CHECK(same(stored.get<double>("x"), x));
        CHECK(same(stored.get<double>("big"), x));
        CHECK(same(stored.get<std::int16_t>("n.npy"), n));
        CHECK(same(stored.get<double>("n"), array<double>(n)));
        CHECK(stored.get<std::complex<float>>("z").item(4) == std::complex<float>(4, -4));
        CHECK(same(stored.get<float>("turned"), reshape(arange<float>(24), {2, 3, 4})));
        CHECK_THROWS_AS(stored.get<int>("x"), type_error);
        CHECK_THROWS_WITH_AS(stored.get<int>("y"), doctest::Contains("has no array 'y' among: x, n, z, turned, big"),
                             index_error);
        CHECK(same(loadz(folder + "numbered.npz").get<double>("arr_0"), x));
        CHECK(loadz(folder + "none.npz").names().empty());
        npz_file zip64 = loadz(folder + "zip64.npz");
        CHECK(same(zip64.get<double>("x"), x));
        CHECK(same(zip64.get<std::int16_t>("n"), n));
        npz_file odd = loadz(folder + "odd.npz");
        CHECK(same(odd.get<double>("folder/x"), x));
        CHECK(same(odd.get<std::int16_t>("größe"), n));
        CHECK_THROWS_WITH_AS(odd.get<double>("notes.txt"),
                             doctest::Contains("member 'notes.txt': too short for an .npy file"), io_error);
        CHECK_THROWS_WITH_AS(loadz(folder + "bzip2.npz").get<double>("x"),
                             doctest::Contains("compression method 12 is not supported"), io_error);
    });
}

TEST_CASE("deflated archives are read and written where there is zlib") {
    if (!runtime::zlib_available()) {
        MESSAGE("not run: no zlib");
        return;
    }
    on_every_backend([](const tested_backend&) {
        npz_file deflated = loadz(data_folder + "/npz/deflated.npz");
        CHECK(same(deflated.get<double>("x"), array<double>(reshape(arange<double>(12.0), {3, 4}) - 2.5)));
        CHECK(same(deflated.get<std::uint8_t>("long"), tile(arange<std::uint8_t>(256), 100)));
        scratch_folder folder;
        array<float> noise = random::normal<float>(0, 1, {1000, 77}).eval();
        array<std::int64_t> regular = arange(3'000'000);
        savez_compressed(folder.path + "/a.npz",
                         {{"noise", noise}, {"regular", regular}, {"empty", zeros<int>({0, 3})}});
        npz_file back = loadz(folder.path + "/a.npz");
        CHECK(same(back.get<float>("noise"), noise));
        CHECK(same(back.get<std::int64_t>("regular"), regular));
        CHECK(back.get<int>("empty").shape() == dims(0, 3));
        CHECK(read_text(folder.path + "/a.npz").size() < 10'000'000);
    });
}

TEST_CASE("archives keep every array, computed together") {
    on_every_backend([](const tested_backend&) {
        scratch_folder folder;
        array<double> x = linspace(0, 1, 1000);
        savez(folder.path + "/state",
              {{"x", x}, {"x2", x * x}, {"turned", reshape(x, {20, 50}).T()}, {"flag", full({}, true)}});
        npz_file f = loadz(folder.path + "/state.npz");
        CHECK(f.size() == 4);
        CHECK(same(f.get<double>("x"), x));
        CHECK(same(f.get<double>("x2"), array<double>(x * x)));
        CHECK(same(f.get<double>("turned"), reshape(x, {20, 50}).T()));
        CHECK(f.get<bool>("flag").item());
        savez(folder.path + "/numbered", x, sum(x));
        CHECK(loadz(folder.path + "/numbered.npz").names() == std::vector<std::string>{"arr_0", "arr_1"});
        CHECK_THROWS_WITH_AS(savez(folder.path + "/twice", {{"a", x}, {"a", x}}), "[savez] two arrays are called 'a'",
                             value_error);
        CHECK_THROWS_AS(savez(folder.path + "/no/folder", x), io_error);
        CHECK_THROWS_AS(loadz(folder.path + "/nothing.npz"), io_error);
        CHECK_THROWS_AS(loadz(data_folder + "/npy/int32_c.npy"), io_error);
    });
}

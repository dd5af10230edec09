// Pictures: PNG files that Pillow wrote, and the colours that Matplotlib gives to numbers.
#include <fstream>
#include <sinter/image.hpp>
#include <sinter/runtime/library/deflate.hpp>
#include <sinter/sinter.hpp>

#include "support/backends.hpp"
#include "support/scratch_folder.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

const std::string folder = SINTER_TEST_DATA "/images/";

bool has_libpng() {
    try {
        imread(folder + "grey.png");
    } catch (const io_error&) {
        MESSAGE("not run: no libpng");
        return false;
    }
    return true;
}

}  // namespace

TEST_CASE("pictures of every kind are read as bytes and as numbers in [0, 1]") {
    if (!has_libpng()) return;
    on_every_backend([](const tested_backend&) {
        for (const char* name : {"rgb", "rgba", "grey", "palette", "bits"}) {
            CAPTURE(name);
            const array<std::uint8_t> wanted = load<std::uint8_t>(folder + name + ".npy");
            const array<std::uint8_t> bytes = imread<std::uint8_t>(folder + name + ".png");
            CHECK(bytes.shape() == wanted.shape());
            CHECK(array_equal(bytes, wanted));
            CHECK(array_equal(imread(folder + name + ".png"), astype<float>(wanted) / 255.0f));
            CHECK(array_equal(imread<double>(folder + name + ".png"), astype<double>(wanted) / 255.0));
        }
    });
}

TEST_CASE("what is saved is read back, from bytes and from numbers") {
    if (!has_libpng()) return;
    on_every_backend([](const tested_backend&) {
        scratch_folder scratch;
        const std::string path = scratch.path + "/x.png";
        for (const char* name : {"rgb", "rgba"}) {
            const array<std::uint8_t> bytes = imread<std::uint8_t>(folder + name + ".png");
            imsave(path, bytes);
            CHECK(array_equal(imread<std::uint8_t>(path), bytes));
            imsave(path, imread(folder + name + ".png"));
            CHECK(array_equal(imread<std::uint8_t>(path), bytes));
            imsave(path, bytes(slice(none, none, -1)));
            CHECK(array_equal(imread<std::uint8_t>(path), bytes(slice(none, none, -1))));
        }
        imsave(path, full({2, 3, 3}, 1.5f) - reshape(arange<float>(18), {2, 3, 3}));
        CHECK(imread<std::uint8_t>(path).item(0, 0, 0) == 255);
        CHECK(imread<std::uint8_t>(path).item(0, 0, 1) == 128);
        CHECK(imread<std::uint8_t>(path).item(1, 2, 2) == 0);
    });
}

TEST_CASE("numbers get the colours that Matplotlib gives them") {
    if (!has_libpng()) return;
    on_every_backend([](const tested_backend&) {
        scratch_folder scratch;
        const std::string path = scratch.path + "/x.png";
        const array<double> numbers = load<double>(folder + "numbers.npy");
        auto check = [&](const std::string& name, const imsave_options& options) {
            CAPTURE(name);
            imsave(path, numbers, options);
            CHECK(array_equal(imread<std::uint8_t>(path), load<std::uint8_t>(folder + name + ".npy")));
        };
        check("viridis", {});
        check("magma_r", {.cmap = "magma_r"});
        check("jet_limited", {.cmap = "jet", .vmin = -1, .vmax = 1});
        imsave(path, numbers, {.cmap = "gray", .vmin = 0, .vmax = 1});
        CHECK(array_equal(imread<std::uint8_t>(path), load<std::uint8_t>(folder + "gray.npy")(all, all, 0)));
        // Numbers that are all the same, no numbers, and other types.
        imsave(path, full({2, 2}, 3.0f), {.cmap = "gray"});
        CHECK(item(sum(imread<std::uint8_t>(path))) == 0);
        imsave(path, array<float>{{std::nanf(""), 0, 1}});
        CHECK(str(imread<std::uint8_t>(path)(0, 0)) == "[0 0 0]");
        CHECK(str(imread<std::uint8_t>(path)(0, 2)) == "[253 231  36]");
        imsave(path, array<bool>{{true, false}}, {.cmap = "gray"});
        CHECK(str(imread<std::uint8_t>(path)) == "[[255   0]]");
    });
}

TEST_CASE("what is no picture is refused") {
    if (!has_libpng()) return;
    scratch_folder scratch;
    const std::string path = scratch.path + "/x.png";
    device_scope on(device::cpu());
    CHECK_THROWS_AS(imsave(path, zeros({3})), shape_error);
    CHECK_THROWS_AS(imsave(path, zeros({3, 4, 2})), shape_error);
    CHECK_THROWS_AS(imsave(path, zeros({0, 4})), shape_error);
    CHECK_THROWS_AS(imsave(path, zeros<int>({3, 4, 3})), type_error);
    CHECK_THROWS_AS(imsave(path, zeros<std::complex<float>>({3, 4})), type_error);
    CHECK_THROWS_WITH_AS(imsave(path, zeros({2, 2}), {.cmap = "rainbow"}),
                         doctest::Contains("no colour map 'rainbow' among: viridis"), value_error);
    CHECK_THROWS_AS(imsave(path, zeros({2, 2}), {.vmin = 2, .vmax = 1}), value_error);
    CHECK_THROWS_AS(imsave(scratch.path + "/no/folder.png", zeros({2, 2})), io_error);
    CHECK_THROWS_WITH_AS(imsave(scratch.path + "/x.JPG", zeros({2, 2})),
                         doctest::Contains("[imsave] only PNG is written, not .jpg: "), value_error);
    CHECK_NOTHROW(imsave(scratch.path + "/x.PNG", zeros({2, 2})));
    CHECK_NOTHROW(imsave(scratch.path + "/.x", zeros({2, 2})));
    CHECK_THROWS_AS(imread(scratch.path + "/nothing.png"), io_error);
    CHECK_THROWS_AS(imread(folder + "rgb.npy"), io_error);
    std::ifstream whole(folder + "rgb.png", std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(whole), {}};
    auto put = [&](const std::string& s) { std::ofstream(path, std::ios::binary) << s; };
    put(text.substr(0, text.size() / 2));
    CHECK_THROWS_AS(imread(path), io_error);
    put("");
    CHECK_THROWS_AS(imread(path), io_error);
    // A header that promises far more than the file can hold, with its checksum.
    for (std::size_t at : {16u, 20u}) text.replace(at, 4, std::string("\x00\x01\x86\xA0", 4));
    const std::uint32_t sum = runtime::crc32(0, text.data() + 12, 17);
    for (int i = 0; i < 4; ++i) text[static_cast<std::size_t>(29 + i)] = static_cast<char>(sum >> (24 - 8 * i));
    put(text);
    CHECK_THROWS_WITH_AS(imread(path), doctest::Contains("bytes cannot hold 100000 x 100000 pixels"), io_error);
}

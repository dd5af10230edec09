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

std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::uint32_t big_endian(const std::string& text, std::size_t at) {
    std::uint32_t v = 0;
    for (std::size_t i = 0; i < 4; ++i) v = v << 8 | static_cast<unsigned char>(text[at + i]);
    return v;
}

std::string big_endian(std::uint32_t v) {
    std::string s;
    for (int i = 3; i >= 0; --i) s += static_cast<char>(v >> 8 * i & 0xFF);
    return s;
}

std::string chunk_of(const std::string& name, const std::string& contents) {
    const std::string checked = name + contents;
    return big_endian(static_cast<std::uint32_t>(contents.size())) + checked +
           big_endian(runtime::crc32(0, checked.data(), checked.size()));
}

struct chunk {
    std::string name, contents;
};
/// The chunks of a PNG file, whose checks are looked at.
std::vector<chunk> chunks_of(const std::string& file) {
    std::vector<chunk> chunks;
    for (std::size_t at = 8; at < file.size();) {
        const std::size_t length = big_endian(file, at);
        chunks.push_back({file.substr(at + 4, 4), file.substr(at + 8, length)});
        CHECK(file.substr(at, 12 + length) == chunk_of(chunks.back().name, chunks.back().contents));
        at += 12 + length;
    }
    return chunks;
}

/// The frames of an animated PNG, each as a picture by itself, and how long each is shown, as the format says.
struct animation {
    std::vector<std::string> files;
    std::vector<double> seconds;
};
animation frames_of(const std::string& file) {
    animation a;
    std::string header;
    std::uint32_t wanted = 0, number = 0;
    for (const chunk& c : chunks_of(file)) {
        if (c.name == "IHDR") header = file.substr(0, 8) + chunk_of("IHDR", c.contents);
        if (c.name == "acTL") {
            wanted = big_endian(c.contents, 0);
            CHECK(big_endian(c.contents, 4) == 0);  // over and over
        }
        if (c.name == "fcTL" || c.name == "fdAT") CHECK(big_endian(c.contents, 0) == number++);
        if (c.name == "fcTL") {
            CHECK(c.contents.size() == 26);
            CHECK(chunk_of("IHDR", c.contents.substr(4, 8) + header.substr(24, 5)) == header.substr(8));
            a.files.push_back(header);
            const std::uint32_t delay = big_endian(c.contents, 20);
            a.seconds.push_back(double(delay >> 16) / double(delay & 0xFFFF));
        }
        if (c.name == "IDAT") a.files.back() += chunk_of("IDAT", c.contents);
        if (c.name == "fdAT") a.files.back() += chunk_of("IDAT", c.contents.substr(4));
    }
    for (std::string& f : a.files) f += chunk_of("IEND", "");
    CHECK(a.files.size() == wanted);
    return a;
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

TEST_CASE("with a rate the first axis is of frames, which are told apart again, and the first is what imread reads") {
    if (!has_libpng()) return;
    on_every_backend([](const tested_backend&) {
        scratch_folder scratch;
        const std::string path = scratch.path + "/x.png";
        auto check = [&](const auto& film, const imsave_options& options) {
            CAPTURE(to_string(film.shape()));
            imsave(path, film, options);
            const animation a = frames_of(file_text(path));
            REQUIRE(a.files.size() == static_cast<std::size_t>(film.shape(0)));
            const array<std::uint8_t> first = imread<std::uint8_t>(path);
            imsave_options still = options;
            still.fps = 0;
            for (std::int64_t i = 0; i < film.shape(0); ++i) {
                std::ofstream(path, std::ios::binary) << a.files[static_cast<std::size_t>(i)];
                const array<std::uint8_t> frame = imread<std::uint8_t>(path);
                imsave(path, film(i), still);
                CHECK(array_equal(frame, imread<std::uint8_t>(path)));
                if (i == 0) CHECK(array_equal(first, frame));
                CHECK(a.seconds[static_cast<std::size_t>(i)] == doctest::Approx(1 / options.fps).epsilon(1e-4));
            }
        };
        const array<float> numbers = reshape(arange<float>(5 * 7 * 3), {5, 7, 3}), three = numbers(slice(1, 4));
        check(numbers, {.vmin = 0, .vmax = 100, .fps = 25});
        check(three, {.cmap = "gray", .vmin = 0, .vmax = 100, .fps = 0.02});
        check(astype<std::uint8_t>(reshape(arange<int>(2 * 65 * 33 * 3) * 37, {2, 65, 33, 3})), {.fps = 1000});
        check(array<float>(random::uniform<float>(0, 1, {3, 40, 30, 4})), {.fps = 12});
        check(numbers(slice(0, 1)), {.vmin = 0, .vmax = 100, .fps = 29.97});
        // Colours go from the least to the greatest of all frames.
        imsave(path, array<float>{{{0, 1}}, {{2, 4}}}, {.cmap = "gray", .fps = 1});
        CHECK(str(imread<std::uint8_t>(path)) == "[[ 0 64]]");
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
    CHECK_THROWS_AS(imsave(scratch.path + "/no/folder.png", zeros({2, 2, 2}), {.fps = 1}), io_error);
    CHECK_THROWS_WITH_AS(imsave(path, zeros({2, 2}), {.fps = 25}),
                         "[imsave] a picture has the shape (frames, rows, columns), or with 3 or 4 channels behind, "
                         "not (2, 2)",
                         shape_error);
    CHECK_THROWS_AS(imsave(path, zeros({0, 2, 2}), {.fps = 25}), shape_error);
    for (double fps : {-1.0, 0.01, 1001.0, std::nan("")})
        CHECK_THROWS_AS(imsave(path, zeros({2, 2, 2}), {.fps = fps}), value_error);
    CHECK_THROWS_WITH_AS(imsave(scratch.path + "/x.JPG", zeros({2, 2})),
                         doctest::Contains("[imsave] only PNG is written, not .jpg: "), value_error);
    CHECK_NOTHROW(imsave(scratch.path + "/x.PNG", zeros({2, 2})));
    CHECK_NOTHROW(imsave(scratch.path + "/.x", zeros({2, 2})));
    CHECK_THROWS_AS(imread(scratch.path + "/nothing.png"), io_error);
    CHECK_THROWS_AS(imread(folder + "rgb.npy"), io_error);
    std::string text = file_text(folder + "rgb.png");
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

// Zip archives: ZIP64 records, checksums, damaged ones; and NumPy reading ours.
#include "support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <sinter/sinter.hpp>
#include <sinter/io/zip.hpp>

namespace {

using namespace sinter;
using detail::zip_member;
using runtime::input_file;

std::string read_text(const std::string& path) {
    std::ifstream f(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(f), {}};
}

// The contents of a member; everything is read.
std::string contents_of(const input_file& file, const zip_member& m) {
    detail::zip_source from(file, m);
    std::string text(static_cast<std::size_t>(m.size), '\0');
    from.read(text.data(), text.size());
    from.finish();
    return text;
}

std::string message_of(const std::string& archive) {
    try {
        const input_file file("loadz", "a.npz", archive);
        for (const zip_member& m : detail::read_zip_directory(file)) contents_of(file, m);
    } catch (const io_error& e) {
        return e.what();
    }
    return "no error";
}

std::string written(const std::string& path, std::uint64_t largest_plain, bool deflated) {
    detail::zip_writer w("savez", path);
    w.largest_plain = largest_plain;
    for (const char* name : {"first", "sécond"}) {
        w.begin(name, deflated);
        for (int i = 0; i < 1000; ++i) w.write("0123456789", 10);
        w.end();
    }
    w.begin("empty", deflated);
    w.end();
    w.close();
    return read_text(path);
}

bool has_numpy() { return std::system("python3 -c 'import numpy' >/dev/null 2>&1") == 0; }

}  // namespace

TEST_CASE("the checksum is that of zip files") {
    CHECK(runtime::crc32(0, "123456789", 9) == 0xCBF43926u);
    CHECK(runtime::crc32(0, "", 0) == 0);
    std::string text;
    for (int i = 0; i < 1000; ++i) text += static_cast<char>(i * 7);
    const std::uint32_t whole = runtime::crc32(0, text.data(), text.size());
    for (std::size_t cut : {0u, 1u, 7u, 8u, 9u, 500u, 999u, 1000u}) {
        const std::uint32_t first = runtime::crc32(0, text.data(), cut);
        CHECK(runtime::crc32(first, text.data() + cut, text.size() - cut) == whole);
        const std::uint32_t rest = runtime::crc32(0, text.data() + cut, text.size() - cut);
        CHECK(runtime::joined_crc32(first, rest, text.size() - cut) == whole);
    }
}

TEST_CASE("what is written is read, with sizes in 32 and in 64 bits") {
    scratch_folder folder;
    const bool has_zlib = runtime::zlib_available();
    for (bool deflated : {false, true})
        for (std::uint64_t largest : {std::uint64_t{0xFFFFFFFE}, std::uint64_t{9999}, std::uint64_t{0}}) {
            if (deflated && !has_zlib) continue;
            CAPTURE(deflated);
            CAPTURE(largest);
            const std::string text = written(folder.path + "/a.zip", largest, deflated);
            const input_file file("loadz", "a.npz", text);
            const auto members = detail::read_zip_directory(file);
            REQUIRE(members.size() == 3);
            CHECK(members[1].name == "sécond");
            CHECK(members[0].size == 10000);
            std::string wanted;
            for (int i = 0; i < 1000; ++i) wanted += "0123456789";
            CHECK(contents_of(file, members[0]) == wanted);
            CHECK(contents_of(file, members[1]) == wanted);
            CHECK(contents_of(file, members[2]).empty());
            const std::string check =
                "python3 -c 'import sys, zipfile; sys.exit(zipfile.ZipFile(sys.argv[1]).testzip() is not None)' ";
            if (has_numpy()) CHECK(std::system((check + folder.path + "/a.zip").c_str()) == 0);
        }
}

TEST_CASE("numpy.load reads what savez and save write") {
    if (!has_numpy()) {
        MESSAGE("not run: no NumPy");
        return;
    }
    scratch_folder folder;
    device_scope on(device::cpu());
    array<double> x = reshape(arange<double>(12.0), {3, 4});
    array<std::complex<float>> z = astype<std::complex<float>>(x) * std::complex<float>(0, 1);
    savez(folder.path + "/a.npz", {{"x", x.T()}, {"z", z}, {"b", x > 3}, {"scalar", full({}, std::int8_t{-7})}});
    save(folder.path + "/x.npy", x(all, slice(none, none, -2)));
    if (runtime::zlib_available()) savez_compressed(folder.path + "/c.npz", x, z);
    else savez(folder.path + "/c.npz", x, z);
    savetxt(folder.path + "/x.txt", x);
    std::ofstream(folder.path + "/check.py") << R"(import os, sys
import numpy as np
here = sys.argv[1]
x = np.arange(12.0).reshape(3, 4)
a = np.load(os.path.join(here, "a.npz"))
assert a.files == ["x", "z", "b", "scalar"], a.files
assert a["x"].dtype == np.float64 and np.array_equal(a["x"], x.T)
assert a["z"].dtype == np.complex64 and np.array_equal(a["z"], x.astype(np.complex64) * 1j)
assert a["b"].dtype == np.bool_ and np.array_equal(a["b"], x > 3)
assert a["scalar"].dtype == np.int8 and a["scalar"].shape == () and a["scalar"] == -7
assert np.array_equal(np.load(os.path.join(here, "x.npy")), x[:, ::-2])
c = np.load(os.path.join(here, "c.npz"))
assert np.array_equal(c["arr_0"], x) and np.array_equal(c["arr_1"], a["z"])
assert np.array_equal(np.loadtxt(os.path.join(here, "x.txt")), x)
)";
    CHECK(std::system(("python3 " + folder.path + "/check.py " + folder.path).c_str()) == 0);
}

TEST_CASE("damaged archives throw io_error with the member and the byte") {
    scratch_folder folder;
    const std::string good = written(folder.path + "/a.zip", 0xFFFFFFFE, false);
    CHECK(message_of(good) == "no error");
    CHECK(message_of("") == "[loadz] a.npz: too short for a zip archive (at byte 0)");
    CHECK(message_of(std::string(100, 'x')) == "[loadz] a.npz: no zip archive: it has no directory (at byte 100)");
    CHECK(message_of(good.substr(0, good.size() - 1)).find("no directory") != std::string::npos);
    auto changed = [&](std::size_t at, const std::string& bytes) {
        std::string s = good;
        return message_of(s.replace(at, bytes.size(), bytes));
    };
    const std::size_t data = good.find("0123456789"), entry = good.find("PK\x01\x02"), end = good.find("PK\x05\x06");
    CHECK(changed(data + 5, "x") ==
          "[loadz] a.npz: member 'first': the checksum differs: the data is damaged (at byte " +
              std::to_string(data + 10000) + ")");
    CHECK(changed(0, "QK").find("member 'first': no header where the directory says (at byte 0)") != std::string::npos);
    CHECK(changed(entry, "QK").find("no entry of a directory (at byte " + std::to_string(entry)) != std::string::npos);
    CHECK(changed(entry + 8, "\x01").find("encrypted") != std::string::npos);
    CHECK(changed(entry + 10, "\x0e").find("compression method 14 is not supported") != std::string::npos);
    CHECK(changed(entry + 20, "\x11").find("stored data has two sizes") != std::string::npos);
    CHECK(changed(entry + 20, "\xf0\xf0\xf0\x70").find("is said to lie outside the file") != std::string::npos);
    CHECK(changed(entry + 20, "\xff\xff\xff\xff").find("is said to lie outside the file") != std::string::npos);
    CHECK(changed(entry + 42, "\xf0\xf0\xf0\x70").find("is said to lie outside the file") != std::string::npos);
    CHECK(changed(entry + 28, "\xff\xff").find("the directory is cut short") != std::string::npos);
    CHECK(changed(end + 8, "\xf0\xf0\xf0\xf0").find("61680 members do not fit in a directory") != std::string::npos);
    CHECK(changed(end + 12, "\xff\xff\xff\x7f").find("is said to lie outside the file") != std::string::npos);
    CHECK(changed(end + 16, "\xff\xff\xff\x7f").find("is said to lie outside the file") != std::string::npos);
    CHECK(changed(26, "\xff\xff").find("member 'first': its data is said to lie outside the file (at byte 0)") !=
          std::string::npos);
    CHECK(changed(end + 4, "\x01").find("archives in several files") != std::string::npos);
    const std::string large = written(folder.path + "/a.zip", 0, false);
    const std::size_t extra = large.find("PK\x01\x02") + 46 + 5;
    REQUIRE(large.substr(extra, 4) == std::string("\x01\x00\x10\x00", 4));
    std::string brief = large;
    CHECK(message_of(brief.replace(extra + 2, 1, "\x07")).find("a ZIP64 field is cut short") != std::string::npos);
}

TEST_CASE("comments of archives and members are passed over, also one that looks like an archive's end") {
    scratch_folder folder;
    std::string s = written(folder.path + "/a.zip", 0xFFFFFFFE, false);
    const std::string remark = "PK\x05\x06 is how it ends: and a directory begins with PK\x01\x02, which this does not";
    const std::size_t entry = s.find("PK\x01\x02"), end = s.find("PK\x05\x06");
    s[end + 20] = static_cast<char>(remark.size());
    s += remark;
    CHECK(message_of(s) == "no error");
    s[end + 12] = static_cast<char>(s[end + 12] + remark.size());
    s[entry + 32] = static_cast<char>(remark.size());
    s.insert(entry + 46 + 5, remark);
    CHECK(message_of(s) == "no error");
    CHECK(detail::read_zip_directory(input_file("loadz", "a.npz", s)).size() == 3);
}

TEST_CASE("a part of a member may be read, no more than there is, and all of it is checked at the end") {
    scratch_folder folder;
    for (bool deflated : {false, true}) {
        if (deflated && !runtime::zlib_available()) continue;
        CAPTURE(deflated);
        const std::string text = written(folder.path + "/a.zip", 0xFFFFFFFE, deflated);
        const input_file file("loadz", "a.npz", text);
        const zip_member m = detail::read_zip_directory(file)[0];
        std::string some(10'001, '\0');
        detail::zip_source from(file, m);
        from.read(some.data(), 13);
        CHECK(some.substr(0, 13) == "0123456789012");
        CHECK_NOTHROW(from.finish());
        detail::zip_source beyond(file, m);
        beyond.read(some.data(), 1);
        CHECK_THROWS_WITH_AS(beyond.read(some.data(), 10'000), doctest::Contains("the member ends too early"),
                             io_error);
        zip_member wrong = m;
        wrong.crc ^= 1;
        detail::zip_source damaged(file, wrong);
        damaged.read(some.data(), 13);
        CHECK_THROWS_WITH_AS(damaged.finish(), doctest::Contains("the checksum differs"), io_error);
    }
}

TEST_CASE("bytes are read no further than they go") {
    const std::string bytes = "0123456789";
    const input_file file("load", "memory", bytes);
    char some[11] = {};
    file.read(some, 3, 7);
    CHECK(std::string(some) == "789");
    CHECK_NOTHROW(file.read(some, 0, 10));
    CHECK_THROWS_WITH_AS(file.read(some, 4, 7), "[load] memory: the file ends too early (at byte 10)", io_error);
    CHECK_THROWS_AS(file.read(some, 0, 11), io_error);
    CHECK_THROWS_AS(file.read(some, SIZE_MAX, 1), io_error);
}

TEST_CASE("a large read has each byte at its place, and names the first that is not there") {
    scratch_folder folder;
    const std::string path = folder.path + "/large";
    std::string bytes((std::size_t{3} << 20) + 17, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 2654435761U >> 13);
    std::ofstream(path, std::ios::binary) << bytes;
    const input_file file("load", path);
    std::string some(bytes.size() - 5, '\0');
    file.read(some.data(), some.size(), 5);
    CHECK(std::string_view(some) == std::string_view(bytes).substr(5));
    std::filesystem::resize_file(path, (std::size_t{1} << 20) + 3);
    const std::string message = "[load] " + path + ": the file became shorter while it was read (at byte 1048579)";
    CHECK_THROWS_WITH_AS(file.read(some.data(), some.size(), 5), message.c_str(), io_error);
}

TEST_CASE("a deflated member cannot claim more than deflate can make, nor hide damage") {
    if (!runtime::zlib_available()) {
        MESSAGE("not run: no zlib");
        return;
    }
    scratch_folder folder;
    const std::string good = written(folder.path + "/a.zip", 0xFFFFFFFE, true);
    CHECK(message_of(good) == "no error");
    const std::size_t entry = good.find("PK\x01\x02");
    std::string bomb = good;
    bomb.replace(entry + 24, 4, "\xf0\xff\xff\xff");
    CHECK(message_of(bomb).find("bytes cannot hold 4294967280") != std::string::npos);
    std::string longer = good;
    longer.replace(entry + 24, 4, std::string("\x11\x27\x00\x00", 4));
    CHECK(message_of(longer).find(
              "member 'first', inflated: the deflated data is damaged or cut short (at byte 10000)") !=
          std::string::npos);
    int refused = 0;
    for (std::size_t at = 60; at < 90; ++at) {
        std::string s = good;
        s[at] = static_cast<char>(s[at] ^ 0x55);
        refused += message_of(s) != "no error";
    }
    CHECK(refused > 15);
}

TEST_CASE("damaged archives never give more than the file holds") {
    std::mt19937 random(11);
    auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    const std::string folder = SINTER_TEST_DATA "/npz/";
    const std::string whole[] = {read_text(folder + "stored.npz"), read_text(folder + "zip64.npz"),
                                 read_text(folder + "odd.npz"), read_text(folder + "deflated.npz")};
    int refused = 0, valid = 0;
    for (int round = 0; round < 4000; ++round) {
        std::string s = whole[round % 4];
        for (std::size_t n = 1 + below(3); n > 0 && !s.empty(); --n) {
            // The directory and the records behind it are what matters.
            const std::size_t at =
                s.size() - 1 - (below(3) ? below(std::min<std::size_t>(s.size(), 300)) : below(s.size()));
            switch (below(4)) {
                case 0: s[at] = static_cast<char>(random()); break;
                case 1: s[at] = static_cast<char>(s[at] ^ 1 << below(8)); break;
                case 2: s[at] = static_cast<char>(0xff); break;
                default: s.erase(at, 1 + below(20));
            }
        }
        message_of(s) == "no error" ? ++valid : ++refused;
    }
    CHECK(refused > 2000);
    CHECK(valid > 100);
}

// .npy files against files that NumPy wrote, round trips, and damaged files; knows no arrays.
#include "support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <sinter/io/npy.hpp>
#include <vector>

namespace {

using namespace sinter;
using detail::npy_header;
using runtime::input_file;

const std::string data_folder = SINTER_TEST_DATA "/npy/";

std::string read_text(const std::string& path) {
    std::ifstream f(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(f), {}};
}

/// A file in a folder of its own that is removed at the end.
struct scratch_file {
    scratch_folder folder;
    std::string path = folder.path + "/x.npy";
    void put(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
};

npy_header header_of(const std::string& path) {
    const input_file file("load", path);
    runtime::file_source from(file, 0);
    return detail::read_npy_header(from, static_cast<std::int64_t>(file.size()), file.place());
}

// The elements of a file in row-major order.
std::vector<char> read_data(const std::string& path) {
    const input_file file("load", path);
    runtime::file_source from(file, 0);
    const npy_header h = detail::read_npy_header(from, static_cast<std::int64_t>(file.size()), file.place());
    std::vector<char> data(static_cast<std::size_t>(h.data_bytes));
    detail::npy_elements(from, h).read(data.data(), data.size());
    if (!h.fortran_order) return data;
    const auto item = static_cast<std::size_t>(codegen::size_of(h.type));
    std::vector<char> rows(data.size());
    for (std::size_t k = 0; k < data.size() / item; ++k) {
        std::size_t left = k, number = 0, stride = data.size() / item;
        for (std::int64_t n : h.shape) {
            stride /= static_cast<std::size_t>(n);
            number += left % static_cast<std::size_t>(n) * stride;
            left /= static_cast<std::size_t>(n);
        }
        std::memcpy(&rows[number * item], &data[k * item], item);
    }
    return rows;
}

template <class T>
void append(std::vector<char>& bytes, T v) {
    const char* raw = reinterpret_cast<const char*>(&v);
    bytes.insert(bytes.end(), raw, raw + sizeof v);
}

// The elements that generate/npy.py computes.
std::vector<char> expected_data(dtype type, int count) {
    std::vector<char> bytes;
    for (int k = 0; k < count; ++k) {
        double x = k / 2.0 - 3.25;
        std::int64_t i = codegen::kind_of(type) == 'b'   ? k % 3 == 0
                         : codegen::kind_of(type) == 'u' ? 7 * k
                                                         : 7 * k - 40;
        switch (type) {
            case dtype::float32: append(bytes, static_cast<float>(x)); break;
            case dtype::float64: append(bytes, x); break;
            case dtype::complex64:
                append(bytes, std::complex<float>(static_cast<float>(x), static_cast<float>(k)));
                break;
            case dtype::complex128: append(bytes, std::complex<double>(x, k)); break;
            default: {
                std::vector<char> raw;
                append(raw, i);
                bytes.insert(bytes.end(), raw.begin(), raw.begin() + codegen::size_of(type));
            }
        }
    }
    return bytes;
}

std::string with_header(const std::string& text, const std::string& data = std::string(64, '\0')) {
    std::string s("\x93NUMPY\x01\x00", 8);
    s += static_cast<char>(text.size() & 255);
    s += static_cast<char>(text.size() >> 8);
    return s + text + data;
}

std::string message_of(const std::string& file) {
    try {
        detail::parse_npy_header(file, static_cast<std::int64_t>(file.size()), {"x.npy"});
    } catch (const io_error& e) {
        return e.what();
    }
    return "no error";
}

bool is_numpys(dtype t) { return t != dtype::bfloat16 && t != dtype::complex32; }

}  // namespace

TEST_CASE("files that NumPy wrote read in row-major order, whatever their order and endianness") {
    for (int i = 0; i < dtype_count; ++i) {
        dtype type = static_cast<dtype>(i);
        if (!is_numpys(type)) continue;
        std::string name = data_folder + std::string(to_string(type));
        CAPTURE(name);
        npy_header h = header_of(name + "_c.npy");
        CHECK(h.type == type);
        CHECK(h.shape == dims(3, 7));
        CHECK_FALSE(h.fortran_order);
        CHECK_FALSE(h.byte_swapped);
        CHECK(header_of(name + "_f.npy").fortran_order);
        CHECK(header_of(name + "_big.npy").byte_swapped == (codegen::size_of(type) > 1));
        auto data = read_data(name + "_c.npy");
        if (type != dtype::float16) CHECK(data == expected_data(type, 21));
        CHECK(data == read_data(name + "_f.npy"));
        CHECK(data == read_data(name + "_big.npy"));
    }
    CHECK(read_data(data_folder + "rank0.npy") == expected_data(dtype::float64, 1));
    CHECK(header_of(data_folder + "rank0.npy").shape == dims());
    CHECK(read_data(data_folder + "rank1.npy") == expected_data(dtype::int16, 21));
    CHECK(read_data(data_folder + "rank4_f.npy") == expected_data(dtype::float32, 30));
    CHECK(read_data(data_folder + "rank3_big_f.npy") == expected_data(dtype::complex64, 30));
    CHECK(read_data(data_folder + "empty.npy").empty());
    CHECK(header_of(data_folder + "empty_2x0x3.npy").shape == dims(2, 0, 3));
    CHECK(read_data(data_folder + "version2.npy") == expected_data(dtype::float64, 4));
    CHECK(read_data(data_folder + "version3.npy") == expected_data(dtype::float64, 4));
}

TEST_CASE("written files are byte for byte those of numpy.save") {
    auto check = [&](const std::string& name, dtype type, const dims& shape) {
        CAPTURE(name);
        auto data = read_data(data_folder + name);
        CHECK(detail::make_npy_header(type, shape) + std::string(data.begin(), data.end()) ==
              read_text(data_folder + name));
    };
    for (int i = 0; i < dtype_count; ++i)
        if (dtype type = static_cast<dtype>(i); type != dtype::complex32)
            check(std::string(to_string(type)) + "_c.npy", type, dims(3, 7));
    check("rank0.npy", dtype::float64, dims());
    check("rank1.npy", dtype::int16, dims(21));
    check("empty.npy", dtype::float32, dims(0));
    check("empty_2x0x3.npy", dtype::int64, dims(2, 0, 3));
    CHECK_THROWS_WITH_AS(detail::make_npy_header(dtype::complex32, dims(1)),
                         "[save] .npy files have no complex32: convert to complex64 first", type_error);
}

TEST_CASE("headers of every length end on 64 bytes and read back") {
    for (int rank = 0; rank <= max_rank; ++rank)
        for (int digits = 1; digits < 19; ++digits) {
            dims shape = dims::filled(rank, 1);
            if (rank > 1) shape[0] = 0;
            if (rank > 0)
                shape[rank - 1] = std::stoll("1" + std::string(static_cast<std::size_t>(digits - 1), '0')) / 8;
            std::string header = detail::make_npy_header(dtype::uint8, shape);
            CHECK(header.size() % 64 == 0);
            npy_header h = detail::parse_npy_header(header, INT64_MAX, {"x.npy"});
            CHECK(h.shape == shape);
            CHECK(h.data_offset == header.size());
        }
}

TEST_CASE("odd but valid headers are accepted") {
    auto parse = [](const std::string& text) {
        std::string file = with_header(text);
        return detail::parse_npy_header(file, static_cast<std::int64_t>(file.size()), {"x.npy"});
    };
    CHECK(parse("{'shape': (2L, 3L), 'descr': '<i4', 'fortran_order': True}").shape == dims(2, 3));
    CHECK(parse("{\"descr\":\"=f4\",\"fortran_order\":False,\"shape\":(2,)}").type == dtype::float32);
    CHECK(parse("  { 'descr' : 'f8' , 'fortran_order' : False , 'shape' : ( ) , }  \n").shape == dims());
    CHECK(parse("{'descr': '<u1', 'fortran_order': False, 'shape': (3,), }").type == dtype::uint8);
}

TEST_CASE("bytes of a bool file become true and false") {
    scratch_file scratch;
    scratch.put(
        with_header("{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }\n", std::string("\x00\x01\x02\xff", 4)));
    CHECK(read_data(scratch.path) == std::vector<char>{0, 1, 1, 1});
}

TEST_CASE("malformed files throw io_error with path and byte") {
    CHECK(message_of("") == "[load] x.npy: too short for an .npy file (at byte 0)");
    CHECK(message_of("PK\x03\x04 and more bytes") == "[load] x.npy: not an .npy file (at byte 0)");
    CHECK(message_of(std::string("\x93NUMPY\x09\x00\x10\x00 {}", 13)) ==
          "[load] x.npy: unknown format version 9.0 (at byte 6)");
    CHECK(message_of(std::string("\x93NUMPY\x01\x00\xff\xff {}", 13)) ==
          "[load] x.npy: a header of 65535 bytes is too long (at byte 8)");
    CHECK(message_of(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff {}", 15)) ==
          "[load] x.npy: a header of 4294967295 bytes is too long (at byte 8)");
    CHECK(message_of(std::string("\x93NUMPY\x01\x00\x40\x00 {}", 13)) ==
          "[load] x.npy: the header is cut short (at byte 13)");
    auto shaped = [](const std::string& shape) {
        return message_of(with_header("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }"));
    };
    CHECK(shaped("(8,)") == "no error");
    CHECK(shaped("(9,)") ==
          "[load] x.npy: the data is cut short: shape (9,) of float64 needs 72 bytes, the file has 64 (at byte 131)");
    CHECK(shaped("(4611686018427387904, 4)").find("is too large") != std::string::npos);
    CHECK(shaped("(0, 4611686018427387904, 4)").find("is too large") != std::string::npos);
    CHECK(shaped("(99999999999999999999,)").find("a size in shape is too large") != std::string::npos);
    CHECK(shaped("(-1,)").find("not a number: '-1,)") != std::string::npos);
    CHECK(shaped("(1, 1, 1, 1, 1, 1, 1, 1, 1)").find("more than 8 axes") != std::string::npos);
    for (const char* bad : {"(3)", "3", "[3]", "(3", "(3,,)", "(,)", "(3 4)", "(True,)", "(3.0,)", "None", ""})
        CHECK_MESSAGE(shaped(bad).find("malformed header") != std::string::npos, bad);
    for (const char* bad : {"", "{}", "[]", "{'descr': '<f8'}", "{'descr': '<f8', 'fortran_order': 1, 'shape': ()}",
                            "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': ()}",
                            "{'descr': '<f8', 'fortran_order': False, 'shape': (), 'x': 1}", "{'descr': '<f8",
                            "{'descr': '<f8', 'fortran_order': False, 'shape': ()} or __import__('os')"})
        CHECK_MESSAGE(message_of(with_header(bad)).find("malformed header") != std::string::npos, bad);
    for (const char* bad : {"structured", "text", "datetime", "object"})
        CHECK_THROWS_AS(header_of(data_folder + bad + ".npy"), io_error);
    for (const char* bad : {"<f3", "<f", "f88888888888888888888", "", "<", "b2", "<V3", "<c4", "float64", "<f8 "})
        CHECK(message_of(with_header("{'descr': '" + std::string(bad) + "', 'fortran_order': False, 'shape': (), }"))
                  .find("is not a type that sinter knows") != std::string::npos);
}

TEST_CASE("what cannot be opened or written throws io_error with the path") {
    CHECK_THROWS_WITH_AS(header_of("/nonexistent/x.npy"),
                         "[load] cannot open /nonexistent/x.npy: No such file or directory", io_error);
    CHECK_THROWS_WITH_AS(
        header_of("/tmp"),
        "[load] not a regular file: /tmp: pipes and devices have no size, which is checked before memory is taken",
        io_error);
    CHECK_THROWS_AS(header_of("/dev/zero"), io_error);
    CHECK_THROWS_AS(runtime::output_file("save", "/nonexistent/x.npy"), io_error);
    runtime::output_file full("save", "/dev/full");
    CHECK_THROWS_WITH_AS(full.write("x", 1), "[save] cannot write /dev/full: No space left on device (at byte 0)",
                         io_error);
}

TEST_CASE("damaged files give io_error or elements, and never more than the file holds") {
    std::mt19937 random(7);
    auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    const char* pieces[] = {"(", ")",        ",", "'",    "\"", "{", "}", ":", "L",
                            "9", "99999999", "-", "True", "<",  ">", "O", "[", "\0"};
    const std::string whole[] = {read_text(data_folder + "float64_f.npy"), read_text(data_folder + "complex64_big.npy"),
                                 read_text(data_folder + "bool_c.npy"), read_text(data_folder + "version2.npy")};
    scratch_file scratch;
    int valid = 0, refused = 0;
    for (int round = 0; round < 2000; ++round) {
        std::string s = whole[round % 4];
        for (std::size_t n = 1 + below(2); n > 0; --n) {
            std::size_t at = below(2) ? below(80) : below(s.size());
            if (at >= s.size()) at = s.size() - 1;
            switch (below(6)) {
                case 0: s[at] = static_cast<char>(random()); break;
                case 1: s[at] = static_cast<char>(s[at] ^ 1 << below(8)); break;
                case 2: s.resize(at + 1); break;
                case 3: s.erase(at, 1 + below(9)); break;
                case 4: s.insert(at, pieces[below(18)]); break;
                default: s[at] = *pieces[below(18)];
            }
            if (s.empty()) s = "x";
        }
        std::remove(scratch.path.c_str());
        scratch.put(s);
        try {
            const npy_header h = header_of(scratch.path);
            REQUIRE(h.data_bytes + static_cast<std::int64_t>(h.data_offset) <= static_cast<std::int64_t>(s.size()));
            read_data(scratch.path);
            ++valid;
        } catch (const io_error& e) {
            CHECK(std::string(e.what()).find(scratch.path) != std::string::npos);
            CHECK(std::string(e.what()).find("(at byte ") != std::string::npos);
            ++refused;
        }
    }
    CHECK(valid > 100);
    CHECK(refused > 1000);
}

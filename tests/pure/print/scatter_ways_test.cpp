// Which way a GPU scatters values, and what a thread block of it takes.
#include <doctest/doctest.h>

#include <sinter/codegen/kernels/sort/scatter.hpp>

using namespace sinter;
using namespace sinter::codegen;

TEST_CASE("places are marked where many values are assigned to an array of about their number") {
    auto way = [](std::int64_t count, std::int64_t size) {
        return scatter_way_of(routine::scatter, dtype::float32, count, size);
    };
    CHECK(way(0, 10) == scatter_way::sorted);
    CHECK(way(4608, 4608) == scatter_way::sorted);
    CHECK(way(4609, 4608) == scatter_way::last_writer);
    CHECK(way(1 << 25, 1 << 25) == scatter_way::last_writer);
    CHECK(way(10000, 80000) == scatter_way::last_writer);
    CHECK(way(10000, 80008) == scatter_way::sorted);
    CHECK(way(10000, 4) == scatter_way::last_writer);
    CHECK(way(10000, 3) == scatter_way::sorted);
    CHECK(scatter_way_of(routine::scatter_add, dtype::float32, 10000, 10000) == scatter_way::parted);
    CHECK(scatter_way_of(routine::scatter_add, dtype::float32, 4000, 10000) == scatter_way::sorted);
    CHECK(scatter_way_of(routine::scatter_add, dtype::float32, 10000, 10000, 2) == scatter_way::grouped);
    CHECK(scatter_way_of(routine::scatter_add, dtype::float32, 6000, 10000, 2) == scatter_way::sorted);
    const call_info any_order(routine::scatter_add, call_info::any_order);
    CHECK(scatter_way_of(any_order, dtype::float32, 10000, 10000) == scatter_way::atomic);
    CHECK(scatter_way_of(any_order, dtype::int16, 10000, 10000) == scatter_way::parted);
    CHECK(scatter_way_of(routine::scatter_add, dtype::int64, 10000, 10000) == scatter_way::atomic);
    CHECK(scatter_way_of(routine::scatter_max, dtype::int16, 10000, 10000) == scatter_way::parted);
    CHECK(scatter_way_of(routine::scatter_add, dtype::float32, 65'536, 100) == scatter_way::chunked);
    CHECK(scatter_way_of(any_order, dtype::float32, 65'536, 100) == scatter_way::atomic);
    CHECK(scatter_way_of(routine::scatter_add, dtype::int32, 65'536, 100) == scatter_way::atomic);
    CHECK(scatter_way_of(routine::scatter, dtype::float32, 65'536, 1) == scatter_way::sorted);
    CHECK(bytes_of_last_writer((std::int64_t{1} << 31) - 1) == 4);
    CHECK(bytes_of_last_writer(std::int64_t{1} << 31) == 8);
    CHECK(bytes_of_last_writers(10, 9) == 48);
}

TEST_CASE("a thread block takes as many chunks at once as it has room for, and for what is joined") {
    CHECK(chunk_block_of(dtype::float32, 10, 48 * 1024).chunks == 32);
    CHECK(chunk_block_of(dtype::float64, 1000, 227 * 1024).chunks == 16);
    CHECK(chunk_block_of(dtype::float64, 2048, 227 * 1024).chunks == 8);
    CHECK(chunk_block_of(dtype::float64, 2048, 63 * 1024).chunks == 2);
    CHECK(chunk_block_of(dtype::float64, 2048, 63 * 1024).shared_bytes == 3 * 2048 * 8);
    CHECK(chunk_block_of(dtype::float32, 10, 48 * 1024).shared_bytes == 32 * 10 * 4);
    CHECK(chunk_block_of(dtype::float32, 1024, 32 * 4096).chunks == 32);
    CHECK(chunk_block_of(dtype::float32, 1024, 32 * 4096 - 1).chunks == 16);
}

TEST_CASE("values are parted where a thread block has room for all elements of a part") {
    auto way = [](dtype t, std::int64_t count, std::int64_t size, std::int64_t shared_bytes) {
        return scatter_way_of(routine::scatter_add, t, count, size, 1, shared_bytes);
    };
    // 480 threads have 8 values each, and two tables of 256 words for each of their warps where places come to be.
    const std::int64_t tile = 480 * 8 * 4 + 2 * 15 * 256 * 4;
    CHECK(part_shape_of(dtype::float32, 1'000'000).shared_bytes == tile + 3912 * 4);
    CHECK(part_shape_of(dtype::float32, 1000).places == 4);
    // Of few places the values of two tiles are held.
    CHECK(part_shape_of(dtype::float32, 1000).shared_bytes == tile + 480 * 8 * 4 + 4 * 4);
    CHECK(way(dtype::float32, 10'000'000, 1'000'000, tile + 3912 * 4) == scatter_way::parted);
    CHECK(way(dtype::float32, 10'000'000, 1'000'000, tile + 3912 * 4 - 1) == scatter_way::grouped);
    CHECK(way(dtype::float64, 10'000'000, 1'000'000, tile + 3912 * 4) == scatter_way::grouped);
    CHECK(way(dtype::float32, 100'000, 800'000, 232'448) == scatter_way::parted);
    CHECK(way(dtype::float32, 100'000, 800'008, 232'448) == scatter_way::grouped);
    CHECK(way(dtype::float32, 100'000'000, std::int64_t{1} << 40, 232'448) == scatter_way::grouped);
}

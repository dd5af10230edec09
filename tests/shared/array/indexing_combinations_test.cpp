// Every combination of items of an index, read and written, against data/golden/indexing.txt, which NumPy wrote.
#include <cstdlib>
#include <fstream>
#include <sinter/sinter.hpp>
#include <sstream>

#include "support/backends.hpp"

using namespace sinter;
using namespace test_backends;

namespace {

using numbers = array<std::int64_t>;
using items = std::vector<detail::index_item>;

/// A line of the file.
struct combination {
    int rank;
    std::string index;
    std::vector<std::string> items;
    std::string result;  // its sizes, - when there are none, or an error
    std::string sums[4];
};

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream from(text);
    for (std::string part; std::getline(from, part, ',');) parts.push_back(part);
    return parts;
}

std::vector<combination> combinations() {
    std::vector<combination> all;
    std::ifstream file(SINTER_TEST_DATA "/golden/indexing.txt");
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::istringstream words(line);
        combination c;
        words >> c.rank >> c.index >> c.result;
        c.items = split(c.index);
        for (std::string& sum : c.sums) words >> sum;
        all.push_back(std::move(c));
    }
    REQUIRE(all.size() > 5000);
    return all;
}

// What follows is what generate/indexing.py makes.

dims base_shape(int rank) {
    dims shape(3, 4, 5, 6);
    shape.resize(rank);
    return shape;
}

int axes_of(const std::string& item) {
    if (item == "None" || item == "..." || item == "t" || item == "f") return 0;
    return item == "mm" || item == "ww" ? 2 : 1;
}

array<bool> mask(std::int64_t n) {
    std::vector<unsigned char> places(static_cast<std::size_t>(n));
    places.front() = places.back() = 1;
    return array<bool>(detail::store(dtype::bool_, dims(n), places.data()));
}

array<bool> mask(std::int64_t rows, std::int64_t columns) {
    std::vector<unsigned char> places(static_cast<std::size_t>(rows * columns));
    places[static_cast<std::size_t>(columns - 1)] = places[static_cast<std::size_t>((rows - 1) * columns)] = 1;
    return array<bool>(detail::store(dtype::bool_, dims(rows, columns), places.data()));
}

detail::index_item item_of(const std::string& code, std::int64_t n, std::int64_t columns) {
    using detail::index_of;
    if (code == ":") return index_of(all);
    if (code == ":-1:2") return index_of(slice(none, -1, 2));
    if (code == "::-1") return index_of(slice(none, none, -1));
    if (code == "None") return index_of(newaxis);
    if (code == "...") return index_of(ellipsis);
    if (code == "a") return index_of(numbers{2, 0});
    if (code == "k") return index_of(array<std::int32_t>{{1}, {-1}});
    if (code == "z") return index_of(full<std::int64_t>({}, 1));
    if (code == "t" || code == "f") return index_of(full<bool>({}, code == "t"));
    if (code == "m") return index_of(mask(n));
    if (code == "w") return index_of(mask(n + 1));
    if (code == "mm") return index_of(mask(n, columns));
    if (code == "ww") return index_of(mask(n, columns + 1));
    return index_of(std::stoi(code));
}

items items_of(const combination& c) {
    int taken = 0, axis = 0;
    for (const std::string& code : c.items) taken += axes_of(code);
    items list;
    dims shape = base_shape(c.rank);
    auto size = [&](int at) { return at < c.rank ? shape[at] : 1; };
    for (const std::string& code : c.items) {
        list.push_back(item_of(code, size(axis), size(axis + 1)));
        axis += code == "..." ? std::max(c.rank - taken, 0) : axes_of(code);
    }
    return list;
}

numbers counted(std::int64_t first, const dims& shape) {
    return reshape(arange<std::int64_t>(first, first + shape.product()), shape);
}

/// FNV-1a, by elements instead of bytes.
std::string checksum(const numbers& x) {
    std::uint32_t h = 2166136261U;
    for (std::int64_t v : to_vector(x)) h = (h ^ static_cast<std::uint32_t>(v)) * 16777619U;
    char text[9];
    std::snprintf(text, sizeof text, "%08x", h);
    return text;
}

std::string sizes_of(const dims& shape) {
    std::string text;
    for (std::int64_t n : shape) text += (text.empty() ? "" : ",") + std::to_string(n);
    return text.empty() ? "-" : text;
}

/// What x(…) is for an array that may be assigned to.
indexed<std::int64_t> at(numbers& x, const items& index) { return {x, index}; }

template <class Error>
void check_refused(numbers& x, const combination& c) {
    CHECK_THROWS_AS(to_vector(at(x, items_of(c))), Error);
    CHECK_THROWS_AS((at(x, items_of(c)) = 1, to_vector(x)), Error);
}

void check_combination(const combination& c) {
    numbers x = counted(0, base_shape(c.rank)).eval();
    if (c.result == "index_error") return check_refused<index_error>(x, c);
    if (c.result == "shape_error") return check_refused<shape_error>(x, c);
    const items index = items_of(c);
    const numbers picked = at(x, index);
    CHECK(sizes_of(picked.shape()) == c.result);
    CHECK(checksum(picked) == c.sums[0]);
    const numbers values = counted(1000, picked.shape());
    numbers assigned = x, added = x, broadcast = x;
    at(assigned, index) = values;
    CHECK(checksum(assigned) == c.sums[1]);
    at(added, index) += values;
    CHECK(checksum(added) == c.sums[2]);
    dims last = picked.shape();
    if (!last.empty()) last.erase(0);
    numbers row = counted(5000, last);
    if (c.items.size() % 2 == 1 && !picked.shape().empty()) row = expand_dims(row, 0);
    at(broadcast, index) = row;
    CHECK(checksum(broadcast) == c.sums[3]);
    CHECK(checksum(x) == checksum(counted(0, x.shape())));
}

}  // namespace

TEST_CASE("every combination of items of an index reads and writes what NumPy's does") {
    const std::vector<combination> all = combinations();
    on_every_backend([&](const tested_backend& b) {
        // Nearly every second one has kernels of its own, which take minutes to compile.
        const bool has_time = is_full() && !std::getenv("SINTER_EMULATED_CACHE");
        const std::size_t step = b.is_interpreter() || has_time ? 1 : 251;
        for (std::size_t i = 0; i < all.size(); i += step) {
            INFO("x of ", all[i].rank, " axes: x[", all[i].index, "]");
            CHECK_NOTHROW(check_combination(all[i]));
        }
    });
}

// Schedules as values: which kernels have which, that texts depend on nothing else, and the text of each once.
#include <doctest/doctest.h>

#include <sinter/codegen/schedule/kernel_key.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/codegen/print/host/emit_host.hpp>

#include "support/golden_text.hpp"
#include "support/kernel_grid.hpp"

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>

using namespace sinter;
using namespace sinter::codegen;

namespace {

bool is_host(const kernel_grid::device_row& on) { return !on.family.rows_by_length; }

kernel_source emit(const kernel& k, const kernel_grid::device_row& on) {
    return is_host(on) ? emit_host(k) : emit_cuda(k);
}

/// A text without its first lines, which tell the schedule.
std::string code_of(std::string text) {
    while (text.starts_with("// ")) text.erase(0, text.find('\n') + 1);
    return text;
}

constexpr const char* names[] = {
#define SINTER_MAPPING(name, ...) #name,
#include <sinter/codegen/schedule/mappings.def>
};

}  // namespace

TEST_CASE("every mapping occurs, and a kernel of each has the text that is kept of it") {
    std::set<std::string> seen;
    for (const kernel_grid::device_row& on : kernel_grid::devices())
        kernel_grid::each_kernel(
            on, {"map", "turn", "many", "center", "softmax", "sum", "cumsum", "select", "windows"},
            [&](const std::string&, const kernel& k) {
                const std::string name = names[static_cast<std::size_t>(k.how.map)];
                if (k.space.size() == 0 || k.kept_size() * k.reduced_size() < 1 << 20 || !seen.insert(name).second)
                    return;
                golden_text::compare("schedules/" + name, emit(k, on).text);
            });
    for (const char* name : names) {
        CAPTURE(name);
        CHECK(seen.contains(name));
    }
}

TEST_CASE("kernels of one key have one text, and those of one code one schedule in words") {
    for (const kernel_grid::device_row& on : kernel_grid::devices()) {
        std::map<std::string, std::string> text_of_key, words_of_code;
        int differing = 0, ambiguous = 0;
        kernel_grid::each_kernel(on, {"turn", "many", "variance", "softmax", "scans", "random", "windows"},
                                 [&](const std::string& name, const kernel& k) {
                                     CAPTURE(name);
                                     const std::string text = emit(k, on).text, words = to_text(k.how);
                                     const std::string& first = text_of_key.emplace(key(k), text).first->second;
                                     differing += first != text;
                                     const std::string& told =
                                         words_of_code.emplace(code_of(text), words).first->second;
                                     ambiguous += told != words;
                                     if (told != words && ambiguous < 4) MESSAGE(name << "\n" << told << "\n" << words);
                                 });
        CAPTURE(on.name);
        CHECK(differing == 0);
        CHECK(ambiguous == 0);
        CHECK(text_of_key.size() > 100);
    }
}

TEST_CASE("a thousand shapes of one expression have as many kernels as there are classes of shapes") {
    struct {
        const char* name;
        std::size_t most_cuda, most_host;
    } limits[] = {{"map", 4, 4}, {"sum", 60, 30}, {"softmax", 129, 40}, {"cumsum", 40, 20}};
    for (const auto& limit : limits)
        for (const kernel_grid::device_row& on : kernel_grid::devices()) {
            std::mt19937 random(7);
            auto length = [&] { return static_cast<std::int64_t>(std::exp(random() % 1150 / 100.0)); };
            std::set<std::string> texts;
            for (int i = 0; i < 1000; ++i)
                kernel_grid::each_kernel_of(limit.name, {length(), length()}, i % 2, dtype::float32,
                                            {.family = on.family},
                                            [&](const kernel& k) { texts.insert(emit(k, on).text); });
            CAPTURE(on.name);
            CAPTURE(limit.name);
            CHECK(texts.size() <= (is_host(on) ? limit.most_host : limit.most_cuda));
        }
}

TEST_CASE("a schedule says in words what it is") {
    schedule s;
    CHECK(to_text(s) == "elements over a grid");
    s.map = mapping::rows_per_warp;
    s.row_capacity = 128;
    s.lanes = 16;
    CHECK(to_text(s) == "rows per warp: at most 128 elements each, 16 threads per row");
    s.lanes = 1;
    CHECK(to_text(s) == "rows per warp: at most 128 elements each, 1 thread per row");
    schedule t = s;
    CHECK(key(s) == key(t));
    t.lanes = 8;
    CHECK(key(s) != key(t));
    CHECK(s != t);
}

TEST_CASE("a step between neighbours is part of a text where they are loaded, not where they are taken or transposed") {
    auto key_of = [](std::int64_t outer, std::int64_t step, bool takes, mapping wanted) {
        const std::int64_t rows = 300, columns = 301;
        graph g;
        const node_id x = g.add_input(0, dtype::float32, {rows * outer + columns * step});
        const node_id view = g.add_view(x, {{rows, columns}, {outer, step}, 0});
        const node_id at = takes ? g.add_input(1, dtype::int64, {200}) : x;
        const node_id y = takes ? g.add_gather(view, {&at, 1}, {1, 0}) : view;
        g.roots = {kernel_grid::apply_to(g, op::exp, {y}, dims(g.nodes[y].shape))};
        const plan p = fuse(g, {false, false}, {.family = host_family});
        REQUIRE(p.kernels.size() == 1);
        CHECK(p.kernels[0].is(wanted));
        return key(p.kernels[0]);
    };
    CHECK(key_of(2000, 2, false, mapping::host_map) != key_of(2000, 3, false, mapping::host_map));
    CHECK(key_of(2000, 2, false, mapping::host_map) != key_of(2000, 5, false, mapping::host_map));
    CHECK(key_of(2000, 2, true, mapping::host_map) == key_of(2000, 3, true, mapping::host_map));
    CHECK(key_of(1, 2, false, mapping::host_transposed_tiles) == key_of(1, 3, false, mapping::host_transposed_tiles));
}

TEST_CASE(
    "texts of CPUs know that a row's elements follow each other from 4096 elements on, those of GPUs from 32768") {
    for (const std::int64_t rows : {40, 41, 327, 328}) {
        auto steps = [&](const family_schedule& on) {
            stride_class step = stride_class::strided;
            kernel_grid::each_kernel_of("sum", {rows, 100}, 1, dtype::float64, {.family = on},
                                        [&](const kernel& k) { step = k.accesses[0].step; });
            return step;
        };
        INFO(rows, " rows of 100");
        CHECK((steps(host_family) == stride_class::contiguous) == (rows >= 41));
        CHECK((steps(data_center_family) == stride_class::contiguous) == (rows >= 328));
    }
}

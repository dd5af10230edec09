// The language of texts that stand in files, and every such file as C++: CUDA's by the emulated GPU's words.
#include <doctest/doctest.h>

#include "support/kernel_grid.hpp"
#include "support/text_images.hpp"

#define EMULATION_FOLDER SINTER_TEST_ROOT "/tests/cuda_emulation"
#define EMULATION_COMPILER "c++"
#include "cuda_emulation/kernel_images.hpp"

#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/fuse/fuse.hpp>
#include <sinter/codegen/kernels/linalg/eig_cuda.hpp>
#include <sinter/codegen/kernels/linalg/factor_cuda.hpp>
#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/codegen/kernels/linalg/polar_cuda.hpp>
#include <sinter/codegen/kernels/linalg/qr_cuda.hpp>
#include <sinter/codegen/kernels/linalg/small_products.hpp>
#include <sinter/codegen/kernels/linalg/svd_cuda.hpp>
#include <sinter/codegen/kernels/linalg/tiled_products.hpp>
#include <sinter/codegen/kernels/sort/count.hpp>
#include <sinter/codegen/kernels/sort/scatter.hpp>
#include <sinter/codegen/kernels/sort/selection.hpp>
#include <sinter/codegen/kernels/sort/sort_host.hpp>
#include <sinter/codegen/kernels/sort/sort_host_rows.hpp>
#include <sinter/codegen/kernels/sort/sort_radix_cuda.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/codegen/print/cuda_scalar_text.hpp>
#include <sinter/codegen/print/fill_text.hpp>
#include <sinter/codegen/print/host/emit_host.hpp>
#include <sinter/codegen/print/matrix_lists.hpp>

#include <filesystem>
#include <map>
#include <set>
#include <sstream>

using namespace sinter;
using namespace sinter::codegen;

namespace {

constexpr const char* library = SINTER_TEST_ROOT "/codegen";

std::set<std::string> lines_of(const std::string& text) {
    std::set<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        line.erase(0, line.find_first_not_of(' '));
        if (line.size() > 3 && !line.starts_with("//")) lines.insert(line);
    }
    return lines;
}

// The lines of all texts in files that no choice changes, with the file that has them.
std::map<std::string, std::string> fixed_lines() {
    std::map<std::string, std::string> lines;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(library)) {
        const std::string path = entry.path().string();
        if (!path.ends_with(".cuh") && !path.ends_with(".hxx")) continue;
        const std::string text = cuda_emulation::read_whole(path);
        const std::size_t begin = text.find("(\n"), end = text.rfind("\n)");
        REQUIRE_MESSAGE(text.substr(0, begin).find("\nR\"") != std::string::npos, path);
        REQUIRE_MESSAGE(end > begin, path);
        for (const std::string& line : lines_of(text.substr(begin + 2, end - begin - 1)))
            if (line.find('$') == std::string::npos) lines.emplace(line, entry.path().filename().string());
    }
    return lines;
}

struct text_checker {
    std::map<std::string, std::string> left = fixed_lines();
    scratch_folder folder;
    int checked = 0;

    // Compiles a text that has something which no text before it had.
    void check(const std::string& name, const std::string& text, bool cuda) {
        bool is_new = false;
        for (const std::string& line : lines_of(text)) is_new |= left.erase(line) > 0;
        if (!is_new) return;
        const std::string path = folder.path + "/text.cpp", log = folder.path + "/log";
        REQUIRE(cuda_emulation::write_whole(path, cuda ? cuda_emulation::image_source(text) : text));
        const std::string command = text_images::compiler() + " -std=c++20 -fsyntax-only -w " +
                                    (cuda ? "" : "-march=native ") + "'" + path + "' >'" + log + "' 2>&1";
        const bool good = std::system(command.c_str()) == 0;
        CHECK_MESSAGE(good, name << ": " << cuda_emulation::read_whole(log).substr(0, 2000));
        ++checked;
    }
};

void check_sorts(text_checker& c) {
    for (dtype t : {dtype::uint8, dtype::int32, dtype::float32, dtype::float64, dtype::complex64, dtype::complex128})
        for (bool positions : {false, true})
            for (std::int64_t length : {20, 1000, 5000, 100'000}) {
                const sort_task task{t, positions, 3, length};
                c.check("sort " + std::string(to_string(t)), radix_sort_cuda(task).text, true);
                c.check("sort " + std::string(to_string(t)), sort_host(task).text, false);
            }
    for (dtype t : {dtype::bool_, dtype::int16, dtype::float32, dtype::float64, dtype::uint64})
        for (bool descending : {false, true}) {
            const selection_task task{t, descending, 3, 100'000, 5};
            c.check("topk", topk_cuda(task).text, true);
            c.check("counts of digits", order_statistics_cuda(task, true).text, true);
            c.check("order statistics", order_statistics_cuda(task, false).text, true);
            if (size_of(t) >= 4) c.check("order statistics", order_statistics_host(t).text, false);
        }
    for (dtype t : {dtype::float32, dtype::int32})
        for (routine how : {routine::scatter, routine::scatter_add}) {
            c.check("scatter", scatter_cuda(how, t).text, true);
            if (how == routine::scatter || is_integer(t))
                c.check("scatter of rows", scatter_cuda(how, t, true).text, true);
            else c.check("groups of rows", row_groups_cuda(how, t, sort_of_rows(100'000, 5003)).text, true);
            c.check("scatter", scatter_host(how, t, dtype::int32).text, false);
            if (how == routine::scatter) continue;
            c.check("scatter by chunks", chunked_scatter_cuda(how, t, dtype::int32).text, true);
            c.check("scatter by chunks", chunked_scatter_host(how, t, dtype::int32).text, false);
        }
    for (const call_info& how :
         {call_info(routine::bincount), call_info(routine::bincount, call_info::ends), call_info(routine::histogram)}) {
        c.check("count", count_cuda(how, dtype::int32).text, true);
        c.check("count", count_host(how, dtype::int32).text, false);
    }
    for (const sort_task& order :
         {sort_of_values(dtype::float32, 100'000, 5003), parts_of_values(dtype::float32, 100'000, 5003)}) {
        c.check("groups", grouped_scatter_cuda(routine::scatter_add, dtype::float32, order).text, true);
        c.check("sort of values", radix_sort_cuda(order).text, true);
    }
    c.check("groups of sorted rows", row_groups_cuda(routine::scatter_max, dtype::float64, sort_of_rows(500, 7)).text,
            true);
    c.check("sort of rows", radix_sort_cuda(sort_of_rows(100'000, 5003)).text, true);
    c.check("sort of values", radix_sort_cuda(sort_of_values(dtype::complex128, 100'000, 5003)).text, true);
    const sort_task words{.type = dtype::uint64, .positions = true, .length = 100'000, .spread = true};
    c.check("sort of words", radix_sort_cuda(sort_task_on_cuda(words)).text, true);
    sort_task by_indices = sort_of_values(dtype::float32, 100'000, 5003);
    by_indices.given = dtype::int16;
    by_indices.indices = true;
    c.check("sort of values by indices", radix_sort_cuda(by_indices).text, true);
    c.check("last writers", last_writer_scatter_cuda(dtype::float32, 4).text, true);
    c.check("last writers of rows", last_writer_scatter_cuda(dtype::float32, 4, true).text, true);
}

void check_linalg(text_checker& c) {
    for (const char* kernel : linalg_kernels) c.check(kernel, linalg_cuda(kernel).text, true);
    for (dtype t : {dtype::float32, dtype::float64, dtype::complex64, dtype::complex128}) {
        for (const kernel_source& source :
             {tridiagonal_cuda(t), invert_small_cuda(t, 4), invert_small_cuda(t, 32), factor_small_cuda(t, 8),
              rotate_small_cuda(t, 3), form_q_cuda(t), svd_cuda(t), polar_cuda(t), qr_cuda(t), eig_cuda(t)})
            c.check(source.name, source.text, true);
        c.check("factors", factor_cuda(t, false, true).source.text, true);
        c.check("exchanges of rows", factor_cuda(t, true).exchange.text, true);
    }
}

// What users' functions may name, all of it at once.
void check_function_support(text_checker& c) {
    const std::string path = library + std::string("/sinter/codegen/print/text/function_support.hxx");
    const std::string file = cuda_emulation::read_whole(path);
    const std::size_t begin = file.find("(\n") + 2;
    const std::string text = file.substr(begin, file.rfind("\n)") + 1 - begin);
    sequence<std::string> all;
    const std::string direction = "//@ if ";
    for (std::size_t at = 0; (at = text.find(direction, at)) != std::string::npos;) {
        at += direction.size();
        all.push_back(text.substr(at, text.find('\n', at) - at));
    }
    REQUIRE(all.size() > 30);
    c.check(
        "what users' functions may name",
        "#define SINTER_FN inline\n#define SINTER_MEMBER\n#define SINTER_INDEX long\n#define SINTER_UNFUSED(x) (x)\n"
        "namespace scalar {\n"
        "template <class T> struct complex { T re, im; };\n"
        "template <class T> T cos(T);\n"
        "template <class T> T sin(T);\n"
        "}\n"
        "namespace user {\n"
        "template <class... T> struct tuple;\n" +
            fill_text(text, all) + "}\n",
        false);
    CHECK(fill_text(text, sequence<std::string>{"int32_t", "size_t"}) ==
          "typedef decltype(sizeof(0)) size_t;\ntypedef int int32_t;\n");
}

void check_printed(text_checker& c) {
    c.check("matrix lists", matrix_lists_cuda().text, true);
    c.check("small products", small_products_cuda(dtype::float32, 4).text, true);
    c.check("tiled products", tiled_products_cuda(dtype::int32, 128).text, true);
    c.check("scalars",
            "struct product_halves { unsigned low, high; };\n"
            "struct fixed_float_divisor { float number; double inverse, rest; };\n" +
                std::string(cuda_scalars_text),
            true);
    for (dtype t : {dtype::float32, dtype::complex64}) {
        graph g;
        g.roots = {g.add_scan(reduction::sum, g.add_input(0, t, dims(1000, 4097)), 2)};
        for (const kernel& k : fuse(g, sequence<bool>(1, false)).kernels) c.check("a scan", emit_cuda(k).text, true);
    }
    kernel_grid::each_kernel_of("cumsum", {100'000, 20}, 1, dtype::float32, {.family = host_family},
                                [&](const kernel& k) { c.check("scans side by side", emit_host(k).text, false); });
    for (dtype t : {dtype::float32, dtype::float64, dtype::complex64})
        kernel_grid::each_kernel_of("layer norm", {100'000, 19}, 1, t, {.family = host_family},
                                    [&](const kernel& k) { c.check("rows side by side", emit_host(k).text, false); });
    for (dtype t : {dtype::float32, dtype::float64})
        for (std::int64_t n : {100, 600})
            kernel_grid::each_kernel_of("layer norm", {1000, n}, 1, t, {.family = host_family},
                                        [&](const kernel& k) { c.check("fours of rows", emit_host(k).text, false); });
    kernel_grid::each_kernel_of("center", {1000, 100}, 1, dtype::float32, {.family = host_family},
                                [&](const kernel& k) { c.check("sixteen rows", emit_host(k).text, false); });
    for (dtype t : {dtype::float32, dtype::float64})
        kernel_grid::each_kernel_of("select", {1000, 4096}, 1, t, {},
                                    [&](const kernel& k) { c.check("a selection", emit_cuda(k).text, true); });
    kernel_grid::each_kernel_of("windows", {3000, 1000}, 1, dtype::float32, {},
                                [&](const kernel& k) { c.check("windows", emit_cuda(k).text, true); });
    for (const auto& entry : std::filesystem::recursive_directory_iterator(SINTER_TEST_DATA "/golden/kernels"))
        if (const std::string name = entry.path().filename();
            name.ends_with(".cuda.txt") || name.ends_with(".host.txt"))
            c.check(name, cuda_emulation::read_whole(entry.path()), name.ends_with(".cuda.txt"));
}

// Rows of all lengths, of numbers and of complex numbers.
void check_rows(text_checker& c) {
    for (const kernel_grid::device_row& on : kernel_grid::devices()) {
        if (on.name == std::string("host")) continue;
        for (const std::int64_t length :
             {8, 100, 300, 1000, 3000, 9001, 50'257, 131'072, 400'001, 3'000'000, 20'000'003})
            for (const std::string computation : {"extremes", "many", "softmax", "layer norm"})
                for (dtype t : {dtype::float32, dtype::float64, dtype::complex64})
                    if (t != dtype::complex64 || computation == "layer norm")
                        kernel_grid::each_kernel_of(
                            computation, {std::max<std::int64_t>(3, 10'000'000 / length), length}, 1, t,
                            {.family = on.family},
                            [&](const kernel& k) { c.check(computation, emit_cuda(k).text, true); });
    }
    // Two sums of a stage.
    graph g;
    const dims shape{600, 16'001};
    const kernel_grid::lines rows{g, shape, 1};
    const node_id x = g.add_input(0, dtype::float32, shape);
    const node_id sum = rows.reduce(reduction::sum, x);
    const node_id squares = rows.reduce(reduction::sum, rows.elementwise(op::square, {x}));
    const node_id centered = rows.elementwise(op::subtract, {x, rows.back(sum)});
    g.roots = {rows.elementwise(op::divide, {centered, rows.back(squares)})};
    for (const kernel& k : fuse(g, sequence<bool>(1, false)).kernels) c.check("two sums", emit_cuda(k).text, true);
}

}  // namespace

TEST_CASE("every file of text is C++ where its choices are made") {
    if (text_images::compiler().empty()) return;
    text_checker c;
    REQUIRE(c.left.size() > 500);
    check_sorts(c);
    check_linalg(c);
    check_function_support(c);
    check_printed(c);
    check_rows(c);
    CHECK(c.checked > 20);
    for (const auto& [line, file] : c.left) FAIL_CHECK(file << " has what no text has: " << line);
}

TEST_CASE("each kernel beside the libraries of linear algebra is a text by itself") {
    for (const std::string name : linalg_kernels) {
        const std::string text = linalg_cuda(name).text;
        CAPTURE(name);
        const std::size_t begin = text.find("__global__");
        REQUIRE(begin != std::string::npos);
        CHECK(text.find(" " + name + "(", begin) != std::string::npos);
        CHECK(text.find("__global__", begin + 1) == std::string::npos);
    }
}

TEST_CASE("a scalar function of GPUs is found whole by its name") {
    CHECK(cuda_text_of("lesser") ==
          "static __device__ inline float lesser(float x, float y) { return fminf(x, y); }\n");
    CHECK(cuda_text_of("float_to_bfloat16").ends_with("#endif\n}\n"));
    CHECK(cuda_text_of("exp").empty());
    CHECK(cuda_text_of("half_exp").find("bfloat16_exp") == std::string_view::npos);
}

TEST_CASE("words of a text are replaced, and lines kept by their conditions") {
    CHECK(fill_text("a $b_1; $c($b_1)", {{"b_1", "x"}, {"c", "f"}}) == "a x; f(x)");
    const char* text = "one\n  //@ if p\ntwo\n//@ if !q\n$w\n//@ end\n//@ else\nthree\n//@ end\nfour";
    auto filled = [&](bool p, bool q) { return fill_text(text, {{"p", p}, {"q", q}, {"w", "word"}}); };
    CHECK(filled(true, false) == "one\ntwo\nword\nfour");
    CHECK(filled(true, true) == "one\ntwo\nfour");
    CHECK(filled(false, false) == "one\nthree\nfour");
    CHECK(filled(false, true) == "one\nthree\nfour");
}

TEST_CASE("a text that does not fit its choices is refused") {
    CHECK_THROWS_AS(fill_text("$other", {{"word", "x"}}), internal_error);
    CHECK_THROWS_AS(fill_text("$", {{"word", "x"}}), internal_error);
    CHECK_THROWS_AS(fill_text("//@ if other\n//@ end\n", {{"word", true}}), internal_error);
    CHECK_THROWS_AS(fill_text("//@ if word\n//@ end\n", {{"word", "a word is no condition"}}), internal_error);
    CHECK_THROWS_AS(fill_text("//@ if word\n", {{"word", true}}), internal_error);
    CHECK_THROWS_AS(fill_text("//@ end\n", {}), internal_error);
    CHECK_THROWS_AS(fill_text("//@ unless word\n", {{"word", true}}), internal_error);
}

// The CUDA text of random programs through NVRTC, for every architecture the library is built for.
#include <doctest/doctest.h>

#include "support/full.hpp"
#include "support/random_graph.hpp"

#include <sinter/codegen/schedule/kernel_key.hpp>
#include <sinter/codegen/kernels/linalg/eig_cuda.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>
#include <sinter/codegen/kernels/linalg/factor_cuda.hpp>
#include <sinter/codegen/fuse/fuse.hpp>
#include <sinter/codegen/kernels/linalg/linalg_cuda.hpp>
#include <sinter/codegen/print/matrix_lists.hpp>
#include <sinter/codegen/kernels/sort/selection.hpp>
#include <sinter/codegen/kernels/sort/sort.hpp>
#include <sinter/codegen/kernels/sort/sort_radix_cuda.hpp>
#include <sinter/codegen/kernels/sort/count.hpp>
#include <sinter/codegen/kernels/sort/scatter.hpp>
#include <sinter/codegen/kernels/linalg/polar_cuda.hpp>
#include <sinter/codegen/kernels/linalg/qr_cuda.hpp>
#include <sinter/codegen/kernels/linalg/small_products.hpp>
#include <sinter/codegen/kernels/linalg/svd_cuda.hpp>
#include <sinter/codegen/kernels/linalg/tiled_products.hpp>
#include <sinter/runtime/base/file.hpp>
#include <sinter/runtime/compile/nvrtc.hpp>

#include <map>
#include <set>
#include <span>

using namespace sinter;
using namespace sinter::codegen;

namespace {

// Values of a type by indices of some type of integers.
sort_task by_indices_of(dtype t) {
    sort_task order = sort_of_values(t, 1 << 20, 5003);
    order.given = size_of(t) == 8 ? dtype::uint8 : dtype::int32;
    order.indices = true;
    return order;
}

bool every_op(op, dtype) { return true; }

/// By the compiler's quick way where it has one, but with --full as GPUs get it.
std::string assemble(const std::string& text, int major, int minor) {
    // Several routines ask for the same sorts.
    static std::map<std::pair<std::string, int>, std::string> images;
    std::string& image = images[{text, 10 * major + minor}];
    if (image.empty() && !is_full()) image = runtime::compile_cuda_quickly(text, major, minor);
    if (image.empty()) image = runtime::compile_cuda(text, major, minor);
    return image;
}

}  // namespace

TEST_CASE("the CUDA text of random programs compiles on every architecture") {
    std::string why;
    if (!runtime::nvrtc_available(&why)) {
        std::printf("skipped: %s\n", why.c_str());
        return;
    }
    constexpr std::pair<int, int> architectures[] = {{7, 5}, {8, 0}, {9, 0}, {10, 0}};
    const bool full = is_full();
    std::vector<random_graph::program> programs = random_graph::reductions();
    if (!full) programs.resize(40);
    for (random_graph::program& p : random_graph::many_reductions()) programs.push_back(std::move(p));
    if (!full) programs.resize(52);
    for (unsigned seed = 1; seed <= (full ? 500u : 40u); ++seed)
        programs.push_back(random_graph::generator(seed, every_op).make());
    std::set<std::string> seen;
    for (const random_graph::program& p : programs)
        for (kernel& k : fuse(p.g, p.consumable).kernels) {
            k.how.wide |= seen.size() % 5 == 0;
            if (!seen.insert(key(k)).second) continue;
            // Every text for one architecture in turn; in full for each.
            for (std::size_t a = 0; a < 4; ++a) {
                if (!full && a != seen.size() % 4) continue;
                std::string problem;
                try {
                    assemble(emit_cuda(k).text, architectures[a].first, architectures[a].second);
                } catch (const compile_error& e) {
                    problem = e.what();
                }
                CHECK(problem == "");
            }
        }
    CHECK(seen.size() > 60);
}

TEST_CASE("the CUDA text of half precision compiles on every architecture") {
    if (!runtime::nvrtc_available()) return;
    const std::pair<int, int> architectures[] = {{7, 5}, {8, 0}, {9, 0}, {10, 0}};
    std::size_t next = 0;
    for (dtype t : {dtype::float16, dtype::bfloat16}) {
        graph g;
        const dims shape(1000), rows(50, 20);
        sequence<node_id> roots;
        const node_id x = g.add_input(0, t, shape), y = g.add_input(1, dtype::float64, shape);
        auto apply_to = [&](op o, node_id a, node_id b) {
            const node_id operands[] = {a, b};
            return g.add_apply(o, std::span(operands, info(o).arity), shape);
        };
        for (dtype other : {dtype::bool_, dtype::int8, dtype::uint64, dtype::float32, dtype::complex32,
                            dtype::complex64, dtype::complex128})
            roots.push_back(g.add_cast(g.add_cast(apply_to(op::square, x, x), other), t));
        for (op o : {op::add, op::divide, op::fmod, op::nextafter, op::less})
            roots.push_back(apply_to(o, x, g.add_cast(y, t)));
        for (op o : {op::exp, op::spacing, op::frexp_exponent, op::positive}) roots.push_back(apply_to(o, x, x));
        roots.push_back(g.add_scan(reduction::sum, x, 1));
        roots.push_back(g.add_reduce(reduction::sum, g.add_view(x, contiguous(rows)), 2));
        roots.push_back(g.add_reduce(reduction::argmax, g.add_view(x, contiguous(rows)), 1));
        roots.push_back(g.add_select(g.add_cast(x, dtype::bool_), x));
        for (std::size_t i = 0; i < roots.size(); ++i) {
            // Either type has half of them; in full all.
            if ((i + (t == dtype::bfloat16)) % 2 && !is_full()) continue;
            g.roots = {roots[i]};
            verify(g);
            for (const kernel& k : fuse(g, sequence<bool>(2, false)).kernels) {
                const auto [major, minor] = architectures[next++ % 4];
                std::string problem;
                try {
                    assemble(emit_cuda(k).text, major, minor);
                } catch (const compile_error& e) {
                    problem = e.what();
                }
                CHECK(problem == "");
            }
        }
    }
}

TEST_CASE("the kernels written by hand that benchmarks compare with compile on every architecture") {
    if (!runtime::nvrtc_available()) return;
    for (const char* file : {"plain.cu", "maps.cu", "reductions.cu", "scan.cu", "random.cu"}) {
        CAPTURE(file);
        std::string text;
        REQUIRE(runtime::read_file((std::string(SINTER_TEST_ROOT "/bench/limits/") + file).c_str(), text));
        for (int major : {8, 9, 10}) CHECK(assemble(text, major, 0).size() > 1000);
    }
}

TEST_CASE("the CUDA text of sorts compiles on every architecture") {
    if (!runtime::nvrtc_available()) return;
    const std::pair<int, int> architectures[] = {{7, 5}, {8, 0}, {9, 0}, {10, 0}};
    std::size_t next = 0;
    for (dtype t : {dtype::bool_, dtype::int16, dtype::uint64, dtype::float32, dtype::float64, dtype::complex64,
                    dtype::complex128})
        for (bool positions : {false, true})
            for (std::int64_t length : {std::int64_t{3}, std::int64_t{60}, std::int64_t{500}, std::int64_t{1000},
                                        std::int64_t{100'000}, std::int64_t{1} << 31}) {
                // Three lengths of each, others in turn; in full all.
                const std::size_t number = next++;
                if ((number + number / 6) % 2 && !is_full()) continue;
                auto [major, minor] = architectures[number / 2 % 4];
                std::string problem;
                try {
                    assemble(radix_sort_cuda({t, positions, 3, length}).text, major, minor);
                } catch (const compile_error& e) {
                    problem = e.what();
                }
                CHECK(problem == "");
            }
}

TEST_CASE("the CUDA text of selections compiles for every type, and what a rank is known by is as large as is said") {
    if (!runtime::nvrtc_available()) return;
    const std::pair<int, int> architectures[] = {{7, 5}, {8, 0}, {9, 0}, {10, 0}};
    std::size_t next = 0;
    for (int i = 0; i < dtype_count; ++i) {
        const auto t = static_cast<dtype>(i);
        if (is_half(t) || is_complex(t)) continue;
        auto [major, minor] = architectures[next++ % 4];
        const selection_task task{t, next % 2 == 0, 3, 100'000, 5};
        const std::string size = std::to_string(bytes_of_target(t));
        std::string problem;
        try {
            assemble(topk_cuda(task).text, major, minor);
            for (bool counts : {true, false})
                assemble(
                    order_statistics_cuda(task, counts).text + "static_assert(sizeof(target) == " + size + ", \"\");\n",
                    major, minor);
        } catch (const compile_error& e) {
            problem = e.what();
        }
        CHECK(problem == "");
    }
}

TEST_CASE("the CUDA text of what multiplies products by numbers compiles") {
    if (!runtime::nvrtc_available()) return;
    CHECK_NOTHROW(assemble(scaling_cuda(dtype::float32).text, 7, 5));
    CHECK_NOTHROW(assemble(scaling_cuda(dtype::float64).text, 9, 0));
}

TEST_CASE("the CUDA text of what lists matrices compiles") {
    if (!runtime::nvrtc_available()) return;
    CHECK_NOTHROW(assemble(matrix_lists_cuda().text, 7, 5));
    CHECK_NOTHROW(assemble(matrix_lists_cuda().text, 9, 0));
    CHECK_NOTHROW(assemble(small_products_cuda(dtype::float32, 3).text, 7, 5));
    CHECK_NOTHROW(assemble(small_products_cuda(dtype::float64, 8).text, 9, 0));
    for (dtype t : {dtype::bool_, dtype::int8, dtype::uint32, dtype::int64})
        for (int side : {64, size_of(t) < 8 ? 128 : 64})
            CHECK_NOTHROW(assemble(tiled_products_cuda(t, side).text, 9, 0));
}

TEST_CASE("the CUDA text of sorts of words by their upper halves compiles") {
    if (!runtime::nvrtc_available()) return;
    const sort_task words{.type = dtype::uint64, .positions = true, .length = 100'000, .spread = true};
    CHECK_NOTHROW(assemble(radix_sort_cuda(sort_task_on_cuda(words)).text, 9, 0));
    CHECK(sort_passes(sort_task_on_cuda(words)) == 4);
    // Rows, short ones and words of which nothing is known are sorted as they are.
    for (const sort_task& t :
         {sort_task{.type = dtype::uint64, .positions = true, .length = 100'000},
          sort_task{.type = dtype::uint64, .positions = true, .rows = 2, .length = 100'000, .spread = true},
          sort_task{.type = dtype::uint64, .positions = true, .length = 1000, .spread = true}})
        CHECK(!sort_task_on_cuda(t).upper_halves);
}

TEST_CASE("the CUDA text of scatters compiles for every type") {
    if (!runtime::nvrtc_available()) return;
    const int architectures[] = {75, 80, 90, 100};
    std::size_t next = 0;
    for (int i = 0; i < dtype_count; ++i)
        for (routine how : {routine::scatter, routine::scatter_add, routine::scatter_max, routine::scatter_min}) {
            dtype t = static_cast<dtype>(i);
            if ((is_half(t) && how != routine::scatter) || (is_complex(t) && how >= routine::scatter_max)) continue;
            int architecture = architectures[next++ % 4];
            if (!is_turn_of(next, 3)) continue;
            std::string problem;
            try {
                assemble(scatter_cuda(how, t).text, architecture / 10, architecture % 10);
                if (how == routine::scatter) {
                    assemble(scatter_cuda(how, t, true).text, architecture / 10, architecture % 10);
                    continue;
                }
                if (t != dtype::bool_) {
                    const call_info by = next % 4 < 2 ? call_info(how) : call_info(how, call_info::indices);
                    const dtype given = next % 2 ? dtype::int64 : dtype::uint8;
                    assemble(chunked_scatter_cuda(by, t, given).text, architecture / 10, architecture % 10);
                }
                assemble(radix_sort_cuda(by_indices_of(t)).text, architecture / 10, architecture % 10);
                const std::int64_t size = next % 2 ? 1 << 20 : std::int64_t{1} << 40;
                for (const sort_task& order :
                     {sort_of_values(t, 1 << 20, size), parts_of_values(t, 1 << 20, 1 << 20)}) {
                    assemble(grouped_scatter_cuda(how, t, order).text, architecture / 10, architecture % 10);
                    assemble(radix_sort_cuda(order).text, 9, 0);
                }
                for (const sort_task& order : {sort_of_rows(next % 2 ? 1 << 20 : 1 << 30, size), sort_of_rows(500, 7)})
                    assemble(row_groups_cuda(how, t, order).text, architecture / 10, architecture % 10);
                assemble(radix_sort_cuda(sort_of_rows(1 << 20, size)).text, 9, 0);
                if (how != routine::scatter_add) continue;
                const call_info any_order = call_info(how, call_info::any_order);
                assemble(scatter_cuda(any_order, t).text, architecture / 10, architecture % 10);
                assemble(scatter_cuda(any_order, t, true).text, architecture / 10, architecture % 10);
            } catch (const compile_error& e) {
                problem = e.what();
            }
            CHECK(problem == "");
        }
}

TEST_CASE("the CUDA text of counts compiles for every type") {
    if (!runtime::nvrtc_available()) return;
    for (int i = 0; i < dtype_count; ++i)
        for (const call_info& how : {call_info(routine::bincount), call_info(routine::bincount, call_info::ends),
                                     call_info(routine::histogram)}) {
            const dtype t = static_cast<dtype>(i);
            if (is_half(t) || is_complex(t) || (how.what == routine::bincount && is_floating(t))) continue;
            const kernel_source source = count_cuda(how, t);
            CAPTURE(source.text);
            CHECK_NOTHROW(assemble(source.text, i % 2 ? 7 : 9, i % 2 ? 5 : 0));
        }
}

TEST_CASE("the CUDA text of scatters that mark places compiles for every type") {
    if (!runtime::nvrtc_available()) return;
    for (int i = 0; i < dtype_count; ++i)
        for (int bytes : {4, 8})
            for (int architecture : {75, 90}) {
                const kernel_source source = last_writer_scatter_cuda(static_cast<dtype>(i), bytes, architecture == 90);
                CAPTURE(source.text);
                CHECK_NOTHROW(assemble(source.text, architecture / 10, architecture % 10));
            }
}

TEST_CASE("the parameters of kernels with many operands fit into a launch") {
    for (int rank : {1, 3, 5, 8}) {
        graph g;
        dims shape = dims::filled(rank, 2), order;
        for (int i = rank; i-- > 0;) order.push_back(i);
        node_id sum = g.add_literal(scalar_value::of(0.0));
        for (std::uint32_t i = 0; i < 300; ++i) {
            node_id x = g.add_input(i, i % 2 ? dtype::float64 : dtype::complex128, shape);
            if (i % 3) x = g.add_view(x, transposed(contiguous(shape), order));
            node_id c = g.add_scalar(scalar_value::of(std::complex<double>(i, 1)));
            node_id product[] = {x, c};
            x = g.add_apply(op::multiply, product, shape);
            node_id both[] = {sum, x};
            sum = g.add_apply(op::add, both, shape);
        }
        g.roots = {sum, g.add_reduce(reduction::sum, sum, 1)};
        sequence<bool> consumable(300, false);
        plan p = fuse(g, consumable);
        CHECK(p.kernels.size() > 2);
        CHECK(p.kernels.size() < 40);
        for (kernel& k : p.kernels) {
            k.how.wide = true;
            std::uint32_t bytes = 0;
            for (const cuda_parameter& x : cuda_parameters(k)) bytes += x.bytes;
            CHECK(bytes <= 4096);
        }
    }
}

TEST_CASE("the CUDA texts of linear algebra compile on every architecture") {
    if (!runtime::nvrtc_available()) return;
    const std::pair<int, int> architectures[] = {{7, 5}, {8, 0}, {9, 0}, {10, 0}};
    std::size_t turn = 0;
    auto compiles = [&](const kernel_source& source) {
        INFO(source.name);
        for (std::size_t a = 0; a < 4; ++a)
            if (is_full() || a == turn % 4)
                CHECK_NOTHROW(assemble(source.text, architectures[a].first, architectures[a].second));
        ++turn;
    };
    for (const char* kernel : linalg_kernels) compiles(linalg_cuda(kernel));
    for (dtype t : {dtype::float32, dtype::float64, dtype::complex64, dtype::complex128}) {
        for (const kernel_source& source :
             {tridiagonal_cuda(t), invert_small_cuda(t, 4), invert_small_cuda(t, 32), factor_small_cuda(t, 8),
              rotate_small_cuda(t, 3), form_q_cuda(t), svd_cuda(t), polar_cuda(t), qr_cuda(t), eig_cuda(t)})
            compiles(source);
        for (bool tall : {false, true})
            for (bool any_rows : {false, true}) compiles(factor_cuda(t, tall, any_rows).source);
        for (bool tall : {false, true}) compiles(factor_cuda(t, tall).exchange);
    }
}

TEST_CASE("columns that rotate are shared out to blocks that have room for them, as many as there is work for") {
    for (int n : {1, 2, 7, 31, 32, 33, 64, 129, 512, 1000, 1024})
        for (std::size_t element : {4, 8, 16, 32})
            for (int blocks : {1, 2, 4, 8, 16})
                for (std::size_t shared : {std::size_t{64} << 10, std::size_t{227} << 10}) {
                    CAPTURE(n);
                    CAPTURE(element);
                    CAPTURE(blocks);
                    const std::size_t column = static_cast<std::size_t>(n) * element;
                    const rotation_shape s = rotation_shape_of(n, column, blocks, shared);
                    CHECK(s.shared_bytes == 2 * static_cast<std::size_t>(s.width) * column);
                    CHECK(s.shared_bytes <= shared);
                    CHECK(s.width * s.groups >= n);
                    CHECK(s.groups % (2 * s.blocks) == 0);
                    CHECK(s.blocks <= blocks);
                    CHECK((s.blocks == 1 || n >= 16 * s.blocks));
                }
    // As a whole where it fits; by as many blocks as may be; in parts where it does not.
    CHECK(rotation_shape_of(100, 1600, 1, 232448).groups == 2);
    CHECK(rotation_shape_of(512, 8192, 16, 232448).blocks == 16);
    CHECK(rotation_shape_of(129, 2064, 1, 232448).groups == 4);
}

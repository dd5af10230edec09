// Bodies of routines.hpp.
#pragma once

#include <cstring>
#include <sinter/codegen/interpret/interpret.hpp>
#include <sinter/codegen/kernels/linalg/small_products.hpp>
#include <sinter/codegen/kernels/linalg/tiled_products.hpp>
#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/print/matrix_lists.hpp>
#include <sinter/codegen/ops/matrix_stack.hpp>
#include <sinter/runtime/base/on_demand.hpp>
#include <sinter/runtime/library/blas.hpp>
#include <sinter/runtime/execute/routines.hpp>
#include <sinter/runtime/memory/copy.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::runtime {

// A stack of matrices as the library reads it: rows or columns apart by `leading`.
SINTER_INLINE matrix_operand matrix_of(const codegen::place& p, const codegen::sequence<void*>& memory, dtype type) {
    const codegen::layout& l = p.at;
    int r = l.shape.size();
    std::int64_t rows = l.shape[r - 2], columns = l.shape[r - 1];
    matrix_operand m;
    m.data = static_cast<const char*>(memory[p.slot]) + l.offset * codegen::size_of(type);
    m.transposed = !(l.strides[r - 1] == 1 || columns == 1) || (rows > 1 && l.strides[r - 2] < columns);
    m.leading = m.transposed ? (columns > 1 ? l.strides[r - 1] : rows) : (rows > 1 ? l.strides[r - 2] : columns);
    m.leading = std::max<std::int64_t>(m.leading, 1);
    m.stride = 0;
    for (int i = r - 3; i >= 0 && m.stride == 0; --i)
        if (l.shape[i] > 1) m.stride = l.strides[i];
    return m;
}

SINTER_INLINE void* address_at(const codegen::place& p, const codegen::plan& plan,
                               const codegen::sequence<void*>& memory) {
    return static_cast<char*>(memory[p.slot]) + p.at.offset * codegen::size_of(plan.slots[p.slot].type);
}

// The operands of a product.
struct product_operands {
    const codegen::place &a, &b;

    explicit product_operands(const codegen::library_call& c)
        : a(c.args[static_cast<std::size_t>(codegen::first_matrix(c.call.what))]),
          b(c.args[static_cast<std::size_t>(codegen::first_matrix(c.call.what)) + 1]) {}
    bool have_one_stride(const dims& product) const { return codegen::has_one_stride(product, a.at.shape, b.at.shape); }
};

// Sizes of a stack of products: (m, k) x (k, n), `count` of them.
struct product_sizes {
    std::int64_t m, n, k, count;

    explicit product_sizes(const codegen::library_call& c)
        : m(c.shape[c.shape.size() - 2]),
          n(c.shape.back()),
          k(product_operands(c).a.at.shape.back()),
          count(m * n == 0 ? 0 : c.shape.product() / (m * n)) {}
    codegen::product_tiles tiles(dtype type) const { return codegen::tiles_of_products(type, count, m, n, k); }
};

// None where the library alone computes it.
SINTER_INLINE codegen::sequence<codegen::kernel_source> texts_of_product(const codegen::library_call& c, dtype type,
                                                                         device where) {
    const product_operands x(c);
    if (where.is_cpu() || c.shape.product() == 0) return {};
    if (!x.have_one_stride(c.shape)) return {codegen::matrix_lists_cuda()};
    const product_sizes s(c);
    if (codegen::kind_rank(type) < 2) return {codegen::tiled_products_cuda(type, s.tiles(type).side)};
    const bool plain = codegen::first_matrix(c.call.what) == 0 && !c.call.has(codegen::call_info::bias) &&
                       c.call.last() == codegen::activation::none;
    if (!plain || !codegen::takes_small_products(type, s.count, s.m, s.n, s.k)) return {};
    return {codegen::small_products_cuda(type, s.n)};
}

SINTER_INLINE prepared_call prepare_product(const codegen::library_call& c, dtype type, device where) {
    prepared_call r;
    const codegen::sequence<codegen::kernel_source> texts = texts_of_product(c, type, where);
    if (texts.empty()) return r;
    const written_text& text = find_text(texts[0], where);
    if (product_operands(c).have_one_stride(c.shape)) {
        (codegen::kind_rank(type) < 2 ? r.tiled_products : r.small_products) = text.kernel("multiply");
        return r;
    }
    r.list_matrices = text.kernel("list_matrices");
    r.workspace = 3 * 8 * product_sizes(c).count;
    return r;
}

// How many elements apart an operand's matrices lie along each leading axis.
SINTER_INLINE dims steps_of(const codegen::layout& l) {
    dims steps;
    for (int i = 0; i + 2 < l.shape.size(); ++i) steps.push_back(l.shape[i] > 1 ? l.strides[i] : 0);
    return steps;
}

SINTER_INLINE matrix_stack stack_of(const prepared_call& r, const codegen::library_call& c, void* workspace) {
    const product_operands x(c);
    dims shape = c.shape;
    shape.resize(shape.size() - 2);
    return {shape, steps_of(x.a.at), steps_of(x.b.at), r.list_matrices, workspace};
}

SINTER_INLINE codegen::matrix_walk walk_of(const matrix_operand& x) {
    return x.transposed ? codegen::matrix_walk{x.stride, 1, x.leading} : codegen::matrix_walk{x.stride, x.leading, 1};
}

SINTER_INLINE void run_small_products(const prepared_call& r, const matrix_operand& a, const matrix_operand& b,
                                      void* to, const product_sizes& s, device where) {
    codegen::matrix_walk in_a = walk_of(a), in_b = walk_of(b);
    auto rows = static_cast<unsigned>(s.count * s.m);
    int sizes[] = {static_cast<int>(s.m), static_cast<int>(s.n), static_cast<int>(s.k)};
    const void *from_a = a.data, *from_b = b.data;
    void* arguments[] = {&from_a, &from_b, &to, &in_a, &in_b, &rows, &sizes[0], &sizes[1], &sizes[2]};
    launch_cuda(where, r.small_products, {(rows + 255) / 256}, {256}, 0, arguments);
}

SINTER_INLINE void run_tiled_products(const prepared_call& r, dtype type, const matrix_operand& a,
                                      const matrix_operand& b, void* to, const product_sizes& s, device where) {
    constexpr std::int64_t most_products = 65535;
    const codegen::product_tiles t = s.tiles(type);
    if (t.parts > 1) fill_zero(where, to, static_cast<std::size_t>(s.count * s.m * s.n * codegen::size_of(type)));
    codegen::matrix_walk in_a = walk_of(a), in_b = walk_of(b);
    auto count = static_cast<long long>(s.count);
    int sizes[] = {static_cast<int>(s.m), static_cast<int>(s.n), static_cast<int>(s.k), static_cast<int>(t.terms)};
    const void *from_a = a.data, *from_b = b.data;
    void* arguments[] = {&from_a, &from_b, &to, &in_a, &in_b, &count, &sizes[0], &sizes[1], &sizes[2], &sizes[3]};
    launch_cuda(where, r.tiled_products,
                {static_cast<unsigned>(t.tiles), static_cast<unsigned>(std::min(s.count, most_products)),
                 static_cast<unsigned>(t.parts)},
                {256}, 0, arguments);
}

SINTER_INLINE void run_matmul(const prepared_call& r, const codegen::library_call& c, const codegen::plan& p,
                              const codegen::sequence<void*>& memory, void* workspace, device where, double factor) {
    dtype type = p.slots[c.results[0]].type;
    const product_operands x(c);
    const product_sizes s(c);
    if (s.count == 0) return;
    gemm_mode mode{c.call.in(), nullptr, nullptr, c.call.last(), factor};
    if (codegen::first_matrix(c.call.what)) mode.added = address_at(c.args[0], p, memory);
    if (c.call.has(codegen::call_info::bias)) mode.bias = address_at(c.args.back(), p, memory);
    const matrix_operand a = matrix_of(x.a, memory, type), b = matrix_of(x.b, memory, type);
    void* to = memory[c.results[0]];
    if (r.tiled_products) return run_tiled_products(r, type, a, b, to, s, where);
    if (r.small_products && factor == 1) return run_small_products(r, a, b, to, s, where);
    auto multiply = [&](const matrix_stack* stack) {
        gemm_strided_batched(where, type, s.m, s.n, s.k, a, b, to, s.n, s.m * s.n, s.count, mode, stack);
    };
    if (x.have_one_stride(c.shape)) return multiply(nullptr);
    const matrix_stack stack = stack_of(r, c, workspace);
    multiply(&stack);
}

// How many elements are counted; or how many positions are written to.
SINTER_INLINE std::int64_t taken(const codegen::library_call& c) {
    return c.args[codegen::is_scatter(c.call.what) ? 2 : 1].at.shape.product();
}

SINTER_INLINE scatter_task scatter_task_of(const codegen::library_call& c, const codegen::plan& p) {
    const std::int64_t width = c.args[1].at.shape.product() / taken(c);
    return {c.call, p.slots[c.results[0]].type, taken(c), c.shape, width, p.slots[c.args[2].slot].type};
}

SINTER_INLINE count_task count_task_of(const codegen::library_call& c, const codegen::plan& p) {
    return {c.call, p.slots[c.args[1].slot].type, taken(c), c.shape.product()};
}

SINTER_INLINE codegen::selection_task selection_task_of(const codegen::library_call& c, const codegen::plan& p) {
    return codegen::selection_task_of(c.call, p.slots[c.args[0].slot].type, c.args[0].at.shape, c.shape.back());
}

SINTER_INLINE codegen::sort_task sort_task_of(const codegen::library_call& c, const codegen::plan& p, device where) {
    return sort_task_on(codegen::sort_task_of(c.call, p.slots[c.args[0].slot].type, c.shape), where);
}

// Whether a call computes nothing.
SINTER_INLINE bool is_empty(const codegen::library_call& c) {
    if (codegen::is_scatter(c.call.what)) return taken(c) == 0 || c.args[1].at.shape.product() == 0;
    return (codegen::is_count(c.call.what) ? taken(c) : c.shape.product()) == 0;
}

SINTER_INLINE codegen::sequence<codegen::kernel_source> texts_of_routine(const codegen::library_call& c,
                                                                         const codegen::plan& p, device where) {
    const codegen::routine what = c.call.what;
    if (is_empty(c) || codegen::is_fourier(what) || what == codegen::routine::contract) return {};
    if (codegen::is_scatter(what)) return scatter_backend_of(where).texts(scatter_task_of(c, p), where);
    if (codegen::is_count(what)) return {text_of_count(count_task_of(c, p), where)};
    if (codegen::is_product(what)) return texts_of_product(c, p.slots[c.results[0]].type, where);
    if (codegen::is_linalg(what)) return on_demand<linalg_functions>::get().texts(c, p, where);
    if (codegen::is_selection(what)) return texts_of_selection(what, selection_task_of(c, p), where);
    return texts_of_sort(sort_task_of(c, p, where), where);
}

SINTER_INLINE prepared_call prepare_routine(const codegen::library_call& c, const codegen::plan& p, device where) {
    prepared_call r;
    if (is_empty(c)) return r;
    if (codegen::is_scatter(c.call.what)) {
        r.scatter = scatter_backend_of(where).prepare(scatter_task_of(c, p), where);
        r.workspace = r.scatter.workspace;
        return r;
    }
    if (codegen::is_count(c.call.what)) {
        r.count = prepare_count(count_task_of(c, p), where);
        r.workspace = r.count.workspace;
        return r;
    }
    if (c.call.what == codegen::routine::contract) {
        r.contraction = prepare_contraction(c, p.slots[c.results[0]].type, where);
        r.workspace = r.contraction.usual.workspace;
        return r;
    }
    if (codegen::is_product(c.call.what)) return prepare_product(c, p.slots[c.results[0]].type, where);
    if (codegen::is_linalg(c.call.what)) {
        r.linalg = on_demand<linalg_functions>::get().prepare(c, p, where);
        r.workspace = r.linalg.workspace;
        return r;
    }
    if (codegen::is_fourier(c.call.what)) {
        r.fourier = on_demand<fourier_functions>::get().prepare(c, p, where);
        r.workspace = r.fourier.workspace;
        return r;
    }
    if (codegen::is_selection(c.call.what)) {
        const codegen::selection_task task = selection_task_of(c, p);
        r.selection =
            c.call.what == codegen::routine::topk ? prepare_topk(task, where) : prepare_order_statistics(task, where);
        r.workspace = r.selection.workspace;
        return r;
    }
    const codegen::sort_task task = sort_task_of(c, p, where);
    r.order = prepare_sort(task, where);
    r.workspace = sort_workspace(task, where);
    return r;
}

SINTER_INLINE void run_scatter(const prepared_call& r, const codegen::library_call& c, const codegen::plan& p,
                               const codegen::sequence<void*>& memory, char* workspace, device where,
                               codegen::sequence<index_check>& checks) {
    if (taken(c) == 0 || c.args[1].at.shape.product() == 0) return;
    scatter_backend_of(where).run(r.scatter, address_at(c.args[1], p, memory), address_at(c.args[2], p, memory),
                                  memory[c.results[0]], workspace, where, checks);
}

SINTER_INLINE void run_count_call(const prepared_call& r, const codegen::library_call& c, const codegen::plan& p,
                                  const codegen::sequence<void*>& memory, char* workspace, device where) {
    if (taken(c) == 0) return;
    const void* edges = c.args.size() > 2 ? address_at(c.args[2], p, memory) : nullptr;
    run_count(r.count, address_at(c.args[1], p, memory), edges, memory[c.results[0]], workspace, where);
}

SINTER_INLINE void run_linalg(const prepared_call& r, const codegen::library_call& c, const codegen::plan& p,
                              const codegen::sequence<void*>& memory, char* workspace, device where,
                              codegen::sequence<index_check>& checks) {
    codegen::sequence<char*> arrays;
    for (const codegen::place& a : c.args) arrays.push_back(static_cast<char*>(address_at(a, p, memory)));
    for (std::size_t i = codegen::info(c.call.what).changes_base(); i < c.results.size(); ++i)
        arrays.push_back(static_cast<char*>(memory[c.results[i]]));
    on_demand<linalg_functions>::get().run(r.linalg, where, arrays.data(), workspace, checks);
}

SINTER_INLINE void run_routine(const prepared_call& r, const codegen::library_call& c, const codegen::plan& p,
                               const codegen::sequence<void*>& memory, void* workspace, device where,
                               codegen::sequence<index_check>& checks, double factor) {
    char* own = static_cast<char*>(workspace);
    if (codegen::is_scatter(c.call.what)) return run_scatter(r, c, p, memory, own, where, checks);
    if (codegen::is_count(c.call.what)) return run_count_call(r, c, p, memory, own, where);
    if (c.shape.product() == 0) return;
    if (codegen::is_product(c.call.what)) return run_matmul(r, c, p, memory, workspace, where, factor);
    if (codegen::is_linalg(c.call.what)) return run_linalg(r, c, p, memory, own, where, checks);
    void *from = address_at(c.args[0], p, memory), *to = memory[c.results[0]];
    if (codegen::is_fourier(c.call.what))
        return on_demand<fourier_functions>::get().run(r.fourier, where, from, to, own);
    if (c.call.what == codegen::routine::contract)
        return run_contraction(r.contraction, c, p.slots[c.results[0]].type, where, from,
                               address_at(c.args[1], p, memory), to, own);
    if (c.call.what == codegen::routine::topk) return run_topk(r.selection, where, from, to, own);
    if (c.call.what == codegen::routine::order_statistics)
        return run_order_statistics(r.selection, where, from, address_at(c.args[1], p, memory), to, own);
    run_sort(r.order, where, from, to, own);
}

SINTER_INLINE void routine_on_host(const codegen::graph& g, codegen::node_id n, const void* const* args, void* out) {
    const codegen::call_info what = g.call_of(n);
    if (!codegen::is_linalg(what.what)) return codegen::call_reference(g, n, args, out);
    const codegen::node& base = g.nodes[g.arg(n, 0)];
    const bool changes = codegen::info(what.what).changes_base();
    codegen::plan p;
    codegen::library_call c{what, {n}, {}, base.shape, {}};
    codegen::sequence<buffer_ref> memory;
    codegen::sequence<void*> data;
    auto add_slot = [&](dtype type, std::int64_t size) {
        p.slots.push_back({codegen::slot::fresh, type, size});
        return static_cast<std::uint32_t>(p.slots.size() - 1);
    };
    auto add_memory = [&](std::uint32_t slot) {
        memory.push_back(allocate_buffer(
            device::cpu(), static_cast<std::size_t>(p.slots[slot].size * codegen::size_of(p.slots[slot].type))));
        data.push_back(memory.back()->data);
    };
    for (std::uint32_t i = 0; i < g.nodes[n].arg_count; ++i) {
        const codegen::node& a = g.nodes[g.arg(n, static_cast<int>(i))];
        c.args.push_back({add_slot(a.type, a.shape.product()), codegen::contiguous(a.shape)});
        if (i > 0 || !changes) {
            data.push_back(const_cast<void*>(args[i]));
            continue;
        }
        add_memory(c.args[0].slot);
        if (memory[0]->bytes > 0) std::memcpy(data[0], args[0], memory[0]->bytes);
    }
    for (int i = 0; i < codegen::info(what.what).results; ++i) {
        const codegen::call_info of = what.with_result(i);
        c.results.push_back(i == 0 && changes ? 0
                                              : add_slot(codegen::result_type(of, base.type),
                                                         codegen::result_shape(of, base.shape).product()));
        if (i > 0 || !changes) add_memory(c.results.back());
    }
    codegen::sequence<index_check> checks;
    const prepared_call r = prepare_routine(c, p, device::cpu());
    const buffer_ref workspace = allocate_buffer(device::cpu(), static_cast<std::size_t>(r.workspace));
    show_call(c, {});
    run_routine(r, c, p, data, workspace->data, device::cpu(), checks, 1);
    const std::uint32_t result = c.results[what.result];
    const auto bytes = static_cast<std::size_t>(p.slots[result].size * codegen::size_of(p.slots[result].type));
    if (bytes > 0) std::memcpy(out, data[result], bytes);
}

}  // namespace sinter::inline SINTER_ABI::runtime

SINTER_IEEE_END

// Bodies of routines.hpp.
#pragma once

#include <cstring>
#include <iterator>
#include <sinter/codegen/base/search.hpp>
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

struct planned_call {
    const codegen::library_call& call;
    const codegen::plan& plan;
    device where;

    codegen::routine what() const { return call.call.what; }
    dtype type() const { return plan.slots[call.results[0]].type; }
    dtype type_of(std::size_t operand) const { return plan.slots[call.args[operand].slot].type; }
};

struct running_call : planned_call {
    const prepared_call& prepared;
    const codegen::sequence<void*>& memory;
    char* workspace;
    codegen::sequence<index_check>& checks;
    double factor;

    void* operand(std::size_t number) const {
        const codegen::place& of = call.args[number];
        return static_cast<char*>(memory[of.slot]) + of.at.offset * codegen::size_of(type_of(number));
    }
    void* result() const { return memory[call.results[0]]; }
};

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
SINTER_INLINE codegen::sequence<codegen::kernel_source> texts_of_product(const planned_call& x) {
    const codegen::library_call& c = x.call;
    if (x.where.is_cpu()) return {};
    if (!product_operands(c).have_one_stride(c.shape)) return {codegen::matrix_lists_cuda()};
    const product_sizes s(c);
    if (codegen::kind_rank(x.type()) < 2) return {codegen::tiled_products_cuda(x.type(), s.tiles(x.type()).side)};
    const bool plain = codegen::first_matrix(x.what()) == 0 && !c.call.has(codegen::call_info::bias) &&
                       c.call.last() == codegen::activation::none;
    if (!plain || !codegen::takes_small_products(x.type(), s.count, s.m, s.n, s.k)) return {};
    return {codegen::small_products_cuda(x.type(), s.n)};
}

SINTER_INLINE void prepare_product(prepared_call& r, const planned_call& x) {
    const codegen::sequence<codegen::kernel_source> texts = texts_of_product(x);
    if (texts.empty()) return;
    const written_text& text = find_text(texts[0], x.where);
    if (product_operands(x.call).have_one_stride(x.call.shape)) {
        (codegen::kind_rank(x.type()) < 2 ? r.tiled_products : r.small_products) = text.kernel("multiply");
        return;
    }
    r.list_matrices = text.kernel("list_matrices");
    r.workspace = 3 * 8 * product_sizes(x.call).count;
}

// How many elements apart an operand's matrices lie along each leading axis.
SINTER_INLINE dims steps_of(const codegen::layout& l) {
    dims steps;
    for (int i = 0; i + 2 < l.shape.size(); ++i) steps.push_back(l.shape[i] > 1 ? l.strides[i] : 0);
    return steps;
}

SINTER_INLINE matrix_stack stack_of(const running_call& x) {
    const product_operands of(x.call);
    dims shape = x.call.shape;
    shape.resize(shape.size() - 2);
    return {shape, steps_of(of.a.at), steps_of(of.b.at), x.prepared.list_matrices, x.workspace};
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

SINTER_INLINE void run_product(const running_call& x) {
    const codegen::library_call& c = x.call;
    const dtype type = x.type();
    const product_operands of(c);
    const product_sizes s(c);
    gemm_mode mode{c.call.in(), nullptr, nullptr, c.call.last(), x.factor};
    if (codegen::first_matrix(c.call.what)) mode.added = x.operand(0);
    if (c.call.has(codegen::call_info::bias)) mode.bias = x.operand(c.args.size() - 1);
    const matrix_operand a = matrix_of(of.a, x.memory, type), b = matrix_of(of.b, x.memory, type);
    void* to = x.result();
    if (x.prepared.tiled_products) return run_tiled_products(x.prepared, type, a, b, to, s, x.where);
    if (x.prepared.small_products && x.factor == 1) return run_small_products(x.prepared, a, b, to, s, x.where);
    auto multiply = [&](const matrix_stack* stack) {
        gemm_strided_batched(x.where, type, s.m, s.n, s.k, a, b, to, s.n, s.m * s.n, s.count, mode, stack);
    };
    if (of.have_one_stride(c.shape)) return multiply(nullptr);
    const matrix_stack stack = stack_of(x);
    multiply(&stack);
}

// How many elements are counted; or how many positions are written to.
SINTER_INLINE std::int64_t taken(const codegen::library_call& c) {
    return c.args[codegen::is_scatter(c.call.what) ? 2 : 1].at.shape.product();
}

SINTER_INLINE scatter_task task_of_scatter(const planned_call& x) {
    const std::int64_t count = taken(x.call), width = x.call.args[1].at.shape.product() / count;
    return {x.call.call, x.type(), count, x.call.shape, width, x.type_of(2)};
}

SINTER_INLINE count_task task_of_count(const planned_call& x) {
    return {x.call.call, x.type_of(1), taken(x.call), x.call.shape.product()};
}

SINTER_INLINE codegen::selection_task task_of_selection(const planned_call& x) {
    return codegen::selection_task_of(x.call.call, x.type_of(0), x.call.args[0].at.shape, x.call.shape.back());
}

SINTER_INLINE codegen::sort_task task_of_sort(const planned_call& x) {
    return sort_task_on(codegen::sort_task_of(x.call.call, x.type_of(0), x.call.shape), x.where);
}

// Whether a call computes nothing.
SINTER_INLINE bool is_empty(const codegen::library_call& c) {
    if (codegen::is_scatter(c.call.what)) return taken(c) == 0 || c.args[1].at.shape.product() == 0;
    return (codegen::is_count(c.call.what) ? taken(c) : c.shape.product()) == 0;
}

SINTER_INLINE void run_linalg(const running_call& x) {
    const codegen::library_call& c = x.call;
    codegen::sequence<char*> arrays;
    for (std::size_t i = 0; i < c.args.size(); ++i) arrays.push_back(static_cast<char*>(x.operand(i)));
    for (std::size_t i = codegen::info(c.call.what).changes_base(); i < c.results.size(); ++i)
        arrays.push_back(static_cast<char*>(x.memory[c.results[i]]));
    on_demand<linalg_functions>::get().run(x.prepared.linalg, x.where, arrays.data(), x.workspace, x.checks);
}

// Gives a prepared call a part of it, and the workspace that this needs.
template <class Part>
void prepare_part(prepared_call& r, Part& part, Part prepared) {
    part = std::move(prepared);
    r.workspace = part.workspace;
}

/// What computes a family of routines, in calls that compute something.
struct routine_family {
    bool (*has)(codegen::routine what);
    codegen::sequence<codegen::kernel_source> (*texts)(const planned_call& x);  ///< null: none without a library
    void (*prepare)(prepared_call& r, const planned_call& x);
    void (*run)(const running_call& x);
};

// The first that has a routine is its family; the last has all that are left.
inline constexpr routine_family routine_families[] = {
    {codegen::is_scatter,
     [](const planned_call& x) { return scatter_backend_of(x.where).texts(task_of_scatter(x), x.where); },
     [](prepared_call& r, const planned_call& x) {
         prepare_part(r, r.scatter, scatter_backend_of(x.where).prepare(task_of_scatter(x), x.where));
     },
     [](const running_call& x) {
         scatter_backend_of(x.where).run(x.prepared.scatter, x.operand(1), x.operand(2), x.result(), x.workspace,
                                         x.where, x.checks);
     }},
    {codegen::is_count,
     [](const planned_call& x) {
         return codegen::sequence<codegen::kernel_source>{text_of_count(task_of_count(x), x.where)};
     },
     [](prepared_call& r, const planned_call& x) {
         prepare_part(r, r.count, prepare_count(task_of_count(x), x.where));
     },
     [](const running_call& x) {
         const void* edges = x.call.args.size() > 2 ? x.operand(2) : nullptr;
         run_count(x.prepared.count, x.operand(1), edges, x.result(), x.workspace, x.where);
     }},
    {codegen::is_product, texts_of_product, prepare_product, run_product},
    {codegen::is_linalg,
     [](const planned_call& x) { return on_demand<linalg_functions>::get().texts(x.call, x.plan, x.where); },
     [](prepared_call& r, const planned_call& x) {
         prepare_part(r, r.linalg, on_demand<linalg_functions>::get().prepare(x.call, x.plan, x.where));
     },
     run_linalg},
    {codegen::is_fourier, nullptr,
     [](prepared_call& r, const planned_call& x) {
         prepare_part(r, r.fourier, on_demand<fourier_functions>::get().prepare(x.call, x.plan, x.where));
     },
     [](const running_call& x) {
         on_demand<fourier_functions>::get().run(x.prepared.fourier, x.where, x.operand(0), x.result(), x.workspace);
     }},
    {[](codegen::routine r) { return r == codegen::routine::contract; }, nullptr,
     [](prepared_call& r, const planned_call& x) {
         r.contraction = prepare_contraction(x.call, x.type(), x.where);
         r.workspace = r.contraction.usual.workspace;
     },
     [](const running_call& x) {
         run_contraction(x.prepared.contraction, x.call, x.type(), x.where, x.operand(0), x.operand(1), x.result(),
                         x.workspace);
     }},
    {[](codegen::routine r) { return r == codegen::routine::topk; },
     [](const planned_call& x) { return texts_of_selection(x.what(), task_of_selection(x), x.where); },
     [](prepared_call& r, const planned_call& x) {
         prepare_part(r, r.selection, prepare_topk(task_of_selection(x), x.where));
     },
     [](const running_call& x) { run_topk(x.prepared.selection, x.where, x.operand(0), x.result(), x.workspace); }},
    {[](codegen::routine r) { return r == codegen::routine::order_statistics; },
     [](const planned_call& x) { return texts_of_selection(x.what(), task_of_selection(x), x.where); },
     [](prepared_call& r, const planned_call& x) {
         prepare_part(r, r.selection, prepare_order_statistics(task_of_selection(x), x.where));
     },
     [](const running_call& x) {
         run_order_statistics(x.prepared.selection, x.where, x.operand(0), x.operand(1), x.result(), x.workspace);
     }},
    {[](codegen::routine) { return true; },
     [](const planned_call& x) { return texts_of_sort(task_of_sort(x), x.where); },
     [](prepared_call& r, const planned_call& x) {
         r.order = prepare_sort(task_of_sort(x), x.where);
         r.workspace = sort_workspace(r.order.task, x.where);
     },
     [](const running_call& x) { run_sort(x.prepared.order, x.where, x.operand(0), x.result(), x.workspace); }}};

SINTER_INLINE const routine_family& family_of(codegen::routine what) {
    return *codegen::find_if(std::begin(routine_families), std::end(routine_families),
                             [&](const routine_family& f) { return f.has(what); });
}

SINTER_INLINE codegen::sequence<codegen::kernel_source> texts_of_routine(const codegen::library_call& c,
                                                                         const codegen::plan& p, device where) {
    const routine_family& family = family_of(c.call.what);
    return family.texts && !is_empty(c) ? family.texts({c, p, where}) : codegen::sequence<codegen::kernel_source>();
}

SINTER_INLINE prepared_call prepare_routine(const codegen::library_call& c, const codegen::plan& p, device where) {
    prepared_call r;
    if (!is_empty(c)) family_of(c.call.what).prepare(r, {c, p, where});
    return r;
}

SINTER_INLINE void run_routine(const prepared_call& r, const codegen::library_call& c, const codegen::plan& p,
                               const codegen::sequence<void*>& memory, void* workspace, device where,
                               codegen::sequence<index_check>& checks, double factor) {
    if (is_empty(c)) return;
    family_of(c.call.what).run({{c, p, where}, r, memory, static_cast<char*>(workspace), checks, factor});
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

// Bodies of calls.hpp.
#pragma once

#include <sinter/runtime/blas.hpp>
#include <sinter/runtime/calls.hpp>
#include <sinter/runtime/environment.hpp>

#include <cstdio>

namespace sinter::inline SINTER_ABI::runtime {

// A stack of matrices as the library reads it: rows or columns apart by `leading`.
SINTER_INLINE matrix_operand matrix_of(const codegen::place& p, const codegen::sequence<buffer_ref>& memory, dtype type) {
    const codegen::layout& l = p.at;
    int r = l.shape.size();
    std::int64_t rows = l.shape[r - 2], columns = l.shape[r - 1];
    matrix_operand m;
    m.data = static_cast<const char*>(memory[p.slot]->data) + l.offset * codegen::size_of(type);
    m.transposed = !(l.strides[r - 1] == 1 || columns == 1) || (rows > 1 && l.strides[r - 2] < columns);
    m.leading = m.transposed ? (columns > 1 ? l.strides[r - 1] : rows) : (rows > 1 ? l.strides[r - 2] : columns);
    m.leading = std::max<std::int64_t>(m.leading, 1);
    m.stride = 0;
    for (int i = r - 3; i >= 0 && m.stride == 0; --i)
        if (l.shape[i] > 1) m.stride = l.strides[i];
    return m;
}

SINTER_INLINE void run_matmul(const codegen::library_call& c, const codegen::plan& p,
                                const codegen::sequence<buffer_ref>& memory, device where) {
    dtype type = p.slots[c.result].type;
    int r = c.shape.size();
    std::int64_t m = c.shape[r - 2], n = c.shape[r - 1], k = c.args[0].at.shape[r - 1], batch = 1;
    for (int i = 0; i < r - 2; ++i) batch *= c.shape[i];
    if (m == 0 || n == 0 || batch == 0) return;
    gemm_strided_batched(where, type, m, n, k, matrix_of(c.args[0], memory, type), matrix_of(c.args[1], memory, type),
                         memory[c.result]->data, n, m * n, batch);
}

SINTER_INLINE void* address_at(const codegen::place& p, const codegen::plan& plan, const codegen::sequence<buffer_ref>& memory) {
    return static_cast<char*>(memory[p.slot]->data) + p.at.offset * codegen::size_of(plan.slots[p.slot].type);
}

SINTER_INLINE prepared_call prepare_call(const codegen::library_call& c, const codegen::plan& p, device where) {
    prepared_call r;
    if (c.what == codegen::routine::matmul || c.shape.product() == 0) return r;
    codegen::order_task task = codegen::order_task_of(c.what, p.slots[c.args[0].slot].type, c.shape);
    r.order = prepare_order(task, where);
    r.room = order_room(task, where);
    return r;
}

SINTER_INLINE void run_call(const prepared_call& r, const codegen::library_call& c, const codegen::plan& p,
                            const codegen::sequence<buffer_ref>& memory, const buffer_ref& room, device where) {
    if (env().shows("launch"))
        std::fprintf(stderr, "[launch] %s %s\n", std::string(to_string(c.what)).c_str(), to_string(c.shape).c_str());
    if (c.shape.product() == 0) return;
    if (c.what == codegen::routine::matmul) return run_matmul(c, p, memory, where);
    run_order(r.order, where, address_at(c.args[0], p, memory), memory[c.result]->data, room ? room->data : nullptr);
}

}  // namespace sinter::inline SINTER_ABI::runtime

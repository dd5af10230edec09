// Bodies of linalg.hpp; LAPACK's calls are in lapack.ipp, those of cuSOLVER and cuBLAS in linalg_cuda.ipp.
#pragma once

#include <algorithm>
#include <climits>
#include <sinter/runtime/base/on_demand.hpp>
#include <sinter/runtime/library/linalg/lapack.hpp>
#include <sinter/runtime/library/linalg/linalg.hpp>
#include <sinter/runtime/library/linalg/linalg_cuda.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE linalg_task task_of(const codegen::library_call& c, const codegen::plan& p) {
    linalg_task t;
    t.call = c.call;
    t.type = p.slots[c.args[0].slot].type;
    const dims& base = c.args[0].at.shape;
    const int r = base.size();
    if (std::max(base[r - 1], base[r - 2]) > INT_MAX)
        throw value_error("[linalg] a matrix has more than 2147483647 rows or columns: " + to_string(base));
    t.m = static_cast<int>(base[r - 1]);
    t.n = static_cast<int>(base[r - 2]);
    codegen::sequence<dims> shapes;
    for (const codegen::place& a : c.args) shapes.push_back(a.at.shape);
    t.k = static_cast<int>(codegen::reflectors_of(c.call, shapes));
    for (int i = 0; i < r - 2; ++i) t.stack.push_back(base[i]);
    t.batch = t.stack.product();
    auto add = [&](std::int64_t elements, dtype type) {
        t.stride[t.arrays++] = t.batch ? elements / t.batch * codegen::size_of(type) : 0;
    };
    for (const codegen::place& a : c.args) add(a.at.shape.product(), p.slots[a.slot].type);
    for (std::size_t i = codegen::info(c.call.what).changes_base(); i < c.results.size(); ++i)
        add(p.slots[c.results[i]].size, p.slots[c.results[i]].type);
    return t;
}

SINTER_INLINE codegen::sequence<codegen::kernel_source> texts_of_linalg(const codegen::library_call& c,
                                                                        const codegen::plan& p, device where) {
    return where.is_cuda() ? texts_of_cuda_linalg(task_of(c, p)) : codegen::sequence<codegen::kernel_source>();
}

SINTER_INLINE prepared_linalg prepare_linalg(const codegen::library_call& c, const codegen::plan& p, device where) {
    const linalg_task t = task_of(c, p);
    return where.is_cuda() ? prepare_cuda_linalg(t, where) : prepare_lapack(t);
}

SINTER_INLINE void run_linalg(const prepared_linalg& r, device where, char* const* arrays, char* workspace,
                              codegen::sequence<index_check>& checks) {
    if (where.is_cuda()) run_cuda_linalg(r, where, arrays, workspace, checks);
    else run_lapack(r, arrays, workspace);
}

SINTER_INLINE const linalg_functions& linalg_functions::all() {
    static constexpr linalg_functions functions{texts_of_linalg, prepare_linalg, run_linalg};
    return functions;
}

SINTER_INLINE void use_linalg() { on_demand<linalg_functions>::bring(); }

}  // namespace sinter::inline SINTER_ABI::runtime

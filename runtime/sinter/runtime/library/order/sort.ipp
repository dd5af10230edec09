// Bodies of sort.hpp; what the devices do is in sort_host.ipp and sort_cuda.ipp.
#pragma once

#include <sinter/runtime/library/order/sort.hpp>
#include <sinter/runtime/library/order/sort_cuda.hpp>
#include <sinter/runtime/library/order/sort_host.hpp>

namespace sinter::inline SINTER_ABI::runtime {

SINTER_INLINE const sort_backend& sort_backend_of(device where) {
    return where.is_cuda() ? cuda_sorts() : host_sorts();
}

SINTER_INLINE codegen::sort_task sort_task_on(const codegen::sort_task& task, device where) {
    return sort_backend_of(where).task(task);
}

SINTER_INLINE codegen::sequence<codegen::kernel_source> texts_of_sort(const codegen::sort_task& task, device where) {
    if (codegen::is_half(task.type)) return {};
    return {sort_backend_of(where).text(task)};
}

SINTER_INLINE prepared_sort prepare_sort(const codegen::sort_task& task, device where) {
    if (codegen::is_half(task.type)) throw type_error("[sort] is not defined for " + std::string(to_string(task.type)));
    prepared_sort o;
    o.task = task;
    sort_backend_of(where).find(o, find_text(sort_backend_of(where).text(task), where));
    return o;
}

SINTER_INLINE std::int64_t sort_workspace(const codegen::sort_task& t, device where) {
    return sort_backend_of(where).workspace(t);
}

SINTER_INLINE void run_sort(const prepared_sort& o, device where, const void* from, void* to, void* scratch) {
    if (o.task.rows * o.task.length == 0) return;
    sort_backend_of(where).run(o, where, static_cast<const char*>(from), static_cast<char*>(to),
                               static_cast<char*>(scratch));
}

}  // namespace sinter::inline SINTER_ABI::runtime

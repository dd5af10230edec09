// Bodies of lapack.hpp.
#pragma once

#include <sinter/linalg/lapack.hpp>
#include <sinter/runtime/execute/calls.hpp>
#include <sinter/runtime/device/gpu_timeline.hpp>
#include <sinter/runtime/memory/stream_work.hpp>

#include <mutex>

namespace sinter::inline SINTER_ABI::linalg::lapack::detail {

SINTER_INLINE std::uint8_t option_of(std::string_view routine, const char* argument, char given,
                                     std::string_view letters, std::initializer_list<int> options) {
    const char letter = given >= 'a' && given <= 'z' ? static_cast<char>(given - 'a' + 'A') : given;
    const std::size_t at = letters.find(letter);
    if (at == letters.npos)
        throw value_error("[" + std::string(routine) + "] " + argument + " is one of " + std::string(letters) +
                          ", not " + std::string(1, given));
    return static_cast<std::uint8_t>(options.begin()[at]);
}

SINTER_INLINE std::uint8_t triangle_of(std::string_view routine, char uplo) {
    return option_of(routine, "uplo", uplo, "LU", {0, call_info::upper});
}
SINTER_INLINE std::uint8_t vectors_of(std::string_view routine, const char* argument, char job) {
    return option_of(routine, argument, job, "NV", {0, call_info::vectors});
}
SINTER_INLINE std::uint8_t operation_of(std::string_view routine, const char* argument, char trans) {
    return option_of(routine, argument, trans, "NTC", {0, call_info::transposed, call_info::adjoint});
}

// What reads the old contents reads them now; then nobody else may hold them.
SINTER_INLINE void require_own(std::string_view routine, const handle& x) {
    if (x->references() > 1) runtime::synchronize_all();
    const char* why = x->memory->imported                                 ? "is not sinter's own"
                      : !is_row_major(*x)                                 ? "is not contiguous"
                      : x->references() > 1 || x->memory->references != 1 ? "is shared with other arrays"
                                                                          : nullptr;
    if (why) throw value_error("[" + std::string(routine) + "] the array's memory " + why + ": overwrite a copy()");
}

SINTER_INLINE void require_fit(std::string_view routine, const call_info& c,
                               std::initializer_list<const handle*> operands) {
    const std::string name = "[" + std::string(routine) + "] ";
    const handle& base = **operands.begin();
    codegen::sequence<dims> shapes;
    for (const handle* x : operands) {
        if (!shapes.empty() && x->get() == base.get()) throw value_error(name + "two arguments are one array");
        if ((*x)->where != base->where)
            throw device_error(name + "arrays on " + to_string(base->where) + " and on " + to_string((*x)->where));
        shapes.push_back((*x)->shape);
    }
    const char* misfit = codegen::find_misfit(c, shapes);
    if (!misfit) return;
    std::string text = name + misfit + ":";
    for (const dims& s : shapes) text.append(" ").append(to_string(s));
    throw shape_error(text);
}

// A call by itself as plans hold it, and its arrays: operands, and results but the first.
struct lone_call {
    codegen::plan plan;
    codegen::library_call call;
    codegen::sequence<handle> results;
    codegen::sequence<void*> memory;

    std::uint32_t add(const runtime::value& x) {
        plan.slots.push_back({codegen::slot::fresh, x.type, x.shape.product()});
        memory.push_back(x.memory->data);
        return static_cast<std::uint32_t>(plan.slots.size() - 1);
    }
    void add_operand(const runtime::value& x) { call.args.push_back({add(x), x.at}); }
    void add_result(int i, const runtime::value& base) {
        const call_info c = call.call.with_result(i);
        const dims shape = codegen::result_shape(c, base.shape);
        const dtype type = codegen::result_type(c, base.type);
        const auto bytes = static_cast<std::size_t>(shape.product() * codegen::size_of(type));
        results.push_back(
            runtime::make_stored(type, shape, runtime::allocate_buffer(base.where, bytes), codegen::contiguous(shape)));
        call.results.push_back(add(*results.back()));
    }
};

// Lets the contents of arrays depend on what a GPU will report.
SINTER_INLINE void hang_on(const codegen::sequence<handle>& arrays,
                           const codegen::sequence<runtime::index_check>& checks) {
    for (const handle& r : arrays) {
        if (checks.empty()) return;
        runtime::index_checks all{checks};
        if (r->memory->unchecked) all.add(*r->memory->unchecked);
        runtime::depend_on(*r->memory, r->where, std::move(all));
    }
}

SINTER_INLINE codegen::sequence<handle> run_in_place(std::string_view name, const call_info& c,
                                                     std::initializer_list<const handle*> operands) {
    const handle& base = **operands.begin();
    require_fit(name, c, operands);
    runtime::use_calls();
    runtime::use_linalg();
    std::lock_guard lock(runtime::runtime_lock());
    lone_call l;
    l.call = {c, {}, {0}, base->shape, {}};
    codegen::sequence<handle> only_read;
    for (const handle* x : operands) {
        evaluate({x, 1});
        if (x == *operands.begin()) continue;
        only_read.push_back(computed_rows(*x));
    }
    require_own(name, base);
    l.add_operand(*base);
    for (const handle& x : only_read) l.add_operand(*x);
    for (int i = 1; i < codegen::info(c.what).results; ++i) l.add_result(i, *base);
    codegen::sequence<runtime::sought_text> texts;
    for (codegen::kernel_source& text : runtime::texts_of_call(l.call, l.plan, base->where))
        texts.push_back({std::move(text)});
    runtime::find_kernels({}, base->where, {texts.data(), texts.size()});
    const runtime::prepared_call prepared = runtime::prepare_call(l.call, l.plan, base->where);
    const runtime::buffer_ref workspace =
        runtime::allocate_buffer(base->where, static_cast<std::size_t>(prepared.workspace));
    codegen::sequence<runtime::index_check> checks;
    runtime::stream_work work(base->where);
    work.writes(*base->memory);
    for (const handle& x : only_read) work.reads(*x->memory);
    runtime::timed_work event("library call", base->where);
    runtime::run_call(prepared, l.call, l.plan, l.memory, workspace->data, base->where, checks);
    if (event) event.end(to_string(c));
    work.finish();
    codegen::sequence<handle> results{runtime::make_stored(base->type, base->shape, base->memory, base->at)};
    results.append(l.results.begin(), l.results.end());
    hang_on(results, checks);
    return results;
}

}  // namespace sinter::inline SINTER_ABI::linalg::lapack::detail

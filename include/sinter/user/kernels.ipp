// Bodies of kernels.hpp.
#pragma once

#include <sinter/codegen/base/owner.hpp>
#include <sinter/codegen/print/emit.hpp>
#include <sinter/codegen/functions/function_names.hpp>
#include <sinter/user/kernels.hpp>
#include <sinter/runtime/base/functions.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE function_argument number_argument(std::int64_t n) {
    function_argument a;
    a.number = codegen::scalar_value::of(n);
    return a;
}
SINTER_INLINE function_argument array_argument(handle h) {
    function_argument a;
    a.array = std::move(h);
    return a;
}

// Whether a text stands around the loop over elements.
SINTER_INLINE bool has_loop(const text_call& call) { return !call.before_loop.empty() || !call.after_loop.empty(); }

/// Builds the function of a kernel's text, and what it is called with.
struct text_function {
    const text_call& call;
    codegen::invocation made{};
    std::string head{}, around{}, typedefs{};  ///< parameters of the operation, and of the text around a loop
    codegen::sequence<function_argument> arguments{};

    void add_parameter(const std::string& type, std::string_view name, dtype t, int rank, const function_argument& a) {
        std::string& list = has_loop(call) && (rank > 0 || !a.array) ? around : head;
        list += (list.empty() ? "" : ", ") + type + " " + std::string(name);
        add_argument(t, rank, a);
    }
    void add_argument(dtype t, int rank, const function_argument& a) {
        made.parameters.push_back(t);
        made.ranks.push_back(static_cast<std::uint8_t>(rank));
        if (has_loop(call)) made.around.push_back(rank > 0 || !a.array);
        arguments.push_back(a);
    }

    // Extents have parameters without a use: an array_view has them.
    void add_raw(const text_parameter& p, dtype t, const function_argument& a) {
        if (!a.array)
            throw type_error("[" + std::string(call.name) +
                             "] a raw parameter takes an array, not a number: " + std::string(p.name));
        handle h = a.array->shape.empty() ? record_reshape(a.array, dims(1)) : a.array;
        int rank = h->shape.size();
        add_parameter("array_view<" + codegen::type_text(t) + ", " + std::to_string(rank) + ">", p.name, t, rank,
                      array_argument(record_cast(h, t)));
        for (std::int64_t n : h->shape) add_argument(dtype::int64, 0, number_argument(n));
    }

    void add_type(const text_parameter& p, dtype t) {
        std::string line = std::string("typedef ") + codegen::type_text(t) + " " + p.letter + "; ";
        if (p.letter && typedefs.find(line) == std::string::npos) typedefs += line;
    }

    bool takes_number = false, takes_count = false;

    // The element's number and their count, where the text speaks of them.
    void add_positions(const dims& shape) {
        find_positions();
        if (takes_number) add_parameter("ptrdiff_t", "i", dtype::int64, 0, array_argument(record_index(shape)));
        if (takes_count) add_parameter("ptrdiff_t", "n", dtype::int64, 0, number_argument(shape.product()));
    }
    void find_positions() {
        takes_number = speaks_of("i", call.operation);
        takes_count =
            speaks_of("n", call.operation) || speaks_of("n", call.before_loop) || speaks_of("n", call.after_loop);
    }
    bool speaks_of(std::string_view name, std::string_view text) const {
        codegen::sequence<codegen::token> tokens = codegen::tokens_of(text);
        for (const std::string& own : codegen::names_declared_in(tokens))
            if (own == name) return false;
        for (codegen::span<const text_parameter> list : {call.inputs, call.outputs})
            for (const text_parameter& p : list)
                if (p.name == name) return false;
        // What options define may speak of it too.
        if (call.options)
            for (const codegen::token& t : codegen::tokens_of(std::string_view(call.options->before)))
                tokens.push_back(t);
        for (const codegen::spelt_name& n : codegen::names_in(tokens))
            if (n.text == name) return true;
        return false;
    }

    // From the parameters on.
    std::string text() const {
        std::string outputs, types, names;
        for (std::size_t o = 0; o < call.outputs.size(); ++o) {
            std::string type = codegen::type_text(call.output_types[o]), name(call.outputs[o].name);
            outputs += type + " " + name + " = {}; ";
            types += (o ? ", " : "") + type;
            names += (o ? ", " : "") + name;
        }
        std::string result = call.outputs.size() == 1 ? names : "std::tuple<" + types + ">(" + names + ")";
        std::string operation = "(" + head + ") { " + (has_loop(call) ? "" : typedefs) + outputs +
                                std::string(call.operation) + "\n; return " + result + "; }";
        if (!has_loop(call)) return operation;
        return "(" + around + (around.empty() ? "" : ", ") + "Loop loop_) { " + typedefs +
               std::string(call.before_loop) + "\n; loop_([&]" + operation + "); " + std::string(call.after_loop) +
               "\n; }";
    }
};

SINTER_INLINE void fill_preamble(codegen::definition& d, const text_call& call) {
    static const text_options& none = *new text_options;
    const text_options& options = call.options ? *call.options : none;
    d.kind = codegen::definition_kind::preamble;
    d.name = "preamble";
    d.text = with_headers(call.preamble, options.folders);
    d.before = options.before;
    d.after = undefining(d.text) + options.after;
    d.options = options.of_nvrtc;
    d.identity = "sinter::preamble\n" + options.key + "\n" + d.text;
}

/// Function and preamble as definitions that live on, unless there are equal ones.
SINTER_INLINE const codegen::invocation& find_text_function(const text_call& call, codegen::invocation&& made,
                                                            const std::string& text) {
    for (std::string_view part : {call.operation, call.before_loop, call.after_loop})
        if (part.find('#') != std::string_view::npos)
            throw type_error("[" + std::string(call.name) +
                             "] a directive stands in the preamble, not in the operation: " + std::string(part));
    auto d = codegen::owner(new codegen::definition()), before = codegen::owner(new codegen::definition());
    d->name = call.name;
    d->text = text;
    d->is_loop = has_loop(call);
    d->resolved = before->resolved = true;
    const bool has_preamble = !call.preamble.empty() || call.options;
    if (has_preamble) {
        fill_preamble(*before, call);
        d->references.push_back({"", before.get()});
    }
    d->identity = "sinter::text\n" + d->name + "\n" + d->text + before->identity;
    codegen::sequence<codegen::token> tokens = codegen::tokens_of(std::string_view(d->text));
    d->cost = codegen::cost_of(*d, tokens, codegen::names_declared_in(tokens));
    made.function = d.get();
    const codegen::invocation* found = &runtime::find_invocation(std::move(made));
    if (found->function == d.get()) {
        d.release();
        if (has_preamble) before.release();
    }
    return *found;
}

// The shape of what a kernel computes.
SINTER_INLINE dims shape_of(const text_call& call) {
    dims shape;
    for (std::size_t p = 0; p < call.inputs.size(); ++p)
        if (call.arguments[p].array && !call.inputs[p].is_raw)
            shape = codegen::broadcast_shapes(call.name, shape, call.arguments[p].array->shape);
    return shape;
}

// The plan of a kernel with these options, or null.
template <class Plan>
const Plan* plan_of(const std::atomic<const Plan*>& plans, const text_options* options) {
    const Plan* p = plans.load(std::memory_order_acquire);
    while (p && p->options != options) p = p->next;
    return p;
}
// Two threads may both have made it.
template <class Plan>
const Plan* keep_plan(std::atomic<const Plan*>& plans, const Plan* made) {
    made->next = plans.load(std::memory_order_relaxed);
    while (!plans.compare_exchange_weak(made->next, made, std::memory_order_release, std::memory_order_relaxed)) {
    }
    return made;
}

SINTER_INLINE codegen::sequence<handle> record_text(const text_call& call) {
    dims shape = shape_of(call);
    if (const text_plan* known = call.plan ? plan_of(*call.plan, call.options) : nullptr) {
        codegen::sequence<function_argument> arguments(call.arguments.begin(), call.arguments.end());
        if (known->takes_number) arguments.push_back(array_argument(record_index(shape)));
        if (known->takes_count) arguments.push_back(number_argument(shape.product()));
        return record_invoke(*known->function, arguments);
    }
    text_function f{call};
    for (std::size_t p = 0; p < call.inputs.size(); ++p) {
        const text_parameter& in = call.inputs[p];
        f.add_type(in, call.input_types[p]);
        if (in.is_raw) f.add_raw(in, call.input_types[p], call.arguments[p]);
        else
            f.add_parameter(codegen::type_text(call.input_types[p]), in.name, call.input_types[p], 0,
                            call.arguments[p]);
    }
    f.add_positions(shape);
    bool any_raw = false;
    for (std::uint8_t r : f.made.ranks) any_raw = any_raw || r > 0;
    if (!any_raw) f.made.ranks.clear();
    for (std::size_t o = 0; o < call.outputs.size(); ++o) f.made.results.push_back(call.output_types[o]);
    f.made.is_bundle = call.outputs.size() > 1;
    std::string text = f.text();
    const codegen::invocation& found = find_text_function(call, std::move(f.made), text);
    if (call.plan && !any_raw)
        keep_plan(*call.plan, new text_plan{call.options, &found, f.takes_number, f.takes_count});
    return record_invoke(found, f.arguments);
}

// A function of values of one type, `a` and perhaps `b`; the placeholders mean what they mean in the map.
SINTER_INLINE const codegen::invocation& function_of_text(const text_call& call, std::string_view names,
                                                          const std::string& body, dtype type, dtype result) {
    text_function f{call};
    for (std::size_t p = 0; p < call.inputs.size(); ++p) f.add_type(call.inputs[p], call.input_types[p]);
    f.add_type(call.outputs[0], call.output_types[0]);
    std::string head;
    for (char c : names) {
        head += (head.empty() ? "" : ", ") + codegen::type_text(type) + " " + c;
        f.made.parameters.push_back(type);
    }
    f.made.results = {result};
    return find_text_function(call, std::move(f.made), "(" + head + ") { " + f.typedefs + body + "\n}");
}

SINTER_INLINE handle record_call(const codegen::invocation& f, const handle& x) {
    const function_argument args[] = {array_argument(x)};
    return record_invoke(f, args)[0];
}

SINTER_INLINE std::string without_blanks(std::string_view s) {
    std::string out;
    for (char c : s)
        if (!is_blank(c)) out += c;
    return out;
}

// All elements along some axes in a row, as the last axis.
SINTER_INLINE handle rows_of(const handle& x, std::uint8_t mask) {
    dims order, kept = codegen::kept_shape(x->shape, mask);
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < x->shape.size(); ++i)
            if ((mask >> i & 1) == pass) order.push_back(i);
    std::int64_t count = 1;
    for (int i = 0; i < x->shape.size(); ++i)
        if (mask >> i & 1) count *= x->shape[i];
    kept.push_back(count);
    return record_reshape(record_view(x, codegen::transposed(codegen::contiguous(x->shape), order)), kept);
}

/// What follows the map of a reduction, kept from call to call for the same types.
struct reduction_plan {
    const text_options* options = nullptr;
    mutable const reduction_plan* next = nullptr;
    codegen::reduction own = codegen::reduction::sum;  ///< unless there is a function that combines
    const codegen::invocation* combine = nullptr;
    const codegen::invocation* after = nullptr;
};

SINTER_INLINE reduction_plan plan_reduction(const text_call& call, const text_reduction& how) {
    reduction_plan plan{.options = call.options};
    text_call combine = call, after = call;
    const dtype result = call.output_types[0];
    std::string form = without_blanks(how.combine), type = codegen::type_text(how.type);
    std::string after_name = std::string(call.name) + "_after", out(call.outputs[0].name);
    combine.operation = how.combine;
    after.operation = how.after;
    after.name = after_name;
    if (form == "a+b") plan.own = codegen::reduction::sum;
    else if (form == "a*b") plan.own = codegen::reduction::prod;
    else if (form == "min(a,b)") plan.own = codegen::reduction::min;
    else if (form == "max(a,b)") plan.own = codegen::reduction::max;
    else
        plan.combine = &function_of_text(combine, "ab", "return (" + type + ")(" + std::string(how.combine) + ");",
                                         how.type, how.type);
    std::string body =
        codegen::type_text(result) + " " + out + " = a; " + std::string(how.after) + "\n; return " + out + ";";
    plan.after = &function_of_text(after, "a", body, how.type, result);
    return plan;
}

// What is combined: one value for each element.
SINTER_INLINE handle record_mapped(const text_call& call, dtype type) {
    if (plan_of(*call.plan, call.options)) return record_text(call)[0];
    text_parameter value;
    value.name = "combined_";
    std::string operation = "combined_ = " + std::string(call.operation) + ";", name = std::string(call.name) + "_map";
    text_call map = call;
    map.operation = operation;
    map.outputs = {&value, 1};
    map.output_types = {&type, 1};
    map.name = name;
    return record_text(map)[0];
}

// The results where no elements are reduced.
SINTER_INLINE handle record_identity(const text_call& call, const text_reduction& how, const dims& from,
                                     const dims& shape) {
    if (trimmed(how.identity).empty())
        throw value_error("[" + std::string(call.name) + "] an array of shape " + to_string(from) +
                          " has no element to reduce, and no identity is given");
    text_call constant = call;
    constant.operation = how.identity;
    std::string body = "return (" + codegen::type_text(how.type) + ")(" + std::string(how.identity) + ");";
    handle zeros = record_scalar(codegen::scalar_value{.type = how.type}, shape);
    return record_call(function_of_text(constant, "a", body, how.type, how.type), zeros);
}

SINTER_INLINE handle record_text_reduction(const text_call& call, const text_reduction& how, const axes* over,
                                           bool keep) {
    handle x = record_mapped(call, how.type), r;
    const reduction_plan* plan = plan_of(*how.plan, call.options);
    if (!plan)
        plan = keep_plan(*how.plan, static_cast<const reduction_plan*>(new reduction_plan(plan_reduction(call, how))));
    std::uint8_t mask = (over ? *over : axes()).mask(call.name, x->shape.size());
    const dims kept = codegen::kept_shape(x->shape, mask);
    if (x->shape.product() == 0 && kept.product() != 0) r = record_identity(call, how, x->shape, kept);
    else if (!plan->combine) r = record_cast(record_reduce(plan->own, x, mask, false), how.type);
    else {
        handle rows = rows_of(x, mask);
        r = rows->shape.product() == 0 ? record_reshape(rows, kept)
                                       : record_fold(*plan->combine, rows, rows->shape.size() - 1);
    }
    r = record_call(*plan->after, r);
    dims shape = x->shape;
    for (int i = 0; keep && i < shape.size(); ++i)
        if (mask >> i & 1) shape[i] = 1;
    return keep ? record_reshape(r, shape) : r;
}

}  // namespace sinter::inline SINTER_ABI::detail

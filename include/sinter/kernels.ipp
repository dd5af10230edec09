// Bodies of kernels.hpp.
#pragma once

#include <sinter/codegen/emit.hpp>
#include <sinter/codegen/function_names.hpp>
#include <sinter/kernels.hpp>
#include <sinter/runtime/functions.hpp>

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

/// Builds the function of a kernel's text, and what it is called with.
struct text_function {
    const text_call& call;
    codegen::invocation made{};
    std::string head{}, typedefs{};
    codegen::sequence<function_argument> arguments{};

    void add_parameter(const std::string& type, std::string_view name, dtype t, int rank, const function_argument& a) {
        head += (head.empty() ? "" : ", ") + type + " " + std::string(name);
        made.parameters.push_back(t);
        made.ranks.push_back(static_cast<std::uint8_t>(rank));
        arguments.push_back(a);
    }

    // Extents have parameters without a use: an array_view has them.
    void add_raw(const text_parameter& p, dtype t, const function_argument& a) {
        if (!a.array) throw type_error("[" + std::string(call.name) + "] a raw parameter takes an array, not a number: " + std::string(p.name));
        handle h = a.array->shape.empty() ? record_reshape(a.array, dims(1)) : a.array;
        int rank = h->shape.size();
        add_parameter("array_view<" + codegen::type_text(t) + ", " + std::to_string(rank) + ">", p.name, t, rank,
                      array_argument(record_cast(h, t)));
        for (std::int64_t n : h->shape) {
            made.parameters.push_back(dtype::int64);
            made.ranks.push_back(0);
            arguments.push_back(number_argument(n));
        }
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
        codegen::sequence<codegen::token> tokens = codegen::tokens_of(call.operation);
        codegen::sequence<std::string> own = codegen::names_declared_in(tokens);
        auto is_used = [&](std::string_view name) {
            bool used = false;
            for (const codegen::spelt_name& n : codegen::names_in(tokens)) used = used || n.text == name;
            for (const std::string& s : own) used = used && s != name;
            for (std::span<const text_parameter> list : {call.inputs, call.outputs})
                for (const text_parameter& p : list) used = used && p.name != name;
            return used;
        };
        takes_number = is_used("i");
        takes_count = is_used("n");
    }

    // From the parameters on.
    std::string text() const {
        std::string outputs, types, names;
        for (std::size_t o = 0; o < call.outputs.size(); ++o) {
            std::string type = codegen::type_text(call.output_types[o]), name(call.outputs[o].name);
            outputs += type + " " + name + " = " + type + "(); ";
            types += (o ? ", " : "") + type;
            names += (o ? ", " : "") + name;
        }
        std::string result = call.outputs.size() == 1 ? names : "std::tuple<" + types + ">(" + names + ")";
        return "(" + head + ") { " + typedefs + outputs + std::string(call.operation) + "\n; return " + result + "; }";
    }
};

/// Function and preamble as definitions that live on, unless there are equal ones.
SINTER_INLINE const codegen::invocation& find_text_function(const text_call& call, codegen::invocation&& made, const std::string& text) {
    if (call.operation.find('#') != std::string_view::npos)
        throw type_error("[" + std::string(call.name) + "] a directive stands in the preamble, not in the operation: " + std::string(call.operation));
    auto d = std::make_unique<codegen::definition>(), before = std::make_unique<codegen::definition>();
    d->name = call.name;
    d->text = text;
    d->resolved = before->resolved = true;
    if (!call.preamble.empty()) {
        before->kind = codegen::definition_kind::preamble;
        before->name = "preamble";
        before->text = call.preamble;
        before->identity = "sinter::preamble\n" + before->text;
        d->references.push_back({"", before.get()});
    }
    d->identity = "sinter::text\n" + d->name + "\n" + d->text + before->identity;
    codegen::sequence<codegen::token> tokens = codegen::tokens_of(std::string_view(d->text));
    d->cost = codegen::cost_of(*d, tokens, codegen::names_declared_in(tokens));
    made.function = d.get();
    const codegen::invocation& found = runtime::find_invocation(std::move(made));
    if (found.function == d.get()) {
        d.release();
        if (!call.preamble.empty()) before.release();
    }
    return found;
}

SINTER_INLINE codegen::sequence<handle> record_text(const text_call& call) {
    dims shape;
    for (std::size_t p = 0; p < call.inputs.size(); ++p)
        if (call.arguments[p].array && !call.inputs[p].is_raw)
            shape = codegen::broadcast_shapes(call.name, shape, call.arguments[p].array->shape);
    if (const text_plan* known = call.plan ? call.plan->load(std::memory_order_acquire) : nullptr) {
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
        else f.add_parameter(codegen::type_text(call.input_types[p]), in.name, call.input_types[p], 0, call.arguments[p]);
    }
    f.add_positions(shape);
    bool any_raw = false;
    for (std::uint8_t r : f.made.ranks) any_raw = any_raw || r > 0;
    if (!any_raw) f.made.ranks.clear();
    for (std::size_t o = 0; o < call.outputs.size(); ++o) f.made.results.push_back(call.output_types[o]);
    f.made.is_bundle = call.outputs.size() > 1;
    std::string text = f.text();
    const codegen::invocation& found = find_text_function(call, std::move(f.made), text);
    // Two threads may both find it: one plan is then forgotten.
    if (call.plan && !any_raw) call.plan->store(new text_plan{&found, f.takes_number, f.takes_count}, std::memory_order_release);
    return record_invoke(found, f.arguments);
}

// A function of values of one type, `a` and perhaps `b`.
SINTER_INLINE handle record_text_of(const text_call& call, std::string_view names, const std::string& body, dtype from, dtype to,
                             const codegen::invocation** found, const handle& x) {
    codegen::invocation made;
    std::string head;
    for (char c : names) {
        head += (head.empty() ? "" : ", ") + codegen::type_text(from) + " " + c;
        made.parameters.push_back(from);
    }
    made.results = {to};
    const codegen::invocation& f = find_text_function(call, std::move(made), "(" + head + ") { " + body + "\n}");
    if (found) return *found = &f, handle();
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

SINTER_INLINE handle record_text_reduction(const text_call& call, const text_reduction& how, const axes* over, bool keep) {
    // What is combined is one value of the output's type.
    dtype type = call.output_types[0];
    text_parameter value = call.outputs[0];
    value.name = "combined_";
    std::string operation = "combined_ = " + std::string(call.operation) + ";", name(call.name);
    text_call map = call, combine = call, after = call;
    map.operation = operation;
    map.outputs = {&value, 1};
    std::string mapped_name = name + "_map", after_name = name + "_after";
    map.name = mapped_name;
    after.name = after_name;
    combine.operation = how.combine;
    after.operation = how.after;
    handle x = record_text(map)[0];
    std::uint8_t mask = (over ? *over : axes()).mask(call.name, x->shape.size());
    std::string form = without_blanks(how.combine), type_name = codegen::type_text(type);
    bool is_empty = x->shape.product() == 0 && codegen::kept_shape(x->shape, mask).product() != 0;
    handle r;
    if (is_empty) {
        if (trimmed(how.identity).empty())
            throw value_error("[" + name + "] an array of shape " + to_string(x->shape) + " has no element to reduce, and no identity is given");
        text_call constant = call;
        constant.operation = how.identity;
        handle zeros = record_scalar(codegen::scalar_value{.type = type}, codegen::kept_shape(x->shape, mask));
        r = record_text_of(constant, "a", "return " + type_name + "(" + std::string(how.identity) + ");", type, type, nullptr, zeros);
    } else if (form == "a+b" || form == "a*b" || form == "min(a,b)" || form == "max(a,b)") {
        codegen::reduction known = form == "a+b"        ? codegen::reduction::sum
                                   : form == "a*b"      ? codegen::reduction::prod
                                   : form == "min(a,b)" ? codegen::reduction::min
                                                        : codegen::reduction::max;
        r = record_cast(record_reduce(known, x, mask, false), type);
    } else {
        const codegen::invocation* f = nullptr;
        record_text_of(combine, "ab", "return " + type_name + "(" + std::string(how.combine) + ");", type, type, &f, {});
        handle rows = rows_of(x, mask);
        r = rows->shape.product() == 0 ? record_reshape(rows, codegen::kept_shape(x->shape, mask)) : record_fold(*f, rows, rows->shape.size() - 1);
    }
    std::string out(call.outputs[0].name);
    r = record_text_of(after, "a", type_name + " " + out + " = a; " + std::string(how.after) + "\n; return " + out + ";", type, type, nullptr, r);
    dims shape = x->shape;
    for (int i = 0; keep && i < shape.size(); ++i)
        if (mask >> i & 1) shape[i] = 1;
    return keep ? record_reshape(r, shape) : r;
}

}  // namespace sinter::inline SINTER_ABI::detail

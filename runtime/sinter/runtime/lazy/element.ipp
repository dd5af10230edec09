// Bodies of element.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/ops/apply.hpp>
#include <sinter/codegen/rewrite/folding.hpp>
#include <sinter/runtime/lazy/element.hpp>
#include <sinter/runtime/lazy/steps/step_scope.hpp>

#include <cstring>
#include <optional>

namespace sinter::inline SINTER_ABI::runtime {

// Whether the elements can be read and written by this thread now.
SINTER_INLINE bool is_in_host_memory(const value& v) {
    return v.is_stored() && v.memory && v.where.is_cpu() && !v.memory->imported && !v.memory->unchecked &&
           !this_step() && this_queue().traces == 0;
}

SINTER_INLINE char* address_in(const value& v, std::int64_t at) {
    return static_cast<char*>(v.memory->data) + at * codegen::size_of(v.type);
}

SINTER_INLINE handle copied_element(const value& v, std::int64_t at) {
    if (!is_in_host_memory(v)) return handle();
    const auto bytes = static_cast<std::size_t>(codegen::size_of(v.type));
    buffer_ref memory = allocate_buffer(v.where, bytes);
    std::memcpy(memory->data, address_in(v, at), bytes);
    return make_stored(v.type, {}, std::move(memory), codegen::contiguous({}));
}

SINTER_INLINE std::optional<codegen::scalar_value> stored_element(const value& v) {
    if (!is_in_host_memory(v)) return std::nullopt;
    codegen::scalar_value element;
    element.type = v.type;
    std::memcpy(element.bytes, address_in(v, v.at.offset), static_cast<std::size_t>(codegen::size_of(v.type)));
    return element;
}

/// Numbers of an expression in postfix order, computed from its first word to its last.
class element_stack {
public:
    explicit element_stack(const statement& s) : from_(s) {}

    /// False where a word or an operand is not among those that compute_element takes.
    bool run() {
        for (const code& c : from_.form->codes)
            if (!take(c)) return false;
        return size_ == 1;
    }
    const codegen::scalar_value& result() const { return numbers_[0]; }

    static constexpr std::size_t most_words = 24;

private:
    bool take(const code& c) {
        switch (c.kind) {
            case code::what::input: return take_input(*from_.inputs[c.number]);
            case code::what::scalar: return push(from_.scalars[c.number]);
            case code::what::cast: return cast(static_cast<dtype>(c.detail));
            case code::what::apply: return apply(static_cast<codegen::op>(c.detail));
            default: return false;
        }
    }
    bool push(const codegen::scalar_value& v) {
        if (size_ == std::size(numbers_)) return false;
        numbers_[size_++] = v;
        return true;
    }
    bool take_input(const value& v) {
        const std::optional<codegen::scalar_value> element = v.shape.empty() ? stored_element(v) : std::nullopt;
        return element && push(*element);
    }
    bool cast(dtype type) {
        codegen::scalar_value& top = numbers_[size_ - 1];
        const codegen::scalar_value given = top;
        top.type = type;
        codegen::convert(given.type, type, given.bytes, top.bytes, 1);
        return true;
    }
    bool apply(codegen::op o) {
        const auto arity = static_cast<std::size_t>(codegen::info(o).arity);
        codegen::scalar_value* const args = numbers_ + size_ - arity;
        dtype types[3]{};
        for (std::size_t i = 0; i < arity; ++i) types[i] = args[i].type;
        const dtype common = codegen::common_type(o, types);
        if (o == codegen::op::power || !codegen::is_exact(o, common)) return false;
        const codegen::scalar_value result = codegen::applied(o, common, args);
        size_ -= arity;
        return push(result);
    }

    const statement& from_;
    codegen::scalar_value numbers_[8];
    std::size_t size_ = 0;
};

SINTER_INLINE std::optional<codegen::scalar_value> element_of(const value& v) {
    if (!v.shape.empty()) return std::nullopt;
    if (v.is_stored()) return stored_element(v);
    if (!v.pending || !v.where.is_cpu() || this_step() || this_queue().traces != 0) return std::nullopt;
    if (v.pending->kind != statement_kind::expression || v.pending->form->codes.size() > element_stack::most_words)
        return std::nullopt;
    element_stack numbers(*v.pending);
    if (!numbers.run()) return std::nullopt;
    return numbers.result();
}

SINTER_INLINE void compute_element(value& v) {
    if (!v.pending) return;
    const std::optional<codegen::scalar_value> element = element_of(v);
    if (!element) return;
    buffer_ref memory = allocate_buffer(v.where, static_cast<std::size_t>(codegen::size_of(v.type)));
    codegen::convert(element->type, v.type, element->bytes, memory->data, 1);
    materialise(v, std::move(memory), codegen::contiguous({}));
}

// Whether a value is a number, an element or some operations on such, and no reduction, which belongs to a kernel.
SINTER_INLINE bool is_of_elements(const value& v) {
    if (!v.pending || v.pending->kind == statement_kind::view) return v.shape.empty();
    return v.pending->kind == statement_kind::expression &&
           codegen::all_of(v.pending->inputs.begin(), v.pending->inputs.end(), [](const value* input) {
               return input->shape.empty() && (!input->pending || input->pending->kind == statement_kind::view);
           });
}

SINTER_INLINE bool has_elements_in_turn(const value& v) {
    constexpr int enough = 4;
    if (!v.pending || !v.where.is_cpu() || this_step() || this_queue().traces != 0) return false;
    const value* written = &v;
    for (int i = 0; i < enough; ++i) {
        const statement* const s = written->pending.get();
        if (!s || s->kind != statement_kind::update || !s->where.shape.empty() || !is_of_elements(*s->inputs[1]))
            return false;
        written = s->inputs[0];
    }
    return true;
}

SINTER_INLINE bool write_element(value& to, std::int64_t at, const value& from, int handles) {
    if (!is_in_host_memory(to) || to.memory->exported || !to.memory.unique()) return false;
    if (to.handles() != handles || to.references() != handles || !codegen::has_own_places(to.at)) return false;
    const std::optional<codegen::scalar_value> element = element_of(from);
    if (!element) return false;
    codegen::convert(element->type, to.type, element->bytes, address_in(to, at), 1);
    return true;
}

}  // namespace sinter::inline SINTER_ABI::runtime

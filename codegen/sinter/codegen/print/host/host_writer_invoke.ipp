// Bodies of host_writer.hpp that print calls of users' functions in which libm's vector functions may stand, and tell
// which loops fill vectors with such calls.
#pragma once

#include <sinter/codegen/print/host/host_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE bool host_writer::is_vector(std::uint32_t i) const {
    const instruction& v = k_.body[i];
    return v.kind == instruction_kind::invoke ? may_vectorize(*k_.invocations[v.payload]) : is_vector_call(v);
}

// A call of a user's function whose bits must not depend on what else the kernel computes: all arguments come from
// arrays, and all results go to arrays that the compiler has to believe are read.
SINTER_INLINE void host_writer::write_vector_invoke(std::uint32_t i) {
    const instruction& v = k_.body[i];
    const invocation& f = *k_.invocations[v.payload];
    std::string tile = std::to_string(width_), self = number_text("t", i);
    sequence<std::string> args;
    for (std::size_t a = 0; a < v.args.size(); ++a) {
        instruction_kind kind = k_.body[v.args[a]].kind;
        args.push_back(value(v.args[a]));
        if (kind != instruction_kind::scalar && kind != instruction_kind::literal) continue;
        std::string to = number_text("u", i) + number_text("_", static_cast<int>(a));
        line(type_text(f.parameters[a]) + " " + to + "[" + tile + "];");
        line("for (int l = 0; l < " + tile + "; ++l) " + to + "[l] = " + args[a] + ";");
        line("__asm__ volatile(\"\" : : \"g\"(" + to + ") : \"memory\");");
        args[a] = to + "[l]";
    }
    open_vectors(width_);
    line(call_statement(k_, v, args, self + "[l]", number_text("v", i)));
    for (std::size_t r = 0; f.is_bundle && r < f.results.size(); ++r) {
        std::string id = std::to_string(r);
        line(self + "_" + id + "[l] = " + number_text("v", i) + "_" + id + ";");
    }
    close();
    for (std::size_t r = 0; f.is_bundle && r < f.results.size(); ++r)
        line("__asm__ volatile(\"\" : : \"g\"(" + self + "_" + std::to_string(r) + ") : \"memory\");");
}

// Whether one loop may hold vector calls and what stands around them, because compilers turn all of it into vector
// instructions: arithmetic of one type, and no two calls that they could make one of, as they do with sine and cosine.
SINTER_INLINE bool host_writer::fills_vectors() const {
    if (!k_.how.flat) return false;
    const dtype type = k_.body[k_.stores[0].value].type;
    sequence<std::uint32_t> called_with;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        if (v.type != type || is_half(type)) return false;
        if (is_given(v)) continue;
        if (v.kind == instruction_kind::apply ? !is_vector_arithmetic(v) || v.common != type
                                              : v.kind != instruction_kind::load)
            return false;
        if (!is_vector(i)) continue;
        if (is_spread(i)) return false;
        for (std::uint32_t a : v.args) {
            if (std::find(called_with.begin(), called_with.end(), a) != called_with.end()) return false;
            called_with.push_back(a);
        }
    }
    return true;
}

}  // namespace sinter::inline SINTER_ABI::codegen

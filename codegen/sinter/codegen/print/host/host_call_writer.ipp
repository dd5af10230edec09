// Bodies of host_call_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/functions/function_tokens.hpp>
#include <sinter/codegen/print/function_text.hpp>
#include <sinter/codegen/print/host/host_call_writer.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE bool host_call_writer::is_vector(std::uint32_t i) const {
    const instruction& v = k_.body[i];
    return v.kind == instruction_kind::invoke ? may_vectorize(*k_.invocations[v.payload]) : is_vector_call(v);
}

// Whether a function computes all elements of a tile at once.
SINTER_INLINE bool host_call_writer::has_tile(std::uint32_t i) const {
    const instruction& v = k_.body[i];
    return v.kind == instruction_kind::invoke && !k_.invocations[v.payload]->function->tile.empty();
}

// A call of scalars alone would be moved out of its loop, to the function that is not the vector one.
SINTER_INLINE bool host_call_writer::is_spread(std::uint32_t i) const {
    if (!is_vector_call(k_.body[i])) return false;  // of invoke see write_vector_invoke
    for (std::uint32_t a : k_.body[i].args)
        if (!is_uniform_here(a)) return false;
    return true;
}

SINTER_INLINE void host_call_writer::write_spread(std::uint32_t i) {
    if (!is_spread(i)) return;
    std::uint32_t a = k_.body[i].args[0];
    std::string tile = std::to_string(width_), to = number_text("u", i);
    line({type_text(k_.body[a].type), " ", to, "[", tile, "];"});
    line({"for (int l = 0; l < ", called_elements(i), "; ++l) ", to, "[l] = ", value(a), ";"});
}

// A value of a row is converted for each of its elements.
SINTER_INLINE void host_call_writer::write_half_cast(std::uint32_t i) {
    const instruction& v = k_.body[i];
    const std::string to = number_text("t", i), from = value(v.args[0]);
    if (!from.ends_with("[l]"))
        return line({"for (int l = 0; l < m; ++l) ", to, "[l] = ", cast_text(v.common, v.type, from), ";"});
    line({"scalar::", v.type == dtype::float32 ? "halves_to_floats(" : "floats_to_halves(", to, ", ",
          from.substr(0, from.size() - 3), ", m);"});
}

// A form with the functions for arguments near zero, and whether each argument is one.
SINTER_INLINE void host_call_writer::write_near(std::uint32_t i, const std::string& target, const std::string& form) {
    const std::string name = written_function(k_.body[i]), call = "scalar::vector_" + name + "(",
                      near = "scalar::near_" + name + "(", is_near = "scalar::is_near_" + name + "(";
    line({target, " = ", replaced(form, call, near), ";"});
    for (std::size_t at = form.find(call); at != form.npos; at = form.find(call, at + 1)) {
        const std::size_t begin = at + call.size();
        std::size_t end = begin;
        for (int depth = 1; depth > 0; ++end) depth += (form[end] == '(') - (form[end] == ')');
        line({"far |= !", is_near, form.substr(begin, end - begin), ";"});
    }
}

// Vectors are as wide as the narrowest type that may be in their loop, whose elements fill a cache line at most.
SINTER_INLINE int host_call_writer::call_step(std::uint32_t i) const {
    constexpr int line_bytes = 64, narrow = 4;
    const instruction& v = k_.body[i];
    const bool may_be_narrow = v.kind == instruction_kind::invoke || size_of(v.type) < narrow;
    return may_be_narrow ? line_bytes : line_bytes / narrow;
}

// Of short rows, and of few columns, no more than fill vectors, each of which is whole, so that the same instructions
// compute every element: steps of so many, or 0 for a whole tile.
SINTER_INLINE int host_call_writer::called_step(std::uint32_t i) const {
    const bool may_be_few = k_.reduces() && (k_.how.short_rows || k_.tree == reduce_tree::columns);
    return may_be_few && !side_by_side_ ? call_step(i) : 0;
}

SINTER_INLINE std::string host_call_writer::called_elements(std::uint32_t i) const {
    const int step = called_step(i);
    if (step == 0) return std::to_string(width_);
    const std::string size = std::to_string(step);
    return joined({"(m + ", step - 1, ") / ", size, " * ", size});
}

// A call of a user's function whose bits must not depend on what else the kernel computes: all arguments come from
// arrays, and all results go to arrays that the compiler has to believe are read.
SINTER_INLINE void host_call_writer::write_vector_invoke(std::uint32_t i) {
    const instruction& v = k_.body[i];
    const invocation& f = *k_.invocations[v.payload];
    std::string tile = std::to_string(width_), self = number_text("t", i);
    sequence<std::string> args;
    for (std::size_t a = 0; a < v.args.size(); ++a) {
        instruction_kind kind = k_.body[v.args[a]].kind;
        args.push_back(value(v.args[a]));
        if (kind != instruction_kind::scalar && kind != instruction_kind::literal) continue;
        std::string to = number_text("u", i) + number_text("_", static_cast<int>(a));
        line({type_text(f.parameters[a]), " ", to, "[", tile, "];"});
        line({"for (int l = 0; l < ", called_elements(i), "; ++l) ", to, "[l] = ", args[a], ";"});
        line({"__asm__ volatile(\"\" : : \"g\"(", to, ") : \"memory\");"});
        args[a] = to + "[l]";
    }
    open_vectors(called_elements(i), "", called_step(i));
    line(call_statement(k_, v, args, self + "[l]", number_text("v", i)));
    for (std::size_t r = 0; f.is_bundle && r < f.results.size(); ++r) {
        std::string id = std::to_string(r);
        line({self, "_", id, "[l] = v", i, "_", id, ";"});
    }
    close();
    for (std::size_t r = 0; f.is_bundle && r < f.results.size(); ++r)
        line({"__asm__ volatile(\"\" : : \"g\"(", self, "_", r, ") : \"memory\");"});
}

// A call for all elements of a tile; an argument that is one number is repeated.
SINTER_INLINE void host_call_writer::write_tile_invoke(std::uint32_t i) {
    const instruction& v = k_.body[i];
    const invocation& f = *k_.invocations[v.payload];
    auto pointer = [](dtype t, const std::string& to) {
        return joined({"(", is_complex(t) ? "functions::" : "", type_text(t), "*)", to});
    };
    sequence<std::string> args;
    int extents = 0;
    for (std::size_t a = 0; a < v.args.size(); ++a) {
        args.push_back(value(v.args[a]));
        if (f.is_whole(a)) extents = f.ranks[a];
        else if (extents > 0) --extents;
        else if (args[a].ends_with("[l]")) args[a] = pointer(f.parameters[a], number_text("t", v.args[a]));
        else {
            const std::string to = number_text("u", i) + number_text("_", static_cast<int>(a));
            line({stored_text(f.parameters[a]), " ", to, "[", width_, "];"});
            line({"for (int l = 0; l < m; ++l) ", to, "[l] = ", args[a], ";"});
            args[a] = pointer(f.parameters[a], to);
        }
    }
    const std::string call = call_text(k_, v, args);
    line({call.substr(0, call.size() - 1), ", ", pointer(v.type, number_text("t", i)), ", m);"});
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

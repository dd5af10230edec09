// Bodies of joined_map_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/cuda/maps/joined_map_writer.hpp>
#include <sinter/codegen/schedule/geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// The number of the first of a thread's neighbours, and its coordinates, which go on from neighbour to neighbour.
SINTER_INLINE void joined_map_writer::write_position() {
    const std::string width = std::to_string(k_.how.vector_width);
    std::string size = "n0";
    for (int i = 1; i < k_.space.size(); ++i) size += " * n" + std::to_string(i);
    line({"const index size = ", size, ";"});
    line({"index i = (", block_number(), " * ", cuda_threads, " + threadIdx.x) * ", width, ";"});
    line("if (i >= size) return;");
    write_decode("i", 0, k_.space.size(), "index ");
}

// The body as a function of what was loaded, at the coordinates at which the thread stands.
SINTER_INLINE void joined_map_writer::write_element() {
    texts parameters;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_parameter(i)) parameters.push_back(joined({type_text(k_.body[i].type), " v", i}));
    for (std::size_t s = 0; s < k_.stores.size(); ++s)
        parameters.push_back(joined({operand_type(k_.stores[s].access), "& r", s}));
    list("const auto element = [&]", parameters, ") {");
    ++depth_;
    write_body(0);
    for (std::size_t s = 0; s < k_.stores.size(); ++s) line({"r", s, " = ", value(k_.stores[s].value), ";"});
    close("};");
}

SINTER_INLINE void joined_map_writer::write_step() {
    open("const auto step = [&]");
    for (int i = k_.space.size() - 1; i > 0; --i) {
        line({"if (++i", i, " < n", i, ") return;"});
        line({"i", i, " = 0;"});
    }
    line("++i0;");
    close("};");
}

// What lies as elements are numbered moves at once.
SINTER_INLINE void joined_map_writer::write_neighbours() {
    texts arguments;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!is_parameter(i)) continue;
        const std::uint32_t a = k_.body[i].payload;
        if (is_joined(a))
            line({"const ", pack_at(a), " t", i, " = *(const ", pack_at(a), "*)&", joined_element(a), ";"});
        arguments.push_back(is_joined(a) ? joined({"t", i, ".v[l]"}) : element(a));
    }
    for (std::size_t s = 0; s < k_.stores.size(); ++s) {
        line({pack_at(k_.stores[s].access), " u", s, ";"});
        arguments.push_back(joined({"u", s, ".v[l]"}));
    }
    open_unrolled("for (int l = 0; l < " + std::to_string(k_.how.vector_width) + "; ++l)");
    list("element", arguments, ");");
    line("step();");
    close();
    for (std::size_t s = 0; s < k_.stores.size(); ++s) {
        const std::uint32_t a = k_.stores[s].access;
        line({"*(", pack_at(a), "*)&", joined_element(a), " = u", s, ";"});
    }
}

// The last thread may have fewer neighbours, one after the other.
SINTER_INLINE void joined_map_writer::write_last() {
    texts arguments;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const std::uint32_t a = k_.body[i].payload;
        if (is_parameter(i)) arguments.push_back(is_joined(a) ? joined_element(a) : element(a));
    }
    for (const store& s : k_.stores) arguments.push_back(joined_element(s.access));
    line("#pragma unroll 1");
    open("for (; i < size; ++i)");
    list("element", arguments, ");");
    line("step();");
    close();
}

SINTER_INLINE void joined_map_writer::write_kernel() {
    write_head();
    write_position();
    write_element();
    write_step();
    open({"if (i + ", k_.how.vector_width, " <= size)"});
    write_neighbours();
    close("} else {");
    write_last();
    close();
    write_end();
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

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

// On to the coordinates of the next neighbour.
SINTER_INLINE void joined_map_writer::write_step() {
    open("const auto step = [&]");
    for (int i = k_.space.size() - 1; i > 0; --i) {
        line({"if (++i", i, " < n", i, ") return;"});
        line({"i", i, " = 0;"});
    }
    line("++i0;");
    close("};");
}

// What the function of the body takes: of all neighbours what has moved at once, or one element.
SINTER_INLINE joined_map_writer::texts joined_map_writer::arguments(bool of_neighbours) const {
    texts given;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!is_parameter(i)) continue;
        const std::uint32_t a = k_.body[i].payload;
        given.push_back(!is_joined(a) ? element(a) : of_neighbours ? joined({"t", i, ".v[l]"}) : joined_element(a));
    }
    for (std::size_t s = 0; s < k_.stores.size(); ++s)
        given.push_back(of_neighbours ? joined({"u", s, ".v[l]"}) : joined_element(k_.stores[s].access));
    return given;
}

SINTER_INLINE void joined_map_writer::write_neighbours() {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const std::uint32_t a = k_.body[i].payload;
        if (is_parameter(i) && is_joined(a))
            line({"const ", pack_at(a), " t", i, " = *(const ", pack_at(a), "*)&", joined_element(a), ";"});
    }
    for (std::size_t s = 0; s < k_.stores.size(); ++s) line({pack_at(k_.stores[s].access), " u", s, ";"});
    open_unrolled("for (int l = 0; l < " + std::to_string(k_.how.vector_width) + "; ++l)");
    list("element", arguments(true), ");");
    line("step();");
    close();
    for (std::size_t s = 0; s < k_.stores.size(); ++s) {
        const std::uint32_t a = k_.stores[s].access;
        line({"*(", pack_at(a), "*)&", joined_element(a), " = u", s, ";"});
    }
}

// The last thread may have fewer neighbours, one after the other.
SINTER_INLINE void joined_map_writer::write_last() {
    line("#pragma unroll 1");
    open("for (; i < size; ++i)");
    list("element", arguments(false), ");");
    line("step();");
    close();
}

SINTER_INLINE void joined_map_writer::write_kernel() {
    write_head();
    write_position();
    write_element("element", element_parameters());
    write_step();
    open({"if (i + ", k_.how.vector_width, " <= size)"});
    write_neighbours();
    close("} else {");
    write_last();
    close();
    write_end();
}

SINTER_INLINE kernel_source print_joined_rows(const kernel& k) { return written_by<joined_map_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

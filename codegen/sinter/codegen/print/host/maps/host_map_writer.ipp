// Bodies of host_map_writer.hpp.
#pragma once

#include <sinter/codegen/base/search.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/function_text.hpp>
#include <sinter/codegen/print/host/maps/host_map_writer.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void host_map_writer::write_map() {
    write_function_head(name_);
    write_unpacking();
    if (const instruction* call = call_around(k_)) {
        sequence<std::string> args;
        for (std::uint32_t a : call->args) args.push_back(is_given(k_.body[a]) ? value(a) : "");
        line(around_text(k_, args));
        ++depth_;
        write_maps_loop();
        close("});");
    } else {
        write_maps_loop();
    }
    close();
}

SINTER_INLINE void host_map_writer::write_maps_loop() {
    tile_axes t{0, k_.space.size(), 0, false};
    schedule(t);
    if (map_.side > 0) {
        write_transposed_tiles(t);
    } else if (last_phase_ == 0) {
        write_direct(t);
    } else if (fills_vectors()) {
        write_whole_tiles(t);
    } else if (map_.whole_rows) {
        write_tiles_of_rows(t);
    } else {
        write_tiles(t, "begin", "end");
    }
}

// Whether one loop may hold vector calls and what stands around them, because compilers turn all of it into vector
// instructions: arithmetic of one type, and no two calls that they could make one of, as they do with sine and cosine.
SINTER_INLINE bool host_map_writer::fills_vectors() const {
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
            if (codegen::find(called_with.begin(), called_with.end(), a) != called_with.end()) return false;
            called_with.push_back(a);
        }
    }
    return true;
}

// Rows of a map without vector calls: one loop loads, computes and stores.
SINTER_INLINE void host_map_writer::write_direct(const tile_axes& t) {
    std::string inner = std::to_string(t.last - 1);
    if (k_.how.flat) {
        line("const long long i0 = begin;");
        line("const long long m = end - begin;");
    } else {
        open("for (long long i = begin; i < end;)");
        write_decode("i", t.first, t.last);
        line({"const long long m = n", inner, " - i", inner, " < end - i ? n", inner, " - i", inner, " : end - i;"});
    }
    const bool short_rows = !k_.how.flat && !map_.whole_rows && t.last - t.first > 1;
    // A user's function costs more than the loop around it, and stands in the text once.
    if (short_rows && k_.invocations.empty()) write_short_rows(t);
    if (short_rows) open_rows(t);
    write_pointers(t);
    // What one element leaves in variables around the loop the next one finds there.
    if (call_around(k_)) open("for (long long l = 0; l < m; ++l)");
    else open_lanes("m", "long long l");
    write_elements();
    close();
    if (k_.how.flat) return;
    if (short_rows) close();
    line(short_rows ? "i += rows * m;" : "i += m;");
    close();
}

// All rows along the next axis that are whole, whose places need not be divided out each; or a part of one.
SINTER_INLINE void host_map_writer::open_rows(const tile_axes& t) {
    const std::string inner = std::to_string(t.last - 1), outer = std::to_string(t.last - 2);
    line({"const long long first = i", outer, ", left = n", outer, " - first, whole = (end - i) / n", inner, ";"});
    line({"const long long rows = m < n", inner, " ? 1 : left < whole ? left : whole;"});
    open({"for (long long i", outer, " = first; i", outer, " < first + rows; ++i", outer, ")"});
}

SINTER_INLINE void host_map_writer::write_elements() {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (here_[i]) write_instruction(i, "l", false);
    for (const store& s : k_.stores) line(assignment(k_.body[s.value].type, element(s.access, "l"), value(s.value)));
}

// Below how many elements a loop along a row costs more than one across rows, whose neighbours lie farther apart.
SINTER_INLINE int host_map_writer::shortest_row() const {
    int shortest = 12;
    for (const access& a : k_.accesses) {
        if (a.step == stride_class::strided || a.step == stride_class::reversed) return vectorised_row;
        if (a.operand != access::own_number && size_of(k_.operands[static_cast<std::size_t>(a.operand)].type) > 1)
            shortest = 8;
    }
    return shortest;
}

// Rows too short for a loop of their own, many at a time: what has the same place in all of them in one loop.
SINTER_INLINE void host_map_writer::write_short_rows(const tile_axes& t) {
    const std::string inner = std::to_string(t.last - 1), outer = std::to_string(t.last - 2);
    const std::string longest = std::to_string(shortest_row()), many = std::to_string(host_tile);
    open({"if (n", inner, " < ", longest, " && i", inner, " == 0) [[unlikely]]"});
    line({"const long long left = n", outer, " - i", outer, ", rows = left < ", many, " ? left : ", many, ";"});
    open({"if (rows >= n", inner, " && end - i >= rows * n", inner, ")"});
    open({"for (long long i", inner, " = 0; i", inner, " < n", inner, "; ++i", inner, ")"});
    write_pointers(t);
    inner_axis_ = t.last - 2;
    open_lanes("rows", "long long l");
    write_elements();
    close();
    inner_axis_ = t.last - 1;
    close();
    line({"i += rows * n", inner, ";"});
    line("continue;");
    close();
    close();
}

// Loads, calls and stores of a tile follow each other closely, which keeps memory busy; the last tile, too, is computed
// whole, on copies: so the same instructions compute every element. What may be computed twice is not stored before,
// since an operand may be changed in place.
SINTER_INLINE void host_map_writer::write_whole_tiles(const tile_axes& t) {
    in_array_.assign(k_.body.size(), 0);
    const std::string tile = std::to_string(host_short_tile), type = type_text(k_.body[k_.stores[0].value].type);
    bool near = false;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) near |= has_near(i);
    for (std::size_t a = 0; a < k_.accesses.size(); ++a) line({type, " last", a, "[", tile, "] = {};"});
    for (std::size_t s = 0; near && s < k_.stores.size(); ++s) line({type, " r", s, "[", tile, "];"});
    open({"for (long long i0 = begin; i0 < end; i0 += ", tile, ")"});
    line({"const long long m = end - i0 < ", tile, " ? end - i0 : ", tile, ";"});
    write_pointers(t);
    open({"if (m < ", tile, ")"});
    for (std::size_t a = 0; a < k_.accesses.size(); ++a) {
        const std::string id = std::to_string(a);
        if (!k_.operand_of(a).written) line({"for (long long l = 0; l < m; ++l) last", id, "[l] = p", id, "[l];"});
        line({"p", id, " = last", id, ";"});
    }
    close();
    write_calls(near, k_.body[k_.stores[0].value].type, tile, 0, [&] {
        for (std::uint32_t i = 0; i < k_.body.size(); ++i) write_instruction(i, "l", false);
        for (std::size_t s = 0; s < k_.stores.size(); ++s) {
            const store& to = k_.stores[s];
            line({near ? number_text("r", s) + "[l]" : element(to.access, "l"), " = ", value(to.value), ";"});
        }
    });
    if (near) {
        open_vectors(tile);
        for (std::size_t s = 0; s < k_.stores.size(); ++s) line({element(k_.stores[s].access, "l"), " = r", s, "[l];"});
        close();
    }
    for (const store& s : k_.stores) {
        const std::string id = std::to_string(s.access), to = number_text("y", k_.accesses[s.access].operand);
        line({"if (m < ", tile, ") for (long long l = 0; l < m; ++l) ", to, "[i0 + l] = last", id, "[l];"});
    }
    close();
}

// The same of a map, where rows are so long that a tile need not reach from one into the next.
SINTER_INLINE void host_map_writer::write_tiles_of_rows(const tile_axes& t) {
    const std::string inner = std::to_string(t.last - 1), tile = std::to_string(host_tile);
    write_arrays();
    open("for (long long i = begin; i < end;)");
    write_decode("i", t.first, t.last);
    line({"const long long row = i - i", inner, ", last = row + n", inner, " < end ? row + n", inner, " : end;"});
    open({"for (; i < last; i += ", tile, ")"});
    line({"const long long i", inner, " = i - row;"});
    line({"const int m = last - i < ", tile, " ? (int)(last - i) : ", tile, ";"});
    write_pointers(t);
    write_loops(t);
    if (!stores_in_last_loop(t)) write_stores(t);
    close();
    line("i = last;");
    close();
}

SINTER_INLINE void host_map_writer::write_kernel() {
    if (k_.how.map == mapping::host_transposed_tiles) write_transposes();
    write_map();
}

SINTER_INLINE kernel_source print_host_map(const kernel& k) { return written_by<host_map_writer>(k); }
SINTER_INLINE kernel_source print_host_transposed_tiles(const kernel& k) { return written_by<host_map_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

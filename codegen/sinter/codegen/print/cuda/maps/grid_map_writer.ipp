// Bodies of grid_map_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/cuda/maps/grid_map_writer.hpp>
#include <sinter/codegen/schedule/geometry.hpp>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* map_tiles_text =
#include <sinter/codegen/print/cuda/text/map_tiles.cuh>
    ;

// Where the thread stands: the first of its neighbours along the innermost axis, its row or the first of its rows, and
// all other coordinates.
SINTER_INLINE void grid_map_writer::write_grid_position() {
    const int rank = k_.space.size();
    const std::string inner = at_.back(), rows = std::to_string(k_.how.packs), last = std::to_string(rank - 1);
    const std::string width = k_.how.vector_width > 1 ? " * " + std::to_string(k_.how.vector_width) : "";
    auto scaled = [&](const std::string& s) { return width.empty() ? s : "(" + s + ")" + width; };
    const bool several = k_.how.packs > 1;
    if (rank == 1 && several) return write_first_of_block();
    if (rank == 1) {
        line({"const index ", inner, " = ",
              scaled(block_number() + " * " + std::to_string(cuda_threads) + " + threadIdx.x"), ";"});
        return line({"if (", inner, " >= n0) return;"});
    }
    line({"const index ", inner, " = ", scaled("(index)blockIdx.x * blockDim.x + threadIdx.x"), ";"});
    const std::string row = several ? "first" : at_[static_cast<std::size_t>(map_.rows_axis)];
    if (rank > 2) write_grid_tile(row);
    else
        line({"const index ", row, " = ((index)blockIdx.z * gridDim.y + blockIdx.y) * blockDim.y",
              several ? " * " + rows : "", " + threadIdx.y;"});
    std::string beyond = joined({inner, " >= n", last});
    for (int i = rank - 2; i >= 0; --i)
        if (!several || i != map_.rows_axis) beyond += joined({" || ", at_[static_cast<std::size_t>(i)], " >= n", i});
    line({"if (", beyond, ") return;"});
}

// The tile of a thread block along all axes but the innermost one, and the thread's place in it: its row, and its
// layer, which the other axes have together.
SINTER_INLINE void grid_map_writer::write_grid_tile(const std::string& row) {
    const int axis = map_.rows_axis;
    const std::string type = index_.unsigned_type;
    const std::string height = k_.how.packs > 1 ? "blockDim.y * " + std::to_string(k_.how.packs) : "blockDim.y";
    line("unsigned tile = blockIdx.z * gridDim.y + blockIdx.y;");
    line({"const index ", row, " = (index)take_axis(tile, tiles_along(n", axis, ", ", height, ")) * ", height,
          " + threadIdx.y;"});
    line({type, " layer = (", type, ")tile * blockDim.z + threadIdx.z;"});
    for (int i = axis - 1; i >= 0; --i) {
        const std::string id = std::to_string(i);
        line({"const index i", id, " = ", i > 0 ? "take_axis(layer, (" + type + ")n" + id + ")" : "layer", ";"});
    }
}

SINTER_INLINE std::string grid_map_writer::grid_row_stride() const {
    return k_.space.size() == 1 ? std::to_string(cuda_threads) : "(index)blockDim.y";
}

// Opens the loop over a thread's rows, if it has several.
SINTER_INLINE void grid_map_writer::open_grid_rows() {
    if (k_.how.packs == 1) return;
    open_packs(at_[static_cast<std::size_t>(map_.rows_axis)], grid_row_stride(),
               std::string("n").append(std::to_string(map_.rows_axis)));
}

SINTER_INLINE void grid_map_writer::close_grid_rows() {
    if (k_.how.packs > 1) close();
}

// What neighbours have of an access together.
SINTER_INLINE std::string grid_map_writer::moved_type(std::uint32_t a) const {
    const bool packs = map_.moves[a] == access_move::pack || map_.moves[a] == access_move::reversed;
    return packs ? pack_at(a) : operand_type(a);
}

// Loads what a thread's neighbours need of an access.
SINTER_INLINE void grid_map_writer::write_grid_load(std::uint32_t a, const std::string& to) {
    const std::string last = std::to_string(k_.how.vector_width - 1);
    switch (map_.moves[a]) {
        case access_move::pack: return line({to, " = *(const ", pack_at(a), "*)&", element(a), ";"});
        case access_move::reversed: return line({to, " = *(const ", pack_at(a), "*)(&", element(a), " - ", last, ");"});
        case access_move::elements: break;
        case access_move::single:
        case access_move::broadcast: return line({to, " = ", element(a), ";"});
    }
    const std::string inner = at_.back();
    at_.back() = "(" + inner + " + l)";
    write_unrolled("for (int l = 0; l <= " + last + "; ++l) " + to + "[l] = " + element(a) + ";");
    at_.back() = inner;
}

// What an access has of the row that is computed, and of one of its neighbours.
SINTER_INLINE std::string grid_map_writer::moved_row(std::uint32_t a) const {
    return std::string("t").append(std::to_string(a)) + (k_.how.packs > 1 && !map_.repeated[a] ? "[item]" : "");
}

SINTER_INLINE std::string grid_map_writer::moved_lane(std::uint32_t a) const {
    switch (map_.moves[a]) {
        case access_move::pack: return moved_row(a) + ".v[l]";
        case access_move::reversed: return joined({moved_row(a), ".v[", k_.how.vector_width - 1, " - l]"});
        case access_move::elements: return moved_row(a) + "[l]";
        case access_move::single:
        case access_move::broadcast: break;
    }
    return moved_row(a);
}

// Which accesses are loaded before a thread computes: those of several rows, and of neighbours.
SINTER_INLINE sequence<std::uint32_t> grid_map_writer::grid_loads() const {
    sequence<std::uint32_t> loads;
    sequence<char> seen(k_.accesses.size(), 0);
    for (const instruction& v : k_.body) {
        if (!k_.loads_memory(v)) continue;
        if (k_.how.packs == 1 && k_.how.vector_width == 1) continue;
        if (!seen[v.payload]) loads.push_back(v.payload);
        seen[v.payload] = 1;
    }
    return loads;
}

// All that a thread reads is on its way before it stores anything; what its rows share it reads once.
SINTER_INLINE void grid_map_writer::write_grid_loads(const sequence<std::uint32_t>& loads) {
    auto declared = [&](std::uint32_t a, const std::string& rows) {
        line({moved_type(a), " t", a, rows,
              map_.moves[a] == access_move::elements ? "[" + std::to_string(k_.how.vector_width) + "];" : ";"});
    };
    const bool several = k_.how.packs > 1;
    bool by_row = false;
    for (std::uint32_t a : loads) {
        const bool once = !several || map_.repeated[a];
        by_row = by_row || !once;
        const bool is_array = map_.moves[a] == access_move::elements;
        if (!once || is_array) declared(a, once ? "" : "[" + std::to_string(k_.how.packs) + "]");
        if (once) write_grid_load(a, is_array ? moved_row(a) : "const " + moved_type(a) + " " + moved_row(a));
    }
    if (by_row) write_grid_rows_loads(loads);
}

// Beyond the last row that is loaded again, which takes no branches.
SINTER_INLINE void grid_map_writer::write_grid_rows_loads(const sequence<std::uint32_t>& loads) {
    const std::string size = std::string("n").append(std::to_string(map_.rows_axis));
    open_unrolled("for (int item = 0; item < " + std::to_string(k_.how.packs) + "; ++item)");
    line({"const index next = first + item * ", grid_row_stride(), ", ", at_[static_cast<std::size_t>(map_.rows_axis)],
          " = next < ", size, " ? next : ", size, " - 1;"});
    for (std::uint32_t a : loads)
        if (!map_.repeated[a]) write_grid_load(a, moved_row(a));
    close();
}

SINTER_INLINE void grid_map_writer::write_kernel() {
    if (k_.space.size() > 2) out_ += map_tiles_text;
    write_head();
    write_around();
    const bool neighbours = k_.how.vector_width > 1;
    if (neighbours) {
        find_draws();
        at_.back() = "i";
    }
    write_grid_position();
    const sequence<std::uint32_t> loads = grid_loads();
    write_grid_loads(loads);
    const bool gathers_rows = map_.gathers && k_.how.packs > 1;
    if (gathers_rows) write_grid_results("[" + std::to_string(k_.how.packs) + "]");
    loaded_.resize(k_.accesses.size());
    for (std::uint32_t a : loads) loaded_[a] = moved_row(a);
    open_grid_rows();
    if (neighbours) write_grid_neighbours(loads);
    else write_body(0);
    if (gathers_rows && !neighbours)
        for (std::size_t s = 0; s < k_.stores.size(); ++s)
            line({grid_result(s), " = ", value(k_.stores[s].value), ";"});
    loaded_.clear();
    if (gathers_rows) {
        close_grid_rows();
        open_grid_rows();
    }
    write_grid_stores();
    close_grid_rows();
    write_end();
}

// What rows or neighbours store.
SINTER_INLINE void grid_map_writer::write_grid_results(const std::string& rows) {
    for (std::size_t s = 0; s < k_.stores.size(); ++s) line({moved_type(k_.stores[s].access), " u", s, rows, ";"});
}

SINTER_INLINE std::string grid_map_writer::grid_result(std::size_t s) const {
    return std::string("u").append(std::to_string(s)) + (map_.gathers && k_.how.packs > 1 ? "[item]" : "");
}

SINTER_INLINE void grid_map_writer::write_grid_stores() {
    if (k_.how.vector_width == 1 && !(map_.gathers && k_.how.packs > 1)) return write_stores(0);
    for (std::size_t s = 0; s < k_.stores.size(); ++s) {
        const std::uint32_t a = k_.stores[s].access;
        const bool packs = map_.moves[a] == access_move::pack;
        line({packs ? "*(" + pack_at(a) + "*)&" : "", element(a), " = ", grid_result(s), ";"});
    }
}

// Numbers that could wrap around between neighbours do not tell by their ends how they walk.
SINTER_INLINE void grid_map_writer::write_limits(std::uint32_t i) {
    const instruction& v = k_.body[i];
    const bool is_choice = v.operation == op::where || v.operation == op::minimum || v.operation == op::maximum;
    if (v.kind != instruction_kind::apply || v.type == dtype::bool_ || is_choice) return;
    const std::string most = v.type == dtype::int32 ? "2147483647" : "9223372036854775807ll";
    const int lanes = k_.how.vector_width;
    line({"follow = follow && ", value(i), " <= ", most, " - ", lanes, " && ", value(i), " >= ", lanes, " - ", most,
          ";"});
}

// What the ends of neighbours leave, and what has to hold of it; the first gather that they tell about.
SINTER_INLINE std::uint32_t grid_map_writer::declare_ends(sequence<char>& needed, sequence<char>& walks,
                                                          texts& conditions) {
    const int step = k_.how.vector_width - 1;
    std::uint32_t first = 0;
    for (auto i = static_cast<std::uint32_t>(k_.body.size()); i-- > 0;) {
        if (map_.gathers_walks[i]) {
            first = i;
            const std::string ends = number_text("ends", i);
            line({"index ", ends, "[2];"});
            conditions.push_back(joined({ends, "[1] - ", ends, "[0] == ", step}));
            for (std::uint32_t a : k_.body[i].args) walks[a] = map_.walks[a] != walk_class::constant;
        }
        if (walks[i]) {
            const std::string walked = number_text("walked", i);
            line({type_text(k_.body[i].type), " ", walked, "[2];"});
            conditions.push_back(joined({walked, "[1] - ", walked, "[0] == ", step}));
            // Where only some are counted from the end, those lie elsewhere.
            conditions.push_back(joined({"(", walked, "[0] >= 0 || ", walked, "[1] < 0)"}));
        }
        needed[i] = needed[i] || walks[i];
        if (needed[i])
            for (std::uint32_t a : k_.body[i].args) needed[a] = 1;
    }
    return first;
}

// Looks at the first and the last neighbour: whether what they gather lies side by side in memory.
SINTER_INLINE void grid_map_writer::write_ends() {
    const std::string last = std::to_string(k_.space.size() - 1);
    sequence<char> needed(k_.body.size(), 0), walks(k_.body.size(), 0);
    texts conditions;
    line("bool follow = true;");
    const std::uint32_t first = declare_ends(needed, walks, conditions);
    open_unrolled("for (int e = 0; e < 2; ++e)");
    line({"const index i", last, " = i + e * ", k_.how.vector_width - 1, ";"});
    at_.back() = "i" + last;
    begin_gathers(first);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (needed[i] && !map_.shared[i]) {
            write_instruction(i);
            write_limits(i);
        }
        if (walks[i]) line({"walked", i, "[e] = ", value(i), ";"});
        if (map_.gathers_walks[i]) line({"ends", i, "[e] = ", gather_position(i), ";"});
    }
    line({"follow = follow && ", in_range(), ";"});
    close();
    at_.back() = "i";
    for (const std::string& condition : conditions) line({"follow = follow && ", condition, ";"});
}

// A row's neighbours: first what they share, then each by itself.
SINTER_INLINE void grid_map_writer::write_grid_neighbours(const sequence<std::uint32_t>& loads) {
    auto is_needed = [&](std::uint32_t i) { return draws_.empty() || draws_[i].needed; };
    auto is_shared = [&](std::uint32_t i) { return map_.shared[i] || map_.gathers_packs[i]; };
    write_part([&](std::uint32_t i) { return !is_draw(i) && is_shared(i) && is_needed(i); },
               [&](std::uint32_t i) { write_instruction(i); },
               [&](std::uint32_t i) {
                   if (is_draw(i)) write_draw(i);
               });
    if (!map_.gathers || k_.how.packs == 1) write_grid_results("");
    bool by_ends = false;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) by_ends = by_ends || map_.gathers_walks[i];
    if (!by_ends) return write_lanes(loads, false);
    write_ends();
    open("if (follow)");
    write_lanes(loads, true);
    close("} else {");
    write_lanes(loads, false);
    close();
}

// Each neighbour by itself, where what they gather follows each other or anywhere.
SINTER_INLINE void grid_map_writer::write_lanes(const sequence<std::uint32_t>& loads, bool follow) {
    const std::string lanes = std::to_string(k_.how.vector_width), last = std::to_string(k_.space.size() - 1);
    const sequence<char> needed = follow ? needed_beside_walks(k_, map_.gathers_walks) : sequence<char>();
    auto is_needed = [&](std::uint32_t i) { return (!follow || needed[i]) && (draws_.empty() || draws_[i].needed); };
    auto is_shared = [&](std::uint32_t i) { return map_.shared[i] || map_.gathers_packs[i]; };
    auto is_near = [&](std::uint32_t i) { return follow && map_.gathers_walks[i]; };
    open_unrolled("for (int l = 0; l < " + lanes + "; ++l)");
    line({"const index i", last, " = i + l;"});
    at_.back() = "i" + last;
    for (std::uint32_t a : loads) loaded_[a] = moved_lane(a);
    write_part([&](std::uint32_t i) { return !is_draw(i) && !is_shared(i) && !is_near(i) && is_needed(i); },
               [&](std::uint32_t i) { write_instruction(i); },
               [&](std::uint32_t i) {
                   const std::string declared = "const " + type_text(k_.body[i].type) + number_text(" v", i) + " = ";
                   if (is_draw(i)) line(declared + drawn_word(i, "l") + ";");
                   else if (map_.gathers_packs[i]) line(declared + number_text("g", i) + ".v[l];");
                   else if (is_near(i))
                       line(declared + operand_name(k_.body[i].payload) + "[" + number_text("ends", i) + "[0] + l];");
               });
    for (std::size_t s = 0; s < k_.stores.size(); ++s)
        line({grid_result(s), ".v[l] = ", value(k_.stores[s].value), ";"});
    close();
    at_.back() = "i";
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

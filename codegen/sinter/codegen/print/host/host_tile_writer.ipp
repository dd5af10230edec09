// Bodies of host_tile_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/function_text.hpp>
#include <sinter/codegen/print/host/host_tile_writer.hpp>
#include <sinter/codegen/schedule/host_geometry.hpp>

#include <algorithm>
#include <utility>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Vector calls get loops of their own, so that what stands around them never decides which function computes them.
SINTER_INLINE void host_tile_writer::schedule(const tile_axes& t) {
    inner_axis_ = t.last - 1;
    stage_ = t.stage;
    here_ = computed_in(k_, stage_, persistent_);
    phase_.assign(k_.body.size(), 0);
    in_array_.assign(k_.body.size(), 0);
    last_phase_ = 0;
    auto uniform = [&](std::uint32_t i) { return is_uniform_here(i); };
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!here_[i] || uniform(i)) continue;
        int p = 0;
        for (std::uint32_t a : k_.body[i].args)
            if (here_[a] && !uniform(a)) p = std::max(p, phase_[a]);
        bool vector = has_own_loop(i);
        phase_[i] = vector ? (p | 1) + (p % 2 == 1 ? 2 : 0) : p + p % 2;
        last_phase_ = std::max(last_phase_, phase_[i]);
        for (std::uint32_t a : k_.body[i].args)
            if (here_[a] && !uniform(a) && (phase_[a] != phase_[i] || vector)) in_array_[a] = 1;
        if (vector) in_array_[i] = 1;
    }
    auto keep = [&](std::uint32_t i) {
        if (!uniform(i) && here_[i]) in_array_[i] = 1;
    };
    for (const reduction_step& r : k_.reductions)
        if (r.stage == t.stage) keep(r.argument);
    bool in_last = stores_in_last_loop(t);
    for (const store& s : k_.stores)
        if (s.stage == t.stage && (in_last ? phase_[s.value] != last_phase_ : last_phase_ > 0 || k_.reduces()))
            keep(s.value);
    // Elements that are computed before a scan or a mask and used after it stay in their arrays.
    for (std::uint32_t i = 0; (k_.scans || k_.selects) && i < k_.body.size(); ++i)
        if (persistent_[i] && k_.body[i].stage <= t.stage) in_array_[i] = 1;
    in_parts_ = t.last - t.first > 1 && (k_.reduces() || last_phase_ > 0) && !map_.whole_rows;
    if (in_parts_)
        for (std::uint32_t i = 0; i < k_.body.size(); ++i)
            if (k_.body[i].kind == instruction_kind::load) keep(i);
    find_indices(t);
}

SINTER_INLINE void host_tile_writer::find_indices(const tile_axes& t) {
    indices_.assign(k_.body.size(), 0);
    if (map_.walks.empty()) return;
    sequence<char> wanted(k_.body.size(), 0);
    for (const store& s : k_.stores) wanted[s.value] = 1;
    for (std::size_t i = k_.body.size(); i-- > 0;) {
        if (!here_[i] || is_uniform_here(static_cast<std::uint32_t>(i))) continue;
        const auto n = static_cast<std::uint32_t>(i);
        const bool by_ends = k_.body[i].kind == instruction_kind::gather && gathers_by_ends(n);
        if (!wanted[i] && !has_own_loop(n) && k_.body[i].stage == t.stage) indices_[i] = 1;
        if (!by_ends && !indices_[i])
            for (std::uint32_t a : k_.body[i].args) wanted[a] = 1;
    }
}

SINTER_INLINE sequence<char> host_tile_writer::write_indices(std::uint32_t i, bool of_tile) {
    sequence<char> wanted(k_.body.size(), 0), in_array = in_array_;
    wanted[i] = 1;
    for (std::uint32_t x = i + 1; x-- > 0;) {
        // At the ends of a tile all that indices are computed from is looked at, but for what has a loop of its own,
        // which may call another function than one element's.
        const bool is_known = in_array_[x] && !indices_[x] && (of_tile || has_own_loop(x));
        if (!wanted[x] || (x != i && is_known)) wanted[x] = x == i;
        if (wanted[x])
            for (std::uint32_t a : k_.body[x].args) wanted[a] = here_[a] && !is_uniform_here(a);
    }
    wanted[i] = 0;
    bool any = false;
    for (std::uint32_t x = 0; x < i; ++x) {
        any = any || wanted[x];
        if (wanted[x] && !of_tile) in_array[x] = 0;
    }
    if (!any) return in_array;
    const sequence<char> kept = std::exchange(in_array_, in_array);
    if (of_tile) open_lanes();
    for (std::uint32_t x = 0; x < i; ++x)
        if (wanted[x]) write_instruction(x, "l", in_array[x]);
    if (of_tile) close();
    in_array_ = kept;
    return in_array;
}

// Elements are stored by the loop that computes them, unless that is one of vector calls or a tile lies in several
// rows.
SINTER_INLINE bool host_tile_writer::stores_in_last_loop(const tile_axes& t) const {
    if (last_phase_ % 2 == 1) return false;
    if (map_.whole_rows && map_.side == 0 && !k_.reduces()) return last_phase_ > 0;
    if (!k_.is_row_kernel() || is_row_stage(t.stage) || t.last - t.first > 1) return false;
    for (const store& s : k_.stores)
        if (s.stage == t.stage) return true;
    return false;
}

// Values of rows and kept values of elements have arrays beyond their stage's.
SINTER_INLINE bool host_tile_writer::outlives_stage(std::uint32_t i) const {
    if (k_.scans) return side_by_side_ && persistent_[i];
    return k_.is_row_kernel() && !is_bundle(k_, i) && (persistent_[i] || is_row_stage(k_.body[i].stage));
}

SINTER_INLINE void host_tile_writer::write_instruction(std::uint32_t i, const std::string& at, bool to_array) {
    const instruction& v = k_.body[i];
    const bool is_single =
        v.kind == instruction_kind::load || v.kind == instruction_kind::apply || v.kind == instruction_kind::component;
    if (to_array && is_single && is_complex(v.type) && !is_half(v.type)) {
        write_instruction(i, at, false);
        return line(assignment(v.type, number_text("t", i) + "[l]", number_text("v", i)));
    }
    std::string target = to_array ? number_text("t", i) + "[l]" : "const " + type_text(v.type) + number_text(" v", i);
    sequence<std::string> args;
    switch (v.kind) {
        case instruction_kind::scalar:
        case instruction_kind::literal:
        case instruction_kind::whole: return;
        case instruction_kind::load: return line({target, " = ", element(v.payload, at), ";"});
        case instruction_kind::gather: return;  // has a loop of its own
        case instruction_kind::extreme:
            throw internal_error(
                "[emit_host] the CPU finds extreme elements in an order of its own, and has no value to share");
        case instruction_kind::result: {
            const reduction_step& r = k_.reductions[v.payload];
            std::string from =
                k_.scans ? number_text("a", v.payload) : number_text(is_indexed(r.how) ? "ri" : "r", v.payload);
            from += k_.scans || k_.is_row_kernel() ? "[l]" : "[i - begin + l]";
            const bool is_place = is_indexed(r.how);
            if (k_.scans || is_place)
                return line({target, " = ", cast_text(is_place ? dtype::int64 : r.accumulator(), v.type, from), ";"});
            return line({target, " = ", reduced_text(r, v.type, from), ";"});
        }
        case instruction_kind::invoke:
            for (std::uint32_t a : v.args) args.push_back(value(a));
            return line(call_statement(k_, v, args, target, number_text("v", i)));
        case instruction_kind::component:
            return line({target, " = ", is_vector(v.args[0]) ? "t" : "v", v.args[0], "_", v.payload,
                         is_vector(v.args[0]) ? "[l];" : ";"});
        case instruction_kind::apply: {
            for (std::uint32_t a : v.args) args.push_back(value(a));
            if (is_spread(i)) args[0] = number_text("u", i) + "[l]";
            if (v.operation == op::cast) return line({target, " = ", cast_text(v.common, v.type, args[0]), ";"});
            const std::string form = form_text(v.operation, v.common, v.type, args, language::host);
            if (in_near_loop_ && has_near(i)) return write_near(i, target, form);
            return line({target, " = ", form, ";"});
        }
    }
}

SINTER_INLINE void host_tile_writer::write_arrays() {
    std::string size = joined({"[", width_, "] = {};"});
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!here_[i]) continue;
        const bool has_array = in_array_[i] && !outlives_stage(i) && !is_placed(i);
        if (has_array && is_bundle(k_, i)) {
            const invocation& f = *k_.invocations[k_.body[i].payload];
            for (std::size_t r = 0; r < f.results.size(); ++r)
                line(type_text(f.results[r]) + number_text(" t", i) + number_text("_", static_cast<int>(r)) + size);
        } else if (has_array && k_.body[i].kind == instruction_kind::gather && gathers_by_ends(i)) {
            const std::string type = stored_text(k_.body[i].type);
            line({type, " ", gathered(i), size, " const ", type, "* t", i, ";"});
        } else if (has_array) line(stored_text(k_.body[i].type) + number_text(" t", i) + size);
        if (in_parts_ && k_.body[i].kind == instruction_kind::gather) line({"long long o", i, size});
    }
}

// The arrays of what follows scans and selections and of what goes into them, which is written first.
SINTER_INLINE host_value_writer::tile_axes host_tile_writer::begin_both_stages(int first, int last, bool offset) {
    tile_axes t{first, last, 2, offset};
    for (int stage : {2, 0}) {
        t.stage = stage;
        schedule(t);
        write_arrays();
    }
    return t;
}

// What follows a scan or a selection on a tile's elements.
SINTER_INLINE void host_tile_writer::begin_second_stage(tile_axes& t) {
    t.stage = 2;
    schedule(t);
    open("");
    if (in_parts_) write_loads(t);
    else write_pointers(t);
    write_loops(t);
}

// Runs the body over the elements [begin, end) of the tile's axes, tile by tile, and stores.
SINTER_INLINE void host_tile_writer::write_tiles(const tile_axes& t, const std::string& begin, const std::string& end) {
    write_arrays();
    open({"for (long long i = ", begin, "; i < ", end, "; i += ", host_tile, ")"});
    write_tile(t, end);
    write_stores(t);
    close();
}

// The body on elements [i, i + m) of the tile's axes; values that are needed afterwards are left in arrays.
SINTER_INLINE void host_tile_writer::write_tile(const tile_axes& t, const std::string& end) {
    std::string tile = std::to_string(host_tile);
    line({"const int m = ", end, " - i < ", tile, " ? (int)(", end, " - i) : ", tile, ";"});
    if (in_parts_) {
        write_loads(t);
    } else {
        line({"const long long i", t.first, " = i;"});
        write_pointers(t);
    }
    write_loops(t);
}

SINTER_INLINE void host_tile_writer::write_loads(const tile_axes& t) {
    bool any = false;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        if (!here_[i]) continue;
        if (v.kind == instruction_kind::load || v.kind == instruction_kind::gather) any = true;
    }
    if (!any) return;
    open_parts(t);
    unroll();
    open("for (int l = from; l < from + part; ++l)");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (k_.body[i].kind == instruction_kind::load && here_[i])
            line(assignment(k_.body[i].type, number_text("t", i) + "[l]", element(k_.body[i].payload, "(l - from)")));
        else if (k_.body[i].kind == instruction_kind::gather && here_[i])
            line({"o", i, "[l] = ", gather_base(i, "(l - from)"), ";"});
    }
    close();
    line("from += part;");
    close();
}

SINTER_INLINE void host_tile_writer::write_loops(const tile_axes& t) {
    bool loaded = in_parts_;
    for (int p = 0; p <= last_phase_; ++p) {
        bool opened = false;
        for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
            const instruction& v = k_.body[i];
            if (!here_[i] || phase_[i] != p || is_uniform_here(i) || indices_[i]) continue;
            if (v.kind == instruction_kind::load && (loaded || (is_turned(v.payload) && in_array_[i]))) continue;
            if (p % 2 == 1 && (v.kind == instruction_kind::invoke || v.kind == instruction_kind::gather)) {
                if (has_tile(i)) write_tile_invoke(i);
                else if (v.kind == instruction_kind::invoke) write_vector_invoke(i);
                else write_gather(i);
                continue;
            }
            if (is_draw(i) || is_half_cast(v)) {
                if (is_draw(i)) write_draw(i);
                else write_half_cast(i);
                continue;
            }
            if (p % 2 == 1) {
                write_spread(i);
                write_calls(has_near(i), v.type, called_elements(i), called_step(i),
                            [&] { write_instruction(i, "l", true); });
                continue;
            }
            if (!opened) {
                open_lanes();
                opened = true;
            }
            write_instruction(i, "l", in_array_[i]);
        }
        if (p == last_phase_ && stores_in_last_loop(t) && !opened) {
            open_lanes();
            opened = true;
        }
        if (p == last_phase_ && stores_in_last_loop(t))
            for (const store& s : k_.stores)
                if (s.stage == stage_) line(assignment(k_.body[s.value].type, element(s.access, "l"), value(s.value)));
        if (opened) close();
    }
}

SINTER_INLINE void host_tile_writer::write_stores(const tile_axes& t) {
    bool parts = in_parts_;
    if (parts) open_parts(t);
    if (parts) open_lanes("from + part", "int l", "from");
    else open_lanes();
    for (const store& s : k_.stores)
        if (s.stage == t.stage)
            line(assignment(k_.body[s.value].type, element(s.access, parts ? "(l - from)" : "l"), value(s.value)));
    close();
    if (!parts) return;
    line("from += part;");
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

// Bodies of host_writer.hpp that print maps and the loops over a tile; where elements lie is in host_writer_memory.ipp
// and host_writer_gather.ipp, reductions are in host_writer_reduce.ipp and host_writer_places.ipp, row kernels in
// host_writer_rows.ipp, both of few elements a row in host_writer_vectorised.ipp, scans in host_writer_scan.ipp,
// selections beside them, operands that lie along another axis in host_writer_transpose.ipp.
#pragma once

#include <sinter/codegen/print/host/host_writer.hpp>

#include <algorithm>
#include <concepts>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

template <std::integral I>
std::string number_text(std::string_view prefix, I n) {
    return std::string(prefix) + std::to_string(n);
}

SINTER_INLINE void host_writer::line(const std::string& text) {
    if (text[0] != '#') out_.append(static_cast<std::size_t>(depth_) * 4, ' ');
    out_ += text + "\n";
}
SINTER_INLINE void host_writer::open(const std::string& text) {
    line(text.empty() ? "{" : text + " {");
    ++depth_;
}
SINTER_INLINE void host_writer::close(const std::string& text) {
    --depth_;
    line(text);
}

// Compilers unroll loops over the elements of a tile as often as a tile has vectors, which takes them longer than it
// saves.
SINTER_INLINE void host_writer::unroll(int times) { line("#pragma GCC unroll " + std::to_string(times)); }

// A loop over elements that do not depend on each other, as many as are known when it runs.
SINTER_INLINE void host_writer::open_lanes(const std::string& end, const std::string& index, const std::string& begin,
                                           int times) {
    const std::string name = index.substr(index.find_last_of(' ') + 1);
    line("#pragma GCC ivdep");
    unroll(times);
    open("for (" + index + " = " + begin + "; " + name + " < " + end + "; ++" + name + ")");
}

// A loop of calls of vector functions, which every compiler has to make of them: the scalar ones have other bits.
SINTER_INLINE void host_writer::open_vectors(int count) {
    line("#pragma omp simd");
    open("for (int l = 0; l < " + std::to_string(count) + "; ++l)");
}

// Options of a text of its own, which no other kernel has: sums in any order, reciprocals for divisions. NaN and
// infinities stay what they are.
inline constexpr const char* fast_math_text =
    "#ifdef __clang__\n"
    "#pragma clang fp reassociate(on) contract(fast)\n"
    "#else\n"
    "#pragma GCC optimize(\"no-math-errno,no-trapping-math,no-signed-zeros,associative-math,reciprocal-math\")\n"
    "#pragma GCC optimize(\"fp-contract=fast\")\n"
    "#endif\n";

SINTER_INLINE kernel_source host_writer::write() {
    out_ = head_text(k_.how) + (k_.how.fast ? fast_math_text : "") + prelude_text(k_, language::host);
    persistent_ = k_.scans || k_.selects ? persistent_over_scans(k_) : persistent_on_host(k_, k_.how);
    switch (k_.how.map) {
#define SINTER_MAPPING_host(name) \
    case mapping::name: write_##name(); break;
#define SINTER_MAPPING_cuda(name) \
    case mapping::name: throw internal_error("[codegen] a schedule of a GPU is printed for the CPU");
#define SINTER_MAPPING(name, backend, ...) SINTER_MAPPING_##backend(name)
#include <sinter/codegen/schedule/mappings.def>
#undef SINTER_MAPPING
#undef SINTER_MAPPING_cuda
#undef SINTER_MAPPING_host
    }
    return {name_, std::move(out_)};
}

SINTER_INLINE void host_writer::write_host_map() { write_map(); }
SINTER_INLINE void host_writer::write_host_transposed_tiles() {
    write_transposes();
    write_map();
}
SINTER_INLINE void host_writer::write_host_scans() { write_scans(); }
SINTER_INLINE void host_writer::write_host_vector_scans() { write_scans(); }
SINTER_INLINE void host_writer::write_host_select() { write_select(); }
SINTER_INLINE void host_writer::write_host_whole_rows() {
    write_reduces();
    write_row_kernel();
}
SINTER_INLINE void host_writer::write_host_vector_rows() {
    write_reduces();
    if (k_.is_row_kernel()) return write_row_kernel();
    write_epilogue();
    write_vectorised_rows();
}
SINTER_INLINE void host_writer::write_host_rows() {
    write_reduces();
    write_epilogue();
    write_rows();
    write_rows_finish();
}
SINTER_INLINE void host_writer::write_host_columns() {
    write_reduces();
    write_epilogue();
    write_columns();
    write_columns_finish();
}

SINTER_INLINE void host_writer::write_function_head(const std::string& name, const std::string& more) {
    open((more.empty() ? "extern \"C\" void " : "[[gnu::noinline]] static void ") + name +
         "(void* const* memory, const long long* n, const unsigned char* c, long long begin, long long end, "
         "long long* error" +
         more + ")");
}

SINTER_INLINE void host_writer::write_map() {
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

SINTER_INLINE void host_writer::write_maps_loop() {
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

// Vector calls get loops of their own, so that what stands around them never decides which function computes them.
SINTER_INLINE void host_writer::schedule(const tile_axes& t) {
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
}

SINTER_INLINE std::string host_writer::value(std::uint32_t i) const {
    const instruction& v = k_.body[i];
    if (v.kind == instruction_kind::scalar) return number_text("c", v.payload);
    if (v.kind == instruction_kind::literal) return literal_text(k_.literals[v.payload]);
    if (v.kind == instruction_kind::whole)
        return (v.type == dtype::bool_ ? "(const bool*)x" : "x") + std::to_string(v.payload);
    const bool of_row = is_row_stage(v.stage) && !is_row_stage(stage_);
    if (of_row && !side_by_side_) return number_text("w", i);
    if (!of_row && !in_array_[i]) return number_text("v", i);
    return (v.type == dtype::bool_ ? "(bool)t" : "t") + std::to_string(i) + "[l]";
}

SINTER_INLINE void host_writer::write_instruction(std::uint32_t i, const std::string& at, bool to_array) {
    const instruction& v = k_.body[i];
    std::string target = to_array ? number_text("t", i) + "[l]" : "const " + type_text(v.type) + number_text(" v", i);
    sequence<std::string> args;
    switch (v.kind) {
        case instruction_kind::scalar:
        case instruction_kind::literal:
        case instruction_kind::whole: return;
        case instruction_kind::load: return line(target + " = " + element(v.payload, at) + ";");
        case instruction_kind::gather: return;  // has a loop of its own
        case instruction_kind::extreme:
            throw internal_error(
                "[emit_host] the CPU finds extreme elements in an order of its own, and has no value to share");
        case instruction_kind::result: {
            const reduction_step& r = k_.reductions[v.payload];
            std::string from =
                k_.scans ? number_text("a", v.payload) : number_text(is_indexed(r.how) ? "ri" : "r", v.payload);
            from += k_.scans || k_.is_row_kernel() ? "[l]" : "[i - begin + l]";
            return line(target + " = " +
                        cast_text(is_indexed(r.how) ? dtype::int64 : accumulator_type(r.how, r.type), v.type, from) +
                        ";");
        }
        case instruction_kind::invoke:
            for (std::uint32_t a : v.args) args.push_back(value(a));
            return line(call_statement(k_, v, args, target, number_text("v", i)));
        case instruction_kind::component:
            return line(target + " = " + number_text(is_vector(v.args[0]) ? "t" : "v", v.args[0]) +
                        number_text("_", v.payload) + (is_vector(v.args[0]) ? "[l];" : ";"));
        case instruction_kind::apply:
            for (std::uint32_t a : v.args) args.push_back(value(a));
            if (is_spread(i)) args[0] = number_text("u", i) + "[l]";
            if (v.operation == op::cast) return line(target + " = " + cast_text(v.common, v.type, args[0]) + ";");
            return line(target + " = " + form_text(v.operation, v.common, v.type, args, language::host) + ";");
    }
}

// Rows of a map without vector calls: one loop loads, computes and stores.
SINTER_INLINE void host_writer::write_direct(const tile_axes& t) {
    std::string inner = std::to_string(t.last - 1);
    if (k_.how.flat) {
        line("const long long i0 = begin;");
        line("const long long m = end - begin;");
    } else {
        open("for (long long i = begin; i < end;)");
        write_decode("i", t.first, t.last);
        line("const long long m = n" + inner + " - i" + inner + " < end - i ? n" + inner + " - i" + inner +
             " : end - i;");
    }
    write_pointers(t);
    // What one element leaves in variables around the loop the next one finds there.
    if (call_around(k_)) open("for (long long l = 0; l < m; ++l)");
    else open_lanes("m", "long long l");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (here_[i]) write_instruction(i, "l", false);
    for (const store& s : k_.stores) line(element(s.access, "l") + " = " + value(s.value) + ";");
    close();
    if (k_.how.flat) return;
    line("i += m;");
    close();
}

// Loads, calls and stores of a tile follow each other closely, which keeps memory busy; the last tile, too, is computed
// whole, on copies: so the same instructions compute every element.
SINTER_INLINE void host_writer::write_whole_tiles(const tile_axes& t) {
    in_array_.assign(k_.body.size(), 0);
    const std::string tile = std::to_string(host_short_tile), type = type_text(k_.body[k_.stores[0].value].type);
    for (std::size_t a = 0; a < k_.accesses.size(); ++a) line(type + number_text(" last", a) + "[" + tile + "] = {};");
    open("for (long long i0 = begin; i0 < end; i0 += " + tile + ")");
    line("const long long m = end - i0 < " + tile + " ? end - i0 : " + tile + ";");
    write_pointers(t);
    open("if (m < " + tile + ")");
    for (std::size_t a = 0; a < k_.accesses.size(); ++a) {
        const std::string id = std::to_string(a);
        if (!k_.operands[static_cast<std::size_t>(k_.accesses[a].operand)].written)
            line("for (long long l = 0; l < m; ++l) last" + id + "[l] = p" + id + "[l];");
        line("p" + id + " = last" + id + ";");
    }
    close();
    open_vectors(host_short_tile);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) write_instruction(i, "l", false);
    for (const store& s : k_.stores) line(element(s.access, "l") + " = " + value(s.value) + ";");
    close();
    for (const store& s : k_.stores) {
        const std::string id = std::to_string(s.access), to = number_text("y", k_.accesses[s.access].operand);
        line("if (m < " + tile + ") for (long long l = 0; l < m; ++l) " + to + "[i0 + l] = last" + id + "[l];");
    }
    close();
}

SINTER_INLINE void host_writer::write_arrays() {
    std::string size = "[" + std::to_string(width_) + "] = {};";
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!here_[i]) continue;
        const bool has_array = in_array_[i] && !outlives_stage(i);
        if (has_array && is_bundle(k_, i)) {
            const invocation& f = *k_.invocations[k_.body[i].payload];
            for (std::size_t r = 0; r < f.results.size(); ++r)
                line(type_text(f.results[r]) + number_text(" t", i) + number_text("_", static_cast<int>(r)) + size);
        } else if (has_array && k_.body[i].kind == instruction_kind::gather && gathers_by_ends(i)) {
            const std::string type = stored_text(k_.body[i].type);
            line(type + " " + gathered(i) + size + " const " + type + "* " + number_text("t", i) + ";");
        } else if (has_array) line(stored_text(k_.body[i].type) + number_text(" t", i) + size);
        if (in_parts_ && k_.body[i].kind == instruction_kind::gather) line("long long" + number_text(" o", i) + size);
    }
}

// Runs the body over the elements [begin, end) of the tile's axes, tile by tile, and stores.
SINTER_INLINE void host_writer::write_tiles(const tile_axes& t, const std::string& begin, const std::string& end) {
    write_arrays();
    open("for (long long i = " + begin + "; i < " + end + "; i += " + std::to_string(host_tile) + ")");
    write_tile(t, end);
    write_stores(t);
    close();
}

// The same of a map, where rows are so long that a tile need not reach from one into the next.
SINTER_INLINE void host_writer::write_tiles_of_rows(const tile_axes& t) {
    const std::string inner = std::to_string(t.last - 1), tile = std::to_string(host_tile);
    write_arrays();
    open("for (long long i = begin; i < end;)");
    write_decode("i", t.first, t.last);
    line("const long long row = i - i" + inner + ", last = row + n" + inner + " < end ? row + n" + inner + " : end;");
    open("for (; i < last; i += " + tile + ")");
    line("const long long i" + inner + " = i - row;");
    line("const int m = last - i < " + tile + " ? (int)(last - i) : " + tile + ";");
    write_pointers(t);
    write_loops(t);
    write_stores(t);
    close();
    line("i = last;");
    close();
}

// The body on elements [i, i + m) of the tile's axes; values that are needed afterwards are left in arrays.
SINTER_INLINE void host_writer::write_tile(const tile_axes& t, const std::string& end) {
    std::string tile = std::to_string(host_tile);
    line("const int m = " + end + " - i < " + tile + " ? (int)(" + end + " - i) : " + tile + ";");
    if (in_parts_) {
        write_loads(t);
    } else {
        line("const long long i" + std::to_string(t.first) + " = i;");
        write_pointers(t);
    }
    write_loops(t);
}

// A call of scalars alone would be moved out of its loop, to the function that is not the vector one.
SINTER_INLINE bool host_writer::is_spread(std::uint32_t i) const {
    if (!is_vector_call(k_.body[i])) return false;  // of invoke see write_vector_invoke
    for (std::uint32_t a : k_.body[i].args)
        if (!is_uniform_here(a)) return false;
    return true;
}

SINTER_INLINE void host_writer::write_spread(std::uint32_t i) {
    if (!is_spread(i)) return;
    std::uint32_t a = k_.body[i].args[0];
    std::string tile = std::to_string(width_), to = number_text("u", i);
    line(type_text(k_.body[a].type) + " " + to + "[" + tile + "];");
    line("for (int l = 0; l < " + tile + "; ++l) " + to + "[l] = " + value(a) + ";");
}

SINTER_INLINE void host_writer::write_loops(const tile_axes& t) {
    bool loaded = in_parts_;
    for (int p = 0; p <= last_phase_; ++p) {
        bool opened = false;
        for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
            const instruction& v = k_.body[i];
            if (!here_[i] || phase_[i] != p || is_uniform_here(i)) continue;
            if (loaded && v.kind == instruction_kind::load) continue;
            if (p % 2 == 1 && (v.kind == instruction_kind::invoke || v.kind == instruction_kind::gather)) {
                if (v.kind == instruction_kind::invoke) write_vector_invoke(i);
                else write_gather(i);
                continue;
            }
            if (p % 2 == 1) {
                write_spread(i);
                open_vectors(width_);
                write_instruction(i, "l", true);
                close();
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
                if (s.stage == stage_) line(element(s.access, "l") + " = " + value(s.value) + ";");
        if (opened) close();
    }
}

SINTER_INLINE void host_writer::write_stores(const tile_axes& t) {
    bool parts = in_parts_;
    if (parts) open_parts(t);
    if (parts) open_lanes("from + part", "int l", "from");
    else open_lanes();
    for (const store& s : k_.stores)
        if (s.stage == t.stage) line(element(s.access, parts ? "(l - from)" : "l") + " = " + value(s.value) + ";");
    close();
    if (!parts) return;
    line("from += part;");
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen

#include <sinter/codegen/print/host/host_writer_gather.ipp>
#include <sinter/codegen/print/host/host_writer_invoke.ipp>
#include <sinter/codegen/print/host/host_writer_memory.ipp>
#include <sinter/codegen/print/host/host_writer_vectorised.ipp>
#include <sinter/codegen/print/host/host_writer_places.ipp>
#include <sinter/codegen/print/host/host_writer_reduce.ipp>
#include <sinter/codegen/print/host/host_writer_rows.ipp>
#include <sinter/codegen/print/host/host_writer_scan.ipp>
#include <sinter/codegen/print/host/host_writer_transpose.ipp>

SINTER_COLD_END

// Bodies of host_writer.hpp that print maps and the loops over a tile; reductions are in host_writer_reduce.ipp, row
// kernels in host_writer_rows.ipp, scans in host_writer_scan.ipp, selections in host_writer_select.ipp.
#pragma once

#include <sinter/codegen/host_writer.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE std::string number_text(std::string_view prefix, std::int64_t n) { return std::string(prefix) + std::to_string(n); }

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

SINTER_INLINE kernel_source host_writer::write() {
    out_ = prelude_text(k_, language::host);
    kept_ = k_.scans || k_.selects ? kept_over_scans(k_) : kept_values(k_, {false, k_.row_capacity ? 4 : 0});
    if (k_.scans) {
        write_scans();
    } else if (k_.selects) {
        write_select();
    } else if (k_.is_row_kernel()) {
        write_joins();
        write_row_kernel();
    } else if (k_.reduces()) {
        write_joins();
        write_epilogue();
        k_.tree == reduce_tree::rows ? write_rows() : write_columns();
        k_.tree == reduce_tree::rows ? write_rows_finish() : write_columns_finish();
    } else {
        write_map();
    }
    return {name_, std::move(out_)};
}

SINTER_INLINE void host_writer::write_function_head(const std::string& name, const std::string& more) {
    open((more.empty() ? "extern \"C\" void " : "static void ") + name +
         "(void* const* memory, const long long* n, const unsigned char* c, long long begin, long long end, "
         "long long* error" + more + ")");
}

SINTER_INLINE void host_writer::write_unpacking() {
    for (std::size_t o = 0; o < k_.operands.size(); ++o) {
        std::string type = (k_.operands[o].written ? "" : "const ") + type_text(k_.operands[o].type) + "*";
        line(type + number_text(k_.operands[o].written ? " y" : " x", static_cast<int>(o)) + " = (" + type + ")memory[" +
             std::to_string(o) + "];");
    }
    int at = 0;
    auto integer = [&](const std::string& name) { line("const long long " + name + " = n[" + std::to_string(at++) + "];"); };
    for (int i = 0; i < k_.space.size(); ++i) integer(number_text("n", i));
    for (std::size_t a = 0; a < k_.accesses.size(); ++a) {
        std::string id = std::to_string(a);
        integer("first" + id);
        for (int i = 0; !k_.flat && i < k_.space.size(); ++i) integer("s" + id + "_" + std::to_string(i));
    }
    for (std::size_t i = 0; i < k_.indexed.size(); ++i) {
        integer("extent" + std::to_string(i));
        integer("step" + std::to_string(i));
    }
    for (std::size_t c = 0; c < k_.scalars.size(); ++c) {
        std::string type = "const " + type_text(scalar_type(k_, c)), id = std::to_string(c);
        line(type + " c" + id + " = *(" + type + "*)(c + " + std::to_string(16 * c) + ");");
    }
}

SINTER_INLINE bool host_writer::used_in(std::size_t a) const {
    for (std::size_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        bool reads = v.kind == instruction_kind::load || v.kind == instruction_kind::gather;
        if (here_[i] && reads && v.payload == a) return true;
    }
    for (const store& s : k_.stores)
        if (s.access == a && s.stage == stage_) return true;
    return false;
}

SINTER_INLINE void host_writer::write_map() {
    write_function_head(name_);
    write_unpacking();
    tile_axes t{0, k_.space.size(), 0, false};
    schedule(t);
    if (last_phase_ == 0) {
        write_direct(t);
    } else {
        write_tiles(t, "begin", "end");
    }
    close();
}

// Vector calls get loops of their own, so that what stands around them never decides which function computes them.
SINTER_INLINE void host_writer::schedule(const tile_axes& t) {
    inner_axis_ = t.last - 1;
    stage_ = t.stage;
    here_ = computed_in(k_, stage_, kept_);
    phase_.assign(k_.body.size(), 0);
    in_array_.assign(k_.body.size(), 0);
    last_phase_ = 0;
    auto uniform = [&](std::uint32_t i) { return is_uniform_here(i); };
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!here_[i] || uniform(i)) continue;
        int p = 0;
        for (std::uint32_t a : k_.body[i].args)
            if (here_[a] && !uniform(a)) p = std::max(p, phase_[a]);
        bool vector = is_vector(i);
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
    for (const store& s : k_.stores)
        if (s.stage == t.stage && (last_phase_ > 0 || k_.reduces()) && !stores_in_last_loop(t)) keep(s.value);
    // Elements that are computed before a scan or a mask and used after it stay in their arrays.
    for (std::uint32_t i = 0; (k_.scans || k_.selects) && i < k_.body.size(); ++i)
        if (kept_[i] && k_.body[i].stage <= t.stage) in_array_[i] = 1;
    in_parts_ = t.last - t.first > 1 && (k_.reduces() || last_phase_ > 0);
    if (in_parts_)
        for (std::uint32_t i = 0; i < k_.body.size(); ++i)
            if (k_.body[i].kind == instruction_kind::load) keep(i);
}

SINTER_INLINE std::string host_writer::value(std::uint32_t i) const {
    const instruction& v = k_.body[i];
    if (v.kind == instruction_kind::scalar) return number_text("c", v.payload);
    if (v.kind == instruction_kind::literal) return literal_text(k_.literals[v.payload]);
    if (is_row_stage(v.stage) && !is_row_stage(stage_)) return number_text("w", i);
    return in_array_[i] ? number_text("t", i) + "[l]" : number_text("v", i);
}

// Element `at` along the innermost axis of an access, whose pointer stands at the row's start.
SINTER_INLINE std::string host_writer::element(std::uint32_t a, const std::string& at) const {
    std::string id = std::to_string(a), step;
    int specialised = k_.reduces() && k_.tree == reduce_tree::columns ? k_.kept - 1 : k_.space.size() - 1;
    switch (inner_axis_ == specialised ? k_.advances[a] : advance::any) {
        case advance::aligned:
        case advance::unit: step = at; break;
        case advance::none: step = "0"; break;
        case advance::turned:
        case advance::any: step = at + " * s" + id + "_" + std::to_string(inner_axis_);
    }
    return k_.accesses[a].operand == access::own_number ? "p" + id + " + " + step : "p" + id + "[" + step + "]";
}

SINTER_INLINE void host_writer::write_decode(const std::string& from, int first, int last) {
    line("long long rest = " + from + ";");
    for (int i = last - 1; i > first; --i) {
        std::string id = std::to_string(i);
        line("const long long i" + id + " = rest % n" + id + ";");
        line("rest /= n" + id + ";");
    }
    line("const long long i" + std::to_string(first) + " = rest;");
}

// Adds up where point `from` of the axes [first, last) puts each access, as base<a>.
SINTER_INLINE void host_writer::write_bases_of(const std::string& from, int first, int last) {
    sequence<std::size_t> used;
    for (std::size_t a = 0; a < k_.accesses.size(); ++a)
        if (k_.scans || used_in(a)) used.push_back(a);
    for (std::size_t a : used) line("long long base" + std::to_string(a) + ";");
    open("");
    write_decode(from, first, last);
    for (std::size_t a : used) {
        std::string id = std::to_string(a), sum;
        for (int i = first; i < last; ++i)
            sum += (i > first ? " + i" : "i") + std::to_string(i) + " * s" + id + "_" + std::to_string(i);
        line("base" + id + " = " + sum + ";");
    }
    close();
}

SINTER_INLINE void host_writer::write_pointers(const tile_axes& t) {
    for (std::size_t a = 0; a < k_.accesses.size(); ++a) {
        if (!used_in(a)) continue;
        const access& x = k_.accesses[a];
        std::string id = std::to_string(a), sum = " + first" + id + (t.offset ? " + base" + id : "");
        for (int i = t.first; i < t.last; ++i)
            sum += k_.flat ? " + i0" : " + i" + std::to_string(i) + " * s" + id + "_" + std::to_string(i);
        if (x.operand == access::own_number) {
            line("const long long p" + id + " = " + sum.substr(3) + ";");
            continue;
        }
        const operand& o = k_.operands[static_cast<std::size_t>(x.operand)];
        line(std::string(o.written ? "" : "const ") + type_text(o.type) + "* p" + id + " = " +
             number_text(o.written ? "y" : "x", x.operand) + sum + ";");
    }
}

// The element number of a gather's base before its indices are added.
SINTER_INLINE std::string host_writer::gather_base(std::uint32_t i) const {
    if (in_parts_) return number_text("o", i) + "[l]";
    std::string at = element(k_.body[i].payload, "l"), pointer = number_text("p", k_.body[i].payload);
    return pointer + " - " + number_text("x", k_.accesses[k_.body[i].payload].operand) + " + " +
           at.substr(pointer.size() + 1, at.size() - pointer.size() - 2);
}

SINTER_INLINE void host_writer::write_gather(std::uint32_t i, const std::string& target) {
    const instruction& v = k_.body[i];
    std::string number = number_text("at", i);
    line("long long " + number + " = " + gather_base(i) + ";");
    std::size_t which = 0;
    for (std::size_t x = 0; x < k_.indexed.size(); ++x) {
        if (k_.indexed[x].instruction != i) continue;
        std::string id = std::to_string(x), index = number_text("index", x);
        line("long long " + index + " = (long long)" + value(v.args[which]) + ";");
        // A large unsigned index must not be taken for one from the end.
        if (kind_of(k_.body[v.args[which]].type) != 'u') line(index + " += " + index + " < 0 ? extent" + id + " : 0;");
        open("if (" + index + " < 0 || " + index + " >= extent" + id + ")");
        line("long long expected = 0;");
        open("if (__atomic_compare_exchange_n(error, &expected, " + std::to_string(x + 1) +
             ", false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))");
        line("error[1] = (long long)" + value(v.args[which]) + ";");
        close();
        line(index + " = 0;");
        close();
        line(number + " += " + index + " * step" + id + ";");
        ++which;
    }
    // After a bad index nothing is read: the base may be empty.
    line(target + " = __atomic_load_n(error, __ATOMIC_RELAXED) ? " + zero_text(v.type) + " : " +
         number_text("x", k_.accesses[v.payload].operand) + "[" + number + "];");
}

SINTER_INLINE void host_writer::write_instruction(std::uint32_t i, const std::string& at, bool to_array) {
    const instruction& v = k_.body[i];
    std::string target = to_array ? number_text("t", i) + "[l]" : "const " + type_text(v.type) + number_text(" v", i);
    sequence<std::string> args;
    switch (v.kind) {
        case instruction_kind::scalar:
        case instruction_kind::literal: return;
        case instruction_kind::load: return line(target + " = " + element(v.payload, at) + ";");
        case instruction_kind::gather: return write_gather(i, target);
        case instruction_kind::result: {
            const reduction_step& r = k_.reductions[v.payload];
            std::string from = k_.scans ? number_text("a", v.payload)
                                        : number_text(is_indexed(r.how) ? "ri" : "r", v.payload);
            from += k_.scans || k_.is_row_kernel() ? "[l]" : "[i - begin + l]";
            return line(target + " = " + cast_text(is_indexed(r.how) ? dtype::int64 : accumulator_type(r.how, r.type),
                                                   v.type, from) + ";");
        }
        case instruction_kind::invoke:
            for (std::uint32_t a : v.args) args.push_back(value(a));
            return line(call_statement(k_, v, args, target, number_text("v", i)));
        case instruction_kind::component:
            return line(target + " = " + number_text(is_vector(v.args[0]) ? "t" : "v", v.args[0]) + number_text("_", v.payload) +
                        (is_vector(v.args[0]) ? "[l];" : ";"));
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
    if (k_.flat) {
        line("const long long i0 = begin;");
        line("const long long m = end - begin;");
    } else {
        open("for (long long i = begin; i < end;)");
        write_decode("i", t.first, t.last);
        line("const long long m = n" + inner + " - i" + inner + " < end - i ? n" + inner + " - i" + inner + " : end - i;");
    }
    write_pointers(t);
    line("#pragma GCC ivdep");
    open("for (long long l = 0; l < m; ++l)");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (here_[i]) write_instruction(i, "l", false);
    for (const store& s : k_.stores) line(element(s.access, "l") + " = " + value(s.value) + ";");
    close();
    if (k_.flat) return;
    line("i += m;");
    close();
}

SINTER_INLINE void host_writer::write_arrays() {
    std::string size = "[" + std::to_string(host_tile) + "] = {};";
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!here_[i] || outlives_stage(i)) continue;
        if (in_array_[i] && is_bundle(k_, i)) {
            const invocation& f = *k_.invocations[k_.body[i].payload];
            for (std::size_t r = 0; r < f.results.size(); ++r)
                line(type_text(f.results[r]) + number_text(" t", i) + number_text("_", static_cast<int>(r)) + size);
        } else if (in_array_[i]) line(type_text(k_.body[i].type) + number_text(" t", i) + size);
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

// Splits [i, i + m) where the innermost axis wraps around.
SINTER_INLINE void host_writer::open_parts(const tile_axes& t) {
    std::string inner = std::to_string(t.last - 1);
    open("for (int from = 0; from < m;)");
    write_decode("i + from", t.first, t.last);
    line("const int part = n" + inner + " - i" + inner + " < m - from ? (int)(n" + inner + " - i" + inner + ") : m - from;");
    write_pointers(t);
}

SINTER_INLINE void host_writer::write_loads(const tile_axes& t) {
    bool any = false;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        if (!here_[i]) continue;
        if (v.kind == instruction_kind::load || v.kind == instruction_kind::gather) any = true;
    }
    if (!any) return;
    open_parts(t);
    open("for (int l = from; l < from + part; ++l)");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (k_.body[i].kind == instruction_kind::load && here_[i])
            line(number_text("t", i) + "[l] = " + element(k_.body[i].payload, "(l - from)") + ";");
        else if (k_.body[i].kind == instruction_kind::gather && here_[i]) {
            std::string pointer = number_text("p", k_.body[i].payload), at = element(k_.body[i].payload, "(l - from)");
            line(number_text("o", i) + "[l] = " + pointer + " - " +
                 number_text("x", k_.accesses[k_.body[i].payload].operand) + " + " +
                 at.substr(pointer.size() + 1, at.size() - pointer.size() - 2) + ";");
        }
    }
    close();
    line("from += part;");
    close();
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
    std::string tile = std::to_string(host_tile), to = number_text("u", i);
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
            if (p % 2 == 1 && v.kind == instruction_kind::invoke) {
                write_vector_invoke(i);
                continue;
            }
            if (p % 2 == 1) {
                write_spread(i);
                open("for (int l = 0; l < " + std::to_string(host_tile) + "; ++l)");
                write_instruction(i, "l", true);
                close();
                continue;
            }
            if (!opened) {
                line("#pragma GCC ivdep");
                open("for (int l = 0; l < m; ++l)");
                opened = true;
            }
            write_instruction(i, "l", in_array_[i]);
        }
        if (p == last_phase_ && stores_in_last_loop(t) && !opened) {
            line("#pragma GCC ivdep");
            open("for (int l = 0; l < m; ++l)");
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
    line("#pragma GCC ivdep");
    open(parts ? "for (int l = from; l < from + part; ++l)" : "for (int l = 0; l < m; ++l)");
    for (const store& s : k_.stores)
        if (s.stage == t.stage) line(element(s.access, parts ? "(l - from)" : "l") + " = " + value(s.value) + ";");
    close();
    if (!parts) return;
    line("from += part;");
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen

#include <sinter/codegen/host_writer_invoke.ipp>
#include <sinter/codegen/host_writer_reduce.ipp>
#include <sinter/codegen/host_writer_rows.ipp>
#include <sinter/codegen/host_writer_scan.ipp>
#include <sinter/codegen/host_writer_select.ipp>

// Bodies of cuda_writer.hpp that print heads, bodies and maps; reductions are in cuda_writer_reduce.ipp.
#pragma once

#include <sinter/codegen/print/cuda/cuda_cluster_text.hpp>
#include <sinter/codegen/print/cuda/cuda_copies_text.hpp>
#include <sinter/codegen/print/cuda/cuda_reduces_text.hpp>
#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

#include <algorithm>
#include <utility>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE cuda_writer::cuda_writer(const kernel& k)
    : k_(k),
      facts_(row_facts_of(k)),
      scan_(scan_facts_of(k)),
      map_(map_facts_of(k)),
      values_(value_facts_of(k)),
      team_(facts_.shares_rows ? team_of_row : alone_in_row),
      index_(k.how.wide ? wide_index : narrow_index),
      name_(entry_name(k)) {
    inner_ = k.reduces() && k.tree == reduce_tree::columns ? k.kept - 1 : k.space.size() - 1;
    // append, because g++ 12 warns without reason about "i" + ….
    for (int i = 0; i < k.space.size(); ++i) at_.push_back(std::string("i").append(std::to_string(i)));
}

SINTER_INLINE void cuda_writer::line(const std::string& text) {
    if (text[0] != '#') out_.append(static_cast<std::size_t>(depth_) * 4, ' ');
    out_ += text + "\n";
}
SINTER_INLINE void cuda_writer::open(const std::string& text) {
    line(text.empty() ? "{" : text + " {");
    ++depth_;
}
SINTER_INLINE void cuda_writer::close(const std::string& text) {
    --depth_;
    line(text);
    if (text.back() == '{') ++depth_;
}

// `head(item, item, …)tail`, broken into lines.
SINTER_INLINE void cuda_writer::list(const std::string& head, const texts& items, const std::string& tail) {
    std::string s = head + "(";
    std::size_t indent = static_cast<std::size_t>(depth_) * 4;
    for (std::size_t i = 0; i < items.size(); ++i) {
        std::string item = items[i] + (i + 1 < items.size() ? "," : tail);
        if (indent + s.size() + item.size() > 118) {
            line(s);
            s = "        ";
        }
        s += (s.back() == ' ' || s.back() == '(' ? "" : " ") + item;
    }
    line(s);
}

SINTER_INLINE void cuda_writer::unroll(bool unrolls) { line(unrolls ? "#pragma unroll" : "#pragma unroll 1"); }

SINTER_INLINE void cuda_writer::unroll_lanes() { unroll(values_.unrolls_lanes); }

SINTER_INLINE std::string cuda_writer::operand_name(std::uint32_t a) const {
    std::int32_t o = k_.accesses[a].operand;
    return (k_.operands[static_cast<std::size_t>(o)].written ? "y" : "x") + std::to_string(o);
}
SINTER_INLINE std::string cuda_writer::operand_type(std::uint32_t a) const {
    return type_text(k_.operands[static_cast<std::size_t>(k_.accesses[a].operand)].type);
}
SINTER_INLINE std::string cuda_writer::accumulator(std::size_t r) const {
    return type_text(accumulator_type(k_.reductions[r].how, k_.reductions[r].type));
}

// One for each of cuda_parameters, in their order.
SINTER_INLINE cuda_writer::texts cuda_writer::parameters() const {
    const sequence<std::string> integers = integer_names(k_);
    const std::string by_address = k_.scalars_in_memory ? "* at_" : " ";
    const std::string given = k_.scalars_in_memory ? "const " : "";
    texts p;
    for (const cuda_parameter& x : cuda_parameters(k_)) {
        const std::string id = std::to_string(x.index), half = std::to_string(x.index / 2);
        switch (x.kind) {
            case cuda_parameter::operand: p.push_back(operand_parameter(x.index)); break;
            case cuda_parameter::partial:
                p.push_back(scan_.has_status   ? "unsigned long long* partial" + half
                            : x.index % 2 == 0 ? accumulator(x.index / 2) + "* partial" + half
                                               : "index* position" + half);
                break;
            case cuda_parameter::counters: p.push_back("unsigned* counters"); break;
            case cuda_parameter::scalar:
                p.push_back(given + type_text(scalar_type(k_, x.index)) + by_address + "c" + id);
                break;
            case cuda_parameter::inverse: p.push_back(given + "float" + by_address + "d" + id); break;
            case cuda_parameter::integer: p.push_back("index " + integers[x.index]); break;
            case cuda_parameter::error: p.push_back("long long* error"); break;
        }
    }
    return p;
}
SINTER_INLINE std::string cuda_writer::operand_parameter(std::size_t o) const {
    const operand& x = k_.operands[o];
    return (x.written ? "" : "const ") + type_text(x.type) + (x.written ? "* y" : "* x") + std::to_string(o);
}

SINTER_INLINE kernel_source cuda_writer::write() {
    out_ = head_text(k_.how) + prelude_text(k_, language::cuda);
    line(index_.declared);
    write_functions();
    if (values_.packs)
        line("template <class T, int N> struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) pack { T v[N]; };\n");
    if (facts_.counts_blocks) write_arrival();
    switch (k_.how.map) {
#define SINTER_MAPPING_cuda(name) \
    case mapping::name: write_##name(); break;
#define SINTER_MAPPING_host(name) \
    case mapping::name: throw internal_error("[codegen] a schedule of the CPU is printed for a GPU");
#define SINTER_MAPPING(name, backend, ...) SINTER_MAPPING_##backend(name)
#include <sinter/codegen/schedule/mappings.def>
#undef SINTER_MAPPING
#undef SINTER_MAPPING_host
#undef SINTER_MAPPING_cuda
    }
    return {name_, std::move(out_), options_of(k_)};
}

// What the printers of reductions begin with.
SINTER_INLINE void cuda_writer::begin_reduction() {
    write_staging_functions();
    write_reduces();
}

SINTER_INLINE void cuda_writer::write_elements() {
    if (k_.how.flat && k_.how.vector_width > 1) write_flat_map();
    else write_grid_map();
}

// Before any other statement; `early_start_capability` says why this is right.
SINTER_INLINE std::string early_start_text() {
    return "#if __CUDA_ARCH__ >= " + std::to_string(100 * early_start_capability) +
           "\n    asm volatile(\"griddepcontrol.launch_dependents; griddepcontrol.wait;\" ::: \"memory\");\n#endif\n";
}

SINTER_INLINE void cuda_writer::write_head() {
    line("extern \"C\" __global__ void __launch_bounds__(" + std::to_string(k_.how.threads) +
         (k_.how.blocks ? ", " + std::to_string(k_.how.blocks) : "") + ")");
    list(name_, parameters(), ") {");
    ++depth_;
    out_ += early_start_text();
    if (!k_.scalars_in_memory) return;
    auto read = [&](const std::string& type, std::string_view kind, std::uint32_t c) {
        const std::string which = std::string(kind).append(std::to_string(c));
        line("const " + type + " " + which + " = *at_" + which + ";");
    };
    for (std::uint32_t c = 0; c < k_.scalars.size(); ++c) read(type_text(scalar_type(k_, c)), "c", c);
    for (std::uint32_t c : inverse_scalars(k_)) read("float", "d", c);
}

// The text around a map's loop stays around it where threads have nothing to do and return.
SINTER_INLINE void cuda_writer::write_around() {
    const instruction* call = call_around(k_);
    if (!call) return;
    texts args;
    for (std::uint32_t a : call->args) args.push_back(is_given(k_.body[a]) ? value(a) : "");
    line(around_text(k_, args));
    ++depth_;
}

// Of a map.
SINTER_INLINE void cuda_writer::write_end() {
    if (call_around(k_)) close("});");
    close();
}

SINTER_INLINE kernel_source scalar_writer_cuda() {
    const std::string words = std::to_string(2 * most_step_scalars);
    return {"write_scalars",
            "// The numbers of this run for the kernels that follow.\nstruct scalars { unsigned long long words[" +
                words + "]; };\n\nextern \"C\" __global__ void __launch_bounds__(" + words +
                ")\nwrite_scalars(unsigned long long* to, scalars given) {\n" + early_start_text() +
                "    to[threadIdx.x] = given.words[threadIdx.x];\n}\n",
            {}};
}

SINTER_INLINE kernel_source scaling_cuda(dtype type) {
    const std::string of = type_text(type), per_block = std::to_string(scaled_by_block);
    return {"scale_" + std::string(to_string(type)),
            "extern \"C\" __global__ void __launch_bounds__(256)\n" +
                ("scale(" + of + "* x, " + of + " factor, long long count) {\n") +
                "    const long long first = blockIdx.x * " + per_block + "ll + threadIdx.x;\n    #pragma unroll\n" +
                "    for (int k = 0; k < " + per_block + "; k += 256)\n" +
                "        if (first + k < count) x[first + k] *= factor;\n}\n",
            {}};
}

SINTER_INLINE std::string cuda_writer::block_number() const { return index_.block_number; }

// The coordinates of point `from` of the axes [first, last), counted row-major.
SINTER_INLINE void cuda_writer::write_decode(const std::string& from, int first, int last) {
    const std::string type = index_.unsigned_type;
    if (last - first == 1) {
        at_[static_cast<std::size_t>(first)] = from;
        return;
    }
    line(type + " rest" + std::to_string(first) + " = " + from + ";");
    for (int i = last - 1; i >= first; --i) {
        std::string id = std::to_string(i), rest = "rest" + std::to_string(first), axis = "i" + id;
        at_[static_cast<std::size_t>(i)] = axis;
        if (i == first) {
            line("const index " + axis + " = " + rest + ";");
            break;
        }
        line("const index " + axis + " = " + rest + " % (" + type + ")n" + id + ";");
        line(rest + " /= n" + id + ";");
    }
}

SINTER_INLINE std::string cuda_writer::value(std::uint32_t i) const {
    const instruction& v = k_.body[i];
    if (v.kind == instruction_kind::scalar) return "c" + std::to_string(v.payload);
    if (v.kind == instruction_kind::literal) return literal_text(k_.literals[v.payload]);
    if (v.kind == instruction_kind::whole) return "x" + std::to_string(v.payload);
    return "v" + std::to_string(i);
}

// The element number of an access where the thread stands, from where its pointer points.
SINTER_INLINE std::string cuda_writer::position(std::uint32_t a) const {
    const bool is_number = k_.accesses[a].operand == access::own_number;
    std::string id = std::to_string(a), s = is_number ? "first" + id : "", along;
    const std::string walk = a < map_.walk.size() ? std::to_string(map_.walk[a]) : id;
    auto add = [&](const std::string& term) { s += (s.empty() ? "" : " + ") + term; };
    auto add_axis = [&](int i) {
        stride_class step = i == inner_ ? k_.accesses[a].step : stride_class::strided;
        if (k_.how.outer_rows && i + 1 < k_.kept && repeats_along_outer(k_, a)) step = stride_class::broadcast;
        if (map_.transposed[a]) step = i == map_.axis ? stride_class::contiguous : stride_class::strided;
        const std::string& at = at_[static_cast<std::size_t>(i)];
        if (step == stride_class::aligned) along = " + " + at;
        if (step == stride_class::contiguous) add(at);
        if (step == stride_class::reversed) s += (s.empty() ? "-" : " - ") + at;
        if (step == stride_class::strided) add(at + " * s" + walk + "_" + std::to_string(i));
    };
    // What a thread's rows have in common stands first, so that it is computed once.
    const int rows_axis = !k_.reduces() && k_.how.packs > 1 ? map_.rows_axis : -1;
    for (int i = 0; i < (in_row_ ? k_.kept : k_.space.size()); ++i)
        if (i != rows_axis) add_axis(i);
    if (rows_axis >= 0 && !map_.repeated[a]) add_axis(rows_axis);
    // The compiler does not know that the row begins at a multiple of four.
    if (!draws_.empty() && !along.empty()) s = (s.find(' ') == s.npos ? "(" + s : "((" + s + ")") + " & -4)";
    if (s.empty()) return "0";
    const bool is_enclosed = s.front() == '(' && s.find(')') == s.size() - 1;
    return is_enclosed && along.empty() ? s.substr(1, s.size() - 2) : s + along;
}

SINTER_INLINE std::string cuda_writer::element(std::uint32_t a) const {
    // What elements share may be read by their row or column, too, which finds it in memory.
    if (!in_row_ && a < loaded_.size() && !loaded_[a].empty()) {
        if (k_.how.column_threads == 0) return loaded_[a];
        // The first of a column, or the element i of a stage's function.
        const bool is_first = at_[static_cast<std::size_t>(k_.kept)] == "0";
        return loaded_[a] + (is_first ? "[0]" : "[i]");
    }
    if (k_.accesses[a].operand == access::own_number) return position(a);
    return operand_name(a) + "[" + position(a) + "]";
}

SINTER_INLINE std::string cuda_writer::pack_at(std::uint32_t a) const {
    return "pack<" + operand_type(a) + ", " + std::to_string(k_.how.vector_width) + ">";
}

// Whether the body's function takes the value, loaded by its callers, as a parameter.
SINTER_INLINE bool cuda_writer::is_parameter(std::uint32_t i) const {
    const instruction& v = k_.body[i];
    if (!facts_.takes_loaded || is_row_stage(v.stage)) return false;
    return is_draw(i) || (v.kind == instruction_kind::load && k_.accesses[v.payload].operand != access::own_number);
}

SINTER_INLINE void cuda_writer::write_body(int stage, element_forms forms) {
    in_row_ = is_row_stage(stage);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (k_.body[i].stage == stage && !is_parameter(i) && (draws_.empty() || draws_[i].needed)) {
            write_instruction(i, forms);
            const std::string id = std::to_string(i);
            if (facts_.inverse_divisor[i])
                line("const scalar::row_divisor divisor" + id + " = scalar::row_divisor_of(v" + id + ");");
            if (facts_.fixed_divisor[i])
                line("const " + divisor_type(i) + " d" + id + " = " + divisor_type(i) + "_of(v" + id + ");");
        }
}

SINTER_INLINE void cuda_writer::write_stores(int stage) {
    for (const store& s : k_.stores)
        if (s.stage == stage) line(element(s.access) + " = " + value(s.value) + ";");
}

// A parameter of the body's function for one of the thread's neighbours, and where the thread stands.
SINTER_INLINE std::string cuda_writer::lane_value(std::uint32_t i, const std::string& lane) const {
    if (is_draw(i)) return drawn_word(i, lane);
    if (facts_.rows_ahead) return "t" + std::to_string(i) + "[" + lane + "]";
    if (is_word(i)) {
        const std::string byte = "t" + std::to_string(i) + "[j] >> 8 * " + lane;
        return k_.body[i].type == dtype::bool_ ? "(bool)(" + byte + " & 255)"
                                               : "(" + type_text(k_.body[i].type) + ")(" + byte + ")";
    }
    bool moves = k_.accesses[k_.body[i].payload].step == stride_class::contiguous;
    return "t" + std::to_string(i) + (facts_.prefetches && moves ? "[j]" : "") + (moves ? ".v[" + lane + "]" : "");
}
SINTER_INLINE std::string cuda_writer::single_value(std::uint32_t i) const {
    if (!is_draw(i)) return element(k_.body[i].payload);
    const instruction& v = k_.body[i];
    return form_text(v.operation, v.common, v.type, {draw_counter(i), value(v.args[1]), value(v.args[2])},
                     language::cuda);
}

// What a thread needs of one loaded value: its neighbours at once, or the one that they share.
SINTER_INLINE void cuda_writer::write_load(std::uint32_t i) {
    if (is_draw(i)) return write_draw(i);
    std::uint32_t a = k_.body[i].payload;
    std::string id = std::to_string(i);
    if (k_.accesses[a].step == stride_class::contiguous)
        line("const " + pack_at(a) + " t" + id + " = *(const " + pack_at(a) + "*)&" + element(a) + ";");
    else line("const " + type_text(k_.body[i].type) + " t" + id + " = " + element(a) + ";");
}

}  // namespace sinter::inline SINTER_ABI::codegen

#include <sinter/codegen/print/cuda/cuda_writer_values.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_columns.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_finish.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_resident_copies.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_combine.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_multi_output.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_grid.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_map.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_tile_status.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_thread_columns.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_reduce.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_row_tiles.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_rows.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_scan.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_scan_columns.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_select.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_cooperative_rows.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_warp_rows.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_striped_rows.ipp>
#include <sinter/codegen/print/cuda/cuda_writer_transpose.ipp>

SINTER_COLD_END

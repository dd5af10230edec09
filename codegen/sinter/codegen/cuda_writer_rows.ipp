// Bodies of cuda_writer.hpp that print row kernels: stages over rows whose elements stay in registers where they fit.
#pragma once

#include <sinter/codegen/cuda_writer.hpp>
#include <sinter/codegen/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// A thread works on groups of four neighbours. Rows of up to 1024 elements: up to a warp for each, of up to 4096: 256 threads, also
// where they are only reduced. Up to 16384: 256 threads for each block of 4096 of the reductions' order, of one thread block or, up
// to 32768, of a cluster of them. In all, what later stages need stays in registers.
SINTER_INLINE void cuda_writer::write_row_kernel() {
    // Bodies that are not unrolled cannot address registers.
    bool keeps = k_.row_capacity > 0 && k_.body.size() <= unrolled_body;
    kept_ = kept_values(k_, keeps ? kept_in_registers : keeping{false, 0});
    write_head(name_, k_.short_rows || k_.has_row_blocks() ? cuda_threads : cuda_row_threads);
    write_sizes();
    write_row_position();
    write_row_arrays();
    for (int stage = 0; stage < k_.stages; ++stage) is_row_stage(stage) ? write_row_stage(stage) : write_element_stage(stage);
    close();
}

SINTER_INLINE int cuda_writer::row_groups() const {
    if (k_.short_rows) return k_.row_capacity / (4 * lanes_of_short_row(k_));
    return k_.has_row_blocks() ? k_.row_capacity / row_lanes : 4;
}

SINTER_INLINE std::string cuda_writer::group_begin() const {
    if (takes_apart(k_)) return "1024 * g + t";
    return (k_.short_rows ? std::to_string(4 * lanes_of_short_row(k_)) : "1024") + " * g + 4 * t";
}

// Element c of a group that begins at l.
SINTER_INLINE std::string cuda_writer::group_element() const { return takes_apart(k_) ? "l + 256 * c" : "l + c"; }

SINTER_INLINE void cuda_writer::write_row_position() {
    line("const int t = threadIdx.x;");
    if (k_.short_rows) return write_short_position();
    line("const index row = " + block_number() + ";");
    if (k_.wide) line("if (row >= kept) return;");
    line("const bool inside = threadIdx.y == 0;");
    line("const index begin = 4096 * threadIdx.y;");
    line("const int size = (int)(reduced - begin < 4096 ? reduced - begin : 4096);");
    write_decode("row", 0, k_.kept);
}

SINTER_INLINE void cuda_writer::write_element_array(std::uint32_t i) {
    const std::string count = "[" + std::to_string(4 * row_groups()) + "]";
    line(type_text(k_.body[i].type) + " k" + std::to_string(i) + each_turn() + count + ";");
}

// Accumulators of all stages, and what outlives its stage.
SINTER_INLINE void cuda_writer::write_row_arrays() {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (kept_[i]) write_element_array(i);
    if (k_.short_rows) return write_short_arrays(), write_span_rooms();
    per_reduction("@ a#[4], r#;", "index ai#[4], ri#;");
    if (k_.has_row_blocks()) {
        write_room(std::max(takes_apart(k_) ? 4 : 0, 2 * static_cast<int>(std::min<std::size_t>(k_.reductions.size(), 4))));
        per_reduction("__shared__ @ result#;", "__shared__ index resulti#;");
        return line("int turn = 0;");
    }
    line("__shared__ double rooms[" + std::to_string(cuda_row_threads / cuda_threads) + "][" + std::to_string(room_words(k_)) + "];");
    line("double* room = rooms[threadIdx.y];");
}

SINTER_INLINE bool cuda_writer::reduces_in(int stage) const {
    for (const reduction_step& r : k_.reductions)
        if (r.stage == stage) return true;
    return false;
}

// Whether four neighbours of an access are moved at once.
SINTER_INLINE bool cuda_writer::is_packed(std::uint32_t a) const {
    return k_.vector_width > 1 && k_.accesses[a].operand != access::own_number && k_.advances[a] == advance::unit;
}

// Whether a value is loaded, for all groups, before the stage computes.
SINTER_INLINE bool cuda_writer::is_array(std::uint32_t i) const {
    return here_[i] && k_.body[i].kind == instruction_kind::load && is_packed(k_.body[i].payload);
}

// Whether the function of an element takes a value as a parameter: loaded before, or kept from an earlier stage.
SINTER_INLINE bool cuda_writer::is_input(std::uint32_t i) const {
    return is_array(i) || (kept_[i] && !here_[i] && used_[i]);
}

SINTER_INLINE void cuda_writer::write_element_stage(int stage) {
    here_ = computed_in(k_, stage, kept_);
    used_ = used_in(k_, stage, here_);
    in_row_ = false;
    open("");
    write_origins(stage, k_.close_capacity ? "" : "reduced > 0");
    write_element_function(stage);
    if (write_element_arrays()) write_element_loads();
    write_element_groups(stage);
    write_spans(stage);
    if (reduces_in(stage)) write_row_results(stage);
    close();
}

// element(is_first, i, inputs, outputs, lanes): what the stage computes for element i.
SINTER_INLINE void cuda_writer::write_element_function(int stage) {
    texts parameters;
    if (together_ > 1) parameters.push_back("int u");
    for (const char* p : {"bool is_first", "index i"}) parameters.push_back(p);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        std::string id = std::to_string(i), type = type_text(k_.body[i].type);
        if (is_input(i)) parameters.push_back(type + " v" + id);
        else if (kept_[i] && here_[i]) parameters.push_back(type + "& keep" + id);
    }
    for (std::size_t s = 0; s < k_.stores.size(); ++s)
        if (k_.stores[s].stage == stage && is_packed(k_.stores[s].access))
            parameters.push_back(operand_type(k_.stores[s].access) + "& u" + std::to_string(s));
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage) continue;
        parameters.push_back(accumulator(r) + "& a" + std::to_string(r));
        if (indexed(r)) parameters.push_back("index& ai" + std::to_string(r));
    }
    list("const auto element = [&]", parameters, ") {");
    ++depth_;
    write_turn(stores_single(stage) || loads_single(), stores_single(stage));
    write_held_values();
    write_decode("i", k_.kept, k_.space.size());
    load_from_spans("(int)i");
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!here_[i]) continue;
        if (!is_array(i)) write_instruction(i);
        if (kept_[i] && !is_array(i)) line("keep" + std::to_string(i) + " = v" + std::to_string(i) + ";");
    }
    loaded_.clear();
    for (std::size_t s = 0; s < k_.stores.size(); ++s) {
        if (k_.stores[s].stage != stage) continue;
        std::uint32_t a = k_.stores[s].access;
        std::string to = (k_.short_rows ? "if (inside) " : "") + this->element(a);
        if (is_packed(a)) to = "u" + std::to_string(s);
        else if (has_span(s)) to = span_element(stored_spans_[s], "(int)i");
        line(to + " = " + value(k_.stores[s].value) + ";");
    }
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        if (k_.reductions[r].stage == stage) write_accumulation(r);
    close("};");
}

// Where the stage has what it loads, unless it is kept; whether it loads anything.
SINTER_INLINE bool cuda_writer::write_element_arrays() {
    bool any = false;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!is_array(i)) continue;
        any = true;
        if (!kept_[i]) write_element_array(i);
    }
    return any;
}

// All that the stage loads at once, before any of it is used: memory answers in parallel.
SINTER_INLINE void cuda_writer::write_element_loads() {
    at_[static_cast<std::size_t>(k_.kept)] = k_.short_rows ? "l" : "(begin + l)";
    line("#pragma unroll");
    open("for (int g = 0; g < " + std::to_string(row_groups()) + "; ++g)");
    line("const int l = " + group_begin() + ";");
    write_group_check();
    open_rows();
    write_turn(true, false);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!is_array(i)) continue;
        write_load(i);
        std::string id = std::to_string(i);
        line("#pragma unroll");
        line("for (int c = 0; c < 4; ++c) k" + id + of_turn() + "[4 * g + c] = t" + id + ".v[c];");
    }
    close_rows();
    close();
}

SINTER_INLINE cuda_writer::texts cuda_writer::element_arguments(int stage) const {
    texts arguments;
    if (together_ > 1) arguments.push_back("u");
    for (const char* a : {k_.short_rows ? "true" : "g == 0", k_.short_rows ? "" : "begin + "}) arguments.push_back(a);
    arguments.back() += group_element();
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_input(i) || (kept_[i] && here_[i])) arguments.push_back("k" + std::to_string(i) + of_turn() + "[4 * g + c]");
    for (std::size_t s = 0; s < k_.stores.size(); ++s)
        if (k_.stores[s].stage == stage && is_packed(k_.stores[s].access))
            arguments.push_back("o" + std::to_string(s) + ".v[c]");
    std::string lanes = k_.short_rows ? "b" : "a";
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage) continue;
        arguments.push_back(lanes + std::to_string(r) + "[c]");
        if (indexed(r)) arguments.push_back(lanes + "i" + std::to_string(r) + "[c]");
    }
    return arguments;
}

SINTER_INLINE void cuda_writer::write_element_groups(int stage) {
    bool reduces = reduces_in(stage), whole = k_.vector_width > 1;
    std::string unrolling = k_.body.size() > unrolled_body ? "#pragma unroll 1" : "#pragma unroll";
    line(unrolling);
    open("for (int g = 0; g < " + std::to_string(row_groups()) + "; ++g)");
    line("const int l = " + group_begin() + ";");
    write_group_check();
    open_rows();
    if (k_.short_rows && reduces) per_reduction("@ b#[4];", "index bi#[4];", stage);
    for (std::size_t s = 0; s < k_.stores.size(); ++s)
        if (k_.stores[s].stage == stage && is_packed(k_.stores[s].access))
            line(pack_at(k_.stores[s].access) + " o" + std::to_string(s) + ";");
    line(unrolling);
    open("for (int c = 0; c < 4; ++c)");
    list(whole ? "element" : unless_full("if (" + group_element() + " < size) ") + "element", element_arguments(stage), ");");
    close();
    for (std::size_t r = 0; r < k_.reductions.size() && k_.short_rows; ++r) {
        if (k_.reductions[r].stage != stage) continue;
        std::string id = std::to_string(r);
        line("join_four" + id + "(b" + id + (indexed(r) ? ", bi" + id : "") + (whole ? ", 4);" : ", " + lanes_left() + ");"));
    }
    if (k_.short_rows) per_reduction("a#" + of_turn() + "[g] = b#[0];", "ai#" + of_turn() + "[g] = bi#[0];", stage);
    write_turn(stores_packs(stage), stores_packs(stage));
    at_[static_cast<std::size_t>(k_.kept)] = k_.short_rows ? "l" : "(begin + l)";
    for (std::size_t s = 0; s < k_.stores.size(); ++s) {
        std::uint32_t a = k_.stores[s].access;
        if (k_.stores[s].stage == stage && is_packed(a))
            line((k_.short_rows ? "if (inside) *(" : "*(") + pack_at(a) + "*)&" + element(a) + " = o" + std::to_string(s) + ";");
    }
    close_rows();
    close();
}

// The lanes to the row's results, which every thread gets.
SINTER_INLINE void cuda_writer::write_row_results(int stage) {
    if (k_.short_rows) return write_short_results(stage);
    if (k_.has_row_blocks()) return write_one_block_results(stage);
    if (shares_rows(k_)) return write_first_meeting(stage), write_part_results(stage), write_share_results(stage, true);
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage) continue;
        std::string id = std::to_string(r), pass = "(a" + id + (indexed(r) ? ", ai" + id : "");
        line("join_block" + id + pass + ", size, room);");
    }
    write_block_results(stage);
}

// Lanes that lie 256 apart, as elements do which are moved one by one, to four neighbours of each thread.
SINTER_INLINE void cuda_writer::write_lane_exchange(int stage) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage) continue;
        const std::string id = std::to_string(r), values = "((" + accumulator(r) + "*)room[0])[", places = "((index*)(room[0] + 1024))[";
        auto both = [&](const std::string& direct, const std::string& index) { return indexed(r) ? direct + ", " + index + ";" : direct + ";"; };
        line("__syncthreads();");
        line("#pragma unroll");
        line("for (int c = 0; c < 4; ++c) " + both(values + "256 * c + t] = a" + id + "[c]", places + "256 * c + t] = ai" + id + "[c]"));
        line("__syncthreads();");
        line("#pragma unroll");
        line("for (int c = 0; c < 4; ++c) " + both("a" + id + "[c] = " + values + "4 * t + c]", "ai" + id + "[c] = " + places + "4 * t + c]"));
    }
    line("__syncthreads();");
}

SINTER_INLINE void cuda_writer::write_one_block_results(int stage) {
    if (takes_apart(k_)) write_lane_exchange(stage);
    line("constexpr int lanes = 1024;");
    write_four_joins(stage);
    write_room_joins(stage, "lanes", [&](std::size_t r) { write_for(r, "result# = a#[0];", "resulti# = ai#[0];"); });
    line("__syncthreads();");
    per_reduction("r# = result#;", "ri# = resulti#;", stage);
}

// Up to four blocks of a row join as the first four elements of the next level would.
SINTER_INLINE void cuda_writer::write_block_results(int stage) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        if (k_.reductions[r].stage != stage) continue;
        std::string id = std::to_string(r), a = accumulator(r);
        bool has_index = indexed(r);
        open("");
        line(a + "* shared = (" + a + "*)rooms[0];");
        if (has_index) line("index* shared_index = (index*)(rooms[0] + 256);");
        line("if (t == 0) shared[threadIdx.y] = a" + id + "[0]" +
             (has_index ? ", shared_index[threadIdx.y] = ai" + id + "[0];" : ";"));
        line("__syncthreads();");
        line(a + " p[4];");
        if (has_index) line("index pi[4];");
        line("#pragma unroll");
        line("for (int q = 0; q < 4; ++q) if (q < parts) p[q] = shared[q]" +
             std::string(has_index ? ", pi[q] = shared_index[q];" : ";"));
        line("join_four" + id + (has_index ? "(p, pi, (int)parts);" : "(p, (int)parts);"));
        line("r" + id + " = p[0];");
        if (has_index) line("ri" + id + " = pi[0];");
        line("__syncthreads();");
        close();
    }
}

// What is computed once per row: every thread has it, one stores it.
SINTER_INLINE void cuda_writer::write_row_stage(int stage) {
    if (k_.short_rows) return write_short_row_stage(stage);
    write_body(stage);
    bool stores = false;
    for (const store& s : k_.stores) stores = stores || s.stage == stage;
    if (stores) {
        open("if (t == 0 && inside)");
        write_stores(stage);
        close();
    }
    in_row_ = false;
}

}  // namespace sinter::inline SINTER_ABI::codegen

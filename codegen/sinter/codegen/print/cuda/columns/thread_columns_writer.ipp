// Bodies of thread_columns_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/cuda/columns/thread_columns_writer.hpp>
#include <sinter/codegen/schedule/geometry.hpp>

#include <algorithm>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// What stays of a thread's elements.
SINTER_INLINE void thread_columns_writer::write_column_arrays() {
    const std::string count = std::to_string(facts_.column_elements);
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const std::string id = std::to_string(i);
        if (facts_.persistent[i]) line({type_text(k_.body[i].type), " k", id, "[", count, "];"});
    }
}

SINTER_INLINE void thread_columns_writer::write_column_stages() {
    for (int stage = 0; stage < k_.stages; ++stage) {
        if (is_row_stage(stage)) write_column_row_stage(stage);
        else write_column_stage(stage);
    }
}

// One after the other of the columns that a thread has, a thread block's apart.
SINTER_INLINE void thread_columns_writer::open_columns() {
    open_packs("column", std::to_string(cuda_threads), "kept");
    write_decode("column", 0, k_.kept);
}

// Where a thread has several columns: the elements of all of them are on their way before anything is stored.
SINTER_INLINE void thread_columns_writer::write_column_loads() {
    const std::string capacity = std::to_string(facts_.column_elements), least = std::to_string(facts_.sure_elements),
                      items = "[" + std::to_string(k_.how.packs) + "][";
    write_first_of_block();
    const sequence<std::uint32_t> loads = loads_of_columns(k_);
    for (std::uint32_t i : loads) line({type_text(k_.body[i].type), " t", i, items, capacity, "];"});
    write_column_places();
    open_columns();
    open_unrolled("for (int e = 0; e < " + capacity + "; ++e)");
    for (std::uint32_t i : loads)
        line({"if (e < ", least, " || e < reduced) t", i, "[item][e] = ", element(k_.body[i].payload), ";"});
    close();
    close();
    loaded_.resize(k_.accesses.size());
    for (std::uint32_t i : loads) loaded_[k_.body[i].payload] = "t" + std::to_string(i) + "[item]";
    open_columns();
}

// Where a column's elements stand along its axes, which is the same in all columns of a thread.
SINTER_INLINE void thread_columns_writer::write_column_places() {
    at_element() = "e";
    if (k_.space.size() == k_.kept + 1) return;
    const std::string capacity = std::to_string(facts_.column_elements);
    std::string arrays = "index";
    for (int i = k_.kept; i < k_.space.size(); ++i)
        arrays.append(i > k_.kept ? ", e" : " e").append(std::to_string(i)).append("[" + capacity + "]");
    line({arrays, ";"});
    open_unrolled("for (int e = 0; e < " + capacity + "; ++e)");
    write_decode("e", k_.kept, k_.space.size());
    for (int i = k_.kept; i < k_.space.size(); ++i) {
        std::string& at = at_[static_cast<std::size_t>(i)];
        const std::string place = joined({"e", i, "[e]"});
        line({place, " = ", at, ";"});
        at = place;
    }
    close();
}

SINTER_INLINE void thread_columns_writer::write_own_column() {
    line({"const index column = ", block_number(), " * ", cuda_threads, " + threadIdx.x;"});
    line("if (column >= kept) return;");
    write_decode("column", 0, k_.kept);
}

inline constexpr const char* shared_column_text =
#include <sinter/codegen/print/cuda/text/shared_column.cuh>
    ;

SINTER_INLINE void thread_columns_writer::write_shared_column() {
    fill(shared_column_text, {{"block", block_number()}, {"across", std::to_string(cuda_threads / column_lanes)}});
    write_decode("column", 0, k_.kept);
}

SINTER_INLINE void thread_columns_writer::write_column_stage(int stage) {
    in_row_ = false;
    write_origins(stage, "");
    open("");
    write_element_function(stage, false, false);
    if (facts_.column_elements > 0) write_column_elements(stage);
    else write_column_loop(stage);
    if (reduces_in(stage)) write_column_results(stage);
    close();
}

SINTER_INLINE void thread_columns_writer::write_column_row_stage(int stage) {
    write_body(stage);
    const bool one_stores = facts_.is_repeated && !of(stage).stores.empty();
    if (one_stores) open("if (lane == 0 && inside)");
    write_stores(stage);
    if (one_stores) close();
    in_row_ = false;
}

// Arguments of element; what is kept of it stands at `place`.
SINTER_INLINE thread_columns_writer::texts thread_columns_writer::column_arguments(int stage, const std::string& first,
                                                                                   const std::string& at,
                                                                                   const std::string& lane,
                                                                                   const std::string& place) const {
    texts arguments{first, at};
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const std::string id = std::to_string(i);
        if (of(stage).input[i] || (facts_.persistent[i] && of(stage).here[i])) arguments.push_back("k" + id + place);
    }
    for (std::size_t r : reductions_of(stage)) {
        const std::string id = std::to_string(r);
        arguments.push_back("a" + id + lane);
        if (indexed(r)) arguments.push_back("ai" + id + lane);
    }
    return arguments;
}

// Element i belongs to lane i % 8.
SINTER_INLINE void thread_columns_writer::write_column_elements(int stage) {
    const int sure = facts_.sure_elements;
    open_unrolled("for (int e = 0; e < " + std::to_string(facts_.column_elements) + "; ++e)");
    const std::string check = "if (" + (sure > 0 ? "e < " + std::to_string(sure) + " || " : std::string());
    if (!facts_.by_chunks) {
        list(check + "e < reduced) element", column_arguments(stage, "e < 8", "e", "[e % 8]", "[e]"), ");");
    } else {
        line("const int i = lane + 8 * e;");
        list(check + "i < reduced) element", column_arguments(stage, "e == 0", "i", "", "[e]"), ");");
    }
    close();
}

// One element, or eight, after the other, where none is kept.
SINTER_INLINE void thread_columns_writer::write_column_loop(int stage) {
    if (facts_.by_chunks) {
        line("#pragma unroll 1");
        return list("for (int i = lane; i < reduced; i += 8) element", column_arguments(stage, "i < 8", "i", "", ""),
                    ");");
    }
    const texts arguments = column_arguments(stage, "first == 0", "first + l", "[l]", "");
    auto write_lanes = [&](const std::string& check) {
        line("#pragma unroll");
        list("for (int l = 0; l < 8; ++l) " + check + "element", arguments, ");");
    };
    open_unrolled("for (index first = 0; first < reduced; first += 8)", 1);
    open("if (reduced - first >= 8)");
    write_lanes("");
    close("} else {");
    write_lanes("if (first + l < reduced) ");
    close();
    close();
}

SINTER_INLINE void thread_columns_writer::write_column_results(int stage) {
    if (facts_.by_chunks) {
        for (std::size_t r : reductions_of(stage))
            line(reduce_text("chunk_reduce", r, "lanes, buffer[buffer_phase ^= 1]"));
        open("if (lane == 0)");
        per_reduction("result#[threadIdx.x] = a#;", "resulti#[threadIdx.x] = ai#;", stage);
        close();
        line("__syncthreads();");
        return per_reduction("r# = result#[threadIdx.x];", "ri# = resulti#[threadIdx.x];", stage);
    }
    const int elements = facts_.column_elements,
              half = std::min(elements > 0 ? elements : column_lanes, column_lanes) / 2;
    open_unrolled("for (int h = " + std::to_string(half) + "; h > 0; h /= 2)");
    open_unrolled("for (int l = 0; l < h; ++l)");
    per_reduction("if (l + h < reduced) combine#(a#[l]{?, ai#[l]?}, a#[l + h]{?, ai#[l + h]?});", "", stage);
    close();
    close();
    per_reduction("r# = a#[0];", "ri# = ai#[0];", stage);
}

SINTER_INLINE void thread_columns_writer::write_kernel() {
    begin_reduction();
    write_head();
    write_sizes();
    if (k_.how.map == mapping::thread_per_column) write_thread_per_column();
    else write_threads_per_column();
    close();
    out_ += "\n";
}

SINTER_INLINE void thread_columns_writer::write_thread_per_column() {
    const bool several = k_.how.packs > 1;
    if (several) write_column_loads();
    else write_own_column();
    write_column_arrays();
    per_reduction("@ a#[8], r#;", "index ai#[8], ri#;");
    write_column_stages();
    if (several) close();
}

SINTER_INLINE void thread_columns_writer::write_threads_per_column() {
    const bool combines = combined_reductions(k_) > 0;
    write_shared_column();
    write_column_arrays();
    write_shared_buffer(combines ? 2 : 0);
    per_reduction("__shared__ @ result#[32];", "__shared__ index resulti#[32];");
    per_reduction("@ a#, r#;", "index ai#, ri#;");
    if (combines) line("int buffer_phase = 0;");
    write_column_stages();
}

SINTER_INLINE kernel_source print_thread_per_column(const kernel& k) { return written_by<thread_columns_writer>(k); }
SINTER_INLINE kernel_source print_threads_per_column(const kernel& k) { return written_by<thread_columns_writer>(k); }

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

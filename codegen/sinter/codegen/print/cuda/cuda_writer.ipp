// Bodies of cuda_writer.hpp.
#pragma once

#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/print/code_words.hpp>
#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/cuda_parameters.hpp>
#include <sinter/codegen/print/function_text.hpp>
#include <sinter/codegen/print/prelude.hpp>
#include <sinter/codegen/schedule/geometry.hpp>

#include <utility>

SINTER_COLD_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* divisor_text =
#include <sinter/codegen/print/cuda/text/divisor.cuh>
    ;
inline constexpr const char* arrival_text =
#include <sinter/codegen/print/cuda/text/arrival.cuh>
    ;

SINTER_INLINE std::string cuda_writer::accumulator(std::size_t r) const {
    return facts_.fits_int[r] ? "int" : type_text(k_.reductions[r].accumulator());
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
            case cuda_parameter::divisor: p.push_back("index_divisor by" + id); break;
            case cuda_parameter::error: p.push_back("long long* error"); break;
        }
    }
    return p;
}

SINTER_INLINE std::string cuda_writer::operand_parameter(std::size_t o) const {
    const operand& x = k_.operands[o];
    return (x.written ? "" : "const ") + type_text(x.type) + (x.written ? "* y" : "* x") + std::to_string(o);
}

inline constexpr const char* positions_text =
#include <sinter/codegen/print/cuda/text/positions.cuh>
    ;

SINTER_INLINE void cuda_writer::write_head() {
    if (!k_.indexed.empty()) out_ += std::string_view(positions_text).substr(1);
    line({"extern \"C\" __global__ void __launch_bounds__(", k_.how.threads,
          k_.how.blocks ? ", " + std::to_string(k_.how.blocks) : "", ")"});
    list(name_, parameters(), ") {");
    ++depth_;
    out_ += early_start_text();
    if (!k_.scalars_in_memory) return;
    auto read = [&](const std::string& type, std::string_view kind, std::uint32_t c) {
        const std::string which = std::string(kind).append(std::to_string(c));
        line({"const ", type, " ", which, " = *at_", which, ";"});
    };
    for (std::uint32_t c = 0; c < k_.scalars.size(); ++c) read(type_text(scalar_type(k_, c)), "c", c);
    for (std::uint32_t c : inverse_scalars(k_)) read("float", "d", c);
}

// Begins what a map computes. The text around a map's loop stays around it where threads have nothing to do and return.
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

// What a function of a map's body takes: what is loaded, and where its results go.
SINTER_INLINE cuda_writer::texts cuda_writer::element_parameters() const {
    texts parameters;
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_parameter(i)) parameters.push_back(joined({type_text(k_.body[i].type), " v", i}));
    for (std::size_t s = 0; s < k_.stores.size(); ++s)
        parameters.push_back(joined({operand_type(k_.stores[s].access), "& r", s}));
    return parameters;
}

// The body of a map as a function of what was loaded.
SINTER_INLINE void cuda_writer::write_element(const char* name, const texts& parameters, element_forms forms) {
    list("const auto " + std::string(name) + " = [&]", parameters, ") {");
    ++depth_;
    write_body(0, forms);
    for (std::size_t s = 0; s < k_.stores.size(); ++s) line({"r", s, " = ", value(k_.stores[s].value), ";"});
    close("};");
}

// The first column of a thread of several a thread block apart.
SINTER_INLINE void cuda_writer::write_first_of_block() {
    line({"const index first = ", block_number(), " * ", cuda_threads * k_.how.packs, " + threadIdx.x;"});
}

// Opens the loop over what a thread has several of, so far apart.
SINTER_INLINE void cuda_writer::open_packs(const std::string& at, const std::string& item_stride,
                                           const std::string& size) {
    open_unrolled("for (int item = 0; item < " + std::to_string(k_.how.packs) + "; ++item)");
    line({"const index ", at, " = first + item * ", item_stride, ";"});
    line({"if (", at, " >= ", size, ") break;"});
}

// arrive(): fences around an atomic operation wait for more than one that releases and acquires itself. One H100, means
// and variances of 2097152 x 32 floats: 117 us with two fences, 112 so.
SINTER_INLINE void cuda_writer::write_arrival() { out_ += arrival_text; }

SINTER_INLINE cuda_writer::cuda_writer(const kernel& k)
    : value_writer(k), scan_(scan_facts_of(k)), name_(entry_name(k)) {}

SINTER_INLINE void cuda_writer::write_beginning() {
    out_ = head_text(k_.how) + prelude_text(k_, language::cuda);
    line(index_.declared);
    write_functions();
    if (values_.packs)
        line("template <class T, int N> struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) pack { T v[N]; };\n");
    if (facts_.counts_blocks) write_arrival();
    if (!divided_axes(k_).empty()) out_ += divisor_text;
}

SINTER_INLINE kernel_source cuda_writer::source() { return {name_, std::move(out_), options_of(k_)}; }

SINTER_INLINE std::string early_start_text() {
    return joined(
        {"#if __CUDA_ARCH__ >= ", 100 * early_start_capability,
         "\n    asm volatile(\"griddepcontrol.launch_dependents; griddepcontrol.wait;\" ::: \"memory\");\n#endif\n"});
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_COLD_END

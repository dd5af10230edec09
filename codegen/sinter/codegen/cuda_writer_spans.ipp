// Bodies of cuda_writer.hpp that print how a thread block gathers its short rows in shared memory and stores them as one span.
#pragma once

#include <sinter/codegen/cuda_writer.hpp>
#include <sinter/codegen/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// Threads have four neighbours each, whose single stores would write a quarter of all sectors that a warp touches, four times;
// from shared memory neighbouring threads store neighbouring elements.
inline constexpr const char* span_text = R"(// Where element e of a span is: four words apart, threads of a warp shall meet all the banks.
template <class T> static __device__ inline unsigned place(unsigned e) {
    return sizeof(T) < 4 ? e : e + e / (128 / sizeof(T));
}
template <class T> static __device__ inline void write_span(T* to, const T* span, int count, int thread) {
    constexpr int lanes = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
    struct alignas(sizeof(T) * lanes) word { T v[lanes]; };
    int written = 0;
    if (lanes > 1 && (unsigned long long)to % 4 == 0) {
        for (int i = thread; i < count / lanes; i += 256) ((word*)to)[i] = ((const word*)span)[i];
        written = count / lanes * lanes;
    }
    for (int e = written + thread; e < count; e += 256) to[e] = span[place<T>(e)];
}

)";

SINTER_INLINE int cuda_writer::rows_of_block() const { return cuda_threads / lanes_of_short_row(k_) * together_; }

// With the gaps that place() leaves.
SINTER_INLINE int elements_of_span(int elements, int size) { return size < 4 ? elements : elements + elements / (128 / size); }

SINTER_INLINE void cuda_writer::find_spans() {
    spans_.assign(k_.stores.size(), 0);
    int bytes = 0;
    for (std::size_t s = 0; s < k_.stores.size(); ++s) {
        if (!stores_span(k_, k_.stores[s])) continue;
        const int size = size_of(k_.operands[static_cast<std::size_t>(k_.accesses[k_.stores[s].access].operand)].type);
        const int needed = size * elements_of_span(rows_of_block() * k_.row_capacity, size);
        if (bytes + needed > reduction_schedules.span_bytes) continue;
        if (bytes == 0) out_ += span_text;
        bytes += needed;
        spans_[s] = 1;
    }
}

SINTER_INLINE void cuda_writer::write_span_rooms() {
    for (std::size_t s = 0; s < spans_.size(); ++s) {
        if (!spans_[s]) continue;
        const std::uint32_t a = k_.stores[s].access;
        const int size = size_of(k_.operands[static_cast<std::size_t>(k_.accesses[a].operand)].type);
        line("alignas(16) __shared__ " + operand_type(a) + " span" + std::to_string(s) + "[" +
             std::to_string(elements_of_span(rows_of_block() * k_.row_capacity, size)) + "];");
    }
}

// Of element i of the thread's row, or of its row u.
SINTER_INLINE std::string cuda_writer::span_place(std::size_t s) const {
    const int rows = cuda_threads / lanes_of_short_row(k_);
    const std::string row = together_ > 1 ? "(threadIdx.y + " + std::to_string(rows) + " * u)" : "threadIdx.y";
    return "span" + std::to_string(s) + "[place<" + operand_type(k_.stores[s].access) + ">(" + row + " * size + (int)i)]";
}

// What a stage has gathered, once all threads have.
SINTER_INLINE void cuda_writer::write_spans(int stage) {
    bool any = false;
    const std::string rows = std::to_string(rows_of_block()), thread = "threadIdx.y * " + std::to_string(lanes_of_short_row(k_)) + " + t";
    for (std::size_t s = 0; s < k_.stores.size(); ++s) {
        if (!has_span(s) || k_.stores[s].stage != stage) continue;
        if (!any) {
            line("__syncthreads();");
            line("const index opening = " + block_number() + " * " + rows + ";");
            line("const int count = (int)(kept - opening < " + rows + " ? kept - opening : " + rows + ") * size;");
        }
        any = true;
        line("write_span(" + operand_name(k_.stores[s].access) + " + opening * size, span" + std::to_string(s) + ", count, " + thread + ");");
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

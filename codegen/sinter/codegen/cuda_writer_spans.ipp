// Bodies of cuda_writer.hpp that print how a thread block moves short rows, which follow each other in memory, as one span by
// way of shared memory.
#pragma once

#include <sinter/codegen/cuda_writer.hpp>
#include <sinter/codegen/emit_cuda.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::codegen {

// Threads have four neighbours each. Moved one by one, a warp's would reach the same sectors four times, for a quarter of each;
// neighbouring threads move neighbouring elements between a span and shared memory.
inline constexpr const char* span_text = R"(// Where element e of a span is: threads four elements apart shall meet all banks.
template <class T> static __device__ inline unsigned place(unsigned e) {
    return sizeof(T) < 4 ? e : e + e / (128 / sizeof(T));
}
// What threads move at once: no less than a word.
template <class T> struct word_of {
    static constexpr int lanes = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
    alignas(lanes * alignof(T)) T v[lanes];
};
)";

inline constexpr const char* write_span_text = R"(
template <class T> static __device__ inline void write_span(T* to, const T* span, int count, int thread) {
    using word = word_of<T>;
    int written = 0;
    if (word::lanes > 1 && (unsigned long long)to % 4 == 0) {
        written = count / word::lanes * word::lanes;
        for (int i = thread; i < count / word::lanes; i += 256) ((word*)to)[i] = ((const word*)span)[i];
    }
    for (int e = written + thread; e < count; e += 256) to[e] = span[place<T>(e)];
}
)";

inline constexpr const char* read_span_text = R"(
// Elements from `count` on, up to `all`, are the last row once more.
template <class T> static __device__ inline void read_span(T* span, const T* from, int count, int all, int size, int thread) {
    using word = word_of<T>;
    struct alignas(alignof(T)) piece { char v[alignof(T)]; };
    int read = 0;
    if (word::lanes > 1 && (unsigned long long)from % 4 == 0) {
        read = count / word::lanes * word::lanes;
        for (int i = thread; i < count / word::lanes; i += 256) copy_soon((word*)span + i, (const word*)from + i);
    }
    const auto copy = [&](int e, const T* next) {
        T* to = span + place<T>(e);
        if constexpr (sizeof(T) < 4) *to = *next;
        else
            for (int p = 0; p < (int)(sizeof(T) / sizeof(piece)); ++p) copy_soon((piece*)to + p, (const piece*)next + p);
    };
    for (int e = read + thread; e < count; e += 256) copy(e, from + e);
    for (int e = count + thread; e < all; e += 256) copy(e, from + count - size + e % size);
}
)";

SINTER_INLINE int cuda_writer::rows_of_block() const { return cuda_threads / lanes_of_short_row(k_) * together_; }

// The number of a room for what an access moves, with the gaps that place() leaves, or none.
SINTER_INLINE int cuda_writer::add_span_room(std::uint32_t a) {
    const int size = size_of(k_.operands[static_cast<std::size_t>(k_.accesses[a].operand)].type);
    const int rows = rows_of_block() * k_.row_capacity, elements = size < 4 ? rows : rows + rows / (128 / size);
    int bytes = size * elements;
    for (const span_room& r : span_rooms_) bytes += r.bytes;
    if (bytes > reduction_schedules.span_bytes) return no_room;
    span_rooms_.push_back({operand_type(a), elements, size * elements, true});
    return static_cast<int>(span_rooms_.size()) - 1;
}

// What the last stage stores of elements may take the room of those loaded that the same thread alone reads there.
SINTER_INLINE void cuda_writer::find_spans() {
    stored_spans_.assign(k_.stores.size(), no_room);
    read_spans_.assign(k_.accesses.size(), no_room);
    for (std::size_t s = 0; s < k_.stores.size(); ++s) {
        const store& x = k_.stores[s];
        if (!stores_span(k_, x)) continue;
        stored_spans_[s] = add_span_room(x.access);
        const bool alone = x.stage + 2 >= k_.stages && origins(k_, x.stage).empty();
        if (has_span(s)) span_rooms_[static_cast<std::size_t>(stored_spans_[s])].shares = alone;
    }
    const bool gathers = k_.is_row_kernel() && k_.row_capacity >= reduction_schedules.read_span_row;
    bool reads = false;
    for (std::uint32_t i = 0; i < k_.body.size() && gathers; ++i) {
        const std::uint32_t a = k_.body[i].payload;
        if (!loads_span(k_, i) || is_near(a)) continue;
        for (std::size_t r = 0; r < span_rooms_.size() && !is_near(a); ++r)
            if (span_rooms_[r].shares && span_rooms_[r].type == operand_type(a)) read_spans_[a] = static_cast<int>(r);
        if (!is_near(a)) read_spans_[a] = add_span_room(a);
        if (!is_near(a)) continue;
        span_rooms_[static_cast<std::size_t>(read_spans_[a])].shares = false;
        reads = true;
    }
    if (span_rooms_.empty()) return;
    out_ += span_text;
    if (std::any_of(stored_spans_.begin(), stored_spans_.end(), [](int r) { return r != no_room; })) out_ += write_span_text;
    if (reads) out_ += std::string(copies_text) + read_span_text;
    out_ += "\n";
}

// The thread block's rows, and what stages find of them in shared memory.
SINTER_INLINE void cuda_writer::write_span_rooms() {
    if (span_rooms_.empty()) return;
    const std::string rows = std::to_string(rows_of_block());
    for (std::size_t r = 0; r < span_rooms_.size(); ++r)
        line("alignas(16) __shared__ " + span_rooms_[r].type + " span" + std::to_string(r) + "[" +
             std::to_string(span_rooms_[r].elements) + "];");
    line("const index opening = " + block_number() + " * " + rows + ";");
    if (k_.wide) line("if (opening >= kept) return;");
    line("const int count = (int)(kept - opening < " + rows + " ? kept - opening : " + rows + ") * size;");
    line("const int thread = threadIdx.y * " + std::to_string(lanes_of_short_row(k_)) + " + t;");
    bool any = false;
    for (std::uint32_t a = 0; a < k_.accesses.size(); ++a) {
        if (!is_near(a)) continue;
        any = true;
        line("read_span(span" + std::to_string(read_spans_[a]) + ", " + operand_name(a) + " + opening * size, count, " + rows +
             " * size, size, thread);");
    }
    if (!any) return;
    line("wait_for_copies();");
    line("__syncthreads();");
}

// An element of the thread's row, or of its row u, in a room.
SINTER_INLINE std::string cuda_writer::span_element(int room, const std::string& at) const {
    const int rows = cuda_threads / lanes_of_short_row(k_);
    const std::string row = together_ > 1 ? "(threadIdx.y + " + std::to_string(rows) + " * u)" : "threadIdx.y";
    const std::string& type = span_rooms_[static_cast<std::size_t>(room)].type;
    const std::string number = row + " * size" + (at.empty() ? "" : " + " + at);
    return "span" + std::to_string(room) + "[place<" + type + ">(" + number + ")]";
}

// Loads are of rooms from here on, until loaded_ is empty again.
SINTER_INLINE void cuda_writer::load_from_spans(const std::string& at) {
    loaded_.assign(k_.accesses.size(), "");
    for (std::uint32_t a = 0; a < k_.accesses.size(); ++a)
        if (is_near(a)) loaded_[a] = span_element(read_spans_[a], at);
}

// What a stage has gathered, once all threads have.
SINTER_INLINE void cuda_writer::write_spans(int stage) {
    bool any = false;
    for (std::size_t s = 0; s < k_.stores.size(); ++s) {
        if (!has_span(s) || k_.stores[s].stage != stage) continue;
        if (!any) line("__syncthreads();");
        any = true;
        const std::string room = "span" + std::to_string(stored_spans_[s]);
        line("write_span(" + operand_name(k_.stores[s].access) + " + opening * size, " + room + ", count, thread);");
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

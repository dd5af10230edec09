// Bodies of cuda_writer.hpp that print how accumulators combine: the reduces of a thread, a warp and a thread block.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>
#include <sinter/codegen/print/cuda/emit_cuda.hpp>

#include <algorithm>

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr const char* swizzle_text =
#include <sinter/codegen/print/cuda/text/unswizzle.cuh>
    ;

SINTER_INLINE void cuda_writer::write_reduces() {
    bool rows = k_.tree == reduce_tree::rows, any_complex = false;
    for (const reduction_step& r : k_.reductions) any_complex |= is_complex(r.type);
    if (rows) {
        line("// The value of the lane that is `h` lanes further on.");
        line("template <class T> static __device__ inline T from_lane(T x, int h) {");
        line("    return (T)__shfl_down_sync(0xffffffffu, x, h);\n}");
        if (any_complex) {
            line("template <class T> static __device__ inline complex<T> from_lane(complex<T> x, int h) {");
            line("    return {from_lane(x.re, h), from_lane(x.im, h)};\n}");
        }
        const bool in_any_order = std::any_of(facts_.stages.begin(), facts_.stages.end(),
                                              [](const stage_facts& s) { return s.in_any_order; });
        if (takes_striped() || in_any_order) {
            line("// The value of the lane whose number differs in the bits of `h`.");
            line("template <class T> static __device__ inline T from_other(T x, int h) {");
            line("    return (T)__shfl_xor_sync(0xffffffffu, x, h);\n}");
            if (any_complex) {
                line("template <class T> static __device__ inline complex<T> from_other(complex<T> x, int h) {");
                line("    return {from_other(x.re, h), from_other(x.im, h)};\n}");
            }
        }
        if (facts_.has_gaps) out_ += swizzle_text;
        if (facts_.from_first) {
            line("// The value of the first of `width` lanes.");
            line("template <class T> static __device__ inline T from_first(T x, int width) {");
            line("    return (T)__shfl_sync(0xffffffffu, x, 0, width);\n}");
            if (any_complex) {
                line("template <class T> static __device__ inline complex<T> from_first(complex<T> x, int width) {");
                line("    return {from_first(x.re, width), from_first(x.im, width)};\n}");
            }
        }
        out_ += "\n";
    }
    for (std::size_t r : reductions_of()) {
        write_combine(r);
        if (rows) write_row_reduces_of(r);
        else if (!k_.is(mapping::thread_per_column)) write_chunk_reduce(r);
        if (!rows && facts_.by_levels) write_rows_reduce(r);
        out_ += "\n";
    }
}

// The functions of a reduction of rows.
SINTER_INLINE void cuda_writer::write_row_reduces_of(std::size_t r) {
    const stage_facts& stage = of(k_.reductions[r].stage);
    if (k_.is(mapping::rows_per_warp)) {
        write_thread_reduce(r);
        write_warp_row_reduce(r);
    } else {
        write_warp_reduce(r);
        write_buffer_reduce(r);
    }
    if (k_.is(mapping::grid_per_row) && !facts_.one_wait) write_block_reduce(r);
    if (facts_.by_levels) {
        write_group_reduce(r);
        write_lanes_reduce(r);
    }
    if (facts_.few_results) write_few_reduce(r);
    if (stage.at_end) write_end_reduce(r);
    if (stage.in_any_order) write_extreme(r);
}

// combine<r>: an earlier accumulator x takes a later one y. follow<r>: it takes an element behind all of its own.
SINTER_INLINE void cuda_writer::write_combine(std::size_t r) {
    std::string id = std::to_string(r), a = accumulator(r);
    std::string xi = indexed(r) ? ", index& xi" : "", yi = indexed(r) ? ", index yi" : "";
    open("static __device__ inline void combine" + id + "(" + a + "& x" + xi + ", " + a + " y" + yi + ")");
    line(combine(r));
    close();
    if (!indexed(r)) return;
    open("static __device__ inline void follow" + id + "(" + a + "& x" + xi + ", " + a + " y" + yi + ")");
    line(follow_text(k_.reductions[r]));
    close();
}

// thread_reduce<r>: a thread's four lanes to one.
SINTER_INLINE void cuda_writer::write_thread_reduce(std::size_t r) {
    std::string id = std::to_string(r), a = accumulator(r);
    auto combined = [&](const std::string& to, const std::string& from) {
        return indexed(r) ? "combine" + id + "(a[" + to + "], ai[" + to + "], a[" + from + "], ai[" + from + "]);"
                          : "combine" + id + "(a[" + to + "], a[" + from + "]);";
    };
    open("static __device__ inline void thread_reduce" + id + "(" + a + "* a" + (indexed(r) ? ", index* ai" : "") +
         ", int lanes)");
    line("if (lanes > 1) " + combined("0", "1"));
    line("if (lanes > 3) " + combined("2", "3"));
    line("if (lanes > 2) " + combined("0", "2"));
    close();
}

// quad_reduce<r>: a lane of each of four neighbouring threads to the first one's.
SINTER_INLINE void cuda_writer::write_quad_reduce(std::size_t r) {
    const std::string id = std::to_string(r), a = accumulator(r);
    open("static __device__ inline void quad_reduce" + id + "(" + a + "& a" + (indexed(r) ? ", index& ai" : "") +
         ", int lanes)");
    line("#pragma unroll");
    open("for (int h = 1; h < 4; h *= 2)");
    line("const " + a + " y = from_lane(a, h);");
    if (indexed(r)) line("const index yi = from_lane(ai, h);");
    line("if (lanes > h) combine" + id + (indexed(r) ? "(a, ai, y, yi);" : "(a, y);"));
    close();
    close();
}

// reduce_across<r>: of the lanes that four neighbouring threads have 256 apart, four neighbours to one; each thread
// gets another one. Of two threads each keeps a half of what they have and gets the other's part of it, which comes
// before its own or behind it.
SINTER_INLINE void cuda_writer::write_across_reduce(std::size_t r) {
    const std::string id = std::to_string(r), a = accumulator(r);
    auto exchange = [&](const std::string& keeps_second, const std::string& first, const std::string& second, int h,
                        const std::string& lane_behind) {
        auto choose = [&](const std::string& x, const std::string& y) { return keeps_second + " ? " + x + " : " + y; };
        auto both = [&](const std::string& type, const std::string& x, const std::string& i) {
            line("const " + type + " y" + i + " = from_other(" + choose(x + first, x + second) + ", " +
                 std::to_string(h) + "), own" + i + " = " + choose(x + second, x + first) + ";");
            line(x + first + " = " + choose("y" + i, "own" + i) + ";");
        };
        both(a, "a", "");
        if (indexed(r)) both("index", "ai", "i");
        line("if (" + lane_behind + " < lanes) combine" + id + "(a" + first + ", " +
             (indexed(r) ? "ai" + first + ", " : "") + choose("own", "y") +
             (indexed(r) ? ", " + choose("owni", "yi") : "") + ");");
    };
    open("static __device__ inline void reduce_across" + id + "(" + a + "* a" + (indexed(r) ? ", index* ai" : "") +
         ", int lanes, int t)");
    line("const bool odd = t % 2 != 0, upper = t / 2 % 2 != 0;");
    line("#pragma unroll");
    open("for (int q = 0; q < 2; ++q)");
    exchange("odd", "[q]", "[q + 2]", 1, "t / 2 * 2 + 1 + 256 * (odd ? q + 2 : q)");
    close();
    exchange("upper", "[0]", "[1]", 2, "t / 4 * 4 + 2 + 256 * (2 * odd + upper)");
    close();
}

// warp_reduce<r>: the groups t, t + 32, … of a warp's threads to thread 0's first.
SINTER_INLINE void cuda_writer::write_warp_reduce(std::size_t r) {
    write_thread_reduce(r);
    if (takes_striped() && facts_.across[r]) write_across_reduce(r);
    else if (takes_striped()) write_quad_reduce(r);
    std::string id = std::to_string(r), a = accumulator(r), combine = "combine" + id;
    std::string ai = indexed(r) ? ", index* ai" : "";
    open("static __device__ inline void warp_reduce" + id + "(" + a + "* a" + ai + ", int t, int groups)");
    line("#pragma unroll");
    open("for (int h = 4; h > 0; h /= 2)");
    line("#pragma unroll");
    open("for (int q = 0; q < h; ++q)");
    line("if (t + 32 * (q + h) < groups) " + combine +
         (indexed(r) ? "(a[q], ai[q], a[q + h], ai[q + h]);" : "(a[q], a[q + h]);"));
    close();
    close();
    line("#pragma unroll");
    open("for (int h = 16; h > 0; h /= 2)");
    line("const " + a + " y = from_lane(a[0], h);");
    if (indexed(r)) line("const index yi = from_lane(ai[0], h);");
    line("if (t < h && t + h < groups) " + combine + (indexed(r) ? "(a[0], ai[0], y, yi);" : "(a[0], y);"));
    close();
    close();
}

// buffer_reduce<r>: what 256 threads have left in a room, by a warp, to its first thread's a.
SINTER_INLINE void cuda_writer::write_buffer_reduce(std::size_t r) {
    std::string id = std::to_string(r), a = accumulator(r);
    bool has_index = indexed(r);
    open("static __device__ inline void buffer_reduce" + id + "(const double* buffer, int t, int groups, " + a + "* a" +
         (has_index ? ", index* ai)" : ")"));
    line("const " + a + "* shared = (const " + a + "*)buffer;");
    if (has_index) line("const index* shared_index = (const index*)(buffer + 256);");
    line(a + " b[8];");
    if (has_index) line("index bi[8];");
    line("#pragma unroll");
    line("for (int q = 0; q < 8; ++q) b[q] = shared[t + 32 * q]" +
         std::string(has_index ? ", bi[q] = shared_index[t + 32 * q];" : ";"));
    line("warp_reduce" + id + (has_index ? "(b, bi, t, groups);" : "(b, t, groups);"));
    line(has_index ? "a[0] = b[0], ai[0] = bi[0];" : "a[0] = b[0];");
    close();
}

// What a thread has of a group of four lanes to where a warp finds it.
SINTER_INLINE void cuda_writer::write_into_buffer(std::size_t r, const std::string& buffer, const std::string& a,
                                                  bool block_striped) {
    const bool quads = block_striped && !facts_.across[r];
    const std::string place = !block_striped ? "t"
                              : quads        ? "64 * c + t / 4"
                                             : "t / 4 + 128 * (t % 2) + 64 * (t / 2 % 2)";
    const std::string at = "[" + place + "] = ", lane = quads ? "[c]" : "[0]";
    const std::string to = "((" + accumulator(r) + "*)(" + buffer + "))" + at + a + lane;
    const std::string index = ", ((index*)(" + buffer + " + 256))" + at + "ai" + a.substr(1) + lane;
    if (quads) line("#pragma unroll");
    line((quads ? "for (int c = 0; c < 4; ++c) if (t % 4 == 0) " : "") + to + (indexed(r) ? index + ";" : ";"));
}

// block_reduce<r>: the four lanes of each of 256 threads to thread 0's first. The room is free again when all threads
// have met once more.
SINTER_INLINE void cuda_writer::write_block_reduce(std::size_t r) {
    std::string id = std::to_string(r), a = accumulator(r);
    bool has_index = indexed(r);
    open("static __device__ inline void block_reduce" + id + "(" + a + "* a" + (has_index ? ", index* ai" : "") +
         ", int size, double* buffer)");
    line("const int t = threadIdx.x, lanes = size < 1024 ? size : 1024;");
    line("thread_reduce" + id + (has_index ? "(a, ai, lanes - 4 * t);" : "(a, lanes - 4 * t);"));
    write_into_buffer(r, "buffer", "a");
    line("__syncthreads();");
    line("if (t < 32) buffer_reduce" + id + "(buffer, t, (lanes + 3) / 4, a" + (has_index ? ", ai);" : ");"));
    close();
}

// Four lanes of each of a stage's reductions to one: a thread's, or those of four neighbouring threads.
SINTER_INLINE void cuda_writer::write_thread_reduces(int stage) {
    for (std::size_t r : reductions_of(stage)) {
        const std::string id = std::to_string(r), lanes = "a" + id + (indexed(r) ? ", ai" + id : "");
        const std::string lane = "a" + id + (indexed(r) ? "[c], ai" + id : "") + "[c]";
        const bool quads = takes_striped() && !facts_.across[r];
        if (quads) line("#pragma unroll");
        line(quads ? "for (int c = 0; c < 4; ++c) quad_reduce" + id + "(" + lane + ", lanes - 256 * c - t);"
             : takes_striped()
                 ? "reduce_across" + id + "(" + lanes + ", lanes, t);"
                 : "thread_reduce" + id + "(" + lanes + (tile_ != tile_kind::any ? ", 4);" : ", lanes - 4 * t);"));
    }
}

// What all threads have of each of a stage's reductions to one value, of up to four at once after a single wait: a warp
// for each, whose first thread then does something with it. Threads that are ahead find other rooms than those of the
// time before.
SINTER_INLINE void cuda_writer::write_buffer_reduces(int stage, const std::string& lanes,
                                                     const std::function<void(std::size_t)>& then) {
    constexpr std::size_t most = 4;
    const sequence<std::size_t> which = reductions_of(stage);
    auto buffer = [](std::size_t i) { return "buffer[buffer_phase + " + std::to_string(i) + "]"; };
    for (std::size_t first = 0; first < which.size(); first += most) {
        const std::size_t end = std::min(first + most, which.size());
        line("buffer_phase = " + std::to_string(std::min(reductions_of().size(), most)) + " - buffer_phase;");
        for (std::size_t n = first; n < end; ++n)
            write_into_buffer(which[n], buffer(n - first), "a" + std::to_string(which[n]), takes_striped());
        line("__syncthreads();");
        for (std::size_t n = first; n < end; ++n) {
            const std::string id = std::to_string(which[n]);
            open("if (t / 32 == " + std::to_string(n - first) + ")");
            line("buffer_reduce" + id + "(" + buffer(n - first) + ", t % 32, (" + lanes + " + 3) / 4, a" + id +
                 (indexed(which[n]) ? ", ai" + id + ");" : ");"));
            open("if (t % 32 == 0)");
            then(which[n]);
            close();
            close();
        }
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

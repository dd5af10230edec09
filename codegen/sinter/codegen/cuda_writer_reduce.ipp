// Bodies of cuda_writer.hpp that print reductions in the orders of reduce_tree.hpp.
#pragma once

#include <sinter/codegen/cuda_writer.hpp>
#include <sinter/codegen/emit_cuda.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// A line for each reduction: `#` stands for its number, `@` for its accumulator's type; the second one is added for
// reductions that carry an index.
SINTER_INLINE void cuda_writer::per_reduction(const std::string& direct, const std::string& with_index, int stage) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        for (bool second : {false, true}) {
            std::string s;
            for (char c : second ? with_index : direct)
                s += c == '#' ? std::to_string(r) : c == '@' ? accumulator(r) : std::string(1, c);
            if ((!second || indexed(r)) && (stage == any_stage || k_.reductions[r].stage == stage)) line(s);
        }
}

SINTER_INLINE std::string cuda_writer::combine(std::size_t r) const {
    const reduction_step& x = k_.reductions[r];
    dtype a = accumulator_type(x.how, x.type);
    bool adds = x.how == reduction::sum || x.how == reduction::prod;
    if (!adds || kind_of(a) != 'i') return combine_text(x, "x", "y", "xi", "yi");
    std::string wide = "(unsigned long long)";
    return "x = (long long)(" + wide + "x " + (x.how == reduction::sum ? "+ " : "* ") + wide + "y);";
}

SINTER_INLINE void cuda_writer::write_joins() {
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
        if (k_.is_row_kernel() && k_.short_rows) {
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
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        write_join(r);
        if (rows) write_lane_joins(r);
        if (rows && !k_.short_rows) write_room_join(r), write_block_join(r);
        if (rows && counts_blocks(k_)) write_lanes_join(r), write_parts_join(r);
        if (!rows) write_chunk_join(r);
        out_ += "\n";
    }
}

// join<r>: an earlier accumulator x takes a later one y.
SINTER_INLINE void cuda_writer::write_join(std::size_t r) {
    std::string id = std::to_string(r), a = accumulator(r);
    std::string xi = indexed(r) ? ", long long& xi" : "", yi = indexed(r) ? ", long long yi" : "";
    open("static __device__ inline void join" + id + "(" + a + "& x" + xi + ", " + a + " y" + yi + ")");
    line(combine(r));
    close();
}

// join_four<r>: a thread's four lanes to one.
SINTER_INLINE void cuda_writer::write_four_join(std::size_t r) {
    std::string id = std::to_string(r), a = accumulator(r);
    auto joined = [&](const std::string& to, const std::string& from) {
        return indexed(r) ? "join" + id + "(a[" + to + "], ai[" + to + "], a[" + from + "], ai[" + from + "]);"
                          : "join" + id + "(a[" + to + "], a[" + from + "]);";
    };
    open("static __device__ inline void join_four" + id + "(" + a + "* a" + (indexed(r) ? ", long long* ai" : "") + ", int lanes)");
    line("if (lanes > 1) " + joined("0", "1"));
    line("if (lanes > 3) " + joined("2", "3"));
    line("if (lanes > 2) " + joined("0", "2"));
    close();
}

// join_warp<r>: the groups t, t + 32, … of a row's threads, a warp or a part of it, to thread 0's first.
SINTER_INLINE void cuda_writer::write_lane_joins(std::size_t r) {
    write_four_join(r);
    std::string id = std::to_string(r), a = accumulator(r), join = "join" + id;
    std::string ai = indexed(r) ? ", long long* ai" : "";
    open("static __device__ inline void join_warp" + id + "(" + a + "* a" + ai + ", int t, int groups)");
    bool short_rows = k_.is_row_kernel() && k_.short_rows;
    int lanes = short_rows ? lanes_of_short_row(k_) : 32;
    if (int half = short_rows ? row_groups() / 2 : 4; half > 0) {
        line("#pragma unroll");
        open("for (int h = " + std::to_string(half) + "; h > 0; h /= 2)");
        line("#pragma unroll");
        open("for (int q = 0; q < h; ++q)");
        line("if (t + " + std::to_string(lanes) + " * (q + h) < groups) " + join + (indexed(r) ? "(a[q], ai[q], a[q + h], ai[q + h]);" : "(a[q], a[q + h]);"));
        close();
        close();
    }
    line("#pragma unroll");
    open("for (int h = " + std::to_string(lanes / 2) + "; h > 0; h /= 2)");
    line("const " + a + " y = from_lane(a[0], h);");
    if (indexed(r)) line("const long long yi = from_lane(ai[0], h);");
    line("if (t < h && t + h < groups) " + join + (indexed(r) ? "(a[0], ai[0], y, yi);" : "(a[0], y);"));
    close();
    close();
}

// join_room<r>: what 256 threads have left in a room, by a warp, to its first thread's a.
SINTER_INLINE void cuda_writer::write_room_join(std::size_t r) {
    std::string id = std::to_string(r), a = accumulator(r);
    bool has_index = indexed(r);
    open("static __device__ inline void join_room" + id + "(const double* room, int t, int groups, " + a + "* a" +
         (has_index ? ", long long* ai)" : ")"));
    line("const " + a + "* shared = (const " + a + "*)room;");
    if (has_index) line("const long long* shared_index = (const long long*)(room + 256);");
    line(a + " b[8];");
    if (has_index) line("long long bi[8];");
    line("#pragma unroll");
    line("for (int q = 0; q < 8; ++q) b[q] = shared[t + 32 * q]" +
         std::string(has_index ? ", bi[q] = shared_index[t + 32 * q];" : ";"));
    line("join_warp" + id + (has_index ? "(b, bi, t, groups);" : "(b, t, groups);"));
    line(has_index ? "a[0] = b[0], ai[0] = bi[0];" : "a[0] = b[0];");
    close();
}

SINTER_INLINE std::string cuda_writer::into_room(std::size_t r, const std::string& room, const std::string& a) const {
    const std::string to = "((" + accumulator(r) + "*)(" + room + "))[t] = " + a + "[0]";
    return indexed(r) ? to + ", ((long long*)(" + room + " + 256))[t] = ai" + a.substr(1) + "[0];" : to + ";";
}

// join_block<r>: the four lanes of each of 256 threads to thread 0's first. The room is free again when all threads have met
// once more.
SINTER_INLINE void cuda_writer::write_block_join(std::size_t r) {
    std::string id = std::to_string(r), a = accumulator(r);
    bool has_index = indexed(r);
    open("static __device__ inline void join_block" + id + "(" + a + "* a" + (has_index ? ", long long* ai" : "") +
         ", int size, double* room)");
    line("const int t = threadIdx.x, lanes = size < 1024 ? size : 1024;");
    line("join_four" + id + (has_index ? "(a, ai, lanes - 4 * t);" : "(a, lanes - 4 * t);"));
    line(into_room(r, "room", "a"));
    line("__syncthreads();");
    line("if (t < 32) join_room" + id + "(room, t, (lanes + 3) / 4, a" + (has_index ? ", ai);" : ");"));
    if (k_.is_row_kernel()) line("__syncthreads();");
    close();
}

// `rooms` of them, each for one value of 256 threads.
SINTER_INLINE void cuda_writer::write_room(int rooms) {
    line("__shared__ double room[" + std::to_string(rooms) + "][" + std::to_string(room_words()) + "];");
}

SINTER_INLINE int cuda_writer::room_words() const {
    int bytes = 8;
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        int size = indexed(r) || is_complex(k_.reductions[r].type) ? 16 : 8;
        bytes = size > bytes ? size : bytes;
    }
    return 256 * bytes / 8;
}

SINTER_INLINE void cuda_writer::write_sizes() {
    std::string reduced, kept;
    for (int i = 0; i < k_.space.size(); ++i) {
        std::string& s = i < k_.kept ? kept : reduced;
        s += (s.empty() ? "n" : " * n") + std::to_string(i);
    }
    bool needs_kept = k_.wide || k_.short_rows || k_.one_tile || k_.is_row_kernel() || k_.tree == reduce_tree::columns;
    if (needs_kept) line("const index kept = " + kept + ";");
    line("const index reduced = " + reduced + ";");
    if (k_.short_rows || k_.scans || k_.selects) return;
    if (k_.tree == reduce_tree::columns)
        line("const index even = (reduced + 4095) / 4096, size = even <= 512 ? 512 : (even + 7) / 8 * 8;");
    std::string size = k_.tree == reduce_tree::rows ? "4096" : "size", last = k_.tree == reduce_tree::rows ? "4095" : "size - 1";
    line("const index parts = reduced <= " + size + " ? 1 : (reduced + " + last + ") / " + size + ";");
}

// accumulate(is_first, i, loaded values, lanes): the body for reduced element i, added to one lane of each reduction.
SINTER_INLINE void cuda_writer::write_accumulate() {
    texts parameters{"bool is_first", "index i"};
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_parameter(i)) parameters.push_back(type_text(k_.body[i].type) + " v" + std::to_string(i));
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        parameters.push_back(accumulator(r) + "& a" + std::to_string(r));
        if (indexed(r)) parameters.push_back("long long& ai" + std::to_string(r));
    }
    list("const auto accumulate = [&]", parameters, ") {");
    ++depth_;
    write_decode("i", k_.kept, k_.space.size());
    write_body(0);
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) write_accumulation(r);
    close("};");
}

// Adds element i to a lane.
SINTER_INLINE void cuda_writer::write_accumulation(std::size_t r) {
    const reduction_step& x = k_.reductions[r];
    std::string id = std::to_string(r), y = "y" + id, a = "a" + id, ai = "ai" + id;
    line("const " + accumulator(r) + " " + y + " = " + cast_text(x.type, accumulator_type(x.how, x.type), value(x.argument)) + ";");
    line(indexed(r) ? "if (is_first) " + a + " = " + y + ", " + ai + " = i;" : "if (is_first) " + a + " = " + y + ";");
    line("else join" + std::to_string(joined_as(r)) + "(" + a + (indexed(r) ? ", " + ai : "") + ", " + y + (indexed(r) ? ", i);" : ");"));
}

// Arguments of accumulate; values that callers load stand at `at`, of packs at [lane].
SINTER_INLINE cuda_writer::texts cuda_writer::accumulate_arguments(const std::string& first, const std::string& at,
                                                                   const std::string& to, const std::string& lane) const {
    texts arguments{first, at};
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        if (!is_parameter(i)) continue;
        arguments.push_back(lane.empty() ? single_value(i) : lane_value(i, lane));
    }
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
        for (std::string prefix : {"", "i"})
            if (prefix.empty() || indexed(r))
                arguments.push_back(to + prefix + std::to_string(r) + (k_.tree == reduce_tree::rows ? "[c]" : ""));
    return arguments;
}

SINTER_INLINE void cuda_writer::write_identities(const std::string& condition, const std::string& lane) {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        line("if (" + condition + ") a" + id + lane + " = " + identity_text(k_.reductions[r]) +
             (indexed(r) ? ", ai" + id + lane + " = 0;" : ";"));
    }
}

// What follows the reductions, for the result at which the thread stands.
SINTER_INLINE void cuda_writer::write_epilogue() {
    write_body(1);
    write_stores(1);
    in_row_ = false;
}

// Thread blocks of a row take its blocks of 4096 elements in turn.
SINTER_INLINE void cuda_writer::write_rows() {
    find_draws();
    int blocks = ahead_ ? reduction_schedules.row_blocks : reduction_schedules.drawing_blocks;
    write_head(name_, cuda_threads, ahead_ || !draws_.empty() ? blocks : 0);
    write_sizes();
    line("const int t = threadIdx.x;");
    line("const index row = " + block_number() + ";");
    if (k_.wide) line("if (row >= kept) return;");
    line("const bool alone = gridDim.y == 1 && parts <= 4;");
    write_room(4);
    per_reduction("__shared__ @ result#[4];", "__shared__ long long resulti#[4];");
    write_decode("row", 0, k_.kept);
    write_accumulate();
    if (ahead_) write_fetch();
    line("int turn = 0;");
    per_reduction("@ a#[4];", "long long ai#[4];");
    if (ahead_) per_reduction("@ lane#;", "long long lanei#;");
    line("#pragma unroll 1");
    open(ahead_ ? "while (part < parts)" : "for (index part = blockIdx.y; part < parts; part += gridDim.y)");
    line("const index begin = part * 4096;");
    line("const int size = (int)(reduced - begin < 4096 ? reduced - begin : 4096);");
    write_block_lanes();
    if (ahead_) {
        line("const index own = lane;");
        line("const bool opens = part % 4096 < 1024, ends = part % 4096 >= 3072 || part + 1024 >= parts;");
        line("if (ends) lane += gridDim.y;");
        line("part = ends ? first_of(lane) : part + 1024;");
        line("fetch(part);");
    }
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        line("join_block" + id + "(a" + id + (indexed(r) ? ", ai" + id : "") + ", size, room[turn ^= 1]);");
    }
    line("if (t != 0) continue;");
    write_identities("size <= 0", "[0]");
    if (ahead_) {
        write_lane_results();
    } else {
        per_reduction("(alone ? result# : partial# + row * parts)[part] = a#[0];",
                      "(alone ? resulti# : position# + row * parts)[part] = ai#[0];");
    }
    close();
    write_rows_end();
    per_reduction("const @ r# = a#[0];", "const long long ri# = ai#[0];");
    write_epilogue();
    close();
    out_ += "\n";
}

// A block's results join its lane of the next level.
SINTER_INLINE void cuda_writer::write_lane_results() {
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        line("if (opens) lane" + id + " = a" + id + "[0]" +
             (indexed(r) ? ", lanei" + id + " = ai" + id + "[0];" : ";"));
        line("else join" + id +
             (indexed(r) ? "(lane" + id + ", lanei" + id + ", a" + id + "[0], ai" + id + "[0]);"
                         : "(lane" + id + ", a" + id + "[0]);"));
    }
    per_reduction("if (ends) (alone ? result# : partial# + row * parts)[own] = lane#;",
                  "if (ends) (alone ? resulti# : position# + row * parts)[own] = lanei#;");
}

SINTER_INLINE bool cuda_writer::is_ahead(std::uint32_t i) const {
    return ahead_ && k_.body[i].stage == 0 && loads_pack(k_, k_.body[i]);
}

// fetch(part): what a thread needs of a whole block of 4096 elements.
SINTER_INLINE void cuda_writer::write_fetch() {
    for (std::uint32_t i = 0; i < k_.body.size(); ++i)
        if (is_ahead(i)) line(pack_at(k_.body[i].payload) + " t" + std::to_string(i) + "[4];");
    open("const auto fetch = [&](index part)");
    line("if (part >= reduced / 4096) return;");
    line("#pragma unroll");
    open("for (int j = 0; j < 4; ++j)");
    line("const index i = part * 4096 + 1024 * j + 4 * t;");
    at_[static_cast<std::size_t>(k_.kept)] = "i";
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        std::uint32_t a = k_.body[i].payload;
        if (is_ahead(i)) line("t" + std::to_string(i) + "[j] = *(const " + pack_at(a) + "*)&" + element(a) + ";");
    }
    close();
    close("};");
    line("// What joins to one lane of the next level: up to four blocks of 4096 elements, 1024 of them apart.");
    line("const auto first_of = [](index lane) { return lane / 1024 * 4096 + lane % 1024; };");
    line("index lane = blockIdx.y, part = first_of(lane);");
    line("fetch(part);");
}

SINTER_INLINE void cuda_writer::write_block_lanes() {
    if (k_.body.size() > unrolled_body) return write_row_lanes(false);
    open("if (size == 4096)");
    write_row_lanes(true);
    close("} else {");
    write_row_lanes(false);
    close();
}

SINTER_INLINE void cuda_writer::write_row_lanes(bool whole) {
    std::string& at = at_[static_cast<std::size_t>(k_.kept)];
    // The words of random numbers depend on each other: several groups' overlap.
    bool long_text = joins_by_warps(k_) && (!whole || k_.body.size() > unrolled_body / 2);
    long_text || (is_heavy() && draws_.empty()) ? line("#pragma unroll 1") : unroll();
    open("for (int j = 0; j < 4; ++j)");
    if (whole) {
        line("const index i = begin + 1024 * j + 4 * t;");
        at = "i";
        for (std::uint32_t i = 0; i < k_.body.size(); ++i)
            if (is_parameter(i) && !is_ahead(i)) write_load(i);
        unroll_lanes();
        list("for (int c = 0; c < 4; ++c) accumulate", accumulate_arguments("j == 0", "i + c", "a", "c"), ");");
    } else {
        unroll_lanes();
        open("for (int c = 0; c < 4; ++c)");
        line("const int l = 1024 * j + 4 * t + c;");
        at = "(begin + l)";
        list("if (l < size) accumulate", accumulate_arguments("j == 0", "begin + l", "a", ""), ");");
        close();
    }
    close();
}

// Up to a warp per row, in registers.
SINTER_INLINE void cuda_writer::write_short_rows() {
    std::string& at = at_[static_cast<std::size_t>(k_.kept)];
    write_head(name_);
    write_sizes();
    line("const int t = threadIdx.x;");
    line("const index row = " + block_number() + " * blockDim.y + threadIdx.y;");
    line("const int size = row < kept ? (int)reduced : 0;");
    write_decode("row", 0, k_.kept);
    write_accumulate();
    per_reduction("@ a#[8];", "long long ai#[8];");
    unroll();
    open("for (int q = 0; q < 8; ++q)");
    line("const int begin = 4 * (t + 32 * q);");
    line("if (begin >= size) break;");
    per_reduction("@ b#[4];", "long long bi#[4];");
    if (k_.vector_width > 1) {
        open("if (begin + 4 <= size)");
        at = "begin";
        for (std::uint32_t i = 0; i < k_.body.size(); ++i)
            if (is_parameter(i)) write_load(i);
        unroll();
        list("for (int c = 0; c < 4; ++c) accumulate", accumulate_arguments("true", "begin + c", "b", "c"), ");");
        close("} else {");
    }
    at = "(begin + c)";
    unroll();
    open("for (int c = 0; c < 4; ++c)");
    list("if (begin + c < size) accumulate", accumulate_arguments("true", "begin + c", "b", ""), ");");
    close();
    if (k_.vector_width > 1) close();
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        line("join_four" + id + "(b" + id + (indexed(r) ? ", bi" + id : "") + ", size - begin);");
    }
    per_reduction("a#[q] = b#[0];", "ai#[q] = bi#[0];");
    close();
    for (std::size_t r = 0; r < k_.reductions.size(); ++r) {
        std::string id = std::to_string(r);
        line("join_warp" + id + "(a" + id + (indexed(r) ? ", ai" + id : "") + ", t, (size + 3) / 4);");
    }
    line("if (t != 0 || row >= kept) return;");
    write_identities("size == 0", "[0]");
    per_reduction("const @ r# = a#[0];", "const long long ri# = ai#[0];");
    write_epilogue();
    close();
}

}  // namespace sinter::inline SINTER_ABI::codegen

// Bodies of sort_host.hpp.
#pragma once

#include <sinter/codegen/kernels/sort/sort.hpp>
#include <sinter/codegen/kernels/sort/sort_host.hpp>
#include <sinter/codegen/kernels/sort/sort_host_rows.hpp>
#include <sinter/codegen/kernels/sort/order_text.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// Whether one element stands before another: what sort_digit_text counts in digits, as one comparison.
SINTER_INLINE std::string sort_before_text(dtype t) {
    std::string s = "// Whether a stands before b.\nstatic inline bool before(element a, element b) {\n";
    char kind = kind_of(t);
    if (t == dtype::complex64) {
        s += "    const unsigned a_re = (unsigned)a, a_im = (unsigned)(a >> 32), b_re = (unsigned)b, b_im = "
             "(unsigned)(b >> 32);\n";
    } else if (t == dtype::complex128) {
        s += "    const unsigned long long a_re = a.re, a_im = a.im, b_re = b.re, b_im = b.im;\n";
    }
    if (kind == 'c')
        s += "    const int a_nan = 2 * is_nan(a_re) + is_nan(a_im), b_nan = 2 * is_nan(b_re) + is_nan(b_im);\n"
             "    if (a_nan != b_nan) return a_nan < b_nan;\n"
             "    if (ordered(a_re) != ordered(b_re)) return ordered(a_re) < ordered(b_re);\n"
             "    return ordered(a_im) < ordered(b_im);\n}\n\n";
    else if (kind == 'f') s += "    return ordered(a) < ordered(b);\n}\n\n";
    else s += "    return (" + type_text(t) + ")a < (" + type_text(t) + ")b;\n}\n\n";
    return s;
}

inline constexpr const char* sort_host_text = R"(static inline item made(const element* from, long long i) {
    item x;
    x.value = from[i];
@   x.position = (number)i;
    return x;
}
static inline item made(const item* from, long long i) { return from[i]; }
~static inline void put(element* to, long long at, const item& x) { to[at] = x.value; }
@static inline void put(long long* to, long long at, const item& x) { to[at] = x.position; }
static inline void put(item* to, long long at, const item& x) { to[at] = x; }

// How often each digit of the passes [first, last) occurs among [begin, end).
template <class From>
static void count(const From* from, long long begin, long long end, int first, int last, long long* counts) {
    for (long long i = 0; i < (last - first) * 256LL; ++i) counts[i] = 0;
    for (long long i = begin; i < end; ++i) {
        const element x = made(from, i).value;
        for (int pass = first; pass < last; ++pass) ++counts[(pass - first) * 256 + digit(x, pass)];
    }
}

// Moves [begin, end) to their places by one digit; `starts` has the next place of each and is advanced.
template <class From, class To>
static void move(const From* from, To* to, long long begin, long long end, int pass, long long* starts) {
    for (long long i = begin; i < end; ++i) {
        const item x = made(from, i);
        put(to, starts[digit(x.value, pass)]++, x);
    }
}

template <class From>
static void move_from(const From* from, void* to, bool last, long long begin, long long end, int pass,
                      long long* starts) {
    if (last) move(from, (result*)to, begin, end, pass, starts);
    else move(from, (item*)to, begin, end, pass, starts);
}

// A short row: each element sinks to its place among those before it.
static void sort_short(const element* from, result* to, int length) {
    item x[64];
    for (int i = 0; i < length; ++i) {
        const item y = made(from, i);
        int at = i;
        for (; at > 0 && before(y.value, x[at - 1].value); --at) x[at] = x[at - 1];
        x[at] = y;
    }
    for (int i = 0; i < length; ++i) put(to, i, x[i]);
}

// A row; `scratch` holds two items per element.
static void sort_row(const element* from, result* to, long long length, int passes, item* scratch) {
    if (length <= 64) return sort_short(from, to, (int)length);
    long long counts[digits * 256];
    count(from, 0, length, 0, passes, counts);
    int wanted[digits], n = 0;
    for (int pass = 0; pass < passes; ++pass)
        if (counts[pass * 256 + digit(from[0], pass)] != length) wanted[n++] = pass;
    if (n == 0)
        for (long long i = 0; i < length; ++i) put(to, i, made(from, i));
    item* side[2] = {scratch, scratch + length};
    for (int i = 0; i < n; ++i) {
        long long* starts = counts + wanted[i] * 256;
        for (long long d = 0, sum = 0; d < 256; ++d) {
            const long long count = starts[d];
            starts[d] = sum;
            sum += count;
        }
        void* target = i + 1 == n ? (void*)to : (void*)side[i % 2];
        if (i == 0) move_from(from, target, n == 1, 0, length, wanted[i], starts);
        else move_from(side[(i + 1) % 2], target, i + 1 == n, 0, length, wanted[i], starts);
    }
}

extern "C" void sort_count(const void* from, long long begin, long long end, int raw, int first, int last,
                            long long* counts) {
    if (raw) count((const element*)from, begin, end, first, last, counts);
    else count((const item*)from, begin, end, first, last, counts);
}

extern "C" void sort_move(const void* from, void* to, int raw, int last, long long begin, long long end, int pass,
                           long long* starts) {
    if (raw) move_from((const element*)from, to, last, begin, end, pass, starts);
    else move_from((const item*)from, to, last, begin, end, pass, starts);
}

extern "C" void sort_rows(const void* from, void* to, long long begin, long long end, long long length, int passes, int,
                           void* scratch) {
    for (long long row = begin; row < end; ++row)
        sort_row((const element*)from + row * length, (result*)to + row * length, length, passes, (item*)scratch);
}
)";

SINTER_INLINE kernel_source sort_host(const sort_task& t) {
    if (sort_by_keys(t)) return sort_host_by_keys(t);
    std::string text = sort_digit_text(t.type, "static inline ") + sort_before_text(t.type);
    if (t.positions) {
        text += std::string("typedef ") + (t.length > std::int64_t{1} << 32 ? "unsigned long long" : "unsigned") +
                " number;\n";
        text += "typedef long long result;\nstruct item { element value; number position; };\n";
    } else {
        text += "typedef element result;\nstruct item { element value; };\n";
    }
    text += "constexpr int digits = " + std::to_string(sort_digits(t.type)) + ";\n\n";
    return {"sort_rows", text + sort_variant(sort_host_text, t.positions)};
}

// Bytes of an item of the host text.
SINTER_INLINE std::int64_t sort_item_bytes(const sort_task& t) {
    std::int64_t size = size_of(t.type), number = t.length > std::int64_t{1} << 32 ? 8 : 4;
    if (!t.positions) return size;
    std::int64_t align = std::max(size, number);
    return (size + number + align - 1) / align * align;
}

}  // namespace sinter::inline SINTER_ABI::codegen

// Bodies of walk.hpp.
#pragma once

#include <cstring>
#include <sinter/codegen/base/joined.hpp>
#include <sinter/codegen/base/error.hpp>
#include <sinter/codegen/interpret/walk.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void* allocate_zeroed(std::int64_t count, std::size_t size) {
    if (void* p = std::calloc(count ? static_cast<std::size_t>(count) : 1, size)) return p;
    throw out_of_memory(joined({"[interpreter] no memory for ", count, " elements of ", size, " bytes"}));
}

template <int Size>
void copy_elements(const char* in, std::int64_t in_step, char* out, std::int64_t out_step, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) std::memcpy(out + i * out_step * Size, in + i * in_step * Size, Size);
}

SINTER_INLINE void copy_strided(int size, const void* in, std::int64_t in_step, void* out, std::int64_t out_step,
                                std::int64_t n) {
    const char* from = static_cast<const char*>(in);
    char* to = static_cast<char*>(out);
    if (n <= 0) return;
    if (in_step == 1 && out_step == 1) {
        std::memmove(to, from, static_cast<std::size_t>(n * size));
        return;
    }
    switch (size) {
        case 1: return copy_elements<1>(from, in_step, to, out_step, n);
        case 2: return copy_elements<2>(from, in_step, to, out_step, n);
        case 4: return copy_elements<4>(from, in_step, to, out_step, n);
        case 8: return copy_elements<8>(from, in_step, to, out_step, n);
        default: return copy_elements<16>(from, in_step, to, out_step, n);
    }
}

SINTER_INLINE void copy_from_view(layout_cursor& at, const void* base, int size, void* out, std::int64_t count) {
    char* to = static_cast<char*>(out);
    while (count > 0) {
        std::int64_t run = at.run() < count ? at.run() : count;
        copy_strided(size, static_cast<const char*>(base) + at.offset * size, at.step(), to, 1, run);
        to += run * size;
        count -= run;
        at.advance(run);
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

// How the interpreter walks layouts, and memory that it does so in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sinter/codegen/base/layout.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// Zeroed memory of std::calloc; throws out_of_memory.
void* allocate_zeroed(std::int64_t count, std::size_t size);

/// Memory for a few plain elements; containers would be instantiated in every user's file.
template <class T>
struct scratch {
    T* data;
    explicit scratch(std::int64_t count) : data(static_cast<T*>(allocate_zeroed(count, sizeof(T)))) {}
    scratch(const scratch&) = delete;
    ~scratch() { std::free(data); }
};

/// Moves n elements of a size; steps are in elements.
void copy_strided(int size, const void* in, std::int64_t in_step, void* out, std::int64_t out_step, std::int64_t n);

/// A position that moves row-major through a layout without empty axes.
struct layout_cursor {
    const layout& how;
    dims index;
    std::int64_t offset;

    explicit layout_cursor(const layout& l) : how(l), index(dims::filled(l.shape.size(), 0)), offset(l.offset) {}

    // Elements from here to the end of the last axis, and the distance between them.
    std::int64_t run() const { return index.empty() ? 1 : how.shape.back() - index.back(); }
    std::int64_t step() const { return index.empty() ? 0 : how.strides.back(); }

    void advance(std::int64_t count) {
        int axis = index.size() - 1;
        if (axis < 0) return;
        index[axis] += count;
        offset += count * how.strides[axis];
        for (; axis > 0 && index[axis] == how.shape[axis]; --axis) {
            offset += how.strides[axis - 1] - index[axis] * how.strides[axis];
            index[axis] = 0;
            ++index[axis - 1];
        }
    }
};

/// The next `count` elements of a view.
void copy_from_view(layout_cursor& at, const void* base, int size, void* out, std::int64_t count);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/interpret/walk.ipp>
#endif

// Bodies of absent_buffer.hpp.
#pragma once

#include <sinter/runtime/memory/absent_buffer.hpp>
#include <sinter/runtime/memory/stream_work.hpp>
#include <utility>

namespace sinter::inline SINTER_ABI::runtime {

/// Counts a buffer as long as it refers to its origin.
struct counted_origin {
    std::shared_ptr<const buffer_origin> origin;

    explicit counted_origin(std::shared_ptr<const buffer_origin> o) : origin(std::move(o)) {
        absent_buffers.fetch_add(1, std::memory_order_relaxed);
    }
    ~counted_origin() { absent_buffers.fetch_sub(1, std::memory_order_relaxed); }
    counted_origin(const counted_origin&) = delete;
    counted_origin& operator=(const counted_origin&) = delete;
};

SINTER_INLINE buffer_ref make_absent_buffer(device where, std::size_t bytes,
                                            std::shared_ptr<const buffer_origin> origin) {
    buffer_ref b = allocate_buffer(where, 0);
    b->bytes = bytes;
    const auto counted = std::make_shared<counted_origin>(std::move(origin));
    b->origin = std::shared_ptr<const buffer_origin>(counted, counted->origin.get());
    return b;
}

SINTER_INLINE bool is_too_large(const buffer& b) {
    const pool_statistics_result now = pool_statistics(b.where);
    return static_cast<std::int64_t>(b.bytes) > (now.limit - now.used) / 2;
}

SINTER_INLINE void throw_needs_parts(const out_of_memory& e) {
    throw out_of_memory(std::string(e.what()) + "; of an array that lies in a file for_chunks takes parts that fit");
}

SINTER_INLINE void bring_in(buffer& b) {
    if (!is_absent(b)) return;
    buffer_ref fresh;
    try {
        fresh = allocate_buffer(b.where, b.bytes);
    } catch (const out_of_memory& e) {
        throw_needs_parts(e);
    }
    {
        stream_work work(b.where);
        work.writes(*fresh);
        b.origin->copy({0, b.bytes, b.bytes, 1}, b.where, fresh->data);
    }
    std::swap(b.data, fresh->data);
    std::swap(b.uses, fresh->uses);
    b.origin.reset();
}

}  // namespace sinter::inline SINTER_ABI::runtime

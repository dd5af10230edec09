// Bodies of pinned.hpp.
#pragma once

#include <sinter/tools/pinned.hpp>
#include <sinter/runtime/memory/copy.hpp>
#include <sinter/runtime/memory/stream_work.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void read_later(const handle& x, void* to, event& done) {
    const handle h = computed_rows(x);
    // Whether the elements mean anything is known after a wait only.
    if (h->memory->unchecked) read(h, to);
    else if (h->shape.product() > 0) {
        const auto size = static_cast<std::size_t>(codegen::size_of(h->type));
        runtime::stream_work work(h->where);
        work.reads(*h->memory);
        runtime::copy_to_pinned(
            to, h->where, static_cast<const char*>(h->memory->data) + static_cast<std::size_t>(h->at.offset) * size,
            static_cast<std::size_t>(h->shape.product()) * size);
    }
    device_scope on(h->where);
    done.record();
}

}  // namespace sinter::inline SINTER_ABI::detail

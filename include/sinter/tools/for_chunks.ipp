// Bodies of for_chunks.hpp.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <sinter/codegen/base/dims.hpp>
#include <sinter/codegen/base/owner.hpp>
#include <sinter/tools/for_chunks.hpp>
#include <sinter/tools/progress.hpp>

namespace sinter::inline SINTER_ABI::detail {

struct chunk_reader::bar {
    progress line;
    progress::iterator at;

    bar(std::int64_t n, const std::string& label) : line(n, label), at(line.begin()) {}
};

// Of what nobody says the bytes of, those that are read count as those that are made.
SINTER_INLINE std::int64_t elements_of_chunk(const absent_reader& reader, const runtime::value& v, int axis,
                                             const chunk_options& o) {
    if (o.bytes < 0) throw value_error("[for_chunks] a part of " + std::to_string(o.bytes) + " bytes");
    if (o.bytes > 0) return elements_in_bytes(v.shape[axis], v.bytes(), o.bytes);
    std::lock_guard lock(runtime::runtime_lock());
    return elements_in_bytes(v.shape[axis], std::max(v.bytes(), reader.bytes_behind(v)), bytes_of_part(v.where));
}

SINTER_INLINE chunk_reader::chunk_reader(const handle& x, std::int64_t axis, const chunk_options& o)
    : x_(x), axis_(codegen::normalize_axis("for_chunks", axis, x->shape.size())), reader_(x->where, false) {
    each_ = elements_of_chunk(reader_, *x, axis_, o);
    const std::int64_t n = x->shape[axis_];
    {
        std::lock_guard lock(runtime::runtime_lock());
        const std::int64_t unit = reader_.is_for(*x) ? reader_.elements_for_scans(*x, n) : 1;
        if (each_ > unit) each_ -= each_ % unit;
    }
    if (!o.progress.empty() && isatty(STDERR_FILENO))
        bar_ = codegen::owner(new bar((n + each_ - 1) / each_, o.progress));
}

SINTER_INLINE chunk_reader::~chunk_reader() = default;

SINTER_INLINE handle chunk_reader::next() {
    const std::int64_t n = x_->shape[axis_];
    if (bar_ && at_ > 0) ++bar_->at;
    if (at_ >= n) return handle();
    const range of{at_, std::min(at_ + each_, n)};
    at_ = of.end;
    handle part = part_of(reader_, x_, axis_, of);
    if (!part) part = take_part(x_, axis_, of);
    runtime::evaluate(part.alone());
    reader_.read_ahead();
    return part;
}

}  // namespace sinter::inline SINTER_ABI::detail

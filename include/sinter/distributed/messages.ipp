// Bodies of messages.hpp.
#pragma once

#include <sinter/array/reading.hpp>
#include <sinter/distributed/messages.hpp>
#include <sinter/functions/joining.hpp>
#include <sinter/runtime/memory/stream_work.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE void add_move(std::vector<std::string>& moves, const std::string& words) {
    constexpr std::size_t remembered = 16;
    if (words.empty()) return;
    if (moves.size() == remembered) moves.erase(moves.begin());
    moves.push_back(words);
}

SINTER_INLINE void exchange_of_ranks::send(int to, const handle& h) {
    out_sizes[static_cast<std::size_t>(to)] = h->bytes();
    append_elements(out, h);
}

SINTER_INLINE void exchange_of_ranks::expect(int from, const dims& shape, dtype type) {
    in_sizes[static_cast<std::size_t>(from)] = shape.product() * codegen::size_of(type);
}

SINTER_INLINE void exchange_of_ranks::run(const session_ref& s, const call_reason& why, std::vector<std::string>& moves,
                                          bool between_few) {
    std::string words;
    in = between_few ? s->exchange(why, out, out_sizes, in_sizes, words)
                     : s->all_to_all(why, out, out_sizes, in_sizes, words);
    add_move(moves, words);
}

SINTER_INLINE exchange_of_values::exchange_of_values(const session_ref& s, dtype type, device where)
    : session_(s),
      type_(type),
      where_(where),
      pieces_(static_cast<std::size_t>(s->ranks())),
      shapes_(pieces_.size(), dims(0)) {}

SINTER_INLINE void exchange_of_values::send(int to, const handle& h) {
    pieces_[static_cast<std::size_t>(to)] = record_reshape(h, dims(h->shape.product()));
}

SINTER_INLINE void exchange_of_values::expect(int from, const dims& shape) {
    shapes_[static_cast<std::size_t>(from)] = shape;
}

SINTER_INLINE std::int64_t exchange_of_values::begin_of(int rank) const {
    std::int64_t begin = 0;
    for (std::size_t r = 0; r < static_cast<std::size_t>(rank); ++r) begin += shapes_[r].product();
    return begin;
}

SINTER_INLINE handle exchange_of_values::received_from(std::int64_t begin, const dims& shape) const {
    if (!elements_) return store(type_, shape, bytes_.data() + begin * codegen::size_of(type_));
    layout at = codegen::contiguous(shape);
    at.offset = begin;
    return record_view(elements_, at);
}

SINTER_INLINE void exchange_of_values::run(const call_reason& why, std::vector<std::string>& moves, bool between_few) {
    const collective call = for_all_      ? collective::all_gather
                            : between_few ? collective::exchange
                                          : collective::all_to_all;
    if (session_->link().moves_on(where_)) return run_on_device(call, why, moves);
    if (for_all_) {
        std::vector<std::int64_t> sizes;
        for (const dims& shape : shapes_) sizes.push_back(shape.product() * codegen::size_of(type_));
        std::vector<char> mine;
        append_elements(mine, for_all_);
        std::string words;
        bytes_ = session_->all_gather(why, mine, sizes, words);
        return add_move(moves, words);
    }
    exchange_of_ranks e(session_->ranks());
    for (int r = 0; r < session_->ranks(); ++r) {
        if (pieces_[static_cast<std::size_t>(r)]) e.send(r, pieces_[static_cast<std::size_t>(r)]);
        e.expect(r, shapes_[static_cast<std::size_t>(r)], type_);
    }
    e.run(session_, why, moves, between_few);
    bytes_ = std::move(e.in);
}

// Pieces of device memory that lie one behind the other, or are all the same one.
SINTER_INLINE std::vector<distributed::transfer> transfers_of(codegen::span<const std::int64_t> sizes, bool is_same) {
    std::vector<distributed::transfer> all;
    for (std::size_t r = 0; r < sizes.size(); ++r)
        all.push_back({all.empty() || is_same ? 0 : all.back().end(), sizes[r], static_cast<int>(r)});
    return all;
}

SINTER_INLINE void exchange_of_values::run_on_device(collective call, const call_reason& why,
                                                     std::vector<std::string>& moves) {
    const std::int64_t size = codegen::size_of(type_);
    std::vector<std::int64_t> out_sizes, in_sizes;
    codegen::sequence<handle> pieces;
    std::int64_t wanted = 0;
    for (std::size_t r = 0; r < shapes_.size(); ++r) {
        const handle& h = for_all_ ? for_all_ : pieces_[r];
        out_sizes.push_back(h ? h->shape.product() * size : 0);
        in_sizes.push_back(shapes_[r].product() * size);
        wanted += shapes_[r].product();
        if (!for_all_ && out_sizes.back() > 0) pieces.push_back(h);
    }
    const device_scope on(where_);
    const handle out = for_all_         ? computed_rows(for_all_)
                       : pieces.empty() ? handle()
                                        : computed_rows(record_concatenate(why.operation, pieces, type_, 0));
    const runtime::buffer_ref in = runtime::allocate_buffer(where_, static_cast<std::size_t>(wanted * size));
    std::string words;
    {
        runtime::stream_work work(where_);
        if (out && out->memory) work.reads(*out->memory);
        work.writes(*in);
        const char* const from =
            out && out->memory ? static_cast<const char*>(out->memory->data) + out->at.offset * size : nullptr;
        session_->move_on_device(call, why, from, transfers_of(out_sizes, static_cast<bool>(for_all_)),
                                 static_cast<char*>(in->data), transfers_of(in_sizes, false), words);
    }
    add_move(moves, words);
    elements_ = runtime::make_stored(type_, dims(wanted), in, codegen::contiguous(dims(wanted)));
}

}  // namespace sinter::inline SINTER_ABI::detail

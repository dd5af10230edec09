// Bodies of redistribution.hpp.
#pragma once

#include <cstring>
#include <sinter/array/reading.hpp>
#include <sinter/codegen/distributed/cyclic.hpp>
#include <sinter/distributed/messages.hpp>
#include <sinter/distributed/redistribution.hpp>
#include <sinter/functions/shape_functions.hpp>

namespace sinter::inline SINTER_ABI::detail {

using distributed::common_elements;

/// Of one rank's part the elements that another's has, in the order of both.
struct common_block {
    common_elements rows, columns;

    std::int64_t size() const { return static_cast<std::int64_t>(rows.first.size() * columns.first.size()); }
};

/// A part of a matrix in memory: how far it is from a row to the next, and from a column.
struct matrix_steps {
    std::int64_t row, column;
};

// Copies elements between a part and a message; `to_part` the other way round, by the second lists.
template <bool ToPart, class Part, class Message>
void copy_block(const common_block& b, matrix_steps by, std::int64_t size, Part* part, Message* message) {
    const auto& rows = ToPart ? b.rows.second : b.rows.first;
    const auto& columns = ToPart ? b.columns.second : b.columns.first;
    const auto bytes = static_cast<std::size_t>(size);
    for (std::int64_t i : rows)
        for (std::int64_t j : columns) {
            Part* const at = part + (i * by.row + j * by.column) * size;
            if constexpr (ToPart) std::memcpy(at, message, bytes);
            else std::memcpy(message, at, bytes);
            message += bytes;
        }
}

SINTER_INLINE handle store_by_columns(dtype type, std::int64_t rows, std::int64_t columns, const void* elements) {
    return record_transpose(store(type, dims(columns, rows), elements), dims(1, 0));
}

SINTER_INLINE handle redistribute(const distributed_ref& v, const placement& p, std::string_view operation,
                                  std::vector<std::string>& moves) {
    const int ranks = v->session->ranks(), rank = v->session->rank();
    const std::int64_t size = codegen::size_of(v->type);
    auto block_of = [&](int from, int to) {
        auto axis = [&](int i) {
            return distributed::in_common(elements_of(v->shape, v->where, ranks, from, i),
                                          elements_of(v->shape, p, ranks, to, i));
        };
        return common_block{axis(0), axis(1)};
    };
    const bool is_everywhere = v->where.kind == placement_kind::replicated;
    auto moves_between = [&](int from, int to) {
        return v->where.kind == placement_kind::block_cyclic || is_source(v->where, ranks, from, to);
    };
    std::vector<char> part;
    append_elements(part, v->local);
    exchange_of_ranks e(ranks);
    for (int r = 0; r < ranks; ++r) {
        if (!moves_between(rank, r)) continue;
        const common_block b = block_of(rank, r);
        const std::size_t at = e.out.size();
        e.out_sizes[static_cast<std::size_t>(r)] = b.size() * size;
        e.out.resize(at + static_cast<std::size_t>(b.size() * size));
        copy_block<false>(b, {v->local->shape[1], 1}, size, part.data(), e.out.data() + at);
    }
    std::vector<common_block> blocks(static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; ++r) {
        if (!moves_between(r, rank)) continue;
        common_block& b = blocks[static_cast<std::size_t>(r)] = block_of(r, rank);
        e.in_sizes[static_cast<std::size_t>(r)] = b.size() * size;
    }
    if (is_everywhere) e.in = std::move(e.out);
    else e.run(v->session, reason_of(operation, v, "to " + to_string(p)), moves);
    const dims shape = local_shape(v->shape, p, ranks, rank);
    const bool by_columns = p.kind == placement_kind::block_cyclic;
    const matrix_steps by{by_columns ? 1 : shape[1], by_columns ? shape[0] : 1};
    part.assign(static_cast<std::size_t>(shape.product() * size), 0);
    const char* from = e.in.data();
    for (std::size_t r = 0; r < blocks.size(); from += e.in_sizes[r++])
        copy_block<true>(blocks[r], by, size, part.data(), from);
    return by_columns ? store_by_columns(v->type, shape[0], shape[1], part.data()) : store(v->type, shape, part.data());
}

}  // namespace sinter::inline SINTER_ABI::detail

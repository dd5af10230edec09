// Values that lie over ranks, untyped: parts, and what moves between them. Must not know element types at compile time.
#pragma once

#include <atomic>
#include <sinter/codegen/distributed/rules.hpp>
#include <sinter/distributed/elements/open_expression.hpp>
#include <sinter/distributed/session.hpp>
#include <sinter/parts/reduced_blocks.hpp>

namespace sinter::inline SINTER_ABI::detail {

using distributed::box;
using distributed::placement;
using distributed::placement_kind;

/// What is done once other ranks have been heard: a function of values that wait for them, and what a reduction that
/// waits is of, where calls are checked.
struct postponed_result {
    std::vector<distributed_ref> inputs = {};
    std::function<handle(codegen::span<const handle>)> finish = {};
    std::string subject = {};
};

/// A value over the ranks of a session: this rank's part, which may be pending as any array's value may, and its
/// placement.
struct distributed_value {
    distributed_value(const session_ref& s, dtype t, const dims& all, const placement& p)
        : session(s), type(t), shape(all), where(p) {}

    session_ref session;
    dtype type;
    dims shape;
    placement where;
    handle local;                                ///< empty while it is open, or waits for other ranks
    open_ref open;                               ///< words of its part, which has one holder then
    std::atomic<bool> is_open = false;           ///< what several threads may ask that read it
    std::shared_ptr<blocked_reduction> waiting;  ///< a partial result that is combined when it is read
    std::unique_ptr<postponed_result> later;
    std::vector<std::string> moves;  ///< the last messages that made it, in words

    void begin(open_ref words) {
        open = std::move(words);
        is_open.store(true, std::memory_order_relaxed);
    }
    range part(int rank, int axis) const { return part_along(shape, where, session->ranks(), rank, axis); }
    range part(int axis) const { return part(session->rank(), axis); }
};

/// A value without a part yet.
distributed_ref make_distributed(const session_ref& s, dtype type, const dims& shape, const placement& where);
/// A value of a part that this rank has.
distributed_ref make_distributed(session_ref s, const dims& shape, const placement& where, handle local,
                                 std::vector<std::string> moves = {});
/// An operation of a value, with what else all ranks have to agree upon, as the checks of calls tell it.
call_reason reason_of(std::string_view operation, const distributed_ref& v, std::string_view more = {});
/// Records what is open of a value, whose part it becomes, once where several threads want it.
void close_expression(distributed_value& v);
/// Appends what is not known yet to what made a value.
void join_moves(std::vector<std::string>& all, const std::vector<std::string>& more);
/// What made several values, the last of it.
std::vector<std::string> moves_of(codegen::span<const distributed_ref> from);

/// An array that every rank has, placed: each cuts its part, which for formulas computes no more than that.
distributed_ref record_distribute(const handle& whole, placement p, std::string_view operation = "distribute");
/// The value with partial results combined, so that it has a part: itself where it has none.
distributed_ref settled(const distributed_ref& v);
/// The value in another placement.
distributed_ref record_reshard(const distributed_ref& v, placement p, std::string_view operation = "reshard");
/// All of it on every rank.
handle record_gathered(const distributed_ref& v, std::string_view operation = "gather");

/// A box of what one rank has, a view.
handle take_box(handle h, const box& of);
/// Each rank's own box of a value, from the ranks that have it; no rank is asked for what it has not. Single messages
/// where few ranks have something for each other, else a collective.
handle fetch(const distributed_ref& v, std::string_view operation, codegen::span<const box> wanted,
             std::vector<std::string>& moves, bool between_few = true);
/// What each rank wants where an axis is another range for each, and all of the other axes.
template <class F>
std::vector<box> boxes_of(const distributed_ref& v, F range_of) {
    std::vector<box> all;
    for (int r = 0; r < v->session->ranks(); ++r) {
        box b = box::of(v->shape);
        for (int axis = 0; axis < v->shape.size(); ++axis) b.set(axis, range_of(r, axis, b.along(axis)));
        all.push_back(b);
    }
    return all;
}

void finish_derived(distributed_value& v);
/// What a function makes of values that lie alike: at once, or when it is read where they wait for other ranks.
distributed_ref make_derived(std::vector<distributed_ref> inputs, dtype type,
                             std::function<handle(codegen::span<const handle>)> finish);
/// What has been made of such values, of which none waits.
distributed_ref make_derived(codegen::span<const distributed_ref* const> inputs, handle made);
bool any_waits(codegen::span<const distributed_ref* const> values);

/// The local operand of an operation whose result has a shape and a placement, cut where it is everywhere.
handle local_operand(const distributed_ref& v, const dims& result, const placement& where);
/// The plan of an operation on elements, after which operands have parts; nullptr stands for a number, whose size is
/// in `numbers`.
distributed::map_plan plan_elements(std::string_view operation, distributed::operation_class c,
                                    codegen::span<distributed_ref> operands, codegen::span<const double> numbers);

/// Throws value_error unless all are of one session.
const session_ref& common_session(std::string_view operation, codegen::span<const distributed_ref> operands);

}  // namespace sinter::inline SINTER_ABI::detail

#if SINTER_HEADER_ONLY
#include <sinter/distributed/value.ipp>
#endif

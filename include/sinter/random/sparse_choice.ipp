// Bodies of sparse_choice.hpp.
#pragma once

#include <sinter/functions/joining.hpp>
#include <sinter/functions/ordering.hpp>
#include <sinter/functions/picking.hpp>
#include <sinter/random/draws.hpp>
#include <sinter/random/sparse_choice.hpp>

namespace sinter::inline SINTER_ABI::detail {

// Fisher's and Yates' shuffle exchanges, for i = 0, 1, …, what stands at place i with what stands at a place drawn from
// i to n - 1, and is over after `count` exchanges. A place that was not drawn before has its own number. One that was
// has what stood, at the last draw of it, at that draw's own place, which is another draw's or its own number: the end
// of a chain of draws that go back, to which every draw comes at once by doubling its steps.
SINTER_INLINE handle record_sparse_choice(std::int64_t n, std::int64_t count, random_source from) {
    using numbers = array<std::int64_t>;
    const numbers turn = arange<std::int64_t>(count);
    const numbers drawn(record_integers("choice", dtype::int64, {.array = turn.get_handle()},
                                        {.array = {}, .number = static_cast<double>(n), .whole = n}, dims(count),
                                        from));
    const numbers order = argsort(drawn), sorted = take(drawn, order);
    const array<bool> again = sorted(slice(1, none)) == sorted(slice(none, -1));
    numbers before = full<std::int64_t>({count}, -1);
    before(order(slice(1, none))) = where(again, order(slice(none, -1)), std::int64_t{-1});
    const numbers behind = searchsorted(sorted, turn, side::right), last = take(order, maximum(behind - 1, 0));
    const numbers earlier = where(last == turn, before, last);
    numbers origin = where(behind > 0 && take(drawn, last) == turn && earlier >= 0, earlier, turn);
    for (std::int64_t steps = 1; steps < count; steps *= 2) origin = take(origin, origin);
    return numbers(where(before < 0, drawn, take(origin, maximum(before, 0)))).get_handle();
}

}  // namespace sinter::inline SINTER_ABI::detail

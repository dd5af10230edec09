// The steps, as slices of the string beside their neighbours.
#include "waves.hpp"

namespace waves {

using namespace sinter;

array<float> swing(const array<float>& start, int steps, float courant) {
    if (!(courant > 0 && courant <= 1))
        throw value_error("[swing] courant is not in (0, 1]: " + std::to_string(courant));
    const slice inner(1, -1), left(0, -2), right(2, none);
    array<float> now = start, before = start;
    for (int i = 0; i < steps; ++i) {
        array<float> next = zeros_like(now);
        next(inner) = 2 * now(inner) - before(inner) + courant * courant * (now(left) - 2 * now(inner) + now(right));
        before = now;
        now = next;
    }
    return now;
}

}  // namespace waves

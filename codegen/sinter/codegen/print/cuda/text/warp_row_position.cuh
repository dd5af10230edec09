// Which rows a thread of short rows has: several along the outer axes, several side by side, or one.
R"cuda(
//@ if outer
const index number = $block * $step + threadIdx.y;
const index outer = kept / $by, tiles = (outer + $rest) / $rows;
const bool inside = number < tiles * $beside;
const index tile = inside ? number / $by : 0, beside = inside ? number - tile * $beside : 0;
const index first = tile + 1 < tiles ? $rows * tile : outer - $rows;
//@ end
//@ if side_by_side
const index first = $block * $all + threadIdx.y;
const auto is_inside = [&](int u) { return first + $step * u < kept; };
// Threads beyond the last row compute it once more, for they take part in shuffles.
const auto row_of = [&](int u) { return is_inside(u) ? first + $step * u : kept - 1; };
//@ end
//@ if single
const index number = $block * $threads + threadIdx.y;
// Threads beyond the last row compute it once more, for they take part in shuffles.
const bool inside = number < kept;
const index row = inside ? number : kept - 1;
//@ end
const int size = (int)reduced;
)cuda"

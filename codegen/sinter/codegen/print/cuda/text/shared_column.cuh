// Which column eight threads have together, each a lane of its order.
R"cuda(
const index number = $block * $across + threadIdx.x;
// Threads beyond the last column compute it once more, for all of a block meet.
const bool inside = number < kept;
const index column = inside ? number : kept - 1;
const int lane = threadIdx.y, lanes = reduced < 8 ? (int)reduced : 8;
)cuda"

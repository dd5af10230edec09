// Which groups of chunks a thread block of columns has to combine, and how many chunks each has.
R"cuda(
const bool is_shared = gridDim.y > 1;
const index groups = (tiles + $rest) / $group, own = blockIdx.y * each / $group;
unsigned* barriers = counters + blockIdx.x * (groups + 1);
const auto members_of = [&](index g) { return (int)(tiles - $group * g < $group ? tiles - $group * g : $group); };
__syncthreads();
)cuda"

// How what a tile has selected of an array leaves shared memory: a warp writes whole lines of memory.
R"cuda(
__syncthreads();
const int last = total - first < $capacity ? total - first : $capacity;
const index to = (index)selected_before + first;
int j = t - (int)(to % 32);
if (j < 0) j += 256;
#pragma unroll 4
for (; j < last; j += 256) $to[to + j] = (($type*)buffer)[j];
)cuda"

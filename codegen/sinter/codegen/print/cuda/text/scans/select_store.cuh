// How what a tile has selected of an array leaves shared memory: a warp writes whole lines of memory.
R"cuda(
__syncthreads();
const int last = total - first < $capacity ? total - first : $capacity;
const index to = (index)selected_before + first;
for (int j = t - (int)(to % 32); j < last; j += 256) {
    if (j >= 0) $to[to + j] = (($type*)buffer)[j];
}
)cuda"

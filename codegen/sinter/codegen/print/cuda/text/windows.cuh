// What is the same for all windows that pass through shared memory: where a thread block's stand, and how they come
// there.
R"cuda(
//@ if position
const int width = $packs * (int)blockDim.x;
const index number = $block, across = ($size + width - 1) / width;
const index outer = number / across, first = (number - outer * across) * width;
const int count = (int)($size - first < width ? $size - first : width);
//@ end
//@ if loads
$type* const w$a = ($type*)(shared + $words);
$type l$a[$packs];
#pragma unroll
for (int u = 0; u < $packs; ++u) {
    const int e = (int)threadIdx.x + u * (int)blockDim.x;
    l$a[u] = p$a[$from];
}
#pragma unroll
for (int u = 0; u < $packs; ++u) w$a[threadIdx.x + u * blockDim.x] = l$a[u];
for (int e = (int)threadIdx.x + width; e < there; e += (int)blockDim.x) w$a[e] = p$a[e$by];
//@ end
)cuda"

// What a network of exchanges sorts, as one number; behind element.hxx.
R"cuda(
// What is sorted: a number that orders as the element does, and of positions where it stands in its row, in its low
// bits.
typedef $number item;
//@ if positions
__device__ item item_of(element x, int position) { return (item)$key << $shift | position; }
__device__ result result_of(item x, const element*) { return x & $low_bits; }
//@ else
__device__ item item_of(element x, int position) { return $key; }
//@ if floating
constexpr item zero_item = $sign;
__device__ result result_of(item x, const element*) { return x < zero_item ? 0 - x : x ^ zero_item; }
//@ else
__device__ result result_of(item x, const element*) { return $key; }
//@ end
//@ end
__device__ bool comes_before(item a, item b) { return a < b; }
__device__ item either(bool first, item a, item b) { return first ? a : b; }
__device__ item last_item() { return ~(item)0; }
__device__ item of_lane(item x, int bits) { return __shfl_xor_sync(0xffffffffu, x, bits); }
)cuda"

// How a tile of a row that is not whole is stored by packs where rows begin as they do in shared memory; behind
// store_pack. What follows stores single elements: those before the first whole pack, and those behind the last.
R"cuda(
#pragma unroll 1
for (int g = 0; g < 4; ++g) {
    const int at = 1024 * g + 4 * t;
    if (all || (at >= shift && at + 4 <= ends)) store_pack(g);
}
const int at = t < 4 ? t : ends / 4 * 4 + t - 4;
const bool single = t < 4 ? !all && (shift > 0 || ends < 4) : t < 8 && ends >= 4 && !all_behind;
)cuda"

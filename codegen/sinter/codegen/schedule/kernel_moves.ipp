// How many elements a thread of a kernel moves, side by side, one by one or turned in tiles; must not know their text.
// Part of kernel.ipp.
#pragma once

#include <sinter/codegen/ops/ieee.hpp>
#include <sinter/codegen/schedule/kernel.hpp>
#include <sinter/codegen/schedule/stages.hpp>

SINTER_IEEE_BEGIN

namespace sinter::inline SINTER_ABI::codegen {

// Whether an access is loaded or stored once per point of the space rather than once per result or by a gather.
SINTER_INLINE bool is_moved(const kernel& k, std::uint32_t a) {
    if (k.accesses[a].operand == access::own_number) return false;
    for (const instruction& i : k.body)
        if (i.kind == instruction_kind::load && i.payload == a && !is_row_stage(i.stage)) return true;
    for (const store& s : k.stores)
        if (s.access == a && !is_row_stage(s.stage)) return true;
    return false;
}

SINTER_INLINE bool can_move(const kernel& k, int width) {
    int inner = k.space.size() - 1;
    if (!k.flat && !k.reduces() && k.space[inner] % width != 0) return false;
    for (std::uint32_t a = 0; a < k.accesses.size(); ++a) {
        const layout& at = k.accesses[a].at;
        if (!is_moved(k, a) || k.advances[a] == advance::none) continue;
        if (k.advances[a] != advance::unit || at.offset % width != 0) return false;
        for (int i = 0; i < inner; ++i)
            if (at.strides[i] % width != 0) return false;
    }
    return true;
}

// 16 bytes of the largest type in a map, the four lanes of a thread in a row; long bodies gain nothing from it.
SINTER_INLINE int choose_vector_width(const kernel& k, const map_schedule& maps) {
    if (k.body.size() > maps.long_body) return 1;
    for (const invocation* f : k.invocations)
        if (f->function->cost >= expensive_function) return 1;
    if (k.reduces()) {
        // Kernels that keep rows in registers move whole groups of four only.
        const bool whole = !k.is_row_kernel() && k.row_capacity == 0;
        const bool one_axis = k.space.size() == k.kept + 1, scans = k.scans || k.selects;
        const bool fours =
            one_axis ? whole || k.reduced_size() % 4 == 0 : whole && !scans && !draws(k) && k.space.back() % 4 == 0;
        return k.tree == reduce_tree::rows && fours && can_move(k, 4) ? 4 : 1;
    }
    int largest = 1;
    for (std::uint32_t a = 0; a < k.accesses.size(); ++a)
        if (is_moved(k, a)) {
            int size = size_of(k.operands[static_cast<std::size_t>(k.accesses[a].operand)].type);
            largest = size > largest ? size : largest;
        }
    int width = maps.vector_bytes / largest;
    auto is_long = [&] { return k.body.size() * static_cast<std::size_t>(width) > maps.packed_body; };
    while (width > 1 && (is_long() || !can_move(k, width))) width /= 2;
    return width;
}

// Whether a load's neighbours lie along this axis rather than the innermost one.
SINTER_INLINE bool is_turned(const kernel& k, std::uint32_t a, int axis) {
    bool loaded = false;
    for (const instruction& i : k.body) loaded = loaded || (i.kind == instruction_kind::load && i.payload == a);
    const dims& steps = k.accesses[a].at.strides;
    return loaded && k.accesses[a].operand != access::own_number && steps[axis] == 1 && k.advances[a] == advance::any;
}

// Whether every point of a map has an element of its own; others are repeated and come from a cache.
SINTER_INLINE bool is_spread(const kernel& k, std::uint32_t a) {
    for (int i = 0; i < k.space.size(); ++i)
        if (k.space[i] > 1 && k.accesses[a].at.strides[i] == 0) return false;
    return true;
}

// How many single elements a thread of a map computes that cannot load neighbours at once: so many that it has as many
// bytes on their way as if it could, or all that lie side by side in memory where few do.
SINTER_INLINE int choose_parts(const kernel& k, const map_schedule& maps) {
    if (k.tile > 0 || k.kept_size() < maps.least_parted) return 1;
    for (const invocation* f : k.invocations)
        if (f->function->cost >= expensive_function) return 1;
    sequence<char> is_read(k.operands.size(), 0), is_repeated(k.operands.size(), 0);
    for (const instruction& i : k.body) {
        if (i.kind == instruction_kind::whole) return 1;
        const bool reads = i.kind == instruction_kind::load || i.kind == instruction_kind::gather;
        if (!reads || k.accesses[i.payload].operand == access::own_number) continue;
        const bool spread = i.kind == instruction_kind::gather || is_spread(k, i.payload);
        (spread ? is_read : is_repeated)[static_cast<std::size_t>(k.accesses[i.payload].operand)] = 1;
    }
    auto bytes_of = [&](const sequence<char>& which) {
        int bytes = 0;
        for (std::size_t o = 0; o < k.operands.size(); ++o)
            if (which[o]) bytes += size_of(k.operands[o].type);
        return bytes;
    };
    const int spread = bytes_of(is_read), bytes = spread > 0 ? spread : bytes_of(is_repeated);
    bool turned = false;
    for (std::uint32_t a = 0; k.space.size() == 2 && a < k.accesses.size(); ++a) turned = turned || is_turned(k, a, 0);
    int parts = bytes > 0 ? 2 : 1;
    while (bytes > 0 && parts < maps.most_parts &&
           (parts * bytes < maps.vector_bytes || (turned && parts < k.space[0])))
        parts *= 2;
    while (k.body.size() * static_cast<std::size_t>(parts) > maps.packed_body && parts > 1) parts /= 2;
    return parts;
}

// How often a thread of a flat map draws its neighbours: those that only make random numbers wait for nothing but their
// own arithmetic, whose constant part several packs share.
SINTER_INLINE int choose_packs(const kernel& k, const map_schedule& maps) {
    if (k.vector_width == 1) return choose_parts(k, maps);
    if (!k.flat) return 1;
    bool draws = false;
    for (const instruction& i : k.body) {
        if (i.kind == instruction_kind::gather) return 1;
        if (i.kind == instruction_kind::load && k.advances[i.payload] != advance::aligned) return 1;
        draws = draws ||
                (i.kind == instruction_kind::apply && (i.operation == op::philox_32 || i.operation == op::philox_64));
    }
    std::size_t elements = static_cast<std::size_t>(k.vector_width * maps.random_packs);
    return draws && k.body.size() * elements <= maps.packed_body ? maps.random_packs : 1;
}

SINTER_INLINE bool is_mirrored(const kernel& k, std::uint32_t turned, std::uint32_t straight) {
    if (k.advances[turned] != advance::turned || k.advances[straight] != advance::unit) return false;
    const std::int32_t a = k.accesses[turned].operand, b = k.accesses[straight].operand;
    if (b == access::own_number) return false;
    const operand &x = k.operands[static_cast<std::size_t>(a)], &y = k.operands[static_cast<std::size_t>(b)];
    return x.slot == y.slot && x.written == y.written;
}

SINTER_INLINE std::int64_t tile_bytes(const kernel& k, int side) {
    std::int64_t bytes = 0;
    for (std::uint32_t a = 0; a < k.accesses.size(); ++a)
        if (k.advances[a] == advance::turned)
            bytes += side * (side + 1) * size_of(k.operands[static_cast<std::size_t>(k.accesses[a].operand)].type);
    return bytes;
}

// The side of the tiles for the operands that are turned; 0 when they do not fit. Narrow ones also where one is as long
// as an axis.
SINTER_INLINE int choose_side(const kernel& k, const map_schedule& maps, int axis) {
    bool narrow = false;
    for (std::uint32_t a = 0; a < k.accesses.size(); ++a)
        narrow = narrow || (k.advances[a] == advance::turned &&
                            size_of(k.operands[static_cast<std::size_t>(k.accesses[a].operand)].type) > 4);
    narrow = narrow || k.space[axis] <= maps.narrow_tile || k.space.back() <= maps.narrow_tile;
    if (!narrow && tile_bytes(k, maps.wide_tile) <= maps.shared_bytes) return maps.wide_tile;
    return tile_bytes(k, maps.narrow_tile) <= maps.shared_bytes ? maps.narrow_tile : 0;
}

// A map that stores along its innermost axis while operands lie along another one reads those by tiles, so that both
// move in whole lines of memory.
SINTER_INLINE void choose_tile(kernel& k, const map_schedule& maps) {
    constexpr std::int64_t most_blocks = 65535;  // along y and z of a grid
    int inner = k.space.size() - 1;
    if (k.reduces() || inner < 1 || k.space[inner] < maps.least_turned || k.body.size() > maps.long_body) return;
    for (const store& s : k.stores)
        if (k.advances[s.access] != advance::unit) return;
    for (int axis = inner; axis-- > 0 && k.tile == 0;) {
        if (k.space[axis] < maps.least_turned || k.kept_size() / k.space[axis] / k.space[inner] > most_blocks) continue;
        sequence<advance> before = k.advances;
        for (std::uint32_t a = 0; a < k.accesses.size(); ++a)
            if (is_turned(k, a, axis)) k.advances[a] = advance::turned;
        if (tile_bytes(k, 1) > 0) k.tile = choose_side(k, maps, axis);
        if (k.tile > 0 && k.space[axis] <= most_blocks * k.tile) k.tile_axis = axis;
        else k.advances = before, k.tile = 0;
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

SINTER_IEEE_END

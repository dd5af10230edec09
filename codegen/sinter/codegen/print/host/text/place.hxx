// Where the first of the extreme elements of a tile is, and which it is.
R"cxx(
static int place$r($type* f, int m, $type* best) {
    if (m <= 16) {
        int place = 0;
        $find_place;
        *best = f[place];
        return place;
    }
    for (int l = m; l < $tile; ++l) f[l] = f[0];
    $type h[$half];
    for (int l = 0; l < $half; ++l) h[l] = $later_wins ? f[l + $half] : f[l];
    for (int s = $half / 2; s > 0; s /= 2)
        for (int l = 0; l < s; ++l) h[l] = $half_wins ? h[l + s] : h[l];
    const $type b = h[0];
    $place_type place = $tile;
    for (int l = 0; l < $tile; ++l) {
        const $place_type here = $is_best ? l : $tile;
        place = here < place ? here : place;
    }
    *best = b;
    return (int)place;
}
)cxx"

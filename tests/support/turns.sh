# Sourced by tests/run: which part of the tests has its turn, and which sources have none. Expects ROOT, MODE, TURNS and SYSTEM.

# part_of N: which of N parts the commit's hash chooses.
part_of() {
    local hash
    hash=$(git -c safe.directory='*' -C "$ROOT" rev-parse HEAD 2>/dev/null || echo 0)
    echo $((0x${hash:0:8} % $1))
}

# part_of_turns: with --half one of the parts that all is parted into.
part_of_turns() { echo "--of $TURNS --part $(part_of $TURNS)"; }

# part_of_matrix N: one of N parts of every way to make a value beside every way to use one, by the commit's hash; of N / 10 with --full.
part_of_matrix() {
    local parts=$(($1 * TURNS))
    [ "$MODE" = full ] && parts=$((parts / 10 > 1 ? parts / 10 : 1))
    echo "--of $parts --part $(part_of "$parts")"
}

# part_of_sources N: one of N parts of the headers, or of the sources of tests and benchmarks, by the commit's hash; all with --full. Of
# sources of which --half has left out a half already N is odd, so that each has its turn.
part_of_sources() { [ "$MODE" = full ] || echo "--of $1 --part $(part_of "$1")"; }

# What tests numbers: none of it depends on the machine beside its compiler, nor on more of the runtime than other tests need.
NUMBERS=$(printf '*/%s_test.cpp,' ops distributions random half half_axes rows row_axes row_products reductions scans sorting ordering selection scattering \
    indexing indexing_combinations function signatures language variance tridiagonal short_forms extremes narrow_rows repeats counting groups)
# Sources that --system always leaves out beside the pure ring: they test numbers and kernels, and find the compiler as all others do.
BEYOND_SYSTEM='/tests/shared/(analysis|functions|fuse|ndimage|ops|print|rewrite|schedule|signal|special)/'
BEYOND_SYSTEM+='|/(distributions|eig|forms|function|function_uses|generators|half_axes|indexing|indexing_combinations|language|linalg_ratio)_test'
BEYOND_SYSTEM+='|/(linalg_stacks|loops|map_index|matrix_functions|multivariate_normal|random|signatures|small_matrix|tridiagonal|vector_draws)_test'
# changed_lately: the sources that the last 40 commits changed, where their history is here.
changed_lately() {
    local count
    for count in 40 10 1; do
        git -c safe.directory='*' -C "$ROOT" diff --name-only "HEAD~$count" 2>/dev/null && return
    done
}
# left_out: the sources of the host ring that are not built, as a regular expression: of what --system or --half has all but one of several
# parts, less those that changed lately.
left_out() {
    local never='^$' parts=$TURNS
    [ -z "$SYSTEM" ] || never=$BEYOND_SYSTEM parts=3
    [ -z "$SYSTEM" ] || printf '%s|' "$never"
    [ "$parts" -eq 1 ] && return
    (cd "$ROOT" && find ./tests/host ./tests/shared -name '*_test.cpp') | sed 's/^\.//' | grep -vE "$never" | LC_ALL=C sort |
        awk -v parts="$parts" -v part="$(part_of "$parts")" -v new="$([ -n "$SYSTEM" ] || changed_lately)" '
            BEGIN { count = split(new, names, "\n"); while (count > 0) is_new["/" names[count--]] = 1 }
            NR % parts != part && !($0 in is_new) { printf "%s%s", separator, $0; separator = "|" }'
}
# What tests numbers that come from the system's libraries.
LIBRARIES=$(printf '*/%s_test.cpp,' fft files image testing linalg_ratio linalg_stacks small_matrix eig lapack matrix_functions multivariate_normal)

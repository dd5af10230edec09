# Sourced by examples/run, tests/run and .ci/run: installs what is missing, fetches CUDA's wheels, configures and builds.
# Expects ROOT, the source tree; defines BUILD.

BUILD="$ROOT/build"
PACKAGES=(cmake ninja-build g++ doctest-dev libopenblas0 libfftw3-double3 libfftw3-single3 libpng-dev libboost-dev python3)
# For ranks of several processes, where they are asked for.
MPI_PACKAGES=(openmpi-bin libopenmpi-dev libscalapack-openmpi2.2)

say() { printf '\n== %s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }
seconds_since() { echo $(($(date +%s) - $1)); }

# time_since START: `380 s (6.3 min)`.
time_since() {
    local s
    s=$(seconds_since "$1")
    echo "$s s ($((s / 60)).$((s % 60 / 6)) min)"
}

# Sets SPENT to the processors' seconds of what this shell has waited for.
read_spent() {
    local stat
    read -ra stat <"/proc/$BASHPID/stat"
    SPENT=$(((stat[15] + stat[16]) / 100))
}

# What has run in the background says last, in the file SPENT_ASIDE, what it took: the shell that waits for it counts that as its own.
note_aside() { read_spent && echo "$SPENT" >>"$SPENT_ASIDE"; }

# note_part NAME SECONDS FILE: a part's time, and that of the processors since this shell's last part; longest_parts FILE: the parts that
# took the most time, longest first.
note_part() {
    read_spent
    [ "$BASHPID" != $$ ] || [ ! -s "${SPENT_ASIDE:-}" ] || SPENT=$((SPENT - ($(paste -sd + "$SPENT_ASIDE"))))
    [ "${NOTING_SHELL:-}" = "$BASHPID" ] || NOTING_SHELL=$BASHPID NOTED=0
    printf '%s\t%s\t%s\n' "$2" "$1" $((SPENT - NOTED)) >>"$3"
    NOTED=$SPENT
}
longest_parts() {
    sort -rn "$1" | head -n 30 |
        awk -F '\t' '{ printf "%-60s %6d s %6.1f min, processors %6.1f min\n", $2, $1, $1 / 60, $3 / 60 }'
}

# In GiB; 0 where nothing says it.
free_memory() {
    local free
    free=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo 2>/dev/null)
    echo "${free:-0}"
}

job_count() {
    local by_cores by_memory
    by_cores=$(nproc)
    by_memory=$(free_memory)
    if [ "$by_memory" -ge 1 ] && [ "$by_memory" -lt "$by_cores" ]; then echo "$by_memory"; else echo "$by_cores"; fi
}

# Whether each job may have 3 GiB of memory.
has_much_memory() { [ "$(free_memory)" -ge $((3 * $(job_count))) ]; }

# An option of g++ with which it seldom looks for garbage, a tenth of its time.
seldom_collects() {
    has_much_memory && LC_ALL=C "${CXX:-c++}" --version 2>/dev/null | grep -q 'Free Software Foundation' && echo --param=ggc-min-heapsize=524288
}

has_package() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ] && return 0
    case $1 in # programs may also come from elsewhere
    cmake | g++ | python3) command -v "$1" >/dev/null ;;
    ninja-build) command -v ninja >/dev/null ;;
    python3-pip) python3 -m pip --version >/dev/null 2>&1 ;;
    python3-venv) python3 -m ensurepip --version >/dev/null 2>&1 ;;
    python3-dev) python3 -c 'import os, sysconfig; exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' 2>/dev/null ;;
    *) return 1 ;;
    esac
}

# Installs those of the named packages that are missing; without root and sudo prints the one line to run.
install_packages() {
    local missing=() package
    for package in "$@"; do has_package "$package" || missing+=("$package"); done
    [ ${#missing[@]} -eq 0 ] && return 0
    command -v apt-get >/dev/null || { echo "No apt-get here; going on as if these were installed: ${missing[*]}"; return 0; }
    local line="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
            as_root=(sudo)
        else
            printf 'Packages are missing. Run this as root, then start again:\n%s\n' "$line" >&2
            exit 1
        fi
    fi
    say "Installing ${missing[*]}"
    local log
    log=$(mktemp)
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
    if ! { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } </dev/null >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        fail "Could not install the packages; by hand, as root: $line"
    fi
    rm -f "$log"
}

has_driver() {
    [ -e /proc/driver/nvidia/version ] || ldconfig_lists libcuda.so.1
}

ldconfig_lists() { { ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | grep -q "$1"; }

has_toolkit() {
    local folder
    for folder in "${CUDA_PATH:-}" "${CUDA_HOME:-}" /usr/local/cuda /opt/cuda /usr; do
        [ -n "$folder" ] && [ -e "$folder/include/cuda.h" ] && [ -e "$folder/include/nvrtc.h" ] || continue
        ldconfig_lists libnvrtc.so && return 0
        compgen -G "$folder/lib*/libnvrtc.so*" >/dev/null && return 0
    done
    return 1
}

# "13 0": what the driver supports, from the driver itself.
driver_cuda_version() {
    python3 - <<'PYTHON' 2>/dev/null
import ctypes
version = ctypes.c_int()
assert ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version)) == 0
print(version.value // 1000, version.value % 1000 // 10)
PYTHON
}

# Headers, NVRTC and the libraries from PyPI, not newer than the driver; NVIDIA's wheel cuda-toolkit names matching versions
# (nvidia-cuda-runtime has cuda.h, nvidia-cuda-crt and nvidia-cuda-cccl what it and cublas_v2.h include, the others their own headers).
fetch_wheels() {
    local parts=$1 target="$BUILD/nvidia" major minor
    read -r major minor <<<"$(driver_cuda_version)"
    [ -n "${minor:-}" ] || { major=13 minor=0; }
    # Before CUDA 13 the folder crt/ that the headers include is in the compiler's wheel.
    [ "$major" -ge 13 ] || parts=${parts/crt/nvcc}
    grep -qxF "$parts" "$target/.complete" 2>/dev/null && return 0
    install_packages python3-pip
    say "Fetching NVIDIA's wheels for CUDA $major.$minor into build/nvidia, once: $parts"
    rm -rf "$target" "$target.part"
    mkdir -p "$BUILD"
    local wheel="cuda-toolkit[$parts]>=$major.0,<=$major.$minor.999999"
    if ! python3 -m pip install -q --no-compile --no-cache-dir --disable-pip-version-check --root-user-action=ignore \
        --target "$target.part" "$wheel" </dev/null >"$BUILD/nvidia.log" 2>&1; then
        tail -n 3 "$BUILD/nvidia.log"
        rm -rf "$target.part"
        echo "The wheels could not be fetched: going on without the GPU."
        return 1
    fi
    mv "$target.part" "$target" && echo "$parts" >"$target/.complete"
}

join_with() {
    local separator=$1 IFS
    shift
    IFS=$separator
    echo "$*"
}

# Fills CUDA_OPTIONS, the options of CMake that say where CUDA is.
find_cuda() {
    CUDA_OPTIONS=()
    local parts=cudart,crt,cccl,nvrtc,cublas,cusolver,curand,cufft
    has_toolkit && return 0
    if ! has_driver; then
        # Tests compile the CUDA text of kernels without a GPU, and run it on an emulated driver; cuRAND runs on the host too.
        [ -n "${WITH_TOOLKIT:-}" ] || { echo "No NVIDIA driver here: building for the CPU."; return 0; }
        parts=cudart,crt,cccl,nvrtc,curand
    fi
    if fetch_wheels "$parts"; then
        local includes=("$BUILD"/nvidia/nvidia/*/include) libraries=("$BUILD"/nvidia/nvidia/*/lib)
        CUDA_OPTIONS=("-DSINTER_CUDA_INCLUDE=$(join_with ';' "${includes[@]}")"
            "-DSINTER_CUDA_LIBRARY_PATH=$(join_with : "${libraries[@]}")")
    fi
}

configure() {
    say "Configuring in build/"
    # A build folder of another place (a copied tree) is useless to CMake.
    if [ -e "$BUILD/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$ROOT" "$BUILD/CMakeCache.txt"; then
        rm -rf "$BUILD/CMakeCache.txt" "$BUILD/CMakeFiles"
    fi
    local generator=(-G Ninja)
    [ -e "$BUILD/CMakeCache.txt" ] && generator=()
    mkdir -p "$BUILD/logs"
    if ! CXXFLAGS="${CXXFLAGS:-} $(seldom_collects)" cmake -S "$ROOT" -B "$BUILD" "${generator[@]}" "${CUDA_OPTIONS[@]}" "$@" \
        </dev/null >"$BUILD/logs/configure.txt" 2>&1; then
        cat "$BUILD/logs/configure.txt" >&2
        return 1
    fi
    grep -- '-- sinter:' "$BUILD/logs/configure.txt" | sed 's/^-- //'
}

# Builds targets, going on after failures so that all of them are seen.
build() {
    say "Building $* with $(job_count) jobs"
    local start
    start=$(date +%s)
    local command=(cmake --build "$BUILD" -j "$(job_count)" --target "$@" -- -k 0)
    local log="$BUILD/logs/build.txt" status=0
    if [ -t 1 ]; then
        "${command[@]}" </dev/null || status=$?
    else
        "${command[@]}" </dev/null >"$log" 2>&1 || status=$?
        # Without a terminal only what went wrong, or a warning, is worth a line.
        if [ $status -ne 0 ] || grep -q 'warning:' "$log"; then
            grep -vE '^\[[0-9]+/[0-9]+\] |^ninja: (Entering|no work)' "$log" | tail -n 150
        fi
    fi
    echo "$([ $status -eq 0 ] && echo Built || echo 'Build failed') in $(time_since "$start")"
    return $status
}

prepare() {
    install_packages "${PACKAGES[@]}"
    find_cuda
    configure ${SINTER_WERROR:+"-DSINTER_WERROR=$SINTER_WERROR"} "$@"
}

// Reflectors of a sweep, or a rotation of two rows; behind eig_reduce_large.cuh.
R"cuda(
struct reflector {
    element factor, rest[order - 1];
};

enum { done, failed, reflect, rotate, multiply };

// What the first warp has done in the active block and the others do elsewhere.
struct sweep_log {
    reflector reflectors[side];
    int next;
    int first, count, last;  // the first row of a reflector, how many there are, and the last row they may touch
    real cosine, sine;
    real warps[32];
};
)cuda"

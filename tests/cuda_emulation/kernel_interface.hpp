// What the emulated driver and the kernels that it loads know of each other; includes nothing.
#ifndef SINTER_KERNEL_INTERFACE
#define SINTER_KERNEL_INTERFACE

namespace cuda_emulation {

struct coordinates {
    unsigned x, y, z;
};

/// What the driver offers to kernels.
struct engine {
    void (*meet_block)();
    const char (*(*meet_warp)(unsigned mask, const void* value, unsigned bytes))[16];
    char* dynamic_shared;
    unsigned (*cluster_size)();
    void (*arrive_at_cluster)();
    void (*wait_for_cluster)();
    void* (*shared_of_block)(const void* own, unsigned rank);
    void (*wait_for_others)();
};

/// A kernel as the driver sees it.
struct entry {
    int count;
    const unsigned* sizes;
    const bool* pointers;
    void (*run_thread)(void** arguments);
    void (*run_grid)(void** arguments);
};

}  // namespace cuda_emulation

#endif

// Stores of whole packs.
R"cuda(
// Stores four neighbours by 16 bytes.
template <class T>
static __device__ inline void store_whole(pack<T, 4>* to, const pack<T, 4>& p) {
    static_assert(sizeof(p) == 16, "of what is copied");
#if __CUDA_ARCH__ >= 800
    const uint4 w = *(const uint4*)&p;
    asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(w.x), "r"(w.y), "r"(w.z), "r"(w.w)
                 : "memory");
#else
    *to = p;
#endif
}
)cuda"

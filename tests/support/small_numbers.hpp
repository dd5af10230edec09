// Threads whose processor takes and gives numbers below the smallest normal one for zero, as in programs linked with
// -ffast-math.
#pragma once

namespace test_small_numbers {

/// Whether this thread does so now.
[[gnu::noinline]] inline bool flushes() {
    volatile double smallest = 5e-324, twice = smallest * 2;
    return twice == 0;
}

/// While one lives, this thread does so, where it is known how.
class flushing_scope {
public:
#if defined(__SSE__)
    flushing_scope() : before_(__builtin_ia32_stmxcsr()) { __builtin_ia32_ldmxcsr(before_ | 0x8040); }
    ~flushing_scope() { __builtin_ia32_ldmxcsr(before_); }
#elif defined(__aarch64__)
    flushing_scope() {
        asm volatile("mrs %0, fpcr" : "=r"(before_));
        asm volatile("msr fpcr, %0" : : "r"(before_ | 0x1080000));
    }
    ~flushing_scope() { asm volatile("msr fpcr, %0" : : "r"(before_)); }
#else
    flushing_scope() = default;
    ~flushing_scope() {}
#endif
    flushing_scope(const flushing_scope&) = delete;
    flushing_scope& operator=(const flushing_scope&) = delete;

private:
#if defined(__SSE__)
    unsigned int before_;
#elif defined(__aarch64__)
    unsigned long long before_;
#endif
};

}  // namespace test_small_numbers

// What a thread keeps of a kind, so that short-lived things need no new memory; must not know the kind.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::detail {

/// The last few of a kind that a thread has done with; `End` ends those that are left with the thread.
template <class T, void (*End)(T*)>
class idle_list {
public:
    ~idle_list() {
        is_over_ = true;
        while (count_ > 0) End(kept_[--count_]);
    }
    static idle_list& of_thread() {
        static thread_local idle_list idle;
        return idle;
    }
    /// One of them, or nullptr.
    T* take() { return count_ > 0 ? kept_[--count_] : nullptr; }
    /// Keeps one, or ends it where there are enough.
    void keep(T* x) {
        if (is_over_ || count_ == most) End(x);
        else kept_[count_++] = x;
    }

private:
    static constexpr int most = 16;
    T* kept_[most];
    int count_ = 0;
    bool is_over_ = false;
};

}  // namespace sinter::inline SINTER_ABI::detail

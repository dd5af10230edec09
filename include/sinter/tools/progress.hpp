// A progress bar on the terminal for loops; must not know arrays. Not part of the umbrella: include it where it is
// used.
#pragma once

#include <cstdint>
#include <sinter/codegen/base/config.hpp>
#include <string>

namespace sinter::inline SINTER_ABI {

/// The numbers 0 … n - 1 with a bar on stderr: `for (int i : progress(n, "heat"))`. Without a terminal it writes one
/// line at the end. It counts what was recorded: what a loop never reads may be computed later.
class progress {
public:
    /// Shows that the loop goes on.
    class iterator {
    public:
        std::int64_t operator*() const { return at_; }
        iterator& operator++() {
            owner_->show(++at_);
            return *this;
        }
        bool operator!=(const iterator& other) const { return at_ != other.at_; }

    private:
        friend class progress;
        iterator(progress* owner, std::int64_t at) : owner_(owner), at_(at) {}
        progress* owner_;
        std::int64_t at_;
    };

    explicit progress(std::int64_t n, std::string label = "");
    /// Ends the line, also when the loop was left early.
    ~progress();
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;

    iterator begin() { return {this, 0}; }
    iterator end() { return {this, n_}; }

private:
    void show(std::int64_t done);
    void write(std::int64_t now) const;

    std::int64_t n_, done_ = 0, began_, shown_;
    bool terminal_;
    std::string label_;
};

}  // namespace sinter::inline SINTER_ABI

#if SINTER_HEADER_ONLY
#include <sinter/tools/progress.ipp>
#endif

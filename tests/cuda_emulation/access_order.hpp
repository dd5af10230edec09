// Which work on an emulated machine comes after which, and complaints about memory that two streams use in no order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace cuda_emulation {

/// For each stream of the process, by its number, how much of its work comes before.
class work_clock {
public:
    std::uint64_t operator[](std::size_t stream) const { return stream < ticks_.size() ? ticks_[stream] : 0; }
    void set(std::size_t stream, std::uint64_t tick) {
        if (ticks_.size() <= stream) ticks_.resize(stream + 1);
        ticks_[stream] = tick;
    }
    void join(const work_clock& other) {
        for (std::size_t i = 0; i < other.ticks_.size(); ++i) set(i, std::max((*this)[i], other.ticks_[i]));
    }

private:
    std::vector<std::uint64_t> ticks_;
};

/// What a stream does next comes after all that its clock counts.
struct ordered_stream {
    std::size_t number = next_number()++;
    work_clock before;

    static std::size_t& next_number() {
        static std::size_t n = 0;
        return n;
    }
    std::uint64_t tick() const { return before[number]; }
    void advance() { before.set(number, tick() + 1); }
};

/// The last uses of the allocations of a device, by where they begin.
class access_table {
public:
    /// Notes a use by work that has just been enqueued; what is wrong with it, or nothing.
    std::string use(std::uintptr_t allocation, const ordered_stream& s, bool writes) {
        record& r = records_[allocation];
        std::string wrong = unordered(r.written, s) ? "what another stream writes" : "";
        for (const place& p : r.read)
            if (writes && unordered(p, s)) wrong = "what another stream reads";
        if (!wrong.empty()) wrong = std::string(writes ? "writes " : "reads ") + wrong + ", which it does not wait for";
        if (writes) r = {{s.number, s.tick()}, {}};
        else note_read(r, s);
        return wrong;
    }
    void forget(std::uintptr_t allocation) { records_.erase(allocation); }

private:
    struct place {
        std::size_t stream = 0;
        std::uint64_t tick = 0;
    };
    struct record {
        place written;
        std::vector<place> read;
    };
    static bool unordered(const place& p, const ordered_stream& s) { return s.before[p.stream] < p.tick; }
    static void note_read(record& r, const ordered_stream& s) {
        for (place& p : r.read)
            if (p.stream == s.number) return void(p.tick = s.tick());
        r.read.push_back({s.number, s.tick()});
    }
    std::map<std::uintptr_t, record> records_;
};

}  // namespace cuda_emulation

// A program that measures rows on request: it reads lines `ROW SIZE SECONDS` and answers each with one line of JSON;
// must not know rows.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

/// What a row does at one size.
struct work {
    std::function<void(int)> call;            ///< enqueues the i-th call; inputs rotate with i
    std::function<void()> wait;               ///< until everything enqueued is done
    bool single = false;                      ///< a call may be made only once per measurement, as for first uses
    std::function<std::string()> facts = {};  ///< more fields of the answer, such as counts, from one more call
};

/// Sixteen bits below a leading one, others in nearly every call: the time of the day in milliseconds.
inline int unseen_bits() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count() & 0xFFFF) | 0x10000;
}

/// How many sets of inputs of `bytes` it takes so that none is found in a cache of `cache` bytes; at most 64.
inline int rotation(double bytes, double cache) {
    return static_cast<int>(std::clamp(std::ceil(2 * cache / std::max(bytes, 1.0)), 1.0, 64.0));
}

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Microseconds per call: of each batch, and the least that the process's threads together were busy in one.
struct samples {
    std::vector<double> elapsed;
    double busy = 1e300;
};

/// Batches that last about a fiftieth of the time, each with one wait at its end.
inline samples sample(const work& w, double seconds, int& next) {
    samples all;
    auto batch = [&](int calls) {
        const std::clock_t busy = std::clock();
        const double start = now();
        for (int i = 0; i < calls; ++i) w.call(next++);
        w.wait();
        const double elapsed = (now() - start) / calls * 1e6;
        all.busy = std::min(all.busy, static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC / calls * 1e6);
        return elapsed;
    };
    if (w.single) {
        all.elapsed.push_back(batch(1));
        all.busy = 0;  // compilers are other processes
        return all;
    }
    const double end = now() + seconds;
    double once = batch(1);
    // The wait would count for most of a short call; what a single one of many that belong together took says little,
    // too.
    if (once < 100) once = batch(64);
    if (once > 5e6 * seconds) {
        all.elapsed.push_back(once);
        return all;
    }
    const int calls =
        static_cast<int>(std::clamp(std::min(seconds / 50, 0.02) * 1e6 / std::max(once, 0.01), 1.0, 10000.0));
    do all.elapsed.push_back(batch(calls));
    while (now() < end);
    return all;
}

/// The path of a new file that lies in memory and stays as long as the process.
inline std::string path_in_memory() {
    const int file = memfd_create("bench", MFD_CLOEXEC);
    if (file < 0) throw std::runtime_error("no file in memory can be made");
    return "/proc/self/fd/" + std::to_string(file);
}

/// One measurement's answer: all samples, and on the first one of a size what its first call took.
inline void answer(const samples& all, double first, const std::string& facts) {
    std::printf("{\"microseconds\": [");
    for (std::size_t i = 0; i < all.elapsed.size(); ++i) std::printf("%s%.4f", i ? ", " : "", all.elapsed[i]);
    std::printf("], \"busy\": %.4f, \"first_ms\": %.3f%s}\n", all.busy, first, facts.c_str());
}

inline std::string quoted(const std::string& text) {
    std::string out;
    for (char c : text.substr(0, text.find('\n')))
        if (c == '"' || c == '\\') (out += '\\') += c;
        else out += c;
    return "\"" + out + "\"";
}

/// Serves until the input ends. `make` prepares a row at a size; what it prepared is kept until another is asked for.
inline int serve(const std::function<work(const std::string& row, const std::string& size)>& make) {
    std::string line, row, size, kept_row, kept_size;
    double seconds = 0, first = 0;
    work w;
    int next = 0;
    while (std::getline(std::cin, line)) {
        std::istringstream(line) >> row >> size >> seconds;
        try {
            std::string facts;
            if (row != kept_row || size != kept_size) {
                w = {};
                kept_row.clear();
                w = make(row, size);
                const double start = now();
                if (!w.single) w.call(next++), w.wait();
                first = (now() - start) * 1e3;
                if (!w.single && first < 5e3) w.call(next++), w.wait();
                if (w.facts) facts = w.facts();
                kept_row = row, kept_size = size;
            }
            answer(sample(w, seconds, next), first, facts);
        } catch (const std::exception& e) {
            w = {};
            kept_row.clear();
            std::printf("{\"missing\": %s}\n", quoted(e.what()).c_str());
        }
        std::fflush(stdout);
    }
    return 0;
}

}  // namespace bench

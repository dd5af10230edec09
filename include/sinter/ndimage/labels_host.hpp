// Numbers of connected objects on the CPU, by their rows' runs; must not know arrays.
#pragma once

#include <sinter/codegen/base/dims.hpp>

#include <cstdint>
#include <vector>

namespace sinter::inline SINTER_ABI::ndimage::detail {

/// Runs of neighbours along the last axis, each in one set with those that it touches (Tarjan 1975; of runs: He, Chao
/// and Suzuki 2008). The first run of a set stands for it.
class labelled_runs {
public:
    /// Of elements of a shape of one axis or more, none of them empty; `connected` are the places of a symmetric window
    /// of 3 along every axis.
    labelled_runs(const bool* inside, const dims& shape, const std::vector<bool>& connected);
    /// Writes an object's number, in the order of their first elements, or 0; how many objects there are.
    std::int64_t write(std::int32_t* labels);

private:
    struct run {
        std::int64_t begin, end;  ///< along the last axis
        std::int64_t parent;      ///< an earlier run of the set, or itself; at last its number
    };
    /// Neighbours of a row: how far apart along each axis before the last, and in memory; where along the last axis.
    struct neighbour {
        dims steps;
        std::int64_t rows;
        std::vector<std::pair<std::int64_t, std::int64_t>> reaches;
    };

    void find_runs(const bool* row, bool joins);
    std::vector<neighbour> neighbours_of(const std::vector<bool>& connected) const;
    void join(std::int64_t row, std::int64_t before, std::int64_t least, std::int64_t most);
    std::int64_t first_of(std::int64_t r);

    const dims shape_;
    std::int64_t width_, rows_;
    std::vector<run> runs_;
    std::vector<std::int64_t> starts_{0};  ///< of each row, its first run, and how many there are
};

}  // namespace sinter::inline SINTER_ABI::ndimage::detail

#if SINTER_HEADER_ONLY
#include <sinter/ndimage/labels_host.ipp>
#endif

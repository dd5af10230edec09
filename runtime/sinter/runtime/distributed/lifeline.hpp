// Connections that tell a rank when another one has ended, where no launcher does; must not know what ranks compute.
#pragma once

#include <sinter/runtime/base/file.hpp>
#include <string>
#include <vector>

namespace sinter::inline SINTER_ABI::distributed {

/// Rank 0 is connected to all others, each of them to rank 0, which passes on what it hears. A rank that is destroyed
/// in order is missed by nobody; one that is killed is, since its connections are closed.
class lifeline {
public:
    /// Rank 0 has a connection for each rank, without one for itself; any other rank that to rank 0 alone.
    lifeline(int rank, std::vector<runtime::file_descriptor> links);
    lifeline(const lifeline&) = delete;
    lifeline& operator=(const lifeline&) = delete;
    /// Takes leave of the others.
    ~lifeline();

    /// What has ended another rank, in words: `rank 1 has ended`, `rank 1 ended: [mine] no`; empty while nobody is
    /// missed. Waits for nothing.
    const std::string& ended();
    /// Tells the others why this rank ends.
    void end(const std::string& why) noexcept;

private:
    void look_at(std::size_t i);
    void tell(const std::string& words) noexcept;
    int number_of(std::size_t i) const { return rank_ == 0 ? static_cast<int>(i) : 0; }

    int rank_;
    std::vector<runtime::file_descriptor> links_;
    std::vector<std::string> heard_;  ///< on each of them, as far as it has come
    std::string why_;
};

}  // namespace sinter::inline SINTER_ABI::distributed

#if SINTER_HEADER_ONLY
#include <sinter/runtime/distributed/lifeline.ipp>
#endif

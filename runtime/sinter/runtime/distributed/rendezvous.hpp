// How processes without a launcher's messages tell each other a few bytes, by a TCP address that all know.
#pragma once

#include <cstdint>
#include <memory>
#include <sinter/runtime/distributed/lifeline.hpp>
#include <string>

namespace sinter::inline SINTER_ABI::distributed {

/// A process among others, and the address where rank 0 listens.
struct meeting_place {
    int rank = 0, ranks = 1;
    std::string address;
    std::string port;
};

/// By RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, of which the port is the next one: the launcher itself listens on
/// MASTER_PORT. Throws value_error naming what is missing or no number.
meeting_place meeting_place_of_environment();

/// The bytes of all ranks, as many of each, in the order of ranks, and what tells this one when another has ended.
struct met_ranks {
    std::string bytes;
    std::shared_ptr<lifeline> link;
};
/// Throws device_error where the ranks do not meet in time, and where something else listens at the address.
met_ranks gather_by_address(const meeting_place& place, const std::string& mine, std::int64_t milliseconds = 60000);

}  // namespace sinter::inline SINTER_ABI::distributed

#if SINTER_HEADER_ONLY
#include <sinter/runtime/distributed/rendezvous.ipp>
#endif

// Ranks with a GPU each, between which NCCL moves bytes; must not know arrays.
#pragma once

#include <memory>
#include <sinter/runtime/device/device.hpp>
#include <sinter/runtime/distributed/communicator.hpp>

namespace sinter::inline SINTER_ABI::distributed {

/// Ranks over another communicator's, which tells them how to meet: `make_nccl_communicator(make_mpi_communicator())`.
/// Each rank has a GPU of its own, the current device. Messages go from host memory through that device's memory and
/// one stream, in the order in which all ranks make the calls; what is sent waits for this rank's next call. Throws
/// device_error, on all ranks the same, where one of them has no NCCL (libnccl.so.2) or is on the CPU, and where NCCL
/// does, as for two ranks on one GPU.
std::shared_ptr<communicator> make_nccl_communicator(std::shared_ptr<communicator> over);

/// The same for processes that a launcher tells RANK and WORLD_SIZE, and by MASTER_ADDR and MASTER_PORT where rank 0
/// listens (torchrun, and SLURM's scripts for it): on MASTER_PORT + 1, since torchrun itself has MASTER_PORT. Throws
/// value_error where one of them is missing, device_error where ranks do not meet in time.
std::shared_ptr<communicator> make_nccl_communicator();

}  // namespace sinter::inline SINTER_ABI::distributed

#if SINTER_HEADER_ONLY
#include <sinter/runtime/distributed/nccl_communicator.ipp>
#endif

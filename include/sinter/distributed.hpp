// <sinter/distributed.hpp>, as programs include it beside <sinter/sinter.hpp>: arrays over many ranks.
#pragma once

#include <sinter/distributed/explain.hpp>
#include <sinter/distributed/files.hpp>
#include <sinter/distributed/fourier.hpp>
#include <sinter/distributed/functions.hpp>
#include <sinter/distributed/linalg.hpp>
#include <sinter/distributed/mpi.hpp>
#include <sinter/distributed/session.hpp>
#include <sinter/runtime/distributed/nccl_communicator.hpp>

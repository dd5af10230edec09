// <sinter/distributed_records.hpp>, as programs include it beside <sinter/sinter.hpp>: records and sets of parameters
// over many ranks, with the headers of Boost.
#pragma once

#include <sinter/distributed.hpp>
#include <sinter/distributed/structures.hpp>

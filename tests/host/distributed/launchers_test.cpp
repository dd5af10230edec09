// What a session makes of a launcher's environment.
#include "support/message_of.hpp"
#include <doctest/doctest.h>

#include <cstdlib>
#include <sinter/distributed.hpp>
#include <sinter/sinter.hpp>

using namespace sinter;
using test_messages::message_of;

namespace {

constexpr const char* variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "WORLD_SIZE", "SLURM_STEP_NUM_TASKS"};

/// A variable of the environment while it lives.
struct told {
    told(const char* name, const char* value) : name(name) { ::setenv(name, value, 1); }
    ~told() { ::unsetenv(name); }
    const char* name;
};

}  // namespace

TEST_CASE("a session of several processes that do not know each other is refused, whoever has started them") {
    for (const char* name : variables) ::unsetenv(name);
    auto begin = [] { return message_of([] { const distributed::session s; }); };
    CHECK(begin().empty());
    const std::string hint = "but this program has no MPI: include <mpi.h> before <sinter/distributed.hpp>";
    for (const auto& each : {std::pair{"OMPI_COMM_WORLD_SIZE", "mpirun"}, std::pair{"PMI_SIZE", "mpirun"},
                             std::pair{"SLURM_STEP_NUM_TASKS", "srun"}}) {
        const char *const name = each.first, *const launcher = each.second;
        CAPTURE(name);
        {
            const told one(name, "1");
            CHECK(begin().empty());
        }
        const told three(name, "3");
        CHECK(begin() == "[session] " + std::string(launcher) + " started 3 processes, " + hint);
        // One rank alone is what it says it is.
        CHECK(message_of([] { const distributed::session s(distributed::make_single_communicator()); }).empty());
    }
    const device_scope on(device::cpu());
    const told two("WORLD_SIZE", "2");
    const std::string refused =
        "[session] torchrun started 2 processes, which NCCL links on GPUs: choose one by device_scope, or start them "
        "by mpirun";
    CHECK(begin() == refused);
    // In a task of srun or mpirun, of which there may be one or several.
    for (const char* outer : {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"})
        for (const char* tasks : {"1", "3"}) {
            const told around(outer, tasks);
            CHECK(begin() == refused);
        }
}

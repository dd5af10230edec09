// Ranges of NVTX as a tool of NVIDIA's gets them, by a tool that is linked into this program.
#include <doctest/doctest.h>

#include <cstdlib>
#include <sinter/runtime/device/nvtx.hpp>
#include <sinter/sinter.hpp>
#include <string>
#include <thread>
#include <vector>

#if SINTER_HAS_CUDA && __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

namespace {

thread_local std::vector<std::string> heard;

int hear_push(const char* name) {
    heard.push_back(std::string("begin ") + name);
    return 0;
}
int hear_pop() {
    heard.push_back("end");
    return 0;
}

int attach(NvtxGetExportTableFunc_t export_table) {
    const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(export_table(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned size = 0;
    if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size)) return 0;
    *table[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(&hear_push);
    *table[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(&hear_pop);
    return 1;
}

// The header looks here at the first range, after NVTX_INJECTION64_PATH.
[[maybe_unused]] const bool attached = (InitializeInjectionNvtx2_fnptr = &attach, true);

}  // namespace

TEST_CASE("scopes are ranges of NVTX that nest, each thread's its own, also without a trace") {
    if (!sinter::runtime::has_nvtx() || std::getenv("NVTX_INJECTION64_PATH")) return;
    heard.clear();
    std::vector<std::string> elsewhere;
    {
        sinter::profiler::scope outer("solve");
        std::thread([&] {
            { sinter::profiler::scope other("worker"); }
            elsewhere = heard;
        }).join();
        sinter::profiler::scope inner("step");
    }
    CHECK(heard == std::vector<std::string>{"begin solve", "begin step", "end", "end"});
    CHECK(elsewhere == std::vector<std::string>{"begin worker", "end"});
}
#endif

// Runs one ring of tests and guards the device ring against passing without a device; must not know sinter.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

bool is_device_executable = false;

namespace {

unsigned executed = 0, failed = 0;

struct case_counter : doctest::IReporter {
    explicit case_counter(const doctest::ContextOptions&) {}
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_start(const doctest::TestCaseData&) override { ++executed; }
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats& end) override { failed += !end.testCaseSuccess; }
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};
DOCTEST_REGISTER_LISTENER("case_counter", 1, case_counter);

// Asks the driver itself, so that a fault of sinter's own look-up cannot hide a GPU; the emulated driver is none.
bool describe_gpu(bool required) {
    void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!driver) return false;
    auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
    auto count_devices = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
    auto get_name = reinterpret_cast<int (*)(char*, int, int)>(dlsym(driver, "cuDeviceGetName"));
    auto get_version = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDriverGetVersion"));
    int count = 0;
    if (!init || !count_devices || init(0) != 0 || count_devices(&count) != 0 || count == 0) return false;
    char name[256] = "unknown";
    int version = 0;
    if (get_name) get_name(name, sizeof name, 0);
    if (get_version) get_version(&version);
    const bool emulated = std::strncmp(name, "Emulated", 8) == 0;
    if (emulated && required) return false;
    std::printf("%s: %s\ndriver: CUDA %d.%d\n", emulated ? "EMULATED DRIVER, NO GPU IS USED" : "gpu", name,
                version / 1000, version % 1000 / 10);
    return true;
}

bool set_to_one(const char* name) {
    const char* value = std::getenv(name);
    return value && std::strcmp(value, "1") == 0;
}

bool is_device_ring(const char* program) {
    const char* slash = std::strrchr(program, '/');
    return std::strstr(slash ? slash : program, "device") != nullptr;
}

}  // namespace

int main(int argc, char** argv) {
    const bool device_ring = is_device_executable = is_device_ring(argv[0]);
    const bool required = set_to_one("SINTER_REQUIRE_DEVICE");
    if (device_ring && !describe_gpu(required)) {
        std::printf("no CUDA device: the device ring is not run\n");
        if (required) std::fprintf(stderr, "SINTER_REQUIRE_DEVICE=1, but there is no CUDA device\n");
        return required ? 1 : 0;
    }
    doctest::Context context(argc, argv);
    const int result = context.run();
    if (context.shouldExit()) return result;
    // doctest's own line counts all cases as passed when --first and --last leave some out.
    std::printf("%u passed, %u failed\n", executed - failed, failed);
    if (device_ring && required && executed == 0) {
        std::fprintf(stderr, "SINTER_REQUIRE_DEVICE=1, but no test case was executed\n");
        return 1;
    }
    return result;
}

// The host text, compiled, against the interpreter, bit for bit where no vector function of libmvec is called.
#include <doctest/doctest.h>

#include "support/text_programs.hpp"

#include <sinter/runtime/compile/host_toolchain.hpp>

using namespace run_plan;

namespace {

using entry_point = void(void* const*, const long long*, const unsigned char*, long long, long long, long long*);

struct host_text {
    static constexpr language which = language::host;
    static constexpr family_schedule family = host_family;
    // What the C library and libmvec define is declared with it, too.
    static constexpr const char* linkage = "extern \"C\" void ";
    static std::string head() { return ""; }
    static std::string options() {
        if (!is_full()) return "-O0 -fno-math-errno -fno-trapping-math -fopenmp-simd";
        std::string all;
        for (const std::string& option : runtime::host_compile_options(false)) all += option + " ";
        return all;
    }
    static std::string plain_options() { return "-O0"; }
    static kernel_source emit(const kernel& k) { return emit_host(k); }
    static void prepare(sequence<kernel>&, std::size_t) {}

    static std::string entry(const kernel_source& k, const std::string& id) {
        std::string s,
            parameters =
                "(void* const* m, const long long* n, const unsigned char* c, long long begin, long long end, "
                "long long* error)";
        for (std::string finish : {"", "_finish"})
            if (k.text.find("void " + k.name + finish + "(") != std::string::npos)
                s += "extern \"C\" void launch" + id + finish + parameters + " { k" + id + "::" + k.name + finish +
                     "(m, n, c, begin, end, error); }\n";
        return s;
    }

    // In uneven parts, as threads would take them.
    static void launch(bound_kernel& b, void* image, const std::string& name) {
        std::vector<unsigned char> scalars(16 * b.scalars.size() + 16);
        for (std::size_t i = 0; i < b.scalars.size(); ++i) std::memcpy(scalars.data() + 16 * i, b.scalars[i].bytes, 16);
        for (const host_phase& p : host_phases(b.k)) {
            auto* run = reinterpret_cast<entry_point*>(dlsym(image, (name + (p.finish ? "_finish" : "")).c_str()));
            REQUIRE((run != nullptr));
            std::int64_t part = p.items < 5 ? 1 : p.items / 3 + 1;
            for (std::int64_t begin = 0; begin < p.items; begin += part)
                run(b.memory.data(), b.numbers.data(), scalars.data(), begin,
                    begin + part < p.items ? begin + part : p.items, b.error);
        }
    }
};

bool exact_op(op o, dtype common) {
    return !is_vector_call(
        {.kind = instruction_kind::apply, .operation = o, .type = common, .common = floating_of(common)});
}

}  // namespace

TEST_CASE("random programs compute the same bits as the interpreter in host text") {
    check_random_programs<host_text>(exact_op);
}

TEST_CASE("reductions of every length combine in the same order in host text") { check_reductions<host_text>(); }

TEST_CASE(
    "many reductions of the same rows combine in the same order in host text, as many kernels as accumulators need") {
    check_many_reductions<host_text>();
}

TEST_CASE("rows of every length are one kernel of host text with the interpreter's bits") { check_rows<host_text>(); }

TEST_CASE("host text reports the first bad index and reads nothing there") { check_bad_indices<host_text>(); }

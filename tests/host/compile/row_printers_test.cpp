// What programs of headers alone bring into use before they record it.
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>

TEST_CASE("what makes a statement that reduces, scans, selects or calls brings into use what prints or computes it") {
    int made = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(SINTER_TEST_ROOT "/include/sinter")) {
        if (file.path().extension() != ".ipp" && file.path().extension() != ".hpp") continue;
        std::ifstream text(file.path());
        std::string before;
        for (std::string line; std::getline(text, line); before = line) {
            const std::size_t at = line.find("kind = runtime::statement_kind::");
            if (at == line.npos) continue;
            const std::string kind = line.substr(line.rfind(':') + 1);
            const bool is_call = kind == "call;";
            if (!is_call && kind != "reduce;" && kind != "scan;" && kind != "select;") continue;
            CAPTURE(file.path());
            CAPTURE(line);
            CHECK(before.find(is_call ? "runtime::use_calls();" : "runtime::use_row_printers();") != before.npos);
            ++made;
        }
    }
    CHECK(made == 10);
}

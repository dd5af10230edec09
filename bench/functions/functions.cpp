// Measures rows of single functions on one device, on request: functions cpu|cuda; must not know the functions.
#include "functions.hpp"

using namespace bench;

namespace {

function_rows every_row() {
    function_rows rows;
    for (auto part : {functions_of_elements, functions_of_axes, functions_of_order, functions_of_shapes,
                      functions_of_neighbours, products, functions_of_signals, random_functions})
        for (const function_row& row : part()) rows.push_back(row);
    return rows;
}

work prepare(const std::string& name, const std::string& divisor) {
    sinter::memory_pool().trim();
    for (const function_row& row : every_row())
        if (name == row.name) return row.make({std::stod(divisor)});
    throw std::invalid_argument("no such row");
}

}  // namespace

int main(int argc, char** argv) {
    const std::string device = argc > 1 ? argv[1] : "";
    if (device == "--rows") {
        for (const function_row& row : every_row()) std::printf("%s\n", row.name);
        return 0;
    }
    const bool cuda = device == "cuda";
    if (cuda && sinter::device_count() == 0) {
        std::string why;
        sinter::runtime::cuda_available(&why);
        std::printf("{\"missing\": %s}\n", bench::quoted(why).c_str());
        return 0;
    }
    sinter::device_scope on(cuda ? sinter::device::cuda(0) : sinter::device::cpu());
    std::printf("{\"version\": \"%s\", \"about\": \"\"}\n", SINTER_VERSION);
    std::fflush(stdout);
    return serve(prepare);
}

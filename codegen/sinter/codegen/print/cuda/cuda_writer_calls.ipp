// Bodies of cuda_writer.hpp that print operations which a short kernel repeats as functions, so that they are compiled
// once.
#pragma once

#include <sinter/codegen/print/cuda/cuda_writer.hpp>

namespace sinter::inline SINTER_ABI::codegen {

// Names each function by its operation and the types of its operands, writes it once, and notes which instructions call
// it.
SINTER_INLINE void cuda_writer::write_functions() {
    if (!k_.how.calls) return;
    called_.resize(k_.body.size());
    for (std::uint32_t i = 0; i < k_.body.size(); ++i) {
        const instruction& v = k_.body[i];
        if (repetitions(k_, v) < least_repetitions || other_of_circle(i) != i) continue;
        // What rounds to 16 bits has a form of few steps, the same in every kernel.
        if (!half_approximation(k_, i).empty()) continue;
        texts parameters, operands;
        std::string name = std::string(info(v.operation).name) + "_of";
        for (std::size_t a = 0; a < v.args.size(); ++a) {
            dtype type = k_.body[v.args[a]].type;
            operands.push_back(std::string(1, static_cast<char>('x' + a)));
            parameters.push_back(type_text(type) + " " + operands.back());
            name.append("_").append(to_string(type));
        }
        bool written = false;
        for (std::uint32_t before = 0; before < i; ++before) written = written || called_[before] == name;
        called_[i] = name;
        if (written) continue;
        list("static __device__ __noinline__ " + type_text(v.type) + " " + name, parameters, ") {");
        line("    return " + form_text(v.operation, v.common, v.type, operands, language::cuda) + ";\n}\n");
    }
}

}  // namespace sinter::inline SINTER_ABI::codegen

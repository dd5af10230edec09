// CUDA text of scalar functions that GPUs compute in other steps than CPUs, to the same bits; must not know which
// kernels use them.
#pragma once

#include <sinter/codegen/base/config.hpp>

#include <algorithm>
#include <string_view>

namespace sinter::inline SINTER_ABI::codegen {

inline constexpr std::string_view cuda_scalars_text =
#include <sinter/codegen/print/text/scalars.cuh>
    ;

/// The definition of a function, without what is said about it; empty where GPUs take the same steps.
inline std::string_view cuda_text_of(std::string_view function) {
    for (std::size_t at = 0; (at = cuda_scalars_text.find("\nstatic ", at)) != std::string_view::npos;) {
        const std::string_view rest = cuda_scalars_text.substr(++at);
        const std::string_view head = rest.substr(0, rest.find('('));
        if (head.ends_with(function) && head[head.size() - function.size() - 1] == ' ')
            return rest.substr(0, std::min(rest.size(), rest.find("\n\n")) + 1);
    }
    return "";
}

}  // namespace sinter::inline SINTER_ABI::codegen

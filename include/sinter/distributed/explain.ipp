// Bodies of explain.hpp.
#pragma once

#include <sinter/distributed/explain.hpp>

namespace sinter::inline SINTER_ABI::detail {

SINTER_INLINE std::string distributed_words(const distributed_ref& v) {
    std::string text = to_string(v->shape) + " " + std::string(to_string(v->type)) + ", " + to_string(v->where) +
                       " over " + std::to_string(v->session->ranks()) +
                       (v->session->ranks() == 1 ? " rank" : " ranks") + " (" + std::string(v->session->link().name()) +
                       ")";
    if (v->where.kind == placement_kind::split || v->where.kind == placement_kind::mesh)
        text += ", " + to_string(v->local->shape) + " on rank " + std::to_string(v->session->rank());
    text += "\n";
    if (v->moves.empty()) text += "  nothing was moved\n";
    for (const std::string& words : v->moves) text += "  " + words + "\n";
    return text;
}

}  // namespace sinter::inline SINTER_ABI::detail

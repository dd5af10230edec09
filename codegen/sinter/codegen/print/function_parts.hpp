// What the functions that users wrote consist of: definitions, operations and support, each once and by its name in the
// kernel; must not know their text.
#pragma once

#include <sinter/codegen/functions/function_names.hpp>
#include <sinter/codegen/schedule/kernel.hpp>

#include <string>
#include <string_view>

namespace sinter::inline SINTER_ABI::codegen {

/// Everything that a kernel's functions consist of, in an order in which each stands after what it uses.
struct function_parts {
    struct part {
        const definition* what;
        std::string name;         ///< in the kernel
        std::string around = {};  ///< the namespace of a function and its preamble, where there are several preambles
        std::string path() const { return around.empty() ? name : around + "::" + name; }
    };
    sequence<part> definitions;
    sequence<std::string> math;     ///< operations, as they are spelt
    sequence<std::string> support;  ///< names of function_support.hxx and such
    sequence<std::size_t> tuples;   ///< numbers of elements

    std::string name_of(const definition* d) const {
        for (const part& p : definitions)
            if (p.what->identity == d->identity) return p.path();
        throw internal_error("[emit] a function has no name: " + d->qualified());
    }
};

/// All that a kernel's functions consist of; and what one of them adds to that.
function_parts parts_of(const kernel& k);
void add_parts(function_parts& f, const definition* d);

/// A function's text, word for word.
sequence<token> tokens_of(const definition& d);

/// What stands before a function that was given as a kernel's text; or null.
const definition* preamble_of(const definition& d);

/// The support that chooses the type in which an operation computes.
const char* types_of(const op_info& o);

/// Whether a list has a name.
bool has(const sequence<std::string>& list, std::string_view s);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/function_parts.ipp>
#endif

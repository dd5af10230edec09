// Functions, constants and structures that users write as scalar C++: their text and what it names; must not know
// arrays.
#pragma once

#include <sinter/codegen/base/span.hpp>
#include <sinter/codegen/ops/dtype.hpp>
#include <sinter/codegen/functions/function_tokens.hpp>
#include <sinter/codegen/base/sequence.hpp>

#include <string>

namespace sinter::inline SINTER_ABI::codegen {

enum class definition_kind : std::uint8_t { function, constant, structure, preamble };

struct definition;

/// A name in a definition's text, as it is spelt there, and what it means.
struct reference {
    std::string spelling;
    const definition* to;
};

/// One SINTER_FUNCTION, SINTER_CONSTANT or SINTER_STRUCT. Its first fields say what was written, the last what
/// resolve() found.
struct definition {
    definition_kind kind = definition_kind::function;
    std::string name;   ///< without namespaces
    std::string place;  ///< the namespaces around it: `physics::optics`, or nothing
    std::string file;   ///< the translation unit, which tells equal names in anonymous namespaces apart
    std::string line;   ///< `file:line` where it is written, for messages
    std::string type;   ///< of a constant
    std::string text;   ///< function: from its parameters to the closing brace · constant: its value · structure: its
                        ///< braces · preamble: all that stands before functions that refer to it
    std::string before, after;           ///< preamble: directives around it and those functions
    sequence<std::string> options = {};  ///< preamble: what NVRTC compiles those functions with
    /// Function: the text stands around a kernel's loop over elements. It hands what computes one of them to its last
    /// parameter, of type Loop, which goes through them.
    bool is_loop = false;
    /// Function: text of an overload for many elements, which CPUs call: its parameters are those that are whole
    /// arrays, pointers to the others and to the results, and how many there are.
    std::string tile = {};

    bool resolved = false;
    bool is_being_resolved = false;
    sequence<reference> references;
    std::string identity;  ///< name and text of it and of all that it refers to: equal for equal meaning
    double cost = 0;       ///< arithmetic of one call, an addition being 1; loops count as many

    std::string qualified() const { return place.empty() ? name : place + "::" + name; }
};

/// From this cost on, a function's result is stored rather than computed twice.
inline constexpr double expensive_function = 1000;

struct loop;
class graph;

/// A function for arguments of given types, as a kernel calls it.
struct invocation {
    std::uint32_t number = 0;  ///< equal for equal content, in one process
    const definition* function = nullptr;
    sequence<dtype> parameters;
    sequence<dtype> results;  ///< several of a tuple or a structure
    bool is_bundle = false;   ///< whether it returns a tuple or a structure, be it of one
    bool is_generic = false;  ///< whether the arguments' types decide the parameters'
    /// The function itself: pointers to one element of each parameter and of each result.
    void (*call)(const void* const* arguments, void* const* results) = nullptr;
    /// Of each parameter that is a whole array, an array_view, the number of axes, else 0; nothing where all are
    /// numbers. As many extents follow such an argument, as numbers; `call` gets its first element.
    sequence<std::uint8_t> ranks = {};
    bool is_whole(std::size_t parameter) const { return !ranks.empty() && ranks[parameter] > 0; }
    /// Of a loop, whether its text takes a parameter itself, or what computes one element does.
    sequence<std::uint8_t> around = {};
    const loop* traced = nullptr;  ///< the loop that the function's text was made from, which has no `call`
    const graph* body = nullptr;   ///< what it computes, where that is known as operations, see body_of
};

/// One result of an invocation.
struct component {
    const invocation* of = nullptr;
    std::uint32_t which = 0;
    friend bool operator==(const component&, const component&) = default;
};

/// The function's name, and which of its results.
std::string name_of(const component& c);

/// The namespaces in a compiler's name of a function inside of `inner` (__PRETTY_FUNCTION__), anonymous ones as
/// {anonymous}.
std::string place_of(std::string_view pretty_function, std::string_view inner);

/// Finds out what the names in a definition's text mean: names of sinter's scalar functions first, then definitions in
/// its own namespaces from the innermost outward, then the only definition whose name ends so. Everything that it
/// refers to has been resolved. Throws type_error for a name that could mean several, and for a call of an unknown
/// function.
void resolve(definition& d, span<definition* const> all);

/// Appends a text unless the list has it; whether it did.
bool add_once(sequence<std::string>& list, const std::string& s);

/// Compiler options, one a line.
std::string lines_of(span<const std::string> options);

/// What NVRTC has to compile a function with, itself and all that it refers to.
sequence<std::string> options_of(const definition& d);

/// Arithmetic of one call of a function, from its words; see definition.
double cost_of(const definition& d, const sequence<token>& tokens, const sequence<std::string>& declared);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/functions/function.ipp>
#endif

// The rows of makers.def and uses.def as functions, for one type of elements.
#pragma once

#include "helpers.hpp"

namespace matrix {

template <class T>
std::span<const maker> all_makers(){
#define MADE(name, ...)                                            \
    {                                                              \
        #name, #__VA_ARGS__, true, [](const handle& h) -> handle { \
            const array<T> x(h);                                   \
            return value_of<T>(__VA_ARGS__);                       \
        }                                                          \
    }                                                              \
    ,
#define MADE_NEARLY(name, ...)                                   \
    {#name, #__VA_ARGS__, false, [](const handle& h) -> handle { \
         const array<T> x(h);                                    \
         return value_of<T>(__VA_ARGS__);                        \
     }},
    static const maker rows[] = {
#include "makers.def"
    };
#undef MADE
#undef MADE_NEARLY
return rows;
}  // namespace matrix

#define USED_ROW(exact, decides, name, ...)                                                                   \
    {#name, #__VA_ARGS__, exact, decides, [](const handle& made, const handle& from) -> std::vector<handle> { \
         const array<T> v(made);                                                                              \
         [[maybe_unused]] const array<T> x(from);                                                             \
         return results_of(__VA_ARGS__);                                                                      \
     }},

template <class T>
std::span<const use> all_uses() {
#define USED(name, ...) USED_ROW(true, false, name, __VA_ARGS__)
#define USED_NEARLY(name, ...) USED_ROW(false, false, name, __VA_ARGS__)
#define DECIDED(name, ...) USED_ROW(true, true, name, __VA_ARGS__)
    static const use rows[] = {
#include "uses.def"
    };
#undef USED
#undef USED_NEARLY
#undef DECIDED
    return rows;
}

}  // namespace matrix

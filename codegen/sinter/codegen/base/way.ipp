// Bodies of way.hpp: what files of declarations want to find.
#pragma once

#include <sinter/codegen/base/way.hpp>

#if defined(SINTER_COMPILED) || defined(SINTER_IMPLEMENTATION)
extern "C" {
const char sinter_bodies_are_in_every_file_or_compiled_once = 0, SINTER_BODIES = 0;
}
#endif

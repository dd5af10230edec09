// Lets gdb load sinter_printers.py by itself: the compiled library names it in a section of the program; where every
// file has the bodies, SINTER_GDB asks for it. Must not add code or data to a process.
#pragma once

#include <sinter/codegen/base/config.hpp>

#if SINTER_HEADER_ONLY
#include <sinter/tools/debugger_script.ipp>
#endif

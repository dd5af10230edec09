// How a family's class prints a kernel, in either language; must not know families.
#pragma once

#include <sinter/codegen/print/emit.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// A kernel's source by a family's class, whose write_kernel() prints functions and entry points. It is not virtual: a
/// table of virtual functions is in each file that could make the class, with all that they call.
template <class W>
kernel_source written_by(const kernel& k) {
    W writer(k);
    writer.write_beginning();
    writer.write_kernel();
    return writer.source();
}

}  // namespace sinter::inline SINTER_ABI::codegen

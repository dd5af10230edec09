// Recording the kernels of a run into a pack, which other processes may do at the same time.
#pragma once

#include <sinter/codegen/base/config.hpp>
#include <string_view>

namespace sinter::inline SINTER_ABI::runtime {

struct code_key;

/// Notes that this process used a kernel, when SINTER_RECORD asks for it: when the process exits, what was noted is
/// added to that file. Throws io_error when that cannot be a pack.
void record_kernel(const code_key& key, std::string_view image);
/// Adds what has been noted to the file now.
void write_recorded_kernels();

}  // namespace sinter::inline SINTER_ABI::runtime

#if SINTER_HEADER_ONLY
#include <sinter/runtime/compile/record_pack.ipp>
#endif

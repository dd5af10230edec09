// What row_facts say of rows that are resident in shared memory: where values lie there, and how stages take them.
#pragma once

#include <sinter/codegen/base/config.hpp>

namespace sinter::inline SINTER_ABI::codegen {

struct kernel;
struct row_facts;

/// Where the values of resident rows lie, and how they come there.
void find_residents(const kernel& k, row_facts& f);

/// How each stage takes and stores them, when all stages are known.
void find_arrangements(const kernel& k, row_facts& f);

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/schedule/facts/resident_facts.ipp>
#endif

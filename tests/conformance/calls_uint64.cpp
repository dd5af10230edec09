// The calls of the table for uint64.
#define CALLS_NAME uint64
#define CALLS_ELEMENT std::uint64_t
#define CALLS_TYPE 0x100
#include "calls.ipp"

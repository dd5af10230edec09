// The calls of the table for int64.
#define CALLS_NAME int64
#define CALLS_ELEMENT std::int64_t
#define CALLS_TYPE 0x10
#include "calls.ipp"

// The calls of the table for int32.
#define CALLS_NAME int32
#define CALLS_ELEMENT std::int32_t
#define CALLS_TYPE 0x8
#include "calls.ipp"

// The calls of the table for int8.
#define CALLS_NAME int8
#define CALLS_ELEMENT std::int8_t
#define CALLS_TYPE 0x2
#include "calls.ipp"

// The calls of the table for uint8.
#define CALLS_NAME uint8
#define CALLS_ELEMENT std::uint8_t
#define CALLS_TYPE 0x20
#include "calls.ipp"

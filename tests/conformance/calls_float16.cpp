// The calls of the table for float16.
#define CALLS_NAME float16
#define CALLS_ELEMENT half
#define CALLS_TYPE 0x200
#include "calls.ipp"

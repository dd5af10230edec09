// The calls of the table for float32.
#define CALLS_NAME float32
#define CALLS_ELEMENT float
#define CALLS_TYPE 0x400
#include "calls.ipp"

// <sinter/records.hpp>, as programs include it.
#pragma once

#include <sinter/records/record_array.hpp>
#include <sinter/records/record_functions.hpp>

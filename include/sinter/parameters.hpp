// <sinter/parameters.hpp>, as programs include it.
#pragma once

#include <sinter/parameters/parameter_arithmetic.hpp>
#include <sinter/parameters/parameter_functions.hpp>

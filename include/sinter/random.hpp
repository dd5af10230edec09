// <sinter/random.hpp>, as programs include it.
#pragma once

#include <sinter/random/cupy.hpp>
#include <sinter/random/random.hpp>

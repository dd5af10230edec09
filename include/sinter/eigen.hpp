// <sinter/eigen.hpp>, as programs include it.
#pragma once

#include <sinter/tools/eigen.hpp>

// <sinter/mdspan.hpp>, as programs include it.
#pragma once

#include <sinter/tools/mdspan.hpp>

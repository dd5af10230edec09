// <sinter/plot.hpp>, as programs include it.
#pragma once

#include <sinter/plot/figure.hpp>

// <sinter/ndimage.hpp>, as programs include it.
#pragma once

#include <sinter/ndimage/filters.hpp>
#include <sinter/ndimage/interpolation.hpp>
#include <sinter/ndimage/measurements.hpp>
#include <sinter/ndimage/morphology.hpp>
#include <sinter/ndimage/statistics.hpp>

// <sinter/fft.hpp>, as programs include it.
#pragma once

#include <sinter/fft/fft.hpp>

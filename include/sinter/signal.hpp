// <sinter/signal.hpp>, as programs include it.
#pragma once

#include <sinter/signal/fast_convolution.hpp>
#include <sinter/signal/filter_design.hpp>
#include <sinter/signal/get_window.hpp>
#include <sinter/signal/linear_filters.hpp>
#include <sinter/signal/peaks.hpp>
#include <sinter/signal/resampling.hpp>
#include <sinter/signal/responses.hpp>
#include <sinter/signal/smoothing.hpp>
#include <sinter/signal/spectra.hpp>
#include <sinter/signal/transforms.hpp>
#include <sinter/signal/waveforms.hpp>

// <sinter/special.hpp>, as programs include it: special functions under scipy.special's names, and distributions'.
#pragma once

#include <sinter/special/bessel_functions.hpp>
#include <sinter/special/bessel_real_order.hpp>
#include <sinter/special/beta_functions.hpp>
#include <sinter/special/distribution_moments.hpp>
#include <sinter/special/distributions.hpp>
#include <sinter/special/gamma_functions.hpp>
#include <sinter/special/moments.hpp>
#include <sinter/special/simple_functions.hpp>

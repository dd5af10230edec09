// Every program, by name.
#pragma once

#include "arc_distance.hpp"
#include "azimint_naive.hpp"
#include "covariance.hpp"
#include "equation_of_state.hpp"
#include "gesummv.hpp"
#include "go_fast.hpp"
#include "hdiff.hpp"
#include "jacobi_2d.hpp"
#include "mandelbrot1.hpp"
#include "mlp.hpp"
#include "softmax.hpp"

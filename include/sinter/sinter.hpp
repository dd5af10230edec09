// The whole library: include this and write `using namespace sinter;`.
#pragma once

#include <sinter/array.hpp>
#include <sinter/constants.hpp>
#include <sinter/creation.hpp>
#include <sinter/decompositions.hpp>
#include <sinter/elements.hpp>
#include <sinter/evaluate.hpp>
#include <sinter/explain.hpp>
#include <sinter/graph.hpp>
#include <sinter/host.hpp>
#include <sinter/io.hpp>
#include <sinter/joining.hpp>
#include <sinter/linalg.hpp>
#include <sinter/matrix_functions.hpp>
#include <sinter/operators.hpp>
#include <sinter/ordering.hpp>
#include <sinter/picking.hpp>
#include <sinter/print.hpp>
#include <sinter/products.hpp>
#include <sinter/random.hpp>
#include <sinter/reductions.hpp>
#include <sinter/scans.hpp>
#include <sinter/scattering.hpp>
#include <sinter/shape_functions.hpp>
#include <sinter/sobol.hpp>
#include <sinter/vectorize.hpp>

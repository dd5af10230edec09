// <sinter/linalg.hpp>, as programs include it.
#pragma once

#include <sinter/linalg/linalg.hpp>

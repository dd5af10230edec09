// <sinter/progress.hpp>, as programs include it.
#pragma once

#include <sinter/tools/progress.hpp>

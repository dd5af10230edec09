// Counters under the name that programs include which measure; all of them come with <sinter/sinter.hpp>, too.
#pragma once

#include <sinter/runtime/base/counters.hpp>

// <sinter/io.hpp>, as programs include it.
#pragma once

#include <sinter/io/io.hpp>

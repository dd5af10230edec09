// <sinter/image.hpp>, as programs include it.
#pragma once

#include <sinter/io/image.hpp>

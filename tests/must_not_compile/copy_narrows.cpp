// error: conversion from
#include <sinter/sinter.hpp>

void wrong(sinter::array<float> a) {
    using namespace sinter;
    array<int> r = a * 2;
}

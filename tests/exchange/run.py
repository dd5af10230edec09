#!/usr/bin/env python3
"""Exchanges arrays with those of NumPy, CuPy and PyTorch that are installed, over DLPack, and compares the random numbers of
random::cupy with CuPy's: run.py [--build FOLDER]."""
import argparse
import ctypes
import gc
import pathlib
import random
import sys

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2] / "build")
parser.add_argument("--library", type=pathlib.Path, help="the library itself")
options = parser.parse_args()
library = ctypes.CDLL(str(options.library or options.build / "tests" / "libsinter_test_exchange.so"))
api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]


def function(name, result, *arguments):
    f = getattr(library, "exchange_" + name)
    f.restype, f.argtypes = result, arguments
    return f


pointer = ctypes.c_void_p
error = function("error", ctypes.c_char_p)
pool_used = function("pool_used", ctypes.c_longlong)
take_versioned, take = function("take_versioned", pointer, pointer), function("take", pointer, pointer)
take_pointer = function("take_pointer", pointer, pointer, ctypes.c_longlong)
give_versioned, give = function("give_versioned", pointer, pointer), function("give", pointer, pointer)
double, total = function("double", pointer, pointer), function("sum", ctypes.c_double, pointer)
data, device_of, drop = function("data", pointer, pointer), function("device", ctypes.c_int, pointer), function("drop", None, pointer)
random_seed = function("random_seed", ctypes.c_bool, ctypes.c_ulonglong)
random_draw = function("random", ctypes.c_bool, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_longlong, ctypes.c_double, ctypes.c_double, pointer)
NAMES = {True: b"dltensor_versioned", False: b"dltensor"}
USED = {True: b"used_dltensor_versioned", False: b"used_dltensor"}


def imported(capsule):
    """An array of sinter's over what a capsule holds, which is used then, or None."""
    versioned = bool(api.PyCapsule_IsValid(capsule, NAMES[True]))
    tensor = api.PyCapsule_GetPointer(capsule, NAMES[versioned])
    array = (take_versioned if versioned else take)(tensor)
    if array:
        api.PyCapsule_SetName(capsule, USED[versioned])
    return array


class Exported:
    """An array of sinter's as Python's libraries ask for one."""

    def __init__(self, array, versioned):
        self.array, self.versioned = array, versioned

    def __dlpack_device__(self):
        index = device_of(self.array)
        return (1, 0) if index < 0 else (2, index)

    def __dlpack__(self, **_):
        tensor = (give_versioned if self.versioned else give)(self.array)
        return api.PyCapsule_New(tensor, NAMES[self.versioned], None)


passed = failed = 0


def check(what, holds):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    if not holds:
        print("FAILED", what, error().decode())


def capsule_of(x, versioned):
    try:
        return x.__dlpack__(max_version=(1, 0)) if versioned else x.__dlpack__()
    except TypeError:
        return None  # an older library has no versions


def exchange(name, xp, arange, address, to_list):
    used = pool_used()
    for versioned in (True, False):
        x = arange(12).reshape(3, 4)
        for view, what in ((x, "whole"), (x.T, "transposed"), (x[1:, 1:3], "part")):
            references = sys.getrefcount(view)
            capsule = capsule_of(view, versioned)
            if capsule is None:
                continue
            label = f"{name} {what} {'versioned' if versioned else 'unversioned'}"
            a = imported(capsule)
            check(label + " is taken", a)
            if not a:
                continue
            del capsule
            gc.collect()
            check(label + " shares memory", data(a) == address(view))
            check(label + " is kept", name != "numpy" or sys.getrefcount(view) > references)
            check(label + " sums", total(a) == float(view.sum()))
            b = double(a)
            back = xp.from_dlpack(Exported(b, versioned))
            check(label + " comes back", to_list(back) == to_list(view * 2))
            check(label + " comes back without a copy", address(back) == data(b))
            drop(b)
            check(label + " outlives the array", to_list(back) == to_list(view * 2))
            del back
            drop(a)
            gc.collect()
            check(label + " is given back", sys.getrefcount(view) == references)
        check(f"{name} of another type is refused", imported(capsule_of(arange(3).astype("int32") if name != "torch" else arange(3).int(), False)) is None)
    gc.collect()
    check(f"{name}: all memory is returned", pool_used() == used)
    x = arange(1000)
    a = take_pointer(address(x), 1000)
    check(f"{name} by pointer", a and total(a) == 499500 and data(a) == address(x))
    drop(a)


def compare_random(cupy):
    """Twelve sequences of calls of mixed sizes and types, beside CuPy's own: every bit is the same."""
    calls = [("random_sample", t, 0, 1) for t in ("float32", "float64")] + [("uniform", t, -3, 3) for t in ("float32", "float64")]
    calls += [("normal", t, 5, 2) for t in ("float32", "float64")]
    calls += [("randint", "int64", 0, 10), ("randint", "int8", -100, 28), ("randint", "int64", -(1 << 40), 1 << 41), ("permutation", "int64", 0, 0)]
    compared = 0
    for seed in range(12):
        choose = random.Random(seed)
        cupy.random.seed(seed)
        check(f"seed {seed}", random_seed(seed))
        for number in range(25):
            what, dtype, low, high = choose.choice(calls)
            n = choose.choice([1, 2, 3, 255, 4097, choose.randrange(1, 150000)])
            draw = getattr(cupy.random, what)
            size = {"size": n, "dtype": dtype}
            theirs = draw(n) if what == "permutation" else draw(**size) if what == "random_sample" else draw(low, high, **size)
            ours = numpy.empty(n, dtype)
            check(f"draw {number} of seed {seed}: {what}", random_draw(what.encode(), dtype.encode(), n, low, high, ours.ctypes.data))
            check(f"draw {number} of seed {seed}: {n} numbers of {what} in {dtype}", ours.tobytes() == theirs.get().astype(dtype).tobytes())
            compared += n
    print(f"{compared} random numbers compared with CuPy's")


import numpy

exchange("numpy", numpy, lambda n: numpy.arange(n, dtype="float32"), lambda x: x.ctypes.data, lambda x: x.tolist())
try:
    import cupy

    exchange("cupy", cupy, lambda n: cupy.arange(n, dtype="float32"), lambda x: x.data.ptr, lambda x: x.get().tolist())
    compare_random(cupy)
except ImportError:
    print("cupy is not there")
try:
    import torch

    for where in ["cpu"] + ["cuda"] * torch.cuda.is_available():
        exchange("torch", torch, lambda n: torch.arange(n, dtype=torch.float32, device=where), lambda x: x.data_ptr(), lambda x: x.tolist())
except ImportError:
    print("torch is not there")
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)

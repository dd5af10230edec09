"""Sinter under the names of Python's array API standard, for its tests: the functions that signatures.txt lists, with the
standard's parameters, and the array's methods. Computes nothing; may know only the compiled module."""
import builtins
import collections
import inspect
import math
import pathlib
import sys
import types

import sinter_array_api_parts as parts

__array_api_version__ = "2024.12"
__version__ = "for tests"
e, inf, nan, pi, newaxis = math.e, math.inf, math.nan, math.pi, None
dtype, array = parts.dtype, parts.array
DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64",
          "complex128")
globals().update({name: parts.dtype_named(name) for name in DTYPES})
linalg, fft = types.SimpleNamespace(), types.SimpleNamespace()


def require_cpu(device):
    if device not in (None, "cpu"):
        raise ValueError(f"there is only the cpu, not {device!r}")


def made(name, parameters, fields, inner):
    """A function of these parameters, which calls that of the compiled module."""
    scope = {"call": inner, "require_cpu": require_cpu}
    if fields:
        result = collections.namedtuple(name + "_result", fields.split())
        scope["call"] = lambda *arguments: result(*inner(*arguments))
    exec(f"def {name}{parameters}: pass", scope)
    given = [p for p in inspect.signature(scope[name]).parameters if p != "device"]
    check = "require_cpu(device); " if "device" in parameters else ""
    exec(f"def {name}{parameters}: {check}return call({', '.join(given)})", scope)
    return scope[name]


def define_functions():
    namespace, prefix = globals(), ""
    for line in (pathlib.Path(__file__).parent / "signatures.txt").read_text().splitlines():
        if line.startswith("section "):
            section = line.split()[1]
            namespace = globals() if section == "array_api" else vars(globals()[section])
            prefix = "fft_" if section == "fft" else ""
        elif not line.startswith("#"):
            names, _, rest = line.partition("(")
            parameters, _, fields = rest.partition(" -> ")
            for name in names.split():
                namespace[name] = made(name, "(" + parameters, fields, getattr(parts, prefix + name))


define_functions()


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    require_cpu(device)
    if not isinstance(obj, array):
        if copy is False:
            raise ValueError("numbers of Python's are copied")
        return parts.from_numbers(obj, dtype)
    if dtype is not None and dtype != obj.dtype:
        if copy is False:
            raise ValueError("another type needs a copy")
        return parts.astype(obj, dtype)
    return parts.copied(obj) if copy else obj


def astype(x, dtype, /, *, copy=True, device=None):
    require_cpu(device)
    if dtype == x.dtype:
        return parts.copied(x) if copy else x
    return parts.astype(x, dtype)


def reshape(x, /, shape, *, copy=None):
    return parts.reshape(parts.copied(x) if copy else x, shape)


def like(make):
    return lambda x, /, *, dtype=None, device=None: make(x.shape, dtype=dtype or x.dtype, device=device)


def full_like(x, /, fill_value, *, dtype=None, device=None):
    return full(x.shape, fill_value, dtype=dtype or x.dtype, device=device)


empty_like, ones_like, zeros_like = like(empty), like(ones), like(zeros)


def broadcast_arrays(*arrays):
    return list(parts.broadcast_arrays(arrays))


def meshgrid(*arrays, indexing="xy"):
    return list(parts.meshgrid(arrays, indexing))


def result_type(*arrays_and_dtypes):
    return parts.result_type(arrays_and_dtypes)


def from_dlpack(x, /, *, device=None, copy=None):
    require_cpu(device)
    return parts.from_capsule(x.__dlpack__(max_version=(1, 0)), copy)


class Info:
    """What the module tells of itself."""

    def capabilities(self):
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 8}

    def default_device(self):
        return "cpu"

    def devices(self):
        return ["cpu"]

    def default_dtypes(self, *, device=None):
        require_cpu(device)
        names = {"real floating": "float64", "complex floating": "complex128", "integral": "int64", "indexing": "int64"}
        return {kind: globals()[name] for kind, name in names.items()}

    def dtypes(self, *, device=None, kind=None):
        require_cpu(device)
        every = {name: globals()[name] for name in DTYPES}
        return {name: t for name, t in every.items() if kind is None or parts.isdtype(t, kind)}


def __array_namespace_info__():
    return Info()


BINARY = {"add": "add", "and": "bitwise_and", "floordiv": "floor_divide", "lshift": "bitwise_left_shift", "matmul": "matmul",
          "mod": "remainder", "mul": "multiply", "or": "bitwise_or", "pow": "pow", "rshift": "bitwise_right_shift",
          "sub": "subtract", "truediv": "divide", "xor": "bitwise_xor"}
COMPARISONS = {"eq": "equal", "ge": "greater_equal", "gt": "greater", "le": "less_equal", "lt": "less", "ne": "not_equal"}
UNARY = {"abs": "abs", "invert": "bitwise_invert", "neg": "negative", "pos": "positive"}


def define_methods():
    def binary(function):
        def method(self, other, /):
            return function(self, other)

        def reflected(self, other, /):
            return function(other, self)

        def in_place(self, other, /):
            result = function(self, other)
            if result.dtype != self.dtype or result.shape != self.shape:
                raise TypeError(f"{result.dtype} of {result.shape} does not fit in place in {self.dtype} of {self.shape}")
            self.assign(result)
            return self

        return method, reflected, in_place

    for name, function in BINARY.items():
        for prefix, method in zip(("", "r", "i"), binary(getattr(parts, function))):
            setattr(array, f"__{prefix}{name}__", method)
    for name, function in COMPARISONS.items():
        setattr(array, f"__{name}__", binary(getattr(parts, function))[0])
    for name, function in UNARY.items():
        setattr(array, f"__{name}__", lambda self, /, call=getattr(parts, function): call(self))
    for kind in (builtins.bool, int, float, complex):
        setattr(array, f"__{kind.__name__}__", lambda self, /, kind=kind: kind(parts.item(self)))


def index_of(self, /):
    if not parts.isdtype(self.dtype, "integral"):
        raise TypeError(f"{self.dtype} is no integer")
    return parts.item(self)


define_methods()
array.__index__ = index_of
array.__array_namespace__ = lambda self, /, *, api_version=None: sys.modules[__name__]
array.__dlpack__ = lambda self, /, *, stream=None, max_version=None, dl_device=None, copy=None: parts.to_capsule(self, max_version, copy)
array.__dlpack_device__ = lambda self, /: (1, 0)
array.__getitem__ = lambda self, key, /: parts.getitem(self, key)
array.__setitem__ = lambda self, key, value, /: parts.setitem(self, key, value)
array.to_device = lambda self, device, /, *, stream=None: asarray(self, device=device)

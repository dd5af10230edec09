"""Rows of single functions: inputs that every library makes alike, who computes a row in which words, and the sum that results are checked by."""
import importlib
import math

import numpy

from libraries import Missing

ROWS = {}
NAMES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "i8": "int8", "u8": "uint8", "i32": "int32",
         "i64": "int64", "c64": "complex64", "bool": "bool"}


class Row:
    """`inputs` makes the operands of a Maker; `words` says by library, or by family, how it is written: `array` for NumPy, CuPy and JAX,
    `scipy` for those with SciPy's modules, `torch` for both ways of running PyTorch. The first parameter is the library's namespace,
    for `scipy` an object with SciPy's modules. `fused` rows are worth compiling by torch.compile; `checked` ones have equal results."""

    def __init__(self, inputs, words, fused, checked):
        self.inputs, self.words, self.fused, self.checked = inputs, words, fused, checked


def row(name, inputs, fused=False, checked=True, **words):
    ROWS[name] = Row(inputs, words, fused, checked)


class Scipy:
    """SciPy's modules as a library has them: x.ndimage, x.signal, x.special, x.stats."""

    ROOTS = {"numpy": "scipy", "cupy": "cupyx.scipy", "jax": "jax.scipy"}

    def __init__(self, library):
        self.xp = library.xp
        self.root = self.ROOTS[library.name]

    def __getattr__(self, module):
        try:
            return importlib.import_module(f"{self.root}.{module}")
        except ImportError as e:
            raise Missing(str(e)) from None


class Maker:
    """Inputs on the library's device, of sizes that are divided by a number as in functions.hpp."""

    def __init__(self, library, divisor):
        self.library, self.divisor = library, divisor
        self.is_torch = library.name.startswith("torch")

    def line(self, n):
        return max(16, math.floor(n / self.divisor))

    def side(self, n):
        return max(16, math.floor(n / math.sqrt(self.divisor)))

    def edge(self, n):
        return max(8, math.floor(n / math.cbrt(self.divisor)))

    def arange(self, n):
        if self.is_torch:
            return self.library.xp.arange(n, dtype=self.library.xp.int64, device=self.library.device)
        return self.library.xp.arange(n, dtype=numpy.int64)

    def as_type(self, x, dtype):
        if self.is_torch:
            return x.to(getattr(self.library.xp, NAMES[dtype]))
        if not hasattr(self.library.xp, NAMES[dtype] if dtype != "bool" else "bool_"):
            raise Missing(f"no {NAMES[dtype]}")
        return x.astype(NAMES[dtype])

    def numbers(self, n, seed):
        return self.as_type((self.arange(n) + seed) * 2654435761 % 4294967296, "f64") / 4294967296.0

    def hashed(self, shape, seed=1, dtype="f32"):
        return self.as_type(self.numbers(math.prod(shape), seed), dtype).reshape(shape)

    def around_zero(self, shape, seed=1, dtype="f32"):
        return self.as_type(self.numbers(math.prod(shape), seed) * 2 - 1, dtype).reshape(shape)

    def whole(self, shape, top, seed=1, dtype="i64"):
        return self.as_type(self.library.xp.floor(self.numbers(math.prod(shape), seed) * top), dtype).reshape(shape)

    def complex(self, shape):
        return self.as_type(self.around_zero(shape, 1) + 1j * self.around_zero(shape, 2), "c64")


def words_of(library, r):
    """What the library computes a row with: a function of the operands."""
    name = library.name
    if name in ("torch", "torch.compile"):
        if name == "torch.compile" and not r.fused:
            raise Missing("nothing to fuse")
        if "torch" in r.words:
            return lambda *x: r.words["torch"](library.xp, *x)
    else:
        if name in r.words:
            return lambda *x: r.words[name](library.xp, *x)
        if "scipy" in r.words and name in Scipy.ROOTS:
            modules = Scipy(library)
            return lambda *x: r.words["scipy"](modules, *x)
        if "array" in r.words:
            return lambda *x: r.words["array"](library.xp, *x)
    raise Missing("no words for it")


def compiled(library, f, operands):
    """The library's fastest form that can compute it: some functions have results whose shapes no compiler knows before."""
    if library.name != "jax":
        return library.compile(f)
    g = library.compile(f)
    try:
        library.wait(g(*operands))
        return g
    except (library.jax.errors.ConcretizationTypeError, library.jax.errors.NonConcreteBooleanIndexError, TypeError):
        return f


class Checksum:
    """The sum of elements times 1 to 7 in turn, and of their magnitudes, as in functions.hpp."""

    def __init__(self, maker):
        self.maker, self.sum, self.magnitude = maker, 0.0, 0.0

    def add(self, x):
        if isinstance(x, (tuple, list)):
            for each in x:
                self.add(each)
            return
        if "complex" in str(x.dtype):
            self.add(x.real)
            self.add(x.imag)
            return
        x = self.maker.as_type(x.reshape((-1,)), "f64")
        x = x * self.maker.as_type(self.maker.arange(x.shape[0]) % 7 + 1, "f64")
        self.sum += float(x.sum())
        self.magnitude += float(abs(x).sum())


def prepare(library, name, divisor):
    """The row's call, and a function that gives the answer's further fields of a result."""
    r = ROWS[name]
    library.free()
    maker = Maker(library, float(divisor))
    f = words_of(library, r)
    operands = r.inputs(maker)
    operands = operands if isinstance(operands, tuple) else (operands,)
    library.wait(operands)
    library.free()

    def facts(result):
        if not r.checked:
            return {}
        check = Checksum(maker)
        check.add(result)
        return {"sum": check.sum, "magnitude": check.magnitude}

    g = compiled(library, f, operands)
    return (lambda: g(*operands)), facts

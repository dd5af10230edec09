"""The table of calls: what NumPy is asked, how sinter writes it, and for which types and operands; must not know files."""
import warnings

import numpy as np
import scipy
import scipy.linalg
import scipy.ndimage
import scipy.signal
import scipy.special
import scipy.stats

import pool

# Types in the order of their bits in calls.def.
TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64",
         "complex128"]
# Those that calls of templates are compiled for; functions of single elements are asked of all.
TYPED = ["bool", "int8", "int32", "int64", "uint8", "uint64", "float16", "float32", "float64", "complex64", "complex128"]
ALL = TYPED
REAL = [t for t in TYPED if not t.startswith("complex")]
NUMBERS = [t for t in TYPED if t != "bool"]
REAL_NUMBERS = [t for t in NUMBERS if not t.startswith("complex")]
INTEGERS = ["int8", "int32", "int64", "uint8", "uint64"]
FLOATS = ["float16", "float32", "float64"]
WIDE = ["float32", "float64"]
LINEAR = ["float32", "float64", "complex64", "complex128"]

# What an operand is where the case does not say.
FIXED = {"i": "int64", "j": "int64", "m": "bool", "w": "float64"}
ARRAYS = ("x", "y", "z", "i", "j", "m", "w")

ERRORS = [(np.exceptions.AxisError, "index_error"), (IndexError, "index_error"), (TypeError, "type_error"), (ValueError, "value_error"), (ZeroDivisionError, "value_error"), (OverflowError, "value_error")]


class call:
    """One way to write a function, with its cases."""

    def __init__(self, name, numpy, sinter, types, cases, group, tolerance=0, scaled=False, like=None, differs=()):
        self.name, self.numpy, self.sinter, self.types, self.cases = name, numpy, sinter, types, cases
        self.group, self.tolerance, self.scaled = group, tolerance, scaled
        self.like = like          # types that NumPy is given instead: {"int8": "float64"}
        self.code = compile(numpy, numpy, "eval")
        self.operation = sinter is None


class outcome:
    def __init__(self, results=None, error=None):
        self.results, self.error = results, error


def type_of_operand(letter, dtype, name):
    if ":" in name:
        dtype, name = name.split(":")
        return dtype, name
    return FIXED.get(letter, dtype), name


def operands(case, dtype):
    """The values that a case's letters have in NumPy's expression."""
    env = {}
    for letter, value in case.items():
        if letter in ARRAYS:
            t, name = type_of_operand(letter, dtype, value)
            env[letter] = pool.make(name, t)
        else:
            env[letter] = value
    return env


def flat_results(r):
    if isinstance(r, (tuple, list)):
        return [a for part in r for a in flat_results(part)]
    return [np.asarray(r)]


def ask(c, case, dtype):
    """What NumPy gives or throws."""
    env = operands(case, dtype)
    if c.like and dtype in c.like:
        for letter in "xyz":
            if letter in env and ":" not in case[letter]:
                env[letter] = env[letter].astype(c.like[dtype])
    env.update(np=np, scipy=scipy, T=np.dtype(dtype))
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return outcome(flat_results(eval(c.code, env)))
    except np.linalg.LinAlgError as e:
        # sinter tells mistakes of shapes from those of values.
        of_shapes = any(word in str(e) for word in ("square", "dimension", "requirement"))
        return outcome(error="shape_error" if of_shapes else "linalg_error")
    except tuple(e for e, _ in ERRORS) as e:
        return outcome(error=next(name for kind, name in ERRORS if isinstance(e, kind)))


class table:
    def __init__(self):
        self.calls, self.differences = [], []
        self.met = set()  # the differences that some case has

    def add(self, group, name, numpy, sinter, types, cases, tolerance=0, scaled=False, like=None):
        """A call; `sinter` is None for the operation of that name, on arrays of any type."""
        self.calls.append(call(name, numpy, sinter, list(types), list(cases), group, tolerance, scaled, like))

    def differs(self, name, reason, types=TYPES, when=None, instead=None):
        """A deliberate difference: cases of these are left out, or NumPy is asked something else instead."""
        self.differences.append((name, reason, set(types), when, instead and compile(instead, instead, "eval")))

    def difference_of(self, c, case, dtype):
        for d in self.differences:
            name, _, types, when, _ = d
            if c.name in name.split() and dtype in types and (when is None or when(case, c)):
                return d
        return None


# Cases over shapes and axes.
def over(shapes, **more):
    return [dict(x=s, **more) for s in shapes.split()]


def rank_of(name):
    return pool.make(name.split(":")[-1], "float64").ndim


def along(shapes, outside=True, letter="a", **more):
    """Each shape with each of its axes, counted from either end, and one that is not there."""
    made = []
    for s in shapes.split():
        r = rank_of(s)
        made += [{"x": s, letter: a, **more} for a in range(-r, r)]
        if outside:
            made += [{"x": s, letter: a, **more} for a in (r, -r - 1)]
    return made


def times(cases, **lists):
    """Each case with each combination of more values."""
    for letter, values in lists.items():
        cases = [dict(c, **{letter: v}) for c in cases for v in values]
    return cases

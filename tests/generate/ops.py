#!/usr/bin/env python3
"""Writes tests/data/golden/ops.txt: operands and NumPy's results for every row of ops.def and every dtype that it accepts.

Needs NumPy 2.4, SciPy, mpmath and ml_dtypes; tests need only the file. Run: python3 tests/generate/ops.py
Format: for each case one line `row dtype tolerance arity count`, then one line of hex (little-endian bytes) per operand
and one for the result. The tolerance is in units in the last place, 0 for exact; complex results are measured against
the larger of their parts. Half precision is what float32 gives, rounded; where NumPy has an operation of float16 and the row is
exact, it is checked to be that. complex32 is what complex64 gives, each part rounded.
"""
import pathlib
import re
import sys

import ml_dtypes
import mpmath
import numpy as np
import scipy.special as sp

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = {"b": ["bool"], "i": ["int8", "int16", "int32", "int64"], "u": ["uint8", "uint16", "uint32", "uint64"],
         "f": ["float32", "float64"], "c": ["complex64", "complex128"]}
WIDER = {"float32": np.float64, "float64": np.longdouble, "complex64": np.complex128, "complex128": np.clongdouble}
HALVES = ["float16", "bfloat16"]
PAIRS = "complex32"  # which NumPy lacks
COUNT = 30


def rows():
    text = (ROOT / "codegen/sinter/codegen/ops/ops.def").read_text()
    for m in re.finditer(r'^SINTER_OP\((\w+), (\d), (\w+), "(\w+)", \d+, (\w+), ', text, re.M):
        yield m[1], int(m[2]), m[3], m[4], m[5]


# --- operands -------------------------------------------------------------------------------------------------------

def is_half(t):
    return np.dtype(t).name in HALVES


def kind(t):
    """NumPy's, save that bfloat16 is a floating type."""
    return "f" if is_half(t) else np.dtype(t).kind


def specials(t):
    f = ml_dtypes.finfo(t)
    return [0.0, -0.0, np.inf, -np.inf, np.nan, f.max, -f.max, f.tiny, f.smallest_subnormal, 1.0, -1.0, 0.5, 2.0, -2.5]


def spread(rng, t, n, low=-6, high=6):
    """Numbers of either sign over several magnitudes."""
    if t == np.float16:
        low, high = max(low, -5), min(high, 4)
    return (rng.choice([-1, 1], n) * 10.0 ** rng.uniform(low, high, n)).astype(t)


def floats(rng, t, domain, n):
    t = np.dtype(t)
    wide = t == np.float64
    narrow = t == np.float16
    uniform = lambda lo, hi: rng.uniform(lo, hi, n).astype(t)
    logs = lambda lo, hi: (10.0 ** rng.uniform(lo, hi, n)).astype(t)
    mix = lambda edge, rest: np.concatenate([np.array(edge, t), rest])[:max(n, len(edge) + n // 2)]
    top = 709.0 if wide else 11.0 if narrow else 88.0
    choices = {
        "any": lambda: mix(specials(t), spread(rng, t, n)),
        "nonzero": lambda: mix(specials(t), spread(rng, t, n)),
        "positive": lambda: mix(specials(t), logs(-7, 4.8) if narrow else logs(-30, 30)),
        "above_minus_one": lambda: mix([0.0, -0.0, np.inf, np.nan, -1.0, -0.999, 1e-20, -1e-10, 2.0], uniform(-0.9, 9)),
        "unit": lambda: mix([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, np.nan, 1.5, 1e-20], uniform(-1, 1)),
        "open_unit": lambda: mix([0.0, -0.0, 1.0, -1.0, np.nan, 1.5, 1e-20, -1e-5, 0.999], uniform(-1, 1)),
        "probability": lambda: mix([0.0, 1.0, 0.5, np.nan, -0.5, 1.5, 1e-30, 1e-5, 0.999, 0.07, 0.93], uniform(0, 1)),
        "up_to_two": lambda: mix([0.0, 1.0, 2.0, np.nan, -0.5, 2.5, 1e-30, 1e-5, 1.999], uniform(0, 2)),
        "at_least_one": lambda: mix([1.0, np.inf, np.nan, 0.5, 1.0001, 2.0], 1 + logs(-3, 10)),
        "angle": lambda: mix([0.0, -0.0, np.inf, np.nan, 1e-20, 0.5, 100.25, -1e4], uniform(-20, 20)),
        "exponent": lambda: mix([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-20, 1.0, -1.0, top - 0.5, -top + 2, 3 * top],
                                uniform(-30, 30)),
        "normal": lambda: mix([0.0, -0.0, np.inf, np.nan, 1e-20, 1.0, -1.0, 4.0, 9.0], uniform(-4, 4)),
        "gamma": lambda: mix([1.0, 2.0, 0.5, np.inf, np.nan, 0.0, -0.5, -1.25, 5.0, 10.0, 1e-5, 33.0],
                             uniform(0.05, 30)),
        "beta": lambda: mix([1.0, 0.5, 2.0, 1e-5, 10.0, np.nan, 1e4, *((3e4, 6e4) if narrow else (1e10, 1e30)), -0.5, -1.25, -0.001],
                            logs(-2, 2.3) * rng.choice([1, 1, -1], n).astype(t)),
        "bessel": lambda: mix([0.0, np.nan, 1e-5, 0.5, 1.0, -1.0, 19.5, 20.5, 60.0], uniform(-25, 25)),
        "power": lambda: mix(specials(t), spread(rng, t, n, -2, 2)),
        "shift": None,
    }
    return choices[domain]()


def integers(rng, t, domain, n, which):
    info = np.iinfo(t)
    bits = info.bits
    if domain == "shift" and which == 1:
        edge = [0, 1, bits - 1, bits, bits + 1, 2 * bits, 63] + ([-1, -bits] if info.min else [])
        return np.concatenate([np.array(edge, t), rng.integers(0, bits + 2, n).astype(t)])
    if domain == "power" and which == 1:
        return np.concatenate([np.array([0, 1, 2, 3, 7, 31], t), rng.integers(0, 12, n).astype(t)])
    if domain == "index":
        return np.concatenate([np.array([0, 1, 2, 3, 4, 5, 2**32 - 1, 2**32, 2**34, 2**64 - 1], np.uint64).astype(t),
                               rng.integers(0, 2**63, n).astype(t)])
    if domain == "bound" and which == 1:
        return np.concatenate([np.array([0, 1, 2, 3, 2**32 - 1, 2**32], t), rng.integers(0, 2**32, n).astype(t)])
    edge = [0, 1, 2, 3, info.max, info.max - 1, info.min, info.min + 1, info.max // 2]
    edge += [-1, -2, -7] if info.min else []
    small = rng.integers(max(info.min, -100), 100, n).astype(t)
    large = rng.integers(info.min, info.max, n, dtype=t, endpoint=True)
    return np.concatenate([np.array(edge, t), small[: n // 2], large[: n // 2]])


def operand(rng, t, domain, n, which, alone):
    t = np.dtype(t)
    if t.kind == "b":
        return np.array([0, 1] * (n // 2), bool)
    if t.kind in "iu":
        return integers(rng, t, domain, n, which)
    if kind(t) == "f":
        return floats(rng, t, domain, n)
    part = "float32" if t == np.complex64 else "float64"
    real = lambda: spread(rng, part, n, -2, 1 if domain in ("exponent", "angle", "power") else 2)
    z = real() + 1j * real()
    z[:6] = [0, 1, -2, 1j, -0.5j, 0.75 + 0.001j]
    if alone:
        z[6:11] = [complex(*p) for p in ((np.inf, 0), (-np.inf, 0), (0, np.inf), (0, -np.inf), (np.nan, 1))]
    return z.astype(t)


def operands(rng, name, types, domain):
    n = COUNT if kind(types[-1]) in "fc" else 20
    arrays = [operand(rng, t, domain, n, i, len(types) == 1) for i, t in enumerate(types)]
    size = max(len(a) for a in arrays)
    out = []
    for i, a in enumerate(arrays):
        a = np.resize(a, size)
        if i:
            a = rng.permutation(a)
        out.append(a)
    if len(out) > 1 and kind(types[0]) in "iuf" and name != "ldexp":
        out[1][:2] = out[0][:2] if domain not in ("shift", "power", "index", "bound") else out[1][:2]
    return out


# --- results --------------------------------------------------------------------------------------------------------

def in_wider(function):
    """The function in a wider type, rounded once."""
    return lambda *a: function(*[x.astype(WIDER[x.dtype.name]) for x in a]).astype(a[0].dtype)


def in_double(function):
    return lambda *a: function(*[x.astype(np.float64) for x in a]).astype(a[0].dtype)


def in_half(name, function, exact):
    """A function as half precision computes it."""
    def evaluate(*a):
        t = a[-1].dtype if is_half(a[-1].dtype) else a[0].dtype
        wide = lambda x: x.astype(np.float32 if exact else np.float64) if is_half(x.dtype) else x
        single = lambda x: x.astype(np.float32) if is_half(x.dtype) else x
        result = np.asarray(function(*map(single if exact else wide, a)))
        result = result.astype(t) if result.dtype.kind == "f" else result
        if name in ("nextafter", "spacing"):
            return function(*a)
        if exact and t == np.float16:
            np.testing.assert_array_equal(result, function(*a), err_msg=name)
        return result
    return evaluate


def in_pairs(a):
    """The parts of complex numbers, or real numbers of float32, in half precision; anything else as it is."""
    return a.view(np.float32).astype(np.float16) if a.dtype.kind in "fc" else a


def case_of_pairs(rng, name, types, domain):
    """Operands that are not finite were no finite numbers before their parts were rounded."""
    whole = operands(rng, name, types, domain)
    stored = [in_pairs(a) for a in whole]
    args = [s.astype(np.float32).view(np.complex64) if a.dtype.kind == "c" else a for a, s in zip(whole, stored)]
    ok = np.all([np.isfinite(a) == np.isfinite(b) for a, b in zip(args, whole)], axis=0)
    args = [a[ok] for a in args]
    function, tolerance = FUNCTIONS[name]
    result = np.asarray(function(*args))
    lines = [f"{name} {PAIRS} {1 if tolerance else 0} {len(types)} {len(result)}"]
    return lines + [np.ascontiguousarray(in_pairs(a)).tobytes().hex() for a in args + [result]]


def in_mpmath(function):
    """For functions whose SciPy version is less accurate than what is tested."""
    def evaluate(*a):
        with mpmath.workdps(50):
            value = lambda *x: np.nan if np.isnan(x).any() else float(function(*map(mpmath.mpf, x)))
            return np.array([value(*map(float, x)) for x in zip(*a)]).astype(a[0].dtype)
    return evaluate


def beta(a, b):
    return mpmath.gammaprod([a, b], [a + b])


def gelu_tanh(a):
    """By its definition, in which 1 + tanh cancels; of -inf its limit."""
    def value(x):
        if mpmath.isinf(x):
            return mpmath.mpf(0) if x < 0 else x
        return x / 2 * (1 + mpmath.tanh(mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf("0.044715") * x**3)))
    return np.copysign(in_mpmath(value)(a), a)


def log_beta(a, b):
    return mpmath.log(abs(beta(a, b)))


def philox_words(counter, key):
    """Philox4x32-10 (Salmon et al. 2011) on Python integers."""
    c, k, mask = list(counter), list(key), 2**32 - 1
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(q >> 32) ^ c[1] ^ k[0], q & mask, (p >> 32) ^ c[3] ^ k[1], p & mask]
        k = [(k[0] + 0x9E3779B9) & mask, (k[1] + 0xBB67AE85) & mask]
    return c


def check_philox():
    """Random123's known-answer vectors."""
    known = [([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
             ([2**32 - 1] * 4, [2**32 - 1] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
             ([0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], [0xA4093822, 0x299F31D0],
              [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1])]
    for counter, key, words in known:
        assert philox_words(counter, key) == words


def philox(index, seed, stream, words):
    block, part = divmod(index, 4 // words)
    split = lambda v: [v & (2**32 - 1), v >> 32]
    w = philox_words(split(block) + split(stream), split(seed))
    return w[part] if words == 1 else w[2 * part] | w[2 * part + 1] << 32


def philox_array(words, t):
    return lambda *a: np.array([philox(int(x), int(y), int(z), words) for x, y, z in zip(*a)], t)


def power(a, b):
    return np.power(a, b) if a.dtype.kind in "iu" else in_wider(np.power)(a, b)


def logit(a):
    p = a.astype(np.longdouble)
    return np.log(p / (1 - p)).astype(a.dtype)


def sinc(a):
    x = a.astype(np.longdouble)
    turn = x - 2 * np.rint(x / 2)
    turn = np.where(np.abs(turn) > 0.5, np.copysign(1 - np.abs(turn), turn), turn)
    return np.where(x == 0, 1, np.sin(PI * turn) / np.where(x == 0, 1, PI * x)).astype(a.dtype)


def native_or_wider(function):
    """Correctly rounded in its own type for real numbers."""
    return lambda *a: (function if a[0].dtype.kind == "f" else in_wider(function))(*a)


def tf32_part(a):
    """The nearest number with ten bits of fraction, not beyond the largest; zero for what is not finite."""
    x = a.astype(np.float32)
    m, e = np.frexp(np.where(np.isfinite(x), x, 0).astype(np.float64))
    unit = np.ldexp(1.0, np.maximum(e, -125) - 11)
    nearest = np.rint(np.ldexp(m, e) / unit) * unit
    largest = np.ldexp(2.0 - 2.0**-10, 127)
    return np.copysign(np.minimum(np.abs(nearest), largest), np.where(np.isfinite(x), x, 0)).astype(a.dtype)


def exactly(t, bits, function):
    """A function of a word's and another whole number's value, computed with 50 digits."""
    def evaluate(*a):
        with mpmath.workdps(50):
            return np.array([float(function(*(int(v) for v in x))) for x in zip(*a)]).astype(t)
    return evaluate, {f"uint{bits}": 4}


def radius(bits, kept):
    return lambda a: mpmath.sqrt(-2 * mpmath.log(1 - mpmath.mpf(a >> (bits - kept)) / 2**kept))


def cosine(bits):
    return lambda a, b: mpmath.cospi(mpmath.mpf(a) / 2**(bits - 1) - mpmath.mpf(b % 2) / 2)


def waiting(bits):
    """-log of the middle of a word's share of the unit interval."""
    return lambda a: -mpmath.log((mpmath.mpf(a) + 0.5) / 2**bits)


PI = np.longdouble(3) + np.longdouble("0.14159265358979323846264")
exact = lambda f: (f, 0)
near = lambda f, f32=4, f64=4, c=16: (in_wider(f), {"float32": f32, "float64": f64, "complex64": c, "complex128": c})
special = lambda f, f32=8, f64=64: (in_double(f), {"float32": f32, "float64": f64})
gelu = lambda x: x * sp.ndtr(x)

FUNCTIONS = {
    "add": exact(np.add), "subtract": exact(np.subtract), "multiply": (np.multiply, {"complex64": 2, "complex128": 2}),
    "divide": (native_or_wider(np.divide), {"complex64": 8, "complex128": 8}),
    "floor_divide": exact(np.floor_divide), "remainder": exact(np.remainder), "fmod": exact(np.fmod),
    "power": (power, {"float32": 8, "float64": 4, "complex64": 64, "complex128": 64}),
    "negative": exact(np.negative), "positive": exact(np.copy),
    "square": (np.square, {"complex64": 2, "complex128": 2}),
    "reciprocal": (np.reciprocal, {"complex64": 4, "complex128": 4}),
    "absolute": (np.absolute, {"complex64": 2, "complex128": 2}),
    "abs2": (lambda a: (a.real * a.real + a.imag * a.imag) if a.dtype.kind == "c" else a * a,
             {"complex64": 1, "complex128": 1}),
    "fabs": exact(np.fabs), "sign": (np.sign, {"complex64": 2, "complex128": 2}), "copysign": exact(np.copysign),
    "heaviside": exact(np.heaviside), "gcd": exact(np.gcd), "lcm": exact(np.lcm),
    "sqrt": (native_or_wider(np.sqrt), {"complex64": 4, "complex128": 4}), "cbrt": near(np.cbrt),
    "rsqrt": near(lambda a: 1 / np.sqrt(a)), "exp": near(np.exp), "exp2": near(np.exp2), "expm1": near(np.expm1),
    "log": near(np.log), "log2": near(np.log2), "log10": near(np.log10), "log1p": near(np.log1p),
    "logaddexp": near(np.logaddexp), "logaddexp2": near(np.logaddexp2),
    "sin": near(np.sin), "cos": near(np.cos), "tan": near(np.tan), "arcsin": near(np.arcsin), "arccos": near(np.arccos),
    "arctan": near(np.arctan), "arctan2": near(np.arctan2), "sinh": near(np.sinh), "cosh": near(np.cosh),
    "tanh": near(np.tanh), "arcsinh": near(np.arcsinh), "arccosh": near(np.arccosh), "arctanh": near(np.arctanh),
    "hypot": near(np.hypot), "deg2rad": near(lambda a: a * (PI / 180)), "rad2deg": near(lambda a: a * (180 / PI)),
    "sinc": (sinc, {"float32": 8, "float64": 8}),
    "floor": exact(np.floor), "ceil": exact(np.ceil), "trunc": exact(np.trunc), "rint": exact(np.rint),
    "frexp_mantissa": exact(lambda a: np.frexp(a)[0]),
    "frexp_exponent": exact(lambda a: np.where(np.isfinite(a), np.frexp(a)[1], 0).astype(np.int32)),
    "ldexp": exact(np.ldexp), "nextafter": exact(np.nextafter), "spacing": exact(np.spacing), "tf32_part": exact(tf32_part),
    "maximum": exact(np.maximum), "minimum": exact(np.minimum), "fmax": exact(np.fmax), "fmin": exact(np.fmin),
    "where": exact(np.where), "equal": exact(np.equal), "not_equal": exact(np.not_equal), "less": exact(np.less),
    "less_equal": exact(np.less_equal), "greater": exact(np.greater), "greater_equal": exact(np.greater_equal),
    "isnan": exact(np.isnan), "isinf": exact(np.isinf), "isfinite": exact(np.isfinite),
    "isposinf": exact(lambda a: np.isinf(a) & (a > 0)), "isneginf": exact(lambda a: np.isinf(a) & (a < 0)),
    "signbit": exact(np.signbit), "logical_and": exact(np.logical_and), "logical_or": exact(np.logical_or),
    "logical_xor": exact(np.logical_xor), "logical_not": exact(np.logical_not), "bitwise_and": exact(np.bitwise_and),
    "bitwise_or": exact(np.bitwise_or), "bitwise_xor": exact(np.bitwise_xor), "invert": exact(np.invert),
    "left_shift": exact(np.left_shift), "right_shift": exact(np.right_shift), "popcount": exact(np.bitwise_count),
    "erf": special(sp.erf, 4, 4), "erfc": special(sp.erfc, 16, 16), "erfinv": special(sp.erfinv, 4),
    "erfcinv": special(sp.erfcinv, 4), "gamma": special(sp.gamma, 16, 32), "lgamma": special(sp.gammaln, 16, 32),
    "digamma": special(sp.digamma, 4), "beta": (in_mpmath(beta), {"float32": 2, "float64": 64}),
    "betaln": (in_mpmath(log_beta), {"float32": 2, "float64": 64}),
    "i0": special(sp.i0, 2), "i1": special(sp.i1, 2), "j0": special(sp.j0, 64, 128), "j1": special(sp.j1, 64, 128),
    "ndtr": special(sp.ndtr, 64), "ndtri": special(sp.ndtri, 2), "logit": (logit, {"float32": 8, "float64": 8}),
    "expit": special(sp.expit, 4, 4), "relu": exact(lambda a: np.where(a < 0, np.zeros_like(a), a)),
    "gelu": special(gelu, 64), "gelu_tanh": (gelu_tanh, {"float32": 32, "float64": 32}),
    "softplus": special(lambda a: np.logaddexp(a, 0), 4, 4),
    "xlogy": special(sp.xlogy, 4, 4), "entr": special(sp.entr, 4, 4),
    "real": exact(np.real), "imag": exact(np.imag), "conj": exact(lambda a: np.conj(a) if a.dtype.kind == "c" else a),
    "angle": (lambda a: in_wider(np.angle)(a) if a.dtype.kind == "f" else np.angle(a).astype(a.real.dtype),
              {"float32": 1, "float64": 1, "complex64": 4, "complex128": 4}),
    "philox_32": exact(philox_array(1, np.uint32)), "philox_64": exact(philox_array(2, np.uint64)),
    "unit_float": exact(lambda a: ((a >> 8) * 2.0**-24).astype(np.float32)),
    "unit_double": exact(lambda a: (a >> np.uint64(11)).astype(np.float64) * 2.0**-53),
    "normal_radius_float": exactly(np.float32, 32, radius(32, 24)),
    "normal_radius_double": exactly(np.float64, 64, radius(64, 53)),
    "normal_cosine_float": exactly(np.float32, 32, cosine(32)),
    "normal_cosine_double": exactly(np.float64, 64, cosine(64)),
    "exponential_float": exactly(np.float32, 32, waiting(32)),
    "exponential_double": exactly(np.float64, 64, waiting(64)),
    "scaled_word": exact(lambda a, b: np.array([int(x) * int(y) >> 64 for x, y in zip(a, b)], np.uint64)),
    "portable_exp": near(np.exp), "portable_expm1": near(np.expm1, 16, 16), "portable_log": near(np.log),
}


def result_type(rule, t):
    t = np.dtype(t)
    part = t if is_half(t) else t.type(0).real.dtype
    return {"compare": np.dtype(bool), "logical": np.dtype(bool), "real": part, "angle": part, "exponent": np.int32,
            "count": np.uint8, "random_32": np.uint32, "random_64": np.uint64, "unit_32": np.float32,
            "unit_64": np.float64}.get(rule, t)


def dtypes(rule, kinds):
    fixed = {"random_32": ["uint64"], "random_64": ["uint64"], "unit_64": ["uint64"], "unit_32": ["uint32"]}
    if rule in fixed:
        return fixed[rule]
    kinds = "iu" + kinds if rule == "rounding" else kinds
    return [t for k in "biufc" if k in kinds for t in KINDS[k] + {"f": HALVES, "c": [PAIRS]}.get(k, [])]


def keep(name, args, result):
    """Operand tuples whose result NumPy defines: not the sign of max(-0, 0), not 1 / 0 in
    integers; nor is relative accuracy asked for next to a zero of a Bessel function or of the
    logarithm of the beta function."""
    ok = np.ones(len(result), bool)
    if name in ("maximum", "minimum", "fmax", "fmin") and kind(args[0].dtype) == "f":
        ok &= ~((args[0] == 0) & (args[1] == 0) & (np.signbit(args[0]) != np.signbit(args[1])))
    if name == "reciprocal" and args[0].dtype.kind in "iu":
        ok &= args[0] != 0
    if name in ("j0", "j1", "betaln"):
        ok &= ~(np.abs(result.astype(np.float64)) < 0.05) | (args[0] == 0)
    if name == "gelu":
        ok &= np.isfinite(args[0])
    return ok


def case(rng, name, arity, rule, domain, t):
    types = [t if t != PAIRS else "complex64"] * arity
    if rule == "select":
        types[0] = "bool"
    if t == PAIRS:
        return case_of_pairs(rng, name, types, domain)
    if rule == "scale":
        types[1] = "int32"
    args = operands(rng, name, types, domain)
    if rule == "scale":
        exponents = np.array([0, 1, -1, 2000, -2000, 5, -30, -1074, 40, 2**31 - 1, -(2**31)], np.int32)
        args[1] = np.resize(exponents, len(args[0]))
    function, tolerance = FUNCTIONS[name]
    if is_half(t):
        near = isinstance(tolerance, dict) and "float32" in tolerance
        function, tolerance = in_half(name, function, not near), int(near)
    result = args[0] if rule == "rounding" and np.dtype(t).kind in "iu" else np.asarray(function(*args))
    assert np.dtype(result.dtype) == result_type(rule, t), (name, t, result.dtype)
    ok = keep(name, args, result)
    args, result = [a[ok] for a in args], result[ok]
    if isinstance(tolerance, dict):
        tolerance = tolerance.get(np.dtype(t).name, 0)
    lines = [f"{name} {t} {tolerance} {arity} {len(result)}"]
    return lines + [np.ascontiguousarray(a).tobytes().hex() for a in args + [result]]


def main():
    np.seterr(all="ignore")
    check_philox()
    table = list(rows())
    missing = [r[0] for r in table if r[0] not in FUNCTIONS]
    stale = [n for n in FUNCTIONS if n not in {r[0] for r in table}]
    if missing or stale or not table:
        sys.exit(f"rows without a reference: {missing}; references without a row: {stale}")
    lines = [f"# NumPy {np.__version__}, SciPy {sys.modules['scipy'].__version__}"]
    for index, (name, arity, rule, kinds, domain) in enumerate(table):
        for t in dtypes(rule, kinds):
            rng = np.random.default_rng([sum(name.encode()), len(name), dtype_number(t)])
            lines += case(rng, name, arity, rule, domain, t)
    (ROOT / "tests/data/golden/ops.txt").write_text("\n".join(lines) + "\n")


def dtype_number(t):
    return ([x for k in "biufc" for x in KINDS[k]] + HALVES + [PAIRS]).index(t)


if __name__ == "__main__":
    main()

"""The array libraries that are compared with sinter: how each makes arrays, compiles functions and waits; must not know rows."""
import os

import numpy


class Missing(Exception):
    """A library, a device or a function that is not there."""


class NumPy:
    """NumPy itself, and what the others change of it."""

    name = "numpy"
    in_place = True  # whether programs may assign to parts of arrays

    def __init__(self, device):
        if device != "cpu":
            raise Missing("NumPy runs on the CPU")
        self.xp = numpy
        self.version = numpy.__version__
        self.rng = numpy.random.default_rng(42)

    def array(self, a):
        return a

    def uniform(self, low, high, shape, dtype="float32"):
        a = self.rng.random(shape, dtype)
        a *= high - low
        a += low
        return self.array(a)

    def integers(self, high, shape):
        return self.array(self.rng.integers(0, high, shape))

    def compile(self, f):
        """A function of arrays, as fast as the library makes it."""
        return f

    def wait(self, result):
        """Until everything that was enqueued is done; `result` is the last call's."""

    def free(self):
        """Gives memory that nothing needs back to the device, where other libraries wait for it."""

    def random(self, shape):
        return self.rng.random(shape)

    def randn(self, shape):
        return self.rng.standard_normal(shape, "float32")

    def relu(self, x):
        return self.xp.maximum(x, 0)

    def var(self, x, axis, keepdims=False):
        return self.xp.var(x, axis=axis, keepdims=keepdims)

    def mean_var(self, x, axis=None):
        return self.xp.mean(x, axis=axis), self.xp.var(x, axis=axis)

    def argmax_max(self, x):
        return self.xp.argmax(x), self.xp.max(x)

    def multiply_in(self, precision):
        """How products of float32 are computed from now on: f32, tf32 or tf32x3."""
        if precision != "f32":
            raise Missing("products of float32 have one precision")

    def erf(self, x):
        try:
            from scipy.special import erf
        except ImportError:
            raise Missing("needs SciPy") from None
        return erf(x)


class NumExpr(NumPy):
    name = "numexpr"

    def __init__(self, device):
        super().__init__(device)
        import numexpr

        self.numexpr = numexpr
        self.version = f"{numexpr.__version__}, {numexpr.nthreads} threads"

    def compile(self, f):
        raise Missing("no expression for it")

    def evaluate(self, text, **arrays):
        return self.numexpr.evaluate(text, local_dict=arrays)


class CuPy(NumPy):
    name = "cupy"

    def __init__(self, device):
        import cupy

        if device != "cuda":
            raise Missing("CuPy runs on the GPU")
        super().__init__("cpu")
        self.xp = cupy
        self.version = cupy.__version__

    def array(self, a):
        return self.xp.asarray(a)

    def wait(self, result):
        self.xp.cuda.Device().synchronize()

    def free(self):
        self.xp.get_default_memory_pool().free_all_blocks()

    def random(self, shape):
        return self.xp.random.random(shape)

    def randn(self, shape):
        return self.xp.random.standard_normal(shape, "float32")

    def multiply_in(self, precision):
        from cupy._core import _routines_linalg as linalg

        if precision == "tf32x3":
            raise Missing("there is no such precision")
        linalg.set_compute_type("f", linalg.COMPUTE_TYPE_TF32 if precision == "tf32" else linalg.COMPUTE_TYPE_DEFAULT)

    def erf(self, x):
        from cupyx.scipy.special import erf

        return erf(x)


class CuPyFuse(CuPy):
    name = "cupy.fuse"

    def compile(self, f):
        return self.xp.fuse(f)


class Torch(NumPy):
    name = "torch"

    def __init__(self, device):
        import torch

        if device == "cuda" and not torch.cuda.is_available():
            raise Missing("PyTorch finds no GPU")
        super().__init__("cpu")
        torch.set_default_device(device)
        torch.set_num_threads(len(os.sched_getaffinity(0)))
        self.xp = torch
        self.device = device
        self.version = f"{torch.__version__}, {torch.get_num_threads()} threads"

    def array(self, a):
        return self.xp.as_tensor(a, device=self.device)

    def wait(self, result):
        if self.device == "cuda":
            self.xp.cuda.synchronize()

    def free(self):
        if self.device == "cuda":
            self.xp.cuda.empty_cache()

    def random(self, shape):
        return self.xp.rand(shape, dtype=self.xp.float64, device=self.device)  # compiled functions forget the default device

    def randn(self, shape):
        return self.xp.randn(shape, device=self.device)

    def relu(self, x):
        return self.xp.relu(x)

    def var(self, x, axis, keepdims=False):
        return self.xp.var(x, axis, correction=0, keepdim=keepdims)

    def mean_var(self, x, axis=None):
        var, mean = self.xp.var_mean(x, axis, correction=0)
        return mean, var

    def argmax_max(self, x):
        largest, position = self.xp.max(x, 0)
        return position, largest

    def multiply_in(self, precision):
        if self.device == "cpu" or precision == "tf32x3":
            return super().multiply_in(precision)
        self.xp.backends.cuda.matmul.allow_tf32 = precision == "tf32"

    def erf(self, x):
        return self.xp.erf(x)


class TorchCompile(Torch):
    name = "torch.compile"

    def compile(self, f):
        return self.xp.compile(f, dynamic=False)


class Jax(NumPy):
    name = "jax"
    in_place = False

    def __init__(self, device):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        os.environ["JAX_PLATFORMS"] = device
        import jax

        jax.config.update("jax_enable_x64", True)
        try:
            jax.devices()
        except RuntimeError as e:
            raise Missing(str(e).splitlines()[0]) from None
        super().__init__("cpu")
        self.jax = jax
        self.xp = jax.numpy
        self.version = jax.__version__
        self.key = jax.random.key(42)

    def array(self, a):
        return self.xp.asarray(a)

    def compile(self, f):
        return self.jax.jit(f)

    def wait(self, result):
        self.jax.block_until_ready(result)

    def random(self, shape):
        return self.jax.random.uniform(self.key, shape, dtype=self.xp.float64)

    def randn(self, shape):
        return self.jax.random.normal(self.key, shape, dtype=self.xp.float32)

    def multiply_in(self, precision):
        if self.jax.default_backend() == "cpu":
            return super().multiply_in(precision)
        names = {"f32": "highest", "tf32": "tensorfloat32", "tf32x3": "TF32_TF32_F32_X3"}
        self.jax.config.update("jax_default_matmul_precision", names[precision])

    def erf(self, x):
        return self.jax.lax.erf(x)


LIBRARIES = {library.name: library for library in (NumPy, NumExpr, CuPy, CuPyFuse, Torch, TorchCompile, Jax)}

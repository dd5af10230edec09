"""The page of examples: for each function of the table one call of it on few elements, and what NumPy prints of its answer."""
import re
import warnings

import numpy as np

import pool
from table import ARRAYS, ask, type_of_operand

HEAD = """# An example of each function

Calls of the [table](../../tests/conformance) on few elements, and what they print: NumPy's answers, with which they are compared. This page is
written by `tests/conformance/generate.py`.

<!-- interpreted -->

<!-- given
#include <sinter/fft.hpp>
#include <sinter/linalg.hpp>
#include <sinter/ndimage.hpp>
#include <sinter/signal.hpp>
#include <sinter/special.hpp>
-->"""
# In the order in which they are preferred.
ELEMENTS = {"float64": "double", "int64": "std::int64_t", "int32": "int", "bool": "bool",
            "float32": "float", "uint8": "std::uint8_t", "uint64": "std::uint64_t"}
MOST_ELEMENTS = 12  # of an operand
FEWEST = 3          # with which an example shows something
LONGEST = 100       # characters of a line of code
# Functions that return one bool.
FLAGS = {"allclose", "array_equal", "array_equiv"}
# Functions that return std::vectors of arrays, and one whose tuple may have one part.
LISTS = set("array_split diag_indices diag_indices_from dsplit hsplit mask_indices nonzero split tril_indices tril_indices_from triu_indices "
            "triu_indices_from unravel_index unstack vsplit".split())
TUPLES = {"ix_"}


def number_text(v):
    if isinstance(v, (bool, np.bool_)):
        return "true" if v else "false"
    text = repr(v.item() if isinstance(v, np.generic) else v)
    return text[:-2] if text.endswith(".0") and text != "-0.0" else text


def braces(a):
    return "{" + ", ".join(braces(row) if row.ndim else number_text(row[()]) for row in a) + "}"


def is_plain(a):
    return a.dtype.kind not in "fc" or bool(np.isfinite(a).all())


def is_printed_alike(c, a):
    """Whether what is printed is the same for all answers that are near: no last digits, no signs of zero and no rests of one."""
    if a.dtype.kind not in "fc" or not c.tolerance:
        return True
    parts = np.concatenate([a.real.ravel(), a.imag.ravel()]) if a.dtype.kind == "c" else a.ravel()
    is_rest = np.abs(parts) < 1e-6 * np.abs(parts).max(initial=0)
    return c.group != "fft" and not (np.signbit(parts) & (parts == 0)).any() and not is_rest[parts != 0].any() and (
        a.ndim > 0 or len(str(a[()])) < 8)


def written(c, case, dtype):
    """The lines of an example without its output; nothing where it would take more than arrays and numbers."""
    text = c.sinter or f"{c.name}({', '.join(letter for letter in case if letter in ARRAYS)})"
    if re.search(r"\[&\]|operator", text + c.name):
        return None
    lines = []
    for letter, value in case.items():
        if letter in ARRAYS:
            of, name = type_of_operand(letter, dtype, value)
            a = pool.make(name, of)
            if of not in ELEMENTS or a.ndim == 0 or not 0 < a.size <= MOST_ELEMENTS or not is_plain(a):
                return None
            lines.append(f"array<{ELEMENTS[of]}> {letter}{braces(a)};")
            continue
        word = braces(np.asarray(value)) if isinstance(value, (tuple, list)) else f'"{value}"' if isinstance(value, str) else number_text(value)
        text = re.sub(rf"(?<![\w.:]){letter}(?![\w:(])", word.replace("\\", r"\\"), text)
    text = re.sub(r"\bT\b", ELEMENTS[dtype], text)
    return lines + [text] if max(map(len, lines + [text])) <= LONGEST else None


def printed(r):
    return [str(a) if a.ndim else str(a[()]) for a in r.results]


def candidate(t, c, case, dtype):
    """An example and how good it is, less being better; or nothing."""
    if t.difference_of(c, case, dtype):
        return None
    lines = written(c, case, dtype)
    r = ask(c, case, dtype) if lines else None
    if not r or r.error or any(not is_plain(a) or a.size == 0 or a.dtype.name not in ELEMENTS or not is_printed_alike(c, a) for a in r.results):
        return None
    shown = [text.lower() if c.name in FLAGS else text for text in printed(r)]
    if sum(text.count("\n") + 1 for text in shown) > 8:
        return None
    if c.name in LISTS:
        lines[-1] = f"for (const auto& part : {lines[-1]}) std::cout << part << '\\n';"
    elif len(shown) == 1 and c.name not in TUPLES:
        lines[-1] = f"std::cout << {'std::boolalpha << ' if c.name in FLAGS else ''}{lines[-1]} << '\\n';"
    else:
        names = "abcdefgh"[:len(shown)]
        lines[-1:] = [f"auto [{', '.join(names)}] = {lines[-1]};", "std::cout << " + " << '\\n' << ".join(names) + " << '\\n';"]
    given = [pool.make(*reversed(type_of_operand(letter, dtype, v))) for letter, v in case.items() if letter in ARRAYS]
    is_dull = any(a.size < FEWEST or len(np.unique(a)) < 2 for a in given)
    return (is_dull, list(ELEMENTS).index(dtype), len(c.numpy), sum(map(len, lines)), sum(map(len, shown))), lines, shown


def text(t):
    best = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for c in t.calls:
            for dtype in ELEMENTS:
                if dtype not in c.types or c.name in best and best[c.name][0][:2] < (False, list(ELEMENTS).index(dtype)):
                    continue
                for case in c.cases:
                    found = candidate(t, c, case, dtype)
                    if found and (c.name not in best or found[0] < best[c.name][0]):
                        best[c.name] = found
    parts = []
    for name, (_, lines, shown) in sorted(best.items(), key=lambda item: (item[0].split("::")[-1], item[0])):
        parts += [f"## {name}\n", "```cpp", *lines, "```\n", "```", *shown, "```\n"]
    return HEAD + "\n" + "\n".join(parts)

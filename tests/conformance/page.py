"""The page NumPy - sinter: every public name of NumPy, from the table of calls, or from spellings.txt."""
import pathlib
import re

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
MODULES = (("numpy", np, ""), ("numpy.linalg", np.linalg, "linalg."), ("numpy.fft", np.fft, "fft."), ("numpy.random", np.random, "random."))
HEAD = """# NumPy ↔ sinter

Every public function and class of NumPy {version}, `numpy.linalg`, `numpy.fft` and `numpy.random`, and how it is written here. The calls
are rows of the [table](../tests/conformance) whose results are compared with NumPy's; [the user guide](README.md) has more of each subject.
This page is written by `tests/conformance/generate.py`.
"""


def spellings():
    """What is written by hand: the spelling of a name, or why there is none."""
    spelled, reasons = {}, {}
    for line in (HERE / "spellings.txt").read_text().split("\n"):
        if not line or line.startswith("#"):
            continue
        if " = " in line.split(":")[0] or " = " in line and ": " not in line.split(" = ")[0]:
            names, text = line.split(" = ", 1)
            spelled.update({n: (names.split(), text) for n in names.split()})
        else:
            reason, names = line.rsplit(": ", 1)
            reasons.update({n: reason for n in names.split()})
    return spelled, reasons


def in_table(t):
    """For each name of NumPy, and of SciPy, the shortest call that begins with it, and its spelling."""
    best = {}
    for c in t.calls:
        m = re.match(r"(?:np\.|(?=scipy\.))([\w.]+)\(", c.numpy)
        if not m:
            continue
        sinter = c.sinter or re.sub(r"^[\w.]+", c.name, c.numpy)
        if "[&]" in sinter or "std::tuple(h" in sinter:
            continue
        old = best.get(m[1])
        if old is None or len(c.numpy) < len(old[0]):
            best[m[1]] = (c.numpy, sinter)
    return best


def names_of(module, prefix):
    return [prefix + n for n in dir(module) if not n.startswith("_") and callable(getattr(module, n))]


def row(numpy, sinter):
    return f"| {numpy} | `{sinter}` |".replace("||", "\\|\\|")


def text(t):
    best, (spelled, reasons) = in_table(t), spellings()
    lines = [HEAD.format(version=np.__version__)]
    missing = []
    for title, module, prefix in MODULES:
        lines += [f"\n## {title}\n", "| NumPy | sinter |", "|---|---|"]
        absent = {}
        for name in names_of(module, prefix):
            if name in spelled:
                # Names of one spelling stand in one row.
                group, spelling = spelled[name]
                group = [n for n in group if n.startswith(prefix) and (prefix or "." not in n)]
                if name == min(group):
                    lines.append(row(", ".join(f"`np.{n}`" for n in group), spelling))
            elif name in best:
                lines.append(row(f"`{best[name][0]}`", best[name][1]))
            elif name in reasons:
                absent.setdefault(reasons[name], []).append(name)
            else:
                missing.append(name)
        if absent:
            lines.append("\nNot here:\n")
            lines += [f"- {reason}: " + ", ".join(f"`{n}`" for n in names) for reason, names in absent.items()]
    if missing:
        raise SystemExit(f"spellings.txt says nothing of: {' '.join(missing)}")
    lines += ["\n## scipy\n", "What the table has of it; its other names are not here, or in [the user guide](README.md).\n", "| SciPy | sinter |", "|---|---|"]
    lines += [row(f"`{numpy}`", sinter) for name, (numpy, sinter) in sorted(best.items()) if name.startswith("scipy.")]
    lines += ["\n## What differs on purpose\n", "The table leaves these out:\n"]
    lines += [f"- `{name.replace(' ', '`, `')}`: {reason}" for name, reason, *_ in t.differences]
    return "\n".join(lines) + "\n"

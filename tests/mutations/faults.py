#!/usr/bin/env python3
"""The planted bugs of *.faults, found in the code whatever its white space and folders are; as a program, checks that all of them fit.

A bug has a name and one or more replacements, each in a file named without its folders:

    fault: rows_are_one_short
    file: loop.ipp
      for (int row = 0;      lines that stay begin with two spaces,
    - row < rows; ++row)     those that go with a minus,
    + row + 1 < rows; ++row) those that come with a plus.

An empty line ends a replacement; `file:` is said again only where it is another. The lines that stay and go are one text, which
has to occur exactly once in all the files of that name; white space is not compared, so that formatting changes nothing."""
import bisect
import collections
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LAYERS = ["codegen", "runtime", "include"]

Replacement = collections.namedtuple("Replacement", "file old new")


class DoesNotFit(Exception):
    """A bug that is not written as it has to be, or whose place is not found."""


def read(paths=None):
    """The bugs of all files, or of some: lists of replacements by name."""
    faults = {}
    for path in paths or sorted(glob.glob(os.path.join(HERE, "*.faults"))):
        with open(path) as f:
            for block in re.split(r"^fault: ", f.read(), flags=re.M)[1:]:
                name, body = block.split("\n", 1)
                if name in faults:
                    raise DoesNotFit(f"{name} is in {path}, and before")
                faults[name] = replacements_of(name, body)
    return faults


def replacements_of(name, body):
    replacements, file = [], None
    for part in re.split(r"\n\s*\n", body.strip("\n")):
        lines = part.split("\n")
        if lines[0].startswith("file: "):
            file = lines.pop(0).removeprefix("file: ").strip()
        signs = {line[:2] for line in lines}
        if not file or not signs <= {"  ", "- ", "+ "} or not signs & {"- ", "+ "}:
            raise DoesNotFit(f"{name} is not written as faults.py says:\n{part}")
        old, new = ("\n".join(line[2:] for line in lines if line[0] in kept) for kept in (" -", " +"))
        replacements.append(Replacement(file, old, new))
    return replacements


class Text:
    """A file, and what of it is compared: all but white space."""

    def __init__(self, path):
        self.path = path
        with open(path, newline="") as f:
            self.whole = f.read()
        self.places, parts, length = [], [], 0  # where each word begins, in what is compared and in the whole
        for word in re.finditer(r"\S+", self.whole):
            self.places.append((length, word.start()))
            parts.append(word.group())
            length += len(word.group())
        self.bare = "".join(parts)

    def place(self, n):
        """Where character `n` of what is compared stands."""
        bare, whole = self.places[bisect.bisect_right(self.places, (n, len(self.whole))) - 1]
        return whole + n - bare

    def spans(self, old):
        """Where a text stands."""
        bare = "".join(old.split())
        return [(self.place(m.start()), self.place(m.start() + len(bare) - 1) + 1) for m in re.finditer(f"(?={re.escape(bare)})", self.bare)]


class Tree:
    """The library's files below a folder."""

    def __init__(self, root):
        self.paths, self.texts = collections.defaultdict(list), {}
        for layer in LAYERS:
            for folder, _, files in os.walk(os.path.join(root, layer)):
                for file in files:
                    self.paths[file].append(os.path.join(folder, file))

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = Text(path)
        return self.texts[path]

    def found(self, files, old):
        return [(self.text(path), span) for file in files for path in self.paths[file] for span in self.text(path).spans(old)]

    def planted(self, replacements):
        """What the files with a bug hold, by path."""
        changes = collections.defaultdict(list)
        for r in replacements:
            if r.file not in self.paths:
                raise DoesNotFit(f"there is no {r.file}{self.elsewhere(r)}")
            found = self.found([r.file], r.old)
            if len(found) != 1:
                raise DoesNotFit(f"{len(found) or 'no'} places in {r.file} hold this{'' if found else self.elsewhere(r)}:\n{r.old}")
            changes[found[0][0].path].append((*found[0][1], r.new))
        return {path: self.changed(self.text(path).whole, replaced) for path, replaced in changes.items()}

    def elsewhere(self, r):
        others = [text.path for text, _ in self.found(list(self.paths), r.old)]
        return f"; it stands in {', '.join(others)}" if others else ""

    @staticmethod
    def changed(whole, replaced):
        for begin, end, new in sorted(replaced, reverse=True):
            whole = whole[:begin] + new + whole[end:]
        return whole


def plant(replacements, root):
    """Plants a bug into the tree below a folder; the paths of what it changed, or DoesNotFit."""
    planted = Tree(root).planted(replacements)
    for path, text in planted.items():
        with open(path, "w", newline="") as f:
            f.write(text)
    return sorted(os.path.relpath(path, root) for path in planted)


def main():
    tree, faults, wrong = Tree(sys.argv[1] if len(sys.argv) > 1 else ROOT), read(), 0
    for name, replacements in faults.items():
        try:
            tree.planted(replacements)
        except DoesNotFit as e:
            wrong += 1
            print(f"{name}: {e}")
    print(f"{len(faults) - wrong} passed, {wrong} failed")
    return wrong != 0 or not faults


if __name__ == "__main__":
    sys.exit(main())

"""Which kernels a run used, by names and texts: kept in files, and compared; must not know how runs are made."""
import collections
import difflib
import glob
import hashlib
import json
import os
import struct
import zipfile

EMULATED_IMAGE = b"\x7femulated cubin\n"  # what the emulated compiler puts before a text's length and the text


class Recording:
    """Which kernels each piece of work used, in turn, and the texts of those of CUDA; a piece's first word is its backend."""

    def __init__(self):
        self.pieces, self.texts, self.failed = {}, {}, []

    def origins(self):
        """By backend and name the first piece that used the kernel, and the place in it."""
        found = {}
        for piece, names in self.pieces.items():
            for n, name in enumerate(names):
                found.setdefault(f"{piece.split()[0]} {name}", (piece, n))
        return found

    def lines(self):
        """Backends and names, sorted."""
        return sorted(self.origins())

    def digest(self):
        return hashlib.sha256("\n".join(self.lines()).encode()).hexdigest()

    def add_folder(self, folder):
        for path in sorted(glob.glob(os.path.join(folder, "*.txt"))):
            with open(path) as f:
                text = f.read()
            name, backend = hashlib.sha256(text.encode()).hexdigest(), "cuda" if path.endswith(".cuda.txt") else "host"
            self.pieces[f"{backend} golden {os.path.basename(path)}"] = [name]
            if backend == "cuda":
                self.texts[name] = text
        return self

    def add_pack(self, piece, path):
        self.pieces[piece] = []
        for name, image in kernels_of_pack(path):
            self.pieces[piece].append(name)
            if (at := image.find(EMULATED_IMAGE)) >= 0:
                self.texts[name] = image[at + len(EMULATED_IMAGE) + 16:].decode()

    def store(self, path):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
            z.writestr("names.txt", "\n".join(self.lines()) + "\n")
            z.writestr("recording.json", json.dumps(vars(self)))

    @staticmethod
    def load(path):
        r = Recording()
        if os.path.isdir(path):
            return r.add_folder(path)
        with zipfile.ZipFile(path) as z:
            vars(r).update(json.loads(z.read("recording.json")))
        return r


def kernels_of_pack(path):
    """Names and images of a pack's kernels; kernel_pack.ipp and cache_entry.hpp say what is where."""
    if not os.path.exists(path) or not os.path.getsize(path):  # no kernel was used
        return
    with open(path, "rb") as f:
        data = f.read()
    targets, count = struct.unpack_from("<QQ", data, 24)
    at = 56 + targets
    for _ in range(count):
        (size,) = struct.unpack_from("<Q", data, at + 16)
        yield data[at + 32:at + 96].decode(), data[at + 96:at + 96 + size]
        at += 96 + size


def pairs_of(a, b):
    """CUDA texts of two recordings that differ and stand for each other, by the piece of work in which they have the same place:
    (piece, name, name); and how many others only one of them has."""
    votes = collections.defaultdict(collections.Counter)
    for piece in sorted(a.pieces.keys() & b.pieces.keys()):
        before, after = a.pieces[piece], b.pieces[piece]
        for what, i, end, j, last in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if what == "replace" and end - i == last - j:
                for x, y in zip(before[i:end], after[j:last]):
                    if x in a.texts and y in b.texts and a.texts[x] != b.texts[y]:
                        votes[x][y, piece] += 1
    pairs = [(piece, x, y) for x, found in votes.items() for (y, piece), _ in found.most_common(1)]
    alone = (a.texts.keys() ^ b.texts.keys()) - {x for _, *both in pairs for x in both}
    return pairs, len(alone)

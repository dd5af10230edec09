"""Machine code of CUDA texts, by NVRTC, without a GPU; must not know which texts or why."""
import ctypes
import dataclasses
import glob
import os
import re
import struct

# Those of runtime/compile/nvrtc.ipp, the last two of which only save time, and the version from which NVRTC knows them.
OPTIONS = {"--std=c++20": (0, 0), "-default-device": (0, 0), "--fmad=false": (0, 0), "--minimal": (12, 4), "--no-cache": (12, 9)}


@dataclasses.dataclass(frozen=True)
class Code:
    """Machine code with what it reads; without any, why the text is refused."""
    sections: list
    registers: int
    spilled: int
    refused: str

    def __str__(self):
        size = sum(len(content) for kind, content in self.sections if kind == b".text")
        return self.refused or f"{size} bytes of code, {self.registers} registers, {self.spilled} bytes spilled"


def find_nvrtc(build):
    """The library's path: of a toolkit, or of the wheels in a build folder; None where there is none."""
    homes = [os.environ[v] for v in ("CUDA_PATH", "CUDA_HOME") if os.environ.get(v)] + ["/usr/local/cuda", "/opt/cuda", "/usr"]
    folders = [h + lib for h in homes for lib in ("/lib64", "/lib/x86_64-linux-gnu")] + glob.glob(os.path.join(build, "nvidia/nvidia/*/lib"))
    return next((path for f in folders for path in sorted(glob.glob(f + "/libnvrtc.so*"))), None)


class Nvrtc:
    """CUDA's run-time compiler."""

    def __init__(self, path):
        self.library, count = ctypes.CDLL(path), ctypes.c_int()
        self.library.nvrtcGetNumSupportedArchs(ctypes.byref(count))
        known = (ctypes.c_int * count.value)()
        self.library.nvrtcGetSupportedArchs(known)
        self.architectures = list(known)
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        self.options = [o for o, since in OPTIONS.items() if (major.value, minor.value) >= since] + ["--ptxas-options=-v"]

    def take(self, program, what):
        size = ctypes.c_size_t()
        getattr(self.library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        room = ctypes.create_string_buffer(size.value)
        getattr(self.library, f"nvrtcGet{what}")(program, room)
        return room.raw

    def code(self, text, architecture):
        program, words = ctypes.c_void_p(), [f"--gpu-architecture=sm_{architecture}", *self.options]
        self.library.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernel.cu", 0, None, None)
        status = self.library.nvrtcCompileProgram(program, len(words), (ctypes.c_char_p * len(words))(*map(str.encode, words)))
        log = self.take(program, "ProgramLog").decode(errors="replace")
        sections = [] if status else code_sections(self.take(program, "CUBIN"))
        self.library.nvrtcDestroyProgram(ctypes.byref(program))
        registers, spilled = re.findall(r"Used (\d+) registers", log), re.findall(r"(\d+) bytes spill", log)
        return Code(sections, max(map(int, registers), default=0), sum(map(int, spilled)), log if status else "")


def code_sections(cubin):
    """What of a cubin runs, or is read by what runs, without names: sorted kinds and bytes, or sizes where the file has no bytes."""
    (table,), (each, count, names) = struct.unpack_from("<Q", cubin, 0x28), struct.unpack_from("<HHH", cubin, 0x3A)
    sections = [struct.unpack_from("<IIQQQQ", cubin, table + each * i) for i in range(count)]
    found = []
    for name, kind, _, _, offset, size in sections:
        begin = sections[names][4] + name
        word = re.match(rb"\.(text|nv\.constant\d*|nv\.global|nv\.shared)\b", cubin[begin:cubin.index(b"\0", begin)])
        if word:
            found.append((word.group(), str(size).encode() if kind == 8 else cubin[offset:offset + size]))
    return sorted(found)

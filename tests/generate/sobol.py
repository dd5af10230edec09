#!/usr/bin/env python3
"""Writes include/sinter/random/sobol.def from the direction numbers that SciPy bundles, and tests/data/golden/sobol.txt,
SciPy's points.

The golden file has one line per case: first point, points, dimensions, then the coordinates, hexadecimal, by point.
Needs SciPy; the library and tests need only the files. Run: python3 tests/generate/sobol.py
"""
import pathlib
import textwrap

import numpy as np
import scipy
from scipy.stats import qmc

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIMENSIONS = 1024
HEAD = """\
// Direction numbers of Sobol's sequence by S. Joe and F. Y. Kuo (new-joe-kuo-6, "Constructing Sobol sequences with
// better two-dimensional projections", SIAM J. Sci. Comput. 30, 2635-2654, 2008): for each dimension but the first its
// primitive polynomial, with all of its coefficients as bits, and as many initial numbers as the polynomial's degree.
//
// Licence of these numbers:
//
// Copyright (c) 2008, Frances Y. Kuo and Stephen Joe
// All rights reserved.
//
// Redistribution and use in source and binary forms, with or without modification, are permitted provided that the
// following conditions are met:
//
//     * Redistributions of source code must retain the above copyright notice, this list of conditions and the
//       following disclaimer.
//
//     * Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the
//       following disclaimer in the documentation and/or other materials provided with the distribution.
//
//     * Neither the names of the copyright holders nor the names of the University of New South Wales and the
//       University of Waikato and its contributors may be used to endorse or promote products derived from this
//       software without specific prior written permission.
//
// THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS ``AS IS'' AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT
// NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO
// EVENT SHALL THE COPYRIGHT HOLDERS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
// CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA,
// OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT
// LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF
// ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

"""


def main():
    data = np.load(pathlib.Path(scipy.__file__).parent / "stats/_sobol_direction_numbers.npz")
    numbers = []
    for polynomial, initial in zip(data["poly"][1:DIMENSIONS], data["vinit"][1:DIMENSIONS]):
        degree = int(polynomial).bit_length() - 1
        numbers += [int(polynomial)] + [int(m) for m in initial[:degree]]
    text = "\n".join(textwrap.wrap(", ".join(map(str, numbers)) + ",", 118))
    (ROOT / "include/sinter/random/sobol.def").write_text(HEAD + text + "\n")
    lines = []
    for first, count, dimensions in [(0, 1, 1), (0, 33, 3), (0, 3, DIMENSIONS), (5, 20, 40), (2**20 - 3, 7, 11)]:
        s = qmc.Sobol(dimensions, scramble=False, bits=30)
        if first:
            s.fast_forward(first)
        points = s.random(count)
        lines.append(" ".join([str(first), str(count), str(dimensions), *(float(x).hex() for x in points.ravel())]))
    (ROOT / "tests/data/golden/sobol.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

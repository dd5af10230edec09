#!/usr/bin/env python3
"""Writes the examples' data beside itself from the packages of scikit-image, scikit-learn and StarDist and Debian's
sound-theme-freedesktop, and prints reference numbers.

Needs numpy, scikit-image, scikit-learn, stardist, soundfile and pillow; the examples need only the files.
Run: python3 examples/data/prepare.py
     python3 examples/data/prepare.py build/gallery    writes examples/gallery.png from the pictures of examples/run
"""
import pathlib
import sys

import numpy as np
import soundfile
from PIL import Image
from skimage import data
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from stardist.data import test_image_nuclei_2d

HERE = pathlib.Path(__file__).resolve().parent
TRAIN = 1437
SOUNDS = pathlib.Path("/usr/share/sounds/freedesktop/stereo")


def write_pictures():
    Image.fromarray(data.chelsea()).save(HERE / "chelsea.png", optimize=True)
    Image.fromarray(np.where(data.horse(), 255, 0).astype(np.uint8)).save(HERE / "horse.png", optimize=True)


def write_nuclei():
    picture, mask = test_image_nuclei_2d(return_mask=True)
    bytes_of = np.clip(picture / np.percentile(picture, 99.9), 0, 1) * 255
    Image.fromarray(bytes_of.round().astype(np.uint8)).save(HERE / "nuclei.png", optimize=True)
    print("nuclei:", len(np.unique(mask)) - 1)


def write_struck():
    """At half the rate, both channels together."""
    sound, rate = soundfile.read(SOUNDS / "complete.oga")
    assert rate == 44100
    mono = sound.mean(1)[: len(sound) // 2 * 2].reshape(-1, 2).mean(1)
    np.save(HERE / "struck.npy", (32767 * mono).round().astype(np.int16))


def write_digits():
    digits = load_digits()
    images, labels = digits.data.astype(np.uint8), digits.target.astype(np.uint8)
    assert (images == digits.data).all() and (labels == digits.target).all()
    np.save(HERE / "digits_images.npy", images)
    np.save(HERE / "digits_labels.npy", labels)
    return images / 16.0, labels


def print_references(x, y):
    """The first 1437 digits train, the last 360 test, as scikit-learn's tutorials split them."""
    def correct(model):
        return (model.fit(x[:TRAIN], y[:TRAIN]).predict(x[TRAIN:]) == y[TRAIN:]).sum()

    print("logistic regression:", correct(LogisticRegression(C=1.0, tol=1e-8, max_iter=10000)), "of", len(y) - TRAIN)
    print("nearest neighbour:  ", correct(KNeighborsClassifier(1)), "of", len(y) - TRAIN)


def write_gallery(folder):
    """The photograph, its three pictures in a row, and the wave below them."""
    width, gap = 1100, 4
    names = [HERE / "chelsea.png"] + [folder / f"photograph_{n}.png" for n in ("blur", "edges", "tone")]
    cell = (width - 3 * gap) // 4
    row = [Image.open(n).convert("RGB").resize((cell, cell * 2 // 3), Image.Resampling.LANCZOS) for n in names]
    wave = Image.open(folder / "wave.png").convert("RGB")
    wave = wave.resize((width, width * wave.height // wave.width), Image.Resampling.LANCZOS)
    sheet = Image.new("RGB", (width, row[0].height + gap + wave.height), "white")
    for i, picture in enumerate(row):
        sheet.paste(picture, (i * (cell + gap), 0))
    sheet.paste(wave, (0, row[0].height + gap))
    palette = sheet.quantize(256, kmeans=3)  # which does not dither; for a palette that is given quantize does
    palette.putpalette([c if c < 250 else 255 for c in palette.getpalette()])
    sheet.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG).save(HERE.parent / "gallery.png", optimize=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write_gallery(pathlib.Path(sys.argv[1]))
    else:
        write_pictures()
        write_nuclei()
        write_struck()
        print_references(*write_digits())

#!/usr/bin/env python3
"""Writes the examples' data beside itself from scikit-image's and scikit-learn's packages, and prints reference numbers.

Needs numpy, scikit-image, scikit-learn and pillow; the examples need only the files. Run: python3 examples/data/prepare.py
"""
import pathlib

import numpy as np
from PIL import Image
from skimage import data
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

HERE = pathlib.Path(__file__).resolve().parent
TRAIN = 1437


def write_pictures():
    Image.fromarray(data.chelsea()).save(HERE / "chelsea.png", optimize=True)
    Image.fromarray(np.where(data.horse(), 255, 0).astype(np.uint8)).save(HERE / "horse.png", optimize=True)


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


if __name__ == "__main__":
    write_pictures()
    print_references(*write_digits())

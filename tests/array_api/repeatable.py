"""A plugin of pytest that makes the tests repeat: some of them shuffle examples by Python's own random numbers."""
import random


def pytest_runtest_setup(item):
    random.seed(item.name)

from table import *


def add_to(t):
    pass

"""The page NumPy - sinter."""


def text(t):
    return ""

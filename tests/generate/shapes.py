#!/usr/bin/env python3
"""Writes tests/data/golden/shapes.txt: what NumPy gives for each named case of creation_test.cpp and shape_test.cpp.

One line a case: name, dtype, shape, elements in row-major order; complex numbers as two, bool as 0 and 1.
"""
import pathlib

import numpy as np

v = np.arange(5)
a = np.arange(6).reshape(2, 3)
b = 10 + np.arange(6).reshape(2, 3)
c = np.arange(24).reshape(2, 3, 4)
f = np.linspace(0, 1, 4)
e0 = np.zeros(0)
e3 = np.zeros((0, 3))
one = np.array([7])
z = np.array([1 + 2j, 3 - 1j])
idx = np.array([[2, 0], [-1, 1]])
swv = np.lib.stride_tricks.sliding_window_view

CASES = {
    # creation
    "zeros": np.zeros((2, 3)), "zeros_int": np.zeros(4, np.int32), "ones_0": np.ones((0, 2), np.float32), "ones_rank0": np.ones(()),
    "full_int": np.full((2, 2), 7, np.int32), "full_complex": np.full(2, 1 - 2j), "zeros_like": np.zeros_like(a),
    "full_like": np.full_like(f, 3), "arange": np.arange(5), "arange_0": np.arange(0), "arange_1": np.arange(1),
    "arange_negative_stop": np.arange(-3), "arange_start": np.arange(2, 9), "arange_step": np.arange(1, 10, 3),
    "arange_down": np.arange(10, 0, -3), "arange_wrong_way": np.arange(5, 2), "arange_float": np.arange(0.5, 4, 0.5),
    "arange_f32": np.arange(3, dtype=np.float32), "arange_inexact": np.arange(0, 1, 0.1), "arange_mixed": np.arange(0, 2, 0.5),
    "arange_u8": np.arange(250, 256, dtype=np.uint8), "linspace": np.linspace(0, 1, 7), "linspace_default": np.linspace(-1, 1),
    "linspace_0": np.linspace(0, 1, 0), "linspace_1": np.linspace(3, 5, 1), "linspace_down": np.linspace(5, -5, 11),
    "linspace_open": np.linspace(0, 1, 5, endpoint=False), "linspace_int": np.linspace(-3, 10, 5, dtype=np.int64),
    "linspace_f32": np.linspace(0, 1, 6, dtype=np.float32), "linspace_complex": np.linspace(0, 1 + 2j, 5),
    "logspace": np.logspace(0, 3, 7), "logspace_base": np.logspace(0, 4, 5, base=2.0), "geomspace": np.geomspace(1, 1000, 7),
    "geomspace_negative": np.geomspace(-1, -256, 9), "eye": np.eye(3), "eye_wide": np.eye(2, 4, 1), "eye_low": np.eye(4, 3, -2),
    "eye_0": np.eye(0), "eye_int": np.eye(2, dtype=np.int32), "identity": np.identity(2), "tri": np.tri(3), "tri_wide": np.tri(3, 5, 1),
    "tri_low": np.tri(3, 3, -1, dtype=np.int32), "tril": np.tril(a), "tril_k": np.tril(c, 1), "triu": np.triu(a), "triu_k": np.triu(c, -1),
    "tril_vector": np.tril(v), "diag_vector": np.diag(v), "diag_up": np.diag(v, 2), "diag_down": np.diag(v, -1), "diag_matrix": np.diag(a),
    "diag_matrix_up": np.diag(a, 1), "diag_matrix_down": np.diag(a, -1), "diag_outside": np.diag(a, 5), "diag_empty": np.diag(e0),
    "diagonal_axes": np.diagonal(c, 1, 1, 2), "diagonal_swapped": np.diagonal(c, 1, 2, 0), "vander": np.vander(v), "vander_n": np.vander(f, 3),
    "vander_up": np.vander(v, 4, increasing=True), "meshgrid_x": np.meshgrid(v, f)[0], "meshgrid_y": np.meshgrid(v, f)[1],
    "meshgrid_ij": np.meshgrid(v, f, indexing="ij")[0], "meshgrid_3": np.meshgrid(v, f, one)[1], "meshgrid_1": np.meshgrid(v)[0],
    "meshgrid_0": np.meshgrid(v, e0)[0], "indices": np.indices((2, 3)), "indices_3": np.indices((2, 1, 3)), "indices_1": np.indices((4,)),
    "from_function": np.fromfunction(lambda i, j: i * 10 + j, (3, 4)), "from_function_1": np.fromfunction(lambda i: i * i, (5,)),
    "fused": np.eye(3) * np.arange(3) + np.ones((3, 3)),
    # views
    "reshape": c.reshape(4, -1), "reshape_of_T": c.T.reshape(6, 4), "ravel_T": a.T.ravel(), "reshape_0": e3.reshape(3, -1),
    "reshape_rank0": one.reshape(()), "transpose": c.T, "transpose_axes": c.transpose(1, -1, 0), "swapaxes": c.swapaxes(0, -1),
    "moveaxis": np.moveaxis(c, 0, -1), "moveaxis_list": np.moveaxis(c, [0, 1], [-1, -2]), "squeeze": np.squeeze(c[:, :1, :1]),
    "squeeze_axis": np.squeeze(c[:, :1, :1], -1), "expand_dims": np.expand_dims(a, 1), "expand_dims_list": np.expand_dims(a, (0, -1)),
    "broadcast_to": np.broadcast_to(a, (2, 2, 3)), "broadcast_column": np.broadcast_to(a[:, :1], (2, 4)),
    "broadcast_arrays": np.broadcast_arrays(a[:, :1], f[:3])[1], "flip": np.flip(c), "flip_axis": np.flip(c, 1), "flip_axes": np.flip(c, (0, -1)),
    "flip_0": np.flip(e3), "fliplr": np.fliplr(a), "flipud": np.flipud(a), "rot90": np.rot90(a), "rot90_2": np.rot90(a, 2),
    "rot90_3": np.rot90(a, 3), "rot90_back": np.rot90(c, -1, (1, 2)), "atleast_1d": np.atleast_1d(np.int64(3)), "atleast_2d": np.atleast_2d(v),
    "atleast_3d": np.atleast_3d(v), "atleast_3d_matrix": np.atleast_3d(a), "split_1": np.split(c, 2, 2)[1], "split_at": np.split(v, [1, 3])[1],
    "split_past": np.split(v, [3, 9])[1], "split_last": np.split(v, [3, 9])[2], "array_split": np.array_split(v, 3)[1],
    "array_split_2": np.array_split(v, 3)[2], "array_split_empty": np.array_split(v, 7)[6], "windows": swv(v, 3), "windows_2": swv(a, (2, 2)),
    "windows_axis": swv(c, 2, 1), "windows_axes": swv(c, (2, 3), (0, -1)), "view_of_view": c.T[::-1, 1:].reshape(4, -1)[::2],
    "slice_of_flip": np.flip(c, 2)[:, ::-2, 1:3], "window_of_reshape": swv(c.reshape(-1), 5)[::7], "diag_of_T": np.diag(a.T, -1),
    "pending_views": np.flip((a + 1).T, 0).reshape(2, 3)[:, ::-1], "pending_broadcast": np.broadcast_to((a * 2)[:, 1:2], (2, 3)) + 1,
    # joining
    "concatenate": np.concatenate((a, b)), "concatenate_1": np.concatenate((a, b), -1), "concatenate_types": np.concatenate((a, f.reshape(2, 2)), 1),
    "concatenate_empty": np.concatenate((e0, f, e0)), "concatenate_one": np.concatenate((a,)), "concatenate_views": np.concatenate((a.T, np.flip(b, 1).T)),
    "concatenate_five": np.concatenate((v, v + 1, v * 2, one, v[::-1])), "stack": np.stack((a, b)), "stack_last": np.stack((a, b), -1),
    "stack_1": np.stack((v, f[:1].repeat(5)), 1), "hstack": np.hstack((a, b)), "hstack_vector": np.hstack((v, one)), "vstack": np.vstack((v, v * 2)),
    "vstack_matrix": np.vstack((a, b)), "dstack": np.dstack((a, b)), "dstack_vector": np.dstack((v, v)), "column_stack": np.column_stack((v, v * v)),
    "column_stack_mixed": np.column_stack((a, [8, 9])), "append": np.append(a, v), "append_axis": np.append(a, b, 0), "tile": np.tile(v, 2),
    "tile_2": np.tile(a, (2, 2)), "tile_more": np.tile(v, (2, 1, 2)), "tile_0": np.tile(a, (0, 2)), "tile_few": np.tile(c, 2),
    "tile_wide": np.tile(np.arange(16).reshape(2, 2, 2, 2, 1), (2, 1, 2, 2, 3)), "repeat": np.repeat(a, 2), "repeat_axis": np.repeat(a, 3, 0),
    "repeat_last": np.repeat(c, 2, -1), "repeat_counts": np.repeat(a, [2, 0, 1], 1), "repeat_0": np.repeat(v, 0), "roll": np.roll(a, 1),
    "roll_back": np.roll(v, -2), "roll_axis": np.roll(c, 5, 1), "roll_axes": np.roll(c, (1, -1), (0, 2)), "roll_0": np.roll(e0, 3),
    "roll_far": np.roll(v, -13), "roll_pending": np.roll(a * a, 1, 1) - a, "pad": np.pad(a, 1), "pad_pair": np.pad(v, (1, 2), constant_values=9),
    "pad_each": np.pad(a, ((0, 1), (2, 0))), "pad_float": np.pad(f, 2, constant_values=0.5), "pad_edge": np.pad(a, ((2, 1), (0, 3)), mode="edge"),
    "pad_reflect": np.pad(v, (3, 9), mode="reflect"), "pad_reflect_1": np.pad(one, 2, mode="reflect"), "pad_symmetric": np.pad(v, (7, 12), mode="symmetric"),
    "pad_wrap": np.pad(a, ((1, 3), (4, 2)), mode="wrap"), "pad_empty": np.pad(e0, 2, constant_values=1), "pad_0": np.pad(a, 0),
    "pad_pending": np.pad(a + 1, 1) * 2, "insert": np.insert(v, 2, 9), "insert_end": np.insert(v, 5, [8, 9]), "insert_negative": np.insert(v, -1, 9),
    "insert_row": np.insert(a, 1, [7, 8, 9], 0), "insert_column": np.insert(a, 1, [7, 8], 1), "insert_flat": np.insert(a, 3, 9),
    "insert_many": np.insert(v, [3, 1, 1], [10, 20, 30]), "insert_many_columns": np.insert(a, [0, 3], -1, axis=1), "insert_list_1": np.insert(a, [1], [[7], [8]], 1),
    "insert_cast": np.insert(v, 1, 2.75), "delete": np.delete(v, 1), "delete_last": np.delete(v, -1), "delete_row": np.delete(a, 0, 0),
    "delete_columns": np.delete(a, [2, 0, 2], 1), "delete_flat": np.delete(a, [1, 4]), "delete_many": np.delete(np.arange(40), np.arange(0, 36, 2)),
    "delete_all": np.delete(one, 0),
    # picking
    "take": np.take(a, [5, 0, -1]), "take_axis": np.take(a, [2, 0], 1), "take_matrix": np.take(c, idx, 1), "take_number": np.take(c, -1, 1),
    "take_flat_number": np.take(a, 4), "take_0": np.take(v, np.zeros(0, np.int64)), "take_pending": np.take(a * 3, [1, 1], 0),
    "take_along": np.take_along_axis(a, np.array([[2, 0], [1, -1]]), 1), "take_along_0": np.take_along_axis(c, np.array([[[1, 0, 1, 0]]]), 0),
    "compress": np.compress([True, False, True], a, 1), "compress_short": np.compress([False, True], v), "compress_flat": np.compress([0, 1, 0, 1], a),
    "nonzero_0": np.nonzero(a % 2)[0], "nonzero_1": np.nonzero(a % 2)[1], "flatnonzero": np.flatnonzero(a % 3), "argwhere": np.argwhere(a > 2),
    "argwhere_none": np.argwhere(a > 9), "unravel_0": np.unravel_index([5, 0, 3], (2, 3))[0], "unravel_1": np.unravel_index([5, 0, 3], (2, 3))[1],
    "ravel_multi": np.ravel_multi_index(([1, 0, 1], [2, 0, 0]), (2, 3)), "complex_flip": np.flip(z), "complex_pad": np.pad(z, 1),
    "complex_stack": np.stack((z, np.array([1.5, 2]))),
}


def line(name, x):
    x = np.asarray(x)
    flat = np.ascontiguousarray(x).reshape(-1)
    if x.dtype.kind == "c":
        flat = flat.view(x.real.dtype)
    numbers = [float.hex(float(n)) if flat.dtype.kind == "f" else str(int(n)) for n in flat]
    return " ".join([name, x.dtype.name, ",".join(map(str, x.shape)) or "-"] + numbers)


text = "".join(line(name, x) + "\n" for name, x in CASES.items())
(pathlib.Path(__file__).resolve().parents[1] / "data/golden/shapes.txt").write_text(text)

"""The part of the corpus about functions that split, join, insert, pad and choose."""
from __future__ import annotations

import numpy as np
from corpus import M23, M33, P3, T222, T223, V3, V4, V5, W3, A, add, op, section

section("shapes")

op("shapes_rot90", "np.rot90(x) * y.T", x=M23, y=M23[::-1])
op("shapes_rot90_axes", "np.rot90(x, -1, axes=(0, 2)) ** 3", x=T223)
op("shapes_rollaxis", "np.rollaxis(x, 2) * np.rollaxis(x, 1, 3).sum()", x=T223)
op("shapes_dstack", "np.dstack([x, y]) * np.dstack((y, x))", x=M23, y=M23 + 1.0)
op("shapes_block", "np.block([[x, y[:, None]], [z, 2.0 * a]]) ** 2", x=M33, y=V3, z=W3, a=A)
op("shapes_diagflat", "np.diagflat(x * y, 1) @ np.diagflat(y, -1)", x=V3, y=W3)
op("shapes_delete", "np.delete(x, [0, 2]) * np.delete(y, 1, axis=0).sum()", _details={"jax": False}, x=V4, y=M33)
op("shapes_insert", "np.insert(x, 1, y, axis=0) ** 2", _details={"jax": False}, x=M23, y=V3)
op("shapes_insert_number", "np.insert(x, [0, 2], a * a)", _details={"jax": False}, x=V4, a=A)
op("shapes_resize", "np.resize(x * x, (2, 4))", x=V3)
op("shapes_pad_edge", "np.pad(x * x, 2, mode='edge')", x=V3)
op("shapes_pad_reflect", "np.pad(x * x, ((1, 0), (1, 2)), mode='reflect')", x=M33)
op("shapes_pad_symmetric", "np.pad(x * x, (1, 2), mode='symmetric')", x=V3)
op("shapes_pad_wrap", "np.pad(x * x, (2, 1), 'wrap')", x=V4)
op("shapes_pad_ramp", "np.pad(x * x, (2, 1), 'linear_ramp')", x=V4)
op("shapes_pad_mean", "np.pad(x * x, ((2, 1), (0, 1)), 'mean', stat_length=2)", x=M33)
op("shapes_pad_ramp_to_a_value", "np.pad(x * x, (2, 1), 'linear_ramp', end_values=x[0])", x=V4)
op("shapes_pad_ramp_to_values",
   "np.pad(x * x, ((2, 1), (0, 1)), 'linear_ramp', end_values=((x[0, 0], 2.0), (c, c)))", x=M33, c=A)
op("shapes_choose", "np.choose(np.array([0, 1, 1]), [x * x, y])", _details={"jax": False}, x=V3, y=W3)
op("shapes_compress", "np.compress([True, False, True], x * x)", x=V3)
op("shapes_compress_method", "x.compress([False, True, True]) * (x * x).compress([True, True, False])",
   _details={"jax": False}, x=V3)
op("shapes_take_wrap", "np.take(x * x, [5, -7, 0], mode='wrap') * x.take([4, 0, -2], mode='clip')", x=V3)
op("shapes_extract", "np.extract(x > 0, x * x)", x=M23)


def shapes_broadcast_arrays(x, y):
    a, b = np.broadcast_arrays(x, y)
    return np.sum(a * b * b)


def shapes_meshgrid(x, y):
    p, q = np.meshgrid(x, y)
    return np.sum(p * q * q)


def shapes_meshgrid_sparse(x, y):
    p, q = np.meshgrid(x, y, indexing="ij", sparse=True)
    return np.sum((p + q) ** 3)


def shapes_meshgrid_constant(x):
    p, q = np.meshgrid(np.linspace(0.0, 1.0, 3), np.arange(2.0))
    return np.sum(np.sin(p * x[0] + q * x[1]))


def shapes_split(x):
    a, b = np.split(x, 2)
    return np.sum(a * b * b)


def shapes_split_at_indices(x):
    parts = np.array_split(x, [1, 3])
    return np.sum(parts[0] ** 2) + np.sum(parts[2] ** 3)


def shapes_split_in_a_loop(x):
    s = 0.0
    for part in np.array_split(x * x, 3):
        s = s + np.sum(part) ** 2
    return s


def shapes_split_family(x):
    a, b = np.hsplit(x[0], 2)
    c, d = np.vsplit(x[0], [1])
    e, f = np.dsplit(x, 2)
    return np.sum(a * b) + np.sum(c * d) + np.sum(e * e * f)


def shapes_unstack(x):
    a, b, c = np.unstack(x, axis=1)
    return np.sum(a * b * c)


def shapes_select_by_name(x):
    tests = [x < -0.5, x > 0.5]
    choices = [x * x, np.sin(x)]
    return np.sum(np.select(tests, choices, 3.0 * x) ** 2)


add(shapes_broadcast_arrays, V3, M23)
add(shapes_meshgrid, V3, np.array([0.4, -0.3]))
add(shapes_meshgrid_sparse, V3, np.array([0.4, -0.3]))
add(shapes_meshgrid_constant, P3)
add(shapes_split, V4)
add(shapes_split_at_indices, V5)
add(shapes_split_in_a_loop, V5)
add(shapes_split_family, T222)
add(shapes_unstack, M23)
add(shapes_select_by_name, V4)


def shapes_select_of_several_shapes(x, a):
    y = np.select([x > 0.5, x < -0.5], [x * a, a], default=x[0])
    z = np.where([True, False, True, False], x, a)
    return np.sum(y * y * z)


def shapes_select_at_a_pole(x):
    tests = [x > 0, x < 0]
    return np.sum(np.select(tests, [x * x, 3.0 * x]))


add(shapes_select_of_several_shapes, V4, A)
add(shapes_select_at_a_pole, V4)


def cubed(t):
    return t ** 3


def pieces_with_a_rest(x, k):
    y = np.piecewise(x, [x < 1.0, x >= 2.5], [lambda t: k * t * t, np.sin, 0.5])
    return np.sum(y * np.arange(1.0, 5.0))


add(pieces_with_a_rest, V4, 0.7)


def pieces_that_overlap(x):
    y = np.piecewise(x, [x > 0.0, x > 1.5], [lambda t: 2.0 * t, cubed])
    return np.sum(y * y)


add(pieces_that_overlap, V4)


def pieces_of_a_matrix(x):
    y = np.piecewise(x * x, [x < 0.4], [np.exp, lambda t: t - 1.0])
    return np.sum(y * x)


add(pieces_of_a_matrix, M33)

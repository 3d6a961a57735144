"""Arguments at which the tests take each row by itself: by the names of rows, and of their arguments.

A list holds what an argument is in one case after the other: a shape, `"float"`, a kind of matrix, a container of these, or the value itself.
A tuple holds values of an argument that chooses, each of which is taken with all others. Arguments that are drawn from an interval say so in
their rows.
"""
from __future__ import annotations

from types import SimpleNamespace as Record
from typing import Any

import numpy as np

_OF_SEVERAL: dict[str, dict[str, Any]] = {
    "operator.matmul np.matmul":
        {"x": [(2, 3), (3,), (3,), (2, 3), (5, 2, 3), (1, 2, 3), (2, 3), (3,)], "y": [(3, 4), (3,), (3, 4), (3,), (5, 3, 4),
         (5, 3, 2), (5, 3, 4), (5, 3, 2)]},
    "rt.merged": {"x": [{"w": "float", "b": (2,)}], "y": [{"b": (2,), "c": (3,)}]},
    "operator.getitem":
        {"x": [(3,), (2, 3), (2, 3), (3,), (2, 3)], "index": [1, (slice(None, None, None), -1), 0, [0, 0, 2], ([0, 1, 1], [2,
         0, 0])]},
    "math.fsum": {"x": [["float", "float"], (3,), ["float"]]},
    "math.dist": {"p": [(3,), ["float", "float"], [(), "float"]], "q": [(3,), (2,), ["float", ()]]},
    "float": {"x": [(), ()]},
    "np.ndarray.tolist": {"x": [(3,), (2, 3), (2, 1, 3)]},
    "sum": {"x": [(3,), (2, 3), [(), ()], [(2,), (2,)]], "start": [(), (3,), (), (2,)]},
    "sorted": {"x": [(3,), [(), ()], (1,)]},
    "list tuple": {"x": [(3,), (2, 3), [(), ()]]},
    "rt.field": {"x": [Record(w="float", b=(2,))], "name": ["w"]},
    "rt.record rt.items": {"x": [(3,), {"w": "float", "b": (2,)}], "name": ["x", "p"]},
    "rt.field_like": {"v": [(2,)], "x": [Record(w=1.0, b=np.zeros(2))], "name": ["b"]},
    "rt.add_item": {"x": [{"w": "float", "b": (2,)}, [(), (2,)]], "index": ["b", 1], "v": [(2,), (2,)]},
    "rt.add_inner": {"x": [[{"w": "float", "b": (2,)}, {"w": "float", "b": (2,)}]], "keys": [(1, "b")], "v": [(2,)]},
    "rt.add_field": {"x": [Record(w="float", b=(2,))], "name": ["b"], "v": [(2,)]},
    "rt.with_item":
        {"x": [{"w": "float", "b": (2,)}, {"w": "float", "b": (2,)}, [(), (2,)]], "index": ["b", "c", 0], "v": [(3,)] * 3},
    "rt.with_inner":
        {"x": [[{"w": "float", "b": (2,)}, {"w": "float", "b": (2,)}], {"p": {"w": "float", "b": (2,)}}, {"p": {"w": "float",
         "b": (2,)}}], "keys": [(1, "b"), ("p", "c"), ("p", "b")], "v": [(3,), (3,), ()]},
    "rt.with_appended": {"x": [[[(), ()], [()]]], "keys": [(1,)], "v": [()]},
    "rt.with_field rt.exchanged": {"x": [Record(w="float", b=(2,))], "name": ["b", "c"], "v": [(3,)]},
    "rt.replaced": {"x": [Record(w="float", b=(2,))], "name": ["w"], "v": [(3,)]},
    "rt.without_item":
        {"v": [{"w": "float", "b": (2,)}, {"w": "float", "b": (2,)}], "x": [{"w": 1.0}, {"w": 1.0, "b": np.zeros(2)}],
         "index": ["b", "b"]},
    "rt.without_inner":
        {"v": [[{"w": "float", "b": (2,)}, {"w": "float", "b": (2,)}], {"p": {"w": "float", "b": (2,)}}], "x": [[{"w": 1.0,
         "b": np.zeros(2)}, {"w": 1.0, "b": np.zeros(2)}], {"p": {"w": 1.0}}], "keys": [(0, "b"), ("p", "b")]},
    "rt.inner": {"v": [[{"w": "float", "b": (2,)}, {"w": "float", "b": (2,)}]], "keys": [(1, "b")]},
    "rt.without_appended": {"v": [[[(), ()], [()]]], "x": [[[1.0], [2.0]]], "keys": [(0,)]},
    "rt.appended": {"v": [[[(), ()], [()]]], "keys": [(0,)]},
    "rt.without_field":
        {"v": [Record(w="float", b=(2,)), Record(w="float", b=(2,))], "x": [Record(w=1.0), Record(w=1.0, b=np.zeros(2))],
         "name": ["b", "b"]},
    "dict rt.values": {"x": [{"w": "float", "b": (2,)}]},
    "rt.unvalues": {"v": [["float", (2,)]], "x": [{"w": 1.0, "b": np.zeros(2)}]},
    "rt.part": {"x": [{"w": "float", "b": (2,)}, [(2,), {"w": "float", "b": (2,)}]], "path": ["p['b']", "p[1]['w']"]},
    "rt.with_part": {"x": [{"w": "float", "b": (2,)}], "path": ["p['b']"], "v": [(2,)]},
    "rt.part_of": {"v": [{"w": "float", "b": (2,)}], "path": ["p['b']"]},
    "rt.only_part": {"v": [(2,)], "x": [{"w": 1.0, "b": np.zeros(2)}], "path": ["p['b']"]},
    "rt.dict_tangent rt.redict": {"v": [{"w": "float", "b": (2,)}], "x": [{"w": 1.0, "b": np.zeros(2)}]},
    "rt.unmerged rt.unmerged_last":
        {"v": [{"w": "float", "b": (2,)}], "x": [{"w": 1.0, "b": np.zeros(2)}], "y": [{"w": 2.0}]},
    "rt.got": {"v": [(2,), (3,)], "x": [{"w": 1.0, "b": np.zeros(2)}, {"w": 1.0, "b": np.zeros(2)}], "key": ["b", "c"]},
    "rt.ungot":
        {"w": [{"w": "float", "b": (2,)}, {"w": "float", "b": (2,)}], "v": [np.zeros(2), np.zeros(3)], "x": [{"w": 1.0,
         "b": np.zeros(2)}, {"w": 1.0, "b": np.zeros(2)}], "key": ["b", "c"]},
    "rt.got_default":
        {"v": [(2,), (2,)], "x": [{"w": 1.0, "b": np.zeros(2)}, {"w": 1.0, "b": np.zeros(2)}], "key": ["b", "c"],
         "default": [np.zeros(2), np.zeros(2)]},
    "rt.got_tangent":
        {"v": [{"w": "float", "b": (2,)}], "x": [{"w": 1.0, "b": np.zeros(2)}], "key": ["b"], "default": [None]},
    "np.einsum rt.einsum":
        {"x": [(2, 2), (3,), (2, 3), (2, 3), (2, 3, 4), (2, 3, 3), (2, 3), (2, 3), (3, 3), (1, 3), (2,)], "y": [None, (3,),
         (3, 4), (4,), (2, 4, 5), None, (3, 4), (3, 3), (3,), (2, 3), (2, 2)], "z": [None, None, None, None, None,
         None, (4, 2), (3,), None, None, (2,)], "a": [None, None, None, None, None, None, None, (3, 2), None, None,
         (2, 3)], "b": [None, None, None, None, None, None, None, None, None, None, (3,)], "c": [None, None, None,
         None, None, None, None, None, None, None, ()], "subscripts": ["ii", "i,i->", "ij,jk->ik", "ij,k->",
         "...ij,...jk", "...ii->...", "ij,jk,ki", "ij,jk,k,kl->il", "ii,i->i", "ij,ij->j", "i,ij,j,jk,k,->i"]},
    "rt.einsum_dx rt.einsum_dy rt.einsum_dz rt.einsum_da rt.einsum_db rt.einsum_dc":
        {"x": [(3,)], "y": [(3,)], "z": [(3,)], "a": [(3,)], "b": [(3,)], "c": [(3,)], "v": [()],
         "subscripts": ["i,i,i,i,i,i->"]},
    "np.full": {"shape": [(2, 3), 3, ()], "fill_value": [()] * 3},
    "np.full_like":
        {"a": [(2, 3), (3,), (2, 3), (3,)], "fill_value": [(), (), (3,), (2, 1)], "dtype": [None, None, float, None],
         "shape": [None, None, None, (2, 3)]},
    "np.linspace":
        {"start": [(), (2,), (2, 1), (2,), ()], "stop": [(), (), (3,), (2,), ()], "num": [4, 3, 1, 3, 3], "endpoint": [True,
         False, True, True, False], "axis": [0, 0, 0, -1, 0], "retstep": [False, False, False, False, True]},
    "rt.samples": {"v": [(3,), ((3,), "float")], "like": [np.zeros(3), (np.zeros(3), 0.0)]},
    "rt.with_samples": {"v": [((3,), "float"), ((3,), "float")], "like": [np.zeros(3), (np.zeros(3), 0.0)]},
    "np.logspace":
        {"start": [(), (2,), (2, 1), (2,), ()], "stop": [(), (), (3,), (2,), ()], "num": [4, 3, 1, 3, 3], "endpoint": [True,
         False, True, True, False], "axis": [0, 0, 0, -1, 0], "base": [10.0, 2.0, 10.0, 2.0, 2.0]},
    "np.geomspace":
        {"start": [np.float64(0.7), np.array([0.5, 1.2]), np.array([0.5, 1.2])], "num": [4, 3, 3], "endpoint": [True, False,
         True], "stop": [np.float64(2.0), np.float64(1.5), np.array([1.5, 0.7])], "axis": [0, 0, -1]},
    "np.asarray np.ascontiguousarray np.asanyarray np.asfortranarray np.require np.asarray_chkfinite":
        {"x": [(2, 3), (), [(2,), (2,)], [()]]},
    "np.array": {"x": [(2, 3), (), [(2,), (2,)], [()], (2, 3)], "ndmin": [0, 0, 0, 0, 3]},
    "x.astype np.astype": {"x": [(2, 3), (3,), (2, 1, 3)], "dtype": [float, np.float64, float]},
    "np.cumsum np.cumprod": {"axis": (None, 0, -1), "dtype": (None, np.float64)},
    "np.cumulative_sum np.cumulative_prod":
        {"x": [(3,), (2, 3), (3,), (2, 3), (1,)], "axis": [None, 0, 0, -1, None], "include_initial": [False, False, True,
         True, True]},
    "np.diff": {"x": [(4,), (2, 4), (4, 2), (4,), (2, 3), (3, 2)], "n": [1, 2, 1, 1, 2, 1], "axis": [-1, 1, 0, 0, -1, 0],
         "prepend": [None, None, None, (), None, (1, 2)], "append": [None, None, None, None, (2, 2), ()]},
    "np.ediff1d": {"x": [(4,), (2, 3), (3,), (1,)], "to_end": [None, (), (2,), (1,)], "to_begin": [None, None, (1,), ()]},
    "np.gradient":
        {"f": [(4,), (5,), (2, 3), (3, 4), (4,), (2,)], "h": [1, 0.5, 1, 2.0, np.array([0.0, 0.5, 0.7, 1.5]), 1],
         "axis": [None, -1, None, 1, 0, 0], "edge_order": [1, 2, 1, 2, 2, 1]},
    "np.trapezoid":
        {"y": [(4,), (2, 3), (3, 2), (3, 2), (3,)], "x": [None, None, (3,), (3, 2), (3,)], "dx": [()] * 5, "axis": [-1, -1, 0,
         0, -1]},
    "np.average":
        {"a": [(3,), (2, 3), (2, 3), (2, 3), (2, 3), (2, 3, 2)], "axis": [None, 0, None, 1, (0, 1), (2, 0)], "weights": [None,
         None, "positive23", "positive3", "positive23", "positive22"], "keepdims": [False, True, False, True, False,
         False]},
    "rt.symmetric rt.folded": {"x": [(3, 3), (2, 3, 3), (3, 3)], "uplo": ["L", "U", "U"]},
    "rt.as_hermitian rt.of_hermitian": {"x": [(3, 3), (2, 3, 3)], "hermitian": [True, False]},
    "rt.half_lower rt.skew rt.tall": {"x": [(3, 3), (2, 3, 3), (3, 3)]},
    "rt.factors": {"x": [((3, 2), (2,), (2, 2))]},
    "rt.untruncated": {"a": [(3, 2)], "solution": [(np.ones(2), np.zeros((0,)), 2, np.array([2.0, 1.0]))]},
    "rt.solve_factor": {"r": ["square", "square3"], "b": [(3, 2), (2, 3, 3)], "moving": [(3, 2), (2, 3, 3)]},
    "rt.spectral": {"u": [(3, 2), (2, 3, 3)], "s": [(2,), (2, 3)]},
    "rt.weighted": {"u": [(3, 2), (2, 3, 3)], "s": [(2,), (2, 3)], "vt": [(2, 4), (2, 3, 4)]},
    "rt.gaps": {"w": [(3,), (2, 3)], "v": [(3, 3), (2, 3, 3)]},
    "rt.svd_gaps": {"s": [(3,), (2, 2)], "u": [(3, 3), (2, 3, 2)], "vt": [(3, 3), (2, 2, 2)]},
    "rt.outside": {"u": [(3, 2), (2, 3, 3)], "v": [(3, 2), (2, 3, 3)]},
    "rt.outside_du rt.outside_along": {"w": [(3, 2), (2, 3, 3)], "u": [(3, 2), (2, 3, 3)], "v": [(3, 2), (2, 3, 3)]},
    "rt.cond_slope rt.cond_slope_dx":
        {"v": [(3,), (2, 2), (1,)], "s": [np.array([3.0, 2.0, 1.0]), np.array([[2.0, 1.0], [3.0, 2.0]]), np.array([2.0])]},
    "rt.residual_seed": {"v": [(1,), (2,), (0,)], "r": [(3,), (3, 2), (3,)]},
    "rt.residual_sums":
        {"r": [(3,), (3, 2), (3,)], "v": [(3,), (3, 2), (3,)], "like": [np.zeros(1), np.zeros(2), np.zeros((0,))]},
    "rt.as_square": {"x": [(2, 3, 6), (4,)]},
    "np.linalg.cholesky": {"x": ["definite", "definite3", "definite2"]},
    "np.linalg.eigvalsh np.linalg.eigh": {"x": ["definite", "definite3", "square"], "UPLO": ["L", "U", "L"]},
    "np.linalg.svdvals scipy.linalg.svdvals": {"x": [(3, 2), (2, 3, 4), "square"]},
    "np.linalg.svd":
        {"x": ["square", (3, 2), (2, 2, 4), (3, 2), "square3"], "full_matrices": [True, False, False, False, True]},
    "np.linalg.qr": {"x": ["square", (3, 2), (2, 4, 3), "square"], "mode": ["reduced", "reduced", "reduced", "complete"]},
    "np.linalg.slogdet np.linalg.inv np.linalg.det scipy.linalg.inv scipy.linalg.det":
        {"x": ["square", "square3", "square2"]},
    "np.linalg.pinv":
        {"x": ["square", (3, 2), (2, 2, 4), "definite", "definite3"], "hermitian": [False, False, False, True, True]},
    "np.linalg.cond scipy.linalg.pinv": {"x": ["square", (3, 2), (2, 2, 4)]},
    "np.linalg.lstsq": {"a": [(3, 2), (3, 2), (2, 3), (2, 3), "square"], "b": [(3,), (3, 2), (2,), (2, 2), (3,)]},
    "np.linalg.tensorinv": {"x": ["square", (2, 3, 3, 2), (6, 2, 3)], "ind": [1, 2, 1]},
    "np.linalg.tensorsolve": {"a": ["square", (2, 3, 3, 2), (6, 2, 3)], "b": [(3,), (2, 3), (6,)]},
    "np.linalg.eig np.linalg.eigvals":
        {"x": [np.array([[0.4, -1.2, 0.3], [0.9, 0.2, -0.5], [0.1, 0.6, -0.8]]), np.array([[2.0, 0.3], [0.5, -1.0]]),
         np.array([[[2.0, 0.3], [0.5, -1.0]], [[0.7, 0.2], [0.1, 1.9]]])]},
    "rt.simple_vectors": {"x": [np.array([[1.0, 0.0], [0.0, 1.0]])], "e": [((2,), (2, 2))]},
    "rt.eigenvectors":
        {"x": [np.array([[0.4, -1.2, 0.3], [0.9, 0.2, -0.5], [0.1, 0.6, -0.8]]), np.array([[2.0, 0.3], [0.5, -1.0]]),
         np.array([[[2.0, 0.3], [0.5, -1.0]], [[0.7, 0.2], [0.1, 1.9]]])],
         "w": [np.array([(0.1636693153787229+1.0468193065381948j), (0.1636693153787229-1.0468193065381948j),
         (-0.5273386307574457+0j)]), np.array([2.049193338482967, -1.0491933384829668]), np.array([[2.049193338482967,
         -1.0491933384829668], [0.6835585997031024, 1.9164414002968975]])]},
    "rt.scaled rt.unscaled": {"u": [(3, 3), (2, 3, 3)], "v": [(3, 3), (2, 3, 3)]},
    "rt.scaled_dv rt.scaled_along rt.unscaled_along":
        {"u": [(3, 3), (2, 3, 3)], "v": [(3, 3), (2, 3, 3)], "w": [(3, 3), (2, 3, 3)]},
    "np.fft.fft np.fft.ifft np.fft.rfft np.fft.ihfft np.fft.irfft np.fft.hfft":
        {"x": [(4,), (5,), (2, 3), (3, 2), (3,)], "n": [None, 3, None, 4, None], "axis": [-1, -1, 0, 0, 0], "norm": [None,
         "ortho", "forward", "backward", None]},
    """np.fft.fft2 np.fft.ifft2 np.fft.fftn np.fft.ifftn np.fft.rfft2 np.fft.rfftn np.fft.irfft2 np.fft.irfftn""":
        {"x": [(4, 3), (3, 5), (2, 3, 4), (3, 4)], "s": [None, (4, 3), None, (2, 5)], "axes": [(-2, -1), (0, 1), (2, 0), (1,
         0)], "norm": [None, "ortho", "forward", None]},
    "np.fft.fftshift np.fft.ifftshift": {"x": [(4,), (5,), (3, 4)], "axes": [None, 0, (0, 1)]},
    "rt.resized": {"v": [(4,), (2, 3)], "x": [(3,), (3, 2)]},
    "rt.halved": {"v": [(4,), (5,), (4, 3)], "axis": [-1, 0, -2]},
    "rt.unhalved": {"v": [(3,), (3,), (3, 3)], "x": [(4,), (5,), (4, 3)], "axis": [-1, 0, -2]},
    "rt.rfftn_dx": {"v": [(2,), (3, 3)], "x": [(3,), (3, 4)]},
    "np.partition": {"x": [(3,), (2, 3), (2, 3)], "kth": [1, 0, 2], "axis": [-1, 0, -1]},
    "rt.selected": {"x": [(3,), (1,), ()], "mask": [[True, False, True], [True, False, True], [True, False, True]]},
    "rt.unselected": {"v": [(2,), (2,)], "x": [(3,), (1,)], "mask": [[True, False, True], [True, False, True]]},
    "np.rot90": {"x": [(2, 3), (2, 3), (2, 3, 4)], "k": [1, -2, 3], "axes": [(0, 1), (1, 0), (0, -1)]},
    "np.rollaxis": {"x": [(2, 3, 4)] * 5, "axis": [2, 0, 0, -1, 1], "start": [0, 3, 2, 1, -1]},
    "rt.unrollaxis": {"v": [(4, 2, 3)], "axis": [2], "start": [0]},
    "np.split np.array_split":
        {"x": [(4,), (2, 4), (3, 2), (4,)], "indices_or_sections": [2, [1, 3], (2,), [3, 1]], "axis": [0, -1, 0, 0]},
    "np.vsplit": {"x": [(4, 2), (4, 2)], "indices_or_sections": [2, [1, 3]]},
    "np.hsplit": {"x": [(2, 4), (4,)], "indices_or_sections": [2, [1, 3]]},
    "np.dsplit": {"x": [(1, 2, 4), (1, 2, 4)], "indices_or_sections": [2, [1, 3]]},
    "rt.split_like": {"x": [(4,), (2, 4)], "where": [2, [1, 3]], "axis": [0, None]},
    "rt.unsplit":
        {"v": [[(2,), (2,)], [(2, 1), (2, 2), (2, 1)]], "x": [(4,), (2, 4)], "where": [2, [1, 3]], "axis": [0, 1]},
    "np.unstack": {"x": [(3,), (2, 3), (2, 3)], "axis": [0, 1, -2]},
    "rt.restack": {"v": [[(2,)] * 3], "x": [(2, 3)], "axis": [1]},
    "np.dstack": {"arrays": [[(3,), (3,)], [(2, 3), (2, 3)], [(2, 3, 1), (2, 3)]]},
    "rt.undstack": {"v": [(1, 2, 2)], "arrays": [[(2,), (2,)]]},
    "np.block": {"blocks": [[(3,), (2,)], [[(2, 2), (2, 1)], [(1, 2), ()]], [[(2, 1), (2, 2)]]]},
    "rt.unblock": {"v": [(3, 3)], "blocks": [[[np.zeros((2, 2)), np.zeros((2, 1))], [np.zeros((1, 2)), np.zeros(1)]]]},
    "np.broadcast_arrays":
        {"a": [(3,), (2, 3), (), (2, 1)], "b": [None, (3,), (2,), (1, 3)], "c": [None, None, (2, 1), (3,)], "d": [None, None,
         None, ()]},
    "np.meshgrid":
        {"x1": [(3,), (2,), (), (2,)], "x2": [None, (3,), (2,), (3,)], "x3": [None, None, (3,), ()], "x4": [None, None, None,
         (2,)], "indexing": ["xy", "xy", "ij", "xy"], "sparse": [False, True, False, False]},
    "rt.along_mesh": {"v": [(3,), (2,)], "x": [(2, 3), (2, 3)], "i": [0, 0], "indexing": ["xy", "ij"]},
    "rt.unmesh": {"v": [(2, 3)] * 3, "x": [(3,), (2,), (3, 1)], "i": [0, 0, 1], "indexing": ["xy", "ij", "ij"]},
    "np.delete": {"x": [(3,), (2, 3), (2, 3), (4,)], "obj": [1, -1, [0, 4], slice(0, 2, None)], "axis": [None, 1, None, 0]},
    "np.insert":
        {"x": [(3,), (2, 3), (2, 3), (3,), (2, 3)], "obj": [1, -1, [0, 2], [1, 1], 1], "values": [(), (2,), (), (2,), (3,)],
         "axis": [None, 1, 1, 0, 0]},
    "rt.uninsert": {"v": [(4,)], "x": [(3,)], "obj": [1], "values": [(1,)]},
    "np.resize": {"x": [(3,), (2, 3), (), (2,)], "new_shape": [5, (2, 2), (2,), (3, 3)]},
    "rt.unresize": {"v": [(5,), (2,)], "x": [(3,), (2, 2)], "new_shape": [5, 2]},
    "np.diagflat": {"x": [(3,), (2, 2), ()], "k": [0, -1, 2]},
    "np.pad": {"mode": ["constant", "edge", "reflect", "symmetric", "wrap", "linear_ramp", "mean", "mean", "edge", "mean",
         "maximum", "minimum", "median", "median"], "pad_width": [2, (1, 2), ((1, 0), (0, 2)), (3, 1), ((0, 2), (1,
         1)), (1, 2), ((1, 0), (0, 2)), 2, 4, ((1, 2), (0, 3)), ((1, 2), (2, 1)), 2, (1, 2), ((1, 0), (2, 3))],
         "stat_length": [None, None, None, None, None, None, None, 2, None, ((1, 2), (2, 1)), None, (2, 3), None, ((2,
         2), (1, 3))], "constant_values": [["float", "float"], None, None, None, None, None, None, None, None, None,
         None, None, None, None], "end_values": [None, None, None, None, None, "float", None, None, None, None, None,
         None, None, None], "x": [(3,), (2, 3), (2, 3), (3,), (2, 3), (3,), (2, 3), (4,), (1,), (3, 4), (2, 3), (4,),
         (4,), (3, 4)]},
    "rt.pad_ends": {"like": [np.ones(3), np.ones((2, 3)), np.ones((2, 3))], "pad_width": [1, ((1, 0), (0, 2)), (1, 2)],
         "mode": ["constant", "constant", "linear_ramp"], "name": ["constant_values", "constant_values",
         "end_values"], "v": [(), (2, 2), (2,)]},
    "rt.unpad_ends": {"like": [np.ones(3), np.ones((2, 3)), np.ones((2, 3))], "pad_width": [1, ((1, 0), (0, 2)), (1, 2)],
         "mode": ["constant", "constant", "linear_ramp"], "name": ["constant_values", "constant_values",
         "end_values"], "v": [(5,), (3, 5), (5, 6)], "values": [np.array(0.0), np.zeros((2, 2)), np.zeros(2)]},
    "rt.unpad":
        {"v": [(5,)] * 3, "x": [(3,)] * 3, "pad_width": [1] * 3, "mode": ["constant", "edge", "mean"], "stat_length": [None,
         None, 2]},
    "rt.repad":
        {"v": [(3,)] * 3, "x": [(3,)] * 3, "pad_width": [1] * 3, "mode": ["constant", "edge", "mean"], "stat_length": [None,
         None, 2]},
    "np.select":
        {"condlist": [[np.array([True, False, True]), np.array([False, True, True])], [np.array([True, False, True])],
         [np.array([True, False, True]), np.array([False, True, True])]], "choicelist": [[(3,), (2, 3)], [(3,)], [(),
         (3,)]], "default": [(), (3,), (2, 1)]},
    "rt.unselect": {"v": [(3,)], "condlist": [[np.array([True, False, True]), np.array([False, True, True])]],
         "choicelist": [[np.zeros(3), np.zeros(3)]], "default": [np.zeros(3)]},
    "np.choose":
        {"a": [np.array([1, 0, 1]), np.array([3, -1, 0]), np.array([3, -1, 0])], "mode": ["raise", "wrap", "clip"],
         "choices": [[(3,), ()], [(2, 3), (3,)], [(3,), (3,)]]},
    "rt.unchoose": {"v": [(3,)], "a": [np.array([1, 0, 1])], "choices": [[np.zeros(3), np.zeros(3)]]},
    "np.compress":
        {"x": [(3,), (2, 3), (2, 3)], "condition": [np.array([True, False, True]), [True], [False, True, True, False]],
         "axis": [None, 0, None]},
    "np.ndarray.compress":
        {"x": [(3,), (2, 3), (2, 3)], "condition": [np.array([True, False, True]), [True], np.array([True, False, True])],
         "axis": [None, 0, 1]},
    "np.extract":
        {"x": [(3,), (2, 3), (3,)], "condition": [np.array([True, False, True]), [[True, False, True], [False, False, True]],
         [False] * 3]},
    "np.dot":
        {"x": [(3,), (2, 3), (3,), (2, 3), (2, 4, 3), (2, 3), (), (2, 3)], "y": [(3,), (3,), (3, 2), (3, 4), (3, 2), (4, 3,
         2), (3,), ()]},
    "np.inner": {"x": [(3,), (2, 3), (2, 4, 3), ()], "y": [(3,), (4, 3), (3,), (2,)]},
    "np.outer": {"x": [(3,), (2, 2), ()], "y": [(2,), (3,), (2,)]},
    "np.vdot": {"x": [(3,), (2, 3), ()], "y": [(3,), (3, 2), ()]},
    "np.tensordot":
        {"x": [(2, 3), (4, 2, 3), (2, 3, 4), (2, 3), (2, 3)], "y": [(2, 3), (2, 3), (4, 3, 5), (4,), (3, 2)], "axes": [2, 2,
         ((1, 2), (1, 0)), 0, ((0, 1), (1, 0))]},
    "np.kron": {"x": [(2,), (2, 3), (2, 2)], "y": [(3,), (2, 2), (3,)]},
    "np.linalg.solve": {"a": ["square", "square", "square3", "square3"], "b": [(3,), (3, 2), (2, 3, 4), (3, 4)]},
    "np.nansum np.nanmean np.nanmax np.nanmin np.nanprod":
        {"x": [np.array([1.0, np.nan, 0.5]), np.array([[0.3, -1.2, np.nan], [0.7, np.nan, 2.0], [-0.4, 0.9, 1.1]]),
         np.array([[0.3, -1.2, np.nan], [0.7, np.nan, 2.0], [-0.4, 0.9, 1.1]]), np.array([[0.3, -1.2, np.nan], [0.7,
         np.nan, 2.0], [-0.4, 0.9, 1.1]]), (2, 3), np.array([[0.3, -1.2, np.nan], [0.7, np.nan, 2.0], [-0.4, 0.9,
         1.1]])], "axis": [None, None, 0, -1, 1, (0, 1)], "keepdims": [False, True, False, True, False, False]},
    "np.nanvar np.nanstd":
        {"x": [np.array([1.0, np.nan, 0.5]), np.array([[0.3, -1.2, np.nan], [0.7, np.nan, 2.0], [-0.4, 0.9, 1.1]]),
         np.array([[0.3, -1.2, np.nan], [0.7, np.nan, 2.0], [-0.4, 0.9, 1.1]]), np.array([[0.3, -1.2, np.nan], [0.7,
         np.nan, 2.0], [-0.4, 0.9, 1.1]]), (2, 3), np.array([[0.3, -1.2, np.nan], [0.7, np.nan, 2.0], [-0.4, 0.9,
         1.1]])], "axis": [None, None, 0, -1, 1, (0, 1)], "keepdims": [False, True, False, True, False, False],
         "ddof": (0, 1)},
    "np.nancumsum np.nancumprod":
        {"x": [np.array([1.0, np.nan, 0.5]), np.array([[0.3, -1.2, np.nan], [0.7, np.nan, 2.0], [-0.4, 0.9, 1.1]]),
         np.array([[0.3, -1.2, np.nan], [0.7, np.nan, 2.0], [-0.4, 0.9, 1.1]]), (2, 3)], "axis": [None, None, 0, -1]},
    "np.linalg.norm scipy.linalg.norm":
        {"ord": [None, None, None, 2, 2, "fro", 2, 1, np.inf, -np.inf, 3, 2.5, 0.5, -1, 0, "nuc", "nuc", 2, -2, 1, -1, np.inf,
         -np.inf], "axis": [None, 0, (0, 1), None, -1, None, 1, 0, -1, -1, None, 1, 1, 0, 0, None, (0, 1), None, (-1,
         0), None, (1, 2), (0, 2), None], "keepdims": [False, True, False, False, True, False, False, False, False,
         True, False, True, False, False, False, False, True, False, False, True, False, False, False], "x": [(2, 3),
         (2, 3), (2, 3, 4), (3,), (2, 3), (2, 3), (2, 3), (2, 3), (2, 3), (2, 3), (4,), (2, 3), (2, 3), (2, 3), (2,
         3), (3, 2), (2, 3, 4), (3, 2), (2, 3, 4), (3, 2), (2, 3, 2), (2, 3, 2), (2, 3)]},
    "np.linalg.vector_norm":
        {"x": [(2, 3), (2, 3), (3, 2, 2), (4,)], "axis": [None, -1, (0, 2), 0], "keepdims": [False, True, False, False],
         "ord": [2, 1, 3, np.inf]},
    "np.linalg.matrix_norm":
        {"x": [(3, 2), (2, 2, 3), (2, 3), (2, 3, 3), (3, 2)], "keepdims": [False, True, False, False, True], "ord": ["fro",
         "nuc", 2, -2, np.inf]},
    "rt.norm_slope":
        {"ord": [None, None, None, 2, 2, "fro", 2, 1, np.inf, -np.inf, 3, 2.5, 0.5, -1, 0, "nuc", "nuc", 2, -2, 1, -1, np.inf,
         -np.inf], "axis": [None, 0, (0, 1), None, -1, None, 1, 0, -1, -1, None, 1, 1, 0, 0, None, (0, 1), None, (-1,
         0), None, (1, 2), (0, 2), None], "x": [(2, 3), (2, 3), (2, 3, 4), (3,), (2, 3), (2, 3), (2, 3), (2, 3), (2,
         3), (2, 3), (4,), (2, 3), (2, 3), (2, 3), (2, 3), (3, 2), (2, 3, 4), (3, 2), (2, 3, 4), (3, 2), (2, 3, 2),
         (2, 3, 2), (2, 3)]},
    "rt.norm_slope_dx":
        {"ord": [None, None, None, 2, 2, "fro", 2, 1, np.inf, -np.inf, 3, 2.5, 0.5, -1, 0, "nuc", "nuc", 2, -2, 1, -1, np.inf,
         -np.inf], "axis": [None, 0, (0, 1), None, -1, None, 1, 0, -1, -1, None, 1, 1, 0, 0, None, (0, 1), None, (-1,
         0), None, (1, 2), (0, 2), None], "x": [(2, 3), (2, 3), (2, 3, 4), (3,), (2, 3), (2, 3), (2, 3), (2, 3), (2,
         3), (2, 3), (4,), (2, 3), (2, 3), (2, 3), (2, 3), (3, 2), (2, 3, 4), (3, 2), (2, 3, 4), (3, 2), (2, 3, 2),
         (2, 3, 2), (2, 3)], "v": [(2, 3), (2, 3), (2, 3, 4), (3,), (2, 3), (2, 3), (2, 3), (2, 3), (2, 3), (2, 3),
         (4,), (2, 3), (2, 3), (2, 3), (2, 3), (3, 2), (2, 3, 4), (3, 2), (2, 3, 4), (3, 2), (2, 3, 2), (2, 3, 2), (2,
         3)]},
    "np.median np.nanmedian":
        {"x": [(3,), (4,), (2, 3), (4, 3), (2, 3, 2)], "axis": [None, 0, None, 0, (0, -1)], "keepdims": [False, True, True,
         False, False]},
    "np.quantile":
        {"x": [(5,), (4,), (2, 3), (4, 3), (2, 3, 2), (5,)], "axis": [None, 0, None, 0, (0, -1), -1], "keepdims": [False,
         True, True, False, False, True], "q": [0.3, 0.3, 0.5, np.array([0.1, 0.9]), 0.4, np.array([[0.2], [1.0]])],
         "method": ["linear", "linear", "hazen", "median_unbiased", "nearest", "midpoint"]},
    "np.percentile":
        {"x": [(5,), (4,), (2, 3), (4, 3), (2, 3, 2), (5,)], "axis": [None, 0, None, 0, (0, -1), -1], "keepdims": [False,
         True, True, False, False, True], "q": [30.0, 30.0, 50.0, np.array([10.0, 90.0]), 40.0, np.array([[20.0],
         [100.0]])], "method": ["linear", "linear", "hazen", "median_unbiased", "nearest", "midpoint"]},
    "np.nanquantile":
        {"x": [(5,), (4,), (2, 3), (4, 3), (2, 3, 2), (5,)], "axis": [None, 0, None, 0, (0, -1), -1], "keepdims": [False,
         True, True, False, False, True], "q": [0.3, 0.3, 0.5, np.array([0.1, 0.9]), 0.4, np.array([[0.2], [1.0]])]},
    "np.nanpercentile":
        {"x": [(5,), (4,), (2, 3), (4, 3), (2, 3, 2), (5,)], "axis": [None, 0, None, 0, (0, -1), -1], "keepdims": [False,
         True, True, False, False, True], "q": [30.0, 30.0, 50.0, np.array([10.0, 90.0]), 40.0, np.array([[20.0],
         [100.0]])]},
    "rt.quantile_along":
        {"x": [np.array([3.0, 1.0, 1.0, 7.0]), np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])], "q": [0.4, np.array([0.1,
         0.9])], "axis": [None, 1], "v": [(4,), (2, 3)]},
    "rt.unquantile":
        {"x": [np.array([3.0, 1.0, 1.0, 7.0]), np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])], "q": [0.4, np.array([0.1,
         0.9])], "axis": [None, 1], "v": [(), (2, 2)]},
    "np.take_along_axis":
        {"x": [(3,), (2, 3), (2, 3), (1, 3)], "axis": [0, 1, 0, 1], "indices": [np.array([0, 0, -1]), np.array([[2, 2], [0,
         1]]), np.array([[0, 1, 0]]), np.array([[0, 0], [1, 2]])]},
    "rt.PersistentArray": {"a": [(3, 2), (2,), (3,)]},
    "rt.append": {"x": [(3, 2), (2,)], "row": [(2,), "float"]},
    "rt.setitem":
        {"x": [(3, 2), (2,), (3,)], "index": [-1, slice(None, None, None), [0, 2, 0]], "value": [(2,), "float", (3,)]},
    "rt.pop rt.shortened rt.lengthened": {"x": [(3, 2), (2,), (3,)]},
    "rt.versioned": {"x": [(3, 2), (2,), (3,)], "name": ["x"] * 3},
    "rt.zeroed": {"x": [(3, 2), (2,), (3,)], "index": [-1, slice(None, None, None), [0, 2, 0]]},
    "rt.added": {"x": [(3, 2), (2,), (3,)], "index": [-1, slice(None, None, None), [0, 2, 0]], "v": [(2,), (2,), (3,)]},
    "np.vander": {"x": [(3,), (2,), (2,)], "N": [None, 4, 0], "increasing": [False, True, False]},
    "rt.vander_dn": {"x": [(3,), (2,)], "N": [None, 4], "increasing": [False, True], "n": [1, 2]},
    "np.polyval": {"p": [(3,), (1,), (4,), (3,)], "x": [(2,), (3,), (), (2, 3)]},
    "rt.polyval_dp": {"v": [(2,), ()], "p": [np.ones(3), np.ones(2)], "x": [(2,), ()]},
    "rt.coefficients": {"p": [(3,)]},
    "np.polyder": {"p": [(4,), (4,), (2,), (1,), (3,)], "m": [1, 2, 3, 1, 0]},
    "rt.unpolyder": {"v": [(3,), (2,)], "p": [np.ones(4), np.ones(4)], "m": [1, 2]},
    "np.polyint": {"p": [(4,), (3,), (1,)], "m": [1, 2, 0]},
    "rt.unpolyint": {"v": [(5,), (5,)], "p": [np.ones(4), np.ones(3)], "m": [1, 2]},
    "np.polyadd np.polysub np.polymul": {"a1": [(3,), (2,), (3,)], "a2": [(3,), (4,), (1,)]},
    "rt.unpolyadd": {"v": [(4,)], "p": [np.ones(2)]},
    "rt.untrimmed": {"v": [(3,)], "x": [np.ones(2)], "y": [np.ones(2)]},
    "np.polyfit":
        {"x": [(5,), (4,), (3,), (5,), (4,)], "y": [(5,), (4, 2), (3,), (5,), (4, 2)], "deg": [2, 1, 0, 2, 1], "w": [None,
         None, None, np.array([0.5, 1.0, 2.0, 1.5, 1.0]), [0.5, 1.0, 2.0, 1.5]]},
    "rt.fit": {"a": [(4, 2), (4, 2)], "b": [(4,), (4, 3)]},
    "rt.unfit": {"a": [(4, 2), (4, 2)], "u": [(2,), (2, 3)]},
    "np.convolve np.correlate":
        {"x": [(4,), (4,), (4,), (2,), (2,), (3,)], "y": [(3,), (2,), (2,), (5,), (4,), (1,)], "mode": ["full", "same",
         "valid", "same", "valid", "full"]},
    "rt.convolve_dx rt.correlate_dx rt.correlate_dy":
        {"v": [(6,), (4,), (3,), (5,), (3,), (3,)], "x": [(4,), (4,), (4,), (2,), (2,), (3,)], "y": [(3,), (2,), (2,), (5,),
         (4,), (1,)], "mode": ["full", "same", "valid", "same", "valid", "full"]},
    "np.interp":
        {"x": [(5,), (2, 3), (), (4,)], "xp": [np.array([-0.7, -0.1, 0.3, 0.8]), np.array([-0.7, -0.1, 0.3, 0.8]),
         np.array([-0.7, -0.1, 0.3, 0.8]), np.array([-0.7, -0.1, 0.3, 0.8])], "fp": [(4,)] * 4, "left": [None, 0.5,
         None, 2.0], "right": [None, None, None, 1.0]},
    "rt.interp_dx":
        {"x": [(5,), ()], "xp": [np.array([-0.7, -0.1, 0.3, 0.8]), np.array([-0.7, -0.1, 0.3, 0.8])], "fp": [(4,), (4,)]},
    "rt.interp_dfp rt.interp_dx_dfp":
        {"v": [(5,), ()], "x": [(5,), ()], "xp": [np.array([-0.7, -0.1, 0.3, 0.8]), np.array([-0.7, -0.1, 0.3, 0.8])]},
    "rt.between":
        {"v": [(3,)], "x": [np.array([-1.0, 0.0, 1.0])], "xp": [np.array([-0.7, -0.1, 0.3, 0.8])], "left": [0.5],
         "right": [None]},
    "np.cov":
        {"m": [(4,), (3,), (2, 5), (5, 2), (2, 4), (2, 5), (3,), (2, 5)], "y": [None, (3,), None, (5, 1), (1, 4), None, (3,),
         None], "rowvar": [True, True, True, False, True, True, True, True], "bias": [False, False, True, False,
         False, True, False, True], "ddof": [None, None, None, 0, 1, None, None, None], "fweights": [None, None, None,
         None, None, np.array([1, 3, 2, 1, 1]), np.array([2, 1, 1]), None], "aweights": [None, None, None, None, None,
         None, np.array([0.5, 1.5, 1.0]), np.array([0.5, 1.5, 1.0, 2.0, 0.3])]},
    "rt.uncov":
        {"v": [(2, 2), (3, 3)], "m": [(3,), (2, 4)], "y": [(3,), (1, 4)], "rowvar": [True, True], "bias": [False, False],
         "ddof": [None, 1]},
    "rt.cov_along":
        {"u": [(3,), (2, 4)], "w": [(3,), (1, 4)], "m": [(3,), (2, 4)], "y": [(3,), (1, 4)], "rowvar": [True, True],
         "bias": [False, False], "ddof": [None, 1]},
    "np.corrcoef rt.variances":
        {"x": [(2, 5), (4,), (5, 2), (4,)], "y": [None, (4,), None, None], "rowvar": [True, True, False, True]},
    "np.bincount":
        {"x": [np.array([0, 2, 2]), np.array([1]), np.array([0, 0])], "weights": [(3,), (1,), (2,)], "minlength": [0, 4, 1]},
    "np.histogram":
        {"x": [np.array([0.5, 2.0, 1.0, 0.0]), np.array([0.5, 2.0, 3.0, -1.0])], "bins": [4, np.array([0.0, 0.7, 2.0])],
         "weights": [(4,)]},
    "rt.unhistogram":
        {"v": [(2,)], "x": [np.array([0.5, 2.0, 3.0])], "edges": [np.array([0.0, 0.7, 2.0])], "weights": [np.zeros(3)]},
    "np.roots": {"p": [np.array([1.0, -0.5, 2.0]), np.array([2.0, 1.0, -3.0, 0.5]), np.array([1.0, -3.0])]},
    "rt.simple_roots": {"r": [np.array([1.0, 2.0])], "p": [np.array([1.0, -3.0, 2.0])]},
    "np.vecdot np.linalg.vecdot":
        {"x": [(3,), (2, 3), (4, 1, 3), (3, 2)], "y": [(3,), (3,), (2, 3), (3, 2)], "axis": [-1, -1, -1, 0]},
    "np.matvec": {"x": [(2, 3), (4, 2, 3), (2, 3)], "y": [(3,), (3,), (4, 3)]},
    "np.vecmat": {"x": [(2,), (2,), (4, 2)], "y": [(2, 3), (4, 2, 3), (2, 3)]},
    "np.cross rt.cross": {"x": [(3,), (2, 3), (3, 2), (3, 2)], "y": [(3,), (3,), (3, 2), (3,)], "axis": [-1, -1, 0, 0]},
    "np.linalg.cross": {"x": [(3,), (2, 3), (3, 2)], "y": [(3,), (3,), (3, 2)], "axis": [-1, -1, 0]},
    "rt.unbroadcast_along": {"v": [(2, 3), (3, 2)], "x": [(3,), (3,)], "axis": [-1, 0]},
    "rt.broadcast_along": {"v": [(3,), (3,)], "x": [(2, 3), (3, 2)], "axis": [-1, 0]},
    "np.linalg.matmul": {"x": [(2, 3), (2, 4, 3), (3,)], "y": [(3, 2)] * 3},
    "np.linalg.outer": {"x": [(3,), (1,), (2,)], "y": [(2,), (3,), (2,)]},
    "np.linalg.tensordot":
        {"x": [(2, 3), (2, 3, 4), (2,)], "y": [(2, 3), (4, 3, 5), (3,)], "axes": [2, ((1, 2), (1, 0)), 0]},
    "np.linalg.matrix_transpose np.matrix_transpose": {"x": [(2, 3), (2, 3, 4), (1, 2)]},
    "np.linalg.diagonal np.linalg.trace": {"x": [(3, 3), (2, 3, 4), (3, 2)], "offset": [0, 1, -1]},
    "np.linalg.matrix_power": {"x": ["square", "square3", "square", "square", "square"], "n": [3, 2, -2, 0, 1]},
    "rt.matrix_power_along":
        {"x": ["square", "square3", "square", "square", "square"], "n": [3, 2, -2, 0, 1], "v": ["square", "square3", "square",
         "square", "square"]},
    "rt.matrix_power_along2":
        {"x": ["square", "square3", "square", "square", "square"], "n": [3, 2, -2, 0, 1], "v": ["square", "square3", "square",
         "square", "square"], "u": ["square", "square3", "square", "square", "square"]},
    "np.linalg.multi_dot": {"arrays": [[(2, 3), (3, 4), (4, 2)], [(3,), (3, 2), (2,)], [(2, 3), (3,)]]},
    "rt.multi_dot_dx":
        {"arrays": [[(2, 3), (3, 4), (4, 2)], [(3,), (3, 2), (2,)], [(2, 3), (3,)]], "v": [(2, 2), (), (2,)]},
    "rt.multi_dot_along":
        {"arrays": [[(2, 3), (3, 4), (4, 2)], [(3,), (3, 2), (2,)], [(2, 3), (3,)]], "v": [[(2, 3), (3, 4), (4, 2)], [(3,),
         (3, 2), (2,)], [(2, 3), (3,)]]},
    "rt.multi_dot_along2":
        {"arrays": [[(2, 3), (3, 4), (4, 2)], [(3,), (3, 2), (2,)], [(2, 3), (3,)]], "v": [[(2, 3), (3, 4), (4, 2)], [(3,),
         (3, 2), (2,)], [(2, 3), (3,)]], "u": [[(2, 3), (3, 4), (4, 2)], [(3,), (3, 2), (2,)], [(2, 3), (3,)]]},
    "rt.multi_dot_dx2":
        {"arrays": [[(2, 3), (3, 4), (4, 2)], [(3,), (3, 2), (2,)], [(2, 3), (3,)]], "v": [(2, 2), (), (2,)], "u": [[(2, 3),
         (3, 4), (4, 2)], [(3,), (3, 2), (2,)], [(2, 3), (3,)]]},
    "np.sum np.prod":
        {"axis": (None, 0, -1, (0, 1)), "keepdims": (False, True), "where": (True, np.array([True, False, True])),
         "dtype": (None, np.float64), "x": [(3,), (2, 3), (2, 1, 3)], "initial": [0.5, 2.0, 0.5]},
    "np.mean":
        {"x": [(3,), (2, 3), (2, 3), (2, 3), (5, 3), (2, 3), (5, 3), (5, 3)], "axis": [None, None, 0, -1, 0, (0, 1), None, 1],
         "where": [True, True, True, True, np.array([[True], [False], [True], [True], [True]]), np.array([True, False,
         True]), np.array([[False, False, False], [False, False, True], [True, True, True], [True, True, True], [True,
         True, True]]), np.array([True, False, True])], "keepdims": [False, False, True, False, False, True, False,
         True], "dtype": [None, None, None, np.float64, None, None, None, np.float64]},
    "np.max":
        {"axis": (None, 0, -1, (0, 1), ()), "keepdims": (False, True), "x": [(3,), (2, 3), (2, 1, 3)], "initial": [-0.5, -1.5,
         -0.5], "where": (True, np.array([True, False, True]))},
    "np.min":
        {"axis": (None, 0, -1, (0, 1), ()), "keepdims": (False, True), "x": [(3,), (2, 3), (2, 1, 3)], "initial": [0.5, 1.5,
         0.5], "where": (True, np.array([True, False, True]))},
    "np.ptp": {"axis": (None, 0, -1, (0, 1), ()), "keepdims": (False, True)},
    "np.var np.std":
        {"x": [(3,), (2, 3), (2, 3), (2, 3), (5, 3), (2, 3), (5, 3), (5, 3)], "axis": [None, None, 0, -1, 0, (0, 1), None, 1],
         "where": [True, True, True, True, np.array([[True], [False], [True], [True], [True]]), np.array([True, False,
         True]), np.array([[False, False, False], [False, False, True], [True, True, True], [True, True, True], [True,
         True, True]]), np.array([True, False, True])], "keepdims": [False, False, True, False, False, True, False,
         True], "dtype": [None, None, None, np.float64, None, None, None, np.float64], "correction": (0, 0.5)},
    "rt.without_first rt.with_first": {"v": [(3,), (2, 3), (3,)], "axis": [None, -1, 0], "present": [True, True, False]},
    "rt.around":
        {"x": [(3,), (2, 3), (3, 2)], "axis": [0, -1, 0], "prepend": [(), None, (1, 2)], "append": [None, (2, 2), ()]},
    "rt.unaround": {"v": [(5,), (2, 5)], "x": [(3,), (2, 3)], "axis": [0, -1], "prepend": [np.zeros(1), np.zeros((2, 1))],
         "append": [0.0, np.zeros((2, 1))]},
    "rt.unediff1d": {"v": [(5,)], "x": [(3,)], "to_end": [np.zeros(2)], "to_begin": [0.0]},
    "rt.ungradient":
        {"v": [(4,), (2, 3)], "f": [np.zeros(4), np.zeros((2, 3))], "h": [0.5, 1], "axis": [0, 1], "edge_order": [2, 1]},
    "rt.middle": {"axis": [-1, 0], "y": [(3,), (3, 2)]},
    "rt.unmiddle": {"v": [(2,), (1, 2), (2, 1)], "y": [(3,), (3, 2), (3, 2)], "axis": [-1, 0, 0]},
    "rt.widths": {"x": [(3,), (3,), (3, 2)], "y": [(3,), (3, 2), (3, 2)], "dx": [()] * 3, "axis": [-1, 0, 0]},
    "rt.unwidths": {"v": [(2,), (2, 2), (2, 2)], "x": [(3,), (3,), (3, 2)], "axis": [-1, 0, 0]},
    "rt.weights_over": {"weights": [(2,), (2, 3), (2, 2)], "a": [(2, 3), (2, 3), (2, 3, 2)], "axis": [0, None, (2, 0)]},
    "rt.unweights_over":
        {"v": [(2, 3), (2, 3), (2, 3, 2)], "weights": [np.zeros(2), np.zeros((2, 3)), np.zeros((2, 2))], "a": [(2, 3), (2, 3),
         (2, 3, 2)], "axis": [0, None, (2, 0)]},
    "rt.unbroadcast": {"v": [(2, 3), (2, 3), (2, 3), ()], "x": [(3,), (2, 1), (), ()]},
    "rt.broadcast_to_like": {"v": [(3,), (2, 1), (), ()], "x": [(2, 3), (2, 3), (2, 3), ()]},
    "rt.cast": {"v": [(3,)], "x": [(3,)]},
    "rt.cut": {"u": [1.0]},
    "rt.where_finite": {"v": [(3,), [(), (2,)]], "x": [np.array([1.0, np.inf, np.nan]), [0.0, np.array([1.0, np.inf])]]},
    "rt.bound": {"x": [(3,)], "name": ["x"], "outside": [False]},
    "rt.only_floating": {"v": [(), (2,)], "x": [(2,), (2,)]},
    "rt.relist": {"v": [[(), ()]], "x": [(2,)]},
    "rt.check_seed rt.check_tangent": {"v": [(3,), ()], "x": [(3,), ()]},
    "rt.choice": {"v": [(3,)], "x": [(3,)], "place": [1]},
    "rt.unchosen": {"v": [()], "x": [(3,)], "place": [1]},
    "rt.unordered": {"v": [[(), ()]], "x": [(2,)], "places": [[1, 0]]},
    "rt.taken": {"x": [(2,)], "places": [[1, 0]]},
    "rt.columns": {"x": [(2, 3), [(2,), (2,)]]},
    "rt.uncolumns": {"v": [[(2,), (2,)]], "x": [(2, 2)]},
    "rt.recolumns": {"v": [(2, 2)], "x": [[(2,), (2,)]]},
    "rt.head rt.tail": {"v": [[(), ()]], "x": [[()]]},
    "rt.joined": {"x": [[(), ()]], "y": [[()]]},
    "rt.repeated": {"x": [[(), (2,)]], "n": [2]},
    "rt.unrepeated": {"v": [[(2,)] * 4], "x": [[np.zeros(2), np.zeros(2)]], "n": [2]},
    "rt.with_slice":
        {"x": [[()] * 3, [()] * 3, [()] * 3], "cut": [slice(0, 2, None), slice(1, 1, None), slice(None, None, 2)], "v": [[()],
         [(), ()], [(), ()]]},
    "rt.without_slice rt.only_slice": {"v": [[(), ()]], "x": [[1.0, 2.0, 3.0]], "cut": [slice(0, 2, None)]},
    "rt.without": {"x": [[()] * 3, [()] * 3, {"w": (), "b": (2,)}], "cut": [1, slice(-2, None, None), "b"]},
    "rt.put_back": {"v": [[(), ()]], "x": [[1.0, 2.0, 3.0]], "cut": [1]},
    "rt.polygamma": {"n": [0, 1], "x": ["float", "float"]},
    "rt.index_like": {"v": [(), (2,)], "x": [(3,), (2, 3)], "index": [1, (slice(None, None, None), 0)]},
    "rt.pick": {"x": [(3,), (2, 3)], "index": [1, [0, 0]]},
    "rt.updated": {"x": [(3,), (2, 3), (3,)], "index": [1, slice(0, 1, None), [0, 0, 2]], "v": [(), (3,), (3,)]},
    "rt.written": {"x": [(3,), (2, 3)], "index": [[0, 0, 2], 1], "v": [(3,), (3,)]},
    "rt.untake": {"v": [(2,), (2, 2)], "x": [(3,), (2, 3)], "indices": [[0, 0], [1, 1]], "axis": [None, 1]},
    "rt.unsort": {"v": [(3,), (6,)], "x": [(3,), (2, 3)], "axis": [-1, None]},
    "rt.sort_as": {"v": [(3,), (2, 3)], "x": [(3,), (2, 3)], "axis": [-1, None]},
    "rt.unreduce rt.reduce_like":
        {"v": [(), (3,), (2, 1)], "x": [(2, 3)] * 3, "axis": [None, 0, 1], "keepdims": [False, False, True]},
    "rt.through": {"dtype": (None, float, int)},
    "rt.centered": {"axis": (None, 0, -1), "where": (True, np.array([True, False, True]))},
    "rt.uncumsum": {"v": [(6,), (2, 3)], "x": [(2, 3), (2, 3)], "axis": [None, 1]},
    "rt.others rt.others_along rt.triangle rt.triangle_along rt.last": {"axis": (None, 0, -1)},
    "rt.others_along2": {"axis": (None, 0)},
    "rt.unsum": {"v": [(), (3,)], "x": [(3,), (2, 3)]},
    "rt.untriangle": {"v": [(3, 3), (3, 2, 2)], "x": [(3,), (2, 3)], "axis": [None, 0]},
    "rt.unlast": {"v": [(3, 2), (6,)], "x": [(2, 3), (2, 3)], "axis": [0, None]},
    "rt.undiff": {"v": [(3,), (2, 2)], "x": [(4,), (2, 4)], "n": [1, 2], "axis": [-1, 1]},
    "rt.dot_dx rt.dot_dy rt.matmul_dx rt.matmul_dy":
        {"x": [(3,), (2, 3), (3,), (2, 3), (2, 4, 3)], "y": [(3,), (3,), (3, 2), (3, 4), (3, 2)], "v": [(), (2,), (2,), (2,
         4), (2, 4, 2)]},
    "rt.inner_dx rt.inner_dy": {"x": [(3,), (2, 3)], "y": [(3,), (4, 3)], "v": [(), (2, 4)]},
    "rt.outer_dx rt.outer_dy": {"x": [(3,), (2, 2)], "y": [(2,), (3,)], "v": [(3, 2), (4, 3)]},
    "rt.kron_dx rt.kron_dy": {"x": [(2,), (2, 3)], "y": [(3,), (2, 2)], "v": [(6,), (4, 6)]},
    "rt.tensordot_dx rt.tensordot_dy": {"x": [(2, 3), (4, 2, 3)], "y": [(2, 3), (2, 3)], "v": [(), (4,)], "axes": [2, 2]},
    "rt.solve": {"a": ["square", "square", "square3"], "b": [(3,), (3, 2), (3, 4)], "vector": [True, False, False]},
    "rt.apply": {"m": [(2, 3), (2, 3), (5, 2, 3)], "v": [(3,), (3, 2), (3,)], "vector": [True, False, True]},
    "rt.outer_last": {"u": [(2,), (3, 2), (5, 2)], "v": [(3,), (4, 2), (3,)], "vector": [True, False, True]},
    "rt.cofactor rt.inverse_transpose": {"x": ["square", "square3"]},
    "rt.cofactor_dx": {"v": [(3, 3)], "x": ["square"]},
    "rt.unarray rt.rearray": {"v": [(2, 3), (3,)], "x": [(2, 3), [()] * 3]},
    "rt.reshape_like": {"v": [(6,), (3, 2), (1,)], "x": [(2, 3), (2, 3), ()], "order": ["C", "F", "C"]},
    "rt.untranspose": {"v": [(2, 3), (2, 3, 4)], "axes": [None, (2, 0, 1)]},
    "rt.unroll": {"v": [(3,), (2, 3)], "shift": [1, (1, 1)], "axis": [None, (0, 1)]},
    "rt.untile": {"v": [(6,), (2, 6)], "x": [(3,), (3,)], "reps": [2, (2, 2)]},
    "rt.unrepeat": {"v": [(6,), (2, 6)], "x": [(3,), (2, 3)], "repeats": [2, (1, 2, 3)], "axis": [None, 1]},
    "rt.undiag": {"v": [(3, 3), (2,)], "x": [(3,), (2, 3)], "k": [0, 1]},
    "rt.undiagonal": {"v": [(2,)], "x": [(2, 3)], "offset": [1]},
    "rt.untrace": {"v": [()], "x": [(2, 3)], "offset": [1]},
    "rt.unstack rt.unvstack rt.uncolumn_stack": {"v": [(2, 2)], "arrays": [[(2,), (2,)]]},
    "rt.unconcatenate rt.unhstack": {"v": [(4,)], "arrays": [[(2,), (2,)]]},
    "rt.unappend": {"v": [(5,)], "x": [(3,)], "values": [(2,)]},
    "rt.uncast": {"v": [(3,)], "x": [(3,)], "y": [(3,)]},
    "rt.recast": {"v": [(3,)], "y": [(3,)]},
    "np.take":
        {"x": [(3,), (2, 3), (2, 3), (3,), (3,), (2, 3)], "indices": [[-1, -1, 0], [[0, 1], [1, 1]], [2, 2], 1, [4, -2], [-1,
         5]], "axis": [None, 0, -1, None, None, 1], "mode": ["raise", "raise", "raise", "raise", "wrap", "clip"]},
    "np.sort scipy.special.softmax scipy.special.log_softmax": {"x": [(3,), (2, 3), (2, 3)], "axis": [-1, 0, None]},
    "np.reshape": {"shape": [(3, 2), -1, (6, 1)], "x": [(2, 3), (2, 3), (6,)]},
    "np.ravel": {"x": [(3,), (2, 3), (2, 3), (2, 1, 3)], "order": ["C", "C", "F", "F"]},
    "np.squeeze": {"x": [(1, 3, 1), (1, 3, 1), (3,)], "axis": [None, 0, None]},
    "np.expand_dims": {"axis": [0, -1, (0, 2)]},
    "np.transpose": {"x": [(2, 3), (2, 3, 4), (3,), ()], "axes": [None, (2, 0, -2), None, None]},
    "np.swapaxes": {"x": [(2, 3), (2, 3, 4)], "axis1": [0, -1], "axis2": [1, 0]},
    "np.moveaxis": {"x": [(2, 3), (2, 3, 4), (3,)], "source": [0, (0, 1), 0], "destination": [-1, (2, 0), 0]},
    "np.flip": {"x": [(2, 3), (3,), (2, 3)], "axis": [None, 0, (0, 1)]},
    "np.flipud np.fliplr": {"x": [(2, 3), (1, 2), (2, 3, 2)]},
    "np.roll": {"x": [(2, 3), (3,), (2, 3)], "shift": [2, -1, (1, 2)], "axis": [None, 0, (0, 1)]},
    "np.broadcast_to": {"x": [(3,), (2, 1), ()], "shape": [(2, 3), (2, 3), (2,)]},
    "np.tile": {"x": [(3,), (2, 3), (3,), (2, 3)], "reps": [2, (2, 1), (2, 2), 3]},
    "np.repeat": {"x": [(3,), (2, 3), (2, 3)], "repeats": [2, (1, 2, 3), 2], "axis": [None, 1, -2]},
    "np.stack": {"arrays": [[(3,), (3,)], [(2, 3), (2, 3)], [()] * 3], "axis": [0, -1, 0]},
    "np.concatenate": {"arrays": [[(3,), (2,)], [(2, 3), (2, 1)], [(2, 3), (2,)]], "axis": [0, -1, None]},
    "np.vstack np.hstack np.column_stack": {"arrays": [[(3,), (3,)], [(2, 3), (2, 3)], [(1, 2)] * 3]},
    "np.append": {"x": [(3,), (2, 3), (3,)], "values": [(2,), (1, 3), ()], "axis": [None, 0, None]},
    "np.diag": {"x": [(3,), (2, 3), (3,)], "k": [0, 1, -1]},
    "np.diagonal np.trace":
        {"x": [(3, 3), (2, 3, 4), (2, 3)], "offset": [0, 1, -1], "axis1": [0, 2, 0], "axis2": [1, 0, 1]},
    "np.tril np.triu": {"x": [(3, 3), (2, 3, 4), (3,)], "k": [0, 1, -1]},
    "rt.sinc_derivative rt.i0_derivative rt.erfcx_derivative rt.dawsn_derivative": {"n": [1, 2], "x": [(3,), ()]},
    "np.ldexp": {"n": [1, -2, 3], "x": [(3,), (), (2, 3)]},
    "np.unwrap": {"x": [(3,), (2, 3), (1,)], "axis": [-1, 0, 0], "period": [0.7]},
    "np.angle": {"deg": (False, True)},
    "np.modf np.frexp": {"x": [(3,), (2, 3), ()]},
    "np.divmod": {"x": [(3,), (2, 3), (2, 1)], "y": [(3,), (3,), (1, 3)]},
    "divmod": {"x": ["float", "float"], "y": ["float", "float"]},
    "np.add.reduce np.multiply.reduce np.maximum.reduce np.minimum.reduce":
        {"axis": (0, -1, None), "keepdims": (False, True), "x": [(3,), (2, 3), (2, 1, 3)], "initial": [0.5, 2.0, 0.5]},
    "np.logaddexp.reduce np.logaddexp2.reduce np.hypot.reduce": {"axis": (0, -1), "keepdims": (False, True)},
    "np.add.accumulate np.multiply.accumulate np.maximum.accumulate np.minimum.accumulate": {"axis": (0, -1)},
    "rt.accumulate_along rt.unaccumulate":
        {"v": [(3,), (2, 3)], "x": [(3,), (2, 3)], "axis": [0, -1], "least": [False, True]},
    "rt.raised": {"x": [(3,), (2, 3), ()], "y": [(2,), (), (2, 2)]},
    "np.add.outer np.subtract.outer np.multiply.outer np.divide.outer np.power.outer":
        {"x": [np.array([0.7, 1.3, 2.2]), np.array([[0.6, 1.7]]), 1.4], "y": [np.array([0.9, 1.1]), np.array([1.5, 0.8]),
         np.array([1.2, 0.4])]},
    "np.maximum.outer np.minimum.outer np.arctan2.outer np.hypot.outer np.logaddexp.outer":
        {"x1": [np.array([0.7, 1.3, 2.2]), np.array([[0.6, 1.7]]), 1.4], "x2": [np.array([0.9, 1.1]), np.array([1.5, 0.8]),
         np.array([1.2, 0.4])]},
    "scipy.special.polygamma": {"n": [1, 2, 0], "x": ["positive3", "positive23", "positive"]},
    "scipy.special.multigammaln": {"a": ["positive3", "positive23", "positive"], "d": [1]},
    "scipy.special.gammainc scipy.special.gammaincc": {"a": [2.5, 0.7, 3.0], "x": ["positive3", "positive23", "positive"]},
    "scipy.special.gammaincinv scipy.special.gammainccinv": {"a": [2.5, 0.7, 3.0]},
    "scipy.special.betainc scipy.special.betaincc": {"a": [2.5, 0.7, 3.0], "b": [1.5, 0.6, 2.0]},
    "scipy.special.logsumexp":
        {"a": [(3,), (2, 3), (2, 3), (2, 3), (), (3,), (2, 3), (3,)], "axis": [None, 0, -1, None, None, None, 0, 1],
         "keepdims": [False, True, False, False, False, False, True, False], "b": [None, None, None, None, None,
         "positive3", "positive3", "positive23"]},
    """scipy.special.jv scipy.special.yv scipy.special.iv scipy.special.kv scipy.special.ive scipy.special.kve""":
        {"v": [2, 1, 0.5], "x": ["positive3", "positive23", "positive"]},
    "scipy.special.yn scipy.special.kn": {"n": [2, 1, 3], "x": ["positive3", "positive23", "positive"]},
    "scipy.special.expn": {"n": [2, 3, 2], "x": ["positive3", "positive23", "positive"]},
    "scipy.special.zeta": {"x": [2.5, 3.0, 2.0], "q": ["positive3", "positive23", "positive"]},
    "scipy.special.hyp1f1": {"a": [1.5, 0.5, -0.5], "b": [2.5, 1.0, 2.0], "x": [(3,), (2, 3), ()]},
    "scipy.special.hyp2f1":
        {"a": [1.5, 0.5, -0.5], "b": [2.5, 1.0, 2.0], "c": [2.0, 1.5, 1.0], "z": [np.array([0.3, -0.7, 0.6]), np.array([[-3.0,
         0.2]]), ()]},
    "scipy.linalg.solve":
        {"a": ["square", "square", "definite", "definite", "square", "square3", "definite3", "definite", "square"],
         "b": [(3,), (3, 2), (3,), (3, 2), (3,), (3, 2), (3,), (3, 2), (3, 2)], "assume_a": [None, "gen", "pos",
         "sym", "gen", None, "pos", "lower triangular", "upper triangular"], "lower": [False, False, False, True,
         False, False, True, False, False], "transposed": [False, False, False, False, True, False, False, False,
         False]},
    "rt.system rt.unsystem":
        {"a": [(3, 3)], "assume_a": [None, "pos", "sym", "upper triangular"], "lower": [False, True], "transposed": [True,
         False]},
    "scipy.linalg.solve_triangular":
        {"a": ["square", "square", "square", "square", "square3"], "b": [(3,), (3, 2), (3,), (3, 2), (3, 2)], "trans": [0, 1,
         "T", "N", 0], "lower": [False, True, False, True, True], "unit_diagonal": [False, False, True, True, False]},
    "rt.triangle_of": {"x": [(3, 3), (2, 3, 3)], "lower": [False, True], "unit_diagonal": [True, False]},
    "rt.as_read": {"x": [(3, 3), (2, 3, 3)], "trans": [0, "T"]},
    "rt.right_side": {"v": [(3,)], "b": [np.ones(3)]},
    "scipy.linalg.cholesky": {"x": ["definite", "definite", "definite3", "definite3"], "lower": [False, True, True, False]},
    "rt.as_lower": {"x": [(3, 3), (2, 3, 3)], "lower": [False, True]},
    "scipy.linalg.cho_solve":
        {"c_and_lower": [(np.array([[2.0, 0.0], [1.0, 3.0]]), True), (np.array([[2.0, 1.0], [9.0, 3.0]]), False)], "b": [(2,),
         (2, 3)]},
    "scipy.linalg.lu_solve":
        {"lu_and_piv": [(np.array([[2.0, 1.0], [0.5, 3.0]]), np.array([1, 1]))], "b": [(2,), (2, 3), (2, 1)], "trans": [0, 1,
         0]},
    "scipy.linalg.expm": {"A": ["square", "square3", "square2"]},
    "scipy.linalg.logm scipy.linalg.sqrtm": {"A": ["definite", "definite3", "definite2"]},
    "scipy.linalg.sinm scipy.linalg.cosm scipy.linalg.sinhm scipy.linalg.coshm": {"A": ["square", "square2", "definite"]},
    "rt.frechet":
        {"name": ["expm", "logm", "sinm", "expm"], "a": ["square", "definite", "square", "square3"], "e": ["square", "square",
         "square", "square3"]},
    "rt.paired": {"a": [(3, 3), (2, 3, 3)], "e": [(3, 3), (2, 3, 3)]},
    "rt.corner rt.sides": {"x": [(4, 4), (3, 2, 2)]},
    "rt.on_axis": {"v": [(3, 3)], "x": [np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])]},
    "scipy.linalg.solve_sylvester":
        {"a": ["definite", "square", "definite3"], "b": ["definite", np.array([[4.0, 1.0], [0.0, 5.0]]), "definite3"],
         "q": [(3, 3), (3, 2), (2, 3, 3)]},
    "scipy.linalg.solve_continuous_lyapunov": {"a": ["definite", "definite3"], "q": [(3, 3), (2, 3, 3)]},
    "scipy.linalg.solve_discrete_lyapunov": {"a": [np.array([[0.5, 0.2], [-0.1, 0.3]])], "q": [(2, 2)]},
    "scipy.linalg.toeplitz": {"c": [(3,), (3,), (2,)], "r": [None, (4,), (1,)]},
    "rt.untoeplitz": {"v": [(3, 3), (3, 4)], "c": [np.ones(3), np.ones(3)], "r": [None, np.ones(4)]},
    "rt.untoeplitz_dr": {"v": [(3, 3), (3, 4)], "r": [np.ones(3), np.ones(4)]},
    "scipy.linalg.block_diag":
        {"x1": [(2, 3), (2,), (1, 1), ()], "x2": [(2, 2), (3, 1), None, (2,)], "x3": [None, (2, 2), None, (1, 3)],
         "x4": [None, None, None, (2, 2)]},
    "rt.diagonal_block": {"v": [(3, 4)], "before": [(np.ones((1, 2)),), ()], "x": [np.ones((2, 2)), np.ones((1, 3))]},
    "rt.on_diagonal": {"v": [(2, 2), (1, 3)], "before": [(np.ones((1, 2)),), ()], "x": [np.ones((3, 4)), np.ones((3, 4))]},
    """scipy.stats.t.cdf scipy.stats.t.sf scipy.stats.t.logcdf scipy.stats.t.logsf scipy.stats.t.ppf
       scipy.stats.t.isf""":
        {"df": [2.75]},
    """scipy.stats.gamma.cdf scipy.stats.gamma.sf scipy.stats.gamma.logcdf scipy.stats.gamma.logsf
       scipy.stats.gamma.ppf scipy.stats.gamma.isf""":
        {"a": [2.25]},
    """scipy.stats.chi2.cdf scipy.stats.chi2.sf scipy.stats.chi2.logcdf scipy.stats.chi2.logsf scipy.stats.chi2.ppf
       scipy.stats.chi2.isf""":
        {"df": [3.75]},
    """scipy.stats.beta.cdf scipy.stats.beta.sf scipy.stats.beta.logcdf scipy.stats.beta.logsf scipy.stats.beta.ppf
       scipy.stats.beta.isf""":
        {"a": [2.25], "b": [2.25]},
    "scipy.stats.poisson.pmf scipy.stats.poisson.cdf scipy.stats.poisson.sf":
        {"loc": [0, 1, 0], "k": [np.array([0.0, 1.0, 3.0]), np.array([2.0, 3.0, 5.0]), np.array([-0.0, -1.0, -3.0])]},
    "scipy.stats.poisson.logpmf": {"loc": [0, 1, 0], "k": [np.array([1.0, 2.0, 4.0])]},
    "scipy.stats.binom.pmf scipy.stats.binom.cdf scipy.stats.binom.sf":
        {"loc": [0, 1, 0], "k": [np.array([0.0, 1.0, 3.0]), np.array([0.0, 1.0, 3.0]), np.array([-1.0, 0.0, 2.0])], "n": [4,
         3, 0]},
    "scipy.stats.binom.logpmf": {"loc": [0, 1, 0], "k": [np.array([1.0, 2.0, 4.0])], "n": [4, 5]},
    "scipy.stats.bernoulli.pmf": {"loc": [0, 1, 0], "k": [np.array([0.0, 1.0, 2.0]), 1]},
    "scipy.stats.bernoulli.logpmf": {"loc": [0], "k": [np.array([0, 1, 1])]},
    "scipy.stats.multivariate_normal.logpdf scipy.stats.multivariate_normal.pdf":
        {"x": [(2,), (4, 2), (3, 2, 2), (1, 2)], "mean": [(2,), (2,), None, (2,)], "cov": ["definite2"]},
    "rt.covariance": {"cov": [(2, 2)], "x": [np.zeros(2), np.zeros((3, 2))]},
    "rt.deviation": {"x": [(3, 2)], "mean": [(2,)]},
    "scipy.stats.dirichlet.logpdf scipy.stats.dirichlet.pdf":
        {"x": [np.array([0.2, 0.3, 0.5]), np.array([0.2, 0.3]), np.array([[0.2, 0.1], [0.3, 0.2], [0.5, 0.7]])],
         "alpha": ["positive3"]},
    "scipy.signal.convolve scipy.signal.fftconvolve scipy.signal.oaconvolve scipy.signal.correlate":
        {"in1": [(4,), (4,), (4,), (2,), (2, 3), (4, 3), (4, 3), (3, 2, 2), (2,), (2, 2)], "in2": [(3,), (2,), (2,), (5,), (3,
         2), (2, 2), (2, 3), (2, 2, 1), (4,), (3, 4)], "mode": ["full", "same", "valid", "same", "full", "same",
         "valid", "same", "valid", "valid"]},
    "scipy.signal.convolve2d":
        {"in1": [(2, 3), (4, 3), (4, 3), (2, 2)], "in2": [(3, 2), (2, 2), (2, 3), (3, 4)], "mode": ["full", "same", "valid",
         "valid"]},
    "rt.unconvolve": {"v": [(6,), (4,), (2, 2), ()], "y": [(3,), (3,), (3, 2), ()], "x": [(4,), (4,), (4, 3), ()]},
    "rt.convolution_like":
        {"v": [np.zeros(6), np.zeros(4), np.zeros((2, 2))], "y": [(3,), (3,), (3, 2)], "x": [(4,), (4,), (4, 3)]},
    "scipy.signal.lfilter":
        {"b": [(3,), (1,), (2,), (5,)], "a": [np.array([1.5, 0.3]), np.array([1.0, -0.4, 0.2]), np.array([2.0]),
         np.array([1.0, 0.5])], "x": [(6,), (4, 3), (4, 3), (4,)], "axis": [-1, 0, -1, 0]},
    "rt.lagged": {"v": [(4,), (4, 3)], "u": [(4,), (4, 3)], "b": [np.zeros(2), np.zeros(5)], "axis": [-1, 0]},
    "scipy.signal.detrend": {"data": [(5,), (4, 3), (4, 3)], "axis": [-1, 0, -1], "type": ["linear", "linear", "constant"]},
    "scipy.integrate.simpson":
        {"y": [(5,), (4,), (2, 4), (5, 2), (2, 4), (2,), (3, 2)], "x": [None, None, None, None, np.array([0.0, 0.7, 1.0,
         2.0]), None, None], "dx": ["float"], "axis": [-1, 0, 1, 0, -1, 0, -1]},
    "dict.get": {"x": [{"w": "float", "b": (2,)}, {"w": "float", "b": (2,)}], "key": ["b", "c"], "default": [(), (3,)]},
}
SAMPLES: dict[str, dict[str, Any]] = {name: samples for names, samples in _OF_SEVERAL.items() for name in names.split()}

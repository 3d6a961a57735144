"""Functions that split, join, insert, pad and choose among arrays; with the rows of the helpers that their texts call."""
from __future__ import annotations

from typing import Any

import numpy as np

from .. import runtime as rt
from . import infer, layout, when
from .breaking import by_memory, by_mode, by_mode_of_slope
from .infer import cotangent
from .layout import items_like
from .table import linear, nondifferentiable, rule, unsupported

fn: Any
TF = np.array([True, False, True])
FT = np.array([False, True, True])

# --- turning
linear(np.rot90, "y = np.rot90(x, k=1, axes=(0, 1))", memory="view", spec=infer.arrays, pull={"x": "np.rot90(g, -k, axes)"},
       domain={"x": [(2, 3), (2, 3), (2, 3, 4)], "k": [1, -2, 3], "axes": [(0, 1), (1, 0), (0, -1)]}, spreads=True)
linear(np.rollaxis, "y = np.rollaxis(x, axis, start=0)", nondiff=["axis"], memory="view", spec=infer.arrays,
       pull={"x": "rt.unrollaxis(g, axis, start)"},
       domain={"x": [(2, 3, 4)] * 5, "axis": [2, 0, 0, -1, 1], "start": [0, 3, 2, 1, -1]})
linear(rt.unrollaxis, "y = rt.unrollaxis(v, axis, start=0)", nondiff=["axis"], memory="view", spec=infer.arrays,
       pull={"v": "np.rollaxis(g, axis, start)"}, domain={"v": [(4, 2, 3)], "axis": [2], "start": [0]})

# --- splitting: lists of views
WHERE = "indices_or_sections"
for fn in (np.split, np.array_split):
    linear(fn, f"y = np.{fn.__name__}(x, {WHERE}, axis=0)", nondiff=[WHERE], memory="alias", spec=infer.some("list"),
           pull={"x": [(when.is_int(WHERE), "np.concatenate(g, axis)"), f"rt.unsplit(g, x, {WHERE}, axis)"]},
           domain={"x": [(4,), (2, 4), (3, 2), (4,)], WHERE: [2, [1, 3], (2,), [3, 1]], "axis": [0, -1, 0, 0]})
for fn, back, axis, shapes in ((np.vsplit, "np.vstack(g)", "0", [(4, 2)] * 2), (np.hsplit, "np.hstack(g)", "None", [(2, 4), (4,)]),
                               (np.dsplit, "np.dstack(g)", "2", [(1, 2, 4)] * 2)):
    linear(fn, f"y = np.{fn.__name__}(x, {WHERE})", nondiff=[WHERE], memory="alias", spec=infer.some("list"),
           pull={"x": [(when.is_int(WHERE), back), f"rt.unsplit(g, x, {WHERE}, {axis})"]}, domain={"x": shapes, WHERE: [2, [1, 3]]})
linear(rt.split_like, "y = rt.split_like(x, where, axis=0)", nondiff=["where"], memory="alias", spec=infer.some("list"),
       pull={"x": "rt.unsplit(g, x, where, axis)"}, domain={"x": [(4,), (2, 4)], "where": [2, [1, 3]], "axis": [0, None]})
linear(rt.unsplit, "y = rt.unsplit(v, x, where, axis=0)", nondiff=["x", "where"], spec=cotangent("x"),
       pull={"v": "rt.split_like(g, where, axis)"},
       domain={"v": [[(2,), (2,)], [(2, 1), (2, 2), (2, 1)]], "x": [(4,), (2, 4)], "where": [2, [1, 3]], "axis": [0, 1]})
linear(np.unstack, "y = np.unstack(x, *, axis=0)", memory="alias", spec=infer.some("tuple"), pull={"x": "rt.restack(g, x, axis)"},
       domain={"x": [(3,), (2, 3), (2, 3)], "axis": [0, 1, -2]})
linear(rt.restack, "y = rt.restack(v, x, axis=0)", nondiff=["x"], spec=cotangent("x"), pull={"v": "list(np.unstack(g, axis=axis))"},
       domain={"v": [[(2,), (2,), (2,)]], "x": [(2, 3)], "axis": [1]})

# --- joining
linear(np.dstack, "y = np.dstack(arrays)", pull={"arrays": "rt.undstack(g, arrays)"}, spec=layout.joined,
       domain={"arrays": [[(3,), (3,)], [(2, 3), (2, 3)], [(2, 3, 1), (2, 3)]]})
linear(rt.undstack, "y = rt.undstack(v, arrays)", pull={"v": "np.dstack(g)"}, nondiff=["arrays"], spec=items_like("arrays"), memory="view",
       domain={"v": [(1, 2, 2)], "arrays": [[(2,), (2,)]]})
linear(np.block, "y = np.block(blocks)", pull={"blocks": "rt.unblock(g, blocks)"}, spec=infer.arrays,
       domain={"blocks": [[(3,), (2,)], [[(2, 2), (2, 1)], [(1, 2), ()]], [[(2, 1), (2, 2)]]]})
linear(rt.unblock, "y = rt.unblock(v, blocks)", nondiff=["blocks"], spec=infer.anything, memory="alias", pull={"v": "np.block(g)"},
       domain={"v": [(3, 3)], "blocks": [[[np.zeros((2, 2)), np.zeros((2, 1))], [np.zeros((1, 2)), np.zeros(1)]]]})
ONES = {"a": [(3,), (2, 3), (), (2, 1)], "b": [None, (3,), (2,), (1, 3)], "c": [None, None, (2, 1), (3,)], "d": [None, None, None, ()]}
rule(np.broadcast_arrays, "y = np.broadcast_arrays(a, b=None, c=None, d=None)", memory="alias", spec=infer.some("tuple"), domain=ONES,
     pull={name: f"rt.unbroadcast(g[{i}], {name})" for i, name in enumerate("abcd")},
     push={name: f"rt.index_like(np.broadcast_to(g, np.shape(y[{i}])), y, {i})" for i, name in enumerate("abcd")})
MESH = ("x1", "x2", "x3", "x4")
rule(np.meshgrid, "y = np.meshgrid(x1, x2=None, x3=None, x4=None, *, indexing='xy', sparse=False)", spec=infer.some("tuple"),
     domain={"x1": [(3,), (2,), (), (2,)], "x2": [None, (3,), (2,), (3,)], "x3": [None, None, (3,), ()], "x4": [None, None, None, (2,)],
             "indexing": ["xy", "xy", "ij", "xy"], "sparse": [False, True, False, False]},
     pull={name: f"rt.unmesh(g[{i}], {name}, {i}, indexing)" for i, name in enumerate(MESH)},
     push={name: f"rt.index_like(rt.along_mesh(g, y[{i}], {i}, indexing), y, {i})" for i, name in enumerate(MESH)})
linear(rt.along_mesh, "y = rt.along_mesh(v, x, i, indexing='xy')", nondiff=["x", "i"], spec=cotangent("x"),
       pull={"v": "rt.unmesh(g, v, i, indexing)"}, domain={"v": [(3,), (2,)], "x": [(2, 3), (2, 3)], "i": [0, 0], "indexing": ["xy", "ij"]})
linear(rt.unmesh, "y = rt.unmesh(v, x, i, indexing='xy')", nondiff=["x", "i"], spec=cotangent("x"),
       pull={"v": "rt.along_mesh(g, v, i, indexing)"},
       domain={"v": [(2, 3), (2, 3), (2, 3)], "x": [(3,), (2,), (3, 1)], "i": [0, 0, 1], "indexing": ["xy", "ij", "ij"]})

# --- putting in and taking out
nondifferentiable(rt.places, "y = rt.places(x)", because="places", spec=infer.arrays, breaks="")
linear(np.delete, "y = np.delete(x, obj, axis=None)", nondiff=["obj"], spec=infer.arrays,
       pull={"x": "rt.untake(g, x, np.delete(rt.places(x), obj, axis))"},
       domain={"x": [(3,), (2, 3), (2, 3), (4,)], "obj": [1, -1, [0, 4], slice(0, 2)], "axis": [None, 1, None, 0]})
rule(np.insert, "y = np.insert(x, obj, values, axis=None)", nondiff=["obj"], spec=infer.arrays, breaks=by_memory,
     pull={"x": "rt.uninsert(g, x, obj, values, axis)[0]", "values": "rt.uninsert(rt.only_floating(g, y), x, obj, values, axis)[1]"},
     push={"x": "np.insert(g, obj, rt.zeros_like(values), axis)",
           "values": "rt.only_floating(np.insert(rt.zeros_like(x), obj, g, axis), y)"},
     domain={"x": [(3,), (2, 3), (2, 3), (3,), (2, 3)], "obj": [1, -1, [0, 2], [1, 1], 1], "values": [(), (2,), (), (2,), (3,)],
             "axis": [None, 1, 1, 0, 0]})
linear(rt.uninsert, "y = rt.uninsert(v, x, obj, values, axis=None)", nondiff=["x", "obj", "values"], spec=infer.anything,
       pull={"v": "np.insert(g[0], obj, g[1], axis)"}, domain={"v": [(4,)], "x": [(3,)], "obj": [1], "values": [(1,)]})
linear(np.resize, "y = np.resize(x, new_shape)", nondiff=["new_shape"], spec=infer.arrays, pull={"x": "rt.unresize(g, x, new_shape)"},
       domain={"x": [(3,), (2, 3), (), (2,)], "new_shape": [5, (2, 2), (2,), (3, 3)]})
linear(rt.unresize, "y = rt.unresize(v, x, new_shape)", nondiff=["x", "new_shape"], spec=cotangent("x"), pull={"v": "np.resize(g, new_shape)"},
       domain={"v": [(5,), (2,)], "x": [(3,), (2, 2)], "new_shape": [5, 2]})
linear(np.diagflat, "y = np.diagflat(x, k=0)", pull={"x": "rt.reshape_like(rt.undiag(g, np.ravel(x), k), x)"}, spec=infer.arrays,
       domain={"x": [(3,), (2, 2), ()], "k": [0, -1, 2]})

PADS: dict[str, Any] = {"mode": ["constant", "edge", "reflect", "symmetric", "wrap", "linear_ramp", "mean", "mean", "edge", "mean",
                                 "maximum", "minimum", "median", "median"],
                        "pad_width": [2, (1, 2), ((1, 0), (0, 2)), (3, 1), ((0, 2), (1, 1)), (1, 2), ((1, 0), (0, 2)), 2, 4,
                                      ((1, 2), (0, 3)), ((1, 2), (2, 1)), 2, (1, 2), ((1, 0), (2, 3))],
                        "stat_length": [None] * 7 + [2, None, ((1, 2), (2, 1)), None, (2, 3), None, ((2, 2), (1, 3))]}
ENDS = ("constant_values", "end_values")
rule(np.pad, "y = np.pad(x, pad_width, mode='constant', *, constant_values=0, end_values=0, stat_length=None)", nondiff=["pad_width", "mode"],
     spec=layout.by_shape(np.pad, "pad_width"), breaks=by_mode,
     push={"x": "rt.repad(g, x, pad_width, mode, stat_length)", **{name: f"rt.only_floating(rt.pad_ends(g, x, pad_width, mode, '{name}'), y)"
                                                                  for name in ENDS}},
     pull={"x": "rt.unpad(g, x, pad_width, mode, stat_length)",
           **{name: f"rt.unpad_ends(rt.only_floating(g, y), x, pad_width, mode, '{name}', {name})" for name in ENDS}},
     domain={**PADS, "constant_values": [["float", "float"], *[None] * 13], "end_values": [*[None] * 5, "float", *[None] * 8],
             "x": [(3,), (2, 3), (2, 3), (3,), (2, 3), (3,), (2, 3), (4,), (1,), (3, 4), (2, 3), (4,), (4,), (3, 4)]},
     note="the mode empty, and a function as the mode, are refused when called")
EDGES: dict[str, Any] = {"like": [np.ones(3), np.ones((2, 3)), np.ones((2, 3))], "pad_width": [1, ((1, 0), (0, 2)), (1, 2)],
                         "mode": ["constant", "constant", "linear_ramp"], "name": ["constant_values", "constant_values", "end_values"]}
linear(rt.pad_ends, "y = rt.pad_ends(v, like, pad_width, mode, name)", nondiff=["like", "pad_width", "mode", "name"], spec=infer.arrays,
       pull={"v": "rt.unpad_ends(g, like, pad_width, mode, name, v)"}, domain={**EDGES, "v": [(), (2, 2), (2,)]})
linear(rt.unpad_ends, "y = rt.unpad_ends(v, like, pad_width, mode, name, values)", nondiff=["like", "pad_width", "mode", "name", "values"],
       spec=cotangent("values"), pull={"v": "rt.pad_ends(g, like, pad_width, mode, name)"},
       domain={**EDGES, "v": [(5,), (3, 5), (5, 6)], "values": [np.zeros(()), np.zeros((2, 2)), np.zeros(2)]})
linear(rt.unpad, "y = rt.unpad(v, x, pad_width, mode='constant', stat_length=None)", pull={"v": "rt.repad(g, x, pad_width, mode, stat_length)"},
       nondiff=["x", "pad_width"], spec=cotangent("x"), breaks=by_mode_of_slope,
       domain={"v": [(5,), (5,), (5,)], "x": [(3,)] * 3, "pad_width": [1] * 3, "mode": ["constant", "edge", "mean"],
               "stat_length": [None, None, 2]})
linear(rt.repad, "y = rt.repad(v, x, pad_width, mode='constant', stat_length=None)",
       pull={"v": "rt.unpad(g, x, pad_width, mode, stat_length)"}, nondiff=["x", "pad_width"], spec=infer.arrays, breaks=by_mode_of_slope,
       domain={"v": [(3,)] * 3, "x": [(3,)] * 3, "pad_width": [1] * 3, "mode": ["constant", "edge", "mean"], "stat_length": [None, None, 2]})

# --- choosing
rule(np.select, "y = np.select(condlist, choicelist, default=0)", nondiff=["condlist"], spec=infer.arrays,
     pull={"choicelist": "rt.unselect(g, condlist, choicelist, default)[0]", "default": "rt.unselect(g, condlist, choicelist, default)[1]"},
     push={"choicelist": "np.select(condlist, g, 0.0)", "default": "np.select(condlist, rt.zeros_like(choicelist), g)"},
     domain={"condlist": [[TF, FT], [TF], [TF, FT]], "choicelist": [[(3,), (2, 3)], [(3,)], [(), (3,)]], "default": [(), (3,), (2, 1)]},
     note="lists that are written out in the call are read as np.where, whose branches are not evaluated at their poles")
linear(rt.unselect, "y = rt.unselect(v, condlist, choicelist, default=0)", nondiff=["condlist", "choicelist", "default"], spec=infer.anything,
       pull={"v": "np.select(condlist, g[0], g[1])"},
       domain={"v": [(3,)], "condlist": [[TF, FT]], "choicelist": [[np.zeros(3), np.zeros(3)]], "default": [np.zeros(3)]})
linear(np.choose, "y = np.choose(a, choices, *, mode='raise')", nondiff=["a"], spec=infer.anything,
       pull={"choices": "rt.unchoose(g, a, choices, mode)"}, domain={"a": [np.array([1, 0, 1]), np.array([3, -1, 0]), np.array([3, -1, 0])],
                                                                     "mode": ["raise", "wrap", "clip"],
                                                                     "choices": [[(3,), ()], [(2, 3), (3,)], [(3,), (3,)]]})
linear(rt.unchoose, "y = rt.unchoose(v, a, choices, mode='raise')", nondiff=["a", "choices"], spec=infer.anything,
       pull={"v": "np.choose(a, g, mode=mode)"}, domain={"v": [(3,)], "a": [np.array([1, 0, 1])], "choices": [[np.zeros(3), np.zeros(3)]]})
rule(np.compress, "y = np.compress(condition, x, axis=None)", nondiff=["condition"], spec=infer.arrays,
     pull={"x": "rt.untake(g, x, np.flatnonzero(condition), axis)"}, push={"x": "np.compress(condition, g, axis)"},
     domain={"x": [(3,), (2, 3), (2, 3)], "condition": [TF, [True], [False, True, True, False]], "axis": [None, 0, None]})
rule(np.ndarray.compress, "y = np.ndarray.compress(x, condition, axis=None)", method="compress", nondiff=["condition"], spec=infer.arrays,
     pull={"x": "rt.untake(g, x, np.flatnonzero(condition), axis)"}, push={"x": "np.compress(condition, g, axis)"},
     domain={"x": [(3,), (2, 3), (2, 3)], "condition": [TF, [True], TF], "axis": [None, 0, 1]})
linear(np.extract, "y = np.extract(condition, x)", nondiff=["condition"], spec=infer.arrays,
       pull={"x": "rt.untake(g, x, np.flatnonzero(condition))"},
       domain={"x": [(3,), (2, 3), (3,)], "condition": [TF, [[True, False, True], [False, False, True]], [False] * 3]})

# --- what stays refused
unsupported(np.piecewise, "np.piecewise", because="the functions that it calls, or their conditions, are not written out",
            instead="np.piecewise(x, [c], [f, g])", memory="alias")
unsupported(np.apply_along_axis, "np.apply_along_axis", because="it calls a function that cannot be seen",
            instead="a loop over the rows, and np.stack; or the axis= of the function that is applied", memory="alias")
unsupported(np.apply_over_axes, "np.apply_over_axes", because="it calls a function that cannot be seen",
            instead="the function with axis=(0, 1), keepdims=True", memory="alias")

"""Persistent arrays: new versions of an array, and the versions of its cotangent that are their transposes.

Nothing here is as large as the array: a cotangent is changed where its value was. A value that is an ndarray for
certain has an ndarray for its cotangent, by copies, as it is itself copied.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import runtime as rt
from ..syntax import spec as sp
from ..syntax.spec import Spec
from .infer import Args, Constants
from .table import linear, rule


def _new_version(args: Args, constants: Constants) -> Spec:
    """A version of `x`: an array of an array, with rows of the same shape."""
    x = args["x"]
    if x.kind == "array":
        return Spec("array", None, x.dtype)
    return x if x.kind == "versions" else sp.versions(x)


def _persistent(args: Args, constants: Constants) -> Spec:
    return sp.versions(args["x"])


def _is_array(s: Mapping[str, Spec]) -> bool:
    return s["x"].kind == "array"


def _is_row(name: str) -> Any:
    """The value has the shape and dtype of a row."""
    def holds(s: Mapping[str, Spec]) -> bool:
        row = sp.versions(s["x"]).items
        return row is not None and sp.fits(row[0], s[name])
    return holds


def _replaces_row(s: Mapping[str, Spec]) -> bool:
    return s.get("index", sp.UNKNOWN).kind == "int" and _is_row("value")(s)


HELD: dict[str, Any] = {"memory": "alias", "spec": _persistent}

linear(rt.PersistentArray, "y = rt.PersistentArray(a)", pull={"a": "rt.copy(g)"},
       spec=lambda args, constants: sp.versions(args["a"]))
rule(rt.append, "y = rt.append(x, row)", joint=True, spec=_new_version, pull={
    "x": [(_is_array, "g[:-1]"), "rt.shortened(g)"], "row": [(_is_row("row"), "g[-1]"), "rt.unarray(g[-1], row)"]},
     push={"x": "rt.append(g, rt.zeros_like(row))", "row": "rt.append(rt.zeros_like(x), g)"})
rule(rt.setitem, "y = rt.setitem(x, index, value)", joint=True, spec=_new_version, nondiff=["index"],
     pull={"x": [(_is_array, "rt.updated(g, index, 0.0)"), "rt.zeroed(g, index)"],
           "value": [(_replaces_row, "g[index]"), "rt.written(g, value, index)"]},
     push={"x": "rt.setitem(g, index, 0.0)", "value": "rt.setitem(rt.zeros_like(x), index, g)"})
linear(rt.pop, "y = rt.pop(x)", pull={"x": [(_is_array, "rt.index_like(g, x, np.s_[:-1])"), "rt.lengthened(g)"]},
       spec=_new_version)

# --- the transposes
rule(rt.versioned, "y = rt.versioned(x, name)", pull={"x": "g"}, push={"x": "g"}, nondiff=["name"], **HELD)
linear(rt.zeroed, "y = rt.zeroed(x, index)", pull={"x": "rt.zeroed(g, index)"}, nondiff=["index"], **HELD)
rule(rt.added, "y = rt.added(x, index, v)", pull={"x": "g", "v": "rt.unbroadcast(g[index], v)"}, nondiff=["index"],
     **HELD, push={"x": "g", "v": "rt.added(rt.zeros_like(x), index, g)"})
linear(rt.shortened, "y = rt.shortened(x)", pull={"x": "rt.lengthened(g)"}, **HELD)
linear(rt.lengthened, "y = rt.lengthened(x)", pull={"x": "rt.shortened(g)"}, **HELD)

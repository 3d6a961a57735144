"""Calls that change an array in place, as stores.

Needs a call as a statement. Promises the store that does the same, after checks of what NumPy asks of the array:
another kind of value under that name, or one that does not fit, is refused when the derivative runs. The functions with
`out=` are in `outs.py`.

    y.sort()                   →      y[...] = np.sort(y)
    np.copyto(y, x)            →      y[...] = x
    np.put(y, [2, 0], x)       →      where = rt.flat_index(y, [2, 0])
                                      y[where] = x
    np.subtract.at(y, k, x)    →      rt.add_at(y, k, np.negative(x))
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from ..analyse.draws import makes_generator
from ..rules import DRAWING
from ..syntax.building import clone, constant, library, load, mark
from ..syntax.nodes import is_atom, literal, root_name, unparse
from ..syntax.paths import is_entry, path_of
from ..syntax.program import MISSING
from . import held, objects
from .scopes import bindings
from .state import State

MAKERS = (np.zeros, np.ones, np.empty, np.full, np.array, np.arange, np.linspace, np.eye, np.sort)


# ------------------------------------------------------------------ arrays and their parts
def variable(desugar: State, node: Any) -> gast.Name | None:
    """The name of a variable that may hold an array; also that of an attribute of an object that is made here."""
    if hasattr(node, "computed"):                          # rt.computed("data")(self)
        node = gast.Attribute(node.args[0], node.computed, gast.Load())
    if isinstance(node, gast.Attribute):
        value = objects.value_at(desugar, node.value)
        name = None if value is None or value.path is not None else value.attributes.get(node.attr)
        return None if name is None or name in desugar.objects else load(name)
    if isinstance(node, gast.Subscript):
        name = held.variable(desugar, node)
        return None if name is None else load(name)
    if not isinstance(node, gast.Name):
        return None
    known = desugar.object(node)
    if node.id in desugar.local:
        other = node.id in desugar.objects or node.id in desugar.functions or node.id in desugar.holds \
            or node.id in desugar.iterators or node.id in desugar.rows
        return None if other else node
    return node if known is not MISSING and type(known) is np.ndarray else None


def target(desugar: State, node: Any) -> Any:
    """The array that is changed: a variable, an attribute outside, or a part of one that is a view for certain."""
    if not isinstance(node, gast.Subscript) or is_entry(node) or held.variable(desugar, node) is not None:
        return variable(desugar, node) or _outside(desugar, node)
    index = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
    base = variable(desugar, node.value) or _outside(desugar, node.value)
    if base is None or not all(_is_place(desugar, one) for one in index):
        return None
    return gast.copy_location(gast.Subscript(base, node.slice, gast.Load()), node)


def _outside(desugar: State, node: Any) -> Any:
    """An attribute, or an item of a dict, from outside, which may hold an array (`stored_outside.py`)."""
    if not isinstance(node, gast.Attribute) and not is_entry(node) or path_of(node) is None:
        return None
    known = desugar.object(node)
    return node if known is MISSING or type(known) is np.ndarray else None


def _is_place(desugar: State, node: Any) -> bool:
    """An index of one row, or a slice: what it takes is a view."""
    if isinstance(node, gast.Slice):
        parts: Any = [part for bound in (node.lower, node.upper, node.step) if bound is not None
                      for part in gast.walk(bound)]
        return not any(isinstance(part, (gast.Call, gast.NamedExpr, gast.Subscript, gast.Attribute)) for part in parts)
    if isinstance(node, gast.Name):
        return _counts(desugar, node.id)
    value = literal(node, None)
    return value is ... or type(value) is int


def _counts(desugar: State, name: str) -> bool:
    """The variable is that of loops over ranges, and of nothing else."""
    loops: Any = [node for node in gast.walk(desugar.tree)
                  if isinstance(node, gast.For) and isinstance(node.target, gast.Name) and node.target.id == name
                  and isinstance(node.iter, gast.Call) and desugar.object(node.iter.func) is range]
    return len(loops) > 0 and len(bindings(desugar.tree).get(name, [])) == len(loops)


def is_array(desugar: State, node: Any) -> bool:
    """An array for certain."""
    made: Any = bindings(desugar.tree).get(node.id, []) if isinstance(node, gast.Name) else []
    return bool(made) and all(isinstance(one, gast.Assign) and isinstance(one.targets[0], gast.Name)
                              and isinstance(one.value, gast.Call)
                              and any(desugar.object(one.value.func) is maker for maker in MAKERS) for one in made)


# ------------------------------------------------------------------ statements of ours
def guard(desugar: State, check: gast.expr) -> None:
    """A check before what is checked."""
    desugar.emit(mark(gast.Expr(check), note="guard"))


def said(array: Any) -> dict[str, gast.expr]:
    """An array, which is `x` in the text of a check, and what messages call it, `n`."""
    return {"x": clone(array), "n": constant(unparse(array))}


def stored(desugar: State, array: Any, value: gast.expr, index: gast.expr | None = None) -> None:
    """`array[...] = value`."""
    if index is None and isinstance(array, gast.Subscript) and not is_entry(array):
        place = gast.Subscript(clone(array.value), clone(array.slice), gast.Store())
    else:
        place = gast.Subscript(clone(array), index or constant(...), gast.Store())
    if desugar.carries(value):
        desugar.varied.add(root_name(place.value) or "")
    desugar.emit(gast.Assign([place], value, None))


def as_array(node: Any) -> gast.expr:
    """A display of values, as NumPy takes it."""
    return library("np.array(x)", x=node) if isinstance(node, (gast.List, gast.Tuple)) else node


def steady(desugar: State, nodes: list[Any], base: str = "value") -> list[gast.expr]:
    """Operands in Python's order, each a name or a literal."""
    new = desugar.operands(nodes)
    return [one if is_atom(one) else load(desugar.kept(one, base)) for one in new]


# ------------------------------------------------------------------ calls
def statement(desugar: State, stmt: gast.Expr) -> bool:
    """Write a call that is a statement, and changes an array in place."""
    node: Any = stmt.value
    if not isinstance(node, gast.Call) or any(isinstance(a, gast.Starred) for a in node.args) \
            or any(k.arg is None for k in node.keywords):
        return False
    fn, func = desugar.object(node.func), node.func
    given = {k.arg: k.value for k in node.keywords}
    for one, names, write in FUNCTIONS:
        if fn is one:
            args = _bound(names, node.args, given)
            array = None if args is None else target(desugar, args[names[0]])
            return args is not None and array is not None and write(desugar, array, args)
    if not isinstance(func, gast.Attribute):
        return False
    if func.attr == "at" and isinstance(desugar.object(func.value), np.ufunc):
        return _at(desugar, desugar.object(func.value), node, given)
    if func.attr == "shuffle" and len(node.args) == 1 and not given and _permutes(desugar, func.value):
        return _shuffled(desugar, func, node.args[0])
    found = METHODS.get(getattr(np.ndarray, func.attr, None))
    if found is None or fn is not MISSING and not isinstance(getattr(fn, "__self__", None), np.ndarray):
        return False
    names, method = found
    args, array = _bound(names, [None, *node.args], given), target(desugar, func.value)
    return args is not None and array is not None and method(desugar, array, args)


def _bound(names: tuple[str, ...], positional: list[Any], given: dict[str, Any]) -> dict[str, Any] | None:
    """Arguments by parameter; None where they are others. A name that begins with `?` need not be given."""
    plain = [name.lstrip("?") for name in names]
    if len(positional) > len(plain) or not given.keys() <= set(plain[len(positional):]):
        return None
    found = dict(zip(plain, positional, strict=False)) | given
    return found if all(name in found for name in names if name[0] != "?") else None


def _ordered(function: str) -> Callable[[State, Any, dict[str, Any]], bool]:
    def write(desugar: State, array: Any, args: dict[str, Any]) -> bool:
        """`x.sort()` and `x.partition(k)`."""
        axis = args.get("axis", constant(-1))
        if type(literal(axis, None)) is not int:
            return False
        rest = steady(desugar, [args[name] for name in ("kth", "kind") if name in args])
        names = [name for name in ("kth", "kind") if name in args]
        if not is_array(desugar, array):
            guard(desugar, library("rt.check_target(x, n)", **said(array)))
        value = library(f"np.{function}(x)", x=clone(array))
        value.args += [one for name, one in zip(names, rest, strict=True) if name == "kth"]
        value.keywords = [gast.keyword(name, one) for name, one in [("axis", axis), *zip(names, rest, strict=True)]
                          if name == "axis" and "axis" in args or name == "kind"]
        stored(desugar, array, value)
        return True
    return write


def _filled(desugar: State, array: Any, args: dict[str, Any]) -> bool:
    [value] = steady(desugar, [args["value"]])
    if not isinstance(value, gast.Constant):
        guard(desugar, library("rt.check_scalar(x, v, n)", v=clone(value), **said(array)))
    elif not is_array(desugar, array):
        guard(desugar, library("rt.check_target(x, n)", **said(array)))
    stored(desugar, array, value)
    return True


def _copied(desugar: State, array: Any, args: dict[str, Any]) -> bool:
    casting, everywhere = literal(args.get("casting", constant("same_kind")), None), \
        literal(args.get("where", constant(None)), 0)
    if casting not in ("same_kind", "unsafe"):
        return False
    masked = "where" in args and everywhere is not True
    value, *mask = steady(desugar, [as_array(args["src"]), *([args["where"]] if masked else [])])
    guard(desugar, library("rt.check_out(x, v, n)" if casting == "same_kind" else "rt.check_out(x, v, n, 'unsafe')",
                           v=clone(value), **said(array)))
    if masked:
        text = f"{unparse(array)} = {unparse(args['src'])}"
        if isinstance(args["src"], (gast.Name, gast.Subscript, gast.Attribute)):
            guard(desugar, library("rt.check_overlap(x, v, n)", x=clone(array), v=clone(value), n=constant(text)))
        where = load(desugar.kept(library("rt.selection(x, m)", x=clone(array), m=mask[0]), "where"))
        value = library("np.where(m, v, x)", m=where, v=value, x=clone(array))
    stored(desugar, array, value)
    return True


def _by_index(index: str, *names: str, casting: str = "") -> Callable[[State, Any, dict[str, Any]], bool]:
    def write(desugar: State, array: Any, args: dict[str, Any]) -> bool:
        """One value, or one for each place, put to places that an index names."""
        if not isinstance(array, gast.Name) or literal(args.get("mode", constant("raise")), "") != "raise" \
                or literal(args.get("wrap", constant(False)), 0) is not False:
            return False
        *places, value = steady(desugar, [*(args[name] for name in names[:-1]), as_array(args[names[-1]])])
        where = desugar.kept(library(f"rt.{index}(x)", x=clone(array)), "where")
        made: Any = (desugar.out or [])[-1]
        made.value.args += places
        if not isinstance(value, gast.Constant) and index != "index_along":
            guard(desugar, library("rt.check_values(v, w, n)", v=clone(value), w=where, **said(array)))
            if casting:
                guard(desugar, library(f"rt.check_cast(x, v, n, {casting!r})", v=clone(value), **said(array)))
        stored(desugar, array, value, load(where))
        return True
    return write


def _masked(desugar: State, array: Any, args: dict[str, Any]) -> bool:
    """`np.putmask(a, mask, values)`."""
    mask, value = steady(desugar, [args["mask"], as_array(args["values"])])
    where = desugar.kept(library("rt.mask_index(x, m)", x=clone(array), m=mask), "where")
    if not isinstance(value, gast.Constant):
        guard(desugar, library("rt.check_values(v, x, n)", v=clone(value), **said(array)))
        guard(desugar, library("rt.check_cast(x, v, n, 'safe')", v=clone(value), **said(array)))
    stored(desugar, array, library("np.where(m, v, x)", m=where, v=value, x=clone(array)))
    return True


def _at(desugar: State, fn: Any, node: gast.Call, given: dict[str, Any]) -> bool:
    """`np.add.at(a, i, v)`; a number is added as often as its place is named."""
    if fn not in (np.add, np.subtract) or len(node.args) != 3 or given:
        if fn in (np.add, np.subtract):
            return False
        raise desugar.refused(
            node, f"np.{fn.__name__}.at is not differentiated: a place that is named twice is changed twice",
            f"a loop over the places: for k in i: a[k] = np.{fn.__name__}(a[k], v)")
    array = target(desugar, node.args[0])
    if array is None:
        return False
    where, value = desugar.operands(node.args[1:])
    where = where if literal(where, None) is not None or is_atom(where) else load(desugar.kept(where, "where"))
    value = value if isinstance(value, gast.Constant) else load(desugar.kept(value, "value"))
    if fn is np.subtract:
        listed = isinstance(node.args[2], (gast.List, gast.Tuple)) or getattr(value, "id", "") in desugar.holds
        text = "np.negative(np.asarray(v))" if listed else "np.negative(v)"
        value = load(desugar.kept(library(text, v=value), "value"))
    if not is_array(desugar, array):
        guard(desugar, library("rt.check_target(x, n)", **said(array)))
    if desugar.carries(value):
        desugar.varied.add(root_name(array) or "")
    desugar.emit(gast.Expr(library("rt.add_at(x, i, v)", x=clone(array), i=where, v=value)))
    return True


def _permutes(desugar: State, node: Any) -> bool:
    """A generator of random numbers of NumPy's: its own, one outside, or one that is made here."""
    known = desugar.object(node)
    if known is not MISSING:
        return known is np.random or isinstance(known, DRAWING) and hasattr(known, "permutation")
    made: Any = bindings(desugar.tree).get(node.id, []) if isinstance(node, gast.Name) else []
    return bool(made) and all(isinstance(one, gast.Assign) and isinstance(one.targets[0], gast.Name)
                              and isinstance(one.value, gast.Call) and _makes(desugar.object(one.value.func))
                              for one in made)


def _makes(fn: Any) -> bool:
    return makes_generator(fn) and (not isinstance(fn, type) or hasattr(fn, "permutation"))


def _shuffled(desugar: State, func: gast.Attribute, node: Any) -> bool:
    """`rng.shuffle(p)` of an array that carries no derivative, as the permutation of the same draws."""
    array = target(desugar, node)
    if not isinstance(array, gast.Name) or desugar.carries(array):
        return False
    if not is_array(desugar, array):
        guard(desugar, library("rt.check_target(x, n)", **said(array)))
    drawn = gast.Call(gast.Attribute(func.value, "permutation", gast.Load()), [clone(array)], [])
    stored(desugar, array, mark(drawn, draws=True))
    return True


Write = Callable[[State, Any, dict[str, Any]], bool]
FUNCTIONS: tuple[tuple[Any, tuple[str, ...], Write], ...] = (
    (np.copyto, ("dst", "src", "?casting", "?where"), _copied),
    (np.put, ("a", "ind", "v", "?mode"), _by_index("flat_index", "ind", "v")),
    (np.put_along_axis, ("arr", "indices", "values", "axis"), _by_index("index_along", "indices", "axis", "values")),
    (np.fill_diagonal, ("a", "val", "?wrap"), _by_index("diagonal_index", "val")),
    (np.place, ("arr", "mask", "vals"), _by_index("mask_index", "mask", "vals", casting="safe")),
    (np.putmask, ("a", "mask", "values"), _masked),
)
METHODS: dict[object, tuple[tuple[str, ...], Write]] = {
    np.ndarray.sort: (("x", "?axis", "?kind"), _ordered("sort")),
    np.ndarray.partition: (("x", "kth", "?axis", "?kind"), _ordered("partition")),
    np.ndarray.fill: (("x", "value"), _filled),
    np.ndarray.put: (("x", "ind", "v", "?mode"), _by_index("flat_index", "ind", "v")),
}

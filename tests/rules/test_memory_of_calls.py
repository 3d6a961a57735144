"""What the analyses say of whose memory a call may give back is what happens: each row is called with arguments of all
sorts, also such as leave it nothing to do, and what its result has in common with them must have been said."""
from __future__ import annotations

import ast
import copy
import itertools
import math
import sys
import types
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace as Record
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import sourced
from test_rows import cases

from tangent_nb.analyse.resolve import Scope
from tangent_nb.analyse.returned import returned_by
from tangent_nb.analyse.sharing import CALLER, shallow, sources
from tangent_nb.capture import capture
from tangent_nb.rules.row import Rule
from tangent_nb.rules.table import operator_of, rows
from tangent_nb.syntax.spec import Spec

COUNT = np.arange(1.0, 37.0).reshape(6, 6)
GIVEN: list[Any] = [
    COUNT[:3, :3].copy(), np.asfortranarray(COUNT[:3, :3]), COUNT[::2, ::2], np.arange(1, 10).reshape(3, 3),
    COUNT[:3, :3].astype(np.float32), np.array(2.5), np.array([0.3, 0.5, 0.9]), np.array([3, 1, 2]),
    np.array([0, 1, 2]), np.array([[0.5]]), np.array([0.5]), COUNT[:3, :3] + 0j, np.array([True, False]), np.zeros(0),
    np.zeros((0, 3)), np.eye(3), np.zeros(2), COUNT[:4, :3].reshape(4, 3, 1).copy(), 2.0, 1, 0, None, [], (),
    [np.array([0.1, 0.2]), np.array([0.3, 0.4])], [np.array([0.1, 0.2])], (np.array([0.1, 0.2]),),
    [[np.array([1.0])], [np.array([2.0])]], [1.0, np.array([0.3])], [[1.0, 2.0], [3.0, 4.0]]]
FEW = [GIVEN[place] for place in (2, 5, 6, 7, 8, 12)]     # for arguments that choose
WRITTEN: dict[str, list[Any]] = {                          # as they stand in a text
    "shape": [-1, (9,), (3, 3), (3,), ()], "axis": [0, None, (), -1], "decimals": [0], "n": [0, 1],
    "indices_or_sections": [1, 3], "where": [True, 1], "repeats": [1], "reps": [1, ()], "pad_width": [0, ((0, 0),)],
    "k": [0, 1, 4], "a_max": [None, 100.0], "a_min": [None], "axis1": [0], "axis2": [1], "source": [0],
    "destination": [0], "condition": [True], "m": [0, 1], "index": [0, slice(None), (), ..., None],
    "subscripts": ["ij->ji", "ii->i", "i->i", "ij", "i", "i,->i", ",i->i", "ij,->ij"], "order": ["C", "F", "A", "K"],
    "dtype": [float, int, None], "shift": [0, ()], "copy": [False, None], "start": [0, 0.0, ()], "ndmin": [0, 1],
    "keepdims": [True], "ndigits": [0, None], "mode": ["constant", "edge", "same"], "axes": [None, (0, 1), 0],
    "offset": [0], "sparse": [True], "fill_value": [2.0, None], "lower": [True], "deg": [0], "cut": [slice(0, 0), 0],
    "keys": [(0,), ()], "name": ["x"], "path": ["p[0]"], "vector": [True, False], "place": [0]}
# NumPy's transforms over all axes give an array of complex numbers without dimensions back; such ones do not change.
GIVES_BACK = ("np.fft.fftn", "np.fft.ifftn", "np.fft.fft2", "np.fft.ifft2")
# of lists the sources of `a + b` and `a * n` are those of the operators, as which desugar writes the calls
JOINING = ("Add", "Mult")
# Helpers that are given here what no derivative gives them: operands of another einsum, arrays for integers.
MISMATCHED = ("rt.einsum", "rt.einsum_dx", "rt.multi_dot_dx", "rt.fft_length", "rt.last_axis")
UNCALLED = {                                               # they take functions, objects of their own, or other kinds
    "np.isdtype", "np.isnat", "rt.alike", "rt.fits", "rt.check_call", "rt.check_reading", "dict.keys",
    "rt.check_values",
    "rt.share_of_start",
    "np.unravel_index", "np.promote_types", "np.issubdtype", "rt.index_along", "rt.check_index", "float",
    "rt.later", "rt.settle", "rt.append_later", "rt.set_later", "rt.insert_later", "rt.put_later", "rt.pop_later",
    "rt.refill_later", "rt.clear_later", "rt.check_taken_items", "rt.missing", "rt.order_of", "rt.dispatched",
    "rt.method_above", "rt.property_above",
    *(f"rt.{name}" for name in ("derivative_of", "method_of", "halves", "along_call", "applied", "with_residuals",
                                "parts_of", "with_parts_of", "bind", "bound_function", "bound_arguments",
                                "bound_keywords", "bound_along", "check_twice", "check_helpers", "namespace",
                                "named_items")),
    *(f"np.poly1d.{name}" for name in ("deriv", "integ")),
    *(f"np.polynomial.Polynomial.{name}" for name in ("deriv", "integ", "copy", "trim")),
    *(f"rt.{name}_adjoint" for name in ("odeint", "solve_ivp", "quad", "root", "minimum"))}
ROWS = [row for row in rows() if row.supported and not row.by_user and not row.name.startswith(("scipy.", "tnb."))
        and row.name not in ("type", *MISMATCHED)]


def mutable(value: Any, depth: int = 4) -> Iterator[Any]:
    """What a value is or holds that can change."""
    if isinstance(value, (np.ndarray, list, dict, Record)):
        yield value
    parts = value if isinstance(value, (list, tuple)) else value.values() if isinstance(value, dict) \
        else vars(value).values() if isinstance(value, Record) else ()
    for part in parts if depth else ():
        yield from mutable(part, depth - 1)


def are_one(a: Any, b: Any) -> bool:
    return a is b or isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and bool(a.size and b.size) \
        and np.shares_memory(a, b)


def has_in_common(one: Any, other: Any) -> bool:
    return any(are_one(a, b) for a in mutable(one) for b in mutable(other))


def choices(row: Rule) -> Iterator[dict[str, Any]]:
    """Arguments by name; what is written in the text is in a list of one."""
    parameters = row.signature.parameters.values()
    needed = [p.name for p in parameters if p.default is p.empty]
    values: dict[str, list[Any]] = {}
    for p in parameters:
        written = [[one] for one in WRITTEN.get(p.name, [])]
        given = [(one,) for one in (GIVEN if p.name in row.active_params or not written else FEW)]
        values[p.name] = [*written, *given] if p.name != "x" else given
    sizes = [len(values[name]) for name in needed]
    size = math.prod(sizes)
    for place, number in enumerate(range(0, size, size // 150 * 2 + 1)):
        base = {}
        for name, count in zip(needed, sizes, strict=True):
            number, which = divmod(number, count)
            base[name] = values[name][which]
        yield base
        for p in parameters:
            if p.name not in needed and p.name != "out" and place % (1 if size < 60 else 9) == 0:
                yield from ({**base, p.name: one} for one in values[p.name][:6])


def sampled_cases(row: Rule) -> Iterator[dict[str, Any]]:
    """The arguments at which the row is differentiated."""
    parameters = row.signature.parameters
    try:
        for args in itertools.islice(cases(row), 12):
            yield {name: ([value] if _is_written(value) else (value,)) for name, value in args.items()
                   if value is not parameters[name].default}
    except Exception:                                      # it has none
        return


def _is_written(value: Any) -> bool:
    try:
        return isinstance(value, (str, int, tuple, slice)) and (isinstance(value, slice)
                                                                 or bool(ast.literal_eval(repr(value)) == value))
    except (ValueError, SyntaxError):
        return False


def text_of(row: Rule, given: dict[str, Any]) -> tuple[str, list[Any]]:
    """A call, with names for what is not written in it, and their values."""
    theirs = {mine: name for name, mine in row.names.items()} if row.fn is not None else {}
    texts: list[str] = []
    values: list[Any] = []
    in_order = True
    for p in row.signature.parameters.values():
        if p.name not in given:
            in_order = False
            continue
        one = given[p.name]
        if isinstance(one, list):
            text = "..." if one[0] is ... else getattr(one[0], "__name__", repr(one[0]))
        else:
            text = f"a{len(values)}"
            values.append(copy.deepcopy(one[0]))
        texts.append(text if in_order and p.kind is not p.KEYWORD_ONLY
                     else f"{theirs.get(p.name, p.name)}={text}")
    if isinstance(row.fn, types.GetSetDescriptorType):
        return f"{texts[0]}.{row.fn.__name__}", values
    if row.fn is None or isinstance(row.fn, types.MethodDescriptorType) or row.name.startswith("x."):
        method = row.name.split(".")[-1] if row.fn is None else row.fn.__name__  # type: ignore[attr-defined]
        return f"{texts[0]}.{method}({', '.join(texts[1:])})", values
    return f"fn({', '.join(texts)})", values


class Said:
    """What is said of a call: whose memory its value may have."""

    def __init__(self, text: str, count: int, fn: Any) -> None:
        names = [f"a{k}" for k in range(count)]
        namespace = {"fn": fn, "np": np, "inf": np.inf, "nan": np.nan, "__name__": "rows"}
        captured = capture(sourced(f"def h({', '.join(names)}):\n    return {text}\n", namespace)["h"])
        self.scope = Scope(Scope.of(captured).namespace, set(names))
        self.returned = returned_by(captured, lambda *_: None)
        self.joins = operator_of(fn) in JOINING
        self.node: Any = captured.tree.body[0].value

    def lies(self, values: list[Any], result: Any, *, typed: bool) -> bool:
        """The result has something in common with an argument of which that was not said.
        typed: by what is known of the arguments, too."""
        shared = _shared(values, result)
        itself = {f"a{k}" for k, value in enumerate(values) if mutable_one(value) and are_one(result, value)}
        known: dict[str, Spec] = {f"a{k}": Spec.of(value) for k, value in enumerate(values)}
        for env in () if self.joins else ({}, known) if typed else ({},):
            found = {name for name, _ in sources(self.node, env, self.scope)  # type: ignore[arg-type]
                     | shallow(self.node, env, self.scope, True)}  # type: ignore[arg-type]
            if CALLER not in found and shared - found:
                return True
        if self.returned is None or self.returned.outside:
            return False
        given = self.returned.given
        return bool(shared - given.keys()) or any(given[name] == "parts" for name in itself)


def mutable_one(value: Any) -> bool:
    return isinstance(value, (np.ndarray, list, dict, Record))


def _shared(values: list[Any], result: Any) -> set[str]:
    return {f"a{k}" for k, value in enumerate(values) if has_in_common(result, value)}


@cache
def said(text: str, count: int, row: int) -> Said:
    return Said(text, count, ROWS[row].fn)


@cache
def called(text: str, count: int, row: int) -> Any:
    names = ", ".join(f"a{k}" for k in range(count))
    return eval(f"lambda {names}: {text}", {"fn": ROWS[row].fn, "np": np, "inf": np.inf, "nan": np.nan})


@pytest.mark.parametrize("which", range(len(ROWS)), ids=[row.name for row in ROWS])
def test_what_a_call_gives_back_is_said(which: int) -> None:
    row, asked, lies = ROWS[which], 0, set()
    for given in itertools.chain(sampled_cases(row), choices(row)):
        text, values = text_of(row, given)
        if "out=" in text:     # what is changed there is asked by the rows of effects
            continue
        try:
            fn = called(text, len(values), which)
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                result = fn(*values)
        except Exception:                                  # it takes no such arguments
            continue
        asked += 1
        if _shared(values, result) and said(text, len(values), which).lies(
                values, result, typed=not row.name.startswith("rt.")):
            lies.add((text, repr(values)[:200]))
    assert not lies or row.name in GIVES_BACK, lies
    assert asked or row.name in UNCALLED, "no arguments"

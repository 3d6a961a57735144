"""Facts about functions stand in rows: no collection of names of Python's or NumPy's functions and attributes stands outside of `rules/`.

What counts: a set, list, tuple, the keys of a dict, a text that is split, alternatives of a `match`, with two or more texts that name an
attribute of a type of Python or NumPy, a builtin, or a function of NumPy or of one of `MODULES`, dotted or not. What does not: kinds of a
`Spec` and annotations that are such kinds, fields of statements, `__all__` and `__slots__`. Functions themselves, and not their names, may
stand together: they are resolved.
"""
from __future__ import annotations

import ast
import builtins
import collections
import contextlib
import copy
import functools
import itertools
import math
import operator
from collections.abc import Iterator
from pathlib import Path

import gast
import numpy as np

import tangent_nb

ROOT = Path(tangent_nb.__file__).parent
MODULES = (functools, itertools, operator, copy, contextlib, collections)
TYPES = (list, dict, set, str, tuple, np.ndarray, collections.deque, collections.OrderedDict, collections.Counter, collections.defaultdict)
NAMES = {name for one in (builtins, np, np.linalg, np.random, math, *TYPES) for name in dir(one)} | {
    name for one in MODULES for name in dir(one) if not name.startswith("__")}
KINDS = {"float", "int", "bool", "scalar", "array", "numeric", "list", "tuple", "dict", "set", "str", "range", "items", "record", "versions",
         "none", "ellipsis", "function", "module", "other", "unknown"}
FIELDS = {name for kind in vars(gast).values() if isinstance(kind, type) and issubclass(kind, gast.stmt) for name in kind._fields}

TABLES = ("backends/jax_table.py",)
ALLOWED = {                                                # with the reason
    ("runtime/padding.py", "maximum minimum median"): "modes of np.pad",
    ("analyse/resolve.py", "np.linalg.norm scipy.linalg.norm np.linalg.vector_norm"): "rows of SciPy, which is not imported for this",
    ("analyse/records.py", "record array"): "what a parameter may be, in words of that module",
    ("desugar/in_place_calls.py", "indices values"): "parameters that are named in a text",
}


def texts(node: ast.AST) -> list[str]:
    """The texts in one collection."""
    match node:
        case ast.Set(elts=found) | ast.List(elts=found) | ast.Tuple(elts=found) | ast.Dict(keys=found):
            parts = found
        case ast.MatchOr(patterns=patterns):
            parts = [one.value for one in patterns if isinstance(one, ast.MatchValue)]
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="split")):
            return text.split()
        case _:
            return []
    return [one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def lists_of_names(text: str) -> Iterator[tuple[int, str]]:
    """The collections of names in the text of a module, with their lines.

    >>> list(lists_of_names('GROWS = {"append", "extend"}'))
    [(1, 'append extend')]
    >>> list(lists_of_names('kind in ("list", "tuple"); A = {"sum": 1}; __all__ = ["pop", "append"]; B = (np.sum, np.mean)'))
    []
    """
    tree = ast.parse(text)
    own = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
           and node.targets[0].id in ("__all__", "__slots__") for inner in ast.walk(node.value)}
    for node in ast.walk(tree):
        found = texts(node)
        named = [one for one in found if one in NAMES or "." in one and one.rpartition(".")[2] in NAMES]
        if len(named) > 1 and id(node) not in own and not {*found} <= KINDS and not {*found} <= FIELDS:
            yield node.lineno, " ".join(named)


def test_no_list_of_names_stands_outside_of_the_rules() -> None:
    found, used = [], set()
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith("rules/") or name in TABLES:
            continue
        for line, names in lists_of_names(path.read_text(encoding="utf-8")):
            if (name, names) in ALLOWED:
                used.add((name, names))
            else:
                found.append(f"{name}:{line}: {names}")
    assert not found, "\n" + "\n".join(found)
    assert used == ALLOWED.keys(), "what is allowed and does not stand there"


def test_what_is_found() -> None:
    assert {names for _, names in lists_of_names("""
match name:
    case "zip" | "enumerate":
        pass
A = "np.sum np.mean".split()
B = {"keys": 1, "values": 2}
""")} == {"np.sum np.mean", "zip enumerate", "keys values"}

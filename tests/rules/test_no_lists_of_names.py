"""Facts about functions stand in rows: no collection of names of Python's or NumPy's functions and attributes stands
outside of `rules/`.

What counts: a set, list, tuple, the keys of a dict, a text that is split, alternatives of a `match`, with two or more
texts that name an attribute of a type of Python or NumPy, a builtin, or a function of NumPy or of one of `MODULES`,
dotted or not. What does not: kinds of a `Spec` and annotations that are such kinds, fields of statements, `__all__` and
`__slots__`.

Functions and classes themselves, two or more in one collection, are such a table too. Of these some stand still:
`FUNCTIONS` counts them by file, and a count only falls. They are of four kinds:

- classes that a value may be an instance of: `value.kind in (list, tuple)`, `type(number) in (int, float)`,
  what a container is to the runtime;
- what a function is written as, one text for each: the stores of `in_place_calls.py`,
  the loops of `itertools` and of `zip` and `enumerate`,
  `reduce` and `sum` over known items, the operators that a method of a class answers;
- exact functions for which a refusal or a text has words of its own: `eval` and `exec`,
  `max` and `min` of several arguments;
- what a parameter is, by what the text does with it (`records.py`, `evidence.py`).
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
TYPES = (list, dict, set, str, tuple, np.ndarray, collections.deque, collections.OrderedDict, collections.Counter,
         collections.defaultdict)
NAMES = {name for one in (builtins, np, np.linalg, np.random, math, *TYPES) for name in dir(one)} | {
    name for one in MODULES for name in dir(one) if not name.startswith("__")}
KINDS = {"float", "int", "bool", "scalar", "array", "numeric", "list", "tuple", "dict", "set", "str", "range", "items",
         "record", "versions", "none", "ellipsis", "function", "module", "other", "unknown"}
FIELDS = {name for kind in vars(gast).values() if isinstance(kind, type) and issubclass(kind, gast.stmt)
          for name in kind._fields}

TABLES = ("backends/jax_table.py",)
ALLOWED = {                                                # with the reason
    ("runtime/padding.py", "maximum minimum median"): "modes of np.pad",
    ("runtime/sampled.py", "matmul convolve"): "kinds of products, in words of Sampled",
    ("analyse/resolve.py",
     "np.linalg.norm scipy.linalg.norm np.linalg.vector_norm"): "rows of SciPy, which is not imported for this",
    ("analyse/records.py", "record array"): "what a parameter may be, in words of that module",
    ("desugar/in_place_calls.py", "indices values"): "parameters that are named in a text",
}

HOMES = {"np", "rt", "runtime", "math", "itertools", "functools", "operator", "copy", "collections",
         "contextlib", "random"}
CHECKS = {"isinstance", "issubclass"}                      # what a value is: that is asked of classes
FUNCTIONS = {
    "analyse/constants.py": 1, "analyse/effects.py": 1, "analyse/activity.py": 1, "analyse/fence/calls.py": 2,
    "analyse/fence/words.py": 1, "analyse/masks.py": 1,
    "analyse/objects.py": 2, "analyse/passed_on.py": 2, "analyse/records.py": 4, "analyse/resolve.py": 6,
    "desugar/assignment.py": 1, "desugar/assignments.py": 1, "desugar/attributes.py": 2, "desugar/calls.py": 2,
    "desugar/consumers.py": 2, "desugar/decorators.py": 1, "desugar/functions.py": 1,
    "desugar/in_place_calls.py": 4, "desugar/iterators.py": 1, "desugar/methods.py": 3, "desugar/objects.py": 4,
    "desugar/outs.py": 2, "desugar/patterns.py": 1, "desugar/purity.py": 1, "desugar/rows.py": 1,
    "desugar/under.py": 1, "desugar/unrolling.py": 4, "differentiate/forward.py": 1, "differentiate/partials.py": 1,
    "emit/literals.py": 1, "every.py": 1, "normalise/evidence.py": 1, "normalise/expressions.py": 1,
    "normalise/squares.py": 1, "notebook/rerun.py": 1, "pipeline/parts.py": 1,
    "runtime/constants.py": 3, "runtime/containers.py": 3, "runtime/differential_equations.py": 1,
    "runtime/recorded.py": 2, "runtime/shared_memory.py": 1, "same_draws.py": 1, "syntax/nodes.py": 3,
    "syntax/spec.py": 1, "take_away/values.py": 5, "tracing/reach.py": 2, "tracing/snapshots.py": 1,
    "tracing/tracked.py": 1, "tracing/values.py": 3,
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
    >>> list(lists_of_names('kind in ("list", "tuple"); A = {"sum": 1}; __all__ = ["pop", "append"]'))
    []
    >>> list(lists_of_names("B = (np.sum, np.mean)"))
    []
    """
    tree = ast.parse(text)
    own = {id(inner)
           for node in ast.walk(tree) if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
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


def is_function(node: ast.AST | None) -> bool:
    """A name of a builtin function or class, or of something that a module of `HOMES` holds."""
    if isinstance(node, ast.Name):
        return callable(getattr(builtins, node.id, None))
    while isinstance(node, ast.Attribute):
        node = node.value
        if isinstance(node, ast.Name):
            return node.id in HOMES
    return False


def tables_of_functions(text: str) -> int:
    """How many collections there are of two or more functions.

    >>> tables_of_functions('A = (np.sum, len); B = {zip: 1, map: 2}; isinstance(x, (int, float)); C: dict[int] = {}')
    2
    """
    skipped: set[int] = set()
    tree = ast.parse(text)
    for node in ast.walk(tree):
        aside = [node.slice] if isinstance(node, ast.Subscript) \
            else [node.type] if isinstance(node, ast.ExceptHandler) else node.args if isinstance(node, ast.Call) \
            and isinstance(node.func, ast.Name) and node.func.id in CHECKS else []
        skipped |= {id(inner) for one in aside if one is not None for inner in ast.walk(one)}
    collections_of = [node.keys if isinstance(node, ast.Dict) else node.elts for node in ast.walk(tree)
                      if id(node) not in skipped and isinstance(node, (ast.Tuple, ast.List, ast.Set, ast.Dict))]
    return sum(sum(map(is_function, parts)) > 1 for parts in collections_of)


def test_tables_of_functions_become_rows() -> None:
    counts = {path.relative_to(ROOT).as_posix(): tables_of_functions(path.read_text(encoding="utf-8"))
              for path in sorted(ROOT.rglob("*.py"))}
    left = {name: count for name, count in counts.items() if count and not name.startswith(("rules/", "backends/"))}
    assert left == FUNCTIONS, "facts about functions belong in rows; where fewer are left, the count here falls"

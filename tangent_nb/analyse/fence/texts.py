"""Texts made of what carries a derivative: a number that is read from one would have lost it without a word."""
from __future__ import annotations

import re
import string
import textwrap
import types
import warnings
from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from ...errors import RefusedError
from ...rules import effects_of
from ...syntax.closure import closure
from ...syntax.nodes import children, reads, walk, writes
from ...syntax.program import MISSING
from ..activity import COMPREHENSIONS, Varied, bindings, loop_bindings
from ..libraries import is_library
from ..resolve import Operation, Scope, is_formatted
from .state import Check

OF_TEXTS = (re, string, textwrap, warnings)                # modules whose functions give texts, and no numbers


def from_text(check: Check, node: gast.Call, operation: Operation, fn: Any) -> bool:
    """Refuse a number that is read from a text made of what carries a derivative,
    which would be lost without a word."""
    number = isinstance(fn, type) and issubclass(fn, (int, float, complex, np.generic))
    args = [*node.args, *(k.value for k in node.keywords)]
    if number and check.caught & reads(args):
        check.refuse(node, "a number is read from an exception, which may have been made of something differentiated",
                     "the number in a variable of its own, before it is raised")
        return True
    reads_number = fn is not len and operation.kind == "rule" or number or id(node) not in check.said \
        and (operation.kind == "function" or operation.kind == "unknown" and _may_read(fn)) \
        or fn is map and id(node) not in check.said
    receiver = [node.func.value] \
        if isinstance(node.func, gast.Attribute) and operation.kind == "rule" and fn is MISSING else []
    if not reads_number or _makes(node, check.scope) \
            or not any(_found(check, arg, check.varied, check.texts) for arg in [*receiver, *args]):
        return False
    check.refuse(node, "a number is read from a text, and the text was made of something differentiated: "
                 "it has no derivative", "the number itself, without the text")
    return True


def _may_read(fn: Any) -> bool:
    """A function without a row, which may make a number of a text that it is given."""
    if isinstance(fn, types.FunctionType):
        return is_library(fn) and not any(fn.__module__ == one.__name__ for one in OF_TEXTS)
    if isinstance(fn, type):
        return (fn.__module__ or "").partition(".")[0] in ("decimal", "fractions", "numpy")
    row = effects_of(fn)
    keeps = fn is hash or row is not None \
        and bool(row.shape_only or row.keeps or row.stops or row.gives == "item" or row.outside == "text")
    return isinstance(fn, types.BuiltinFunctionType) and not keeps and not isinstance(fn.__self__, (str, list, set))


def _makes(node: Any, scope: Scope) -> bool:
    """The expression makes a text of its operands."""
    if isinstance(node, gast.JoinedStr) or is_formatted(node):
        return True
    if not isinstance(node, gast.Call):
        return False
    if scope.effects(node).text:
        return True
    astype = isinstance(node.func, gast.Attribute) and node.func.attr == "astype"
    kinds = [node.args[0]] if node.args and (scope.value(node.func) is map or astype) else []
    return any(_is_kind_of_text(kind, scope)
               for kind in [*kinds, *(k.value for k in node.keywords if k.arg == "dtype")])


def _is_kind_of_text(node: Any, scope: Scope) -> bool:
    """A function that makes texts, or a dtype of texts or bytes."""
    value = node.value if isinstance(node, gast.Constant) else scope.value(node)
    row = effects_of(value)
    if row is not None and row.text:
        return True
    try:
        return isinstance(value, (str, type, np.dtype)) and np.dtype(value).kind in "US"
    except TypeError:
        return False


def _found(check: Check, node: Any, varied: set[str], texts: set[str]) -> bool:
    """The expression is, or holds, a text made of what carries a derivative."""
    if isinstance(node, gast.Name):
        return node.id in texts
    if isinstance(node, gast.Lambda):
        return _returns_text(check, [gast.Return(node.body)], check.scope)
    if isinstance(node, COMPREHENSIONS):
        varied, texts = {*varied}, {*texts}
        for one in node.generators:
            for names, source in loop_bindings(one.target, one.iter, check.scope):
                varied.update(names if Varied(varied, check.scope).of(source) else ())
                texts.update(names if _found(check, source, varied, texts) else ())
    elif _makes(node, check.scope):
        if reads(node) & (varied | texts):
            return True
    elif isinstance(node, gast.Call) and reads(node) & varied \
            and isinstance(fn := check.scope.value(node.func), types.FunctionType) and _is_function_of_text(check, fn):
        return True
    return any(_found(check, part, varied, texts) for part in children(node))


def _is_function_of_text(check: Check, fn: types.FunctionType, above: frozenset[Any] = frozenset()) -> bool:
    """A function of the user that returns a text, or nothing but texts in a container."""
    if is_library(fn) or fn.__code__ in above:
        return False
    try:
        captured = check.fence.capture(fn)
    except RefusedError:
        return False
    return _returns_text(check, captured.tree.body, Scope.of(captured), above | {fn.__code__})


def _returns_text(check: Check, body: Sequence[gast.stmt], scope: Scope, above: frozenset[Any] = frozenset()) -> bool:
    names: set[str] = set()

    def gives(node: Any) -> bool:
        """The value is a text, or holds texts and nothing else;
        one that stands beside numbers is told from them by its place."""
        if isinstance(node, gast.BinOp):
            return _makes(node, scope) or gives(node.left) or gives(node.right)
        if isinstance(node, gast.IfExp):
            return gives(node.body) or gives(node.orelse)
        if isinstance(node, (gast.Tuple, gast.List, gast.Set, gast.Dict)):
            items = node.values if isinstance(node, gast.Dict) else node.elts
            return any(map(gives, items)) and all(gives(one) or isinstance(one, gast.Constant) for one in items)
        if isinstance(node, COMPREHENSIONS):
            return gives(node.value if isinstance(node, gast.DictComp) else node.elt)
        if isinstance(node, gast.Starred):
            return gives(node.value)
        if isinstance(node, gast.Call) and not _makes(node, scope):
            fn = scope.value(node.func)
            if isinstance(fn, types.FunctionType):
                return _is_function_of_text(check, fn, above)
            base = node.func.value if isinstance(node.func, gast.Attribute) and fn is MISSING else None
            return isinstance(base, gast.Constant) and isinstance(base.value, str) or base is not None and gives(base) \
                or isinstance(fn, type) and issubclass(fn, (list, tuple, set, frozenset)) and any(map(gives, node.args))
        return isinstance(node, gast.Name) and node.id in names or _makes(node, scope)

    for node in walk(body):
        if isinstance(node, gast.Assign) and gives(node.value):
            names |= writes(node.targets)
    return any(isinstance(node, gast.Return) and gives(node.value) for node in walk(body))


def find_texts(check: Check, body: list[gast.stmt]) -> None:
    """Find the names that may hold such a text, or a function that gives one."""
    for node in walk(body):
        if isinstance(node, gast.FunctionDef) and _returns_text(check, node.body, check.scope):
            check.texts.add(node.name)
    given = [*bindings(check.tree, check.scope)]
    check.texts = closure(check.texts, lambda texts: {
        name for names, value in given if not texts.issuperset(names) and _found(check, value, check.varied, texts)
        for name in names}) - {""}

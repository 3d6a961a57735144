"""What a helper of generated code is: its first sentence, its text in NumPy, and an example, from the helper itself."""
from __future__ import annotations

import ast
import doctest
import inspect
import re
import textwrap
import types
from collections.abc import Sequence
from functools import cache
from typing import Any

from .. import runtime
from .tokens import tokenized, visible

MOST_LINES = 60


@cache
def known() -> frozenset[str]:
    """The names that may be asked for: the functions and classes of `rt` that say what they are."""
    return frozenset(name for name, one in vars(runtime).items() if not name.startswith("_") and _has_text(one))


def _has_text(one: Any) -> bool:
    return isinstance(one, (types.FunctionType, type)) and one.__module__.startswith(runtime.__name__) \
        and bool(one.__doc__)


def explained(name: str) -> dict[str, Any]:
    """What a page shows of a helper, as plain data; its lines as tokens.

    name: one of `known()`; others raise KeyError.

    >>> found = explained("unreduce")
    >>> found["says"]
    'The cotangent of `np.sum(x, axis, keepdims)`, spread over the shape of `x`: a new array.'
    >>> ["".join(text for _, text in line) for line in found["code"]][0]
    'def unreduce(g: Any, x: Any, axis: Axis = None, keepdims: bool = False) -> Any:'
    """
    if name not in known():
        raise KeyError(name)
    one = getattr(runtime, name)
    try:
        code = without_docstring(inspect.getsource(inspect.unwrap(one)))
    except OSError:                                            # a class that was made by a call
        code = []
    cut = code[:MOST_LINES] + ["    ..."] * (len(code) > MOST_LINES)
    return {"name": name, "says": visible(first_sentence(inspect.getdoc(one) or "")),
            "code": _tokens(cut), "example": _tokens(example(inspect.getdoc(one) or ""))}


def called(line: Sequence[Sequence[str]]) -> set[str]:
    """The helpers that a line of tokens names.

    >>> called([("", "    bx = rt.unreduce(rt.none_of_ours(by), "), ("", "x)")])
    {'unreduce'}
    """
    return set(re.findall(r"\brt\.(\w+)", "".join(text for _, text in line))) & known()


def _tokens(lines: list[str]) -> list[list[list[str]]]:
    return [[list(token) for token in line] for line in tokenized(lines)]


def first_sentence(doc: str) -> str:
    """The first sentence of a docstring, on one line.

    >>> first_sentence("The sum over `a. b`,\\nof all. More.")
    'The sum over `a. b`, of all.'
    """
    paragraph = " ".join(doc.split("\n\n")[0].split())
    quoted = False
    for place, character in enumerate(paragraph):
        quoted ^= character == "`"
        if character == "." and not quoted and re.match(r"\s+[^a-z]|$", paragraph[place + 1:]):
            return paragraph[:place + 1]
    return paragraph


def example(doc: str) -> list[str]:
    """The first example of a docstring that prints something, with the lines before it; none where it has none."""
    lines: list[str] = []
    for one in doctest.DocTestParser().get_examples(doc):
        if one.exc_msg or one.source.startswith(("import ", "from ")):
            continue
        first, *rest = one.source.rstrip("\n").split("\n")
        lines += [f">>> {first}", *(f"... {line}" for line in rest)]
        if one.want:
            return lines + one.want.rstrip("\n").split("\n")
    return []


def without_docstring(text: str) -> list[str]:
    """The lines of a function or class, without decorators and docstring."""
    text = textwrap.dedent(text)
    lines = text.rstrip("\n").split("\n")
    tree = ast.parse(text).body[0]
    if not isinstance(tree, (ast.FunctionDef, ast.ClassDef)):
        return lines
    doc = tree.body[0]
    if ast.get_docstring(tree) is not None and len(tree.body) > 1:
        lines[doc.lineno - 1:doc.end_lineno] = []
    return lines[tree.lineno - 1:]

"""Derivations made by hand: real records of capture and emit, without any derivation."""
from __future__ import annotations

import linecache
import re
import textwrap
import types
from itertools import count
from typing import Any

import gast
import numpy as np

from tangent_nb.capture import capture
from tangent_nb.emit import emit
from tangent_nb.emit.link import link
from tangent_nb.syntax.program import Captured, Derivation, Environment, Origin, Span

COUNT = count(1)
LOSS = """
def loss(x, w, b, y):
    h = np.tanh(np.dot(x, w) + b)
    r = h - y
    return np.mean(r * r)
"""
# Behind each statement: the line of the primal that it comes from, and its role.
DLOSS = """
def dloss_dw_db(x, w, b, y):
    h = np.tanh(np.dot(x, w) + b)       # 2 forward
    r = h - y                           # 3 forward
    br = r * (2.0 / r.size)             # 4 backward
    bz = br * (1.0 - h * h)             # 2 backward
    bw = np.dot(x.T, bz)                # 2 backward
    bb = bz.sum(axis=0)                 # 2 backward
    return bw, bb
"""


def defined(text: str, name: str, **names: Any) -> Any:
    """The function `name` of a text that Python keeps, as it keeps a cell's."""
    text = text.lstrip("\n")
    filename = f"<handmade {next(COUNT)}>"
    linecache.cache[filename] = (len(text), None, [line + "\n" for line in text.split("\n")], filename)
    scope: dict[str, Any] = {"np": np, "__name__": "handmade", **names}
    exec(compile(text, filename, "exec", dont_inherit=True), scope)
    return scope[name]


def derived(f: Any, text: str, wrt: tuple[str, ...], mode: str = "reverse",
            passes: tuple[str, ...] = ()) -> types.FunctionType:
    """The first function of `text` as if it had been derived from `f`: `# 3 backward` behind a statement says that it
    is backward code of the third line of the primal (or of the function `k`: `# k:3 backward`)."""
    primal = capture(f)
    functions = gast.parse(textwrap.dedent(text).lstrip("\n")).body
    lines = textwrap.dedent(text).lstrip("\n").split("\n")
    for function in functions:
        section, comment = "", ""
        for node in gast.walk(function):
            if isinstance(node, gast.stmt) \
                    and (match := re.search(r"# (?:(\w+):)?(\d+) (\w+)$", lines[node.lineno - 1])):
                origin = _origin(capture(f.__globals__[match[1]]) if match[1] else primal, int(match[2]))
                node.origin, node.role = origin, match[3]
                if match[3] == "backward" and comment != origin.text:
                    comment = origin.text
                    node.comment = f"Grad of: {comment}"
                if match[3] != section and node in function.body:
                    node.section = section = match[3]
    emitted = emit(functions)
    environment = Environment(f.__globals__, defaults=f.__defaults__)
    result = link(emitted, dict.fromkeys(emitted.functions, environment), name="handmade")[emitted.functions[0]]
    result.__tangent_nb__ = Derivation("grad" if mode == "reverse" else "jvp", mode, primal, wrt, passes, emitted, ())
    return result


def _origin(primal: Captured, line: int) -> Origin:
    first = primal.tree.origin.span.line
    for node in gast.walk(primal.tree):
        if isinstance(node, gast.stmt) and node.origin.span.line == first + line - 1:
            return node.origin
    text = primal.source.line(first + line - 1)
    return Origin(Span(primal.source, first + line - 1, 0, first + line - 1, len(text)))


def loss() -> tuple[Any, types.FunctionType]:
    """A loss, and its derivative by `w` and `b`."""
    f = defined(LOSS, "loss")
    return f, derived(f, DLOSS, ("w", "b"), passes=("dead-code", "unbroadcast"))

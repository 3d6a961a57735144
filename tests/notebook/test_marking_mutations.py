"""Every small mistake in right answers: it costs its own line, and nothing that is wrong is called right."""
from __future__ import annotations

import ast
import copy
import inspect
import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook.quiz_options import parse
from tangent_nb.notebook.quiz_report import RIGHT
from tangent_nb.notebook.quiz_sheet import Sheet

from .handmade import defined

RNG = np.random.default_rng(5)
QUIZZES = {
    "energy": ("""
def energy(x, w):
    p = x * w
    return p * p
""", "-w x,w --points bp,bx,bw,return", {"x": 1.5, "w": 2.0}, """
def d(x, w):
    p = x * w
    bp = 2.0 * p
    bx = bp * w
    bw = bp * x
    return bx, bw
"""),
    "layer": ("""
def layer(x, w, b):
    z = x @ w + b
    h = np.tanh(z)
    return np.sum(h * h)
""", "-w x,w,b --points bh,bz,bx,bw,bb,return", {"x": np.ones((2, 2)), "w": np.eye(2), "b": np.zeros(2)}, """
def d(x, w, b):
    h = np.tanh(x @ w + b)
    bh = 2.0 * h
    bz = bh * (1.0 - h * h)
    bx = bz @ w.T
    bw = x.T @ bz
    bb = bz.sum(axis=0)
    return bx, bw, bb
"""),
    "iterate": ("""
def iterate(x, n):
    y = x
    for i in range(n):
        y = y * np.sin(y) + x
    return y * y
""", "-w x --points by,bx,return", {"x": 1.2, "n": 3}, """
def d(x, n):
    saved = []
    y = x
    for i in range(n):
        saved.append(y)
        y = y * np.sin(y) + x
    by = 2.0 * y
    bx = 0.0
    for i in reversed(range(n)):
        y = saved.pop()
        bx = bx + by
        by = by * (np.sin(y) + y * np.cos(y))
    bx = bx + by
    return bx
"""),
    "network": ("""
def network(x, w1, w2):
    a = x @ w1
    h = np.maximum(a, 0.1 * a)
    if np.sum(h) > 0.0:
        q = h @ w2
    else:
        q = np.tanh(h) @ w2
    r = q - 1.0
    return np.mean(r ** 2)
""", "-w w1,w2 --points br,bq,bh,ba,bw1,bw2,return", {"x": np.arange(6.0).reshape(3, 2) - 1.7,
                                                         "w1": np.eye(2), "w2": np.ones((2, 1))}, """
def d(x, w1, w2):
    a = x @ w1
    h = np.maximum(a, 0.1 * a)
    up = np.sum(h) > 0.0
    q = h @ w2 if up else np.tanh(h) @ w2
    br = 2.0 * (q - 1.0) / q.size
    bq = br
    if up:
        bw2 = h.T @ bq
        bh = bq @ w2.T
    else:
        bw2 = np.tanh(h).T @ bq
        bh = bq @ w2.T * (1.0 - np.tanh(h) ** 2)
    ba = bh * np.where(a > 0.0, 1.0, 0.1)
    bw1 = x.T @ ba
    return bw1, bw2
"""),
    "again": ("""
def again(x):
    x = x * 2.0
    y = x * x + x
    y = np.sin(y)
    return y * x
""", "--points by,bx,return", {"x": 0.6}, """
def d(x):
    x = x * 2.0
    y = x * x + x
    z = np.sin(y)
    by = x
    bx = z
    by = by * np.cos(y)
    bx = bx + by * (2.0 * x + 1.0)
    bx = bx * 2.0
    return bx
"""),
    "store": ("""
def store(x, k):
    out = np.zeros(2)
    out[0] = x * k
    out[1] = out[0] * x
    return np.sum(out)
""", "-w x,k --points bout,bx,bk,return", {"x": 1.5, "k": 0.7}, """
def d(x, k):
    out = np.array([x * k, x * k * x])
    bout = np.ones(2)
    g = bout[1]
    bout[1] = 0.0
    bx = g * out[0]
    bout[0] += g * x
    bx += bout[0] * k
    bk = bout[0] * x
    return bx, bk
"""),
}


def mistakes(text: str) -> Iterator[tuple[str, str]]:
    """The name whose assignment is changed (return for what is returned), and the text with the change."""
    tree = ast.parse(text).body[0]
    for at, node in list(enumerate(ast.walk(tree))):
        if not isinstance(node, (ast.Assign, ast.AugAssign, ast.Return)):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        name = ast.unparse(targets[0]).partition("[")[0] if targets[0] is not None else "return"
        if name != "return" and not (name.startswith("b") or name == "g"):
            continue
        assert node.value is not None
        for change in changes(node.value, [one.arg for one in tree.args.args]):      # type: ignore[attr-defined]
            made = copy.deepcopy(tree)
            found = list(ast.walk(made))[at]
            found.value = change                   # type: ignore[attr-defined]
            changed = ast.unparse(ast.fix_missing_locations(made)) + "\n"
            if not re.search(r"(\.\.\.|0\.0)(\(|\[)", changed):        # of which Python warns
                yield name, changed


def changes(value: ast.expr, names: list[str]) -> Iterator[ast.expr]:
    """Small mistakes in an expression."""
    yield ast.Tuple(value.elts[::-1], ast.Load()) if isinstance(value, ast.Tuple) else ast.UnaryOp(ast.USub(), value)
    for at, node in enumerate(ast.walk(value)):
        new: list[ast.expr] = []
        if isinstance(node, ast.BinOp):
            new = [node.left, node.right, ast.BinOp(node.left, ast.Add(), node.right),
                   ast.BinOp(node.right, node.op, node.left)]
        elif isinstance(node, ast.Name) and node.id != "np":
            new = [*[ast.Name(one, ast.Load()) for one in names if one != node.id][:1], ast.Constant(...),
                   ast.Constant(0.0)]
        elif isinstance(node, ast.Constant):
            new = [ast.Constant(1), ast.Constant(3.0)]
        elif isinstance(node, ast.Attribute) and node.attr == "T":
            new = [node.value]
        for one in new:
            made = copy.deepcopy(value)
            yield replaced(made, at, one)


def replaced(tree: ast.expr, at: int, new: ast.expr) -> ast.expr:
    target = list(ast.walk(tree))[at]

    class Put(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            return copy.deepcopy(new) if node is target else self.generic_visit(node)

    made: ast.expr = Put().visit(tree)
    return made


def at_the_end(function: Any, arguments: dict[str, Any]) -> Any:
    """The values of a function's cotangents in the end, and what it returns; None where it raises."""
    text = inspect.getsource(function)
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Return):
            node.value = ast.Tuple([node.value, ast.Call(ast.Name("locals", ast.Load()), [], [])], ast.Load())  # type: ignore[list-item]
    scope: dict[str, Any] = {"np": np}
    exec(compile(ast.fix_missing_locations(tree), "<end>", "exec"), scope)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            returned, local = scope["d"](**copy.deepcopy(arguments))
    except Exception:
        return None
    return {"return": returned, **{name: value for name, value in local.items() if re.match("b.", name)}}


def same(a: Any, b: Any) -> bool:
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(same, a, b))
    try:
        return np.shape(a) == np.shape(b) and bool(np.allclose(a, b, rtol=1e-9))
    except TypeError:
        return False


class Judged:
    """A quiz, and what its answers come to at arguments of our own."""

    def __init__(self, quiz: str) -> None:
        text, options, given, self.answer = QUIZZES[quiz]
        f = defined(text, quiz)
        self.sheet = Sheet(f, parse(f"{quiz} --at x=1 {options}"), inspect.signature(f).bind(**given), True)
        self.others = [{name: value if isinstance(value, int) else value + 0.3 * RNG.standard_normal(np.shape(value))
                        for name, value in given.items()} for _ in range(3)]
        original = defined(self.answer, "d")
        self.truths = [at_the_end(original, other) for other in self.others]
        assert self.sheet.judge(original) is None and self.sheet.report.points == self.sheet.report.possible

    def judge(self, text: str, names: set[str]) -> bool:
        """Judge a changed answer: whether it is wrong."""
        attempt = defined(text, "d")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.sheet.judge(attempt)
        found, report = [at_the_end(attempt, other) for other in self.others], self.sheet.report
        right = {name: all(one is not None and name in one and same(one[name], truth[name])
                           for one, truth in zip(found, self.truths)) for name in self.truths[0]}
        lost = {one.name for one in report if not one.is_right}
        told = f":\n{text}\n{report}"
        assert not all(right.values()) or not lost, "it is right" + told
        assert all(right.values()) or lost, "it is wrong, and costs nothing" + told
        for one in report:
            assert one.verdict != RIGHT or right[one.name] or None in found, f"{one.name} is wrong" + told
        if names <= {one.name for one in report}:
            assert lost <= names, "it costs more than itself" + told
        return not all(right.values())


@pytest.mark.parametrize("quiz", QUIZZES)
def test_every_small_mistake(quiz: str) -> None:
    judged = Judged(quiz)
    assert sum(judged.judge(text, {name}) for name, text in mistakes(judged.answer)) > 10


@pytest.mark.parametrize("quiz", QUIZZES)
def test_two_mistakes(quiz: str) -> None:
    judged = Judged(quiz)
    first = list(mistakes(judged.answer))
    for _ in range(25):
        name, text = first[RNG.integers(len(first))]
        second = list(mistakes(text))
        other, both = second[RNG.integers(len(second))]
        judged.judge(both, {name, other})

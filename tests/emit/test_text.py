"""Trees become text that reads well, parses back to the same trees, and is known line by line."""
from __future__ import annotations

import ast
import sys
import warnings
from pathlib import Path
from typing import Any

import gast
import pytest

from tangent_nb.emit.text import emit
from tangent_nb.emit.wrap import WIDTH
from tangent_nb.syntax.program import Origin, SourceFile, Span


def parse(*lines: str, head: str = "def f(x):") -> gast.FunctionDef:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    try:
        return gast.parse("\n".join([head, *(f"    {line}" for line in lines)]) + "\n").body[0]
    finally:
        sys.setrecursionlimit(limit)


def body(*lines: str) -> list[str]:
    return [line[4:] for line in emit([parse(*lines)]).text.splitlines()[1:]]


def constant(value: Any) -> str:
    tree = parse("y = 0")
    tree.body[0].value = gast.Constant(value, None)
    return emit([tree]).text.splitlines()[1].strip()


def origin(line: int) -> Origin:
    return Origin(Span(SourceFile("m.py", "m.py", ("",)), line, 0, line, 1))


@pytest.mark.parametrize("line", [
    "return bw, bb", "x, y = y, x", "x, = y", "bx = -by * x", "y = 1.0 - h * h", "y = A[1:-1, 0]", "y = A[::2]",
    "y = A[i + 1:, ..., None]", "y = A[x,]", "y = A[()]", "A[i, j] += v", "y = x ** 2", "y = (-x) ** 2",
    "y = -x ** -y", "y = (-1.0) ** n", "y = -1.0", "y = -(-x)", "y = 2.0 * (a - b)", "y = a - (b - c)",
    "y = a / (b * c)", "y = (a ** b) ** c", "y = a ** b ** c", "y = a @ b.T", "y = (a, b), c", "y = [a, (b, c)]",
    "y = {'k': -1, 2: [x], **z}", "y = {1, 2}", "y = ()", "y = f()", "y = f(x, *a, k=1, **b)", "y = f(i for i in x)",
    "y = f((i for i in x), 1)", "y = [a + b for a, b in zip(x, y) if a if b]", "y = {k: v + 1 for k, v in z}",
    "y = lambda: 0", "y = lambda a, /, b=1, *c, d, e=2, **g: (a, b)", "y = (lambda a: a)(1)",
    "y = a if b else c if d else e", "y = (a if b else c) if d else e", "y = not a and (b or c)", "y = (a < b) < c",
    "y = a < b < c", "y = a is not None", "y = (y := 3) + 1", "y = 0.1", "y = 1e-12", "y = 1e+22", "y = 2j",
    "y = 10", "y = (1).real", "y = 1.5.real", "y = 'a\\nb'", "y = b'a'", "y = None", "y = ...",
    "y = f'a{x!r:>{n}}b{{'", "y = f'a\\n{x + 1:.2f}'", "y = rt.add_grad(bx, rt.unbroadcast(by, x))", "del a, b[0]",
    "assert x, 'm'", "raise ValueError('m') from e", "x: int = 3", "global g", "import numpy as np",
    "from . import a as b", "y = x.T[0](1)[2:3].f", "y = a | b & c ^ d << 2", "y = ~a // b % c", "y = [*a, *b]",
    "return", "y = a and b or c", "y = a == (b == c)", "y = a[lambda: 0]", "y = a[b if c else d]",
    "y = a[f(x) + 1:2 * n:-1]", "y = f(a if b else c)", "y = f(k=lambda: 0)", "y = not (a and b)", "y = x[-1]",
])
def test_a_statement_is_printed_as_an_expert_writes_it(line: str) -> None:
    line = line.replace("1.5.real", "(1.5).real")
    assert body(line) == [line]


@pytest.mark.parametrize("line", ["x += 1.0", "x **= 2", "for i, j in zip(a, b):", "for i in (1, 2):",
                                  "while x > 0 and y:", "with a as b, c as (d, e):",
                                  "with insert_grad_of(y) as by:", "if not x:"])
def test_blocks(line: str) -> None:
    lines = [line, "    pass"] if line.endswith(":") else [line]
    assert body(*lines) == lines


@pytest.mark.parametrize("lines", [
    ["if a:", "    pass", "elif b:", "    pass", "else:", "    if c:", "        pass", "    x = 1"],
    ["for i in x:", "    break", "else:", "    pass"],
    ["try:", "    pass", "except (A, B) as e:", "    pass", "except C:", "    raise", "else:", "    pass", "finally:",
     "    pass"],
    ["match x:", "    case [1, -2.0, *_] if x > 1:", "        pass", "    case {'a': A(b=3)} | None:", "        pass",
     "    case _:", "        pass"],
    ["def g(a, b=1, /, c=2, *, d, e: int = 3, **k) -> int:", "    nonlocal z", "    return a"],
    pytest.param(["try:", "    pass", "except* A as e:", "    try:", "        pass", "    except B:", "        pass"],
                 marks=pytest.mark.skipif(sys.version_info < (3, 11), reason="new in 3.11")),
])
def test_compound_statements(lines: list[str]) -> None:
    assert body(*lines) == lines


def test_constants_that_are_no_literals() -> None:
    assert constant(-0.0) == "y = -0.0" and constant(-3) == "y = -3" and constant(-2j) == "y = -2j"
    assert constant(float("inf")) == "y = 1e309" and constant(float("-inf")) == "y = -1e309"
    assert constant(float("nan")) == "y = 1e309 - 1e309"
    assert constant(1 - 2j) == "y = 1.0 - 2j" and constant((1, -2.0)) == "y = 1, -2.0"
    assert constant("a\u2028\r\x00\ud800\"'").isascii() and constant("é漢") == "y = 'é漢'"
    assert constant(10 ** 5000).startswith("y = 0x")
    import numpy as np
    assert constant(np.float64(0.1)) == "y = 0.1" and constant(np.int64(-2)) == "y = -2"


def test_comments_sections_notes_and_records() -> None:
    tree = parse("y = x * x", "if y > 0:", "    y = 1.0", "else:", "    y = 2.0", "return y")
    first, branch, last = tree.body
    tree.origin, first.origin, branch.origin = origin(1), origin(2), origin(3)
    first.section, first.comment, first.note, first.role = "forward", "one\ntwo", "saved", "forward"
    branch.role, branch.note = "backward", "test"
    branch.body[0].role, branch.body[0].origin = "backward", (origin(4), origin(2))
    last.section = "backward"
    emitted = emit([tree])
    assert emitted.text.splitlines() == [
        "def f(x):", "    # forward", "    # one", "    # two", "    y = x * x  # saved", "    if y > 0:  # test",
        "        y = 1.0", "    else:", "        y = 2.0", "    # backward", "    return y"]
    assert [line.number for line in emitted.lines] == list(range(1, 12))
    assert [line.role for line in emitted.lines] == [
        "signature", "comment", "comment", "comment", "forward", "backward", "backward", "backward", "forward",
        "comment", "return"]
    assert emitted.lines[0].origins == (origin(1),) and emitted.lines[2].origins == (origin(2),)
    assert emitted.lines[6].origins == (origin(4), origin(2)) and emitted.lines[7].origins == (origin(3),)


def test_comments_never_break_the_text() -> None:
    tree = parse("return x")
    for text in ("a\rb", "a\u2028b", "a\x0cb", "a\x00b", "a\x85b\x1db", "a\ud800b", "a\u202eb", "a\r\nb\n\nc", " a "):
        tree.body[0].comment = tree.body[0].note = text
        emitted = emit([tree])
        assert emitted.text.count("\n") == len(emitted.text.splitlines()) == len(emitted.lines)
        emitted.text.encode("utf-8")
    tree.comment = "vim: set fileencoding=latin-1 -*- coding: latin-1"
    assert "coding=" not in emit([tree]).text and "coding:" not in emit([tree]).text


def test_docstrings() -> None:
    for text in ("One line.", "Two\n\n    lines.\n    ", 'Quotes """ and "', "back\\slash", "tab\tand\rreturn", "",
                 " é\xa0\t"):
        tree = parse("pass", "return x")
        tree.body[0] = gast.Expr(gast.Constant(text, None))
        emitted = emit([tree])
        assert ast.get_docstring(ast.parse(emitted.text).body[0], clean=False) == text
        assert emitted.text.count("\n") == len(emitted.lines)
    assert emit([parse('"""Doc."""')]).text == 'def f(x):\n    """Doc."""\n'
    assert body("x = 1", "'not a docstring'") == ["x = 1", "'not a docstring'"]


def test_two_functions_are_two_blank_lines_apart() -> None:
    emitted = emit([parse("return x"), parse("return x", head="def g(x):")])
    assert emitted.text == "def f(x):\n    return x\n\n\ndef g(x):\n    return x\n"
    assert emitted.functions == ("f", "g") and [line.role for line in emitted.lines[2:4]] == ["blank", "blank"]


@pytest.mark.parametrize("line", [
    "y = " + " + ".join(f"np.dot(a{i}, b{i})" for i in range(20)),
    "return " + ", ".join(f"gradient{i}" for i in range(30)),
    "y = f(" + ", ".join(f"argument{i}=g(x{i}, 1.0)" for i in range(20)) + ")",
    "y = " + "rt.add(" * 12 + "x" + ", another_argument)" * 12,
    "assert " + " and ".join(f"x{i}.shape == ()" for i in range(20)) + ", 'message'",
    "x.y[" + " + ".join(["i"] * 50) + ", 1:2] += 1",
    "y = [" + "a + " * 40 + "b for a in " + "c.d(" * 5 + "1" + ")" * 5 + " if a]",
])
def test_long_lines_are_wrapped(line: str) -> None:
    lines = body(line)
    assert len(lines) > 1 and max(map(len, lines)) + 4 <= WIDTH
    assert len(emit([parse(line)]).lines) == len(lines) + 1


def test_wrapping_reads_well() -> None:
    assert body("bw = np.dot(first_name.T, second_name * (1.0 - third_name * third_name)) "
                "+ fourth_name * np.exp(-fifth_name) / (1.0 + k)") \
        == ["bw = (np.dot(first_name.T, second_name * (1.0 - third_name * third_name))",
            "      + fourth_name * np.exp(-fifth_name) / (1.0 + k))"]


def test_deep_and_long_programs() -> None:
    for line in ("y = " + "(" * 60 + "x" + " + 1)" * 60, "y = " + " + ".join(["x"] * 300),
                 "y = " + "np.sin(" * 60 + "x" + ")" * 60, "y = " + "x[" * 60 + "0" + "]" * 60, "y = x" + ".T" * 300):
        assert body(line)
    nested = [f"{'    ' * i}if x:" for i in range(19)] + ["    " * 19 + "pass"]
    assert body(*nested) == nested


def test_a_long_text_is_whole() -> None:
    """How long it takes is measured by benchmarks/deriving.py."""
    found = emit([parse(*["x = np.sin(x * 2.0) + np.dot(x, w)"] * 1500)])
    assert found.text.count("x = np.sin(x * 2.0) + np.dot(x, w)\n") == 1500 \
        and len(found.lines) == found.text.count("\n")


def test_a_wrong_tree_is_named() -> None:
    tree = parse("y = x")
    tree.body[0].value = gast.Name("not a name", gast.Load(), None, None)
    with pytest.raises(RuntimeError, match="generated text"):
        emit([tree])
    tree.body[0].value = gast.Name("x + 1", gast.Load(), None, None)
    with pytest.raises(RuntimeError, match="x . 1"):
        emit([tree])


def test_the_tree_is_left_as_it_was() -> None:
    tree = parse("y = x[1:, 0] - 1", "return y")
    tree.body[0].value.right.value = -1.5
    before = gast.dump(tree)
    assert emit([tree]) == emit([tree]) and gast.dump(tree) == before


@pytest.mark.parametrize("name", ["fractions", "argparse", "textwrap", "_pydecimal", "dataclasses", "ast"])
def test_the_standard_library_survives(name: str) -> None:
    path = Path(ast.__file__).with_name(f"{name}.py")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = gast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in gast.walk(tree) if isinstance(node, gast.FunctionDef)]
    for function in functions:
        emitted = emit([function])                 # compares by itself
        assert emitted.text.count("\n") == len(emitted.lines)

"""What becomes of each node of Python's syntax: the table behind docs/language.md,
which `python tests/syntax_table.py` writes.

A row has an example that is differentiated, one that is refused, or both: then the node is supported in part.
tests/test_syntax_table.py derives every one of them.
"""
from __future__ import annotations

import ast
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "language.md"
BEGIN, END = "<!-- table: begin -->\n", "<!-- table: end -->\n"
OUTSIDE = ("Module", "Interactive", "Expression", "FunctionType", "TypeIgnore")      # never inside of a function
NEWER = {"TypeAlias": (3, 12), "TypeVar": (3, 12), "ParamSpec": (3, 12), "TypeVarTuple": (3, 12),
         "Interpolation": (3, 14), "TemplateStr": (3, 14)}


@dataclass(frozen=True)
class Row:
    """One node. right: an example that is differentiated; refused: one that is not; note: what more there is to say.

    An example stands in `def f(x)`, after `y = x * x` and before `return y`;
    one that begins with `def` or `async def` is all of it.
    """

    node: str
    right: str = ""
    refused: str = ""
    note: str = ""

    @property
    def status(self) -> str:
        return "refused" if not self.right else "in part" if self.refused else "supported"


STATEMENTS = [
    Row("FunctionDef", "def g(t): return t * x\ny = g(y)", "def g(t): yield t\nh = g(y)\ny = next(h) + sum(h)",
        "nested ones too; generators where loops go over them"),
    Row("AsyncFunctionDef", refused="async def f(x): return x * x", note="write a plain def"),
    Row("ClassDef", refused="class Box: value = 2.0\ny = y * Box.value",
        note="define the class outside; its objects may be made inside"),
    Row("Return", "return y * x", "def f(x): return None"),
    Row("Delete", "t = y * x\nA = [x, t]\ndel t, A[0]\ny = A[0]", "A = [y, x]\nB = A\ndel A[0]\ny = B[0]",
        "of variables; of items of dicts and lists"),
    Row("Assign", "a = b = y * x\ny = a * b", "a = np.stack([y])\nc = a\nfor i in range(2):\n    c[0] = 0.0\n"
        "    c = a[:]\ny = a[0]", "several targets, tuples; parts of arrays"),
    Row("TypeAlias", refused="type Number = float", note="from Python 3.12 on; write it outside"),
    Row("AugAssign", "y += x * y", "a = np.stack([y])\nc = a\nfor i in range(2):\n    c[0] += 1.0\n"
        "    c = a[:]\ny = a[0]", "of variables, and of parts of arrays"),
    Row("AnnAssign", "z: float = y * x\ny = z * y"),
    Row("For", "for i in range(3): y = y * x + i", "A = [y, x]\nfor a in A: A.append(a)\ny = A[0]",
        "over anything; of iterators, zip and enumerate of them each item is taken in its turn; break, continue, else"),
    Row("AsyncFor", refused="async def f(x):\n    async for v in x: y = v\n    return y", note="write a plain for"),
    Row("While", "while y < 2.0: y = y * 3.0"),
    Row("If", "if y > 0.0: y = y * x"),
    Row("With", "with np.errstate(all='ignore'): y = y * x", "with np.errstate(divide=x): y = y * x",
        "managers that are not differentiated themselves, are made here, or are generators that yield once"),
    Row("AsyncWith", refused="async def f(x):\n    async with x: y = x\n    return y", note="write a plain function"),
    Row("Match", "match 2:\n    case 1: y = x\n    case _: y = y * x",
        "match (y, x):\n    case (t, _) | (_, t) if t > 9: y = t", "see the patterns below"),
    Row("Raise", "if y > 99.0: raise ValueError(f'too large: {y}')",
        "try: raise ValueError(y)\nexcept ValueError as e: y = e.args[0]", "an exception carries no derivative"),
    Row("Try", "try: y = y * math.log(x)\nexcept ValueError: y = x", "try: y = y * x\nfinally: return y",
        "the path taken; finally must not leave"),
    Row("TryStar", refused="try: y = y * x\nexcept* ValueError: y = x", note="write except"),
    Row("Assert", "assert y > 0.0, 'positive'"),
    Row("Import", "import math as m\ny = y * m.sin(x)", "import no_such_module\ny = y * no_such_module.z"),
    Row("ImportFrom", "from math import sin\ny = y * sin(x)", "from math import no_such_name\ny = y * no_such_name"),
    Row("Global", refused="global total\ntotal = y", note="read globals freely, and return what is to be kept"),
    Row("Nonlocal", "t = y\ndef g():\n    nonlocal t\n    t = t * x\ng()\ny = t", "def make():\n    k = 0.0\n"
        "    def f(x):\n        nonlocal k\n        k = x\n        return k\n    return f\nf = make()",
        "of a variable of f itself"),
    Row("Expr", "print(end='')"),
    Row("Pass", "pass"),
    Row("Break", "while True:\n    y = y * x\n    if y < 0.1: break"),
    Row("Continue", "for i in range(3):\n    if i == 1: continue\n    y = y * x"),
]
EXPRESSIONS = [
    Row("BoolOp", "y = y * x if x > 0.0 and y > 0.0 else y"),
    Row("NamedExpr", "if (t := y * x) > 0.0: y = t * y"),
    Row("BinOp", "y = y + sum([x] * 2 + [y])", "y = [y, x] + y",
        "arithmetic of numbers and arrays; lists joined and repeated"),
    Row("UnaryOp", "y = -y"),
    Row("Lambda", "g = lambda t: t * x\ny = g(y)", "y = [lambda: y][0]()",
        "a variable it reads is not bound again after it"),
    Row("IfExp", "y = y if x > 0.0 else x"),
    Row("Dict", "d = {'a': y, 'b': x}\ny = d['a'] * d['b']", "y = {y: x}[y]", "a key carries no derivative"),
    Row("Set", "y = y * len({1, 2})", "y = sum({y, x})", "of what carries no derivative: a set drops what is equal"),
    Row("ListComp", "y = np.sum(np.array([y * i for i in range(3)]))"),
    Row("SetComp", "y = y * len({i % 2 for i in range(4)})", "y = sum({y * i for i in range(3)})",
        "of what carries no derivative"),
    Row("DictComp", "d = {i: y * x ** i for i in range(3)}\ny = d[1] * d[2]", "y = {y * i: x for i in range(3)}[y]",
        "a key carries no derivative"),
    Row("GeneratorExp", "y = sum(y * i for i in range(3))", "g = (y * i for i in range(3) if i)\ny = next(g) + sum(g)",
        "where it is known who takes the items"),
    Row("Await", refused="async def f(x): return await x", note="write a plain function"),
    Row("Yield", refused="def f(x): yield x", note="of a generator that a loop or a call goes over"),
    Row("YieldFrom", refused="def f(x): yield from [x]", note="the same"),
    Row("Compare", "y = y * (0.0 < x < 1.0)"),
    Row("Call", "y = np.sin(y)", "y = np.real_if_close(y)", "functions with a rule, and those whose text can be read"),
    Row("FormattedValue", "s = f'{y:.3f}'\ny = y * len(s)", "y = float(f'{y}')",
        "a number read from a text has lost its derivative"),
    Row("Interpolation", refused="t = t'{y}'", note="from Python 3.14 on; write an f-string"),
    Row("JoinedStr", "if y > 99.0: raise ValueError(f'{y}')", "y = float(f'{y}')"),
    Row("TemplateStr", refused="t = t'{y}'", note="from Python 3.14 on; write an f-string"),
    Row("Constant", "y = y * 2.5"),
    Row("Attribute", "y = np.stack([y, x]).sum()", "y = np.stack([y, x]).ctypes.data * y",
        "of modules, arrays, and objects written in Python"),
    Row("Subscript", "y = np.stack([y, x])[0]", "y = np.arange(3.0)[int(x):][y]",
        "the index itself carries no derivative"),
    Row("Starred", "a, *b = y, x, 2.0\ny = a * b[0]", "t = (y, x)\nprint(*t)",
        "in calls of functions with a text whatever it holds, of others where that is known"),
    Row("Name", "z = y\ny = z"),
    Row("List", "y = [y, x][0]"),
    Row("Tuple", "y, z = x, y\ny = y * z"),
    Row("Slice", "y = np.sum(np.stack([y, x, y])[::2])"),
]
OPERATORS = [
    Row("And", "if y > 0.0 and x > 0.0: y = y * x"),
    Row("Or", "if y > 9.0 or x > 0.0: y = y * x"),
    Row("Add", "y = y + x"),
    Row("Sub", "y = y - x"),
    Row("Mult", "y = y * x"),
    Row("MatMult", "y = np.stack([y, x]) @ np.stack([x, y])"),
    Row("Div", "y = y / x"),
    Row("Mod", "y = y % 0.3"),
    Row("Pow", "y = y ** x"),
    Row("LShift", "y = y * (1 << 2)", "y = y << x", "of integers"),
    Row("RShift", "y = y * (8 >> 2)", "y = y >> x", "of integers"),
    Row("BitOr", "d = {'a': y, 'b': x} | {'b': 2 | 1}\ny = d['a'] * d['b']", "y = sum({y} | {x})",
        "of dicts, integers and truth values"),
    Row("BitXor", "y = y * (1 ^ 3)", "y = y ^ x", "of integers and truth values"),
    Row("BitAnd", "y = y * (3 & 2)", "y = y & x", "of integers and truth values"),
    Row("FloorDiv", "y = y * (7 // 2)"),
    Row("Invert", "y = y * ~1", "y = ~y", "of integers and truth values"),
    Row("Not", "if not y > 9.0: y = y * x"),
    Row("UAdd", "y = +y"),
    Row("USub", "y = -y"),
    Row("Eq", "if y == y: y = y * x"),
    Row("NotEq", "if y != x: y = y * x"),
    Row("Lt", "if y < x: y = y * x"),
    Row("LtE", "if y <= x: y = y * x"),
    Row("Gt", "if y > 0.0: y = y * x"),
    Row("GtE", "if y >= 0.0: y = y * x"),
    Row("Is", "if x is y: y = y * x"),
    Row("IsNot", "if x is not None: y = y * x"),
    Row("In", "if 2 in (1, 2): y = y * x"),
    Row("NotIn", "if 3 not in (1, 2): y = y * x"),
]
PATTERNS = [
    Row("match_case", "match y:\n    case t if t > 0.0: y = t * x\n    case _: y = x"),
    Row("MatchValue", "match 2:\n    case 2: y = y * x"),
    Row("MatchSingleton", "match None:\n    case None: y = y * x"),
    Row("MatchSequence", "match (y, x):\n    case [a, b]: y = a * b"),
    Row("MatchMapping", "match {'k': 1, 'v': y}:\n    case {'k': 1, **rest}: y = rest['v'] * x"),
    Row("MatchClass", "match y:\n    case float(): y = y * x"),
    Row("MatchStar", "match (y, x, x):\n    case [a, *b]: y = a * b[0]"),
    Row("MatchAs", "match y:\n    case t: y = t * x"),
    Row("MatchOr", "match 2:\n    case 1 | 2: y = y * x"),
]
PARTS = [
    Row("comprehension", "y = sum([y * i for i in range(4) if i % 2])", "async def f(x): return [v async for v in x]"),
    Row("ExceptHandler", "try: y = y * x\nexcept ValueError as error: y = x"),
    Row("arguments", "def g(a, /, b=2.0, *c, d=3.0): return a * b * d\ny = g(y, x)",
        note="of f itself too"),
    Row("arg", "def g(t: float): return t * x\ny = g(y)"),
    Row("keyword", "def g(t, u): return t * u\ny = g(u=x, t=y)"),
    Row("alias", "import math as m\ny = y * m.cos(x)"),
    Row("withitem", "with np.errstate(all='ignore') as state: y = y * x"),
    Row("Load", "y = y * x"),
    Row("Store", "y = x"),
    Row("Del", "t = x\ndel t"),
    Row("TypeVar", "def g[T](t: T) -> T: return t * x\ny = g(y)", note="from Python 3.12 on"),
    Row("ParamSpec", "def g[**P](t: float): return t * x\ny = g(y)", note="from Python 3.12 on"),
    Row("TypeVarTuple", "def g[*Ts](t: float): return t * x\ny = g(y)", note="from Python 3.12 on"),
]
GROUPS = {"Statements": STATEMENTS, "Expressions": EXPRESSIONS, "Operators": OPERATORS, "Patterns of `match`": PATTERNS,
          "Parts of statements and expressions": PARTS}
ROWS = [row for rows in GROUPS.values() for row in rows]


def program(example: str) -> str:
    """The text of `f`."""
    if example.startswith(("async def f", "def f", "def make")):
        return example + "\n"
    return textwrap.dedent("def f(x):\n    y = x * x\n" + textwrap.indent(example, "    ") + "\n    return y\n")


def nodes_of_python() -> set[str]:
    """The classes of nodes that a text of this version of Python can have."""
    old = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice", "Suite", "AugLoad",
           "AugStore", "Param"}
    return {cls.__name__ for cls in _below(ast.AST) if cls.__module__ in ("ast", "_ast") and cls.__name__ not in old
            and all(sub.__name__ in old for sub in cls.__subclasses__())}


def _below(cls: type) -> list[type]:
    return [one for sub in cls.__subclasses__() for one in [sub, *_below(sub)]]


def _shown(example: str) -> str:
    """An example on one line, in backquotes."""
    return f"`{' ⏎ '.join(line.strip() for line in example.splitlines())}`".replace("|", "\\|")


def _lines(row: Row) -> list[str]:
    """A line for what is differentiated, and one for what is refused."""
    first = f"| {row.node} | {row.status} | {_shown(row.right or row.refused)} | {row.note} |\n"
    return [first, f"| | refused | {_shown(row.refused)} | |\n"] if row.right and row.refused else [first]


def table() -> str:
    """The part of the page that is made."""
    parts = []
    for title, rows in GROUPS.items():
        parts.append(f"### {title}\n\n| node | | example | |\n"
                     "|---|---|---|---|\n" + "".join(line for row in rows for line in _lines(row)))
    return "\n".join(parts)


def page(text: str) -> str:
    """A page with the table in its place."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + "\n" + table() + "\n" + END + rest.partition(END)[2]


def main() -> int:
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

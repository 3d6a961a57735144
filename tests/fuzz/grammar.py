"""Random programs over the accepted language, drawn as data so that they shrink, rendered to text.

An expression is `(type, template, *children)`; the types are `s` a scalar, `v` an array of 3, `m` a 3 by 3 array, `b` a
condition, `c` an array of 3 conditions, `k` an int. A leaf has no children. A statement is one of

    ("let", names, expressions)           a = e        a, b = e1, e2       (one name and one expression, or as many)
    ("unpack", names, expression)         a, b = e
    ("chain", names, expression)          a = b = e
    ("aug", name, operator, expression)   a += e
    ("store", name, index, operator, e)   y[i] = e     y[1:] += e
    ("if", condition, block, block)       the last block may be empty
    ("for", target, iterable, block)
    ("while", counter, condition, block)  counted, so that it ends; the condition may be None
    ("return", expression)  ("break",)  ("continue",)
    ("call", expression)                  f(a)                             (in the programs of mutating.py)

Every variable has one type for its whole life. Arrays that are written to (`buffers`) are made by an operation and
never get a second name, except in *wild* programs, of which the verdict may be refused but must not be wrong. Those
with one of the `habits` count as wild.
"""
from __future__ import annotations

import random
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import habits

Expr = tuple[Any, ...]
Stmt = tuple[Any, ...]
Block = tuple[Stmt, ...]

NAMES = ("x", "y", "z", "a", "b", "c", "t", "u", "w", "s", "p", "q")
CLASHES = (
    "bx", "dx", "by", "dy", "x_saved", "y_saved", "rt", "_stack", "tape", "bf", "df", "df_dx", "tf_dx", "g", "seed",
    "value", "cond", "ret", "x_0", "x1", "_", "bbx", "f_fwd", "i_count", "done", "bh1", "np_", "residuals", "t_1")


@dataclass(frozen=True)
class Helper:
    """A function that `f`, or a later helper, calls. default: of the last parameter, or None."""

    name: str
    params: tuple[tuple[str, str], ...]
    results: tuple[str, ...]
    body: Block
    default: float | None = None


@dataclass(frozen=True)
class Program:
    """`f` with its helpers, and the arguments it is run at."""

    params: tuple[tuple[str, str], ...]
    body: Block
    helpers: tuple[Helper, ...] = ()
    args: tuple[Any, ...] = ()
    wild: bool = False
    prelude: tuple[str, ...] = ()               # functions as they are, of the module
    inner: bool = False                         # they stand in `f`

    @property
    def text(self) -> str:
        """The whole program."""
        parts = [render_function(h.name, h.params, h.body, h.default) for h in self.helpers]
        head, *body = render_function("f", self.params, self.body).split("\n")
        before = [] if self.inner else self.prelude
        inside = [textwrap.indent(one, "    ") for one in self.prelude] if self.inner else []
        return "\n\n".join([*before, *parts, "\n".join([head, *inside, *body])]) + "\n"

    @property
    def wrt(self) -> tuple[int, ...]:
        """Every parameter but the ints."""
        return tuple(i for i, (_, kind) in enumerate(self.params) if kind != "k")


# ------------------------------------------------------------------ rendering
def render(expr: Expr) -> str:
    """An expression as text; compound children are put in parentheses where the template asks by `{}`."""
    _, template, *children = expr
    return template.format(*[render(child) for child in children]) if children else template


def render_function(name: str, params: tuple[tuple[str, str], ...], body: Block, default: float | None = None) -> str:
    """A def."""
    names = [n for n, _ in params]
    if default is not None:
        names[-1] += f"={default}"
    return f"def {name}({', '.join(names)}):\n" + "\n".join(render_block(body, 1))


def render_block(block: Block, depth: int) -> list[str]:
    """The lines of a block."""
    lines: list[str] = []
    for statement in block:
        lines += render_statement(statement, depth)
    return lines or ["    " * depth + "pass"]


def render_statement(statement: Stmt, depth: int) -> list[str]:
    """The lines of a statement."""
    pad = "    " * depth
    match statement:
        case ("let", names, exprs):
            return [f"{pad}{', '.join(names)} = {', '.join(render(e) for e in exprs)}"]
        case ("unpack", names, expr):
            return [f"{pad}{', '.join(names)} = {render(expr)}"]
        case ("chain", names, expr):
            return [f"{pad}{' = '.join(names)} = {render(expr)}"]
        case ("aug", name, operator, expr):
            return [f"{pad}{name} {operator}= {render(expr)}"]
        case ("store", name, index, operator, expr):
            return [f"{pad}{name}[{index}] {operator}= {render(expr)}"]
        case ("if", test, then, other):
            lines = [f"{pad}if {render(test)}:", *render_block(then, depth + 1)]
            if len(other) == 1 and other[0][0] == "if":
                first, *rest = render_statement(other[0], depth)
                return [*lines, pad + "el" + first.lstrip(), *rest]
            return [*lines, f"{pad}else:", *render_block(other, depth + 1)] if other else lines
        case ("for", target, iterable, block):
            return [f"{pad}for {target} in {render(iterable)}:", *render_block(block, depth + 1)]
        case ("while", counter, trips, test, block):
            more = "" if test is None else f" and {render(test)}"
            return [f"{pad}{counter} = 0", f"{pad}while {counter} < {trips}{more}:", f"{pad}    {counter} += 1",
                    *(render_block(block, depth + 1) if block else [])]
        case ("return", expr):
            return [f"{pad}return {render(expr)}"]
        case ("call", expr):
            return [pad + render(expr)]
        case (word,):
            return [pad + word]
    raise AssertionError(statement)


# ------------------------------------------------------------------ the grammar of expressions
# `{}` children are put in as they are: templates carry the parentheses. Each keeps values of moderate size.
SCALAR_UNARY = (
    "np.sin({})", "np.cos({})", "np.tanh({})", "np.exp(-({}) ** 2)", "np.exp(np.tanh({}))", "np.arctan({})",
    "np.log(1.5 + ({}) ** 2)", "np.sqrt(1.0 + ({}) ** 2)", "(-({}))", "np.square({})", "np.abs({})",
    "np.sinh(np.sin({}))", "np.cosh(np.sin({}))", "np.log1p(({}) ** 2)", "np.expm1(np.tanh({}))",
    "np.arcsin(0.6 * np.sin({}))", "np.arccos(0.6 * np.cos({}))", "np.tan(0.5 * np.sin({}))", "({}) ** 3",
    "(({}) * 0.7 + 0.2)", "1.0 / (1.0 + np.exp(-({})))", "np.maximum({}, 0.13)", "np.clip({}, -0.83, 0.91)",
    "(1.4 + ({}) ** 2) ** -2", "({}) ** 2.0")
SCALAR_ONLY_UNARY = (
    "math.sin({})", "math.exp(math.tanh({}))", "abs({})", "math.sqrt(1.0 + ({}) ** 2)", "max({}, 0.21)",
    "min({}, 0.45, 1.0)", "float({})")
BINARY = (
    "({} + {})", "({} - {})", "{} * {}", "({} * {} + 0.3)", "({}) / (2.0 + ({}) ** 2)",
    "(1.3 + ({}) ** 2) ** np.tanh({})", "np.maximum({}, {})", "np.minimum({}, {})", "np.multiply({}, {})",
    "np.where({} > 0.1, 1.0, 0.5) * {}", "np.add({}, {})")
REDUCE = (
    "np.sum({v})", "np.mean({v})", "np.max({v})", "np.min({v})", "np.dot({v}, {v})", "(({v}) @ ({v}))", "{n}.sum()",
    "{n}.mean()", "{n}.dot({v})", "np.sum({m})", "np.sum({v} * {v})", "np.sum(({v})[1:] * ({v})[:-1])", "{nm}[1, 2]",
    "{nm}[0][1]", "np.mean({m})", "np.max({m})", "np.sum(({v})[{c}])", "sum({v})", "np.sum({v}, axis=0)",
    "np.sum({nm}, axis=(0, 1))", "np.mean({n} * {v}, axis=-1)")
ELEMENT = ("{n}[0]", "{n}[1]", "{n}[-1]", "{n}[{k} % 3]", "{n}[2 - {k} % 2]", "{nm}[{k} % 3, 0]")
VECTOR_FORMS = (
    "({v} + {s})", "{v} * {s}", "{s} * {v}", "({s} - {v})", "({v}) / (2.0 + ({s}) ** 2)", "(1.3 + ({v}) ** 2) ** 1.5",
    "({v})[[0, 0, 2]]", "({v})[[2, 1, 1]]", "({v})[[1, 1, 0]]", "({v})[[0, 2, 0]]", "({v})[::-1]",
    "({v})[np.array([1, 0, 1])]",
    "np.concatenate((({v})[1:], ({v})[:1]))", "np.concatenate([({v})[:2], np.array([{s}])])",
    "np.where({c}, {v}, {v})", "np.where({c}, {s}, {v})", "np.where({b}, {v}, {v})", "np.clip({v}, -0.72, {s})",
    "np.array([{s}, {s}, {s}])", "np.stack([{s}, {s}, {s}])", "np.full(3, {s})", "(np.zeros_like({v}) + {s})",
    "np.dot({m}, {v})", "(({m}) @ ({v}))", "(({v}) @ ({m}))", "np.dot({v}, {m})", "np.sum({m}, axis=0)",
    "({m}).sum(axis=1)", "np.mean({m}, axis=-1)", "np.max({m}, axis=0)", "np.min({m}, axis=1)", "({m})[0]",
    "({m})[:, 1]", "({m}).T[2]", "({v}) / (1.0 + np.sum(({v}) ** 2))", "np.reshape({m}, (9,))[::4]",
    "({m}).ravel()[2:5]", "np.squeeze(np.expand_dims({v}, 0), axis=0)", "({v})[:, None][:, 0]", "({v})[None, :][0]",
    "({v}).copy()", "({v}).reshape(3)", "({m}).reshape(-1)[6:]", "np.sum({m}, axis=1, keepdims=True)[:, 0]",
    "({m})[[0, 1, 1], [2, 0, 0]]", "np.ones_like({v}) * {s}", "np.maximum({v}, {s})",
    "np.outer({v}, {v}).sum(axis=0)", "({v}) ** 2", "({v}).astype(float)", "({v})[...]",
    "np.concatenate((({v})[-1:], ({v})[0:2]))")
VECTOR_LEAVES = (
    "np.array([1.1, -0.6, 0.8])", "np.ones(3)", "np.arange(3.0)", "np.linspace(-0.9, 0.8, 3)", "np.full(3, 0.7)")
MATRIX_FORMS = (
    "np.outer({v}, {v})", "({v})[:, None] * ({v})[None, :]", "({m}) * ({v})", "({m} + {s})", "(({m}) @ ({m}))",
    "np.dot({m}, {m})", "({m}).T", "np.transpose({m})", "np.tanh({m})", "np.sin({m})",
    "({m}) / (1.0 + np.sum(({m}) ** 2, axis=1, keepdims=True))", "({m} - np.mean({m}, axis=0, keepdims=True))",
    "np.stack([{v}, {v}, {v}])", "np.stack(({v}, {v}, {v}), axis=1)", "np.eye(3) * {s}",
    "np.reshape(np.concatenate(({v}, {v}, {v})), (3, 3))", "np.where({m} > 0.1, {v}, {m})", "({m} + {m})",
    "({m}) * {s}", "({v} + {m})", "({m})[::-1]", "({m})[[0, 2, 0]]", "({m})[:, [1, 1, 0]]", "np.maximum({m}, {v})")
CONDITIONS = (
    "{s} > 0.23", "{s} < {s}", "0.07 < {s} < 1.31", "np.sum({v}) > 0.17", "{s} > -0.41 and {s} < 0.77",
    "not {s} > 0.33", "({s} > 0.57 or {s} < -0.29)", "{n}[0] > {n}[1]", "np.any({v} > 0.71)", "-0.3 <= {s} != 0.61")
INACTIVE = (
    "{k} % 2 == 0", "{k} > 1", "{k} == 1", "len({n}) > 2", "{n}.shape[0] == 4", "{k} in (0, 2)", "not {k}",
    "{k} != 2")
HOLE = re.compile(r"\{(\w*)\}")


SHARING = {"({})[::-1]", "({})[0]", "({})[:, 1]", "({}).T[2]", "({}).ravel()[2:5]", "np.reshape({}, (9,))[::4]",
           "np.squeeze(np.expand_dims({}, 0), axis=0)", "({})[:, None][:, 0]", "({})[None, :][0]", "({}).reshape(3)",
           "({}).reshape(-1)[6:]", "({})[...]", "({}).T", "np.transpose({})", "{}"}


def shares(expr: Expr) -> set[str]:
    """The variables with which the value of an array expression may share memory."""
    kind, template, *children = expr
    if kind not in "vmt":
        return set()
    if not children:
        return {template}
    if template in SHARING or re.match(r"h\d\(", template) or kind == "t":
        return {name for child in children for name in shares(child)}
    return set()


@dataclass
class Scope:
    """What a block may use: the type of each name bound for certain, who may be written to, who is an int."""

    types: dict[str, str] = field(default_factory=dict)
    buffers: set[str] = field(default_factory=set)
    numbers: set[str] = field(default_factory=set)      # scalars for certain, by how they were made
    loops: int = 0

    def of(self, kind: str) -> list[str]:
        return [n for n, k in self.types.items() if k == kind]

    def copy(self) -> Scope:
        return Scope(dict(self.types), set(self.buffers), set(self.numbers), self.loops)


class Generator:
    """Draws one program from one seed."""

    def __init__(self, seed: int, size: int = 7) -> None:
        self.rng = random.Random(seed)
        self.size = size
        self.helpers: list[Helper] = []
        self.wild = self.rng.random() < 0.03
        self.used: set[str] = set()
        self.constants: set[str] = set()
        self.habit = habits.chosen(self)
        self.habitual = False
        self.prelude: list[str] = []

    # -------------------------------------------------------------- names
    def name(self) -> str:
        pool = CLASHES if self.rng.random() < 0.25 else NAMES
        free = [n for n in pool if n not in self.used] or [n for n in (*NAMES, *CLASHES) if n not in self.used]
        chosen = self.rng.choice(free)
        self.used.add(chosen)
        return chosen

    def new(self, kind: str) -> str:
        """A name for a new variable of a type."""
        return self.name()

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    # -------------------------------------------------------------- expressions
    def fill(self, kind: str, template: str, scope: Scope, depth: int, default: str = "s") -> Expr | None:
        """A template with its holes filled; None where there is no name of the type it asks for."""
        children: list[Expr] = []
        for hole in HOLE.findall(template):
            want = hole or default
            if want in ("n", "nm"):
                names = scope.of("v" if want == "n" else "m")
                if not names:
                    return None
                children.append(("v" if want == "n" else "m", self.rng.choice(names)))
            elif want == "k":
                if not (ints := scope.of("k")):
                    return None
                children.append(("k", self.rng.choice(ints)))
            else:
                children.append(self.expr(want, scope, depth - 1))
        return (kind, HOLE.sub("{}", template), *children)

    def expr(self, kind: str, scope: Scope, depth: int) -> Expr:
        """A random expression."""
        if kind == "b":
            return self.condition(scope, depth)
        if kind == "c":
            return ("c", "np.array([True, False, True])") if self.chance(0.15) else \
                self.made("c", self.rng.choice(("{v} > 0.12", "{v} < {v}", "{v} >= {s}", "{v} != 0.0")), scope, depth)
        if depth <= 0 or self.chance(0.2):
            return self.leaf(kind, scope)
        calls = [h for h in self.helpers if h.results == (kind,)]
        if calls and self.chance(0.2):
            return self.call(self.rng.choice(calls), scope, depth)
        for _ in range(8):
            template, default = self.template(kind)
            made = self.fill(kind, template, scope, depth, default)
            if made is not None:
                return made
        return self.leaf(kind, scope)

    def made(self, kind: str, template: str, scope: Scope, depth: int) -> Expr:
        return self.fill(kind, template, scope, depth) or self.leaf(kind, scope)

    def template(self, kind: str) -> tuple[str, str]:
        """A template and the type of its unnamed holes."""
        roll = self.rng.random()
        pick = self.rng.choice
        if kind == "s":
            if roll < 0.25:
                return pick(SCALAR_UNARY), "s"
            if roll < 0.32:
                return pick(SCALAR_ONLY_UNARY), "s"
            if roll < 0.57:
                return pick(BINARY), "s"
            if roll < 0.62:
                return "({s} if {b} else {s})", "s"
            return (pick(ELEMENT) if roll < 0.75 else pick(REDUCE)), "s"
        if kind == "v":
            if roll < 0.25:
                return pick(SCALAR_UNARY), "v"
            return (pick(BINARY), "v") if roll < 0.5 else (pick(VECTOR_FORMS), "v")
        return pick(MATRIX_FORMS), "m"

    def leaf(self, kind: str, scope: Scope) -> Expr:
        names = scope.of(kind)
        if names and self.chance(0.85):
            return (kind, self.rng.choice(names))
        if kind == "s":
            vectors = scope.of("v")
            if vectors and self.chance(0.4):
                return ("s", f"{self.rng.choice(vectors)}[{self.rng.choice((0, 1, -1))}]")
            return ("s", repr(round(self.rng.uniform(-1.5, 1.5), 2) or 0.5))
        if kind == "v":
            return ("v", self.rng.choice(VECTOR_LEAVES))
        if vectors := scope.of("v"):
            return ("m", f"np.outer({self.rng.choice(vectors)}, {self.rng.choice(vectors)})")
        return ("m", "np.eye(3)")

    def condition(self, scope: Scope, depth: int) -> Expr:
        pool = INACTIVE if scope.of("k") and self.chance(0.4) else CONDITIONS
        for _ in range(6):
            made = self.fill("b", self.rng.choice(pool), scope, min(depth, 2))
            if made is not None:
                return made
        return ("b", "{} > 0.19", self.leaf("s", scope))

    def call(self, helper: Helper, scope: Scope, depth: int) -> Expr:
        """A call of a helper: by position or keyword, the default taken or not."""
        params = helper.params[:-1] if helper.default is not None and self.chance(0.5) else helper.params
        parts, children, keywords = [], [], self.chance(0.25)
        for i, (name, kind) in enumerate(params):
            if kind == "k":
                ints = scope.of("k")
                text = self.rng.choice(ints) + " % 3" if ints and self.chance(0.3) else str(self.rng.randrange(4))
                children.append(("k", text))
            else:
                children.append(self.expr(kind, scope, depth - 2))
            parts.append(f"{name}={{}}" if keywords and i else "{}")
        kind = helper.results[0] if len(helper.results) == 1 else "t"
        return (kind, f"{helper.name}({', '.join(parts)})", *children)

    # -------------------------------------------------------------- statements
    def block(self, scope: Scope, count: int, depth: int, result: str | None) -> Block:
        """`count` statements; result: the type a `return` in here gives, or None where there is none."""
        statements: list[Stmt] = []
        for _ in range(count):
            if self.habit and self.chance(0.25):
                statements += habits.drawn(self, scope)
            statements += self.statement(scope, depth, result)
            if statements and statements[-1][0] in ("break", "continue", "return"):
                break
        return tuple(statements)

    def statement(self, scope: Scope, depth: int, result: str | None) -> list[Stmt]:
        roll = self.rng.random()
        if depth > 0:
            if roll < 0.13:
                return [self.branch(scope, depth, result)]
            if roll < 0.28:
                return [self.loop(scope, depth, result)]
            if roll < 0.34:
                return [self.counted(scope, depth, result)]
        if scope.loops and roll < 0.42:
            word = self.rng.choice(("break", "continue"))
            inside = scope.copy()
            before = self.block(inside, self.rng.randrange(2), 0, None)
            return [("if", self.condition(scope, 2), (*before, (word,)), ())]
        if result and roll < 0.47 and self.chance(0.5):
            return [("if", self.condition(scope, 2), (("return", self.result(result, scope)),), ())]
        if scope.buffers and roll < 0.66:
            return [self.store(scope)]
        if roll < 0.74 and (found := self.augment(scope)):
            return [found]
        if roll < 0.80:
            return [self.buffer(scope)]
        return [self.assign(scope)]

    def assign(self, scope: Scope) -> Stmt:
        roll = self.rng.random()
        several = [h for h in self.helpers if len(h.results) > 1]
        if several and roll < 0.25:
            helper = self.rng.choice(several)
            expr = self.call(helper, scope, 3)
            if shares(expr) & scope.buffers:
                expr = self.call(helper, Scope({n: k for n, k in scope.types.items() if n not in scope.buffers}), 3)
            return ("unpack", self.targets("".join(helper.results), scope), expr)
        if roll < 0.33:
            return self.swap(scope)
        kind = self.rng.choices("svm", (5, 5, 1))[0]
        expr = self.owned(self.expr(kind, scope, 3), scope)
        if roll < 0.38:
            return ("chain", self.targets(kind * 2, scope), expr)
        if roll < 0.42 and scope.of("v"):
            value: Expr = ("v", "{}", self.expr("v", scope, 2))
            return ("unpack", self.targets("sss", scope), value)
        if self.wild and self.chance(0.3) and (vectors := scope.of("v")):
            other = self.rng.choice(vectors)
            name = self.target("v", scope)
            scope.buffers |= {name, other}
            return ("let", (name,), (("v", other + self.rng.choice(("", "[::-1]", "[:]", ".T"))),))
        return ("let", (self.target(kind, scope, expr),), (expr,))

    def owned(self, expr: Expr, scope: Scope) -> Expr:
        """The expression, or a copy of its value where it could give a buffer a second name."""
        if not self.wild and shares(expr) & scope.buffers:
            return (expr[0], "({}) * 1.0", expr)
        return expr

    def target(self, kind: str, scope: Scope, expr: Expr | None = None) -> str:
        """A name to bind: an old one of the type, or a new one. It is bound from here on, and no buffer any more."""
        old = [n for n in scope.of(kind) if n not in scope.buffers]
        name = self.rng.choice(old) if old and self.chance(0.55) else self.name()
        scope.types[name] = kind
        scope.numbers.discard(name)
        if expr is not None and kind == "s" and expr[1].startswith(("np.sum({})", "np.mean({})", "np.dot(")):
            scope.numbers.add(name)
        return name

    def targets(self, kinds: str, scope: Scope) -> tuple[str, ...]:
        names: list[str] = []
        for kind in kinds:
            name = self.target(kind, scope)
            while name in names:
                name = self.name()
                scope.types[name] = kind
            names.append(name)
        return tuple(names)

    def swap(self, scope: Scope) -> Stmt:
        """Two or three names at once, old values on the right."""
        kind = self.rng.choice("sv")
        old = [n for n in scope.of(kind) if n not in scope.buffers]
        if len(old) < 2:
            value = self.owned(self.expr(kind, scope, 2), scope)
            return ("let", (self.target(kind, scope),), (value,))
        names = self.rng.sample(old, min(len(old), self.rng.choice((2, 2, 3))))
        sources: list[Expr] = [(kind, n) for n in names[1:] + names[:1]]
        if self.chance(0.6):
            at = self.rng.randrange(len(sources))
            sources[at] = self.owned(self.expr(kind, scope, 2), scope)
        scope.numbers -= set(names)
        return ("let", tuple(names), tuple(sources))

    def augment(self, scope: Scope) -> Stmt | None:
        pool = [*scope.numbers, *scope.buffers]
        if not pool:
            return None
        name = self.rng.choice(sorted(pool))
        kind = scope.types[name]
        operator, right = self.rng.choice("+-*+"), self.rng.choice("vs") if kind == "v" else kind
        return ("aug", name, operator, self.expr(right, scope, 2))

    def buffer(self, scope: Scope) -> Stmt:
        """A fresh array to write to, or a scalar to accumulate in."""
        if self.chance(0.35):
            name = self.name()
            scope.types[name] = "s"
            scope.numbers.add(name)
            return ("let", (name,), (("s", self.rng.choice(("0.0", "1.0", "0.5"))),))
        vectors = scope.of("v")
        makers = ["np.zeros(3)", "np.ones(3)", "np.full(3, 0.4)"]
        if vectors:
            x = self.rng.choice(vectors)
            makers += [f"{x}.copy()", f"np.zeros_like({x})", f"{x} * 1.0", f"np.copy({x})", f"np.zeros(len({x}))",
                       f"np.array({x})"]
        expr: Expr = ("v", self.rng.choice(makers)) if self.chance(0.7) else \
            ("v", "({} + {})", self.expr("v", scope, 1), self.expr("v", scope, 2))
        name = self.name()
        scope.types[name] = "v"
        scope.buffers.add(name)
        return ("let", (name,), (expr,))

    def store(self, scope: Scope) -> Stmt:
        name = self.rng.choice(sorted(scope.buffers))
        operator = self.rng.choice(("", "", "+", "*", "-"))
        ints = scope.of("k")
        roll = self.rng.random()
        if roll < 0.5:
            index = self.rng.choice(("0", "1", "-1", "2"))
            if ints and self.chance(0.7):
                k = self.rng.choice(ints)
                index = self.rng.choice((f"{k} % 3", f"-1 - {k} % 2", f"({k} + 1) % 3"))
            return ("store", name, index, operator, self.expr("s", scope, 2))
        if roll < 0.7:
            index, other = self.rng.choice((("1:", ":-1"), (":-1", "1:"), (":2", "::2"), ("::2", "1:")))
            source = self.rng.choice([name, *scope.of("v")])
            value: Expr = ("v", "{}[" + other + "]", ("v", source))
            if self.chance(0.5):
                value = ("v", "{}[" + other + "] * {}", ("v", source), self.expr("s", scope, 1))
            return ("store", name, index, operator, value)
        if roll < 0.85:
            index = self.rng.choice((":", "...", "::-1"))
            return ("store", name, index, operator, self.expr("v", scope, 2))
        return ("store", name, self.rng.choice(("1:", ":2", "::2")), operator, self.expr("s", scope, 2))

    def branch(self, scope: Scope, depth: int, result: str | None) -> Stmt:
        test = self.condition(scope, 2)
        left, right = scope.copy(), scope.copy()
        # a name to be bound in both branches
        then = list(self.block(left, self.rng.randrange(1, 3), depth - 1, result))
        other = list(self.block(right, self.rng.randrange(0, 3), depth - 1, result))
        if self.chance(0.4) and not (_ends(then) or _ends(other)):
            kind = self.rng.choice("sv")
            name = self.name()
            then.append(("let", (name,), (self.owned(self.expr(kind, left, 2), left),)))
            other.append(("let", (name,), (self.owned(self.expr(kind, right, 2), right),)))
            scope.types[name] = kind
        _meet(scope, left, right, then, other)
        return ("if", test, tuple(then), tuple(other))

    def loop(self, scope: Scope, depth: int, result: str | None) -> Stmt:
        inside = scope.copy()
        inside.loops += 1
        vectors = [n for n in scope.of("v") if n not in scope.buffers]
        roll = self.rng.random()
        counter = self.rng.choice([n for n in ("i", "j", "l", "k", "_i") if n not in scope.types] or [self.name()])
        if roll < 0.55 or not vectors:
            inside.types[counter] = "k"
            texts = ["range(3)", "range(2)", "range(1, 3)", "range(1)", "range(0)", "range(3, 0, -1)",
                     "reversed(range(3))", "[0, 2, 1]"]
            if ints := scope.of("k"):
                texts += [f"range({self.rng.choice(ints)})"] * 5
            target, iterable = counter, ("k", self.rng.choice(texts))
        elif roll < 0.7:
            target = self.name()
            inside.types[target] = "s"
            iterable = ("v", "{}", self.expr("v", scope, 1))
        elif roll < 0.8:
            value = self.name()
            inside.types |= {counter: "k", value: "s"}
            target, iterable = f"{counter}, {value}", ("v", "enumerate({})", self.expr("v", scope, 1))
        elif roll < 0.9:
            one, two = self.name(), self.name()
            inside.types |= {one: "s", two: "s"}
            target, iterable = f"{one}, {two}", ("v", "zip({}, {})", self.expr("v", scope, 1), self.expr("v", scope, 0))
        else:
            value = self.name()
            inside.types[value] = "s"
            target, iterable = value, ("s", "[{}, {}]", self.expr("s", scope, 1), self.expr("s", scope, 1))
        body = self.block(inside, self.rng.randrange(1, 4), depth - 1, result)
        _after_loop(scope, inside, body)
        return ("for", target, iterable, body)

    def counted(self, scope: Scope, depth: int, result: str | None) -> Stmt:
        inside = scope.copy()
        inside.loops += 1
        counter = self.rng.choice([n for n in ("k", "count", "i", "j") if n not in scope.types] or [self.name()])
        inside.types[counter] = "k"
        trips = self.rng.randrange(4)
        test = self.condition(scope, 1) if self.chance(0.5) else None
        body = self.block(inside, self.rng.randrange(1, 4), depth - 1, result)
        _after_loop(scope, inside, body)
        scope.types[counter] = "k"
        return ("while", counter, trips, test, body)

    def result(self, kind: str, scope: Scope) -> Expr:
        """An expression of the type that uses several variables."""
        if kind == "s":
            terms = [("s", n) for n in scope.of("s")] + [("s", "np.sum({} * {})", ("v", n), self.expr("v", scope, 1))
                                                         for n in scope.of("v")]
            terms += [("s", "np.sum({})", ("m", n)) for n in scope.of("m")]
        else:
            terms = [(kind, n) for n in scope.of(kind)]
        self.rng.shuffle(terms)
        total = self.expr(kind, scope, 2)
        for term in terms[:3]:
            total = (kind, self.rng.choice(("({} + {})", "({} - {})", "({} * 0.6 + {})")), total, term)
        return total

    # -------------------------------------------------------------- whole functions
    def helper(self, index: int) -> Helper:
        self.used = set()
        name = f"h{index}"
        kinds = [self.rng.choice("ssv") for _ in range(self.rng.randrange(1, 3))]
        params = [(self.name(), kind) for kind in kinds]
        scope = Scope(dict(params))
        results = tuple(self.rng.choice("sv") for _ in range(self.rng.choice((1, 1, 1, 2))))
        if self.chance(0.25) and len(results) == 1:         # recursion
            base = ("return", self.result(results[0], scope))
            first: Stmt = ("if", ("b", "k <= 0"), (base,), ())
            body = self.block(scope, self.rng.randrange(2), 0, None)
            parts = ", ".join(["{}"] * len(params)) + ", k - 1"
            again = (results[0], f"{name}({parts})", *[self.expr(kind, scope, 1) for kind in kinds])
            last = ("return", (results[0], self.rng.choice(("({} + {})", "{} * {}", "(0.5 * {} - {})")),
                               again, self.expr(results[0], scope, 1)))
            return Helper(name, (*params, ("k", "k")), results, (first, *body, last))
        default = None
        if kinds[-1] == "s" and self.chance(0.3):
            default = 0.4
        depth = self.rng.choice((0, 1, 1))
        body = self.block(scope, self.rng.randrange(1, 4), depth, results[0] if len(results) == 1 else None)
        values = [self.result(kind, scope) for kind in results]
        last = ("return", values[0] if len(values) == 1 else ("t", ", ".join(["{}"] * len(values)), *values))
        if _ends(list(body)):
            body = body[:-1]
        return Helper(name, tuple(params), results, (*body, last), default)

    def program(self) -> Program:
        for index in range(self.rng.choice((0, 0, 0, 1, 1, 2))):
            self.helpers.append(self.helper(index + 1))
        self.used = set()
        kinds = [self.rng.choice("sv") for _ in range(self.rng.randrange(1, 4))]
        params = [(self.name(), kind) for kind in kinds]
        if self.chance(0.4):
            params.append(("n", "k"))
        scope = Scope(dict(params))
        body = self.block(scope, self.rng.randrange(2, self.size), 2, "s")
        if _ends(list(body)):
            body = body[:-1]
        habit = tuple(habits.drawn(self, scope)) if self.habit and self.chance(0.6) else ()
        body = (*body, *habit, ("return", self.result("s", scope)))
        args = tuple(self.argument(kind) for _, kind in params)
        return without_unused(Program(tuple(params), body, tuple(self.helpers), args, self.wild or self.habitual,
                                      *self.before()))

    def before(self) -> tuple[tuple[str, ...], bool]:
        """The functions of the prelude, each once, and whether they stand in `f`."""
        texts = tuple(dict.fromkeys(self.prelude))
        return texts, bool(texts) and not self.helpers and self.chance(0.3)

    def argument(self, kind: str) -> Any:
        draw = lambda: round(self.rng.choice((-1, 1)) * self.rng.uniform(0.3, 1.3), 3)  # noqa: E731
        return {"s": draw, "v": lambda: [draw(), draw(), draw()], "k": lambda: self.rng.randrange(4)}[kind]()


def _ends(block: list[Stmt]) -> bool:
    return bool(block) and block[-1][0] in ("break", "continue", "return")


def _meet(scope: Scope, left: Scope, right: Scope, then: list[Stmt], other: list[Stmt]) -> None:
    """After an if: what was there before and in both branches; a branch that leaves does not count."""
    sides = [s for s, b in ((left, then), (right, other)) if not _ends(b)] or [left]
    for name in list(scope.types):
        if any(s.types.get(name, scope.types[name]) != scope.types[name] for s in sides):
            del scope.types[name]
    scope.buffers = {n for n in scope.buffers if all(n in s.buffers for s in sides) and n in scope.types}
    scope.numbers = {n for n in scope.numbers if all(n in s.numbers for s in sides) and n in scope.types}


def _after_loop(scope: Scope, inside: Scope, body: Block) -> None:
    """After a loop that may not run: what was there before."""
    scope.buffers &= inside.buffers
    scope.numbers &= inside.numbers


def without_unused(program: Program) -> Program:
    """Leave out helpers that nothing calls."""
    helpers = list(program.helpers)
    while True:
        texts = {h.name: render_function(h.name, h.params, h.body) for h in helpers}
        main = render_function("f", program.params, program.body)
        kept = [h for h in helpers if re.search(rf"\b{h.name}\(", main)
                or any(re.search(rf"\b{h.name}\(", t) for n, t in texts.items() if n != h.name)]
        if len(kept) == len(helpers):
            return replace(program, helpers=tuple(kept))
        helpers = kept


def generate(seed: int, size: int = 7) -> Program:
    """The program of a seed."""
    return Generator(seed, size).program()


FEATURES: dict[str, str] = {
    "for": r"^ *for ", "while": r"^ *while ", "nested loops": "",
    "if": r"^ *if ", "elif": r"^ *elif ", "ternary": r" if .* else ", "break": r"^ *break", "continue": r"^ *continue",
    "early return": r"return (?s:.*)return ", "helper call": r"\bh\d\(", "recursion": r"k - 1\)",
    "index write": r"^ +\w+\[.*\] *=", "augmented write": r"^ +\w+\[.*\] [-+*]=", "augmented name": r"^ +\w+ [-+*]=",
    "slice write": r"^ +\w+\[[^\]]*:[^\]]*\] ", "repeated fancy index": r"\[\[0, 0|\[2, 1, 1\]\]|1, 0, 1\]",
    "where": r"np\.where", "dot or @": r"np\.dot| @ |\.dot\(", "axis": r"axis=", "keepdims": r"keepdims",
    "max or min": r"(max|min)(imum)?\(", "tuple assignment": r"^ +\w+, \w+.* = ",
    "name clash": r"\b(" + "|".join(CLASHES) + r")\b", "zero-trip loop": r"range\(0\)|< 0", **habits.FEATURES}


def nests(text: str) -> bool:
    """A loop stands inside of another one."""
    around: list[int] = []
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        around = [i for i in around if i < indent]
        if line.lstrip().startswith(("for ", "while ")):
            if around:
                return True
            around.append(indent)
    return False


def features(program: Program) -> Iterator[str]:
    """What a program has in it."""
    text = program.text
    for name, pattern in FEATURES.items():
        if re.search(pattern, text, re.M) if pattern else nests(text):
            yield name
    if program.wild:
        yield "wild"

"""Expressions, scopes and blocks for the programs of real_programs.py: texts with holes that are filled in turn.

A hole is a letter in braces: `{s}` a number, `{v}` an array of 3, `{b}` a condition, `{I}` what is gone over and gives
numbers, `{J}` mostly a list of them, `{C}` the name of a function of one number, `{F}` such a function or a lambda,
`{G}` one without defaults, `{V}` a function of an array that gives a number, `{t}` a number computed of the variable
`t` of a lambda or a comprehension. What a theme can give for a hole, it adds to `Draw.forms`.
"""
from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

POOLS = {
    "s": ("y", "z", "total", "rate", "gain", "cost", "a", "b", "c", "p", "q", "r", "h"),
    "v": ("u", "w", "row", "force", "field", "weights"), "L": ("values", "items", "parts", "history"),
    "D": ("state", "params", "table", "found"), "k": ("n", "count", "turn"), "C": ("g", "step", "act", "link", "rule"),
    "V": ("loss", "energy", "penalty"), "O": ("model", "unit", "layer", "body"), "N": ("models", "units", "layers")}
HOLE = re.compile(r"\{([a-zA-Z])\}")
Form = tuple[float, Any]                        # a weight, and a template or a function of (draw, scope, depth)


class Scope:
    """The names of a function, with their types."""

    def __init__(self, names: dict[str, str], loops: int = 0, read: frozenset[str] = frozenset()) -> None:
        self.names, self.loops, self.read = names, loops, read

    def reads(self) -> None:
        """A function was defined here: what it may read is not bound again, but now and then."""
        self.read = self.read | self.names.keys()

    def free(self, kind: str) -> list[str]:
        """Names that may be bound again."""
        return [name for name in self.of(kind) if name not in self.read]

    def of(self, kind: str) -> list[str]:
        return [name for name, one in self.names.items() if one == kind]

    def copy(self, **names: str) -> Scope:
        return Scope(self.names | names, self.loops, self.read)

    def new(self, kind: str, *, of: str = "") -> str:
        """A new name. of: its type, where that is not the letter of its pool."""
        pool = POOLS[kind]
        name = next(n for n in (*pool, *(f"{n}{i}" for i in range(1, 90) for n in pool)) if n not in self.names)
        self.names[name] = of or kind
        return name


NUMBERS: tuple[Form, ...] = (
    (3, "({s} + {s})"), (3, "({s} * {s})"), (1.5, "({s} - {s})"), (2, "np.sin({s})"), (2, "np.tanh({s})"),
                             (1, "np.exp(-{s} ** 2)"),
    (1, "np.sqrt({s} ** 2 + 1.0)"), (1, "({s} / (1.0 + {s} ** 2))"), (0.6, "math.cos({s})"), (1, "np.sum({v} * {v})"),
    (0.6, "({v} @ {v})"), (0.5, "np.mean({v})"), (1, "({s} if {b} else {s})"), (0.6, "max({s}, {s})"),
                             (0.4, "abs({s})"),
    (2, "{C}({s})"), (1, "{V}({v})"), (2.5, "sum({I})"), (0.3, "float({s})"), (0.3, "np.clip({s}, -1.3, 1.4)"))
ARRAYS: tuple[Form, ...] = (
    (2, "np.sin({v})"), (2, "({v} * {s})"), (2, "({v} + {v})"), (1, "np.tanh({v})"), (1, "({v} * {v})"),
    (1.5, "np.array([{s}, {s}, {s}])"), (0.5, "np.where({v} > 0.1, {v}, {v} * 0.3)"), (0.4, "np.maximum({v}, {s})"),
                            (0.3, "{v}[::-1]"))
CONDITIONS: tuple[Form, ...] = ((3, "{s} > 0.2"), (2, "{s} < {s}"), (0.5, "0.0 < {s} < 1.5"), (0.5, "not {s} > 0.9"),
                                (0.5, "{s} > 0.0 and {s} < 2.0"), (0.4, "{s} > 1.0 or {s} < 0.3"))
FUNCTIONS: tuple[Form, ...] = ((1, "np.tanh"), (1, "np.sin"), (0.5, "math.sin"))
ITERABLES: tuple[Form, ...] = ((2, "[{s}, {s}, {s}]"), (1.2, "[{t} for t in {I}]"), (0.6, "({s}, {s})"), (0.5, "{v}"))
OF_T = ("t * {s}", "np.sin(t) + {s}", "t ** 2", "np.tanh(t * {s})", "t * t * {s} + t", "{s} - t",
        "np.exp(-t * t) * {s}", "0.5 * t")


class Draw:
    """One program while it is drawn."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"real {seed}")
        self.module: list[str] = []
        self.forms: dict[str, list[Form]] = {
            "s": list(NUMBERS), "v": list(ARRAYS), "b": list(CONDITIONS), "C": list(FUNCTIONS), "V": [(1, "np.sum")],
            "I": list(ITERABLES)}
        self.statements: list[tuple[float, Callable[[Scope, int], list[str] | None]]] = []
        self.classes: dict[str, Any] = {}
        self.given: list[tuple[str, str, str]] = []              # parameters of f that are objects: name, type, text
        self.taken: set[str] = set()                             # names of the module

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def pick(self, *options: Any) -> Any:
        return self.rng.choice(options)

    def usual(self, usual: tuple[Any, ...], rare: tuple[Any, ...]) -> Any:
        """One of the first, or now and then what is mostly refused."""
        return self.pick(*rare) if self.chance(0.06) else self.pick(*usual)

    def weighted(self, forms: list[Form]) -> Any:
        return self.rng.choices([form for _, form in forms], [weight for weight, _ in forms])[0]

    def global_name(self, *bases: str) -> str:
        """A name of the module that is free."""
        first = self.rng.randrange(len(bases))
        bases = bases[first:] + bases[:first]
        name = next(n for n in (*bases, *(f"{base}_{i}" for i in range(2, 40) for base in bases))
                    if n not in self.taken)
        self.taken.add(name)
        return name

    # ---------------------------------------------------------------- expressions
    def number(self) -> str:
        return self.pick("0.3", "0.5", "0.7", "1.2", "1.5", "-0.4", "0.9", "2.0")

    def expr(self, kind: str, scope: Scope, depth: int) -> str:
        if kind == "t":
            return self.fill(self.pick(*OF_T), scope.copy(), depth - 1)
        if kind == "G":
            return self.fill("lambda t: {t}", scope, depth - 1) if self.chance(0.5) else self.pick("np.tanh", "np.sin")
        if kind == "F":
            return self.fill("lambda t: {t}", scope, depth - 1) if self.chance(0.35) else self.expr("C", scope, depth)
        names = scope.of(kind)
        if kind in "CV" and names and self.chance(0.6):
            return self.pick(*names)
        if kind == "J" and self.chance(0.85):
            return self.pick(*lists) if (lists := scope.of("L")) and self.chance(0.5) else self.fill("[{s}, {s}]",
                                                                                                     scope, depth - 1)
        if kind in "IJ":
            kind = "I"
            if (lists := scope.of("L")) and self.chance(0.4):
                return self.pick(*lists)
            if depth <= 0:
                return self.fill("[{s}, {s}]", scope, 0)
        if kind in "sv" and (depth <= 0 or self.chance(0.25)):
            return self.leaf(kind, scope)
        return self.fill(self.weighted(self.forms[kind]), scope, depth - 1)

    def leaf(self, kind: str, scope: Scope) -> str:
        names = scope.of(kind)
        if kind == "s":
            if (lists := scope.of("D")) and self.chance(0.15):
                return f"{self.pick(*lists)}['{self.pick(*'ab')}']"
            if not names or self.chance(0.15):
                arrays = scope.of("v")
                return f"{self.pick(*arrays)}[{self.pick(0, 1, 2, -1)}]" if arrays and self.chance(0.7) \
                    else self.number()
            return self.pick(*names, *names[-2:])
        return self.pick(*names) if names else "np.array([0.4, -0.7, 1.1])"

    def fill(self, form: Any, scope: Scope, depth: int) -> str:
        """A text for a form; each hole is drawn by itself."""
        if callable(form):
            return str(form(self, scope, depth))
        return HOLE.sub(lambda hole: self.expr(hole[1], scope, depth), form)

    # ---------------------------------------------------------------- statements
    def let(self, scope: Scope, kind: str, form: Any, depth: int) -> list[str]:
        """An assignment to a new name."""
        text = self.fill(form, scope, depth)
        lines = [f"{scope.new(kind)} = {text}"]
        if kind == "C":
            scope.reads()
        return lines

    def named(self, scope: Scope, kind: str, form: str, depth: int) -> list[str]:
        """Statements that end in the binding of a new name, `NAME`."""
        lines = [self.fill(line, scope, depth) for line in form.split("\n")]
        name = scope.new(kind) if "NAME" in form else ""
        return [line.replace("NAME", name) for line in lines]

    def block(self, scope: Scope, count: int, depth: int) -> list[str]:
        """The lines of some statements; at least one."""
        lines: list[str] = []
        for _ in range(count):
            lines += self.statement(scope, depth)
        return lines or ["pass"]

    def inner(self, scope: Scope, count: int, depth: int, **names: str) -> list[str]:
        """A block of a branch or loop, indented: what it binds anew is not read behind it."""
        return indented(self.block(scope.copy(**names), count, depth))

    def statement(self, scope: Scope, depth: int) -> list[str]:
        if depth > 0 and self.chance(0.2):
            return self.compound(scope, depth)
        for _ in range(6):
            form = self.rng.choices([one for _, one in self.statements], [weight for weight, _ in self.statements])[0]
            if (lines := form(scope, depth)) is not None:
                return lines
        return self.plain(scope, depth)

    def plain(self, scope: Scope, depth: int) -> list[str]:
        """An assignment."""
        names, roll = scope.of("s") if self.chance(0.08) else scope.free("s"), self.rng.random()
        if names and roll < 0.25:
            return [f"{self.pick(*names)} {self.pick('+', '-', '*')}= {self.expr('s', scope, 2)}"]
        if names and roll < 0.5:
            return [f"{self.pick(*names)} = {self.expr('s', scope, 3)}"]
        kind = "v" if roll > 0.85 else "s"
        value = self.expr(kind, scope, 3)
        return [f"{scope.new(kind)} = {value}"]

    def compound(self, scope: Scope, depth: int) -> list[str]:
        """A branch or a loop."""
        roll = self.rng.random()
        if roll < 0.35:
            lines = [f"if {self.expr('b', scope, 1)}:", *self.inner(scope, self.pick(1, 2), depth - 1)]
            return [*lines, "else:", *self.inner(scope, 1, depth - 1)] if self.chance(0.6) else lines
        count = self.pick(1, 2)
        inside = scope.copy()
        inside.loops += 1
        if roll < 0.6:
            turn = inside.new("k")
            return [f"for {turn} in range({self.pick(2, 3)}):", *indented(self.block(inside, count, depth - 1))]
        item = inside.new("s")
        lines = [f"for {item} in {self.expr('I', scope, 2)}:"]
        if self.chance(0.15):
            lines += indented([f"if {self.expr('b', inside, 1)}:", f"    {self.pick('break', 'continue')}"])
        return [*lines, *indented(self.block(inside, count, depth - 1))]


def indented(lines: list[str]) -> list[str]:
    """One level deeper."""
    return ["    " + line for line in lines]


def dotted(text: str) -> Iterator[str]:
    """The lines of a text that is written with four spaces."""
    yield from text.strip("\n").split("\n")

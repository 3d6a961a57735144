"""Habits of people who write programs, drawn by both grammars: each is a few statements that end in a number.

- *held methods*: `keep = pile.append`, called later, from a container, in a condition or by a helper;
- *asarray-like calls*: what may give back its argument, held in a container while the argument is changed;
- *shadowed names*: a function of the module, or of the function itself, that is called like one of Python's;
- *masked poles*: a slope that is infinite at an exact zero, of which the cotangent is cut away.

In most of them the verdict may be that the program is refused; it must never be wrong. Their own variables have names
that no other statement uses, so that what is infinite or shared in them does not leave them.
"""
from __future__ import annotations

from typing import Any

Expr = tuple[Any, ...]
Stmt = tuple[Any, ...]

SHARES = {"held": 0.11, "shared": 0.13, "shadow": 0.13, "pole": 0.1, "": 0.53}         # of the programs

FEATURES: dict[str, str] = {
    "held method": r"\.(append|insert|extend|setdefault|__setitem__|update|fill|put)(?!\w|\()",
    "asarray-like call": r"np\.(asarray|asanyarray|ascontiguousarray|require|atleast_1d)\(",
    "shadowed name": "", "masked pole": r"\bgap\b"}

# name, parameters, value, and an expression of the type of a number that calls it
SHADOWS: tuple[tuple[str, str, str, str], ...] = (
    ("zip", "*rows", "[(rows[-1][i], rows[0][i]) for i in (2, 0)]",
     "np.sum(np.array([p1 * p2 * p2 for p1, p2 in zip({v}, {v})]))"),
    ("enumerate", "row", "[(1, row[0] * 2.0), (2, row[2])]",
     "np.sum(np.array([j1 * p1 for j1, p1 in enumerate({v})]))"),
    ("range", "*ends", "[2, 0]", "np.sum(np.array([{s} * (j1 + 1) for j1 in range(1)]))"),
    ("range", "*ends", "[2, 0]", "sum([{s} * (j1 + 1) for j1 in range(2)])"),
    ("sum", "row", "row[0] * 2.0 - row[1]", "sum({v})"),
    ("sum", "row", "row[0] * 2.0 - row[1]", "sum([p1 * p1 for p1 in {v}])"),
    ("sorted", "row", "[row[2], row[0] * 1.5]", "np.sum(np.array([p1 * p1 for p1 in sorted({v})]))"),
    ("list", "row", "[row[1] * 1.5, row[0]]", "np.sum(np.array([p1 * p1 for p1 in list({v})]))"),
    ("list", "row", "[row[1] * 1.5, row[0]]", "list({v})[0]"),
    ("tuple", "row", "(row[1] * 1.5, row[0])", "tuple({v})[0]"),
    ("reversed", "row", "[row[0], row[1], row[0]]", "np.sum(np.array([p1 * {s} for p1 in reversed({v})]))"),
    ("max", "*each", "each[0] * 0.5 + each[-1]", "max({s}, {s})"),
    ("min", "*each", "each[0] * 0.5 - each[-1]", "min({s}, {s})"),
    ("abs", "t1", "t1 * 0.5 + 0.1", "abs({s})"),
    ("float", "t1", "t1 * 1.5 + 0.2", "float({s})"),
    ("map", "fn, row", "[fn(row[1]), row[0] * 1.5]", "np.sum(np.array([p1 for p1 in map(np.sin, {v})]))"),
    ("filter", "fn, row", "[row[1], row[0] * 1.5]", "np.sum(np.array([p1 for p1 in filter(np.sin, {v})]))"),
    ("len", "row", "3", "({s}) * len([{s}])"),
    ("isinstance", "t1, kind", "False", "(({s}) if isinstance({s}, object) else ({s}) * 2.0)"),
    ("round", "t1", "t1 * t1", "round({s})"),
    ("pow", "t1, t2", "t1 - t2 * 0.5", "pow({s}, {s})"),
    ("print", "t1", "t1 * 2.0", "print({s})"),
    ("any", "row", "row[0] * row[1]", "any({v})"),
    ("next", "row", "row[1] * 1.3", "next([{s}, {s}])"),
    ("dict", "row", "[row, row * 2.0]", "dict({s})[1]"),
    ("getattr", "t1, t2", "t1 * 0.7", "getattr({s}, 'real')"))
_SHADOWED = "|".join(sorted({name for name, *_ in SHADOWS}))
FEATURES["shadowed name"] = rf"^ *def ({_SHADOWED})\("

# a method, what it is given, and a number out of what it changes
METHODS = (
    ("pile.append", "{}", "pile[0] * pile[-1]"), ("pile.append", "{}", "np.sum(np.stack(pile))"),
    ("pile.extend", "[{}, 0.3]", "pile[1] * pile[0]"), ("pile.insert", "0, {}", "pile[0] - pile[1]"),
    ("pile.__setitem__", "0, {}", "pile[0] * 1.1"), ("bag.setdefault", "'b', {}", "bag['b'] * bag['a']"),
    ("bag.__setitem__", "'a', {}", "bag['a'] * 1.1"), ("bag.update", "a={}", "bag['a'] * 1.1"),
    ("row.fill", "{}", "np.sum(row) * row[0]"),
    ("row.put", "[0, 2], {}", "np.sum(row) * row[0]"), ("row.__setitem__", "1, {}", "np.sum(row) * row[1]"))

SHARERS = ("np.asarray({})", "np.asanyarray({})", "np.ascontiguousarray({})", "np.require({})", "np.atleast_1d({})")

# a slope with a pole at 0, of the array `gap`, which has exact zeros; in the second line the value has one too
POLES = ("np.sqrt(gap ** 2)", "np.sqrt(gap * gap)", "(gap ** 2) ** 0.5", "np.sqrt(np.abs(gap))",
         "np.power(gap * gap, 0.25)", "np.arccos(1.0 - 0.01 * gap * gap)", "1.0 / gap", "np.log(gap * gap)",
         "gap ** -2.0", "0.3 / np.sqrt(gap ** 2)")
# of an array whose middle entry is the zero
CUTS = ("np.sum(inv[::2])", "inv[0] * inv[2]", "np.sum(inv[[0, 2]])", "np.sum(inv[gap != 0.0])",
        "np.sum(np.where(gap != 0.0, inv, 0.3))",
        "np.sum(np.take(inv, [0, 2]))", "np.sum(np.compress([True, False, True], inv))", "inv[-1] - inv[0]")
# of a matrix whose diagonal is zero
MATRIX_CUTS = ("np.sum(np.triu(inv, 1))", "np.sum(np.tril(inv, -1))", "np.sum(inv[0, 1:])",
               "np.sum(inv[np.triu_indices(3, 1)])", "inv[0, 2] * inv[1, 0]")


def chosen(self: Any) -> str:
    """The habit of a program, or none. self: the generator."""
    return self.rng.choices(list(SHARES), list(SHARES.values()))[0]


def drawn(self: Any, scope: Any) -> list[Stmt]:
    """The statements of the habit of a program, which it may have once more."""
    habit, self.habitual = self.habit, True
    self.habit = habit if self.chance(0.3) else ""
    return {"held": _held, "shared": _shared, "shadow": _shadow, "pole": _pole}[habit](self, scope)


def _number(self: Any, scope: Any, value: Expr) -> Stmt:
    """The number that the habit ends in, under a name that other statements use."""
    name = self.new("s")
    scope.types[name] = "s"
    return ("let", (name,), (value,))


def _let(name: str, template: str, *children: Expr) -> Stmt:
    return ("let", (name,), (("n", template, *children),))


def _held(self: Any, scope: Any) -> list[Stmt]:
    """A method as a value."""
    first, value = self.expr("s", scope, 1), self.expr("s", scope, 2)
    method, argument, read = self.rng.choice(METHODS)
    box = method.split(".")[0]
    begin = _let(box, {"pile": "[{}]", "bag": "{{'a': {}}}", "row": "np.array([{}, 0.4, 0.5])"}[box], first)
    call = ("call", ("n", f"keep({argument})", value))
    held: list[Stmt] = [_let("keep", method)]
    roll = self.rng.random()
    if roll < 0.15:
        held, call = [_let("tools", f"[{method}]")], ("call", ("n", f"tools[0]({argument})", value))
    elif roll < 0.3:
        held, call = [_let("tools", f"{{'keep': {method}}}")], ("call", ("n", f"tools['keep']({argument})", value))
    elif roll < 0.4:
        held, call = [], ("call",
                          ("n", f"({method} if {{}} else {method})({argument})", self.condition(scope, 1), value))
    elif roll < 0.5:
        call = ("if", ("b", f"keep({argument}) is None", value), (_let("done", "1.0"),), ())
    elif roll < 0.6:
        call = ("for", "turn", ("k", "(0, 1)"), (call,))
    elif roll < 0.7 and argument == "{}":
        self.prelude.append("def passed(fn, t1):\n    fn(t1)\n    return 0.0")
        held, call = [], _let("done", f"passed({method}, {{}})", value)
    elif roll < 0.8 and "=" not in argument:
        held = [_let("keep", f"lambda *each: {method}(*each)")]
    return [begin, *held, call, _number(self, scope, ("s", read))]


def _shared(self: Any, scope: Any) -> list[Stmt]:
    """What may be its argument, while the argument is changed."""
    sharer = self.rng.choice(SHARERS).format("own")
    begin = _let("own", "({}) * 1.0", self.expr("v", scope, 1)) if self.chance(0.7) else _let("own", "np.zeros(3)")
    other = self.expr("v", scope, 1)
    change: Stmt = self.rng.choice((
        ("store", "own", "0", "", self.expr("s", scope, 1)), ("store", "own", ":", "", self.expr("v", scope, 1)),
        ("store", "own", "1:", "", self.expr("s", scope, 1)), ("aug", "own", "*", self.expr("s", scope, 1)),
        ("call", ("n", "own.fill({})", self.expr("s", scope, 1)))))
    box, read = self.rng.choice((
        ([_let("held", f"[{sharer}, {{}}]", other)], "np.sum(held[0] * held[1])"),
        ([_let("held", f"({sharer}, {{}})", other)], "np.sum(held[0] * held[1])"),
        ([_let("held", f"{{{{'a': {sharer}, 'b': {{}}}}}}", other)], "np.sum(held['a'] * held['b'])"),
        ([_let("held", "[{}]", other), ("call", ("n", f"held.append({sharer})"))], "np.sum(held[0] * held[1])"),
        ([_let("held", sharer)], "np.sum(held * held)"),
        ([_let("held", f"[{{}}, {sharer}[1:]]", other)], "np.sum(held[0]) * np.sum(held[1])")))
    again: list[Stmt] = [("store", "held[0]", "1", "", self.expr("s", scope, 1))] \
        if "held[0]" in read and self.chance(0.25) else []
    return [begin, *box, change, *again, _number(self, scope, ("s", self.rng.choice((f"{read} + np.sum(own)", read))))]


def _shadow(self: Any, scope: Any) -> list[Stmt]:
    """A call of a function of the user that is called like one of Python's."""
    free = [one for one in SHADOWS if f"def {one[0]}(" not in "".join(self.prelude)]
    name, parameters, value, use = self.rng.choices(free, [4 if " for " in use else 1 for *_, use in free])[0]
    self.prelude.append(f"def {name}({parameters}):\n    return {value}")
    return [_number(self, scope, self.fill("s", use, scope, 2) or ("s", "0.5"))]


def _pole(self: Any, scope: Any) -> list[Stmt]:
    """A slope that is infinite where the cotangent is cut away."""
    vectors = scope.of("v")
    begin: list[Stmt] = []
    name = self.rng.choice(vectors) if vectors else "own"
    if not vectors:
        begin = [_let("own", "np.array([{}, 0.4, 0.8])", self.expr("s", scope, 1))]
    pole = self.rng.choice(POLES)
    if self.chance(0.4):
        begin += [_let("own", f"{name} + np.array([0.1, 0.5, 0.9])"), _let("gap", "own[:, None] - own[None, :]"),
                  _let("inv", pole)]
        cut = self.rng.choice(MATRIX_CUTS)
    else:
        gap = self.rng.choice((f"{name} - {name}[1] + np.array([0.3, 0.0, -0.6])",
                               f"({name} + np.array([0.7, 0.0, 0.4])) * np.array([1.0, 0.0, 1.0])"))
        begin += [_let("gap", gap), _let("inv", pole)]
        cut = self.rng.choice(CUTS)
    if self.chance(0.3):
        begin.append(("store", "inv", "inv > 0.0", "", ("v", "1.0 / (1.0 + inv[inv > 0.0])")))
    if self.chance(0.4):
        begin.append(("store", "inv", "gap == 0.0", "", ("s", self.rng.choice(("0.0", "0.5")))))
        cut = self.rng.choice((cut, "np.sum(inv)"))
    return [*begin, _number(self, scope, ("s", f"0.1 * {cut}"))]

"""Random programs that change arrays in place: stores of every kind, other names, views, arguments, containers.

Data, rendering and expressions are those of `grammar.py`. Here any array may be changed and may have other names. The
types are `v` an array of 3, `p` of 2, `m` of 3 by 3, `r` of 2 by 3, `s` a scalar, `k` an int, `l` a list of two arrays
of 3, `d` a dict of two; the names of a type come from a pool of its own, so that `FEATURES` can tell them. Names in
`let`, `aug` and `store` may be texts of parts: `A[1]`, `a[0]`.

What has views or other names (`buffers`, here) is not bound again, nor are these, except in *wild* programs, in which
the verdict may well be that nobody can say what a name stands for.
"""
from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import habits
import mutating_parts as parts
from grammar import Block, Expr, Helper, Program, Scope, Stmt, _ends, without_unused
from mutating_draws import Draws
from mutating_features import FEATURES, features
from mutating_parts import ARRAYS


class Mutating(Draws):
    """Draws one program that changes arrays in place."""

    # -------------------------------------------------------------- statements
    def block(self, scope: Scope, count: int, depth: int, result: str | None) -> Block:
        self.level += 1
        statements = super().block(scope, count, depth, result)
        self.level -= 1
        return statements

    def statement(self, scope: Scope, depth: int, result: str | None) -> list[Stmt]:
        roll = self.rng.random()
        if depth > 0 and roll < 0.3:
            return [self.branch(scope, depth, result) if roll < 0.1 else self.loop(scope, depth, result) if roll < 0.24
                    else self.counted(scope, depth, result)]
        if scope.loops and self.chance(0.07):
            word = self.rng.choice(("break", "continue"))
            return [("if", self.condition(scope, 1),
                     (*self.block(scope.copy(), self.rng.randrange(2), 0, None), (word,)), ())]
        if result and self.chance(0.03):
            return [("if", self.condition(scope, 1), (("return", self.result(result, scope)),), ())]
        kinds, weights = zip(*self.choices(scope).items(), strict=True)
        for draw in self.rng.choices(kinds, [weight for _, weight in weights], k=8):
            if made := self.choices(scope)[draw][0](scope):
                return list(made)
        return [self.fresh(scope)]

    def choices(self, scope: Scope) -> dict[str, tuple[Callable[[Scope], Any], float]]:
        """What a statement may be, and how often."""
        return {
            "fresh": (lambda scope: [self.fresh(scope)], 7), "number": (self.number, 4),
            "item": (self.item, 12), "slice": (self.slice, 9), "fancy": (self.fancy, 5), "mask": (self.mask, 3),
            "whole": (self.whole, 8), "scaled": (self.scaled, 3), "overlap": (self.overlap, 4),
            "swap": (self.swapped, 4), "buffers": (self.buffers, 4),
            "alias": (self.alias, 4), "chain": (self.aliases, 2), "view": (self.view, 10),
            "through": (self.through, 6), "behind": (self.behind, 6), "listed": (self.listed, 2.5),
            "moved": (self.moved, 3), "rebound": (self.rebound, 3), "boxed": (self.boxed, 1.5),
            "ufunc": (self.ufunc, 3), "writer": (self.writer, 6 if self.writers else 0)}

    def fresh(self, scope: Scope) -> Stmt:
        """A new array."""
        kind = self.rng.choice("vvm")
        vectors, matrices = scope.of("v"), scope.of("m")
        texts = ["np.zeros(3)", "np.ones(3)", "np.full(3, 0.4)"] if kind == "v" \
            else ["np.zeros((3, 3))", "np.eye(3)", "np.ones((3, 3))"]
        if names := vectors if kind == "v" else matrices:
            x = self.rng.choice(names)
            texts += [f"{x}.copy()", f"np.zeros_like({x})", f"{x} * 1.0", f"np.copy({x})", f"np.array({x})"]
        value: Expr = (kind, self.rng.choice(texts)) if self.chance(0.6) \
            else (kind, "({} * 0.8)", self.expr(kind, scope, 2))
        return ("let", (self.bind(kind, scope),), (value,))

    def number(self, scope: Scope) -> Block:
        """A number out of an array, changed under its name; or any number."""
        if self.chance(0.3) or not (found := self.array(scope, "vp")):
            drawn = self.expr("s", scope, 2)
            return (("let", (self.bind("s", scope),), (drawn,)),)
        name, kind = found
        value = ("s", f"{name}[{self.index(scope, 3 if kind == 'v' else 2)}]")
        operator = self.rng.choice("+-*")
        added = self.right("s", operator, scope)
        number = self.bind("s", scope)
        return (("let", (number,), (value,)), ("aug", number, operator, added))

    def item(self, scope: Scope) -> Block | None:
        """One entry."""
        if not (found := self.array(scope)):
            return None
        name, kind = found
        operator = self.operator()
        rows, columns = 2 if kind in "pr" else 3, 3
        if kind in "mr":
            index = self.rng.choice((f"{self.index(scope, rows)}, {self.index(scope, columns)}",
                                     f"{self.index(scope, rows)}][{self.index(scope, columns)}"))
        else:
            index = self.index(scope, rows)
        return (("store", name, index, operator, self.right("s", operator, scope)),)

    def slice(self, scope: Scope) -> Block | None:
        """A slice, a row or a column."""
        if not (found := self.array(scope, "vvmmr")):
            return None
        name, kind = found
        operator = self.operator()
        index, wanted = self.rng.choice(parts.SLICES[kind])
        index = index.replace("#", self.index(scope, 2 if kind == "r" else 3))
        wanted = "s" if self.chance(0.2) else wanted
        return (("store", name, index, operator, self.right(wanted, operator, scope)),)

    def listed(self, scope: Scope) -> Block | None:
        """A slice or all of an array, by a list."""
        if not (found := self.array(scope, "vvpmr")):
            return None
        name, kind = found
        index, wanted = self.rng.choice([(index, wanted) for index, wanted in (
            *parts.SLICES.get(kind, ()), (":", kind), ("...", kind)) if wanted in "vp"] or [("0", "v")])
        index = index.replace("#", self.index(scope, 2 if kind == "r" else 3))
        items = [self.expr("s", scope, 1) for _ in range(3 if wanted == "v" else 2)]
        return (("store", name, index, "", (wanted, f"[{', '.join('{}' for _ in items)}]", *items)),)

    def fancy(self, scope: Scope) -> Block | None:
        """Rows or entries by lists of indices, some of them repeated."""
        if not (found := self.array(scope, "vvm")):
            return None
        name, kind = found
        index, wanted, repeated = self.rng.choice(parts.FANCY[kind])
        operator = self.operator()
        wanted = "s" if self.chance(0.15) else wanted
        return (("store", name, index, operator, self.right(wanted, operator, scope)),)

    def mask(self, scope: Scope) -> Block | None:
        """Where a condition holds."""
        if not (found := self.array(scope, "vvm")):
            return None
        name, _ = found
        operator = self.operator()
        test = self.rng.choice((f"{name} > 0.13", f"{name} < -0.07", f"np.abs({name}) > 0.41"))
        if self.chance(0.3):
            value: Expr = ("s", f"{name}[{test}] * {{}}", self.right("s", "*", scope))
        else:
            value = self.right("s", operator, scope)
        return (("store", name, test, operator, value),)

    def whole(self, scope: Scope) -> Block | None:
        """All of an array."""
        if not (found := self.array(scope)):
            return None
        name, kind = found
        operator = self.operator()
        wanted = kind if self.chance(0.7) else "s"
        if operator and self.chance(0.75):
            return (("aug", name, operator, self.right(wanted, operator, scope)),)
        return (("store", name, self.rng.choice(("...", ":")), operator, self.right(wanted, operator, scope)),)

    def overlap(self, scope: Scope) -> Block | None:
        """A part of an array by another part of the same."""
        if not (found := self.array(scope, "vvm")):
            return None
        name, kind = found
        left, right = self.rng.choice(parts.OVERLAPS[kind])
        operator = self.rng.choice(("", "+", "+", "-", "*"))
        value: Expr = ("p" if kind == "v" else "r", f"{name}[{right}]")
        if self.chance(0.4) or operator == "*":
            value = (value[0], "{} * {}", value, ("s", "np.tanh({})", self.expr("s", scope, 1)))
        return (("store", name, left, operator, value),)

    def swapped(self, scope: Scope) -> Block | None:
        """Two places of an array at once."""
        if not (found := self.array(scope, "vvm")):
            return None
        name, kind = found
        i, j = (f"{name}[{self.index(scope)}]" for _ in range(2))
        if kind == "m":
            values = ("v", i + ".copy()"), ("v", j + ".copy()")
            return (("let", (i, j), values[::-1]),) if self.chance(0.6) \
                else (("store", name, "[0, 2]", "", ("r", f"{name}[[2, 0]]")),)
        if self.chance(0.25):
            return (("let", (i, j),
                     (("s", j), ("s", "{} * {}", ("s", i), ("s", "np.cos({})", self.expr("s", scope, 1)))),),)
        return (("let", (i, j), (("s", j), ("s", i))),)

    def buffers(self, scope: Scope) -> Block | None:
        """`a, b = b, a`, after a step from one to the other; in a loop, mostly."""
        names = self.free("v", scope)
        if len(names) < 2:
            return None
        a, b = self.rng.sample(names, 2)
        step: Stmt = ("store", b, *self.rng.choice((("1:", "", ("p", f"{a}[:-1] * {{}}", self.right("s", "*", scope))),
                                                    ("...", "", ("v", f"{a} * {{}}", self.right("s", "*", scope))),
                                                    (self.index(scope), "", ("s", "np.sum({})", ("v", a))))))
        swap: Stmt = ("let", (a, b), (("v", b), ("v", a)))
        if scope.loops:
            return (step, swap)
        test: Expr = ("k", self.rng.choice(("range(0)", "range(1)", "range(2)", "range(3)", "range(3)")))
        return (("for", self.counter(scope), test, (step, swap)),)

    def counter(self, scope: Scope) -> str:
        return next(n for n in ("i", "j", "l", "k", "i2", "i3", "i4", "i5") if n not in scope.types)

    def alias(self, scope: Scope) -> Block | None:
        """Another name."""
        if not (found := self.array(scope)):
            return None
        name, kind = found
        new = self.named(kind)
        scope.types[new] = kind
        self.hold(scope, name, new)
        return (("let", (new,), ((kind, name),)),)

    def aliases(self, scope: Scope) -> Block | None:
        """Two more names, one after the other."""
        if not (found := self.array(scope)):
            return None
        name, kind = found
        one, two = self.named(kind), self.named(kind)
        scope.types |= {one: kind, two: kind}
        self.hold(scope, name, one, two)
        if self.chance(0.3):
            return (("chain", (one, two), (kind, name)),)
        return (("let", (one,), ((kind, name),)), ("let", (two,), ((kind, one),)))

    def viewed(self, scope: Scope, kinds: str = "vmmr") -> tuple[Stmt, str, str, str] | None:
        """A view: the statement, its name and type, and what it is a view of."""
        if not (found := self.array(scope, kinds)):
            return None
        base, kind = found
        form, wanted = self.rng.choice(parts.VIEWS[kind])
        text = base + form.replace("#", self.index(scope, 2 if kind == "r" else 3))
        new = self.named(wanted)
        scope.types[new] = wanted
        self.hold(scope, base, new)
        return ("let", (new,), ((wanted, text),)), new, wanted, base

    def view(self, scope: Scope) -> Block | None:
        """A name for a part."""
        made = self.viewed(scope)
        return made and (made[0],)

    def write(self, name: str, kind: str, scope: Scope) -> Stmt:
        """A change of this array."""
        only = Scope({name: kind})
        draw = self.rng.choice((self.item, self.slice, self.whole, self.whole, self.overlap))
        made = draw(only) or self.whole(only)
        assert made
        *head, old = made[0]
        wanted = old[0] if old[0] in "svpmr" else "s"
        return (*head, self.right(wanted, head[-1], scope)) if self.chance(0.7) else made[0]

    def read(self, name: str, kind: str, scope: Scope) -> Stmt:
        """A number out of this array."""
        value: Expr = ("s", "np.sum({} * {})", (kind, name), self.expr(kind, scope, 1))
        return ("let", (self.bind("s", scope),), (value,))

    def through(self, scope: Scope) -> Block | None:
        """A change through a view, then its base is read."""
        if not (made := self.viewed(scope)):
            return None
        stmt, name, kind, base = made
        return (stmt, self.write(name, kind, scope), self.read(base, scope.types[base], scope))

    def behind(self, scope: Scope) -> Block | None:
        """A change of the base of a view, then the view is read, or changed."""
        if not (made := self.viewed(scope)):
            return None
        stmt, name, kind, base = made
        changed = self.write(base, scope.types[base], scope)
        return (stmt, changed, self.read(name, kind, scope) if self.chance(0.6) else self.write(name, kind, scope))

    def moved(self, scope: Scope) -> Block | None:
        """The index of a view is bound again while the view is in use."""
        if not (found := self.array(scope, "vmmr")):
            return None
        base, kind = found
        at = self.named("k")
        form, wanted = self.rng.choice(parts.MOVING[kind])
        new = self.named(wanted)
        view: Stmt = ("let", (new,), ((wanted, base + form.replace("#", at)),))
        scope.types |= {at: "k", new: wanted}
        self.hold(scope, base, new)
        step: Stmt = ("let", (at,), (("k", "0"),)) if self.chance(0.6) else ("aug", at, "-", ("k", "1"))
        return (("let", (at,), (("k", "1"),)), view, step, self.write(new, wanted, scope))

    def rebound(self, scope: Scope) -> Block | None:
        """Another name is changed, then stands for an array of its own."""
        made = self.alias(scope) if self.chance(0.5) else self.view(scope)
        if not made:
            return None
        (name,) = made[0][1]
        kind = scope.types.pop(name)
        value: Expr = (kind, "({} * 1.1)", self.expr(kind, scope, 1))
        body = (*made, self.write(name, kind, scope), ("let", (name,), (value,)), self.write(name, kind, scope))
        if self.level == 1 or self.wild:
            scope.types[name] = kind
        return body

    def boxed(self, scope: Scope) -> Block | None:
        """Arrays in a list or a dict, changed there."""
        boxes = scope.of("l") + scope.of("d")
        if not boxes or self.chance(0.3):
            kind = self.rng.choice("ld")
            name = self.named(kind)
            one, two = (self.expr("v", scope, self.rng.choice((0, 1, 2))) for _ in range(2))
            scope.types[name] = kind
            return (("let", (name,), (
                (kind, "[{} * 1.0, {} + 0.0]" if kind == "l" else "{{'u': {} * 1.0, 'w': {} + 0.0}}", one, two),)),
                    *(self.boxed(scope) or ()))
        box = self.rng.choice(boxes)
        place = f"{box}[{self.rng.randrange(2)}]" if scope.types[box] == "l" else f"{box}['{self.rng.choice('uw')}']"
        if self.chance(0.2):
            new = self.named("v")
            scope.types[new] = "v"
            self.hold(scope, new)
            return (("let", (new,), (("v", place),)), self.write(new, "v", scope))
        return (self.write(place, "v", scope),)

    def ufunc(self, scope: Scope) -> Block | None:
        """np.add.at, out=, fill, copyto."""
        if not (found := self.array(scope, "vvp")):
            return None
        name, kind = found
        index = self.rng.choice(("[0, 0, 2]", "[2, 1, 1]", "np.array([1, 1, 1])") if kind == "v"
                                else ("[0, 0]", "[1, 0]"))
        template, wanted = self.rng.choice((
            (f"np.add.at({name}, {index}, {{}})", kind), (f"np.add.at({name}, {index}, {{}})", "s"),
            (f"np.add.at({name}, {index}, {{}})", kind), (f"np.add({name}, {{}}, out={name})", kind),
            (f"np.multiply({{}}, 0.7, out={name})", kind), (f"{name}.fill({{}})", "s"),
            (f"np.copyto({name}, {{}})", kind)))
        return (("call", ("n", template, self.expr(wanted, scope, 1))),)

    # -------------------------------------------------------------- functions
    def writer(self, scope: Scope) -> Block | None:
        """A call of a function that changes its argument."""
        helper = self.rng.choice(self.writers)
        found = self.array(scope, helper.params[0][1])
        if not found:
            return None
        call: Expr = (helper.results[0], f"{helper.name}({found[0]}, {{}})", self.expr(helper.params[1][1], scope, 1))
        if self.chance(0.3):
            return (("call", call),)
        return (("let", (self.named(helper.results[0]),), (call,)),)

    def writing_helper(self, index: int) -> Helper:
        """It changes its first parameter, and returns a number, or the array."""
        self.used = set()
        kind, other = self.rng.choice("vvvm"), self.rng.choice("sv")
        params = ((self.named(kind), kind), (self.named(other), other))
        scope = Scope(dict(params))
        body: list[Stmt] = [self.write(*params[0], scope)]
        if self.chance(0.4):
            body += self.view(scope) or ()
            body.append(self.write(*self.rng.choice([(n, k) for n, k in scope.types.items() if k in ARRAYS]), scope))
        returns = self.rng.choice(("s", "s", kind))
        value: Expr = ("s", "np.sum({})", (kind, params[0][0])) if returns == "s" else (kind, params[0][0])
        return Helper(f"h{index}", params, (returns,), (*body, ("return", value)))

    def program(self) -> Program:
        if self.chance(0.1):
            self.writers.append(self.writing_helper(1))
        self.used = set()
        kinds = ["v"] + [self.rng.choice("vsmm") for _ in range(self.rng.randrange(3))]
        params = [(self.named(kind), kind) for kind in kinds]
        if self.chance(0.4):
            params.append(("n", "k"))
        scope = Scope(dict(params))
        start = (self.fresh(scope),) if self.chance(0.75) else ()
        body = self.block(scope, self.rng.randrange(3, max(4, self.size - 1)), 2, "s")
        if _ends(list(body)):
            body = body[:-1]
        habit = tuple(habits.drawn(self, scope)) if self.habit and self.chance(0.6) else ()
        body = (*start, *body, *habit, ("return", self.result("s", scope)))
        args = tuple(self.argument(kind) for _, kind in params)
        return without_unused(Program(tuple(params), body, tuple(self.writers), args, self.wild or self.habitual,
                                      *self.before()))

    def result(self, kind: str, scope: Scope) -> Expr:
        """A number out of several variables: of each array, its entries weighted differently."""
        terms: list[Expr] = [("s", n) for n in scope.of("s")]
        terms += [("s", f"np.sum({{}} * {parts.WEIGHTS[k]})", (k, n)) for k in ARRAYS for n in scope.of(k)]
        terms += [("s", "np.sum({} * {})", ("v", n), ("v", m))
                  for n, m in zip(scope.of("v"), scope.of("v")[1:], strict=False)]
        self.rng.shuffle(terms)
        total: Expr = terms[0]
        for term in terms[1:5]:
            total = ("s", self.rng.choice(("{} + {}", "{} - {}")), total, term)
        return total

    def argument(self, kind: str) -> Any:
        return [super(Mutating, self).argument("v") for _ in range(3)] if kind == "m" else super().argument(kind)


def generate(seed: int, size: int = 7) -> Program:
    """The program of a seed."""
    return Mutating(seed, size).program()


__all__ = ["FEATURES", "Mutating", "features", "generate"]

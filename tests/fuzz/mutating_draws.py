"""What the programs of mutating.py are drawn from: names, expressions, indices and parts."""
from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import habits
import mutating_parts as parts
from grammar import CLASHES, Block, Expr, Generator, Helper, Scope
from mutating_parts import ARRAYS, POOLS


class Draws(Generator):
    """Names that may be bound, arrays that may be changed, expressions of each type."""

    def __init__(self, seed: int, size: int = 7, wild: float = 0.04) -> None:
        super().__init__(seed, size)
        self.rng = random.Random(f"mutating {seed}")
        self.wild = self.chance(wild)
        self.writers: list[Helper] = []
        self.habit = habits.chosen(self)
        self.level = 0                                      # of blocks in blocks

    # -------------------------------------------------------------- names
    def named(self, kind: str) -> str:
        """A new name of a type."""
        pool = self.rng.sample(CLASHES, 3) if self.chance(0.04) else POOLS[kind]
        more = (f"{POOLS[kind][0]}{i}" for i in range(4, 99))
        chosen = next(n for n in (*pool, *more) if n not in self.used)
        self.used.add(chosen)
        return chosen

    def bind(self, kind: str, scope: Scope) -> str:
        """A name to bind: an old one of the type, sometimes, or a new one."""
        old = self.free(kind, scope)
        name = self.rng.choice(old) if old and self.chance(0.3) else self.named(kind)
        scope.types[name] = kind
        return name

    def free(self, kind: str, scope: Scope) -> list[str]:
        """The names of a type that may be bound again."""
        return [name for name in scope.of(kind) if self.wild or name not in scope.buffers]

    def hold(self, scope: Scope, *names: str) -> None:
        scope.buffers.update(names)

    def target(self, kind: str, scope: Scope, expr: Expr | None = None) -> str:
        return self.bind(kind, scope)

    def name(self) -> str:
        return self.named("s")

    def new(self, kind: str) -> str:
        return self.named(kind)

    # -------------------------------------------------------------- expressions
    def template(self, kind: str) -> tuple[str, str]:
        if kind == "p":
            return self.rng.choice(parts.PAIR_FORMS), "p"
        if kind == "r":
            return self.rng.choice(parts.ROWS_FORMS), "r"
        return super().template(kind)

    def leaf(self, kind: str, scope: Scope) -> Expr:
        if kind in "pr":
            if (named := scope.of(kind)) and self.chance(0.6):
                return (kind, self.rng.choice(named))
            whole = "v" if kind == "p" else "m"
            names = scope.of(whole)
            if names:
                return (kind, f"{self.rng.choice(names)}[{self.rng.choice(parts.TWO)}]")
            return (kind, "np.array([0.7, -0.4])" if kind == "p" else "np.ones((2, 3))")
        if kind == "v" and self.chance(0.2) and (found := self.parts_of("v", scope)):
            return ("v", self.rng.choice(found))
        return super().leaf(kind, scope)

    def index(self, scope: Scope, size: int = 3) -> str:
        """An int as an index."""
        ints = scope.of("k")
        if ints and self.chance(0.65):
            k = self.rng.choice(ints)
            return self.rng.choice((f"{k} % {size}", f"({k} + 1) % {size}", f"-1 - {k} % {size}"))
        return self.rng.choice(("0", "1", "-1") + (("2", "-2") if size == 3 else ()))

    def array(self, scope: Scope, kinds: str = ARRAYS) -> tuple[str, str] | None:
        """An array that may be changed, and its type."""
        names = [(name, kind) for name, kind in scope.types.items() if kind in kinds]
        return self.rng.choice(names) if names else None

    def parts_of(self, kind: str, scope: Scope) -> list[str]:
        """Parts without names that have the type."""
        found = [f"{box}[{self.rng.randrange(2)}]" for box in scope.of("l")] if kind == "v" else []
        found += [f"{box}['{self.rng.choice('uw')}']" for box in scope.of("d")] if kind == "v" else []
        if kind == "v":
            found += [f"{m}[{self.index(scope)}]" for m in scope.of("m")] \
                + [f"{m}[:, {self.index(scope)}]" for m in scope.of("m")]
        return found

    def right(self, kind: str, operator: str, scope: Scope) -> Expr:
        """What is stored or added: bounded where it is multiplied."""
        value = self.expr(kind, scope, self.rng.choice((1, 1, 2)))
        return (kind, "(1.2 + 0.5 * np.sin({}))", value) if operator in ("*", "/") else value

    def operator(self) -> str:
        return self.rng.choice(("", "", "", "+", "+", "*", "-", "/"))

    def scaled(self, scope: Scope) -> Block | None:
        """All of an array by a part of itself, which is kept away from zero."""
        if not (found := self.array(scope, "vvpm")):
            return None
        name, kind = found
        index = self.rng.choice((self.index(scope, 2 if kind == "p" else 3), "0", ":1"))
        wanted = {"m": "m" if index == ":1" else "v"}.get(kind, "v" if index == ":1" else "s")
        away: Expr = (wanted, f"np.sqrt(1.3 + {name}[{index}] ** 2)")
        return (("store", name, index, "", away),
                ("aug", name, self.rng.choice("//*+-"), (wanted, f"{name}[{index}]")))

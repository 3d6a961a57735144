"""Judge random programs: derive each in every mode, and compare with oracles that know nothing of tangent_nb.

Verdicts: `right`; `refused` (a TangentError and no number); `wrong` (a number that no oracle confirms, modes or
passes that disagree, an argument changed); `crash` (any other exception); `dropped` (the primal or its derivative is
not finite, larger than 1e6 or hopelessly conditioned: nothing to learn); `kink` (the oracles disagree with each
other: the point lies on one).
"""
from __future__ import annotations

import inspect
import linecache
import math
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import grammar
import mutating
import oracles
import real_judge
import real_programs
import text_shrink
import trips
from grammar import Program
from oracles import Unsuitable, gap, inner
from shrink import shrink
from verdicts import LARGE, Verdict, ending

GRAMMARS: dict[str, Any] = {"plain": grammar, "mutating": mutating}          # programs that are data
ALL: dict[str, Any] = {**GRAMMARS, "real": real_programs}
BASE = 1e-11            # of programs of some dozens of operations; conditioning comes on top


@dataclass
class Loaded:
    """A program as functions: the primal, and the same for complex numbers."""

    function: Callable[..., Any]
    run: Callable[..., Any] | None
    filename: str
    why: str = ""

    def unload(self) -> None:
        linecache.cache.pop(self.filename, None)


def load(text: str) -> Loaded:
    """Run a text, with its lines known to `inspect`; rewrite it for the complex step."""
    filename = f"<fuzz {load.count}>"           # type: ignore[attr-defined]
    load.count += 1                             # type: ignore[attr-defined]
    base = {"np": np, "math": math, "__name__": "fuzz"}
    scope = oracles.sourced(text, dict(base), filename)
    try:
        return Loaded(scope["f"], oracles.complex_module(text, base)["f"], filename)
    except Unsuitable as error:
        return Loaded(scope["f"], None, filename, str(error))


load.count = 0                                  # type: ignore[attr-defined]


def arguments(program: Program) -> tuple[Any, ...]:
    """Fresh arguments."""
    return tuple(np.array(a) if isinstance(a, list) else a for a in program.args)


def strided(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same arguments, the arrays as every other entry of longer ones."""
    return tuple(np.repeat(a, 2, axis=-1)[..., ::2] if isinstance(a, np.ndarray) else a for a in args)


def judge(program: Program | real_programs.Program, salt: int = 0, deep: bool = True) -> Verdict:
    """Derive a program in every mode, and compare. A derivation that does not end is a crash."""
    if isinstance(program, real_programs.Program):
        return real_judge.judge(program, salt, deep)
    with warnings.catch_warnings(), np.errstate(all="ignore"), ending():
        warnings.simplefilter("ignore")
        loaded = load(program.text)
        try:
            return _judge(program, loaded, salt, deep)
        finally:
            loaded.unload()


@dataclass
class Point:
    """A program at its arguments, with what the oracle says there."""

    program: Program
    loaded: Loaded
    value: float
    after: tuple[Any, ...]                      # the arguments, as the primal leaves them
    direction: tuple[Any, ...]
    gradient: tuple[Any, ...] | None            # by the complex step; None where only differences are to be had
    slope: float                                # along `direction`
    error: float                                # of the slope
    _condition: list[float] = field(default_factory=list)

    @property
    def args(self) -> tuple[Any, ...]:
        return arguments(self.program)

    @property
    def condition(self) -> float:
        """The conditioning of the gradient, computed when asked for."""
        if not self._condition:
            if self.gradient is None:
                self._condition.append(1e4)
            else:
                fn, run, wrt = self.loaded.function, self.loaded.run, self.program.wrt
                inputs = oracles.conditioning(
                    lambda args, step: oracles.complex_gradient(fn, args, wrt, 1.0, run, step), self.args, wrt)
                self._condition.append(max(inputs, self._of_constants()))
        return self._condition[0]

    def _of_constants(self) -> float:
        """How many of its rounding errors come from each of the constants of its text: a sine of a large number has
        many."""
        hair = 1e-12
        near = load(oracles.jittered(self.program.text, hair))
        try:
            moved = oracles.complex_gradient(near.function, self.args, self.program.wrt, 1.0, near.run)
        except Exception:                      # on the other side of a condition
            return 0.0
        finally:
            near.unload()
        return gap(moved, self.gradient) / hair

    def close(self, a: Any, b: Any, slack: float = 1.0) -> bool:
        """Equal, allowing for conditioning."""
        distance = gap(a, b)
        return distance <= BASE * slack or distance <= 30.0 * oracles.EPS * slack * self.condition


def oracle(program: Program, loaded: Loaded) -> Point | str:
    """What the oracles say, or why there is nothing to learn."""
    args, after, wrt = arguments(program), arguments(program), program.wrt
    try:
        poles: Any = "ignore" if "masked pole" in set(grammar.features(program)) else "raise"
        with np.errstate(over="raise", invalid=poles, divide=poles):        # inf inside, and 0 * inf in the derivative
            value = loaded.function(*after)
    except Exception as error:
        return f"the primal raises {type(error).__name__}: {error}"
    if np.shape(value) != () or not np.isfinite(value) or abs(value) > LARGE:
        return f"the value is {value!r}"
    direction = tuple(oracles.like(args[i], np.random.default_rng(i)) for i in wrt)
    try:
        if loaded.run is None:
            raise Unsuitable(loaded.why)
        gradient = oracles.complex_gradient(loaded.function, args, wrt, 1.0, loaded.run)
        vector = oracles.as_vector(gradient)
        if not np.all(np.isfinite(vector)) or np.max(np.abs(vector), initial=0.0) > LARGE:
            return "the gradient is not finite, or large"
        return Point(program, loaded, value, after, direction, gradient,
                     float(np.real(inner(gradient, direction)[0])), 0.0)
    except Unsuitable:
        pass
    try:
        measured = oracles.directional(loaded.function, args, wrt, direction)
    except Unsuitable as error:
        return str(error)
    slope = float(measured.value)
    if not math.isfinite(slope) or abs(slope) > LARGE:
        return "the slope is not finite, or large"
    return Point(program, loaded, value, after, direction, None, slope, measured.error)


def _judge(program: Program, loaded: Loaded, salt: int, deep: bool) -> Verdict:
    import tangent_nb as tnb
    from tangent_nb.errors import TangentError
    point = oracle(program, loaded)
    if isinstance(point, str):
        return Verdict("dropped", point)
    where = "reverse"
    try:
        args = point.args
        value, gradient = tnb.value_and_grad(loaded.function, wrt=program.wrt)(*args)
        if gap(args, point.after):
            return Verdict("wrong", "the arguments are not as the primal leaves them", where)
        if gap(value, point.value) > 4 * oracles.EPS:
            return Verdict("wrong", f"value {value!r}, not {point.value!r}", where)
        for g, i in zip(gradient, program.wrt, strict=True):
            if np.shape(g) != np.shape(args[i]):
                return Verdict("wrong", f"shape {np.shape(g)} for an argument of shape {np.shape(args[i])}", where)
        if (verdict := _confirmed(point, gradient, where)) is not None:
            return verdict
        if salt % 2 == 0:
            where, args = "raw", strided(point.args)
            # without passes, or for all arguments: that for those of a call is judged above
            passes = () if salt % 4 == 0 else tnb.PASSES
            raw = tnb.grad(loaded.function, wrt=program.wrt, optimized=passes)(*args)
            if not point.close(raw, gradient):
                return Verdict("wrong", f"{'all' if passes else 'no'} passes {raw!r}, by the call {gradient!r}", where)
            loaded.function(*(after := strided(point.args)))   # a product of strided matrices is rounded in its own way
            if gap(args, after):
                return Verdict("wrong", "the arguments are not as the primal leaves them", where)
        if salt % 2 or point.gradient is None:             # by turns: each program meets one more text
            where, args, direction = "forward", point.args, oracles.fresh(point.direction)
            tangent = tnb.jvp(loaded.function, wrt=program.wrt)(*args, *direction)
            if gap(args, point.after) or gap(direction, point.direction):
                return Verdict("wrong",
                               "the arguments are not as the primal leaves them, or the tangents are changed", where)
            slope, size = inner(gradient, point.direction)
            if not (abs(tangent - slope) <= BASE * (1.0 + size) or point.close(tangent, slope, 1.0 + size)):
                return Verdict("wrong", f"forward {tangent!r}, reverse {slope!r}", where)
        if deep and salt % 4 == 0:
            where = "split"
            args = point.args
            value, pull = tnb.pullback(loaded.function, *args, wrt=program.wrt)
            if gap(args, point.after):
                return Verdict("wrong", "the arguments are not as the primal leaves them", where)
            for a in args:
                if isinstance(a, np.ndarray):
                    a[...] = 55.0
            one = np.ones_like(value)[()] if isinstance(value, np.generic) else 1.0
            first, second = pull(one), pull(one)
            if not point.close(first, gradient) or gap(first, second):
                return Verdict("wrong", f"pullback {first!r}, then {second!r}, joint {gradient!r}", where)
        if deep and salt % 3 == 1 and (verdict := _on_average(point, gradient, tnb)) is not None:
            return verdict
        if deep and salt % 24 == 0:                       # these cost ten times as much as the others
            where = "second order"
            return _second(point, tnb)
    except TangentError as error:
        return Verdict("refused", str(error), where, type(error).__name__)
    except Exception as error:
        return Verdict("crash", f"{type(error).__name__}: {error}", where, type(error).__name__)
    return Verdict("right")


def _on_average(point: Point, gradient: Any, tnb: Any) -> Verdict | None:
    """None where the gradient is exact on average whose trips are drawn, or none can be drawn."""
    from tangent_nb.errors import TangentError
    try:
        df = tnb.grad(point.loaded.function, wrt=point.program.wrt, tape=tnb.Sampled(k=1, method="paths", seed=0))
        found = trips.mean(lambda: df(*point.args))
    except TangentError:
        return None
    except Exception as error:
        return Verdict("crash", f"{type(error).__name__}: {error}", "paths", type(error).__name__)
    if found is None or point.close(found, trips.vector(gradient), 1e3):
        return None
    return Verdict("wrong", f"on average over drawn trips {found!r}, exact {gradient!r}", "paths")


def _is_rounding(point: Point) -> bool:
    """With longer numbers the derivative is what the oracle says: terms cancel here that the oracle finds equal."""
    import tangent_nb as tnb
    args = tuple(a.astype(np.longdouble) if isinstance(a, np.ndarray) else a for a in point.args)
    try:
        return gap(tnb.grad(point.loaded.function, wrt=point.program.wrt)(*args), point.gradient) <= BASE
    except Exception:
        return False


def _confirmed(point: Point, gradient: Any, where: str) -> Verdict | None:
    """None where the best oracle agrees; else what is wrong."""
    slope = float(np.real(inner(gradient, point.direction)[0]))
    if point.gradient is None:
        if abs(slope - point.slope) <= max(1e-7, 20.0 * point.error) * (1.0 + abs(point.slope)):
            return None
        return Verdict("wrong", f"slope {slope!r}, differences say {point.slope!r}", where)
    if point.close(gradient, point.gradient) or _is_rounding(point):
        return None
    if point.condition > 1e9:
        return Verdict("dropped", "conditioning")
    try:
        measured = oracles.directional(point.loaded.function, point.args, point.program.wrt, point.direction)
        value = float(measured.value)
        if abs(value - point.slope) > max(1e-5, 30.0 * measured.error) * (1.0 + abs(value)):
            return Verdict("kink", f"complex step {point.slope!r}, differences {value!r}, ours {slope!r}", where)
    except Unsuitable:
        return Verdict("kink", "differences meet a kink", where)
    return Verdict("wrong", f"gradient {gradient!r}, should be {point.gradient!r}", where)


def _second(point: Point, tnb: Any) -> Verdict:
    """Forward over reverse against reverse over forward, and differences of the gradient where the two differ."""
    function, wrt, v = point.loaded.function, point.program.wrt, point.direction
    g = tnb.grad(function, wrt=wrt)
    one = tnb.jvp(g, wrt=wrt)(*point.args, *v)
    forward = tnb.jvp(function, wrt=wrt)
    tangent = forward(*point.args, *v)
    unit = np.ones_like(tangent)[()] if isinstance(tangent, np.generic) else 1.0
    back = tnb.vjp(forward, wrt=wrt)
    # another name where the function has a `seed`
    two = back(*point.args, *v, **{list(inspect.signature(back).parameters)[-1]: unit})
    vector = oracles.as_vector((one, two))
    if not np.all(np.isfinite(vector)) or np.max(np.abs(vector), initial=0.0) > LARGE:
        return Verdict("dropped", "second derivative not finite, or large")
    if point.close(one, two, 1e3):
        return Verdict("right")
    try:
        measured = oracles.differences(lambda t: g(*oracles.moved(point.args, wrt, v, t)))
    except Unsuitable as error:
        return Verdict("kink", str(error), "second order")
    if gap(one, measured.value) <= max(1e-6, 20 * measured.error) >= gap(two, measured.value):
        return Verdict("right")
    text = f"forward over reverse {one!r}, reverse over forward {two!r}, differences {measured.value!r}"
    return Verdict("wrong", text, "second order")


# ------------------------------------------------------------------ many programs
@dataclass
class Tally:
    """Counts of verdicts and features, and the failures."""

    verdicts: Counter[str] = field(default_factory=Counter)
    features: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[int, Any, Verdict]] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)
    wild_refused: int = 0
    grammar: str = "plain"

    @property
    def judged(self) -> int:
        """Programs of which something was learnt."""
        return sum(n for k, n in self.verdicts.items() if k not in ("dropped", "kink"))

    def add(self, seed: int, program: Any, verdict: Verdict) -> None:
        """Count one."""
        self.verdicts[verdict.kind] += 1
        if verdict.kind not in ("dropped", "kink"):
            self.features.update(ALL[self.grammar].features(program))
        if verdict.kind in ("wrong", "crash"):
            self.failures.append((seed, program, verdict))
        elif verdict.kind == "refused":
            self.wild_refused += program.wild
            lines = [line.strip()[5:] for line in verdict.message.splitlines() if line.strip().startswith("why: ")]
            self.refusals.update(lines[:1] or [verdict.message.splitlines()[0]])
        elif verdict.kind == "right" and verdict.message:   # right, but for a second derivative
            self.refusals.update([verdict.message.splitlines()[0]])

    def merge(self, other: Tally) -> None:
        """Add another's counts."""
        self.verdicts += other.verdicts
        self.features += other.features
        self.failures += other.failures
        self.refusals += other.refusals
        self.wild_refused += other.wild_refused


def run(seeds: range, size: int = 7, deep: bool = True, stop: int = 0, grammar: str = "plain") -> Tally:
    """Judge the programs of some seeds; stop: after so many failures, if not 0."""
    tally = Tally(grammar=grammar)
    for seed in seeds:
        program = ALL[grammar].generate(seed, size)
        tally.add(seed, program, judge(program, seed, deep))
        if stop and len(tally.failures) >= stop:
            break
    return tally


def smallest(program: Any, verdict: Verdict, salt: int = 0, budget: int = 400) -> Any:
    """The failing program, shrunk while it fails alike."""
    def alike(found: Verdict) -> bool:
        return (found.kind, found.where, found.error) == (verdict.kind, verdict.where, verdict.error)

    if isinstance(program, real_programs.Program):
        return program.with_text(text_shrink.shrink(
            program.text, lambda text: alike(real_judge.judge(program.with_text(text), only=verdict.where)), budget))

    def fails(candidate: Program) -> bool:
        try:
            return alike(judge(candidate, salt))
        except SyntaxError:                    # a break without its loop
            return False
    return shrink(program, fails, budget)

"""Judge the programs of real_programs.py: call each as its user would, in every mode; compare with differences.

What is left behind is compared with what the program itself leaves. Each call has a module of its own, in which the
text has just been run: so what a call changes outside is its own. The derivatives that a program takes itself are
differences too, for the oracle (`Numeric`); where it does something else then, as where an inner function changes
something, they are those of tangent_nb.
"""
from __future__ import annotations

import contextlib
import functools
import io
import itertools
import linecache
import math
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import oracles
import trips
from oracles import Unsuitable, gap, inner
from real_programs import Program
from verdicts import LARGE, Verdict, ending

EIGHTH = ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))       # central differences of eighth order
COUNT = itertools.count()


class Numeric:
    """Stands for tangent_nb in a program: derivatives by differences, of floats and arrays. beside: how far off they
    are, relatively, on purpose; looks: whether `kinked` says that a step of one meets a kink."""

    STEP, SMALL = 0.02, 1e-5

    def __init__(self, beside: float = 0.0, looks: bool = False) -> None:
        self.beside, self.looks, self.kinked = beside, looks, False

    def _along(self, fn: Callable[..., Any], args: list[Any], wrt: Any, direction: Any) -> Any:
        def at(t: float) -> Any:
            moved = list(args)
            moved[wrt] = args[wrt] + t * direction
            return fn(*moved)
        slope = sum(c * (at(k * self.STEP) - at(-k * self.STEP)) for k, c in EIGHTH) / self.STEP
        if self.looks:
            here, sides = at(0.0), (at(self.SMALL), at(-self.SMALL))
            self.kinked |= any(gap((side - here) / step, slope) > 1e-3
                               for side, step in zip(sides, (self.SMALL, -self.SMALL), strict=True))
        return (1.0 + self.beside) * slope

    def grad(self, fn: Callable[..., Any], wrt: Any = 0) -> Callable[..., Any]:
        def df(*args: Any) -> Any:
            at = 1 if wrt == "k" else wrt
            x = args[at]
            if np.ndim(x) == 0:                            # a float of Python gives one, which has no infinities
                slope = self._along(fn, list(args), at, 1.0)
                return slope if isinstance(x, np.generic) else float(slope)
            return np.array([self._along(fn, list(args), at, unit) for unit in np.eye(len(x))])
        return df

    def value_and_grad(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args: (fn(*args), self.grad(fn)(*args))

    def jvp(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        return lambda x, dx: self._along(fn, [x], 0, dx)

    def vjp(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        return lambda x, seed: self.grad(fn)(x) * seed

    def jacobian(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        return lambda x: np.array([self._along(fn, [x], 0, unit) for unit in np.eye(len(x))]).T

    def hessian(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        return self.jacobian(self.grad(fn))

    def hvp(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        return lambda x, v: self._along(self.grad(fn), [x], 0, v)


# ---------------------------------------------------------------------- what a call does
@dataclass(frozen=True)
class Outcome:
    """What a call gave, or raised; what it printed; what it left outside."""

    result: Any
    error: str
    printed: str
    left: Any


class Loaded:
    """A text that is run anew for each call."""

    def __init__(self, text: str) -> None:
        import tangent_nb
        self.tnb, self.roots = tangent_nb, 0
        self.name = f"<real {next(COUNT)}>"
        linecache.cache[self.name] = (len(text), None, text.splitlines(True), self.name)
        self.code = compile(text, self.name, "exec", dont_inherit=True)
        args = self.space()["given"]()
        self.wrt = tuple(i for i, a in enumerate(args) if isinstance(a, (float, np.ndarray)))
        self.direction = tuple(oracles.like(args[i], np.random.default_rng(i)) for i in self.wrt)

    def space(self, numeric: Numeric | None = None, counting: bool = False) -> dict[str, Any]:
        """The globals of the module in which the text has just been run."""
        module = sys.modules[self.name] = types.ModuleType(self.name)
        of = self._counting if counting else lambda library: library
        module.__dict__.update(np=of(np), math=of(math), tnb=numeric or self.tnb)
        exec(self.code, module.__dict__)
        return module.__dict__

    def _counting(self, library: Any) -> Any:
        """A library that counts the roots of 0."""
        def sqrt(x: Any) -> Any:
            self.roots += int(np.sum(np.equal(x, 0.0)))
            return library.sqrt(x)
        return types.SimpleNamespace(**{**vars(library), "sqrt": sqrt})

    def has_roots_of_zero(self) -> bool:
        """There a derivative is infinite; times one that is 0 it is no number, whatever differences say."""
        self.roots = 0
        self.call(lambda f, args: f(*args), numeric=Numeric(), counting=True)
        return self.roots > 0

    def call(self, of: Callable[[Any, tuple[Any, ...]], Any], t: float = 0.0, numeric: Numeric | None = None,
             counting: bool = False) -> Outcome:
        """What `of(f, args)` does, with arguments that are moved by t along the direction."""
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            space = self.space(numeric, counting)
            args = space["given"]()
            numbers = oracles.moved([args[i] for i in self.wrt], range(len(self.wrt)), self.direction, t)
            args = tuple(numbers[self.wrt.index(i)] if i in self.wrt else a for i, a in enumerate(args))
            try:
                result, error = of(space["f"], args), ""
            except Exception as raised:
                if type(raised).__module__ != self.name:             # an error of the program's own is what it does
                    raise
                result, error = None, f"{type(raised).__name__}: {raised}"
        return Outcome(result, error, printed.getvalue(), state(space, args))

    def unload(self) -> None:
        linecache.cache.pop(self.name, None)
        sys.modules.pop(self.name, None)


def state(space: dict[str, Any], args: tuple[Any, ...]) -> Any:
    """What the variables of a module and the arguments hold, with whether objects and lists are the same."""
    seen: dict[int, int] = {}
    module = space["__name__"]

    def of(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return ["array", *value.ravel().tolist()]
        if isinstance(value, (bool, str, type(None), np.bool_)):
            return value
        if isinstance(value, (int, float, np.generic)):
            return float(value)
        if isinstance(value, tuple):
            return [of(one) for one in value]
        if id(value) in seen:
            return f"seen {seen[id(value)]}"
        if isinstance(value, (list, dict)) or type(value).__module__ == module:
            seen[id(value)] = len(seen)
        if isinstance(value, list):
            return [of(one) for one in value]
        if isinstance(value, dict):
            return {str(name): of(one) for name, one in value.items()}
        if isinstance(value, functools.partial):
            return [of(value.func), of(value.args), of(value.keywords)]
        if isinstance(value, types.FunctionType):
            return [of(cell.cell_contents) for cell in value.__closure__ or ()]
        if isinstance(value, types.MethodType):
            return of(value.__self__)
        if isinstance(value, type):
            own = {n: v for n, v in vars(value).items() if isinstance(v, (int, float, list, dict))}
            return {n: of(v) for n, v in own.items()} if value.__module__ == module else ""
        if type(value).__module__ == module and not isinstance(value, BaseException):
            return {name: of(one) for name, one in vars(value).items()}
        return type(value).__name__
    names = [name for name in space if not name.startswith("__")
             and not isinstance(space[name], (types.ModuleType, Numeric))]
    return [{name: of(space[name]) for name in names}, of(args)]


def differs(a: Any, b: Any, path: str = "") -> str:
    """Where two states differ, or nothing."""
    if isinstance(a, dict) and isinstance(b, dict):
        if list(a) != list(b):
            return f"{path}: {list(a)} and {list(b)}"
        return next((found for name in a if (found := differs(a[name], b[name], f"{path}.{name}"))), "")
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return f"{path}: {len(a)} and {len(b)} items"
        return next((found for i, (p, q) in enumerate(zip(a, b, strict=True))
                     if (found := differs(p, q, f"{path}[{i}]"))), "")
    if isinstance(a, float) and isinstance(b, float):
        return "" if a == b or abs(a - b) <= 1e-10 * (1.0 + abs(a)) or a != a and b != b else f"{path}: {a!r} and {b!r}"
    return "" if a == b else f"{path}: {a!r} and {b!r}"


# ---------------------------------------------------------------------- the verdict
class Failed(Exception):
    """A mode gives something else. args: a word for what, and the text."""


@dataclass
class Point:
    """A program at its arguments, with what it does, and its slope."""

    loaded: Loaded
    primal: Outcome
    slope: float
    error: float
    curvature: Callable[[], oracles.Difference]

    def same(self, found: Outcome) -> None:
        """The effects of a call are those of the program."""
        if found.error != self.primal.error:
            raise Failed("exception", f"raises {found.error or 'nothing'}, not {self.primal.error or 'anything'}")
        if found.printed != self.primal.printed:
            raise Failed("printed", f"prints {found.printed!r}, not {self.primal.printed!r}")
        if where := differs(found.left, self.primal.left):
            raise Failed("left", f"leaves {where}")

    def near(self, slope: float, what: str) -> None:
        """A slope is that of the differences."""
        if math.isnan(slope) and self.loaded.has_roots_of_zero():
            raise Unsuitable("a root of 0")
        if not abs(slope - self.slope) <= max(2e-6, 30.0 * self.error) * (1.0 + abs(self.slope)):
            raise Failed("slope", f"{what} {slope!r}, differences say {self.slope!r}")

    def along(self, gradient: Any) -> float:
        """The slope of a gradient."""
        return float(np.real(inner(tuple(gradient), self.loaded.direction)[0]))


def oracle(loaded: Loaded) -> Point | str:
    """What the program does at its arguments, by itself; or why there is nothing to learn."""
    try:
        primal = loaded.call(lambda f, args: f(*args))
    except (ArithmeticError, ValueError) as error:
        return _as_without(loaded, error)
    if primal.error:
        return Point(loaded, primal, 0.0, 0.0, lambda: oracles.Difference(0.0, 0.0))
    value = primal.result
    if np.shape(value) != () or not np.isfinite(value) or abs(value) > LARGE:
        return f"the value is {value!r}"
    numeric = loaded.call(lambda f, args: f(*args), numeric=Numeric())
    alone = numeric.error == "" and gap(numeric.result, value) < 1e-8 and not differs(numeric.left, primal.left)
    if not alone and not differs(numeric.left, primal.left) and numeric.printed == primal.printed:
        if gap(numeric.result, value) > 1e-3:
            for beside in (1e-7, -1e-7):
                if gap(loaded.call(lambda f, args: f(*args), numeric=Numeric(beside)).result, value) < 1e-3:
                    raise Unsuitable("a comparison meets a derivative")
            loaded.call(lambda f, args: f(*args), numeric=(looking := Numeric(looks=True)))
            if looking.kinked:
                raise Unsuitable("a derivative that the program takes is near a kink")
            raise Failed("value", f"value {value!r}, with derivatives by differences {numeric.result!r}")
        return "the derivatives in it are not smooth"

    def phi(t: float) -> float:
        found = loaded.call(lambda f, args: f(*args), t, numeric=Numeric() if alone else None)
        if found.error or found.printed.count("\n") != primal.printed.count("\n"):
            raise Unsuitable("another path beside the point")
        return float(found.result)
    measured = oracles.differences(phi, oracles.STEPS[1:5])
    slope = float(measured.value)
    if not math.isfinite(slope) or abs(slope) > LARGE:
        return "the slope is not finite, or large"

    def curvature() -> oracles.Difference:
        found = [(phi(h) - 2.0 * float(value) + phi(-h)) / h ** 2 for h in (4e-3, 2e-3, 1e-3)]
        one, two = (4.0 * found[1] - found[0]) / 3.0, (4.0 * found[2] - found[1]) / 3.0
        return oracles.Difference(two, abs(one - two))
    return Point(loaded, primal, slope, measured.error, curvature)


def _as_without(loaded: Loaded, error: Exception) -> str:
    """The program raises, with derivatives by differences too: by what it computes itself."""
    try:
        loaded.call(lambda f, args: f(*args), numeric=Numeric())
    except type(error) as other:
        if str(other) == str(error):
            return f"the primal raises {type(error).__name__}: {error}"
    raise error


def judge(program: Program, salt: int = 0, deep: bool = True, only: str = "") -> Verdict:
    """Derive a program in every mode, and compare. only: one mode."""
    with warnings.catch_warnings(), np.errstate(all="ignore"), ending():
        warnings.simplefilter("ignore")
        try:
            loaded = Loaded(program.text)
        except Exception as error:                         # while it is made smaller
            return Verdict("dropped", f"the program raises {type(error).__name__}: {error}")
        try:
            return _judge(loaded, salt, deep, only)
        finally:
            loaded.unload()


def modes(salt: int, deep: bool) -> Iterator[str]:
    """Those whose turn it is."""
    yield "reverse"
    yield ("raw", "for all")[salt // 2 % 2] if salt % 2 else "forward"
    if deep and salt % 3 == 0:
        yield "split"
    if deep and salt % 3 == 1:
        yield "vjp"
    if deep and salt % 6 == 2:
        yield "second order"
    if deep and salt % 4 == 3:
        yield "paths"


def _judge(loaded: Loaded, salt: int, deep: bool, only: str) -> Verdict:
    from tangent_nb.errors import TangentError
    where, note = "primal", ""
    try:
        point = oracle(loaded)
        if isinstance(point, str):
            return Verdict("dropped", point)
        for where in [only] if only else modes(salt, deep):
            try:
                MODES[where](point)
            except TangentError as error:
                if where not in MAY_BE_REFUSED:
                    raise
                note = f"{where}: {error}" if where == "second order" else note
    except Unsuitable as error:
        return Verdict("kink", str(error))
    except TangentError as error:
        return Verdict("refused", str(error), where, type(error).__name__)
    except Failed as error:
        return Verdict("wrong", str(error.args[1]), where, str(error.args[0]))
    except Exception as error:
        if where == "primal" and "tangent_nb" not in _files(error):
            return Verdict("dropped", f"the primal raises {type(error).__name__}: {error}")
        return Verdict("crash", f"{type(error).__name__}: {error}", where, type(error).__name__)
    return Verdict("right", note)


def _files(error: BaseException) -> str:
    found, trace = [], error.__traceback__
    while trace is not None:
        found.append(trace.tb_frame.f_code.co_filename)
        trace = trace.tb_next
    return " ".join(found)


def _reverse(point: Point) -> None:
    found = point.loaded.call(lambda f, args: point.loaded.tnb.value_and_grad(f, wrt=point.loaded.wrt)(*args))
    point.same(found)
    if found.error:
        return
    value, gradient = found.result
    if gap(value, point.primal.result) > 1e-11:
        raise Failed("value", f"value {value!r}, not {point.primal.result!r}")
    point.near(point.along(gradient), "slope")


def _of_text(point: Point, *, passes: bool) -> None:
    """The text for all arguments: that for those of a call is judged by `_reverse`."""
    of = point.loaded
    texts = of.tnb.PASSES if passes else ()
    found = of.call(lambda f, args: of.tnb.grad(f, wrt=of.wrt, optimized=texts)(*args))
    point.same(found)
    if not found.error:
        point.near(point.along(found.result), "slope by the text for all" if passes else "raw slope")


def _keywords(df: Callable[..., Any], names: int, values: tuple[Any, ...]) -> Any:
    """A derivative's last arguments: by keywords, where it takes them so."""
    import inspect
    found = list(inspect.signature(df).parameters.values())
    keyword = [p.name for p in found if p.kind is p.KEYWORD_ONLY]
    return keyword[-names:] if len(keyword) >= names else []


def _given(df: Callable[..., Any], args: tuple[Any, ...], more: tuple[Any, ...]) -> Any:
    names = _keywords(df, len(more), more)
    return df(*args, **dict(zip(names, more, strict=True))) if names else df(*args, *more)


def _forward(point: Point) -> None:
    of = point.loaded
    found = of.call(lambda f, args: _given(of.tnb.jvp(f, wrt=of.wrt), args, oracles.fresh(of.direction)))
    point.same(found)
    if not found.error:
        point.near(float(found.result), "forward slope")


def _vjp(point: Point) -> None:
    of = point.loaded
    found = of.call(lambda f, args: _given(of.tnb.vjp(f, wrt=of.wrt), args, (2.0,)))
    point.same(found)
    if not found.error:
        point.near(0.5 * point.along(found.result), "slope by vjp")


def _split(point: Point) -> None:
    def twice(f: Any, args: Any) -> Any:
        value, pull = point.loaded.tnb.pullback(f, *args, wrt=point.loaded.wrt)
        for a in args:
            if isinstance(a, np.ndarray):
                a[...] += 0.0
        return value, pull(1.0), pull(1.0)
    found = point.loaded.call(twice)
    point.same(found)
    if found.error:
        return
    value, first, second = found.result
    if gap(value, point.primal.result) > 1e-11:
        raise Failed("value", f"value {value!r}, not {point.primal.result!r}")
    if gap(first, second):
        raise Failed("slope", f"pullback {first!r}, then {second!r}")
    point.near(point.along(first), "slope of the pullback")


def _second(point: Point) -> None:
    of = point.loaded

    def twice(f: Any, args: Any) -> Any:
        return _given(of.tnb.jvp(of.tnb.grad(f, wrt=of.wrt), wrt=of.wrt), args, oracles.fresh(of.direction))
    found = of.call(twice)
    point.same(found)
    if found.error:
        return
    measured = point.curvature()
    curvature = point.along(found.result)
    if abs(curvature - measured.value) > max(1e-4, 30.0 * measured.error) * (1.0 + abs(measured.value)):
        raise Failed("curvature", f"second derivative {curvature!r}, differences say {measured.value!r}")


def _paths(point: Point) -> None:
    """Drawn trips are exact on average; each call begins anew."""
    of = point.loaded
    left: list[Outcome] = []

    def gradient() -> Any:
        found = of.call(lambda f, args: of.tnb.grad(f, wrt=of.wrt, tape=of.tnb.Sampled(k=1, method="paths", seed=0))(
            *args))
        left.append(found)
        return [] if found.error else found.result
    mean, exact = trips.mean(gradient), of.call(lambda f, args: of.tnb.grad(f, wrt=of.wrt)(*args))
    for found in left:
        point.same(found)
    if mean is not None and not exact.error and gap(mean, wanted := trips.vector(exact.result)) > 1e-8:
        raise Failed("slope", f"on average over drawn trips {mean!r}, exact {wanted!r}")


MAY_BE_REFUSED = ("second order", "paths")
MODES: dict[str, Callable[[Point], None]] = {
    "reverse": _reverse, "raw": functools.partial(_of_text, passes=False),
    "for all": functools.partial(_of_text, passes=True), "forward": _forward, "split": _split, "vjp": _vjp,
    "second order": _second, "paths": _paths, "primal": lambda point: None}

"""Published packages, differentiated as they are installed.
Prints for each package how many of its functions are right, refused and wrong.

    python -m benchmarks.packages                    all that are installed of PACKAGES
    python -m benchmarks.packages chemicals fluids   these
    python -m benchmarks.packages fluids --show      with each function, and why it was refused
    python -m benchmarks.packages fluids --write     and keeps what became of each in packages.json

What is kept there is compared with: functions that are lost, and gained, are printed, and one lost is an error.

Nobody chooses what is called. Of each package the functions written in Python that have no underscore before their
names are taken in the order of the digests of their names. The arguments are made by a rule too (`_candidates`): each
required parameter is given a float, then vectors, then a matrix, whatever is the first with which the function gives
finite floats that depend on one of its arguments. That argument is differentiated by: `vjp` and `jvp`, optimised and
raw, against central differences in a fixed direction, of two step sizes that agree. Functions that differ between two
calls, or where the differences disagree with each other, are left out; where they agree and cannot judge all the same
(`_undecided`), that is counted by itself.
"""
from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import inspect
import io
import itertools
import json
import os
import pkgutil
import signal
import sys
import tempfile
import traceback
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import packages_distributions, version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tangent_nb as tnb
from tangent_nb.errors import TangentError

PACKAGES = ("ahrs", "astropy", "chemicals", "colour", "control", "filterpy", "financepy", "fluids", "geomstats",
            "librosa", "lmfit", "metpy", "mir_eval", "navpy", "nolds", "numpy_financial", "opfunu", "pvlib", "pymap3d",
            "pymoo", "pypfopt", "pyquaternion", "pyswarms", "python_speech_features", "quantstats", "roboticstoolbox",
            "seawater", "sgp4", "skfuzzy", "skrf", "skyfield", "sklearn",
            "spatialmath", "statsmodels", "thermo", "transforms3d", "windpowerlib")
MOST = 20                       # functions of each package
TRIED = 400                     # functions of each package that are called to find them
CALL_SECONDS, DERIVE_SECONDS = 2, 60
FLOATS = (0.7, 1.3, 0.4, 2.1, 0.9, 1.7, 0.55, 1.1)
TOLERANCE = 1e-4
# nan: where differences are finite; undecided: where they cannot judge (`_undecided`)
KINDS = ("right", "undecided", "refused", "slow", "nan", "crash", "wrong")     # from the best to the worst
KEPT = Path(__file__).resolve().with_suffix(".json")


class Case(NamedTuple):
    """A function, its arguments, the place of that by which it is differentiated,
    and its slope in the direction of ones there."""

    name: str
    fn: Callable[..., Any]
    args: tuple[Any, ...]
    place: int
    slope: float


class OutOfTime(BaseException):
    """Raised in what takes too long; no handler of a library takes it."""


@contextlib.contextmanager
def limited(seconds: int) -> Iterator[None]:
    """At most this long, and without a word."""
    def stop(*_: Any) -> None:
        raise OutOfTime

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), \
                warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            yield
    finally:
        signal.alarm(0)


def functions(package: str) -> list[tuple[str, Callable[..., Any]]]:
    """The public functions of a package that are written in Python, in the order of the digests of their names."""
    found: dict[str, Callable[..., Any]] = {}
    top = importlib.import_module(package)
    names = [package, *(info.name for info in pkgutil.walk_packages(
        getattr(top, "__path__", []), f"{package}.", onerror=lambda name: None) if not any(
            part.startswith("_") or "test" in part or part == "conftest" for part in info.name.split(".")))]
    for name in names:
        try:
            with limited(20):
                module = importlib.import_module(name)
        except (Exception, SystemExit, OutOfTime):
            continue
        for key, value in list(vars(module).items()):
            if isinstance(value, types.FunctionType) and not key.startswith("_") and value.__name__ == key \
                    and (value.__module__ or "").partition(".")[0] == package:
                found[f"{value.__module__}.{key}"] = value
    return sorted(found.items(), key=lambda item: hashlib.sha256(item[0].encode()).hexdigest())


def _required(fn: Callable[..., Any]) -> int | None:
    """How many arguments it must be given by position; None where it asks for more than that, or takes none."""
    try:
        parameters = list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError):
        return None
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    needed = [p for p in positional if p.default is p.empty]
    if any(p.kind is p.KEYWORD_ONLY and p.default is p.empty for p in parameters) \
            or not 1 <= len(needed) <= len(FLOATS):
        return None
    return len(needed)


def _candidates(count: int) -> Iterator[tuple[Any, ...]]:
    """Arguments, in the order in which they are tried."""
    floats = FLOATS[:count]
    three, matrix = np.array([0.6, 0.3, 0.8]), np.array([[1.2, 0.3, 0.1], [0.2, 0.9, 0.4], [0.1, 0.5, 1.4]])
    yield floats
    yield tuple(290.0 + 10.0 * a for a in floats)
    yield tuple(np.linspace(a, a + 0.5, 5) for a in floats)
    for first in (three, np.array([0.6, 0.3, 0.8, 0.2]), matrix, np.eye(4)[:, :] + 0.1,
                  np.linspace(0.1, 0.9, 12).reshape(4, 3)):
        yield (first,) * count
        if count > 1:
            yield first, *floats[1:]
            yield *floats[1:], first


def flat(y: Any) -> np.ndarray | None:
    """The floats of a result, in one row; None where it holds others than finite floats, or none."""
    parts = y if isinstance(y, (tuple, list)) else [y]
    if not parts or not all(isinstance(one, (float, np.floating))
                            or isinstance(one, np.ndarray) and one.dtype.kind == "f" for one in parts):
        return None
    row = np.concatenate([np.ravel(one) for one in parts]).astype(float)
    return row if row.size and np.all(np.isfinite(row)) else None


def _sum(fn: Callable[..., Any], args: list[Any]) -> float:
    row = flat(fn(*args))
    return float("nan") if row is None else float(np.sum(row))


def _moved(args: tuple[Any, ...], place: int, by: float) -> list[Any]:
    return [one + by if i == place else np.array(one) if isinstance(one, np.ndarray) else one
            for i, one in enumerate(args)]


def case(name: str, fn: Callable[..., Any]) -> Case | None:
    """The first arguments with which the function gives finite floats that depend on one of them;
    None where there are none."""
    count = _required(fn)
    for args in _candidates(count) if count else ():
        try:
            with limited(CALL_SECONDS):
                first, again = flat(fn(*_moved(args, -1, 0.0))), flat(fn(*_moved(args, -1, 0.0)))
                if first is None or again is None or first.shape != again.shape or not np.array_equal(first, again):
                    continue
                for place in range(len(args)):
                    slopes = [(_sum(fn, _moved(args, place, h)) - _sum(fn, _moved(args, place, -h))) / (2 * h)
                              for h in (1e-5, 3e-6)]
                    if all(np.isfinite(slopes)) and slopes[0] != 0.0 and _close(slopes[0], slopes[1]):
                        return Case(name, fn, args, place, slopes[0])
        except (Exception, SystemExit, OutOfTime):
            continue
    return None


def _close(a: Any, b: Any) -> bool:
    return bool(abs(a - b) <= TOLERANCE * max(1.0, abs(a), abs(b)))


def _total(tree: Any) -> float:
    """The sum of all numbers in a tangent or cotangent."""
    if isinstance(tree, (tuple, list)):
        return sum(map(_total, tree))
    return 0.0 if tree is None else float(np.sum(tree))


def _undecided(one: Case, derivative: Callable[[Sequence[Any]], float], got: float) -> str:
    """Why differences cannot judge a derivative that they disagree with; empty where they can."""
    near = [_beside(one.args, one.place, floats) for floats in (1, -1)]
    moves = max(abs(derivative(args) - got) for args in near)
    if moves >= abs(got - one.slope):
        return f"(from one float to the next the derivative changes by {moves!r})"
    stairs = [_sum(one.fn, _beside(one.args, one.place, floats)) for floats in (0, 1, -1, 64, -64)]
    return "(the function is a staircase, whose steps are shorter than those of the differences)" \
        if got == 0.0 and len(set(stairs)) == 1 else ""


def _beside(args: tuple[Any, ...], place: int, floats: int) -> list[Any]:
    """The arguments, of which one is some floats away."""
    moved = _moved(args, -1, 0.0)
    moved[place] = args[place] + floats * np.spacing(args[place]) if floats else moved[place]
    return moved


def _ones(y: Any) -> Any:
    parts = [_ones(one) for one in y] if isinstance(y, (tuple, list)) else []
    return getattr(type(y), "_make", type(y))(parts) if isinstance(y, (tuple, list)) \
        else np.ones_like(y) if isinstance(y, np.ndarray) else 1.0


def outcome(one: Case) -> tuple[str, str]:
    """One of KINDS, and more about it."""
    for mode, optimized in itertools.product(("vjp", "jvp"), (True, False)):
        how = f"{mode}, optimized={optimized}"
        try:
            with limited(DERIVE_SECONDS):
                given = _ones(one.fn(*_moved(one.args, -1, 0.0)) if mode == "vjp" else one.args[one.place])
                derivative = _derivative(one, mode, optimized, given)
                got = derivative(one.args)
                undecided = "" if _close(got, one.slope) else _undecided(one, derivative, got)
        except TangentError as error:
            return "refused", str(error)
        except OutOfTime:
            return "slow", f"{how}: more than {DERIVE_SECONDS} s"
        except Exception:
            return "crash", f"{how}: {traceback.format_exc(limit=-3)}"
        if not _close(got, one.slope):
            kind = "undecided" if undecided else "wrong" if np.isfinite(got) else "nan"
            return kind, f"{how}: {got!r}, differences say {one.slope!r} {undecided}"
    return "right", ""


def _derivative(one: Case, mode: str, optimized: bool, given: Any) -> Callable[[Sequence[Any]], float]:
    """The sum of all numbers in a derivative, of arguments. given: its seed, or tangent."""
    df = (tnb.vjp if mode == "vjp" else tnb.jvp)(one.fn, one.place, optimized=optimized)
    last = [p.name for p in inspect.signature(df).parameters.values()
            if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)][-1]
    return lambda args: _total(df(*_moved(tuple(args), -1, 0.0), **{last: given}))


def tally(package: str, show: bool) -> dict[str, str]:
    """What became of the functions of one package: one of KINDS for each name in it."""
    kinds: dict[str, str] = {}
    for name, fn in functions(package)[:TRIED]:
        if (one := case(name, fn)) is None:
            continue
        kind, why = outcome(one)
        kinds[name.removeprefix(f"{package}.")] = kind
        if show or kind not in ("right", "refused"):
            print(f"{kind:9} {name}({', '.join(map(_shown, one.args))}) by argument {one.place}", why,
                  sep="\n", flush=True)
        if len(kinds) == MOST:
            break
    return kinds


def _shown(arg: Any) -> str:
    return f"{arg:g}" if isinstance(arg, float) else f"array{arg.shape}"


def compared(before: dict[str, str], now: dict[str, str]) -> tuple[list[str], list[str]]:
    """The functions that are lost, and gained: of which less, or more, is known than before.
    One that is no longer called is lost where it was right."""
    lost, gained = [], []
    for name in sorted(before.keys() | now.keys()):
        was, is_now = before.get(name, "not called"), now.get(name, "not called")
        if name in before and name in now and was != is_now:
            (lost if KINDS.index(is_now) > KINDS.index(was) else gained).append(f"{name}: {was}, now {is_now}")
        elif name not in now and was == "right":
            lost.append(f"{name}: {was}, now {is_now}")
    return lost, gained


def _row(label: str, counts: Counter[str]) -> None:
    print(f"{label:<26}" + "".join(f"{counts[kind]:>10}" for kind in KINDS), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", default=PACKAGES)
    parser.add_argument("--show", action="store_true", help="each function, and why it was refused")
    parser.add_argument("--write", action="store_true", help="keep what became of each function in packages.json")
    options = parser.parse_args()
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    os.chdir(tempfile.mkdtemp())                            # what is called may write files
    print(f"{'package':<26}" + "".join(f"{kind:>10}" for kind in KINDS))
    total: Counter[str] = Counter()
    all_lost: list[str] = []
    for package in options.packages:
        try:
            kinds = tally(package, options.show)
        except ModuleNotFoundError:
            print(f"{package:<26}  not installed", file=sys.stderr)
            continue
        except Exception as error:                         # with this NumPy it cannot be imported
            print(f"{package:<26}  cannot be imported: {error!r}", file=sys.stderr)
            continue
        _row(package, Counter(kinds.values()))
        total.update(kinds.values())
        here, before = version(packages_distributions()[package][0]), kept.get(package, {})
        if before and before["version"] != here:
            print(f"  not compared: this is version {here}, kept is {before['version']}")
        elif before:
            lost, gained = compared(before["functions"], kinds)
            print(*(f"  {word:<8}{name}" for word, names in (("lost", lost), ("gained", gained)) for name in names),
                  sep="\n", end="\n" if lost or gained else "", flush=True)
            all_lost += lost
        if options.write and kinds:
            kept[package] = {"version": here, "functions": dict(sorted(kinds.items()))}
            KEPT.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", encoding="utf-8")
    _row("all", total)
    return 1 if all_lost else 0


if __name__ == "__main__":
    sys.exit(main())

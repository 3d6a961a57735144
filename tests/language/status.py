"""What becomes of the programs of the language: `python tests/language/status.py [-v] [-q] [-j N] [group…]`.

Each entry is derived in four ways: reverse and forward, optimized and raw. One letter each: `.` right, `r` refused, `W`
wrong numbers, `C` another error than TangentError (or none within the time). `group` is the beginning of an entry's id.
With -v every way has its message and the text of programs that are not right; with -q only the summary is printed. The
exit status is 1 where anything is wrong or crashes. An entry runs in a child of its own: what it breaks, or changes, it
breaks for itself.
"""
from __future__ import annotations

import sys

sys.path.pop(0)                         # this folder: names of its files are names of modules of the library
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import argparse
import contextlib
import inspect
import io
import multiprocessing
import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import test_corpus as judge
from corpus import CORPUS, Entry
from language import collect
from oracles import Unsuitable, complex_gradient, complex_step, directional, gap, inner

import tangent_nb as tnb
from tangent_nb.errors import TangentError

LIMIT = 20.0
WAYS = ("reverse", "reverse raw", "forward", "forward raw")
LETTERS = {"right": ".", "refused": "r", "wrong": "W", "crash": "C"}
RANKS = ("right", "refused", "wrong", "crash")


@dataclass(frozen=True)
class Verdict:
    """What became of an entry in one way."""

    kind: str
    message: str = ""


# ------------------------------------------------------------------ judging one entry
def reverse(entry: Entry, optimized: bool) -> None:
    """Against the oracle; types, memory and arguments as tests/test_corpus.py asks for them; a second call the same."""
    function = tnb.vjp(entry.function, wrt=entry.wrt, optimized=optimized)
    seed = judge.seed_of(entry)
    if entry.expected is not None:
        seed = judge.mapped(np.ones_like, seed)
    name = judge.fixed(function)[-1]
    args = judge.point(entry)
    got = function(*args, **{name: seed})
    assert judge.same(args, judge.left(entry)), "the arguments are not as the function leaves them"
    judge.fits(entry, got, args, seed)
    if entry.expected is not None:
        assert gap(got, entry.expected) <= 1e-12, f"{got!r} where {entry.expected!r} is due"
    else:
        gradient_is_right(entry, got, seed)
    assert judge.same(function(*judge.point(entry), **{name: seed}), got), "the second call differs"


def gradient_is_right(entry: Entry, got: tuple[Any, ...], seed: Any) -> None:
    """Against complex numbers where the function takes them, else against differences."""
    if entry.holomorphic:
        with contextlib.suppress(Unsuitable):
            judge.close(entry, got, complex_gradient(entry.function, judge.point(entry), entry.wrt, seed),
                        what="gradient")
            return
    for salt in (1, 2):
        direction = judge.direction_of(entry, salt)
        measured = directional(entry.function, judge.point(entry), entry.wrt, direction)
        left, right = inner(got, direction)[0], inner(measured.value, seed)[0]
        assert gap(left, right) <= max(1e-7, 10 * measured.error, entry.tol), \
            f"{got!r}: {left!r} along a line, {right!r} is due"


def forward(entry: Entry, optimized: bool) -> None:
    """A tangent against the oracle."""
    function = tnb.jvp(entry.function, wrt=entry.wrt, optimized=optimized)
    args, direction = judge.point(entry), judge.direction_of(entry)
    got = judge.push(entry, function, args, direction)
    assert judge.same(args, judge.left(entry)), "the arguments are not as the function leaves them"
    if entry.expected is not None:
        want = sum(inner(e, d)[0] for e, d in zip(entry.expected, direction, strict=True))
        assert gap(np.sum(got), want) <= 1e-12, f"{got!r} where {want!r} is due"
        return
    if entry.holomorphic:
        with contextlib.suppress(Unsuitable):
            judge.close(entry, got, complex_step(entry.function, judge.point(entry), entry.wrt, direction),
                        what="tangent")
            return
    measured = directional(entry.function, judge.point(entry), entry.wrt, direction)
    assert gap(got, measured.value) <= max(1e-7, 10 * measured.error, entry.tol), \
        f"{got!r} where {measured.value!r} is due"


def tried(check: Callable[[], None]) -> Verdict:
    """What a check says."""
    try:
        check()
    except TangentError as error:
        return Verdict("refused", str(error))
    except AssertionError as error:
        return Verdict("wrong", str(error))
    except Unsuitable as error:
        return Verdict("crash", f"no oracle: {error}")
    except Exception as error:
        return Verdict("crash", f"{type(error).__name__}: {error}")
    return Verdict("right")


def verdicts(entry: Entry) -> list[Verdict]:
    """Of all ways."""
    with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        return [tried(lambda run=run, optimized=optimized: run(entry, optimized))
                for run in (reverse, forward) for optimized in (True, False)]


# ------------------------------------------------------------------ children
def child(identifier: str, pipe: Any) -> None:
    """Judge one entry and send what came out."""
    collect.load()
    pipe.send(verdicts(next(e for e in CORPUS if e.id == identifier)))
    pipe.close()


def in_a_child(entry: Entry, context: Any) -> list[Verdict]:
    """The verdicts on an entry; a crash where the child dies or takes too long."""
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=child, args=(entry.id, there))
    process.start()
    there.close()
    try:
        if here.poll(LIMIT):
            return here.recv()
        return [Verdict("crash", f"nothing within {LIMIT:g} s")] * len(WAYS)
    except EOFError:
        process.join()
        return [Verdict("crash", f"the process died: {process.exitcode}")] * len(WAYS)
    finally:
        process.kill()
        process.join()


# ------------------------------------------------------------------ printing
def worst(found: list[Verdict]) -> Verdict:
    """The first of the worst."""
    return max(found, key=lambda v: RANKS.index(v.kind))


def due(entry: Entry, found: list[Verdict]) -> str:
    """The word for an entry: one that is to be refused is right when it is."""
    kind = worst(found).kind
    return "right" if entry.refused and {v.kind for v in found} == {"refused"} else kind


def reason(message: str) -> str:
    """The line of a message that says why."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    why = [line for line in lines if line.startswith("why:")]
    return (why or lines or [""])[0]


def shown(entry: Entry, found: list[Verdict], verbose: bool) -> Iterator[str]:
    """The lines of one entry."""
    letters, word = "".join(LETTERS[v.kind] for v in found), due(entry, found)
    yield f"{letters} {word:8}{entry.id}  {'' if word == 'right' else reason(worst(found).message)[:150]}".rstrip()
    if verbose and word != "right":
        for way, verdict in zip(WAYS, found, strict=True):
            yield f"    {way}: {verdict.kind}"
            yield from (f"        {line}" for line in verdict.message.splitlines())
        with contextlib.suppress(OSError, TypeError):
            yield from (f"    | {line}" for line in inspect.getsource(entry.function).splitlines())


def summary(name: str, words: list[str]) -> str:
    """How many of each kind."""
    counts = Counter(words)
    return f"{name:26}" + "".join(f"{counts[kind]:5} {kind}" for kind in RANKS) + f"{len(words):6} in all"


def main() -> int:
    """Judge the entries that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", help="beginnings of ids; without: all programs of the language")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("-q", "--quiet", action="store_true")
    parser.add_argument("-j", "--jobs", type=int, default=min(2, os.cpu_count() or 1))
    options = parser.parse_args()
    before = len(CORPUS)
    collect.load()
    entries = [e for e in CORPUS if e.id.startswith(tuple(options.groups))] if options.groups else CORPUS[before:]
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else "spawn")
    words: dict[str, list[str]] = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        for entry, found in zip(entries, pool.map(lambda e: in_a_child(e, context), entries), strict=True):
            words.setdefault(entry.group, []).append(due(entry, found))
            if not options.quiet:
                print(*shown(entry, found, options.verbose), sep="\n", flush=True)
    print()
    for group, kinds in words.items():
        print(summary(group, kinds))
    everything = [word for kinds in words.values() for word in kinds]
    print(summary("total", everything))
    return int("wrong" in everything or "crash" in everything)


if __name__ == "__main__":
    sys.exit(main())

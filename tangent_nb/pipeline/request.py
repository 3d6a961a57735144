"""What the pipeline is asked for, and what it makes."""
from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import gast

from ..analyse.resolve import Scope
from ..differentiate import Problem
from ..errors import Refusal
from ..optimise import Step
from ..rules import LIBRARIES
from ..runtime.alike import Structure
from ..runtime.for_calls import Versions
from ..syntax.names import Names
from ..syntax.partners import NONE, Partners
from ..syntax.program import Captured, Derivation, Stage
from ..syntax.spec import Spec

KEEPING: ContextVar[bool] = ContextVar("keeping", default=False)
MOST_PASSED = 200
KINDS = ("grad", "value_and_grad", "vjp", "jvp", "split", "push")


@dataclass(frozen=True)
class Part:
    """A part of an argument, or a variable outside, that is differentiated. name: of our parameter for it; path: as
    `wrt` says it, `"p['w']"`; base: the name that the path starts with; outside: that is a global, or of a closure;
    shown: how names of derivatives call it."""

    name: str
    path: str
    base: str
    outside: bool
    shown: str


@dataclass(frozen=True)
class Request:
    """What is asked for. kind: one of KINDS; passes: names, in order; like: specs of the parameters known
    beforehand; structures: how those are made that are objects; backend: `"numpy"` or `"jax"`; compiled: by `"jit"` or
    `"numba"`, else ""; parts: what in wrt is no parameter; outermost: it is not called by
    another derivative, so that it may change arrays of its caller; cut: zeros in seeds, or in tangents, are not the
    user's: a pole behind them contributes 0; name: of the derivative, "" for the one that its function gives it;
    owned: what is kept between the two halves of split motion is no memory of the caller's, nor a variable outside;
    versions: the texts for arguments that are made otherwise, where there is none for all; lacks: why there is none;
    beside: those that are better, where there is a text for all; by_class: numbers and arrays
    have such too; served: it is called for such arguments alone; tape: the `Sampled` of a tape with samples, begun;
    key: the keyword that a call may have for a key of JAX to draw them from;
    keeps: what was found of the functions is kept, to be shown; recomputes: what `tnb.checkpoint` names is computed
    again, else it is kept as all else; glance: the text for the examples is looked at, and that for all arguments is
    left out."""

    kind: str
    wrt: tuple[str, ...]
    bare: bool
    passes: tuple[str, ...]
    has_aux: bool = False
    like: tuple[tuple[str, Spec], ...] = ()
    structures: tuple[tuple[str, Structure], ...] = ()
    backend: str = "numpy"
    compiled: str = ""
    parts: tuple[Part, ...] = ()
    outermost: bool = True
    cut: bool = False
    name: str = ""
    owned: bool = False
    versions: Versions | None = None
    beside: Versions | None = None
    by_class: bool = False
    served: bool = False
    lacks: tuple[Refusal, ...] = ()
    tape: Any = None
    key: str = ""
    keeps: bool = field(default_factory=KEEPING.get)
    recomputes: bool = True
    glance: bool = False

    @property
    def shown(self) -> tuple[str, ...]:
        """How names of derivatives call what is differentiated."""
        shown = {part.name: part.shown for part in self.parts}
        return tuple(shown.get(name, name) for name in self.wrt)

    @property
    def passes_on(self) -> bool:
        """The text is for some arguments, and passes others on."""
        return not self.served and bool(self.like or self.structures or self.versions is not None)

    @property
    def mode(self) -> str:
        return "forward" if self.kind in ("jvp", "push") else "reverse"


@contextmanager
def keeping() -> Iterator[None]:
    """What is derived in this block keeps the problems that its functions posed, and so do the texts that it gets later
    for the arguments of calls."""
    token = KEEPING.set(True)
    try:
        yield
    finally:
        KEEPING.reset(token)


class Beside(NamedTuple):
    """A function that another one calls by a path, where what is known of the first rests on the text of the second."""

    caller: Any
    path: str
    fn: Any


@dataclass
class Function:
    """One generated function on its way to text.

    helpers: the functions that its text takes for granted, by the names that it calls them by, or `Beside` it;
    checked_as: the name of their snapshots; part: where the gradient stands in what it returns; cells: what it sees
    beside the user's globals; scope, specs: what names in it mean, and what is known of its parameters; floating: the
    names that carry a derivative, or are one; libraries: what the names with a percent sign stand for; structures: how
    arguments have to be made, or what has the texts for them, by the names that it knows them by; partners: which of
    its variables holds the derivative of which; second: the one that goes backward, where two do; stream: what it draws
    samples from.
    """

    tree: gast.FunctionDef
    captured: Captured
    names: Names
    helpers: list[tuple[str, Any]]
    part: tuple[int, ...] = ()
    defaults: bool = True
    checked_as: str = ""
    cells: dict[str, Any] = field(default_factory=dict)
    scope: Scope | None = None
    specs: Mapping[str, Spec] = field(default_factory=dict)
    floating: frozenset[str] = frozenset()
    libraries: Mapping[str, Any] = field(default_factory=lambda: LIBRARIES)
    structures: dict[str, Any] = field(default_factory=dict)
    partners: Partners = NONE
    second: Function | None = None
    stream: str = ""


@dataclass(frozen=True)
class Passed:
    """A generated function as passes have left it. renamed: what names are called now; stages: the texts on the way."""

    body: list[gast.stmt]
    names: Names
    temporaries: frozenset[str]
    renamed: Mapping[str, str]
    stages: tuple[Stage, ...]


@dataclass
class Raw:
    """A generated function before the first pass. problem: that it solves, None where it needs no pass; derivatives:
    cotangents or tangents by name; halves: the names of the two functions into which split motion cuts it, and seed:
    that of the cotangent that the second begins with; first: it is of the function itself, and not of one that is
    called; attempted: it may be called in a `try`; then: what is done when the passes have run; passed: what they have
    made of it, by the steps that they took, for a tape with samples or without."""

    function: Function
    problem: Problem | None = None
    derivatives: Mapping[str, str] = field(default_factory=dict)
    halves: tuple[str, ...] = ()
    seed: str = ""
    first: bool = False
    attempted: bool = False
    then: Callable[[Function], None] = lambda function: None
    passed: dict[tuple[bool, tuple[Step, ...]], Passed] = field(default_factory=dict)

    def keep(self, sampled: bool, steps: tuple[Step, ...], passed: Passed) -> None:
        """Keep what passes have made, and of what was made before the last."""
        self.passed[sampled, steps] = passed
        if len(self.passed) > MOST_PASSED:
            del self.passed[next(iter(self.passed))]

    def last(self, sampled: bool, steps: tuple[Step, ...]) -> int:
        """How many of these steps have been made, and are kept."""
        return next((n for n in range(len(steps), 0, -1) if (sampled, steps[:n]) in self.passed), 0)


@dataclass
class Derived:
    """The functions of one request, the main one first, and what is known of them. structures, like: how arguments
    have to be made for them; build: what was found before the first pass."""

    functions: dict[str, types.FunctionType]
    main: tuple[str, ...]
    derivation: Derivation
    structures: tuple[tuple[str, Structure], ...] = ()
    like: tuple[tuple[str, Spec], ...] = ()
    build: Any = field(default=None, repr=False)

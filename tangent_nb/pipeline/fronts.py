"""What is found of a function before the first pass, which is the same whatever passes follow.

Needs that nothing changes of what a derivation takes for granted: no code of the user runs in between, or what it has
changed was looked at. Promises in a block `sharing` the text that would be found anew. For a reader who switches passes
on and off, one after the other: more than half of a derivation lies before the first.

    fronts = Fronts()
    with sharing(fronts):
        derive(f, request)
        derive(f, replace(request, passes=()))         # the passes alone run
"""
from __future__ import annotations

import types
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import RefusedError
from ..optimise import EARLY
from ..runtime.reading import meanings
from ..syntax.deep import deep
from ..syntax.program import Derivation
from .build import Build
from .finish import Finish
from .request import Derived, Request

FRONTS: ContextVar[Fronts | None] = ContextVar("fronts", default=None)
MOST = 3


@dataclass(frozen=True)
class Front:
    """A build, and what it is of. meant: of each of its functions what the names in it meant."""

    fn: Any
    asked: Request
    build: Build
    meant: list[tuple[types.FunctionType, types.CodeType, list[tuple[str, Any]]]]

    @classmethod
    def of(cls, fn: Any, request: Request, build: Build) -> Front:
        """What is kept of a build."""
        texts = build.captured, *build.reader.known.values()
        functions = dict.fromkeys(text.fn for text in texts if isinstance(text.fn, types.FunctionType))
        return cls(fn, before_passes(request), build, [(one, one.__code__, list(meanings(one))) for one in functions])

    @property
    def holds(self) -> bool:
        """Its functions are as they were, and so are the values of the names in them."""
        return all(fn.__code__ is code and _alike(list(meanings(fn)), before) for fn, code, before in self.meant)


@dataclass
class Fronts:
    """The builds that were met last. glance: what is derived now is only looked at."""

    known: list[Front] = field(default_factory=list)
    glance: bool = False

    def finished(self, fn: Any, request: Request) -> Derived | None:
        """What rests on a build that is known; None where there is none."""
        asked = before_passes(request)
        for one in self.known:
            if one.fn is fn and one.asked == asked:
                self.known.remove(one)
                self.known.append(one)
                build = one.build
                with deep(*[raw.function.tree for raw in build.raws]):
                    found = Finish(build, replace(build.request, passes=request.passes, beside=request.beside,
                                                  by_class=request.by_class, tape=request.tape,
                                                  glance=request.glance)).run()
                return None if isinstance(found, RefusedError) else found
        return None

    def only(self, derivation: Derivation | None) -> None:
        """Let go of all but what a derivation rests on, as far as that holds; None: of all."""
        self.known = [] if derivation is None else [
            one for one in self.known
            if one.fn is derivation.primal.fn and one.asked == before_passes(derivation.asked) and one.holds]

    def keep(self, fn: Any, request: Request, build: Build) -> None:
        """Keep a build, and of those before it the last."""
        if request.versions is None:                       # a text that asks for others asks for its own
            self.known = [*self.known[1 - MOST:], Front.of(fn, request, build)]


def _alike(now: list[tuple[str, Any]], before: list[tuple[str, Any]]) -> bool:
    return len(now) == len(before) and all(
        name == known and value is meant for (name, value), (known, meant) in zip(now, before))


def before_passes(request: Request) -> Request:
    """What a request asks for of the stages before the first pass."""
    early = tuple(name for name in request.passes if name in EARLY)
    return replace(request, passes=early, beside=None, by_class=False, tape=None, glance=False)


@contextmanager
def sharing(fronts: Fronts, *, glance: bool = False) -> Iterator[None]:
    """Derivations in this block share what they find before the first pass. glance: they are to be looked at, not to be
    called: the text for the examples is made, and not the one for all arguments to which it passes others on."""
    token, fronts.glance = FRONTS.set(fronts), glance
    try:
        yield
    finally:
        fronts.glance = False
        FRONTS.reset(token)

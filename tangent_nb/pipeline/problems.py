"""The problem that each function poses, in the form in which it is derived.

Needs functions that the fence let through. Promises for each a `Problem` whose calls are calls of pairs, or why it is
refused. A function has more than one form where the text does not say what its parameters are, or which array a name
stands for:

- parameters that may be containers, as far as the text says, are taken for that, or for arrays, for which
  `rt.differentiable` asks then;
- parameters that are read in indices are taken for whatever is given,
  or for ints: of `row = A[k]` nobody knows whether it shares memory with
  A if k may be a list;
- what follows a branch stands behind it, or in each of its arms (`normalise/apart.py`).

The first form is the plainest. `allowed` says which is taken: the first that ownership lets through without a question
at run time.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import gast

from ..analyse.records import version_parameters
from ..desugar import Reader
from ..differentiate import Pair, Start
from ..errors import RefusedError
from ..syntax.building import clone
from ..syntax.nodes import nodes_of, parameter_names, reads, walk
from ..syntax.program import Captured
from ..syntax.sizes import meeting
from ..syntax.spec import INT, Spec
from . import frame
from .calls import Calls
from .normal import Posed, callee, normal_form, outer_names
from .request import Request
from .results import Given

MOST_MEETINGS = 5              # one size may be known by another that is known by the last round


@dataclass(frozen=True)
class Problems:
    """The problems of one run. main: the function that is derived."""

    main: Captured
    request: Request
    reader: Reader
    calls: Calls

    def of_examples(self, known: Mapping[str, Spec], unsure: set[str]) -> tuple[Posed | RefusedError, Request]:
        """That of the function that is derived, of arguments as the examples: their sizes are those that operations
        make equal."""
        request = self.request
        if not request.like:
            return self.of_main(known, unsure), request
        for left in reversed(range(MOST_MEETINGS)):
            undo = self.calls.undoing()
            with meeting() as met, self.calls.results.asked():
                found = replace(self, request=request).of_main({**known, **dict(request.like)}, unsure)
            if met.apart:                                  # the function raises: so does the text for all arguments
                return self.of_main(known, unsure), replace(request, like=())
            if not met.same or not left:
                break
            undo()                                         # the pairs are made for sizes that are others now
            request = replace(request, like=tuple((name, spec.with_sizes(met.of)) for name, spec in request.like))
        return found, request

    def of_main(self, known: Mapping[str, Spec], unsure: set[str]) -> Posed | RefusedError:
        """That of the function that is derived. known: the parameters of which something is known;
        unsure: those that may be containers."""
        arrays = {name: spec for name, spec in known.items() if name not in unsure}
        return allowed([partial(self._of_known, one)
                        for one in ([known] if len(arrays) == len(known) else [known, arrays])], lambda posed: 0)

    def _of_known(self, known: Mapping[str, Spec]) -> Posed | RefusedError:
        """The same, with what is known of the parameters."""
        main, request = self.main, self.request
        entry = request.outermost and request.backend == "numpy"
        specs = {p: known.get(p, Spec.symbol(p, floating=p in request.wrt)) for p in parameter_names(main.tree)}
        inside = {name for node in nodes_of(main.tree, gast.Subscript) for name in reads(node.slice)}
        indices = [p for p in specs if p in inside and p not in known and p not in request.wrt] \
            if request.backend == "numpy" else []

        def posed(ints: list[str]) -> Posed | RefusedError:
            found = self._linked(main, request.wrt, {**specs, **dict.fromkeys(ints, INT)}, entry=entry,
                                 start=Start(request.cut))
            return found if isinstance(found, RefusedError) else found._replace(ints=ints, known=known)

        # of two that ask as much that with ints is plainer
        return allowed([partial(posed, ints) for ints in ([[], indices] if indices else [[]])],
                       lambda one: 2 * asks(one) - bool(one.ints))

    def of_callee(self, captured: Captured, pair: Pair, active: tuple[str, ...], numbers: frozenset[str],
                  given: Given) -> Posed | RefusedError:
        """That of a function that is called. numbers: the parameters that are given numbers or arrays for certain;
        given: what else is known of parameters."""
        specs = {p: Spec.symbol(p, floating=p in active) if p in numbers else Spec()
                 for p in parameter_names(captured.tree)}
        specs.update(self.versions(captured, set(specs) - numbers))
        specs.update(given)
        with self.calls.results.asked() if given else nullcontext():
            return self._linked(captured, active, specs, start=pair.start, tangents=pair.tangents)

    def versions(self, captured: Captured, names: Iterable[str]) -> dict[str, Spec]:
        """The parameters among `names` that may be persistent arrays."""
        return version_parameters(captured, names, lambda fn: callee(fn, self.reader))

    def _linked(self, captured: Captured, wrt: Sequence[str], specs: Mapping[str, Spec], *, start: Start,
                entry: bool = False, tangents: Sequence[str] = ()) -> Posed | RefusedError:
        """The problem that a function poses, with its calls turned into calls of pairs. entry: it may change arrays of
        its caller; start: what is known where its derivative starts; tangents: parameters that its derivative has
        beside its own."""
        def posed(apart: bool) -> Posed | RefusedError:
            tree: gast.FunctionDef = clone(captured.tree)
            if captured is self.main:
                frame.make_room(tree, self.request, outer_names(captured, self.reader))
            return normal_form(captured, tree, wrt, specs, self.reader, inline="inlining" in self.request.passes,
                               reverse=self.request.mode == "reverse", apart=apart,
                               shares=partial(frame.beside, captured, reader=self.reader) if entry else None,
                               grows=entry and self.request.outermost and self.request.backend == "numpy",
                               by_place=self.request.backend == "numpy",
                               beside=self.calls.taken.made.union(tangents, filter(None, [self.request.key])))

        branches = any(isinstance(node, (gast.If, gast.IfExp, gast.Tuple)) for node in walk(captured.tree))
        with self.calls.results.of_regions():
            found = allowed([partial(posed, apart) for apart in ([False, True] if branches else [False])], asks)
            if isinstance(found, RefusedError):
                return found
            found.problem.start = start
            return self.calls.link(found.problem) or found


def allowed(forms: Iterable[Callable[[], Posed | RefusedError]], asked: Callable[[Posed], Any]) -> Posed | RefusedError:
    """The first form that is let through and asks nothing when it runs; else of those that are let through that which
    asks least. Where there is none, why the first is refused."""
    least: Posed | None = None
    first: RefusedError | None = None
    for form in forms:
        found = form()
        if isinstance(found, RefusedError):
            first = first or found
        elif least is None or asked(found) < asked(least):
            least = found
        if least is not None and not asked(least):
            break
    taken = least or first
    assert taken is not None, "a function has a form"
    return taken


def asks(posed: Posed) -> int:
    """How many names are asked, when it runs, whether they share memory with what changes."""
    return sum(map(len, posed.problem.ownership.check_kept.values()))

"""The pipeline: from a function to its derivative, stage by stage.

    capture        the text of the function, and of what it calls
    desugar        Python as it is written, in the words of the core language
    fence          what is not differentiated is refused, all places at once
    normalise      one exit, A-normal form, short callees in place                 problems.py, normal.py
    analyse        activity, kinds, ownership, liveness                            normal.py, in_place.py
    differentiate  reverse or forward mode; calls become calls of pairs            build.py, calls.py
    optimise       the passes, one by one; split motion is cut after them          finish.py, split.py
    jax            with backend="jax": the same on jax.numpy                        on_jax.py
    emit, link     text with comments and a source map; functions of that text     dress.py, finish.py
"""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from ..analyse.activity import varied_names
from ..analyse.effects import changes_nothing
from ..analyse.fence import Fence
from ..analyse.fence.nesting import Depths
from ..analyse.resolve import Scope
from ..capture import capture, generator_text
from ..desugar import Reader, entry
from ..desugar.examples import specs_of, structure_of
from ..desugar.scopes import bound
from ..desugar.structures import Known
from ..errors import KEYS, Refusal, RefusedError, TangentError
from ..runtime.fits import fits
from ..runtime.for_calls import NOTHING, Made, Structures, Versions, is_plain
from ..runtime.helpers import Helper, taken_by
from ..syntax.deep import deep
from ..syntax.memo import remembered, remembering, uncollected
from ..syntax.nodes import key, parameter_names
from ..syntax.program import MISSING, Captured, Derivation, keeping_all
from ..syntax.spec import Spec
from .again import keep_all_besides
from .build import Build
from .dress import made_as
from .fronts import FRONTS, Fronts, sharing
from .other_texts import unguarded
from .parts import found_part, with_parts
from .reached import Reached, is_certain, returns, words
from .request import KINDS, Derived, Part, Request


def derive(fn: Any, request: Request) -> Derived:
    """The derivative functions of `fn`; RefusedError where there are none.
    Called in a `deriving` block, which keeps what it asks for often."""
    written = captured_of(fn, request.backend)
    if request.compiled == "numba":
        return for_numba(fn, written, request)
    if (later := getattr(getattr(fn, "__tangent_nb__", None), "later", None)) is not None \
            and not hasattr(fn, "__tangent_general__"):
        return for_calls(fn, written, request, fn.__tangent_nb__.lacks, later)
    beside = Versions(Better(fn, request, written)) \
        if _is_for_calls(request) and not request.structures and not request.like else None
    found = _derived(written, replace(request, beside=beside))
    if isinstance(found, Derived):
        keep_all_besides(found, lambda: derive(fn, replace(request, recomputes=False)).functions)
        if beside is not None:
            beside.taken, beside.text = _helpers(found.functions[found.main[0]]), found.derivation.emitted.text
        return _of_examples(fn, written, request, found) or found
    lacks = tuple(one for one in found.refusals if one not in found.reached) or found.refusals
    known = getattr(getattr(fn, "__tangent_nb__", None), "beside", None)
    if known is not None and known.of and _is_for_calls(request):
        return for_calls(fn, written, request, lacks, known)
    if not _is_for_calls(request) or not all(one.lacks for one in lacks) or not _of_parameters(lacks, written, request):
        raise found
    return for_calls(fn, written, request, lacks)


def _of_examples(fn: Any, written: Captured, request: Request, found: Derived) -> Derived | None:
    """The derivative for example arguments, where that for all arguments refuses places that it need not refuse."""
    lacks = tuple(one for one in found.derivation.reached if one.lacks)
    if not lacks or not request.structures or not _is_for_calls(request):
        return None
    asked = Versions(ForCalls(fn, replace(request, structures=(), like=(), lacks=lacks), None))
    made = _derived(written, replace(request, lacks=lacks, versions=asked))
    return made if isinstance(made, Derived) and made.derivation.versions else None


def _derived(written: Captured, request: Request) -> Derived | RefusedError:
    """The derivative functions, without the places that are refused when they are reached."""
    fronts = FRONTS.get()
    if fronts is not None and fronts.glance and request.tape is None:
        request = replace(request, glance=True)
    if fronts is not None and (known := fronts.finished(written.fn, request)) is not None:
        return known
    reached, as_run = Reached(capture), Reader(capture, derived=written.fn)
    whole: RefusedError | None = None
    while isinstance(found := _without(reached, written, request, as_run), RefusedError):
        whole = found if whole is None else _with(whole, found)
        if not reached.takes(found.refusals) or not returns(reached.without(written)):
            whole.reached = tuple(one for one in whole.refusals if not is_certain(one, written))
            return whole
    if fronts is not None:
        fronts.keep(written.fn, request, found.build)
    return found


def without_passes(known: Derivation) -> Any:
    """The function of a derivation without any pass, for arguments made as its own; None where there is none."""
    with deriving():
        found = _derived(known.primal, replace(known.asked, passes=(), like=(), by_class=False, versions=None,
                                               beside=None, served=True, name=""))
    return _function(found)


def _is_for_calls(request: Request) -> bool:
    """A derivative is a function of its own, whose arguments are looked at."""
    return request.outermost and request.kind in ("grad", "value_and_grad", "vjp", "jvp") \
        and request.backend == "numpy" and request.versions is None


def _of_parameters(refusals: Sequence[Refusal], written: Captured, request: Request) -> bool:
    """Each of these places names what depends on a parameter of which something may be known: of what is
    differentiated the keys alone."""
    others = [name for name in parameter_names(written.tree) if name not in request.wrt]
    names = {*others, *varied_names(written.tree, others, Scope(written.namespace, bound(written.tree)))}
    return bool(refusals) and all(
        words(one) & names or one.innermost.unknown == KEYS and _starred(one) & {*request.wrt} for one in refusals)


def _starred(refusal: Refusal) -> set[str]:
    """The names that begin what has a star, in the text where a refusal is; all names, where that is the text."""
    text = refusal.span.text if refusal.span is not None else ""
    return set(re.findall(r"[(,]\s*\*+\s*(\w+)", text)) or words(refusal)


def for_calls(fn: Any, written: Captured, request: Request, lacks: tuple[Refusal, ...],
              inner: Versions | None = None) -> Derived:
    """A derivative that has no text for all arguments: it gets one for those of a call, and for the examples where
    there are some. inner: the texts of the function, where that is such a derivative itself."""
    asked = replace(request, structures=(), like=(), lacks=lacks)
    versions = Versions(ForCalls(fn, asked, inner))
    if not request.structures:
        return Build(written, replace(asked, versions=versions), Reader(capture), written).asking_alone()
    found = _derived(written, replace(request, lacks=lacks, versions=versions))
    if isinstance(found, RefusedError):
        raise found
    return found


def for_numba(fn: Any, written: Captured, request: Request) -> Derived:
    """A derivative that Numba compiles, for the classes, dtypes and ranks of the arguments of a call, and for the
    examples where there are some. Its own derivatives are those of the one on NumPy."""
    plain = derive(fn, replace(request, compiled="", structures=(), like=(), by_class=False))
    asked = replace(request, structures=(), like=(), lacks=(), by_class=True)
    names = tuple(name for name in parameter_names(written.tree) if name not in {part.name for part in request.parts})
    versions = Versions(ForCalls(fn, asked, None), by_class=True, parameters=names)
    found = _derived(written, replace(request, versions=versions)) if request.like or request.structures else \
        Build(written, replace(asked, versions=versions), Reader(capture), written).asking_alone()
    if isinstance(found, RefusedError):
        raise found
    found.functions[found.main[0]].__tangent_general__ = _function(plain)  # type: ignore[attr-defined]
    return found


Like = tuple[tuple[str, Spec], ...]


@dataclass(frozen=True)
class ForCalls:
    """Makes the texts of such a derivative. inner: those of its function, where that is one too, or has others beside
    that for all arguments."""

    fn: Any
    request: Request
    inner: Versions | None

    def __call__(self, arguments: Mapping[str, Any], versions: Versions) -> Made:
        with deriving():
            try:
                found, made = self.found(arguments, versions)
            except TangentError as error:                  # without our frames, which say nothing of the function
                raise error.with_traceback(None) from error.__cause__
        if isinstance(found, RefusedError):
            raise found
        if not made.serves(arguments):                     # it holds what is taken for its class's
            raise RefusedError(captured_of(self.fn).name, self.request.lacks)
        return made

    def found(self, arguments: Mapping[str, Any], versions: Versions) -> tuple[Derived | RefusedError, Made]:
        """What is derived for such arguments."""
        written, request = captured_of(self.fn), replace(self.request, versions=versions, served=True)
        if self.inner is not None:
            one = self.inner.made_for({name: arguments[name] for name in parameter_names(written.tree)})
            if one is None or one.function is None:        # there is none but the one that is refused
                return RefusedError(captured_of(self.fn).name, request.lacks), NOTHING
            found = _derived(capture(one.function), request)
            return found, replace(one, function=_function(found))
        structures = tuple((name, how) for name, value in arguments.items() if (how := structure_of(value)) is not None)
        found = _derived(written, replace(request, structures=structures, like=_like(request, arguments)))
        return found, Made(structures, None) if isinstance(found, RefusedError) else _made(found)


def _made(found: Derived) -> Made:
    return Made(found.structures, _function(found), *_sizes(found.like))


def _function(found: Derived | RefusedError) -> Any:
    return None if isinstance(found, RefusedError) else found.functions[found.main[0]]


@dataclass(frozen=True)
class Better:
    """Makes the texts that are better than that for all arguments: for objects, by their classes, and by the functions
    that they hold and that are made once; for functions that the one for all arguments would refuse to call; for
    numbers and arrays, by class, dtype, rank and equal sizes. Remembered is too for which there is none."""

    fn: Any
    request: Request
    written: Captured | None

    def __call__(self, arguments: Mapping[str, Any], versions: Versions) -> Made | None:
        structures = tuple((name, one) for name in versions.of if name in arguments and (one := structure_of(
            arguments[name], lasting=name not in versions.functions or not callable(arguments[name]))) is not None)
        if not structures and not all(map(is_plain, arguments.values())):
            return NOTHING
        with deriving():
            try:
                like = _like(self.request, arguments)
                if not structures and not like:
                    return NOTHING
                found, made = self._found(arguments, structures, like, versions)
            except TangentError:                           # it is raised by the text for all arguments
                return NOTHING if not structures else Made(structures, None)
        if isinstance(found, RefusedError) or not made.serves(arguments) or like and not made.sizes \
                or not structures and unguarded(found.derivation.emitted.text) == unguarded(versions.text):
            return Made(structures, None, *_sizes(like))
        helpers, taken = _helpers(made.function), {one.name for one in versions.taken}
        if not structures and any(one.name not in taken for one in helpers):           # that may be others later
            return Made((), None, *_sizes(like))
        return made if _agree(versions.taken, helpers) else None

    def _found(self, arguments: Mapping[str, Any], structures: Structures, like: Like,
               versions: Versions) -> tuple[Derived | RefusedError, Made]:
        inner = getattr(getattr(self.fn, "__tangent_nb__", None), "beside", None)
        if inner is not None and inner.of and structures:  # of its text for these objects
            return ForCalls(self.fn, self.request, inner).found(arguments, versions)
        request = replace(self.request, structures=structures, like=like, served=True,
                          versions=versions if structures else None)
        found = _derived(self.written or captured_of(self.fn), request)
        return found, NOTHING if isinstance(found, RefusedError) else _made(found)

    def __reduce__(self) -> tuple[Any, ...]:
        return Better, (self.fn, self.request, None)    # its text is read again elsewhere


def _like(request: Request, arguments: Mapping[str, Any]) -> Like:
    """What is known of numbers and arrays: not of such as are of a class that stands for a number."""
    specs = specs_of(arguments.items(), request.wrt) if request.by_class else ()
    return tuple((name, spec) for name, spec in specs if fits(made_as([spec])[0], arguments[name]))


def _agree(taken: Sequence[Helper], others: Sequence[Helper]) -> bool:
    """No function of these has been defined anew between two texts."""
    return all(any(one.same_as(other) for other in known) for one in others
               if (known := [other for other in taken if other.name == one.name]))


def _helpers(function: Any) -> tuple[Helper, ...]:
    return tuple(one for one, _ in taken_by(function))


def _sizes(like: Sequence[tuple[str, Spec]]) -> tuple[tuple[str, ...], str]:
    return tuple(name for name, _ in like), ", ".join(made_as([spec for _, spec in like]))


def _with(whole: RefusedError, error: RefusedError) -> RefusedError:
    """The refusals of earlier attempts with those of the next: not the calls of functions whose places are among
    them."""
    more = [one for one in error.refusals if one.cause is None and one not in whole.refusals]
    return RefusedError(error.name, sorted([*whole.refusals, *more], key=_place)) if more else whole


def _without(reached: Reached, written: Captured, request: Request, as_run: Reader) -> Derived | RefusedError:
    """The derivative functions of the text without the places that are refused when they are reached;
    or what is refused of that. as_run: gives the texts with these places."""
    with deep(written.tree):
        reader = Reader(reached, whole=as_run if reached.places else None, derived=written.fn,
                        recomputes=request.recomputes and request.mode == "reverse")
        text = with_parts(reached.without(written), request.parts, reader)
        alone = dict(request.structures) if request.versions is not None else {}
        try:
            captured = reader.main(text, request.wrt, alone)
            if reached.places and not returns(captured):
                return RefusedError(written.name, [])
            met = fence(captured, request.wrt, request.mode, reader)
        except RecursionError:
            return RefusedError(written.name, [Refusal.at(
                written.tree, "each call of a function in it makes another function, and no end of that is known",
                "a loop, or fewer functions in functions")])
        if isinstance(met, RefusedError):
            return met
        one = Build(captured, request, reader, written, tuple(sorted(reached.places.values(), key=_place)))
        with deep(*[one.tree for one in met]):
            if alone:
                return _alone(one, met)
            return _specialized(one, text, request) or replace(one, request=replace(request, structures=())).run()


def _alone(one: Build, met: Sequence[Captured]) -> Derived | RefusedError:
    """The functions for arguments that are made as these are, where there is no text for all."""
    known, one.reader.relies_on = one.reader.relies_on, Known()
    if known.changed_in([one.captured, *met], Fence(one.reader).is_clean):
        return RefusedError(one.written.name, one.request.lacks)
    return replace(one, request=replace(one.request, structures=tuple(known.relied_on().items()))).run()


def _specialized(one: Build, text: Captured, request: Request) -> Derived | None:
    """The functions for arguments that are made as the examples are;
    None where that is of no use, or may not stay so."""
    if not request.structures:
        return None
    reader = one.reader
    special = reader.main(text, request.wrt, dict(request.structures))
    known, reader.relies_on = reader.relies_on, Known()
    if reader.refusals or key(special.tree) == key(one.captured.tree):
        reader.refusals.clear()
        return None
    met = fence(special, request.wrt, request.mode, reader)
    if isinstance(met, RefusedError) or known.changed_in([special, *met], Fence(reader).is_clean):
        return None
    found = replace(one, captured=special, general=one.captured,
                    request=replace(request, structures=tuple(known.relied_on().items()))).run()
    return None if isinstance(found, RefusedError) else found


@contextmanager
def deriving() -> Iterator[None]:
    """In this block the texts of functions, and what else is remembered, are found once. What it makes has ended its
    life behind the block, before garbage is looked for."""
    with uncollected(), remembering():
        yield


@remembered
def captured_of(fn: Any, backend: str = "numpy") -> Captured:
    """The text of a function; of a derivative that is specialized, its general text,
    of one on JAX its text on NumPy."""
    fn = keeping_all(fn)
    general = getattr(fn, "__tangent_general__", None)
    if hasattr(fn, "__tangent_numpy__"):
        if backend != "jax":
            raise TangentError(f"{fn.__name__} is a derivative on JAX: "
                               "its own derivative is taken with backend='jax' too")
        general = fn.__tangent_numpy__
    return entry(fn, capture) if general is None else replace(capture(general), name=fn.__name__)


def check_steady(fn: Any, wrt: tuple[str, ...], depths: Depths, steady: str) -> None:
    """Refuse what a solver follows, where it may jump or have a kink. depths: how deep numbers lie in its arguments;
    steady: "once" or "twice", as the solution is differentiated."""
    written = captured_of(fn)
    with deep(written.tree):
        reader = Reader(capture, derived=fn)
        if isinstance(refused := fence(reader.main(written, wrt), wrt, "reverse", reader, steady, depths),
                      RefusedError):
            raise refused


def is_clean(fn: Any) -> bool:
    """A call of this object is known to change nothing. A derivative changes what its function changes."""
    while isinstance(made := getattr(fn, "__tangent_nb__", None), Derivation):
        fn = made.primal.fn
    return changes_nothing(fn, Fence(Reader(capture)).is_clean)


def fence(captured: Captured, wrt: tuple[str, ...], mode: str, reader: Reader, steady: str = "",
          depths: Depths = ()) -> list[Captured] | RefusedError:
    """What is not differentiated, in the function and in what it calls; where there is nothing, these functions."""
    one = Fence(reader.as_run, mode, reader.uses, steady=steady, differentiated=reader,
                written=lambda fn: reader.unit_of(generator_text(fn)).captured)
    one.check(captured, wrt, depths)
    found = [*reader.refusals, *(refusal for refusal in one.refusals if not reader.lost & words(refusal))]
    if found:
        return RefusedError(captured.name, sorted(dict.fromkeys(found), key=_place))
    reader.changes_outside = bool(one.changing) or any(
        Scope.of(check.captured).value(target.value) is not MISSING for check, target in one.set_outside)
    reader.changed, reader.memory_changed = one.names_changed(), one.memory_changed
    return one.met


def _place(refusal: Refusal) -> tuple[int, ...]:
    span = refusal.span
    return (span.line, span.column, span.end_line, span.end_column) if span is not None else (0, 0, 0, 0)


__all__ = ["KINDS", "Derived", "Fronts", "Part", "Request", "captured_of", "derive", "deriving", "fence",
           "found_part", "is_clean", "sharing", "without_passes"]

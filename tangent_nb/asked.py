"""What a call of `grad` and the like asks for: its arguments as a `Request` for the pipeline.

Needs what users write: `wrt`, `optimized`, `like`, `backend` and `compile`. Promises parameters, or parts, that the
function has, passes that there are and a backend that is there; what asks for anything else is a TangentError that says
what to write.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .backends import BACKENDS, COMPILERS, load
from .desugar.examples import specs_of, structure_of
from .errors import TangentError
from .optimise import PASSES as EVERY
from .optimise import USUAL
from .pipeline import Part, Request, captured_of, found_part
from .runtime.containers import described
from .runtime.sampled import PATHS, Sampled
from .syntax.names import Names
from .syntax.nodes import names_in, parameter_names, starred_parameters, writes
from .syntax.program import Captured

PASSES: tuple[str, ...] = USUAL
Wrt: TypeAlias = "int | str | Sequence[int | str]"


class Settings(NamedTuple):
    """Where a derivative runs, and what compiles it: "" for nothing, "jit" or "numba"; tape: what it samples."""

    backend: str = "numpy"
    compiled: str = ""
    tape: Any = None


NUMPY = Settings()


def settings_of(backend: str, compile: str | None, tape: Any) -> Settings:
    if backend not in BACKENDS:
        raise TangentError(f"there is no backend {backend!r}: the backends are {', '.join(BACKENDS)}")
    if compile not in (None, *COMPILERS):
        raise TangentError(f"compile is None, 'jit' or 'numba', not {compile!r}")
    if compile is not None and backend != COMPILERS[compile]:
        raise TangentError(f"compile={compile!r} is for backend={COMPILERS[compile]!r}: give that too, or leave "
                           "compile out")
    if compile == "numba":
        load("numba")
    if tape is not None:
        check_tape(tape, backend, compile)
    if backend != "numpy":
        load(backend)
    return Settings(backend, compile or "", None if tape is None else tape.begun())


def check_tape(tape: Any, backend: str, compile: str | None) -> None:
    """Refuses what is no tape with samples, and where there is none."""
    if not isinstance(tape, Sampled):
        raise TangentError(f"tape is None, or tnb.Sampled(fraction=0.1), not {described(tape)}")
    if tape.method == PATHS and compile == "jit":
        raise TangentError("paths are drawn while loops of Python run, and compile='jit' compiles them with all their "
                           "trips: leave compile out, or method='with_replacement'")
    if COMPILERS.get(compile or "") == "numpy":
        raise TangentError("a sampled tape is for NumPy's arrays, and those of JAX: "
                           f"leave tape, or compile={compile!r}, out")


def request_of(f: Any, kind: str, wrt: Wrt, optimized: bool | Sequence[str], like: Sequence[Any] | None, has_aux: bool,
             settings: Settings = NUMPY) -> Request:
    if like is not None and settings.backend != "numpy":
        raise TangentError(f"like= specializes for NumPy's arrays: leave it out with backend={settings.backend!r}")
    asked_for = [name for name in passes(optimized) if name not in USUAL]
    if settings.tape is not None and (kind == "jvp" or asked_for):
        raise TangentError("forward mode saves nothing: leave tape out" if kind == "jvp" else
                           f"{asked_for[0]} is for values that are kept whole, and those of a tape with samples "
                           "are not: leave it out")
    if asked_for and settings != NUMPY:
        raise TangentError(f"{asked_for[0]} is for NumPy's arrays: leave it out with "
                           f"{'compile' if settings.compiled else 'backend'}="
                           f"{settings.compiled or settings.backend!r}")
    captured = captured_of(f, settings.backend)
    stars = starred_parameters(captured.tree)
    if stars and settings.backend != "numpy":
        raise TangentError(f"{captured.name} takes any number of arguments ({', '.join(stars)}): "
                           f"with backend={settings.backend!r} name them")
    parameters = parameter_names(captured.tree)
    bare = isinstance(wrt, (int, str, np.integer)) and not isinstance(wrt, bool)
    places: Any = [wrt] if bare else wrt
    if isinstance(places, (str, bytes)) or not hasattr(places, "__iter__"):
        raise TangentError(f"wrt is an index, a name, or a tuple of them, not {wrt!r}")
    taken = Names(names_in(captured.tree))
    named = [_parameter(place, parameters, captured, taken) for place in places]
    parts = tuple(one for one in named if isinstance(one, Part))
    names = tuple(one.name if isinstance(one, Part) else one for one in named)
    if parts and settings.backend != "numpy":
        raise TangentError(f"wrt names {parts[0].path}, which is no parameter: "
                           f"with backend={settings.backend!r} pass it as an argument")
    if not names:
        raise TangentError("wrt is empty: name at least one parameter")
    paths = [one.path if isinstance(one, Part) else one for one in named]
    if any(_overlap(path, other) for i, path in enumerate(paths) for other in paths[:i]):
        raise TangentError(f"wrt names a parameter, or a part of it, twice: {', '.join(paths)}")
    examples = [] if like is None or kind == "split" else _examples(like, parameters, captured)
    structures = tuple((name, made) for name, value in examples if (made := structure_of(value)) is not None)
    return Request(kind, names, bare, passes(optimized), has_aux, specs_of(examples, names), structures,
                   settings.backend, settings.compiled, parts, by_class=optimized is True or _adds(optimized),
                   tape=settings.tape, key=_key(captured, parameters, settings))


def place_of(f: Any, wrt: int | str) -> tuple[str, Callable[[Mapping[str, Any]], Any]]:
    """The one parameter, or part of something, that `wrt` names, as a path;
    and what reads that of which it is a part from the arguments.

    >>> place_of(lambda p: p["w"], "p['w']")[0]
    "p['w']"
    """
    request = request_of(f, "grad", wrt, True, None, False)
    if not request.parts:
        return request.wrt[0], lambda arguments: arguments[request.wrt[0]]
    one = request.parts[0]
    return one.path, lambda arguments: captured_of(f).namespace.lookup(one.base) if one.outside else arguments[one.base]


def _key(captured: Captured, parameters: Sequence[str], settings: Settings) -> str:
    """The keyword for the key that a call draws samples from, on JAX: no parameter, and nothing that is outside."""
    if settings.tape is None or settings.backend != "jax":
        return ""
    outside = names_in(captured.tree) - writes(captured.tree.body)
    return Names(outside | set(parameters)).new("key")


def positional(captured: Captured) -> list[str]:
    args = captured.tree.args
    return [a.id for a in [*args.posonlyargs, *args.args]]


def check_examples(like: Any, f: Any, backend: str) -> None:
    """Refuses examples that are no tuple, or list, of arguments."""
    if like is not None and not isinstance(like, (tuple, list)):
        captured = captured_of(f, backend)
        raise TangentError(f"like is a tuple of example arguments, one for each parameter of {captured.name} "
                           f"in their order ({', '.join(parameter_names(captured.tree))}), not {described(like)}")


def _examples(like: Sequence[Any], parameters: Sequence[str], captured: Captured) -> list[tuple[str, Any]]:
    """Example arguments by parameter."""
    if captured.tree.args.vararg is not None:
        parameters = positional(captured)
    elif len(like) > len(parameters):
        raise TangentError(f"like has {len(like)} arguments, {captured.name} takes {len(parameters)}: "
                           f"{', '.join(parameters)}")
    return list(zip(parameters, like, strict=False))


def passes(optimized: bool | Sequence[str]) -> tuple[str, ...]:
    """The names of the passes to run, in their order.

    >>> passes("renumber"), set(passes("+reuse")) - set(passes(True))
    (('renumber',), {'reuse'})
    """
    if optimized is True:
        return PASSES
    if optimized is False:
        return ()
    wanted = [optimized] if isinstance(optimized, str) else list(optimized)
    if _adds(optimized):
        wanted = [*PASSES, wanted[0][1:]]
    if unknown := [name for name in wanted if name not in EVERY]:
        raise TangentError(f"there is no pass {unknown[0]!r}: the passes are {', '.join(EVERY)}")
    return tuple(name for name in EVERY if name in wanted)


def _adds(optimized: bool | Sequence[str]) -> bool:
    """A pass is asked for beside those that are on."""
    return isinstance(optimized, str) and optimized.startswith("+")


def _overlap(path: str, other: str) -> bool:
    """One of two paths leads through the other."""
    shorter, longer = sorted([path, other], key=len)
    return longer.startswith(shorter) and longer[len(shorter):][:1] in ("", ".", "[")


def _parameter(place: Any, parameters: Sequence[str], captured: Captured, taken: Names) -> str | Part:
    name = captured.name
    if isinstance(place, str):
        return place if place in parameters else found_part(captured, place, taken)
    if isinstance(place, (int, np.integer)) and not isinstance(place, bool):
        stars = starred_parameters(captured.tree)
        parameters = [one for one in parameters if one not in stars]
        first, rest = positional(captured), captured.tree.args.vararg
        if rest is not None and not 0 <= place < len(first):
            if place < 0:
                raise TangentError(f"{name} takes any number of arguments (*{rest.id}): "
                                   "count from the first, not from the last")
            return found_part(captured, f"{rest.id}[{place - len(first)}]", taken)
        if -len(parameters) <= place < len(parameters):
            return parameters[int(place)]
        count = len(parameters)
        if not count:
            raise TangentError(f"{name} has no parameters: there is nothing to differentiate it by")
        raise TangentError(f"{name} has {count} parameter{'s' if count != 1 else ''} ({', '.join(parameters)}), "
                           f"none with index {place}")
    raise TangentError(f"wrt is an index, a name, or a tuple of them, not {place!r}")

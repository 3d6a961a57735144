"""`tape_report`: a run of a derivative, and one of it without passes, in which is measured what is kept."""
from __future__ import annotations

import contextlib
import copy
import functools
import inspect
import io
import random
import types
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...api import derivation, pullback
from ...errors import TangentError
from ...pipeline import derive, without_passes
from ...pipeline.versions import described
from ...runtime.for_calls import version
from ...same_draws import SameDraws
from ...syntax.program import Derivation
from ..origins import Origins
from ..sites import Site, UserLine
from ..texts import make_text
from ..values import copied
from .kinds import RECOMPUTED
from .meter import Found, Key, Meter, Row
from .plan import Plan, plans
from .remade import expression, made_again, plain
from .report import SavedValue, TapeReport, Totals


def tape_report(df: Callable[..., Any], /, *args: Any, **kwargs: Any) -> TapeReport:
    """What a derivative keeps for its backward sweep, measured: each saved value with its lines and its bytes.

    df: a derivative in reverse mode on NumPy, as `grad`, `value_and_grad` and `vjp` give it, or the first half of
    `autodiff(…, motion="split")`; args, kwargs: its arguments. It is run once, and once more without passes, on copies
    of the arguments; random numbers are drawn as if there had been no run.

    Bytes are those of numbers: of an array all of its memory, once, whoever shares it; 8 of a float. What the caller
    holds anyway, an argument or a variable outside, is listed and not counted. The peak is what tracemalloc counts.
    The report is printed as a table, and shown as one in a notebook; its rows and totals are attributes.

    An error that `df` raises is passed on. TangentError: `df` is no derivative, is compiled, runs on JAX, is of forward
    mode, the second half of split motion, or what `pullback` gives.

    The bytes of what reverse mode saves are its price: A. Griewank and A. Walther, "Evaluating Derivatives" (2008),
    section 4; D. Oktay et al., "Randomized Automatic Differentiation" (2021), section 2, counts them.

    >>> import tangent_nb as tnb
    >>> def f(x, w):
    ...     h = np.tanh(x * w)
    ...     return np.sum(h * h)
    >>> found = tnb.tape_report(tnb.grad(f, wrt="w"), np.ones(1000), np.ones(1000))
    >>> found.bytes, [one.name for one in found if one.counts], [one.held for one in found if one.held]
    (8000, ['h'], ['argument x'])
    """
    return measured(df, args, kwargs)


def measured(df: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], *, shown: bool = True,
             compared: bool = True) -> TapeReport:
    """`tape_report` for arguments in two parts. shown: what the run prints is seen, and its warnings; compared: it runs
    without passes too."""
    if getattr(df, "__code__", None) in pullback.__code__.co_consts:
        raise TangentError("this is what tnb.pullback gives, which has been kept already: tape_report runs the first "
                           "half, tnb.autodiff(f, motion='split')[0], at the arguments")
    known = _checked(derivation(df), inspect.unwrap(df))
    text, label = _serving(known, inspect.unwrap(df), args, kwargs)
    draws = SameDraws(known.primal.fn, args, kwargs, np.random.mtrand._rand, random._inst)
    try:
        with contextlib.nullcontext() if shown else _unheard():
            one = Run.of(text, args, kwargs, draws)
        other = None
        if compared and derivation(text).passes and (bare := without_passes(derivation(text))) is not None:
            with _unheard(), contextlib.suppress(Exception):       # what an argument gives once alone was given
                other = Run.of(inspect.unwrap(bare), args, kwargs, draws)
    finally:
        draws.rewind()
    if not label:
        label = next((kind for kind, written in known.versions.items()
                      if written.startswith(f"def {one.found.function}(")), "")
    saved = [*one.saved(), *([] if other is None else one.recomputed(other))]
    saved.sort(key=lambda value: (value.users[0].label if value.users else "", value.line, value.site.line))
    return TapeReport(text.__name__, label, tuple(saved), one.totals, None if other is None else other.totals,
                      () if other is None else tuple(other.saved()))


def _checked(known: Derivation, df: Any) -> Derivation:
    name = df.__name__
    if known.compiled:
        raise TangentError(f"{name} is compiled, and what it keeps is not Python's to be measured: take a derivative "
                           "with compile=None")
    if known.backend != "numpy":
        raise TangentError(f"{name} runs on {known.backend}, which decides itself what it keeps: take the derivative "
                           "with backend='numpy'")
    if known.mode != "reverse":
        raise TangentError(f"{name} is of forward mode, which goes along with the function and keeps nothing: "
                           "tnb.grad has a tape")
    if not known.emitted.lines or known.asked is None:
        raise TangentError(f"{name} came here as a text alone, without what is known of its lines: derive again")
    if known.kind == "split" and name != known.emitted.functions[0]:
        raise TangentError(f"{name} is the second half of split motion, which reads what the first has kept: give "
                           f"{known.emitted.functions[0]}")
    return known


def _serving(known: Derivation, df: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, str]:
    """The function whose text serves a call, and what that is for."""
    asked = known.later or known.beside
    if known.later is not None:
        with contextlib.suppress(TypeError):               # the call raises it
            bound = inspect.signature(df).bind(*args, **kwargs)
            bound.apply_defaults()
            names = known.later.parameters or list(bound.arguments)
            df = version(known.later, **{name: bound.arguments[name] for name in names})
    else:
        df = make_text(known, df, args, dict(kwargs)) or df
    label = next((described(one) for one in getattr(asked, "made", ()) if one.function is df), "")
    return inspect.unwrap(df), label


@contextlib.contextmanager
def _unheard() -> Iterator[None]:
    """In this block nothing is printed, and no warning is shown."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), \
            warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


@dataclass
class Run:
    """A run, and the text that has run."""

    function: types.FunctionType
    plans: Mapping[str, Plan]
    origins: Origins
    found: Found

    @staticmethod
    def of(function: types.FunctionType, args: Sequence[Any], kwargs: Mapping[str, Any], draws: SameDraws) -> Run:
        """A run on copies of the arguments; where something is derived in it, another one, in which all is there."""
        known, filename = derivation(function), function.__code__.co_filename
        read = plans(known.emitted)
        for _ in range(2):
            given, named = _copied((tuple(args), dict(kwargs)))
            meter = Meter(read, filename, _by_name(function, given, named), derive.__code__)
            draws.rewind()
            meter.run(functools.partial(function, *given, **named))
            if not meter.met:
                break
        return Run(function, read, Origins(known, filename), meter.found)

    @property
    def filename(self) -> str:
        """Where the text is."""
        return self.function.__code__.co_filename

    @property
    def totals(self) -> Totals:
        """What the whole run takes."""
        found = self.found
        return Totals(max(found.bytes, 0), found.alive, found.peak, found.peak_kept,
                      self.site(found.peak_function, found.peak_line) if found.peak_line else None)

    def users(self, line: int) -> tuple[UserLine, ...]:
        """The user's lines that a line of the text belongs to."""
        return tuple(dict.fromkeys(UserLine(one.span.source.filename, one.span.source.label, one.span.line, one.text)
                                   for one in self.origins.users(self.filename, line)))

    def site(self, function: str, line: int) -> Site:
        """A line of the text."""
        emitted = self.origins.derivation.emitted
        sweep = "backward" if self.plans[function].is_backward(line) else "forward"
        return Site(self.filename, line, emitted.text.split("\n")[line - 1].strip(), function, True, sweep,
                    emitted.lines[line - 1].role, self.users(line))

    def saved(self) -> list[SavedValue]:
        """The values that are kept."""
        found: dict[Any, SavedValue] = {}
        for key, row in self.found.rows.items():
            if row.held and not row.bytes and all(not shape for _, shape in row.forms):
                continue                                   # a number that the caller has given
            one = self._saved(key, row)
            alike = one.name, one.users, one.site.line, one.kind, one.held
            found[alike] = one if alike not in found else found[alike].joined(one)
        return list(found.values())

    def _saved(self, key: Key, row: Row) -> SavedValue:
        plan = self.plans[key.function]
        other = next(iter(row.held), "") or next((f"in the memory of {one.name}" for one in row.shared), "")
        reader = self.plans.get(plan.reader, plan)
        start = reader.first if reader is not plan else key.saved
        name = key.name if key.saved not in plan.pushes or plan.pushes[key.saved].ours else plan.pushes[key.saved].list
        if reader is not plan and key.saved in plan.pushes:
            reads = reader.readers_of_list(name, plan.pushes[key.saved].list)
        elif reader is not plan:
            reads = reader.readers(name, min(reader.binds.get(name, [start])))
        else:
            reads = reader.readers(name, start)
        return SavedValue(
            key.name, self.users(key.made) or self.users(key.saved), self.site(key.function, key.saved),
            tuple(self.site(reader.name, one) for one in reads), key.kind, row.values, row.bytes,
            tuple(sorted(size for size in row.each if size)),
            tuple((dtype, shape, count) for (dtype, shape), count in row.forms.items()), "" if row.bytes else other,
            row.whole)

    def recomputed(self, before: Run) -> list[SavedValue]:
        """What the text without passes keeps, and this one makes again."""
        there = {(user, plain(one.name)) for one in self.saved() for user in one.users}
        found = []
        for key, row in before.found.rows.items():
            one = before._saved(key, row)
            if not one.bytes or any((user, plain(one.name)) in there for user in one.users):
                continue
            source = before.plans[key.function]
            value = expression(source, key.name, key.made, before.users)
            if value is None:
                continue
            free = source.parameters if source.residuals is not None else ()
            plan, line = made_again(value, list(self.plans.values()), self.users, before.users(key.made), free)
            if plan is not None:
                site = self.site(plan.name, line)
                found.append(SavedValue(one.name, one.users, site, (site,), RECOMPUTED, one.count, one.bytes, one.each,
                                        one.forms))
        return found


def _by_name(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    with contextlib.suppress(TypeError):
        return dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    return {str(place): one for place, one in enumerate(args)} | dict(kwargs)


def _copied(value: Any) -> Any:
    """A copy, so that what a run changes is none of the caller's."""
    try:
        return copy.deepcopy(value)
    except Exception:                                      # a lock, a file: what can be copied is
        return copied(value)

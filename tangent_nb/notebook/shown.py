"""`show(f)`: a function and its derivative, as an object that a notebook, a terminal and a file can show."""
from __future__ import annotations

import inspect
import os
import types
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from IPython.core.getipython import get_ipython

from ..errors import NonFiniteError, TangentError
from ..optimise import USUAL
from ..tracing import Recording
from . import at as at_
from . import check as check_
from . import tapes
from . import trace as trace_
from .derive import Derived
from .export import exported
from .lines import Guilty
from .names import Names
from .options import OptionError, Options, Wrt, make
from .page import html, standalone
from .session import Session, Take
from .state import NO_TEXTS
from .text import brief, plain
from .view import Message, Table, View, view
from .wire import deflated


class Shown:
    """A derivative beside its source. A notebook shows it, live where it can; `print` writes it as text;
    `export_html` keeps it.

    derivative: the derived function, None where it was refused.
    """

    def __init__(self, shown: Session | View | Message, *, static: bool = False) -> None:
        self._shown, self._static = shown, static
        self._widget: Any = None

    @property
    def derivative(self) -> types.FunctionType | None:
        """The derived function."""
        return self._shown.take.derived.function if isinstance(self._shown, Session) else None

    @property
    def _view(self) -> View | Message:
        return self._shown.take.view if isinstance(self._shown, Session) else self._shown

    def __repr__(self) -> str:
        return plain(self._view)

    def _repr_html_(self) -> str:
        return str(html(self._view))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        live = isinstance(self._shown, Session) and not self._static and in_kernel()
        text = brief(self._view, code=not (live and for_a_page())) if in_kernel() else repr(self)
        bundle: dict[str, Any] = {"text/plain": text, "text/html": self._repr_html_()}
        if live and isinstance(self._shown, Session):
            if self._widget is None:
                from .widget import DerivativeWidget
                self._widget = DerivativeWidget(self._shown)
            bundle[WIDGET] = {"version_major": 2, "version_minor": 0, "model_id": self._widget.model_id}
            bundle[STORED] = deflated({**self._widget.state, **GONE})
        return bundle

    def export_html(self, path: str | os.PathLike[str]) -> Path:
        """Write a page that needs nothing else and loads nothing; its toggles work. The path written to."""
        target = Path(path)
        text = exported(self._shown) if isinstance(self._shown, Session) else standalone(self._shown)
        target.write_text(text, encoding="utf-8")
        return target


GONE = {"bound": "", "step": {"reason": "run the cell to step through it", "open": False},       # with the kernel
        "tools": {"costs": "run the cell to measure its lines", "graph": "run the cell to see its graph",
                  "spread": "run the cell to measure the spread"},
        "edit": {"reason": "run the cell to edit it", "open": False, "cell": ""}, "texts": NO_TEXTS}
WIDGET = "application/vnd.jupyter.widget-view+json"
STORED = "application/vnd.tangent_nb+json"         # what js/src/outputs.ts draws where no kernel has the widget


def in_kernel() -> bool:
    """There is a page that a widget can talk to."""
    return hasattr(get_ipython(), "kernel")


def for_a_page() -> bool:
    """What runs is a cell of a notebook that is open on a page, which names the cell. A console does not, nor what runs
    notebooks to convert them."""
    parent: Any = getattr(getattr(get_ipython(), "kernel", None), "get_parent", dict)()
    return isinstance(parent, dict) and bool((parent.get("metadata") or {}).get("cellId"))


def show(f: Any, *, wrt: Wrt = 0, mode: str = "reverse", raw: bool = False, passes: str | Iterable[str] | None = None,
         at: str | Mapping[str, Any] | None = None, check: bool = False, static: bool = False, nan: bool = False,
         backend: str = "numpy", compile: str | None = None, present: bool = False,
         step: bool = False, trace: bool = False, tape_report: bool = False, tape: str | None = None) -> Shown:
    """`f` and its derivative side by side; the options are those of `%%grad`.

    wrt: names or positions, `"*"` for all that can have a derivative; mode: `"reverse"` or `"forward"`; raw: without
    passes; passes: with these alone; at: arguments, as a dict, or as text that is evaluated among `f`'s globals, to
    specialize for and to show the values at; check: compare with finite differences and the other mode there; static: a
    page without script instead of the widget; nan: the derivative is `watch`ed; backend: `"numpy"` or `"jax"`; compile:
    `"jit"`, with JAX, or `"numba"`; present: large type, and the backward lines one at a time; step: the widget goes
    through a run there; trace: the elementary operations there, beside their adjoints or tangents; tape_report: the
    values that are saved there for the backward sweep; tape: `"sampled:0.1"`, a sampled tape.
    """
    text = at if isinstance(at, str) or at is None else ""
    options = make(wrt=wrt, mode=mode, raw=raw, passes=passes, at=text, check=check, static=static, nan=nan,
                   backend=backend, compile=compile, present=present, step=step, trace=trace,
                   tape_report=tape_report, tape=tape)
    namespace = getattr(f, "__globals__", {})

    def bound(fn: Any) -> inspect.BoundArguments | None:
        return arguments(fn, at, namespace)

    try:
        take = Take(f, options, bound(f), seen)
    except TangentError as error:
        return Shown(Message(str(error)))
    session = Session(take, namespace, Names(), lambda: namespace.get(f.__name__, f), bound)
    if take.error is not None:
        raise take.error
    return Shown(session, static=static)


def played(recording: Recording) -> Shown:
    """A recorded run beside the texts that it is of."""
    known = recording.derivation
    f = known.primal.fn
    passes = None if known.passes == USUAL else known.passes
    options = make(wrt=known.wrt, mode=known.mode, passes=passes)
    take = Take(f, options, None, seen, made=Derived(recording.function))
    namespace = f.__globals__
    return Shown(Session(take, namespace, Names(), lambda: namespace.get(f.__name__, f), lambda fn: None, recording))


def bundle_of(recording: Recording, include: Any = None, exclude: Any = None) -> dict[str, Any]:
    """What a cell shows whose value is a recording: the run as text, in a notebook the widget."""
    if recording.derivation.primal is None or not in_kernel():            # only the text has travelled
        return {"text/plain": str(recording)}
    return {**played(recording)._repr_mimebundle_(), "text/plain": str(recording)}


def arguments(f: Any, at: str | Mapping[str, Any] | None,
              namespace: Mapping[str, Any]) -> inspect.BoundArguments | None:
    """The arguments to specialize for, None where none are given."""
    if at is None:
        return None
    if isinstance(at, str):
        return at_.evaluate(at, f, namespace)
    try:
        bound = inspect.signature(f).bind(**at)
    except TypeError as error:
        raise OptionError(f"at: {error}") from error
    bound.apply_defaults()
    return bound


def seen(f: types.FunctionType, derived: Derived, options: Options, bound: inspect.BoundArguments | None,
         notes: Iterable[str] = ()) -> View:
    """The view of a derived function, with its values where arguments are given."""
    tables: list[Table] = []
    problem, checked, guilty = "", None, None
    if bound is not None:
        bound, narrowed = at_.for_backend(derived, bound)
        notes = (*notes, *narrowed)
        try:
            tables.append(at_.values(f, derived, bound))
            if options.nan:
                notes = (*notes, "no line makes a NaN or an Inf here")
            if options.check:
                tables.append(check_.table(f, derived, bound))
                checked = False not in tables[-1].marks
            if options.trace:
                made, note = trace_.table(f, derived, bound)
                tables += made
                notes = (*notes, *note)
            if options.tape_report:
                made, note = tapes.table(f, derived, bound)
                tables += made
                notes = (*notes, *note)
        except TangentError as error:
            problem = str(error)
            if isinstance(error, NonFiniteError) \
                    and error.filename == inspect.unwrap(derived.function).__code__.co_filename:
                guilty = Guilty(error.line, problem.partition(" in the ")[0])
    return view(derived.function.__name__, derived.derivation, every_pass=options.passes is None, tables=tables,
                notes=(*derived.notes, *notes), problem=problem, checked=checked, guilty=guilty)

"""One derivative on a page: what was chosen there, the derivation, what is bound in the notebook,
whether it is still true."""
from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from importlib.util import find_spec
from time import perf_counter
from typing import TYPE_CHECKING, Any

from IPython.core.getipython import get_ipython

from ..backends import COMPILERS
from ..errors import TangentError
from ..every import unfit
from ..optimise import PASSES, USUAL
from ..pipeline import Fronts, sharing
from ..syntax.program import Derivation
from ..take_away import exported
from ..tracing import Recording
from . import costs, graphs, samples, stepping, tapes
from .beside import Figures, Served, measured
from .cards.asked import TakeCards
from .cards.last_call import LastCall, last_call
from .derive import Derived, derive
from .lines import Place
from .names import Names
from .options import MODES, OptionError, Options, no_lines
from .rerun import Calls
from .spread import Spreads
from .spread import unfit as unspread
from .staleness import stale
from .state import ELSEWHERE, Choice, Status, Texts, state, texts_of
from .tape import same_tape
from .tokens import visible
from .view import View, failed

if TYPE_CHECKING:
    from .editor import Editor

MOST_ROWS = 30_000                                 # of all stages of the choices that are kept: some 100 MB
NO_EDITOR = "%%grad and %grad show what can be edited"
MEASURED: Mapping[str, Any] = {"costs": costs.told, "graph": graphs.told, "tape": tapes.told}
See = Callable[[types.FunctionType, Derived, Options, "inspect.BoundArguments | None"], View]


@dataclass
class Take:
    """One derivative: of which function, with which options, at which arguments. made: it, where it is there; fronts:
    what it shares with others of the same function; whole: it can be called; else it is for a glance at its text."""

    f: types.FunctionType
    options: Options
    at: inspect.BoundArguments | None
    see: See
    derived: Derived = field(init=False)
    milliseconds: float | None = field(init=False)
    seconds: float = field(init=False, default=0.0)    # that the calls at the example arguments took
    _error: Exception | None = None
    made: Derived | None = None
    fronts: Fronts = field(default_factory=Fronts)
    whole: bool = True

    def __post_init__(self) -> None:
        start = perf_counter()
        with sharing(self.fronts, glance=not self.whole):
            self.derived = self.made or derive(self.f, self.options, self.at)
        timed = self.made is None and self.whole
        self.milliseconds = round(1e3 * (perf_counter() - start), 1) if timed else None

    @property
    def given(self) -> Mapping[str, Any] | None:
        """The example arguments by the names of the parameters."""
        return None if self.at is None else self.at.arguments

    @property
    def name(self) -> str:
        """What the derivative is bound to if it is."""
        return self.options.name or self.derived.function.__name__

    @cached_property
    def view(self) -> View:
        """What is shown; for it the function and the derivative are called at the example arguments."""
        start = perf_counter()
        try:
            return self.see(self.f, self.derived, self.options, self.at)
        except Exception as error:
            self._error = error
            return failed(self.see(self.f, self.derived, self.options, None), self.derived.derivation, error)
        finally:
            self.seconds = perf_counter() - start

    @property
    def error(self) -> Exception | None:
        """What the call at the example arguments raised."""
        return self._error if self.view.problem else None

    @property
    def choice(self) -> Choice:
        """What it was made with."""
        return replace(Choice.of(self.derived.derivation), tape=same_tape(self.options.tape or ""))

    def other(self, choice: Choice, *, check: bool = True, whole: bool = True) -> Take:
        """The derivative of the same function with another choice. whole: it can be called."""
        compile = choice.backend if choice.backend in COMPILERS else None
        no_lines(compile, self.options.nan)
        bare = len(choice.wrt) == 1 and not isinstance(self.options.wrt, tuple)
        options = replace(self.options, wrt=choice.wrt[0] if bare else choice.wrt, mode=choice.mode,
                          backend=COMPILERS[compile] if compile else choice.backend, compile=compile,
                          check=check and self.options.check,
                          passes=None if choice.passes == USUAL else choice.passes)
        options = replace(options, tape=samples.chosen(choice.tape, options))
        return Take(self.f, options, self.at, self.see, fronts=self.fronts, whole=whole)

    @cached_property
    def texts(self) -> Texts:
        """What the page shows of it as long as it is chosen."""
        return texts_of(self.derived.derivation, whole=self.whole)

    def state(self, **more: Any) -> dict[str, Any]:
        """What the page is told of it."""
        return self._state(self.view, **more)

    def unrun(self) -> dict[str, Any]:
        """What the page is told of it before it is chosen: nothing of the user's runs."""
        return self._state(self.see(self.f, self.derived, self.options, None))

    def _state(self, view: View, **more: Any) -> dict[str, Any]:
        checked = view.checked
        status = Status(self.milliseconds,
                        "" if checked is None else "checked" if checked else "the check fails", checked)
        return state(view, self.derived.derivation, self.texts, self.choice, unfit(self.f, self.given), missing(),
                     status=status, present=self.options.present, **more)


class Session:
    """What a widget is about. find: gives the function as it is defined now;
    arguments: the example arguments for it; recording: a run of the derivative, where there is one."""

    def __init__(self, take: Take, namespace: MutableMapping[str, Any], names: Names, find: Callable[[], Any],
                 arguments: Callable[[Any], inspect.BoundArguments | None], recording: Recording | None = None) -> None:
        self.take, self.namespace, self.names = take, namespace, names
        self._find, self._arguments = find, arguments
        self.bound = ""
        self.refusal = ""
        self._seen: dict[Choice, Take] = {}
        self._given = False                                # the page has been given what may not be so any more
        self.forgotten: Callable[[], None] = lambda: None  # called when what was derived before is let go
        self._beside: Take | None = None
        self._recorded = None if recording is None else (take, recording)
        self._cards: TakeCards | None = None
        self.editor: Editor | None = None          # where the text can be edited
        self._measured: dict[str, tuple[Take, dict[str, Any]]] = {}
        self._spreads: Spreads | None = None

    def choose(self, choice: Choice) -> None:
        """Derive as the page asks; what it has asked for since a cell has run is there yet. What is refused is said,
        and the derivative shown before stays."""
        known = self._seen.get(choice)                     # which may be let go for the one before
        self._remember(self.take.choice, self.take)
        self._attempt(lambda: known or self._kept(choice))

    def _kept(self, choice: Choice) -> Take:
        """Another choice, one of a tape that may be written in another way and was derived."""
        take = self.take.other(choice)
        return self._seen.get(take.choice) or take

    def prepare(self, choice: Choice, *, whole: bool = True) -> dict[str, Any] | None:
        """Derive what the pointer is at, so that it is there when it is chosen, without values; None where it is not
        for now. Nothing of the user's runs for it: not where each derivative is checked, nor for a compiler. whole: it
        is there to be called too; else its text is."""
        if self.take.options.check or choice.backend != "numpy":
            return None
        try:
            known = self.take if choice == self.take.choice else self._seen.get(choice)
            take = known or self.take.other(choice, whole=whole)
            state = take.unrun()
        except (TangentError, OptionError):                # it is said when it is chosen
            return None
        self._given = True
        if take.whole:
            self._remember(choice, take)
        return state

    def _remember(self, choice: Choice, take: Take) -> None:
        """Keep a choice, and of the others those that were kept last."""
        self._seen.pop(choice, None)
        self._seen[choice] = take
        rows = 0
        for known, one in reversed(list(self._seen.items())):
            rows += one.texts.rows
            if rows > MOST_ROWS and known != choice:
                del self._seen[known]

    def ran(self, stale: str) -> None:
        """A cell has run: nobody knows what it has changed, but that what the derivative takes for granted is as it
        was where it is not `stale`."""
        self._forget(None if stale else self.take.derived.derivation)

    def forget(self) -> None:
        """Nobody knows what has changed."""
        self._forget(None)

    def _forget(self, still: Derivation | None) -> None:
        self._spreads = None
        self.take.fronts.only(still)
        self._seen.clear()
        if self._given:
            self._given = False
            self.forgotten()

    def again(self) -> None:
        """Derive the function as it is defined now, and bind the result where the old one was bound."""
        found = self._find()
        self.forget()
        if not isinstance(found, types.FunctionType):
            self.refusal = f"{self.take.f.__name__} is not defined any more"
        elif self._attempt(lambda: Take(found, self.take.options, self._arguments(found), self.take.see)) \
                and self.bound:
            self.use()

    def follow(self, find: Callable[[], Any]) -> None:
        """The text has been edited and run: derive what it defines, and bind that."""
        self._find = find
        self.bound = self.bound or self.take.name
        self.again()
        if self.refusal:
            self.names.drop(self.namespace, find())

    def recording(self) -> Recording:
        """A run of the derivative that is shown, recorded when it is first asked for."""
        if self._recorded is None or self._recorded[0] is not self.take:
            self._recorded = self.take, stepping.recorded(self.take)
        return self._recorded[1]

    def last_call(self) -> LastCall | None:
        """The last call of the derivative that is shown that a cell has made."""
        history = getattr(get_ipython(), "history_manager", None)
        return last_call(self.name_now(), getattr(history, "input_hist_parsed", ()), self.namespace)

    def card(self, side: str, stage: int, row: int, run: bool) -> dict[str, Any]:
        """What there is to say of a row."""
        if self._cards is None or self._cards.take is not self.take:
            self._cards = TakeCards(self.take, self.keys, self.last_call)
        return self._cards.card(side, stage, row, run)

    def measured(self, what: str) -> dict[str, Any]:
        """What the lines of the derivative that is shown take, what it keeps, or the graph of its run, made when it is
        first asked for. what: one of MEASURED."""
        if what not in self.measures():
            self._measured[what] = self.take, MEASURED[what](self.take, self.keys)
        return self._measured[what][1]

    def measures(self) -> dict[str, dict[str, Any]]:
        """What of this is there."""
        spread = self._spreads
        found = {what: made for what, (take, made) in self._measured.items() if take is self.take}
        return found if spread is None or not spread.fits(self.take) else {**found, "spread": spread.told()}

    def spread(self, tape: str) -> dict[str, Any]:
        """How far gradients with a tape are spread, and what was measured of others."""
        if self._spreads is None or not self._spreads.fits(self.take):
            self._spreads = Spreads(self.take)
        return self._spreads.measure(tape)

    @property
    def keys(self) -> Mapping[Place, int]:
        """The rows of the page's left pane by the user's lines."""
        return self.take.texts.keys

    @property
    def has_recording(self) -> bool:
        """The derivative that is shown has been stepped through."""
        return self._recorded is not None and self._recorded[0] is self.take

    def _attempt(self, make: Callable[[], Take]) -> bool:
        try:
            self.take = make()
        except (TangentError, OptionError) as error:
            self.refusal = str(error)
            return False
        self.refusal = ""
        return True

    def use(self) -> None:
        """Bind the derivative that is shown; OptionError where the name is the user's."""
        self.names.bind(self.namespace, self.take.name, self.take.derived.function, self.take.f)
        self.bound = self.take.name

    def texts(self) -> dict[str, Any]:
        """The texts that calls of the derivative have made, by what they are for; why they cannot be timed."""
        found = Served.of(inspect.unwrap(self.take.derived.function))
        return {"names": [visible(name) for name in found.names], "ran": found.ran, "here": found.here,
                "timed": "" if self.take.at is not None else "timing needs arguments: %%grad --at \"x=…\""}

    def put_beside(self, what: Choice | int) -> dict[str, Any]:
        """The state of another choice, or of one of the texts, to be shown beside the derivative."""
        if isinstance(what, Choice):
            self._beside = self._seen.get(what) or self.take.other(what, check=False)
        else:
            found = Served.of(inspect.unwrap(self.take.derived.function))
            if found.here:
                raise OptionError("both texts are in the one that is shown")
            if what >= len(found.functions):
                raise OptionError("there is no such text any more")
            made = Derived(found.functions[what], self.take.derived.bare)  # type: ignore[arg-type]
            self._beside = Take(self.take.f, replace(self.take.options, check=False), None, self.take.see, made=made)
        return self._beside.state()

    def figures(self) -> list[dict[str, Any]]:
        """What the derivative, and the one beside it, take at the example arguments."""
        if self.take.at is None or self._beside is None:
            raise OptionError("timing needs arguments, and another text beside this one")
        takes, at = (self.take, self._beside), self.take.at

        def run(*args: Any, **kwargs: Any) -> list[Figures]:
            return measured([one.derived.function for one in takes],
                            [partial(one.derived.function, *args, **kwargs, **stepping.along_first(one, at))
                             for one in takes])

        return [asdict(one) for one in Calls(self.take.f, at.args, at.kwargs)(run)]

    def taken(self) -> str:
        """The derivative that is shown as a Python file of its own; TangentError where it cannot be written."""
        return exported(inspect.unwrap(self.take.derived.function))

    def name_now(self) -> str:
        """The name that means the derivative that is shown; empty where none does."""
        return self.bound if self.bound and self.namespace.get(self.bound) is self.take.derived.function else ""

    def stale(self) -> str:
        """Why the derivative is not that of the notebook's functions any more; empty while it is."""
        return stale(self.take.f, self._find(), self.take.derived.function)

    def state(self) -> dict[str, Any]:
        """What the page is told."""
        self._given = True
        still = "" if self.has_recording else stepping.unfit(self.take.options, self.take.at is not None)
        steps = not still and (self.take.options.step or self.take.at is None)
        at = self.take.at is not None
        tools = {"costs": costs.unfit(self.take.options, at), "graph": graphs.unfit(at), "spread": unspread(at)}
        return self.take.state(bound=self.name_now(), stale=self.stale(), refusal=self.refusal, still=still,
                               steps=steps, served=self.texts(), tools=tools,
                               unedited=NO_EDITOR if self.editor is None else self.editor.reason,
                               edited=self.take.options.edit, cell="" if self.editor is None else self.editor.cell)

    def variants(self) -> dict[tuple[Any, ...], dict[str, Any]]:
        """For a page without a notebook behind it: the states in both modes, with all passes, with none,
        and with each one left out, or asked for; where the tape is sampled, the exact one too."""
        found = {}
        wanted = [USUAL, (), *(tuple(n for n in PASSES if (n in USUAL) != (n == name)) for name in PASSES)]
        now = self.take.choice
        tapes_of = {mode: now.tape if mode == "reverse" else "" for mode in MODES}
        choices = [replace(now, mode=mode, passes=passes, tape=tapes_of[mode])
                   for mode in MODES for passes in dict.fromkeys([now.passes, *wanted])]
        for choice in dict.fromkeys([*choices, replace(now, tape="")]):
            with suppress(TangentError, OptionError):
                found[choice.mode, choice.backend, choice.passes, choice.wrt, choice.tape] = \
                    self.take.other(choice, check=False).state(still=stepping.ELSEWHERE, tools=ELSEWHERE)
        return found


def missing() -> dict[str, str]:
    """What has to be installed for the backends, and what compiles, that are not there."""
    needs = {"jax": ("JAX", "jax"), "jit": ("JAX", "jax"), "numba": ("Numba", "numba")}
    return {name: f"{title} is not installed: pip install 'tangent_nb[{library}]'"
            for name, (title, library) in needs.items() if find_spec(library) is None}

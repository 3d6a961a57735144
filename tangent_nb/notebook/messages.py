"""What the page may ask, and nothing else: each message is checked before anything is done with it.

Nothing from the page is evaluated, or used as a path: names are looked up among those that are known, and how a tape is
written is read as words and literals. What is written in the editor is text of a program, which is read for the kind
`draft`, and run for the kind `apply` alone.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from .helpers import known
from .options import MODES
from .state import CHOICES, Choice


@dataclass(frozen=True)
class Kind:
    """A kind of message. fields: what it holds; reads: nothing of the user's runs for it, so that it may be answered
    while a cell runs."""

    fields: frozenset[str] = frozenset()
    reads: bool = False


def _kind(fields: str = "", *, reads: bool = False) -> Kind:
    return Kind(frozenset(fields.split()), reads)


CHOICE = "wrt mode backend passes tape"
KINDS = {"derive": _kind(CHOICE), "other": _kind(CHOICE), "prepare": _kind(f"{CHOICE} whole"),
         "use": _kind(), "again": _kind(), "export": _kind(), "take": _kind(reads=True),
         "helper": _kind("name", reads=True), "step": _kind(),
         "moments": _kind("piece", reads=True), "text": _kind("place", reads=True),
         "measure": _kind(), "card": _kind("side stage row run"), "costs": _kind(), "graph": _kind(), "tape": _kind(),
         "fold": _kind("calls"), "spread": _kind("tape"),
         "edit": _kind(reads=True), "draft": _kind("text", reads=True), "apply": _kind("text")}
FAR = 1_000_000                                     # pieces of a recording, rows
TEXTS = 64                                         # of one derivative
SIDES = ("primal", "derived")
MOST = 256                                         # names in a list
LONGEST = 256                                      # characters of a name
LONGEST_TEXT = 1_000_000                           # of what is written


class MessageError(ValueError):
    """A message that is not followed; the text says why, and holds nothing of the message."""


class Asked(NamedTuple):
    """A row of one of the two texts that is asked about. run: the derivative may be run for the values."""

    side: str
    stage: int
    row: int
    run: bool


@dataclass(frozen=True)
class Ask:
    """A message. id: the page's number for it; choice: what is to be derived, for the kinds `derive`, `other` and
    `prepare`; name: the helper that is to be explained, for the kind `helper`; piece: which steps are asked for, for
    the kind `moments`; which text of the derivative, for the kind `text`; line: for the kind `card`; text: what is
    written in the editor, for the kinds `draft`, where it is only read, and `apply`, where it runs; of the tape that is
    to be drawn with, for the kind `spread`; calls: those that are one node of the graph each, for the kind `fold`;
    whole: what is prepared can be called too, for the kind `prepare`."""

    kind: str
    id: int
    choice: Choice | None = None
    name: str = ""
    piece: int = 0
    line: Asked | None = None
    text: str = ""
    calls: frozenset[int] = frozenset()
    whole: bool = True


def parse(content: Any, parameters: Collection[str], passes: Collection[str]) -> Ask:
    """The message, if it is one; parameters, passes: the names that it may hold.

    >>> parse({"kind": "use", "id": 3}, ["x"], [])
    Ask(kind='use', id=3, choice=None, name='', piece=0, line=None, text='', calls=frozenset(), whole=True)
    """
    if type(content) is not dict or len(content) > 8:
        raise MessageError("a message is a small object")
    kind, number = content.get("kind"), number_of(content)
    if type(kind) is not str or kind not in KINDS:
        raise MessageError("no such kind of message")
    if number is None:
        raise MessageError("a message has a number")
    if set(content) != KINDS[kind].fields | {"kind", "id"}:
        raise MessageError(f"a message {kind} has other fields")
    if kind == "helper":
        return Ask(kind, number, name=_one(content["name"], known(), "helper"))
    if kind == "moments":
        if type(content["piece"]) is not int or not 0 <= content["piece"] < FAR:
            raise MessageError("no such steps")
        return Ask(kind, number, piece=content["piece"])
    if kind in ("draft", "apply"):
        if type(content["text"]) is not str or len(content["text"]) > LONGEST_TEXT:
            raise MessageError("the text is none, or too long")
        return Ask(kind, number, text=content["text"])
    if kind == "fold":
        return Ask(kind, number, calls=_calls(content["calls"]))
    if kind == "spread":
        return Ask(kind, number, text=_tape(content["tape"]))
    if kind == "card":
        return Ask(kind, number, line=_line(content))
    if kind == "text":
        if type(content["place"]) is not int or not 0 <= content["place"] < TEXTS:
            raise MessageError("no such text")
        return Ask(kind, number, piece=content["place"])
    if "wrt" not in content:
        return Ask(kind, number)
    wrt = _names(content["wrt"], parameters, "parameter")
    if not wrt:
        raise MessageError("choose at least one parameter")
    choice = Choice(wrt, _one(content["mode"], MODES, "mode"), _one(content["backend"], CHOICES, "backend"),
                    _names(content["passes"], passes, "pass"), _tape(content["tape"]))
    whole = content.get("whole", True)
    if type(whole) is not bool:
        raise MessageError("whole is true or false")
    return Ask(kind, number, choice, whole=whole)


def _line(content: Mapping[str, Any]) -> Asked:
    """The row that is asked about; whether there is such a row nobody knows here."""
    side, stage, row, run = (content[name] for name in Asked._fields)
    if type(run) is not bool or any(type(one) is not int or not 0 <= one < FAR for one in (stage, row)):
        raise MessageError("no such row")
    return Asked(_one(side, SIDES, "side"), stage, row, run)


def _calls(value: Any) -> frozenset[int]:
    """Numbers; whether there are such calls nobody knows here."""
    if type(value) is not list or len(value) > FAR or any(type(one) is not int or not 0 <= one < FAR for one in value):
        raise MessageError("no such calls")
    return frozenset(value)


def _tape(value: Any) -> str:
    """How a tape is written; whether there is such a one is said as what is refused is."""
    if type(value) is not str or len(value) > LONGEST:
        raise MessageError("no such tape")
    return value


def _names(value: Any, there: Collection[str], what: str) -> tuple[str, ...]:
    """Names that are known, in the order in which they are known, each once."""
    if type(value) is not list or len(value) > MOST:
        raise MessageError(f"a list of names is wanted for {what}")
    chosen = {_one(one, there, what) for one in value}
    return tuple(name for name in there if name in chosen)


def _one(value: Any, there: Collection[str], what: str) -> str:
    if type(value) is not str or len(value) > LONGEST or value not in there:
        raise MessageError(f"no such {what}")
    return value


def reads(content: Any) -> bool:
    """Nothing of the user's runs for a message; so it is too of what is no message."""
    kind = content.get("kind") if type(content) is dict else None
    return type(kind) is not str or kind not in KINDS or KINDS[kind].reads


def number_of(content: Any) -> int | None:
    """The number of a message that could not be read, so that the page learns which failed."""
    number = content.get("id") if type(content) is dict else None
    return number if type(number) is int and 0 <= number < 2 ** 53 else None

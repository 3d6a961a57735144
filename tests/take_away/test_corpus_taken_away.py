"""Every function of the corpus as a file of its own, against its derivative: equal to the last bit."""
from __future__ import annotations

import contextlib
import io
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from corpus import CORPUS, Entry
from loading import loaded, same

import tangent_nb as tnb
from tangent_nb.errors import TangentError
from tangent_nb.take_away import exported

REASONS = ("it takes derivatives of functions that are known only when it is called", "it is an object of class lock",
           "of which variables are assigned (global)")


def cases(sampled: int) -> Any:
    return pytest.mark.parametrize("entry", [pytest.param(
        e, id=e.id, marks=[pytest.mark.xdist_group(e.id), pytest.mark.sampled(sampled)])
        for e in CORPUS if not e.refused])


def outcome(function: Callable[..., Any], entry: Entry) -> Any:
    """What a call gives, or the name of what it raises."""
    with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            return function(*entry.fresh())
        except Exception as error:
            return f"raises {type(error).__name__}"


def derived(entry: Entry, make: Any) -> Any:
    try:
        return make(entry.function, wrt=entry.wrt if len(entry.wrt) != 1 else entry.wrt[0])
    except TangentError:
        if entry.may_refuse:
            pytest.skip("refused, as it may be")
        raise


def text_of(df, **options) -> str:
    try:
        return exported(df, **options)
    except TangentError as error:
        assert any(reason in str(error) for reason in REASONS)
        pytest.skip("it cannot be written")


def general_text(df) -> str:
    """The text for all arguments, which `df` runs from here on."""
    one = tnb.api.derivation(df)
    if one.later is not None or one.beside is not None and one.beside.of:
        pytest.skip("its texts are made for the arguments of calls")
    text = text_of(df)
    if one.beside is not None:
        one.beside.by_class = False
    return text


@cases(4)
def test_the_file_gives_what_the_derivative_gives(entry: Entry) -> None:
    """The text for all arguments: `df` may have another one for those of a call, and does not take it here."""
    df = derived(entry, tnb.grad)
    text = general_text(df)
    assert same(outcome(getattr(loaded(text), df.__name__), entry), outcome(df, entry))


@cases(12)
def test_with_versions_it_gives_what_a_call_gives(entry: Entry) -> None:
    df = derived(entry, tnb.grad)
    wanted = outcome(df, entry)
    if isinstance(wanted, str):
        pytest.skip("it raises")
    text = text_of(df, versions=True)
    assert same(outcome(getattr(loaded(text), df.__name__), entry), wanted)


@cases(12)
def test_forward_mode(entry: Entry) -> None:
    df = derived(entry, tnb.jvp)
    text = general_text(df)
    args = entry.fresh()
    names = df.__code__.co_varnames[:df.__code__.co_argcount + df.__code__.co_kwonlyargcount][-len(entry.wrt):]
    tangents = dict(zip(names, [np.ones_like(args[i]) if isinstance(args[i], np.ndarray) else 1.0
                                for i in entry.wrt]))
    file = getattr(loaded(text), df.__name__)
    assert same(outcome(lambda *args: file(*args, **tangents), entry), outcome(lambda *args: df(*args, **tangents),
                                                                               entry))

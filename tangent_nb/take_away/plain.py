"""What stands for some helpers in a file of its own, where nobody is there to ask: errors without the place in the
user's text, which only `emit` knows, and the names of arguments without those of our modules.

Each has the name of what it stands for, and computes the same.
"""
from __future__ import annotations

import sys
from typing import Any


class TangentError(Exception):
    """What a derivative raises rather than give a wrong number."""


class ArgumentError(TangentError, TypeError):
    """An argument or a result that a derivative cannot take."""


class RefusedError(TangentError):
    """A call that reaches a place which is not differentiated."""


def refused(why: str, instead: str = "") -> RefusedError:
    """What is raised where a place is reached that is not differentiated.

    >>> raise refused("it returns None", "return a number")
    Traceback (most recent call last):
    tangent_nb.take_away.plain.RefusedError: this call reaches a place that is not differentiated: it returns None; ...
    """
    return RefusedError("this call reaches a place that is not differentiated: " + "; instead: ".join(
        text for text in (why, instead) if text))


def parameter(value: Any, other: str = "the argument") -> str:
    """The name of the parameter that holds a value, in the function of this file that was called.

    >>> def df(x): return parameter(x)
    >>> df(2.0) in ("x", "the argument")
    True
    """
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_back.f_globals is frame.f_globals:
        frame = frame.f_back
    code = frame.f_code
    names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    return next((name for name in names if frame.f_locals.get(name) is value), other)


def _no_number(value: Any, called: str) -> str:
    """What an argument is that has no derivative, and what to pass."""
    kind, name = type(value).__name__, "x" if " " in called else called
    if not hasattr(value, "dtype"):
        return f"of class {kind}, and no number: pass a float, or an array of floats"
    return f"of class {kind} and dtype {value.dtype}, which has no derivative: pass {name}.astype(float)"


def _check_output(y: Any) -> None:
    """Refuses a result that holds no derivative."""
    if not isinstance(y, float) and getattr(getattr(y, "dtype", None), "kind", "") != "f":
        kind = f"{type(y).__name__} of {y.dtype}" if hasattr(y, "dtype") else type(y).__name__
        raise ArgumentError(f"the function returned a value of class {kind}: return a float or an array of floats")


def remedy(value: Any, name: str) -> str:
    """What to pass for what does not compute like a number or an array."""
    return f"it computes in a way of its own: pass np.asarray({name}, float), or the numbers that it holds"


def unknown(x: Any) -> str:
    """What is no container that is known."""
    return f"of class {type(x).__name__}, which is not known as a container: pass a list or a dict"

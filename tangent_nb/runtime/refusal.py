"""What stands in the text of a derivative where a place is refused when it is reached."""
from __future__ import annotations

from ..errors import Refusal, RefusedError


def refused(why: str, instead: str = "") -> RefusedError:
    """What a derivative raises where it reaches a place of the function that is not differentiated;
    the place is that of the line that runs.

    >>> raise refused("it returns None", "return a number")
    Traceback (most recent call last):
    tangent_nb.errors.RefusedError: cannot differentiate this call, which reaches this place
      why: it returns None
      instead: return a number
    """
    return RefusedError("this call, which reaches this place", [Refusal(None, why, instead)])

"""What a pass did, as the lines before and after it: the examples of passes show it alone."""
from __future__ import annotations

import difflib


def difference(before: str, after: str) -> str:
    """The lines that are in one of two texts only, marked with - and +, in the order in which they stand.

    >>> print(difference("def f(x):\\n    y = x\\n    return y\\n", "def f(x):\\n    return x\\n"))
    -     y = x
    -     return y
    +     return x
    """
    lines = difflib.ndiff(before.splitlines(), after.splitlines())
    return "\n".join(line for line in lines if line.startswith(("- ", "+ ")))

"""What the code of a function says, without its text: the names that it reads, and those that it stores in.

    def set_mode(m):             stores_in(set_mode.__code__, GLOBAL) == {"MODE"}
        global MODE              named(set_mode) == {"MODE"}
        MODE = m
"""
from __future__ import annotations

import types
from collections.abc import Iterator
from dis import get_instructions, opmap
from functools import lru_cache
from typing import Any

GLOBAL, ATTRIBUTE, ITEM = "STORE_GLOBAL", "STORE_ATTR", "STORE_SUBSCR"


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code, and those of the functions inside of it."""
    yield code
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            yield from codes(one)


def named(fn: types.FunctionType) -> set[str]:
    """The names of variables outside, and of attributes, in the code of a function."""
    return {name for code in codes(fn.__code__) for name in code.co_names}


@lru_cache(10_000)
def stores_in(code: types.CodeType, how: str) -> frozenset[Any]:
    """The global variables, the attributes of whatever, or the items (`{None}`), that a code, or one inside of it,
    assigns."""
    return frozenset(step.argval for one in codes(code) if opmap[how] in one.co_code[::2]
                     for step in get_instructions(one) if step.opname == how)

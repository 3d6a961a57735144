"""Texts for some arguments in a file: each behind a guard that asks whether the arguments are made so.

Needs a derivative, and the texts of it that are wanted. Promises its code in the file: guards that lead to these, and
below them the text for all arguments, or an error where that is left out.

    def df_dx(x, w):
        if fits('f8[n], f8[n]', x, w):  # guard
            return _df_dx_1(x, w)
        …
"""
from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Sequence
from typing import Any

from ..errors import ArgumentError, TangentError
from ..pipeline.versions import described
from ..runtime.alike import alike
from ..runtime.fits import fits
from ..runtime.for_calls import Made
from ..syntax.program import Derivation
from .theirs import Sight, asks, function_text, span_of, without_checks
from .units import HELPERS, Ref
from .world import World

INSIDE = "    "


def chosen(df: Any, one: Derivation, versions: bool, like: Sequence[Any] | None) -> list[Made]:
    """The texts that a file is to hold beside that for all arguments."""
    asked = one.later or one.beside
    if like is None:
        made = [text for text in asked.made if text.function is not None] if versions and asked is not None else []
        if one.later is not None and not made:
            raise TangentError(f"{df.__name__} has no text for all arguments, and is made for those of each call: "
                               "export it with example arguments, like=(...)")
        return made
    if asked is None or one.primal is None:
        raise TangentError(f"{df.__name__} has the texts that it was made with: derive with example arguments, "
                           "tnb.grad(f, like=...), and export without like")
    try:
        bound = inspect.signature(one.primal.fn).bind(*like)
    except TypeError as error:
        raise TangentError(f"like holds an example for each argument of {one.primal.name}: {error}") from None
    bound.apply_defaults()
    found = asked.made_for(bound.arguments)
    if found is None or found.function is None:
        if one.later is None:
            return []                                      # the text for all arguments is as good
        raise TangentError(f"{df.__name__} has no text for such arguments: see its error when it is called with them")
    return [found]


def root(world: World, df: Any, one: Derivation, texts: Sequence[Made], general: bool,
         guards: bool = True) -> Ref:
    """The derivative itself, with the guards that lead to texts for some arguments. guards: False takes one text as it
    is."""
    without = one.later is not None or not general
    if not texts:
        return world.function(df, df.__name__)
    if without and len(texts) == 1 and isinstance(texts[0].function, types.FunctionType):
        return _alone(world, df, texts[0], guards)
    written = function_text(df)
    body: Any = written.node.body
    guard: Any = next((stmt for stmt in body if _asks(stmt, Sight.of(df))), None)
    if guard is None:                                      # it asks for nothing: it is as good as the others
        return world.function(df, df.__name__)
    leaving: Any = guard.body[0] if isinstance(guard, ast.If) else guard
    call = leaving.value
    first = span_of(written.text, call.func)[1]
    arguments = written.text[first:span_of(written.text, call)[1]]
    meant: dict[str, Ref] = {}
    lines: list[str] = []
    for number, text in enumerate(texts, 1):
        name = _free(f"_{df.__name__.strip('_')}_{number}", written.text)
        function: Any = text.function
        meant[name] = world.function(function, name)
        lines += [f"{INSIDE}if {_test(world, text, meant, written.text)}:  # guard",
                  f"{INSIDE * 2}return {name}{arguments}"]
    rows = written.text.split("\n")
    head, tail = rows[:guard.lineno - 1], rows[guard.end_lineno:]
    if without:
        head = rows[:body[0].lineno - 1]
        tail = [_refusal(world, df, texts, meant), ""]
    code = "\n".join([*head, *lines, *tail])
    return world.function(df, df.__name__, code if without else without_checks(code, Sight.of(df), set(meant)), meant)


def _alone(world: World, df: Any, text: Made, guards: bool) -> Ref:
    """The text for some arguments as the whole derivative: other arguments are refused, if there are guards."""
    function: Any = text.function
    written = function_text(function)
    meant: dict[str, Ref] = {}
    rows = without_checks(written.text, Sight.of(function)).split("\n")
    if not guards:
        return world.function(function, df.__name__, "\n".join(rows), meant)
    at = ast.parse("\n".join(rows)).body[0].body[0].lineno - 1  # type: ignore[attr-defined]
    while rows[at - 1].lstrip().startswith("#"):
        at -= 1
    lines = [f"{INSIDE}if not ({test}):  # guard" if " and " in (test := _test(world, text, meant, written.text))
             else f"{INSIDE}if not {test}:  # guard", INSIDE + _refusal(world, df, [text], meant)]
    return world.function(function, df.__name__, "\n".join([*rows[:at], *lines, *rows[at:]]), meant)


def _asks(stmt: ast.stmt, sight: Sight) -> bool:
    return isinstance(stmt, (ast.If, ast.Return)) and any(
        asks(sight.value(node.id)) for node in ast.walk(stmt.test if isinstance(stmt, ast.If) else stmt)
        if isinstance(node, ast.Name))


def _test(world: World, text: Made, meant: dict[str, Ref], around: str) -> str:
    """Whether the arguments are made as a text takes them."""
    tests = []
    for name, structure in text.structures:
        ask, made = _free(alike.__name__, around), _free(f"_{name.strip('_')}_made", around)
        meant[ask] = world.helper(alike.__name__)
        meant[made] = world.value(structure, made, ("structure", id(structure)), HELPERS)
        tests.append(f"{ask}({name}, {made})")
    if text.sizes:
        ask = _free(fits.__name__, around)
        meant[ask] = world.helper(fits.__name__)
        tests.append(f"{ask}({text.sizes!r}, {', '.join(text.numbers)})")
    return " and ".join(tests) or "True"


def _refusal(world: World, df: Any, texts: Sequence[Made], meant: dict[str, Ref]) -> str:
    name = ArgumentError.__name__
    meant[name] = world.error(name)
    made = "; ".join(map(described, texts))
    message = f"{df.__name__} was exported for {made} alone"
    return f"{INSIDE}raise {name}({message!r})"


def _free(name: str, text: str) -> str:
    """A name that the text does not have."""
    while name in text:
        name += "_"
    return name


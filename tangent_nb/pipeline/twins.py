"""Functions of the user that a text calls as they are, written beside it for a backend.

Needs the functions of a text, which grow while its calls are gone over. Promises a name for each function that it
calls: of its normal form, which then is one of them; or refusals.

    def df_dx(x): return h(x) * x      →      def df_dx(x): return _h_jax(x) * x
                                              def _h_jax(x): ...
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from ..analyse.fence import Fence
from ..capture import capture, own_text
from ..desugar import Reader
from ..errors import Refusal, RefusedError
from ..syntax.building import clone, definition, load, mark
from ..syntax.names import Names
from ..syntax.nodes import dotted
from ..syntax.program import Captured
from .dress import check_helpers
from .normal import helpers, normal_form
from .request import Function

Called = list[tuple[str, Any]]


class Twins:
    """The twins of one text. functions: of the text, to which they are added; suffix: of their names."""

    def __init__(self, functions: list[Function], taken: Names, reader: Reader, suffix: str) -> None:
        self.functions, self.taken, self.reader, self.suffix = functions, taken, reader, suffix
        self.siblings = {function.tree.name for function in functions}
        self.refusals: list[Refusal] = []
        self._names: dict[Any, str] = {}

    def of(self) -> tuple[Callable[[Any, gast.expr], str | None], Called]:
        """What gives the name of a twin for a function that is called, None where it is refused, and those called."""
        called: Called = []

        def twin(fn: Any, node: gast.expr) -> str | None:
            name = dotted(node)
            if name is None:
                return None
            if fn not in self.reader.made:                 # what a text of ours defines is always the same
                called.append((name, fn))
            return self._twin(fn)

        return twin, called

    def _twin(self, fn: Any) -> str | None:
        if fn in self._names:
            return self._names[fn]
        try:
            reader = self.reader if fn in self.reader.made \
                else Reader(lambda one: own_text(one) if one is fn else capture(one))
            captured = reader(fn)
            fence = Fence(reader, "forward", reader.uses)
            fence.check(captured, ())
            if fence.refusals:
                raise RefusedError(captured.name, fence.refusals)
            name = self.taken.new(f"_{captured.name.strip('_') or 'f'}{self.suffix}")
            self._names[fn] = name
            self.siblings.add(name)
            made = _primal(captured, name, reader)
        except RefusedError as error:
            made = error
        if isinstance(made, RefusedError):
            self.refusals += made.refusals
            return None
        self.functions.append(made)
        return name


def taken_for_granted(function: Function, called: Called) -> None:
    """Let a function check that what its twins are of is still what it calls."""
    if called:
        function.helpers = sorted({**dict(function.helpers), **dict(called)}.items())
        check_helpers(function)


def _primal(captured: Captured, name: str, reader: Reader) -> Function | RefusedError:
    """A function of the user in normal form, in which what is changed in place has one name."""
    posed = normal_form(captured, clone(captured.tree), (), {}, reader, inline=False, reverse=False)
    if isinstance(posed, RefusedError):
        return posed
    problem, lowering = posed.problem, posed.lowering
    args = clone(captured.tree.args)
    for node in [*args.posonlyargs, *args.args, *args.kwonlyargs]:
        node.annotation = None
    body = [*problem.body, mark(gast.Return(load(problem.result)), role="return", origin=None)]
    tree = definition(name, args, body)
    return Function(tree, captured, problem.names, helpers(captured, lowering, reader, ()), scope=problem.scope)

"""The stage jax: generated functions, and the functions of the user that they call, on `jax.numpy`.

Needs the functions after the passes. Promises functions that mean the same on JAX, with guards for what arguments JAX
would cut, and a twin for each function of the user that is called without a derivative; refusals of all places at once
where there are none.

    def df_dx(x, n):                                  def df_dx(x, n):
        rt.check_helpers(helpers, h)  # guard             rt.check_helpers(helpers, h, size)  # guard
        x = rt.differentiable(x)  # guard        →        x = rt.differentiable(x)  # guard
        bx = h(x) * np.ones(size(n))                      n = rt.arrays(n)  # guard
        return bx                                         bx = h(x) * jnp.ones(_size_jax(n))
                                                          return bx
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from ..analyse.fence import Fence
from ..backends import load as load_backend
from ..backends.jax_static import Static
from ..backends.jax_text import Text
from ..capture import capture, own_text
from ..desugar import Reader
from ..errors import Refusal, RefusedError
from ..rules import LIBRARIES
from ..syntax.building import clone, library, load, mark
from ..syntax.names import Names
from ..syntax.nodes import dotted, parameter_names, writes
from ..syntax.program import Captured
from .compiled import split_for_jit
from .dress import check_helpers, guard, guard_of
from .normal import helpers, normal_form
from .request import Beside, Function, Request


def on_jax(functions: Sequence[Function], main: Sequence[str], request: Request, taken: Names,
           reader: Reader) -> list[Function] | RefusedError:
    """The functions on JAX, the twins of those that they call after them; or what is refused there.
    main: the names of what was asked for."""
    return _Stage(list(functions), main, request, taken, reader).run()


class _Stage:
    def __init__(self, functions: list[Function], main: Sequence[str], request: Request, taken: Names,
                 reader: Reader) -> None:
        self.functions, self.main, self.request, self.taken, self.reader = functions, main, request, taken, reader
        runtime = load_backend("jax")
        self.libraries = LIBRARIES.with_(rt=runtime, jnp=runtime.jnp, jax=runtime.jax)
        self.twins: dict[Any, str] = {}
        self.siblings = {function.tree.name for function in functions}
        self.refusals: list[Refusal] = []
        self.wide = False

    def run(self) -> list[Function] | RefusedError:
        done = 0
        while done < len(self.functions):                  # twins are added while they are met
            self._rewrite(self.functions[done])
            done += 1
        if self.refusals:
            return RefusedError(self.functions[0].captured.name, list(dict.fromkeys(self.refusals)))
        entry = self.functions[0]
        place = next((i for i, stmt in enumerate(entry.tree.body) if getattr(stmt, "role", "") != "guard"), 0)
        entry.tree.body[place:place] = self._guards(entry)
        return self._compiled(entry, place) if self.request.compiled else self.functions

    def _compiled(self, entry: Function, place: int) -> list[Function] | RefusedError:
        """The main function cut after its guards: what follows is compiled,
        made anew for each value of its static arguments."""
        if (refused := self._hoist_checks(entry)) is not None:
            return refused
        place = 0
        while getattr(entry.tree.body[place], "role", "") == "guard":
            place += 1
        guards, entry.tree.body = entry.tree.body[:place], entry.tree.body[place:]
        texts = [(f.tree, f.scope) for f in self.functions if f.scope is not None]
        parameters = parameter_names(entry.tree)
        primal = parameter_names(entry.captured.tree)
        analysis = Static(texts, [*self.request.wrt, *(name for name in parameters if name not in primal)])
        found = analysis.run()
        if analysis.refusals:
            placed = [refusal for refusal in analysis.refusals if refusal.span is not None]
            return RefusedError(entry.captured.name, placed or analysis.refusals)
        return split_for_jit(entry, guards, found, self.taken.new(f"_{entry.tree.name}_jit"), self.functions[1:])

    def _rewrite(self, function: Function) -> None:
        called: list[tuple[str, Any]] = []
        assert function.scope is not None
        function.libraries = self.libraries

        def twin(fn: Any, node: gast.expr) -> str | None:
            name = dotted(node)
            if name is None:
                return None
            called.append((name, fn))
            return self._twin(fn)

        given = [*(function.captured.defaults or ()), *(function.captured.kwdefaults or {}).values()] \
            if function.defaults else []
        if function is not self.functions[0] and any(isinstance(value, np.ndarray) for value in given):
            self.refusals.append(Refusal.at(function.captured.tree, f"a parameter of {function.captured.name} has a "
                                            "NumPy array as its default, which would not be on JAX's device",
                                            "pass the array as an argument"))
        text = Text(function.tree, function.scope, function.names, function.specs, siblings=self.siblings,
                    floating=function.floating, compiled=self.request.compiled, twin=twin)
        text.run()
        self.refusals += text.refusals
        self.wide |= text.wide
        if called:
            function.helpers = sorted({**dict(function.helpers), **dict(called)}.items())
            check_helpers(function)

    def _twin(self, fn: Any) -> str | None:
        """The name of the function that does on JAX what `fn` does on NumPy; None where it is refused."""
        if fn in self.twins:
            return self.twins[fn]
        try:
            reader = self.reader if fn in self.reader.made \
                else Reader(lambda one: own_text(one) if one is fn else capture(one))
            captured = reader(fn)
            fence = Fence(reader, "forward", reader.uses)
            fence.check(captured, ())
            if fence.refusals:
                raise RefusedError(captured.name, fence.refusals)
            name = self.taken.new(f"_{captured.name.strip('_') or 'f'}_jax")
            self.twins[fn] = name
            self.siblings.add(name)
            made = _primal(captured, name, reader)
        except RefusedError as error:
            made = error
        if isinstance(made, RefusedError):
            self.refusals += made.refusals
            return None
        self.functions.append(made)
        return name

    def _hoist_checks(self, entry: Function) -> RefusedError | None:
        """The checks of helpers in all functions become one in the entry,
        or why they cannot: in compiled code they would be made once."""
        ours = set(parameter_names(entry.tree)) | writes(entry.tree.body)
        for function in self.functions[1:]:
            if not function.helpers:
                continue
            names, space = {name.partition(".")[0] for name, fn in function.helpers
                            if not isinstance(fn, Beside)}, function.captured.namespace
            if space.globals is not entry.captured.namespace.globals \
                    or names & (ours | set(space.cells) | set(entry.captured.namespace.cells)):
                return RefusedError(entry.captured.name, [Refusal(
                    None, f"{function.captured.name} calls {', '.join(sorted(names))}, and compiled code cannot check "
                    "that this is still the same function", "define both in one module, or compile=None")])
            del function.tree.body[0]
            entry.helpers = sorted({**dict(entry.helpers), **dict(function.helpers)}.items())
            function.helpers, function.checked_as = [], ""
        check_helpers(entry)
        return None

    def _guards(self, entry: Function) -> list[gast.stmt]:
        """What the arguments must be: those without a derivative on the device, nothing wider than JAX is set to."""
        others = [name for name in parameter_names(entry.captured.tree) if name not in self.request.wrt]
        return [*([guard_of(library("rt.check_x64()"))] if self.wide else []),
                *([guard(others, "arrays")] if others else [])]


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
    tree = gast.FunctionDef(name, args, body, [], None, None, [])
    return Function(tree, captured, problem.names, helpers(captured, lowering, reader, ()), scope=problem.scope)


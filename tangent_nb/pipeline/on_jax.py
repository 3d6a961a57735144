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

import gast
import numpy as np

from ..backends import load as load_backend
from ..backends.jax_static import Static
from ..backends.jax_text import Text
from ..desugar import Reader
from ..errors import Refusal, RefusedError
from ..rules import LIBRARIES
from ..syntax.building import call, library, mark, store, tuple_of
from ..syntax.names import Names
from ..syntax.nodes import parameter_names
from .compiled import hoist_checks, split_for_jit
from .dress import guard, guard_of
from .request import Function, Request
from .streams import begin, pass_streams
from .twins import Twins, taken_for_granted


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
        self.twins = Twins(functions, taken, reader, "_jax")
        self.refusals: list[Refusal] = []
        self.wide = False

    def run(self) -> list[Function] | RefusedError:
        if self.request.key and (refused := pass_streams(self.functions, self.main)) is not None:
            return refused
        done = 0
        while done < len(self.functions):                  # twins are added while they are met
            self._rewrite(self.functions[done])
            done += 1
        if refusals := [*self.refusals, *self.twins.refusals]:
            return RefusedError(self.functions[0].captured.name, list(dict.fromkeys(refusals)))
        entry = self.functions[0]
        place = next((i for i, stmt in enumerate(entry.tree.body) if getattr(stmt, "role", "") != "guard"), 0)
        entry.tree.body[place:place] = (guards := self._guards(entry))
        if self.request.key and entry.stream:
            begin(entry, place + len(guards), self.request)
        return self._compiled(entry, place) if self.request.compiled else self.functions

    def _compiled(self, entry: Function, place: int) -> list[Function] | RefusedError:
        """The main function cut after its guards: what follows is compiled,
        made anew for each value of its static arguments."""
        if (refused := hoist_checks(self.functions)) is not None:
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
        assert function.scope is not None
        function.libraries = self.libraries
        twin, called = self.twins.of()
        given = [*(function.captured.defaults or ()), *(function.captured.kwdefaults or {}).values()] \
            if function.defaults else []
        if function is not self.functions[0] and any(isinstance(value, np.ndarray) for value in given):
            self.refusals.append(Refusal.at(function.captured.tree, f"a parameter of {function.captured.name} has a "
                                            "NumPy array as its default, which would not be on JAX's device",
                                            "pass the array as an argument"))
        text = Text(function.tree, function.scope, function.names, function.specs, siblings=self.twins.siblings,
                    floating=function.floating, compiled=bool(self.request.compiled), twin=twin)
        text.run()
        if again := getattr(function.tree, "given_again", ()):
            names = [name for name in parameter_names(function.tree) if name in again]
            one = tuple_of(map(store, names), write=True) if len(names) > 1 else store(names[0])
            made = gast.Assign([one], call("%rt.barrier", *names), None)
            place = next(i for i, stmt in enumerate(function.tree.body) if getattr(stmt, "role", "") != "guard")
            function.tree.body.insert(place, mark(made, role="forward", origin=None))
        self.refusals += text.refusals
        self.wide |= text.wide
        taken_for_granted(function, called)

    def _guards(self, entry: Function) -> list[gast.stmt]:
        """What the arguments must be: those without a derivative on the device, nothing wider than JAX is set to."""
        others = [name for name in parameter_names(entry.captured.tree) if name not in self.request.wrt]
        return [*([guard_of(library("rt.check_x64()"))] if self.wide else []),
                *([guard(others, "arrays")] if others else [])]

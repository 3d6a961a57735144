"""`graph`: the linearized computational graph of a run: its values, and on the edges the local partial derivatives."""
from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ... import runtime
from ...asked import Wrt
from ...errors import TangentError
from ...runtime.structure import zeros_like
from ...syntax.program import Origin
from ..values import names_in
from .formulas import Notation, Symbol, number, short
from .operands import places
from .program import Run, recorded
from .recorder import Call
from .sampling import sampled
from .sheet import Line, Sheet, sheet
from .table import MOST

FRAME = ("overflow: auto; max-height: 80vh; width: fit-content; max-width: 100%; border: 1px solid #8886; "
         "border-radius: 6px")
WINDOW = 900                                       # pixels that most windows have
PATHS = 10_000                                     # paths that are gone along one by one


@dataclass(frozen=True)
class Node:
    """A value. place: its number, the first input has 0; label: `v₃`; name: the variable of the user's that holds it, a
    path for an input, "" where there is none; operation: how it is computed, "" of an input; origin: the user's
    statement; calls: in which calls that runs, from the outside; shape: None of what is no number or array."""

    place: int
    label: str
    name: str
    operation: str
    value: Any
    origin: Origin | None = None
    calls: tuple[Call, ...] = ()
    shape: tuple[int, ...] | None = ()

    @property
    def where(self) -> str:
        """The line that computes it, for people; empty of an input."""
        return "" if self.origin is None else \
            f"{self.origin.span.source.label}, line {self.origin.span.line}: {self.origin.text}"


@dataclass(frozen=True)
class Edge:
    """A value that another one is computed from. partial: the derivative of the one by the other, None where one of
    them is no number; shape: of that derivative; weight: what it counts, where edges are drawn at random."""

    source: int
    target: int
    partial: float | None
    shape: tuple[int, ...] = ()
    weight: float = 1.0

    @property
    def weighted(self) -> float | None:
        """The partial times its weight; 0 where that is 0."""
        return self.partial if self.partial is None or self.weight == 1.0 else \
            self.weight * self.partial if self.weight else 0.0


def graph(f: Callable[..., Any], *args: Any, wrt: Wrt = 0, digits: int = 3, rows: int = MOST) -> Graph:
    """The linearized computational graph of a function at some arguments.

    f: a function that returns a number or an array. args: where it runs, once. wrt: as in `grad`. digits: of the
    numbers. rows: how many operations there may be. The nodes are the values v of `trace_table`, the edges have the
    local partial derivatives: numbers, of arrays the shape. The sum over all paths from an argument to the result, of
    the products of what stands on their edges, is the derivative (Bauer's formula). Raises what `trace_table` raises.

    A notebook draws it; `svg()`, `save(path)` and `dot()` give it away; `folded()` draws calls as one node, `sampled()`
    keeps edges at random.

    >>> import numpy as np
    >>> def f(x1, x2):
    ...     a, b, c = np.log(x1), x1 * x2, np.sin(x2)
    ...     return a + b - c
    >>> made = graph(f, 2, 5, wrt=(0, 1))
    >>> print(made)
    f at x1 = 2, x2 = 5
      v₋₁ = x₁ = 2
      v₀ = x₂ = 5
      v₁ = ln v₋₁ = 0.693      ∂v₁/∂v₋₁ = 0.5
      v₂ = v₋₁ × v₀ = 10       ∂v₂/∂v₋₁ = 5, ∂v₂/∂v₀ = 2
      v₃ = sin v₀ = -0.959     ∂v₃/∂v₀ = 0.284
      v₄ = v₁ + v₂ = 10.693    ∂v₄/∂v₁ = 1, ∂v₄/∂v₂ = 1
      v₅ = v₄ - v₃ = 11.652    ∂v₅/∂v₄ = 1, ∂v₅/∂v₃ = -1
    >>> made.gradient()["x1"]
    5.5
    >>> [("·".join(path), value) for path, value in made.paths("x1")]
    [('v₋₁·v₁·v₄·v₅', 0.5), ('v₋₁·v₂·v₄·v₅', 5.0)]

    Source: F. L. Bauer, "Computational graphs and rounding error" (1974); the survey of Baydin et al. (2018), Figure 4.
    """
    return graphed(f, args, {}, wrt=wrt, digits=digits, rows=rows)


def graphed(f: Callable[..., Any], args: Any, keywords: Mapping[str, Any], *, wrt: Wrt = 0, digits: int = 3,
            rows: int = MOST) -> Graph:
    """`graph` for arguments that are given by name, too."""
    if isinstance(digits, bool) or not isinstance(digits, int) or not 0 <= digits <= 17:
        raise TangentError(f"digits is a number from 0 to 17, not {digits!r}")
    return graph_of(recorded(f, args, keywords, wrt, None, rows), digits)


def graph_of(run: Run, digits: int) -> Graph:
    """The graph of a run."""
    return _Builder(sheet(run, "forward"), digits).graph()


@dataclass(frozen=True)
class Graph:
    """Values and what they are computed from, in the order in which they were. result: the place of what was returned.
    `svg()`, `save(path)`, `dot()`, `folded()`, `gradient()`, `paths(name)`."""

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    result: int
    digits: int = 3

    @cached_property
    def node(self) -> dict[int, Node]:
        """The nodes by their places."""
        return {one.place: one for one in self.nodes}

    @cached_property
    def into(self) -> dict[int, list[Edge]]:
        """The edges by what they lead to."""
        found: dict[int, list[Edge]] = {one.place: [] for one in self.nodes}
        for edge in self.edges:
            found[edge.target].append(edge)
        return found

    @property
    def inputs(self) -> tuple[Node, ...]:
        """What it is differentiated by."""
        return tuple(one for one in self.nodes if not one.operation)

    def gradient(self) -> dict[str, float]:
        """For each input the sum over its paths of the products of partials, gathered from the result backwards.

        TangentError where arrays are on the way: their partials are not in the graph."""
        adjoint = self.adjoints()
        return {one.name: adjoint.get(one.place, 0.0) for one in self.inputs}

    def adjoints(self) -> dict[int, float]:
        """The derivative of the result by each value that it depends on, by their places: the sum over the paths
        between. TangentError as for `gradient`."""
        adjoint = {self.result: 1.0}
        for one in reversed(self.nodes):
            if one.place in adjoint:
                for edge in self.into[one.place]:
                    partial = self._number(edge)
                    adjoint[edge.source] = adjoint.get(edge.source, 0.0) + adjoint[one.place] * partial
        return adjoint

    def paths(self, name: str) -> Iterator[tuple[tuple[str, ...], float]]:
        """The paths from an input to the result, and for each the product of its partials."""
        starts = [one.place for one in self.inputs if one.name == name]
        if not starts:
            raise TangentError(f"there is no input {name!r}: there are {', '.join(one.name for one in self.inputs)}")
        after: dict[int, list[Edge]] = {}
        for edge in self.edges:
            after.setdefault(edge.source, []).append(edge)
        todo: list[tuple[int, tuple[str, ...], float]] = [(starts[0], (self.node[starts[0]].label,), 1.0)]
        steps = 0
        while todo:
            place, path, product = todo.pop()
            if place == self.result:
                yield path, product
            steps += 1
            if steps > PATHS:
                raise TangentError(f"there are more than {PATHS} steps on the paths from {name}: gradient() adds them "
                                   "up without going along each")
            todo += [(edge.target, (*path, self.node[edge.target].label), product * self._number(edge))
                     for edge in reversed(after.get(place, []))]

    def _number(self, edge: Edge) -> float:
        if edge.partial is None:
            ends = f"{self.node[edge.target].label} by {self.node[edge.source].label}"
            raise TangentError(f"the partial of {ends} is an array of shape {edge.shape}, of which the graph has the "
                               "shape alone: tnb.grad has the gradient")
        return edge.weighted or 0.0

    def sampled(self, k: int = 1, *, seed: int | np.random.Generator | None = None) -> Graph:
        """The graph with edges drawn at random: from each value that is reached `k` of the edges to what is computed
        from it, with weights for which `gradient()` is, on average, the gradient. Of the others, and of all behind
        them, nothing would have to be kept.

        seed: for numpy.random.default_rng. Raises TangentError where k is no count, or arrays are on the way.

        >>> made = graph(lambda x: x * x + 3.0 * x, 2.0)
        >>> one = made.sampled(seed=0)
        >>> one.gradient(), made.gradient()
        ({'x': 6.0}, {'x': 7.0})
        >>> [made.sampled(seed=seed).gradient()["x"] for seed in range(6)]
        [6.0, 8.0, 6.0, 6.0, 6.0, 6.0]

        Source: Oktay et al., "Randomized Automatic Differentiation" (2021), Algorithm 1.
        """
        draw = np.random.default_rng(seed).integers
        return sampled(self, k, lambda count: int(draw(count)))

    def folded(self, *names: str) -> Graph:
        """The graph with each call of these functions, or of all, as one operation. Its edges have the derivatives of
        what comes out by what goes in: Bauer's formula within the call."""
        known = {call.name for one in self.nodes for call in one.calls}
        if unknown := [one for one in names if one not in known]:
            opened = ", ".join(sorted(known)) or "none"
            raise TangentError(f"no call of {unknown[0]} is opened here; opened are {opened}")
        wanted = set(names) or known
        return self.without(call for one in self.nodes for call in one.calls if call.name in wanted)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls that are opened, each once."""
        return tuple(dict.fromkeys(call for one in self.nodes for call in one.calls))

    def without(self, calls: Iterable[Call]) -> Graph:
        """The graph with each of these calls as one operation, and what runs in it."""
        wanted = set(calls)
        groups: dict[Call, list[int]] = {}
        for one in self.nodes:
            outermost = next((call for call in one.calls if call in wanted), None)
            if outermost is not None:
                groups.setdefault(outermost, []).append(one.place)
        made = self
        for call, members in groups.items():
            made = made._without(call, members)
        return made

    def _without(self, call: Call, members: Collection[int]) -> Graph:
        inside = set(members)
        outside = {edge.source for edge in self.edges if edge.source in inside and edge.target not in inside}
        ends = sorted(outside | ({self.result} & inside))
        edges = [edge for edge in self.edges if edge.target not in inside]
        nodes = {one.place: one for one in self.nodes if one.place not in inside}
        for end in ends:
            into = self._through(end, inside, set(ends))
            edges += into
            given = ", ".join(self.node[edge.source].label for edge in into)
            calls = self.node[end].calls
            nodes[end] = replace(self.node[end], operation=f"{call.name}({given})", calls=calls[:calls.index(call)],
                                 origin=call.origin or self.node[end].origin)
        return replace(self, nodes=tuple(nodes[place] for place in sorted(nodes)), edges=tuple(edges))

    def _through(self, end: int, inside: set[int], ends: set[int]) -> list[Edge]:
        """The edges to a value of a call that is made one node."""
        found: dict[int, float | None] = {}
        adjoint: dict[int, float | None] = {end: 1.0}
        for place in sorted(inside, reverse=True):
            if place not in adjoint or place != end and place in ends:
                continue
            for edge in self.into[place]:
                here = adjoint[place]
                more = None if here is None or edge.partial is None else here * (edge.weighted or 0.0)
                into = adjoint if edge.source in inside and edge.source not in ends else found
                before = into.get(edge.source, 0.0)
                into[edge.source] = None if more is None or before is None else before + more
        shapes = {place: (*(self.node[end].shape or ()), *(self.node[place].shape or ())) for place in found}
        return [Edge(source, end, found[source] if not shapes[source] else None, shapes[source])
                for source in sorted(found)]

    def svg(self) -> str:
        """A drawing, without script; what a node is, and its line, stands in its title."""
        from .drawing import svg
        return svg(self)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the drawing into a file of SVG. The path written to."""
        target = Path(path)
        if target.suffix != ".svg":
            raise TangentError(f"the drawing is SVG, and {target.name} is not called so: a name that ends in .svg")
        target.write_text(self.svg(), encoding="utf-8")
        return target

    def dot(self) -> str:
        """The graph for Graphviz, with a cluster for each call."""
        from .dot import dot
        return dot(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        bundle = {"text/plain": str(self)}
        try:
            drawn = self.svg()
        except TangentError:                               # what draws it is not installed: the text says so
            return {"text/plain": f"{self}\n(to see it drawn: pip install 'tangent_nb[graph]')"}
        return {**bundle, "image/svg+xml": drawn, "text/html": f'<div style="{FRAME}" tabindex="0" role="region" '
                f'aria-label="computational graph">{drawn}</div>{"".join(_larger(drawn, bool(self.calls)))}'}

    def __str__(self) -> str:
        left, right = [], []
        for one in self.nodes:
            made = one.operation or Notation(lambda name: Symbol(name), self.digits).symbol(Symbol(one.name))
            left.append(f"  {one.label} = {made} = {short(one.value, self.digits)}")
            right.append(", ".join(f"∂{one.label}/∂{self.node[edge.source].label} = {partial_text(edge, self.digits)}"
                                   for edge in self.into[one.place] if edge.weight))
        most = max((len(text) for text in left), default=0) + 4
        return "\n".join([self.title, *(f"{a:<{most}}{b}".rstrip() for a, b in zip(left, right))])

    __repr__ = __str__


def _larger(drawn: str, has_calls: bool) -> Iterator[str]:
    """What stands below a drawing that is larger than most windows."""
    found = re.search(r' width="(\d+)" height="(\d+)"', drawn)
    if found is not None and (int(found[1]) > WINDOW or int(found[2]) > WINDOW):
        more = ", and folded() draws each call as one" if has_calls else ""
        yield (f'<div style="font-size: 12px; opacity: 0.72">{found[1]} × {found[2]} pixels, of which the frame shows '
               f"a part: it scrolls{more}</div>")


def partial_text(edge: Edge, digits: int) -> str:
    """What stands on an edge: a number, with its weight if it has one, or the shape of an array."""
    if edge.weight != 1.0:
        return f"{edge.weight:g} × {number(edge.partial, digits)}" if edge.weight and edge.partial is not None else ""
    return number(edge.partial, digits) if edge.partial is not None else "×".join(map(str, edge.shape)) or "?"


class _Builder:
    """Makes the graph of a sheet: the partials are the tangents of single operations, along one operand."""

    def __init__(self, made: Sheet, digits: int) -> None:
        self.sheet, self.run, self.digits = made, made.run, digits
        self.lines: dict[int, list[Line]] = {}
        for line in made.derivative:
            self.lines.setdefault(line.place, []).append(line)

    def graph(self) -> Graph:
        nodes = [self._node(place, path, "") for place, (path, _) in enumerate(self.run.inputs)]
        notation = Notation(self.sheet.symbol, self.digits)
        own = set(self.run.derivation.primal.fn.__code__.co_varnames)
        edges = []
        for operation, line in zip(self.run.operations, self.sheet.primal, strict=True):
            assert line.formula is not None
            functions = {one.name for one in operation.calls}
            given = operation.name in own or functions and operation.name not in functions
            name = operation.name if given else ""         # not one that the normal form has given
            nodes.append(replace(self._node(operation.place, name, notation.formula(line.formula)),
                                 origin=operation.origin, calls=operation.calls))
            edges += [self._edge(source, operation.place) for source in places(operation.expression)]
        made = Graph(self.run.where(self.digits), tuple(nodes), tuple(edges), self.run.result, self.digits)
        self._check(made)
        return made

    def _node(self, place: int, name: str, operation: str) -> Node:
        value = self.sheet.values[place]
        symbol = Notation(self.sheet.symbol, self.digits).symbol(Symbol("v", place - len(self.run.inputs) + 1))
        shape = None if isinstance(value, (tuple, list, dict)) else np.shape(value)
        return Node(place, symbol, name, operation, value, shape=shape)

    def _edge(self, source: int, target: int) -> Edge:
        shapes = [np.shape(self.sheet.values[place]) if not isinstance(self.sheet.values[place], (tuple, list, dict))
                  else None for place in (target, source)]
        if shapes != [(), ()]:
            return Edge(source, target, None, tuple(size for shape in shapes for size in shape or ()))
        partial = sum((self._along(line, source) for line in self.lines.get(target, [])), 0.0)
        return Edge(source, target, partial)

    def _along(self, line: Line, source: int) -> float:
        """What a line of tangents gives where the tangent of one operand is 1, and the others are zero."""
        assert line.formula is not None
        scope = {"rt": runtime, **self.run.constants.objects, **line.read}
        for name in names_in([line.formula]):
            place = self.sheet.derivatives.get(name)
            if place is not None:
                scope[name] = 1.0 if place == source else zeros_like(self.sheet.values[place])
        code = compile(ast.fix_missing_locations(ast.Expression(line.formula)), "<partial>", "eval")
        with np.errstate(all="ignore"):
            found = eval(code, scope)
        if np.iscomplexobj(found):
            raise TangentError(f"{self.run.name} computes with complex numbers, whose partials are none of one number: "
                               "tnb.trace_table writes its run down")
        return float(found)

    def _check(self, made: Graph) -> None:
        """Bauer's formula gives the tangent that the run itself has given."""
        if any(edge.partial is None for edge in made.edges) or np.shape(self.run.along):
            return
        found = sum(one * float(tangent) for one, tangent in zip(made.gradient().values(), self.run.tangents) if one)
        expected = float(self.run.along)
        if np.isfinite(found) and np.isfinite(expected) and abs(found - expected) > 1e-5 * (1.0 + abs(expected)):
            raise TangentError(f"the graph of {self.run.name} is not drawn: its paths give another derivative than the "
                               "run; tnb.grad is right")

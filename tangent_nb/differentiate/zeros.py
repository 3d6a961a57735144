"""Zeros of cuts in front of poles: which cotangents, or tangents, may be exactly 0 because the text cuts them off.

Needs a `Problem`. A mask, an overwritten part, `triu`, an index, a branch leave elements out: these have no derivative,
and a pole that they meet contributes 0. IEEE arithmetic makes 0 * inf NaN; where both can meet, partials are written
`rt.cut(v, g)`. Three facts, with flow(n) the pairs (x, y) such that node n computes y from x, here for reverse mode
(forward mode is its mirror image, from what comes before):

    zero_before(n)  = (zero_after(n) − def(n)) ∪ {x : (x, y) ∈ flow(n), y ∈ zero_after(n), or n leaves out some of x}
    wild_before(n)  = (wild_after(n) − def(n)) ∪ {x : (x, y) ∈ flow(n), y ∈ wild_after(n), or n has a pole in x}
    poles_after(n)  = (poles_before(n) − def(n)) ∪ {y : n computes y with a pole, or from x ∈ poles_before(n)}

wild: it may be infinite; poles: the value itself may be. Each holds of factors up to a level (`rules/cuts.py`), and of
zeros that hide such. Text without cuts and poles stays as it is.
"""
from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Mapping
from typing import Any

import gast

from ..analyse.displays import items
from ..analyse.filled import NOTHING
from ..analyse.flow import NONE, Facts, Flow, Names, access, mutation, spread
from ..analyse.graph import Node
from ..analyse.kinds import spec_of
from ..analyse.leaving import always_raises
from ..analyse.resolve import Operation
from ..rules import cuts
from ..rules.row import SEVERAL
from ..syntax.blocks import statements
from ..syntax.building import clone, library
from ..syntax.nodes import is_literal, literal, nodes_of, reads, root_name, target_names
from .mask_facts import Masks, value_bound
from .partials import Products, Slopes, partial, text_for
from .problem import Problem

LEVELS = (cuts.POLE, cuts.LARGE, cuts.DATA)


class Zeros:
    """What is cut in one problem. side: `"pull"` or `"push"`;
    begin: the names whose cotangents, or tangents, come from outside."""

    def __init__(self, problem: Problem, side: str) -> None:
        self.problem, self.side = problem, side
        self.begin = [problem.result] if side == "pull" else problem.wrt
        self.scope = problem.scope
        self.masks = Masks(problem, side)
        self._texts: dict[int, dict[str, tuple[Operation, str]]] = {}
        self._found: dict[tuple[str, int], Facts] = {}
        self._left: dict[int, set[str]] = {}
        self._levels: dict[int, int] = {}
        self._poles: dict[tuple[int, str], int] = {}
        self._masks: dict[tuple[int, str], dict[str, gast.expr]] = {}

    # ------------------------------------------------------------------ what statements do
    @functools.cached_property
    def any_pole(self) -> bool:
        """Some statement has one, or what comes in; else there is nothing to look for."""
        return bool(self.problem.start.wild) or self.asked or any(map(self._level, statements(self.problem.body)))

    def _level(self, stmt: Any) -> int:
        """Where the value that a statement computes may be infinite, or its partials; found once."""
        if id(stmt) not in self._levels:
            self._levels[id(stmt)] = self._unbounded_at(stmt)
        return self._levels[id(stmt)]

    def _unbounded_at(self, stmt: Any) -> int:
        value = value_bound(stmt)
        operation = self.scope.operation(value) if value is not None else None
        own = cuts.infinite(operation.rule, _literals(operation)) if operation is not None and operation.rule \
            is not None and any(name in self.problem.activity.varied.before(stmt) for name in reads(value)) else 0
        return cuts.first([called_wild(stmt), own, *(self._unbounded(*found) for found in self._uses(stmt).values())])

    @functools.cached_property
    def asked(self) -> bool:
        """NaN is expected where the text cuts: any value may be one."""
        if self.problem.start.cut == cuts.DATA:
            return True
        calls = nodes_of(self.problem.body, gast.Call)
        return any(getattr(node, "gives", NOTHING).asks for node in calls) \
            or any(rule is not None and cuts.asks_for_nan(rule)
                   for rule in (self.scope.operation(node).rule for node in calls))

    def _uses(self, stmt: Any) -> Mapping[str, tuple[Operation, str]]:
        """For each parameter of the operation of a statement that is given a name with a derivative its text."""
        found = self._texts.get(id(stmt))
        if found is not None:
            return found
        found = self._texts[id(stmt)] = {}
        value = value_bound(stmt)
        operation = self.scope.operation(value) if value is not None else None
        if operation is None or operation.kind != "rule" or operation.rule is None or hasattr(stmt, "pair"):
            return found
        rule, env = operation.rule, self.problem.kinds.before(stmt)
        varied = self.problem.activity.varied.before(stmt)
        specs = {n: spec_of(a, env, self.scope) for n, a in operation.args.items() if not isinstance(a, gast.Slice)}
        for name in rule.active_params:
            arg = operation.args.get(name)
            if isinstance(arg, gast.Name) and arg.id in varied:
                text = text_for(operation, self.side, name, specs)
                if text is not None:
                    found[name] = operation, text
        return found

    def _unbounded(self, operation: Operation, text: str) -> int:
        """Of an operation of `_uses`, which keeps it: found once."""
        assert operation.rule is not None
        place = id(operation), text
        if place not in self._poles:
            self._poles[place] = cuts.unbounded(operation.rule, text, _literals(operation))
        return self._poles[place]

    def _cuts(self, stmt: Any, parameter: str, operation: Operation, text: str) -> bool:
        """The statement may leave out elements of an argument, or be constant in them."""
        if operation.rule is not None and operation.rule.fn is operator.getitem:
            return self.side == "pull" and not _whole(operation.args["index"]) and not self._taken(operation.args["x"])
        return cuts.leaves_out(text) or bool(self._factors(stmt, parameter, operation)) \
            or self._mixes(stmt, parameter, operation)

    def _mixes(self, stmt: Any, parameter: str, operation: Operation) -> bool:
        """The argument is multiplied by a mask, or holds one, in sums that have other weights."""
        rule = operation.rule
        if rule is None or rule.multiplies != "mixed":
            return False
        others = [name for name in rule.active_params if name != parameter and name in operation.args] or [parameter]
        return any(self.masks.fills(operation.args[name], stmt) for name in others)

    def _taken(self, name: gast.expr) -> bool:
        """Of what a function returns in several parts all those are taken out, and used,
        through which its derivative goes."""
        return isinstance(name, gast.Name) and name.id in self._parts_taken

    @functools.cached_property
    def _parts_taken(self) -> set[str]:
        """The names of such results: `y = np.linalg.slogdet(x)` where `y[1]` is read."""
        made: dict[str, list[gast.expr | None]] = {}
        taken: dict[str, set[int]] = {}
        for stmt in statements(self.problem.body):
            for name in target_names(stmt.targets[0]) if isinstance(stmt, gast.Assign) else ():
                made.setdefault(name, []).append(stmt.value if isinstance(stmt.targets[0], gast.Name) else None)
            value, useful = value_bound(stmt), self.problem.activity.useful.after(stmt)
            if isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name) \
                    and useful & set(target_names(stmt.targets[0])):
                place = literal(value.slice) if is_literal(value.slice) else None
                taken.setdefault(value.value.id, set()).add(place if isinstance(place, int) else -1)
            elif isinstance(value, gast.Name) and isinstance(stmt.targets[0], (gast.Tuple, gast.List)):
                taken.setdefault(value.id, set()).update(i for i, one in enumerate(stmt.targets[0].elts)
                                                         if set(target_names(one)) & useful)
        found = set()
        for name, values in made.items():
            operation = self.scope.operation(values[0]) if len(values) == 1 and values[0] is not None else None
            if operation is not None and operation.kind == "rule" and operation.rule is not None:
                parts = cuts.parts_read(operation.rule)
                if parts and parts <= taken.get(name, set()):
                    found.add(name)
        return found

    def _factors(self, stmt: Any, parameter: str, operation: Operation) -> dict[str, gast.expr]:
        """What an argument is multiplied by that is a mask: truth values, or made by what fills in zeros."""
        rule = operation.rule
        if rule is None or rule.multiplies != "elements":
            return {}
        found = self._masks.get((id(stmt), parameter))
        if found is None:
            found = self._masks[id(stmt), parameter] = {
                name: arg for name, arg in operation.args.items()
                if name != parameter and name in rule.active_params and self.masks.holds(arg, stmt)}
        return found

    # ------------------------------------------------------------------ the facts
    def zero(self, level: int) -> Facts:
        """Where a cut may make zeros that hide factors of a level."""
        return self._fact("zero", level, self.problem.start.cut >= level, self._left_out, self._made_zero)

    def wild(self, level: int) -> Facts:
        """What may be infinite by factors up to a level."""
        return self._fact("wild", level, 0 < self.problem.start.wild <= level, self._poles_in, self._poles_of)

    def _fact(self, what: str, level: int, begins: bool, pulled: Any, pushed: Any) -> Facts:
        found = self._found.get((what, level))
        if found is None:
            back = self.side == "pull"
            found = self._found[what, level] = spread(
                self.problem.graph, self.begin if begins else (),
                functools.partial(pulled if back else pushed, level=level),
                self._pulled if back else self._pushed, forward=not back)
        return found

    def cut(self, name: str, stmt: Any) -> int:
        """The highest level of factors that zeros of what comes into a statement hide; 0 where there are none."""
        return max((level for level in LEVELS if name in self._here(self.zero(level), stmt)), default=0)

    def height(self, name: str, stmt: Any) -> int:
        """The lowest level of factors by which what comes into a statement may be infinite."""
        return next((level for level in LEVELS if self.any_pole and name in self._here(self.wild(level), stmt)), 0)

    def poles(self, level: int) -> Facts:
        """Which values may be infinite."""
        found = self._found.get(("poles", level))
        if found is not None:
            return found

        def made(node: Node) -> Names:
            return access(node).define | access(node).update

        def infinite(node: Node) -> Names:
            return made(node) if node.kind == "stmt" and 0 < self._level(node.stmt) <= level else NONE

        return self._found.setdefault(("poles", level), spread(
            self.problem.graph, (), infinite, lambda node: [((x,), y) for x in access(node).use for y in made(node)],
            forward=True))

    def _pulled(self, node: Node) -> list[Flow]:
        return [((y,), x) for x, y in self.problem.flow(node)]

    def _pushed(self, node: Node) -> list[Flow]:
        sources: dict[str, set[str]] = {}
        for x, y in self.problem.flow(node):
            sources.setdefault(y, set()).add(x)
        every = node.kind == "stmt" and self._adds(node.stmt)              # a sum is 0 where all its parts are
        return [(one, y) for y, xs in sources.items() for one in ([xs] if every else [{x} for x in xs])]

    def _calls(self, stmt: Any, level: int) -> bool:
        """A function of the user is called, which may cut. One that is known when it is called hides poles, but not
        what such calls may make infinite themselves."""
        if hasattr(stmt, "pair"):
            return level == cuts.POLE or not stmt.pair.dynamic
        kind = self.scope.operation(stmt.value).kind \
            if isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Call) else ""
        return kind == "function" or kind == "dynamic" and level == cuts.POLE

    def _adds(self, stmt: Any) -> bool:
        value = value_bound(stmt)
        rule = self.scope.operation(value).rule if value is not None else None
        return rule is not None and rule.adds

    def _left_out(self, node: Node, level: int) -> Iterable[str]:
        """The names of which a node leaves something out, in reverse mode."""
        activity = self.problem.activity
        if level > (cuts.DATA if self.asked else cuts.LARGE):
            return ()
        if node.kind == "test" and isinstance(node.stmt, gast.If):
            if always_raises(node.stmt.body) or always_raises(node.stmt.orelse):
                return ()
            after = self.problem.graph.after(node)
            one, other = (set(activity.useful.at(succ)) for succ in (after[0], after[-1]))
            return (one ^ other) & set(activity.varied.at(node))
        if node.kind != "stmt":
            return ()
        stmt: Any = node.stmt
        found = set(self._cut_by(stmt))
        if self._calls(stmt, level):
            found |= {x for x, _ in self.problem.flow(node)}
        elif isinstance(stmt, gast.Assign):
            target = stmt.targets[0]
            if isinstance(target, (gast.Subscript, gast.Attribute)) and root_name(target) in activity.before(stmt):
                found.add(root_name(target) or "")
            elif isinstance(target, (gast.Tuple, gast.List)) and isinstance(stmt.value, gast.Name) \
                    and not set(target_names(target)) <= set(activity.useful.after(stmt)) \
                    and not self._taken(stmt.value):
                found.add(stmt.value.id)
        return found

    def _cut_by(self, stmt: Any) -> set[str]:
        """The names of which the operation of a statement leaves something out; found once, whatever the level is."""
        if id(stmt) not in self._left:
            self._left[id(stmt)] = {operation.args[name].id for name, (operation, text) in self._uses(stmt).items()
                                    if self._cuts(stmt, name, operation, text)}
        return self._left[id(stmt)]

    def _made_zero(self, node: Node, level: int) -> Iterable[str]:
        """The names of which a node makes a part, or all, constant, in forward mode."""
        if node.kind != "stmt" or level > (cuts.DATA if self.asked else cuts.LARGE):
            return ()
        stmt: Any = node.stmt
        if not isinstance(stmt, gast.Assign) or mutation(stmt) is not None:
            return ()
        target = stmt.targets[0]
        if isinstance(target, (gast.Subscript, gast.Attribute)):
            return [root_name(target) or ""]
        names = target_names(target)
        varied = self.problem.activity.varied
        if not set(names) & set(varied.after(stmt)):
            return names if id(stmt) in self.masks.branched else ()
        value = stmt.value
        operation = self.scope.operation(value)
        mixed = operation.kind == "container" \
            and any(not (isinstance(one, gast.Name) and one.id in varied.before(stmt)) for one in items(value))
        cut = any(self._cuts(stmt, name, *found) for name, found in self._uses(stmt).items())
        return names if mixed or cut or self._calls(stmt, level) else ()

    def _poles_in(self, node: Node, level: int) -> Iterable[str]:
        if node.kind != "stmt":
            return ()
        if 0 < called_wild(node.stmt) <= level:
            return {x for x, _ in self.problem.flow(node)}
        return {operation.args[name].id for name, (operation, text) in self._uses(node.stmt).items()
                if 0 < self._unbounded(operation, text) <= level}

    def _poles_of(self, node: Node, level: int) -> Iterable[str]:
        if node.kind != "stmt" or not self._poles_in(node, level):
            return ()
        return access(node).define | access(node).update

    # ------------------------------------------------------------------ what is written
    def masked(self, tree: gast.expr, stmt: Any, operation: Operation, parameter: str, y: str,
               g: gast.expr) -> gast.expr:
        """A partial, `g` times a slope, in which 0 times infinity is 0 where a cut made the 0.
        y: what the statement binds."""
        rule = operation.rule
        if rule is None or not self.any_pole:
            return tree
        x = operation.args[parameter]
        place = self.problem.graph.last if self.side == "pull" else self.problem.graph.first
        if id(stmt) not in place:
            return tree
        name = y if self.side == "pull" else x.id
        if self.asked or name in self._here(self.wild(cuts.LARGE), stmt):
            factors = self._factors(stmt, parameter, operation)
            if self._mixes(stmt, parameter, operation) and (self.side == "push" or parameter not in SEVERAL):
                tree = self._mixed(stmt, parameter, operation, g)
            elif not factors:
                tree = Slopes(self.scope).of(tree)
            elif rule.diagonal:
                tree = library("rt.cut(v, s)", v=tree, s=next(iter(factors.values())))
            else:
                tree = self._summed(stmt, parameter, operation, g, factors)
        uses = self._uses(stmt).get(parameter)
        cut = uses is not None and any(name in self._here(self.zero(level), stmt) for level in LEVELS)
        met = self._met(stmt, *uses) if cut and uses is not None else 0
        if met and name in self._here(self.zero(met), stmt):
            tree = library("rt.cut(v, g)", v=tree, g=g) if rule.diagonal else Products(g).visit(tree)
        return tree

    def _summed(self, stmt: Any, parameter: str, operation: Operation, g: gast.expr,
                masks: Mapping[str, gast.expr]) -> gast.expr:
        """A partial that is a sum of products with masks: of the finite terms,
        and of all where one that is not finite meets no 0 of a mask."""
        assert operation.rule is not None
        met = {name: library("np.not_equal(a, 0.0)" if name in masks else "np.ones_like(a)", a=arg)
               for name, arg in operation.args.items() if name != parameter and name in operation.rule.active_params
               and not (is_literal(arg) and literal(arg) is None)}

        term = functools.partial(self._term, stmt, parameter, operation, g)
        return library("a + rt.mask(b, c)", a=term("rt.mask(g, np.isfinite(g))"), b=term("g"),
                       c=term("1.0 - np.isfinite(g)", **met))

    def _mixed(self, stmt: Any, parameter: str, operation: Operation, g: gast.expr) -> gast.expr:
        """The same where every 0 counts, and products may cancel: they do not for weights in place of what is not
        finite."""
        term = functools.partial(self._term, stmt, parameter, operation, g)
        return library("a + rt.mask(b, c)", a=term("rt.where_finite(g, g)"), b=term("g"), c=term("rt.pole_weights(g)"))

    def _term(self, stmt: Any, parameter: str, operation: Operation, g: gast.expr, text: str,
              **changed: gast.expr) -> gast.expr:
        """A partial with something else coming in, and other arguments."""
        specs = {n: spec_of(a, self.problem.kinds.before(stmt), self.scope) for n, a in operation.args.items()}
        made = operation._replace(args={**operation.args, **changed})
        found = partial(made, self.side, parameter, library(text, g=clone(g)), operation.args[parameter], specs)
        assert found is not None
        return found[0]

    def _here(self, facts: Facts, stmt: Any) -> Names:
        """A fact where derivatives come into a statement."""
        return facts.after(stmt) if self.side == "pull" else facts.before(stmt)

    def _met(self, stmt: Any, operation: Operation, text: str) -> int:
        """The level of a factor by what its text divides by, and by the values that it reads."""
        rule = operation.rule
        assert rule is not None
        words = cuts.read_in(text) - {"g"}
        args = rule.active_params if rule.result in words else words & operation.args.keys()
        given = [operation.args[one] for one in args if one in operation.args and not is_literal(operation.args[one])]
        names = {name for one in given for name in reads(one)} & self.scope.local
        read = next((level for level in LEVELS if names & self.poles(level).before(stmt)), 0)
        return cuts.first([self._unbounded(operation, text), read, cuts.DATA if given and self.asked else 0])


def called_wild(stmt: Any) -> int:
    """The level of a call of a function whose derivative may be infinite, or that is known when it is called."""
    return stmt.gives.wild if hasattr(stmt, "gives") \
        else cuts.LARGE if hasattr(stmt, "pair") and stmt.pair.dynamic else 0


def _literals(operation: Operation) -> tuple[str, ...]:
    return tuple(name for name, arg in operation.args.items() if is_literal(arg) and literal(arg, 0) != 0)


def _whole(index: gast.expr) -> bool:
    """An index that leaves nothing out: `[:, None]`, `[::-1]`."""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    return all(isinstance(one, gast.Slice) and one.lower is one.upper is None
               and (one.step is None or literal(one.step, 2) in (1, -1))
               or isinstance(one, gast.Constant) and (one.value is None or one.value is Ellipsis) for one in parts)

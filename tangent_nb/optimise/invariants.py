"""Loop invariants: what a derivative computes anew in each trip, of values that no trip changes, is computed once, in
front of the loop (A. Aho et al., "Compilers", 2nd edition, 2006, section 9.5.4).

Needs derived statements and temporaries in loops. Promises the same values, warnings and errors. Out of a loop that may
make no trip only that is moved which raises nothing, and is finite wherever its operands are, as the rows of the
operations say; out of a branch, or of what may be called later, nothing at all. The user's own variables are bound
where they were.

>>> import numpy as np
>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def f(x, w, n):
...     for _ in range(n):
...         x = x * np.cos(w)
...     return np.sum(x)
>>> stages = tnb.stages(tnb.grad(f, like=(np.ones(3), np.ones(3), 4)))
>>> print(difference(stages["rematerialise"], stages["loop_invariants"]))
-     for _ in range(n):
-         cos = np.cos(w)
+     cos = np.cos(w)
"""
from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from ..analyse.flow import defined
from ..analyse.kinds import Env, spec_of
from ..analyse.naming import base_name
from ..syntax.blocks import blocks, change_blocks, own_targets, statements
from ..syntax.building import assign, exchanged, load, mark, origin_of
from ..syntax.names import Names
from ..syntax.nodes import key, nodes_of, parameter_names, reads, walk
from ..syntax.sizes import least, total
from ..syntax.spec import UNKNOWN, Spec
from .common_terms import is_new
from .facts import Facts, stays
from .own import changed_in_place
from .sharing import with_sharers

LOOPS = (gast.For, gast.While)
DERIVED = ("backward", "tangent")
PERHAPS = (gast.Lambda, gast.IfExp, gast.BoolOp, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
MARKED = ("tape", "restore", "zero", "stays", "given", "counts", "inner", "keeps", "saves")


def loop_invariants(tree: gast.FunctionDef, facts: Facts, names: Names, temporaries: set[str]) -> None:
    """Compute in front of a loop what its trips do not change. temporaries: names that are ours."""
    body = list(statements(tree.body))
    if not any(isinstance(stmt, LOOPS) and any(_is_ours(one) for one in statements(stmt.body)) for stmt in body) \
            or any(isinstance(stmt, gast.Try) for stmt in body) or nodes_of(tree, gast.Nonlocal):
        return
    one = _Invariants(tree, facts, names, temporaries)
    tree.body = one.block(tree.body, set(parameter_names(tree)))


def _is_ours(stmt: Any) -> bool:
    return isinstance(stmt, (gast.Assign, gast.AugAssign)) and getattr(stmt, "role", "") in DERIVED \
        and not hasattr(stmt, "tape")


class _Invariants:
    def __init__(self, tree: gast.FunctionDef, facts: Facts, names: Names, temporaries: set[str]) -> None:
        self.facts, self.names, self.temporaries = facts, names, temporaries
        self.tree, self.changed = tree, with_sharers(changed_in_place(tree.body), tree.body, facts.scope)
        self.binds: dict[str, int] = {}
        for name in parameter_names(tree):
            self.binds[name] = 1
        for stmt in statements(tree.body):
            for name in own_targets(stmt) if blocks(stmt) else defined(stmt):
                self.binds[name] = self.binds.get(name, 0) + 1
        self.envs: dict[int, Env] = {}                     # of statements that were not there
        self.known: dict[str, Spec] = {}                   # of names that were not there

    def block(self, body: list[Any], bound: set[str]) -> list[Any]:
        """The statements, with those in front of loops that come out of them. bound: names that are, for certain."""
        out: list[Any] = []
        bound = set(bound)
        for stmt in body:
            inside = bound | set(own_targets(stmt)) if isinstance(stmt, gast.For) else bound
            change_blocks(stmt, lambda block, inside=inside: self.block(block, inside))  # type: ignore[misc]
            moved = self.out_of(stmt, bound) if isinstance(stmt, LOOPS) else []
            for one in [*moved, stmt]:
                if not blocks(one):
                    bound |= set(defined(one))
            out += [*moved, stmt]
            bound -= {name for node in nodes_of(stmt, gast.Delete) for one in node.targets for name in reads(one)}
        return out

    def out_of(self, loop: Any, bound: set[str]) -> list[Any]:
        """What comes to stand in front of a loop; the loop reads it there."""
        changing = self.facts.changed_by(loop) \
            | with_sharers(changed_in_place([loop]), self.tree.body, self.facts.scope)
        here = _Loop(self.facts, self.binds.keys(), set(bound), changing, self.runs(loop))
        out: list[Any] = []
        body: list[Any] = []
        for stmt in loop.body:
            env = self.env(stmt)
            if self.is_whole(stmt) and here.is_worthwhile(stmt.value, env) \
                    and here.is_invariant(stmt.value, env, early=_is_ours(stmt)):
                out.append(stmt)
                here.changing.discard(stmt.targets[0].id)
                here.bound.add(stmt.targets[0].id)
                continue
            body.append(stmt)
            if _is_ours(stmt):
                out += self.parts(stmt, here, env)
            elif not hasattr(stmt, "tape"):                # the user's: what it does, or raises, comes first
                here.runs = False
        loop.body = body or [mark(gast.Pass(), origin=origin_of(loop))]
        return out

    def parts(self, stmt: Any, here: _Loop, env: Env) -> list[Any]:
        """Assignments of the largest parts of a statement's value that do not change; it reads their names."""
        out: list[Any] = []
        for node in list(here.largest(stmt.value, env)):
            name = here.named.get(key(node))
            if name is None:
                name = here.named[key(node)] = self.names.new(base_name(node, self.facts.scope))
                self.temporaries.add(name)
                new = mark(assign(name, node), role=stmt.role, origin=origin_of(stmt))
                self.known[name] = spec_of(node, env, self.facts.scope)
                self.envs[id(new)], self.binds[name] = env, 1
                here.bound.add(name)
                out.append(new)
            stmt.value = exchanged(stmt.value, {id(node): load(name)})
            self.facts.uses.forget(stmt)
        return out

    def is_whole(self, stmt: Any) -> bool:
        """It does nothing but bind a name, which nothing else does, to memory that nothing changes; the user's own
        variables are bound where they were."""
        target = stmt.targets[0] if isinstance(stmt, gast.Assign) else None
        ours = _is_ours(stmt) or isinstance(target, gast.Name) and target.id in self.temporaries
        return ours and isinstance(target, gast.Name) and self.binds.get(target.id) == 1 \
            and target.id not in self.changed and not any(hasattr(stmt, one) for one in MARKED)

    def env(self, stmt: Any) -> Env:
        known = self.envs.get(id(stmt))
        return {**(self.facts.env(stmt) if known is None else known), **self.known}

    def runs(self, loop: Any) -> bool:
        """It makes a trip for certain."""
        return isinstance(loop, gast.For) and self._trips(loop.iter, self.env(loop)) > 0

    def _trips(self, node: Any, env: Env) -> int:
        """At least so many."""
        scope = self.facts.scope
        if isinstance(node, gast.Call) and not node.keywords and node.args:
            builtin = scope.builtin(node)
            if builtin == "reversed":
                return self._trips(node.args[0], env)
            if builtin == "range":
                known = [spec_of(one, env, scope).value for one in node.args]
                ends = [one for one in known if one is not None]
                step = ends.pop() if len(known) == 3 and ends else 1
                if None in known or step not in (1, -1):
                    return 0
                first, last = [0, *ends][-2:]
                return least(total([last, total([first], -1)], 1 if step == 1 else -1))
        spec = spec_of(node, env, scope)
        if spec.kind in ("tuple", "list") and spec.items is not None:
            return len(spec.items)
        return least(spec.shape[0]) if spec.kind == "array" and isinstance(spec.shape, tuple) and spec.shape else 0


@dataclass
class _Loop:
    """What is known of one loop. local: the names that the function binds; bound: those that are before the loop, for
    certain; changing: those that its trips bind or change; runs: the next statement is reached in a first trip, for
    certain, and nothing of the user's stands before it there; named: what has a name, by its key."""

    facts: Facts
    local: Collection[str]
    bound: set[str]
    changing: set[str]
    runs: bool
    named: dict[Any, str] = field(default_factory=dict)

    def largest(self, node: Any, env: Env) -> Iterator[Any]:
        """The largest parts that do not change, where an operation reads them and keeps nothing of their memory."""
        if isinstance(node, PERHAPS):
            return
        reader = is_new(node, self.facts.scope)
        for child in gast.iter_child_nodes(node):
            if reader and isinstance(child, gast.expr) and self.is_worthwhile(child, env) \
                    and self.is_invariant(child, env):
                yield child
            else:
                yield from self.largest(child, env)

    def is_worthwhile(self, node: Any, env: Env) -> bool:
        """It takes time: it computes with arrays, more than a sign, or calls what does not only measure or fill."""
        scope = self.facts.scope
        for one in walk(node):
            if isinstance(one, gast.Call):
                rule = scope.operation(one).rule
                if rule is not None and not rule.fills and rule.memory == "fresh" and not scope.effects(one).measures:
                    return True
            elif isinstance(one, gast.BinOp) and spec_of(one, env, scope).kind == "array":
                return True
        return False

    def is_invariant(self, node: Any, env: Env, *, early: bool = True) -> bool:
        """It is the same in each trip, and nobody sees how often it is computed, or by an error, that it is.
        early: an error may come before what stands in front of it."""
        if not self.facts.movable(node) or any(isinstance(one, PERHAPS) for one in walk(node)):
            return False
        for name in reads(node):
            if name in self.local:
                if name in self.changing or not env.get(name, UNKNOWN).is_number:
                    return False
            elif not stays(name, self.facts.scope):
                return False
        return early and self.runs or self.never_raises(node, env)

    # ------------------------------------------------------------------ what raises nothing, whatever the numbers are
    def never_raises(self, node: Any, env: Env) -> bool:
        """Computing it raises nothing, and makes no infinite number or NaN of finite ones, for what is known of its
        operands: real numbers, of shapes that go together."""
        if isinstance(node, gast.Name):
            return node.id in self.bound
        if isinstance(node, gast.Constant):
            return isinstance(node.value, float) or type(node.value) is int and abs(node.value) < 2 ** 31
        scope = self.facts.scope
        if isinstance(node, gast.Subscript):
            array, at = spec_of(node.value, env, scope), node.slice
            return isinstance(at, gast.Constant) and type(at.value) is int and array.kind == "array" \
                and isinstance(array.shape, tuple) and bool(array.shape) and at.value < least(array.shape[0]) \
                and self.never_raises(node.value, env)
        if isinstance(node, gast.Attribute):
            operation = scope.operation(node)
            return operation.kind == "rule" and operation.memory == "view" \
                and spec_of(node.value, env, scope).kind == "array" and self.never_raises(node.value, env)
        if not isinstance(node, (gast.UnaryOp, gast.BinOp, gast.Call)) or hasattr(node, "keywords") and node.keywords:
            return False
        operands = _operands(node)
        specs = [spec_of(one, env, scope) for one in operands]
        return self._is_total(node, specs) and _go_together(node, specs) \
            and all(self.never_raises(one, env) for one in operands)

    def _is_total(self, node: Any, specs: Sequence[Spec]) -> bool:
        """An operation is defined for all real numbers."""
        if not all(isinstance(one, gast.Constant) or _is_floating(spec)
                   for one, spec in zip(_operands(node), specs, strict=True)):
            return False
        if isinstance(node, gast.UnaryOp):
            return isinstance(node.op, (gast.USub, gast.UAdd))
        rule = self.facts.scope.operation(node).rule
        if rule is None or rule.infinite or rule.domain:
            return False
        if isinstance(node, gast.BinOp):
            return isinstance(node.op, (gast.Add, gast.Sub, gast.Mult, gast.MatMult))
        fn = rule.fn
        return isinstance(fn, np.ufunc) and fn.signature is None and fn.nout == 1 and fn.nin == len(specs) \
            and any(one.startswith("d" * fn.nin + "->") for one in fn.types)


def _is_floating(spec: Spec) -> bool:
    """A real floating number, or an array of them."""
    return spec.is_number and spec.is_real and spec.kind not in ("int", "bool") \
        and not (isinstance(spec.dtype, str) and spec.dtype != "weak" and spec.dtype[0] != "f")


def _operands(node: Any) -> list[Any]:
    if isinstance(node, gast.UnaryOp):
        return [node.operand]
    return [node.left, node.right] if isinstance(node, gast.BinOp) else node.args


def _go_together(node: Any, specs: Sequence[Spec]) -> bool:
    """The shapes are one, but for numbers; or the matrices meet in one size."""
    shapes = [spec.shape for spec in specs]
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.MatMult):
        one, other = shapes
        return isinstance(one, tuple) and isinstance(other, tuple) and len(one) in (1, 2) and len(other) in (1, 2) \
            and one[-1] == other[0]
    return None not in shapes and len({shape for shape in shapes if shape != ()}) <= 1

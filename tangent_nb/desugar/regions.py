"""What `tnb.checkpoint` and `tnb.checkpointed` name, as functions of its own.

Needs a text in the core language. Promises a call in the place of each block, and of each loop, that is computed again
in the backward sweep: of a function of what it reads, which gives what it changes and is read later. Where nothing is
computed again, as in forward mode, the block stays where it is.

    with tnb.checkpoint():                       y = block(x, w)
        h = np.tanh(x @ w)           →
        y = h * h                                def block(x, w):
                                                     h = np.tanh(x @ w)
                                                     y = h * h
                                                     return y

    for t in tnb.checkpointed(range(n)):         x = loop(n, x, w)
        x = x + w * x                →
                                                 def loop(n, x, w):              def loop_step(t, x, w):
                                                     for t in range(n):              x = x + w * x
                                                         x = x + w * x               return x
                                                     return x

A block changes no memory of what is around it: what it changes in place is a copy (`rt.copy`), which is right where
nothing else holds that array.
"""
from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import gast

from .. import runtime
from ..analyse.effects import is_pure
from ..analyse.flow import bound_by, bound_in, definite, liveness, updated
from ..analyse.graph import Graph
from ..analyse.leaving import escapes_block
from ..analyse.one_memory import one_memory, roots, with_others
from ..analyse.resolve import Scope
from ..errors import Refusal, RefusedError
from ..syntax.blocks import change_blocks, is_compound, own_expressions, rebuild, statements
from ..syntax.building import assign, clone, library, load, mark, origin_of, parameter, store, tuple_of
from ..syntax.names import Names
from ..syntax.nodes import (
    dotted,
    is_literal,
    name_nodes,
    names_in,
    nodes_in,
    nodes_of,
    parameter_names,
    reads,
    target_names,
)
from ..syntax.program import Captured, Namespace, Region, Span, source_at
from ..syntax.spec import Spec
from .region_bodies import one_by_one, together, with_returns
from .run_twice import RunsOnceError, Twice

if TYPE_CHECKING:
    from .reader import Reader

BLOCK, LOOP = "what is computed again", "a loop of which few states are kept"


# ------------------------------------------------------------------ blocks and loops of a text that is written
def apart(captured: Captured, reader: Reader, refusals: list[Refusal]) -> Captured:
    """The text with its regions as functions; or as they are, where nothing is computed again."""
    scope = Scope.of(captured)
    if not any(kind_of(stmt, scope) for stmt in statements(captured.tree.body)):
        return _left(captured, reader, refusals)
    if not reader.recomputes:
        tree = clone(captured.tree)
        tree.body = rebuild(tree.body, lambda stmt: _without(stmt, scope))
        return replace(captured, tree=tree)
    captured = replace(captured, tree=clone(captured.tree))
    try:
        while (stmt := _innermost(captured)) is not None:
            captured = _Outline(captured, reader, stmt).done()
        captured.tree.body = _by_the_users_names(captured.tree.body, name_nodes(captured.tree))
    except RefusedError as error:
        refusals.extend(error.refusals)
        return _left(captured, reader, [])
    return _left(captured, reader, refusals)


def _by_the_users_names(body: list[gast.stmt], names: Sequence[gast.Name]) -> list[gast.stmt]:
    """`y = block(x)` for `layer_1 = block(x); y = layer_1`. names: all of the text."""
    done: list[gast.stmt] = []
    for stmt in body:
        change_blocks(stmt, lambda block: _by_the_users_names(block, names))
        last, value = done[-1] if done else None, getattr(stmt, "value", None)
        if isinstance(stmt, gast.Assign) and isinstance(value, gast.Name) and isinstance(last, gast.Assign) \
                and hasattr(last, "region") and getattr(last.targets[0], "id", "") == value.id \
                and sum(one.id == value.id for one in names) == 2 and len(target_names(stmt.targets[0])) == 1:
            last.targets, last.origin = stmt.targets, origin_of(stmt)
            continue
        done.append(stmt)
    return done


def kind_of(stmt: Any, scope: Scope) -> str:
    """`"block"`, `"for"` or `"while"` of a region, else nothing."""
    if isinstance(stmt, gast.With):
        item = stmt.items[0]
        return "block" if _calls(item.context_expr, runtime.checkpoint, scope) and not item.context_expr.args else ""
    if isinstance(stmt, gast.For):
        return "for" if _calls(stmt.iter, runtime.checkpointed, scope) else ""
    return "while" if isinstance(stmt, gast.While) and _calls(stmt.test, runtime.checkpointed, scope) else ""


def _calls(node: Any, fn: Any, scope: Scope) -> bool:
    return isinstance(node, gast.Call) and scope.value(node.func) is fn


def _without(stmt: Any, scope: Scope) -> list[gast.stmt] | None:
    """A region as it is in a plain run."""
    kind = kind_of(stmt, scope)
    if kind == "block" and len(stmt.items) == 1:
        return rebuild(stmt.body, lambda one: _without(one, scope)) or [mark(gast.Pass(), origin=origin_of(stmt))]
    if kind == "for":
        stmt.iter = _given(stmt.iter)[0]
    elif kind == "while":
        stmt.test = _given(stmt.test)[0]
    return None


def _given(node: Any) -> tuple[Any, Any]:
    """What a loop goes over, or its test, and how many states are kept of it."""
    given = dict(zip(("steps", "memory"), node.args, strict=False)) | {k.arg: k.value for k in node.keywords}
    return given.get("steps"), given.get("memory") or gast.Constant(None, None)


def _left(captured: Captured, reader: Reader, refusals: list[Refusal]) -> Captured:
    """Refuse what names such a region in another place; the fence need not say so again."""
    scope = Scope.of(captured)
    for stmt in statements(captured.tree.body):
        parts: Any = own_expressions(stmt) if is_compound(stmt) else [stmt]
        for node in (node for part in parts for node in nodes_of(part, gast.Call)):
            fn = scope.value(node.func)
            if fn is runtime.checkpointed or fn is runtime.checkpoint:
                reader.lost.add((dotted(node.func) or "").rpartition(".")[2])
            if fn is runtime.checkpointed:
                refusals.append(_refusal(node, stmt, "tnb.checkpointed is for what a for goes over, and for the "
                                         "test of a while, of one expression",
                                         "for t in tnb.checkpointed(range(n)):"))
            elif fn is runtime.checkpoint:
                refusals.append(_refusal(node, stmt, "tnb.checkpoint gives here what is not called where it stands",
                                         "tnb.checkpoint(layer)(x, w); @tnb.checkpoint above a function outside; "
                                         "or with tnb.checkpoint():"))
    return captured


def _refusal(node: Any, stmt: Any, why: str, remedy: str) -> Refusal:
    source, origin = source_at(node, stmt), origin_of(stmt)
    if source is None or not hasattr(node, "lineno"):
        return Refusal(None if origin is None else origin.span, why, remedy)
    return Refusal(Span(source, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset), why, remedy)


def _innermost(captured: Captured) -> Any:
    """The first region in which there is no other."""
    scope = Scope.of(captured)
    return next((stmt for stmt in statements(captured.tree.body) if kind_of(stmt, scope)
                 and not any(kind_of(one, scope) for one in statements(stmt.body))), None)


class _Outline:
    """One region of a text."""

    def __init__(self, captured: Captured, reader: Reader, stmt: Any) -> None:
        self.captured, self.reader, self.stmt = captured, reader, stmt
        self.scope = Scope.of(captured)
        self.kind = kind_of(stmt, self.scope)
        self.what = BLOCK if self.kind == "block" else LOOP
        self.names = Names(names_in(captured.tree) | set(captured.namespace.cells) | {captured.name})
        self.cells: dict[str, Any] = {}

    def done(self) -> Captured:
        """The text with a call in the place of the region."""
        stmt, tree = self.stmt, self.captured.tree
        self._check()
        graph = self._graph(tree.body)
        live = liveness(graph)
        later = set(live.after(stmt)) | (set(live.head(stmt)) if self.kind != "block" else set())
        bound = self._in_order(bound_in(*stmt.body) & later)
        target = target_names(stmt.target) if self.kind == "for" else []
        if lost := [name for name in target if name in live.after(stmt) and name not in bound]:
            self._refuse(stmt, f"{lost[0]}, which the loop over tnb.checkpointed binds, is read after it",
                         f"another name for it in the loop: last = {lost[0]}")
        before = set(definite(graph, parameter_names(tree)).before(stmt))
        whole = stmt.body
        if bound:
            whole = [*with_returns(clone(stmt.body), together(bound)), gast.Return(together(bound))]
        start = set(liveness(self._graph(whole)).before(whole[0]))
        if unsure := [name for name in bound if name not in before
                      and (self.kind != "block" or name in start)]:
            self._refuse(stmt, f"{unsure[0]} may have no value before this region, and is read after it",
                         f"{unsure[0]} = 0.0, or another value, before it")
        copied, self.draws = self._in_place(stmt.body, start), self._drawn(start)
        if not bound:                                      # nothing of it is read: it may raise
            new = _without(stmt, self.scope)
            tree.body = rebuild(tree.body, lambda one: new if one is stmt else None)
            return self.captured
        given = [name for name in self._in_order(start & self.scope.local) if name not in target]
        made = self._block(bound, given, copied) if self.kind == "block" else self._loop(bound, given, copied)
        tree.body = rebuild(tree.body, lambda one: made if one is stmt else None)
        namespace = self.captured.namespace
        cells = {**namespace.cells, **{name: types.CellType(fn) for name, fn in self.cells.items()}}
        return replace(self.captured, namespace=Namespace(namespace.globals, cells),
                       ours=self.captured.ours | frozenset(self.cells))

    # ------------------------------------------------------------------ the functions
    def _block(self, bound: list[str], given: list[str], copied: list[str]) -> list[gast.stmt]:
        body = [*self._copies(copied), *self.stmt.body]
        of = getattr(self.stmt, "of", "")
        region = Region(tuple(bound), draws=self.draws)
        name = self._function(f"checkpointed_{of}" if of else "block", given, body, region)
        return [self._call(name, list(map(load, given)), bound)]

    def _loop(self, bound: list[str], given: list[str], copied: list[str]) -> list[gast.stmt]:
        """The loop as a function, and its step as another one."""
        stmt, before = self.stmt, list[gast.stmt]()
        constants = [name for name in given if name not in bound]
        body = with_returns(clone(stmt.body), together(bound))
        item = ""
        if self.kind == "for":
            item = stmt.target.id if isinstance(stmt.target, gast.Name) else self.names.new("item")
            if not isinstance(stmt.target, gast.Name):
                body.insert(0, mark(gast.Assign([clone(stmt.target)], load(item), None), origin=origin_of(stmt)))
        step = self._function("step", [*([item] if item else []), *bound, *constants],
                              [*self._copies(copied), *body], Region(tuple(bound), item=item if self._counts() else ""))
        head, memory = _given(stmt.iter if self.kind == "for" else stmt.test)
        if not (is_literal(memory) or isinstance(memory, gast.Name)):
            before.append(assign("", memory))
            memory = load(self.names.new("memory"))
            before[-1].targets = [store(memory.id)]
        if self.kind == "for":
            head = self._steps(head, before)
        asked = {*reads(head), *reads(memory)}
        parameters = [name for name in dict.fromkeys([*sorted(asked), *bound, *constants])
                      if name in self.scope.local or name in self.names.made]
        loop = clone(stmt)
        loop.iter, loop.test = (head, None) if self.kind == "for" else (None, head)
        if self.kind == "for":
            del loop.test
        else:
            del loop.iter
        region = Region(tuple(bound), self.cells[step], item, head if self.kind == "for" else None, memory,
                        tuple(constants), self.draws)
        name = self._function("loop", parameters, [*self._copies(copied), loop], region, {step: self.cells[step]})
        del self.cells[step]
        return [*(mark(one, origin=origin_of(stmt)) for one in before),
                self._call(name, list(map(load, parameters)), bound)]

    def _counts(self) -> bool:
        """The loop goes over a range."""
        return self.kind == "for" and isinstance(self.stmt.target, gast.Name) \
            and isinstance(head := _given(self.stmt.iter)[0], gast.Call) and self.scope.value(head.func) is range

    def _steps(self, node: Any, before: list[gast.stmt]) -> Any:
        """What the loop goes over, as it may be written in the function: a range, or a name."""
        if isinstance(node, gast.Name) or isinstance(node, gast.Call) and self.scope.value(node.func) is range \
                and is_pure(node, self.scope):
            return node
        name = self.names.new("steps")
        before.append(assign(name, node))
        return load(name)

    def _copies(self, names: Sequence[str]) -> list[gast.stmt]:
        return [mark(assign(name, library("rt.copy(x)", x=name)), origin=origin_of(self.stmt)) for name in names]

    def _function(self, base: str, given: Sequence[str], body: list[gast.stmt], region: Region,
                  cells: dict[str, Any] | None = None) -> str:
        """Make a function of a part of the text; its name."""
        name = self.names.new(base)
        origin = origin_of(self.stmt)
        last: Any = body[-1]
        if isinstance(last, gast.Assign) and target_names(last.targets[0]) == [*region.results]:
            body = [*body[:-1], mark(gast.copy_location(gast.Return(last.value), last), origin=origin_of(last))]
        else:
            body = [*body, mark(gast.Return(together(region.results)), origin=origin)]
        args = gast.arguments([parameter(one) for one in given], [], None, [], [], None, [])
        tree = gast.copy_location(gast.FunctionDef(name, args, body, [], None, None, []), self.stmt)
        tree.origin = origin
        namespace = self.captured.namespace
        inner = {one: types.CellType(fn) for one, fn in (cells or {}).items()}
        captured = replace(self.captured, name=name, tree=tree, defaults=None, kwdefaults=None, assumed=(),
                           namespace=Namespace(namespace.globals, {**namespace.cells, **inner}),
                           ours=self.captured.ours | frozenset(inner), caches=False, region=region)
        fn = self.reader.make(captured, {})
        self.reader.known[fn] = self.reader.made[fn].captured
        self.cells[name] = fn
        return name

    def _call(self, name: str, given: list[gast.expr], bound: Sequence[str]) -> Any:
        call = gast.copy_location(gast.Call(load(name), given, []), self.stmt)
        target = store(bound[0]) if len(bound) == 1 else tuple_of(map(store, bound), write=True)
        if len(bound) > 1:
            call.spec = Spec("tuple", items=(Spec(),) * len(bound))
        made = gast.copy_location(gast.Assign([target], call, None), self.stmt)
        return mark(made, origin=origin_of(self.stmt), region=True)

    # ------------------------------------------------------------------ what is refused
    def _check(self) -> None:
        """The region does nothing but compute, and is left at its end."""
        stmt = self.stmt
        if self.kind == "block" and (len(stmt.items) > 1 or stmt.items[0].optional_vars is not None):
            self._refuse(stmt, "tnb.checkpoint() stands with another manager, or with as",
                         "with tnb.checkpoint(): alone, and the other with around it, or in it")
        if getattr(stmt, "orelse", None):
            self._refuse(stmt.orelse[0], f"else of {LOOP} is not computed again",
                         "the statements after the loop, without else")
        allowed = {"continue"} if self.kind != "block" else set[str]()
        if left := sorted(escapes_block(stmt.body) - allowed):
            place = next((one for one in statements(stmt.body)
                          if isinstance(one, {"return": gast.Return, "break": gast.Break,
                                              "continue": gast.Continue}[left[0]])), stmt)
            self._refuse(place, f"{left[0]} leaves {self.what}, and how far it went would have to be kept",
                         "a while with the condition: while tnb.checkpointed(error > tolerance):"
                         if left[0] == "break" else f"{left[0]} after it")

    def _drawn(self, start: set[str]) -> tuple[gast.expr, ...]:
        """What the region draws random numbers from; what else it does besides computing is refused."""
        found = Twice(self.scope, start, self._text)
        try:
            found.read(self.stmt.body)
        except RunsOnceError as error:
            one = _refusal(error.node, error.stmt, f"in {self.what}: {error.why}", error.remedy)
            raise RefusedError(self.captured.name, [replace(one, unknown=error.unknown)]) from None
        return tuple(found.sources[path] for path in sorted(found.sources))

    def _text(self, fn: Any) -> Captured | None:
        try:
            return self.reader.unit_as_run(fn).captured
        except RefusedError:
            return None

    def _in_place(self, body: list[gast.stmt], start: set[str]) -> list[str]:
        """The names from around the region of what it changes in place, of which nothing else holds the memory."""
        changed = {name for one in statements(body) for name in updated(one)} | {
            one.target.id for one in statements(body) if isinstance(one, gast.AugAssign)
            and isinstance(one.target, gast.Name)}
        changed &= start & self.scope.local
        whole = self.captured.tree.body
        groups = one_memory(rebuild(clone(whole), one_by_one), self.scope, views=True) if changed else {}
        made = set(definite(self._graph(whole), ()).before(self.stmt)) if changed else set[str]()
        for name in self._in_order(changed):
            others = sorted(with_others({name}, groups) - {name})
            given = name in parameter_names(self.captured.tree)
            if others or given and not (name in made and self._is_made(name)):
                why = f"{self.what} changes {name} in place, and the caller holds its memory" if not others \
                    else f"{self.what} changes {name} in place, and {others[0]} may share its memory"
                place = next(one for one in statements(body) if name in updated(one) or isinstance(one, gast.AugAssign)
                             and name in target_names(one.target))
                self._refuse(place, why, f"a copy under another name before it, own = {name}.copy(), "
                             f"or a new value: {name} = …")
        return self._in_order(changed)

    def _is_made(self, name: str) -> bool:
        """All that a name is given is new."""
        return all(isinstance(stmt, gast.Assign) and not roots(stmt.value, self.scope)
                   for stmt in statements(self.captured.tree.body)
                   if name in bound_by(stmt) and not isinstance(stmt, gast.AugAssign))

    def _in_order(self, names: set[str]) -> list[str]:
        """Names in the order in which the region first has them."""
        order = dict.fromkeys(node.id for node in nodes_in(self.stmt) if isinstance(node, gast.Name))
        return [name for name in order if name in names]

    def _graph(self, body: list[gast.stmt]) -> Graph:
        try:
            return Graph(body)
        except ValueError:
            self._refuse(self.stmt, f"{self.what} is in a function with finally, or with else of a loop",
                         "a function of its own for what is computed again")

    def _refuse(self, node: Any, why: str, remedy: str, stmt: Any = None) -> NoReturn:
        place = stmt or (node if isinstance(node, gast.stmt) else self.stmt)
        raise RefusedError(self.captured.name, [_refusal(node, place, why, remedy)])

"""Functions that are kept as values, with what they read: closure conversion.

A function that is put into a list, a dict or a variable, and reads variables which carry a derivative, becomes a
function of its own that is bound to them. The bound values are parts of a container, so that gradients flow through
them. Python reads such a variable when the function is called: binding it earlier is the same only where it is not
bound, or changed, afterwards.

Needs the body in the core language. Promises `functools.partial` in the place of such functions;
one that may see a later value is refused.

    def f(x, w):                                  def f(x, w):
        steps = [np.tanh, lambda t: t * w]            steps = [np.tanh, functools.partial(function, w=w)]
        for step in steps:                    →       for step in steps:
            x = step(x)                                   x = step(x)
        return x                                      return x
                                                  def function(t, *, w):
                                                      return t * w
"""
from __future__ import annotations

import functools
import types
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import gast

from .. import runtime
from ..analyse.activity import Varied, varied_names
from ..analyse.displays import is_partial
from ..analyse.libraries import is_library
from ..syntax.blocks import blocks, head_targets, is_compound, own_expressions
from ..syntax.building import assign, clone, constant, definition, library, load, parameter, tuple_of
from ..syntax.nodes import names_in, walk
from ..syntax.program import MISSING
from .at_uses import moved_to_uses, name_made
from .lifting import can_be_lifted, lift
from .scopes import (
    COMPREHENSIONS,
    FUNCTIONS,
    bound,
    changed,
    changed_name,
    free,
    is_read,
    own,
    parameters,
    shares,
    targets,
)
from .state import State
from .values import FunctionValue, has_row


def convert(desugar: State, body: list[gast.stmt]) -> None:
    """Bind the functions in a body to what they read, where they are values and that carries a derivative."""
    _Conversion(desugar, body).run()


class _Conversion:
    """One body. order: the place of each statement in the text; around: the loops around it."""

    def __init__(self, desugar: State, body: list[gast.stmt]) -> None:
        self.desugar, self.body = desugar, body
        tree = definition(desugar.tree.name, desugar.tree.args, body)
        self.tree, self.parameters = tree, [one.id for one in parameters(tree)]
        self.local = bound(tree) if desugar.functions else set()

    def run(self) -> None:
        if not any(isinstance(node, (gast.Lambda, gast.FunctionDef)) or self._is_partial(node) or self._is_known(node)
                   for node in walk(self.body)):
            return
        start = self.parameters if self.desugar.wrt is None else self.desugar.wrt
        self.varied = Varied(varied_names(self.tree, start, self.desugar.scope), self.desugar.scope)
        self.local = bound(self.tree)
        self._calls_of_libraries()
        self.changed = changed(self.body)
        self.bindings = list(_bindings(self.body, ()))
        self._block(self.body, ())

    # ------------------------------------------------------------------ the walk
    def _block(self, body: list[gast.stmt], loops: tuple[int, ...]) -> None:
        """Convert what stands in a block."""
        i = 0
        while i < len(body):
            stmt: Any = body[i]
            self.here = stmt, loops
            if self._moves(stmt) and moved_to_uses(body, i, self.reads[name_made(stmt)], self.desugar.names.new,
                                                   self._moved):
                self.bindings = list(_bindings(self.body, ()))
                continue
            if isinstance(stmt, gast.FunctionDef):
                body[i] = self._definition(stmt)
            elif not is_compound(stmt):
                self._inside(stmt)
            else:
                for field in ("test", "iter"):
                    if hasattr(stmt, field):
                        setattr(stmt, field, self._converted(getattr(stmt, field)))
            for block in blocks(stmt):
                self._block(block, (*loops, id(stmt)) if isinstance(stmt, (gast.For, gast.While)) else loops)
            i += 1

    def _moves(self, stmt: Any) -> bool:
        """It makes a function that only calls of libraries are given, and that reads what is bound later."""
        name = name_made(stmt)
        if name not in self.only_given - self.at_its_use or [one for _, one, _ in self.bindings].count(name) != 1 \
                or name in self.desugar.unsure_inside:
            return False
        args = getattr(stmt, "value", stmt).args
        return not args.defaults and not any(args.kw_defaults) \
            and self._seen_later(stmt, self._read_by(getattr(stmt, "value", stmt)), heads=False) is not None

    def _moved(self, reads: list[gast.Name], made: Any) -> None:
        """A function is made where it is read."""
        name = name_made(made) or ""
        self.local.add(name)
        self.at_its_use.add(name)
        self.at_once_names.add(name)
        self.at_once.add(id(getattr(made, "value", made)))
        if any(id(one) in self.again for one in reads):
            self.again.add(id(getattr(made, "value", made)))
            self.again_names.add(name)

    def _read_by(self, node: Any) -> set[str]:
        known = self.desugar.functions
        return {part for name in free(node) for part in (names_in(known[name].bound) if name in known else [name])}

    def _inside(self, node: Any) -> None:
        """Convert the operands of a statement, or of an expression."""
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, list):
                value[:] = [self._converted(one) if isinstance(one, gast.AST) else one for one in value]
            elif isinstance(value, gast.AST) and not (field == "func" and isinstance(value, gast.Name)):
                setattr(node, field, self._converted(value))

    def _converted(self, node: Any) -> Any:
        if isinstance(node, gast.keyword) and node.arg == "key":
            return node                                    # it decides an order, and is called at once
        if isinstance(node, gast.Lambda):
            return self._function(node)
        if self._is_known(node):
            return self._known(node)
        self._inside(node)
        if self._is_partial(node) and not getattr(node.func, "made", False) and any(
                self.varied.of(one) for one in [*node.args[1:], *(k.value for k in node.keywords)]):
            self._bound_now(node)
        return node

    def _bound_now(self, node: Any) -> None:
        """A call of functools.partial that binds what carries a derivative;
        what it calls is a function, and no partial itself."""
        held = names_in([one for one in [*node.args[1:], *(k.value for k in node.keywords)] if not self._is_copy(one)])
        inner, fn = node.args[0], self.desugar.object(node.args[0])
        if isinstance(inner, gast.Call) and is_partial(inner) or isinstance(fn, types.FunctionType) or has_row(fn):
            node.func = gast.copy_location(library("functools.partial"), node.func)
            _flatten(node)
        elif fn is MISSING and isinstance(inner, (gast.Name, gast.Subscript, gast.Attribute)):
            node.func, node.args, node.keywords = library("rt.bind"), [inner, tuple_of(node.args[1:]), gast.Dict(
                [constant(k.arg) for k in node.keywords], [k.value for k in node.keywords]), constant(True)], []
            self.desugar.placed(node)
        else:
            return
        if held & self.changed:
            self._refuse(node, _changes("this partial", sorted(held & self.changed)[0]))

    def _is_copy(self, node: Any) -> bool:
        return isinstance(node, gast.Call) and self.desugar.object(node.func) is runtime.copy

    def _is_partial(self, node: Any) -> bool:
        return isinstance(node, gast.Call) and isinstance(node.func, (gast.Name, gast.Attribute)) and bool(node.args) \
            and self.desugar.object(node.func) is functools.partial \
            and not any(isinstance(one, gast.Starred) for one in node.args) and all(k.arg for k in node.keywords)

    def _is_known(self, node: Any) -> bool:
        """A name of a function that nothing defines any more, read as a value."""
        return is_read(node) and node.id in self.desugar.functions and node.id not in self.local \
            and not self.desugar.functions[node.id].in_place

    # ------------------------------------------------------------------ functions
    def _definition(self, stmt: gast.FunctionDef) -> gast.stmt:
        """`g = functools.partial(g_1, w=w)` for the definition of g."""
        if stmt.decorator_list:
            return stmt
        value = self._function(stmt)
        return stmt if value is stmt else self.desugar.placed(gast.copy_location(assign(stmt.name, value), stmt))

    def _function(self, node: Any) -> Any:
        """A nested function or lambda, bound to what it reads where that carries a derivative."""
        desugar = self.desugar
        if not can_be_lifted(node):
            return node
        if not self._carries(node):
            self._check_late(node)
            return node
        at_once = self._is_at_once(node)
        known, given = desugar.functions.get(getattr(node, "name", "")), \
            desugar.defaults.get(getattr(node, "name", ""), [])
        defaults: dict[str, Any] = {}
        if known is None or known.fn not in desugar.texts.made or known.in_place:
            name = desugar.names.new(getattr(node, "name", "function"))
            lift(desugar, {name: node})
            known, given = desugar.functions.pop(name, None), desugar.defaults.pop(name, [])
            defaults = {temporary: self._converted(clone(default)) for temporary, default in given}
        if known is None:
            return node
        now = {temporary for temporary, _ in given}          # defaults have their values when the function is made
        environment = names_in([v for _, v in known.keywords]) - now
        held = names_in([default for _, default in given]) & self.changed
        why = _changes("this function", sorted(held)[0]) if held else self._seen_later(node, environment)
        late = [name for name in sorted(environment & self.local) if self._seen_later(node, {name})] \
            if why is not None and not held and at_once else []
        if late:
            why = self._differs(node, late)
        if why is not None:
            self._refuse(node, why)
            return node
        if shares(node, desugar.modules):
            return node
        return self._bound(known, defaults, node, {*late})

    def _check_late(self, node: Any) -> None:
        """Refuse a function that reads what is bound or changed later: the backward pass would read the last value for
        each of its calls."""
        defined = isinstance(node, gast.FunctionDef)
        again = node.name in self.again_names if defined else id(node) in self.again
        at_once = self._is_at_once(node)
        if at_once and not again:
            return
        read = self._read_by(node)
        why = self._bound_at_once(node, read) if at_once else self._seen_later(node, read)
        if why is not None:
            self._refuse(node, why)

    def _is_at_once(self, node: Any) -> bool:
        """It is given to calls of libraries alone."""
        return node.name in self.at_once_names if isinstance(node, gast.FunctionDef) else id(node) in self.at_once

    def _bound_at_once(self, node: Any, names: set[str]) -> tuple[str, str] | None:
        """Why what a call is given may see other values when its adjoint calls it;
        it is bound to those of now where that is the same."""
        held = names_in([*node.args.defaults, *filter(None, node.args.kw_defaults)]) & self.changed
        if held:
            return _changes("this function", min(held))
        late = [name for name in sorted(names & self.local) if self._seen_later(node, {name})]
        if (why := self._differs(node, late)) is None:
            node.args.kwonlyargs += map(parameter, late)
            node.args.kw_defaults += map(self._as_it_is, map(load, late))
        return why

    def _differs(self, node: Any, late: list[str]) -> tuple[str, str] | None:
        """Why a function that a call is given, which calls it before it returns, may see other values than those of
        now. late: the variables that are bound or changed later."""
        for name in late:
            if name in self.changed & set(map(changed_name, walk(node.body))):
                return _changes("this function", name)
            why = self._seen_later(node, {name}, heads=False)
            if why is not None and (name in self.desugar.unsure_inside or isinstance(node, gast.FunctionDef)
                                    and node.name not in self.at_its_use):
                return why
        return None

    def _refuse(self, node: Any, why: tuple[str, str]) -> None:
        node.refused = True                                # the fence need not say it again
        self.desugar.refusals += self.desugar.refused(node, *why).refusals

    def _calls_of_libraries(self) -> None:
        """Find the functions that are given to calls of libraries alone, which call them before they return;
        those that adjoints call again."""
        given: set[int] = set()
        self.again: set[int] = set()
        nodes: list[Any] = list(walk(self.body))
        for node in nodes:
            fn = self.desugar.object(node.func) if isinstance(node, gast.Call) else None
            if isinstance(node, gast.Call) and fn is not MISSING and not isinstance(fn, type) and (
                    not isinstance(fn, types.FunctionType) or is_library(fn)):
                given.update(id(one) for one in [*node.args, *(k.value for k in node.keywords)])
                self.again |= self._called_again(node)
            elif isinstance(node, gast.keyword) and node.arg == "key":
                given.add(id(node.value))
        elsewhere = {node.id for node in nodes if is_read(node) and id(node) not in given}
        self.at_once = given
        self.again_names = {node.id for node in nodes if isinstance(node, gast.Name) and id(node) in self.again}
        self.only_given = {name for node in nodes if (name := name_made(node)) is not None} - elsewhere
        self.at_once_names = {node.name for node in nodes if isinstance(node, gast.FunctionDef)} - elsewhere
        self.at_its_use: set[str] = set()
        self.reads = Counter(node.id for node in nodes if is_read(node))

    def _called_again(self, node: gast.Call) -> set[int]:
        """What the adjoint of a call calls too: a function in the place of an argument that has a cotangent."""
        operation = self.desugar.scope.operation(node)
        active = operation.rule.active_params if operation.rule is not None and self.varied.of(node) else ()
        return {id(operation.args[name]) for name in active if name in operation.args}

    def _carries(self, node: Any) -> bool:
        """What a function reads, or has as a default, carries a derivative."""
        functions, args = self.desugar.functions, node.args
        read: list[Any] = [*args.defaults, *(one for one in args.kw_defaults if one is not None)]
        for name in free(node):
            read += [load(name), *(functions[name].bound if name in functions else ())]
        return any(map(self.varied.of, read))

    def _known(self, node: gast.Name) -> Any:
        """The name of a function that is known, and was bound to what it reads before."""
        value = self.desugar.functions[node.id]
        for name in names_in(value.bound) & self.local:
            found = [loops for _, bound_name, loops in self.bindings if bound_name == name]
            if len(found) + (name in self.parameters) != 1 or any(found) or name in self.desugar.unsure_inside:
                return node
        return self._bound(value, {}, node)

    def _as_it_is(self, node: Any) -> Any:
        """What is read where a function is called at once, and changes in place later."""
        return library("rt.copy(x)", x=node) if names_in(node) & self.changed else node

    def _bound(self, value: FunctionValue, defaults: dict[str, Any], like: Any,
               late: AbstractSet[str] = frozenset()) -> Any:
        func = clone(value.func)
        if value.plain is not None:
            return gast.copy_location(clone(value.plain), like)
        keywords = [gast.keyword(k, defaults[v.id] if isinstance(v, gast.Name) and v.id in defaults
                                 else self._as_it_is(clone(v)) if names_in(v) & late else clone(v))
                    for k, v in value.keywords]
        made = gast.Call(library("functools.partial"), [func, *map(clone, value.first)], keywords)
        return self.desugar.placed(gast.copy_location(made, like))

    def _seen_later(self, node: Any, names: set[str], *, heads: bool = True) -> tuple[str, str] | None:
        """Why a function may see other values of variables than those of now, and the remedy. heads: also those that a
        loop around it binds, which goes over them backward too."""
        stmt, loops = self.here
        called = f"the function {node.name}" if isinstance(node, gast.FunctionDef) else "this lambda"
        passed = False
        places: list[tuple[str, bool, tuple[int, ...]]] = []
        for one, name, around in self.bindings:
            passed |= one is stmt
            if heads or not (isinstance(one, gast.For) and id(one) in loops):
                places.append((name, passed, around))
        for name in sorted(names & self.local):
            late = [around for bound_name, after, around in places
                    if bound_name == name and (after or set(around) & set(loops))]
            if late or name in self.desugar.unsure_inside:
                return ((f"{called} is used as a value, and reads {name}, which is bound or changed later: "
                         "a function sees the last value"),
                        f"bind the value of now ({name}={name} as a default), or give it a name that is bound once")
        return None


def _changes(what: str, name: str) -> tuple[str, str]:
    return f"{what} is bound to {name}, which is changed in place", \
        f"a copy under a name of its own, before: own = {name}.copy()"


def _flatten(node: Any) -> None:
    """`partial(partial(g, w=w), x)` is `partial(g, x, w=w)`."""
    inner = node.args[0]
    if isinstance(inner, gast.Call) and is_partial(inner) \
            and all(isinstance(k.value, (gast.Name, gast.Constant)) for k in inner.keywords):
        given = {k.arg for k in node.keywords}
        node.args = [*inner.args, *node.args[1:]]
        node.keywords = [*(k for k in inner.keywords if k.arg not in given), *node.keywords]


def _bindings(body: Sequence[gast.stmt], loops: tuple[int, ...]) -> Iterator[tuple[gast.stmt, str, tuple[int, ...]]]:
    """The statements in the order of the text, with each name that they bind or change, or "", and the loops around."""
    for stmt in body:
        yield stmt, "", loops
        inner = (*loops, id(stmt)) if isinstance(stmt, (gast.For, gast.While)) else loops
        for name in sorted(_bound_or_changed(stmt)):
            yield stmt, name, inner
        for block in blocks(stmt):
            yield from _bindings(block, inner)


def _bound_or_changed(stmt: Any) -> set[str]:
    """The names that a statement binds, or whose objects it may change; of a compound one those of its head."""
    head: list[Any] = [stmt]
    if is_compound(stmt):
        head = [*own_expressions(stmt), *head_targets(stmt)]
    found: set[str | None] = set()
    for part in own(head):
        if isinstance(part, FUNCTIONS):
            found |= set(map(changed_name, walk(part.body))) & free(part) | {getattr(part, "name", None)}
        elif isinstance(part, gast.Name) and not isinstance(part.ctx, gast.Load):
            found.add(part.id)
        found.add(changed_name(part))
    elsewhere = {name for part in own(head) if isinstance(part, COMPREHENSIONS) for name in targets(part)}
    return {name for name in found - elsewhere if name is not None}

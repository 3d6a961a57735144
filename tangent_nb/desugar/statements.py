"""Python's sugar in the words of the core language.

Needs a captured text. Promises the same with walrus, comprehensions, `match`, stars, nested functions, functions as arguments, imports and
`del` written as assignments, branches, loops and calls, everything evaluated in Python's order and as often.

    total = sum([v * w for v in x if v > 0])      →      items = []
                                                         for v in x:
                                                             if v > 0:
                                                                 items.append(v * w)
                                                         total = sum(items)
"""
from __future__ import annotations

import importlib
import types
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import gast

from ..analyse.activity import is_varied, varied_names
from ..analyse.leaving import always_leaves
from ..analyse.resolve import Scope
from ..errors import Refusal, RefusedError
from ..syntax.names import Names
from ..syntax.nodes import INTERNAL, assign, call, clone, constant, dotted, is_literal, library, load, names_in, store, subscript, walk, writes
from ..syntax.program import MISSING, Captured, Namespace
from . import calls, comprehensions, functions, lists, objects, patterns
from .reader import Reader, Unit
from .scopes import COMPREHENSIONS, bindings, bound
from .values import FunctionValue, Meaning, object_of

SUGAR = (gast.NamedExpr, *COMPREHENSIONS, gast.Lambda, gast.Starred, gast.Match, gast.Delete, gast.Import, gast.ImportFrom,
         gast.FunctionDef, gast.Global, gast.Call, gast.Attribute)


class CannotHoistError(Exception):
    """An expression would need statements before it, in a place where none can stand."""


class Desugar:
    """State of one text. functions: the local names that are functions for certain; cells: what the text sees besides, by names of ours;
    assumed: the functions that are called by a path through objects, as they were; whole: the classes whose objects stay objects."""

    def __init__(self, reader: Reader, unit: Unit, wrt: tuple[str, ...] | None, kept: frozenset[type] = frozenset()) -> None:
        self.reader, self.captured = reader, unit.captured
        self.tree: gast.FunctionDef = unit.captured.tree
        self.functions: dict[str, FunctionValue] = dict(unit.functions)
        self.wrt = wrt
        self.whole = kept
        self.cells: dict[str, Any] = {}
        self.assumed: dict[str, Any] = {}
        self.out: list[gast.stmt] | None = []
        self.origin: Any = None
        self.place: Any = None
        self.defined: dict[str, Any] = {}
        self.objects: dict[str, objects.ObjectValue] = {}
        self.once: set[str] = set()
        self.stack: list[Any] = []
        self.single: set[str] = set()
        self.selves: list[Any] = []
        self.depth = 0
        self.defaults: dict[str, list[tuple[str, Any]]] = {}
        self.called: set[int] = set()
        self.meanings: dict[int, tuple[Any, Meaning | None]] = {}
        self.refusals: list[Refusal] = []
        self.lost: set[str] = set()

    def run(self) -> Captured:
        if not any(isinstance(node, SUGAR) for node in gast.walk(gast.Module(self.tree.body, []))) and not self.functions:
            return self.captured
        tree = self.tree = clone(self.tree)
        self.local = bound(tree)
        self.lists, self.tuples = _made_as(tree, (gast.List, gast.ListComp)), _made_as(tree, (gast.Tuple,))
        self.names = Names(names_in(tree) | set(INTERNAL) | set(self.captured.namespace.cells) | _everything(tree))
        self.namespace = self.captured.namespace
        self._imports()
        self.scope = Scope(self.namespace, self.local)
        args = tree.args
        parameters = [a.id for a in [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg] if a is not None]
        self.varied = varied_names(tree, parameters if self.wrt is None else self.wrt, self.scope)
        functions.find(self, tree, self.functions)
        last: Any = tree.body[-1]
        if isinstance(last, gast.Match) and all(always_leaves(case.body) for case in last.cases):
            why = gast.Constant(f"{self.captured.name} returned None: no case matched", None)
            tree.body.append(gast.copy_location(gast.Raise(library("rt.TangentError(x)", x=why), None), last))
            tree.body[-1].origin = last.origin
        body = self._whole(tree.body)
        tree.body = body
        return replace(self.captured, tree=tree, namespace=self.namespace, ours=self.captured.ours | frozenset(self.cells),
                       assumed=(*self.captured.assumed, *sorted(self.assumed.items())))

    # ------------------------------------------------------------------ names
    def see(self, name: str, value: Any) -> None:
        """Let the text see a value under a name that is not local."""
        self.namespace = Namespace(self.namespace.globals, {**self.namespace.cells, name: types.CellType(value)})
        self.scope = Scope(self.namespace, self.local)

    def cell(self, value: Any, base: str) -> gast.Name:
        """A name of ours for a value."""
        for name, known in self.cells.items():
            if known is value:
                return load(name)
        name = self.names.new(base)
        self.cells[name] = value
        self.see(name, value)
        return load(name)

    def share(self, name: str, cell: types.CellType) -> Any:
        """Let the text see a cell of another function under a name; what it holds."""
        self.namespace = Namespace(self.namespace.globals, {**self.namespace.cells, name: cell})
        self.scope = Scope(self.namespace, self.local)
        return cell

    def nested(self) -> bool:
        """What is written now stands in a branch or a loop."""
        return self.depth > 1

    def object(self, node: gast.AST) -> Any:
        """The object outside of the function that an expression means now, or MISSING."""
        return object_of(node, self.namespace, self.local)

    def assume(self, node: gast.AST, fn: Any) -> None:
        """The text takes it that a path through objects means a function, as it does now."""
        name = dotted(node)
        if name is not None and fn not in self.reader.made:
            self.assumed[name] = fn

    def temporary(self, base: str) -> str:
        name = self.names.new(base)
        self.local.add(name)
        return name

    def _imports(self) -> None:
        """What is imported inside of the function, and bound by nothing else, is known."""
        found: dict[str, Any] = {}
        for name, nodes in bindings(self.tree).items():
            if nodes and all(isinstance(node, (gast.Import, gast.ImportFrom)) for node in nodes):
                values = [imported(node, name, self.namespace.globals) for node in nodes]
                if values[0] is not MISSING and all(value is values[0] for value in values):
                    found[name] = values[0]
        self.imported = found
        self.local -= set(found)
        for name, value in found.items():
            self.cells[name] = value
            self.namespace = Namespace(self.namespace.globals, {**self.namespace.cells, name: types.CellType(value)})

    # ------------------------------------------------------------------ statements
    def block(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        saved, self.out = self.out, []
        self.depth += 1
        for stmt in body:
            self._gathering(stmt) if not self.stack else self.statement(stmt)
        self.depth -= 1
        done, self.out = self.out, saved
        return done

    def _whole(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """The body; what goes wrong after a refusal may only come of that."""
        try:
            done = self.block(body)
            functions.drop_unused(self, done)
        except RefusedError as error:
            self._stays(error)
            self.refusals.extend(error.refusals)
        except Exception:
            if not self.refusals:
                raise
        else:
            return done
        return body

    def _stays(self, error: RefusedError) -> None:
        """Begin again where only a class of objects has to be left as it is."""
        if isinstance(error, objects.EscapeError) and error.kind is not None and error.kind not in self.whole:
            raise error

    def _gathering(self, stmt: gast.stmt) -> None:
        """A statement; where it is refused, what it binds is lost, and the next one is read."""
        state = self.out, len(self.out or ()), self.depth, self.origin, self.place
        try:
            self.statement(stmt)
        except RefusedError as error:
            self._stays(error)
            self.out, length, self.depth, self.origin, self.place = state
            del (self.out or [])[length:]
            self.refusals.extend(error.refusals)
            self.lost |= {*writes(stmt), *([stmt.name] if isinstance(stmt, gast.FunctionDef) else [])}
            self.emit(gast.Return(constant(0.0)) if isinstance(stmt, gast.Return) else gast.Pass())

    def filled(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        return self.block(body) or [self._at(gast.Pass())]

    def emit(self, stmt: gast.stmt) -> None:
        if self.out is None:
            raise CannotHoistError
        self.out.append(self._at(stmt))

    def _at(self, node: Any) -> Any:
        """The statement or expression with the place of the user's statement wherever it has none."""
        for part in gast.walk(node):
            if isinstance(part, (gast.stmt, gast.expr)) and getattr(part, "lineno", None) is None and self.place is not None:
                gast.copy_location(part, self.place)
            if isinstance(part, gast.stmt) and not hasattr(part, "origin"):
                part.origin = self.origin
        return node

    def statement(self, stmt: Any) -> None:
        saved = self.origin, self.place
        self.origin, self.place = getattr(stmt, "origin", None) or self.origin, stmt if hasattr(stmt, "lineno") else self.place
        method: Callable[[Any], None] | None = getattr(self, f"_{type(stmt).__name__.lower()}", None)
        if method is not None:
            method(stmt)
        else:
            self.emit(stmt)
        self.origin, self.place = saved

    def _assign(self, stmt: gast.Assign) -> None:
        if functions.bind(self, stmt):
            return
        target = stmt.targets[0]
        if len(stmt.targets) == 1 and isinstance(target, gast.Name) and isinstance(stmt.value, COMPREHENSIONS) \
                and comprehensions.unrolls(self, stmt.value) and not isinstance(stmt.value, gast.GeneratorExp) \
                and target.id not in names_in(stmt.value):
            comprehensions.unroll(self, stmt.value, target.id)
            return
        if len(stmt.targets) == 1 and self._pairwise(stmt):
            return
        if len(stmt.targets) == 1 and isinstance(target, (gast.Tuple, gast.List)):
            made = comprehensions.as_list(self, stmt.value)
            stmt.value = stmt.value if made is None else made
        if isinstance(target, gast.Name) and len(stmt.targets) == 1 and isinstance(stmt.value, gast.Call) and not stmt.value.args \
                and lists.pop(self, stmt.value) is not None:
            self.emit(stmt)
            return
        stmt.value = self.expr(stmt.value)
        if isinstance(target, gast.Name) and len(stmt.targets) == 1 and isinstance(stmt.value, gast.Name) and stmt.value.id in self.objects \
                and objects.rebind(self, target.id, self.objects[stmt.value.id]):
            return
        if any(isinstance(target, gast.Attribute) for target in stmt.targets) and self._attributes(stmt):
            return
        if any(isinstance(node, gast.Starred) for one in stmt.targets for node in walk(one)):
            self._starred(stmt)
            return
        value = stmt.value
        if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) and value.func.attr in ("keys", "values", "items") \
                and not value.args and self.carries(value.func.value) and isinstance(target, gast.Name):
            why = f".{value.func.attr}() is kept under a name, and changes with the dict"
            raise RefusedError(self.captured.name, [Refusal(functions.span(self, value), why, f"list(….{value.func.attr}())")])
        stmt.targets = [self._target(one) for one in stmt.targets]
        self.emit(stmt)

    def _pairwise(self, stmt: gast.Assign) -> bool:
        """`a, b = f(x), g(x)`, where functions or objects are made, and `self.a, self.b = a, b`."""
        target, value = stmt.targets[0], stmt.value
        if not isinstance(target, (gast.Tuple, gast.List)) or any(isinstance(one, gast.Starred) for one in target.elts):
            return False
        attributes = any(isinstance(one, gast.Attribute) and objects._mentions(self, one) for one in target.elts)
        if isinstance(value, gast.Name) and value.id in self.objects and issubclass(self.objects[value.id].kind, tuple):
            fields = objects.fields_of(self.objects[value.id].kind)
            value = gast.Tuple([gast.Attribute(load(value.id), name, gast.Load()) for name in fields], gast.Load())
        elif functions.gives_functions(self, value):
            value = functions.given(self, value)
            if not isinstance(value, gast.Tuple):
                stmt.value = value
                return False
        elif attributes and not isinstance(value, (gast.Tuple, gast.List)):
            names = [self.temporary("item") for _ in target.elts]
            self.statement(self._at(gast.Assign([gast.Tuple([store(n) for n in names], gast.Store())], value, None)))
            value = gast.Tuple([load(n) for n in names], gast.Load())
        elif not (isinstance(value, (gast.Tuple, gast.List)) and (attributes or any(
                functions.is_value(self, one) or objects._mentions(self, one) for one in value.elts))):
            return False
        if len(value.elts) != len(target.elts) or any(isinstance(one, gast.Starred) for one in value.elts):
            return False
        items = list(value.elts)
        if len(items) > 1:
            bound_names = {n.id for one in target.elts for n in gast.walk(one) if isinstance(n, gast.Name)}
            simple = all(isinstance(one, gast.Name) for one in target.elts) and not any(
                n.id in bound_names for one in items for n in gast.walk(one) if isinstance(n, gast.Name))
            if not simple:
                items = [one if functions.is_value(self, one) or isinstance(one, gast.Constant) else self._kept_value(one) for one in items]
        for one, item in zip(target.elts, items, strict=True):
            self.statement(self._at(gast.copy_location(gast.Assign([one], item, None), stmt)))
        return True

    def _kept_value(self, node: Any) -> Any:
        new = self.expr(node)
        if isinstance(new, gast.Name) and new.id in self.objects:
            return load(self.objects[new.id].prefix)
        return load(self.kept(new, "value"))

    def _attributes(self, stmt: gast.Assign) -> bool:
        """`obj.name = value` for an object that is made here."""
        target = stmt.targets[0]
        if len(stmt.targets) != 1 or not isinstance(target, gast.Attribute):
            return False
        target.value = self.expr(target.value)
        value = objects.value_of(self, target.value)
        if value is None or value.path is not None:
            return False
        objects.write(self, value, target.attr, stmt.value)
        return True

    def _starred(self, stmt: gast.Assign) -> None:
        """`a, *b, c = xs`."""
        value = stmt.value
        if len(stmt.targets) > 1:
            value = load(self.kept(value, "items"))
        for target in stmt.targets:
            stars = [i for i, one in enumerate(getattr(target, "elts", [])) if isinstance(one, gast.Starred)]
            if len(stars) != 1:
                self.emit(gast.Assign([self._target(target)], clone(value), None))
                continue
            items, star = self.kept(call("%list", value), "items"), stars[0]
            after = len(target.elts) - star - 1
            for i, one in enumerate(target.elts):
                if i == star:
                    upper = constant(-after) if after else None
                    part = subscript(items, gast.Slice(constant(star) if star else None, upper, None))
                    self.statement(gast.Assign([one.value], part, None))
                else:
                    self.statement(gast.Assign([one], subscript(items, constant(i if i < star else i - len(target.elts))), None))

    def kept(self, value: gast.expr, base: str) -> str:
        """A name for a value."""
        name = self.temporary(base)
        self.emit(assign(name, value))
        return name

    def _target(self, target: Any) -> Any:
        if isinstance(target, (gast.Tuple, gast.List)):
            target.elts = [self._target(one) for one in target.elts]
        elif isinstance(target, gast.Subscript):
            target.value, target.slice = self.expr(target.value), self.expr(target.slice)
        elif isinstance(target, gast.Attribute):
            target.value = self.expr(target.value)
        return target

    def _augassign(self, stmt: gast.AugAssign) -> None:
        if self.hoists(stmt.value) and self._changes_target(stmt):
            raise RefusedError(self.captured.name, [Refusal(functions.span(self, stmt), "what is added changes what it is added to",
                                                            "two statements: the value first, under a name")])
        if isinstance(stmt.target, gast.Name) and isinstance(stmt.op, gast.Add) and stmt.target.id in self.lists:
            comprehensions.extend(self, stmt.target.id, stmt.value)
            return
        if isinstance(stmt.target, gast.Attribute):
            base = self.expr(stmt.target.value)
            value = objects.value_of(self, base)
            if value is not None and value.path is None and stmt.target.attr in value.attributes:
                stmt.target = gast.copy_location(store(value.attributes[stmt.target.attr]), stmt.target)
        elif isinstance(stmt.target, gast.Name) and stmt.target.id in self.objects:
            new = gast.Assign([stmt.target], gast.BinOp(load(stmt.target.id), stmt.op, stmt.value), None)
            self.statement(self._at(gast.copy_location(new, stmt)))
            return
        stmt.target = self._target(stmt.target)
        stmt.value = self.expr(stmt.value)
        self.emit(stmt)

    def _changes_target(self, stmt: gast.AugAssign) -> bool:
        """Evaluating the value may change the target, whose old value Python adds to."""
        if isinstance(stmt.target, gast.Name) and not self.is_state(stmt.target.id):
            return self._rebinds([stmt.value], stmt.target.id)
        names = {part.id for part in gast.walk(stmt.target) if isinstance(part, gast.Name)}
        return any(self._rebinds([stmt.value], name) for name in names) or objects._mentions(self, stmt.value)

    def _annassign(self, stmt: gast.AnnAssign) -> None:
        if stmt.value is not None:
            new = gast.copy_location(gast.Assign([stmt.target], stmt.value, None), stmt)
            new.origin = self.origin
            self._assign(new)

    def _return(self, stmt: gast.Return) -> None:
        if stmt.value is not None:
            stmt.value = self.expr(stmt.value)
        self.emit(stmt)

    def _expr(self, stmt: gast.Expr) -> None:
        if comprehensions.list_method(self, stmt) or lists.statement(self, stmt):
            return
        if isinstance(stmt.value, gast.Call) and lists.pop(self, stmt.value) is not None:
            self.emit(stmt)
            return
        value = self.expr(stmt.value)
        if not isinstance(value, (gast.Name, gast.Constant)) or value is stmt.value:
            stmt.value = value
            self.emit(stmt)

    def _if(self, stmt: gast.If) -> None:
        stmt.test = self.expr(stmt.test)
        stmt.body, stmt.orelse = self.filled(stmt.body), self.block(stmt.orelse)
        self.emit(stmt)

    def _while(self, stmt: gast.While) -> None:
        if not self.sugared(stmt.test):
            stmt.body, stmt.orelse = self.filled(stmt.body), self.block(stmt.orelse)
            self.emit(stmt)
            return
        saved, self.out = self.out, []
        test = self.expr(stmt.test)
        finished = self.temporary("finished") if stmt.orelse else ""
        leave: list[gast.stmt] = [gast.Break()]
        if finished:
            leave.insert(0, assign(finished, constant(True)))
        self.emit(gast.If(gast.UnaryOp(gast.Not(), test), leave, []))
        head, self.out = self.out, saved
        if finished:
            self.emit(assign(finished, constant(False)))
        self.emit(gast.While(constant(True), [*head, *self.block(stmt.body)], []))
        if finished:
            self.emit(gast.If(load(finished), self.block(stmt.orelse), []))

    def _for(self, stmt: gast.For) -> None:
        if comprehensions.direct(self, stmt):
            return
        stmt.iter = comprehensions.iterable(self, stmt.iter)
        if any(isinstance(node, gast.Starred) for node in walk(stmt.target)):
            item = self.temporary("item")
            first = gast.Assign([stmt.target], load(item), None)
            stmt.target, stmt.body = store(item), [self._at(first), *stmt.body]
        stmt.body, stmt.orelse = self.filled(stmt.body), self.block(stmt.orelse)
        self.emit(stmt)

    def _with(self, stmt: Any) -> None:
        for item in stmt.items:
            if not self.manager(item.context_expr):
                item.context_expr = self.expr(item.context_expr)
        stmt.body = self.filled(stmt.body)
        self.emit(stmt)

    def manager(self, node: Any) -> bool:
        """A call of a class or function that makes a context manager, which stays as it is."""
        return isinstance(node, gast.Call) and isinstance(self.object(node.func), type)

    def _try(self, stmt: Any) -> None:
        stmt.body = self.filled(stmt.body)
        for handler in stmt.handlers:
            handler.body = self.filled(handler.body)
        stmt.orelse, stmt.finalbody = self.block(stmt.orelse), self.block(stmt.finalbody)
        self.emit(stmt)

    def _assert(self, stmt: gast.Assert) -> None:
        stmt.test = self.expr(stmt.test)
        self.emit(stmt)

    def _raise(self, stmt: gast.Raise) -> None:
        stmt.exc = stmt.exc and self.expr(stmt.exc)
        self.emit(stmt)

    def _match(self, stmt: gast.Match) -> None:
        for new in patterns.branches(self, stmt):
            self.statement(new)

    def _functiondef(self, stmt: gast.FunctionDef) -> None:
        if not functions.bind(self, stmt):
            self.emit(stmt)

    def _import(self, stmt: Any) -> None:
        bound_here = {(alias.asname or alias.name).partition(".")[0] for alias in stmt.names}
        if not bound_here <= set(self.imported):
            self.emit(stmt)

    _importfrom = _import

    def _delete(self, stmt: gast.Delete) -> None:
        """A name that is gone is not read again; the backward pass may still need its value."""
        rest = [one for one in stmt.targets if not isinstance(one, gast.Name)]
        if rest:
            stmt.targets = rest
            self.emit(stmt)

    def _global(self, stmt: gast.Global) -> None:
        written = {node.id for node in walk(self.tree.body) if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load)}
        if written & set(stmt.names):
            self.emit(stmt)

    # ------------------------------------------------------------------ expressions
    def meaning(self, node: Any) -> Meaning | None:
        """What to write for a node, where it is sugar."""
        if isinstance(node, gast.Name):                    # what it holds changes from statement to statement
            return self._meaning(node)
        known = self.meanings.get(id(node))
        if known is None or known[0] is not node:
            known = self.meanings[id(node)] = node, self._meaning(node)
        return known[1]

    def _meaning(self, node: Any) -> Meaning | None:
        if isinstance(node, gast.NamedExpr):
            return Meaning(lambda: self._walrus(node))
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and node.id in self.objects \
                and self.objects[node.id].prefix != node.id:
            return Meaning(lambda: gast.copy_location(load(self.objects[node.id].prefix), node), hoists=False)
        if isinstance(node, COMPREHENSIONS) and not isinstance(node, gast.GeneratorExp):     # a generator runs when it is asked
            return Meaning(lambda: comprehensions.unroll(self, node)) if comprehensions.unrolls(self, node) else None
        if isinstance(node, gast.Call):
            found = objects.called(self, node) or lists.pop(self, node) or calls.meaning(self, node)
            if found is None and objects._mentions(self, node):
                return Meaning(lambda: objects.operator(self, self._parts(node)))
            return found
        if isinstance(node, gast.Attribute) and isinstance(node.ctx, gast.Load):
            if objects._mentions(self, node.value):
                return Meaning(lambda: self._attribute(node), hoists=not self._is_variable(node))
            return calls.attribute(self, node)
        if isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Subscript)) \
                and isinstance(getattr(node, "ctx", gast.Load()), gast.Load) and (objects.touches(self, node) or objects._mentions(self, node)):
            return Meaning(lambda: objects.operator(self, self._parts(node)), hoists=objects.touches(self, node))
        if isinstance(node, gast.BinOp):
            return lists.operator(self, node)
        if isinstance(node, (gast.List, gast.Tuple, gast.Set)) and isinstance(getattr(node, "ctx", gast.Load()), gast.Load) \
                and any(isinstance(item, gast.Starred) for item in node.elts):
            return Meaning(lambda: comprehensions.joined(self, node))
        return None

    def sugared(self, node: Any) -> bool:
        """There is something to write in other words in an expression."""
        if node is None or isinstance(node, gast.Constant):
            return False
        if isinstance(node, gast.Name):
            return self.meaning(node) is not None
        if isinstance(node, list):
            return any(self.sugared(item) for item in node)
        if isinstance(node, (gast.expr, gast.Starred)) and self.meaning(node) is not None:
            return True
        return any(self.sugared(child) for child in gast.iter_child_nodes(node))

    def carries(self, node: gast.expr) -> bool:
        """The value of an expression may carry a derivative."""
        return is_varied(node, self.varied, self.scope)

    def hoists(self, node: Any) -> bool:
        """Writing an expression in other words may put statements before it."""
        if not self.sugared(node):
            return False
        meaning = self.meaning(node) if isinstance(node, (gast.expr, gast.Starred)) else None
        return meaning is not None and meaning.hoists or any(self.hoists(child) for child in gast.iter_child_nodes(node))

    def expr(self, node: Any) -> Any:
        """The expression in the core language; what has to run before it is emitted."""
        if not self.sugared(node):
            return node
        meaning = self.meaning(node)
        if meaning is not None:
            return self._at(meaning.write())
        if isinstance(node, gast.IfExp):
            return self._choice(node)
        if isinstance(node, gast.BoolOp):
            return self._boolean(node)
        if isinstance(node, gast.Compare) and len(node.ops) > 1 and any(map(self.sugared, node.comparators[1:])):
            return self._chain(node)
        if isinstance(node, (*COMPREHENSIONS, gast.Lambda)):
            return self._within(node)
        return self._parts(node)

    def _is_variable(self, node: gast.Attribute) -> bool:
        """An attribute of an object that is made here, and is no property."""
        value = self.objects.get(node.value.id) if isinstance(node.value, gast.Name) else None
        return value is not None and node.attr in value.attributes

    def _attribute(self, node: gast.Attribute) -> gast.expr:
        base = self.expr(node.value)
        value = objects.value_of(self, base)
        if value is None:
            return gast.copy_location(gast.Attribute(base, node.attr, gast.Load()), node)
        return objects.read(self, value, base, node.attr, node)

    def _within(self, node: Any) -> Any:
        """A comprehension or lambda that stays: calls in it are written in other words where that needs no statement before them."""
        saved, self.out = self.out, None
        names: Any = gast.walk(node)
        local, self.local = self.local, self.local | {n.id for n in names if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
        try:
            return self._parts(node)
        except CannotHoistError:
            return node
        finally:
            self.out, self.local = saved, local

    def _parts(self, node: Any) -> Any:
        """A node with its operands in the core language."""
        slots = _slots(node)
        new = self.operands([getattr(owner, field) if i is None else getattr(owner, field)[i] for owner, field, i in slots])
        for (owner, field, i), value in zip(slots, new, strict=True):
            if i is None:
                setattr(owner, field, value)
            else:
                getattr(owner, field)[i] = value
        return node

    def operands(self, nodes: Sequence[Any]) -> list[Any]:
        """Operands in Python's order: what comes before a statement of ours, and could be changed by it, is kept under a name."""
        marked = [i for i, node in enumerate(nodes) if self.sugared(node)]
        last = marked[-1] if marked else -1
        done: list[Any] = []
        for i, node in enumerate(nodes):
            if i > last:
                done.append(node)
                continue
            new = self.expr(node)
            done.append(self._steady(new, nodes[i + 1:]) if i < last and self._hoists(nodes[i + 1:]) else new)
        return done

    def _hoists(self, nodes: Sequence[Any]) -> bool:
        """Writing these in other words may put statements before them."""
        return self.out is not None and any(self.hoists(node) for node in nodes)

    def _steady(self, node: Any, later: Sequence[Any]) -> Any:
        if is_literal(node) or isinstance(node, gast.Constant) or self.object(node) is not MISSING \
                or isinstance(node, gast.Name) and (node.id in self.objects or not self._rebinds(later, node.id)):
            return node
        if isinstance(node, gast.Starred):
            node.value = self._steady(node.value, later)
            return node
        return load(self.kept(node, "value"))

    def _rebinds(self, nodes: Sequence[Any], name: str) -> bool:
        """An expression may bind a name of the function: by a walrus, or in a nested function that shares its variables."""
        for node in nodes:
            for part in gast.walk(node):
                if isinstance(part, gast.NamedExpr) and part.target.id == name:
                    return True
                if isinstance(part, gast.Name) and part.id in self.functions and self.functions[part.id].in_place:
                    return True
                if isinstance(part, (gast.Call, gast.Attribute, gast.BinOp)) and self.is_state(name) and objects._mentions(self, part):
                    return True
        return False

    def is_state(self, name: str) -> bool:
        """A variable that stands for an attribute of an object, which its methods may change."""
        return any(name in value.attributes.values() for value in self.objects.values())

    def _walrus(self, node: gast.NamedExpr) -> gast.expr:
        self.statement(self._at(gast.Assign([node.target], node.value, None)))
        return load(node.target.id)

    def _choice(self, node: gast.IfExp) -> gast.expr:
        test = self.expr(node.test)
        if not self.hoists(node.body) and not self.hoists(node.orelse):
            return gast.copy_location(gast.IfExp(test, self.expr(node.body), self.expr(node.orelse)), node)
        name = self.temporary("choice")
        branches = [self.block([self._at(assign(name, part))]) for part in (node.body, node.orelse)]
        self.emit(gast.If(test, *branches))
        return load(name)

    def _boolean(self, node: gast.BoolOp) -> gast.expr:
        if not any(self.hoists(part) for part in node.values[1:]):
            return self._parts(node)
        name = self.temporary("choice")
        self.statement(self._at(assign(name, node.values[0])))
        for value in node.values[1:]:
            test: gast.expr = load(name)
            if isinstance(node.op, gast.Or):
                test = gast.UnaryOp(gast.Not(), test)
            self._nest(gast.If(test, [self._at(assign(name, value))], []))
        return load(name)

    def _nest(self, stmt: gast.stmt) -> None:
        self.statement(self._at(stmt))

    def _chain(self, node: gast.Compare) -> gast.expr:
        """`a < f() < g()`: g is called only where the first comparison holds."""
        sides = [node.left, *node.comparators]
        kept = [sides[0], *[gast.NamedExpr(store(self.temporary("value")), side) for side in sides[1:-1]], sides[-1]]
        tests = []
        for i, op in enumerate(node.ops):
            left = kept[i] if i == 0 else load(kept[i].target.id)
            tests.append(gast.Compare(left, [op], [kept[i + 1]]))
        return self.expr(self._at(gast.BoolOp(gast.And(), tests)))


def _slots(node: Any) -> list[tuple[Any, str, int | None]]:
    """The operands of a node in the order in which Python evaluates them: owner, field, place in a list."""
    found: list[tuple[Any, str, int | None]] = []
    parts: Any
    if isinstance(node, gast.Dict):
        for i in range(len(node.values)):
            found += [(node, "keys", i)] if node.keys[i] is not None else []
            found.append((node, "values", i))
        return found
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        found.append((node.func, "value", None))
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(node, gast.Call) and field == "func" and isinstance(value, (gast.Attribute, gast.Name)):
            continue
        parts = enumerate(value) if isinstance(value, list) else [(None, value)]
        for i, part in parts:
            if isinstance(part, (gast.Slice, gast.keyword, gast.FormattedValue, gast.comprehension)) \
                    or isinstance(part, gast.Tuple) and any(isinstance(item, gast.Slice) for item in part.elts):
                found += _slots(part)
            elif isinstance(part, (gast.expr, gast.Starred)) and not isinstance(getattr(part, "ctx", gast.Load()), (gast.Store, gast.Param)):
                found.append((node, field, i))
    return found


def _everything(tree: gast.AST) -> set[str]:
    """Names that stand as text in nodes: of functions, imports and patterns."""
    found = set()
    for node in gast.walk(tree):
        for field in ("name", "asname", "rest"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                found.add(value)
    return found


def _made_as(tree: gast.FunctionDef, made: tuple[type, ...]) -> set[str]:
    """The local names that are lists, or tuples, for certain."""
    found = {name for name, nodes in bindings(tree).items()
             if nodes and any(isinstance(node, gast.Assign) for node in nodes)
             and all(isinstance(node, gast.Assign) and isinstance(node.value, made) or _is_augmented(node, tree) for node in nodes)}
    return found


def _is_augmented(node: Any, tree: gast.FunctionDef) -> bool:
    """The name is the target of `name += …`."""
    return isinstance(node, gast.Name) and any(isinstance(stmt, gast.AugAssign) and stmt.target is node for stmt in gast.walk(tree))


def imported(node: Any, name: str, scope: dict[str, Any]) -> Any:
    """What an import statement binds a name to, or MISSING."""
    try:
        for alias in node.names:
            if (alias.asname or alias.name).partition(".")[0] != name:
                continue
            if isinstance(node, gast.ImportFrom):
                package = scope.get("__package__") or None
                module = importlib.import_module("." * (node.level or 0) + (node.module or ""), package)
                if hasattr(module, alias.name):
                    return getattr(module, alias.name)
                return importlib.import_module(f"{module.__name__}.{alias.name}")
            module = importlib.import_module(alias.name)
            return module if alias.asname else importlib.import_module(name)
    except Exception:
        return MISSING
    return MISSING


__all__ = ["CannotHoistError", "Desugar", "imported", "library"]

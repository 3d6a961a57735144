"""The fence: an allow-list of what is differentiated; everything else is refused, all places of a function at once.

Needs a captured function and the parameters to differentiate. Promises refusals in the order of the text, each with place, reason and
remedy, and none for a function that the later stages cannot handle (but for ownership, which they judge). Callees that carry a
derivative are fenced too.
"""
from __future__ import annotations

import builtins
import inspect
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from .. import runtime
from ..errors import Refusal, RefusedError
from ..rules import FIELD
from ..syntax.deep import deep, room
from ..syntax.nodes import (
    blocks,
    body_without_docstring,
    inserts,
    is_literal,
    literal,
    own_expressions,
    parameter_names,
    reads,
    root_name,
    target_names,
    walk,
    writes,
)
from ..syntax.program import MISSING, Captured, Span
from .activity import Varied, carriers, varied_names, views
from .effects import is_clean, is_pure, opaque_calls
from .flow import mutation
from .leaving import always_leaves, escapes_block
from .managers import entered, lets_through, suppressed
from .records import made_names, updated_dict
from .resolve import Operation, Scope, bind

FRAMES = 10                     # on the stack, for a question about a callee
LIBRARIES = ("numpy", "scipy", "jax", "torch", "numba", "sklearn", "pandas", "matplotlib", "tqdm")

TEXTS = (str, repr, format, ascii, np.array2string, np.array_repr, np.array_str)
HIDDEN = (eval, exec, compile, globals, locals, vars, setattr, delattr, __import__)
STATEMENTS = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.If, gast.For, gast.While, gast.Break, gast.Continue, gast.Return,
              gast.Expr, gast.Assert, gast.Raise, gast.Pass, gast.With, gast.Try, gast.FunctionDef)
EXPRESSIONS = (gast.BoolOp, gast.BinOp, gast.UnaryOp, gast.IfExp, gast.Compare, gast.Call, gast.Constant, gast.Attribute,
               gast.Subscript, gast.Name, gast.List, gast.Tuple, gast.Dict, gast.Set, gast.JoinedStr, gast.FormattedValue, gast.Slice,
               gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.Starred)
INSIDE = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
SIGNS = {"LShift": "<<", "RShift": ">>", "BitOr": "|", "BitXor": "^", "BitAnd": "&", "Invert": "~", "MatMult": "@"}
WORDS: Mapping[str, tuple[str, str]] = {
    "TryStar": ("except* is not differentiated", "except without the star"),
    "AsyncWith": ("async with is not differentiated", "a plain function"),
    "AsyncFor": ("async for is not differentiated", "a plain for"),
    "Delete": ("del of a part is not differentiated: what comes after it would move", "a new list or array without it: A = A[1:]"),
    "Import": ("this import cannot be followed: what it names is not there, or has its name from elsewhere too", "import at the top"),
    "ImportFrom": ("this import cannot be followed: what it names is not there, or has its name from elsewhere too", "import at the top"),
    "FunctionDef": ("this nested function assigns variables of the function around it, and is used as a value",
                    "call it by its name, or return the new values"),
    "AsyncFunctionDef": ("an async def is not differentiated", "a plain def"),
    "ClassDef": ("a class inside of a function is not differentiated", "define the class outside"),
    "Match": ("a pattern of this match is not differentiated", "if and elif"),
    "ListComp": ("this comprehension is not differentiated", "a for loop that appends, or an array expression"),
    "SetComp": ("a set of differentiable values is not differentiated: it has no order, and drops what is equal", "a list: [... for ...]"),
    "DictComp": ("this dict comprehension is not differentiated", "a list comprehension, or an array"),
    "GeneratorExp": ("this generator expression is not differentiated", "a for loop, or an array expression"),
    "NamedExpr": ("this := is not differentiated", "an assignment on a line before"),
    "Starred": ("this starred expression (*) is not differentiated", "the items one by one"),
    "Yield": ("a generator (yield) is not differentiated", "return the values"),
    "YieldFrom": ("a generator (yield from) is not differentiated", "return the values"),
    "Await": ("await is not differentiated", "a plain function"),
    "TypeAlias": ("a type alias is not differentiated", "write it outside"),
}


@dataclass
class Fence:
    """What one attempt gathers. capture: gives the text of a callee, or raises RefusedError; uses: where the objects of a class are used as
    values, in the text of a function; met: the functions that were checked."""

    capture: Callable[[Any], Captured]
    mode: str = "reverse"
    uses: Mapping[tuple[Any, type], Refusal] = field(default_factory=dict)
    refusals: list[Refusal] = field(default_factory=list)
    seen: set[tuple[Any, ...]] = field(default_factory=set)
    clean: dict[Any, bool] = field(default_factory=dict)
    met: list[Captured] = field(default_factory=list)
    waiting: list[tuple[Captured, tuple[str, ...]]] = field(default_factory=list)

    def check(self, captured: Captured, wrt: tuple[str, ...]) -> None:
        """Gather the refusals of a function and of what it calls."""
        self.ask(captured, wrt)
        while self.waiting:
            one, active = self.waiting.pop(0)
            self.met.append(one)
            with deep(one.tree):
                _Check(self, one, active).run()

    def ask(self, captured: Captured, wrt: tuple[str, ...]) -> None:
        """Let a function be checked, once for each choice of parameters."""
        if (captured.fn.__code__, wrt) not in self.seen:
            self.seen.add((captured.fn.__code__, wrt))
            self.waiting.append((captured, wrt))

    def is_clean(self, fn: Any) -> bool:
        """The function changes nothing that it is given."""
        if fn not in self.clean:
            self.clean[fn] = True                          # a recursive call adds nothing
            try:
                with room(FRAMES):
                    self.clean[fn] = is_clean(self.capture(fn), self.is_clean)
            except RefusedError:
                self.clean[fn] = False
        return self.clean[fn]


class _Check:
    def __init__(self, fence: Fence, captured: Captured, wrt: tuple[str, ...]) -> None:
        self.fence, self.captured, self.tree = fence, captured, captured.tree
        local = {n.id for n in walk(self.tree) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
        self.scope = Scope(captured.namespace, local)
        self.wrt = wrt
        self.made = made_names(self.tree, self.scope)
        self.varied: set[str] = set()
        self.is_varied = Varied(self.varied, self.scope)
        self.texts: set[str] = set()
        self.alone: set[int] = set()
        self.looped: set[int] = set()
        self.said: set[int] = set()
        self.carrying: set[int] = set()
        self.harmless: set[int] = set()
        self.caught = {handler.name.id for handler in walk(self.tree) if isinstance(handler, gast.ExceptHandler) and handler.name is not None}

    def refuse(self, node: Any, why: str, remedy: str = "") -> None:
        refusal = Refusal(self.span(node), why, remedy)
        if refusal not in self.fence.refusals:
            self.fence.refusals.append(refusal)

    def span(self, node: Any) -> Span | None:
        if isinstance(node, gast.TryStar):
            return self._star(node)
        if isinstance(node, gast.stmt) and getattr(node, "origin", None) is not None and not hasattr(node, "value"):
            return node.origin.span  # type: ignore[no-any-return]
        line = getattr(node, "lineno", None)
        if line is None:
            return None
        column = node.col_offset
        end = getattr(node, "end_col_offset", None)
        return Span(self.captured.source, line, column, getattr(node, "end_lineno", None) or line, column if end is None else end)

    def _star(self, node: Any) -> Span | None:
        """The first `except*` of a statement."""
        span = self.span(node.handlers[0])
        if span is None:
            return None
        line = span.source.line(span.line)
        return Span(span.source, span.line, span.column, span.line, line.find("*", span.column) + 1 or len(line))

    def run(self) -> None:
        args = self.tree.args
        if args.vararg:
            self.refuse(args.vararg, "a parameter with a star (*) takes any number of positional arguments",
                        "name the parameters")
        if args.kwarg:
            self.refuse(args.kwarg, "a parameter with two stars (**) takes any keyword arguments", "name the parameters")
        body = body_without_docstring(self.tree)
        for node in walk(body):
            if isinstance(node, gast.With):
                node.swallows = any(suppressed(item.context_expr, self.scope) is not None for item in node.items)
        self._exits(body)
        self._statements(body)
        if self.fence.refusals:
            known = len(self.fence.refusals)
            try:
                self._calls(body)
            except (AttributeError, KeyError, TypeError, AssertionError):
                del self.fence.refusals[known:]            # a text already refused may not be understood any further
            return
        self._calls(body)

    def _exits(self, body: list[gast.stmt]) -> None:
        returns = [n for n in _own(body) if isinstance(n, gast.Return)]
        if not returns:
            self.refuse_whole("it returns nothing", "return a number or an array")
            return
        for node in returns:
            if node.value is None or isinstance(node.value, gast.Constant) and node.value.value is None:
                self.refuse(node, "it returns None", "return a number or an array")
        if not always_leaves(body) and not any(isinstance(node, (gast.TryStar, gast.Match)) for node in walk(body)):    # refused elsewhere
            self.refuse_whole("a path through it ends without return, and so returns None",
                              "return a number or an array on every path")

    def refuse_whole(self, why: str, remedy: str) -> None:
        self.fence.refusals.append(Refusal(self.span(self.tree), why, remedy))

    # ------------------------------------------------------------------ syntax
    def _statements(self, body: list[gast.stmt]) -> None:
        for stmt in reachable(body):
            if not isinstance(stmt, STATEMENTS):
                self.refuse(stmt, *self._words(stmt))
                continue
            if isinstance(stmt, gast.With):
                stmt.inserts = self._is_insertion(stmt)
                if stmt.inserts:
                    self._insertion(stmt)
                    continue
                self._with(stmt)
            if isinstance(stmt, gast.FunctionDef):
                continue
            if isinstance(stmt, gast.Try):
                self._try(stmt)
            for target in _targets(stmt):
                self._target(target)
            for node in [*_expressions(stmt), *(item.context_expr for item in getattr(stmt, "items", ()))]:
                self._expression(node)
            for block in blocks(stmt):
                self._statements(block)

    def _words(self, stmt: gast.stmt) -> tuple[str, str]:
        """Why a statement is refused, and the remedy."""
        if not isinstance(stmt, (gast.Global, gast.Nonlocal)):
            name = type(stmt).__name__
            return WORDS.get(name, (f"{name} is not differentiated", "other statements"))
        assigned = [name for name in stmt.names if name in writes(self.tree.body)]
        kind = type(stmt).__name__.lower()
        if not assigned:
            return f"{stmt.names[0]} is declared {kind}, and is only read", f"leave the line out: what is read needs no {kind}"
        return f"the {kind} variable {assigned[0]} is assigned, and who else reads it cannot be seen here", \
            "return the value, and assign it where the function is called"

    def _try(self, stmt: Any) -> None:
        left = escapes_block(stmt.finalbody)
        if left or always_leaves(stmt.finalbody):
            self.refuse(stmt.finalbody[0], f"finally leaves by {sorted(left or {'raise'})[0]}, whatever was raised or returned before it",
                        "finally for what has to be done on every way, and the rest after it")

    def _with(self, stmt: Any) -> None:
        for item in stmt.items:
            target = item.optional_vars
            if isinstance(item.context_expr, gast.Call) and self.scope.value(item.context_expr.func) is runtime.insert_grad_of:
                self.refuse(stmt, "insert_grad_of takes one variable and gives its cotangent a name", "with tnb.insert_grad_of(y) as by:")
            if target is not None and not all(isinstance(part, (gast.Name, gast.Tuple, gast.List)) for part in walk(target)):
                self.refuse(target, "with binds a part of something", "a variable of its own")

    def _is_insertion(self, stmt: Any) -> bool:
        call = stmt.items[0].context_expr
        return len(stmt.items) == 1 and isinstance(call, gast.Call) and self.scope.value(call.func) is runtime.insert_grad_of

    def _insertion(self, stmt: Any) -> None:
        item = stmt.items[0]
        call = item.context_expr
        if len(stmt.items) != 1 or len(call.args) != 1 or not isinstance(call.args[0], gast.Name) or call.keywords \
                or not isinstance(item.optional_vars, gast.Name):
            self.refuse(stmt, "insert_grad_of takes one variable and gives its cotangent a name", "with tnb.insert_grad_of(y) as by:")
            return
        if self.fence.mode == "forward":
            self.refuse(stmt, "forward mode has no cotangent that inserted code could change", "reverse mode: grad, vjp")
        inside = {n for inner in stmt.body for n in writes(inner)} - {item.optional_vars.id}
        if clash := sorted(inside & self._names_elsewhere(stmt)):
            self.refuse(stmt, f"inserted code assigns {clash[0]}, which the function uses too", "another name")
        for inner in stmt.body:
            if isinstance(inner, (gast.Return, gast.Break, gast.Continue)) or not isinstance(inner, STATEMENTS) \
                    or isinstance(inner, (gast.With, gast.Try)):
                self.refuse(inner, "inserted code leaves its block", "assignments, branches and calls")

    def _names_elsewhere(self, block: Any) -> set[str]:
        inner = {id(n) for n in walk(block)}
        return {n.id for n in walk(self.tree) if isinstance(n, gast.Name) and id(n) not in inner}

    def _target(self, target: Any) -> None:
        if isinstance(target, gast.Name):
            return
        if isinstance(target, (gast.Tuple, gast.List)):
            for item in target.elts:
                self._target(item)
        elif isinstance(target, gast.Starred):
            self.refuse(target, *WORDS["Starred"])
        elif isinstance(target, gast.Attribute):
            if not (isinstance(target.value, gast.Name) and target.value.id in self.made):
                self.refuse(target, "an attribute is assigned, of an object that others may hold: such objects are not differentiated",
                            "make the object here, or keep the value in a variable, and return it")
        elif isinstance(target, gast.Subscript):
            if not isinstance(target.value, gast.Name):
                self.refuse(target, "a part of a part is assigned, which may be a view", "one index: A[i, j] = v")
            elif target.value.id not in self.scope.local:
                self.refuse(target, f"{target.value.id} is global: what is changed in place has to be a fresh local array",
                            f"copy it first: {target.value.id}_ = {target.value.id}.copy()")
            self._expression(target.slice)

    def _expression(self, node: Any) -> None:
        if isinstance(node, INSIDE):
            return                                         # it stays as it is, and is judged as a whole
        if not isinstance(node, EXPRESSIONS):
            if isinstance(node, gast.expr):
                self.refuse(node, *WORDS.get(type(node).__name__, (f"{type(node).__name__} is not differentiated", "")))
                return
        if isinstance(node, gast.Call):
            for keyword in node.keywords:
                if keyword.arg is None:
                    self.refuse(keyword.value, "keyword arguments with two stars (**) are not differentiated yet",
                                "write the keywords one by one")
        for child in gast.iter_child_nodes(node):
            if isinstance(child, (gast.expr, gast.keyword)):
                self._expression(child) if isinstance(child, gast.expr) else self._expression(child.value)

    # ------------------------------------------------------------------ calls and operators
    def _stores(self, body: list[gast.stmt]) -> None:
        """Refuse to store in containers that the function has not made itself, if their parts are differentiated."""
        for stmt in _all(body):
            for target in _targets(stmt) if isinstance(stmt, (gast.Assign, gast.AugAssign)) else ():
                name = root_name(target) or ""
                if isinstance(target, gast.Subscript):
                    self._index(target)
                if isinstance(target, gast.Name) or not self.active(stmt.value) and name not in self.varied:
                    continue
                if name in self.made and isinstance(target, gast.Subscript) and isinstance(target.slice, gast.Slice):
                    self.refuse(target, f"a slice of {name} is set, which is a list", "a loop over its items, or an array")
                elif name not in self.made and isinstance(target, gast.Subscript) and isinstance(target.slice, gast.Constant) \
                        and isinstance(target.slice.value, str):
                    self.refuse(target, f"an item of the dict {name} is set, and others may hold it: only a dict that the function "
                                "makes may be changed", f"another dict: {name} = {{**{name}, {target.slice.value!r}: ...}}")
            if isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call) and isinstance(stmt.value.func, gast.Attribute) \
                    and stmt.value.func.attr in ("update", "setdefault", "popitem", "clear", "insert", "extend", "remove", "sort", "reverse") \
                    and root_name(stmt.value.func) in self.varied | self.made and (
                        root_name(stmt.value.func) in self.varied or any(map(self.active, stmt.value.args))) \
                    and updated_dict(stmt, self.made) is None:
                self.refuse(stmt, f".{stmt.value.func.attr} changes a container that is differentiated", "items set one by one, or another one")

    def _calls(self, body: list[gast.stmt]) -> None:
        self.varied = varied_names(self.tree, self.wrt, self.scope)
        self.is_varied = Varied(self.varied, self.scope)
        self._stores(body)
        self.alone = {id(stmt.value) for stmt in _all(body) if isinstance(stmt, (gast.Assign, gast.Expr, gast.Return))}
        self.looped = {id(node) for stmt in _all(body) if isinstance(stmt, gast.For) for _, node in views(stmt.target, stmt.iter)}
        self.said = {id(stmt.value) for stmt in _all(body) if isinstance(stmt, gast.Expr)}
        self._find_texts(body)
        self.carrying = {id(node) for stmt in _all(body) if isinstance(stmt, (gast.Assign, gast.AugAssign, gast.Return, gast.AnnAssign))
                         and stmt.value is not None for node in _carrying(stmt.value, self.scope)}
        self.carrying |= {id(node) for stmt in _all(body) if isinstance(stmt, gast.For) for node in _carrying(stmt.iter, self.scope)}
        for stmt in _all(body):
            if isinstance(stmt, gast.For):
                grown = {changed[1] for inner in _all(stmt.body) if (changed := mutation(inner)) is not None}
                if grown & reads(stmt.iter):
                    name = sorted(grown & reads(stmt.iter))[0]
                    self.refuse(stmt, f"the loop goes over {name}, and changes it",
                                f"a copy on a line before, items = {name}[:], and a loop over items; or while")
            if isinstance(stmt, gast.AugAssign):
                whole = gast.copy_location(gast.BinOp(_read(stmt.target), stmt.op, stmt.value), stmt)
                if self.active(stmt.target_read if hasattr(stmt, "target_read") else _read(stmt.target)) or self.active(stmt.value):
                    self._active_operation(whole, stmt)
            if isinstance(stmt, gast.FunctionDef):
                self._nested(stmt)
            if isinstance(stmt, gast.With) and not inserts(stmt):
                self._managers(stmt)
            for node in [*_expressions(stmt), *(self._entered(stmt) if isinstance(stmt, gast.With) and not inserts(stmt) else [])]:
                called = {id(part.func) for part in walk(node) if isinstance(part, gast.Call)}
                self._find_harmless(node)
                inside = {id(inner) for part in walk(node) if isinstance(part, INSIDE) for inner in walk(part) if inner is not part}
                for part in walk(node):
                    if isinstance(part, gast.expr) and id(part) not in called and id(part) not in inside:
                        self._one(part)

    def _nested(self, stmt: Any) -> None:
        """A function that stays in the text: what it computes must not depend on what is differentiated, but through its arguments."""
        if any(isinstance(node, (gast.Yield, gast.YieldFrom, gast.Await)) for node in gast.walk(stmt)):
            self.refuse(stmt, f"the nested function {stmt.name} is a generator (it yields)", "collect the values in a list, and return them")
        elif any(isinstance(node, (gast.Nonlocal, gast.Global)) for node in gast.walk(stmt)):
            self.refuse(stmt, *WORDS["FunctionDef"])
        elif taken := sorted(reads(stmt) & self.varied - _parameters(stmt)):
            self.refuse(stmt, f"the function {stmt.name} reads {taken[0]}, which is differentiated, and it is used as a value in a way that is "
                        "not known beforehand", f"pass {taken[0]} as an argument, or call {stmt.name} by its name")

    def _kept(self, node: Any) -> None:
        """A comprehension or lambda that stays in the text."""
        for part in gast.walk(node):
            if isinstance(part, gast.NamedExpr):
                self.refuse(part, "the walrus := binds a variable of the function inside of this", "a loop, and an assignment")
        if isinstance(node, gast.Lambda):
            if id(node) not in self.harmless and (taken := sorted(reads(node.body) & self.varied - _parameters(node))):
                self.refuse(node, f"this lambda reads {taken[0]}, which is differentiated, and where it is called is not known beforehand",
                            "call it by its name, or pass it to a function of your own")
        elif self.active(node):
            self.refuse(node, *WORDS[type(node).__name__])

    def _entered(self, stmt: Any) -> Iterator[gast.expr]:
        """The expressions of managers; of those that are known what they are made of."""
        for item in stmt.items:
            node = item.context_expr
            known = isinstance(node, gast.Call) and (lets_through(node, self.scope) or suppressed(node, self.scope) is not None)
            yield from [*node.args, *(keyword.value for keyword in node.keywords)] if known else [node]

    def _managers(self, stmt: Any) -> None:
        for item in stmt.items:
            node = item.context_expr
            if entered(node, self.scope) is None and (self.active(node) or any(
                    self.active(part) for part in walk(node) if isinstance(part, gast.expr))):
                self.refuse(node, "a manager is made of something that is differentiated, or is such a thing itself",
                            "tnb.stop_gradient(...) around it, if it is meant as a constant")

    def active(self, node: gast.expr) -> bool:
        return self.is_varied.of(node)

    def _find_harmless(self, node: Any) -> None:
        """The lambdas that only decide an order."""
        for part in walk(node):
            operation = self.scope.operation(part) if isinstance(part, gast.Call) else None
            if operation is not None and operation.kind == "rule" and operation.rule is not None:
                self.harmless.update(id(arg) for name, arg in operation.args.items() if name in operation.rule.nondiff and name == "key")

    def _one(self, node: Any) -> None:
        if isinstance(node, INSIDE):
            self._kept(node)
        elif isinstance(node, gast.Starred) and self.active(node):
            self.refuse(node, *WORDS["Starred"])
        elif isinstance(node, gast.Call):
            self._call(node)
        elif isinstance(node, gast.Subscript):
            self._index(node)
        elif isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Attribute, gast.Dict, gast.Set)):
            self._active_operation(node, node)

    def _index(self, node: Any) -> None:
        for part in node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]:
            if not isinstance(part, gast.Slice) and self.active(part) and not self._is_part(part):
                self.refuse(part, "an index, or a key, carries a derivative", "int(...) around it, or tnb.stop_gradient(...)")

    def _is_part(self, node: Any) -> bool:
        """An int of a record, `p["n"]` or `p.n`: as an index it carries nothing."""
        return isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant) and isinstance(node.slice.value, str) \
            or isinstance(node, gast.Attribute) and self.scope.operation(node).rule is FIELD

    def _active_operation(self, node: Any, place: Any) -> None:
        operation = self.scope.operation(node)
        if isinstance(node, (gast.Dict, gast.Set)):
            if isinstance(node, gast.Set) and any(map(self.active, node.elts)):
                self.refuse(place, WORDS["SetComp"][0], "a list or a tuple")
            keys = [key for key in getattr(node, "keys", []) if key is not None]
            known = [literal(key, None) for key in keys if is_literal(key)]
            if any(map(self.active, getattr(node, "values", []))) and (
                    any(one == other for i, one in enumerate(known) for other in known[:i]) or len(keys) > 1 and len(known) < len(keys)):
                self.refuse(place, "two keys of this dict may be the same, and the first value is lost then",
                            "the items one by one: d[key] = value")
            for key in getattr(node, "keys", []):
                if key is not None and self.active(key):
                    self.refuse(key, "a key of a dict carries a derivative", "int(...) around it, or tnb.stop_gradient(...)")
            return
        if isinstance(node, gast.Attribute):
            if operation.kind == "unknown" and self.active(node.value):
                self.refuse(place, operation.why,
                            "NumPy functions of the array" if hasattr(np.ndarray, node.attr) else "the value in a variable, or as an argument")
            return
        operands = [node.operand] if isinstance(node, gast.UnaryOp) else [node.left, node.right]
        if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Mult)) and any(map(self.active, operands)) \
                and any(isinstance(o, (gast.List, gast.Tuple)) for o in operands):
            self.refuse(place, "a list is added or multiplied, which joins or repeats lists, and adds to arrays",
                        "np.array([...]) around the list")
            return
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            return
        if operation.kind == "plain" and any(self.active(o) for o in operands):
            sign = SIGNS.get(type(node.op).__name__, type(node.op).__name__)
            self.refuse(place, f"the operator {sign} is for integers and truth values, and has no derivative",
                        "int(...) around each operand; of truth values np.logical_and, np.logical_or, np.logical_not")

    def _from_text(self, node: gast.Call, operation: Operation, fn: Any) -> bool:
        """Refuse a number that is read from a text made of what carries a derivative, which would be lost without a word."""
        number = isinstance(fn, type) and issubclass(fn, (int, float, complex, np.generic))
        if number and self.caught & reads([*node.args, *(k.value for k in node.keywords)]):
            self.refuse(node, "a number is read from an exception, which may have been made of something differentiated",
                        "the number in a variable of its own, before it is raised")
            return True
        reads_number = fn is not len and operation.kind == "rule" or number or operation.kind == "function" and id(node) not in self.said
        if not reads_number or not any(self._is_text(arg) for arg in [*node.args, *(k.value for k in node.keywords)]):
            return False
        self.refuse(node, "a number is read from a text, and the text was made of something differentiated: it has no derivative",
                    "the number itself, without the text")
        return True

    def _is_text(self, node: gast.expr) -> bool:
        """The expression is, or holds, a text made of what carries a derivative."""
        for part in walk(node):
            if isinstance(part, gast.Name) and part.id in self.texts:
                return True
            makes = isinstance(part, gast.JoinedStr) or isinstance(part, gast.Call) and any(self.scope.value(part.func) is one for one in TEXTS)
            if makes and reads(part) & (self.varied | self.texts):
                return True
        return False

    def _find_texts(self, body: list[gast.stmt]) -> None:
        size = -1
        while size < len(self.texts):
            size = len(self.texts)
            for stmt in _all(body):
                if isinstance(stmt, (gast.Assign, gast.AugAssign, gast.AnnAssign)) and stmt.value is not None and self._is_text(stmt.value):
                    self.texts.update(name for target in _targets(stmt) for name in [*target_names(target), root_name(target) or ""])
                elif isinstance(stmt, gast.For) and self._is_text(stmt.iter):
                    self.texts.update(target_names(stmt.target))
        self.texts.discard("")

    def _call(self, node: gast.Call) -> None:
        operation = self._resolved(node)
        receiver = [node.func.value] if isinstance(node.func, gast.Attribute) and operation.fn is None else []
        args = [*receiver, *node.args, *(k.value for k in node.keywords)]
        active = any(self.active(arg) for arg in args)
        fn = self.scope.value(node.func)
        if self._from_text(node, operation, fn):
            return
        if id(node) in self.said and updated_dict(gast.Expr(node), self.made) is not None:
            return
        if operation.kind in ("container", "replaced") or id(node) in self.looped or fn is sorted and id(node.args[0]) in self.looped:
            return
        if operation.kind == "each" or fn is runtime.check_helpers or fn is runtime.insert_grad_of:
            return
        if _appends(node, self.scope):
            if id(node) not in self.alone:
                self.refuse(node, f"a list changes (.{node.func.attr}) inside of an expression", "a line of its own for it")
            return
        if operation.kind == "rule" and operation.rule is not None:
            if not operation.rule.supported and active:
                rule = operation.rule
                self.refuse(node, f"{rule.name} is not differentiated: {rule.because}", rule.instead)
            side = operation.rule.push if self.fence.mode == "forward" else operation.rule.pull
            for name in operation.rule.active_params:
                if operation.rule.supported and name not in side and name in operation.args and self.active(operation.args[name]):
                    what, word = ("tangent", "adjoint") if self.fence.mode == "forward" else ("adjoint", "tangent")
                    self.refuse(node, f"{operation.rule.name} has a rule for its {word}, and none for its {what}", f"@tnb.{what} too")
            settings = set() if operation.rule.name.startswith("rt.") or not operation.rule.active_params \
                else operation.rule.nondiff - {"key", operation.rule.params[0]}
            if "key" in operation.args and not self._is_pure_key(operation.args["key"]):
                self.refuse(operation.args["key"], "the key is asked again in the backward pass, and it may do more than compute",
                            "a key that only computes, or the keys in a list first")
            for name in sorted(operation.rule.refused | settings):
                if name in operation.args and self.active(operation.args[name]):
                    self.refuse(operation.args[name], f"{operation.rule.name} is not differentiated by its argument {name}",
                                "tnb.stop_gradient(...) around it, if it is meant as a constant")
            return
        if operation.kind == "function":
            if active:
                self._callee(node, operation.fn)
                if id(node) not in self.carrying and not self.fence.is_clean(operation.fn):
                    self.refuse(node, f"{getattr(operation.fn, '__name__', 'it')} may change what it is given, and its result is not used "
                                "for its value", "return the new value instead, and assign it")
            elif opaque_calls(gast.Call(node.func, [], []), self.scope, self.fence.is_clean) and any(map(self._memory, args)):
                self._opaque(node)
            return
        strict = [keyword.value for keyword in node.keywords if keyword.arg == "strict"]
        if fn is zip and active and any(not isinstance(value, gast.Constant) or value.value for value in strict):
            self.refuse(node, "zip(strict=True) also compares lengths, which is not done where items are differentiated",
                        "zip, and an assert of the lengths")
            return
        if operation.kind == "dynamic" and active:
            return                                         # it is judged when it is called
        if any(fn is one for one in HIDDEN):
            self.refuse(node, *_hidden(fn))
            return
        if fn is print and active and id(node) not in self.said:
            self.refuse(node, "print returns None, and its result is used", "print(...) on a line of its own")
            return
        if active and (fn is set or fn is frozenset):
            self.refuse(node, WORDS["SetComp"][0], "a list or a tuple")
            return
        if active and isinstance(fn, type) and issubclass(fn, BaseException):
            self.refuse(node, "an exception is made of something that is differentiated, and may be read where it is caught",
                        "a text of it: f'...', and the number in a variable of its own")
            return
        if active and isinstance(fn, type) and is_user_class(fn):
            self._object(node, fn)
            return
        harmless = not opaque_calls(node, self.scope, self.fence.is_clean)
        if active and not (harmless and self._is_statement_or_plain(node, fn)):
            self.refuse(node, operation.why or "this call is not known", _instead(operation))
        elif not harmless and any(map(self._memory, args)):
            self._opaque(node)

    def _is_pure_key(self, node: Any) -> bool:
        """The key of `sorted`, `max` or `min` is a function that only computes."""
        if isinstance(node, gast.Lambda):
            return is_pure(node.body, self.scope)
        fn = self.scope.value(node)
        if fn is MISSING or isinstance(node, gast.Constant):
            return isinstance(node, (gast.Constant, gast.Call)) or isinstance(node, gast.Attribute) and node.attr == "get"
        if not isinstance(fn, types.FunctionType):
            return True
        try:
            captured = self.fence.capture(fn)
        except RefusedError:
            return False
        return all(is_pure(part, Scope(captured.namespace, writes(captured.tree))) for stmt in captured.tree.body for part in _expressions(stmt))

    def _object(self, node: gast.Call, cls: type) -> None:
        """An object that stays one, and is none of what is a container."""
        use = self.fence.uses.get((self.captured.fn, cls))
        if not _takes(cls, node):
            self.refuse(node, f"{cls.__name__} does not take these arguments", "a call that Python accepts")
        elif use is None:
            self.refuse(node, f"an object of class {cls.__name__} is made here, which is not differentiated as a value",
                        "numbers, arrays, or an object of a plain dataclass or a named tuple")
        elif use not in self.fence.refusals:
            self.fence.refusals.append(use)

    def _opaque(self, node: gast.Call) -> None:
        self.refuse(node, "this call may change what it is given, and its text does not say so",
                    "call it outside, and pass the result as an argument")

    def _memory(self, node: gast.expr) -> bool:
        """The argument may be something that a call can change."""
        if isinstance(node, (gast.Constant, gast.BinOp, gast.Compare, gast.JoinedStr)):
            return False
        if isinstance(self.scope.value(node), types.FunctionType):
            return False                                   # a function by its name
        operation = self.scope.operation(node)
        if operation.kind == "rule" and operation.rule is not None and operation.rule.memory == "fresh":
            return False
        return bool(reads(node))

    @staticmethod
    def _is_statement_or_plain(node: gast.Call, fn: Any) -> bool:
        return fn is print or fn in (zip, enumerate, reversed, list, tuple) if isinstance(fn, type) or fn is print else False

    def _resolved(self, node: gast.Call) -> Operation:
        operation = self.scope.operation(node)
        if operation.kind == "function" and is_library(operation.fn):
            return Operation("unknown", fn=operation.fn, why=f"{operation.fn.__module__}.{operation.fn.__name__} has no rule")
        return operation

    def _callee(self, node: gast.Call, fn: Any) -> None:
        try:
            captured = self.fence.capture(fn)
        except RefusedError as error:
            first = error.refusals[0]
            self.refuse(node, f"{getattr(fn, '__name__', 'it')} is called, and {first.why}", first.remedy)
            self.fence.refusals.extend(r for r in error.refusals if r.span is not None and r not in self.fence.refusals)
            return
        parameters = parameter_names(captured.tree)
        active = [name for name, arg in (bind(captured, node) or {}).items() if self.active(arg)]
        self.fence.ask(captured, tuple(name for name in parameters if name in active))


def _parameters(node: Any) -> set[str]:
    """The names that a nested function binds."""
    return writes(node)


def _hidden(fn: Any) -> tuple[str, str]:
    """Why a call of one of HIDDEN is refused, and the remedy."""
    if fn in (eval, exec, compile, __import__):
        return f"{fn.__name__} runs what cannot be seen here", "its text as a statement or an expression of the function"
    return f"{fn.__name__} reaches variables by their names, which cannot be seen here", "the variables or attributes themselves: x, obj.x"


def _instead(operation: Operation) -> str:
    """What to write for a call without a rule."""
    if "not called so" in operation.why:
        return "a call of this form, and its result assigned"
    return "a function of NumPy, or one of your own; or a rule for it: @tnb.adjoint"


def _takes(cls: type, node: gast.Call) -> bool:
    """A class can be called so, as far as that is written down."""
    if any(isinstance(arg, gast.Starred) for arg in node.args) or any(k.arg is None for k in node.keywords):
        return True
    try:
        signature = inspect.signature(cls)
    except (TypeError, ValueError):
        return True
    try:
        signature.bind(*node.args, **{k.arg: k.value for k in node.keywords})
    except TypeError:
        return False
    return True


def is_user_class(cls: type) -> bool:
    """A class that is not of a library."""
    top = (cls.__module__ or "").partition(".")[0]
    if top == "builtins":
        return vars(builtins).get(cls.__name__) is not cls          # made where no module has a name
    return top == "__main__" or top not in (*LIBRARIES, *sys.stdlib_module_names)


def is_library(fn: types.FunctionType) -> bool:
    """A function of the standard library, or of a library that is known not to be text to differentiate."""
    top = (fn.__module__ or "").partition(".")[0]
    return top in LIBRARIES or (top in sys.stdlib_module_names and top != "__main__")


def _appends(node: gast.Call, scope: Scope) -> bool:
    func = node.func
    return isinstance(func, gast.Attribute) and (
        mutation(gast.Expr(node)) is not None and isinstance(func.value, gast.Name) and func.value.id in scope.local
        or func.attr == "add_at" and scope.value(func) is runtime.add_at)


def _carrying(node: gast.expr, scope: Scope) -> Iterator[gast.expr]:
    """The expressions through which the value of `node` may carry a derivative."""
    yield node
    for part in carriers(node, scope) if not isinstance(node, gast.Name) else ():
        yield from _carrying(part, scope)
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id in ("zip", "enumerate", "reversed", "list"):
        for part in node.args:
            yield from _carrying(part, scope)


def _targets(stmt: Any) -> list[Any]:
    if isinstance(stmt, gast.Assign):
        return list(stmt.targets)
    if isinstance(stmt, (gast.AugAssign, gast.AnnAssign, gast.For)):
        return [stmt.target]
    if isinstance(stmt, gast.With):
        return [item.optional_vars for item in stmt.items if item.optional_vars is not None]
    return []


def _expressions(stmt: Any) -> list[Any]:
    """The expressions of a statement itself, those of targets left out."""
    if isinstance(stmt, gast.AnnAssign):
        return [stmt.value] if stmt.value is not None else []
    found = [getattr(stmt, name, None) for name in ("value", "test", "msg", "exc", "cause", "iter")]
    return [node for node in found if isinstance(node, gast.AST)] + (own_expressions(stmt) if isinstance(stmt, gast.Try) else [])


def _all(body: list[gast.stmt]) -> Iterator[Any]:
    """The statements that may be reached; what `insert_grad_of` holds runs in the backward pass, as it is."""
    for stmt in reachable(body):
        yield stmt
        for block in blocks(stmt):
            yield from _all(block)


def reachable(body: list[gast.stmt]) -> list[gast.stmt]:
    """A block up to the statement that leaves it."""
    for place, stmt in enumerate(body):
        if isinstance(stmt, (gast.Return, gast.Raise, gast.Break, gast.Continue)):
            return body[:place + 1]
    return body


def _own(body: list[gast.stmt]) -> Iterator[gast.AST]:
    """The nodes of a body, those of functions and classes in it left out."""
    todo: list[gast.AST] = list(reversed(body))
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)):
            todo.extend(reversed(list(gast.iter_child_nodes(node))))


def _read(target: Any) -> gast.expr:
    if isinstance(target, gast.Name):
        return gast.copy_location(gast.Name(target.id, gast.Load(), None, None), target)
    if isinstance(target, gast.Subscript):
        return gast.copy_location(gast.Subscript(target.value, target.slice, gast.Load()), target)
    return target

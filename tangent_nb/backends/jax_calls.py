"""Expressions on JAX: `np` becomes `jnp`, and what differs becomes a call of a helper, or is refused.

Needs an expression of a generated function, the specs of the names in it, and what names mean. Promises an expression
with the same value on JAX's arrays, or a refusal.

    np.sum(x * x)[0] + np.take(x, i)     →     jnp.sum(x * x)[...] + rt.take(x, i)
    x[i]                                 →     x[rt.within(x, i)]
"""
from __future__ import annotations

import builtins
import math
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from .. import runtime
from ..analyse.draws import DRAWS
from ..analyse.kinds import Env, spec_of
from ..analyse.resolve import Operation, Scope
from ..rules import DRAWING, OnJax, Rule, effects_of, lookup, lookup_operator, of_jax_arrays, on_jax
from ..rules.row import SEVERAL
from ..syntax.building import call, clone, constant, dotted_load, library, load, mark
from ..syntax.nodes import dotted, is_literal, literal, reads
from ..syntax.program import MISSING
from ..syntax.spec import FLOATING, Spec

LISTS = ("list", "tuple")
CONTAINERS = ("list", "tuple", "str", "range")
QUANTILES = ("linear", "lower", "higher", "midpoint", "nearest")
TESTABLE = (list, tuple, dict, str, bool, int, type(None))


@dataclass
class Calls:
    """The expressions of one function.

    siblings: the functions of the same text; floating: the names that are floating wherever it is not known that they
    are not; compiled: for `jax.jit`; twin: the name of the function that a function of the user becomes, or None where
    it cannot; env: the specs of names where the expression stands; wide: a type of 64 bits is named.
    """

    scope: Scope
    siblings: set[str]
    floating: frozenset[str]
    compiled: bool
    refuse: Callable[..., None]
    twin: Callable[[Any, gast.expr], str | None]
    env: Env = field(default_factory=dict)
    wide: bool = False

    def expr(self, node: Any) -> Any:
        """The expression on JAX, a new tree."""
        if isinstance(node, gast.Name):
            return self._name(node)
        if isinstance(node, gast.Attribute):
            return self._attribute(node)
        if isinstance(node, gast.Call):
            return self._call(node)
        if isinstance(node, gast.Subscript):
            return self._subscript(node)
        if isinstance(node, gast.BinOp):
            return self._operator(node)
        if isinstance(node, list):
            return [self.expr(item) for item in node]
        if not isinstance(node, gast.AST):
            return node
        new = node.__class__.__new__(node.__class__)
        new.__dict__.update({key: self.expr(value) if isinstance(value, (gast.AST, list)) else value
                             for key, value in node.__dict__.items() if key in node._fields})
        return new

    def spec(self, node: gast.expr) -> Spec:
        return spec_of(node, self.env, self.scope)

    # ------------------------------------------------------------------ names
    def _name(self, node: Any) -> gast.expr:
        if node.id in self.siblings or not isinstance(node.ctx, gast.Load):
            return clone(node)
        return self._object(node, self.scope.value(node))

    def _attribute(self, node: Any) -> gast.expr:
        value = self.scope.value(node)
        if value is not MISSING:
            return self._object(node, value)
        if self.scope.value(node.value) is np:
            self.refuse(f"{dotted(node)} does not exist", "a name that is in NumPy", dotted(node) or "")
            return clone(node)
        known = of_jax_arrays(node.attr).call and not callable(getattr(np.ndarray, node.attr))
        if not known and hasattr(np.ndarray, node.attr):
            self.refuse(f"arrays of JAX have no .{node.attr}", "a function of NumPy that computes it", f".{node.attr}")
        new = gast.Attribute(self.expr(node.value), node.attr, gast.Load())
        return new if known else library("rt.array(x)", x=new)

    def _object(self, node: Any, value: Any) -> gast.expr:
        """A name, or dotted name, that means `value` now."""
        if _holds_arrays(value):
            return node if self.compiled else library("rt.array(x)", x=node)
        known = on_jax(value)
        if known.call:
            return self._written(known)
        if isinstance(node, gast.Attribute) and self.scope.value(node.value) is np and (
                value is None or value is np.s_ or isinstance(value, float)):
            return dotted_load(f"%jnp.{node.attr}")            # np.pi
        if _is_numpy(value):
            short = (dotted(node) or "it").lstrip("%")
            other = "float, int or bool" if isinstance(value, type) and issubclass(value, np.generic) \
                else "the functions it is made of, or backend='numpy'"
            self.refuse(f"{short} has no counterpart on JAX that is known to be the same",
                        known.instead or other, short)
        if isinstance(value, types.FunctionType) and not _is_ours(value) and not _is_numpy(value):
            self.refuse(f"{dotted(node)} is passed on as a value, and would compute with NumPy",
                        "call it here, by its name", dotted(node) or "")
        return clone(node)

    def _written(self, known: OnJax) -> gast.expr:
        self.wide |= _is_of_64_bits(known)
        return dotted_load(f"%{known.call}")

    # ------------------------------------------------------------------ calls
    def _call(self, node: Any) -> gast.expr:
        if isinstance(node.func, gast.Name) and (node.func.id in self.siblings or node.func.id.startswith("%")):
            return self._plain(node, clone(node.func))
        fn = self.scope.value(node.func)
        operation = self.scope.operation(node)
        known = on_jax(fn)
        if known.call:
            return self._known(node, known, operation)
        if fn is MISSING:
            return self._method(node)
        if _is_numpy(fn):
            self._object(node.func, fn)
        elif fn is runtime.PersistentArray:
            self.refuse("a PersistentArray is one of NumPy's arrays, and those of JAX never change by themselves",
                        "the array, with tnb.append, tnb.setitem and tnb.pop", dotted(node.func) or "")
        elif isinstance(fn, types.FunctionType) and not _is_ours(fn):
            return self._function(node, fn)
        elif fn is isinstance or fn is type:
            self._type_test(node, fn)
        elif not _is_known(fn):
            self.refuse(f"{dotted(node.func) or 'what is called'} may compute with NumPy, "
                        "and arrays of JAX would leave their device",
                        "call it outside, and pass the result as an argument", dotted(node.func) or "")
        if fn is runtime.copy and self.spec(node.args[0]).is_number:
            return self.expr(node.args[0])                 # an array is never changed
        new = self._plain(node, dotted_load(f"%rt.{fn.__name__}") if _is_ours(fn) else clone(node.func))
        if fn in (runtime.sample, runtime.paths) and not reads(node.args[1]) <= self.scope.local:
            self.refuse("a sample is drawn here without the key of a call",
                        "the derivative without tape=, which has further ones")
        if fn is runtime.pack_bits and isinstance(node.args[0], gast.Call) \
                and self.scope.value(node.args[0].func) in runtime.kinks.FEW:
            new.keywords.append(gast.keyword("few", constant(True)))
        if getattr(fn, "__module__", "") == runtime.stored_outside.__name__ and new.args:
            new.args[0] = clone(node.args[0])              # the object itself, which changes
        return new

    def _plain(self, node: Any, func: gast.expr) -> gast.Call:
        return gast.Call(func, [self.expr(a) for a in node.args],
                         [gast.keyword(k.arg, self.expr(k.value)) for k in node.keywords])

    def _known(self, node: Any, known: OnJax, operation: Operation) -> gast.expr:
        """A call of a function that JAX has."""
        rule = lookup(known.fn)
        if rule is not None and (operation.kind != "rule" or _of_memory(operation)):
            taken = f"{rule.name}({', '.join(one for one in rule.params if one not in known.not_taken)})"
            self.refuse(f"{rule.name} is called with arguments that are not known to mean the same on JAX", taken,
                        dotted(node.func) or "")
        of = {id(arg): parameter for parameter, arg in operation.args.items()} if operation.kind == "rule" else {}
        floats = any(self.is_floating(arg) for arg in node.args)
        args = [self._argument(arg, of.get(id(arg), ""), known, rule, floats) for arg in node.args]
        renamed = {old: new for new, old in rule.also_named.items()} if rule is not None else {}
        keywords = [gast.keyword(renamed.get(k.arg, k.arg), self._argument(k.value, of.get(id(k.value), k.arg), known,
                                                                           rule, floats)) for k in node.keywords]
        return gast.Call(self._written(known), args, keywords)

    def _argument(self, node: gast.expr, parameter: str, known: OnJax, rule: Rule | None, floats: bool) -> gast.expr:
        new: gast.expr = self.expr(node)
        if parameter == "dtype" and isinstance(node, gast.Constant) and isinstance(node.value, str):
            self._dtype(node.value)
        if rule is not None and parameter in rule.settings:
            if parameter == "method" and not (isinstance(node, gast.Constant) and node.value in QUANTILES):
                self.refuse(f"{rule.name} has on JAX the methods {', '.join(QUANTILES)} only",
                            "method='linear'", parameter)
            return new
        if known.takes_lists or isinstance(node, gast.Starred):
            return new
        kind = self.spec(node).kind
        if parameter in SEVERAL:
            if isinstance(new, (gast.List, gast.Tuple)):
                new.elts = [_array(item) if self.spec(old).kind in LISTS else item
                            for old, item in zip(node.elts, new.elts, strict=True)]
                return new
            items = self.spec(node).items
            return new if kind == "array" or items and all(item.is_number for item in items) \
                else library("rt.parts(x)", x=new)
        if kind in LISTS:
            return _array(new)
        if known.floats_only and not self.is_floating(node):
            return library("rt.floats(x)", x=new)
        if known.wide and not floats and not self.is_wide(node):
            return library("rt.wide(x)", x=new)
        return new

    def _dtype(self, name: str) -> None:
        """A dtype that is named by a text."""
        kind = on_jax(np.sctypeDict.get(name))
        if not kind.call:
            self.refuse(f"the dtype {name!r} is turned into other floats on JAX than on NumPy", "float, int or bool")
        self.wide |= _is_of_64_bits(kind) and not hasattr(builtins, name)

    def _method(self, node: Any) -> gast.expr:
        """A method of something that only the run knows."""
        func = node.func
        if not isinstance(func, gast.Attribute):
            self.refuse("what is called is not known before the function runs", "call it outside")
            return self._plain(node, clone(func))
        if hasattr(node, "reruns"):
            return self._steps(node)
        known = of_jax_arrays(func.attr)
        if hasattr(np.ndarray, func.attr) and not known.call:
            self.refuse(f"arrays of JAX have no method .{func.attr} that is known to be the same",
                        "a function of NumPy, or backend='numpy'", f".{func.attr}")
        outside = self.scope.value(func.value)
        if isinstance(outside, np.ufunc):
            self.refuse(f"{dotted(func)} has no counterpart on JAX that is known to be the same",
                        "a function of NumPy without a method", dotted(func) or "")
        if _of_memory(self.scope.operation(node)):
            self.refuse(f".{func.attr} is called with arguments that are not known to mean the same on JAX",
                        "a call without them", f".{func.attr}")
        if func.attr == "astype":
            for arg in [*node.args, *[k.value for k in node.keywords]]:
                if isinstance(arg, gast.Constant) and isinstance(arg.value, str):
                    self._dtype(arg.value)
        if isinstance(outside, DRAWING) or hasattr(node, "draws") or func.attr in DRAWS:
            if self.compiled:
                self.refuse("compiled code would draw once, and keep the numbers",
                            "draw them outside, and pass them as an argument", dotted(func) or "")
            return library("rt.array(x)", x=self._plain(node, clone(func)))
        base = self.expr(func.value)
        kind = self.spec(func.value)
        if known.wide and kind.kind not in CONTAINERS and not self.is_wide(func.value):
            base = library("rt.wide(x)", x=base)
        if known.call.startswith("rt."):
            return gast.Call(dotted_load(f"%{known.call}"), [base, *map(self.expr, node.args)],
                             self.expr(node.keywords))
        return self._plain(node, gast.Attribute(base, func.attr, gast.Load()))

    def _steps(self, node: Any) -> gast.expr:
        """The steps of a loop, the last first; the function of a step is its twin."""
        step, *constants = node.args
        twin = self.twin(self.scope.value(step), step)
        given = [clone(step) if twin is None else load(twin), *map(self.expr, constants)]
        return mark(gast.Call(clone(node.func), given, []), reruns=True)

    def _function(self, node: Any, fn: Any) -> gast.expr:
        """A function of the user that carries no derivative here."""
        twin = self.twin(fn, node.func)
        return self._plain(node, clone(node.func) if twin is None else load(twin))

    def _type_test(self, node: Any, fn: Any) -> None:
        if fn is isinstance and len(node.args) == 2:
            kinds = node.args[1].elts if isinstance(node.args[1], gast.Tuple) else [node.args[1]]
            if all(self.scope.value(kind) in TESTABLE for kind in kinds):
                return
        self.refuse("numbers and arrays of JAX have other types than those of NumPy",
                    "np.ndim(x), or a parameter that says what to do", dotted(node.func) or "")

    # ------------------------------------------------------------------ operators and indices
    def _operator(self, node: Any) -> gast.expr:
        left, right = self.expr(node.left), self.expr(node.right)
        kinds = self.spec(node.left).kind, self.spec(node.right).kind
        if kinds[0] in LISTS and kinds[1] in ("array", "numeric"):
            left = _array(left)
        if kinds[1] in LISTS and kinds[0] in ("array", "numeric"):
            right = _array(right)
        row = lookup_operator(type(node.op).__name__)
        helper = on_jax(row.fn).call if row is not None else ""
        if helper and not _is_harmless(node) and not self.is_floating(node.left) and not self.is_floating(node.right) \
                and not (kinds[0] == "int" and kinds[1] == "int"):
            return call(f"%{helper}", left, right)
        if isinstance(node.op, gast.Div) and not self.is_wide(node.left) and not self.is_wide(node.right):
            left = library("rt.wide(x)", x=left)
        return gast.BinOp(left, node.op, right)

    def is_floating(self, node: gast.expr) -> bool:
        """Not of integers for certain: floats go in where a derivative may go through, and come out."""
        spec = self.spec(node)
        if spec.kind == "float" or spec.dtype in FLOATING[:3]:
            return True
        if isinstance(spec.dtype, frozenset) \
                and any(leaf in FLOATING or self._is_leaf_floating(leaf) for leaf in spec.dtype):
            return True
        if isinstance(spec.dtype, str) or spec.kind in CONTAINERS:
            return False
        if isinstance(node, gast.Name):
            return node.id in self.floating
        if isinstance(node, gast.BinOp):
            return self.is_floating(node.left) or self.is_floating(node.right)
        operation = self.scope.operation(node)
        if operation.kind != "rule" or operation.rule is None:
            return False
        return any(self.is_floating(operation.args[name])
                   for name in operation.rule.active_params if name in operation.args)

    def _is_leaf_floating(self, leaf: Any) -> bool:
        return (leaf[1] if isinstance(leaf, tuple) and len(leaf) == 2 else leaf) in self.floating

    def is_wide(self, node: gast.expr) -> bool:
        """Not of truth values for certain."""
        spec = self.spec(node)
        return self.is_floating(node) or spec.kind in ("int", "float") \
            or isinstance(spec.dtype, str) and spec.dtype != "b1"

    def _subscript(self, node: Any) -> gast.expr:
        base, index = self.expr(node.value), self.expr(node.slice)
        if self.is_safe(node.value, node.slice):
            return gast.Subscript(base, index, node.ctx)
        if dotted(node.value) is None:
            return library("rt.pick(x, i)", x=base, i=as_value(index))
        return gast.Subscript(base, library("rt.within(x, i)", x=clone(base), i=as_value(index)), node.ctx)

    def index(self, base: str, node: gast.expr) -> gast.expr:
        """The index of a place in `base` that is written to."""
        index: gast.expr = self.expr(node)
        return index if self.is_safe(load(base), node) else library("rt.within(x, i)", x=base, i=as_value(index))

    def is_safe(self, base: gast.expr, index: gast.expr) -> bool:
        """JAX reads the same with this index, or raises where NumPy does."""
        spec = self.spec(base)
        if spec.kind in CONTAINERS or isinstance(base, gast.Attribute) and base.attr == "shape" \
                or self.scope.value(base) is np.s_:
            return True
        parts = index.elts if isinstance(index, gast.Tuple) else [index]
        return all(isinstance(part, (gast.Slice, gast.Compare))
                   or isinstance(part, gast.Constant) and part.value in (None, ...) for part in parts)


def _is_harmless(node: Any) -> bool:
    """The right operand is a literal with which integers do the same on JAX."""
    value = literal(node.right, None) if is_literal(node.right) else None
    if not isinstance(value, (int, float)):
        return False
    return isinstance(value, float) or (value >= 0 if isinstance(node.op, gast.Pow) else value != 0)


def as_value(index: gast.expr) -> gast.expr:
    """An index as an argument: `1:` is `slice(1, None)` there."""
    if isinstance(index, gast.Tuple):
        return gast.Tuple([as_value(part) for part in index.elts], gast.Load())
    if isinstance(index, gast.Slice):
        parts = [gast.Constant(None, None) if part is None else part for part in (index.lower, index.upper, index.step)]
        return call("%slice", *(parts if index.step is not None else parts[:2]))
    return index


def _array(node: gast.expr) -> gast.expr:
    return call("%jnp.array", node)


def _is_ours(fn: Any) -> bool:
    return str(getattr(fn, "__module__", "")).startswith(runtime.__name__)


def _holds_arrays(value: Any) -> bool:
    if isinstance(value, (list, tuple, dict)):
        return any(map(_holds_arrays, value.values() if isinstance(value, dict) else value))
    return isinstance(value, (np.ndarray, np.generic, runtime.PersistentArray))


def _is_known(fn: Any) -> bool:
    """Python's own, which takes arrays of JAX as it takes those of NumPy; or ours."""
    module = getattr(fn, "__module__", "")
    row = effects_of(fn) if module == builtins.__name__ else None
    return row is not None and row.owner is None and (row.pure or fn is print) or _is_ours(fn) \
        or module == math.__name__ or isinstance(fn, type) and issubclass(fn, BaseException)


def _is_of_64_bits(known: OnJax) -> bool:
    """A type of which JAX makes one of 32 bits, if it is set so."""
    kind = np.dtype(known.fn) if isinstance(known.fn, type) and issubclass(known.fn, np.generic) else np.dtype(bool)
    return kind.itemsize == (16 if kind.kind == "c" else 8)


def _is_numpy(value: Any) -> bool:
    """It computes with NumPy, in NumPy or SciPy."""
    module = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None) or ""
    return module.partition(".")[0] in ("numpy", "scipy") and not isinstance(value, np.random.Generator) \
        or isinstance(value, np.ufunc) or isinstance(getattr(value, "__self__", None), np.ufunc)


def _of_memory(operation: Operation) -> bool:
    """A call that says how NumPy keeps an array."""
    rule = operation.rule
    return rule is not None \
        and any(not (one == "copy" and is_literal(operation.args[one]) and literal(operation.args[one]) in (None, True))
                for one in operation.args.keys() & on_jax(rule.fn).not_taken)

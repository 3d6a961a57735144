"""Passes on single statements: unbroadcasts that do nothing, constants."""
from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import gast

from ..analyse.kinds import Env, spec_of
from ..syntax.blocks import blocks, statements
from ..syntax.building import assign, call, constant, expr, load, mark, negative, origin_of
from ..syntax.names import Names
from ..syntax.nodes import is_atom, is_literal, literal, reads
from ..syntax.sizes import product
from ..syntax.spec import Spec
from .algebra import Known as OfTerms
from .algebra import collected, joined
from .facts import Facts
from .masks import Conditions, Source, folded_choice, folded_mask, joined_masks, masked, masked_by
from .places import Known
from .plain import as_numpy, may_be_plain, shorter
from .spread import MEETS, spread, spread_operands
from .trees import CALLS, of, rewritten

PRIMAL = ("forward", "guard")                              # roles of what the function itself computes
FOLDED = frozenset({gast.BinOp, gast.UnaryOp, gast.Attribute, gast.Call})
OPERATIONS = {gast.Mult: operator.mul, gast.Add: operator.add, gast.Sub: operator.sub}         # of literals


def unbroadcast(tree: gast.FunctionDef) -> None:
    """Leave out unbroadcasts whose argument has, for certain, the shape and dtype that is asked for; of others that
    are known write the sum. Needs the marks `fits` and `sums`. Promises the same values.

    >>> import numpy as np
    >>> import tangent_nb as tnb
    >>> from tangent_nb.optimise.alone import difference
    >>> def f(x, b):
    ...     return np.sum(x * b)
    >>> stages = tnb.stages(tnb.grad(f, (0, 1), optimized="unbroadcast", like=(np.ones((4, 3)), np.ones(3))))
    >>> print(difference(stages["differentiate"], stages["unbroadcast"]))
    -     bx = bx + rt.unbroadcast(bproduct * b, x)
    +     bx = bx + bproduct * b
    -     bb = bb + rt.unbroadcast(bproduct * x, b)
    +     bb = bb + (bproduct * x).sum(axis=0)
    """
    for stmt in statements(tree.body):
        for field in ("value", "test", "iter") if getattr(stmt, "role", "forward") not in PRIMAL else ():
            node = getattr(stmt, field, None)
            if isinstance(node, gast.AST):
                setattr(stmt, field, rewritten(node, _unbroadcast, CALLS))


def _unbroadcast(node: Any) -> Any:
    if getattr(node, "fits", False):
        return node.args[0]
    sums = getattr(node, "sums", None)
    if sums is None:
        return node
    axis, keepdims = sums
    if (opposite := negative(node.args[0])) is not None:   # it is shorter when it is summed
        return gast.UnaryOp(gast.USub(), _unbroadcast(of(node, opposite)))
    new: Any = expr("g.sum()", g=node.args[0])
    if axis is not None:
        new.keywords.append(gast.keyword("axis", expr(repr(axis))))
    if keepdims:
        new.keywords.append(gast.keyword("keepdims", constant(True)))
    return new


def constants(tree: gast.FunctionDef, facts: Facts, floats: Sequence[str], names: Names, temporaries: set[str]) -> None:
    """Fold literals, factors of one where the other factor is floating for certain, and arrays of one value. Needs what
    is known of the parameters. Promises the same values and shapes.

    >>> import numpy as np
    >>> import tangent_nb as tnb
    >>> from tangent_nb.optimise.alone import difference
    >>> def f(x):
    ...     return 3.0 * np.sum(2.0 * np.sin(x))
    >>> stages = tnb.stages(tnb.grad(f, like=(np.ones(3),)))
    >>> print(difference(stages["first_write"], stages["constant_folding"]))
    -     bproduct = np.full_like(product, btotal)
    +     bproduct = np.full_like(x, btotal)
    +     scale = btotal * 2.0
    -     bx = bsin * np.cos(x)
    +     bx = scale * np.cos(x)
    """
    fold = _Fold(facts, set(floats), names, temporaries)
    _fold_block(tree.body, fold)
    if fold.of_others:
        facts.forget_names()


def _fold_block(body: list[gast.stmt], fold: _Fold) -> None:
    outer = fold.uniform, fold.masks, fold.sources
    fold.uniform, fold.masks, fold.sources = Known[str, gast.expr](), Known[str, Conditions](), Known[str, Source]()
    place = 0
    while place < len(body):
        stmt: Any = body[place]
        fold.stmt, fold.before = stmt, []
        if getattr(stmt, "role", "forward") not in PRIMAL:
            for field in ("value", "iter"):
                node = getattr(stmt, field, None)
                if isinstance(node, gast.AST):
                    setattr(stmt, field, fold.folded(node))
            if isinstance(stmt, gast.AugAssign):
                _signed(stmt)
                if isinstance(stmt.op, MEETS):
                    stmt.value = spread(stmt.value, stmt.target, fold.spec) or stmt.value
            fold.learn(stmt)
            body[place:place] = fold.before
            place += len(fold.before)
        elif fold.uniform.values or fold.masks.values:
            fold.forget(stmt)
        for block in blocks(stmt):
            _fold_block(block, fold)
        place += 1
    fold.uniform, fold.masks, fold.sources = outer


def _signed(stmt: gast.AugAssign) -> None:
    """`b -= c` for `b += -c`."""
    if isinstance(stmt.op, gast.Add) and (value := negative(stmt.value)) is not None:
        stmt.op, stmt.value = gast.Sub(), value


class _Fold:
    """uniform: the arrays of one value of the block that is looked at; masks: the conditions that arrays are masked by;
    sources: what is masked there; stmt: the statement."""

    def __init__(self, facts: Facts, floats: set[str], names: Names, temporaries: set[str]) -> None:
        self.facts, self.scope, self.floats = facts, facts.scope, floats
        self.names, self.temporaries = names, temporaries
        self.stmt: Any = None
        self.uniform = Known[str, gast.expr]()
        self.masks = Known[str, Conditions]()
        self.sources = Known[str, Source]()
        self.before: list[gast.stmt] = []
        self.of_others = False                             # numbers are of other classes than before
        self.known = OfTerms(self.floating, facts.pure, lambda node: self.spec(node).kind == "int")

    @property
    def env(self) -> Env:
        return self.facts.env(self.stmt)

    def folded(self, node: gast.AST) -> gast.AST:
        """The tree with what is constant folded; one that was made so before is only asked what its arrays hold."""
        known = self.facts.folded.get(id(node)) is node
        if not known or not reads(node).isdisjoint(self.uniform.values.keys() | self.masks.values.keys()):
            node = rewritten(node, self, FOLDED)
            self.facts.folded[id(node)] = node             # kept alive, so that its id stays its own
        return node

    def forget(self, stmt: Any) -> None:
        """What a statement binds, or changes, is something else."""
        bound = self.facts.changed_by(stmt)
        self.uniform.forget(bound)
        self.masks.forget(bound)
        self.sources.forget(bound)

    def learn(self, stmt: Any) -> None:
        """Note that a statement makes an array of one value, or one that is masked; a value everywhere that is no name
        or literal gets a name first."""
        named = isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and not hasattr(stmt, "zero")
        value = self.value_everywhere(stmt.value) if named else None
        conditions = masked_by(stmt.value, self.masks.values) if named else {}
        if self.uniform.values or self.masks.values:       # else each block would be gone over for nothing
            self.forget(stmt)
        if conditions and stmt.targets[0].id not in reads(stmt.value):
            read = {stmt.targets[0].id}.union(*map(reads, conditions.values()))
            self.masks.learn(stmt.targets[0].id, conditions, read)
            if (source := masked(stmt.value)) is not None and isinstance(source[0], gast.Name):
                self.sources.learn(stmt.targets[0].id, source, read | reads(source[0]))
        if value is None or stmt.targets[0].id in reads(value):
            return
        if not is_atom(value):
            name = self.names.new("scale")
            self.temporaries.add(name)
            self.before.append(mark(assign(name, value), role=stmt.role, origin=origin_of(stmt)))
            value = load(name)
        self.uniform.learn(stmt.targets[0].id, value, {stmt.targets[0].id, *reads(value)})

    def value_everywhere(self, node: Any) -> gast.expr | None:
        """The one value that an array holds."""
        if isinstance(node, gast.Name):
            return self.uniform.values.get(node.id)
        if (operand := negative(node)) is not None:
            inner = self.value_everywhere(operand)
            return None if inner is None else self(gast.UnaryOp(gast.USub(), inner))
        if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div)):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                inner = self.value_everywhere(one) if one is node.left or isinstance(node.op, gast.Mult) else None
                if inner is not None and self.number(other):
                    return self(gast.BinOp(inner, node.op, other))
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) \
                and isinstance(node.func.value, gast.Name):
            name = (node.func.value.id, node.func.attr)
            if name == ("%np", "full_like") and len(node.args) == 2 and not node.keywords \
                    and self.number(node.args[1]):
                return node.args[1]
            if name == ("%rt", "unreduce") and len(node.args) >= 2:
                inner = self.value_everywhere(node.args[0])
                return inner if inner is not None else node.args[0] if self.number(node.args[0]) else None
        return None

    def spec(self, node: gast.expr) -> Spec:
        """What is known of a value."""
        return spec_of(node, self.env, self.scope)

    def folded_within(self, node: gast.expr) -> Any:
        """The tree with its parts folded."""
        return rewritten(node, self, FOLDED)

    def meaning(self, node: gast.expr) -> Any:
        """What a name stands for all along the function, else the tree."""
        return (self.facts.lasting(node.id) if isinstance(node, gast.Name) else None) or node

    def number(self, node: gast.expr) -> bool:
        """It is a number."""
        return _value(node) is not None or _is_number(self.facts.near(node)) \
            or not is_literal(node) and _is_number(self.spec(node))

    def _scaled(self, uniform: gast.expr, op: gast.operator, other: gast.expr) -> gast.expr | None:
        """`s * other`, or `s / other`, for an array of one value s and another array of its shape and dtype."""
        value = self.value_everywhere(uniform)
        return None if value is None or not self._are_alike(uniform, other) else self(gast.BinOp(value, op, other))

    def _shifted(self, node: gast.BinOp) -> gast.expr | None:
        """`a - s` for an array of one value s that is taken from another array of its shape and dtype, or added."""
        values = self.value_everywhere(node.left), self.value_everywhere(node.right)
        if not isinstance(node.op, (gast.Add, gast.Sub)) or values.count(None) != 1 \
                or not self._are_alike(node.left, node.right):
            return None
        return self(gast.BinOp(values[0] or node.left, node.op, values[1] or node.right))

    def _are_alike(self, one: gast.expr, other: gast.expr) -> bool:
        """Of one shape and dtype, for certain."""
        a, b = self.spec(one), self.spec(other)
        return a.shape is not None and a.shape == b.shape and a.dtype is not None and a.dtype == b.dtype

    def floating(self, node: gast.expr) -> bool:
        spec: Spec = self.spec(node)
        if spec.kind == "float":
            return True
        if isinstance(spec.dtype, frozenset):
            return bool(spec.dtype) and bool(spec.dtype & self.floats) and all(
                leaf in self.floats or leaf in ("f2", "f4", "f8") for leaf in spec.dtype)
        return isinstance(spec.dtype, str) and spec.dtype[0] == "f"

    def __call__(self, node: Any) -> Any:
        if node.__class__ is gast.Call:
            return self._call(node, node.func.attr) if node.func.__class__ is gast.Attribute else node
        if (inner := negative(node)) is not None:
            twice = negative(inner)
            return node if twice is None else twice
        if isinstance(node, gast.Attribute):
            inner = node.value.value if node.attr == "T" == getattr(node.value, "attr", "") else None
            return self._size(node) if node.attr == "size" else node if inner is None else inner
        if not isinstance(node, gast.BinOp):
            return node
        if (other := shorter(node) or joined(node, self.known) or collected(node, self.known)
                or joined_masks(node, self) or spread_operands(node, self.spec) or self._shifted(node)):
            return other
        left, right = _value(node.left), _value(node.right)
        if left is not None and right is not None:
            operation = OPERATIONS.get(type(node.op))
            return node if operation is None else constant(operation(left, right))
        if isinstance(node.op, gast.Mult):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                scaled = self._scaled(one, node.op, other)
                if scaled is not None:
                    return scaled
            for value, other in ((left, node.right), (right, node.left)):
                if value == 1.0 and self.floating(other):
                    return other
                if value == -1.0 and self.floating(other):
                    return gast.UnaryOp(gast.USub(), other)
            if (factor := negative(node.left)) is not None and left is None and (right is None or right > 0.0):
                return gast.UnaryOp(gast.USub(), gast.BinOp(factor, gast.Mult(), node.right))
        if isinstance(node.op, gast.Div):
            if right == 1.0 and self.floating(node.left):
                return node.left
            if (scaled := self._scaled(node.left, node.op, node.right)) is not None:
                return scaled
            if (factor := negative(node.left)) is not None and right is None:
                return gast.UnaryOp(gast.USub(), gast.BinOp(factor, gast.Div(), node.right))
        subtracted = negative(node.right) if right is None else None
        if isinstance(node.op, (gast.Add, gast.Sub)) and subtracted is not None:
            return gast.BinOp(node.left, gast.Sub() if isinstance(node.op, gast.Add) else gast.Add(), subtracted)
        return node

    def _call(self, node: Any, name: str) -> gast.expr:
        """A call of a helper, or of NumPy in place of an operator, as NumPy writes it for what is known."""
        if name == "mask" or name == "where" and len(node.args) == 3:
            return folded_mask(node, self) if masked(node) or name == "mask" else folded_choice(node, self)
        if name == "full_like" and len(node.args) == 2:
            node = of(node, self._like(node.args[0]))
        made = as_numpy(node, self.spec) if may_be_plain(name) else node
        self.of_others |= name == "unarray" and made is not node           # NumPy's, where they were Python's
        return made

    def _like(self, node: gast.expr) -> gast.expr:
        """An argument of the shape and dtype of an array that would be computed for these alone."""
        spec = self.spec(node)
        if spec.kind != "array" or not isinstance(spec.shape, tuple):
            return node
        return next((load(name) for name, other in self.facts.values().items() if isinstance(other, Spec)
                     and (other.kind, other.shape, other.dtype) == (spec.kind, spec.shape, spec.dtype)), node)

    def _size(self, node: Any) -> gast.expr:
        """How many cells an array has: a number, or that of an argument of the same shape."""
        shape = self.spec(node.value).shape
        if not isinstance(shape, tuple):
            return node
        cells = product(shape)
        if isinstance(cells, int):
            return constant(cells)
        given = [(name, spec.shape) for name, spec in self.facts.values().items()
                 if isinstance(spec, Spec) and isinstance(spec.shape, tuple)]
        for name, other in given:
            if other == shape:
                return gast.Attribute(load(name), "size", node.ctx)
        for name, other in given:
            if cells in other:
                axis = other.index(cells)
                return call("%len", name) if not axis else expr(f"x.shape[{axis}]", x=name)
        return node


def _is_number(spec: Spec) -> bool:
    """A number, but for narrow ones of NumPy, which others of Python would be as narrow as."""
    return spec.shape == () and spec.kind in ("float", "scalar") and not spec.is_narrow


def _value(node: gast.expr) -> float | None:
    """The value of a float literal."""
    if is_literal(node) and not isinstance(node, (gast.Tuple, gast.List)):
        value = literal(node)
        if isinstance(value, float):
            return value
    return None

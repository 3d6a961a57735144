"""The interpreter: runs operations over real objects.

Imports nothing of tangent_nb: what names outside mean is looked up by who gives the program.

    >>> import gast
    >>> from lower import lowered
    >>> body = gast.parse("while n:\\n    x = x * x\\n    n -= 1\\nreturn x").body
    >>> Interpreter({}.__getitem__, frozenset("xn")).run(lowered(body).block, {"x": 3, "n": 2})
    81
"""
from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ops import Block, Exit, For, If, Literal, Op, Operand, Point, Try, While, With


class Frame(dict[str, Any]):
    """The variables of a call; a name that is none of them is looked up outside, as Python does."""

    def __init__(self, values: Mapping[str, Any], outside: Callable[[str], Any], local: frozenset[str]) -> None:
        super().__init__(values)
        self.outside, self.local = outside, local

    def __missing__(self, name: str) -> Any:
        if name in self.local:
            raise UnboundLocalError(f"cannot access local variable '{name}' where it is not associated with a value")
        return self.outside(name)


class Interpreter:
    """Runs blocks. outside: what a name means that is not local, KeyError if nothing; instead: other functions for
    some, by id; observe: is called at each point with its number, `before` or `after`, and the frame; called: is given
    each call, and gives its result."""

    def __init__(self, outside: Callable[[str], Any], local: frozenset[str], observe: Callable[[int, str, Frame], None]
                 | None = None, called: Callable[[Op, Any, list[Any], dict[str, Any]], Any] | None = None) -> None:
        self.outside, self.local, self.observe, self.called = outside, local, observe, called

    def run(self, block: Block, values: Mapping[str, Any]) -> Any:
        """What a block returns."""
        left = self.block(block, Frame(values, self._outside, self.local))
        return left[1] if left is not None else None

    def _outside(self, name: str) -> Any:
        try:
            return self.outside(name)
        except KeyError:
            if name.startswith("__"):                      # Python asks for `__builtins__`
                raise
            raise NameError(f"name '{name}' is not defined", name=name) from None

    def block(self, block: Block, frame: Frame) -> tuple[str, Any] | None:
        """How a block is left early, None where it is not."""
        for item in block.items:
            kind = item.__class__
            if kind is Op:
                self.op(item, frame)
            elif kind is Point:
                if self.observe is not None:
                    self.observe(item.number, item.when, frame)
            elif kind is If:
                left = self.block(item.then if self.value(item.test, frame) else item.orelse, frame)
                if left is not None:
                    return left
            elif kind is Exit:
                return self.exit(item, frame)
            else:
                left = REGIONS[kind](self, item, frame)
                if left is not None:
                    return left
        return None

    @staticmethod
    def value(operand: Operand, frame: Frame) -> Any:
        return operand.value if operand.__class__ is Literal else frame[operand.id]

    def op(self, op: Op, frame: Frame) -> None:
        """One operation: its operands once, from left to right."""
        values = [one.value if one.__class__ is Literal else frame[one.id] for one in op.operands]
        row = op.row
        if row == "call":
            result = self.call(op, values)
        elif row == "copy":
            result = values[0]
        elif row in SIMPLE:
            result = SIMPLE[row](*values)
        elif row == "code":
            result = eval(op.static, frame)
        elif row == "unbind":
            del frame[op.static]
            return
        else:
            result = WITH_STATIC[row](op.static, *values)
        if op.result is not None:
            frame[op.result] = result

    def call(self, op: Op, values: list[Any]) -> Any:
        fn, *given = values
        args: list[Any] = []
        keywords: dict[str, Any] = {}
        for how, value in zip(op.static, given, strict=True):
            if how == "":
                args.append(value)
            elif how == "*":
                args.extend(value)
            elif how == "**":
                keywords.update(value)
            else:
                keywords[how] = value
        if self.called is not None:
            return self.called(op, fn, args, keywords)
        return fn(*args, **keywords)

    def exit(self, item: Exit, frame: Frame) -> tuple[str, Any]:
        values = [self.value(one, frame) for one in item.operands]
        if item.kind == "raise":
            if not values:
                raise                                      # what a handler around this handles
            if len(values) == 2:
                raise values[0] from values[1]
            raise values[0]
        return item.kind, values[0] if values else None

    # ------------------------------------------------------------------ regions
    def for_(self, item: For, frame: Frame) -> tuple[str, Any] | None:
        for value in self.value(item.iterator, frame):
            frame[item.item] = value
            left = self.block(item.body, frame)
            if left is not None and left[0] == "break":
                return None
            if left is not None and left[0] == "return":
                return left
        return self.block(item.orelse, frame)

    def while_(self, item: While, frame: Frame) -> tuple[str, Any] | None:
        while True:
            self.block(item.before, frame)
            if not self.value(item.test, frame):
                return self.block(item.orelse, frame)
            left = self.block(item.body, frame)
            if left is not None and left[0] == "break":
                return None
            if left is not None and left[0] == "return":
                return left

    def try_(self, item: Try, frame: Frame) -> tuple[str, Any] | None:
        if item.final.items:
            inner = Try(item.body, item.handlers, item.orelse, Block(), item.kept, item.origin)
            try:
                left = self.try_(inner, frame)
            except BaseException:
                last = self.block(item.final, frame)
                if last is not None:
                    return last
                raise
            last = self.block(item.final, frame)
            return last if last is not None else left
        before = {} if item.kept is None else dict(frame)
        try:
            left = self.block(item.body, frame)
        except BaseException as error:
            if item.kept is not None:
                kept = {name: frame[name] for name in item.kept & frame.keys()}
                frame.clear()
                frame.update(before | kept)
            for handler in item.handlers:
                self.block(handler.before, frame)
                if handler.caught is None or isinstance(error, self.value(handler.caught, frame)):
                    return self._handled(handler, error, frame)
            raise
        return left if left is not None else self.block(item.orelse, frame)

    def _handled(self, handler: Any, error: BaseException, frame: Frame) -> tuple[str, Any] | None:
        if handler.name is not None:
            frame[handler.name] = error
        try:
            return self.block(handler.body, frame)
        finally:
            if handler.name is not None:
                frame.pop(handler.name, None)

    def with_(self, item: With, frame: Frame) -> tuple[str, Any] | None:
        with self.value(item.manager, frame) as frame[item.entered]:
            return self.block(item.body, frame)
        return None


REGIONS: dict[type, Callable[[Interpreter, Any, Frame], tuple[str, Any] | None]] = {
    For: Interpreter.for_, While: Interpreter.while_, Try: Interpreter.try_, With: Interpreter.with_}


# ------------------------------------------------------------------ the rows
def _display(kind: Callable[[Any], Any]) -> Callable[..., Any]:
    def made(stars: Any, *values: Any) -> Any:
        if stars is None:
            return kind(values)
        return kind([one for value, star in zip(values, stars, strict=True) for one in (value if star else [value])])
    return made


def _dict(stars: list[bool], *values: Any) -> dict[Any, Any]:
    left, found = iter(values), {}
    for star in stars:
        if star:
            found.update(next(left))
        else:
            key = next(left)
            found[key] = next(left)
    return found


def _unpack(shape: tuple[int, int | None], value: Any) -> list[Any]:
    """As `a, *b, c = value` does, with its errors."""
    count, star = shape
    if star is None:
        found, left = [], iter(value)
        for one in left:
            if len(found) == count:
                raise ValueError(f"too many values to unpack (expected {count})")
            found.append(one)
        if len(found) < count:
            raise ValueError(f"not enough values to unpack (expected {count}, got {len(found)})")
        return found
    found = list(value)
    if len(found) < count - 1:
        raise ValueError(f"not enough values to unpack (expected at least {count - 1}, got {len(found)})")
    behind = len(found) - (count - 1 - star)
    return [*found[:star], found[star:behind], *found[behind:]]


def _format(conversion: int, value: Any, spec: str = "") -> str:
    convert = {115: str, 114: repr, 97: ascii}.get(conversion)
    return format(value if convert is None else convert(value), spec)


SIMPLE: dict[str, Callable[..., Any]] = {
    **{name: getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul",
                                                  "lshift", "rshift", "xor", "neg", "pos", "invert", "eq", "ne", "lt",
                                                  "le", "gt", "ge", "is_not", "getitem", "setitem", "delitem")},
    **{"i" + name: getattr(operator, "i" + name) for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow",
                                                              "matmul", "lshift", "rshift", "xor", "or", "and")},
    "or": operator.or_, "and": operator.and_, "not": operator.not_, "is": operator.is_,
    "in": lambda a, b: a in b, "not_in": lambda a, b: a not in b,
    "slice": slice, "join": lambda *parts: "".join(parts)}
WITH_STATIC: dict[str, Callable[..., Any]] = {
    "getattr": lambda name, base: getattr(base, name), "setattr": lambda name, base, value: setattr(base, name, value),
    "tuple": _display(tuple), "list": _display(list), "set": _display(set), "dict": _dict, "unpack": _unpack,
    "format": _format}

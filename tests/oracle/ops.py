"""The residual program: operations in structured regions.

An `Op` computes its operands' result by its row, once, and in the order of the block. A variable of the normal form
keeps its name, and may be bound more than once; a name that begins with `%` and a digit is bound once. A block ends
early where an `Exit` stands.

    x = a * b + 1.0          %0 = mul(a, b)
                             x = add(%0, 1.0)
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, or what an operation gave."""

    id: str

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant of the text."""

    value: Any

    def __str__(self) -> str:
        return repr(self.value)


Operand: TypeAlias = "Name | Literal"


@dataclass(frozen=True, slots=True)
class Op:
    """One operation. row: what is computed, a key of the interpreter's table; static: what it is told beside values (a
    keyword, an attribute, code); reads, writes: the variables of which memory is read, or changed; origin: the number
    of the statement that it is of."""

    result: str | None
    row: str
    operands: tuple[Operand, ...] = ()
    static: Any = None
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    origin: int = -1

    def __str__(self) -> str:
        shown = [*map(str, self.operands), *([] if self.static is None else [_short(self.static)])]
        text = f"{self.row}({', '.join(shown)})" if self.row != "copy" else str(self.operands[0])
        return text if self.result is None else f"{self.result} = {text}"


@dataclass(frozen=True, slots=True)
class Exit:
    """What leaves a block. kind: `break continue return raise`; operands: what is returned;
    what is raised, and because of what."""

    kind: str
    operands: tuple[Operand, ...] = ()
    origin: int = -1


@dataclass(frozen=True, slots=True)
class Point:
    """Between two statements: here facts are asked. when: `before` or `after` the statement of that number."""

    number: int
    when: str


@dataclass(slots=True)
class Block:
    """Operations and regions, in order."""

    items: list[Op | Exit | Point | If | For | While | Try | With] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join(lines(self))


@dataclass(slots=True)
class If:
    """One of two blocks."""

    test: Operand
    then: Block
    orelse: Block
    origin: int = -1


@dataclass(slots=True)
class For:
    """item: the name that each item is bound to before the body."""

    iterator: Operand
    item: str
    body: Block
    orelse: Block
    origin: int = -1


@dataclass(slots=True)
class While:
    """before: what computes the test, each time."""

    before: Block
    test: Operand
    body: Block
    orelse: Block
    origin: int = -1


@dataclass(slots=True)
class Handler:
    """before: what computes the class that is caught, where there is one; name: of the exception, in the body only."""

    before: Block
    caught: Operand | None
    name: str | None
    body: Block


@dataclass(slots=True)
class Try:
    """With `finally`, as in Python. kept: where nobody is to see half of the body, the names of which half may be seen:
    after an exception all others are what they were before; else None."""

    body: Block
    handlers: list[Handler]
    orelse: Block
    final: Block
    kept: frozenset[str] | None = None
    origin: int = -1


@dataclass(slots=True)
class With:
    """entered: the name that what the manager gives is bound to."""

    manager: Operand
    entered: str
    body: Block
    origin: int = -1


def lines(block: Block, depth: int = 0) -> Iterator[str]:
    """The text of a block, for people."""
    pad = "    " * depth
    shown = [item for item in block.items if not isinstance(item, Point)]
    for item in shown:
        if isinstance(item, Op):
            yield pad + str(item)
        elif isinstance(item, Exit):
            yield pad + " ".join([item.kind, *map(str, item.operands)])
        else:
            yield from _region(item, depth)
    if not shown:
        yield pad + "pass"


def _region(item: Any, depth: int) -> Iterator[str]:
    pad = "    " * depth
    if isinstance(item, While):
        yield from lines(item.before, depth)
    if isinstance(item, Try):
        parts = [("try", item.body)]
        for handler in item.handlers:
            named = f" as {handler.name}" if handler.name else ""
            head = f"except {handler.caught}{named}" if handler.caught else "except"
            parts.append((head, Block([*handler.before.items, *handler.body.items])))
        parts += [("else", item.orelse), ("finally", item.final)]
    elif isinstance(item, With):
        parts = [(f"with {item.manager} as {item.entered}", item.body)]
    elif isinstance(item, For):
        parts = [(f"for {item.item} in {item.iterator}", item.body), ("else", item.orelse)]
    else:
        head = "while" if isinstance(item, While) else "if"
        parts = [(f"{head} {item.test}", item.body if isinstance(item, While) else item.then), ("else", item.orelse)]
    for head, block in parts:
        if block.items or head not in ("else", "finally"):
            yield f"{pad}{head}:"
            yield from lines(block, depth + 1)


def _short(static: Any) -> str:
    if isinstance(static, list):                           # of a call: how each argument is given
        return f"[{', '.join(how if how in ('', '*', '**') else how + '=' for how in map(str, static))}]"
    return "[code]" if hasattr(static, "co_name") else f"[{static}]"

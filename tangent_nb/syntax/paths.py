"""Paths: what is reached from a name by attributes and by items that are written down: `self.layers[0].cache["z"]`."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from .building import constant
from .nodes import children, dotted, is_atom


def path_of(node: gast.AST) -> str | None:
    """The text of a path, so that equal paths have equal texts; None for what is none.

    >>> from .building import expr
    >>> path_of(expr("a.b['k'].c[0]")), path_of(expr("a[i]")), path_of(expr("f().x"))
    ("a.b['k'].c[0]", None, None)
    """
    if isinstance(node, gast.Attribute):
        base = path_of(node.value)
        return None if base is None else f"{base}.{node.attr}"
    if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant) \
            and isinstance(node.slice.value, str | int):
        base = path_of(node.value)
        return None if base is None else f"{base}[{node.slice.value!r}]"
    return dotted(node)


def is_entry(node: Any) -> bool:
    """An item of a dict: its key is a text that is written down."""
    return isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant) \
        and isinstance(node.slice.value, str)


def root_of(path: str) -> str:
    """The name that a path begins with.

    >>> root_of("a.b['k']"), root_of("a['k'].b")
    ('a', 'a')
    """
    return path.partition(".")[0].partition("[")[0]


def is_below(path: str, other: str) -> bool:
    """A path goes on from another one.

    >>> is_below("a.b['k']", "a.b"), is_below("a.bc", "a.b")
    (True, False)
    """
    return path.startswith((f"{other}.", f"{other}["))


def place_of(node: Any) -> dict[str, gast.expr]:
    """What a path is an attribute, or an item, of; its name there; the path."""
    name = constant(node.attr) if isinstance(node, gast.Attribute) else node.slice
    return {"x": node.value, "name": name, "path": constant(path_of(node))}


def read_whole(tree: Any) -> Iterator[Any]:
    """The names, attributes and items that are read otherwise than by an item that is written down, or to know whether
    there is one."""
    todo: list[Any] = [tree] if not isinstance(tree, list) else list(tree)
    apart: set[int] = set()
    while todo:
        node = todo.pop()
        below = children(node)
        todo += below
        if is_entry(node) or _gets(node):
            apart.add(id(node.value if is_entry(node) else node.func.value))
        elif isinstance(node, gast.Compare) and isinstance(node.ops[-1], (gast.In, gast.NotIn)):
            apart.add(id(node.comparators[-1]))
        for one in below:
            if isinstance(one, (gast.Name, gast.Attribute, gast.Subscript)) and isinstance(one.ctx, gast.Load) \
                    and id(one) not in apart and not _gets(node):
                yield one


def _gets(node: Any) -> bool:
    """`d.get("k")`."""
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "get" \
        and bool(node.args) and isinstance(node.args[0], gast.Constant) and isinstance(node.args[0].value, str)


def asked(node: Any, called: Callable[[Any], Any]) -> tuple[str, gast.expr | None] | None:
    """The path of an attribute, or an item, of which an expression asks whether it is there; what stands for one that
    is not, where the expression is the value. called: what a name stands for.

    >>> from .building import expr
    >>> asked(expr("'z' in a.b"), str), asked(expr("hasattr(a, 'c')"), lambda node: hasattr)
    (("a.b['z']", None), ('a.c', None))
    """
    args: list[Any] = []
    if isinstance(node, gast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (gast.In, gast.NotIn)):
        args = [node.comparators[0], node.left]
    elif _gets(node) and not node.keywords:
        args = [node.func.value, *node.args, *[gast.Constant(None, None)] * (len(node.args) == 1)]
    elif isinstance(node, gast.Call) and not node.keywords and (
            (fn := called(node.func)) is hasattr and len(node.args) == 2 or fn is getattr and len(node.args) == 3):
        args = node.args
    if not args or not isinstance(args[1], gast.Constant) or not isinstance(args[1].value, str) \
            or args[2:] and not is_atom(args[2]):
        return None
    of = gast.Subscript(args[0], args[1], gast.Load()) if not isinstance(node, gast.Call) or _gets(node) \
        else gast.Attribute(args[0], args[1].value, gast.Load())
    path = path_of(of)
    return None if path is None else (path, args[2] if args[2:] else None)

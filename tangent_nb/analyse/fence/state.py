"""What is known of one function while it is judged, and how a refusal of one of its places is put down."""
from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any

import gast

from ...errors import Refusal
from ...syntax.nodes import nodes_of, unparse, walk
from ...syntax.program import Captured, SourceFile, Span, source_at
from ..activity import Varied
from ..callables import Names
from ..records import made_names
from ..resolve import Scope
from ..taken import items_only
from .nesting import Depths, Nesting
from .places import plain_names

if TYPE_CHECKING:
    from . import Fence


class Check:
    """One function under the fence.

    depths: how deep numbers lie in its parameters; made: names of containers that it makes itself; varied: what may
    carry a derivative; texts: what holds a text made of that; caught: the names of exceptions. Of nodes, by their id:
    alone: the whole of a statement; looped: what a loop goes over; said: what stands for itself; carrying: through what
    a derivative may flow on; harmless: lambdas that only decide an order; told: what is refused already.
    """

    def __init__(self, fence: Fence, captured: Captured, wrt: tuple[str, ...], depths: Depths = ()) -> None:
        self.fence, self.captured, self.tree, self.depths = fence, captured, captured.tree, depths
        self.scope = Scope.of(captured)
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
        self.told: set[int] = set()
        self.caught = {handler.name.id for handler in nodes_of(self.tree, gast.ExceptHandler)
                       if handler.name is not None}

    @functools.cached_property
    def names(self) -> Names:
        """What the names of the text stand for, of functions and classes."""
        return Names(self.captured, {}, self.fence.results)

    @functools.cached_property
    def plain(self) -> set[str]:
        """The names of numbers of Python and texts."""
        return plain_names(self.tree, self.scope)

    @functools.cached_property
    def items(self) -> set[str]:
        """The names that only stand for items of something."""
        return items_only([self.tree], self.wrt)

    def refuse(self, node: Any, why: str, remedy: str = "", cause: Refusal | None = None, *,
               unknown: str = "") -> None:
        """unknown: it is not known how what stands there is made."""
        refusal = Refusal(self.span(node), why, remedy, cause, unknown=unknown)
        if refusal not in self.fence.refusals:
            self.fence.refusals.append(refusal)
        self.fence.refused.add(self.captured.fn)

    def refuse_whole(self, why: str, remedy: str, *, end: bool = False) -> None:
        """Refuse the function, not a place in it; end: only where control comes to its end."""
        self.fence.refusals.append(Refusal(self.span(self.tree), why, remedy, end=end))

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
        return Span(self._source(node), line, column, getattr(node, "end_lineno", None) or line,
                    column if end is None else end)

    def _source(self, node: Any) -> SourceFile:
        """The text that a node is of: a body that stands in the place of a call may be of another file or cell."""
        for stmt in walk(self.tree):
            source = source_at(node, stmt) if isinstance(stmt, gast.stmt) else None
            if source is not None and source is not self.captured.source and any(part is node for part in walk(stmt)):
                return source
        return self.captured.source

    def _star(self, node: Any) -> Span | None:
        """The first `except*` of a statement."""
        span = self.span(node.handlers[0])
        if span is None:
            return None
        line = span.source.line(span.line)
        return Span(span.source, span.line, span.column, span.line, line.find("*", span.column) + 1 or len(line))

    def text(self, node: Any) -> str:
        """An expression as the user wrote it, in one line."""
        span = self.span(node)
        if span is None or span.line != span.end_line or span.column >= span.end_column:
            return unparse(node)
        try:
            gast.parse(span.text.strip(), mode="eval")     # what was made of a statement has its place
        except SyntaxError:
            return unparse(node)
        return span.text

    def differentiated(self, node: gast.AST) -> str:
        """A variable in an expression that carries a derivative, by a name that the user knows."""
        words = re.findall(r"\w+", self.text(node))
        return next((name for name in words if name in self.varied), "what is differentiated")

    @functools.cached_property
    def nesting(self) -> Nesting:
        """How deep numbers lie in what is computed; asked for when it is known what carries a derivative."""
        return Nesting(self.tree, dict(self.depths), self.scope, self.active, self.fence.is_clean, self.fence.returned)

    def active(self, node: gast.expr) -> bool:
        """The expression may carry a derivative."""
        return self.is_varied.of(node)

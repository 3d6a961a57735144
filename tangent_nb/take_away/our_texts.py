"""Helpers as they are written in a file: shortened, in the layout of generated code, with their comments."""
from __future__ import annotations

import ast
import copy
import sys
from typing import Any

from ..emit.generator import Generator
from ..emit.literals import printable
from .ours import Place, text_of
from .prune import Pruner
from .units import HELPERS, Code


def our_code(pruner: Pruner, place: Place, stmt: ast.stmt) -> Code:
    """The code of a statement of a module of ours, with whose text that begins."""
    known = pruner.codes.get(stmt)
    if known is None:
        known = pruner.codes[stmt] = Code.of(HELPERS, _text(pruner, place, stmt))
    return Code(known.section, known.names, known.text, known.tree, known.reads)


def _text(pruner: Pruner, place: Place, stmt: ast.stmt) -> str:
    """The text of a statement of a module of ours. A class keeps the name of its module, by which helpers know that it
    is none of the user's; what changes a class below its text comes with it."""
    one: Any = copy.deepcopy(pruner.statement(place.module, stmt))
    live = vars(sys.modules[place.module]).get(place.name)
    if isinstance(one, ast.ClassDef) and isinstance(live, type) and not issubclass(live, BaseException) \
            and not hasattr(live, "__dataclass_fields__") and not _says_module(one):
        home = ast.parse(f"__module__ = {place.module!r}").body[0]
        one.body.insert(1 if ast.get_docstring(one) is not None else 0, home)
    more = [] if not isinstance(one, ast.ClassDef) else [
        pruner.statement(place.module, other) for other in text_of(place.module).more
        if place.name in {node.id for node in ast.walk(other) if isinstance(node, ast.Name)}]
    return "\n".join(written(each) for each in [one, *more])


def _says_module(node: ast.ClassDef) -> bool:
    return any(isinstance(stmt, ast.Assign) and isinstance(stmt.targets[0], ast.Name)
               and stmt.targets[0].id == "__module__" for stmt in node.body)


def written(stmt: Any) -> str:
    """The text of a statement, its lines as wide as those of generated code."""
    generator = Generator()
    generator.one(printable(ast.fix_missing_locations(stmt)))  # type: ignore[arg-type]
    return "\n".join([*generator.lines, ""])

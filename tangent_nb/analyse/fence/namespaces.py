"""Variables of modules that a text may change without a word of their names: `globals()[name] = v`,
`setattr(sys.modules[name], ...)`, `exec(...)`.

Needs a text. Promises to say so where it may.
"""
from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

import gast

from ...syntax.nodes import nodes_of, root_name, target_names
from ...syntax.program import MISSING, Captured
from ..arguments import defaults_of
from ..effects import is_opaque, stores_as_variable
from ..libraries import of_library
from ..resolve import Scope

Place = tuple[str, int, str]
NAMESPACES = ("__globals__", "f_globals", "f_builtins")    # attributes of functions and frames


def changes_by_name(captured: Captured, clean: Callable[[Any], bool]) -> bool:
    """A text may put values into variables of modules whose names cannot be seen: `globals()[name] = v`,
    `setattr(sys.modules[name], ...)`, `exec(...)`."""
    scope = Scope.of(captured)
    calls = list(nodes_of(captured.tree.body, gast.Call))
    if any(scope.effects(node).outside == "code" for node in calls):
        return True
    binds = [([*target_names(target), root_name(target) or ""], stmt.value)
             for stmt in nodes_of(captured.tree.body, gast.Assign) for target in stmt.targets]
    binds += [(target_names(node.target), node.value) for node in nodes_of(captured.tree.body, gast.NamedExpr)]
    binds += [([root_name(node.func.value) or ""], one) for node in calls if isinstance(node.func, gast.Attribute)
              for one in node.args]
    held = {name for name, value in defaults_of(captured).items() if _holds_variables(value)}
    while added := {name for names, value in binds if _is_namespace(value, scope, held)
                    for name in names if name in scope.local} - held:
        held |= added
    changed = [node.value for node in nodes_of(captured.tree.body, gast.Subscript, gast.Attribute)
               if not isinstance(node.ctx, gast.Load) and not _is_variable_of_module(node, scope)]
    for node in calls:
        if is_opaque(node, scope, clean) and not stores_as_variable(scope.value(node.func)):
            changed += [node.func.value] if isinstance(node.func, gast.Attribute) \
                and not _is_variable_of_module(node.func, scope) else []
            changed += [*node.args, *(k.value for k in node.keywords)]
    return any(_is_namespace(one, scope, held) for one in changed)


def _is_namespace(node: Any, scope: Scope, held: set[str]) -> bool:
    """An expression may be a module, the dict of its variables, or something in one whose name cannot be seen.
    held: local variables that may be one."""
    parts: Sequence[Any] = [node.body, node.orelse] if isinstance(node, gast.IfExp) else \
        node.values if isinstance(node, (gast.BoolOp, gast.Dict)) else \
        node.elts if isinstance(node, (gast.List, gast.Tuple)) else ()
    if any(_is_namespace(one, scope, held) for one in parts):
        return True
    value = scope.value(node)
    if value is MISSING and isinstance(node, gast.Attribute):
        value = getattr(scope.value(node.value), "__dict__", {}).get(node.attr, MISSING)       # what an object holds
    if value is not MISSING:
        return _holds_variables(value)
    if isinstance(node, gast.Name):
        return node.id in held
    if isinstance(node, gast.Call):
        called = node.func
        return scope.effects(node).outside == "names" or isinstance(called, gast.Attribute) \
            and not isinstance(scope.value(called.value), types.ModuleType) and _is_namespace(called.value, scope, held)
    if isinstance(node, gast.Attribute) and node.attr in NAMESPACES:
        return True
    return isinstance(node, (gast.Attribute, gast.Subscript)) and _is_namespace(node.value, scope, held)


def _holds_variables(value: Any) -> bool:
    """A value is a module of the user, the dict of one, or a dict or list of modules."""
    if isinstance(value, types.ModuleType):
        return not of_library(value.__name__)
    if isinstance(value, dict) and "__builtins__" in value:
        return True
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return any(isinstance(one, types.ModuleType) for one in items)


def _is_variable_of_module(node: Any, scope: Scope) -> bool:
    return isinstance(node, gast.Attribute) and of_module(node, scope) is not None


def of_module(node: gast.Attribute, scope: Scope) -> Place | None:
    """The variable of a module that an attribute is: functions that assign globals are written so."""
    module = scope.value(node.value)
    return ("name", id(vars(module)), node.attr) if isinstance(module, types.ModuleType) else None

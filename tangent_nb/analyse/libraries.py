"""Whose a class or a function is: the user's, or that of a library, whose text is not differentiated."""
from __future__ import annotations

import builtins
import sys
import types
from typing import Any

import gast

from ..runtime.containers import AS_THE_USERS, article, is_of
from ..syntax.program import MISSING, Namespace

LIBRARIES = ("numpy", "scipy", "jax", "jaxlib", "torch", "numba", "sklearn", "pandas", "matplotlib", "tqdm")


def of_library(module: str | None) -> bool:
    """A module of the standard library, or of a library that is known not to be text to differentiate."""
    return is_of(module, LIBRARIES)


def is_user_class(cls: type) -> bool:
    """A class that is not of a library."""
    if not isinstance(cls.__module__, str):                # code that Cython has compiled
        return False
    if cls.__module__ == "builtins":
        return vars(builtins).get(cls.__name__) is not cls          # made where no module has a name
    return not of_library(cls.__module__)


def is_ours(fn: Any) -> bool:
    """A function of this package, such as `grad`; none that it generates."""
    module = getattr(fn, "__module__", None) or ""
    if module.partition(".")[0] != __package__.partition(".")[0] or module in AS_THE_USERS:
        return False
    here = vars(sys.modules[module]) if module in sys.modules else None
    return not isinstance(fn, types.FunctionType) or fn.__globals__ is here


def is_library(fn: types.FunctionType) -> bool:
    """A function of a library."""
    return of_library(getattr(fn, "__module__", type(fn).__module__))


def unsettled(node: Any, namespace: Namespace, own: frozenset[str] = frozenset()) -> tuple[Any, Any] | None:
    """The part of a path that may come to mean another object, with what it means now; None where all of it stays what
    an import, or a library, says. own: names of ours.

        np.tanh         None
        xp.tanh         xp, where another name was bound to NumPy before: xp holds it, and may hold another library
        model.xp.tanh   model.xp, where model is a class or a module of the user; not where model is a name of ours,
                        for the module of a function, which has imported xp
    """
    steps: list[Any] = []
    while isinstance(node, gast.Attribute):
        steps.append(node)
        node = node.value
    if not isinstance(node, gast.Name) or node.id not in {*own, *namespace.cells, *namespace.globals}:
        return None
    value = namespace.lookup(node.id)
    settled = node.id in own or isinstance(value, types.ModuleType) and node.id not in namespace.cells \
        and _is_imported(node.id, value, namespace.globals)
    found = None if settled else (node, value)
    for step in reversed(steps):
        if not isinstance(value, (types.ModuleType, type)) or _is_of_library(value):
            break
        part = getattr(value, step.attr, MISSING)
        imported = isinstance(part, types.ModuleType) and node.id in own and isinstance(value, types.ModuleType) \
            and _is_imported(step.attr, part, vars(value))
        if not imported:
            found = step, part
        value = part
    return found


def _is_imported(name: str, module: Any, scope: dict[str, Any]) -> bool:
    """A module has no other name that was bound before this one."""
    return next((one for one, value in scope.items() if value is module), name) == name


def _is_of_library(value: Any) -> bool:
    if isinstance(value, types.ModuleType):
        return of_library(value.__name__) or value.__name__ == __package__.partition(".")[0]
    return not is_user_class(value)


def full_name(fn: Any) -> str:
    """What messages call a function without a row: by the first package in its path that has it.

    >>> import scipy.ndimage
    >>> full_name(scipy.ndimage.median_filter), full_name(len)
    ('scipy.ndimage.median_filter', 'len')
    """
    name = getattr(fn, "__qualname__", None) or getattr(fn, "__name__", None)
    module = getattr(fn, "__module__", None)
    if name is None:
        return f"{article(type(fn).__name__)} that is called"
    if not isinstance(module, str) or module in ("builtins", "__main__"):
        return str(name)
    distribution = getattr(getattr(fn, "__self__", None), "name", None)
    if module.startswith("scipy.stats.") and isinstance(distribution, str):
        return f"scipy.stats.{distribution}.{name.rpartition('.')[2]}"
    parts = module.split(".")
    public = (".".join(parts[:i]) for i in range(1, len(parts) + 1))
    found = next((one for one in public if getattr(sys.modules.get(one), name, None) is fn), module)
    return f"{found}.{name}"

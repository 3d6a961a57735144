"""`export`: a derivative as a file, and the head of that file."""
from __future__ import annotations

import ast
import inspect
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ..api import derivation
from ..errors import TangentError
from ..pipeline.versions import described
from ..runtime import containers
from ..runtime.helpers import called_by, check_helpers, taken_by
from ..syntax.program import Derivation
from .layout import Layout, unresolved
from .ours import Library
from .theirs import NoWayError
from .units import HELPERS, Ref
from .versions import chosen, root
from .world import World, collected

KINDS = {"grad": "gradient", "value_and_grad": "value and gradient", "vjp": "vector-Jacobian product",
         "jvp": "Jacobian-vector product", "split": "pullback, its sweeps apart,"}
LICENSE = "The helpers are tangent_nb's. MIT License, Copyright (c) 2026 the tangent_nb authors: see its LICENSE."
WIDE = 118

Derivative = Callable[..., Any]


def export(df: Derivative | Sequence[Derivative], path: str | Path, *, versions: bool = False,
           like: Sequence[Any] | None = None, general: bool = True, guards: bool = True) -> None:
    """Write a derivative into a Python file of its own, which needs NumPy, and SciPy where something in it does.

    df: what `grad`, `value_and_grad`, `vjp` or `jvp` gave, or several of them, as the pair of split motion.
    path: ends in `.py`; a file that is there is replaced. versions: with the texts that `df` has made for the arguments
    of its calls, each behind its guard; otherwise the file holds the one for all arguments. like: example arguments;
    with the text for arguments such as these. general: False leaves the text for all arguments out, so that what fits
    no guard is refused. guards: False, with `like` and without `general`, leaves out that guard too: the shortest file,
    which takes other arguments as they come, and may give wrong numbers for them.

    The file holds what the derivative reads, as it is now: functions and classes as they were written, values of
    variables, the helpers of tangent_nb. What is computed is the same, to the last bit. Arrays of more than 100 numbers
    lie beside it, as `.npz`. Raises TangentError where something cannot be written, with its name, why, and what to do.

    >>> import tempfile
    >>> import numpy as np
    >>> from tangent_nb import grad
    >>> def f(x, w): return np.sum(x * w)
    >>> path = Path(tempfile.mkdtemp()) / "gradient.py"
    >>> export(grad(f), path, like=(np.ones(3), np.ones(3)), general=False)
    >>> print(path.read_text().partition("def df_dx")[2].partition("\\n\\n")[0])
    (x, w):
        if not fits('f8[n], f8[n]', x, w):  # guard
            raise ArgumentError('df_dx was exported for x: f8[n], w: f8[n] alone')
        return rt.copy(w)
    >>> export(grad(f), path, like=(np.ones(3), np.ones(3)), general=False, guards=False)
    >>> print(path.read_text().partition("def df_dx")[2].partition("\\n\\n")[0])
    (x, w):
        return rt.copy(w)
    """
    path = Path(path)
    if path.suffix != ".py":
        raise TangentError(f"a derivative is exported to a Python file, not to {path.name}: a name that ends in .py")
    text, arrays = _written(df, versions, like, general, guards, path)
    if arrays:
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".npz", delete=False) as file:
            np.savez(file, **arrays)
        os.replace(file.name, path.with_suffix(".npz"))
    path.write_text(text, encoding="utf-8", newline="\n")


def exported(df: Derivative | Sequence[Derivative], *, versions: bool = False, like: Sequence[Any] | None = None,
             general: bool = True, guards: bool = True) -> str:
    """The text that `export` writes, where no array has to lie beside it.

    >>> import tangent_nb
    >>> text = exported(tangent_nb.grad(lambda x: 3.0 * x))
    >>> print(text.splitlines()[0])
    \"\"\"The gradient of function by x: dfunction_dx(x).
    """
    return _written(df, versions, like, general, guards, None)[0]


def _written(df: Any, versions: bool, like: Sequence[Any] | None, general: bool, guards: bool,
             path: Path | None) -> tuple[str, dict[str, Any]]:
    """The text, and the arrays that lie beside it; refused where something cannot be written."""
    if not guards and (like is None or general or versions):
        raise TangentError("a file without guards has one text, for one kind of arguments: give like=(...), with "
                           "general=False and without versions")
    functions = list(df) if isinstance(df, (tuple, list)) else [df]
    if not functions:
        raise TangentError("there is no derivative to export: give one, or several")
    functions = [getattr(one, "__tangent_unnoted__", one) for one in functions]    # in a notebook guards note
    derivations = [derivation(one) for one in functions]
    for fn, one in zip(functions, derivations):
        _check(fn, one)
    roots: list[Ref] = []
    made = [chosen(fn, one, versions, like) for fn, one in zip(functions, derivations)]

    def build(world: World) -> None:
        roots[:] = [root(world, fn, one, texts, general, guards)
                    for fn, one, texts in zip(functions, derivations, made)]

    name = functions[0].__name__
    try:
        world = collected(build)
        layout = Layout(world, roots, None if path is None else {})
        body = layout.text()
    except NoWayError as error:
        raise TangentError(_refusal(name, error)) from None
    asked = [] if guards else [described(text) for texts in made for text in texts]
    text = _head(derivations, layout, world, path, body, asked)
    if missing := unresolved(text):
        raise RuntimeError(f"the file reads {sorted(missing)}, which it does not define:\n{text}")
    compile(text, str(path or name), "exec", dont_inherit=True)
    return text, layout.arrays or {}


def _check(fn: Any, one: Derivation) -> None:
    """Refuses what runs on another library, and what is a derivative of functions that are no more."""
    if inspect.unwrap(fn) is not fn:
        raise TangentError(f"{fn.__name__} is watched, and a file is not: export the derivative itself")
    if one.primal is None:
        raise TangentError(f"{fn.__name__} came from another process, without the texts that it is made of: "
                           "export it there, or derive it here")
    if one.backend != "numpy" or one.compiled:
        library = one.compiled if one.compiled == "numba" else "jax"
        raise TangentError(f"{fn.__name__} runs with {library}, and a file needs NumPy alone: "
                           "export the one on NumPy, tnb.grad(f)")
    for helper, function in taken_by(fn):
        check_helpers((helper,), called_by(helper.caller or function, helper.name))


def _refusal(name: str, error: NoWayError) -> str:
    """The whole message: what, where it is read, why, and the remedy."""
    lines = [f"cannot export {name}"]
    if error.what:
        lines.append(f"  what: {error.what}" + (f", which {error.reader} reads" if error.reader else ""))
    return "\n".join([*lines, f"  why: {error}", f"  instead: {error.remedy}"])


def _knows(one: Derivation, cls: type) -> bool:
    """The user's function may be given objects of a class: its module has it, or the module that it is from."""
    scope = one.primal.fn.__globals__.values() if one.primal else ()
    return any(value is cls or isinstance(value, ModuleType) and value.__name__ == cls.__module__ for value in scope)


def _head(derivations: Sequence[Derivation], layout: Layout, world: World, path: Path | None, body: str,
          unasked: Sequence[str]) -> str:
    """The file from its first line on: what it is, what it needs, whose it is; imports. unasked: what its arguments
    have to be, and are not asked to be."""
    names = [layout.names[one] for one in layout.roots]
    imports = layout.imports
    needs = sorted({"numpy", *_libraries(body, imports)} - set(sys.stdlib_module_names) - {"tangent_nb"})
    one = derivations[0]
    calls = ", ".join(f"{name}{_signature(layout, ref)}" for name, ref in zip(names, layout.roots))
    said = [f"The {KINDS.get(one.kind, 'derivative')} of {one.primal.name if one.primal else 'a function'} "
            f"by {', '.join(one.wrt)}: {calls}.", "",
            f"Needs {' and '.join(_title(need) for need in needs)}, and not tangent_nb, which has written it."]
    said += [f"For {made} alone: other arguments are not refused, and may give wrong numbers." for made in unasked]
    if world.frozen:
        said += [f"What is read from outside is as it was then: {', '.join(sorted(world.frozen))}."]
    unknown = sorted({cls.__qualname__ for cls in containers.REGISTERED if _knows(one, cls)})
    if unknown and any(containers.kind_of.__name__ in unit.names for unit in world.units):
        said += [f"What register_container has made known is not known here: {', '.join(unknown)}."]
    if any(unit.section == HELPERS for unit in world.units):
        said += [LICENSE]
    load = ""
    if layout.arrays:
        assert path is not None
        imports["Path"] = Library("pathlib", "Path")
        imports.setdefault("np", Library("numpy"))
        beside = path.with_suffix(".npz").name
        said += [f"Arrays are read from {beside}, which lies beside it."]
        load = f"\n{layout.beside} = np.load(Path(__file__).with_name({beside!r}))\n"
    noted = any(getattr(node, "annotation", None) is not None or getattr(node, "returns", None) is not None
                for unit in layout.codes if unit.section != HELPERS for node in ast.walk(unit.tree))
    future = "from __future__ import annotations\n\n" if noted else ""
    head = "\n".join(_wrapped(line) for line in said)
    lines = "\n".join(layout.imported())
    return f'"""{head}\n"""\n{future}{lines}\n\n__all__ = {names!r}\n{load}{body}'


def _signature(layout: Layout, ref: Ref) -> str:
    """The parameters, without their defaults."""
    unit: Any = ref.unit
    args = unit.tree.body[0].args
    names = [one.arg for one in [*args.posonlyargs, *args.args]]
    names += [f"*{args.vararg.arg}"] if args.vararg else []
    names += [f"{one.arg}=" for one in args.kwonlyargs]
    names += [f"**{args.kwarg.arg}"] if args.kwarg else []
    return f"({', '.join(names)})"


def _wrapped(line: str) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(line.replace("\\", "\\\\").replace('"""', "'''"), WIDE)) if line else ""


def _libraries(body: str, imports: dict[str, Library]) -> set[str]:
    """The packages that are imported, also inside of functions."""
    found = {one.module.partition(".")[0] for one in imports.values()}
    for node in ast.walk(ast.parse(body)):
        if isinstance(node, ast.Import):
            found |= {one.name.partition(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


def _title(name: str) -> str:
    return {"numpy": "NumPy", "scipy": "SciPy"}.get(name, name)

"""The last stage for another library, or for a compiler: `jax`, or `numba`.

Needs the functions of a text for NumPy. Promises those that run elsewhere, with the text that is shown; or refusals.
"""
from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ..desugar import Reader
from ..errors import RefusedError
from ..syntax.building import clone
from ..syntax.names import Names
from ..syntax.program import Stage
from .on_jax import on_jax
from .on_numba import on_numba
from .request import Function, Request
from .snapshots import function_text

SUMMARIES = {"jax": "the same on jax.numpy: no array is changed, what JAX does in another way is done by a helper",
             "numba": "the same in nopython mode, behind an entry that checks the arguments"}


def elsewhere(functions: list[Function], main: tuple[str, ...], general: Collection[str], request: Request,
              taken: Names, reader: Reader) -> tuple[list[Function], list[Stage]] | RefusedError:
    """The functions where the request wants them, and the stages that it took. general: those that ask for texts."""
    if request.backend == "jax":
        name, shown = "jax", 0
        made = on_jax(functions, main, request, taken, reader)
    elif request.compiled:
        name, shown = "numba", 1
        made = on_numba([one for one in functions if one.tree.name not in general], request, taken, reader)
    else:
        return functions, []
    if isinstance(made, RefusedError):
        return made
    text = function_text(replace(made[shown], tree=clone(made[shown].tree)), {})
    asking = [one for one in functions if one.tree.name in general] if shown else []
    return [*made, *asking], [Stage(name, SUMMARIES[name], text)]

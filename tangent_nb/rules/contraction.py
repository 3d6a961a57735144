"""np.einsum: linear in each of its operands, of which there may be six."""
from __future__ import annotations

import numpy as np

from .. import runtime as rt
from . import infer
from .infer import cotangent
from .sharing import not_summed
from .table import rule

OPERANDS = "xyzabc"


def _call(function: str, first: str = "", **changed: str) -> str:
    """The text of a call with all operands, some of them exchanged."""
    return f"rt.{function}({first}subscripts, {', '.join(changed.get(c, c) for c in OPERANDS)})"


ALL = f"x, {', '.join(f'{c}=None' for c in OPERANDS[1:])}"
DETAILS = {"spec": infer.einsum, "memory": "alias", "shares": not_summed, "multiplies": "elements",
           "pull": {c: _call(f"einsum_d{c}", "g, ") for c in OPERANDS},
           "push": {c: _call("einsum", **{c: "g"}) for c in OPERANDS}}
rule(np.einsum, f"r = np.einsum(subscripts, {ALL}, *, optimize=False)", nondiff=["subscripts"], refused=["subscripts"],
     remedies={"subscripts": "the subscripts as a text: np.einsum('ij,jk->ik', a, b)"},
     **DETAILS)  # type: ignore[arg-type]
rule(rt.einsum, f"r = rt.einsum(subscripts, {ALL})", nondiff=["subscripts"], **DETAILS)  # type: ignore[arg-type]
for n, which in enumerate(OPERANDS):
    same, rest = f"einsum_d{which}", [c for c in OPERANDS if c != which]
    operands = ", ".join(c if k <= n else f"{c}=None" for k, c in enumerate(OPERANDS))
    rule(getattr(rt, same), f"r = rt.{same}(v, subscripts, {operands})", nondiff=["subscripts", which],
         spec=cotangent(which), memory="alias", shares=not_summed, multiplies="elements",
         pull={"v": _call("einsum", **{which: "g"}), **{c: _call(f"einsum_d{c}", "v, ", **{which: "g"}) for c in rest}},
         push={"v": _call(same, "g, "), **{c: _call(same, "v, ", **{c: "g"}) for c in rest}})

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


DOMAIN = {"x": [(2, 2), (3,), (2, 3), (2, 3), (2, 3, 4), (2, 3, 3), (2, 3), (2, 3), (3, 3), (1, 3), (2,)],
          "y": [None, (3,), (3, 4), (4,), (2, 4, 5), None, (3, 4), (3, 3), (3,), (2, 3), (2, 2)],
          "z": [None, None, None, None, None, None, (4, 2), (3,), None, None, (2,)],
          "a": [None] * 7 + [(3, 2)] + [None] * 2 + [(2, 3)], "b": [None] * 10 + [(3,)], "c": [None] * 10 + [()],
          "subscripts": ["ii", "i,i->", "ij,jk->ik", "ij,k->", "...ij,...jk", "...ii->...", "ij,jk,ki", "ij,jk,k,kl->il", "ii,i->i", "ij,ij->j",
                         "i,ij,j,jk,k,->i"]}
ALL = f"x, {', '.join(f'{c}=None' for c in OPERANDS[1:])}"
DETAILS = {"spec": infer.anything, "domain": DOMAIN, "memory": "alias", "shares": not_summed, "multiplies": "elements",
           "pull": {c: _call(f"einsum_d{c}", "g, ") for c in OPERANDS}, "push": {c: _call("einsum", **{c: "g"}) for c in OPERANDS}}
rule(np.einsum, f"r = np.einsum(subscripts, {ALL}, *, optimize=False)", nondiff=["subscripts"], refused=["subscripts"],
     remedies={"subscripts": "the subscripts as a text: np.einsum('ij,jk->ik', a, b)"}, **DETAILS)  # type: ignore[arg-type]
rule(rt.einsum, f"r = rt.einsum(subscripts, {ALL})", nondiff=["subscripts"], **DETAILS)  # type: ignore[arg-type]
for n, which in enumerate(OPERANDS):
    same, rest = f"einsum_d{which}", [c for c in OPERANDS if c != which]
    operands = ", ".join(c if k <= n else f"{c}=None" for k, c in enumerate(OPERANDS))
    rule(getattr(rt, same), f"r = rt.{same}(v, subscripts, {operands})", nondiff=["subscripts", which], spec=cotangent(which), memory="alias",
         shares=not_summed, multiplies="elements",
         pull={"v": _call("einsum", **{which: "g"}), **{c: _call(f"einsum_d{c}", "v, ", **{which: "g"}) for c in rest}},
         push={"v": _call(same, "g, "), **{c: _call(same, "v, ", **{c: "g"}) for c in rest}},
         domain={**{c: [(3,)] for c in OPERANDS}, "v": [()], "subscripts": ["i,i,i,i,i,i->"]})

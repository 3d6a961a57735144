"""Optimise: passes with names, each of which may be left out."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import gast

from ..analyse.kinds import Env
from ..analyse.resolve import Scope
from ..syntax.names import Names
from ..syntax.nodes import key
from .common_terms import common_terms
from .copies import copies
from .dead_code import dead_code
from .local import constants, first_write, unbroadcast
from .own import changed_in_place, copied, is_fresh, own

PASSES: Mapping[str, str] = {
    "inlining": "short callees stand in the place of their calls",
    "recompute": "cheap values are computed again in loops, instead of being saved",
    "unbroadcast": "nothing is unbroadcast that has the right shape for certain",
    "first_write": "the first contribution to a cotangent is its value, not added to zero",
    "constant_folding": "literals are folded, factors of one left out",
    "copy_propagation": "copies, and temporaries that are read once, are put where they are read",
    "common_terms": "a call that is written twice is made once",
    "dead_code": "what nothing reads is left out, tapes too",
}
EARLY = ("inlining", "recompute")          # made by the stages before
AGAIN = ("constant_folding", "copy_propagation", "dead_code")
MOST_AGAIN = 2


def optimise(tree: gast.FunctionDef, passes: Sequence[str], scope: Scope, names: Names, specs: Env, floats: Sequence[str],
             temporaries: set[str], *, attempted: bool = False) -> Iterator[str]:
    """Run passes on a tree, in their order, and yield the name of each when it is done.

    specs: of the parameters; floats: those that are floating for certain; temporaries: names that are ours; attempted: it may be called
    in a `try`, where it counts what raises.
    """
    run = {
        "unbroadcast": lambda: unbroadcast(tree),
        "first_write": lambda: first_write(tree),
        "constant_folding": lambda: constants(tree, scope, specs, floats, names, temporaries),
        "copy_propagation": lambda: copies(tree, scope, temporaries.__contains__, attempted=attempted),
        "common_terms": lambda: common_terms(tree, scope, names, temporaries),
        "dead_code": lambda: dead_code(tree, scope, attempted=attempted),
    }
    wanted = [name for name in PASSES if name in passes and name not in EARLY]
    for place, name in enumerate(wanted):
        run[name]()
        if place == len(wanted) - 1:
            for _ in range(MOST_AGAIN):
                before = key(tree.body)
                for again in [n for n in AGAIN if n in wanted]:
                    if again != "dead_code" or key(tree.body) != before:       # it leaves nothing dead, the first time
                        run[again]()
                if key(tree.body) == before:
                    break
        yield name


__all__ = ["EARLY", "PASSES", "changed_in_place", "copied", "is_fresh", "optimise", "own"]

"""Optimise: passes with names, each of which may be left out."""
from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import gast

from ..analyse.flow import defined
from ..syntax.blocks import is_compound, statements
from ..syntax.names import Names
from ..syntax.nodes import names_in
from ..syntax.parts import is_stamped, stamp
from .accumulate import in_place
from .common_terms import common_terms
from .copies import copies
from .dead_code import dead_code
from .facts import Facts
from .first_writes import first_write
from .fresh import is_fresh
from .fuse import loop_fusion
from .invariants import loop_invariants
from .invert import invert_updates
from .local import constants, unbroadcast
from .own import changed_in_place, copied, own
from .rematerialise import rematerialise
from .renumber import renumber
from .reuse import reuse
from .trees import State, state

PASSES: Mapping[str, str] = {
    "inlining": "short callees stand in the place of their calls",
    "recompute": "cheap values are computed again in loops, instead of being saved",
    "unbroadcast": "nothing is unbroadcast that has the right shape for certain",
    "first_write": "the first contribution to a cotangent is its value, not added to zero",
    "constant_folding": "literals are folded, factors of one left out",
    "copy_propagation": "copies, and temporaries that are read once, are put where they are read",
    "common_terms": "a call that is written twice is made once, a part that has a name read by it",
    "dead_code": "what nothing reads is left out, tapes too; what is left is folded again",
    "loop_fusion": "a loop whose trips need nothing of each other does both sweeps of a trip at once",
    "rematerialise": "what does not change in a loop, or is a part of what is there, is not saved",
    "invert_updates": "what a loop changes by adding to it is brought back by taking that away, and not saved",
    "loop_invariants": "what the derivative computes in each trip, of what does not change, is computed once",
    "in_place": "what is added to an array of ours is added where it is",
    "reuse": "what an operation makes is written into an array of ours that nothing reads any more",
    "renumber": "names have no numbers where the variables that had them first are gone",
}
EARLY = ("inlining", "recompute")          # made by the stages before
# of texts in which nothing is dead; others find more
LATE = ("loop_fusion", "rematerialise", "invert_updates", "loop_invariants")
LAST = ("in_place", "reuse", "renumber")   # others find nothing after them
ASKED = ("invert_updates", "reuse")        # off, unless they are asked for
USUAL = tuple(name for name in PASSES if name not in ASKED)
AGAIN = ("constant_folding", "copy_propagation", "common_terms", "dead_code")
MOST_AGAIN = 2


Step = tuple[str, tuple[str, ...]]                         # a pass, and those that may run again behind it


def steps_of(passes: Sequence[str]) -> tuple[Step, ...]:
    """Passes in the order in which they run. What steps make of a function rests on those before them alone.

    >>> steps_of(["dead_code", "constant_folding", "in_place"])
    (('constant_folding', ()), ('dead_code', ('constant_folding', 'dead_code')), ('in_place', ()))
    """
    wanted = [name for name in PASSES if name in passes and name not in EARLY]
    last = [name for name in wanted if name not in (*LATE, *LAST)][-1:]
    again = tuple(name for name in AGAIN if name in wanted)
    return tuple((name, again if name in last or name in LATE else ()) for name in wanted)


def optimise(facts: Facts, steps: Sequence[Step], names: Names, floats: Sequence[str], temporaries: set[str], *,
             begun: int = 0, attempted: bool = False, whole: bool = True, sampled: bool = False,
             kept: Collection[str] = ()) -> Iterator[tuple[str, bool]]:
    """Run passes on the tree of which the facts are, in their order, and yield the name of each when it is done, and
    whether it has changed something.

    begun: so many steps have left the tree as it is; floats: the parameters that are floating for certain; temporaries:
    names that are ours; attempted: it may be called in a `try`, where it counts what raises; whole: both sweeps stay in
    one function; sampled: what is saved is sampled later, so that nothing of the forward sweep is made again of more
    than is saved; kept: names that others know.
    """
    tree = facts.tree
    if not begun:
        stamp(statements(tree.body))
    passes_of = _passes(facts, names, floats, temporaries, attempted=attempted, whole=whole, sampled=sampled, kept=kept)
    now = seen = state(tree.body)
    left: dict[str, State] = {}                            # as a pass found it, and left it: it would do so again

    def run(name: str) -> None:
        nonlocal now
        if left.get(name) == now:
            return
        before = now
        passes_of[name]()
        now = state(tree.body)
        if now == before:
            left[name] = now
        else:
            stamp(stmt for stmt in statements(tree.body) if not is_stamped(stmt))      # before it is put elsewhere
            facts.changed()

    for name, rounds in steps[begun:]:
        before = now
        run(name)
        stale = name in LATE and now != before
        if rounds and (name not in LATE or stale):
            for _ in range(MOST_AGAIN):
                before = now
                for again in rounds:
                    if again != "dead_code" or now != before or stale:         # it leaves nothing dead, the first time
                        run(again)
                stale = False
                if now == before:
                    break
        yield name, now != seen
        seen = now


def _passes(facts: Facts, names: Names, floats: Sequence[str], temporaries: set[str], *, attempted: bool, whole: bool,
            sampled: bool, kept: Collection[str]) -> Mapping[str, Callable[[], None]]:
    """What each pass does with a function."""
    tree = facts.tree
    return {
        "unbroadcast": lambda: unbroadcast(tree),
        "first_write": lambda: first_write(tree, facts),
        "constant_folding": lambda: constants(tree, facts, floats, names, temporaries),
        "copy_propagation": lambda: copies(
            tree, facts, (temporaries - _handed_on(tree) if sampled else temporaries).__contains__,
            attempted=attempted),
        "common_terms": lambda: common_terms(tree, facts, names, temporaries),
        "dead_code": lambda: dead_code(tree, facts, attempted=attempted),
        "loop_fusion": lambda: loop_fusion(tree, facts) if whole and not attempted else None,
        "rematerialise": lambda: rematerialise(tree, facts, names, temporaries) if whole and not attempted else None,
        "invert_updates": lambda: invert_updates(tree, facts, names, kept) if whole and not attempted else None,
        "loop_invariants": lambda: None if attempted else loop_invariants(tree, facts, names, temporaries),
        "in_place": lambda: in_place(tree, facts),
        "reuse": lambda: reuse(tree, facts) if whole and not attempted else None,
        "renumber": lambda: renumber(tree, facts, names, temporaries, kept),
    }


def _handed_on(tree: gast.FunctionDef) -> set[str]:
    """The names that the forward sweep binds and the backward sweep reads."""
    found: tuple[set[str], set[str]] = set(), set()
    for stmt in statements(tree.body):
        if not is_compound(stmt):
            forward = getattr(stmt, "role", "") == "forward"
            found[forward].update(defined(stmt) if forward else names_in(stmt))
    return found[0] & found[1]


__all__ = ["EARLY", "PASSES", "USUAL", "Facts", "Step", "changed_in_place", "copied", "is_fresh", "optimise", "own",
           "steps_of"]

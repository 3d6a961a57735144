"""Rows say where they jump or have kinks, which follows from their own texts: a slope that jumps is that of a kink."""
import ast
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_rows import DERIVED, SCOPE

from tangent_nb.rules import lookup

# of NaN, of what is there at all, and of masks and places, which jump where they are made
STRUCTURE = (" is None", "np.ndim(")
INCOMING = ("g != 0.0", "np.any(g != 0.0")                                    # where nothing comes in, nothing goes out
NO_JUMPS = ("np.isnan", "np.isfinite", "np.logical_not", "np.flatnonzero", "np.arange", *INCOMING)
SMOOTH_AT_THE_EDGE = ("scipy.stats.lognorm.",)
NEVER_OUTSIDE = (".ppf", ".isf")                                              # what they give is in the support
# which are refused where they are differentiated
OF_INTEGERS = tuple(f"scipy.stats.{name}." for name in ("poisson", "binom", "bernoulli"))
ROWS = [rule for rule in DERIVED if not rule.by_user and not rule.name.startswith((*SMOOTH_AT_THE_EDGE, *OF_INTEGERS))
        and not rule.name.endswith(NEVER_OUTSIDE)]


def jumping(rule):
    """What jumps in the partials of a row."""
    exprs = [choice.expr for side in (rule.pull, rule.push) for choices in side.values() for choice in choices]
    for node in (node for expr in exprs for node in ast.walk(expr)):
        text = ast.unparse(node)
        if isinstance(node, ast.Compare) and not text.startswith(INCOMING) \
                and not any(one in text for one in STRUCTURE) \
                and not {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} <= rule.settings:
            yield text
        elif isinstance(node, ast.Call) and not text.startswith(NO_JUMPS) \
                and (called := ast.unparse(node.func)).split(".")[0] in SCOPE:
            row = lookup(eval(called, dict(SCOPE)))
            if row is not None \
                    and (row.breaks == "jump" or isinstance(row.breaks, dict) and "jump" in row.breaks.values()):
                yield text


@pytest.mark.parametrize("rule", ROWS, ids=lambda rule: rule.name)
def test_a_slope_that_jumps_is_told(rule):
    assert rule.breaks or not [*jumping(rule)]


def test_there_are_some():
    """The check sees what it is for."""
    assert sum(bool([*jumping(rule)]) for rule in ROWS) > 40

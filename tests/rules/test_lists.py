"""What NumPy takes as an array may be a list: the derivative by the other arguments is the same."""
import inspect
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import sourced
from test_derived import ROWS
from test_rows import SCOPE, cases

import tangent_nb as tnb


def is_array(value):
    return isinstance(value, np.ndarray) and value.ndim > 0 and value.dtype.kind in "fi"


def function(rule, args, listed, by):
    """A function of the argument `by`, in which `listed` is a list, or nothing."""
    given = []
    for name, value in args.items():
        optional = rule.signature.parameters[name].default is not inspect.Parameter.empty
        given.append(f"{name}=given_{name}" if optional and value is not None else f"given_{name}")
    known = {f"given_{name}": value.tolist() if name == listed else value for name, value in args.items() if name != by}
    text = f"def f(given_{by}):\n    return np.sum(np.sin(fn({', '.join(given)})))\n"
    return sourced(text, {**SCOPE, **known, "fn": rule.fn})["f"]


def takes_lists(rule, args, listed, by):
    """NumPy takes a list there."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            function(rule, args, listed, by)(args[by])
    except (TypeError, AttributeError, ValueError):
        return False
    return True


def pairs():
    """Of each row: which argument is a list, by which one is differentiated, and a call."""
    found = {}
    for rule in ROWS:
        if rule.name.startswith("scipy.stats.") and not rule.name.endswith((".logpdf", ".logpmf")):
            continue                                                          # made of the same texts
        for args in cases(rule):
            args = {name: args[name] for name in rule.params if args.get(name) is not None}
            for listed in (name for name, value in args.items() if is_array(value)):
                by = next((name for name in rule.pull if name != listed and isinstance(args.get(name), (np.ndarray, float))), None)
                if by is not None and (rule.name, listed) not in found and takes_lists(rule, args, listed, by):
                    found[rule.name, listed] = pytest.param(rule, args, listed, by, id=f"{rule.name}-{listed}")
    return [*found.values()]


@pytest.mark.parametrize(("rule", "args", "listed", "by"), pairs())
def test_of_a_list(rule, args, listed, by):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        one, other = function(rule, args, "", by), function(rule, args, listed, by)
        assert np.array_equal(tnb.grad(other)(args[by]), tnb.grad(one)(args[by]))

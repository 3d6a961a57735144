"""Calls are bound as NumPy and SciPy bind them: names, places and defaults of arguments;
what a row does not take is refused by its name."""
import inspect
import sys
from pathlib import Path

import gast
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
import test_rows  # noqa: F401  (it fills the rows of SciPy)

from tangent_nb.analyse.resolve import Scope
from tangent_nb.rules import rows
from tangent_nb.syntax.program import Namespace

ROWS = [rule for rule in rows() if rule.supported and not rule.by_user and rule.fn is not None
        and rule.original is not None and rule.name.startswith(("np.", "x.", "math.", "scipy."))]
PLACED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
SPREAD = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
# None for the default of the function, which its row has no need to know: np.arange counts by 1.
MEANT = {("np.arange", "step")}


def ident(rule):
    return f"{rule.name}-{getattr(rule.fn, '__name__', '')}"


def theirs(rule):
    """The parameters of the function, by their names in the row."""
    return {rule.names.get(name, name): parameter for name, parameter in rule.original.parameters.items()}


@pytest.mark.parametrize("rule", ROWS, ids=ident)
def test_places_are_those_of_the_function(rule):
    own = [name
           for name, parameter in rule.signature.parameters.items() if parameter.kind is not parameter.KEYWORD_ONLY]
    placed = [name for name, parameter in rule.original.parameters.items() if parameter.kind in PLACED]
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in rule.original.parameters.values()):
        return
    named = [rule.names.get(name, name) for name in placed]
    one_by_one = [(mine, other) for mine, other in zip(own, named) if mine != other and mine in named]
    assert not one_by_one and len(own) <= len(named), (own, named)


@pytest.mark.parametrize("rule", ROWS, ids=ident)
def test_defaults_are_those_of_the_function(rule):
    found = theirs(rule)
    for name, parameter in rule.signature.parameters.items():
        other = found.get(name)
        if other is None or (rule.name, name) in MEANT or other.kind in SPREAD:
            continue
        if isinstance(other.default, (bool, int, float, str, tuple)):
            assert parameter.default == other.default \
                or parameter.default is None and rule.name.startswith("scipy."), name


@pytest.mark.parametrize("rule", ROWS, ids=ident)
def test_what_is_not_taken_is_refused_by_name(rule):
    scope = Scope(Namespace({"fn": rule.fn}), {"x", "given"})
    required = [name for name, parameter in rule.signature.parameters.items() if parameter.default is parameter.empty]
    for name, parameter in rule.original.parameters.items():
        if parameter.kind in (*SPREAD, parameter.POSITIONAL_ONLY) \
                or rule.names.get(name, name) in rule.signature.parameters:
            continue
        call = gast.parse(f"fn({', '.join('x' for _ in required)}, {name}=given)", mode="eval").body
        operation = scope.operation(call)
        assert operation.kind == "unknown" and repr(name) in operation.why, (name, operation.why)

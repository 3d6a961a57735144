"""What passes keep of trees and statements is what they would find anew, whenever somebody asks: a fact that has gone
stale would be a wrong number."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from corpus import CORPUS

import tangent_nb as tnb
from benchmarks import deriving
from tangent_nb.analyse.effects import is_pure, may_refuse
from tangent_nb.analyse.flow import statement_access
from tangent_nb.analyse.remembering import Remembering
from tangent_nb.analyse.resolve import Scope
from tangent_nb.errors import TangentError
from tangent_nb.optimise.facts import Facts
from tangent_nb.optimise.places import Places, Uses
from tangent_nb.optimise.places import _named as names_of
from tangent_nb.syntax.nodes import key

pytestmark = pytest.mark.sampled(12)

PROGRAMS = [(entry.id, entry.function, entry.wrt) for entry in CORPUS[::8]] + [
    (name, *program) for name, program in deriving.SHORT.items()]


@pytest.fixture
def checked(monkeypatch):
    """Each answer of the facts is compared with what is found without them; how many there were."""
    asked = {"access": 0, "names": 0, "use": 0, "pure": 0, "movable": 0, "operation": 0}
    changing = []                                          # what a statement did is asked for the last time
    replaced = Places.replaced

    def noted(self, *args):
        changing.append(args)
        replaced(self, *args)
        changing.pop()

    monkeypatch.setattr(Places, "replaced", noted)

    def check(owner, name, what, anew):
        kept = getattr(owner, name)

        def compared(self, node):
            found = kept(self, node)
            assert changing or found == anew(self, node), f"what is kept as {what} is stale"
            asked[what] += 1
            return found

        monkeypatch.setattr(owner, name, compared)

    check(Uses, "access", "access", lambda self, stmt: statement_access(stmt))
    check(Uses, "named", "names", lambda self, stmt: names_of(stmt))
    check(Uses, "__call__", "use", lambda self, stmt: Uses()._found(stmt))
    def forgetful(scope):
        return Scope(scope.namespace, scope.local, scope.objects, scope.untold)

    def told(operation):                                   # some arguments are trees that are made of what is written
        return operation._replace(args={name: key(arg) for name, arg in operation.args.items()})

    check(Facts, "pure", "pure", lambda self, node: is_pure(node, forgetful(self.scope)))
    check(Facts, "movable", "movable", lambda self, node: is_pure(node, forgetful(self.scope))
          and not may_refuse(node, forgetful(self.scope)))
    kept_operation = Remembering.operation

    def operation(self, node):
        found = kept_operation(self, node)
        assert told(found) == told(forgetful(self).operation(node)), "what is kept as operation is stale"
        asked["operation"] += 1
        return found

    monkeypatch.setattr(Remembering, "operation", operation)
    return asked


@pytest.mark.parametrize("mode", [tnb.vjp, tnb.jvp])
def test_kept_facts_are_true(checked, mode):
    for name, function, wrt in PROGRAMS:
        try:
            mode(function, wrt=wrt)
        except TangentError:
            continue
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
    assert min(checked.values()) > 1000, checked

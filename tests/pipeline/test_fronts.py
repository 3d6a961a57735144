"""What a reader sees after switching passes on and off is what a derivation with these passes alone gives."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from corpus import CORPUS

import tangent_nb as tnb
from benchmarks import deriving
from tangent_nb.errors import TangentError
from tangent_nb.optimise import USUAL
from tangent_nb.pipeline import Fronts, fronts, sharing
from tangent_nb.pipeline.build import Build
from tangent_nb.pipeline.request import keeping

LEFT_OUT = [tuple(one for one in USUAL if one != name) for name in USUAL]
CHOICES = [True, USUAL, *LEFT_OUT, (), LEFT_OUT[4], tuple(one for one in LEFT_OUT[6] if one != "in_place"), USUAL]
PROGRAMS = [(entry.id, entry.function, entry.wrt, entry.args) for entry in CORPUS[::8] if not entry.refused] + [
    (name, *program, None) for name, program in deriving.SHORT.items()]
KINDS = {
    "general": lambda f, wrt, args, passes: tnb.grad(f, wrt, optimized=passes),
    "for arguments": lambda f, wrt, args, passes: tnb.value_and_grad(f, wrt, optimized=passes, like=args),
    "split": lambda f, wrt, args, passes: tnb.autodiff(f, wrt, motion="split", optimized=passes)[0],
    "forward": lambda f, wrt, args, passes: tnb.jvp(f, wrt, optimized=passes),
}


def scale(x):
    return 2.0 * x


def twice(x, w):
    for _ in range(3):
        x = scale(x) * w + x
    return x.sum()


@pytest.mark.sampled(12)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "f", "wrt", "args"), PROGRAMS, ids=[one[0] for one in PROGRAMS])
def test_the_text_is_that_of_a_derivation_of_its_own(name, f, wrt, args, kind):
    if kind == "for arguments" and args is None:
        pytest.skip("it has no example arguments")
    shared = Fronts()

    def stages(passes):
        try:
            return tnb.stages(KINDS[kind](f, wrt, args, passes))
        except TangentError as error:
            return str(error)

    for passes in CHOICES:
        with sharing(shared, glance=True), keeping():
            glance = stages(passes)
        with sharing(shared), keeping():
            found = stages(passes)
        assert found == stages(passes), passes
        assert isinstance(found, str) or [*glance][:-1] == [*found][:-1], passes
        functions = () if isinstance(found, str) else glance["emit"].split("\n\n\n")   # others stand between
        assert all(one.rstrip() in found["emit"] for one in functions), passes


def test_nothing_before_the_first_pass_is_found_again(monkeypatch):
    begun = []
    begin = Build.begin
    monkeypatch.setattr(Build, "begin", lambda self: begun.append(self.request.passes) or begin(self))
    with sharing(Fronts()), keeping():
        texts = {passes: tnb.source(tnb.grad(twice, "w", optimized=passes)) for passes in CHOICES}
    early = {tuple(one for one in (USUAL if passes is True else passes) if one in fronts.EARLY) for passes in CHOICES}
    assert len(begun) == len(early) == 4
    assert len(set(texts.values())) > 4


def test_another_function_or_request_is_another():
    with sharing(Fronts()) as known, keeping():
        assert known is None
        one = tnb.source(tnb.grad(twice, "w"))
        assert one != tnb.source(tnb.grad(twice, "x"))
        assert one != tnb.source(tnb.value_and_grad(twice, "w"))
        assert one != tnb.source(tnb.grad(scale))
        assert one == tnb.source(tnb.grad(twice, "w"))


def test_only_the_last_are_kept():
    shared = Fronts()
    with sharing(shared):
        for wrt in ("x", "w", ("x", "w"), ("w", "x"), "x"):
            tnb.grad(twice, wrt)
    assert len(shared.known) == fronts.MOST
    assert all(not raw.passed for front in shared.known for raw in front.build.raws)       # none is kept to be shown

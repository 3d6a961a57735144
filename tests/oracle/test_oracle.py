"""The residual program beside the original, over a sample; what the oracle itself must be able to see."""
from __future__ import annotations

import ast
import builtins
import sys
from pathlib import Path
from typing import Any

import gast
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fuzz"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import compare
import facts
import planted
import tally as counted
from corpus import CORPUS, Entry
from engine import GRAMMARS
from interpreter import Interpreter
from lower import lowered
from oracles import fresh, sourced
from programs import judged, judged_chunk
from resizing import called, resized

import tangent_nb as tnb
from tangent_nb.errors import TangentError

HERE = Path(__file__).resolve().parent
PROGRAMS = 20                      # of each grammar; `python tests/oracle/run.py` is for more
MODES = ("reverse", "forward")


def verdict_of(text: str, *args: Any, wrt: tuple[int, ...] = (0,), mode: str = "reverse") -> compare.Verdict:
    """The verdict on the last function of a text."""
    scope = sourced(text)
    fn = next(value for value in reversed(list(scope.values())) if callable(value))
    return compare.judge(fn, lambda: fresh(args), wrt, mode)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("entry", [pytest.param(one, id=one.id) for one in CORPUS])
def test_corpus(entry: Entry) -> None:
    """The normal form does what the function does, and nothing false is claimed, in both modes."""
    for mode in MODES:
        verdict = compare.judge(entry.function, entry.fresh, entry.wrt, mode)
        assert verdict.kind in ("same", "refused", "stopped"), f"{mode}: {verdict.kind}: {verdict.message}"


@pytest.mark.sampled(24)
@pytest.mark.parametrize("entry", [pytest.param(one, id=one.id) for one in CORPUS if not one.refused])
def test_claims_for_examples(entry: Entry) -> None:
    """What is claimed for arguments as the examples holds for them, and for those of other sizes."""
    try:
        made = next(iter(tnb.versions(tnb.grad(entry.function, entry.wrt, like=entry.args))))
    except TangentError:
        pytest.skip("it may be refused")
    for arguments in (entry.args, resized(made, entry, 1), resized(made, entry, 2)):
        if arguments is None or isinstance(called(entry.function, arguments), type):
            continue
        for mode in MODES:
            verdict = compare.judge(entry.function, lambda given=arguments: fresh(given), entry.wrt, mode, entry.args)
            assert verdict.kind in ("same", "refused", "stopped"), f"{mode}: {verdict.kind}: {verdict.message}"


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_random_programs(grammar: str) -> None:
    tally = judged_chunk(range(PROGRAMS), grammar)
    assert not tally.failures, tally.failures[:2]
    assert tally.verdicts["same"] >= PROGRAMS // 2 and tally.asserted > 1000 * tally.verdicts["same"]


def test_the_tally_is_of_these_programs() -> None:
    """What stands in tally.json was counted of the programs that the grammars draw now,
    and nothing of it differs or is claimed falsely."""
    for name, count in counted.load(HERE / "tally.json").items():
        assert count.meaning == counted.meaning(GRAMMARS[name])
        assert not any(one.failures for one in count.sittings)
        assert all(one.programs == sum(one.verdicts.values()) for one in count.sittings)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", planted.BUGS)
def test_planted_bug_is_found(name: str) -> None:
    """Within 50 programs; without it the same program is right."""
    found = planted.found_at([name])[name]
    assert found is not None, f"not found: {planted.BUGS[name].what}"
    program = GRAMMARS[planted.BUGS[name].grammar].generate(found - 1)
    assert judged(program, "reverse").kind in ("same", "refused", "stopped")


def test_an_exchange_one_after_the_other_is_found() -> None:
    """Planted too: random programs exchange nothing that carries a derivative."""
    text = "def f(x, y):\n    x, y = y, x * 2.0\n    return x - 3.0 * y\n"
    with planted.one_by_one():
        assert verdict_of(text, 2.0, 5.0, wrt=(0, 1)).kind == "differs"
    assert verdict_of(text, 2.0, 5.0, wrt=(0, 1)).kind == "same"


def test_what_is_lowered_runs_as_python_does() -> None:
    """Statements and expressions that the normal form has no use for, too."""
    text = '''
def f(n, xs, d):
    out, total = [], 0
    for i, (a, *rest) in enumerate(xs):
        if i == 3: continue
        if (k := a + i) > 9 and not rest or 0 < k <= 2 < a: break
        total += k if rest else -k
        out += [f"{a!r:>4}|{k:{n}.1f}", *map(str, rest)]
        d.setdefault(a, {**d, "k": (k,)})["x"] = rest[:1]
    else:
        total = -1
    while True:
        n -= 1
        try:
            if n == 2: raise KeyError(n) from None
            if n < 0: return out, total, d
            out.append([v * n for v in rest if v])
        except (KeyError, ValueError) as error:
            out.append(str(error))
        else:
            total -= (lambda t: t + n)(3)
        finally:
            d[n], d["last"] = n, out[-1]
            del d[n]
'''
    scope: dict[str, Any] = {}
    exec(text, scope)
    body = lowered(gast.parse(text).body[0].body).block
    for args in ((4, [(1, 2, 3), (4,), (5, 6)], {}), (3, [(8, 1), (1, 1)], {"q": 1}),
                 (5, [(1, 2), (2, 3), (3, 4), (4, 5), (-1, 7)], {})):
        one, two = ([args[0], list(args[1]), dict(args[2])] for _ in range(2))
        want = scope["f"](*one)
        machine = Interpreter(vars(builtins).__getitem__, frozenset(scope["f"].__code__.co_varnames))
        got = machine.run(body, dict(zip(("n", "xs", "d"), two, strict=True)))
        assert repr(got) == repr(want) and repr(one) == repr(two)


def test_operations_can_be_read() -> None:
    scope = sourced("def f(x, n):\n    for i in range(n):\n        x = x * 2.0 if i else x\n    return np.sum(x)\n")
    assert str(facts.derived(scope["f"], (0,)).main.block) == """\
%0 = call(range, n, [])
for %1 in %0:
    i = %1
    if i:
        %2 = mul(x, 2.0)
        x = %2
    else:
        x = x
%3 = getattr(np, [sum])
%4 = call(%3, x, [])
f = %4
return f"""


@pytest.mark.parametrize("text,args", [
    ("def f(x):\n    print('a', x)\n    return x * x\n", (2.0,)),
    ("def f(x):\n    if x > 1.0:\n        raise ValueError(f'{x} is large')\n    return x\n", (2.0,)),
    ("seen = []\ndef g(x):\n    seen.append(1.0)\n    return x\ndef f(x):\n    return g(x) * 2.0\n", (2.0,)),
    ("def f(x, log):\n    log.append(3)\n    return x * x\n", (2.0, [])),
    ("def f(x, y):\n    y[0] = 5.0\n    return np.sum(x * y)\n", (np.array([1.0, 2.0]), np.array([3.0, 4.0]))),
    ("def f(x):\n    return x * np.random.normal()\n", (2.0,)),
    (("def f(x):\n    try:\n        z = [1.0][3] * x\n    except IndexError as error:\n        print(error)\n"
      "        z = x\n    return z\n"), (2.0,)),
])
def test_effects_are_seen_and_the_same(text: str, args: tuple[Any, ...]) -> None:
    verdict = verdict_of(text, *args)
    assert verdict.kind in ("same", "refused"), verdict


def test_a_difference_of_sets_is_no_number() -> None:
    """Found by the oracle in a program of tests/language."""
    verdict = verdict_of("def f(x):\n    seen = {1, 2}\n    seen = seen - {2}\n    return x * len(seen)\n", 2.0)
    assert verdict.kind == "same", verdict


@pytest.mark.parametrize("expression", ["(x > y) - (y > x)", "(x > y) * 3", "-(x > y) + True"])
def test_truth_values_make_ints(expression: str) -> None:
    """Found by the oracle in a program of tests/language."""
    verdict = verdict_of(f"def f(x, y):\n    s = {expression}\n    return x * s * y\n", 2.0, 3.0, wrt=(0, 1))
    assert verdict.kind == "same", verdict


def test_what_judges_imports_no_analysis() -> None:
    """The facts alone know the analyses; operations, interpreter, machine,
    checks and comparison know neither them nor the pipeline."""
    allowed = {"tangent_nb.errors", "tangent_nb"}
    for name in ("ops", "lower", "interpreter", "machine", "values", "check", "compare"):
        for node in ast.walk(ast.parse((HERE / f"{name}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tangent_nb"):
                assert node.module in allowed and {one.name for one in node.names} <= {"runtime", "TangentError"}
            if isinstance(node, ast.Import):
                assert not any(one.name.startswith("tangent_nb") for one in node.names)

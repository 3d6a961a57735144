"""`try` and `with`: what is done, how many times, in which order; what the corpus cannot ask."""
from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(4)

DERIVATIVES: list[Callable[[Any], Callable[..., Any]]] = [
    tnb.grad, lambda f: tnb.grad(f, optimized=False), lambda f: lambda *args: tnb.value_and_grad(f)(*args)[1],
    lambda f: lambda *args: tnb.jvp(f)(*args, 1.0), lambda f: lambda *args: tnb.pullback(f, *args)[1](1.0)]

LOGGED = '''
LOG = []
def note(word):
    LOG.append(word)
def f(x, text):
    try:
        note("body")
        y = x * float(text)
        note("done")
    except ValueError:
        note("except")
        y = x * x
    else:
        note("else")
    finally:
        note("finally")
    note("after")
    return y
'''


@pytest.mark.parametrize("derive", DERIVATIVES)
def test_each_way_is_gone_once(derive: Any) -> None:
    scope = sourced(LOGGED)
    function, log = scope["f"], scope["LOG"]
    for text, steps, slope in (("3", ["body", "done", "else", "finally", "after"], 3.0),
                               ("x", ["body", "except", "finally", "after"], 4.0)):
        log.clear()
        assert derive(function)(2.0, text) == slope
        assert log == steps
    log.clear()
    with pytest.raises(TypeError):
        derive(function)(2.0, None)
    assert log == ["body", "finally"]


def test_finally_is_shown_as_one() -> None:
    text = tnb.source(tnb.grad(sourced(LOGGED)["f"]))
    assert text.count("finally:") == 1 and text.count("note('finally')") == 1
    assert "raise" not in text


def test_a_short_try_is_short() -> None:
    scope = sourced("def f(x, text):\n    try:\n        n = int(text)\n    except ValueError:\n        n = 3\n"
                    "    return x ** n\n")
    text = tnb.source(tnb.grad(scope["f"]))
    assert "failed" not in text, text
    assert tnb.grad(scope["f"])(2.0, "x") == 12.0


def test_what_a_failed_body_saved_is_cut_off() -> None:
    """Else an iteration would take back what belongs to another."""
    scope = sourced(
        "import numpy as np\n"
        "def f(x, words):\n"
        "    total = 0.0\n"
        "    for word in words:\n"
        "        try:\n"
        "            part = x\n"
        "            for letter in word:\n"
        "                part = np.sin(part) * float(letter)\n"
        "            total = total + part * part\n"
        "        except ValueError:\n"
        "            total = total + x\n"
        "    return total\n")
    words = ["12", "3x", "", "4y5", "21"]
    text = tnb.source(tnb.grad(scope["f"]))
    assert "del " in text
    step = 1e-6
    want = (scope["f"](0.7 + step, words) - scope["f"](0.7 - step, words)) / (2 * step)
    for derive in DERIVATIVES:
        assert math.isclose(derive(scope["f"])(0.7, words), want, rel_tol=1e-8)


def test_a_refusal_passes_the_users_handlers() -> None:
    scope = sourced("import numpy as np\ndef f(x):\n    try:\n        y = x\n        y += 1.0\n        z = y * 2.0\n"
                    "    except Exception:\n        z = x\n    return np.sum(z)\n")
    for_all = tnb.grad(scope["f"], optimized=tnb.PASSES)
    assert tnb.grad(scope["f"])(2.0) == for_all(2.0) == 2.0
    with pytest.raises(TangentError, match="changed in place"):
        for_all(np.ones(2))
    x = np.ones(2)                                         # known to be an array, it changes as the function changes it
    assert tnb.grad(scope["f"])(x).tolist() == [2.0, 2.0] == x.tolist()


def test_what_raises_is_not_dropped_in_a_function_that_is_tried() -> None:
    scope = sourced(
        "def h(x, table):\n"
        "    for i in range(2):\n"
        "        unused = table['k']\n"
        "        x = x * x\n"
        "    return x\n"
        "def f(x, table):\n"
        "    try:\n"
        "        y = h(x, table)\n"
        "    except KeyError:\n"
        "        y = x * 5.0\n"
        "    return y\n")
    for derive in DERIVATIVES:
        assert derive(scope["f"])(2.0, {"k": 1}) == 32.0
        assert derive(scope["f"])(2.0, {}) == 5.0


def test_tangents_do_not_choose_the_handler() -> None:
    """The tangent of math.acos has a pole where math.acos has none."""
    scope = sourced("import math\ndef f(x):\n    try:\n        y = math.acos(x)\n    except ZeroDivisionError:\n"
                    "        y = x * 7.0\n"
                    "    return y\n")
    with np.errstate(divide="ignore"):
        assert tnb.jvp(scope["f"])(1.0, 1.0) == tnb.grad(scope["f"])(1.0) == -np.inf


def test_a_manager_that_swallows_is_found() -> None:
    scope = sourced(
        "class Swallowing:\n"
        "    def __enter__(self):\n        return self\n"
        "    def __exit__(self, *raised):\n        return True\n"
        "swallowing = Swallowing()\n"
        "def f(x, table):\n"
        "    y = x\n"
        "    with swallowing:\n"
        "        y = x * x\n"
        "        unused = table['k']\n"
        "        y = x * x * x\n"
        "    return y\n")
    for derive in DERIVATIVES:
        assert derive(scope["f"])(2.0, {"k": 1}) == 12.0
        with pytest.raises(TangentError, match="swallowed"):
            derive(scope["f"])(2.0, {})


def test_a_manager_that_is_made_here_may_swallow() -> None:
    scope = sourced(
        "class Swallowing:\n"
        "    def __enter__(self):\n        return self\n"
        "    def __exit__(self, *raised):\n        return True\n"
        "def f(x, table):\n"
        "    y = x\n"
        "    with Swallowing():\n"
        "        y = x * x\n"
        "        unused = table['k']\n"
        "        y = x * x * x\n"
        "    return y\n")
    for derive in DERIVATIVES:
        assert derive(scope["f"])(2.0, {"k": 1}) == 12.0
        assert derive(scope["f"])(2.0, {}) == 4.0


def test_managers_are_entered_once() -> None:
    scope = sourced(
        "LOG = []\n"
        "class Logged:\n"
        "    def __init__(self, name):\n        self.name = name\n"
        "    def __enter__(self):\n        LOG.append('+' + self.name)\n        return 2.0\n"
        "    def __exit__(self, *raised):\n        LOG.append('-' + self.name)\n"
        "def f(x):\n"
        "    with Logged('a') as a, Logged('b'):\n"
        "        y = x * x * a\n"
        "    return y\n")
    for derive in DERIVATIVES:
        scope["LOG"].clear()
        assert derive(scope["f"])(3.0) == 12.0
        assert scope["LOG"] == ["+a", "+b", "-b", "-a"]


def test_the_backward_pass_stands_in_errstate() -> None:
    scope = sourced("import numpy as np\ndef f(x):\n    with np.errstate(all='ignore'):\n"
                    "        y = np.sum(np.sqrt(x))\n    return y\n")
    with np.errstate(all="raise"):
        assert np.array_equal(tnb.grad(scope["f"])(np.array([0.0, 4.0])), [np.inf, 0.25])


def test_exceptions_are_those_of_the_function() -> None:
    scope = sourced(
        "def f(x, table):\n"
        "    try:\n"
        "        y = x * table['k']\n"
        "    except KeyError as error:\n"
        "        raise ValueError('no k') from error\n"
        "    return y\n")
    for derive in DERIVATIVES:
        with pytest.raises(ValueError, match="no k") as caught:
            derive(scope["f"])(2.0, {})
        assert isinstance(caught.value.__cause__, KeyError)


def test_jax_refuses_what_it_cannot_do() -> None:
    pytest.importorskip("jax")
    scope = sourced("def f(x, t):\n    try:\n        y = x * float(t)\n    except ValueError:\n"
                    "        y = x\n    return y\n")
    with pytest.raises(TangentError, match="JAX"):
        tnb.grad(scope["f"], backend="jax")


def test_a_derivative_in_a_suppress_of_the_caller() -> None:
    """Nothing is left behind by an exception that leaves the derivative."""
    scope = sourced("def f(x, t):\n    try:\n        y = x * float(t)\n    finally:\n"
                    "        x = x * 2.0\n    return y * x\n")
    df = tnb.grad(scope["f"])
    with contextlib.suppress(ValueError):
        df(1.0, "x")
    assert df(1.0, "3") == 12.0


@pytest.mark.parametrize("n", [1, 3])
def test_what_a_try_in_a_loop_overwrites_is_saved_each_time(n: int) -> None:
    def f(x: Any) -> Any:
        a, s = np.sin(x), 0.0
        for _ in range(n):
            a = a * 0.6
            try:
                a = np.sin(a) * 1.1
            finally:
                print(end="")
            s = s + a
        return s

    slope = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    assert tnb.grad(f)(0.7) == pytest.approx(slope, rel=1e-6)
    assert tnb.grad(f, optimized=False)(0.7) == pytest.approx(slope, rel=1e-6)


HELPED = """\
import contextlib
class Kept:
    def __init__(self, v): self.v = {"b": v}
def fail(a): raise ValueError("no")
def need(a, *, m): return a * m
"""
UPDATED = {                                                # what d.update(...) has done before a try fails is there
    "a value": "d.update(b=x)\n1.0 / 0.0",
    "a new key": "d.update(a=x)\nd.update(c=1.0 / 0.0)",
    "a dict": "d.update({'b': x * d['b']})\nraise ValueError",
    "a call that fails": "d.update(b=x)\nfail(x)",
    "a wrong call": "def bump(v):\n    d.update(b=v)\n    return v\nneed(bump(x))",
    "the update itself fails": "d.update(b=fail(x))",
    "in a branch": "if x > 0.0:\n    d.update(b=x * u)\n    fail(x)\nelse:\n    d.update(b=u)",
}
AROUND = {
    "try": "d = {'b': u}\ntry:\n    BODY\nexcept (ValueError, TypeError, ZeroDivisionError):\n    pass\n",
    "handled": "d = {'b': u}\ntry:\n    BODY\nexcept (ValueError, TypeError, ZeroDivisionError):\n"
               "    d.update(e=d['b'] * x)\nfinally:\n    d.update(f=d['b'])\n",
    "suppress": "d = {'b': u}\nwith contextlib.suppress(ValueError, TypeError, ZeroDivisionError):\n    BODY\n",
    "loop": "d = {'b': u}\nfor k in range(3):\n    d['b'] = d['b'] * x\n    try:\n        BODY\n"
            "    except (ValueError, TypeError, ZeroDivisionError):\n        d['g'] = d['b']\n",
}


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
@pytest.mark.parametrize("body", UPDATED.values(), ids=UPDATED)
def test_what_was_put_into_a_dict_is_there_after_a_failure(around: str, body: str) -> None:
    before = around[:around.index("BODY")].rpartition("\n")[2]
    text = around.replace("BODY", body.replace("\n", "\n" + before)) \
        + "return sum(v * (i + 1) * len(k) for i, (k, v) in enumerate(d.items())) * d['b']"
    f, h = sourced(HELPED + "def f(x, u):\n    " + text.replace("\n", "\n    ") + "\n")["f"], 1e-6
    due = [(f(0.8 + h, 1.3) - f(0.8 - h, 1.3)) / (2 * h), (f(0.8, 1.3 + h) - f(0.8, 1.3 - h)) / (2 * h)]
    for optimized in (True, False):
        np.testing.assert_allclose(tnb.grad(f, (0, 1), optimized=optimized)(0.8, 1.3), due, rtol=1e-7, atol=1e-8)
    moved = tnb.jvp(f, (0, 1))(0.8, 1.3, 0.3, -0.4)
    np.testing.assert_allclose(moved, 0.3 * due[0] - 0.4 * due[1], rtol=1e-7, atol=1e-8)


def test_a_dict_of_an_object_keeps_what_was_put_into_it_before_a_failure() -> None:
    f = sourced(HELPED + """
def f(x, u):
    o = Kept(u)
    try:
        o.v.update(b=x)
        fail(x)
    except ValueError:
        pass
    return o.v["b"] * u
""")["f"]
    assert tnb.grad(f, (0, 1))(0.8, 1.3) == tnb.grad(f, (0, 1), optimized=False)(0.8, 1.3) == (1.3, 0.8)
    assert tnb.jvp(f, (0, 1))(0.8, 1.3, 1.0, 0.0) == 1.3


@pytest.mark.parametrize("body", [
    "a = np.sin(s)\n        raise ValueError\n    except ValueError:\n        a = s",
    "a = np.sin(s)\n        raise ValueError\n    except ValueError:\n        a = s\n    else:\n        a = a * 2.0",
    "a = np.sin(s)\n        raise ValueError\n    except ValueError:\n        b = a * s\n    finally:\n"
    "        b = b * s",
    "a = np.sin(s)\n        return a * s\n    except ValueError:\n        a = s\n    else:\n        a = 3.0",
    "raise ValueError\n    except ValueError:\n        a = s\n    else:\n        a = 2.0 * s",
    "return fails(s)\n    except ValueError:\n        a = s"])
@pytest.mark.parametrize("optimized", [True, False])
def test_a_body_that_always_leaves(body: str, optimized: bool) -> None:
    """Nothing leads to what follows it; that was a KeyError when the derivative was made."""
    text = f"def f(s):\n    a, b = 1.0, 2.0\n    try:\n        {body}\n    return s * a * b\n"
    f = sourced(f"def fails(s): raise ValueError\n{text}", {"np": np})["f"]
    slope = (f(0.82 + 1e-6) - f(0.82 - 1e-6)) / 2e-6
    assert tnb.grad(f, optimized=optimized)(0.82) == pytest.approx(slope, rel=1e-6)
    assert tnb.jvp(f, optimized=optimized)(0.82, 1.0) == pytest.approx(slope, rel=1e-6)


def test_an_attempt_beside_a_manager_and_what_changes_outside() -> None:
    """A helper of ours was taken for a variable outside, where it is asked what changes arguments: a SyntaxError."""
    f = sourced("""
KNOWN = {}
def weight(n):
    if n not in KNOWN:
        KNOWN[n] = 1.0 / (n + 1.0)
    return KNOWN[n]
def f(x, m):
    with m as held:
        pass
    try:
        z = weight(2) * x
    except ValueError:
        pass
    return z * x
""")["f"]
    assert tnb.grad(f)(1.5, contextlib.nullcontext()) == pytest.approx(1.0)

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
from tangent_nb.errors import ArgumentError, RefusedError

special = pytest.importorskip("scipy.special")


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
                by = next((name for name in rule.pull
                           if name != listed and isinstance(args.get(name), (np.ndarray, float))), None)
                if by is not None and (rule.name, listed) not in found and takes_lists(rule, args, listed, by):
                    found[rule.name, listed] = pytest.param(rule, args, listed, by, id=f"{rule.name}-{listed}")
    return [*found.values()]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("rule", "args", "listed", "by"), pairs())
def test_of_a_list(rule, args, listed, by):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        one, other = function(rule, args, "", by), function(rule, args, listed, by)
        assert np.array_equal(tnb.grad(other)(args[by]), tnb.grad(one)(args[by]))


POWERS, ORDERS = [2.0, 3.0, 1.5], [1, 2, 0]
X, ALONG = np.array([1.2, 0.7, 2.0]), np.array([0.3, -0.4, 0.5])


def local_powers(x):
    w = [2.0, 3.0, 1.0]
    return np.sum(np.power(x, w))


@pytest.mark.parametrize("f", [
    lambda x: np.sum(np.power(x, POWERS)),
    lambda x: np.sum(x ** POWERS),
    local_powers,
    lambda x: np.sum(special.jv(ORDERS, x)),
    lambda x: np.sum(special.gammainc([0.5, 1.5, 0.5], x)),
    lambda x: np.average(POWERS, weights=x),
    lambda x: np.sum(np.hstack([x, POWERS]) ** 2 * np.arange(6)),
    lambda x: np.sum(np.dstack([x, POWERS]) ** 2),
    lambda x: np.sum(np.choose([0, 1, 0], [x, POWERS]) ** 2),
    lambda x: np.sum(np.diff(x, prepend=[0.5, 1.0]) ** 2),
], ids=["power", "operator", "local", "jv", "gammainc", "average", "hstack", "dstack", "choose", "diff"])
def test_of_lists_twice(f):
    df, h = tnb.grad(f), 1e-5
    assert df(X) @ ALONG == pytest.approx((f(X + h * ALONG) - f(X - h * ALONG)) / (2 * h), rel=1e-7)
    assert tnb.jvp(f)(X, ALONG) == pytest.approx(df(X) @ ALONG, rel=1e-12)
    twice = tnb.jvp(df)(X, ALONG)
    np.testing.assert_allclose(twice, (df(X + h * ALONG) - df(X - h * ALONG)) / (2 * h), rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(tnb.vjp(df)(X, ALONG), twice, rtol=1e-12, atol=1e-13)


def of_held(rule, args, held):
    """A function of a dict, in which an argument lies by the name "k"."""
    def one(name, value):
        optional = rule.signature.parameters[name].default is not inspect.Parameter.empty
        text = "h['k']" if name == held else f"given_{name}"
        return f"{name}={text}" if optional and value is not None else text

    known = {f"given_{name}": value for name, value in args.items() if name != held}
    called = ", ".join(one(name, value) for name, value in args.items())
    return sourced(f"def f(h):\n    return np.sum(np.sin(fn({called})))\n", {**SCOPE, **known, "fn": rule.fn})["f"]


def held():
    """Of each row: a call, and an argument of it that is differentiated, which NumPy takes as a list too."""
    found = {}
    for rule in ROWS:
        if rule.name.startswith("scipy.stats.") and not rule.name.endswith((".logpdf", ".logpmf")):
            continue
        for args in cases(rule):
            args = {name: args[name] for name in rule.params if args.get(name) is not None}
            for name in (one for one in rule.pull if is_array(args.get(one)) and (rule.name, one) not in found):
                try:
                    with warnings.catch_warnings(), np.errstate(all="ignore"):
                        warnings.simplefilter("ignore")
                        of_held(rule, args, name)({"k": args[name].tolist()})
                except (TypeError, AttributeError, ValueError):
                    continue
                found[rule.name, name] = pytest.param(rule, args, name, id=f"{rule.name}-{name}")
    return [*found.values()]


def outcome(call):
    """What a derivative gives, as an array; or that it is refused."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return np.asarray(call())
        except (ArgumentError, RefusedError):
            return "refused"


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("rule", "args", "name"), held())
def test_a_list_that_the_caller_holds(rule, args, name):
    """Its gradient has the numbers that an array there gets, in forward mode its slope; or it is refused."""
    f, array = of_held(rule, args, name), args[name]
    want = outcome(lambda: tnb.grad(f)({"k": array})["k"])
    if isinstance(want, str):
        return
    for optimized in (True, False):
        got = outcome(lambda: tnb.grad(f, optimized=optimized)({"k": array.tolist()})["k"])
        assert isinstance(got, str) or np.allclose(got, want, rtol=1e-12, atol=1e-12, equal_nan=True)
    if rule.name.startswith("operator."):
        return                                             # a list there is no array: its tangent is a list too
    along = np.cos(np.arange(array.size)).reshape(array.shape)
    slope = outcome(lambda: tnb.jvp(f)({"k": array.tolist()}, {"k": along.tolist()}))
    assert isinstance(slope, str) or np.allclose(slope, np.sum(want * along), rtol=1e-9, equal_nan=True)

"""What rows say of zeros and poles: where values and slopes are infinite, or NaN, at finite arguments;
what leaves no element out; products."""
import itertools
import math
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_rows import DERIVED, SCOPE, call, cases, flat

from tangent_nb.rules.cuts import LARGE, POLE, first, infinite, unbounded

NEAR = [0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 10.0, -10.0, math.pi / 2.0]
FAR = [0.5, 3.0, -3.0, 800.0, -800.0, 1e5, -1e5]
WEIGHTS = {"a": np.array([-1.0, 2.0, 0.5]), "b": 3.0}
# at these there is no value: nodes that coincide, weights that are all 0, a recursion that divides by 0,
# a median of no numbers
UNDEFINED = {("np.interp", "xp"), ("np.interp", "fp"), ("rt.interp_dfp", "xp"), ("scipy.special.logsumexp", "a"),
             ("scipy.special.logsumexp", "b"), ("scipy.interpolate.interpn", "xi"),
             *(("scipy.signal.lfilter", name) for name in "bax")}
DIAGONAL = [rule for rule in DERIVED if rule.diagonal and rule.fn is not None]
OTHERS = [rule for rule in DERIVED if not rule.diagonal and not rule.name.startswith("scipy.stats.")]


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def finite(value):
    if value is None:
        return True
    try:
        return bool(np.all(np.isfinite(flat(value))))
    except (TypeError, ValueError):
        return True


def slopes(rule, args):
    """The value of a call, and for each text of a partial what it is there, with 1 coming in.
    Python's errors say as much as infinity."""
    try:
        value = call(rule, args)
        ones = [np.ones_like(part) for part in value] if isinstance(value, (list, tuple)) else np.ones_like(value)
    except (ArithmeticError, ValueError, TypeError, IndexError):
        return
    if np.any(np.isnan(flat(value))):                      # outside of the domain
        return
    yield "", value
    for choices in rule.pull.values():
        for choice in choices:
            try:
                yield choice.text, eval(choice.text, {**SCOPE, **args, rule.result: value, "g": ones})
            except (ArithmeticError, ValueError, TypeError, IndexError, AttributeError, AssertionError):
                pass


def claimed(rule, text):
    if text:
        return unbounded(rule, text)
    # a value is taken for infinite where its slope is
    texts = (choice.text for choices in rule.pull.values() for choice in choices)
    return first([infinite(rule), *(unbounded(rule, one) for one in texts)])


@pytest.mark.sampled(12)
@pytest.mark.parametrize("rule", DIAGONAL, ids=lambda rule: rule.name)
def test_of_elements(rule):
    """A value, or a slope, that is not finite is one at a pole, or far out."""
    first = next(iter(cases(rule)))
    moving = list(rule.pull)[:2]
    for values, found in ((NEAR, [POLE]), (FAR, [POLE, LARGE])):
        for point in itertools.product(values, repeat=len(moving)):
            args = {**first, **dict(zip(moving, point if rule.name.startswith("math.") else map(np.float64, point),
                                        strict=True))}
            for text, value in slopes(rule, args):
                assert finite(value) or claimed(rule, text) in found, (point, text)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("rule", OTHERS, ids=lambda rule: rule.name)
def test_of_arrays(rule):
    """The same where all is 0, all is 1, and where the numbers are a thousand times as large."""
    def moved(value, how):
        if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
            return type(value)(moved(one, how) for one in value)
        return how(value) if isinstance(value, np.ndarray) and value.dtype.kind == "f" else value

    for args in itertools.islice(cases(rule), 3):
        for how in (np.zeros_like, np.ones_like, lambda value: 1000.0 * value):
            for text, value in slopes(rule, {name: moved(arg, how) if name in rule.pull else arg
                                             for name, arg in args.items()}):
                undefined = any((rule.name, name) in UNDEFINED for name in rule.pull)
                assert not text or undefined or finite(value) or claimed(rule, text), (how, text)


def test_a_stated_pole_is_one():
    """What a row says beside its texts is no more than what is there."""
    for rule in DIAGONAL:
        if rule.infinite == "large":
            places = [np.float64(v) for v in FAR]
            first = next(iter(cases(rule)))
            assert any(not finite(value) for v in places
                       for _, value in slopes(rule, {**first, next(iter(rule.pull)): v})), rule.name


@pytest.mark.parametrize("rule", [rule for rule in DERIVED if rule.spreads], ids=lambda rule: rule.name)
def test_nothing_is_left_out(rule):
    """Where all is given, no exact 0 comes out."""
    args = next(iter(cases(rule)))
    value = flat(call(rule, {name: filled(arg) if name in rule.pull else arg for name, arg in args.items()}))
    assert np.all(value != 0.0), value


@pytest.mark.parametrize("rule", [rule for rule in DERIVED if rule.multiplies == "elements"],
                         ids=lambda rule: rule.name)
def test_products(rule):
    """Twice a factor is twice the product: of each argument, but of weights that are divided by."""
    args = next(iter(cases(rule)))
    value = flat(call(rule, args))
    for name in rule.pull:
        if args[name] is not None and name != "weights":
            np.testing.assert_allclose(flat(call(rule, {**args, name: 2.0 * args[name]})), 2.0 * value)


def filled(value):
    if isinstance(value, (list, tuple)):
        return type(value)(map(filled, value))
    return np.abs(value) + np.arange(np.size(value)).reshape(np.shape(value)) ** 2 + 0.5 \
        if isinstance(value, (np.ndarray, float)) else value

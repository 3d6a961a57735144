"""Every row as users meet it: a function that calls it is derived, in both modes, to the second order,
in both precisions.

The programs are made of the rows: of each up to `MOST` of the cases that its domain gives, so that a new row is tested
by being there. What is differentiated is summed with sines and weights, so that second derivatives are not zero.
"""
import sys
import types
import warnings
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import oracles
from test_rows import DERIVED, SCOPE, cases, flat, halved

import tangent_nb as tnb
from tangent_nb.rules import lookup

MOST, MOST_TWICE = 3, 2       # cases of a row that are derived, and derived twice
MOST_OF_STATS = 1             # SciPy's distributions take their time, and a row is like the other
CAST = ("np.float16", "np.float32", "np.float64")
STEEP = ("scipy.optimize.rosen_der",)                      # too steep for a sine of it (tests/rules/test_scipy.py)
ROWS = [rule for rule in DERIVED if rule.name.startswith(("np.", "math.", "operator.", "scipy.")) and rule.name
        not in (*CAST, *STEEP, "np.ndarray.tolist") and not rule.by_user and rule.fn is not None
        and lookup(rule.fn) is rule]


class Program:
    """A function of the arguments of a row that are differentiated, which calls it once;
    the items of lists are arguments of their own."""

    def __init__(self, rule, args):
        self.args = []
        known = {**SCOPE, "fn": rule.fn, "__name__": "rows"}
        given, positional = [], True
        for name, parameter in rule.signature.parameters.items():
            value = args.get(name)
            left_out = value is None and (parameter.kind is parameter.KEYWORD_ONLY or parameter.default is None)
            if left_out or name not in rule.pull and not isinstance(value, np.ndarray) and value == parameter.default:
                positional = False
                continue
            if name in rule.pull and value is not None:
                text = self.parameter(name, value, known)
            elif value is None or isinstance(value, (bool, int, float, str, tuple)) and "array" not in repr(value):
                text = repr(value)
            else:
                text, known[f"{name}_given"] = f"{name}_given", value
            by_name = parameter.kind is parameter.KEYWORD_ONLY \
                or parameter.default is not parameter.empty and not positional
            given.append(f"{name}={text}" if by_name else text)
        self.call = f"{self.called(rule, given)}({', '.join(given)})" \
            if not isinstance(rule.fn, types.GetSetDescriptorType) else f"{given[0]}.{rule.fn.__name__}"
        known["total"] = total
        value = eval(self.call, known)
        seeds = [np.cos(1.0 + np.arange(np.size(one))).reshape(np.shape(one)) for one in leaves(value)]
        self.names = [name for name, _ in self.args]
        one = not isinstance(value, (tuple, list)) and np.asarray(value).dtype.kind == "f"
        text = f"np.sum(np.sin({self.call}) * seeds[0])" if one else f"total({self.call}, seeds)"
        self.text = f"def f({', '.join(self.names)}, seeds):\n    return {text}\n"
        self.namespace = {one: value for one, value in known.items() if one not in self.names}
        self.is_shared = not any(one.endswith("_given") for one in known)
        self.wrt = tuple(range(len(self.args)))
        self.args = (*(value for _, value in self.args), seeds)

    def parameter(self, name, value, known):
        """The text of an argument that is differentiated."""
        if isinstance(value, (list, tuple)):
            items = [self.parameter(f"{name}_{k}", item, known) for k, item in enumerate(value)]
            return f"[{', '.join(items)}]" if isinstance(value, list) else f"({', '.join(items)},)"
        self.args.append((name, value))
        known[name] = value
        return name

    @staticmethod
    def called(rule, given):
        if isinstance(rule.fn, types.MethodDescriptorType):
            return f"{given.pop(0)}.{rule.fn.__name__}"
        return rule.name if eval(rule.name, SCOPE) is rule.fn else "fn"


class Derived:
    """The function of a program, and its derivatives, each made when it is first asked for."""

    def __init__(self, program):
        self.function = oracles.sourced(program.text, program.namespace, f"<row {program.call}>")["f"]
        self.wrt = program.wrt

    @cached_property
    def gradient(self):
        return tnb.grad(self.function, wrt=self.wrt)

    @cached_property
    def tangent(self):
        return tnb.jvp(self.function, wrt=self.wrt)

    @cached_property
    def second(self):
        return tnb.jvp(self.gradient, wrt=self.wrt)


def leaves(value):
    """The results of floats."""
    several = value if isinstance(value, (tuple, list)) else [value]
    return [one for one in several if np.asarray(one).dtype.kind in "fc"]


def total(value, seeds):
    """What a row gives, as one number that has second derivatives."""
    several = value if isinstance(value, (tuple, list)) else [value]
    result, k = 0.0, 0
    for one in several:
        if np.asarray(one).dtype.kind in "fc":
            result = result + np.sum(np.sin(np.real(one)) * seeds[k]) + np.sum(np.imag(one) * np.real(one))
            k = k + 1
    return result


def programs(rule):
    method = isinstance(rule.fn, types.MethodDescriptorType)
    found = [args for args in cases(rule) if not method or not isinstance(next(iter(args.values())), float)]
    if rule.name.startswith("scipy.stats."):
        found = found[len(found) // 2:][:MOST_OF_STATS]
    step = max(1, len(found) // MOST)
    for args in found[::step][:MOST]:
        yield Program(rule, args)


@pytest.mark.sampled(24)
@pytest.mark.parametrize("rule", ROWS, ids=lambda rule: rule.name)
def test_derived(rule):
    """The gradient against differences, in float32 too; the tangent and the second derivative against the gradient."""
    judged, known = 0, {}
    for k, program in enumerate(programs(rule)):
        args, wrt = program.args, program.wrt
        made = known.setdefault(program.text, Derived(program)) if program.is_shared else Derived(program)
        rng = np.random.default_rng(2)
        direction = tuple(oracles.like(args[i], rng) for i in wrt)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            got = made.gradient(*oracles.fresh(args))
            try:
                measured = oracles.directional(made.function, args, wrt, direction)
            except oracles.Unsuitable:                     # the draw lies near a jump
                continue
            judged += 1
            slope, size = oracles.inner(got, direction)
            assert abs(slope - float(measured.value)) <= max(1e-6, 10.0 * measured.error) * (1.0 + abs(slope)), \
                program.call
            if not rule.name.startswith("math."):
                in_single_precision(program, made.gradient, got)
            tangent = made.tangent(*oracles.fresh(args), *direction)
            assert abs(tangent - slope) <= 1e-10 * (1.0 + size), program.call
            if k < MOST_TWICE:
                second = made.second(*oracles.fresh(args), *direction)
                bent = oracles.differences(lambda t: made.gradient(*oracles.moved(args, wrt, direction, t)))
                assert oracles.gap(second, bent.value) <= max(1e-6, 10.0 * bent.error), program.call
    assert judged


def in_single_precision(program, gradient, double):
    """float32 in, float32 out, near to what double precision gives."""
    single = gradient(*halved(program.args))
    for one, two, arg in zip(single, double, program.args[:-1], strict=True):
        if isinstance(arg, np.ndarray):
            assert one.dtype == np.float32 and one.shape == arg.shape, program.call
        np.testing.assert_allclose(flat(one), flat(two), rtol=3e-3, atol=3e-3, err_msg=program.call)

"""`*args` and `**options` that a function binds anew or changes before it passes them on: what it is given by name is
not what it passes on any more."""
from __future__ import annotations

import linecache
from itertools import count
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(4)

numbers = count()
START = """\
import numpy as np

def func(a, b=2.0, c=1.0):
    return a * b * c

def product(a, b):
    return a * b

def change(d):
    d["b"] = 3.0 * d["b"]

"""
RIGHT = {
    "a_loop_of_sums": ("*args", """
    if args[0] > 0:
        new = ()
        for i in range(len(args)):
            new = new + (2.0 * args[i],)
        args = new
    return product(*args)
"""),
    "in_a_branch": ("*args", """
    if args[0] > 0:
        args = (2.0 * args[0], args[1])
    return product(*args)
"""),
    "in_a_loop": ("*args", """
    for i in range(2):
        args = (2.0 * args[0], args[1])
    return product(*args)
"""),
    "read_by_places": ("*args", """
    if args[0] > 0:
        new = ()
        for i in range(len(args)):
            new = new + (2.0 * args[i],)
        args = new
    return args[0] * args[1]
"""),
    "turned_round": ("*args", """
    if args[0] > 0:
        args = args[::-1]
    return args[0] ** 2 * args[1]
"""),
    "a_list_of_others": ("*args", """
    new = []
    for a in args: new.append(2.0*a)
    return product(*new)
"""),
    "a_list_in_a_branch": ("*args", """
    if args[0] > 0:
        new = []
        for a in args: new.append(2.0*a)
        args = new
    return product(*args)
"""),
    "a_comprehension": ("*args", """
    if args[0] > 0:
        args = [2.0*a for a in args]
    return product(*args)
"""),
    "a_tuple_of_a_generator": ("*args", """
    if args[0] > 0:
        args = tuple(2.0*a for a in args)
    return product(*args)
"""),
    "in_a_while": ("*args", """
    n = 0
    while n < 2:
        args = tuple(2.0*a for a in args)
        n += 1
    return product(*args)
"""),
    "in_a_try": ("*args", """
    try:
        args = tuple(2.0*a for a in args)
    finally:
        pass
    return product(*args)
"""),
    "in_a_with": ("*args", """
    with np.errstate(all="ignore"):
        args = tuple(2.0*a for a in args)
    return product(*args)
"""),
    "the_name_of_an_inner_parameter": ("*args, **kw", """
    def inner(*args): return product(*args, **kw)
    return inner(args[0] * 2.0)
"""),
    "the_name_of_a_parameter_of_a_lambda": ("*args, **kw", """
    return (lambda *args: product(*args, **kw))(args[0] * 2.0)
"""),
}
NEVER_WRONG = {
    "an_item_set": ("a, **kw", """
    kw["b"] = 3.0 * kw["b"]
    return func(a, **kw)
"""),
    "merged_in_place": ("a, **kw", """
    kw |= {"c": a}
    return func(a, **kw)
"""),
    "in_a_loop_over_keys": ("a, **kw", """
    for k in list(kw): kw[k] = kw[k] * 2.0
    return func(a, **kw)
"""),
    "changed_by_a_closure": ("a, **kw", """
    def chg(): kw["b"] = 7.0 * a
    chg()
    return func(a, **kw)
"""),
    "bound_by_a_closure": ("a, **kw", """
    def chg():
        nonlocal kw
        kw = {"b": 7.0 * a}
    chg()
    return func(a, **kw)
"""),
    "changed_in_a_list": ("a, **kw", """
    L = [kw]
    L[0]["b"] = a * 4.0
    return func(a, **kw)
"""),
    "changed_by_a_lambda": ("a, **kw", """
    (lambda d: d.update(b=a))(kw)
    return func(a, **kw)
"""),
    "cleared": ("a, **kw", """
    kw.clear()
    return func(a, **kw)
"""),
    "a_copy_with_more": ("a, **kw", """
    return func(a, **dict(kw, c=a))
"""),
    "both_bound_anew": ("*args, **kw", """
    args, kw = (args[0] * 2.0,), kw
    return func(*args, **kw)
"""),
    "the_first_taken": ("*args, **kw", """
    a, *args = args
    return func(a * 2.0, *args, **kw)
"""),
    "taken_with_a_default": ("a, **kw", """
    c = kw.pop("c", 5.0)
    return func(a, **kw) + c
"""),
    "added_to": ("*args, **kw", """
    args += (kw["b"] * 2.0,)
    return func(*args)
"""),
    "bound_by_a_loop": ("*args, **kw", """
    for args in [(args[0] * 3.0,)]: pass
    return func(*args, **kw)
"""),
    "the_tuple_bound_by_a_closure": ("*args, **kw", """
    def chg():
        nonlocal args
        args = (args[0] * 5.0,)
    chg()
    return func(*args, **kw)
"""),
    "bound_by_a_walrus": ("*args, **kw", """
    if (args := (args[0] * 5.0,)): pass
    return func(*args, **kw)
"""),
    "bound_by_a_comprehension": ("*args, **kw", """
    return sum(func(*args, **kw) for args in [(args[0],), (args[0] * 2.0,)])
"""),
    "an_item_added_to": ("a, **kw", """
    kw["b"] += a
    return func(a, **kw)
"""),
    "a_copy_changed": ("a, **kw", """
    kw2 = dict(kw)
    kw2["b"] = a
    return func(a, **kw2) + func(a, **kw)
"""),
    "a_copy_without_one": ("a, **kw", """
    opts = kw.copy()
    opts.pop("b")
    return func(a, **opts) + func(a, **kw)
"""),
    "an_item_taken": ("a, **kw", """
    b = kw.pop("b")
    return func(a, **kw) * b * b
"""),
    "changed_in_a_try": ("a, **kw", """
    try: kw["c"] = a
    finally: pass
    return func(a, **kw)
"""),
    "updated": ("a, **kw", """
    kw.update(b=kw["b"] * a)
    return func(a, **kw)
"""),
    "by_another_name": ("a, **kw", """
    q = kw
    q["b"] = 3.0 * q["b"]
    return func(a, **kw)
"""),
    "changed_by_a_function": ("a, **kw", """
    change(kw)
    return func(a, **kw)
"""),
    "a_default_set": ("a, **kw", """
    kw.setdefault("c", 4.0)
    return func(a, **kw)
"""),
    "an_item_deleted": ("a, **kw", """
    if a > 0: del kw["b"]
    return func(a, **kw)
"""),
    "bound_to_a_larger_one": ("a, **kw", """
    kw = {**kw, "c": a}
    return func(a, **kw)
"""),
    "bound_in_a_branch": ("*args, **kw", """
    if args[0] > 0:
        kw = {"b": 3.0 * kw["b"]}
    return func(*args, **kw)
"""),
    "made_in_a_loop": ("*args, **kw", """
    if args[0] > 0:
        new = {}
        for k in kw: new[k] = 3.0 * kw[k]
        kw = new
    return func(*args, **kw)
"""),
}


def made(parameters: str, body: str) -> Any:
    given = "a, b=b" if "**kw" in parameters else "a, b"
    text = f"{START}def wrapper({parameters}):{body.rstrip()}\n\ndef f(a, b):\n    return wrapper({given})\n"
    name = f"<stars_{next(numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {"__name__": __name__}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def gradients(f: Any) -> list[Any]:
    push = tnb.jvp(f, (0, 1))
    return [tnb.grad(f, (0, 1))(1.5, 0.7), tnb.grad(f, (0, 1), optimized=False)(1.5, 0.7),
            (push(1.5, 0.7, 1.0, 0.0), push(1.5, 0.7, 0.0, 1.0))]


def differences(f: Any) -> Any:
    return [(f(1.5 + 1e-6, 0.7) - f(1.5 - 1e-6, 0.7)) / 2e-6, (f(1.5, 0.7 + 1e-6) - f(1.5, 0.7 - 1e-6)) / 2e-6]


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_passed_on_is_differentiated(name: str) -> None:
    f = made(*RIGHT[name])
    for got in gradients(f):
        np.testing.assert_allclose(got, differences(f), rtol=1e-6)


@pytest.mark.parametrize("name", NEVER_WRONG)
def test_what_is_changed_is_never_wrong(name: str) -> None:
    f = made(*NEVER_WRONG[name])
    try:
        found = gradients(f)
    except TangentError:
        return
    for got in found:
        np.testing.assert_allclose(got, differences(f), rtol=1e-6)

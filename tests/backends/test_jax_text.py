"""The text of derivatives on JAX: `np` is gone, updates are visible; what is refused, and where."""
from __future__ import annotations

import pkgutil
import re
import types
from contextlib import suppress
from importlib import import_module
from operator import attrgetter
from textwrap import dedent

import numpy as np
import pytest
from oracles import sourced

import tangent_nb as tnb
from tangent_nb import backends, runtime
from tangent_nb.errors import RefusedError
from tangent_nb.rules import every_on_jax, jax_column, lookup, on_jax, rows

jax = pytest.importorskip("jax")
with suppress(ImportError):
    on_jax(import_module("scipy.special").erf)             # which fills the rows
SPECIAL = sorted(call.rpartition(".")[2] for one in every_on_jax() if (call := one.call).startswith("jax.scipy."))
WITHOUT_A_DERIVATIVE = ("i1", "i1e")                       # there: JAX has none of these


def defined(text, **names):
    scope = sourced(dedent(text), {"np": np, **names})
    return scope["f"]


def text_of(f, **options):
    return code_of(tnb.grad(f, backend="jax", **options))


def code_of(derivative):
    """The text without its comments, which quote the user's."""
    return re.sub(r"(?m)^ *#.*\n", "", tnb.source(derivative))


def loss(x, w, b, y):
    return np.mean((np.tanh(np.dot(x, w) + b) - y) ** 2)


def put(x, n):
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i] * x[i]
    return np.sum(y)


LOSS_TEXT = """\
def dloss_dw_db(x, w, b, y):
    w, b = rt.differentiable(w, b)  # guard
    rt.check_constants(x, y)  # guard
    x, y = rt.traceable(x, y)  # guard
    return rt.compiled(_dloss_dw_db_jit, x, w, b, y)


@jax.jit
def _dloss_dw_db_jit(x, w, b, y):
    # forward
    dot = jnp.dot(x, w)
    tanh = jnp.tanh(dot + b)
    difference = tanh - y
    power = difference ** 2
    loss = jnp.mean(power)
    # backward
    # Grad of: return np.mean((np.tanh(np.dot(x, w) + b) - y) ** 2)
    bloss = rt.seed(loss)
    bdifference = rt.unreduce(bloss / rt.count(power), power) * (2.0 * difference)
    btotal = rt.unbroadcast(bdifference, tanh) * (1.0 - tanh * tanh)
    bb = rt.unbroadcast(btotal, b)
    bw = rt.dot_dy(rt.unbroadcast(btotal, dot), x, w)
    return bw, bb
"""
PUT_TEXT = """\
def dput_dx(x, n):
    x = rt.differentiable(x)  # guard
    rt.check_places(n)  # guard
    n = rt.static(n)  # guard
    return rt.compiled(_dput_dx_jit, x, n)


@functools.partial(jax.jit, static_argnames=('n',))
def _dput_dx_jit(x, n):
    # forward
    y = jnp.zeros(n)
    # backward
    # Grad of: return np.sum(y)
    by = rt.unreduce(1.0, y)
    bx = rt.zeros_like(x)
    for i in reversed(range(n)):
        # Grad of: y[i] = x[i] * x[i]
        bproduct = rt.unbroadcast(rt.pick(by, i), x[rt.within(x, i)])
        by = by.at[rt.within(by, i)].set(0.0)
        bx = bx.at[rt.within(bx, i)].add(bproduct * x[rt.within(x, i)])
        bx = bx.at[rt.within(bx, i)].add(bproduct * x[rt.within(x, i)])
    return bx
"""


@pytest.mark.parametrize("f, wrt, text", [(loss, ("w", "b"), LOSS_TEXT), (put, "x", PUT_TEXT)])
def test_an_entry_and_what_is_compiled(f, wrt, text):
    assert tnb.source(tnb.grad(f, wrt, backend="jax", compile="jit")) == text


def test_mlp():
    text = code_of(tnb.grad(loss, ("w", "b"), backend="jax"))
    assert not re.search(r"\bnp\.", text)
    assert "tanh = jnp.tanh(dot + b)" in text and "rt.wide" not in text


def test_updates_are_visible():
    f = defined("""
        def f(x, n):
            y = np.zeros(n)
            for i in range(n):
                y[i] = np.sin(x[i])
            y[1:] += 2.0 * x[1:]
            y[:1] -= x[:1]
            return np.sum(y * y)
        """)
    text = text_of(f)
    assert "y = y.at[rt.within(y, i)].set(jnp.sin(x[rt.within(x, i)]))" in text
    assert "y = y.at[1:].add(product)" in text
    assert "y = y.at[:1].add(-part)" in text
    assert re.search(r"bx = bx\.at\[rt\.within\(bx, i\)\]\.add\(", text)
    assert not re.search(r"\w\[[^\]]*\] (=|\+=) ", text)


def test_jnp_is_a_stage_of_its_own():
    stages = tnb.stages(tnb.grad(defined("def f(x):\n    return np.sin(x)\n"), backend="jax"))
    assert list(stages)[-2:] == ["jax", "emit"]
    assert "np.cos" in stages["dead_code"] and "jnp.cos" in stages["jax"]


def test_numpy_under_other_names():
    f = defined("def f(x):\n    return sin(x) * la.norm(numpy.ones(3)) * x.sum() * numpy.pi\n", sin=np.sin,
                la=np.linalg, numpy=np)
    text = text_of(f)
    assert "jnp.sin(x)" in text and "jnp.linalg.norm(" in text and "jnp.pi" in text \
        and "numpy." not in text.replace("jax.numpy", "")


def test_a_name_of_the_user_is_not_hidden():
    f = defined("def f(x, jnp):\n    rt = np.sin(x)\n    return rt * jnp\n")
    assert tnb.grad(f, backend="jax")(0.5, 2.0) == pytest.approx(2.0 * np.cos(0.5))


def test_compiled_text():
    f = defined("def f(x, n):\n    for i in range(n):\n        x = x * k\n    return np.sum(x)\n", k=2.0)
    text = text_of(f, compile="jit")
    assert "@functools.partial(jax.jit, static_argnames=('n',))\ndef _df_dx_jit(x, n, k):" in text
    assert "return rt.compiled(_df_dx_jit, x, n, rt.traceable(k))" in text
    assert "@jax.jit\n" in text_of(defined("def f(x):\n    return np.sum(x * x)\n"), compile="jit")


def test_helpers_without_a_derivative_are_written_too():
    scope = sourced("def size(n):\n    held = np.zeros(n)\n    held[0] = 1.0\n    return held\n\n\n"
                    "def f(x, n):\n    return np.sum(x * size(n))\n", {"np": np})
    text = text_of(scope["f"])
    assert "def _size_jax(n):" in text and "held = held.at[rt.within(held, 0)].set(1.0)" in text
    assert "rt.check_helpers(helpers, size)  # guard" in text


CONTROL = {
    "if": ("if np.sum(x) > 1.0:\n        return x * 2.0\n    return x", "the test of this if"),
    "while": ("while x < 3.0:\n        x = x * 2.0\n    return x", "the test of this while"),
    "trips": ("for i in range(int(x)):\n        x = x * 2.0\n    return x", "int"),
    "mask": ("return np.sum(x[x > 0.0])", "an index"),
    "index": ("return x[np.argmax(x)]", "an index"),
    "float": ("return float(x) * 2.0", "float"),
    "choice": ("return x if x > 0.0 else -x", "depends on x"),
    "max": ("return max(x, 0.0)", "max"),
    "constant": ("if np.sum(np.ones(3)) > 1.0:\n        x = x * 2.0\n    return x", "computed from arrays"),
    "shape": ("return np.sum(x * np.ones(np.argmax(x)))", "shape"),
    "print": ("print(3)\n    return x", "print once"),
    "assert": ("assert x > 0.0\n    return x", "the test of this assert"),
}


@pytest.mark.parametrize("body, what", CONTROL.values(), ids=CONTROL)
def test_what_depends_on_data_is_not_compiled(body, what):
    f = defined(f"def f(x):\n    {body}\n")
    tnb.vjp(f, backend="jax")
    with pytest.raises(RefusedError, match=what) as refused:
        tnb.vjp(f, backend="jax", compile="jit")
    assert all(refusal.span is not None and refusal.remedy for refusal in refused.value.refusals)


def test_what_depends_on_shapes_and_integers_is_compiled():
    f = defined("""
        def f(x, n, flag=True):
            if x.shape[0] > 2 and flag:
                x = x * 2.0
            for i in range(len(x) - n):
                x = x * x[i]
            return np.sum(x)
        """)
    x = np.array([0.5, 1.5, 0.25])
    got = tnb.grad(f, backend="jax", compile="jit")
    assert np.allclose(got(x, 1), tnb.grad(f)(x, 1)) and np.allclose(got(x, 2, False), tnb.grad(f)(x, 2, False))
    with pytest.raises(RefusedError, match="one value of it"):
        got(x, np.array(1.0))


REFUSED = {
    "random": ("x * np.random.rand()", "np.random.rand"),
    "type": ("x * 2.0 if isinstance(x, float) else x", "other types"),
    "ufunc method": ("x * np.add.reduce(np.ones(3))", "np.add.reduce"),
    "small integers": ("x * np.sum(np.zeros(3, dtype=np.int32))", "np.int32"),
    "named dtype": ("x * np.sum(np.zeros(3, dtype='int16'))", "int16"),
    "attribute": ("x * np.ones(3).strides[0]", "strides"),
    "no such function": ("x * np.spacing(2.0)", "np.spacing"),
}


@pytest.mark.parametrize("expression, what", REFUSED.values(), ids=REFUSED)
def test_what_jax_does_not_do_is_refused(expression, what):
    with pytest.raises(RefusedError, match=what) as refused:
        tnb.grad(defined(f"def f(x):\n    return {expression}\n"), backend="jax")
    assert refused.value.refusals[0].span is not None


def test_an_alias_in_a_helper_is_refused():
    scope = sourced("def fill(n):\n    held = np.zeros(n)\n    row = held[1:]\n    held[0] = 1.0\n    row[0] = 2.0\n"
                    "    return held\n\n\n"
                    "def f(x, n):\n    return np.sum(x * fill(n))\n", {"np": np})
    with pytest.raises(RefusedError):
        tnb.grad(scope["f"], backend="jax")


NOT_ON_JAX = """
    argpartition argwhere array2string array_equiv array_repr array_str asarray_chkfinite ascontiguousarray
    asfortranarray astype base_repr binary_repr bincount broadcast_shapes can_cast choose common_type delete
    format_float_positional format_float_scientific gradient histogram insert int16 int32 int8 isdtype isfortran isin
    isnat issubdtype iterable may_share_memory min_scalar_type ndarray partition poly1d promote_types ravel_multi_index
    require result_type roots shares_memory spacing uint8 unravel_index
""".split()


def test_every_row_of_numpy_is_in_the_table_or_refused_by_intent():
    names = {rule.name.removeprefix("np.") for rule in rows() if rule.supported and rule.name.startswith("np.")
             and callable(rule.fn) and getattr(np, rule.name.removeprefix("np."), None) is rule.fn}
    assert sorted(name for name in names - {"intp"} if not on_jax(getattr(np, name)).call) == NOT_ON_JAX


@pytest.mark.parametrize("call", sorted({one.call for one in every_on_jax()} - {""}))
def test_what_is_called_exists(call):
    attrgetter(call)(types.SimpleNamespace(jnp=jax.numpy, jax=jax, rt=backends.load("jax")))


def test_a_function_is_named_once_in_the_column_and_has_a_row():
    with pytest.raises(ValueError, match="named twice"):
        jax_column.same("sin")
    with pytest.raises(ValueError, match="has no row"):
        jax_column.same("einsum_path.__call__")


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", [name for name in SPECIAL if name not in WITHOUT_A_DERIVATIVE])
def test_special_functions_of_scipy(name):
    """The value and the gradient on JAX are those on NumPy, also in compiled code."""
    special = pytest.importorskip("scipy.special")
    rule = lookup(getattr(special, name))
    fixed = {"n": "2", "a": "2.5", "b": "1.5", "x": "1.5"}
    needed = [one for one, parameter in rule.signature.parameters.items()
              if parameter.default is parameter.empty or one == "q"]
    call = f"special.{name}({', '.join('x' if one in rule.pull else fixed[one] for one in needed)})"
    x = np.array([0.3, 0.6, 0.8], np.float32)
    if isinstance(several := eval(call, {"special": special, "x": x}), tuple):
        call = f"({' + '.join(f'{call}[{i}]' for i in range(len(several)))})"
    f = defined(f"""
        def f(x):
            return np.sum({call} * np.arange(1.0, 4.0))
        """, special=special)
    for derive in (tnb.grad, lambda f, **options: (lambda x: tnb.jvp(f, **options)(x, x))):
        expected = derive(f)(x)
        for compiled in (None, "jit"):
            np.testing.assert_allclose(derive(f, backend="jax", compile=compiled)(x), expected, rtol=2e-4)
    assert f"jax.scipy.special.{name}(" in text_of(f) or name == "softmax"


def test_no_two_helpers_have_one_name():
    """The helpers of all modules of `runtime` share one namespace on JAX."""
    found = {}
    for info in pkgutil.iter_modules(runtime.__path__):
        module = import_module(f"{runtime.__name__}.{info.name}")
        for name, value in vars(module).items():
            if isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
                found.setdefault(name, []).append(info.name)
    assert {name: places for name, places in found.items() if len(places) > 1} == {}

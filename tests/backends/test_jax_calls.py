"""What derivatives on JAX do when they are called: devices, dtypes, indices, poles, late binding,
derivatives of derivatives."""
from __future__ import annotations

import inspect
import subprocess
import sys

import numpy as np
import pytest
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import ArgumentError, RefusedError, TangentError

jax = pytest.importorskip("jax")
jnp = jax.numpy
scale = 2.0
table = np.array([1.0, 2.0, 3.0])


def mlp(x, w, b, y):
    return np.mean((np.tanh(np.dot(x, w) + b) - y) ** 2)


def scaled(x):
    return np.sum(x * x) * scale


def from_table(x):
    held = table.copy()
    held[0] = x
    return np.sum(held * held)


def cubed(x):
    return np.sin(x) * x * x


def helper(n):
    kept = np.zeros(n)
    kept[n - 1] = 1.0
    return kept


def with_helper(x, n):
    return np.sum(x * helper(n))


def arguments(dtype=float):
    draw = np.random.default_rng(3)
    return tuple(jnp.asarray(draw.normal(size=shape), dtype) for shape in ((4, 3), (3, 2), (2,), (4, 2)))


def grad(f, wrt=0, **options):
    return tnb.grad(f, wrt, backend="jax", **options)


# ------------------------------------------------------------------ where arrays are
@pytest.mark.parametrize("compile", [None, "jit"])
def test_results_are_arrays_of_the_device(compile):
    args = arguments()
    got = grad(mlp, ("w", "b"), compile=compile)(*args)
    assert all(isinstance(g, jax.Array) and g.devices() == args[0].devices() for g in got)


@pytest.mark.parametrize("compile", [None, "jit"])
def test_no_array_comes_to_the_host(compile, monkeypatch):
    args, derivative = arguments(), grad(mlp, ("w", "b"), compile=compile)
    derivative(*args)
    fetched = []
    kind = type(args[0])
    value = kind._value
    monkeypatch.setattr(kind, "_value", property(lambda array: fetched.append(array.shape) or value.fget(array)))
    got = derivative(*args)
    assert fetched == []
    float(got[0][0, 0])
    assert fetched, "the probe sees no transfer: it proves nothing"


def test_compiled_code_transfers_nothing():
    args, derivative = arguments(), grad(mlp, ("w", "b"), compile="jit")
    derivative(*args)
    with jax.transfer_guard("disallow"):
        derivative(*args)


def test_eager_code_fetches_nothing():
    args, derivative = arguments(), grad(mlp, ("w", "b"))
    with jax.transfer_guard_device_to_host("disallow"):
        derivative(*args)


def test_gpu():
    if not any(device.platform == "gpu" for device in jax.devices()):
        pytest.skip("no GPU: test_gpu needs one that JAX sees")
    device = next(device for device in jax.devices() if device.platform == "gpu")
    args = tuple(jax.device_put(a, device) for a in arguments())
    for compile in (None, "jit"):
        with jax.transfer_guard_device_to_host("disallow"):
            got = grad(mlp, ("w", "b"), compile=compile)(*args)
        assert all(g.devices() == {device} for g in got)
        want = tnb.grad(mlp, ("w", "b"))(*map(np.asarray, args))
        assert all(np.allclose(g, w, rtol=1e-10) for g, w in zip(got, want, strict=True))


def test_the_callers_array_is_copied():
    x = np.ones(3)
    _, pull = tnb.pullback(lambda x: np.sum(x * x), x, backend="jax")
    x[:] = 77.0
    assert pull(1.0).tolist() == [2.0, 2.0, 2.0] == pull(1.0).tolist()


# ------------------------------------------------------------------ dtypes
def test_float32_stays(single_precision):
    args = arguments(np.float32)
    want = tnb.grad(mlp, "w")(*map(np.asarray, args))
    got = grad(mlp, "w")(*args)
    assert got.dtype == np.float32 and np.allclose(got, want, rtol=1e-4)


@pytest.mark.parametrize("argument", [np.ones(3), 0.5, np.float64(0.5), 2])
def test_double_precision_is_not_cut(single_precision, argument):
    with pytest.raises(ArgumentError, match=r'jax.config.update\("jax_enable_x64", True\)'):
        grad(scaled)(argument)


def test_nor_in_arguments_without_a_derivative_and_in_the_text(single_precision):
    def times(x, y):
        return np.sum(x * y)

    def named(x):
        return np.sum(x * np.zeros(3, dtype=np.float64))

    x = np.ones(3, np.float32)
    with pytest.raises(ArgumentError, match="float32"):
        grad(times)(x, np.ones(3))
    with pytest.raises(ArgumentError, match="64"):
        grad(named)(x)


@pytest.mark.parametrize("argument", [np.arange(3), True, [1.0], 1j, None, "x"])
def test_what_has_no_derivative_is_refused(argument):
    with pytest.raises(ArgumentError):
        grad(scaled)(argument)


def test_truth_values_are_averaged_in_double_precision():
    def share(x):
        return np.mean(x > 0.5) * np.sum(x)

    x = np.array([0.1, 0.7, 0.9])
    assert np.array_equal(grad(share)(x), tnb.grad(share)(x))


# ------------------------------------------------------------------ where NumPy raises
@pytest.mark.parametrize("compile", [None, "jit"])
@pytest.mark.parametrize("text", ["x[3]", "x[-4]", "np.sum(x[1:]) + x[1:][2]", "np.take(x, 3)"])
def test_indices_outside_raise(text, compile):
    derivative = grad(_defined(text), compile=compile)
    with pytest.raises(IndexError, match="out of bounds"):
        derivative(np.ones(3))


def test_so_do_arrays_of_indices():
    def chosen(x, i):
        return np.sum(x[i])

    derivative = grad(chosen)
    assert derivative(np.ones(3), np.array([0, 2, 2])).tolist() == [1.0, 0.0, 2.0]
    for wrong in (np.array([0, 3]), jnp.array([0, -4])):
        with pytest.raises(IndexError, match="out of bounds"):
            derivative(np.ones(3), wrong)


def test_writing_outside_raises():
    def put(x):
        held = np.zeros(2)
        held[2] = x
        return np.sum(held)

    with pytest.raises(IndexError, match="out of bounds"):
        grad(put)(1.0)


def test_the_last_of_several_writes_stays():
    def put(x, i):
        held = np.zeros(3)
        held[i] = x
        held[i] += x
        return np.sum(held * np.arange(3.0))

    x, i = np.array([1.0, 2.0, 3.0]), np.array([0, 2, 2])
    assert np.array_equal(grad(put)(x, i), tnb.grad(put)(x, i))


def test_an_update_keeps_the_shape():
    def grown(x):
        held = np.zeros(3)
        held += x
        held *= np.ones((2, 3))
        return np.sum(held)

    with pytest.raises(ValueError, match="broadcast"):
        grad(grown)(np.ones(3))


def test_numbers_of_python_divide_as_python_has_it():
    def inverse(x):
        return 1.0 / x

    with pytest.raises(ZeroDivisionError):
        grad(inverse)(0.0)
    with pytest.raises(RefusedError, match="Python number"):
        grad(inverse, compile="jit")(0.0)
    assert grad(inverse, compile="jit")(jnp.asarray(2.0)) == -0.25


def test_integers_divide_as_numpy_has_it():
    def divided(x, k):
        return x * np.sum(np.arange(4) // k) + x * np.sum(np.arange(4) % k)

    k = np.array([0, 1, 2, 0])
    with np.errstate(all="ignore"):
        assert grad(divided)(1.0, k) == tnb.grad(divided)(1.0, k)


# ------------------------------------------------------------------ late binding
@pytest.mark.parametrize("compile", [None, "jit"])
def test_globals_are_read_when_it_runs(compile, monkeypatch):
    derivative = grad(scaled, compile=compile)
    x = jnp.ones(2)
    assert derivative(x).tolist() == [4.0, 4.0]
    monkeypatch.setitem(globals(), "scale", 3.0)
    assert derivative(x).tolist() == [6.0, 6.0]
    monkeypatch.setitem(globals(), "scale", np.array(5.0))
    assert derivative(x).tolist() == [10.0, 10.0]


def test_arrays_from_outside_are_not_changed():
    assert grad(from_table)(2.0) == 4.0 and table[0] == 1.0


@pytest.mark.parametrize("compile", [None, "jit"])
def test_helpers_that_change_are_noticed(compile, monkeypatch):
    derivative = grad(with_helper, compile=compile)
    assert derivative(jnp.ones(3), 3).tolist() == [0.0, 0.0, 1.0]
    monkeypatch.setitem(globals(), "helper", lambda n: np.ones(n))
    with pytest.raises(TangentError, match="derive again"):
        derivative(jnp.ones(3), 3)


# ------------------------------------------------------------ derivatives of derivatives, and JAX's own transformations
@pytest.mark.parametrize("compile", [None, "jit"])
def test_second_order(compile):
    x = jnp.asarray(0.7)
    want = tnb.grad(tnb.grad(cubed))(0.7)
    assert np.isclose(grad(grad(cubed, compile=compile), compile=compile)(x), want, rtol=1e-12)
    assert np.isclose(tnb.jvp(grad(cubed), backend="jax", compile=compile)(x, 1.0), want, rtol=1e-12)


def test_second_order_on_numpy_is_refused():
    with pytest.raises(TangentError, match="backend='jax' too"):
        tnb.grad(grad(cubed))


def test_jax_transforms_it():
    x = jnp.array([0.7, -0.2])
    derivative = grad(scaled)
    assert np.allclose(jax.jit(derivative)(x), derivative(x))
    assert np.allclose(jax.vmap(grad(cubed))(x), [grad(cubed)(v) for v in x])
    assert np.allclose(grad(cubed)(0.7), jax.grad(lambda x: jnp.sin(x) * x * x)(0.7))


def test_split_motion_and_value():
    forward, backward = tnb.autodiff(cubed, motion="split", backend="jax")
    value, residuals = forward(0.7)
    assert np.isclose(value, cubed(0.7)) and np.isclose(backward(residuals, 2.0), 2.0 * tnb.grad(cubed)(0.7))
    value, gradient = tnb.value_and_grad(mlp, "b", backend="jax", compile="jit")(*arguments())
    assert value.shape == () and gradient.shape == (2,)


# ------------------------------------------------------------------ the calls
@pytest.mark.parametrize("options, message", [
    ({"backend": "torch"}, "there is no backend 'torch'"),
    ({"compile": "jit"}, "for backend='jax'"),
    ({"backend": "jax", "compile": "aot"}, "None, 'jit' or 'numba'"),
    ({"backend": "jax", "like": (1.0,)}, "like="),
])
def test_settings_that_do_not_exist(options, message):
    with pytest.raises(TangentError, match=message):
        tnb.grad(cubed, **options)


def test_compiled_split_motion_is_refused():
    with pytest.raises(TangentError, match="joint motion"):
        tnb.pullback(cubed, 1.0, backend="jax", compile="jit")


def test_without_jax_it_says_what_to_install():
    program = "import sys; sys.modules['jax'] = None\nimport tangent_nb as tnb\n" \
        "try:\n    tnb.grad(lambda x: x, backend='jax')\nexcept tnb.errors.TangentError as error:\n    print(error)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install 'tangent_nb[jax]'" in run.stdout, run.stderr


def test_it_is_plain_python():
    for compile in (None, "jit"):
        derivative = grad(mlp, "w", compile=compile)
        assert inspect.isfunction(derivative) and inspect.getsource(derivative) in tnb.source(derivative)
        assert list(inspect.signature(derivative).parameters) == ["x", "w", "b", "y"]


def _defined(text):
    return sourced(f"def f(x):\n    return {text}\n", {"np": np})["f"]


def test_each_module_of_the_runtime_has_its_own_globals():
    """Two modules may call different things by one name; what one of them has is not for the other."""
    from tangent_nb import runtime
    from tangent_nb.backends.jax_runtime.base import helpers

    for module, space in zip(runtime.MODULES, helpers.spaces, strict=True):
        for name, value in vars(module).items():
            if not callable(value) and value is not np and not name.startswith("__"):
                assert space[name] is value, f"{module.__name__}.{name}"


def test_registered_classes_stay_so_when_a_derivative_is_derived_again(monkeypatch):
    from tangent_nb.runtime.containers import REGISTERED, kind_of

    class Held:
        def __init__(self, values):
            self.values = values

        def __iter__(self):
            return iter(self.values)

    tnb.register_container(Held, lambda one: {"values": one.values}, lambda one, parts: Held(parts["values"]))
    try:
        test_helpers_that_change_are_noticed(None, monkeypatch)
        assert kind_of(Held([1.0])) is not None
    finally:
        REGISTERED.discard(Held)

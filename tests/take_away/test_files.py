"""What a file of its own holds, and that it needs nothing else."""
from __future__ import annotations

import builtins
import collections
import dataclasses
import enum
import functools
import math
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from loading import imported, loaded, same
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError
from tangent_nb.take_away import exported

K = 3.5
W = np.arange(6.0).reshape(2, 3)
F = np.asfortranarray(np.arange(6.0).reshape(2, 3) / 7.0)
BIG = np.linspace(0.0, 1.0, 400).reshape(20, 20).astype("f4")
ODD = (math.inf, -math.inf, -0.0, 1e-320, 2.0 ** 60)
CONFIG = {"rate": 0.1, "layers": [1, 2.5], "w": W}
Point = collections.namedtuple("Point", "a b")
POINT = Point(1.0, 2.0)


@dataclasses.dataclass
class Config:
    rate: float = 0.1
    name: str = "x"


class Model:
    scale = 2.0

    def __init__(self, w):
        self.w = w
        self.made = True

    def __call__(self, x):
        return np.tanh(self.w @ x) * self.scale


class Kind(enum.Enum):
    FIRST = 1
    SECOND = 2


SETTINGS = Config(0.25)
MODEL = Model(np.ones((2, 3)))
KIND = Kind.SECOND


def half(x, k=np.array([1.0, 2.0, 3.0])):
    return x * 0.5 * np.sum(k)


@functools.lru_cache
def constant(n):
    return float(n)


def fact(n):
    return 1.0 if n < 2 else n * fact(n - 1)


def mlp(w1, b1, w2, b2, x, t):
    h = np.tanh(x @ w1 + b1)
    y = h @ w2 + b2
    return np.mean((y - t) ** 2)


def mlp_arguments():
    rng = np.random.default_rng(0)
    return (rng.normal(size=(3, 4)), rng.normal(size=4), rng.normal(size=(4, 2)), rng.normal(size=2),
            rng.normal(size=(5, 3)), rng.normal(size=(5, 2)))


def general(df):
    """The derivative, with its text for all arguments alone."""
    if (beside := tnb.api.derivation(df).beside) is not None:
        beside.by_class = False
    return df


def check(df, *args, text=None):
    """The file gives what the derivative gives; the module that it is."""
    module = loaded(exported(df) if text is None else text)
    file = getattr(module, df.__name__)
    assert same(file(*args), general(df)(*args))
    return module


X3 = np.array([0.3, -0.7, 1.1])


def values(x):
    y = half(W @ x) * K + CONFIG["w"][0, 1] * SETTINGS.rate + POINT.b
    return np.sum(np.tanh(y)) * constant(3) + F[0, 1] * np.sum(F @ x) + fact(4) + ODD[3]


def test_values_functions_and_classes_come_along():
    module = check(tnb.grad(values), X3)
    assert module.F.flags.f_contiguous and same(module.F, F)
    assert same(module.ODD, ODD) and module.CONFIG["w"] is module.W
    assert module.SETTINGS.rate == 0.25 and module.POINT._fields == ("a", "b")


def test_what_changes_later_does_not_change_the_file(tmp_path):
    scope = sourced("def f(x):\n    return x * k\n", {"k": 2.0, "__name__": "late"}, "<late>")
    df = tnb.grad(scope["f"])
    text = exported(df)
    scope["k"] = 5.0
    assert df(1.0) == 5.0 and loaded(text).df_dx(1.0) == 2.0
    assert "What is read from outside is as it was then: k." in text


def uses_objects(x):
    return np.sum(MODEL.w @ x) * MODEL.scale * (2.0 if KIND is Kind.SECOND else 1.0)


def test_objects_and_members_of_enumerations():
    module = check(tnb.grad(uses_objects), X3)
    assert module.MODEL.made is True and module.KIND is module.Kind.SECOND


def uses_a_large_array(x):
    return np.sum(BIG @ x)


def test_a_long_array_lies_beside(tmp_path):
    df = general(tnb.grad(uses_a_large_array))
    path = tmp_path / "gradient.py"
    tnb.export(df, path)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["gradient.npz", "gradient.py"]
    x = np.linspace(0.0, 1.0, 20)
    module = imported(path)
    assert same(module.BIG, BIG) and same(module.duses_a_large_array_dx(x), df(x))


def test_where_python_starts_anew_without_tangent_nb(tmp_path):
    df = general(tnb.grad(values))
    tnb.export(df, tmp_path / "gradient.py")
    program = "try:\n    import tangent_nb\nexcept ImportError:\n    pass\nelse:\n    sys.exit('it is there')\n" \
              "import numpy as np\nfrom gradient import dvalues_dx\n" \
              "print(dvalues_dx(np.array([0.3, -0.7, 1.1])).tobytes().hex())\n"
    done = subprocess.run([sys.executable, "-S", "-c", f"import sys\nsys.path[:0] = [{str(tmp_path)!r}, "
                           f"{str(Path(np.__file__).parents[1])!r}]\nsys.meta_path[:0] = [type('Absent', (), dict("
                           "find_spec=staticmethod(lambda name, *_: (_ for _ in ()).throw(ImportError(name)) "
                           f"if name == 'tangent_nb' else None)))]\n{program}"],
                          capture_output=True, text=True, cwd=tmp_path, env={"PATH": ""})
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == df(X3).tobytes().hex()


def test_a_text_for_some_arguments_behind_its_guard():
    df, args = tnb.grad(mlp, wrt=(0, 1, 2, 3)), mlp_arguments()
    text = exported(df, like=args)
    file = loaded(text).dmlp_dw1_db1_dw2_db2
    assert same(file(*args), df(*args))
    others = (*args[:4], args[4][0], args[5][0])
    assert same(file(*others), general(tnb.grad(mlp, wrt=(0, 1, 2, 3)))(*others))


def test_that_text_alone_refuses_other_arguments():
    df, args = tnb.grad(mlp, wrt=(0, 1, 2, 3)), mlp_arguments()
    module = loaded(exported(df, like=args, general=False))
    assert same(module.dmlp_dw1_db1_dw2_db2(*args), df(*args))
    with pytest.raises(TypeError, match=r"was exported for w1: f8\[n, k\]"):
        module.dmlp_dw1_db1_dw2_db2(*args[:4], args[4][0], args[5][0])


def test_without_guards_there_is_the_derivative_alone():
    df, args = tnb.grad(mlp, wrt=(0, 1, 2, 3)), mlp_arguments()
    text = exported(df, like=args, general=False, guards=False)
    assert same(loaded(text).dmlp_dw1_db1_dw2_db2(*args), df(*args))
    assert "raise" not in text and "fits" not in text and len(text.splitlines()) < 50
    assert "For w1: f8[n, k], " in text and "alone: other arguments are not refused" in " ".join(text.split())
    for wrong in ({}, {"like": args}, {"like": args, "general": False, "versions": True}, {"general": False}):
        with pytest.raises(TangentError, match="a file without guards has one text"):
            exported(df, guards=False, **wrong)


def call_model(x, model):
    return np.sum(model(x) ** 2)


def test_the_text_for_a_class_brings_the_class():
    df = tnb.grad(call_model)
    module = loaded(exported(df, like=(X3, MODEL), general=False))
    assert same(module.dcall_model_dx(X3, module.Model(np.ones((2, 3)))), df(X3, MODEL))
    with pytest.raises(TypeError, match="was exported for model: Model"):
        module.dcall_model_dx(X3, math.sin)


def test_versions_are_those_that_calls_have_made():
    df, args = tnb.grad(mlp, wrt=(0, 1, 2, 3)), mlp_arguments()
    assert "if fits(" not in exported(df, versions=True)
    df(*args)
    df(*args[:4], args[4][0], args[5][0])
    text = exported(df, versions=True)
    assert text.count("if fits(") == 2
    file = loaded(text).dmlp_dw1_db1_dw2_db2
    for each in (args, (*args[:4], args[4][0], args[5][0])):
        assert same(file(*each), df(*each))


def sine(x):
    return np.sum(np.sin(x) * x)


def test_split_motion_is_two_functions_of_one_file():
    forward, backward = tnb.autodiff(sine, motion="split")
    module = loaded(exported((forward, backward)))
    value, residuals = module.dsine_dx_forward(X3)
    assert same(value, forward(X3)[0])
    assert same(module.dsine_dx_backward(residuals, 2.0), backward(forward(X3)[1], 2.0))
    assert module.__all__ == ["dsine_dx_forward", "dsine_dx_backward"]


sine_dx = tnb.grad(sine)


def slope(x):
    return np.sum(sine_dx(x) * x)


@pytest.mark.parametrize("df", [tnb.value_and_grad(sine), tnb.grad(slope), tnb.jvp(tnb.grad(sine))])
def test_values_and_second_derivatives(df):
    check(df, X3, *([X3] if df.__name__.startswith("t") else []))


def test_seeds_and_tangents():
    check(tnb.vjp(lambda x: np.sin(x) * x), X3, np.ones(3))
    check(tnb.jvp(lambda x: np.sin(x) * x), X3, np.ones(3))


def cube(x):
    return x ** 3


@tnb.adjoint(cube)
def cube_adjoint(y, x):
    d[x] = d[y] * 3.0 * x * x  # noqa: F821


def test_a_rule_of_the_users_own():
    check(tnb.grad(lambda x: cube(x) * 2.0), 1.7)


def test_a_module_of_the_users_is_written_as_a_namespace():
    helpers = types.ModuleType("helpers_of_mine")
    helpers.__dict__.update(sourced("import numpy as np\nrate = 0.5\n\ndef twice(x):\n"
                                    "    return np.sin(x) * 2.0 * rate\n", helpers.__dict__, "<helpers_of_mine>"))
    scope = sourced("def f(x):\n    return helpers.twice(x) * helpers.rate\n",
                    {"helpers": helpers, "__name__": "main_of_mine"}, "<main_of_mine>")
    module = check(tnb.grad(scope["f"]), 0.7)
    assert isinstance(module.helpers, types.SimpleNamespace) if hasattr(module, "helpers") else True


def test_names_that_would_meet_are_kept_apart():
    one = sourced("k = 2.0\n\ndef part(x):\n    return x * k * k\n", {"__name__": "one"}, "<one>")
    two = sourced("k = 3.0\n\ndef copy(x):\n    return part(x) * k + sum([x, x])\n\ndef f(x):\n"
                  "    seed = copy(x)\n    for i in range(3):\n        seed = seed * copy(x)\n    return seed * np_1\n",
                  {"part": one["part"], "np_1": 0.5, "__name__": "two"}, "<two>")
    check(tnb.grad(two["f"], optimized=tnb.PASSES), 0.9)
    check(tnb.grad(two["f"], optimized=False), 0.9)


def test_closures_and_lambdas():
    def outer(scale, table):
        inner = lambda v: v * scale + table[0]  # noqa: E731

        def f(x):
            return inner(x) * scale

        return f

    check(tnb.grad(outer(3.0, [1.0, 2.0]), optimized=False), 0.7)


def test_a_default_is_the_object_that_the_function_has():
    scope = sourced("def f(x, w=make(), k=2, act=np.tanh):\n    return np.sum(act(x) * w) * k\n",
                    {"make": lambda: np.array([0.5, 0.25]), "np": np, "__name__": "defaults"}, "<defaults>")
    df = tnb.grad(scope["f"])
    try:
        module = loaded(exported(df))
    except TangentError as error:
        assert "known only when it is called" in str(error)
        module = loaded(exported(df, like=(np.ones(2),), general=False))
    assert same(module.df_dx(np.array([0.1, 0.2])), df(np.array([0.1, 0.2])))


def test_guards_refuse_in_the_file_too():
    module = loaded(exported(tnb.grad(sine)))
    with pytest.raises(TypeError, match=r"x is of class ndarray and dtype int64.*pass x.astype\(float\)"):
        module.dsine_dx(np.arange(3))


def test_the_same_text_each_time():
    assert exported(tnb.grad(values)) == exported(tnb.grad(values))


def test_a_derivative_that_came_from_another_process_is_refused():
    cloudpickle = pytest.importorskip("cloudpickle")
    df = cloudpickle.loads(cloudpickle.dumps(tnb.grad(sine, optimized=tnb.PASSES)))
    with pytest.raises(TangentError, match="came from another process"):
        exported(df)


def test_a_derivative_of_functions_that_are_no_more_is_refused():
    scope = sourced("def g(x):\n    return x * 2.0\n\ndef f(x):\n    return g(x)\n", {"__name__": "gone"}, "<gone>")
    df = tnb.grad(scope["f"])
    scope["g"] = lambda x: x * 3.0
    with pytest.raises(TangentError, match="g has been defined anew since this derivative was made"):
        exported(df)


def grown(x):
    p = tnb.PersistentArray(np.zeros(1))
    for i in range(3):
        p = tnb.append(p, x[i] * 2.0)
    return np.sum(p * p)


def test_what_nobody_in_the_file_can_make_is_left_out():
    assert "PersistentArray" not in exported(tnb.grad(sine))
    df = tnb.grad(grown)
    assert "class PersistentArray" in exported(df)
    check(df, X3)


class Net:
    def __init__(self):
        self.w = np.ones((2, 3))

    def loss(self, x):
        return np.sum(np.tanh(self.w @ x))


class Deep(Net):
    __slots__ = ("b",)
    sizes = [1, 2]

    def __init__(self):
        super().__init__()
        self.b = 2.0


NET = Deep()


def of_a_method(x):
    return NET.loss(x) * NET.b * NET.sizes[1]


def test_methods_slots_and_what_a_class_holds():
    Deep.sizes = [1, 3]
    try:
        df = tnb.grad(of_a_method)
        assert loaded(exported(df)).Deep.sizes == [1, 3]
        check(df, X3)
    finally:
        Deep.sizes = [1, 2]


COUNT, LOG, FILLED = [0], [], {}


def counts(x):
    COUNT[0] = COUNT[0] + 1
    return np.sum(x * x)


def logs(x):
    LOG.append(1.0)
    return np.sum(x * x)


def fills(x):
    FILLED["k"] = 2.0
    return np.sum(x * x) * FILLED["k"]


def asks_builtins(x):
    return np.sum(x * x) * getattr(builtins, "abs")(-2.0)


@pytest.mark.parametrize("f", [counts, logs, fills, asks_builtins], ids=lambda f: f.__name__)
def test_what_changes_outside_changes_in_the_file(f):
    check(tnb.grad(f), np.array([0.3, 0.7]))


def test_a_text_without_a_guard_is_taken_as_it_is():
    df, x = tnb.grad(sine, optimized="+reuse"), np.array([0.3, 0.7])
    check(df, x, text=exported(df, like=(x,)))


def test_a_lambda_in_a_list_is_refused_where_it_is_differentiated_when_it_is_called():
    with pytest.raises(TangentError, match="functions that are known only when it is called"):
        exported(tnb.grad(sourced("fs = [lambda t: t * 2.0, np.sin]\ndef f(x):\n    t = 0.0\n    for q in fs:\n"
                                  "        t = t + np.sum(q(x))\n    return t\n", {"np": np})["f"]))

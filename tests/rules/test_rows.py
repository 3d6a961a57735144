"""Every row: both modes against differences and against each other, shapes, dtypes,
and what it says about its result."""
import ast
import itertools
import math
import operator
import re
import sys
import types
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from samples import SAMPLES

import tangent_nb.runtime as rt
from tangent_nb.rules import lookup, lookup_method, lookup_operator, rows
from tangent_nb.rules.libraries import ROWS_OF
from tangent_nb.rules.table import check_names, choices, fill
from tangent_nb.syntax import spec as sp
from tangent_nb.syntax.program import member
from tangent_nb.syntax.spec import Spec

scipy, special, stats = (pytest.importorskip(name) for name in ("scipy", "scipy.special", "scipy.stats"))
fill(*ROWS_OF)
ROOT = Path(__file__).resolve().parents[2]
SCOPE = {"np": np, "rt": rt, "math": math, "operator": operator, "scipy": scipy, "special": special, "stats": stats}
DISTRIBUTIONS = (stats.rv_continuous, stats.rv_discrete)
ARRAYS = {"x", "y", "z", "v", "u", "vt", "a", "b", "m", "arrays", "values"}
# what they are given is a function:
BY_HAND = ("scipy.linalg.solve_continuous_are", "scipy.linalg.solve_discrete_are", "rt.closure_of", "rt.check_end", *(
    # tests/runtime/test_solvers.py
    f"rt.{name}_adjoint" for name in ("odeint", "solve_ivp", "quad", "root", "minimum")), *(
    # tests/runtime/test_derivatives.py
    f"rt.{name}" for name in ("derivative_of", "method_of", "owner_of", "with_residuals", "parts_of",
                                "with_parts_of")), *(
    # tests/runtime/test_binding.py
    f"rt.{name}" for name in ("bind", "bound_", "namespace", "named_items")))
DERIVED = [rule for rule in rows() if rule.pull and not rule.called and not rule.name.startswith(BY_HAND)]
BROADCAST = [("float", "float"), ((), ()), ((3,), (3,)), ((2, 3), (3,)), ((2, 1), (1, 3)), ("float", (2, 3)),
             ((2, 3), "float"),
             ((0, 3), (3,)), ((1,), ())]


# SciPy's own, of results in single precision, and of a singular matrix of integers
WARNINGS = ("logm result may be inaccurate", 'Input "a" has an eigenvalue pair')
pytestmark = [pytest.mark.filterwarnings(f"ignore:{text}:RuntimeWarning") for text in WARNINGS]


def test_texts_name_what_the_signature_does():
    for rule in rows():
        for texts in (*rule.pull.values(), *rule.push.values()):
            check_names(texts, {rule.result, "g", *rule.signature.parameters})


def test_a_text_that_names_anything_else_is_an_error():
    with pytest.raises(ValueError, match="'g \\* z' names z, which the row's signature does not"):
        check_names(choices("g * z"), {"y", "g", "x"})


def test_samples_are_of_rows():
    assert not SAMPLES.keys() - {rule.name for rule in rows()}


def interval(entry):
    return isinstance(entry, tuple) and len(entry) == 2 and all(isinstance(n, float) for n in entry)


def inside(value):
    """The parts of a dict, or of a namespace."""
    return list((value if isinstance(value, dict) else vars(value)).values())


def rebuilt(value, parts):
    if isinstance(value, dict):
        return dict(zip(value, parts, strict=True))
    return types.SimpleNamespace(**dict(zip(vars(value), parts, strict=True)))


def made(value, parts):
    """A list or tuple like another; a named one too."""
    return value._make(parts) if hasattr(value, "_make") else type(value)(parts)


def sample(shape, rng, low=-1.0, high=1.0):
    """A value of a shape: an array, "float" for a Python number, a list for a list, or a matrix by name."""
    if isinstance(shape, (dict, types.SimpleNamespace)):
        return rebuilt(shape, [sample(item, rng, low, high) for item in inside(shape)])
    if isinstance(shape, list) or isinstance(shape, tuple) and any(isinstance(n, tuple) for n in shape):
        return type(shape)(sample(item, rng, low, high) for item in shape)
    if shape is None or isinstance(shape, (int, float, np.ndarray)):
        return shape
    if shape == "float":
        return float(rng.uniform(low, high))
    if shape == "square":
        return rng.normal(size=(3, 3)) + 2 * np.eye(3)
    if isinstance(shape, str) and shape.startswith("positive"):
        return rng.uniform(0.5, 2.0, [int(n) for n in shape.removeprefix("positive")])
    if shape == "square2":
        return rng.normal(size=(2, 2)) + 2 * np.eye(2)
    if shape == "square3":
        return rng.normal(size=(2, 3, 3)) + 2 * np.eye(3)
    if shape == "definite2":
        return sample("definite", rng)[:2, :2].copy()
    if shape in ("definite", "definite3"):
        root = sample(shape.replace("definite", "square"), rng)
        return root @ np.matrix_transpose(root) + np.diag([0.5, 1.0, 2.0])
    return np.asarray(rng.uniform(low, high, shape))


def cases(rule):
    """Bindings of all arguments of a row, drawn from its domain and from `SAMPLES`."""
    rng = np.random.default_rng(0)
    domain = {**SAMPLES.get(rule.name, {}), **rule.domain}
    varied = {name: values for name, values in domain.items() if name not in rule.pull and isinstance(values, tuple)}
    listed = {name: values for name, values in domain.items() if isinstance(values, list)}
    number_of = rule.signature.parameters
    active = list(rule.pull)
    extra = []                                             # shapes that not each function has
    if listed and any(name in listed for name in active):
        count = max(len(values) for values in listed.values())
        shapes = [{name: values[i % len(values)] for name, values in listed.items()} for i in range(count)]
    elif rule.name.startswith("math.") or rule.name in ("max", "min"):
        shapes = [dict.fromkeys(active, "float")] * 3
    elif rule.diagonal:
        shapes = [dict(zip(active, itertools.cycle(pair))) for pair in BROADCAST]
        if rule.name in ("rt.power_dy", "rt.power_dx"):
            shapes = [dict.fromkeys(rule.params, s) for s in ["float", (3,), (2, 3)]]
    else:
        extra = [{name: s for name in rule.params if name in ARRAYS}
                 for s in [(2, 1, 3)] + [()] * (not isinstance(rule.fn, types.MethodDescriptorType))]
        shapes = [{name: s for name in rule.params if name in ARRAYS} for s in [(3,), (2, 3)]] + extra
    for name, values in listed.items():
        for i, shape in enumerate(shapes):
            shape.setdefault(name, values[i % len(values)])
    if listed and len(shapes) < max(map(len, listed.values())):
        shapes += [{**shapes[0], **{n: v[i % len(v)] for n, v in listed.items()}}
                   for i in range(len(shapes), max(map(len, listed.values())))]
    for shape in shapes:
        for choice in itertools.product(*varied.values()):
            given = dict(zip(varied, choice))
            axis = given.get("axis")
            rank = len(shape["x"]) if isinstance(shape.get("x"), tuple) else 0
            if axis is not None and any(not -rank <= i < rank for i in (axis if isinstance(axis, tuple) else (axis,))):
                continue
            for name, p in number_of.items():
                if name in given:
                    continue
                if name in shape and (name in rule.pull or name in ARRAYS):
                    bounds = domain[name] if interval(domain.get(name)) else domain.get("x")
                    bounds = bounds if rule.diagonal and interval(bounds) else (-1.0, 1.0)
                    given[name] = sample(shape[name], rng, *bounds)
                elif name in shape:
                    given[name] = shape[name]
                elif name == "condition":
                    given[name] = np.array([True, False, True])
                elif name in ("x1", "x2", "a_min", "a_max", "min", "max"):
                    given[name] = sample((3,), rng)
                elif p.default is not p.empty:
                    given[name] = p.default
                elif name in ARRAYS:
                    given[name] = sample((3,), rng)
                else:
                    raise AssertionError(f"{rule.name}: no value for {name}")
            if rule.name in ("np.where", "rt.mask"):
                given["condition"] = np.array([True, False, True])
            if rule.name in ("rt.power_dy",):
                given["z"] = given["x"] ** given["y"]
            if shape not in extra or accepts(rule, given):
                yield {name: given[name] for name in rule.params}


def accepts(rule, args):
    """NumPy takes an array of this number of axes there."""
    try:
        call(rule, args)
    except (ValueError, IndexError):                       # AxisError is both
        return False
    return True


def call(rule, args):
    fn = rule.fn
    if fn is None or isinstance(fn, (types.GetSetDescriptorType,)) or rule.name in ("rt.einsum", "np.einsum",
                                                                                    "np.clip"):
        if rule.name == "np.einsum":
            return rt.einsum(**{name: value for name, value in args.items() if name != "optimize"})
        if rule.name == "np.clip":
            return np.clip(*args.values())
        fn = eval(rule.name, SCOPE)
    if rule.name == "np.pad":                     # each mode takes its own arguments
        args = {n: a for n, a in args.items() if a is not None}
    if rule.name in ("np.meshgrid", "np.broadcast_arrays", "scipy.linalg.block_diag"):
        args = {n: a for n, a in args.items() if a is not None}
    if rule.name == "np.diff":
        return np.diff(rt.around(args["x"], args["axis"], args["prepend"], args["append"]), args["n"], args["axis"])
    positional = [args[n]
                  for n, p in rule.signature.parameters.items() if p.kind is p.POSITIONAL_OR_KEYWORD and n in args]
    keywords = {n: args[n] for n, p in rule.signature.parameters.items()
                if p.kind is p.KEYWORD_ONLY and n in args and args[n] is not p.default}
    return fn(*positional, **keywords)


def flat(value):
    if isinstance(value, (dict, types.SimpleNamespace)):
        return flat(inside(value))
    if isinstance(value, (list, tuple)):
        return np.concatenate([flat(v) for v in value]) if value else np.zeros(0)
    return np.ravel(np.asarray(value, complex if np.iscomplexobj(value) else float))


def like(value, rng):
    if isinstance(value, (dict, types.SimpleNamespace)):
        return rebuilt(value, [like(v, rng) for v in inside(value)])
    if isinstance(value, (list, tuple)):
        return made(value, [like(v, rng) for v in value])
    if isinstance(value, (np.ndarray, rt.PersistentArray)):
        real = rng.normal(size=value.shape)
        return real + 1j * rng.normal(size=value.shape) if np.iscomplexobj(value) else real
    return float(rng.normal())


def moved(value, v, t):
    if isinstance(value, (dict, types.SimpleNamespace)):
        return rebuilt(value, [moved(a, b, t) for a, b in zip(inside(value), inside(v), strict=True)])
    if isinstance(value, (list, tuple)):
        return made(value, [moved(a, b, t) for a, b in zip(value, v)])
    return value + t * v


def holding(choices, rule, args, y):
    """The texts that may be used for these arguments; the last one always may."""
    specs = {name: Spec.of(value) for name, value in args.items()}
    specs[rule.result] = Spec.of(y)
    given = {n: s for n, s in specs.items() if n not in args or args[n] is not rule.signature.parameters[n].default}
    return [choice.text for choice in choices if choice.when is None or choice.when(specs) or choice.when(given)]


def evaluate(text, rule, args, y, g):
    return eval(text, {**SCOPE, **args, rule.result: y, "g": g})


def pulled(rule, name, text, args, y, g):
    value = evaluate(text, rule, args, y, g)
    return rt.unbroadcast(value, args[name]) if rule.diagonal else value


def same_form(value, x):
    if isinstance(x, (dict, types.SimpleNamespace)):
        assert type(value) is type(x) and len(inside(value)) == len(inside(x))
        for a, b in zip(inside(value), inside(x), strict=True):
            same_form(a, b)
    elif isinstance(x, (list, tuple)):
        assert type(value) is type(x) and len(value) == len(x)
        for a, b in zip(value, x):
            same_form(a, b)
    elif isinstance(x, float):
        assert isinstance(value, float)
    else:
        assert np.shape(value) == np.shape(x)
        assert value.dtype == x.dtype


def ident(rule):
    return rule.name


SMOOTH = [rule for rule in DERIVED if rule.name not in ("np.float32", "np.float16")]


@pytest.mark.parametrize("rule", SMOOTH, ids=ident)
def test_partials(rule):
    count = 0
    for args in cases(rule):
        rng = np.random.default_rng(1)
        y = call(rule, args)
        g = like(y, rng)
        if isinstance(y, np.generic):
            g = np.float64(g)
        for name in rule.pull:
            if args[name] is None:
                continue
            count += 1
            v = like(args[name], rng)
            h = 1e-4
            points = [flat(call(rule, {**args, name: moved(args[name], v, t)})) for t in (-2 * h, -h, h, 2 * h)]
            expected = (points[0] - 8 * points[1] + 8 * points[2] - points[3]) / (12 * h)
            where = f"{rule.name} in {name} of {args}"
            products = []
            for text in holding(rule.push[name], rule, args, y):
                tangent = evaluate(text, rule, args, y, v)
                if not isinstance(tangent, (list, tuple)) and np.shape(tangent) != np.shape(y):
                    tangent = np.broadcast_to(tangent, np.shape(y))
                np.testing.assert_allclose(flat(tangent), expected, rtol=1e-7, atol=1e-7,
                                           err_msg=f"push {text!r} {where}")
                products.append((flat(g) @ flat(tangent)).real)
            for text in holding(rule.pull[name], rule, args, y):
                cotangent = pulled(rule, name, text, args, y, g)
                try:
                    same_form(cotangent, args[name])
                except AssertionError as error:
                    raise AssertionError(f"pull {text!r} {where}: {cotangent!r}") from error
                products.append(flat(cotangent) @ flat(v))
            np.testing.assert_allclose(products, products[0], rtol=1e-10, atol=1e-10, err_msg=where)
    assert count, "no case was drawn"


def halved(value):
    if isinstance(value, (dict, types.SimpleNamespace)):
        return rebuilt(value, [halved(v) for v in inside(value)])
    if isinstance(value, (list, tuple)):
        return made(value, [halved(v) for v in value])
    return value.astype(np.float32) if isinstance(value, np.ndarray) and value.dtype.kind == "f" else value


@pytest.mark.parametrize("which", ["all", "one"])
@pytest.mark.parametrize("rule", [r for r in DERIVED if not r.name.startswith(("math.", "np.float", "x.astype"))],
                         ids=ident)
def test_dtype_of_the_argument_is_kept(rule, which):
    if which == "one" and rule.name.startswith("rt."):
        return                       # what is linear in a cotangent gets it in the dtype of its own result
    for args in cases(rule):
        for name in rule.pull:
            mine = {n: halved(a) if which == "all" or n == name else a for n, a in args.items()}
            if args[name] is None or not isinstance(args[name], np.ndarray):
                continue
            y = call(rule, mine)
            g = like(y, np.random.default_rng(1))
            if isinstance(g, (list, tuple, dict, types.SimpleNamespace)):
                g = made(y, [np.asarray(b, np.complex64 if np.iscomplexobj(b) else np.float32) for b in g]) \
                    if hasattr(y, "_make") else halved(g)
            elif hasattr(y, "dtype"):
                g = np.asarray(g, y.dtype)[()]
            for text in holding(rule.pull[name], rule, mine, y):
                cotangent = pulled(rule, name, text, mine, y, g)
                assert cotangent.dtype == np.float32, (rule.name, name, text, args)
                assert cotangent.shape == args[name].shape


@pytest.mark.sampled(6)
@pytest.mark.parametrize("rule", DERIVED, ids=ident)
def test_persistent_arrays_compute_as_arrays(rule):
    """A PersistentArray for an argument, and for what comes in,
    gives what an array gives: in the function and in the texts."""
    kept = rt.PersistentArray
    for args in cases(rule):
        y = call(rule, args)
        rng = np.random.default_rng(0)
        g = like(y, rng)
        for name, value in args.items():
            if not isinstance(value, np.ndarray) or value.ndim == 0 \
                    or name not in rule.pull and not rule.name.startswith("rt."):
                continue
            mine = {**args, name: kept(value)}
            if not rule.name.startswith("rt.") and rule.fn not in (None, np.astype) \
                    and not isinstance(rule.fn, types.MethodDescriptorType):
                assert_same(call(rule, mine), y, f"{rule.name} of {name}")
            for side, given in [(rule.pull, dict.fromkeys(rule.pull, g)),
                                (rule.push, {n: like(args[n], rng) for n in rule.push if n in args})]:
                for partial, gs in given.items():
                    if args[partial] is None:
                        continue
                    text, pull = side[partial][-1].text, side is rule.pull
                    for one in (gs, kept(gs)) if isinstance(gs, np.ndarray) and gs.ndim else (gs,):
                        expected, found = (pulled(rule, partial, text, a, y, b) if pull
                                           else evaluate(text, rule, a, y, b) for a, b in ((args, gs), (mine, one)))
                        assert_same(found, expected, f"{text!r} of {rule.name}, {name} is persistent")


def assert_same(found, expected, where):
    assert np.shape(found) == np.shape(expected) if isinstance(expected, np.ndarray) else True, where
    np.testing.assert_allclose(flat(found), flat(expected), err_msg=where)


def test_functions_in_texts_have_rows():
    missing = set()
    for rule in DERIVED:
        for choice in itertools.chain(*rule.pull.values(), *rule.push.values()):
            for node in ast.walk(choice.expr):
                if isinstance(node, ast.Attribute) \
                        and re.fullmatch(r"(np|rt|math|special|stats|scipy)(\.\w+)+", ast.unparse(node)):
                    value = member(eval(ast.unparse(node.value), SCOPE), node.attr)
                    found = lookup(value) if callable(value) and not isinstance(value, DISTRIBUTIONS) else value
                elif isinstance(node, ast.Attribute):
                    if rule.receiver and ast.unparse(node.value) in rule.signature.parameters:
                        continue                           # a method of the object that is called
                    found = lookup_method(node.attr)
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    if node.func.id in rule.signature.parameters:          # the object itself is called
                        continue
                    found = lookup(eval(node.func.id))
                elif isinstance(node, ast.BinOp | ast.UnaryOp) and not isinstance(node, ast.UnaryOp) | isinstance(
                        getattr(node, "op", None), ast.Not):
                    found = lookup_operator(type(node.op).__name__)
                else:
                    continue
                if hasattr(found, "supported") and found.name.startswith("rt."):
                    continue                               # a third derivative may be refused, by a row
                if found is None or found is False or (hasattr(found, "supported") and not found.supported):
                    missing.add((rule.name, ast.unparse(node)))
    assert not missing


def test_runtime_functions_have_rows():
    """Those that a text names: of a rule, of a stage, or of sugar."""
    statements = {"add_at", "check_helpers", "checkpoint", "insert_grad_of", "UNBOUND", "made_of"}  # which is a display
    sources = [path for path in (ROOT / "tangent_nb").rglob("*.py")
               if "backends" not in path.parts and path.name != "jax_column.py"]
    named = {name for path in sources
             for name in re.findall(r"(?<![\w.])rt\.([a-z]\w*)", path.read_text(encoding="utf-8"))}
    written = {name for rule in rows() for texts in (rule.pull, rule.push) for choices in texts.values()
               for one in choices for name in re.findall(r"(?<![\w.])rt\.([a-z]\w*)", one.text)}
    helpers = {name: value for name in named | written if callable(value := getattr(rt, name, None))}
    assert len(helpers) > 300 \
        and [name for name, value in helpers.items() if name not in statements and lookup(value) is None] == []


def agrees(spec, value):
    """What a spec says is true of a value."""
    kind = spec.kind
    checks = {"float": lambda: type(value) is float, "int": lambda: type(value) is int,
              "bool": lambda: isinstance(value, (bool, np.bool_)), "array": lambda: isinstance(value, np.ndarray),
              "scalar": lambda: isinstance(value, (int, float, complex, np.generic)) and not isinstance(value,
                                                                                                        np.ndarray),
              "numeric": lambda: isinstance(value, (int, float, complex, np.generic, np.ndarray)),
              "list": lambda: type(value) is list, "tuple": lambda: type(value) is tuple,
              "range": lambda: type(value) is range,
              "str": lambda: type(value) is str}
    if kind in checks and not checks[kind]():
        return f"kind {kind} of {type(value).__name__}"
    if isinstance(spec.shape, tuple) and np.shape(value) != spec.shape:
        return f"shape {spec.shape} of {np.shape(value)}"
    if spec.dtype == "weak":
        return "" if type(value) in (int, float) else f"weak of {type(value)}"
    if isinstance(spec.dtype, str) and (not hasattr(value, "dtype") or value.dtype.str[1:] != spec.dtype):
        return f"dtype {spec.dtype} of {getattr(value, 'dtype', type(value))}"
    if spec.items is not None:
        return next((said for s, v in zip(spec.items, value) if (said := agrees(s, v))), "")
    return ""


def constants_of(rule, args):
    plain = (int, str, float, tuple, type(None), bool, slice, type)
    return {n: a for n, a in args.items() if n not in rule.pull and n not in ARRAYS and isinstance(a, plain)}


def mixtures(rule, args):
    yield args
    yield {n: halved(a) for n, a in args.items()}
    yield {n: np.float32(a) if isinstance(a, float) else a for n, a in args.items()}
    for name in args:
        yield {n: halved(a) if n == name else a for n, a in args.items()}
    if rule.name.startswith("rt.check"):
        return                       # of a result that holds no derivative nothing is said
    for name in args:
        if isinstance(args[name], np.ndarray) and args[name].dtype.kind == "f":
            yield {**args, name: np.ones(args[name].shape, int)}
        elif isinstance(args[name], float):
            yield {**args, name: 1}


def tried(rule, args):
    try:
        with np.errstate(all="ignore"):
            return call(rule, args)
    except (ValueError, TypeError, ZeroDivisionError, np.linalg.LinAlgError, Warning):
        return None


@pytest.mark.parametrize("rule", DERIVED, ids=ident)
def test_spec_holds(rule):
    for args in (mixed for args in cases(rule) for mixed in mixtures(rule, args)):
        y = tried(rule, args)
        if y is None:
            continue
        specs = {name: Spec.of(value) for name, value in args.items()}
        spec = rule.result_spec(specs, constants_of(rule, args))
        assert not (said := agrees(spec, y)), (said, rule.name, args)
        short = {n: s for n, s in specs.items() if args[n] is not rule.signature.parameters[n].default}
        assert not (said := agrees(rule.result_spec(short, {}), y)), (said, rule.name, args)
        symbols = {n: Spec.symbol(n) if isinstance(a, (float, np.ndarray, np.generic)) else specs[n] for n,
                   a in args.items()}
        spec = rule.result_spec(symbols, constants_of(rule, args))
        said = agrees(Spec(spec.kind, items=spec.items if spec.kind in ("list", "tuple") else None), y)
        assert not said, (said, "symbolic", rule.name, args)
        if isinstance(spec.shape, frozenset) and all(isinstance(leaf, str) for leaf in spec.shape):
            assert np.broadcast_shapes(*[np.shape(args[leaf]) for leaf in spec.shape]) == np.shape(y), (rule.name, args)
        if isinstance(spec.dtype, frozenset) and all(leaf in args and isinstance(args[leaf], np.ndarray) and
                                                     args[leaf].dtype.kind == "f" for leaf in spec.dtype):
            assert np.result_type(*[args[leaf] for leaf in spec.dtype]) == y.dtype, (rule.name, args)


@pytest.mark.parametrize("rule", DERIVED, ids=ident)
def test_memory_is_as_said(rule):
    """A fresh result shares no memory with an argument, and is none of them."""
    if rule.memory != "fresh":
        return
    for args in cases(rule):
        y = call(rule, args)
        for value in args.values():
            assert not (isinstance(y, (list, np.ndarray)) and y is value), rule.name
            if isinstance(y, np.ndarray) and isinstance(value, np.ndarray):
                assert not np.shares_memory(y, value), rule.name
            if isinstance(y, (list, tuple)) and isinstance(value, np.ndarray):
                assert not any(isinstance(item, np.ndarray) and np.shares_memory(item, value) for item in y), rule.name


def slope(fn, name, *values, **keywords):
    """The pull of 1 through a row."""
    rule = fn if hasattr(fn, "pull") else lookup(fn)
    bound = rule.signature.bind(*values, **keywords)
    bound.apply_defaults()
    args = dict(bound.arguments)
    y = call(rule, args)
    return pulled(rule, name, rule.pull[name][-1].text, args, y, rt.ones_like(y))


A = np.array


@pytest.mark.parametrize("got, wanted", [
    (lambda: slope(np.abs, "x", 0.0), 0.0),
    (lambda: slope(np.maximum, "x1", 1.0, 1.0), 0.5),
    (lambda: slope(np.minimum, "x2", 1.0, 1.0), 0.5),
    (lambda: slope(np.max, "x", A([1.0, 3.0, 3.0])), [0.0, 0.5, 0.5]),
    (lambda: slope(np.clip, "x", A([0.0, 0.5, 1.0, 2.0]), 0.0, 1.0), [0.5, 1.0, 0.5, 0.0]),
    (lambda: slope(np.clip, "a_min", A([-2.0, 0.5, 2.0]), -1.0, 1.0), 1.0),
    (lambda: slope(np.clip, "a_max", A([-2.0, 0.5, 2.0]), -1.0, 1.0), 1.0),
    (lambda: slope(np.clip, "x", A([-2.0, 0.5]), None, 0.5), [1.0, 0.5]),
    (lambda: slope(max, "x", 1.0, 1.0), 1.0),
    (lambda: slope(max, "y", 1.0, 1.0), 0.0),
    (lambda: slope(np.linalg.norm, "x", np.zeros(3)), [0.0, 0.0, 0.0]),
    (lambda: slope(np.std, "x", np.ones(3)), [0.0, 0.0, 0.0]),
    (lambda: slope(np.hypot, "x1", 0.0, 0.0), 0.0),
    (lambda: slope(np.prod, "x", A([2.0, 0.0, 3.0])), [0.0, 6.0, 0.0]),
    (lambda: slope(np.prod, "x", A([0.0, 0.0, 3.0])), [0.0, 0.0, 0.0]),
    (lambda: slope(np.var, "x", 1e8 + A([0.0, 1.0, 2.0])), [-2 / 3, 0.0, 2 / 3]),
    (lambda: slope(np.var, "x", A([1.0, 2.0, 4.0]), ddof=1), (A([1.0, 2.0, 4.0]) - 7 / 3)),
    (lambda: slope(np.sum, "x", np.zeros((0, 3))), np.zeros((0, 3))),
    (lambda: slope(np.power, "x", 0.0, 0.0), 0.0),
    (lambda: slope(np.power, "x", 0.0, 1.0), 1.0),
    (lambda: slope(np.power, "x", A([0.0, 0.0, 2.0]), A([0.0, 1.0, 3.0])), [0.0, 1.0, 12.0]),
    (lambda: slope(np.power, "y", 0.0, 2.0), 0.0),
    (lambda: slope(np.power, "y", A([0.0, 1.0]), 2.0), 0.0),
    (lambda: slope(operator.pow, "x", 0.0, 0), 0.0),
    (lambda: slope(np.linalg.det, "x", A([[1.0, 2.0], [2.0, 4.0]])), [[4.0, -2.0], [-2.0, 1.0]]),
    (lambda: slope(np.where, "x", A([True, False]), A([1.0, 2.0]), 0.0), [1.0, 0.0]),
    (lambda: slope(np.where, "y", A([[True], [False]]), np.ones(3), 2.0), 3.0),
    (lambda: slope(np.take, "x", np.ones(3), [-1, -1, 0]), [1.0, 0.0, 2.0]),
    (lambda: slope(np.sort, "x", A([3.0, 1.0, 2.0])), [1.0, 1.0, 1.0]),
    (lambda: slope(np.logaddexp, "x1", 0.0, 0.0), 0.5),
    (lambda: slope(np.expm1, "x", -50.0), math.exp(-50.0)),
])
def test_conventions(got, wanted):
    value = got()
    np.testing.assert_allclose(value, wanted, rtol=1e-12)
    assert np.shape(value) == np.shape(wanted)


def test_poles_follow_the_library():
    with np.errstate(divide="ignore"):
        assert slope(np.sqrt, "x", 0.0) == np.inf
        assert slope(np.log, "x", 0.0) == np.inf
        assert slope(math.sqrt, "x", 0.0) == np.inf


def test_literal_powers():
    from tangent_nb.rules.arithmetic import power_texts
    for n in (2, 3, 3.0, 0.5, -1, -2, 1.5, 1, 2.5):
        text = power_texts(n)
        for x in (0.7, np.array([0.7, 1.3])):
            np.testing.assert_allclose(eval(text, {**SCOPE, "x": x, "g": 2.0}), 2.0 * n * np.power(x, n - 1.0),
                                       rtol=1e-14)
    assert power_texts(0) is None


def test_every_row_says_why_it_has_no_derivative():
    assert [rule.name for rule in rows() if not rule.pull and not rule.because] == []
    assert [rule.name for rule in rows() if not rule.supported and not rule.instead] == []


def test_fits_is_not_said_of_integers_and_floats():
    assert sp.broadcast(sp.FLOAT, Spec("array", (3,), "i8")).dtype == "f8"

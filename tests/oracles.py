"""What a derivative is compared with: nothing here imports tangent_nb.

`complex_step` runs the primal's own text on complex numbers, exact to rounding: an AST rewrite makes
comparisons and tests look at real parts, allocations complex, and sends calls of NumPy, `math` and builtins that
are not holomorphic (abs, maximum, max, clip, floor, …) to versions that are holomorphic on each branch and choose
it by the real part, with the conventions for ties that we document. What it cannot do it refuses with `Unsuitable`.

`differences` are central differences of fourth order with several steps that must agree, and one-sided
quotients that must meet (kinks are rejected). `agree` compares with a tolerance that grows with the conditioning,
measured by how far the oracle itself moves when its input is moved by a hair.
"""
from __future__ import annotations

import ast
import builtins
import cmath
import copy
import inspect
import itertools
import linecache
import math
import textwrap
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

STEP = 1e-30
EPS = 2.0 ** -52


class Unsuitable(Exception):
    """This oracle cannot judge this function (at this point)."""


# ------------------------------------------------------------------ values and their structure
def fresh(value: Any) -> Any:
    """A deep copy that keeps the memory order of arrays."""
    if isinstance(value, np.ndarray):
        return np.array(value, copy=True, order="K", subok=True)
    if type(value) in (tuple, list):
        return type(value)(fresh(item) for item in value)
    return copy.deepcopy(value)


def leaves(value: Any) -> list[Any]:
    """The numbers and arrays in a value, from left to right."""
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    return [value]


def is_float(value: Any) -> bool:
    """A real floating number or array (a Python int in `wrt` is treated as a float by the caller)."""
    return isinstance(value, float) or (isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind == "f")


def mapped(fn: Callable[..., Any], value: Any, *others: Any) -> Any:
    """`fn` on each leaf of a structure, together with the leaves at the same place of others."""
    if isinstance(value, (tuple, list)):
        return type(value)(mapped(fn, *parts) for parts in zip(value, *others, strict=True))
    return fn(value, *others)


def like(value: Any, rng: np.random.Generator) -> Any:
    """A random direction with the structure, shapes and dtypes of a value: floats, arrays, tuples and lists of them."""
    def draw(leaf: Any) -> Any:
        if isinstance(leaf, np.ndarray):
            kind = leaf.dtype if leaf.dtype.kind == "f" else np.float64
            return np.asarray(rng.uniform(0.3, 1.4, leaf.shape) * rng.choice([-1.0, 1.0], leaf.shape), dtype=kind)
        number = float(rng.uniform(0.3, 1.4) * rng.choice([-1.0, 1.0]))
        return leaf.dtype.type(number) if isinstance(leaf, np.floating) else number
    return mapped(draw, value)


def inner(a: Any, b: Any) -> tuple[complex, float]:
    """The inner product of two structures, and the sum of the absolute values of its terms."""
    total, size = 0.0, 0.0
    for p, q in zip(leaves(a), leaves(b), strict=True):
        p, q = np.asarray(p), np.asarray(q)
        if p.shape != q.shape:
            raise AssertionError(f"shapes {p.shape} and {q.shape} where one structure is due")
        product = p.astype(complex) * q if p.dtype.kind == "c" or q.dtype.kind == "c" else p.astype(float) * q
        total = total + product.sum()
        size += float(np.abs(product).sum())
    return total, size


def moved(args: Sequence[Any], wrt: Sequence[int], direction: Sequence[Any], t: float) -> tuple[Any, ...]:
    """Fresh arguments, those in `wrt` moved by `t` along `direction`; they keep their types."""
    out = [fresh(a) for a in args]
    for i, d in zip(wrt, direction, strict=True):
        out[i] = mapped(lambda a, v: a + np.asarray(t * v).astype(np.asarray(a).dtype) if isinstance(a, np.ndarray)
                        else type(a)(a + t * v) if isinstance(a, np.generic) else float(a + t * v), out[i], d)
    return tuple(out)


# ------------------------------------------------------------------ the complex step
def re(value: Any) -> Any:
    """The real part of whatever is complex; other values as they are."""
    if isinstance(value, (complex, np.complexfloating)):
        return value.real
    if isinstance(value, np.ndarray) and value.dtype.kind == "c":
        return value.real
    if type(value) in (tuple, list):
        return type(value)(re(item) for item in value)
    return value


def _by_real(a: Any, b: Any, sign: int) -> Any:
    """maximum (sign 1) or minimum (-1) by the real part; ties share."""
    a, b = np.asarray(a), np.asarray(b)
    d = sign * (a.real - b.real)
    return np.where(d > 0, a, np.where(d < 0, b, (a + b) / 2))[()]


def _extreme(x: Any, sign: int, axis: Any = None, keepdims: bool = False, **_: Any) -> Any:
    x = np.asarray(x)
    top = (np.max if sign > 0 else np.min)(x.real, axis=axis, keepdims=True)
    hit = x.real == top
    out = np.sum(np.where(hit, x, 0), axis=axis, keepdims=True) / np.sum(hit, axis=axis, keepdims=True)
    return out if keepdims else np.sum(out, axis=axis)


def _abs(x: Any) -> Any:
    return np.asarray(x * np.sign(re(x)))[()] if isinstance(x, np.ndarray) else x * float(np.sign(re(x)))


def _clip(x: Any, lo: Any = None, hi: Any = None, a_min: Any = None, a_max: Any = None, **_: Any) -> Any:
    lo, hi = (a_min if lo is None else lo), (a_max if hi is None else hi)
    x = x if lo is None else _by_real(x, lo, 1)
    return x if hi is None else _by_real(x, hi, -1)


def _where(c: Any, *branches: Any) -> Any:
    return np.where(re(c), *branches)[()] if branches else np.where(re(c))


def _builtin_extreme(sign: int) -> Callable[..., Any]:
    pick = builtins.max if sign > 0 else builtins.min

    def chosen(*args: Any, **kwargs: Any) -> Any:
        key = kwargs.pop("key", None)
        return pick(*args, key=(lambda v: re(key(v))) if key else re, **kwargs)
    return chosen


def _complex_dtype(dtype: Any) -> Any:
    """The complex dtype to use where the primal asks for a real one."""
    if dtype is None or dtype is _float or dtype is float:
        return complex
    return complex if np.dtype(dtype).kind == "f" else dtype


def _float(x: Any = 0.0) -> Any:
    if isinstance(x, (str, int)):
        return float(x)
    return complex(x) if np.ndim(x) == 0 else complex(np.asarray(x).reshape(())[()])


def _int(x: Any = 0, *rest: Any) -> int:
    return int(re(x), *rest) if rest else int(re(x))


def _allocate(name: str, at: int) -> Callable[..., Any]:
    """np.zeros and its like: complex unless an integer or bool dtype is asked for. `at`: the place of the dtype."""
    def call(*args: Any, **kwargs: Any) -> Any:
        args = list(args)
        if name == "full" and len(args) > 1 and np.asarray(args[1]).dtype.kind in "bi" and kwargs.get("dtype") is None \
                and len(args) < 3:
            return np.full(*args, **kwargs)
        if len(args) > at:
            args[at] = _complex_dtype(args[at])
        else:
            kwargs["dtype"] = _complex_dtype(kwargs.get("dtype"))
        return getattr(np, name)(*args, **kwargs)
    return call


def _stepped(name: str) -> Callable[..., Any]:
    """np.arange and np.linspace: complex where they are floating, since numbers may be stored there."""
    def call(*args: Any, **kwargs: Any) -> Any:
        made = getattr(np, name)(*args, **kwargs)
        return made.astype(complex) if isinstance(made, np.ndarray) and made.dtype.kind == "f" else made
    return call


def _allocate_like(name: str, at: int) -> Callable[..., Any]:
    def call(x: Any, *args: Any, **kwargs: Any) -> Any:
        args = list(args)
        dtype = args.pop(at) if len(args) > at else kwargs.pop("dtype", None)
        if dtype is None:
            dtype = np.asarray(x).dtype
        return getattr(np, name)(np.asarray(x), *args, dtype=_complex_dtype(dtype), **kwargs)
    return call


def _array(name: str) -> Callable[..., Any]:
    def call(x: Any, *args: Any, **kwargs: Any) -> Any:
        dtype = args[0] if args else kwargs.pop("dtype", None)
        if dtype is None:
            out = getattr(np, name)(x, **kwargs)
            return out.astype(complex) if out.dtype.kind == "f" and out is not x else out
        dtype = _complex_dtype(dtype)
        if np.dtype(dtype).kind != "c":
            x = re(x)
        return getattr(np, name)(x, dtype=dtype, **kwargs)
    return call


def _real_only(fn: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **kwargs: fn(*[re(a) for a in args], **{k: re(v) for k, v in kwargs.items()})


def _arctan2(y: Any, x: Any) -> Any:
    y, x = np.asarray(y), np.asarray(x)
    value = np.arctan2(y.real, x.real)
    return (value + 1j * (x.real * y.imag - y.real * x.imag) / (x.real ** 2 + y.real ** 2))[()]


def _power(x: Any, y: Any, *_: Any) -> Any:
    """x ** y by the real conventions: an integral exponent that carries no derivative is a polynomial."""
    if np.ndim(y) == 0 and not np.imag(y):
        y = float(re(y)) if not isinstance(y, (int, np.integer)) else y
        if isinstance(y, float) and y.is_integer() and abs(y) < 2 ** 31:
            y = int(y)
        if isinstance(y, int) and not isinstance(x, (int, np.integer, builtins.bool)):
            x = np.asarray(x)
            out = np.ones_like(x)
            for _i in range(abs(y)):
                out = out * x
            return (1.0 / out if y < 0 else out)[()]
    return x ** y


_NUMPY: dict[str, Any] = {
    "abs": _abs, "absolute": _abs, "fabs": _abs, "clip": _clip, "where": _where, "power": _power,
    "float_power": _power, "arctan2": _arctan2,
    "maximum": lambda a, b: _by_real(a, b, 1), "minimum": lambda a, b: _by_real(a, b, -1),
    "fmax": lambda a, b: _by_real(a, b, 1), "fmin": lambda a, b: _by_real(a, b, -1),
    "max": lambda x, axis=None, keepdims=False: _extreme(x, 1, axis, keepdims),
    "min": lambda x, axis=None, keepdims=False: _extreme(x, -1, axis, keepdims),
    "amax": lambda x, axis=None, keepdims=False: _extreme(x, 1, axis, keepdims),
    "amin": lambda x, axis=None, keepdims=False: _extreme(x, -1, axis, keepdims),
    "array": _array("array"), "asarray": _array("asarray"), "ascontiguousarray": _array("ascontiguousarray"),
    "zeros": _allocate("zeros", 1), "ones": _allocate("ones", 1), "empty": _allocate("empty", 1),
    "full": _allocate("full", 2), "eye": _allocate("eye", 3),
    "zeros_like": _allocate_like("zeros_like", 0), "ones_like": _allocate_like("ones_like", 0),
    "empty_like": _allocate_like("empty_like", 0), "full_like": _allocate_like("full_like", 1),
    "arange": _stepped("arange"), "linspace": _stepped("linspace"),
    "float64": _float, "float32": _float, "float16": _float, "double": _float,
    "sign": _real_only(np.sign), "floor": _real_only(np.floor), "ceil": _real_only(np.ceil),
    "trunc": _real_only(np.trunc), "round": _real_only(np.round), "rint": _real_only(np.rint),
    "argmax": _real_only(np.argmax), "argmin": _real_only(np.argmin), "argsort": _real_only(np.argsort),
    "isnan": _real_only(np.isnan), "isfinite": _real_only(np.isfinite), "all": _real_only(np.all),
    "any": _real_only(np.any), "allclose": _real_only(np.allclose), "greater": _real_only(np.greater),
    "less": _real_only(np.less), "greater_equal": _real_only(np.greater_equal),
    "less_equal": _real_only(np.less_equal), "equal": _real_only(np.equal), "not_equal": _real_only(np.not_equal),
    "logical_and": _real_only(np.logical_and), "logical_or": _real_only(np.logical_or),
    "logical_not": _real_only(np.logical_not), "floor_divide": _real_only(np.floor_divide),
}
_NOT_HOLOMORPHIC = ("vdot", "conj", "conjugate", "angle", "sort", "partition", "median", "var", "std", "hypot",
                    "logaddexp", "linalg", "fft", "random", "real", "imag", "nan_to_num", "cbrt", "sinc", "mod",
                    "remainder")
_METHODS: dict[str, Any] = {
    "clip": _clip, "max": _NUMPY["max"], "min": _NUMPY["min"],
    "argmax": _NUMPY["argmax"], "argmin": _NUMPY["argmin"],
    "astype": lambda x, dtype, *a, **k: (x.astype(complex) if np.dtype(_complex_dtype(dtype)).kind == "c"
                                         else re(x).astype(dtype)),
    "any": lambda x, *a, **k: re(x).any(*a, **k), "all": lambda x, *a, **k: re(x).all(*a, **k),
}
_MATH = {name: getattr(cmath, name) for name in
         ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "sqrt", "log", "log10", "pi", "e",
          "inf", "nan", "asinh", "acosh", "atanh")}
_MATH |= {"fabs": _abs, "pow": _power, "atan2": _arctan2, "floor": lambda x: math.floor(re(x)), "log1p": np.log1p,
          "expm1": np.expm1, "log2": lambda x: cmath.log(x) / math.log(2.0), "exp2": lambda x: 2.0 ** x,
          "ceil": lambda x: math.ceil(re(x)), "trunc": lambda x: math.trunc(re(x)),
          "isnan": lambda x: math.isnan(re(x)),
          "isfinite": lambda x: math.isfinite(re(x)), "isinf": lambda x: math.isinf(re(x)),
          "hypot": lambda a, b: cmath.sqrt(a * a + b * b), "radians": lambda x: x * (math.pi / 180.0),
          "degrees": lambda x: x * (180.0 / math.pi)}


class _Library:
    """`np` or `math` as the rewritten text sees it."""

    def __init__(self, module: Any, special: dict[str, Any]) -> None:
        self._module, self._special = module, special

    def __getattr__(self, name: str) -> Any:
        if name in self._special:
            return self._special[name]
        if name in _NOT_HOLOMORPHIC or self._module is math and not isinstance(getattr(math, name), (int, float)):
            raise Unsuitable(f"{self._module.__name__}.{name} is not holomorphic")
        return getattr(self._module, name)


_LIBRARIES = {id(np): _Library(np, _NUMPY), id(math): _Library(math, _MATH)}
_BUILTINS = {id(abs): _abs, id(max): _builtin_extreme(1), id(min): _builtin_extreme(-1), id(float): _float,
             id(int): _int, id(round): lambda x, *a: builtins.round(re(x), *a), id(pow): _power,
             id(bool): lambda x=False: builtins.bool(re(x)),
             id(divmod): lambda a, b: (_floordiv(a, b), _mod(a, b)),
             id(isinstance): lambda x, kinds: isinstance(x, _real_kinds(kinds))}
_BY_OBJECT = {id(getattr(np, name)): fn for name, fn in _NUMPY.items()} | \
             {id(getattr(math, name)): fn for name, fn in _MATH.items() if callable(fn)}


def _real_kinds(kinds: Any) -> Any:
    """`isinstance(x, float)` still holds for what was a float."""
    return tuple(complex if k in (float, _float) else k for k in (kinds if isinstance(kinds, tuple) else (kinds,)))


def _floordiv(a: Any, b: Any) -> Any:
    return re(a) // re(b)


def _mod(a: Any, b: Any) -> Any:
    return a % b if isinstance(a, (int, str)) else a - b * (re(a) // re(b))


def _method(obj: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    if isinstance(obj, (np.ndarray, np.generic)):
        if name in _METHODS:
            return _METHODS[name](obj, *args, **kwargs)
        if name in ("conj", "conjugate", "var", "std", "sort", "round", "tolist"):
            raise Unsuitable(f"method {name} is not holomorphic")
    return getattr(obj, name)(*args, **kwargs)


class _Rewrite(ast.NodeTransformer):
    """Comparisons and tests by the real part; `**`, `//`, `%` and methods through the versions above."""

    @staticmethod
    def call(name: str, *args: ast.expr) -> ast.Call:
        return ast.Call(ast.Name(name, ast.Load()), list(args), [])

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
            return node
        return ast.Compare(self.call("_re", node.left), node.ops, [self.call("_re", c) for c in node.comparators])

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        helper = {ast.Pow: "_power", ast.FloorDiv: "_floordiv", ast.Mod: "_mod"}.get(type(node.op))
        return self.call(helper, node.left, node.right) if helper else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        helper = {ast.Pow: "_power", ast.FloorDiv: "_floordiv", ast.Mod: "_mod"}.get(type(node.op))
        if not helper:
            return node
        load = copy.deepcopy(node.target)
        load.ctx = ast.Load()
        return ast.Assign([node.target], self.call(helper, load, node.value))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and not _dotted_module(node.func.value):
            return ast.Call(ast.Name("_method", ast.Load()),
                            [node.func.value, ast.Constant(node.func.attr), *node.args], node.keywords)
        return node

    def _test(self, node: Any) -> Any:
        self.generic_visit(node)
        node.test = self.call("_re", node.test)
        return node

    visit_If = visit_While = visit_IfExp = visit_Assert = _test

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return ast.Constant("…")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.decorator_list = []
        node.returns = None
        for arg in [*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs]:
            arg.annotation = None
        return self.generic_visit(node)

    def visit_With(self, node: ast.With) -> Any:
        raise Unsuitable("with")


def _dotted_module(node: ast.expr) -> bool:
    """`np`, `np.add`: names that the calls are looked up in directly rather than as methods."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in ("np", "math", "numpy", "cmath")


_SUPPORT = {"_re": re, "_power": _power, "_floordiv": _floordiv, "_mod": _mod, "_method": _method}
_REWRITTEN: dict[types.CodeType, types.CodeType] = {}
_numbers = itertools.count()


def rewritten(text: str) -> types.CodeType:
    """The code of a text (of one or several functions) for complex numbers."""
    tree = ast.parse(text)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):              # their defaults are given later, and name what is not here
            node.args.defaults = [ast.Constant(None) for _ in node.args.defaults]
            node.args.kw_defaults = [one and ast.Constant(None) for one in node.args.kw_defaults]
    tree = _Rewrite().visit(tree)
    return compile(ast.fix_missing_locations(tree), f"<complex {next(_numbers)}>", "exec")


def substituted(value: Any, seen: dict[int, Any]) -> Any:
    """A global of the primal as the complex run sees it; a user's function is rewritten in turn."""
    if id(value) in _LIBRARIES:
        return _LIBRARIES[id(value)]
    if id(value) in _BUILTINS:
        return _BUILTINS[id(value)]
    if id(value) in _BY_OBJECT:
        return _BY_OBJECT[id(value)]
    if isinstance(value, types.FunctionType) and not (value.__module__ or "").startswith("numpy"):
        return complexified(value, seen)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return value.astype(complex)
    return value


class _Globals(dict):
    """The namespace of the rewritten text: NumPy, `math` and builtins replaced, helpers rewritten when looked up."""


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    yield from code.co_freevars
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _names(const)


def complexified(fn: types.FunctionType, seen: dict[int, Any] | None = None) -> Callable[..., Any]:
    """The function for complex arguments: `fn`'s text rewritten, its helpers too."""
    seen = {} if seen is None else seen
    if id(fn) in seen:
        return seen[id(fn)]
    code = _REWRITTEN.get(fn.__code__)
    if code is None:
        try:
            text = textwrap.dedent(inspect.getsource(fn))
        except (OSError, TypeError) as error:
            raise Unsuitable("no source") from error
        code = _REWRITTEN[fn.__code__] = rewritten(text)
    scope: dict[str, Any] = dict(_SUPPORT)
    exec(code, scope)
    if fn.__name__ not in scope:
        raise Unsuitable("not a def")
    out = scope[fn.__name__]
    out.__defaults__, out.__kwdefaults__ = fn.__defaults__, fn.__kwdefaults__
    seen[id(fn)] = out
    outer = dict(fn.__globals__)
    outer |= {n: c.cell_contents for n, c in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True)}
    for name in set(_names(fn.__code__)):
        value = outer.get(name, getattr(builtins, name, None))
        if name in outer or hasattr(builtins, name):
            scope[name] = substituted(value, seen)
    return out


def complex_module(text: str, namespace: dict[str, Any]) -> dict[str, Any]:
    """The namespace of a whole text of functions, for complex numbers: faster than one by one."""
    scope = dict(_SUPPORT)
    for name, value in namespace.items():
        if not isinstance(value, types.FunctionType):
            scope[name] = substituted(value, {})
    scope |= {fn.__name__: _BUILTINS[id(fn)] for fn in (abs, max, min, float, int, round, pow, bool)}
    exec(rewritten(text), scope)
    return scope


def complex_arguments(args: Sequence[Any], wrt: Sequence[int]) -> list[Any]:
    """Every real argument made complex: what is allocated from one must hold what is computed from another."""
    def lift(leaf: Any) -> Any:
        if isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f":
            return leaf.astype(complex)
        return complex(leaf) if is_float(leaf) else fresh(leaf)
    out = [mapped(lift, a) for a in args]
    for i in wrt:
        if isinstance(out[i], int):
            out[i] = complex(out[i])
    return out


def complex_step(fn: Callable[..., Any], args: Sequence[Any], wrt: Sequence[int], direction: Sequence[Any],
                 run: Callable[..., Any] | None = None) -> Any:
    """The derivative of `fn` at `args` along `direction`, one structure for each of `wrt`."""
    run = run or complexified(fn)
    lifted = complex_arguments(args, wrt)
    for i, d in zip(wrt, direction, strict=True):
        lifted[i] = mapped(lambda a, v: a + 1j * STEP * np.asarray(v, float) if isinstance(a, np.ndarray)
                           else complex(a, STEP * v), lifted[i], d)
    try:
        with np.errstate(all="ignore"):
            out = run(*lifted)
    except Unsuitable:
        raise
    except (TypeError, ValueError, OverflowError, ZeroDivisionError, AttributeError) as error:
        raise Unsuitable(f"{type(error).__name__}: {error}") from error
    return mapped(lambda leaf: np.asarray(leaf).imag / STEP, out)


def complex_gradient(fn: Callable[..., Any], args: Sequence[Any], wrt: Sequence[int], seed: Any = 1.0,
                     run: Callable[..., Any] | None = None, step: float = 1.0) -> tuple[Any, ...]:
    """The gradient of `<seed, fn>`, entry by entry. step: how long the directions are,
    which changes nothing but rounding errors."""
    run = run or complexified(fn)

    def along(i: int, direction: Any) -> float:
        moved = mapped(lambda part: part * step, direction)
        return float(np.real(inner(complex_step(fn, args, (i,), (moved,), run), seed)[0])) / step
    return tuple(each_entry(args[i], lambda d, i=i: along(i, d)) for i in wrt)


def each_entry(value: Any, derivative: Callable[[Any], float]) -> Any:
    """A structure like `value` that holds, at each entry, the derivative along that entry's unit direction."""
    def zero(leaf: Any) -> Any:
        return np.zeros(np.shape(leaf)) if isinstance(leaf, np.ndarray) else 0.0
    if isinstance(value, (tuple, list)):
        out = []
        for k, part in enumerate(value):
            def inside(d: Any, k: int = k) -> float:
                whole = [mapped(zero, p) for p in value]
                whole[k] = d
                return derivative(type(value)(whole))
            out.append(each_entry(part, inside))
        return type(value)(out)
    if isinstance(value, np.ndarray):
        out = np.zeros(value.shape)
        for index in np.ndindex(value.shape):
            unit = np.zeros(value.shape)
            unit[index] = 1.0
            out[index] = derivative(unit)
        return out
    return derivative(1.0)


# ------------------------------------------------------------------ differences
@dataclass(frozen=True)
class Difference:
    """A derivative by differences, and how far to trust it."""

    value: Any
    error: float


STEPS = (3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4)


def differences(phi: Callable[[float], Any], steps: Sequence[float] = STEPS, size: float = 1.0) -> Difference:
    """The derivative at 0 of a curve of arrays (any structure), by central differences of fourth order.

    Several steps must agree and the one-sided quotients must meet as the step shrinks: `Unsuitable` at a kink or
    where no two steps agree to four digits.
    """
    def at(t: float) -> np.ndarray:
        with np.errstate(all="ignore"):
            parts = leaves(phi(t))
        return np.concatenate([np.asarray(p, float).ravel() for p in parts] or [np.zeros(0)])
    middle, estimates, gaps = at(0.0), [], []
    for step in steps:
        h = step * size
        up, down = at(h), at(-h)
        estimates.append((8.0 * (up - down) - (at(2 * h) - at(-2 * h))) / (12.0 * h))
        gaps.append(np.abs(up - 2.0 * middle + down) / h)
    if not middle.size:
        return Difference(middle, 0.0)
    scale = 1.0 + max(float(np.max(np.abs(e))) for e in estimates[2:5])
    errors = [float(np.max(np.abs(a - b))) for a, b in itertools.pairwise(estimates)]
    if not np.all(np.isfinite(errors)):
        finite = [k for k, e in enumerate(errors) if math.isfinite(e)]
        if not finite:
            raise Unsuitable("not finite beside the point")
        errors = [e if math.isfinite(e) else math.inf for e in errors]
    # the gap between the one-sided quotients is h·|f''|: at a kink it stays, else it shrinks with the step
    first, last = float(np.max(gaps[1])), float(np.max(gaps[-1]))
    noise = 64 * EPS * (1.0 + float(np.max(np.abs(middle)))) / (steps[-1] * size)
    if last > 0.2 * first + noise + 1e-9 * scale:
        raise Unsuitable("one-sided quotients differ: a kink")
    best = int(np.argmin(errors))
    if errors[best] > 1e-4 * scale:
        raise Unsuitable(f"no two steps agree: {errors}")
    pieces, start = [], 0
    for part in (shape := leaves(phi(0.0))):
        n = int(np.size(part))
        pieces.append(estimates[best + 1][start:start + n].reshape(np.shape(part)))
        start += n
    return Difference(pieces[0] if len(shape) == 1 else tuple(pieces), max(errors[best], noise))


def directional(fn: Callable[..., Any], args: Sequence[Any], wrt: Sequence[int],
                direction: Sequence[Any]) -> Difference:
    """The derivative of `fn` along `direction`, by differences."""
    return differences(lambda t: fn(*moved(args, wrt, direction, t)))


# ------------------------------------------------------------------ comparing
def as_vector(value: Any) -> np.ndarray:
    """All numbers of a structure in one vector."""
    parts = [np.asarray(leaf, float).ravel() for leaf in leaves(value)]
    return np.concatenate(parts) if parts else np.zeros(0)


def gap(a: Any, b: Any) -> float:
    """The largest difference of two structures relative to 1 + their size; NaN matches NaN, inf matches inf."""
    p, q = as_vector(a), as_vector(b)
    if p.shape != q.shape:
        return math.inf
    if not p.size:
        return 0.0
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(p), np.abs(q))
        off = np.abs(p - q) / (1.0 + np.max(size[np.isfinite(size)], initial=0.0))
    off = np.where((p == q) | (np.isnan(p) & np.isnan(q)), 0.0, off)
    return float(np.max(np.where(np.isnan(off), np.inf, off)))


def conditioning(oracle: Callable[[Sequence[Any], float], Any], args: Sequence[Any], wrt: Sequence[int]) -> float:
    """How many rounding errors of the input the oracle's answer carries, relative to 1 + its size (at least 1), and
    those that arise on the way, of numbers that cancel: they show where the oracle takes longer and shorter steps.
    oracle: of the arguments and the step."""
    rng, hair = np.random.default_rng(5), 1e-9
    base, worst = oracle(args, 1.0), 0.0
    for step in (1.37, 0.73):
        near = list(args)
        for i in wrt:
            near[i] = mapped(lambda a: a * (1.0 + hair * (rng.random(np.shape(a)) - 0.5)) if isinstance(a, np.ndarray)
                             else a * (1.0 + hair * (rng.random() - 0.5)), fresh(args[i]))
        worst = max(worst, gap(oracle(near, 1.0), base) / hair, gap(oracle(args, step), base) / (2.0 * EPS))
    return max(1.0, worst)


def jittered(text: str, hair: float) -> str:
    """A text whose decimal numbers are off by a hair, each by another one: the rounding errors of what is computed of
    constants show in it."""
    rng = np.random.default_rng(7)

    class Jitter(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.AST:
            if not isinstance(node.value, float):
                return node
            return ast.copy_location(ast.Constant(node.value * (1.0 + hair * (rng.random() - 0.5))), node)

    return ast.unparse(Jitter().visit(ast.parse(text)))


def sourced(text: str, namespace: dict[str, Any] | None = None, name: str | None = None) -> dict[str, Any]:
    """Run a text whose functions have source lines, as functions of a notebook cell do; its namespace."""
    name = name or f"<text {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope: dict[str, Any] = {"np": np, "math": math, "__name__": "cell"} if namespace is None else namespace
    exec(compile(text, name, "exec", dont_inherit=True), scope)
    return scope

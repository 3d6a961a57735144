"""One corpus of functions: each entry is tested in every mode by test_corpus.py.

To add a case, write the function and, below it, `add(function, *arguments)`. Where NumPy's text alone is the
point, `op(name, expression, **arguments)` makes the function: the sum of the squares of the expression.
"""
from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import fresh, sourced


@dataclass(frozen=True, eq=False)
class Entry:
    """One function with the point at which it is judged.

    wrt: positions; orders: the highest derivative tested; holomorphic: the complex step may judge it; smooth:
    differences may; expected: the gradient where no oracle may (kinks by convention); tol: relative, for low
    precision; refused: a TangentError is due, its text holding `message`; may_refuse: right or refused; jax:
    False where it is refused on JAX (arrays of the caller change, or parts of parts).
    """

    function: Callable[..., Any]
    args: tuple[Any, ...]
    wrt: tuple[int, ...] = (0,)
    orders: int = 2
    group: str = ""
    notes: str = ""
    holomorphic: bool = True
    smooth: bool = True
    expected: tuple[Any, ...] | None = None
    tol: float = 0.0
    refused: bool = False
    message: str = ""
    may_refuse: bool = False
    jax: bool = True
    name: str = field(default="")

    @property
    def id(self) -> str:
        return f"{self.group}-{self.name or self.function.__name__}"

    def fresh(self) -> tuple[Any, ...]:
        """The arguments, copied."""
        return tuple(fresh(a) for a in self.args)


CORPUS: list[Entry] = []
_section = ""


def section(name: str) -> None:
    """The group of the entries that follow."""
    global _section
    _section = name


def add(function: Callable[..., Any], *args: Any, **details: Any) -> None:
    """Add a function at these arguments; `wrt` defaults to every float or float array among them."""
    if "wrt" not in details:
        details["wrt"] = tuple(i for i, a in enumerate(args) if isinstance(a, float)
                               or isinstance(a, np.ndarray) and a.dtype.kind == "f")
    CORPUS.append(Entry(function, args, group=_section, **details))


def op(name: str, expression: str, _reduce: str = "np.sum(y * y)", _details: dict[str, Any] | None = None,
       **arguments: Any) -> None:
    """An entry that is one expression of its arguments."""
    text = f"def {name}({', '.join(arguments)}):\n    y = {expression}\n    return {_reduce}\n"
    add(sourced(text, {"np": np, "math": math, "__name__": "corpus"}, f"<corpus {name}>")[name], *arguments.values(),
        **(_details or {}))


def entries(**wanted: Any) -> Iterator[Entry]:
    """The entries with these properties."""
    for entry in CORPUS:
        if all(getattr(entry, key) == value for key, value in wanted.items()):
            yield entry


A = 0.7
B = -1.3
C = 2.1
V2 = np.array([0.8, -0.6])
V3 = np.array([0.7, -1.2, 0.4])
W3 = np.array([1.5, 0.3, -0.8])
P3 = np.array([0.4, 1.1, 0.9])
V3P = np.array([0.3, 1.0, 1.7])
V4 = np.array([0.3, -0.9, 1.4, 0.6])
V5 = np.array([0.9, -0.4, 1.3, 0.2, -1.1])
M23 = np.array([[0.5, -1.1, 0.8], [1.4, 0.2, -0.7]])
M32 = np.array([[0.6, -0.3], [1.2, 0.9], [-0.5, 0.4]])
M33 = np.array([[1.1, 0.2, -0.4], [0.3, 0.9, 0.5], [-0.6, 0.7, 1.3]])
M44 = (np.arange(16.0).reshape(4, 4) % 5.0 - 1.7) * 0.4
T222 = np.array([[[0.4, -0.7], [1.1, 0.3]], [[-0.2, 0.8], [0.5, -1.2]]])
T223 = np.linspace(-0.9, 1.2, 12).reshape(2, 2, 3)

# ================================================================ assignment
section("assign")


def assign_chain(x):
    a = b = np.sin(x)
    a = a * x
    return a * b


add(assign_chain, A)


def assign_tuple(x, y):
    a, b = x * y, x + y
    return a * b


add(assign_tuple, A, B)


def assign_nested_tuple(x, y):
    (a, b), c = (x * y, np.sin(x)), y
    return a * b + c * a


add(assign_nested_tuple, A, B)


def assign_list_target(x, y):
    [a, b] = x * x, y * x
    return a * b


add(assign_list_target, A, B)


def assign_chained_tuples(x):
    p = a, b = np.sin(x), x * x
    return a * b + p[0] * p[1] * b


add(assign_chained_tuples, A, may_refuse=True)


def assign_unpack_array(x):
    a, b, c = x
    return a * b * c + a * a


add(assign_unpack_array, V3)


def assign_unpack_rows(x):
    a, b = x
    return np.sum(a * b * a)


add(assign_unpack_rows, M23)


def assign_annotated(x):
    y: float = x * x
    z: np.floating = np.sin(y)
    return z * y


add(assign_annotated, A)


def assign_swap(x, y):
    x, y = y, x * y
    x, y = y, x
    return x * x + 3.0 * y


add(assign_swap, A, B)


def assign_swap_in_loop(a, b, c):
    for _ in range(4):
        a, b, c = b, c, a * b + 0.1
    return a + 2.0 * b + 3.0 * c * c


add(assign_swap_in_loop, A, B, C)


def assign_self(x):
    x = x
    y = x
    x = x * y
    return x * y


add(assign_self, A)


def assign_parameter_overwritten(x, y):
    y = x * y
    x = np.exp(x)
    x = x * y
    return x


add(assign_parameter_overwritten, A, B)


def assign_dead_code(x):
    y = np.exp(x)
    z = y * x
    y = 3.0
    w = np.log(z * z + y)
    w = x * z
    return w


add(assign_dead_code, A)


def assign_tuple_value(x, y):
    pair = (x * y, y)
    return pair[0] * pair[1] + pair[-2]


add(assign_tuple_value, A, B, may_refuse=True)


def assign_tuple_chosen(x, y):
    a, b = (x, y) if x > 0.1 else (y, x)
    [c, (d, e)] = [x, (y, y)] if y < 0.1 else [y, (x, x * y)]
    return a * b * b + c * d * e


add(assign_tuple_chosen, A, B)


def assign_tuple_chosen_of_its_own(x, y):
    a, b = x, y
    for i in range(3):
        a, b = (b, a * a) if a > b else (a * b, b + x)
    return a * b


add(assign_tuple_chosen_of_its_own, A, B)


def assign_tuple_by_default(x, pair):
    a, b = pair or (x, x * x)
    c, d = (x, x * x) and (x * x, x)
    return a * b * b + c * d * d


add(assign_tuple_by_default, A, None, holomorphic=False)


def assign_parts_chosen(x, y):
    z = np.zeros(2)
    z[0], z[1] = (x, y) if x > y else (y, x * x)
    return z[0] * z[1] * z[1]


add(assign_parts_chosen, A, B)


def assign_constant_only(x):
    y = 2.0
    y = y * 3.0
    return y * 1.5


add(assign_constant_only, A)


def assign_identity(x):
    return x


add(assign_identity, A)


def assign_unused_argument(x, y):
    return x * x


add(assign_unused_argument, A, V3)


def assign_branches_of_use(x):
    y = x * x
    a = y + x
    b = y * a
    c = b - y
    return a * b * c


add(assign_branches_of_use, A)


# ================================================================ augmented assignment
section("augmented")


def aug_scalar_all(x, y):
    s = 1.0
    s += x * y
    s -= np.sin(x)
    s *= y
    s /= x + 3.0
    s **= 3
    return s


add(aug_scalar_all, A, B)


def aug_parameter_scalar(x):
    s = x * 1.0
    for i in range(3):
        s += s * s * 0.1
        s *= 0.9 + 0.1 * i
    return s


add(aug_parameter_scalar, A, may_refuse=True, notes="x * 1.0 is a scalar or a fresh array: both are fine")


def aug_floordiv_mod(x):
    s = 7.3
    s //= 2.0
    t = 11.7
    t %= 4.0
    return s * x * t


add(aug_floordiv_mod, A)


def aug_fresh_array(x):
    y = np.zeros(3)
    y += x
    y *= y
    y -= 0.5 * x
    y /= 2.0 + x * x
    return np.sum(y * x)


add(aug_fresh_array, V3)


def aug_fresh_then_read_before(x):
    y = x.copy()
    z = y * y
    y += 10.0
    y *= x
    return np.sum(z * y)


add(aug_fresh_then_read_before, V3)


def aug_self_product(x):
    y = x.copy()
    y *= y
    y += y
    return np.sum(y * y)


add(aug_self_product, V3)


def aug_matmul(x, a):
    y = np.dot(a, x)
    z = np.dot(a, a)
    z @= a
    return np.sum(np.dot(z, y))


add(aug_matmul, V3, M33, may_refuse=True)


def aug_broadcast_into(x, s):
    y = np.zeros((2, 3))
    y += x
    y *= s
    y += y * x
    return np.sum(y * y)


add(aug_broadcast_into, V3, A)


def aug_in_loop_with_branch(x):
    s = 0.0
    for i in range(5):
        if i % 2 == 0:
            s += x * s + i
        else:
            s -= x * x * s
    return s


add(aug_in_loop_with_branch, A)


def aug_power_of_sum(x):
    s = np.sum(x)
    s **= 2
    s -= 1.0
    s **= 2.0
    return s


add(aug_power_of_sum, V3)


# ================================================================ operators
section("operators")
op("op_arithmetic", "x + y - x * y / (x * x + 2.0)", x=V3, y=W3)
op("op_unary", "-x * +y + -(-x)", x=V3, y=W3)
op("op_division_both", "x / y", x=V3, y=P3)
op("op_division_scalar_left", "3.0 / x", x=P3)
op("op_pow_int", "x ** 3", x=V3)
op("op_pow_negative_int", "x ** -2", x=V3)
op("op_pow_float", "x ** 2.5", x=P3)
op("op_pow_zero_one", "x ** 0 + x ** 1 + x ** 2", x=V3)
op("op_pow_both", "x ** y", x=P3, y=V3)
op("op_pow_base_constant", "2.0 ** x + np.e ** x", x=V3)
op("op_pow_scalars", "x ** y", x=A, y=B)
op("op_matmul_22", "a @ b", a=M23, b=M32)
op("op_matmul_21", "a @ v", a=M23, v=V3)
op("op_matmul_12", "v @ a", v=V3, a=M32)
op("op_matmul_11", "v @ w", v=V3, w=W3)
op("op_matmul_chain", "a @ b @ a @ v", a=M23, b=M32, v=V3)
op("op_matmul_batched", "a @ b", a=T223, b=np.linspace(-1.0, 1.0, 12).reshape(2, 3, 2))
op("op_matmul_batch_broadcast", "a @ b", a=T223, b=M32)
op("op_matmul_batch_vector", "a @ v", a=T223, v=V3)
op("op_matmul_vector_batch", "v @ b", v=V2, b=T223)
op("op_matmul_batch_ones", "a @ b", a=T223[:1], b=T223.transpose(0, 2, 1).copy())


def op_floordiv_mod(x):
    return (x // 0.4) * x + (x % 0.4) * x * x


add(op_floordiv_mod, A)


def op_mod_both(x, y):
    return (x % y) * x + y


add(op_mod_both, 7.3, 2.0)


def op_python_ints(x, n):
    k = n * 2 + 1
    m = (k // 2) ** 2 % 5 - (k << 1) + (k >> 1) + (k & 6) + (k | 8) + (k ^ 3) + ~k
    return x * m + x * x / k


add(op_python_ints, A, 4)


def op_mask_logic(x):
    mask = (x > -0.5) & (x < 1.0) | ~(x < 2.0)
    return np.sum(x * x * mask)


add(op_mask_logic, V5)


def op_literals(x):
    return x * 1_000.0 * 1e-3 + 0x10 * x * x / 16 + 2 * x / 2 + True * x


add(op_literals, A)


def op_deep_expression(x):
    return ((((x + 1.0) * (x - 1.0) / (x * x + 1.0)) ** 2 + x) * np.exp(-(x * x) / 2.0) - (x + (x * (x + (x * x)))))


add(op_deep_expression, A)


def op_same_variable_many(x):
    return x * x * x * x / (x + x + x) + x ** x


add(op_same_variable_many, A)


# ================================================================ comparisons, boolean operators, ternary
section("boolean")


def bool_chain(x):
    if 0.0 < x < 1.0:
        y = x * x
    else:
        y = -x
    if not -1.0 <= y <= x != 3.0:
        return y * x
    return y


add(bool_chain, A)


def bool_chain_evaluates_once(x):
    y = 0.0
    for i in range(4):
        if 0 < i <= 2 < 3:
            y = y + x * i
    return y * y


add(bool_chain_evaluates_once, A)


def bool_and_or(x, y):
    if (x > 0.0 and y < 0.0) or x > 5.0:
        z = x * y
    else:
        z = x
    if x > 0 and not (y > 0 or z > 0):
        z = z * z
    return z


add(bool_and_or, A, B)


def bool_short_circuit(x, n):
    if n > 0 and x[n - 1] > 0.0 and x[n] < 0.0:
        return x[n] * x[0]
    return x[0]


add(bool_short_circuit, V3, 1)
add(bool_short_circuit, V3, 0, name="bool_short_circuit_guard")


def bool_ternary(x):
    y = x * x if x > 0.0 else -x
    return y * (2.0 if y > 10.0 else np.sin(x))


add(bool_ternary, A)


def bool_ternary_nested(x, n):
    return x * x if n == 0 else np.sin(x) if n == 1 else (np.exp(x) if x > 0 else x) * x


add(bool_ternary_nested, A, 1)
add(bool_ternary_nested, A, 2, name="bool_ternary_nested_else")


def bool_ternary_guards_division(x, y):
    r = x / y if y != 0.0 else 0.0
    return r * x + y


add(bool_ternary_guards_division, A, 0.0, smooth=False, orders=1, notes="the branch taken at equality")


def bool_value_of_or(x):
    y = x or 3.0
    z = x and x * x
    return y * z


add(bool_value_of_or, A, may_refuse=True)


def bool_flag_variable(x):
    big = x > 0.5
    small = not big
    y = x
    if big:
        y = y * x
    if small:
        y = y + 1.0
    return y * x


add(bool_flag_variable, A)


def bool_is_none(x, w=None):
    if w is None:
        w = 2.0 * x
    if w is not None:
        return w * x
    return x


add(bool_is_none, A)


def bool_in(x, kind):
    if kind in ("square", "cube"):
        return x * x if kind == "square" else x ** 3
    if kind not in {"none"}:
        return np.sin(x)
    return x


add(bool_in, A, "cube")
add(bool_in, A, "other", name="bool_in_not")


# ================================================================ subscripts
section("subscript")
op("sub_int", "x[0] * x[2]", x=V3)
op("sub_negative", "x[-1] * x[-2]", x=V3)
op("sub_slice", "x[1:] * x[:-1]", x=V5)
op("sub_step", "x[::2] * x[1:4]", x=V5)
op("sub_reverse", "x[::-1] * x", x=V5)
op("sub_negative_step", "x[3:0:-1] * x[:3]", x=V5)
op("sub_out_of_range", "np.sum(x[2:100]) * x[0] + np.sum(x[9:])", x=V5)
op("sub_pair", "a[1, 2] * a[0, -1]", a=M23)
op("sub_row", "a[1] * a[0]", a=M23)
op("sub_column", "a[:, 1] * a[:, 0]", a=M23)
op("sub_block", "a[0:2, 1:3] * a[1:3, 0:2]", a=M33)
op("sub_chained", "a[1][2] * a[0][1]", a=M23)
op("sub_chained_slices", "a[1:][0][1:] * a[0][:2]", a=M33)
op("sub_ellipsis", "t[..., 0] * t[..., 1] + t[0, ..., 1]", t=T222)
op("sub_newaxis", "x[:, None] * x[None, :] + x[np.newaxis]", x=V3)
op("sub_ellipsis_none", "x[..., None] * x", x=V3)
op("sub_full", "x[:] * x[...]", x=V3)
op("sub_fancy_list", "x[[2, 0]] * x[[1, 1]]", x=V3)
op("sub_fancy_repeat", "x[[0, 0, 1]] * np.array([1.0, 10.0, 100.0])", x=V3)
op("sub_fancy_array", "x[np.array([[0, 1], [1, 0]])] * x[2]", x=V3)
op("sub_fancy_pair", "a[[0, 0, 1], [1, 1, 2]] * x", a=M23, x=V3)
op("sub_fancy_negative", "x[[-1, 0, -1, 2]]", x=V3)
op("sub_fancy_mixed", "a[:, [0, 0, 1]] * a", a=M23)
op("sub_fancy_row", "a[[1, 1, 0]]", a=M23)
op("sub_bool_mask", "x[x > 0.0] * 2.0", x=V5)
op("sub_bool_mask_2d", "a[a > 0.0] ** 2", a=M23)
op("sub_bool_constant", "x[np.array([True, False, True])]", x=V3)
op("sub_argument_index", "x[k] * x[k + 1]", x=V3, k=1)
op("sub_argument_array_index", "x[k] * x[k[::-1]]", x=V3, k=np.array([0, 2, 2]))
op("sub_of_expression", "(x * w)[1] * np.sin(x)[::2]", x=V3, w=W3)
op("sub_shape_index", "x[x.shape[0] - 1] * x[len(x) // 2]", x=V3)
op("sub_empty_tuple", "(x * x)[()] + x[0]", x=V3)


def sub_index_changed_later(x):
    i = np.array([0, 1])
    y = np.sum(x[i] ** 2)
    i[0] = 2
    return y * np.sum(x[i])


add(sub_index_changed_later, V3, notes="an index kept by reference would be stale")


def sub_index_variable_reassigned(x):
    k = 0
    y = x[k] * x[k + 1]
    k = 2
    return y * x[k]


add(sub_index_variable_reassigned, V3)


def sub_in_loop(x):
    s = 1.0
    for i in range(len(x)):
        s = s * x[i] + x[-i - 1]
    return s


add(sub_in_loop, V4)


def sub_computed_index(x):
    i = int(np.argmax(x))
    j = int(np.floor(x[0] * 4.0))
    return x[i] * x[j] + x[i] * x[i]


add(sub_computed_index, V4)


# ================================================================ attributes and methods
section("methods")
op("at_T", "np.dot(a.T, a)", a=M23)
op("at_shape", "x / x.shape[0] + x.size * x * x.ndim", x=V3)
op("at_shape_unpack", "a * (a.shape[0] - a.shape[-1])", a=M23)
op("me_sum", "x.sum() * x", x=V3)
op("me_sum_axis", "a.sum(axis=0) * a.sum(0)", a=M23)
op("me_sum_keepdims", "a / (3.0 + a.sum(axis=1, keepdims=True))", a=M23)
op("me_mean", "x.mean() * x + a.mean(axis=-1)[0]", x=V3, a=M23)
op("me_dot", "a.dot(x) * a.dot(x).sum()", a=M23, x=V3)
op("me_reshape", "a.reshape(3, 2) * a.reshape((3, 2)) + a.reshape(-1)[0]", a=M23)
op("me_reshape_newshape", "a.reshape(a.shape[1], -1) @ a", a=M23)
op("me_ravel_flatten", "a.ravel() * a.flatten()", a=M23)
op("me_transpose", "a.transpose() @ a + a.transpose(1, 0) @ a", a=M23)
op("me_transpose_axes", "t.transpose(2, 0, 1) * t.transpose((2, 0, 1))", t=T222)
op("me_squeeze", "b.squeeze() * b.squeeze(axis=0)", b=V3.reshape(1, 3))
op("me_max_min", "x.max() * x.min() * x", x=V3)
op("me_max_axis", "a.max(axis=0) * a.min(axis=0)", a=M23)
op("me_clip", "x.clip(-1.0, 0.5) * x", x=V3)
op("me_copy", "x.copy() * x", x=V3)
op("me_astype", "x.astype(float) * x", x=V3)
op("me_chain", "(x * x).reshape(3, 1).sum(axis=0).mean() * x", x=V3)


def method_of_local(x):
    y = x.T.dot(x)
    n, m = y.shape
    return y.sum() / (n * m) + y[0].mean() * len(y)


add(method_of_local, M23)


# ================================================================ index assignment to fresh arrays
section("mutation")


def mut_fill(x):
    y = np.zeros(3)
    y[0] = x * x
    y[1] = np.sin(x)
    y[2] = y[0] * y[1]
    return np.sum(y * y)


add(mut_fill, A)


def mut_constant_write(x):
    y = x * x
    y[0] = 1.0
    return np.sum(y * y * x)


add(mut_constant_write, V3, notes="a constant written to one cell leaves the others active")


def mut_square_accumulate(x):
    y = np.zeros(3)
    for i in range(3):
        y[i] += x[i] * x[i]
        y[i] += x[i] * x[i]
    return np.sum(y * y)


add(mut_square_accumulate, V3)


def mut_overwrite_needed(x):
    y = x.copy()
    z = np.sin(y) * y
    y[1] = z[0] * z[2]
    w = y * z
    y[0] = w[1]
    return np.sum(w * y)


add(mut_overwrite_needed, V3)


def mut_write_twice(x):
    y = np.zeros(2)
    y[0] = x
    y[0] = x * x
    y[1] = y[0]
    y[0] = y[1] * y[0]
    return y[0] + y[1]


add(mut_write_twice, A)


def mut_read_modify_write(x):
    y = np.ones(3)
    for i in range(3):
        y[i] = y[i] * x[i]
        y[i - 1] = y[i] + y[i - 1] * x[0]
    return np.sum(y * y)


add(mut_read_modify_write, V3)


def mut_prefix_sums(x):
    y = x.copy()
    for i in range(1, len(x)):
        y[i] = y[i - 1] + y[i]
    return np.sum(y * y * y)


add(mut_prefix_sums, V5)


def mut_prefix_product(x):
    y = np.ones(len(x) + 1)
    for i in range(len(x)):
        y[i + 1] = y[i] * x[i]
    return np.sum(y)


add(mut_prefix_product, V4)


def mut_overlap_shift(x):
    y = x.copy()
    y[1:] = y[:-1]
    return np.dot(y * y, np.array([1.0, 10.0, 100.0]))


add(mut_overlap_shift, V3)


def mut_overlap_add(x):
    y = x * 1.0
    y[1:] += y[:-1]
    y[:-1] *= y[1:]
    return np.sum(y * y)


add(mut_overlap_add, V5)


def mut_slice_write(x):
    y = np.zeros(5)
    y[1:4] = x
    y[::2] += 2.0 * x
    y[-1] *= x[0]
    y[:2] = 0.5
    return np.sum(y * y * y)


add(mut_slice_write, V3)


def mut_scalar_to_slice(x):
    y = np.zeros((2, 3))
    y[:, 1] = x
    y[1] += x * x
    y[0, 2] = np.sin(x)
    return np.sum(y * y)


add(mut_scalar_to_slice, A)


def mut_row_broadcast(x, c):
    y = np.zeros((2, 3))
    y[:] = x
    y[...] *= c
    y[:, 0] = c[1] * x[2]
    return np.sum(y * y * y)


add(mut_row_broadcast, V3, W3)


def mut_fancy_write(x):
    y = np.zeros(5)
    y[[4, 0, 2]] = x
    y[np.array([1, 3])] = x[:2] * x[1:]
    return np.sum(y * y * np.arange(5.0))


add(mut_fancy_write, V3, may_refuse=True)


def mut_fancy_repeated_add(x):
    y = np.zeros(3)
    y[[0, 0]] += x
    return np.sum(y * y)


add(mut_fancy_repeated_add, V2, may_refuse=True, notes="NumPy itself keeps the last of a repeated index")


def mut_mask_write(x, s):
    y = x * 2.0
    y[x < 0.0] = s
    y[y > 2.5] *= s
    return np.sum(y * y * np.arange(1.0, 6.0))


add(mut_mask_write, V5, A, may_refuse=True)


def mut_buffer_in_loop(x):
    buf = np.zeros(3)
    total = 0.0
    for i in range(3):
        buf[i] = x * (i + 1)
        total = total + np.sum(buf * buf) * x
    return total


add(mut_buffer_in_loop, A)


def mut_buffer_reused(x):
    buf = np.empty(2)
    total = 1.0
    for i in range(3):
        buf[0] = x * total
        buf[1] = buf[0] + i
        total = total + buf[0] * buf[1]
    return total


add(mut_buffer_reused, A)


def mut_array_per_trip(x):
    total = 0.0
    for i in range(3):
        y = np.zeros(3)
        y[i] = x[i] * x[0]
        y[0] += x[1]
        total = total + np.sum(y * y)
    return total


add(mut_array_per_trip, V3)


def mut_stencil(x, k):
    u = x.copy()
    for _ in range(3):
        v = np.zeros(len(u))
        for i in range(1, len(u) - 1):
            v[i] = u[i] + k * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        u = v
    return np.sum(u * u)


add(mut_stencil, V5, A, notes="u = v makes an alias of an array written before")


def mut_stencil_slices(x, k):
    u = x.copy()
    for _ in range(3):
        u[1:-1] = u[1:-1] + k * (u[:-2] - 2.0 * u[1:-1] + u[2:]) * u[1:-1]
    return np.sum(u * u)


add(mut_stencil_slices, V5, A)


def mut_seidel(x):
    a = x.copy()
    for _ in range(2):
        for i in range(1, 3):
            for j in range(1, 3):
                a[i, j] = (a[i - 1, j] + a[i, j - 1] + a[i, j] * a[i, j] + a[i + 1, j] + a[i, j + 1]) / 5.0
    return np.sum(a * a)


add(mut_seidel, M44)


def mut_under_branch(x):
    y = x.copy()
    for i in range(3):
        if y[i] > 0.0:
            y[i] = y[i] * y[i - 1]
        elif i > 0:
            y[i] += y[0]
    return np.sum(y * y)


add(mut_under_branch, V3)


def mut_matrix_rows(x):
    m = np.zeros((3, 3))
    for i in range(3):
        m[i] = x * (i + 1.0)
        m[i, i] += x[i] * x[i]
    return np.sum(np.dot(m, m) * m)


add(mut_matrix_rows, V3)


def mut_chained_target(x):
    y = np.zeros(3)
    y[0] = y[2] = x * x
    z = y[1] = np.sin(x)
    return np.sum(y * y) * z


add(mut_chained_target, A)


def mut_tuple_target(x):
    y = np.zeros(3)
    y[0], y[1] = x, x * x
    y[0], y[1] = y[1], y[0]
    y[2], t = y[0] * y[1], 2.0 * x
    return np.sum(y * y) * t


add(mut_tuple_target, A)


def mut_full_and_ones(x):
    y = np.full(3, 2.0)
    z = np.ones_like(y)
    y[0] = x
    z[1] = y[0] * x
    return np.sum(y * z)


add(mut_full_and_ones, A)


def mut_2d_swap_rows(x):
    m = x * 1.0
    t = m[0] * 1.0
    m[0] = m[1]
    m[1] = t
    return np.sum(m[0] * m[0]) + 3.0 * np.sum(m[1] * m[1] * m[1])


add(mut_2d_swap_rows, M23)


def mut_last_value_read(x):
    y = np.zeros(3)
    for i in range(3):
        y[i] = x * (i + 1)
        x = y[i] * 0.5 + x
    return y[0] * y[1] * y[2] * x


add(mut_last_value_read, A)


def mut_index_from_loop_math(x):
    y = np.zeros(2)
    for i in range(4):
        y[i % 2] += x ** (i + 1)
    return y[0] * y[1]


add(mut_index_from_loop_math, A)


def mut_after_reduction(x):
    y = x.copy()
    n = np.sum(y * y)
    y[0] = 100.0
    y[1] = n
    return n * np.sum(y)


add(mut_after_reduction, V3)


def mut_result_of_where(x):
    y = np.where(x > 0.0, x * x, 0.1)
    y[1] = x[0] * y[0]
    return np.sum(y * y)


add(mut_result_of_where, V3)


def mut_zero_trip(x, n):
    y = np.zeros(3)
    for i in range(n):
        y[i] = x * x
    return np.sum(y * y) + x


add(mut_zero_trip, A, 0)
add(mut_zero_trip, A, 3, name="mut_three_trips")


# ================================================================ calls
section("calls")


def square(x):
    return x * x


def affine(x, w, b=0.5):
    return x * w + b


def polar(r, t):
    return r * np.cos(t), r * np.sin(t)


def looped(x, n):
    y = x
    for i in range(n):
        y = y * np.sin(y) + 0.1 * i
    return y


def chooser(x, y):
    if x > y:
        return x * y
    return y * y * x


def fact(x, n):
    if n <= 0:
        return 1.0
    return x * fact(x, n - 1)


def even(x, n):
    if n == 0:
        return x
    return odd(x * x, n - 1)


def odd(x, n):
    if n == 0:
        return np.sin(x)
    return even(x + 0.5, n - 1) * x


def call_positional(x, y):
    return affine(x, y) + square(x * y)


add(call_positional, A, B)


def call_keyword(x, y):
    return affine(b=x * y, x=y, w=x) * affine(x, w=y)


add(call_keyword, A, B)


def call_default(x, y):
    return affine(x, y) * affine(x, y, 0.25) * affine(x, y, b=y)


add(call_default, A, B)


def call_several_results(r, t):
    x, y = polar(r, t)
    u, v = polar(x * y, x)
    return x * u + y * v * v


add(call_several_results, A, B)


def call_nested(x):
    return square(square(affine(square(x), x)))


add(call_nested, A)


def call_in_expression(x):
    return np.sum(square(x)[1:] * square(x[:-1])) + affine(2.0 * x, x).sum()


add(call_in_expression, V3)


def call_loop_helper(x):
    return looped(x, 3) * looped(x * x, 2)


add(call_loop_helper, A)


def call_branch_helper(x, y):
    return chooser(x, y) + chooser(y, x) * chooser(x * x, x)


add(call_branch_helper, A, B)


def call_in_loop(x):
    s = 0.0
    for i in range(3):
        s = s + chooser(x * i, s) + looped(s, i)
    return s


add(call_in_loop, A)


def call_in_condition(x):
    if chooser(x, 0.2) > 0.0:
        x = x * square(x)
    while square(x) < 4.0:
        x = x * 1.5
    return x


add(call_in_condition, A)


def call_recursion(x):
    return fact(x, 4) + fact(x * x, 2)


add(call_recursion, A)


def call_self(x, n):
    if n == 0:
        return x
    return call_self(x * x - 0.3, n - 1) * x


add(call_self, A, 3)


def call_mutual_recursion(x):
    return even(x, 4) * odd(x, 1)


add(call_mutual_recursion, A)


def call_tree_recursion(x, n):
    if n < 2:
        return x * n + 0.5
    return call_tree_recursion(x, n - 1) * x + call_tree_recursion(x * 0.5, n - 2)


add(call_tree_recursion, A, 4)


def call_inactive_helper(x, n):
    k = square(n) + 1
    return x ** 2 * k


add(call_inactive_helper, A, 2)


def call_helper_activity_differs(x, y):
    return affine(2.0, x) * affine(y, 3.0) * affine(1.0, 1.0, x)


add(call_helper_activity_differs, A, B)


def fill_squares(x, n):
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i] * x[i]
    return y


def call_mutating_helper(x):
    return np.sum(fill_squares(x, 3) * fill_squares(x * x, 3))


add(call_mutating_helper, V3)


def norm2(v, axis=None, keepdims=False):
    return np.sqrt(np.sum(v * v, axis=axis, keepdims=keepdims))


def call_keyword_through(a):
    return np.sum(a / norm2(a, axis=1, keepdims=True)) * norm2(a) + np.sum(norm2(a, 0))


add(call_keyword_through, M23)


def minmax(x):
    return np.min(x), np.max(x)


def call_tuple_ignored(x):
    lo, _ = minmax(x)
    _, hi = minmax(x * x)
    return lo * hi * minmax(x)[0]


add(call_tuple_ignored, V3)


def scaled_by(k):
    def scaled(x):
        return k * x * x
    return scaled


add(scaled_by(1.75), A, name="call_closure_constant")

SCALE = 2.5
OFFSETS = np.array([0.1, -0.2, 0.3])


def call_globals(x):
    return np.sum(x * SCALE + OFFSETS * x * x)


add(call_globals, V3)


def call_local_function_name(x):
    f = np.sin
    return f(x) * x


add(call_local_function_name, A, may_refuse=True)


def early(x):
    for i in range(5):
        if x > 3.0:
            return x * i
        x = x * 1.7
    return x


def call_early_return_helper(x):
    return early(x) * early(x * x) + early(0.01 * x)


add(call_early_return_helper, A)


# ================================================================ control flow
section("control")


def if_else(x):
    if x > 0:
        y = x * x
    else:
        y = -x
    return 3.0 * y


add(if_else, A)
add(if_else, B, name="if_else_other")


def if_elif(x, n):
    if n == 0:
        y = x
    elif n == 1:
        y = x * x
    elif n == 2:
        y = np.sin(x)
    else:
        y = np.exp(x)
    return y * x


for _n in range(4):
    add(if_elif, A, _n, name=f"if_elif_{_n}")


def if_nested(x, y):
    if x > 0:
        if y > 0:
            z = x * y
        else:
            z = x / y
            if z < -0.2:
                z = z * z * x
    else:
        z = y
    return z + x


add(if_nested, A, B)


def if_one_sided(x):
    y = x
    if x > 0.0:
        y = x * y
    if x > 100.0:
        y = y * y
    return y * x


add(if_one_sided, A)


def if_defined_in_one_branch(x, n):
    if n > 0:
        t = x * x
        u = t * 2.0
    y = x
    if n > 0:
        y = t * u
    return y


add(if_defined_in_one_branch, A, 1)
add(if_defined_in_one_branch, A, 0, name="if_undefined_branch")


def if_overwrites_needed(x):
    y = np.sin(x)
    z = y * y
    if x > 0.0:
        y = np.cos(y)
        x = y * x
    else:
        x = 2.0 * x
    return x * y * z


add(if_overwrites_needed, A)


def if_condition_overwritten(x):
    if x > 0.0:
        x = x - 5.0
        y = x * x
    else:
        y = x
    return y


add(if_condition_overwritten, A, notes="the test must not be evaluated again on the new x")


def for_range(x, n):
    for i in range(n):
        x = np.sin(x) * x
    return np.sum(x)


add(for_range, V3, 3)
add(for_range, V3, 0, name="for_zero_trip")
add(for_range, V3, 1, name="for_one_trip")
add(for_range, A, 3, name="for_range_scalar")


def for_range_forms(x):
    s = 0.0
    for i in range(2, 5):
        s = s * x + i
    for j in range(7, 0, -3):
        s = s + x * j
    for k in range(3, 3):
        s = s * 100.0
    return s


add(for_range_forms, A)


def for_array(x):
    s = 1.0
    for v in x:
        s = s * v + v * v
    return s


add(for_array, V3)


def for_matrix_rows(a):
    s = 0.0
    for row in a:
        s = s + np.sum(row * row) * row[0]
    return s


add(for_matrix_rows, M23)


def for_list(x, y):
    s = 1.0
    for v in [x, x * y, y, 2.0]:
        s = s * v + v
    for w in (x, y):
        s = s + w * w
    return s


add(for_list, A, B)


def for_inactive_list(x):
    s = 0.0
    for c in [0.5, 1.5, -2.0]:
        s = s * x + c
    return s


add(for_inactive_list, A)


def for_zip(x, y):
    s = 0.0
    for a, b in zip(x, y):
        s = s + a * b * s + b
    return s


add(for_zip, V3, W3)


def for_zip_uneven(x, y):
    s = 1.0
    for a, b, k in zip(x, y, range(10)):
        s = s * a + b * k
    return s


add(for_zip_uneven, V3, V5)


def for_enumerate(x):
    s = 0.0
    for i, v in enumerate(x):
        s = s + i * v * v + s * v
    return s


add(for_enumerate, V3)


def for_enumerate_start(x):
    s = 0.0
    for i, v in enumerate(x, 2):
        s = s * v + i * v
    return s


add(for_enumerate_start, V3)


def for_enumerate_zip(x, y):
    s = 0.0
    for i, (a, b) in enumerate(zip(x, y)):
        s = s + i * a * b * b
    return s


add(for_enumerate_zip, V3, W3)


# the trips of these need nothing of each other: one loop does both sweeps (the pass loop_fusion)
def for_own_trips(w, x):
    total = 0.0
    for v in x:
        e = np.exp(w * v)
        total += e * e
    return total / len(x)


add(for_own_trips, A, V3)


def for_own_trips_of_rows(A, x):
    total = 0.0
    for i in range(len(A)):
        e = np.tanh(A[i] @ x)
        total = total + e * e * A[i, 0]
    return 2.0 * total


add(for_own_trips_of_rows, M33, V3)


def for_own_trips_two_sums(x, y):
    total, other = 0.0, 0.0
    for i in range(len(x)):
        s = np.sin(x[i] * y[0])
        total = total + s * s
        other = other - s * x[i]
    return total + 3.0 * other


add(for_own_trips_two_sums, V3, W3)


def for_reversed(x):
    s = 0.0
    for v in reversed(x):
        s = s * 0.5 + v * v
    for i in reversed(range(3)):
        s = s + x[i] * i * s
    return s


add(for_reversed, V3)


def for_nested(x):
    s = 0.0
    for i in range(3):
        t = x
        for j in range(i + 1):
            t = t * x + j
            s = s + t * i
        s = s * t * 0.1
    return s


add(for_nested, A)


def for_nested_zero_inner(x):
    s = x
    for i in range(3):
        for j in range(i):
            s = s * x + j
    return s


add(for_nested_zero_inner, A)


def for_loop_variable_arithmetic(x):
    s = 0.0
    for i in range(1, 4):
        s = s + x ** i / i + i * x
        i = i * 2
        s = s * (1.0 + 0.01 * i)
    return s


add(for_loop_variable_arithmetic, A)


def for_variable_after(x):
    for i in range(4):
        y = x * i
    return y * i * x


add(for_variable_after, A)


def for_temporaries(x):
    s = 0.0
    for i in range(3):
        t = np.exp(-x * x * i)
        u = t * t + s
        s = s + np.sin(u) * t
    return s


add(for_temporaries, A)


def for_carried(x):
    a, b = x, 1.0
    for i in range(4):
        c = a * b
        a = b + 0.3
        b = np.sin(c)
    return a * b + c


add(for_carried, A)


def for_redefined_range(x, n):
    for i in range(n):
        n = 1
        x = x * x * (i + 1)
    return x * n


add(for_redefined_range, A, 3, notes="the range is evaluated once")


def for_sequence_overwritten(x):
    s = 0.0
    for v in x:
        x = x * v
        s = s + np.sum(x) * v
    return s


add(for_sequence_overwritten, V3)


def while_simple(x):
    while x < 10.0:
        x = x * x + 0.7
    return x


add(while_simple, C)


def while_counter(x):
    k = 0
    s = 1.0
    while k < 3:
        s = s * x + k
        k += 1
    return s * k


add(while_counter, A)


def while_zero_trip(x):
    while x > 100.0:
        x = x * x
    return x * x


add(while_zero_trip, A)


def while_two_conditions(x):
    k = 0
    while k < 10 and x < 5.0:
        x = x * 1.6 + x * x * 0.1
        k = k + 1
    return x * x


add(while_two_conditions, A)


def while_nested_in_for(x):
    s = x
    for i in range(3):
        t = 0.3 * (i + 1)
        while t < 1.0:
            t = t * (1.5 + s * s)
            s = s + t * x
    return s


add(while_nested_in_for, A)


def break_in_for(x):
    s = 0.0
    for i in range(10):
        s = s + x * x
        if s > 1.5:
            break
        x = x * 1.1
    return s * x


add(break_in_for, A)


def break_first_trip(x):
    s = x
    for i in range(10):
        if i == 0:
            break
        s = s * x
    return s * x


add(break_first_trip, A)


def break_inner(x):
    s = 0.0
    for i in range(4):
        for j in range(4):
            if j > i:
                break
            s = s + x * i * j + s * 0.1 * x
        s = s * x
    return s


add(break_inner, A)


def break_both(x):
    s = x
    for i in range(4):
        for j in range(4):
            s = s * 1.2 + x
            if s > 4.0:
                break
        if s > 6.0:
            break
        s = s + 1.0
    return s * s


add(break_both, A)


def break_while_true(x):
    s = x
    while True:
        s = s * s + 0.8
        if s > 4.0:
            break
    return s * x


add(break_while_true, A)


def continue_in_for(x):
    s = 0.0
    for i in range(5):
        if i % 2 == 1:
            continue
        s = s * x + i
    return s


add(continue_in_for, A)


def continue_active(x):
    s = 1.0
    for v in x:
        if v < 0.0:
            continue
        s = s * v
        if s > 10.0:
            continue
        s = s + v
    return s


add(continue_active, V5)


def continue_in_while(x):
    k = 0
    s = x
    while k < 5:
        k = k + 1
        if k == 2:
            continue
        if k == 4:
            break
        s = s * x + k
    return s


add(continue_in_while, A)


def break_continue_nested(x):
    s = 0.0
    for i in range(4):
        if i == 1:
            continue
        for j in range(4):
            if j == 0:
                continue
            if j == 3:
                break
            s = s + np.sin(x * i * j + s)
        if s > 50.0:
            break
    return s


add(break_continue_nested, A)


def return_both_branches(x):
    if x > 0:
        return x * x
    else:
        return -x


add(return_both_branches, A)
add(return_both_branches, B, name="return_both_branches_else")


def return_first(x):
    if x > 0.0:
        return np.sin(x) * x
    y = x * x
    if y > 1.0:
        return y
    return y * x


for _x in (A, -0.5, B):
    add(return_first, _x, name=f"return_first_{_x}")


def return_in_loop(x, limit):
    s = x
    for i in range(6):
        s = s * 1.5 + x
        if s > limit:
            return s * s * i
    return s


add(return_in_loop, A, 5.0, wrt=(0,))
add(return_in_loop, A, 1e9, wrt=(0,), name="return_in_loop_never")


def return_in_nested_loops(x):
    for i in range(3):
        for j in range(3):
            x = x * 1.3 + 0.1 * i
            if x > 2.5:
                return x * x * j
            if i == 2:
                return x
        x = x + 0.05
    return x * 7.0


add(return_in_nested_loops, A)
add(return_in_nested_loops, 0.1, name="return_in_nested_loops_later")


def return_in_while(x):
    while True:
        x = x * x + 0.5
        if x > 3.0:
            return np.log(x)


add(return_in_while, A)


def return_after_loop(x, n):
    s = x
    for i in range(n):
        s = s * x
    if s < 0.2:
        return s
    for i in range(n):
        s = s + x * i
        if i == 1:
            return s * x
    return s + 1.0


add(return_after_loop, A, 2)
add(return_after_loop, A, 6, name="return_after_loop_early")
add(return_after_loop, A, 1, name="return_after_loop_end")


def return_constant_branch(x):
    if x > 5.0:
        return x
    return 3.0


add(return_constant_branch, A)


def return_different_expressions(x, n):
    if n == 0:
        return x
    elif n == 1:
        return np.sum(x * np.array([1.0, 2.0]))
    if n == 2:
        y = x * 2.0
    else:
        return 1.0
    return y * y


for _n in range(4):
    add(return_different_expressions, A, _n, name=f"return_different_expressions_{_n}")


def loop_takes_active_name(x):
    i = x
    s = i * i
    for i in range(3):
        s = s + i * x
    return s + i


add(loop_takes_active_name, A, notes="i is active, then an int: its cotangent must start again")


def dead_code_after_return(x):
    return x * x
    x = np.exp(x)
    return x


add(dead_code_after_return, A)


def loop_else(x, n):
    for i in range(3):
        x = x * 1.5
        if i == n:
            break
    else:
        x = x * x
    k = 0
    while k < 2:
        k = k + 1
    else:
        x = x * x
    return x


add(loop_else, A, 7, may_refuse=True)
add(loop_else, A, 1, may_refuse=True, name="loop_else_broken")


def test_of_log_guarded(x):
    if x > 0 and np.log(x) > 0:
        return np.log(x)
    return x * 2.0


add(test_of_log_guarded, B, notes="the logarithm must not be taken")


def exception_leaves_nothing(x, k):
    for i in range(4):
        x = x * x
        if i == k:
            raise ValueError(i)
    return x


add(exception_leaves_nothing, 1.1, 9)


def nested_conditional_loop(x, n):
    for i in range(n):
        if np.sum(x) > 1:
            x = x / 2
        else:
            for _ in range(i):
                x = x * 1.4
    return np.sum(x * x)


add(nested_conditional_loop, np.array([0.9, 0.8]), 5)


# ================================================================ statements without a derivative
section("statements")


def st_docstring(x):
    """A docstring stays, or goes; the derivative is the same."""
    y = x * x
    "a string in the middle"
    return y * x


add(st_docstring, A)


def st_print(x):
    y = x * x
    print("y is", y, f"and x {x:.3f}")
    return y * x


add(st_print, A)


def st_assert(x):
    assert x > 0, f"x is {x}"
    y = np.sqrt(x)
    assert np.all(np.isfinite(y))
    return y * x


add(st_assert, A)


def st_raise(x):
    if x < 0:
        raise ValueError("negative: " + str(x))
    return np.log(x) * x


add(st_raise, A)


def st_pass(x):
    if x > 0:
        pass
    else:
        x = -x
    for _ in range(2):
        pass
    return x * x


add(st_pass, A)


def st_strings(x, name):
    label = name + "!" * 2
    if label == "abc!!" and len(label) == 5:
        return x * x
    return x


add(st_strings, A, "abc")


def st_dict_lookup(x):
    table = {"a": 2.0, "b": 3.0}
    return x * table["a"] + x * x * table["b"]


add(st_dict_lookup, A, may_refuse=True)


def st_list_constants(x):
    weights = [0.5, -1.0, 2.0]
    s = 0.0
    for i in range(len(weights)):
        s = s * x + weights[i]
    return s


add(st_list_constants, A)


def st_semicolons(x): y = x * x; z = y * x; return z * y  # noqa: E702, E704


add(st_semicolons, A)


def st_multiline(x,
                 y):
    total = (x
             * y
             + np.sin(x)
             )
    return (total *
            total)


add(st_multiline, A, B)


# ================================================================ names
section("names")


def nm_adjoint_names(x, bx, dx):
    by = x * bx
    dy = by * dx
    y = dy + by
    bby = y * y
    return bby * bx


add(nm_adjoint_names, A, B, C)


def nm_runtime_names(x, rt, t):
    tape = x * rt
    x_saved = tape * t
    _stack = x_saved + x
    for i in range(2):
        x_saved = x_saved * _stack
        _stack = _stack + tape
    return _stack * x_saved


add(nm_runtime_names, A, B, C)


def nm_np_shadowed(x, np):
    y = np * x
    return y * y * np


add(nm_np_shadowed, A, B)


def nm_np_shadowed_and_used(x):
    import_np = np.sin(x)
    rt = import_np * x
    return rt * np.cos(rt)


add(nm_np_shadowed_and_used, A)


def nm_function_name(x):
    nm_function_name_value = x * x
    dnm_function_name_dx = nm_function_name_value * x
    return dnm_function_name_dx


add(nm_function_name, A)


def nm_own_name_local(g):
    nm_own_name_local = g * g
    return nm_own_name_local * g


add(nm_own_name_local, A)


def nm_builtins_shadowed(x, list, len):
    sum = x * list
    max = sum + len
    return max * sum


add(nm_builtins_shadowed, A, B, C)


def nm_unicode(α, β):
    γ = α * β
    return γ * np.sin(α)


add(nm_unicode, A, B)


def nm_numbered(x, x1, x_1, x_0):
    x2 = x * x1
    x3 = x2 * x_1
    x2 = x3 * x_0
    x_2 = x2 * x
    return x_2 * x3


add(nm_numbered, A, B, C, 0.4)


def nm_seed_and_tangent(seed, tangent, value):
    y = seed * tangent
    g = y * value
    return g * g


add(nm_seed_and_tangent, A, B, C)


def nm_loop_names(x):
    s = 0.0
    for bx in range(3):
        for i in range(2):
            s = s + x * bx * x
    for i in range(2):
        s = s * x + i
    return s


add(nm_loop_names, A)


def nm_underscore(x):
    _, y, _ = x, x * x, 3.0
    for _ in range(2):
        y = y * x
    return y


add(nm_underscore, A)


def nm_cond_names(x):
    cond = x > 0.0
    count = 0
    brk = 0.0
    returned = x
    while cond:
        count = count + 1
        returned = returned * x + brk
        cond = count < 3
    return returned


add(nm_cond_names, A)


# ================================================================ the rules
section("elementwise")
for _name, _x in {
        "exp": V3, "log": P3, "sin": V3, "cos": V3, "tan": V3, "arcsin": V3 * 0.7, "arccos": V3 * 0.7, "arctan": V3,
        "sinh": V3, "cosh": V3, "tanh": V3, "sqrt": P3, "square": V3, "log1p": P3, "expm1": V3, "abs": V3,
        "negative": V3}.items():
    op(f"np_{_name}", f"np.{_name}(x)", x=_x)
    if _name not in ("square", "negative", "abs"):
        op(f"np_{_name}_scalar", f"np.{_name}(x) * x", x=0.6)
for _name, _x in {"exp": A, "log": A, "sin": A, "cos": A, "tan": A, "sinh": A, "cosh": A, "tanh": A, "sqrt": A,
                  "asin": 0.3, "acos": 0.3, "atan": A, "log1p": A, "expm1": A, "fabs": B}.items():
    op(f"math_{_name}", f"math.{_name}(x) * x", x=_x)
op("math_pow", "math.pow(x, y)", x=A, y=B)
op("math_constants", "math.pi * x ** 2 + math.e * x", x=A)
op("np_add_functions", "np.add(x, np.multiply(y, np.subtract(x, np.divide(x, 2.0 + y * y))))", x=V3, y=W3)
op("np_power", "np.power(x, y) + np.power(x, 2)", x=P3, y=V3)
op("np_maximum", "np.maximum(x, y) * np.minimum(x, y * 2.0)", x=V3, y=W3)
op("np_maximum_scalar", "np.maximum(x, 0.1) + np.minimum(0.5, x) * x", x=V3)
op("np_maximum_broadcast", "np.maximum(x, a)", x=V3, a=M23)
op("np_clip", "np.clip(x, -0.5, 0.6) * x", x=V3)
op("np_clip_bounds", "np.clip(x, lo, hi) * x", x=V5, lo=-0.5, hi=1.0)
op("np_clip_keywords", "np.clip(x, a_min=-0.5, a_max=None) * x", x=V3)
op("np_where", "np.where(x > 0.0, x * y, np.sin(x))", x=V3, y=W3)
op("np_where_scalar_branch", "np.where(x > 0.0, 2.0, x)", x=V3)
op("np_where_scalar_active", "np.where(np.array([True, False, True]), s, x)", s=A, x=V3)
op("np_where_broadcast", "np.where(np.array([[True], [False]]), x, s)", x=V3, s=A)
op("np_where_nan_branch", "np.where(x > 0.0, np.sqrt(x), 0.5 * x)", x=V3)
op("np_where_nan_guard", "np.where(x > 0.0, x * np.log(np.where(x > 0.0, x, 1.0)), 0.0)", x=V3)
op("np_where_reduction", "np.where(x > 1.0, np.sum(x * x), x)", x=V3)
op("np_where_other_shape", "np.where(x != 0.0, np.sum(x[1:] * x[:-1]), x)", x=V3)
op("np_where_product", "np.where(x > 0.0, np.dot(np.outer(x, y), x * x), (y * y)[::-1])", x=V3, y=W3)
op("np_where_reduction_unselected", "np.where(x > 9.0, np.sum(np.sqrt(x - x)), x)", x=V3)
op("np_where_division", "np.where(x == 0.0, 5.0 * x, 1.0 / x)", x=P3)
op("np_zero_derivative", "np.sign(x) * x + np.floor(x) * x + np.ceil(x) * x + np.round(x) * x", x=V3)
op("builtin_abs", "abs(x) * x", x=V3)
op("builtin_max_min", "max(x, y) * min(x, y, 0.3) * max(x * x, 0.1)", x=A, y=B)
op("builtin_float", "float(n) * x + float('2.5') * x", x=A, n=3)
op("builtin_pow", "pow(x, 3) + pow(x, y)", x=A, y=B)
op("builtin_int_len", "x * len(x) + int(2.7) * x + round(2.6) * x", x=V3)

section("reductions")
op("sum_all", "np.sum(x)", x=V3)
op("sum_axis0", "np.sum(a, axis=0)", a=M23)
op("sum_axis_positional", "np.sum(a, 1)", a=M23)
op("sum_axis_negative", "np.sum(a, axis=-1) * np.sum(a, axis=-2)[:2]", a=M23)
op("sum_axis_tuple", "np.sum(t, axis=(0, 2))", t=T223)
op("sum_axis_tuple_negative", "np.sum(t, axis=(-2, -1))", t=T223)
op("sum_axis_empty", "np.sum(x, axis=())", x=V3)
op("sum_keepdims", "a / (4.0 + np.sum(a, axis=1, keepdims=True))", a=M23)
op("sum_keepdims_all", "a * np.sum(a, keepdims=True)", a=M23)
op("sum_keepdims_tuple", "t * np.sum(t, axis=(0, -1), keepdims=True)", t=T223)
op("sum_scalar", "np.sum(x) * x", x=A)
op("sum_builtin", "sum(x) * x", x=V3)
op("sum_builtin_start", "sum(x, 2.0) * x", x=V3)
op("sum_of_bool", "np.sum(x > 0.0) * x", x=V3)
op("mean_all", "np.mean(x) * x", x=V3)
op("mean_axis", "np.mean(a, axis=0) * np.mean(a)", a=M23)
op("mean_axis_negative", "a - np.mean(a, axis=-1, keepdims=True)", a=M23)
op("mean_axis_tuple", "np.mean(t, axis=(-1, 0))", t=T223)
op("mean_scalar", "np.mean(x) * x", x=A)
op("max_all", "np.max(x) * x", x=V3)
op("max_axis", "np.max(a, axis=1) * np.min(a, axis=1)", a=M23)
op("max_keepdims", "a - np.max(a, axis=1, keepdims=True)", a=M23)
op("max_axis_tuple", "np.max(t, axis=(0, -1)) * np.min(t)", t=T223)
op("max_amax", "np.amax(x) * np.amin(x)", x=V3)

section("linear")
op("dot_11", "np.dot(x, y) * x", x=V3, y=W3)
op("dot_21", "np.dot(a, x)", a=M23, x=V3)
op("dot_12", "np.dot(x, a)", x=V3, a=M32)
op("dot_22", "np.dot(a, b)", a=M23, b=M32)
op("dot_00", "np.dot(x, y) * x", x=A, y=B)
op("dot_scalar_matrix", "np.dot(s, a) + np.dot(a, s)", s=A, a=M23)
op("dot_31", "np.dot(t, x)", t=T223, x=V3)
op("dot_32", "np.dot(t, b)", t=T223, b=M32)
op("dot_23", "np.dot(a, t)", a=M32, t=T222)
op("dot_13", "np.dot(x, t)", x=V2, t=T222)
op("dot_33", "np.dot(t, t)", t=T222)
op("dot_same", "np.dot(x.T, x) + np.dot(x, x.T)[0, 0]", x=M23)
op("dot_transposed", "np.dot(a.T, b.T)", a=M23, b=M32)
op("matmul_function", "np.matmul(a, b) + np.matmul(a, b)", a=M23, b=M32)
op("outer_11", "np.outer(x, y)", x=V3, y=V2)
op("outer_ravels", "np.outer(a, x)", a=M23, x=V2)
op("outer_same", "np.outer(x, x)", x=V3)

section("shapes")
op("reshape_function", "np.reshape(a, (3, 2)) * np.reshape(a, (-1, 2))", a=M23)
op("reshape_to_scalar", "np.reshape(np.sum(x), (1, 1)) * x", x=V3)
op("transpose_function", "np.transpose(a) @ a", a=M23)
op("transpose_axes", "np.transpose(t, (1, 2, 0)) * 2.0 + np.transpose(t, axes=(1, 2, 0))", t=T223)
op("ravel_function", "np.ravel(a) * np.ravel(a.T)", a=M23)
op("squeeze_function", "np.squeeze(b) * np.squeeze(b, axis=1)", b=V3.reshape(3, 1))
op("expand_dims_function", "np.expand_dims(x, 0) * np.expand_dims(x, axis=-1)", x=V3)
op("concatenate_axis0", "np.concatenate((x, y * y, x))", x=V3, y=V2)
op("concatenate_list", "np.concatenate([a, a * a], axis=1)", a=M23)
op("concatenate_negative_axis", "np.concatenate([a, b.T], axis=-1)", a=M23, b=M32)
op("concatenate_mixed", "np.concatenate([x, np.zeros(2), 2.0 * x])", x=V3)
op("stack_default", "np.stack([x, y, x * y])", x=V3, y=W3)
op("stack_axis", "np.stack((x, y), axis=1) @ np.stack([x, y], axis=-2)", x=V3, y=W3)
op("stack_scalars", "np.stack([s, s * s, 2.0 * s])", s=A)
op("array_of_scalars", "np.array([x, x * y, 2.0, y])", x=A, y=B)
op("array_of_rows", "np.array([[x, y], [y, x * y]])", x=A, y=B)
op("array_of_arrays", "np.array([v, v * v])", v=V3)
op("asarray_function", "np.asarray(x) * np.array(x)", x=V3)
op("copy_function", "np.copy(x) * x.copy()", x=V3)

section("constructors")
op("make_zeros_ones", "(np.zeros(3) + np.ones(3)) * x + np.full(3, 2.0) * x", x=V3)
op("make_like", "(np.ones_like(x) + np.zeros_like(x) + np.full_like(x, 2.0)) * x", x=V3)
op("make_full_active", "np.full(3, s) * x + np.full_like(x, s)", s=A, x=V3)
op("make_arange", "np.arange(3) * x + np.arange(1.0, 4.0)", x=V3)
op("make_linspace_eye", "np.linspace(0.0, 1.0, 3) * x + np.eye(3) @ x", x=V3)
op("make_eye_rectangular", "np.eye(2, 3) @ x", x=V3)
op("make_zeros_shape", "np.zeros(a.shape) + a * np.ones(a.shape)", a=M23)

section("broadcast")
for _name, _left, _right in [
        ("3_0d", V3, np.array(1.3)), ("0d_3", np.array(1.3), V3), ("23_21", M23, M23[:, :1].copy()), ("23_3", M23, V3),
        ("1_3", np.array([0.4]), V3), ("11_23", np.array([[0.7]]), M23),
        ("213_41", T223[:, :1].copy(), V4.reshape(4, 1)), ("float_23", A, M23), ("23_float", M23, A),
        ("03_3", np.zeros((0, 3)), V3), ("0_1", np.zeros(0), np.array([0.5])),
        ("31_13", M32[:, :1].copy(), M23[:1].copy())]:
    op(f"mul_{_name}", "x * y", x=_left, y=_right)
    op(f"div_{_name}", "x / (y * y + 1.0)", x=_left, y=_right)
op("sub_broadcast", "(x - y) * (y - x)", x=M23, y=V3)
op("pow_broadcast", "x ** y", x=np.abs(M23) + 0.5, y=V3)
op("pow_scalar_base_array", "s ** x", s=0.8, x=V3)


def bc_scalar_over_vector(x, v):
    return np.sum(x / v) + np.sum(x ** np.abs(v)) + np.sum(np.multiply(x, v)) + np.sum(np.maximum(x, v))


add(bc_scalar_over_vector, 0.65, V3, notes="each rule must sum the cotangent of the scalar")


def bc_scalar_becomes_vector(x, v):
    for i in range(3):
        x = x * v + 1.0
    return np.sum(x)


add(bc_scalar_becomes_vector, A, V3, notes="the carried variable changes shape in the first trip")


def bc_vector_becomes_matrix(x, m):
    for i in range(2):
        x = x * m
    return np.sum(x * x)


add(bc_vector_becomes_matrix, V3, M23)


# ================================================================ silent wrong answers of the past
section("history")


def hi_zero_times_keeps_shape(x):
    y = x * 0 + 1
    return np.sum(y * x)


add(hi_zero_times_keeps_shape, V3, notes="folding x * 0 + 1 to 1 would lose the shape")


def hi_zero_times_only(x):
    y = 0.0 * x + 2.0
    return np.sum(y)


add(hi_zero_times_only, V3, notes="the sum is 6, not 2; the gradient an array of zeros")


def hi_sum_of_power(v, p):
    return np.sum(v ** p)


add(hi_sum_of_power, P3, A, notes="forward mode in the exponent")


def hi_gram(x):
    g = np.dot(x.T, x)
    return np.sum(g * g)


add(hi_gram, M32, notes="forward mode of a product of two active factors")


def hi_write_row_of_rows(x):
    h = np.zeros((2, 2))
    h[0, 1] = x * x
    h[1] = h[0] * x
    return np.sum(h * h)


add(hi_write_row_of_rows, A)


def hi_repeated_index(x):
    return np.sum(x[[0, 0, 1]] * np.array([1.0, 2.0, 4.0]))


add(hi_repeated_index, V3)


def hi_write_kills_nothing_else(x):
    y = np.zeros(3)
    y[0] = x[1] * x[1]
    y[1] = y[0] * x[0]
    y[0] = 1.0
    return np.sum(y * x)


add(hi_write_kills_nothing_else, V3)


def hi_value_needed_in_loop(x):
    y = 1.0
    for i in range(3):
        t = y * x
        y = t * t + np.sin(t)
        t = 0.0
    return y


add(hi_value_needed_in_loop, 0.4, notes="t is overwritten after its last use, before the backward sweep needs it")


def hi_both_branches_save(x):
    s = 1.0
    for i in range(4):
        if i % 2:
            s = s * np.sin(s * x)
        else:
            t = s * s
            s = t * x + t * t
    return s


add(hi_both_branches_save, A)


def hi_division_accumulates(x):
    y = x / (x / (x + 1.0) + 1.0)
    return y / x + x / y


add(hi_division_accumulates, A)


# ================================================================ kinks, by convention
section("kinks")
K = {"holomorphic": False, "smooth": False, "orders": 1}
op("kink_abs", "np.abs(x)", "np.sum(y)", {**K, "expected": (np.array([0.0, 1.0, -1.0]),)}, x=np.array([0.0, 2.0, -3.0]))
op("kink_builtin_abs", "abs(x) + 3.0 * x", "y", {**K, "expected": (3.0,)}, x=0.0)


def kink_maximum_tie(x, y):
    return np.maximum(x, y)


add(kink_maximum_tie, 1.0, 1.0, expected=(0.5, 0.5), **K)


def kink_minimum_tie(x, y):
    return np.sum(np.minimum(x, y))


add(kink_minimum_tie, np.array([1.0, 2.0]), np.array([1.0, 5.0]),
    expected=(np.array([0.5, 1.0]), np.array([0.5, 0.0])), **K)
op("kink_maximum_self", "np.maximum(x, x)", "np.sum(y)", {**K, "expected": (np.ones(3),)}, x=V3)
op("kink_max_ties", "np.max(x)", "y", {**K, "expected": (np.array([0.0, 0.5, 0.5]),)}, x=np.array([1.0, 3.0, 3.0]))
op("kink_max_all_equal", "np.max(x)", "y", {**K, "expected": (np.full(4, 0.25),)}, x=np.full(4, 2.0))
op("kink_min_axis_ties", "np.min(x, axis=1)", "np.sum(y)",
   {**K, "expected": (np.array([[0.5, 0.5], [0.0, 1.0]]),)}, x=np.array([[1.0, 1.0], [5.0, 2.0]]))


def kink_builtin_max(x, y):
    return max(x, y)


add(kink_builtin_max, 1.0, 1.0, expected=(1.0, 0.0), notes="Python's max is a branch: the first of equals", **K)
op("kink_sqrt_zero", "np.sqrt(x)", "y", {**K, "expected": (math.inf,)}, x=0.0)
op("kink_clip_bound", "np.clip(x, 0.0, 1.0)", "y", {**K, "expected": (0.5,)}, x=1.0)
op("kink_clip_inside", "np.clip(x, 0.0, 1.0)", "np.sum(y)", {**K, "expected": (np.array([0.0, 1.0, 0.0]),)},
   x=np.array([-1.0, 0.5, 2.0]))
op("kink_relu_zero", "np.maximum(x, 0.0)", "y", {**K, "expected": (0.5,)}, x=0.0)
op("kink_softplus", "np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0.0)", "y", {**K, "expected": (0.5,)}, x=0.0)
op("kink_pow_two_at_zero", "x ** 2.0", "y", {**K, "expected": (0.0,), "orders": 1}, x=0.0)
op("kink_pow_one_at_zero", "x ** 1.0 + x ** 1", "y", {**K, "expected": (2.0,)}, x=0.0)
op("kink_pow_zero", "x ** 0 + x ** 0.0", "y", {**K, "expected": (0.0,)}, x=0.0)
op("kink_zero_base", "0.0 ** x", "y", {**K, "expected": (0.0,)}, x=2.0)


def kink_pow_zero_both(x, y):
    return x ** y


add(kink_pow_zero_both, 0.0, 3.0, expected=(0.0, 0.0), **K)
op("kink_where_sqrt", "np.where(x > 0.0, np.sqrt(x), 0.0)", "np.sum(y)",
   {**K, "expected": (np.array([0.0, 0.25, 0.0]),)}, x=np.array([-1.0, 4.0, 0.0]))
op("kink_where_pole", "np.where(x == 0.0, 5.0 * x, 1.0 / x)", "np.sum(y)",
   {**K, "expected": (np.array([5.0, -0.25]),)}, x=np.array([0.0, 2.0]))
op("kink_zero_derivatives", "np.sign(x) * 3.0 + np.floor(x) + np.round(x)", "y", {**K, "expected": (0.0,)}, x=0.25)
op("kink_sigmoid_far", "1.0 / (1.0 + np.exp(-x))", "y", {**K, "expected": (0.0,), "may_refuse": False}, x=-800.0)


# ================================================================ kinds and types of numbers
section("dtype")
F32 = V3.astype(np.float32)
op("dt_float32", "np.sin(x) * x", "np.sum(y)", {"tol": 3e-6, "orders": 1, "holomorphic": True}, x=F32)
op("dt_float32_mixed", "x * w", "np.sum(y)", {"tol": 3e-6, "orders": 1}, x=F32, w=W3)
op("dt_float32_scalars", "x * 2.0 + x ** 2 + 1", "np.sum(y)", {"tol": 3e-6, "orders": 1}, x=F32)
op("dt_float16", "x * x", "np.sum(y)", {"tol": 3e-3, "orders": 1}, x=np.array([0.5, -1.25], np.float16))
op("dt_zero_d", "np.exp(x) * x", "y", x=np.array(0.7))
op("dt_numpy_scalar", "np.exp(x) * x", "y", {"wrt": (0,)}, x=np.float64(0.7))
op("dt_python_int", "x * x + x / 2", "y", {"wrt": (0,), "orders": 1, "expected": (6.5,), "holomorphic": False,
                                           "smooth": False}, x=3)
op("dt_empty", "x", "np.sum(y) + 1.0", x=np.zeros((0, 3)))
op("dt_fortran", "x * x.T", "np.sum(y)", x=np.asfortranarray(M33))
op("dt_strided", "x * x[0]", "np.sum(y)", x=V5[::2])
op("dt_bool_times", "x * (x > 0)", "np.sum(y)", x=V3)
op("dt_int_array_constant", "x * k + x ** k", "np.sum(y)", {"wrt": (0,)}, x=P3, k=np.array([1, 2, 3]))


# ================================================================ several results: vjp and jvp
section("results")


def res_tuple(x, y):
    return x * y, np.sin(x)


add(res_tuple, A, B, orders=1)


def res_vector(x):
    return np.sin(x) * x[0]


add(res_vector, V3, orders=1)


def res_matrix(x, y):
    return np.outer(x, y)


add(res_matrix, V3, V2, orders=1)


def res_tuple_mixed(x):
    s = np.sum(x)
    return s, x * s, x[::-1]


add(res_tuple_mixed, V3, orders=1)


def res_tuple_early(x):
    if x > 0:
        return x * x, x
    return x, 1.0


add(res_tuple_early, A, orders=1)


def res_same_twice(x):
    y = x * x
    return y, y


add(res_same_twice, V3, orders=1)


def res_argument_itself(x):
    return x, x * 2.0


add(res_argument_itself, V3, orders=1)


def res_view(x):
    return x[1:]


add(res_view, V3, orders=1)


def res_loop_state(x, n):
    a, b = x, 1.0
    for _ in range(n):
        a, b = b * x, a + b
    return a, b


add(res_loop_state, A, 3, orders=1)


def res_constant_part(x):
    return x * x, 3.0


add(res_constant_part, A, orders=1)


# ================================================================ models
section("models")


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def logsumexp(x, axis=None, keepdims=False):
    m = np.max(x, axis=axis, keepdims=True)
    s = np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True)) + m
    if keepdims:
        return s
    return np.squeeze(s, axis=axis)


def softmax_xent(logits, y):
    return -np.sum((logits - logsumexp(logits, axis=-1, keepdims=True)) * y, axis=-1)


def paper_square(x):
    return x * x


add(paper_square, 3.0)


def paper_loop(x, n):
    for i in range(n):
        if np.sum(x) > 1:
            x = x / 2
    return np.sum(x)


add(paper_loop, V3 + 1.0, 4)


def paper_mlp(x, w1, b1, wout, bout, label):
    h1 = np.tanh(np.dot(x, w1) + b1)
    out = np.dot(h1, wout) + bout
    loss = np.mean(softmax_xent(out, label))
    return loss


add(paper_mlp, M23, M33, V3, M32, V2, np.array([[1.0, 0.0], [0.0, 1.0]]), wrt=(0, 1, 2, 3, 4))


def paper_while(x):
    while x < 100:
        x = x + 1.5
    return x * x


add(paper_while, 90.2)


def survey_example(x1, x2):
    y = np.log(x1) + x1 * x2 - np.sin(x2)
    return y


add(survey_example, 2.0, 5.0)


def logistic_map(x, r, n):
    for _ in range(n):
        x = r * x * (1.0 - x)
    return x


add(logistic_map, 0.3, 3.2, 5)


def logistic_regression(w, b, x, y):
    z = np.dot(x, w) + b
    p = sigmoid(z)
    return -np.mean(y * np.log(p) + (1.0 - y) * np.log(1.0 - p)) + 0.1 * np.sum(w * w)


add(logistic_regression, V3, A, M33, np.array([1.0, 0.0, 1.0]), wrt=(0, 1))


def lstm_cell(w, u, b, x, h, c):
    n = h.shape[0]
    z = np.dot(x, w) + np.dot(h, u) + b
    i = sigmoid(z[:n])
    f = sigmoid(z[n:2 * n])
    o = sigmoid(z[2 * n:3 * n])
    g = np.tanh(z[3 * n:])
    c = f * c + i * g
    h = o * np.tanh(c)
    return np.sum(h * h) + np.sum(c)


add(lstm_cell, np.linspace(-0.7, 0.8, 16).reshape(2, 8), np.linspace(0.6, -0.5, 16).reshape(2, 8),
    np.linspace(-1.0, 1.0, 8), V2, np.array([0.3, -0.2]), np.array([0.1, 0.4]))


def rnn(w, u, xs, h):
    loss = 0.0
    for t in range(xs.shape[0]):
        h = np.tanh(np.dot(w, xs[t]) + np.dot(u, h))
        loss = loss + np.sum(h * h) * 0.5
    return loss


add(rnn, M33, M33.T.copy() * 0.5, np.stack([V3, W3, P3]), np.zeros(3), wrt=(0, 1, 3))


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


add(rosenbrock, V4)


def rosenbrock_loop(x):
    s = 0.0
    for i in range(len(x) - 1):
        s += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return s


add(rosenbrock_loop, V4)


def hmm_forward(log_a, log_b, obs):
    n = log_a.shape[0]
    alpha = log_b[:, obs[0]]
    for t in range(1, len(obs)):
        alpha = logsumexp(alpha.reshape(n, 1) + log_a, axis=0) + log_b[:, obs[t]]
    return logsumexp(alpha)


add(hmm_forward, M33, M33.T.copy(), np.array([0, 2, 1, 2]), wrt=(0, 1))


def hmm_forward_scalar(a, b, obs):
    alpha = np.ones(2) * 0.5
    total = 0.0
    for o in obs:
        alpha = np.dot(alpha, a) * b[o]
        s = np.sum(alpha)
        total = total + np.log(s)
        alpha = alpha / s
    return total


add(hmm_forward_scalar, np.array([[0.7, 0.3], [0.2, 0.8]]), np.array([[0.6, 0.1], [0.4, 0.9]]), [0, 1, 1], wrt=(0, 1))


def kalman_scalar(x, p, q, r, zs):
    ll = 0.0
    for z in zs:
        p = p + q
        s = p + r
        k = p / s
        e = z - x
        ll = ll - 0.5 * (np.log(s) + e * e / s)
        x = x + k * e
        p = (1.0 - k) * p
    return ll


add(kalman_scalar, A, 1.1, 0.3, 0.5, V3, wrt=(0, 1, 2, 3))


def newton_sqrt(a):
    x = a
    for _ in range(8):
        x = 0.5 * (x + a / x)
    return x


add(newton_sqrt, 2.0)


def newton_while(a):
    x = 1.0
    while abs(x * x - a) > 1e-3:
        x = 0.5 * (x + a / x)
    return x


add(newton_while, 2.0)


def pendulum(q, v):
    return v, -np.sin(q) - 0.1 * v


def rk4(q, v, h, n):
    for _ in range(n):
        a1, b1 = pendulum(q, v)
        a2, b2 = pendulum(q + 0.5 * h * a1, v + 0.5 * h * b1)
        a3, b3 = pendulum(q + 0.5 * h * a2, v + 0.5 * h * b2)
        a4, b4 = pendulum(q + h * a3, v + h * b3)
        q = q + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        v = v + h / 6.0 * (b1 + 2.0 * b2 + 2.0 * b3 + b4)
    return q * q + v


add(rk4, A, 0.2, 0.1, 3)


def leapfrog(q, p, h):
    for i in range(3):
        p = p - 0.5 * h * q ** 3
        q = q + h * p
        p = p - 0.5 * h * q ** 3
    return 0.5 * np.sum(p * p) + 0.25 * np.sum(q ** 4)


add(leapfrog, V3, W3, 0.2)


def softmax_cross_entropy(logits, labels):
    return np.mean(softmax_xent(logits, labels))


add(softmax_cross_entropy, M23, np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]]), wrt=(0,))


def logsumexp_all(x):
    return logsumexp(x) * logsumexp(x, axis=0)


add(logsumexp_all, V3)


def gaussian_loglik(mu, log_sigma, x):
    z = (x - mu) / np.exp(log_sigma)
    return -0.5 * np.sum(z * z) - len(x) * log_sigma - 0.5 * len(x) * math.log(2.0 * math.pi)


add(gaussian_loglik, A, -0.3, V5)


def attention(x, wq, wk, wv):
    q = np.dot(x, wq)
    k = np.dot(x, wk)
    v = np.dot(x, wv)
    scores = np.dot(q, k.T) / np.sqrt(q.shape[1])
    scores = scores - np.max(scores, axis=-1, keepdims=True)
    e = np.exp(scores)
    a = e / np.sum(e, axis=-1, keepdims=True)
    return np.sum(np.dot(a, v) ** 2)


add(attention, M23, M32, M32[::-1].copy(), M32 * 0.5)


def attention_batched(q, k, v):
    s = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return np.sum((e / e.sum(axis=-1, keepdims=True)) @ v * v)


add(attention_batched, T223, T223[::-1].copy(), T223 * 0.5)


def layer_norm(x, g, b):
    m = np.mean(x, axis=-1, keepdims=True)
    c = x - m
    v = np.mean(c * c, axis=-1, keepdims=True)
    return np.sum((c / np.sqrt(v + 1e-5) * g + b) ** 3)


add(layer_norm, M23, V3, W3)


def conv1d(x, k):
    n = len(x) - len(k) + 1
    y = np.zeros(n)
    for i in range(n):
        y[i] = np.sum(x[i:i + len(k)] * k)
    return np.sum(y * y)


add(conv1d, V5, V2)


def horner(c, x):
    s = 0.0
    for a in reversed(c):
        s = s * x + a
    return s


add(horner, V4, A)


def cholesky_like(a):
    n = a.shape[0]
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s = s - low[i, k] * low[j, k]
            if i == j:
                low[i, j] = np.sqrt(s)
            else:
                low[i, j] = s / low[j, j]
    return np.sum(low * low * low)


add(cholesky_like, M33 @ M33.T + 2.0 * np.eye(3))


def back_substitution(u, b):
    n = len(b)
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - np.dot(u[i, i + 1:], x[i + 1:])) / u[i, i]
    return np.sum(x * x)


add(back_substitution, M33 + 2.0 * np.eye(3), V3)


def gradient_descent(w, lr, steps):
    for _ in range(steps):
        g = 2.0 * (w - 1.0) + np.cos(w)
        w = w - lr * g
    return np.sum(w * w)


add(gradient_descent, V3, 0.1, 4)


def lennard_jones(r):
    e = 0.0
    for i in range(3):
        for j in range(i):
            d = r[i] - r[j]
            q = 1.0 / (0.5 + np.sum(d * d))
            e += q ** 6 - q ** 3
    return e


add(lennard_jones, M32)


def black_scholes_like(s, k, v, t):
    d1 = (np.log(s / k) + 0.5 * v ** 2 * t) / (v * np.sqrt(t))
    d2 = d1 - v * np.sqrt(t)
    return s * sigmoid(1.7 * d1) - k * sigmoid(1.7 * d2)


add(black_scholes_like, 1.1, 0.9, 0.4, 1.5)


def bilinear(x, a, y):
    return x @ a @ y


add(bilinear, V2, M23, V3)


def mandelbrot_like(c, n):
    z = 0.0
    for i in range(n):
        z = z * z + c
        if abs(z) > 2.0:
            return z * i
    return z


add(mandelbrot_like, 0.31, 6)
add(mandelbrot_like, 1.2, 6, name="mandelbrot_escapes")


def viterbi_soft(x, trans):
    score = x[0]
    for t in range(1, len(x)):
        best = np.max(score.reshape(-1, 1) + trans, axis=0)
        score = best + x[t]
    return np.max(score)


add(viterbi_soft, M33, M33.T.copy() * 0.7)


def bisection(a):
    lo = 0.0
    hi = 2.0
    for _ in range(5):
        mid = 0.5 * (lo + hi)
        if mid ** 3 - a > 0.0:
            hi = mid
        else:
            lo = mid
    x = 0.5 * (lo + hi)
    return x - (x ** 3 - a) / (3.0 * x ** 2)


add(bisection, 1.7)


# ================================================================ refused here, with a reason
section("refused")


# ================================================================ found by attack
section("found")


def found_1(x):
    pile = [x[0], x[1]]
    return pile.pop()


add(found_1, V3P, may_refuse=True)


def found_1b(x):
    pile = [x[0], x[1]]
    a = pile[-1]**2
    b = pile.pop()
    return a*b


add(found_1b, V3P, orders=1, notes="second order is refused: a value that was popped may be the list")


def found_2(x):
    pile = [x[0], x[1]*x[0], x[2]]
    t = pile.pop(0)
    return t*pile[0]


add(found_2, V3P, may_refuse=True)


def found_3(x):
    y = x*2
    t = (y,)
    y[0] = 5.0
    return np.sum(t[0]*x)


add(found_3, V3P, may_refuse=True)


def found_mut(y, s):
    y[0] = s
    return s


def found_4(x):
    y = x*2
    found_mut(y, x[0])
    return np.sum(y)


add(found_4, V3P, may_refuse=True)


def found_4b(x):
    y = x*2
    if found_mut(y, x[0]) > 0:
        return np.sum(y)
    return x[0]


add(found_4b, V3P, may_refuse=True)


def found_5(x):
    y = x*1
    y[np.argmax(y)] = x[0]
    return np.sum(y*y)


add(found_5, V3P, holomorphic=False)


def found_6(x):
    y = x*2
    s = 0.0
    for a in y[1:]:
        y[-1] = a*5
        s += a*a
    return s


add(found_6, V3P, may_refuse=True)


def found_7(x):
    pile = [1.0, 2.0]
    s = 0.0
    for a in pile:
        if len(pile) < 4:
            pile.append(a*3)
        s += a*x[0]*x[1]
    return s


add(found_7, V3P, may_refuse=True)


def found_8(x):
    h = [[x[0]]]
    r = h[0]
    r.append(x[1])
    return h[0][1]*x[0]


add(found_8, V3P, may_refuse=True)


def found_9(x):
    n = np.zeros(3, int)
    n[0] = x[0]*10.7
    return np.sum(n*x)


add(found_9, V3P, may_refuse=True, holomorphic=False)


def found_9b(x):
    n = np.array([1,2,3])
    n[0] = x[0]*10.7
    return np.sum(n*x)


add(found_9b, V3P, may_refuse=True, holomorphic=False)


def found_9c(x):
    return np.sum(np.full_like(np.arange(3), x[0]*5)*x)


add(found_9c, V3P, holomorphic=False)


def found_10(x):
    return np.sum(np.where([True, False, True], x*x, x))


add(found_10, V3P, holomorphic=False)


def found_11(x):
    y = x - x[0]
    t = np.sqrt(y)*2
    return np.sum(np.where(y > 0, t, 0.0))


add(found_11, V3P, orders=1)


def found_16(x):
    s = 0.0
    for v in x:
        if v > 1.3:
            break
        s = s + v*v
    return s


add(found_16, V3P)


def found_17(x):
    pile = [x[0], x[1]]
    if pile.pop() > 0:
        return pile[-1]*x[2]
    return x[1]


add(found_17, V3P, may_refuse=True)


def found_18(x, len=2.0):
    t = 0.0
    for v in x:
        t = t*v + len
    return t


add(found_18, V3P, wrt=(0,))


def found_19(x):
    return np.sum(x**[1,2,3])


add(found_19, V3P)


def found_19b(x):
    return np.sum(np.maximum(x,[.6,0,9]))


add(found_19b, V3P, holomorphic=False)


def found_19c(x):
    return np.linalg.norm([x[0],x[1]])


add(found_19c, V3P, holomorphic=False)


def found_21(x):
    pile = []
    for v in x:
        pile.append(v*v)
    return np.sum(np.concatenate([x, pile])**2)


add(found_21, V3P, may_refuse=True, orders=1)


def found_26(x):
    pile = [x[0], x[1]]
    pile.pop()
    return pile[0]*x[2]


add(found_26, V3P, may_refuse=True)


def found_lo(x):
    for i in range(2):
        x = x*x
    return x


def found_23(x):
    return np.sum(found_lo(x))


add(found_23, V3P, may_refuse=True, orders=1)


def found_30(x):
    order = np.argsort(-x)
    y = x[order]
    y[1:] -= y[:-1]
    return np.sum(y*y)


add(found_30, V3P)


def found_34(x):
    s=0.0
    for a,b in zip(x, reversed(x)):
        s = s + a*b*b
    return s


add(found_34, V3P)


def found_16b(x):
    s = 0.0
    for i in range(3):
        if s > 1.0:
            break
        i = i + 1
        s = s + x[0]*i
    return s


add(found_16b, V3P)


def found_alias_w1(x):
    y = x * x
    z = y
    z = z * x
    y[1] = 2.0
    return np.sum(z * y)


add(found_alias_w1, V3P, may_refuse=True)


def found_alias_w2(x):
    y = x * x
    z = y[1:]
    z = z * x[1:]
    y[1] = 2.0
    return np.sum(z) * np.sum(y * y)


add(found_alias_w2, V3P, may_refuse=True)


def found_alias_w6(x):
    y = x * x
    z = y if x[0]>0 else x
    z = z * y
    y[1] = z[0]
    return np.sum(z * y)


add(found_alias_w6, V3P, may_refuse=True)


def found_alias_w7(x):
    y = x * x
    s = np.sum((y if x[0]>0 else x) * x)
    y[1] = 2.0
    return s


add(found_alias_w7, V3P)


def found_alias_w8(x):
    y = x * x
    s = np.sum(y.reshape(3,1) * y.ravel() * x)
    y[1] = 2.0
    return s * s


add(found_alias_w8, V3P)


def found_alias_l1(x):
    n = [1.0, 2.0]
    m = n + [x[0], x[1]]
    return m[0] * x[0]


add(found_alias_l1, V3P, may_refuse=True)


def found_alias_l2(x):
    m = [x[0]] * 3
    return m[2] * x[0]


add(found_alias_l2, V3P, may_refuse=True)


def found_target_twice(x):
    _, _, _ = x
    return _ * 2.0


add(found_target_twice, V3P)


def found_written_to_itself(x):
    y = x * 2.0
    y[:] = y
    y[::-1] = y
    return np.sum(y * x)


add(found_written_to_itself, V3P)


def found_range_is_a_number(x):
    range = 2.0
    s = 0.0
    for v in reversed(x):
        s = s * range + v
    return s


add(found_range_is_a_number, V3P)


def where_condition_of_two_iterations(x):
    s, c = 0.0, x > 1.0
    for i in range(3):
        y = np.sqrt(x - i * 0.5)
        s = s + np.sum(np.where(c, x * x, 0.0))
        c = x > i * 0.5
        s = s + np.sum(np.where(c, y, 0.0))
    return s


add(where_condition_of_two_iterations, np.array([0.55, 1.5, 0.2]), orders=1, holomorphic=False)


def where_condition_below_in_a_branch(x, n):
    if n > 0:
        y = np.sqrt(x)
        c = x > 0.0
        z = np.where(c, y, x)
    else:
        z = x
        c = x > 0.5
    return np.sum(z * z) + np.sum(np.where(c, x, 2.0 * x))


add(where_condition_below_in_a_branch, V3, 1, orders=1, holomorphic=False)
add(where_condition_below_in_a_branch, V3, 0, orders=1, holomorphic=False, name="where_condition_in_the_other_branch")


# ------------------------------------------------------------ found by a third attack
def third_copied_parameter_of_a_callee(A):
    A = A.copy()
    A[0] = A[1] * A[2]
    return A


def third_tangent_of_a_copy(x):
    z = x * x
    return np.sum(third_copied_parameter_of_a_callee(z) * z)


def third_tangent_is_kept(x):
    x = x - 1.0
    x[0] = 0.0
    return np.sum(x * x)


def third_history_of_copies(x):
    u, h = x * 2.0, []
    for i in range(2):
        h.append(u.copy())
        u[i] = u[i] * u[i + 1]
    return np.sum(h[0] * h[1])


for function in (third_tangent_of_a_copy, third_tangent_is_kept):
    add(function, V3)
add(third_history_of_copies, V3, orders=1)


def third_abs_of_complex(x, w):
    return np.abs(np.sum(x * w))


add(third_abs_of_complex, V3, np.array([1j, 2j, 3j]), holomorphic=False, orders=1)


def third_stored_in_the_dtype_of_an_argument(x, labels):
    p = np.zeros_like(labels)
    for i in range(len(x)):
        p[i] = x[i] * 2.0
    return np.sum(p * x)


add(third_stored_in_the_dtype_of_an_argument, V3, np.array([0.0, 1.0, 2.0]), wrt=(0,))


def third_items(x, d):
    return np.sum(x * d["a"])


def third_dict_as_argument(x):
    return third_items(x, {"a": 2.0})


add(third_dict_as_argument, V3)


def third_polynomial(x, c):
    s = 0.0
    for k in range(len(c)):
        s = s + c[k] * x ** k
    return s


add(third_polynomial, 0.0, np.array([1.0, 2.0, 3.0]), wrt=(0,))


def third_exponent_in_a_tuple(x):
    t = (2, x)
    p, y = t
    return np.sum(y ** p)


add(third_exponent_in_a_tuple, np.array([-1.0, -2.0, -3.0]), orders=1)


def third_power(x, p):
    if p > 5:
        return x
    return x ** p


def third_power_in_a_helper(x):
    return np.sum(third_power(x, 2))


add(third_power_in_a_helper, np.array([-1.0, -2.0, -3.0]))
op("third_stable_sigmoid", "np.where(x >= 0, 1 / (1 + np.exp(-x)), np.exp(x) / (1 + np.exp(x)))",
   x=np.array([800.0, 1.0, -2.0]))
op("third_falling_sigmoid", "y / (1.0 + np.exp(x))", x=V3, y=W3)
op("third_silu", "x / (1 + np.exp(-x))", x=V3)
op("third_sigmoid_of_a_sigmoid", "1 / (1 + np.exp(-(1 / (1 + np.exp(-x)))))", x=V3)
op("third_falling_sigmoid_broadcast", "np.reshape(y, (3, 1)) / (1 + np.exp(x[:2]))", x=V3, y=W3)
op("third_falling_sigmoid_far", "1.0 / (1.0 + np.exp(x))", "np.sum(y)",
   {"smooth": False, "expected": np.array([0.0, 0.0])}, x=np.array([800.0, -800.0]))
op("third_nested_where", "np.where(x < 1, np.where(x > 0, np.sqrt(x), 0.0), x)", x=V3)


def third_nested_where_by_name(x):
    s = np.sqrt(x)
    y = np.where(x > 0, s, 0.0)
    return np.sum(np.where(x < 1, y, x) * x)


def third_mask_bound_again(x):
    m = x > 0
    s = np.sqrt(x)
    y = np.where(m, s, 0.0)
    m = x < 1
    return np.sum(np.where(m, y, x)) + np.sum(y * m)


def third_one_value_in_two_wheres(x):
    s = np.sqrt(x)
    return np.sum(np.where(x > 0, s, 0.0) * np.where(x > 0, 2 * s, 1.0))


def third_condition_reads_the_value(x):
    n = np.sqrt(np.sum(x * x))
    return np.sum(np.where(n > 0, x / n, 0.0))


for function in (third_nested_where_by_name, third_mask_bound_again, third_one_value_in_two_wheres):
    add(function, V3)
add(third_condition_reads_the_value, np.zeros(2), smooth=False, expected=np.zeros(2))

section("found")


def asked_for_its_attributes(x, s):
    if not hasattr(x, "__len__"):
        x = np.array([x])
    y = x * s if hasattr(x, "shape") and not hasattr(s, "unit") else x
    return np.sum(y * y) if hasattr([y], "append") else 0.0


add(asked_for_its_attributes, V3, A)

import corpus_decompositions  # noqa: E402, F401  (decompositions of matrices, norms, transforms)
import corpus_dicts  # noqa: E402, F401  (dicts that are gone over)
import corpus_fourier  # noqa: E402, F401  (Fourier transforms)
import corpus_lists  # noqa: E402, F401  (lists that NumPy is given)
import corpus_mutation  # noqa: E402, F401  (arrays that change in place)
import corpus_norms  # noqa: E402, F401  (norms of every order)
import corpus_products  # noqa: E402, F401  (products of arrays)
import corpus_reductions  # noqa: E402, F401  (reductions, order statistics, running operations)
import corpus_shapes  # noqa: E402, F401  (splitting, joining, inserting, padding and choosing)
import corpus_signals  # noqa: E402, F401  (polynomials, convolution, interpolation, covariance)
import corpus_try  # noqa: E402, F401  (what is about try and with)
import corpus_views  # noqa: E402, F401  (views that calls make, and loops over rows that change)

"""Functions of containers, and of objects that hold numbers and arrays: each is tested in every mode by
test_containers.py."""
from __future__ import annotations

import dataclasses
from collections import OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from tangent_nb import register_container

CASES: list[tuple[Any, tuple[Any, ...], Any]] = []


def case(function, *args, wrt=0):
    """Add a function at these arguments."""
    CASES.append((function, args, wrt))


@dataclass
class Layer:
    w: Any
    b: Any = 0.0


@dataclass(frozen=True)
class Frozen:
    w: Any
    b: Any


@dataclass(slots=True)
class Slotted:
    w: Any
    b: Any


@dataclass
class Initialised:
    w: Any
    calls: int = 0

    def __post_init__(self):
        self.calls += 1
        if self.calls > 1:
            raise AssertionError("__post_init__ ran for a gradient")


class Plain:
    scale = 3.0

    def __init__(self, w, b):
        self.w, self.b, self.name = w, b, "plain"


class WithSlots:
    __slots__ = ("w", "b")

    def __init__(self, w, b):
        self.w, self.b = w, b


class Empty:
    pass


class Grid:
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        return self.values[i]


register_container(Grid, lambda grid: {"values": grid.values}, lambda grid, parts: Grid(parts["values"]))
Line = namedtuple("Line", "w b")


class Typed(NamedTuple):
    w: Any
    b: Any = 1.0


A = np.array([0.3, -0.7, 1.2])
M = np.array([[0.5, -0.2, 0.1], [0.4, 0.3, -0.6], [0.2, 0.9, 0.7]])
X = np.array([1.5, 0.4, -0.8])
WB = {"w": A, "b": 0.4}
LAYERS = [(M, A), (0.5 * M, A + 1.0)]
NESTED = {"layers": [Layer(M, A), Layer(0.5 * M, A + 1.0)], "scale": 2.0, "name": "net"}


# ------------------------------------------------------------------ reading
def dict_items_by_key(p, x):
    return np.sum(p["w"] * x) + p["b"] ** 2


case(dict_items_by_key, WB, X)


def dict_with_other_leaves(p, x):
    if p["flag"]:
        x = x * p["n"]
    return np.sum(p["w"] * x) * p["n"]


case(dict_with_other_leaves, {"w": A, "n": 3, "flag": True, "name": None, "f": np.sin}, X)


def dict_int_as_size(p):
    return np.sum(np.ones(p["n"]) * p["w"])


case(dict_int_as_size, {"w": A, "n": 3})


def int_leaves(p):
    return p["n"] * p["x"] + p["k"] * p["x"] * p["n"]


case(int_leaves, {"n": 2, "k": np.int64(3), "x": 1.5})


def numpy_scalar_leaf(p):
    return np.sum(p["w"]) * p["s"] ** 2


case(numpy_scalar_leaf, {"w": A.astype(np.float64), "s": np.float64(0.5)})


def tuple_unpacked(p):
    w, b = p
    return np.sum(w * w) * b


case(tuple_unpacked, (A, 0.5))


def list_unpacked(p):
    w, b, m = p
    return np.sum(m @ w) * b


case(list_unpacked, [A, 0.5, M])


def tuple_items(p, x):
    return p[0] @ x * p[1] + p[-1]


case(tuple_items, (A, 0.5), X)


def loop_over_pairs(params, x):
    for w, b in params:
        x = np.tanh(w @ x + b)
    return np.sum(x)


case(loop_over_pairs, [(M, A), (M.T, 2.0 * A)], X)


def loop_over_pairs_enumerated(params, x):
    for i, (w, b) in enumerate(params):
        x = np.tanh(w @ x + b) * (i + 1.0)
    return np.sum(x)


case(loop_over_pairs_enumerated, LAYERS, X)


def loop_over_pairs_reversed(params, x):
    for w, b in reversed(params):
        x = np.tanh(w @ x + b)
    return np.sum(x)


case(loop_over_pairs_reversed, LAYERS, X)


def loop_over_slice(params, x):
    w, b = params[0]
    x = w @ x + b
    for w, b in params[1:]:
        x = np.tanh(w @ x + b)
    return np.sum(x)


case(loop_over_slice, LAYERS, X)


def last_item_apart(params, x):
    for w, b in params[:-1]:
        x = np.tanh(w @ x + b)
    w, b = params[-1]
    return np.sum(w @ x + b)


case(last_item_apart, LAYERS, X)


def by_index(params, x):
    for i in range(len(params)):
        x = np.tanh(params[i][0] @ x + params[i][1])
    w, b = params[0]
    return np.sum(x) + np.sum(w) * np.sum(b)


case(by_index, LAYERS, X)


def loop_over_objects(layers, x):
    for layer in layers:
        x = np.tanh(layer.w @ x + layer.b)
    return np.sum(x)


case(loop_over_objects, [Layer(M, A), Layer(M.T, A)], X)


def zipped(params, scales: list):
    s = 0.0
    for (w, b), c in zip(params, scales):
        s = s + np.sum(w @ b) * c
    return s


case(zipped, LAYERS, [2.0, 3.0], wrt=(0, 1))


def nested_reads(p, x):
    h = np.tanh(p["layers"][0].w @ x + p["layers"][0].b)
    return np.sum(p["layers"][1].w @ h + p["layers"][1].b) * p["scale"]


case(nested_reads, NESTED, X)


def nested_loop(p, x):
    for layer in p["layers"]:
        x = np.tanh(layer.w @ x + layer.b)
    return np.sum(x) * p["scale"]


case(nested_loop, NESTED, X)


def over_items(p):
    s = 0.0
    for k, v in p.items():
        s = s * v + (v if k == "a" else v * v)
    return s


case(over_items, {"a": 1.0, "b": 2.0, "c": 0.5})


def over_values(p):
    s = 1.0
    for v in p.values():
        s = s * np.sum(v * v)
    return s


case(over_values, {"a": A, "b": 2.0 * A})


def over_keys(p):
    s = 1.0
    for k in p.keys():
        s = s * p[k] + p["a"]
    return s


case(over_keys, {"a": 1.0, "b": 2.0})


def over_sorted_items(p):
    s = 1.0
    for k, v in sorted(p.items()):
        s = s * v + (1.0 if k == "a" else v)
    return s


case(over_sorted_items, {"b": 1.0, "a": 2.0})


def over_items_enumerated(p):
    s = 1.0
    for i, (_, v) in enumerate(p.items()):
        s = s * v + i
    return s


case(over_items_enumerated, {"a": 1.0, "b": 2.0})


def over_items_as_pairs(p):
    s = 1.0
    for pair in p.items():
        s = s * pair[1] + len(pair[0])
    return s


case(over_items_as_pairs, {"a": 1.0, "b": 2.0})


def over_nested_items(p):
    s = 1.0
    for _, group in p.items():
        for _, v in group.items():
            s = s * v + v
    return s


case(over_nested_items, {"first": {"a": 1.0, "b": 2.0}, "second": {"a": 0.5}})


def contains(p):
    y = np.sum(p["w"])
    if "b" in p:
        y = y * p["b"]
    if "c" in p:
        y = y * p["c"]
    return y * len(p)


case(contains, {"w": A, "b": 0.5})


def get_with_default(p, x):
    return np.sum(p.get("w")) * p.get("b", x) + p.get("w", x)[0]


case(get_with_default, {"w": A}, 2.0, wrt=(0, 1))


def dict_copied(p):
    q = dict(p)
    return np.sum(q["w"]) * q["b"]


case(dict_copied, {"w": A, "b": 2.0})


def dicts_merged(p, q):
    r = p | q
    return np.sum(r["w"]) * r["b"] + p["b"]


case(dicts_merged, {"w": A, "b": 2.0}, {"b": 3.0}, wrt=(0, 1))


def dict_display_with_stars(p):
    q = {**p, "b": p["b"] * 3.0}
    return np.sum(q["w"]) * q["b"]


case(dict_display_with_stars, {"w": A, "b": 2.0})


def dict_display_of_two(p, q):
    r = {"s": p["b"], **p, "t": 1.0, **q}
    return np.sum(r["w"]) * r["b"] * r["s"] + r["c"]


case(dict_display_of_two, {"w": A, "b": 2.0}, {"b": 3.0, "c": 0.5}, wrt=(0, 1))


def list_copied(p):
    a, b, c = p
    q = list(p)
    return q[0] * q[1] + a * b * c


case(list_copied, [1.0, 2.0, 3.0])


def tuple_of_list(p):
    a, b = p
    q = tuple([a * b, b])  # noqa: C409
    return q[0] * q[1]


case(tuple_of_list, (1.0, 2.0))


def named_tuple(p, x):
    return np.sum(p.w * x) * p.b


case(named_tuple, Line(A, 0.5), X)


def star_unpacked(p):
    first, *rest = p
    return first * np.sum([v * i for i, v in enumerate(rest, 1)])


case(star_unpacked, (1.5, 0.5, 2.0))


def made_a_list(p):
    q = list(p)
    q.append(q[0] * q[1])
    return q[2] * q[-1]


case(made_a_list, (1.5, 0.5, 2.0))


def named_tuple_unpacked(p, x):
    w, b = p
    return np.sum(w * x) * b + p.b


case(named_tuple_unpacked, Line(A, 0.5), X)


def named_tuple_replaced(p):
    q = p._replace(b=p.b * p.b)
    return np.sum(q.w) * q.b + p.b


case(named_tuple_replaced, Line(A, 0.5))


def typed_named_tuple(p):
    return p.w * p.b + p[0]


case(typed_named_tuple, Typed(2.0))


def dataclass_fields(p, x):
    return np.sum(p.w * x) * p.b


case(dataclass_fields, Layer(A, 0.5), X)


def frozen_dataclass(p, x):
    return np.sum(p.w * x) * p.b


case(frozen_dataclass, Frozen(A, 0.5), X)


def dataclass_replaced(p):
    q = dataclasses.replace(p, w=p.w * 2.0, b=p.b ** 2)
    return np.sum(q.w * q.b) + np.sum(p.w)


case(dataclass_replaced, Frozen(A, 0.5))


def slotted_dataclass(p, x):
    return np.sum(p.w * x) * p.b


case(slotted_dataclass, Slotted(A, 0.5), X)


def post_init_is_not_run(p):
    return np.sum(p.w * p.w)


case(post_init_is_not_run, Initialised(A))


def namespace(p, x):
    return np.sum(p.w * x) * p.b


case(namespace, SimpleNamespace(w=A, b=0.5, tag="t"), X)


def plain_object(p, x):
    return np.sum(p.w * x) * p.b


case(plain_object, Plain(A, 0.5), X)


def class_constant(p):
    return np.sum(p.w) * p.scale


case(class_constant, Plain(A, 0.5))


def object_with_slots(p):
    return np.sum(p.w) * p.b


case(object_with_slots, WithSlots(A, 0.5))


def ordered_dict(p):
    return p["a"] * p["b"]


case(ordered_dict, OrderedDict(a=1.0, b=2.0))


def default_dict(p):
    return p["a"] * p["b"] ** 2


case(default_dict, defaultdict(float, a=1.0, b=2.0))


def registered(p):
    return np.sum(p["grid"].values ** 2)


case(registered, {"grid": Grid(A)})


def same_array_twice(p):
    return np.sum(p["a"] * p["b"] ** 2)


case(same_array_twice, {"a": A, "b": A})


def deep(p):
    first, second = p
    (a, b), (c,) = first
    d, e = second["k"]
    return a * b * c * d + np.sum(e)


case(deep, [[[1.0, 2.0], [3.0]], {"k": (4.0, A)}])


def methods_of_items(p, x):
    return (p["w"].T @ x).sum() + p["w"].shape[0] * p["w"].mean()


case(methods_of_items, {"w": M}, X)


def items_indexed_further(p):
    return p["w"][0] * p["w"][1:].sum()


case(items_indexed_further, {"w": A})


def list_used_as_array(p):
    return np.sum(p["w"]) ** 2 + np.dot(p["w"], p["w"])


case(list_used_as_array, {"w": [1.0, 2.0, 3.0]})


def builtin_sum_of_item(p):
    return sum(p["w"]) * p["w"][1]


case(builtin_sum_of_item, {"w": [1.0, 2.0, 3.0]})


def stacked_items(p):
    return np.sum(np.stack(p["rows"]) ** 2)


case(stacked_items, {"rows": [A, 2.0 * A]})


def key_from_argument_loop(p):
    s = 1.0
    for name in ("a", "b", "a"):
        s = s * p[name]
    return s


case(key_from_argument_loop, {"a": 1.0, "b": 2.0})


def branch_reads_other_item(p, n):
    if n > 2:
        y = p["a"]
    else:
        y = p["b"]
    return y * y


case(branch_reads_other_item, {"a": 1.0, "b": 2.0}, 3)


def rebound(p):
    p = p["a"]
    return p * p


case(rebound, {"a": 1.5, "b": 2.0})


def rebound_in_loop(p):
    for key in ("a", "b", "c"):
        p = p[key]
    return np.sum(p * p)


case(rebound_in_loop, {"a": {"b": {"c": A}}})


def while_reading(p):
    s, n = 1.0, 0
    while n < 3:
        s = s * p["a"]
        n += 1
    return s


case(while_reading, {"a": 1.5})


def nested_unpacking(p):
    a, (b, c) = p
    return a * b + b * c


case(nested_unpacking, (1.0, (2.0, 3.0)))


def choice_of_containers(p, q):
    r = p if p["a"] > 2.5 else q
    return r["a"] * p["a"]


case(choice_of_containers, {"a": 2.0}, {"a": 3.0}, wrt=(0, 1))


def helper(layer, x):
    return np.tanh(layer["w"] @ x + layer["b"])


def long_helper(layer, x):
    y = layer["w"] @ x
    if np.sum(y) > 0.0:
        y = y * 2.0
    return np.tanh(y + layer["b"])


def passed_to_helper(layers, x):
    for layer in layers:
        x = helper(layer, x)
    return np.sum(x)


case(passed_to_helper, [{"w": M, "b": A}, {"w": M.T, "b": A}], X)


def passed_to_long_helper(layers, x):
    for layer in layers:
        x = long_helper(layer, x)
    return np.sum(x)


case(passed_to_long_helper, [{"w": M, "b": A}, {"w": M.T, "b": A}], X)


def recursive(tree, x):
    if "value" in tree:
        return tree["value"] * x
    return recursive(tree["left"], x) * recursive(tree["right"], x)


def through_recursion(tree, x):
    return recursive(tree, x)


case(through_recursion, {"left": {"value": 2.0}, "right": {"left": {"value": 3.0}, "right": {"value": 0.5}}},
     1.5, wrt=(0, 1))


def made(x, y):
    return {"sum": x + y, "product": x * y}


def dict_returned_by_helper(x, y):
    d = made(x, y)
    return d["sum"] * d["product"]


case(dict_returned_by_helper, 2.0, 3.0, wrt=(0, 1))


# ------------------------------------------------------------------ making and storing
def dict_display(x):
    d = {"a": x, "b": np.sum(x)}
    return np.sum(d["a"]) * d["b"]


case(dict_display, A)


def dict_call(x):
    d = dict(a=x * x, b=x)  # noqa: C408
    return d["a"] * d["b"]


case(dict_call, 2.0)


def dict_grows(x):
    d = {}
    d["y"] = np.sin(x)
    d["z"] = d["y"] * x
    return d["y"] * d["z"]


case(dict_grows, 2.0)


def dict_item_overwritten(x):
    d = {"y": x}
    a = d["y"] * x
    d["y"] = a * a
    return d["y"] * a


case(dict_item_overwritten, 2.0)


def dict_item_overwritten_by_constant(x):
    d = {"y": x}
    a = d["y"] * x
    d["y"] = 3.0
    return d["y"] * a


case(dict_item_overwritten_by_constant, 2.0)


def dict_item_added_to(x):
    d = {"y": 0.0}
    d["y"] += x * x
    d["y"] *= x
    d["y"] -= 1.0
    return d["y"] * x


case(dict_item_added_to, 2.0)


def dict_array_added_to(x):
    d = {"y": x * 2.0}
    d["y"] += x
    return np.sum(d["y"] ** 2)


case(dict_array_added_to, A)


def dict_filled_in_loop(x, n):
    d = {}
    for i in range(n):
        d[i] = x * (i + 1)
        if i > 0:
            d[i] = d[i] * d[i - 1]
    return d[n - 1]


case(dict_filled_in_loop, 1.3, 3)


def dict_item_in_loop(x, n):
    d = {"s": 0.0}
    for i in range(n):
        d["s"] = d["s"] * x + i
    return d["s"]


case(dict_item_in_loop, 1.3, 4)


def dict_in_branches(x, n):
    d = {"s": x}
    for i in range(n):
        if i % 2:
            d["s"] = d["s"] * x
        else:
            d["t"] = d["s"] + x
    return d["s"] * d["t"]


case(dict_in_branches, 1.3, 4)


def dict_beside(x):
    d = {}
    d["n"] = 2.0
    y = x * d["n"]
    d["n"] = 5.0
    return y * y * d["n"]


case(dict_beside, 1.3)


def counters_beside(x, n):
    d = {"n": 0}
    for _ in range(n):
        d["n"] += 1
        x = x * d["n"]
    return x


case(counters_beside, 1.3, 4)


def list_item_set(x):
    items = [x, x * x, 0.0]
    items[2] = items[0] * items[1]
    items[0] = 2.0 * items[2]
    return items[0] * items[1] + items[-1]


case(list_item_set, 1.3)


def list_items_in_loop(x, n):
    items = [0.0] * n
    items[0] = x
    for i in range(1, n):
        items[i] = items[i - 1] * x
    return items[-1] + items[1]


case(list_items_in_loop, 1.3, 4)


def list_item_added_to(x):
    items = [x, x]
    items[1] += x * x
    items[-1] *= 2.0
    return items[1] * items[0]


case(list_item_added_to, 1.3)


def appended_and_set(x):
    items = []
    items.append(x)
    items.append(x * x)
    items[0] = items[1] * x
    items.append(items[0])
    return items[2] * items[0]


case(appended_and_set, 1.3)


def namespace_made(x):
    p = SimpleNamespace(w=x, b=2.0)
    p.c = np.sum(p.w)
    p.b = p.c * p.b
    p.b += p.c
    return p.b * np.sum(p.w)


case(namespace_made, A)


def dataclass_made(x, y):
    p = Layer(x * y, b=x)
    q = Layer(y)
    return p.w * p.b + q.w + q.b


case(dataclass_made, 2.0, 3.0, wrt=(0, 1))


def frozen_made(x, y):
    p = Frozen(x * y, y)
    return p.w * p.b


case(frozen_made, 2.0, 3.0, wrt=(0, 1))


def named_tuple_made(x, y):
    p = Line(b=x * y, w=y)
    w, b = p
    return p.w * p.b + p[0] * b + w


case(named_tuple_made, 2.0, 3.0, wrt=(0, 1))


def attribute_set(x):
    p = Layer(x)
    for i in range(3):
        p.w = p.w * x
        p.b = p.w + i
    return p.w * p.b


case(attribute_set, 2.0)


def empty_object_filled(x):
    p = Empty()
    p.a = x * x
    p.b = p.a * x
    return p.b * p.a


case(empty_object_filled, 2.0)


def sgd_step(p, rate):
    new = {}
    for k, v in p.items():
        new[k] = v - rate * v * v
    return np.sum(new["w"]) * new["b"]


case(sgd_step, {"w": A, "b": 1.5}, 0.1)


def default_dict_made(x):
    d = defaultdict(float)
    d["a"] = x * x
    return d["a"] * x


case(default_dict_made, 1.3)


def stored_containers(x):
    d = {}
    d["pair"] = (x, x * x)
    d["more"] = {"c": x}
    a, b = d["pair"]
    return a * b * d["more"]["c"]


case(stored_containers, 1.3)


def whole_argument_stored(p):
    d = {}
    d["p"] = p
    return np.sum(d["p"]["w"]) * p["b"]


case(whole_argument_stored, {"w": A, "b": 1.5})


def over_own_keys(p):
    s = 1.0
    for k in p:
        s = s * p[k] + len(k)
    return s


case(over_own_keys, {"a": 1.5, "bb": 2.0})


def list_of_floats(xs):
    s = 1.0
    for v in xs:
        s = s * v + v
    return s


case(list_of_floats, [1.5, 2.0, 0.5])
case(list_of_floats, (1.5, 2.0, 0.5))
case(list_of_floats, np.array([1.5, 2.0, 0.5]))


def items_by_number(p):
    return p[0] * p[1] + p[-1] ** 2


case(items_by_number, (2.0, 3.0))
case(items_by_number, [2.0, 3.0])
case(items_by_number, np.array([2.0, 3.0]))
case(items_by_number, Line(2.0, 3.0))
case(items_by_number, [2, 3.0])


def values_summed(p):
    return sum(p.values()) * list(p.values())[0]


case(values_summed, {"a": 1.5, "b": 2.0})


def dict_updated(x):
    d = {"a": x}
    d.update({"b": x * x, "a": 3.0 * x})
    d.update(c=x)
    return d["a"] * d["b"] * d["c"]


case(dict_updated, 1.5)


def read_by_getattr(p):
    return getattr(p, "w") * p.b


case(read_by_getattr, SimpleNamespace(w=2.0, b=3.0))


def int_as_index(p, x):
    return x[p["i"]] * p["s"] + x[p["n"] - 1]


case(int_as_index, {"i": 1, "s": 2.0, "n": 3}, A, wrt=1)


def fields_named_like_methods(p):
    return p.values * p.items + p.get


case(fields_named_like_methods, SimpleNamespace(values=2.0, items=3.0, get=0.5))


def dict_comprehended_by_hand(p):
    q = {}
    for k in p.keys():
        q[k + "2"] = p[k] * 2.0
    s = 0.0
    for k, v in q.items():
        s = s + v * len(k)
    return s


case(dict_comprehended_by_hand, {"a": 1.5, "bb": 2.0})


@dataclass
class Defaults:
    w: Any
    b: Any = 3.0
    c: Any = dataclasses.field(default=5.0, kw_only=True)
    d: Any = 7.0


def defaults_are_constants(x):
    p = Defaults(x, d=x * x)
    q = Defaults(x, x * x, x)
    r = Typed(x)
    return p.w * p.b * p.c * p.d + q.w * q.b * q.c * q.d + r.w * r.b


case(defaults_are_constants, 1.5)


def values_changed_in_loop(x):
    d = {"a": x, "b": x * x}
    for k, v in d.items():
        d[k] = v * d["a"]
    return d["a"] * d["b"]


case(values_changed_in_loop, 1.5)


def list_of_dicts(x, n):
    found = []
    for i in range(n):
        d = {"i": i}
        d["x"] = x * (i + 1.0)
        found.append(d)
    s = 0.0
    for e in found:
        s = s + e["x"] * e["i"] * x
    return s


case(list_of_dicts, 1.5, 3)


def unpacked_in_part(p):
    a, b, c = p["abc"]
    return a * a + p["s"] * c


case(unpacked_in_part, {"abc": [1.0, 2.0, np.array(3.0)[()]], "s": 2.0})


# ---------------------------------------------------------------- objects that are called, and functions that they hold
class Dense:
    def __init__(self, w, act):
        self.w, self.act = w, act

    def __call__(self, x):
        return self.act(self.w * x)

    def squared(self, x):
        return self.w * x * x


class Stack:
    def __init__(self, layers, out):
        self.layers, self.out = layers, out
        self.last = self.scaled

    def scaled(self, x):
        return self.out * x

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.last(x)


class Slot:
    __slots__ = ("f", "w")

    def __init__(self, f, w):
        self.f, self.w = f, w

    def at(self, x):
        return self.f(x) * self.w

    @staticmethod
    def half(x):
        return x * 0.5

    def both(self, x):
        return self.half(x) * self.w + self.at(self.half(x))


class Rate:
    def __init__(self, k):
        self.k = k

    def __call__(self, t, *, shift=0.0):
        return self.k * t + shift * self.k


def called_object(p, x):
    return p(x) * p.w


case(called_object, Dense(0.7, np.tanh), 1.3, wrt=(0, 1))


def called_objects_in_a_list(m, x):
    return m(x) + m.out


case(called_objects_in_a_list, Stack([Dense(0.7, np.tanh), Dense(1.2, np.sin)], 0.4), 1.3, wrt=(0, 1))


def function_in_a_slot(s, x):
    return s.both(x) * x


case(function_in_a_slot, Slot(np.sin, 0.6), 1.3, wrt=(0, 1))
case(function_in_a_slot, Slot(partial(np.multiply, 0.8), 0.6), 1.3, wrt=(0, 1))
case(function_in_a_slot, Slot(Rate(0.8), 0.6), 1.3, wrt=(0, 1))
case(function_in_a_slot, Slot(lambda t: t * t, 0.6), 1.3, wrt=(0, 1))


def held_object_under_a_name(s, x):
    rate = s.f
    return rate(x, shift=x * s.w) * s.w


case(held_object_under_a_name, Slot(Rate(0.8), 0.6), 1.3, wrt=(0, 1))


def called_in_a_loop(ps, x, n):
    total = 0.0
    for i in range(n):
        p = ps[i % 2]
        x = p(x)
        total = total + x * p.w
    return total


case(called_in_a_loop, [Dense(0.7, np.tanh), Dense(1.2, Rate(0.3))], 1.3, 3, wrt=(0, 1))

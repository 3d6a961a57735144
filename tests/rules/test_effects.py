"""What the rows of effects say is what Python and NumPy do: each row is called with real objects,
which are compared before and after."""
from __future__ import annotations

import builtins
import copy
import gc
import inspect
import io
import itertools
import logging
import random
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, ValuesView
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from tangent_nb.rules import Effects, effect_rows, effects_of, lookup_method, method_row, methods_named
from tangent_nb.rules.methods import Named

MUTABLE = (list, deque, dict, OrderedDict, defaultdict, Counter, set, np.ndarray)


class Thing(float):
    """A number that is itself and no other."""


class Watched:
    """Something that can be gone over, and counts how often it is."""

    def __init__(self, *items: Any) -> None:
        self.parts, self.count, self.ended = items, 0, False

    def __iter__(self) -> Iterator[Any]:
        self.count += 1
        yield from self.parts
        self.ended = True

    __reversed__ = __iter__


class Called:
    """A function of any arguments, which counts its calls."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, *args: Any) -> Any:
        self.count += 1
        return Thing(0.5) if not args else float(args[-1]) > 1.5 if isinstance(args[-1], float) else 1


class Summed(Called):
    """The same, of arrays."""

    def __call__(self, *args: Any) -> Any:
        self.count += 1
        return np.sum(*args)


class Owner:
    """An object with an attribute."""

    def __init__(self) -> None:
        self.x = Thing(7.0)


KEY, VALUE = Thing(1.0), Thing(2.0)
PAIRS: dict[Any, Any] = {KEY: VALUE, Thing(3.0): Thing(4.0)}
COUNT = np.arange(1.0, 37.0).reshape(6, 6)


def things() -> list[Any]:
    return [Thing(3.0), Thing(1.0), Thing(2.0)]


RECEIVERS: dict[Any, Callable[[], list[Any]]] = {
    list: lambda: [things()], tuple: lambda: [(*things(),)], deque: lambda: [deque(things()), deque(things(), 5)],
    dict: lambda: [dict(PAIRS)], OrderedDict: lambda: [OrderedDict(PAIRS)],
    defaultdict: lambda: [defaultdict(Called(), PAIRS)], Counter: lambda: [Counter({KEY: 2, Thing(3.0): 1}), Counter()],
    set: lambda: [set(things())], frozenset: lambda: [frozenset(things())],
    Decimal: lambda: [Decimal("2.5")],
    str: lambda: ["a,b"], bytes: lambda: [b"a,b"], np.generic: lambda: [np.float64(1.0)],
    np.ndarray: lambda: [COUNT[:3, :3].copy(), COUNT[::2, ::2], np.array([0.3, 0.9, 0.5]), np.array([3, 1, 2]),
                         np.array([[0.5]]), COUNT[:2, :2] + 1j, COUNT.copy()[0], np.arange(4.0), np.eye(3)],
    np.random.Generator: lambda: [np.random.default_rng(0)], np.random.RandomState: lambda: [np.random.RandomState(0)],
    random.Random: lambda: [random.Random(0)], io.StringIO: lambda: [io.StringIO("a")],
    Named: lambda: [Named(Thing(1.0))], logging.Logger: lambda: [logging.getLogger("rows")]}
GIVEN: dict[str, Callable[[], list[Any]]] = {
    "x": lambda: [Thing(9.0), Thing(1.0), things(), 2, 2 * np.eye(3), Watched(Thing(9.0), Thing(8.0))],
    "xs": lambda: [Watched(*things(), Thing(9.0)), Watched(Thing(0.0), Thing(1.0)), things(), 5.0, (Thing(8.0),),
                   deque([Thing(8.0)]), {Thing(1.0), Thing(8.0)},
                   frozenset([Thing(8.0)]), Counter({Thing(8.0): 2}),
                   frozenset([Thing(1.0), Thing(2.0), Thing(3.0), Thing(5.0)])],
    "a": lambda: [Owner(), things(), COUNT.copy()], "b": lambda: [Thing(1.0), np.ones(3), things()],
    "i": lambda: [0, slice(0, 2)], "key": lambda: [KEY, Thing(5.0), None], "n": lambda: [2, 1], "r": lambda: [2],
    "name": lambda: ["x"], "kind": lambda: [Thing, object], "default": lambda: [Thing(6.0)], "dst": lambda:
    [np.arange(4.0), np.ones((2, 2))], "fillvalue": lambda: [Thing(6.0)], "values": lambda: [np.array([9.0, 8.0])],
    "mask": lambda: [np.array([True, False, True, False])], "ind": lambda: [np.array([1, 2])], "indices": lambda:
    [np.array([0, 2])], "src": lambda: [9.0], "v": lambda: [9.0], "vals": lambda: [[9.0]], "val": lambda: [9.0],
    "value": lambda: [9.0], "kth": lambda: [0], "axis": lambda: [0], "axis1": lambda: [0], "axis2": lambda: [1],
    "dtype": lambda: [np.float64], "choices": lambda: [[9.0] * 4], "condition": lambda: [[True, False]],
    "repeats": lambda: [2], "exp": lambda: [Decimal("1")], "cls": lambda: [Owner],
    "device": lambda: ["cpu"], "copy": lambda: [False],
    "inplace": lambda: [True],
    "data": lambda: [Watched(*things())], "selectors": lambda: [Watched(1, 0, 1)], "iterator": lambda: [iter(things())],
    "n_children": lambda: [2], "write": lambda: [False], "out": lambda: [np.zeros(3)], "stop": lambda: [2],
    "key_of": lambda: [Called()], "fn": lambda: [Called()], "func": lambda: [Called()], "mycmp": lambda: [Called()],
    "func1d": lambda: [Called()], "function": lambda: [Called()],
    "pyfunc": lambda: [Called()], "arr": lambda: [np.arange(4.0)], "shape": lambda: [(2,)], "axes": lambda: [[0]],
    "initial": lambda: [Thing(0.0)], "msg": lambda: ["%s"], "message": lambda: ["told"], "level": lambda: [10],
    "func_over": lambda: [np.sum], "state": lambda: [np.random.RandomState(1).get_state(), random.Random(1).getstate()]}
STARS: dict[str, Callable[[], list[list[Any]]]] = {
    "several": lambda: [[Watched(*things(), Thing(9.0)), Watched(Thing(1.0), Thing(8.0))], [Watched(Thing(1.0))],
                        [frozenset(map(Thing, range(9)))]], "others": lambda: [[], [Thing(99.0)]],
    "args": lambda: [[Thing(1.0)], [Thing(1.0), Thing(2.0)], [3, Thing(1.0)]], "places": lambda: [["x"]],
    "coding": lambda: [[]], "i": lambda: [[0]], "shape": lambda: [[-1], [3], [9]], "sentinel": lambda: [[]],
    "initial": lambda: [[], [Thing(0.0)]]}
KEYWORDS: dict[str, Any] = {"options": {}, "fields": {"x": Thing(9.0)}, "items": {"b": Thing(2.5)},
                            "parts": {"x": Thing(2.5)}}
OWN: dict[str, list[list[Any]]] = {                        # what some functions take that others do not
    "join": [], "countOf": [], "bytes": [[Watched(1, 2)]], "bytearray": [[Watched(1, 2)]], "memoryview": [[np.ones(3)]],
    "chr": [[65]], "ord": [["a"]], "index": [[3]], "normalize_axis_index": [[-1, 2]],
    "simplefilter": [["ignore"]], "filterwarnings": [["ignore"]],
    "round": [[Thing(1.5)]], "bin": [[3]], "hex": [[3]], "oct": [[3]], "format": [[Thing(1.0)]],
    "pow": [[Thing(1.0), 2]], "range": [[3]], "divmod": [[Thing(1.0), 2]], "object": [[]],
    "issubclass": [[Thing, float]], "starmap": [[Called(), Watched((Thing(1.0), Thing(2.0)))]],
    "filter": [[Called(), Watched(*things())]],
    "from_iterable": [[Watched((Thing(1.0), Thing(2.0)), (Thing(9.0),))]],
    "reduce": [[Called(), Watched(*things())], [Called(), Watched(Thing(1.0))]], "joined": [[things(), things()]],
    "repeated": [[things(), 2]], "without": [[dict(PAIRS), Thing(3.0)], [things(), 0]],
    "apply_over_axes": [[Summed(), COUNT, [0]]], "super": [[Thing, Thing(1.0)]],
    "piecewise": [[np.ones(2), [[True, False]], [Called(), 0.0]]], "itemgetter": [[Thing(1.0)]],
    "imatmul": [[np.ones((2, 2)), 2 * np.eye(2)]], "iconcat": [[things(), things()]],
    "iadd": [[things(), things()], [np.ones(2), 1.0]],
    "ior": [[set(things()), {Thing(8.0)}]], "ixor": [[set(things()), {Thing(8.0)}]],
    **{name: [[np.arange(2, 9), 3]] for name in ("isub", "imul", "ifloordiv", "imod", "ipow", "iand", "ilshift")},
    "irshift": [[np.arange(9), 1]], "itruediv": [[np.ones(2), 2.0]]}


def calls(row: Effects) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    """Arguments of a row, made anew for each call: a receiver, what the names ask for,
    and one option after the other."""
    parameters = [p for p in row.signature.parameters.values() if p.name != "self"]
    bound = list(row.signature.parameters)[:1] == ["self"]
    for which in range(len(RECEIVERS[row.owner]()) if bound else 1):
        def first(which: int = which) -> list[Any]:
            return [RECEIVERS[row.owner]()[which]] if bound else []
        if row.name == "join":
            yield [*first(), Watched(*([b"a"] if row.owner is bytes else ["a"]))], {}
        if row.owner is None and row.name in OWN:
            yield from (([*args], {}) for args in OWN[row.name])
        if row.owner in (dict, OrderedDict, defaultdict, Counter) and "xs" in row.signature.parameters:
            yield [*first(), {Thing(5.0): 6}], {}
            yield [*first(), Watched((Thing(5.0), Thing(6.0)))], {}
        if row.fn in (dict, OrderedDict, defaultdict) or row.owner is defaultdict and row.name == "__init__":
            yield [*first(), *([Called()] if "factory" in row.written else []), Watched((Thing(5.0), Thing(6.0)))], {}
        needed = [p for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD]
        sizes = [len((STARS if p.kind is p.VAR_POSITIONAL else GIVEN).get(p.name, lambda: [[]])()) for p in needed]
        for chosen in itertools.product(*map(range, sizes)):
            for option in [None, *(p for p in parameters if p.default is not p.empty)]:
                args, options = first(), {}
                for p, place in zip(needed, chosen, strict=True):
                    value = (STARS if p.kind is p.VAR_POSITIONAL else GIVEN).get(p.name, lambda: [[]])()[place]
                    args += value if p.kind is p.VAR_POSITIONAL else [value]
                if option is not None:
                    name = "key_of" if option.name == "key" else option.name
                    if name not in GIVEN:
                        continue
                    value = GIVEN[name]()[0]
                    if option.kind is not option.KEYWORD_ONLY and parameters.index(option) == len(needed):
                        args.append(value)
                    elif option.kind is not option.POSITIONAL_ONLY:
                        options[option.name] = value
                yield args, options
                for p in parameters:
                    if p.kind is p.VAR_KEYWORD and KEYWORDS[p.name]:
                        yield list(args), dict(KEYWORDS[p.name])


def inside(value: Any, depth: int = 4) -> Iterator[Any]:
    """What an object refers to, through containers and arrays."""
    yield value
    if depth and not isinstance(value,
                                (type, types.ModuleType, types.FunctionType, str, int, Thing, Watched, random.Random)):
        parts = [value.base] if isinstance(value, np.ndarray) else [vars(value)] if hasattr(value, "__dict__") else []
        for one in [*parts, *([] if isinstance(value, np.ndarray) else gc.get_referents(value))]:
            yield from inside(one, depth - 1)


def state(value: Any) -> Any:
    """What changes where an object is changed in place."""
    if isinstance(value, np.ndarray):
        return value.tobytes(), value.shape, value.flags.writeable
    if isinstance(value, dict):
        return [(id(k), id(v)) for k, v in value.items()], id(getattr(value, "default_factory", None))
    if isinstance(value, (list, deque)):
        return [*map(id, value)]
    if isinstance(value, set):
        return {*map(id, value)}
    if isinstance(value, Owner):
        return {name: id(part) for name, part in vars(value).items()}
    if isinstance(value, np.random.Generator):
        return str(value.bit_generator.state), value.bit_generator.seed_seq.n_children_spawned
    if isinstance(value, (np.random.RandomState, random.Random)):
        return str(value.get_state() if isinstance(value, np.random.RandomState) else value.getstate())
    return value.__reduce__()[1:] if type(value) is type(iter([])) else None


def items(value: Any) -> list[Any]:
    """What is gone over of an argument."""
    if isinstance(value, Watched):
        return [part for one in value.parts for part in (one if isinstance(one, tuple) else [one])]
    if isinstance(value, dict):
        return [*value, *value.values(), *([value.default_factory] if isinstance(value, defaultdict) else [])]
    if isinstance(value, Owner):
        return [*vars(value).values()]
    if type(value) is type(iter([])):
        return value.__reduce__()[1][0]
    return [*value] if isinstance(value, (list, tuple, set, frozenset, deque)) else []


class Seen:
    """What one row did in all of its calls."""

    def __init__(self, row: Effects) -> None:
        self.row, self.asked = row, 0
        self.found: dict[str, set[str]] = {column: set()
                                           for column in ("changes", "holds", "keeps", "iterates", "calls")}
        self.gave: set[str] = set()
        self.passed: set[str] = set()
        self.stops = False
        for args, options in calls(row):
            self.call(args, options)

    def call(self, args: list[Any], options: dict[str, Any]) -> None:
        try:
            bound = self.row.signature.bind(*args, **options).arguments
        except TypeError:
            return
        every = [*args, *options.values()]
        before, parts = {id(one): state(one) for one in every}, {id(one): items(one) for one in every}
        try:
            result = getattr(args[0], self.row.name) if self.row.attribute else self.row.fn(*args, **options)
            given = [*itertools.islice(result, 8)] if self.row.gives == "iterator" else result
        except Exception:                                  # it takes no such arguments
            return
        if self.row.calls and callable(given) and not isinstance(given, type):
            _try(given)
        if self.row.calls and isinstance(given, dict):     # a key that is missing
            _try(copy.copy(given).__getitem__)
        self.asked += 1
        changed = [one for one in every if state(one) != before[id(one)]]
        self.refers(bound, changed, given, parts)
        self.does(bound, changed)
        if self.row.passes and isinstance(given, Iterable):
            out = {*map(id, given)}
            self.passed |= {name for name, one, _ in self.each(bound) if out and out <= {*map(id, parts[id(one)])}}
        given_back = self.row.returns != "" and result is bound[self.row.returns]
        self.gave.add("item" if given_back else self.given(args, result, parts))

    def each(self, bound: dict[str, Any]) -> Iterator[tuple[str, Any, bool]]:
        """Arguments by name, those of a star one by one."""
        for name, value in bound.items():
            kind = self.row.signature.parameters[name].kind
            if kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
                for one in value.values() if isinstance(value, dict) else value:
                    yield name, one, True
            else:
                yield name, value, False

    def refers(self, bound: dict[str, Any], changed: list[Any], given: Any, parts: dict[int, list[Any]]) -> None:
        """What is changed, and what is given, refer to an argument, or to what it contains."""
        known = {id(part) for inner in parts.values() for part in inner}
        where = [*changed,
                 *([] if isinstance(given, Thing) or any(given is one for _, one, _ in self.each(bound)) else [given])]
        referred = {id(part) for one in where for part in inside(one)}
        for place, (name, one, star) in enumerate(self.each(bound)):
            passed = place == 0 and self.row.gives in ("view", "shares", "self", "item")
            if any(one is another for another in changed):
                if self.row.gives == "new" and {id(part) for part in inside(given)} & {*map(id, parts[id(one)])}:
                    self.found["keeps"].add(name)
            elif isinstance(one, (Thing, Owner, list, np.ndarray, Watched, Called, dict, set, deque)) \
                    and id(one) in referred:
                if id(one) not in known and not passed \
                        and not (self.row.gives == "iterator" and isinstance(one, Called)):
                    self.found["keeps" if star else "holds"].add(name)
            elif any(isinstance(part, Thing) and id(part) in referred for part in parts[id(one)]) \
                    and not (passed and isinstance(one, dict)):
                self.found["keeps"].add(name)

    def does(self, bound: dict[str, Any], changed: list[Any]) -> None:
        """Arguments that are changed, gone over and called."""
        for name, one, _ in self.each(bound):
            if any(one is another for another in changed):
                self.found["changes"].add(name)
            if isinstance(one, Watched) and one.count:
                self.found["iterates"].add(name)
                self.stops |= not one.ended and self.row.gives != "iterator"
            if any(isinstance(part, Called) and part.count for part in [one, *items(one)]):
                self.found["calls"].add(name)

    def given(self, args: list[Any], result: Any, parts: dict[int, list[Any]]) -> str:
        """What came back, in the words of the rows."""
        arrays = [one for one in args if isinstance(one, np.ndarray)]
        contained = [part for one in args for part in [one, *parts.get(id(one), ()), *items(one)]]
        if result is None:
            return "nothing"
        if args and result is args[0] and self.row.gives == "self":
            return "self"
        if isinstance(result, (Thing, Called)) and any(result is one for one in contained):
            return "item"
        if isinstance(result, Iterator) and not isinstance(result, np.flatiter):
            return "iterator"
        shared = arrays and any(np.shares_memory(part, arrays[0])
                                for part in [*inside(result), *_array(result)] if isinstance(part, np.ndarray))
        return "view" if shared or isinstance(result, (KeysView, ValuesView, ItemsView)) else "new"


def _try(fn: Any) -> None:
    """Call what a function gave, and compare what that gives."""
    for args in ([Thing(1.0)], [np.ones(2)]):
        try:
            made = fn(*args)
            made < made
        except Exception:
            pass


def _array(value: Any) -> list[Any]:
    return [np.asarray(value)] if isinstance(value, memoryview) \
        else [value.base] if isinstance(value, np.flatiter) else []


GAVE = {"item": {"item", "new", "nothing", "view"}, "self": {"self", "new", "nothing"},
        "shares": {"view", "new", "nothing"}, "new": {"new", "nothing"}}
UNSEEN = ("flags", "bit_generator")                        # what they give holds the object, and does not show it
NAMES = [f"{row.owner.__name__ + '.' if row.owner else ''}{row.name}" for row in effect_rows()]


@pytest.mark.parametrize("row", [pytest.param(row, id=name)
                                 for row, name in zip(effect_rows(), NAMES, strict=True) if not row.outside])
def test_a_row_says_what_is_done(row: Effects) -> None:
    seen = Seen(row)
    assert seen.asked
    if row.draws:
        seen.found["changes"].discard("self")
    assert seen.found == {column: set(getattr(row, column)) for column in seen.found}
    assert row.passes <= seen.passed and row.stops == seen.stops
    certain = {{"shares": "view", "plain": "new"}.get(row.gives, row.gives)}
    assert certain <= seen.gave <= GAVE.get(row.gives, certain) or row.name in UNSEEN


@pytest.mark.parametrize("row", [pytest.param(row, id=name)
                                 for row, name in zip(effect_rows(), NAMES, strict=True) if row.shape_only])
def test_what_reads_shapes_reads_no_number(row: Effects) -> None:
    for args, options in calls(row):
        found: list[str] = []
        for numbers in (COUNT, -COUNT):
            try:
                given = [numbers[:3, :3].copy() if isinstance(one, np.ndarray) else one for one in args]
                found.append(str(getattr(given[0], row.name) if row.attribute else row.fn(*given, **options)))
            except Exception:                              # it takes no such arguments
                continue
        assert found == found[:1] * len(found) or row.fn is id


@pytest.mark.parametrize("kind", [*MUTABLE, tuple, str, frozenset, np.float64])
def test_each_method_has_a_row(kind: type) -> None:
    assert [name for name in dir(kind) if not name.startswith("_") and method_row(kind, name) is None] == ["fromkeys"] \
        * (kind is Counter)


@pytest.mark.parametrize("module", [builtins, itertools])
def test_each_function_has_a_row(module: types.ModuleType) -> None:
    every = {name: fn for name, fn in vars(module).items() if not name.startswith("_") and callable(fn)
             and fn.__module__ == module.__name__}         # IPython puts `display` among the builtins
    assert [name for name, fn in every.items()
            if effects_of(fn) is None and not (isinstance(fn, type) and issubclass(fn, BaseException))] == []


@pytest.mark.parametrize("name",
                         [name for name in dir(np.ndarray) if lookup_method(name) and method_row(np.ndarray, name)])
def test_a_row_and_a_rule_say_the_same_of_memory(name: str) -> None:
    row, rule = method_row(np.ndarray, name), lookup_method(name)
    assert row and rule and (row.gives == "new" if rule.memory == "fresh" else row.gives in ("view", "shares"))


def test_the_object_decides_and_not_its_name() -> None:
    record = [].append
    assert effects_of(record) is effects_of(list.append) is method_row(list, "append")

    def append(self: Any, x: Any) -> None: ...
    assert effects_of(append) is effects_of(types.MethodType(append, [])) is None
    assert {row.owner for row in methods_named("appendleft")} == {deque}


@pytest.mark.parametrize("fn", [np.sin, "".join, np.random.default_rng(0).normal],
                         ids=["rule", "unchanging", "drawing"])
def test_a_row_that_is_not_written_down_is_made_once(fn: Callable[..., Any]) -> None:
    """Its signature is read from its text when it is first asked for."""
    assert effects_of(fn) is effects_of(fn)

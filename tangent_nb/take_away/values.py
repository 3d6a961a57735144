"""Values as expressions: what a variable outside holds, written so that it is the same when the file is read.

Numbers, texts, containers, arrays of up to LARGE numbers, named tuples, dataclasses and plain objects, what functions
are bound to. Larger arrays lie beside the file. What would not come back as it is, to the last bit, is refused.
"""
from __future__ import annotations

import ast
import collections
import enum
import functools
import math
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..emit.literals import literal
from ..runtime.attributes import own_dict
from ..runtime.containers import is_generated_method, is_named, is_record, kind_of, made_of
from ..runtime.kept_samples import stream_at, stream_now
from .ours import Library
from .theirs import NoWayError

LARGE = 100            # numbers of an array that are written; a longer one is read from a file beside
PLAIN = (type(None), bool, int, float, complex, str, bytes, type(...))
BUILTIN = (list, tuple, dict, set, frozenset)
ARGUMENT = "make it an argument of the function"


def is_literal(value: Any) -> bool:
    """A value that Python writes as a constant.

    >>> is_literal((1, "a")), is_literal([1])
    (True, False)
    """
    return type(value) in PLAIN or type(value) is tuple and all(map(is_literal, value))


@dataclass(frozen=True)
class Need:
    """What has to be in the file for a part of a value: another object, under a name."""

    name: str
    value: Any


def needs(value: Any, around: tuple[int, ...] = ()) -> Iterator[tuple[Any, Library | Need]]:
    """What the parts of a value need, by the id of the object, or by a name."""
    if is_literal(value):
        return
    if id(value) in around:
        raise NoWayError("it holds itself", ARGUMENT)
    inside = (*around, id(value))
    kind = type(value)
    if isinstance(value, (np.ndarray, np.generic, np.dtype, np.random.Generator)):
        yield "numpy", Library("numpy")
        if not isinstance(value, np.random.Generator):
            return
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, type, types.ModuleType, np.ufunc)) \
            or hasattr(value, "__wrapped__"):
        yield id(value), Need(getattr(value, "__name__", kind.__name__).rpartition(".")[2], value)
        return
    for part in _parts(value):
        yield from needs(part, inside)


def _parts(value: Any) -> list[Any]:
    """What an expression for a value is made of; NoWayError where there is none."""
    kind = type(value)
    if kind in BUILTIN:
        return [one for pair in value.items() for one in pair] if kind is dict else list(value)
    if kind is range or kind is slice:
        return []
    if isinstance(value, enum.Enum) or is_named(kind):
        return [kind, *(() if isinstance(value, enum.Enum) else value)]
    if kind in (collections.OrderedDict, collections.Counter, collections.defaultdict, collections.deque):
        factory = [value.default_factory] if kind is collections.defaultdict else []
        held = list(value) if kind is collections.deque else [one for pair in value.items() for one in pair]
        return [kind, *factory, *held]
    if kind is functools.partial:
        return [functools.partial, value.func, *value.args, *value.keywords.values()]
    if kind is types.SimpleNamespace:
        return [kind, *vars(value).values()]
    if kind is types.MethodType:
        return [value.__self__]
    if _as_called(value):
        return [kind, *vars(value).values()]
    if kind is np.random.Generator:
        if stream_now(value) is None:
            raise NoWayError("it is a Generator of numbers that cannot be written down as it is",
                             "make it np.random.default_rng(0)")
        return [] if _is_begun(value) else [stream_at]
    if is_record(kind):
        known = kind_of(value)
        assert known is not None
        return [kind, made_of, *known.parts(value).values()]
    raise NoWayError(f"it is an object of class {kind.__name__}, which cannot be written down", ARGUMENT)


def _is_begun(stream: np.random.Generator) -> bool:
    """A stream is where its seed begins it."""
    state = stream_now(stream)
    return state is not None and state == stream_now(np.random.default_rng(state[0]))


def _as_called(value: Any) -> bool:
    """An object of a dataclass that its class gives for its fields."""
    kind = type(value)
    fields = getattr(kind, "__dataclass_fields__", None)
    if fields is None or hasattr(kind, "__post_init__") or not is_generated_method(kind.__init__):
        return False
    return all(one.init and one._field_type.name == "_FIELD" for one in fields.values()) \
        and list(own_dict(value)) == list(fields)


def inner_objects(value: Any) -> Iterator[Any]:
    """The objects in a value, itself first, that may change: where two hold one of them, they see each other's."""
    if is_literal(value) or isinstance(value, (np.generic, np.dtype, types.FunctionType, type, types.ModuleType)):
        return
    yield value
    if not isinstance(value, (np.ndarray, np.ufunc, types.BuiltinFunctionType)) and not hasattr(value, "__wrapped__"):
        for part in _parts(value):
            yield from inner_objects(part)


@dataclass
class Writer:
    """Writes values. name_of: what the file calls what a part needs, by id or name; shared: the names of variables of
    the file that hold an object, by its id; arrays: what is read from beside, None where nothing may lie there, which
    is called `beside`; written: who holds an object that was written; memory: arrays that were, with who holds them."""

    name_of: Callable[[Any], str]
    shared: dict[int, str]
    arrays: dict[str, Any] | None
    beside: str
    written: dict[int, str]
    memory: list[tuple[str, Any]]

    def expression(self, value: Any, name: str, *, whole: bool = True) -> ast.expr:
        """The expression for a value. name: of the variable; whole: it is all that the variable holds."""
        if is_literal(value):
            return self.constant(value)
        if not whole and id(value) in self.shared:
            return _name(self.shared[id(value)])
        if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, type, types.ModuleType, np.ufunc)) \
                or hasattr(value, "__wrapped__"):
            return _name(self.name_of(id(value)))
        if not isinstance(value, (np.generic, np.dtype, enum.Enum)) and value.__class__ not in (range, frozenset):
            if id(value) in self.written:
                raise NoWayError(f"it holds what {self.written[id(value)]} holds too, and the two would see each "
                                 "other's changes", "give it a variable of its own, or a copy")
            self.written[id(value)] = name
        if isinstance(value, (np.ndarray, np.generic, np.dtype)):
            return self.array(value, name)
        return self.container(value, name)

    def constant(self, value: Any) -> ast.expr:
        """A constant: infinity and NaN as calls that read so."""
        if isinstance(value, tuple):
            return ast.Tuple([self.constant(one) for one in value], ast.Load())
        if isinstance(value, float) and not math.isfinite(value):
            call = _call(_name(float.__name__), ast.Constant("nan" if math.isnan(value) else "inf"))
            return call if math.copysign(1.0, value) > 0 else ast.UnaryOp(ast.USub(), call)
        if isinstance(value, complex) and not (math.isfinite(value.real) and math.isfinite(value.imag)
                                               and math.copysign(1.0, value.real) > 0):
            return _call(_name(complex.__name__), self.constant(value.real), self.constant(value.imag))
        return literal(value)

    def container(self, value: Any, name: str) -> ast.expr:
        def inner(one: Any) -> ast.expr:
            return self.expression(one, name, whole=False)

        kind: Any = type(value)
        if kind is list or kind is tuple:
            items = [inner(one) for one in value]
            return ast.List(items, ast.Load()) if kind is list else ast.Tuple(items, ast.Load())
        if kind is dict:
            return ast.Dict([inner(one) for one in value], [inner(one) for one in value.values()])
        if kind in (set, frozenset):
            items = [inner(one) for one in sorted(value, key=repr)]
            return _call(_name(kind.__name__), *([ast.List(items, ast.Load())] if items else []))
        if kind is range or kind is slice:
            return _call(_name(kind.__name__), *map(self.constant, (value.start, value.stop, value.step)))
        if isinstance(value, enum.Enum):
            return ast.Attribute(inner(kind), value.name, ast.Load())
        if is_named(kind):
            return _call(inner(kind), *map(inner, value))
        if kind is collections.deque:
            return _call(inner(kind), ast.List([inner(one) for one in value], ast.Load()),
                         self.constant(value.maxlen))
        if issubclass(kind, dict):
            first = [inner(value.default_factory)] if kind is collections.defaultdict else []
            return _call(inner(kind), *first, ast.Dict([inner(one) for one in value],
                                                       [inner(one) for one in value.values()]))
        if kind is functools.partial:
            return _call(inner(functools.partial), inner(value.func), *map(inner, value.args),
                         **{key: inner(one) for key, one in value.keywords.items()})
        if kind is types.MethodType:
            return ast.Attribute(inner(value.__self__), value.__name__, ast.Load())
        if kind is np.random.Generator:
            state = stream_now(value) or ()
            if _is_begun(value):
                random = ast.Attribute(_name(self.name_of("numpy")), "random", ast.Load())
                return _call(ast.Attribute(random, np.random.default_rng.__name__, ast.Load()), self.constant(state[0]))
            return _call(inner(stream_at), *map(self.constant, state))
        if kind is types.SimpleNamespace or _as_called(value):
            return _call(inner(kind), **{key: inner(one) for key, one in vars(value).items()})
        known = kind_of(value)
        assert known is not None
        return _call(inner(made_of), inner(kind), **{key: inner(one) for key, one in known.parts(value).items()})

    def array(self, value: Any, name: str) -> ast.expr:
        """An array, a number or a dtype of NumPy; refused where it would come back as another one."""
        found = self._array(value, name)
        if isinstance(found, ast.Subscript):
            return found
        code: Any = compile(ast.fix_missing_locations(ast.Expression(found)), "<value>", "eval")
        if not _same(eval(code, {self.name_of("numpy"): np}), value):
            raise NoWayError("it does not come back as it is when it is written down", ARGUMENT)
        return found

    def _array(self, value: Any, name: str) -> ast.expr:
        numpy = _name(self.name_of("numpy"))
        if isinstance(value, np.dtype):
            return _call(ast.Attribute(numpy, "dtype", ast.Load()), ast.Constant(value.str))
        if isinstance(value, np.generic):
            return _call(ast.Attribute(numpy, type(value).__name__, ast.Load()), self.constant(value.item()))
        if type(value) is not np.ndarray or value.dtype.hasobject:
            raise NoWayError("it is an array of objects" if type(value) is np.ndarray else
                             f"it is an array of class {type(value).__name__}", "make it an array of numbers")
        if not (value.flags.c_contiguous or value.flags.f_contiguous):
            raise NoWayError("it is a part of another array, with gaps in memory",
                             "make it np.ascontiguousarray(...)")
        for other, array in self.memory:
            if np.may_share_memory(value, array):
                raise NoWayError(f"it shares memory with {other}, and the two would see each other's changes",
                                 "make it a copy")
        self.memory.append((name, value))
        if value.size > LARGE and not _of_one_number(value) or value.dtype.kind not in "biufc":
            return self.beside_of(value, name)
        return self._short(value, numpy)

    def _short(self, value: Any, numpy: ast.expr) -> ast.expr:
        def called(name: str, *args: ast.expr) -> ast.expr:
            given = value.dtype != np.array(value.tolist()).dtype if name == np.array.__name__ else \
                value.dtype != np.dtype(float)
            more: dict[str, ast.expr] = {"dtype": ast.Constant(value.dtype.str[1:] if value.dtype.isnative
                                                               else value.dtype.str)} if given else {}
            return _call(ast.Attribute(numpy, name, ast.Load()), *args, **more)

        if value.size > 8 and _of_one_number(value) or not value.size:
            first: Any = value.flat[0] if value.size else 0.0
            shape = self.constant(value.shape if value.ndim != 1 else value.shape[0])
            if first == 0 and not np.signbit(np.real(first)) or not value.size:
                found = called("zeros", shape)
            elif first == 1:
                found = called("ones", shape)
            else:
                found = called("full", shape, self.constant(first.item()))
        else:
            found = called(np.array.__name__, self._nested(value.tolist()))
        if not value.flags.c_contiguous:
            found = _call(ast.Attribute(numpy, np.asfortranarray.__name__, ast.Load()), found)
        return found

    def _nested(self, items: Any) -> ast.expr:
        return ast.List([self._nested(one) for one in items], ast.Load()) if isinstance(items, list) \
            else self.constant(items)

    def beside_of(self, value: Any, name: str) -> ast.expr:
        """An array that is read from the file beside."""
        if self.arrays is None:
            raise NoWayError(f"it is an array of {value.size} numbers, too long to stand in a text",
                             "export it to a path, tnb.export(df, path), beside which it then lies, or "
                             f"{ARGUMENT}")
        key = name
        while key in self.arrays:
            key += "_"
        self.arrays[key] = value
        return ast.Subscript(_name(self.beside), ast.Constant(key), ast.Load())


def _of_one_number(value: Any) -> bool:
    return bool(value.size) and value.dtype.kind in "biuf" and value.tobytes() == value.flat[0].tobytes() * value.size


def _same(a: Any, b: Any) -> bool:
    if isinstance(b, np.dtype):
        return bool(a == b)
    return type(a) is type(b) and a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes() \
        and np.asarray(a).strides == np.asarray(b).strides


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _call(function: ast.expr, *args: ast.expr, **keywords: ast.expr) -> ast.Call:
    return ast.Call(function, list(args), [ast.keyword(key, one) for key, one in keywords.items()])

"""The iterators of itertools as lists.

Needs a call of itertools whose arguments are known as Python binds them. Promises the same items in the same order,
evaluated when Python does where that can be told apart: what ends early (`takewhile`, `islice` of a generator)
evaluates nothing after its end.

    accumulate(x, f)      →      values = []
                                 for item in x:
                                     values.append(f(values[-1], item) if values else item)
"""
from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import gast
import numpy as np

from ..syntax.building import call, clone, constant, expr, load, store, subscript, tuple_of
from ..syntax.nodes import literal, nodes_in, parameter_names, starred_parameters
from . import comprehensions, functions, parts, yielding
from .comprehensions import ENDLESS, FINITE, is_endless
from .purity import MORE, computes, is_function
from .scopes import bindings, changed, targets
from .state import State
from .templates import template

HOW_MANY = "how many items are taken together has to be known beforehand, and at most five"


# ---------------------------------------------------------------------- which they are
def maker_of(desugar: State, node: Any) -> Callable[..., gast.expr] | None:
    """What writes a call of itertools as a list, where it is called as it can be written."""
    if not isinstance(node, gast.Call) or any(isinstance(a, gast.Starred) for a in node.args):
        return None
    fn = desugar.object(node.func)
    made = next((maker for one, maker in MAKERS if fn == one), None) if isinstance(fn, (type, *METHODS)) else None
    if made is None:
        return None
    try:
        inspect.signature(made).bind(desugar, *node.args, **{str(k.arg): k.value for k in node.keywords})
    except TypeError:
        made = None
    return made


def yields(desugar: State, node: Any) -> bool:
    """What is gone over is made of what a generator yields, item by item."""
    return any(yielding.started(desugar, part) is not None for part, _ in late(desugar, node))


def known(desugar: State, node: Any) -> bool:
    """An iterator that is written in other words: it carries a derivative, goes on for ever, or is a generator's."""
    return yields(desugar, node) or maker_of(desugar, node) is not None \
        and (desugar.carries(node) or any(is_endless(desugar, part) for part in nodes_in(node)))


def _listed(desugar: State, made: Any) -> gast.expr:
    return comprehensions.unroll(desugar, desugar.placed(gast.ListComp(made.elt, made.generators)))


def written(desugar: State, node: gast.Call) -> Any:
    """The same as the list that its maker writes, or as the generator expression that it is."""
    maker = maker_of(desugar, node)
    assert maker is not None
    count = len(node.args)
    given = in_order(desugar, [*node.args, *(k.value for k in node.keywords)])
    named = {str(k.arg): value for k, value in zip(node.keywords, given[count:], strict=True)}
    return desugar.placed(maker(desugar, *given[:count], **named))


def is_listed(desugar: State, node: Any) -> bool:
    """An iterator that is written in other words."""
    return comprehensions.as_list(desugar, node) is not None or known(desugar, node)


def listed(desugar: State, node: Any) -> gast.expr | None:
    """The items of an iterator that is written in other words; None for any other expression."""
    made = comprehensions.as_list(desugar, node)
    if made is not None:
        return comprehensions.unroll(desugar, made)
    if yields(desugar, node):                              # each is put in a list when it is its turn
        name = desugar.names.new("item")
        one = gast.ListComp(load(name), [gast.comprehension(store(name), node, [], 0)])
        return comprehensions.unroll(desugar, desugar.placed(one))
    if not known(desugar, node):
        return None
    if is_endless(desugar, node):
        raise desugar.refused(node, ENDLESS, FINITE)
    items = written(desugar, node)
    return _listed(desugar, items) if isinstance(items, gast.GeneratorExp) else items


def sequence(desugar: State, node: Any) -> str:
    """A name for the list of what is gone over."""
    made = listed(desugar, node)
    if made is None:
        is_display = isinstance(node, (gast.List, gast.Tuple)) \
            and not any(isinstance(one, gast.Starred) for one in node.elts)
        made = desugar.expr(node if is_display else desugar.placed(call("%list", node)))
    name = made.id if isinstance(made, gast.Name) else desugar.kept(made, "items")
    if desugar.carries(node):
        desugar.varied.add(name)
    return str(name)


def again(desugar: State, node: Any) -> str:
    """A name for what can be gone over again and again: itself, where that is so for certain,
    and it is never bound again."""
    if isinstance(node, gast.Name) and node.id in desugar.once and stays(desugar, node.id):
        return str(node.id)
    return sequence(desugar, node)


def stays(desugar: State, name: str) -> bool:
    """The items of what a name holds are the same wherever it is read: a tuple; or a list that is made for it, or a
    parameter, that nothing changes and nothing else holds."""
    made = desugar.holds.get(name)
    if made is not None and made.kind is tuple:
        return True
    if desugar.places or desugar.apart or name in desugar.shared:      # a path through a display may be it
        return False
    own = {one for one, at in bindings(desugar.tree).items()
           if len(at) == 1 and isinstance(at[0], gast.Assign) and isinstance(at[0].value, (gast.List, gast.ListComp))}
    written = changed(desugar.tree.body)
    if made is not None and made.kind is list and not made.or_number:
        return name in own - written
    given = set(parameter_names(desugar.tree)) - set(starred_parameters(desugar.tree))
    return name in given & desugar.varied and written <= own               # what is differentiated is no iterator


def counted(desugar: State, node: gast.Call) -> tuple[gast.expr, gast.expr]:
    """Start and step of `count(start, step)`, evaluated once."""
    given = {**dict(zip(("start", "step"), node.args, strict=False)), **{str(k.arg): k.value for k in node.keywords}}
    found = [desugar.named(given[name], name) if name in given else constant(default)
             for name, default in (("start", 0), ("step", 1))]
    return found[0], found[1]


# what is computed late
def late(desugar: State, node: Any) -> Iterator[tuple[Any, set[str]]]:
    """The parts of an iterable that are evaluated item by item, each with the names that are its own."""
    one = comprehensions.generator(desugar, node)
    if one is not None:
        mine = targets(one)
        yield from ((part, mine) for part in [one.elt, *(test for goes in one.generators for test in goes.ifs)])
        yield from ((goes.iter, mine) for goes in one.generators[1:])
        yield from late(desugar, one.generators[0].iter)
        return
    if yielding.started(desugar, node) is not None:
        yield node, set()
        return
    if not isinstance(node, gast.Call):
        return
    row = desugar.scope.effects(node)
    if row.at_once or maker_of(desugar, node) is None \
            and not (desugar.scope.builtin(node) and row.gives == "iterator"):
        return
    for arg in [*node.args, *(keyword.value for keyword in node.keywords)]:
        if functions.is_value(desugar, arg):
            yield arg, set()
        else:
            yield from late(desugar, arg.value if isinstance(arg, gast.Starred) else arg)


def in_order(desugar: State, args: Sequence[Any]) -> list[Any]:
    """The arguments of what goes over some of them: where computing an item does more than that, the others, which
    Python evaluates before, under names."""
    if all(computes(desugar, part, ()) for arg in args for part, _ in late(desugar, arg)):
        return list(args)
    return [arg if any(late(desugar, arg)) or is_function(desugar, arg) or computes(desugar, arg, ())
            else load(desugar.kept(desugar.expr(arg), "argument")) for arg in args]


def one_by_one(desugar: State, *args: Any) -> None:
    """Refuse what is gone over in turn with something else, where computing an item does more than that: lists would be
    made of it one after the other."""
    for arg in args:
        if yields(desugar, arg) or not all(computes(desugar, part, ()) for part, _ in late(desugar, arg)):
            raise desugar.refused(arg, MORE, "a list, if all items may be computed first: [...]")


# ---------------------------------------------------------------------- lists
def _chain(desugar: State, *iterables: Any) -> gast.expr:
    return desugar.expr(desugar.placed(gast.List([gast.Starred(one, gast.Load()) for one in iterables], gast.Load())))


def _enumerated(desugar: State, arr: Any) -> gast.expr:
    """`np.ndenumerate(x)`."""
    name = arr.id if isinstance(arr, gast.Name) and arr.id in desugar.once else desugar.kept(desugar.expr(arr), "array")
    return template(desugar, "((index, x[index]) for index in np.ndindex(np.shape(x)))", x=name)


def _chained(desugar: State, iterable: Any, /) -> gast.expr:
    return template(desugar, "(item for row in rows for item in row)", rows=iterable)


def _generated(item: gast.expr, goes: Sequence[tuple[str, gast.expr]],
               tests: Sequence[list[gast.expr]] = ()) -> gast.GeneratorExp:
    return gast.GeneratorExp(item, [gast.comprehension(store(name), over, tests[i] if tests else [], 0)
                                    for i, (name, over) in enumerate(goes)])


def _product(desugar: State, *iterables: Any, repeat: Any = None) -> gast.expr:
    pools = [again(desugar, one) for one in iterables] * (1 if repeat is None else _number(desugar, repeat))
    names = [desugar.names.new("item") for _ in pools]
    if not pools:
        return gast.List([tuple_of([])], gast.Load())
    return _generated(tuple_of(map(load, names)), [(name, load(pool)) for name, pool in zip(names, pools, strict=True)])


def _number(desugar: State, node: Any) -> int:
    """How many are taken: a literal, for the loops are written one by one."""
    count = literal(node, None)
    if type(count) is not int or not 0 < count < 6:
        raise desugar.refused(node, HOW_MANY,
                              "the number itself, from 1 to 5, in place of " + desugar.text(node, "what stands here"))
    return count


def _chosen(fn: Any) -> Callable[..., gast.expr]:
    def made(desugar: State, iterable: Any, r: Any = None) -> gast.expr:
        """`combinations(xs, r)` and such: loops over the places of what is chosen."""
        pool = again(desugar, iterable)
        count = 0 if r is None else _number(desugar, r)
        if not count:
            raise desugar.refused(iterable, HOW_MANY,
                                  f"the number after it: permutations({desugar.text(iterable, 'xs')}, 2)")
        places = [desugar.names.new(name) for name in "ijklm"[:count]]
        goes: list[tuple[str, gast.expr]] = []
        tests: list[list[gast.expr]] = []
        for k, place in enumerate(places):
            first: list[gast.expr] = []
            if k and fn is itertools.combinations:
                first = [gast.BinOp(load(places[k - 1]), gast.Add(), constant(1))]
            elif k and fn is itertools.combinations_with_replacement:
                first = [load(places[k - 1])]
            goes.append((place, call("%range", *first, call("%len", pool))))
            differ: list[gast.expr] = [gast.Compare(load(place), [gast.NotEq()], [load(one)]) for one in places[:k]]
            tests.append(differ if fn is itertools.permutations else [])
        return _generated(tuple_of([subscript(pool, load(place)) for place in places]), goes, tests)
    return made


def _repeat(desugar: State, value: Any, times: Any = None) -> gast.expr:
    return template(desugar, "(value for i in range(times))", value=desugar.named(value, "value"), times=times)


def _accumulate(desugar: State, iterable: Any, func: Any = None, *, initial: Any = None) -> gast.expr:
    """`accumulate(xs, f, initial=v)`; None is what is not given."""
    f = None if func is None or _is_none(func) else functions.steady(desugar, func)
    if f is not None and not computes(desugar, func, ()):
        one_by_one(desugar, iterable)
    kept = sequence(desugar, iterable)
    made, item = desugar.temporary("values"), desugar.temporary("item")
    step = expr("made[-1] + item", made=made, item=item) if f is None \
        else expr("f(made[-1], item)", f=f, made=made, item=item)
    given = initial is not None and not _is_none(initial)
    return template(desugar, """
        made = start
        for item in xs:
            made.append(step)
        made""", xs=kept, start=gast.List([initial] if given else [], gast.Load()), made=made, item=item,
                    step=step if given else expr("step if made else item", step=step, made=made, item=item))


def _is_none(node: Any) -> bool:
    return isinstance(node, gast.Constant) and node.value is None


def _takewhile(desugar: State, predicate: Any, iterable: Any, /) -> gast.expr:
    return template(desugar, """
        items = []
        for item in xs:
            if not holds(item):
                break
            items.append(item)
        items""", xs=iterable, holds=functions.steady(desugar, predicate))


def _dropwhile(desugar: State, predicate: Any, iterable: Any, /) -> gast.expr:
    return template(desugar, """
        items = []
        drops = True
        for item in xs:
            if drops:
                drops = holds(item)
            if not drops:
                items.append(item)
        items""", xs=iterable, holds=functions.steady(desugar, predicate))


def _zip_longest(desugar: State, *iterables: Any, fillvalue: Any = None) -> gast.expr:
    one_by_one(desugar, *iterables)
    pools = [sequence(desugar, one) for one in iterables]
    fill = constant(None) if fillvalue is None else desugar.named(fillvalue, "fill")
    place = desugar.names.new("i")
    lengths: list[gast.expr | str] = [call("%len", pool) for pool in pools]
    longest = lengths[0] if len(lengths) == 1 else call("%max", *lengths)
    picked = [gast.IfExp(gast.Compare(load(place), [gast.Lt()], [call("%len", pool)]), subscript(pool, load(place)),
                         clone(fill)) for pool in pools]
    return _generated(tuple_of(picked), [(place, call("%range", longest))])


def _islice(desugar: State, iterable: Any, first: Any, second: Any = None, third: Any = None, /) -> gast.expr:
    start, stop, step = (None, first, None) if second is None else (first, second, third)
    bounds = [None if one is None or _is_none(one) else one for one in (start, stop, step)]
    for one in bounds:
        if one is not None and isinstance(literal(one, 0), int) and literal(one, 0) < 0:
            raise desugar.refused(one, "islice takes no negative bounds",
                                  "a slice of a list, which does: list(...)[i:j]")
    start, stop, step = bounds
    one = comprehensions.generator(desugar, iterable)
    if is_endless(desugar, iterable) or one is not None:
        if stop is None:
            raise desugar.refused(iterable, "islice has no end here, and its items are computed one by one",
                                  "an end, islice(..., start, stop); or a slice of a list, [...][start:]")
        end = desugar.named(stop, "stop")
        taken = first_of(desugar, iterable, end) if one is None else _first_made(desugar, one, end)
        return taken if start is None and step is None else subscript(taken, gast.Slice(start, None, step))
    source = load(sequence(desugar, iterable))
    return subscript(source, gast.Slice(*bounds))


def _first_made(desugar: State, one: Any, stop: gast.expr) -> gast.expr:
    """The first items that a generator expression makes; nothing is evaluated after them."""
    if len(one.generators) != 1:
        raise desugar.refused(one, "islice stops in the middle of a generator expression that has several loops",
                              "a slice of a list in its place, [...][:n]")
    one = comprehensions.apart(desugar, one)
    certain = isinstance(stop, gast.Constant) and isinstance(stop.value, int) and stop.value > 0
    items = desugar.empty_list("items")
    ends = gast.If(gast.Compare(call("%len", items), [gast.Eq()], [clone(stop)]), [gast.Break()], [])
    over = [comprehensions.nested(one.generators, [parts.append(items, one.elt), ends])]
    return template(desugar, "over\nitems" if certain else "if stop > 0:\n    over\nitems", over=over, stop=stop,
                    items=items)


def first_of(desugar: State, node: Any, count: gast.expr) -> gast.expr:
    """As many items as are asked for of what goes on for ever."""
    fn = desugar.object(node.func)
    if fn is itertools.repeat:
        return _listed(desugar, _repeat(desugar, node.args[0], count))
    if fn is itertools.cycle:
        some = isinstance(node.args[0], (gast.Tuple, gast.List)) and node.args[0].elts
        return _listed(
            desugar, template(desugar, f"(xs[i % len(xs)] for i in range({'count' if some else 'count if xs else 0'}))",
                              xs=sequence(desugar, node.args[0]), count=count))
    start, step = counted(desugar, node)
    first, by = literal(start, None), literal(step, None)
    if type(first) is int and by == 1 and type(by) is int:
        if isinstance(count, gast.Constant) and type(count.value) is int:
            return call("%range", constant(first), constant(first + count.value))
        return call("%range", *([constant(first)] if first else []),
                    gast.BinOp(constant(first), gast.Add(), count) if first else count)
    return template(desugar, """
        value = start
        values = []
        for i in range(count):
            values.append(value)
            value = value + step
        values""", start=start, step=step, count=count)


def zipped(desugar: State, node: gast.Call) -> gast.expr:
    """`zip` of some iterators that end and some that go on for ever."""
    finite = [arg for arg in node.args if not is_endless(desugar, arg)]
    one_by_one(desugar, *(finite if len(finite) > 1 else ()))
    ends = {i: sequence(desugar, arg) for i, arg in enumerate(node.args) if not is_endless(desugar, arg)}
    if not ends:
        raise desugar.refused(node, ENDLESS, "an end for one of them, as range(n) in place of count()")
    lengths: list[gast.expr | str] = [call("%len", name) for name in ends.values()]
    count: gast.expr = call("%min", *lengths) if len(lengths) > 1 else lengths[0]
    count = load(desugar.kept(count, "count"))
    args = [load(ends[i]) if i in ends else first_of(desugar, arg, clone(count)) for i, arg in enumerate(node.args)]
    return call("%zip", *args)


def _count(desugar: State, start: Any = None, step: Any = None) -> gast.expr:
    raise AssertionError("it goes on for ever")


def _cycle(desugar: State, iterable: Any, /) -> gast.expr:
    raise AssertionError("it goes on for ever")


METHODS = (type(itertools.chain.from_iterable),)
NESTED: tuple[tuple[Any, Callable[..., gast.expr]], ...] = (             # generator expressions
    (itertools.chain.from_iterable, _chained), (itertools.product, _product), (itertools.repeat, _repeat),
    (itertools.zip_longest, _zip_longest), (np.ndenumerate, _enumerated), *((fn, _chosen(fn)) for fn in (
        itertools.combinations, itertools.permutations, itertools.combinations_with_replacement)))
MAKERS: tuple[tuple[Any, Callable[..., gast.expr]], ...] = (
    (itertools.pairwise, lambda desugar, xs, /: template(desugar, "zip(x, x[1:])", x=sequence(desugar, xs))),
    (itertools.chain, _chain), (itertools.islice, _islice), (itertools.accumulate, _accumulate),
    (itertools.takewhile, _takewhile), (itertools.dropwhile, _dropwhile), (itertools.count, _count),
    (itertools.cycle, _cycle), *NESTED)

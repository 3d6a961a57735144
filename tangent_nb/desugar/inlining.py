"""Bodies in the place of calls: of methods of objects that are known, of nested functions that assign variables around
them, and of functions that give functions.

Needs a function with a text, and what its parameters are bound to. Promises its statements here, its variables under
new names, and an expression for what it returns.

    def f(x):                         def f(x):
        total = 0.0                       total = 0.0
        def add(v):                       total = total + 2 * x
            nonlocal total       →        return total
            total = total + v
        add(2 * x)
        return total
"""
from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import gast

from ..analyse.leaving import always_leaves
from ..normalise.exits import single_exit
from ..syntax.building import assign, clone, definition, load
from ..syntax.nodes import body_without_docstring, names_in, nodes_in, reads, writes
from ..syntax.parts import place_of, stand_for
from ..syntax.program import MISSING, Captured
from . import arguments, containers, deques, functions, lifting, objects, purity, specialise
from .globals_assigned import short_name
from .scopes import FUNCTIONS, bindings, bound, bound_inside, free, renamed, substituted
from .scopes import own as own_nodes
from .state import State
from .texts import Unit
from .values import FunctionValue, ObjectValue, is_user_object, module_of

Leaving = Callable[[gast.FunctionDef], list[gast.stmt]]


def inline(desugar: State, fn: Any, args: list[Any], keywords: Mapping[Any, Any], *, around: bool = False) -> gast.expr:
    """Emit the body of a function; what it returns. args, keywords: evaluated here already, in order. around: it is
    nested in the function that is written, and shares its variables."""
    unit = desugar.texts.unit(fn)

    def leave(shell: gast.FunctionDef) -> list[gast.stmt]:
        body = [*shell.body] if always_leaves(shell.body) else [*shell.body, gast.Return(gast.Constant(None, None))]
        return single_exit(body, desugar.names, shell.name if shell.name.isidentifier() else "value", desugar.scope)

    saved = desugar.origin, desugar.place, desugar.at
    call = place_of(desugar.here, desugar.origin)
    with standing(desugar, fn, unit, args, keywords, leave, around=around) as (exits, called), desugar.before():
        for stmt in exits[:-1]:
            if isinstance(getattr(stmt, "origin", None), tuple):
                stmt.origin = stmt.origin[0]
            desugar.statement(stmt)
        last: Any = exits[-1]
        if hasattr(last, "lineno"):
            desugar.place, desugar.at = last, None
        result = desugar.expr(last.value)
        desugar.origin, desugar.place, desugar.at = saved
        bind_stored(desugar, called, result)
        stand_for([*desugar.made, result], call)
    return result


def method(desugar: State, fn: Any, first: list[Any], node: gast.Call) -> gast.expr:
    """The body of a method in the place of its call. first: the object that it belongs to, or the class."""
    args, keywords = arguments.one_by_one(desugar, node, FunctionValue(fn, node.func, tuple(first)))
    return inline(desugar, fn, [*first, *args], keywords)


@contextmanager
def standing(desugar: State, fn: Any, unit: Unit, args: list[Any], keywords: Mapping[Any, Any], leave: Leaving, *,
             around: bool = False,
             meanwhile: Sequence[gast.stmt] = ()) -> Iterator[tuple[list[gast.stmt], dict[str, Any]]]:
    """The body of a function to be written here, after what its parameters are bound to, and the parameters that stand
    for functions by the name alone. leave: gives the body without exits; meanwhile: what else runs in it."""
    tree = clone(unit.captured.tree)
    given = specialise.opened(unit.captured, tree, arguments.by_parameter(desugar, unit, args, keywords))
    given = arguments.as_called([*args, *keywords.values()], given)
    if unit.captured.source != desugar.captured.source:
        for node in gast.walk(tree):
            node.source = unit.captured.source
    own, inside = bound(tree) | given.keys(), bound_inside(tree)
    desugar.names.used |= free(tree) | inside              # names that are new here must not be theirs
    taken = {name: desugar.temporary(name) for name in sorted(own)}
    desugar.levels.update((name, desugar.depth) for name in taken.values())
    if not around:
        _outer(desugar, unit.captured, tree, own)
    body = [s for s in body_without_docstring(tree) if not isinstance(s, gast.Nonlocal)]
    shell = definition(tree.name, tree.args, body)
    renamed(shell, taken)
    desugar.doubtful |= {node.id for node in nodes_in(shell) if hasattr(node, "unsure")}
    desugar.unsure_inside |= {taken.get(name, name) for name in getattr(tree, "unsure_inside", ())}
    rebound = {name for name, nodes in bindings(shell).items() if len(nodes) > 1}
    late = set().union(*(free(node) for node in own_nodes(shell.body) if isinstance(node, FUNCTIONS)))
    called: dict[str, Any] = {}                            # parameters that stand for functions, by the name alone
    others = _written_by(desugar, meanwhile)
    saved = desugar.stack, desugar.selves, desugar.stored
    desugar.selves = [*desugar.selves, args[0] if args else None]
    for name, value in given.items():
        state = isinstance(value, gast.Name) and value.id not in desugar.objects and (
            around or any(value.id in one.attributes.values() for one in desugar.objects.values()))  # as methods may
        if isinstance(value, gast.Name) and value.id in desugar.objects \
                and others & {value.id, *desugar.objects[value.id].holders}:
            raise objects.escaped(desugar, desugar.place, desugar.objects[value.id])
        captured = not isinstance(value, gast.Constant) and bool(names_in(value) & (inside | others)) \
            or taken[name] in late and not _is_steady(desugar, value) \
            or bool(meanwhile) and purity.may_be_set(desugar, value, meanwhile)                     # by a scope inside
        if _give(desugar, shell, taken[name], value, taken[name] in rebound or state, captured):
            called[taken[name]] = value
    place = desugar.origin, desugar.place, desugar.at
    desugar.stack = [*desugar.stack, fn]
    shell.body = leave(shell)
    desugar.local.update(bound(shell))
    binders = bindings(shell)
    containers.find(desugar, shell, binders)
    deques.find(desugar, shell)
    lifting.find(desugar, shell, unit.functions, binders)
    desugar.find_members(shell)
    desugar.find_structures(shell)
    yield shell.body, called
    desugar.stack, desugar.selves, desugar.stored = saved
    desugar.origin, desugar.place, desugar.at = place


def _written_by(desugar: State, body: Sequence[gast.stmt]) -> set[str]:
    """The variables that statements bind, and the functions that they may call, which share variables with them."""
    if not body:
        return set()
    shared = {name for one in desugar.functions.values() if one.in_place
              for name in writes(desugar.texts.unit(one.fn).captured.tree)}
    return writes(list(body)) | shared


def _is_steady(desugar: State, value: Any) -> bool:
    """A value is what it is now whenever it is read."""
    return isinstance(value, gast.Constant) or desugar.object(value) is not MISSING \
        or isinstance(value, gast.Name) and value.id in desugar.once and not desugar.nested()


def _give(desugar: State, shell: gast.FunctionDef, name: str, value: Any, rebound: bool, captured: bool) -> bool:
    """Bind a parameter: to an object or a function that is known, to a name, or to a value.
    True for a function that no variable holds."""
    if (isinstance(value, gast.Tuple) and not value.elts
        or type(desugar.object(value)) is tuple and not desugar.object(value)) and tuple not in desugar.whole \
            and not rebound and objects.value_of(desugar, desugar.selves[-1]) is not None:
        value = load(desugar.names.new("items"))           # no children: a loop over them is known to do nothing
        desugar.objects[value.id] = ObjectValue(tuple, value.id, born=desugar.out)
    if hasattr(value, "once"):
        if rebound or not value.once(desugar, shell.body, name):
            why = "the items of this argument are computed one by one, and the function that is given it does more " \
                "than to go over it once"
            raise desugar.refused(value, why, "a list, if all items may be computed first: list(...)")
        shell.body = substituted(shell.body, {name: value})
        return False
    if isinstance(value, gast.Name) and value.id in desugar.objects:
        desugar.objects[name] = desugar.objects[value.id]
        if desugar.objects[name].prefix in desugar.apart and any(one.in_place for one in desugar.functions.values()):
            raise objects.escaped(desugar, desugar.place, desugar.objects[name])
        if rebound:
            desugar.alone.add(name)
        return False
    known = None if is_user_object(desugar.object(value)) else functions.value_of(desugar, value)
    if known is not None:
        desugar.functions[name] = known
        if not rebound:
            desugar.local.discard(name)
            return True
    if not isinstance(value, gast.Name) and not rebound and not captured \
            and (made := desugar.structures.at(value)) is not None:
        value = load(desugar.kept(value, getattr(value, "attr", "item")))
        desugar.structures.names[value.id] = made
    if not rebound and not captured and (isinstance(value, (gast.Name, gast.Constant))
                                         or desugar.object(value) is not MISSING
                                         and not purity.may_be_set(desugar, value, shell.body)):
        shell.body = substituted(shell.body, {name: value})
        return False
    if not rebound:
        desugar.temporaries.add(name)
    desugar.statement(desugar.placed(assign(name, value)))
    if objects.is_number(desugar, value):
        desugar.numbers.add(name)
    return False


def bind_stored(desugar: State, called: Mapping[str, Any], result: Any) -> None:
    """Functions that the body does not only call, but stores, are bound before it: the names that are left of them."""
    if not called or desugar.out is None:
        return
    body = desugar.made
    left = names_in(result).union(*map(names_in, body))
    del desugar.out[len(desugar.out) - len(body):]
    for name in sorted(left & called.keys()):
        desugar.local.add(name)
        desugar.statement(desugar.placed(assign(name, called[name])))
    desugar.out += body


def _module(desugar: State, module: types.ModuleType) -> gast.Name:
    """The name of a module here, that of the text where it has one."""
    known = sorted((reads(desugar.tree) | desugar.captured.ours) - desugar.local)
    name = next((one for one in known if desugar.namespace.lookup(one) is module), None)
    return desugar.cell(module, short_name(module)) if name is None else load(name)


def _outer(desugar: State, captured: Captured, tree: gast.FunctionDef, own: set[str]) -> None:
    """What a text of another place sees, under names that mean the same here."""
    here = desugar.namespace
    wanted: dict[str, Any] = {}
    for name in sorted(free(tree)):
        cells = captured.namespace.cells
        if name in cells:
            if here.cells.get(name) is cells[name] and name not in desugar.local:
                continue
            if name in captured.ours and isinstance(module := cells[name].cell_contents, types.ModuleType):
                wanted[name] = _module(desugar, module)    # one name for it, as for its variables
                continue
            new = desugar.names.new(name)
            desugar.cells[new] = desugar.share(new, cells[name])
            wanted[name] = load(new)
            continue
        value = captured.namespace.lookup(name)
        same = captured.namespace.globals is here.globals or name not in captured.namespace.globals
        if value is MISSING or same and name not in desugar.local and name not in here.cells:
            continue
        module = module_of(captured.namespace.globals)
        if module is not None and name in vars(module):
            wanted[name] = gast.Attribute(_module(desugar, module), name, gast.Load())
        else:
            wanted[name] = desugar.cell(value, name)
    if wanted:
        tree.body = substituted(tree.body, wanted)

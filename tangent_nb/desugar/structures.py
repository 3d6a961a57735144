"""How the arguments of the function that is derived are made,
where that is known: then methods of objects among them are known functions.

Needs the structures of example arguments (`examples.py`). Promises the class of an object that an expression means, for
expressions that lead from a parameter to it, through names that are bound once; and what of all this was used, for the
text to check (`rt.alike`).

    def loss(model, x):                       model: Model(layers: list of Layer)
        for layer in model.layers:            layer: Layer, by which layer(x) is Layer.__call__(layer, x)
            x = layer(x)
"""
from __future__ import annotations

import inspect
import types
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from keyword import iskeyword
from typing import Any

import gast
import numpy as np

from ..analyse.activity import gone_over
from ..analyse.displays import names_made
from ..analyse.effects import is_opaque
from ..analyse.libraries import is_library, is_ours
from ..analyse.resolve import Scope
from ..rules import methods_named
from ..runtime.alike import Structure
from ..syntax.building import clone, constant
from ..syntax.closure import closure
from ..syntax.nodes import is_literal, literal, names_in, nodes_of, parameter_names, walk
from ..syntax.program import MISSING, Captured
from .scopes import FUNCTIONS, bindings, bound, bound_inside

DISPLAYS = (gast.List, gast.Dict, gast.Set, gast.ListComp, gast.DictComp, gast.SetComp)
EACH = "[]"            # a step of a path: to whatever item
Path = tuple[Any, ...]


@dataclass
class Known:
    """What is known in one text: names, with how what they hold is made and the path to it from a parameter; used: what
    the text relies on, by paths: the names that the class has to mean; whole: where it relies on all keys."""

    names: dict[str, tuple[Structure, Path]] = field(default_factory=dict)
    used: dict[Path, set[str]] = field(default_factory=dict)
    whole: set[Path] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.names)

    def at(self, node: Any) -> tuple[Structure, Path] | None:
        """How what an expression means is made."""
        if isinstance(node, gast.Name):
            return self.names.get(node.id)
        base = self.at(node.value) if isinstance(node, (gast.Attribute, gast.Subscript)) else None
        if base is None:
            return None
        structure, path = base
        if isinstance(node, gast.Subscript):
            return _item(structure, path, node.slice)
        if structure.value is not None or structure.by_key or _is_computed(structure.kind, node.attr):
            return None
        return _part(structure, path, node.attr)

    def object_at(self, node: Any, *members: str) -> type | None:
        """The class of the object that an expression means, on which the text relies from here on."""
        found = self.at(node) if self.names else None
        if found is None or found[0].value is not None or found[0].by_key:
            return None
        self.used.setdefault(found[1], set()).update(name for name in members if name != "__class__")
        return found[0].kind

    def value_at(self, node: Any, *kinds: type) -> Any:
        """The function, or what else of these kinds, that an expression means, on which the text relies from here on;
        None where that is not known."""
        found = self.at(node) if self.names else None
        if found is None or found[0].value is None or not issubclass(found[0].kind, kinds):
            return None
        self.used.setdefault(found[1], set())
        return found[0].value

    def function_at(self, node: Any) -> Any:
        """The same of a function."""
        return self.value_at(node, types.FunctionType, np.ufunc)

    def keys_at(self, node: Any) -> tuple[type, tuple[Any, ...]] | None:
        """The class of the dict, the list or the tuple that an expression means, and all of its keys."""
        found = self.at(node) if self.names else None
        if found is None or found[0].keys is None:
            return None
        self.used.setdefault(found[1], set())
        self.whole.add(found[1])
        return found[0].kind, found[0].keys

    def items_at(self, node: Any) -> list[gast.expr] | None:
        """The items of the list or the tuple that an expression means, a slice of one too."""
        if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Slice):
            bounds = [node.slice.lower, node.slice.upper, node.slice.step]
            whole = self.items_at(node.value) if all(one is None or is_literal(one) for one in bounds) else None
            return None if whole is None else whole[slice(*(None if one is None else literal(one) for one in bounds))]
        found = self.keys_at(node)
        return None if found is None or found[0] is dict else [
            gast.copy_location(_subscript(node, key), node) for key in found[1]]

    def find(self, tree: gast.FunctionDef, scope: Scope) -> None:
        """The names of a text that hold parts of what is known: all places that bind one mean the same part."""
        if not self.names:
            return
        times = times_bound(tree)
        found: dict[str, list[tuple[gast.expr, bool]]] = {}
        for name, source, item in _bound(tree, times.keys() - self.names.keys(), scope):
            found.setdefault(name, []).append((source, item))
        places = {name: sources for name, sources in found.items() if len(sources) == times[name]}
        before = -1
        while len(self.names) > before:
            before = len(self.names)
            for name, sources in places.items():
                known = [self._given(*one) for one in sources]
                if known[0] is not None and all(one == known[0] for one in known):
                    self.names[name] = known[0]

    def _given(self, source: gast.expr, item: bool) -> tuple[Structure, Path] | None:
        known = self.at(source)
        return _item(*known, None) if known is not None and item else known

    def relied_on(self) -> dict[str, Structure]:
        """How parameters have to be made, as far as the text relies on it."""
        paths = {path[:i] for path in self.used for i in range(1, len(path) + 1)}
        return {path[0]: self._relied_on(self.names[path[0]][0], path, paths)
                for path in sorted(paths, key=str) if len(path) == 1}

    def _relied_on(self, structure: Structure, path: Path, paths: set[Path]) -> Structure:
        each = self._relied_on(structure.each, (*path, EACH), paths) \
            if structure.each is not None and (*path, EACH) in paths else None
        parts = tuple((key, self._relied_on(one, (*path, key), paths))
                      for key, one in structure.parts if (*path, key) in paths)
        keys = structure.keys if path in self.whole else None
        return Structure(structure.kind, parts, each, frozenset(self.used.get(path, ())), structure.value, keys)

    def changed_in(self, texts: Sequence[Captured], clean: Callable[[Any], bool]) -> bool:
        """A text may change what another relies on: it sets an attribute or an item of these names, or calls what
        changes something that arguments hold. clean: a function of the user changes nothing."""
        keys = {step for path in self.used for step in path[1:]} | set().union(*self.used.values())
        held = bool(keys or self.whole)                    # not only which modules and functions the arguments are
        read = {one.fn for one in texts}
        return any(self._stores(one.tree, keys) or held and _calls_what_changes(one, read, clean) for one in texts)

    def _stores(self, tree: gast.AST, keys: set[Any]) -> bool:
        for node in walk(tree):
            if isinstance(node, gast.Attribute) and not isinstance(node.ctx, gast.Load) and node.attr in keys:
                return True
            if isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load) \
                    and self.at(node.value) is not None:
                return True
        return False


def _calls_what_changes(text: Captured, read: Set[Any], clean: Callable[[Any], bool]) -> bool:
    """A call may change what arguments hold: not one of a function whose text is read too. What is known only when it
    runs is asked then."""
    scope = Scope.of(text)
    given, own = _given(text.tree, scope), names_made(
        text.tree.body, parameter_names(text.tree), lambda value, _: isinstance(value, DISPLAYS))
    for node in walk(text.tree.body):
        if not isinstance(node, gast.Call):
            continue
        base = getattr(node.func, "value", None)
        changed = base if base is not None and methods_named(node.func.attr) else node
        if getattr(base, "id", "") in own or not names_in(changed) & given:
            continue
        rule, fn = scope.operation(node).rule, scope.value(node.func)
        if rule is not None:
            of_user = isinstance(rule.fn, types.FunctionType) and not (is_ours(rule.fn) or is_library(rule.fn))
            if of_user and not rule.pure:                  # who has said what it gives, not what it does
                return True
        elif (base is not None if fn is MISSING else not is_ours(fn) and not any(fn is one for one in read)) \
                and is_opaque(node, scope, clean):
            return True
    return False


def _given(tree: gast.FunctionDef, scope: Scope) -> set[str]:
    """The names that may hold what arguments hold: not those of arrays that are made here."""
    flow = [(names_in(target), source) for target, source in _held(tree)
            if (rule := scope.operation(source).rule) is None or rule.memory != "fresh"]
    return closure(set(parameter_names(tree)), lambda found: {
        name for names, source in flow if names_in(source) & found for name in names})


def _held(tree: gast.FunctionDef) -> Iterator[tuple[Any, Any]]:
    """What may hold afterwards what an expression means, or a part of it."""
    for node in walk(tree.body):
        if isinstance(node, gast.Assign):
            yield from ((target, node.value) for target in node.targets)
        elif isinstance(node, gast.AugAssign):
            yield node.target, node.value
        elif isinstance(node, (gast.For, gast.comprehension)):
            yield node.target, node.iter
        elif isinstance(node, gast.withitem) and node.optional_vars is not None:
            yield node.optional_vars, node.context_expr
        elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
            yield from ((node.func.value, arg) for arg in [*node.args, *(one.value for one in node.keywords)])


def bound_once(tree: gast.FunctionDef) -> set[str]:
    """The names that one place binds: in the text, as a parameter, or in one comprehension."""
    return {name for name, times in times_bound(tree).items() if times == 1}


def times_bound(tree: gast.FunctionDef) -> Counter[str]:
    """How many places bind a name: in the text, as a parameter, and in comprehensions; not where a function inside of
    it binds the name too."""
    found = Counter(name for node in nodes_of(tree, gast.comprehension) for name in names_in(node.target))
    found.update({name: len(nodes) for name, nodes in bindings(tree).items()})
    for name in _given_inside(tree):
        del found[name]
    return found


def _given_inside(tree: gast.FunctionDef) -> set[str]:
    """The names that functions inside of a text bind."""
    inner = [node for node in walk(tree.body) if isinstance(node, FUNCTIONS)]
    return set().union(*(bound(node) | bound_inside(node) for node in inner))


def _bound(tree: gast.AST, names: set[str], scope: Scope) -> Iterator[tuple[str, gast.expr, bool]]:
    """Which of these names are bound to the value of which expressions, or to each of its items."""
    for node in walk(tree):
        if isinstance(node, gast.Assign) and len(node.targets) == 1 and getattr(node.targets[0], "id", "") in names:
            yield node.targets[0].id, node.value, False
        elif isinstance(node, (gast.For, gast.comprehension)):
            for target, source, item in gone_over(node.target, node.iter, scope):
                if item and isinstance(target, gast.Name) and target.id in names:
                    yield target.id, source, True


def _part(structure: Structure, path: Path, key: Any) -> tuple[Structure, Path] | None:
    one = next((one for name, one in structure.parts if name == key and type(name) is type(key)), None)
    return None if one is None else (one, (*path, key))


def _item(structure: Structure, path: Path, index: Any) -> tuple[Structure, Path] | None:
    """How an item is made. index: its expression; None for any."""
    if not structure.by_key or structure.value is not None:
        return None
    if isinstance(index, gast.Slice):
        return (replace(structure, keys=None), path) if structure.each is not None else None
    if structure.each is not None:
        return structure.each, (*path, EACH)
    return _part(structure, path, literal(index)) if index is not None and is_literal(index) else None


def _is_computed(kind: type, name: str) -> bool:
    """A class computes what its objects hold by this name: a property, or the like."""
    found = inspect.getattr_static(kind, name, None)
    return hasattr(type(found), "__get__") and not isinstance(found, types.MemberDescriptorType)


class Spelled(gast.NodeTransformer):
    """Writes what is known of arguments where the text would have to know it: modules and classes by a name of ours,
    arguments with a star one by one, attributes by name. called: gives such a name.

        xp.sum(x)             np.sum(x)                                     xp: numpy
        g(x, *args, **kw)     g(x, args[0], args[1], scale=kw["scale"])     args: tuple of 2, kw: dict of scale
        getattr(model, kind)  model.weight                                  kind: "weight"
    """

    def __init__(self, known: Known, scope: Scope, called: Callable[[Any, str], gast.expr]) -> None:
        self.known, self.scope, self.called = known, scope, called

    def visit_Name(self, node: Any) -> Any:
        value = self.known.value_at(node, types.ModuleType, type) if isinstance(node.ctx, gast.Load) else None
        name = getattr(node, "attr", getattr(node, "id", "library"))
        return node if value is None else gast.copy_location(self.called(value, name), node)

    def visit_Attribute(self, node: Any) -> Any:
        found = self.visit_Name(node)
        return found if found is not node else self.generic_visit(node)

    visit_Subscript = visit_Attribute

    def visit_Call(self, node: gast.Call) -> Any:
        node.args = [one for arg in node.args for one in self._argument(arg)]
        node.keywords = [one for keyword in node.keywords for one in self._keyword(keyword)]
        name = self.known.value_at(node.args[1], str) if len(node.args) == 2 and self.scope.builtin(node) == "getattr" \
            else None
        if name is None or not name.isidentifier() or iskeyword(name):
            return self.generic_visit(node)
        return self.visit(gast.copy_location(gast.Attribute(node.args[0], name, gast.Load()), node))

    def _argument(self, node: Any) -> list[Any]:
        items = self.known.items_at(node.value) if isinstance(node, gast.Starred) else None
        return [node] if items is None else items

    def _keyword(self, node: gast.keyword) -> list[gast.keyword]:
        found = self.known.keys_at(node.value) if node.arg is None else None
        if found is None or found[0] is not dict \
                or not all(type(key) is str and key.isidentifier() and not iskeyword(key) for key in found[1]):
            return [node]
        return [gast.keyword(key, gast.copy_location(_subscript(node.value, key), node.value)) for key in found[1]]


def _subscript(base: gast.expr, key: Any) -> gast.expr:
    return gast.Subscript(clone(base), constant(key), gast.Load())

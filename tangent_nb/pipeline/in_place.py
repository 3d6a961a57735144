"""Updates in place: what ownership does not allow is refused, what only the run can decide is checked there.

Needs a body in normal form. Promises refusals of all places at once, or the body with checks (`rt.check_number`,
`rt.check_floating`) around the updates that are only right for arrays, numbers or floats.

    A[i] = y     →     rt.check_floating(A, "A")      # of integers it would cut off the derivative
                       A[i] = y
"""
from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import gast

from .. import runtime
from ..analyse.flow import mutation
from ..analyse.joined import joined
from ..analyse.kinds import Kinds, index_parts, is_basic, spec_of
from ..analyse.one_memory import one_memory, with_others
from ..analyse.ownership import Ownership
from ..analyse.resolve import Scope
from ..analyse.sharing import CALLER, sources
from ..errors import Refusal
from ..normalise import changed_names, is_path, part_targets
from ..syntax.blocks import rebuild, statements
from ..syntax.building import (
    assign,
    call,
    clone,
    constant,
    exchanged,
    library,
    load,
    mark,
    origin_of,
    store,
    substitute,
)
from ..syntax.nodes import dotted, is_atom, nodes_of, parameter_names, reads, root_name, target_names, unparse, writes
from ..syntax.program import Captured
from ..syntax.spec import Spec
from .dimensions import mark_storable
from .dress import guard_of
from .settled import taken_from

SHOWN = 60              # characters: a longer text stays a name in others


def checked(captured: Captured, body: list[gast.stmt], found: Ownership, kinds: Kinds, varied: set[str],
            reverse: bool, new: Callable[[str], str]) -> tuple[list[gast.stmt], list[Refusal]]:
    """The body with its checks, or why it is refused. varied: the names that may carry a derivative; new: makes names.
    A list may be
    stored in by place where the text does not take it for an array, or forward mode computes with it as with its
    tangent; a slice of one is no view, and not as long as before."""
    paths = {one.targets[0].id: unparse(one.value) for one in taken_from(body)}
    refusals = [*_not_owned(captured, found, kinds, paths),
                *_into_lists(body, kinds, varied, {id(stmt) for stmt, _, _ in found.refused})]
    for stmt in statements(body):
        made = stmt.value if isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call) else None
        for part in [*(target.value for target in part_targets(stmt)),
                     *(made.args[:1] if made is not None and getattr(made.func, "attr", "") == "add_at" else ())]:
            if not isinstance(part, gast.Name) and not is_path(part, kinds.before(stmt), kinds.scope):
                refusals.append(
                    Refusal.at(stmt, f"{unparse(part)} is changed, which may be a copy or the memory of something else",
                               f"an index of the array itself: {root_name(part)}[...] = v"))
    checks: dict[str, dict[int, list[str]]] = {"check_floating": {}, "check_stored": {}, "check_target": {},
                                           "check_copies": {}}
    parameters = set(parameter_names(captured.tree))
    sliced = {root_name(target) for stmt in statements(body) for target in part_targets(stmt) if _has_slice(target)}
    for stmt in statements(body):
        name = _stores(stmt, varied)
        if name is None:
            bases, env = {root_name(target) or "" for target in part_targets(stmt) if _has_slice(target)} & varied, \
                kinds.before(stmt)
            checks["check_target"][id(stmt)] = [base
                                                for base in sorted(bases) if env.get(base, Spec()).kind == "unknown"]
            checks["check_copies"][id(stmt)] = _may_hold(stmt, kinds)
            continue
        spec = kinds.before(stmt).get(name, Spec())
        if isinstance(spec.dtype, str) and spec.dtype[0] in "biu" and spec.dtype != "weak":
            refusals.append(Refusal.at(stmt, f"{name} is an array of integers or truth values, which cuts off "
                                       "what is stored in it", f"an array of floats: {name} = {name}.astype(float)"))
        elif isinstance(spec.dtype, str) and spec.dtype[0] == "O":
            refusals.append(Refusal.at(stmt, f"{name} is an array of objects, whose items compute in their own way",
                                     f"a list, or an array of floats: {name} = np.zeros(...)"))
        elif not (isinstance(spec.dtype, str) or spec.dtype is not None and spec.dtype & parameters) \
                or _is_whole(stmt) and not spec.rank:
            listed = name not in sliced and not (reverse and spec.is_number)
            checks["check_stored" if listed else "check_floating"][id(stmt)] = [name]
    if refusals:
        return body, refusals
    mark_storable(body, kinds, varied, parameters)
    made = joined(body, kinds, kinds.scope, parameters)
    body = _with_checks(body, {**found.check_before, **_of_objects(body, kinds)}, found.check_after, "check_number")
    body = _with_checks(body, found.check_leaf, {}, "check_leaf")
    body = _with_shared(body, found, kinds, captured.fn.__code__.co_varnames)
    for check, before in checks.items():
        body = _with_checks(body, before, {}, check) if any(before.values()) else body
    return rebuild(body, lambda stmt: _asked(stmt, made.get(id(stmt), ()), new)) if made else body, []


def _asked(stmt: Any, made: Iterable[gast.expr], new: Callable[[str], str]) -> list[gast.stmt]:
    """Put `rt.check_joined` after an assignment, or before another statement that holds one of the values: a name for
    it, where it is computed."""
    named = isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name)
    before: list[gast.stmt] = []
    for one in made:
        if named and one is stmt.value:
            name = stmt.targets[0].id
            return [stmt, guard_of(library("rt.check_joined(x, n)", x=name, n=constant(name)), stmt)]
        held = one
        if not is_atom(one):
            held = load(new("joined"))
            before.append(mark(assign(held.id, one), role="forward", origin=origin_of(stmt)))
            stmt = exchanged(stmt, {id(one): held})
        before.append(guard_of(library("rt.check_joined(x, n)", x=clone(held), n=constant(unparse(one))), stmt))
    return [*before, stmt]


def _of_objects(body: Sequence[gast.stmt], kinds: Kinds) -> dict[int, list[str]]:
    """The statements `a += v` whose a may be an object, which has an operator of its own: one that nobody else holds
    too."""
    stmts = list(statements(body))
    augmented = [s for s in stmts if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name)]
    made = {name for stmt in stmts if augmented and isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Call)
            and kinds.scope.value(stmt.value.func) is runtime.made_of for name in writes(stmt)}
    objects = with_others(made, one_memory(stmts, kinds.scope)) if made else made
    return {id(stmt): [stmt.target.id] for stmt in augmented if stmt.target.id in objects}


def _may_hold(stmt: Any, kinds: Kinds) -> list[str]:
    """Arrays made here, perhaps of objects, of which a part becomes something that may change later."""
    env = kinds.before(stmt)
    bases = {root_name(target) or "": env.get(root_name(target) or "", Spec()) for target in part_targets(stmt)}
    if not bases or not isinstance(stmt, gast.Assign) or spec_of(stmt.value, env, kinds.scope).is_immutable:
        return []
    return sorted(name for name, spec in bases.items()
                  if spec.kind in ("array", "numeric") and not _of_numbers(spec.dtype))


def _of_numbers(dtype: Any) -> bool:
    """A dtype that is known, of numbers: not that of whatever somebody gives."""
    return all(isinstance(one, str) for one in dtype) if isinstance(dtype, frozenset) else dtype not in (None, "O")


def _has_slice(target: gast.Subscript) -> bool:
    return any(isinstance(part, gast.Slice) for part in index_parts(target.slice))


def _not_owned(captured: Captured, found: Ownership, kinds: Kinds, paths: Mapping[str, str]) -> Iterator[Refusal]:
    """paths: of the variables that stand for attributes outside."""
    code = captured.fn.__code__
    own = {CALLER, *code.co_varnames, *code.co_cellvars}   # other names are ours
    for stmt, changed, holding in found.refused:
        name = paths.get(changed, changed)
        other = paths.get(holding, holding if holding in own else "another variable")
        who = f"{_holder(captured, name)} too" if other == CALLER else f"{other} may be the same array, or a view of it"
        why = f"{name} is changed in place, and {who}"
        remedy = f"copy it first: {name} = {name}.copy()" if other == CALLER else (
            f"take a copy (.copy()) where {name} is made, or change {other} itself")
        kind = kinds.before(stmt).get(changed, Spec()).kind
        if kind == "tuple":
            why, remedy = f"{name} is a tuple, whose items cannot be changed: Python would raise a TypeError here", \
                "a list: [...]"
        if kind == "list":
            holder = " or ".join(_others(captured, name)) or "the caller, or another name," \
                if other == CALLER else other
            why = (f"the list {name} changes, and {holder} may hold it too: "
                   "only a list that is made here and has one name may change")
            remedy = f"a new list under a new name, own = list({name}), and change that"
        if getattr(stmt, "inner", 0):
            holder = "the caller" if other == CALLER else f"two places of {name}" if other == name else other
            why = f"a part of a part of {name} is changed, and {holder} may hold the same list or dict"
            remedy = \
                "lists of their own, as in [[0.0] * m for _ in range(n)], and no other name for one that is read later"
        yield Refusal.at(stmt, why, remedy)


def _holder(captured: Captured, name: str) -> str:
    """Who holds what the function has not made."""
    holders = {name} & {*parameter_names(captured.tree)} or _others(captured, name)
    if holders and {*holders} <= {*parameter_names(captured.tree)}:
        return f"the caller holds {name}"
    return f"the caller, or another name, may hold {name}"


def _others(captured: Captured, name: str) -> list[str]:
    """The other names that the text gives a value: a and b of `y = a if test else b`."""
    code = captured.fn.__code__
    values = [stmt.value for stmt in statements(captured.tree.body) if isinstance(stmt, gast.Assign)
              and any(isinstance(target, gast.Name) and target.id == name for target in stmt.targets)]
    values += [one for value in values if isinstance(value, gast.IfExp) for one in (value.body, value.orelse)]
    others = {value.id for value in values if isinstance(value, gast.Name)}
    return sorted(others & {*code.co_varnames, *code.co_cellvars})


def _into_lists(body: Sequence[gast.stmt], kinds: Kinds, varied: set[str], said: set[int]) -> Iterator[Refusal]:
    """said: the statements that are refused already."""
    for stmt in statements(body):
        if id(stmt) not in said and isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Subscript):
            base = root_name(stmt.targets[0]) or ""
            if kinds.before(stmt).get(base, Spec()).kind in ("list", "tuple") and base in varied:
                yield Refusal.at(stmt, f"{base} is a list, and one of its items is changed",
                                 "an array, or another list")


def _with_checks(body: list[gast.stmt], before: Mapping[int, list[str]], after: Mapping[int, list[str]],
                 check: str) -> list[gast.stmt]:
    """Put checks before and after statements."""
    def checks(names: Iterable[str], stmt: gast.stmt) -> list[gast.stmt]:
        return [guard_of(library(f"rt.{check}(x, n)", x=name, n=constant(_shown(name, stmt, check))), stmt)
                for name in names]

    return rebuild(body,
                   lambda stmt: [*checks(before.get(id(stmt), ()), stmt), stmt, *checks(after.get(id(stmt), ()), stmt)])


def _with_shared(body: list[gast.stmt], found: Ownership, kinds: Kinds, own: Collection[str]) -> list[gast.stmt]:
    """Put checks of what may share memory around statements. own: the names of the user."""
    asked = found.check_kept.keys() | found.check_copied.keys() | found.check_overlap.keys()
    shown = _made(body, own) if asked else {}

    def kept(name: str, changed: gast.expr, stmt: gast.stmt) -> gast.stmt:
        return guard_of(library("rt.check_kept(v, x, n)", v=name, x=changed, n=constant(shown.get(name, name))), stmt)

    def checks(stmt: Any) -> list[gast.stmt] | None:
        if id(stmt) not in asked:
            return None
        before: list[gast.stmt] = []
        if id(stmt) in found.check_kept:     # another name may be a part of the array that is changed, or all of it
            changed = _changed_part(stmt, kinds)
            base = root_name(changed) or ""
            if isinstance(changed, gast.Subscript) and not kinds.before(stmt).get(base, Spec()).is_number:
                before.append(
                    guard_of(library("rt.check_target(x, n)", x=base, n=constant(shown.get(base, base))), stmt))
            before += [kept(name, clone(changed), stmt) for name in dict.fromkeys(found.check_kept[id(stmt)])]
        if id(stmt) in found.check_overlap:                # what is stored may be a part of the same array
            before.append(guard_of(_overlap(stmt, found.check_overlap[id(stmt)], kinds, shown), stmt))
        # What a call gives must be no part of the copies that it got.
        return [*before, stmt, *(kept(name, load(copy), stmt) for name, copy in found.check_copied.get(id(stmt), ()))]

    return rebuild(body, checks)


def _overlap(stmt: Any, name: str, kinds: Kinds, shown: Mapping[str, str]) -> gast.expr:
    """`rt.check_overlap` of a store of what has this name."""
    target = stmt.targets[0]
    basic = is_basic(target.slice, kinds.before(stmt), kinds.scope)
    part = gast.Subscript(clone(target.value), clone(target.slice), gast.Load()) if basic else clone(target.value)
    text, origin = f"{unparse(target)} = {shown.get(name, name)}", origin_of(stmt)
    if name != stmt.value.id and origin is not None:       # a list, of which an array is made
        text = origin.text
    elif shown.get(name) == name and origin is not None and " = " in origin.text:
        text = f"{unparse(target)} = ({origin.text.split(' = ', 1)[1]})"
    check: Any = library("rt.check_overlap(x, v, n)", x=part, v=name, n=constant(text))
    check.args += [] if basic else [_as_value(target.slice)]
    return check


def _made(body: list[gast.stmt], own: Collection[str]) -> dict[str, str]:
    """What names of ours stand for, as text. own: the names of the user."""
    found: dict[str, str] = {}
    values: dict[str, gast.expr] = {}
    for stmt in statements(body):
        for target, given in _given(stmt) if isinstance(stmt, gast.Assign) else ():
            if target.id not in own:
                value = substitute(given, values)
                value = exchanged(value, {id(node): node.args[0] for node in nodes_of(value, gast.Call)
                                          if dotted(node.func) == "%rt.copy"})
                origin, text = origin_of(stmt), unparse(value)
                said = re.match(r"(\w+) = |[^=]+ = (.+)", origin.text) \
                    if origin is not None and text in ("[]", "()", "{}") else None
                text = said[1] or said[2] if said is not None else text
                if found.setdefault(target.id, text) != text:                  # of branches: neither
                    found[target.id] = target.id
                elif said is None and len(text) < SHOWN:
                    values[target.id] = value
    return found


def _given(stmt: gast.Assign) -> Iterator[tuple[gast.Name, gast.expr]]:
    """The names that an assignment binds, with what they get: `v[0]` and `v[1]` of `a, b = v`."""
    for target in stmt.targets:
        if isinstance(target, gast.Name):
            yield target, stmt.value
        for i, one in enumerate(target.elts if isinstance(target, gast.Tuple) else ()):
            if isinstance(one, gast.Name):
                yield one, gast.Subscript(stmt.value, constant(i), gast.Load())


def _as_value(index: gast.expr) -> gast.expr:
    """An index that can stand outside of brackets."""
    parts = [call("%slice", *(bound or constant(None) for bound in (part.lower, part.upper, part.step)))
             if isinstance(part, gast.Slice) else clone(part) for part in index_parts(index)]
    return gast.Tuple(parts, gast.Load()) if isinstance(index, gast.Tuple) else parts[0]


def with_results(body: list[gast.stmt], results: Collection[str], new: Callable[[str], str]) -> list[gast.stmt]:
    """`tanh_1 = rt.copy(tanh)`, and that in its place, where a view of tanh changes,
    and the adjoint of np.tanh reads tanh. new: makes names."""
    names = {name: new(name) for name in sorted(results)}

    def copied(stmt: Any) -> list[gast.stmt] | None:
        defined = [name for name in results if isinstance(stmt, gast.Assign) and name in target_names(stmt.targets[0])]
        for field, value in list(vars(stmt).items()):
            if field in stmt._fields and field not in ("targets", "body", "orelse", "handlers", "finalbody"):
                setattr(stmt, field, substitute(value, {name: load(one) for name, one in names.items()}))
        return [stmt, *(mark(assign(names[name], library("rt.copy(x)", x=name)), role="forward", origin=origin_of(stmt))
                        for name in defined)]

    return rebuild(body, copied) if names else body


def with_own_results(body: list[gast.stmt], kinds: Kinds, scope: Scope,
                     new: Callable[[str], str]) -> list[gast.stmt] | None:
    """`y_1 = h(x)` and `y = rt.copy(y_1)` for `y = h(x)`, where y may change, and what the function gives is new and
    kept by its backward sweep alone. None where there is none such. new: makes names."""
    found = [stmt for stmt in statements(body) if hasattr(stmt, "residual") and hasattr(stmt.value, "returned")
             and not sources(stmt.value, kinds.before(stmt), scope)]
    changed = with_others(changed_names(body), one_memory(body, scope, views=True)) if found else set()
    apart = {id(stmt) for stmt in found if not changed.isdisjoint(target_names(stmt.targets[0]))}

    def copied(stmt: Any) -> list[gast.stmt] | None:
        if id(stmt) not in apart:
            return None
        kept = new(target_names(stmt.targets[0])[0])
        targets, stmt.targets = stmt.targets, [store(kept)]
        copy = gast.Assign(targets, library("rt.copy(x)", x=kept), None)
        return [stmt, mark(copy, role="forward", origin=origin_of(stmt))]

    return rebuild(body, copied) if apart else None


def with_copies(body: list[gast.stmt], apart: Collection[int], new: Callable[[str], str]) -> list[gast.stmt]:
    """`item = v[i]` and `a = rt.copy(item)` for these assignments, `a = v[i]`. new: makes names."""
    def copied(stmt: Any) -> list[gast.stmt] | None:
        if id(stmt) not in apart:
            return None
        targets, copy = stmt.targets, stmt.value
        if not isinstance(copy, gast.Name):
            kept = new("item")
            stmt.targets, copy = [store(kept)], load(kept)
        made = mark(gast.Assign(targets, library("rt.copy(x)", x=copy), None), role="forward", origin=origin_of(stmt))
        return [made] if copy is stmt.value else [stmt, made]

    return rebuild(body, copied)


def _changed_part(stmt: gast.stmt, kinds: Kinds) -> gast.expr:
    """The array that a statement changes, or the part of it, as a view for certain: `A[i, None]` for `A[i] = v`."""
    parts, env = part_targets(stmt), kinds.before(stmt)
    if not parts or not is_basic(parts[0].slice, env, kinds.scope):
        return load(next(iter(changed_names([stmt]))))
    indices = index_parts(parts[0].slice)
    if not any(isinstance(one, gast.Slice) or isinstance(one, gast.Constant) and one.value is None for one in indices):
        indices = [*indices, constant(None)]
    return gast.Subscript(clone(parts[0].value), gast.Tuple(list(map(clone, indices)), gast.Load()) if len(indices) > 1
                          else clone(indices[0]), gast.Load())


def _shown(name: str, stmt: gast.stmt, check: str) -> str:
    """A name as the user knows it: `d[0]` for the temporary that `d[0] += v` changes."""
    origin = origin_of(stmt)
    text = "" if origin is None else origin.text
    target = re.match(r"(.{1,40}?)\s*(\*\*|//|<<|>>|[-+*/%@&|^])=", text)
    return name if check == "check_leaf" or target is None or re.search(rf"\b{name}\b", text) else target[1]


def mutated_names(body: Sequence[gast.stmt], scope: Scope) -> set[str]:
    """The names through which something may be changed in place, and those that may have the same objects."""
    found = changed_names(body)
    return with_others(found, one_memory(body, scope)) if found else found


def _stores(stmt: Any, varied: set[str]) -> str | None:
    """`A` for `A[i] = v`, `A[i] += v` and `rt.add_at(A, i, v)` with a v that may carry a derivative."""
    changed: Any = mutation(stmt)
    if changed is not None and changed[0] == "add_at":
        return str(changed[1]) if reads(stmt.value.args[-1]) & varied else None
    target = stmt.targets[0] if isinstance(stmt, gast.Assign) \
        else stmt.target if isinstance(stmt, gast.AugAssign) else None
    if isinstance(target, gast.Subscript) and isinstance(stmt.value, gast.Name) and stmt.value.id in varied:
        return root_name(target)
    return None


def _is_whole(stmt: Any) -> bool:
    """The index is `...` or `()`."""
    target = stmt.targets[0] if isinstance(stmt, gast.Assign) else getattr(stmt, "target", None)
    if target is None:
        return False
    index = target.slice
    return isinstance(index, gast.Constant) and index.value is ... or isinstance(index, gast.Tuple) and not index.elts

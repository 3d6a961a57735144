"""Copy propagation: a copy is read as what it is a copy of, and a temporary that is read once stands where it is read.

Needs names of ours (`temporary`); the user's own variables keep their statements. Promises the same values: nothing between
definition and use binds or changes what the definition reads.

    sin = np.sin(x)
    x_1 = x                    →      x_1 = x
    x = sin * x                       x = np.sin(x) * x
    …                                 …
    x = x_1                           bx = by * np.cos(x_1)
    bx = by * np.cos(x)
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import gast

from ..analyse.effects import is_pure
from ..analyse.flow import bound_in, memory_changed
from ..analyse.resolve import Scope
from ..syntax.nodes import (
    attempted,
    blocks,
    change_blocks,
    is_compound,
    is_literal,
    own_expressions,
    reads,
    statements,
    substitute,
    target_names,
    unparse,
    walk,
)
from .own import changed_in_place, is_fresh

LONGEST = 72                   # characters of an expression of the backward pass that takes another one in


def copies(tree: gast.FunctionDef, scope: Scope, temporary: Callable[[str], bool], *, attempted: bool = False) -> None:
    """Propagate copies, then put temporaries that are read once where they are read. attempted: what raises first counts everywhere."""
    changed = sharing(tree.body, scope)(changed_in_place(tree.body))
    _propagate(tree.body, changed, temporary)
    while _fold(tree, scope, changed_in_place(tree.body), temporary, attempted):
        pass
    _gather(tree.body, scope, changed)
    tree.body = _without_self(tree.body)


def sharing(body: Sequence[gast.stmt], scope: Scope) -> Callable[[set[str]], set[str]]:
    """The names that may share memory with some names: those joined by an assignment that is not fresh, in any order."""
    group: dict[str, set[str]] = {}
    for stmt in statements(body):
        if isinstance(stmt, gast.Assign) and not is_fresh(stmt.value, scope):
            joined = {n for t in stmt.targets for n in target_names(t)} | reads(stmt.value)
        elif isinstance(stmt, gast.For):
            joined = set(target_names(stmt.target)) | reads(stmt.iter)
        elif isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call):
            joined = {n for n in reads(stmt.value) if not n.startswith("%")}
        else:
            continue
        merged = set().union(joined, *(group.get(n, set()) for n in joined))
        for name in merged:
            group[name] = merged
    return lambda names: set().union(names, *(group.get(n, set()) for n in names))


def updated_in(stmt: gast.stmt) -> set[str]:
    """The names whose memory a statement changes, in its blocks too."""
    found: set[str] = set()
    for one in statements([stmt]):
        if hasattr(one, "in_place"):
            found.add(one.in_place)
        if not is_compound(one):
            found |= memory_changed(one)
    return found


def _propagate(body: Sequence[gast.stmt], changed: set[str], temporary: Callable[[str], bool]) -> None:
    for place, stmt in enumerate(body):
        for block in blocks(stmt):
            _propagate(block, changed, temporary)
        if not (isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name)) or hasattr(stmt, "zero"):
            continue
        name, value = stmt.targets[0].id, stmt.value
        if isinstance(value, gast.Subscript) and temporary(name) and getattr(stmt, "role", "") in ("backward", "tangent") \
                and isinstance(value.value, gast.Name) and not any(isinstance(n, gast.Call) for n in walk(value)):
            _replace(body[place + 1:], name, value, {value.value.id})
            continue
        if name in changed or not (isinstance(value, gast.Name) and value.id not in changed or is_literal(value)
                                   and not isinstance(value, (gast.List, gast.Tuple))):
            continue
        if getattr(stmt, "role", "") not in ("backward", "tangent") and not temporary(name):
            continue
        if isinstance(value, gast.Name) and value.id == name:
            continue
        _replace(body[place + 1:], name, value)


def _replace(rest: Sequence[gast.stmt], name: str, value: gast.expr, memory: frozenset[str] | set[str] = frozenset()) -> None:
    """Read `value` for `name` until one of them is bound anew, or changed."""
    guard = {name} | reads(value)
    for stmt in rest:
        if memory and (is_compound(stmt) or name in updated_in(stmt)):
            return
        compound = is_compound(stmt)
        if compound and bound_in(stmt) & guard:
            if isinstance(stmt, gast.If):
                stmt.test = substitute(stmt.test, {name: value})
                for block in (stmt.body, stmt.orelse):
                    _replace(block, name, value)
            elif isinstance(stmt, gast.For):
                stmt.iter = substitute(stmt.iter, {name: value})
            return
        _read_as(stmt, name, value)
        if bound_in(stmt) & guard:
            return


def _read_as(stmt: gast.stmt, name: str, value: gast.expr) -> None:
    """Replace the reads in a statement, in its blocks too."""
    for one in statements([stmt]):
        if isinstance(one, gast.AugAssign) and isinstance(one.target, gast.Name) and one.target.id == name:
            one.value = substitute(one.value, {name: value})
            continue
        for field in ("value", "test", "iter", "msg", "exc"):
            node = getattr(one, field, None)
            if isinstance(node, gast.AST):
                setattr(one, field, _substituted(node, name, value))
        for target in getattr(one, "targets", [getattr(one, "target", None)]):
            for part in walk(target) if target is not None else ():
                if isinstance(part, gast.Subscript):
                    part.slice = substitute(part.slice, {name: value})


def _substituted(node: Any, name: str, value: gast.expr) -> Any:
    return substitute(node, {name: value}) if name in reads(node) else node


def _fold(tree: gast.FunctionDef, scope: Scope, changed: set[str], temporary: Callable[[str], bool], whole: bool) -> bool:
    """Put one round of single reads in place; True where there was one."""
    count: Counter[str] = Counter()
    definitions: Counter[str] = Counter()
    for stmt in statements(tree.body):
        for node in _own_nodes(stmt):
            if isinstance(node, gast.Name):
                (count if isinstance(node.ctx, gast.Load) else definitions)[node.id] += 1
        if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
            count[stmt.target.id] += 1
    done = False
    share = sharing(tree.body, scope)
    held = {id(one) for one in (statements(tree.body) if whole else attempted(tree.body))}         # not moved past what may raise

    def visit(body: list[gast.stmt]) -> None:
        nonlocal done
        place = 0
        while place < len(body):
            stmt = body[place]
            for block in blocks(stmt):
                visit(block)
            near = body[place + 1:place + 2] if id(stmt) in held and getattr(stmt, "role", "") == "forward" else body[place + 1:]
            if _may_move(stmt, scope, changed, temporary, count, definitions) and _put(near, stmt, share):
                del body[place]
                done = True
                continue
            place += 1

    visit(tree.body)
    return done


def _without_self(body: list[gast.stmt]) -> list[gast.stmt]:
    """Leave out `x = x`."""
    out = []
    for stmt in body:
        change_blocks(stmt, _without_self)
        if not (isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and isinstance(stmt.value, gast.Name)
                and stmt.targets[0].id == stmt.value.id):
            out.append(stmt)
    return out


def _gather(body: list[gast.stmt], scope: Scope, changed: set[str]) -> None:
    """`bx = c` and then `bx = bx + d` in one statement: `bx = c + d`."""
    for stmt in body:
        for block in blocks(stmt):
            _gather(block, scope, changed)
    place = 0
    while place < len(body):
        stmt = body[place]
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and getattr(stmt, "role", "") == "backward" \
                and not hasattr(stmt, "zero") and not hasattr(stmt, "tape") and is_pure(stmt.value, scope) and not reads(stmt.value) & changed \
                and not hasattr(stmt, "cut"):
            name, guard = stmt.targets[0].id, reads(stmt.value)
            for other in body[place + 1:]:
                if name in {n.id for n in walk(other) if isinstance(n, gast.Name)}:
                    if _takes(other, name, stmt):
                        del body[place]
                        place -= 1
                    break
                if bound_in(other) & guard:
                    break
        place += 1


def _takes(other: Any, name: str, stmt: Any) -> bool:
    if getattr(other, "adds", None) != name or name in updated_in(other) or not isinstance(other.value, gast.BinOp):
        return False
    node, terms = other.value, []
    while isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub)) and not (
            isinstance(node.left, gast.Name) and node.left.id == name):
        terms.append(node)
        node = node.left
    if not (isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub)) and isinstance(node.left, gast.Name)):
        return False
    if sum(isinstance(n, gast.Name) and n.id == name for n in walk(other.value)) != 1:
        return False
    new = substitute(other.value, {name: stmt.value})
    if len(unparse(new)) > LONGEST or reads(stmt.value) & {name} and not hasattr(stmt, "adds"):
        return False
    other.value = new
    return True


def _own_nodes(stmt: gast.stmt) -> Any:
    """The nodes of a statement, those of its blocks left out."""
    if isinstance(stmt, gast.For):
        return [*walk(stmt.target), *walk(stmt.iter)]
    return walk(own_expressions(stmt) if is_compound(stmt) else stmt)


def _may_move(stmt: Any, scope: Scope, changed: set[str], temporary: Callable[[str], bool], count: Counter[str],
              definitions: Counter[str]) -> bool:
    if not (isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name)) or hasattr(stmt, "zero") or hasattr(stmt, "tape"):
        return False
    name = stmt.targets[0].id
    if not temporary(name) or count[name] != 1 or definitions[name] != 1 or name in changed or hasattr(stmt, "cut"):
        return False
    if isinstance(stmt.value, gast.List) and not stmt.value.elts or isinstance(stmt.value, gast.Dict) and not stmt.value.keys:
        return False
    return is_pure(stmt.value, scope) and not any(
        isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute) and n.func.attr in ("pop", "append", "seed", "check_seed")
        for n in walk(stmt.value))


def _put(rest: Sequence[gast.stmt], stmt: Any, share: Callable[[set[str]], set[str]]) -> bool:
    name, value = stmt.targets[0].id, stmt.value
    guard = reads(value)
    memory = share(guard)
    for other in rest:
        where = _reading(other, name)
        if where is not None:
            return _insert(other, where, name, value, stmt)
        if name in {n.id for n in walk(other) if isinstance(n, gast.Name)} or bound_in(other) & guard or updated_in(other) & memory:
            return False
    return False


def _reading(stmt: Any, name: str) -> str | None:
    """The field of a statement, its blocks left out, that reads the name; `"target"` for an index."""
    for field in ("value", "test", "iter"):
        node = getattr(stmt, field, None)
        if isinstance(node, gast.AST) and name in reads(node) and not (field == "test" and isinstance(stmt, gast.While)):
            return field
    for target in getattr(stmt, "targets", [getattr(stmt, "target", None)]):
        if target is not None and any(isinstance(p, gast.Subscript) and name in reads(p.slice) for p in walk(target)):
            return "target"
    return None


def _insert(other: Any, field: str, name: str, value: gast.expr, stmt: Any) -> bool:
    backward = getattr(other, "role", "") != "forward"
    if field == "target":
        if any(isinstance(n, gast.Call) for n in walk(value)):
            return False
        for target in getattr(other, "targets", [getattr(other, "target", None)]):
            for part in walk(target):
                if isinstance(part, gast.Subscript):
                    part.slice = substitute(part.slice, {name: value})
        return True
    node = getattr(other, field)
    if isinstance(node, gast.Name) and isinstance(other, gast.For):
        if getattr(other, "role", "") == "backward":
            return False
    new = substitute(node, {name: value})
    if backward and len(unparse(new)) > LONGEST and not isinstance(node, gast.Name):
        return False
    if getattr(stmt, "role", "") == "forward" and backward and any(isinstance(n, gast.Call) for n in walk(value)):
        return False                               # computed in the forward pass, where the user computes it
    setattr(other, field, new)
    return True

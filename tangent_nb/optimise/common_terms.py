"""Common terms: a call that is written twice, on values that are the same, is made once.

Needs pure calls. Promises the same values; a call is shared only within one list of statements, between which nothing binds or changes
what it reads.

    e = np.exp(x)              →      e = np.exp(x)
    bx = be * np.exp(x)               bx = be * e
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import gast

from ..analyse.effects import is_pure
from ..analyse.flow import bound_in
from ..analyse.resolve import Scope, sigmoid
from ..syntax.names import Names
from ..syntax.nodes import assign, blocks, clone, is_compound, key, load, mark, origin_of, reads, walk
from .copies import sharing
from .own import changed_in_place, is_fresh
from .trees import rewritten


def common_terms(tree: gast.FunctionDef, scope: Scope, names: Names, temporaries: set[str]) -> None:
    """Share what is computed twice."""
    changed = sharing(tree.body, scope)(changed_in_place(tree.body))
    _block(tree.body, scope, names, changed, temporaries)


def _block(body: list[gast.stmt], scope: Scope, names: Names, changed: set[str], temporaries: set[str]) -> None:
    _known(body, scope, changed)
    _repeated(body, scope, names, changed, temporaries)
    for stmt in body:
        for block in blocks(stmt):
            _block(block, scope, names, changed, temporaries)


def _shared(node: Any, scope: Scope) -> bool:
    """A call worth sharing: pure, and its result is memory of its own, so that sharing it is not seen."""
    return isinstance(node, gast.Call) and is_pure(node, scope) and is_fresh(node, scope) and not _is_zero(node) and not any(
        isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute) and n.func.attr in ("pop", "append") for n in walk(node))


def _sharable(tree: gast.expr, scope: Scope) -> list[Any]:
    """The calls worth sharing. That of `a / (1 + np.exp(x))` stays in sight: as one operation the whole has no pole."""
    kept = {id(n) for whole in walk(tree) if isinstance(whole, gast.BinOp) and sigmoid(whole, scope) is not None for n in walk(whole.right)}
    return [n for n in walk(tree) if id(n) not in kept and _shared(n, scope)]


def _is_zero(node: gast.Call) -> bool:
    return isinstance(node.func, gast.Attribute) and node.func.attr in (
        "zeros_like", "zero_gradient", "ones_like", "copy", "zeros", "ones", "full", "full_like", "pick")


def _known(body: Sequence[gast.stmt], scope: Scope, changed: set[str]) -> None:
    """Read a variable where the call that made it is written again."""
    known: dict[Any, tuple[str, set[str]]] = {}
    for stmt in body:
        if not is_compound(stmt) and isinstance(getattr(stmt, "value", None), gast.AST) \
                and getattr(stmt, "role", "") in ("backward", "tangent", "return") and known:
            names = {k: name for k, (name, _) in known.items()}
            stmt.value = rewritten(stmt.value, partial(_read_instead, names, scope))
        bound = bound_in(stmt)
        known = {k: (name, uses) for k, (name, uses) in known.items() if name not in bound and not uses & bound}
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and _shared(stmt.value, scope):
            name, uses = stmt.targets[0].id, reads(stmt.value)
            if name not in changed and name not in uses and not uses & changed:
                known.setdefault(key(stmt.value), (name, uses))


def _read_instead(names: dict[Any, str], scope: Scope, node: Any) -> Any:
    found = names.get(key(node)) if _shared(node, scope) else None
    return node if found is None else load(found)


def _repeated(body: list[gast.stmt], scope: Scope, names: Names, changed: set[str], temporaries: set[str]) -> None:
    """Give a name to a call that the backward pass writes twice."""
    written: Counter[Any] = Counter()
    candidates: dict[int, list[Any]] = {}
    for stmt in body:
        if getattr(stmt, "role", "") in ("backward", "tangent") and isinstance(getattr(stmt, "value", None), gast.AST) \
                and not isinstance(stmt, gast.Return):
            candidates[id(stmt)] = _sharable(stmt.value, scope)
            written.update(key(n) for n in candidates[id(stmt)])
    if not any(count > 1 for count in written.values()):
        return
    place = 0
    while place < len(body):
        stmt = body[place]
        if id(stmt) in candidates:
            for node in [n for n in _sharable(stmt.value, scope) if written[key(n)] > 1]:
                uses = reads(node)
                if uses & changed:
                    continue
                again = _later(body[place:], key(node), uses)
                if len(again) < 2:
                    continue
                name = names.new(_base(node))
                temporaries.add(name)
                new = mark(assign(name, clone(node)), role=stmt.role, origin=origin_of(stmt))
                for one in again:
                    one.value = rewritten(one.value, _reader(key(node), name))
                body.insert(place, new)
                place += 1
                break
        place += 1


def _reader(wanted: Any, name: str) -> Callable[[Any], Any]:
    """Reads a name for a call."""
    return lambda node: load(name) if isinstance(node, gast.Call) and key(node) == wanted else node


def _later(body: Sequence[gast.stmt], wanted: Any, uses: set[str]) -> list[Any]:
    """The statements, from the first on, that write a call again before what it reads changes; one twice where it is twice in it."""
    found: list[Any] = []
    for stmt in body:
        if not is_compound(stmt) and isinstance(getattr(stmt, "value", None), gast.AST):
            found += [stmt for n in walk(stmt.value) if isinstance(n, gast.Call) and key(n) == wanted]
        if bound_in(stmt) & uses:
            break
    return found


def _base(node: gast.Call) -> str:
    name = node.func.attr if isinstance(node.func, gast.Attribute) else getattr(node.func, "id", "value")
    return "total" if name == "sum" else name

"""The values of variables over time: each with the steps at which it changed, containers part by part.

A variable is looked at again where it is bound to another object, and where a statement may have changed what it holds:
by the memory of its array, or by the container, so that an alias or a view is seen as well.
"""
from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from . import snapshots
from .snapshots import UNBOUND, Parts, Shown, is_array, is_still, of_array, of_leaf, parts_of

FOREIGN = 0                                        # memory that no array of NumPy owns
NODE = 300                                         # bytes of a variable or part that is followed, about


class Node:
    """A variable, or a part of what one holds. owner: the call that the variable is of; parent: what it is a part of;
    times, kept: from which step on it had which value; children: all parts that it ever had; obj: what it holds now;
    root: whose memory that is in; is_open: it is a container whose parts are followed."""

    __slots__ = ("children", "is_open", "kept", "name", "obj", "owner", "parent", "root", "times")

    def __init__(self, name: str, owner: int, parent: Node | None = None) -> None:
        self.name, self.owner, self.parent = name, owner, parent
        self.times: list[int] = []
        self.kept: list[Shown] = []
        self.children: dict[Any, Node] | None = None
        self.obj: Any = UNBOUND
        self.root: int | None = None
        self.is_open = False

    def own_at(self, step: int) -> Shown:
        """What it held after a step; of a container, without its parts."""
        place = bisect_right(self.times, step)
        return self.kept[place - 1] if place else UNBOUND

    def at(self, step: int, most: int = 10 ** 9) -> Shown:
        """What it held after a step. most: parts of a container; of a list the last ones."""
        own = self.own_at(step)
        if not isinstance(own, Parts):
            return own
        children = self.children or {}
        start = max(0, own.followed - most)
        names = range(start, own.followed) if own.names is None else own.names[start:own.followed]
        values = tuple(children[name].at(step, most) for name in names)
        return Parts(own.kind, own.length, own.names, own.followed, values)

    def grown(self, step: int) -> int:
        """1 of a list on which a step has put an item, -1 of one from which it took the last; 0 of all else: another
        list may be longer, too."""
        own, before = self.own_at(step), self.own_at(step - 1) if step else UNBOUND
        if not isinstance(own, Parts) or not isinstance(before, Parts) or not own.kind == before.kind == "list":
            return 0
        by, children = own.length - before.length, self.children or {}
        stays = range(min(own.followed, before.followed))
        return by if abs(by) == 1 and not any(step in children[name].times for name in stays) else 0

    @property
    def variable(self) -> Node:
        """The variable that it is a part of."""
        node = self
        while node.parent is not None:
            node = node.parent
        return node


class Tracker:
    """What is known of the variables of the calls that run. step: which step is being recorded; changed: the nodes that
    have changed in it; bytes: about how much memory is taken."""

    def __init__(self) -> None:
        self.step = 0
        self.bytes = 0
        self.changed: dict[int, Node] = {}
        self.by_root: dict[int, dict[int, Node]] = {}
        self.by_container: dict[int, dict[int, Node]] = {}

    def bind(self, node: Node, value: Any, depth: int = 0) -> None:
        """A variable or part has this value now, which nothing has changed in place."""
        if value is not node.obj:
            self._put(node, value, depth)

    def unbind(self, node: Node) -> None:
        """A variable has no value any more."""
        if node.obj is not UNBOUND:
            self.release([node])
            self._keep(node, UNBOUND)

    def again(self, node: Node, depth: int = 0) -> None:
        """What a node's object holds may have changed."""
        value = node.obj
        if is_array(value):
            if not is_still(node.kept[-1], value):
                self._keep(node, of_array(value))
        elif node.is_open:
            self._fill(node, value, depth, again=True)
        elif value is not UNBOUND:
            self._keep_leaf(node, of_leaf(value))

    def arrays(self, changed: Iterable[Any]) -> bool:
        """The memory of these arrays may have changed. False where it cannot be said whose that is."""
        for one in changed:
            root = root_of(one)
            if root == FOREIGN:
                return False
            for node in [*self.by_root.get(root, {}).values(), *self.by_root.get(FOREIGN, {}).values()]:
                self.again(node)
        return True

    def containers(self, changed: Iterable[Any]) -> None:
        """These lists and dicts may have other parts."""
        for one in changed:
            for node in list(self.by_container.get(id(one), {}).values()):
                self._fill(node, one, 0, again=False)

    def tails(self, changed: Iterable[Any]) -> None:
        """The last items of these lists may be others."""
        for one in changed:
            for node in list(self.by_container.get(id(one), {}).values()):
                before = node.kept[-1]
                if isinstance(before, Parts) and before.length == before.followed:
                    self._fill(node, one, 0, again=False, start=max(0, min(before.length, len(one)) - 1))
                else:
                    self._fill(node, one, 0, again=False)

    def release(self, nodes: Iterable[Node]) -> None:
        """Nodes hold their objects no longer."""
        todo = list(nodes)
        while todo:
            node = todo.pop()
            if node.obj is not UNBOUND:
                if node.is_open and node.children is not None:
                    todo += node.children.values()
                self._detach(node)

    def _detach(self, node: Node) -> None:
        for known, key in ((self.by_root, node.root), (self.by_container, id(node.obj) if node.is_open else None)):
            if key is not None:
                known[key].pop(id(node), None)
                if not known[key]:
                    del known[key]
        node.root, node.is_open, node.obj = None, False, UNBOUND

    def _put(self, node: Node, value: Any, depth: int) -> None:
        if is_array(value):
            self.release([node])
            node.obj, node.root = value, root_of(value)
            self.by_root.setdefault(node.root, {})[id(node)] = node
            self._keep(node, of_array(value))
            return
        if depth >= snapshots.DEEPEST or parts_of(value) is None:
            self.release([node])
            node.obj = value
            self._keep_leaf(node, of_leaf(value))
            return
        if node.is_open:                           # its parts may be the same
            self._detach(node)
        else:
            self.release([node])
        node.obj, node.is_open = value, True
        self.by_container.setdefault(id(value), {})[id(node)] = node
        self._fill(node, value, depth, again=False, anew=True)

    def _fill(self, node: Node, value: Any, depth: int, *, again: bool, start: int = 0, anew: bool = False) -> None:
        """Take up the parts of a container. again: their objects may hold something else, too; start: the first part
        that may be another one; anew: it is another container than before."""
        parts = parts_of(value)
        assert parts is not None
        node.children = {} if node.children is None else node.children
        children, before = node.children, node.kept[-1] if node.kept else None
        follows = len(parts) <= snapshots.MOST_PARTS or start > 0
        names: Any = range(len(parts) if follows else 0) if isinstance(parts, list) \
            else tuple(_names(value, parts)) if follows else ()
        values = parts[start:] if isinstance(parts, list) else parts.values()
        for name, part in zip(names[start:], values):
            child = children.get(name)
            if child is None:
                child = children[name] = Node(f"[{name}]" if type(name) is int else name, node.owner, node)
                self.bytes += NODE
            self._part(child, part, depth, again)
        if isinstance(before, Parts) and before.names is None and isinstance(names, range):
            self.release(children[at] for at in range(len(names), before.followed))
        elif isinstance(before, Parts):
            self.release([child for name, child in children.items() if name not in set(names)])
        now = Parts(type(value).__name__, len(parts), None if isinstance(names, range) else names, len(names))
        if anew or now != before:
            self._keep(node, now)

    def _part(self, child: Node, value: Any, depth: int, again: bool) -> None:
        if value is not child.obj:
            self._put(child, value, depth + 1)
        elif again:
            self.again(child, depth + 1)

    def _keep_leaf(self, node: Node, kept: Shown) -> None:
        if not node.kept or not snapshots.same_leaf(node.kept[-1], kept):
            self._keep(node, kept)

    def _keep(self, node: Node, kept: Shown) -> None:
        if node.times and node.times[-1] == self.step:
            node.kept[-1] = kept
        else:
            node.times.append(self.step)
            node.kept.append(kept)
        self.bytes += 24 + snapshots.weight(kept)
        self.changed[id(node)] = node


def _names(value: Any, parts: Mapping[Any, Any]) -> Iterator[str]:
    """The parts as they are written behind the name: `['w']`, `.w`. Of a dict only texts and numbers are written."""
    for key in parts:
        if type(value) is not dict:
            yield f".{key}"
        elif type(key) in (str, int, float, bool, type(None)):
            text = repr(key)
            yield f"[{text}]" if len(text) <= 60 else f"[{text[:60]}… {id(key)}]"
        else:
            yield f"[<{type(key).__name__} {id(key)}>]"


def root_of(array: Any) -> int:
    """What memory an array is in: the array that owns it."""
    while type(array.base) is np.ndarray:
        array = array.base
    return id(array) if array.base is None and array.flags.owndata else FOREIGN


def path_of(node: Node) -> str:
    """A node as it is written: `h`, `x_saved[3]`, `p['w']`."""
    return node.name if node.parent is None else path_of(node.parent) + node.name

"""What passes have found of the trees of one function, handed from one pass to the next.

Needs passes that put other trees into statements and leave those that stand there as they are (`trees.py`): what was
found of a tree holds as long as there is the tree.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import gast

from ..analyse.effects import is_pure, may_refuse
from ..analyse.flow import bound_in
from ..analyse.graph import Graph
from ..analyse.kinds import Env, Kinds, spec_of
from ..analyse.one_memory import Shared, one_memory, with_others
from ..analyse.remembering import remembering
from ..analyse.resolve import Scope
from ..syntax.blocks import statements
from ..syntax.nodes import reads
from ..syntax.spec import UNKNOWN, Spec
from .own import changed_in_place
from .places import Uses

NEAR = 4                        # statements behind one another


class Facts:
    """Of one function. specs: of its parameters."""

    def __init__(self, tree: gast.FunctionDef, scope: Scope, specs: Env) -> None:
        self.tree, self.scope, self.specs = tree, remembering(scope), specs
        self._pure: dict[int, tuple[gast.AST, bool]] = {}
        self._movable: dict[int, tuple[gast.AST, bool]] = {}
        self._kinds: Kinds | None = None
        self._values: dict[str, gast.expr | Spec] | None = None
        self._shared: Shared | None = None
        self._changed: set[str] | None = None
        self.renamed: dict[str, str] = {}                  # what names are called now
        self.uses = Uses()
        self.folded: dict[int, gast.AST] = {}              # trees in which constants have been folded

    def pure(self, node: gast.AST) -> bool:
        """Evaluating an expression twice, or never, makes no difference (but for exceptions)."""
        return self._found(self._pure, node, is_pure)

    def movable(self, node: gast.AST) -> bool:
        """It is pure, and no call in it is there for the error that it raises."""
        return self.pure(node) and self._found(self._movable, node, lambda node, scope: not may_refuse(node, scope))

    def _found(self, known: dict[int, tuple[gast.AST, bool]], node: gast.AST,
               question: Callable[[Any, Scope], bool]) -> bool:
        found = known.get(id(node))
        if found is None:
            found = known[id(node)] = node, question(node, self.scope)     # kept alive, so that its id stays its own
        return found[1]

    def forget_names(self) -> None:
        """Names mean something else than before."""
        self._kinds, self.uses = None, Uses()
        self.folded.clear()

    def changed(self) -> None:
        """A pass has changed statements."""
        self._values = self._shared = self._changed = None
        if self._kinds is not None and not self._still_known(self._kinds.graph):
            self._kinds = None
            self.folded.clear()
        self.uses.between_passes()

    def _still_known(self, graph: Graph) -> bool:
        """What was known where a statement stands is all that would be found anew: there is no other statement, and no
        less on stacks, of which what is popped depends."""
        now = {id(stmt) for stmt in statements(self.tree.body)}
        return now <= graph.first.keys() \
            and all(id(node.stmt) in now for node in graph.nodes if hasattr(node.stmt, "tape"))

    def kinds(self) -> Kinds:
        """What is known of values; found when somebody asks."""
        if self._kinds is None:
            self._kinds = Kinds(self.graph(), self.scope, self.specs)
        return self._kinds

    def env(self, stmt: gast.stmt) -> Env:
        """What is known of names before a statement."""
        return self.kinds().before(stmt)

    def graph(self) -> Graph:
        """The flow graph, with what its statements do to names, as far as that was found before."""
        graph = Graph(self.tree.body)
        for node in graph.nodes:
            if node.kind == "stmt":
                node.access = self.uses.access(node.stmt)
        return graph

    def near(self, node: gast.expr) -> Spec:
        """What is known of an expression by the few statements that make what it reads, without looking at others;
        nothing where `env` knows more."""
        return UNKNOWN if self._kinds is not None else spec_of(node, _Near(self.values(), NEAR, self.scope), self.scope)

    def values(self) -> dict[str, gast.expr | Spec]:
        """Of each name that stands for one value all along the expression, or what is known of the parameter."""
        if self._values is None:
            bound = Counter([one for stmt in self.tree.body for one in self.uses(stmt).bound])
            self._values = {name: spec for name, spec in self.specs.items() if not bound[name]}
            self._values |= {stmt.targets[0].id: stmt.value for stmt in self.tree.body
                             if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name)
                             and bound[stmt.targets[0].id] == 1 and stmt.targets[0].id not in self.specs}
        return self._values

    def changed_by(self, stmt: gast.stmt) -> set[str]:
        """The names that stand for something else after a statement: those that it binds, and all that may share
        memory with what it changes."""
        changed = changed_in_place([stmt])
        return bound_in(stmt) | (with_others(changed, self.memory()) if changed else set())

    def lasting(self, name: str) -> gast.expr | None:
        """What a name stands for all along the function: an expression of which nothing is bound anew, or changed in
        place under whatever name."""
        value = self.values().get(name)
        if value is None or isinstance(value, Spec):
            return None
        if self._changed is None:
            self._changed = with_others(changed_in_place(self.tree.body), self.memory())
        read = {name, *(one for one in reads(value) if not one.startswith("%"))}
        return value if read <= self.values().keys() and read.isdisjoint(self._changed) else None

    def memory(self) -> Shared:
        """Which names may share memory; found when somebody asks."""
        if self._shared is None:
            self._shared = one_memory(self.tree.body, self.scope, views=True)
        return self._shared


def stays(name: str, scope: Scope) -> bool:
    """A name from outside that is taken for the same all along a call: a library, a module, a function."""
    value = None if name.startswith("%") else scope.namespace.lookup(name)
    return name.startswith("%") or callable(value) or hasattr(value, "__spec__")


class _Near(Mapping[str, Spec]):
    """What is known of names by the expressions that they stand for, to a depth."""

    def __init__(self, values: Mapping[str, gast.expr | Spec], depth: int, scope: Scope) -> None:
        self.values_of, self.depth, self.scope = values, depth, scope

    def __getitem__(self, name: str) -> Spec:
        found = self.values_of[name]
        if isinstance(found, Spec):
            return found
        return spec_of(found, _Near(self.values_of, self.depth - 1, self.scope), self.scope) if self.depth else UNKNOWN

    def __contains__(self, name: object) -> bool:
        return name in self.values_of

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_of)

    def __len__(self) -> int:
        return len(self.values_of)

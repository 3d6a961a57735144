"""A sampled tape, written into the text: what is kept, and what the backward sweep makes of it.

Needs a plan. Promises the same statements, in which a value that is sampled is kept by `rt.sample` and read by
`rt.unsample`, slopes are kept by `rt.pack_bits`, and of what only the shape is read the shape is kept. In a function
that does both sweeps names are given up when the forward sweep needs them no more.

    h_sampled = rt.sample(h, stream, fraction=0.1)
    …
    bw = rt.unsample(h_sampled).T @ by
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from ..analyse.flow import bound_in
from ..syntax.blocks import is_compound, own_expressions, statements
from ..syntax.building import assign, clone, constant, exchanged, expr, library, load, mark, origin_of, statement, store
from ..syntax.nodes import dotted, name_nodes, names_in, reads
from ..syntax.program import Drawing
from .lives import ends, is_renaming
from .marks import keeps, note, said, takes_back
from .places import MANY, Mask, Spot
from .plan import Plan, Text
from .sweeps import Key
from .uses import Use

FIELDS = ("value", "test", "iter", "target", "targets")
FIRST = -2                                                 # of what is put in one place


def write(plan: Plan) -> None:
    """Write what is planned into all functions."""
    for i, text in enumerate(plan.texts):
        _Writer(plan, i, text).run()


class _Writer:
    """Of one function. new: expressions in the place of nodes, by their ids; put: statements to put before others."""

    def __init__(self, plan: Plan, i: int, text: Text) -> None:
        self.plan, self.i, self.text, self.sweeps = plan, i, text, text.sweeps
        self.new: dict[int, gast.expr] = {}
        self.put: list[tuple[Spot, int, gast.stmt]] = []       # the place, which of several there, the statement
        self.gone: set[int] = set()
        self.packed: set[Key] = set()                      # values that are kept as bits, in their own place
        self.made: set[str] = set()                        # the names of samples and bits in a function of both sweeps
        self.said: dict[Key, Drawing] = {}                 # of what is sampled, how
        self.named: set[str] = set()                       # what was another name for a value, and is its outline now

    def run(self) -> None:
        # in this order: what is left of a value is known when its samples and bits are written
        sampled = {key for (i, key) in self.plan.samples if i == self.i}
        for mask in self.text.masks:
            self._mask(mask)
        for key in sorted(sampled, key=str):
            self._sample(key)
        for key in self.text.uses:
            if key not in sampled | self.packed:
                self._outline(key)
        self._drop_unread(sampled)
        if not self.sweeps.halves and any(block is self.sweeps.forward for (block, _), _, _ in self.put):
            self._release(sampled)
        self._finish()

    # ------------------------------------------------------------------ samples
    def _kept(self, value: gast.expr, key: Key) -> gast.expr:
        sweeps, how = self.sweeps, self.plan.samples[self.i, key]
        self.said[key] = said(value, how)
        if not sweeps.stream:
            sweeps.stream = sweeps.names.new("stream")
        keywords = [gast.keyword(name, _literal(one)) for name, one in how.settings().items()]
        return keeps(gast.Call(library("rt.sample"), [value, load(sweeps.stream)], keywords), self.said[key])

    def _sample(self, key: Key) -> None:
        operands = [use for use in self.text.uses[key] if use.kind == "operand"]
        shapes = [use for use in self.text.uses[key] if use.kind == "outline"]
        if key[0] == "cut" and not self.sweeps.halves:
            name = self.sweeps.names.new(f"{key[1]}_sampled")
            spot = self.text.places.spot(key[1])
            assert spot is not None
            only = self._only_a_name(key[1])
            self.made |= {name} if spot[0] is self.sweeps.forward else set()
            kept = assign(name, self._kept(load(key[1] if only is None else only.value.id), key))
            if operands and key[1] in self.sweeps.parameters:          # no line of the user's makes it: one reads it
                mark(kept, origin=origin_of(operands[0].stmt))
            self._put(spot, kept, "forward", FIRST)
            if only is not None:
                self.new[id(only.value)] = library("rt.outline(x)", x=only.value)
                self.named.add(key[1])
                if not shapes:
                    self.gone.add(id(only))
            for use in operands:
                self.new[id(use.node)] = self._again(use, name)
            return
        value = self._saved(key)
        self.new[id(value)] = self._kept(value, key)
        for use in operands:
            self.new[id(use.node)] = self._again(use, use.node.id)
        for use in shapes:
            self.new[id(use.node)] = library("rt.sampled_outline(x)", x=use.node.id)

    def _again(self, use: Use, name: str) -> gast.expr:
        """What a product reads of a sample: what was drawn, where its row takes that, or the whole array."""
        operation = self.sweeps.scope.operation(use.product)
        takes = operation.rule.drawn if operation.rule is not None else frozenset()
        direct = any(arg is use.node or isinstance(arg, gast.Attribute) and arg.attr == "T" and arg.value is use.node
                     for one, arg in operation.args.items() if one in takes)
        return takes_back(library("rt.drawn(x)" if direct else "rt.unsample(x)", x=name), self.said[use.key])

    def _only_a_name(self, name: str) -> Any:
        """The statement that gives a value of another variable this name, for the backward sweep alone."""
        mentions = [stmt for stmt in statements(self.sweeps.forward) if name in names_in(stmt)]
        stmt: Any = mentions[0]
        return stmt if len(mentions) == 1 and isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Name) \
            and isinstance(stmt.targets[0], gast.Name) and not any(
                name in names_in(mask.node) for mask in self.text.masks) else None

    def _saved(self, key: Key) -> Any:
        """What is kept, where a list or the first half keeps it."""
        if key[0] == "tape":
            return self.text.places.saves[key][0][0].value.args[0]
        return self.sweeps.kept()[key[1]]

    # ------------------------------------------------------------------ bits
    def _mask(self, mask: Mask) -> None:
        names, node = self.sweeps.names, mask.node
        variables = {use.node.id: self.text.places._variable(use.key) for use in mask.uses}
        made = exchanged(node, {id(one): load(variables[one.id]) for one in name_nodes(node) if one.id in variables})
        bits = said(made)
        packed = keeps(library("rt.pack_bits(x)", x=clone(made)), bits)
        if self.sweeps.halves and isinstance(node, gast.Name):
            value = self._saved(mask.keys[0])
            self.new[id(value)] = packed
            self.packed.add(mask.keys[0])
            for use in mask.uses:
                self.new[id(use.node)] = takes_back(library("rt.unpack_bits(x)", x=use.node.id), bits)
            return
        base = (dotted(node.func) or "").rpartition(".")[2].strip("%") if isinstance(node, gast.Call) \
            else node.id if isinstance(node, gast.Name) else "condition"
        if mask.back is not None:
            assert mask.spot is not None
            stack, name = names.new(f"{base}_saved"), names.new(f"{base}_bits")
            site = 1 + len(self.put) + max([stmt.tape[1] for stmt in statements(
                [*self.sweeps.forward, *self.sweeps.backward]) if isinstance(getattr(stmt, "tape", (0, None))[1], int)])
            save = statement("STACK.append(VALUE)", STACK=stack, VALUE=packed)
            back = gast.Assign([store(name)], expr("STACK.pop()", STACK=stack), None)
            self._put(mask.spot, mark(save, tape=(stack, site)), "forward")
            self._put(mask.back, mark(back, restore=name, tape=(stack, site)), "backward")
            self._begin(stack)
        elif self.sweeps.halves:
            name = names.new(f"{base}_bits")
            if mask.spot is not None:                      # in a branch, of which nothing else is known there
                self._put(mask.spot, assign(name, packed), "forward")
                self._put((self.sweeps.forward, self._start()), assign(name, constant(None)), "forward")
                packed = load(name)
            self._give(name, packed)
        else:
            assert mask.spot is not None
            name = names.new(f"{base}_bits")
            self.made |= {name} if mask.spot[0] is self.sweeps.forward else set()
            self._put(mask.spot, assign(name, packed), "forward")
        for use in mask.uses:
            self.new[id(use.whole)] = takes_back(library("rt.unpack_bits(x)", x=name), bits)

    def _begin(self, stack: str) -> None:
        """A new list, from the start of the forward sweep on."""
        begin = mark(assign(stack, gast.List([], gast.Load())), tape=(stack, None))
        self._put((self.sweeps.forward, self._start()), begin, "forward")
        if self.sweeps.halves:
            self._give(stack, load(stack))
            back = self.sweeps.backward
            self._put((back, 1), mark(assign(stack, expr("list(x)", list="%list", x=stack)), tape=(stack, "copy")),
                      "backward")

    def _start(self) -> int:
        """Behind the guards."""
        forward = self.sweeps.forward
        return next((i for i, stmt in enumerate(forward) if getattr(stmt, "role", "") != "guard"), len(forward))

    def _give(self, name: str, value: gast.expr) -> None:
        """The first half gives the second something more."""
        self.sweeps.given.elts.append(value)
        self.sweeps.taken.targets[0].elts.append(store(name))

    # ------------------------------------------------------------------ what is left
    def _left(self, key: Key) -> set[str]:
        """How a value is read where no sample and no bits stand for it."""
        return {use.kind for use in self.text.uses.get(key, ()) if use.kind != "bits"}

    def _outline(self, key: Key) -> None:
        """A value of which nothing but the outline is read any more."""
        if self._left(key) - {"outline"} or self.plan.is_held((self.i, key)) or not self.text.places.can_keep(key):
            return
        if key[0] == "cut" and not self.sweeps.halves:
            return                                         # its name is given up, or stands for the outline
        if not self._left(key):
            self.gone.add(id(self._saved(key)))
            return
        value = self._saved(key)
        self.new[id(value)] = library("rt.outline(x)", x=value)

    def _release(self, sampled: set[Key]) -> None:
        """Give up what the forward sweep has made and nothing reads any more; keep outlines of what is read as such."""
        forward, places = self.sweeps.forward, self.text.places
        if places.tries or any(isinstance(node, (gast.Lambda, gast.FunctionDef))
                               for stmt in [*forward, *self.sweeps.backward] for node in gast.walk(stmt)):
            return
        last: dict[str, int] = {}
        for i, stmt in enumerate(forward):
            for name in names_in(stmt):
                last[name] = i
        put = self._read_there(forward)
        late = self._read_there(forward, since=0)
        for at, names in put.items():                      # what is sampled there is read there
            for name in names:
                last[name] = max(last.get(name, 0), at - 1)
        end = max(at for (block, at), _, _ in self.put if block is forward)      # behind it only the value is made
        assigned: dict[str, int] = {}
        for i, stmt in enumerate(forward):
            if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) \
                    and getattr(stmt, "role", "") != "guard":
                made = assigned.get(stmt.value.id, i) if isinstance(stmt.value, gast.Name) else i      # a second name
                assigned[stmt.targets[0].id] = min(made, assigned.get(stmt.targets[0].id, i))
        given_up: dict[int, list[str]] = {}
        small = self._small()
        for name in sorted(assigned.keys() - set(self.sweeps.parameters), key=lambda one: (last[one], one)):
            left = self._left(("cut", name)) - ({"operand"} if ("cut", name) in sampled else set())
            if left - {"outline"} or name in small | self.named or name not in places.bound \
                    or self.plan.is_held((self.i, ("cut", name))) or self._aliased(name, sampled):
                continue
            if left and (only := self._only_a_name(name)) is not None:
                self.new[id(only.value)] = library("rt.outline(x)", x=only.value)
            elif left:
                kept = assign(name, library("rt.outline(x)", x=name))
                self._put((forward, last[name] + 1), kept, "forward", 1 if name in late.get(last[name] + 1, ()) else -1)
            elif assigned[name] < end:
                given_up.setdefault(last[name] + 1, []).append(name)
        for name, at, after in ends(forward, 0, put):      # the values of a name but its last
            if after < len(forward) and name not in small | set(self.sweeps.parameters) \
                    and not self.plan.is_held((self.i, ("cut", name))) and not self._kept_by_another(name, after):
                given_up.setdefault(at, []).append(name)
        self._give_up(forward, given_up, "forward", late)
        self._release_backward(small)

    def _read_there(self, body: list[gast.stmt], since: int = FIRST) -> dict[int, set[str]]:
        """What the statements that are put into a body read, by the statement before which they are put. since: which
        of those that are put in one place."""
        found: dict[int, set[str]] = {}
        for (block, at), late, new in self.put:
            if block is body and late >= since:
                found.setdefault(at, set()).update(reads(new))
        return found

    def _kept_by_another(self, name: str, after: int) -> bool:
        """The backward sweep has another name for a value, and needs all of it."""
        return any(is_renaming(stmt, self.sweeps.forward) and stmt.value.id == name
                   and id(stmt) not in self.gone and id(stmt.value) not in self.new
                   for stmt in self.sweeps.forward[:after])

    def _release_backward(self, small: set[str]) -> None:
        """Give up cotangents too, from the first sample on that is read, and samples that have been read."""
        body = self.sweeps.backward
        start = next((i for i, stmt in enumerate(body)
                      if any(id(node) in self.new for node in gast.walk(stmt))), len(body))
        given_up: dict[int, list[str]] = {}
        unsure = small.union(*(bound_in(stmt) for stmt in body if id(stmt) in self.gone))
        for name, at, _ in ends(body, start, {}):
            if at < len(body) - 1 and name not in unsure and name not in given_up.get(at, ()):
                given_up.setdefault(at, []).append(name)
        last = {name: i for i, stmt in enumerate(body) for node in gast.walk(stmt)
                if (new := self.new.get(id(node))) is not None for name in reads(new) & self.made}
        for name, i in last.items():
            if i + 1 < len(body) - 1:
                given_up.setdefault(i + 1, []).append(name)
        self._give_up(body, given_up, "backward", {})

    def _give_up(self, body: list[gast.stmt], given_up: Mapping[int, list[str]], role: str,
                 late: Mapping[int, set[str]]) -> None:
        for at, names in given_up.items():
            for place, some in ((-1, [one for one in names if one not in late.get(at, ())]),
                                (1, [one for one in names if one in late.get(at, ())])):
                if some:
                    gone = gast.Delete([gast.Name(name, gast.Del(), None, None) for name in some])
                    self._put((body, at), gone, role, place)

    def _aliased(self, name: str, sampled: set[Key]) -> bool:
        """The backward sweep gives the value another name."""
        return any(key == ("cut", name) for stmt in statements(self.sweeps.backward)
                   if (key := self.text.keys.aliases.get(id(stmt))) is not None and id(stmt) not in self.gone)

    def _small(self) -> set[str]:
        """The names of numbers, of vectors, and of what is no array: little is gained where they are given up."""
        env = self.text.places.kinds.before(self.sweeps.backward[0])
        return {name for name, spec in env.items() if spec.is_scalar or spec.kind not in MANY
                or isinstance(spec.shape, tuple) and len(spec.shape) < 2}

    def _drop_unread(self, sampled: set[Key]) -> None:
        """Saves that nothing reads any more, with what brings them back."""
        for stmt in statements(self.sweeps.backward):
            key = self.text.keys.aliases.get(id(stmt))
            if key is not None and hasattr(stmt, "restore") and key in sampled and not any(
                    use.kind == "outline" for use in self.text.uses[key]):
                self.gone.add(id(stmt))

    # ------------------------------------------------------------------ the statements
    def _put(self, spot: Spot, stmt: Any, role: str, late: int = 0) -> None:
        """late: of what is put in one place samples come first, then what is given up before slopes are made, slopes
        (0), and the rest (1)."""
        block, at = spot
        near = block[min(max(at - 1, 0), len(block) - 1)] if block else None
        if not hasattr(stmt, "origin"):
            mark(stmt, origin=origin_of(near) if near is not None else None)
        self.put.append((spot, late, mark(stmt, role=role)))

    def _finish(self) -> None:
        sweeps = self.sweeps
        unread = self._unread()
        if sweeps.taken is not None:
            pairs = [(target, value)
                     for target, value in zip(sweeps.taken.targets[0].elts, sweeps.given.elts, strict=True)
                     if id(value) not in self.gone]
            sweeps.taken.targets[0].elts = [target for target, _ in pairs]
            sweeps.given.elts = [value for _, value in pairs]
        ordered = sorted(enumerate(self.put), key=lambda one: (one[1][0][1], one[1][1], one[0]), reverse=True)
        for _, ((block, at), _, stmt) in ordered:
            block.insert(at, stmt)
        for body in (sweeps.forward, sweeps.backward):
            for stmt in list(statements(body)):
                if stmt is not sweeps.taken and not any(stmt is one for _, _, one in self.put):
                    self._exchange(stmt)
            _without(body, self.gone | unread)
            note(body)

    def _unread(self) -> set[int]:
        """The statements of lists whose values nothing reads any more."""
        found: set[int] = set()
        stacks: dict[str, list[int]] = {}
        for key, several in self.text.places.saves.items():
            backs = self.text.keys.restores.get(key, [])
            if id(several[0][0].value.args[0]) in self.gone and len(backs) == 1:
                found |= {id(several[0][0]), id(backs[0][0])}
        every = [stmt for stmt in statements([*self.sweeps.forward, *self.sweeps.backward]) if hasattr(stmt, "tape")]
        for stmt in every:
            if isinstance(stmt.tape[1], int):
                stacks.setdefault(stmt.tape[0], []).append(id(stmt))
        empty = {stack for stack, stmts in stacks.items() if set(stmts) <= found}
        if self.sweeps.halves and empty:
            for target, value in zip(self.sweeps.taken.targets[0].elts, self.sweeps.given.elts, strict=True):
                if target.id in empty:
                    self.gone.add(id(value))
        return found | {id(stmt) for stmt in every if stmt.tape[0] in empty}

    def _exchange(self, stmt: Any) -> None:
        if not any(id(node) in self.new for part in (own_expressions(stmt) if is_compound(stmt) else [stmt])
                   for node in gast.walk(part)):
            return
        for name in FIELDS:
            if (value := getattr(stmt, name, None)) is not None:
                setattr(stmt, name, exchanged(value, self.new))


def _without(body: list[gast.stmt], gone: set[int]) -> None:
    """Take statements out of a body and its blocks."""
    for stmt in body:
        if is_compound(stmt):
            for name in ("body", "orelse"):
                block = getattr(stmt, name, None)
                if isinstance(block, list):
                    _without(block, gone)
                    if not block and name == "body":
                        block.append(mark(gast.Pass(), origin=origin_of(stmt)))
    body[:] = [stmt for stmt in body if id(stmt) not in gone]


def _literal(value: Any) -> gast.expr:
    return gast.Tuple([constant(int(one)) for one in value], gast.Load()) if isinstance(value, tuple) else constant(
        value if isinstance(value, str) else float(value) if isinstance(value, float) else int(value))

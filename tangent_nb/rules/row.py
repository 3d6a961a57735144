"""One row of the table of rules: what is known of a function, and what follows from it.

A condition is a function of the specs of the arguments, by name, with that of the result under its name.
"""
from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from ..syntax import spec as sp
from ..syntax.spec import Spec
from .breaking import is_floating
from .libraries import IN_ROWS

Condition: TypeAlias = Callable[[Mapping[str, Spec]], bool]
Breaks: TypeAlias = str | Mapping[str, str] | Mapping[int, str]
Infinite: TypeAlias = str | Mapping[str, str]
Breaking: TypeAlias = Callable[[Mapping[str, Any], Collection[str]], Breaks]
# libraries whose functions take arrays
ARRAYS = ("np.", "scipy.interpolate.", "scipy.linalg.", "scipy.ndimage.", "scipy.signal.", "scipy.spatial.",
          "scipy.special.", "scipy.stats.")
# whose texts take no list
COMPUTING = ("scipy.spatial.", "scipy.stats.", "scipy.special.", "np.arctan2", "np.average", "rt.power_d")
# arguments that take several arrays: a list there stays one
SEVERAL = frozenset(["arrays", "blocks", "choices", "choicelist", "condlist", "xi"])
SETTINGS = frozenset("""# arguments that say how, not of what; sequences among them are no arrays M N UPLO axes axis
    axis1 axis2 bias correction ddof decimals deg destination dtype edge_order endpoint include_initial increasing
    indexing indices_or_sections k keepdims kind kth m method mode n new_shape norm num obj offset ord order pad_width
    metric origin period repeats reps rowvar s shape shift size source sparse start stat_length subscripts""".split())
SIZES = frozenset(["M", "N", "new_shape", "num", "repeats", "reps", "shape", "start", "stop"])


@dataclass(frozen=True)
class Choice:
    """One text of a partial, with the condition under which it holds."""

    when: Condition | None
    text: str

    @cached_property
    def expr(self) -> ast.expr:
        return ast.parse(self.text, mode="eval").body

    @cached_property
    def reads(self) -> frozenset[str]:
        """The names in it that are no libraries."""
        return frozenset({node.id for node in ast.walk(self.expr) if isinstance(node, ast.Name)} - set(IN_ROWS))


def _arithmetic(choice: Choice) -> list[ast.AST]:
    """What lists have otherwise, or not at all: operators, comparisons, attributes, indices."""
    return [node for node in ast.walk(choice.expr)
            if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Attribute, ast.Subscript))]


@dataclass(frozen=True)
class Rule:
    """One row.

    name: as users write it (`"np.sin"`); result: the result's name in the texts; signature: of the arguments;
    pull / push: by argument name the choices for reverse / forward mode; nondiff: arguments without a derivative (only
    their shape, or an integer, is used); refused: those of them on which the result does depend, refused where active;
    joint: linear in all of them at once, so that the tangent is the function of the tangents;
    diagonal: the Jacobian is elementwise (the pull is unbroadcast to the argument by the caller);
    spec: from the specs of the bound arguments and, for constants, their values, the spec of the result;
    memory: whether the result is `"fresh"`, a `"view"` of its first argument or may `"alias"` any that it
    differentiates, and those in passes, which it may hold as they are; itself: it is its first argument, or new;
    shares: which calls give what `memory` says, by the nodes of their arguments, where the others give something fresh;
    of_lists: the texts hold of lists of numbers too; exact: whatever it is given, the result is an ndarray, of no class
    derived from it;
    shape_only: arguments of which nothing but shapes, dtypes and places in memory is read; numeric: the result is a
    number or an array, whatever the operands are, as it is for elementwise functions of NumPy;
    refuses: a call may be there for the error that it raises, and stays where it stands; judged: it stands beside what
    is stored outside, and is judged with that; fills: it takes no more time
    than memory to fill; unset: its numbers are what the memory holds; part: the result is the first argument under
    other indices; because / instead: for a row without a derivative, why, and what to use; remedies: the same by
    refused argument; also_named: second names of arguments, as `min` of `a_min`; zero: the derivative is zero
    by convention (floor, sign) rather than absent; breaks: what happens somewhere inside of the domain, as an argument
    moves: `"jump"`, or `"kink"` where only the slope jumps; by argument, if not each moves the place; by part of the
    result; or from the nodes of the arguments and the names of those that move; domain: the intervals that the tests
    draw its arguments from; by_user: written with `adjoint` or `tangent`, perhaps for one mode only; takes_more: the
    function takes more arguments than the row, which stands for each two of them; infinite: where its value is so
    for finite arguments: at a `"pole"`, or where they are `"large"`, and its slope with it; by argument, if not each
    leads there; spreads: each element of the result is made of some of what is given, none is left out (without it,
    that is so of smooth functions of elements); multiplies: it computes sums of products of elements, with no other
    weights (`"elements"`) or with some, or of one argument (`"mixed"`); zeros: it puts exact zeros beside what it is
    given; joins: what it makes of lists or dicts is one of the same items: of `"all"` its operands, or of
    `"one"` of them, which an int repeats; receiver: the first argument is the object that is called, or whose method it
    is; makes: the class of the object that comes out, where that has rows of its own, or `"same"` as the receiver;
    valued: what is known of such an object by itself; linear_in: the argument in which such an object is linear, where
    its options have their defaults, or values of linear_with; matrices: arguments that may be sparse, beside one with a
    derivative; drawn: arguments that may be what `rt.drawn` gives, so that no whole array is made of a sample.
    """

    fn: object
    name: str
    result: str
    signature: inspect.Signature
    pull: Mapping[str, tuple[Choice, ...]] = field(default_factory=dict)
    push: Mapping[str, tuple[Choice, ...]] = field(default_factory=dict)
    nondiff: frozenset[str] = frozenset()
    refused: frozenset[str] = frozenset()
    joint: bool = False
    diagonal: bool = False
    spec: Callable[[Mapping[str, Spec], Mapping[str, Any]], Spec] | None = None
    memory: str = "fresh"
    passes: frozenset[str] = frozenset()
    itself: bool = False
    shares: Callable[[Mapping[str, Any]], bool] | None = None
    of_lists: bool = False
    exact: bool = False
    shape_only: frozenset[str] = frozenset()
    numeric: bool = False
    pure: bool = True
    refuses: bool = False
    judged: bool = False
    fills: bool = False
    unset: bool = False
    part: bool = False
    zero: bool = False
    breaks: Breaks | Breaking = ""
    supported: bool = True
    because: str = ""
    instead: str = ""
    remedies: Mapping[str, str] = field(default_factory=dict)
    also_named: Mapping[str, str] = field(default_factory=dict)
    domain: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    note: str = ""
    by_user: bool = False
    takes_more: bool = False
    infinite: Infinite = ""
    spreads: bool | None = None
    multiplies: str = ""
    zeros: bool = False
    joins: str = ""
    receiver: bool = False
    makes: Any = None
    valued: Callable[[Any], Spec] | None = None
    linear_in: str = ""
    linear_with: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    matrices: frozenset[str] = frozenset()
    drawn: frozenset[str] = frozenset()

    @cached_property
    def params(self) -> tuple[str, ...]:
        return tuple(self.signature.parameters)

    @cached_property
    def by_position(self) -> range:
        """How many arguments a call may give that gives them by position alone;
        an empty range where only `signature.bind` can say."""
        parameters = self.signature.parameters.values()
        plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        if any(p.kind is not p.KEYWORD_ONLY or p.default is p.empty for p in parameters if p not in plain):
            return range(0)
        return range(sum(p.default is p.empty for p in plain), len(plain) + 1)

    @cached_property
    def original(self) -> inspect.Signature | None:
        """The signature that the function itself has, where Python knows it."""
        try:
            return inspect.signature(self.fn)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return None

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The row's names of arguments by those that the function itself gives them: `x` by `a`."""
        own, theirs = self.signature.parameters, self.original.parameters if self.original else {}
        found = dict(self.also_named)
        for mine, parameter in zip(own, theirs.values()):
            if mine != parameter.name and parameter.kind is parameter.POSITIONAL_OR_KEYWORD \
                    and parameter.name not in own:
                if mine in theirs:
                    break
                found.setdefault(parameter.name, mine)
        return found

    @cached_property
    def active_params(self) -> tuple[str, ...]:
        """The arguments through which a derivative flows."""
        return tuple(self.pull) + tuple(name for name in self.push if name not in self.pull)

    def takes_array(self, name: str | None) -> bool:
        """An argument that is an array: what is written as a list is made one."""
        return name in self.active_params and name not in SEVERAL and self.name.startswith(ARRAYS) \
            or self.computes_with(name)

    def computes_with(self, name: str | None) -> bool:
        """The texts may compute with this argument as with an array: a list in a variable is made one too.
        (Other texts take lists.)"""
        return (name in self.active_params or name in self.refused) \
            and (self.name.startswith(COMPUTING) or self.name.endswith(".outer"))

    def needs_array(self, name: str | None, *, tangents: bool) -> bool:
        """What the caller holds has to be an array there: a list would stand bare in the arithmetic of a text,
        or in forward mode (`tangents`) its tangent would."""
        return self.name.startswith(ARRAYS) and not self.of_lists \
            and (name in self._bare or tangents and self.bares_tangent(name))

    def bares_tangent(self, name: str | None) -> bool:
        """In forward mode the tangent of an argument stands alone in the arithmetic of a text: no list may be that."""
        return name in self._bare_tangents

    @cached_property
    def _bare(self) -> frozenset[str]:
        texts = (choice for side in (self.pull, self.push) for choices in side.values() for choice in choices)
        return frozenset({one.id for text in texts for node in _arithmetic(text) for one in ast.iter_child_nodes(node)
                          if isinstance(one, ast.Name)})

    @cached_property
    def _bare_tangents(self) -> frozenset[str]:
        """Those with no array beside them."""
        beside = {*self.params, self.result}
        return frozenset({name for name, choices in self.push.items() for choice in choices
                          for node in _arithmetic(choice)
                          if any(isinstance(one, ast.Name) and one.id == "g" for one in ast.iter_child_nodes(node))
                          and beside.isdisjoint(one.id for one in ast.walk(node) if isinstance(one, ast.Name))})

    @property
    def converts(self) -> bool:
        """The result is the first argument as an array, which may be a list: np.asarray."""
        return self.of_lists and self.memory == "view"

    @cached_property
    def reads_result(self) -> bool:
        """An adjoint or a tangent reads the result: that of np.tanh, which is g * (1.0 - y * y)."""
        return any(self.result in choice.reads for side in (self.pull, self.push) for choices in side.values()
                   for choice in choices)

    @cached_property
    def adds(self) -> bool:
        """The sum or the difference of two arguments."""
        texts = [choice.text for choices in self.pull.values() for choice in choices]
        return self.diagonal and len(self.pull) == 2 and set(texts) <= {"g", "-g"}

    @cached_property
    def sizes(self) -> frozenset[str]:
        """The arguments that say how large the result is."""
        return SIZES & self.signature.parameters.keys() - self.pull.keys()

    @cached_property
    def settings(self) -> frozenset[str]:
        """The arguments that are no arrays: axes, shapes, dtypes, orders, counts, modes."""
        return SETTINGS & self.signature.parameters.keys() - self.pull.keys()

    def reads_numbers(self, name: str) -> bool:
        """A partial may read the numbers of this argument: a tangent, which needs no shapes, reads it."""
        return any(name in choice.reads for choices in (self.push or self.pull).values() for choice in choices)

    @cached_property
    def called(self) -> tuple[str, ...]:
        """The arguments that are functions, which an adjoint calls again: their cotangent is that of what they are
        bound to."""
        return tuple(name for name, choices in self.pull.items()
                     if any("rt.closure_of" in choice.text for choice in choices))

    def broken(self, args: Mapping[str, Any], moving: Iterable[str], parts: Iterable[int] | None = None) -> str:
        """`"jump"`, `"kink"` or neither: what may happen in a call, of which these arguments move.
        parts: those of the result that are read."""
        moving = set(moving)
        breaks: Any = self.breaks(args, moving) if callable(self.breaks) else self.breaks
        if isinstance(breaks, str):
            found = {breaks}
        else:
            by_part = any(isinstance(one, int) for one in breaks)
            found = {breaks.get(one, "") for one in ((breaks if parts is None else parts) if by_part else moving)}
        if self.active_params and self.name.startswith((*ARRAYS, "x.")):
            choosing = self.nondiff & moving - (set() if isinstance(breaks, str) else breaks.keys())
            if choosing or not is_floating(args.get("dtype")):             # a number chooses, or is cut to an integer
                found.add("jump")
        return "jump" if "jump" in found else "kink" if "kink" in found else ""

    def result_spec(self, args: Mapping[str, Spec], constants: Mapping[str, Any]) -> Spec:
        """The spec of the result; UNKNOWN where the row does not say. Never raises."""
        if self.spec is None:
            return sp.UNKNOWN
        try:
            return self.spec(args, constants)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError):
            return sp.UNKNOWN

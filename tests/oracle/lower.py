"""Lower: from a body in normal form, or any text in the core language, to operations.

Needs gast trees. Promises a block in which each operand is a name or a literal, evaluated in Python's order and once;
what may not be evaluated stands in a region of its own. What makes functions or comprehensions stays Python: an
operation `code` that reads the variables when it runs.

    >>> import gast
    >>> print(lowered(gast.parse("y = a * b + 1.0 if c else g(*d, k=a[0])").body).block)
    if c:
        %1 = mul(a, b)
        %0 = add(%1, 1.0)
    else:
        %3 = getitem(a, 0)
        %0 = call(g, d, %3, [*, k=])
    y = %0
"""
from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gast

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ops import Block, Exit, For, Handler, If, Literal, Name, Op, Operand, Point, Try, While, With

OPERATORS = {"Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "FloorDiv": "floordiv", "Mod": "mod",
             "Pow": "pow", "MatMult": "matmul", "LShift": "lshift", "RShift": "rshift", "BitOr": "or", "BitAnd": "and",
             "BitXor": "xor", "USub": "neg", "UAdd": "pos", "Invert": "invert", "Not": "not",
             "Eq": "eq", "NotEq": "ne", "Lt": "lt", "LtE": "le", "Gt": "gt", "GtE": "ge", "Is": "is", "IsNot": "is_not",
             "In": "in", "NotIn": "not_in"}


@dataclass
class Lowered:
    """block: the operations; statements: those that were lowered, by their numbers."""

    block: Block
    statements: list[Any]


def lowered(body: Sequence[Any], points: bool = False) -> Lowered:
    """The operations of some statements. points: with a place for facts before and after each."""
    one = Lower(points)
    block = Block()
    one.body(body, block)
    return Lowered(block, one.statements)


@dataclass
class Lower:
    """Walks over statements. made: how many names were made; number: of the statement that is lowered."""

    points: bool
    statements: list[Any] = field(default_factory=list)
    made: int = 0
    number: int = -1

    # ------------------------------------------------------------------ statements
    def body(self, body: Sequence[Any], block: Block) -> Block:
        """Add the statements to a block."""
        for stmt in body:
            number = self.number = len(self.statements)
            self.statements.append(stmt)
            if self.points:
                block.items.append(Point(number, "before"))
            getattr(self, "do_" + type(stmt).__name__.lower(), self.other)(stmt, block)
            self.number = number
            if self.points:
                block.items.append(Point(number, "after"))
        return block

    def do_assign(self, stmt: Any, block: Block) -> None:
        value = self.expr(stmt.value, block)
        for target in stmt.targets:
            self.bind(target, value, block)

    def do_annassign(self, stmt: Any, block: Block) -> None:
        if stmt.value is not None:
            self.bind(stmt.target, self.expr(stmt.value, block), block)

    def do_augassign(self, stmt: Any, block: Block) -> None:
        """The target is read, then the value, then the result is stored."""
        target, row = stmt.target, "i" + OPERATORS[type(stmt.op).__name__]
        if isinstance(target, gast.Name):
            self.op(row, [Name(target.id), self.expr(stmt.value, block)], block, result=target.id, writes=(target.id,))
            return
        base = self.expr(target.value, block)
        where = (self.expr(target.slice, block),) if isinstance(target, gast.Subscript) else ()
        static = None if where else target.attr
        old = self.op("getitem" if where else "getattr", [base, *where], block, static=static)
        new = self.op(row, [old, self.expr(stmt.value, block)], block)
        self.store(base, where, static, new, block)

    def do_expr(self, stmt: Any, block: Block) -> None:
        self.expr(stmt.value, block)

    def do_pass(self, stmt: Any, block: Block) -> None:
        pass

    def do_if(self, stmt: Any, block: Block) -> None:
        test = self.expr(stmt.test, block)
        block.items.append(If(test, self.body(stmt.body, Block()), self.body(stmt.orelse, Block()), self.number))

    def do_for(self, stmt: Any, block: Block) -> None:
        number, iterator = self.number, self.expr(stmt.iter, block)
        item, body = self.name(), Block()
        self.bind(stmt.target, Name(item), body)
        block.items.append(For(iterator, item, self.body(stmt.body, body), self.body(stmt.orelse, Block()), number))

    def do_while(self, stmt: Any, block: Block) -> None:
        number, before = self.number, Block()
        test = self.expr(stmt.test, before)
        block.items.append(While(before, test, self.body(stmt.body, Block()), self.body(stmt.orelse, Block()), number))

    def do_try(self, stmt: Any, block: Block) -> None:
        number, body, handlers = self.number, self.body(stmt.body, Block()), []
        for handler in stmt.handlers:
            before = Block()
            caught = None if handler.type is None else self.expr(handler.type, before)
            name = getattr(handler.name, "id", handler.name)
            handlers.append(Handler(before, caught, name, self.body(handler.body, Block())))
        block.items.append(
            Try(body, handlers, self.body(stmt.orelse, Block()), self.body(stmt.finalbody, Block()),
                frozenset(getattr(stmt, "partial", ())) if getattr(stmt, "whole", False) else None, number))

    def do_with(self, stmt: Any, block: Block) -> None:
        """Several managers are one in another."""
        first, *rest = stmt.items
        manager, entered, body = self.expr(first.context_expr, block), self.name(), Block()
        if first.optional_vars is not None:
            self.bind(first.optional_vars, Name(entered), body)
        block.items.append(With(manager, entered, body, self.number))
        if rest:
            self.do_with(gast.With(rest, stmt.body), body)
        else:
            self.body(stmt.body, body)

    def do_return(self, stmt: Any, block: Block) -> None:
        block.items.append(Exit("return", (Literal(None) if stmt.value is None else self.expr(stmt.value, block),),
                                self.number))

    def do_break(self, stmt: Any, block: Block) -> None:
        block.items.append(Exit("break", (), self.number))

    def do_continue(self, stmt: Any, block: Block) -> None:
        block.items.append(Exit("continue", (), self.number))

    def do_raise(self, stmt: Any, block: Block) -> None:
        given = [self.expr(one, block) for one in (stmt.exc, stmt.cause) if one is not None]
        block.items.append(Exit("raise", tuple(given), self.number))

    def do_assert(self, stmt: Any, block: Block) -> None:
        test, failed = self.expr(stmt.test, block), Block()
        given = [] if stmt.msg is None else [self.expr(stmt.msg, failed)]
        error = self.op("call", [Literal(AssertionError), *given], failed, static=[""] * len(given))
        failed.items.append(Exit("raise", (error,), self.number))
        block.items.append(If(test, Block(), failed, self.number))

    def do_delete(self, stmt: Any, block: Block) -> None:
        for target in stmt.targets:
            if isinstance(target, gast.Subscript):
                base = self.expr(target.value, block)
                self.op("delitem", [base, self.expr(target.slice, block)], block, result="", writes=_names(base))
            elif isinstance(target, gast.Name):
                self.op("unbind", [], block, static=target.id, result="")
            else:
                self.other(gast.Delete([target]), block)

    def other(self, stmt: Any, block: Block) -> None:
        """What stays Python: definitions, imports."""
        tree = ast.fix_missing_locations(ast.Module([gast.gast_to_ast(stmt)], []))
        self.op("code", [], block, static=compile(tree, "<op>", "exec", dont_inherit=True), result="")

    # ------------------------------------------------------------------ targets
    def bind(self, target: Any, value: Operand, block: Block) -> None:
        """Bind a target to a value."""
        if isinstance(target, gast.Name):
            self.op("copy", [value], block, result=target.id)
        elif isinstance(target, (gast.Tuple, gast.List)):
            star = next((i for i, one in enumerate(target.elts) if isinstance(one, gast.Starred)), None)
            parts = self.op("unpack", [value], block, static=(len(target.elts), star))
            for i, one in enumerate(target.elts):
                self.bind(one.value if i == star else one, self.op("getitem", [parts, Literal(i)], block), block)
        elif isinstance(target, gast.Subscript):
            base = self.expr(target.value, block)
            self.store(base, (self.expr(target.slice, block),), None, value, block)
        else:
            self.store(self.expr(target.value, block), (), target.attr, value, block)

    def store(self, base: Operand, where: tuple[Operand, ...], attr: str | None, value: Operand, block: Block) -> None:
        self.op("setitem" if where else "setattr", [base, *where, value], block, static=attr, result="",
                writes=_names(base))

    # ------------------------------------------------------------------ expressions
    def expr(self, node: Any, block: Block) -> Operand:
        """The operand that an expression is, after what computes it."""
        if isinstance(node, gast.Name):
            return Name(node.id)
        if isinstance(node, gast.Constant):
            return Literal(node.value)
        method = getattr(self, "of_" + type(node).__name__.lower(), None)
        if method is None:
            tree = ast.fix_missing_locations(ast.Expression(gast.gast_to_ast(node)))
            return self.op("code", [], block, static=compile(tree, "<op>", "eval", dont_inherit=True))
        found: Operand = method(node, block)
        return found

    def all(self, nodes: Sequence[Any], block: Block) -> list[Operand]:
        """Some operands, from left to right; one that a later one binds is read before that."""
        found: list[Operand] = []
        for i, node in enumerate(nodes):
            one = self.expr(node, block)
            if isinstance(node, gast.Name) \
                    and any(isinstance(part, gast.NamedExpr) for other in nodes[i + 1:] for part in gast.walk(other)):
                one = self.op("copy", [one], block)
            found.append(one)
        return found

    def of_unaryop(self, node: Any, block: Block) -> Operand:
        return self.op(OPERATORS[type(node.op).__name__], [self.expr(node.operand, block)], block)

    def of_binop(self, node: Any, block: Block) -> Operand:
        return self.op(OPERATORS[type(node.op).__name__], self.all([node.left, node.right], block), block)

    def of_compare(self, node: Any, block: Block) -> Operand:
        left, result = self.expr(node.left, block), None
        for i, (operator, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            if isinstance(left, Name) and any(isinstance(part, gast.NamedExpr) for part in gast.walk(right)):
                left = self.op("copy", [left], block)
            right = self.expr(right, block)
            last = i + 1 == len(node.ops)
            found = self.op(OPERATORS[type(operator).__name__], [left, right], block, result=result)
            if not last:
                result, more = found.id, Block()
                block.items.append(If(found, more, Block(), self.number))
                block, left = more, right
        return found

    def of_boolop(self, node: Any, block: Block) -> Operand:
        result = self.name()
        for i, value in enumerate(node.values):
            self.op("copy", [self.expr(value, block)], block, result=result)
            if i + 1 < len(node.values):
                more = Block()
                both = (more, Block()) if isinstance(node.op, gast.And) else (Block(), more)
                block.items.append(If(Name(result), *both, self.number))
                block = more
        return Name(result)

    def of_ifexp(self, node: Any, block: Block) -> Operand:
        test, result = self.expr(node.test, block), self.name()
        sides = Block(), Block()
        for value, side in zip((node.body, node.orelse), sides, strict=True):
            found = self.expr(value, side)
            if side.items and isinstance(side.items[-1], Op) and found == Name(side.items[-1].result or "") \
                    and found.id.startswith("%"):
                last = side.items.pop()
                side.items.append(Op(result, last.row, last.operands, last.static, last.reads, last.writes,
                                     last.origin))
            else:
                self.op("copy", [found], side, result=result)
        block.items.append(If(test, *sides, self.number))
        return Name(result)

    def of_namedexpr(self, node: Any, block: Block) -> Operand:
        return self.op("copy", [self.expr(node.value, block)], block, result=node.target.id)

    def of_call(self, node: Any, block: Block) -> Operand:
        """static: of each argument `""`, `*`, `**`, or its keyword."""
        given = [(one.value, "*") if isinstance(one, gast.Starred) else (one, "") for one in node.args]
        given += [(one.value, one.arg or "**") for one in node.keywords]
        fn, *values = self.all([node.func, *[value for value, _ in given]], block)
        return self.op("call", [fn, *values], block, static=[how for _, how in given])

    def of_attribute(self, node: Any, block: Block) -> Operand:
        return self.op("getattr", [self.expr(node.value, block)], block, static=node.attr)

    def of_subscript(self, node: Any, block: Block) -> Operand:
        return self.op("getitem", self.all([node.value, node.slice], block), block)

    def of_slice(self, node: Any, block: Block) -> Operand:
        bounds = [gast.Constant(None, None) if one is None else one for one in (node.lower, node.upper, node.step)]
        return self.op("slice", self.all(bounds, block), block)

    def of_tuple(self, node: Any, block: Block) -> Operand:
        stars = [isinstance(one, gast.Starred) for one in node.elts]
        values = self.all([one.value if star else one for one, star in zip(node.elts, stars, strict=True)], block)
        return self.op(type(node).__name__.lower(), values, block, static=stars if any(stars) else None)

    of_list = of_set = of_tuple

    def of_dict(self, node: Any, block: Block) -> Operand:
        """static: of each item whether it is a dict of items."""
        stars = [key is None for key in node.keys]
        values = self.all([one for key, value in zip(node.keys, node.values, strict=True)
                           for one in (key, value) if one is not None], block)
        return self.op("dict", values, block, static=stars)

    def of_joinedstr(self, node: Any, block: Block) -> Operand:
        return self.op("join", self.all(node.values, block), block)

    def of_formattedvalue(self, node: Any, block: Block) -> Operand:
        spec = [] if node.format_spec is None else [node.format_spec]
        return self.op("format", self.all([node.value, *spec], block), block, static=node.conversion)

    # ------------------------------------------------------------------ making operations
    def op(self, row: str, operands: Sequence[Operand], block: Block, *, static: Any = None, result: str | None = None,
           writes: tuple[str, ...] = ()) -> Name:
        """Add an operation; its result. result: a name for it, "" for none."""
        name = self.name() if result is None else result
        reads = tuple(dict.fromkeys(one.id for one in operands if isinstance(one, Name)))
        block.items.append(Op(name or None, row, tuple(operands), static, reads, writes, self.number))
        return Name(name)

    def name(self) -> str:
        self.made += 1
        return f"%{self.made - 1}"


def _names(base: Operand) -> tuple[str, ...]:
    return (base.id,) if isinstance(base, Name) else ()


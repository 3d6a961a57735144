"""Functions that are known before the program runs: nested ones are lifted out, others keep their names.

T. Johnsson, "Lambda lifting: transforming programs to recursive equations" (1985): what a nested function reads of the function around it
becomes a parameter; its calls pass the value of that moment, as Python's cells do.

    def f(x, w):                          def f(x, w):
        def g(t):                             return g(x, w=w)
            return t * w          →
        return g(x)                       def g(t, *, w):
                                              return t * w
"""
from __future__ import annotations

import functools
import types
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gast

from ..errors import Refusal, RefusedError
from ..syntax.nodes import assign, clone, is_literal, literal, load, mark, parameter, root_name, walk
from ..syntax.program import MISSING, Namespace, Span
from .reader import Unit
from .scopes import FUNCTIONS, bindings, bound, free, own
from .values import FunctionValue, has_row, is_cached, is_callable_value, is_user_object, member_of

if TYPE_CHECKING:
    from .statements import Desugar


def find(desugar: Desugar, tree: gast.FunctionDef, known_before: Mapping[str, FunctionValue]) -> None:
    """The local names that are bound once, to a function: nested definitions, lambdas, other names for functions."""
    found = {name: nodes for name, nodes in bindings(tree).items() if name not in known_before}
    desugar.once |= {name for name, nodes in found.items() if len(nodes) == 1}
    values = _used_as_values(tree)
    desugar.single |= {name for name, nodes in found.items() if len(nodes) == 1 and name not in values}
    for name, nodes in found.items():
        one = nodes[0] if len(nodes) == 1 else None
        if isinstance(one, gast.Assign) and not isinstance(one.value, gast.Lambda):
            value = desugar.object(one.value)
            if isinstance(one.value, (gast.Name, gast.Attribute)) and is_callable_value(value):
                known = of_object(desugar, value, one.value)
                if known is not None:
                    desugar.functions[name] = known
                    desugar.defined[name] = one
    nested: dict[str, Any] = {}
    for name, nodes in found.items():
        one = nodes[0] if len(nodes) == 1 else None
        if isinstance(one, gast.FunctionDef) and not one.decorator_list:
            nested[name] = one
        elif isinstance(one, gast.Assign) and isinstance(one.value, gast.Lambda):
            nested[name] = one.value
    for name, node in nested.items():
        if _shares(node) and name not in values and not any(isinstance(part, (gast.Yield, gast.YieldFrom, gast.Await, gast.Global))
                                                            for part in gast.walk(node)):
            _put_in_place(desugar, name, node)
            desugar.defined[name] = found[name][0]
    nested = {name: node for name, node in nested.items() if name not in desugar.functions and _can_be_lifted(node)}
    lift(desugar, nested)
    for name in nested:
        if name in desugar.functions:
            desugar.defined[name] = found[name][0]


def _shares(node: Any) -> bool:
    """A nested function changes variables of the function around it, or what they hold."""
    outer = free(node)
    body = node.body if isinstance(node.body, list) else [node.body]
    for one in body:
        for part in gast.walk(one):
            if isinstance(part, gast.Nonlocal):
                return True
            if isinstance(part, (gast.Subscript, gast.Attribute)) and not isinstance(part.ctx, gast.Load) and root_name(part) in outer:
                return True
            if isinstance(part, gast.Call) and isinstance(part.func, gast.Attribute) and isinstance(part.func.value, gast.Name) \
                    and part.func.value.id in outer and part.func.attr in CHANGING:
                return True
    return False


CHANGING = ("append", "extend", "insert", "pop", "remove", "reverse", "sort", "clear", "update", "setdefault", "add", "fill")


def _used_as_values(tree: gast.FunctionDef) -> set[str]:
    """The names that are read elsewhere than where they are called or returned."""
    called: set[int] = set()
    for node in gast.walk(tree):
        if isinstance(node, gast.Call):
            called.add(id(node.func))
        elif isinstance(node, gast.Return) and node.value is not None:
            called.update(id(part) for part in (node.value.elts if isinstance(node.value, gast.Tuple) else [node.value]))
    return {part.id for part in gast.walk(tree) if _is_read(part) and id(part) not in called}


def _put_in_place(desugar: Desugar, name: str, node: Any) -> None:
    """The body of a nested function will stand in the places of its calls, with the variables that it shares."""
    args = node.args
    if args.defaults and not all(map(is_literal, args.defaults)) or any(d is not None and not is_literal(d) for d in args.kw_defaults):
        return
    tree = clone(node) if isinstance(node, gast.FunctionDef) else gast.copy_location(
        gast.FunctionDef(name, clone(args), [_returned(node)], [], None, None, []), node)
    kwdefaults = {a.id: literal(d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is not None}
    captured = replace(desugar.captured, name=name, tree=tree, defaults=tuple(map(literal, args.defaults)) or None,
                       kwdefaults=kwdefaults or None, assumed=())
    desugar.functions[name] = FunctionValue(desugar.reader.make(captured, {}), load(name), in_place=True)


def _can_be_lifted(node: Any) -> bool:
    body = node.body if isinstance(node.body, list) else [node.body]
    special = (gast.Yield, gast.YieldFrom, gast.Await, gast.Nonlocal, gast.Global)
    return not any(isinstance(part, special) for one in body for part in gast.walk(one))


def lift(desugar: Desugar, nested: dict[str, Any]) -> None:
    """Make functions of nested ones, all at once, since they may call each other."""
    variables: dict[str, set[str]] = {}
    while True:
        variables = {name: {v for v in free(node) & desugar.local if v not in nested} for name, node in nested.items()}
        for name, node in nested.items():
            for other in free(node) & set(desugar.functions):
                variables[name] |= {part.id for one in desugar.functions[other].bound for part in gast.walk(one) if isinstance(part, gast.Name)}
                variables[name].discard(other)
        size = -1
        while size != sum(map(len, variables.values())):
            size = sum(map(len, variables.values()))
            for name, node in nested.items():
                for other in free(node) & set(nested):
                    variables[name] |= variables[other]
        clash = [name for name, node in nested.items() if variables[name] & bound(node)]
        if not clash:
            break
        nested = {name: node for name, node in nested.items() if name not in clash}
    for name in nested:
        variables[name] -= set(desugar.functions)
    values = {name: _lifted(desugar, name, node, sorted(variables[name])) for name, node in nested.items()}
    for name in nested:
        desugar.functions[name] = values[name]
    for value in values.values():
        unit = desugar.reader.made[value.fn]
        inside = {other: replace(known, keywords=tuple((k, v) for k, v in known.keywords if isinstance(v, gast.Name)))
                  for other, known in desugar.functions.items() if other in free(unit.captured.tree) or other in nested}
        namespace = Namespace(desugar.namespace.globals, dict(desugar.namespace.cells))
        ours = unit.captured.ours | frozenset(desugar.cells)
        desugar.reader.made[value.fn] = Unit(replace(unit.captured, namespace=namespace, ours=ours), inside)


def _lifted(desugar: Desugar, name: str, node: Any, variables: list[str]) -> FunctionValue:
    """One nested function as a function of its own. What it reads, and defaults that are not literals, are keywords of its calls."""
    args = clone(node.args)
    keywords: list[tuple[str, gast.expr]] = [(v, load(v)) for v in variables]
    positional = [*args.posonlyargs, *args.args]
    literals: list[Any] = []
    defaults: dict[str, gast.expr] = {}
    for arg, default in zip(positional[len(positional) - len(args.defaults):], args.defaults, strict=True):
        if is_literal(default) and not defaults:
            literals.append(literal(default))
        else:
            defaults[arg.id] = default
    if defaults:
        literals = []
        first = len(positional) - len(args.defaults)
        defaults = {arg.id: default for arg, default in zip(positional[first:], args.defaults, strict=True)}
    args.defaults = [] if defaults else args.defaults
    kwdefaults: dict[str, Any] = {}
    for i, (arg, default) in enumerate(zip(args.kwonlyargs, args.kw_defaults, strict=True)):
        if default is not None and is_literal(default):
            kwdefaults[arg.id] = literal(default)
        elif default is not None:
            defaults[arg.id] = default
            args.kw_defaults[i] = None
    made = {}
    for param in defaults:
        made[param] = desugar.temporary(f"{name}_{param}")
        keywords.append((param, load(made[param])))
    args.kwonlyargs += [parameter(v) for v in variables]
    args.kw_defaults += [None] * len(variables)
    body = clone(node.body) if isinstance(node.body, list) else [_returned(node)]
    tree = gast.copy_location(gast.FunctionDef(name, args, body, [], None, None, []), node)
    tree.origin = getattr(node, "origin", desugar.origin)
    captured = replace(desugar.captured, name=name, tree=tree, defaults=tuple(literals) or None, kwdefaults=kwdefaults or None, assumed=())
    fn = desugar.reader.make(captured, {})
    used_as_value = any(isinstance(part, gast.Name) and part.id == name and isinstance(part.ctx, gast.Load) and id(part) not in _called(desugar)
                        for part in gast.walk(desugar.tree))
    desugar.defaults[name] = [(made[param], default) for param, default in defaults.items()]
    if used_as_value or name not in desugar.local:
        func = desugar.cell(fn, name)
    else:
        desugar.local.discard(name)
        desugar.cells[name] = fn
        desugar.see(name, fn)
        func = load(name)
    params = tuple(arg.id for arg in positional)
    return FunctionValue(fn, func, (), tuple(keywords), params)


def _returned(node: gast.Lambda) -> gast.stmt:
    made = gast.copy_location(gast.Return(clone(node.body)), node.body)
    return made


def _called(desugar: Desugar) -> set[int]:
    """The names that are called, by their id."""
    if not desugar.called:
        desugar.called = {id(part.func) for part in gast.walk(desugar.tree) if isinstance(part, gast.Call)}
    return desugar.called


def bind(desugar: Desugar, stmt: Any) -> bool:
    """The statement binds a name to a function that is known; it stays as long as the name is read as a value."""
    name = stmt.name if isinstance(stmt, gast.FunctionDef) else stmt.targets[0].id if isinstance(stmt.targets[0], gast.Name) else ""
    if len(getattr(stmt, "targets", [1])) != 1:
        return False
    if desugar.defined.get(name) is not stmt:
        if isinstance(stmt, gast.Assign) and name in desugar.single and (
                isinstance(stmt.value, gast.Call) or isinstance(stmt.value, (gast.Name, gast.Attribute)) and is_value(desugar, stmt.value)):
            made = value_of(desugar, stmt.value)
            held = made is not None and [one for one in made.bound if isinstance(one, gast.Name) and one.id in desugar.objects]
            if held and desugar.nested():                  # the object may be of an earlier trip of a loop
                from . import objects
                raise objects.escaped(desugar, stmt, desugar.objects[held[0].id])
            if made is not None:
                desugar.functions[name] = made
                desugar.local.discard(name)
                return True
        return False
    for temporary, default in desugar.defaults.get(name, []):
        desugar.statement(desugar._at(assign(temporary, default)))
    desugar.emit(mark(stmt, defines=name))
    return True


def drop_unused(desugar: Desugar, body: list[gast.stmt]) -> None:
    """Leave out the definitions whose names are read no more; refuse a function of ours that is read as a value."""
    nodes: Any = gast.walk(gast.Module(body, []))
    definitions: dict[str, Any] = {stmt.defines: stmt for stmt in nodes if getattr(stmt, "defines", "")}
    inside = {id(part) for stmt in definitions.values() for part in gast.walk(stmt)}
    read = {part.id for part in gast.walk(gast.Module(body, [])) if _is_read(part) and id(part) not in inside}
    todo = [name for name in definitions if name in read]
    while todo:
        more = {part.id for part in gast.walk(definitions[todo.pop()]) if _is_read(part)} - read
        read |= more
        todo += [name for name in definitions if name in more]

    def visit(stmts: list[gast.stmt]) -> None:
        for stmt in list(stmts):
            if getattr(stmt, "defines", "") and stmt.defines not in read:
                stmts.remove(stmt)
                continue
            for field in ("body", "orelse", "finalbody"):
                inner = getattr(stmt, field, None)
                if isinstance(inner, list) and not isinstance(stmt, FUNCTIONS):
                    visit(inner)
                    if not inner and field == "body":
                        inner.append(desugar._at(gast.copy_location(gast.Pass(), stmt)))
            for handler in getattr(stmt, "handlers", []):
                visit(handler.body)

    visit(body)
    for part in gast.walk(gast.Module(body, [])):
        if _is_read(part) and part.id in desugar.objects:
            from . import objects
            raise objects.escaped(desugar, part, desugar.objects[part.id])
    for name, value in desugar.functions.items():
        if value.fn in desugar.reader.made and name in read and name not in desugar.local:
            places = [part for part in gast.walk(gast.Module(body, [])) if _is_read(part) and part.id == name]
            raise RefusedError(desugar.captured.name, [Refusal(span(desugar, one), f"the function {name} is used as a value in a way that is "
                                                               "not known beforehand", "call it here, or pass it to a function of your own")
                                                       for one in places[:1]])


def _is_read(node: Any) -> bool:
    """A name that is read, and not by a call that is written here."""
    return isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and not getattr(node, "made", False)


def span(desugar: Desugar, node: Any) -> Span | None:
    line = getattr(node, "lineno", None)
    if line is None:
        return None
    return Span(desugar.captured.source, line, node.col_offset, getattr(node, "end_lineno", None) or line,
                getattr(node, "end_col_offset", None) or node.col_offset)


# ---------------------------------------------------------------------- values
def value_of(desugar: Desugar, node: Any) -> FunctionValue | None:
    """The function that an expression means for certain; what it is bound to is evaluated here."""
    if isinstance(node, gast.Lambda):
        name = desugar.names.new("function")
        if not _can_be_lifted(node):
            return None
        lift(desugar, {name: node})
        value = desugar.functions.pop(name, None)
        for temporary, default in desugar.defaults.get(name, []):
            desugar.statement(desugar._at(assign(temporary, default)))
        return value
    if isinstance(node, gast.Name) and node.id in desugar.functions:
        return desugar.functions[node.id]
    if isinstance(node, (gast.Name, gast.Attribute)):
        value = desugar.object(node)
        return of_object(desugar, value, node) if is_callable_value(value) else method_value(desugar, node) or bound_method(desugar, node)
    if isinstance(node, gast.Call) and gives_function(desugar, node):
        return given_function(desugar, node)
    if isinstance(node, gast.Call) and desugar.object(node.func) is functools.partial and node.args \
            and not any(isinstance(a, gast.Starred) for a in node.args) and all(k.arg for k in node.keywords):
        base = value_of(desugar, node.args[0])
        if base is None:
            return None
        first = tuple(_fixed(desugar, arg) for arg in node.args[1:])
        keywords = tuple((k.arg, _fixed(desugar, k.value)) for k in node.keywords)
        kept = tuple((k, v) for k, v in base.keywords if k not in {name for name, _ in keywords})
        return replace(base, first=(*base.first, *first), keywords=(*kept, *keywords))
    return None


def is_value(desugar: Desugar, node: Any) -> bool:
    """`value_of` would know the function; nothing is evaluated."""
    if isinstance(node, gast.Lambda):
        return _can_be_lifted(node)
    if isinstance(node, gast.Name) and node.id in desugar.functions:
        return True
    if isinstance(node, (gast.Name, gast.Attribute)):
        return is_callable_value(desugar.object(node)) or method_value(desugar, node) is not None or bound_method(desugar, node) is not None
    if isinstance(node, gast.Call) and gives_function(desugar, node):
        return True
    return isinstance(node, gast.Call) and desugar.object(node.func) is functools.partial and bool(node.args) and is_value(desugar, node.args[0])


def gives_function(desugar: Desugar, node: gast.Call) -> bool:
    """A call of a function whose text ends by returning a function that it defines."""
    if not isinstance(node.func, (gast.Name, gast.Attribute)) or desugar.out is None \
            or any(isinstance(a, gast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        return False
    fn = _called_function(desugar, node.func)
    from . import inlining
    if not inlining.inlines(desugar, fn) or has_row(fn):
        return False
    tree = desugar.reader.unit(fn).captured.tree
    value = _only_return(tree)
    return value is not None and _is_defined_in(tree, value)


def gives_functions(desugar: Desugar, node: Any) -> bool:
    """The same for a tuple, in which there are functions."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, (gast.Name, gast.Attribute)) \
            or any(isinstance(a, gast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        return False
    fn = _called_function(desugar, node.func)
    from . import inlining
    if not inlining.inlines(desugar, fn) or has_row(fn):
        return False
    tree = desugar.reader.unit(fn).captured.tree
    value = _only_return(tree)
    return isinstance(value, gast.Tuple) and any(_is_defined_in(tree, one) for one in value.elts)


def _called_function(desugar: Desugar, func: Any) -> Any:
    known = desugar.functions.get(func.id) if isinstance(func, gast.Name) else None
    return desugar.object(func) if known is None else known.fn


def _only_return(tree: gast.FunctionDef) -> gast.expr | None:
    returns = [part for part in own(tree.body) if isinstance(part, gast.Return)]
    return returns[0].value if len(returns) == 1 and tree.body[-1] is returns[0] else None


def _is_defined_in(tree: gast.FunctionDef, value: Any) -> bool:
    """An expression is a lambda, or the name of a function that a text defines."""
    if isinstance(value, gast.Lambda):
        return _can_be_lifted(value)
    nodes = bindings(tree).get(value.id, []) if isinstance(value, gast.Name) else []
    one = nodes[0] if len(nodes) == 1 else None
    return isinstance(one, gast.FunctionDef) and not one.decorator_list and (_can_be_lifted(one) or _shares(one)) \
        or isinstance(one, gast.Assign) and isinstance(one.value, gast.Lambda)


def given_function(desugar: Desugar, node: gast.Call) -> FunctionValue | None:
    """The function that a call gives: the body of what is called stands here."""
    result = given(desugar, node)
    return None if result is None else value_of(desugar, result)


def given(desugar: Desugar, node: gast.Call) -> gast.expr | None:
    """What a call gives, the body of what is called written here."""
    from . import calls, inlining
    value = value_of(desugar, node.func)
    if value is None:
        return None
    args, keywords = calls.evaluated(desugar, node)
    made = value.call(args, keywords)
    steady_args = [one if is_value(desugar, one) else load(desugar.kept(one, "argument")) if not isinstance(one, gast.Constant) else one
                   for one in made.args]
    steady_keywords = {k.arg: k.value if is_value(desugar, k.value) or isinstance(k.value, gast.Constant)
                       else load(desugar.kept(k.value, str(k.arg))) for k in made.keywords}
    return inlining.inline(desugar, value.fn, steady_args, steady_keywords, around=value.in_place)


def _fixed(desugar: Desugar, node: Any) -> gast.expr:
    """An argument that is evaluated now, for calls later."""
    new = desugar.expr(node)
    if is_literal(new) or is_value(desugar, new):
        return new
    return load(desugar.kept(new, "argument"))


def of_object(desugar: Desugar, value: Any, node: gast.expr) -> FunctionValue | None:
    """A function that is there now, under an expression that means it."""
    if has_row(value) or isinstance(value, types.FunctionType):
        if isinstance(value, types.FunctionType) and not has_row(value):
            desugar.assume(node, value)
        if desugar.namespace.resolve(node, desugar.local) is value:
            return FunctionValue(value, node)
        desugar.assume(node, value)                        # an attribute of an object
        return FunctionValue(value, desugar.cell(value, node.attr if isinstance(node, gast.Attribute) else "function"))
    if isinstance(value, types.MethodType):
        through = isinstance(node, gast.Attribute) and desugar.object(node.value) is value.__self__
        base = node.value if through else desugar.cell(value.__self__, "self")
        return _method(desugar, value.__func__, base, node)
    if isinstance(value, functools.partial):
        desugar.assume(node, value)
        inner = of_object(desugar, value.func, desugar.cell(value.func, getattr(value.func, "__name__", "function")))
        if inner is None:
            return None
        first = tuple(_constant(desugar, v) for v in value.args)
        keywords = tuple((k, _constant(desugar, v)) for k, v in value.keywords.items())
        return replace(inner, first=(*inner.first, *first), keywords=(*inner.keywords, *keywords))
    if is_cached(value):
        desugar.assume(node, value)
        return of_object(desugar, value.__wrapped__, desugar.cell(value.__wrapped__, value.__wrapped__.__name__))
    if is_user_object(value):
        found = member_of(type(value), "__call__")
        if found is not None and found[0] == "method":
            return _method(desugar, found[1], node, gast.Attribute(clone(node), "__call__", gast.Load()))
    return None


def _constant(desugar: Desugar, value: Any) -> gast.expr:
    if isinstance(value, (int, float, str, bool)) or value is None:
        return gast.Constant(value, None)
    return desugar.cell(value, "argument")


def _method(desugar: Desugar, fn: Any, base: gast.expr, path: gast.expr) -> FunctionValue:
    """A method as a function of its object."""
    desugar.assume(path, fn)
    return FunctionValue(fn, desugar.cell(fn, fn.__name__.strip("_")), (base,))


def method_value(desugar: Desugar, node: Any) -> FunctionValue | None:
    """`obj.method`, where the object is known."""
    if not isinstance(node, gast.Attribute):
        return None
    base = desugar.object(node.value)
    if base is MISSING or isinstance(base, (types.ModuleType, type)) or not is_user_object(base) \
            or node.attr in getattr(base, "__dict__", {}):
        return None
    found = member_of(type(base), node.attr)
    if found is None or found[0] == "property":
        return None
    if found[0] == "method":
        return _method(desugar, found[1], node.value, node)
    desugar.assume(node, found[1])
    first = (desugar.cell(type(base), type(base).__name__),) if found[0] == "class" else ()
    return FunctionValue(found[1], desugar.cell(found[1], found[1].__name__), first)


def bound_method(desugar: Desugar, node: Any) -> FunctionValue | None:
    """`obj.method` of an object that is made here."""
    if not (isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name) and node.value.id in desugar.objects):
        return None
    value = desugar.objects[node.value.id]
    if node.attr in value.attributes:
        return desugar.functions.get(value.attributes[node.attr])
    found = member_of(value.kind, node.attr)
    if found is None or found[0] == "property" or value.path is not None:
        return None
    first: tuple[gast.expr, ...] = (load(value.prefix),) if found[0] == "method" else ()
    if found[0] == "class":
        first = (desugar.cell(value.kind, value.kind.__name__),)
    return FunctionValue(found[1], desugar.cell(found[1], node.attr), first)


def steady(desugar: Desugar, node: Any) -> gast.expr:
    """A function that is called again and again, under a name where it is not known."""
    value = value_of(desugar, node)
    if value is None:
        return load(desugar.kept(desugar.expr(node), "function"))
    name = desugar.names.new("function")
    desugar.functions[name] = value
    return load(name)


def bound_to(desugar: Desugar, node: Any) -> list[gast.expr]:
    """What a function reads besides its arguments."""
    if isinstance(node, gast.Lambda):
        return [load(name) for name in sorted(free(node) & desugar.local)]
    if isinstance(node, gast.Name) and node.id in desugar.functions:
        return list(desugar.functions[node.id].bound)
    return []


__all__ = ["bind", "drop_unused", "find", "is_value", "own", "span", "steady", "value_of", "walk"]

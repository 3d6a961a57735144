"""Calls of every row in the ways in which people write them: each argument left out, written down, in a variable or a
global, by name and by place.

What stands in the text is known when a function is derived, and the texts of a row are chosen and shortened by it. Of
each row some cases are taken (`cases`), and each is written in all of these ways: `ways`. What NumPy itself refuses is
left out. Both modes are compared with differences; a refusal is right, an error of any other kind is not.
"""
import inspect
import re
import sys
import types
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import oracles
from test_derived import ROWS, leaves, total
from test_rows import SCOPE, cases

import tangent_nb as tnb
from tangent_nb.errors import TangentError
from tangent_nb.rules import table

MOST, MOST_RUNS = 2, 2                         # cases of a row; runs of a text
MOST_WRITTEN = 3                               # values of an argument that are written down
SEVERAL = [None, 0, 1, -1, 2, True, False, (0,), (0, 1), (1, 0), ()]
LIBRARY = {float: "float", np.float64: "np.float64"}
METHODS = {id(rule): name for name, rule in table._METHODS.items()}
SLOW = ("scipy.stats.", "scipy.linalg.logm")   # of these the first case alone


@dataclass(frozen=True)
class Given:
    """How an argument is given: it `moves`, is left `out`, `written` down, `held` in a global, or `passed` on."""

    how: str
    value: Any = None
    text: str = ""


OUT = Given("out")


def written(value):
    """What stands for a value in a text; None for what nobody writes down there."""
    if isinstance(value, (list, tuple)):
        parts = [written(item) for item in value]
        inner = ", ".join(map(str, parts)) + "," * (isinstance(value, tuple) and len(parts) == 1)
        return None if None in parts else f"[{inner}]" if isinstance(value, list) else f"({inner})"
    if isinstance(value, float) and not isinstance(value, np.generic):
        return repr(value) if np.isfinite(value) else f"{'-' * (value < 0)}np.inf"
    if value is None or isinstance(value, (bool, int, str, slice)):
        return repr(value)
    return LIBRARY.get(value) if isinstance(value, type) else None


def fits(value, default, drawn):
    """A value that somebody might give for an optional argument: of the type of its default, or of what is drawn."""
    if default is inspect.Parameter.empty or isinstance(default, float):
        return False
    if any(type(value) is type(one) for one in drawn):
        return True
    if isinstance(value, bool) or isinstance(default, bool):
        return isinstance(default, bool) and value in (0, 1)
    if value is None:
        return isinstance(default, str)
    return isinstance(value, int) and (default is None or any(type(one) in (int, tuple) for one in (default, *drawn))) \
        or isinstance(value, tuple) and isinstance(default, tuple)


def words(rule, name):
    """The words that the documentation of a function has in quotes for an argument."""
    theirs = next((one for one, mine in rule.names.items() if mine == name), name)
    lines = re.search(rf"^\s*{re.escape(theirs)}\s*:(.*(?:\n.*)?)", getattr(rule.fn, "__doc__", None) or "", re.M)
    return re.findall(r"['\"‘]([A-Za-z-]{1,12})['\"’]", lines.group(1)) if lines else []


def values(rule, name, args):
    """Values of an argument, by their texts: its default, what is drawn, others of its type."""
    default = rule.signature.parameters[name].default
    drawn = [one.get(name) for one in args]
    several = [one for one in SEVERAL if fits(one, default, drawn)]
    all_of_them = [*[default] * (default is not inspect.Parameter.empty), *drawn, *several, *words(rule, name)]
    found = [(text, one) for one in all_of_them if (text := written(one)) is not None]
    return {text: dict(reversed(found))[text] for text, _ in found}


def is_default(value, parameter):
    return not isinstance(value, np.ndarray) and type(value) is type(parameter.default) and value == parameter.default


def as_drawn(rule, args):
    """How the arguments of a case are given: what is differentiated moves, defaults are left out."""
    found = {}
    for name, parameter in rule.signature.parameters.items():
        value = args.get(name)
        text = written(value)
        moves = name in rule.pull and value is not None and not isinstance(value, (bool, str))
        found[name] = OUT if is_default(value, parameter) else Given("moves", value) if moves \
            else Given("held", value) if text is None else Given("written", value, text)
    return found


def ways(rule, args, drawn, first):
    """The ways in which a call is written: how its arguments are given, and how they stand there."""
    parameters = rule.signature.parameters
    base = as_drawn(rule, args)
    optional = [name for name, one in parameters.items() if one.default is not one.empty]
    bare = {name: OUT if name in optional else one for name, one in base.items()}
    meant = {name: parameters[name].default if one is OUT else one.value for name, one in base.items()}
    known = {name: Given("written", value, text) for name, value in meant.items() if (text := written(value))}
    full = {name: known[name] if one is OUT and name in known else one for name, one in base.items()}
    yield from [(base, "mixed"), (bare, "mixed"), (base, "placed"), (full, "named"), (full, "placed"), (base, "method"),
                (full, "method")]
    yield {name: one if one.how == "moves" else Given("passed", meant[name]) for name, one in base.items()}, "mixed"
    for name, one in base.items():
        if one is not OUT and name in optional:
            yield {**base, name: OUT}, "mixed"
        if one.how == "moves" and sum(other.how == "moves" for other in base.values()) > 1:
            yield {**base, name: Given("passed", one.value)}, "mixed"
        if one.how == "moves" and name not in optional:
            continue
        for k, (text, value) in enumerate(values(rule, name, drawn).items()):
            yield {**bare, name: Given("passed", value)}, "mixed"
            if k < MOST_WRITTEN:
                yield {**(base if first else bare), name: Given("written", value, text)}, "mixed"
            if k == 1:
                yield {**bare, name: Given("held", value)}, "mixed"


class Call:
    """A call as it is written, and the arguments of the function around it."""

    def __init__(self, rule, given, style):
        self.known = {**SCOPE, "fn": rule.fn, "total": total, "__name__": "rows"}
        self.args, self.wrt = {}, []
        theirs = {mine: name for name, mine in rule.names.items()}
        parameters = rule.signature.parameters
        last = max((k for k, name in enumerate(parameters) if given[name] is not OUT), default=-1)
        texts, placed = [], True
        for k, (name, parameter) in enumerate(parameters.items()):
            one = given[name]
            if one is OUT and (style != "placed" or k > last or parameter.kind is parameter.KEYWORD_ONLY):
                placed = False
                continue
            text = str(written(parameter.default)) if one is OUT else self.argument(name, one)
            named = parameter.kind is parameter.KEYWORD_ONLY or not placed or style == "named" \
                or style == "mixed" and parameter.default is not parameter.empty
            own = theirs.get(name, name) if style == "named" and rule.original is not None \
                and name not in rule.original.parameters else name
            texts.append(f"{own}={text}" if named else text)
        self.text = called(rule, texts, style)

    def argument(self, name, one):
        """What stands in the call for an argument."""
        if one.how == "written":
            return one.text
        if one.how == "moves" and isinstance(one.value, (list, tuple)):
            items = [self.argument(f"{name}_{k}", Given("moves", item)) for k, item in enumerate(one.value)]
            return f"[{', '.join(items)}]" if isinstance(one.value, list) else f"({', '.join(items)},)"
        if one.how == "held":
            self.known[f"{name}_held"] = one.value
            return f"{name}_held"
        own = name if one.how == "moves" else f"{name}_passed"
        self.wrt += [len(self.args)] * (one.how == "moves")
        self.args[own] = one.value
        return own


def called(rule, texts, style):
    """A call with these arguments; empty where it cannot be written in this style."""
    method = rule.fn.__name__ if isinstance(rule.fn, types.MethodDescriptorType) \
        else METHODS.get(id(rule), "") if style == "method" else ""
    if isinstance(rule.fn, types.GetSetDescriptorType):
        return f"{texts[0]}.{rule.fn.__name__}"
    if method:
        return f"{texts[0]}.{method}({', '.join(texts[1:])})" if texts and texts[0].isidentifier() else ""
    name = rule.name if eval(rule.name, SCOPE) is rule.fn else "fn"
    return f"{name}({', '.join(texts)})" if style != "method" else ""


class Function:
    """A function that makes a call, and its derivatives, for all arguments that it is tried with."""

    def __init__(self, call, value):
        plain = not isinstance(value, (tuple, list)) and np.asarray(value).dtype.kind == "f"
        summed = f"np.sum(np.sin({call.text}) * seeds[0])" if plain else f"total({call.text}, seeds)"
        self.text = f"def f({', '.join(call.args)}, seeds):\n    return {summed}\n"
        known = {name: value for name, value in call.known.items() if name not in call.args}
        self.f = oracles.sourced(self.text, known, f"<row {call.text}>")["f"]
        self.wrt, self.derived, self.tried = tuple(call.wrt), {}, set()

    def derivative(self, mode, optimized):
        if (mode, optimized) not in self.derived:
            self.derived[mode, optimized] = getattr(tnb, mode)(self.f, wrt=self.wrt, optimized=optimized)
        return self.derived[mode, optimized]

    def verdicts(self, args):
        """What is wrong with the derivatives at a point; an empty text for one that is right."""
        direction = tuple(oracles.like(args[k], np.random.default_rng(2)) for k in self.wrt)
        try:
            measured = oracles.directional(self.f, args, self.wrt, direction)
        except Exception:                                  # the draw lies near a jump; or NumPy refuses what is moved
            return
        optimized = bool(crc32(self.text.encode()) % 4)
        for mode in ("grad", "jvp"):
            try:
                derivative = self.derivative(mode, optimized)
                got = derivative(*oracles.fresh(args), *direction) if mode == "jvp" \
                    else oracles.inner(derivative(*oracles.fresh(args)), direction)[0]
            except TangentError:
                continue
            except Exception as error:
                yield f"{mode}, optimized={optimized}: {type(error).__name__}: {error}"
                continue
            near = abs(got - measured.value) <= max(1e-6, 10.0 * measured.error) * (1.0 + abs(measured.value))
            yield "" if near else f"{mode}, optimized={optimized}: {got} where {measured.value} is right"


def tried(call):
    """What a call gives; None where NumPy refuses it, or gives no finite floats."""
    try:
        value = eval(call.text, {**call.known, **call.args})
        found = leaves(value)
    except Exception:                                      # whatever it raises
        return None
    return value if found and all(np.all(np.isfinite(one)) for one in found) else None


def verdicts(rule):
    """Of all calls of a row, by the text of the call and its arguments: what is wrong with their derivatives."""
    drawn = [args for args in cases(rule) if not isinstance(rule.fn, types.MethodDescriptorType)
             or not isinstance(next(iter(args.values())), float)]
    functions = {}
    for k, args in enumerate(drawn[::max(1, len(drawn) // MOST)][:1 if rule.name.startswith(SLOW) else MOST]):
        for given, style in ways(rule, args, drawn, not k):
            call = Call(rule, given, style)
            value = tried(call) if call.text and call.wrt else None
            if value is None:
                continue
            key = call.text, *[(name, id(one)) for name, one in call.known.items() if name.endswith("_held")]
            function = functions.get(key) or functions.setdefault(key, Function(call, value))
            seen = repr([np.shape(one) if k in call.wrt else one for k, one in enumerate(call.args.values())])
            if seen in function.tried or len(function.tried) >= MOST_RUNS + 6 * ("_passed" in call.text):
                continue
            function.tried.add(seen)
            seeds = [np.cos(1.0 + np.arange(np.size(one))).reshape(np.shape(one)) for one in leaves(value)]
            for verdict in function.verdicts((*call.args.values(), seeds)):
                yield f"{call.text} at {call.args}: {verdict}" if verdict else ""


@pytest.mark.sampled(24)
@pytest.mark.parametrize("rule", ROWS, ids=lambda rule: rule.name)
def test_each_way_to_write_a_call(rule):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        found = [*verdicts(rule)]
    assert found
    assert not any(found), "\n".join(dict.fromkeys(filter(None, found)))

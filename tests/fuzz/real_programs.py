"""Random programs as people write them: objects, stars, generators, derivatives in derivatives, errors, globals.

Each program has some of the themes, so that they meet: a method goes into a partial, which a generator maps, of which a
derivative is taken. It is a text, that `real_judge.py` judges and `text_shrink.py` makes small. `given()` gives fresh
arguments; `f` is a function, a method, or what a function has made.
"""
from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import real_calls
import real_derivatives
import real_flow
import real_generators
import real_objects
from real_draws import Draw, Scope, indented

THEMES = {"objects": real_objects, "stars": real_calls, "generators": real_generators, "derivatives": real_derivatives,
          "flow": real_flow}
HEAD = ("import collections\nimport contextlib\nimport functools\nimport itertools\n"
        "from dataclasses import dataclass, field\n")
LENGTH = 4


@dataclass(frozen=True)
class Program:
    """A text with `f` and `given`. wild: nothing here is."""

    text: str
    wild: bool = False

    def with_text(self, text: str) -> Program:
        return replace(self, text=text)


FEATURES: dict[str, str] = {
    "class": r"^class (?!Refusal)", "inheritance": r"^class \w+\((?!ValueError)", "super": r"super\(\)",
                            "dataclass": r"^@dataclass",
    "property": r"@property", "operator": r"__add__|__getitem__", "called object": r"__call__",
                            "changing method": r"def (step|push|record|observe|remember|forward|count|shift|keep)\(",
    "attribute assigned": r"^ +(model|unit|layer|body|m|MODEL|SHARED|STATS|o)\d*\.\w+ .?= ",
                            "object outside": r"^(MODEL|SHARED|STATS) = ",
    "object given": r"^def f\(.*\bm\b|^    def f\(.*\bm\b|def f\(self.*\bm\b", "list of objects": r"for o in |lambda o",
                            "bound method": r"[\w\)]\.(at|rate|slope)(?!\(|\w)",
    "star in call": r"\w\([^()]*\*\w|\w\(\*", "options in call": r"\*\*(OPTIONS|KNOBS|dict|\{)",
                            "star in display": r"\[\*|, \*\w+[^)]*\]", "star target": r"^ +\*?\w+, \*?\w+ = ",
    "partial": r"functools\.partial", "decorator": r"^@traced", "table of functions": r"^TABLE", "lambda": r"lambda",
    "generator": r"\byield\b", "yield from": r"yield from", "generator expression": r"\([^()]* for \w+",
                            "zip": r"\bzip\(", "enumerate": r"enumerate\(", "map": r"\bmap\(",
    "key": r"key=", "itertools": r"itertools\.\w+\(", "contextmanager": r"@contextlib", "comprehension": r"\[.* for ",
    "inner grad": r"tnb\.grad\(", "inner jvp or vjp": r"tnb\.(jvp|vjp|hvp)\(",
                            "inner value_and_grad": r"tnb\.value_and_grad", "inner matrix": r"tnb\.(jacobian|hessian)",
    "gradient step": r"(\w+) = \1 - .*(slope|grad)", "derivative of a lambda": r"tnb\.\w+\(lambda", "try": r"\btry:",
                            "raise": r"\braise\b", "finally": r"finally:",
    "global": r"\bglobal\b", "nonlocal": r"nonlocal", "memo": r"lru_cache|functools\.cache|MEMO|CACHE",
                            "dict": r"\{'a'|dict\(a", "alias": r"second\d+ = first|= second\d+ = ", "print": r"print\(",
    "early return": r"^ {8,}return", "f is a method": r"^f = \w+\(.*\)\.\w+$", "f is made": r"^f = make"}


def generate(seed: int, size: int = LENGTH) -> Program:
    """The program of a seed."""
    draw = Draw(seed)
    draw.globals, draw.outside = set(), {}                       # type: ignore[attr-defined]
    for theme in draw.rng.sample(list(THEMES), draw.pick(1, 2, 2, 2, 3)):
        THEMES[theme].add(draw)
    params = {"x": "v", "s": "s"} | {name: kind for name, kind, _ in draw.given}
    scope = Scope(draw.outside | params)                         # type: ignore[attr-defined]
    if draw.chance(0.3):
        scope.names["k"] = "k"
    lines = [f"y = {draw.expr('s', scope, 2)}"]
    scope.names["y"] = "s"
    lines += draw.block(scope, max(2, size - 1 + draw.pick(-2, -1, 0, 1)), 2)
    numbers = scope.of("s")
    result = " + ".join(dict.fromkeys(["y", *draw.rng.sample(numbers[-5:], min(len(numbers), 4))]))
    lines.append(f"return {result}" if draw.chance(0.7) else f"return {result} + {draw.expr('s', scope, 2)}")
    names = [name for name in scope.names if name in params or name == "k"]
    if draw.globals:                                             # type: ignore[attr-defined]
        lines.insert(0, "global TOTAL")
    text = "\n\n".join([HEAD, *draw.module, written(draw, names, lines), given(draw, names)])
    return Program(ast.unparse(ast.parse(text)) + "\n")


def written(draw: Draw, names: list[str], lines: list[str]) -> str:
    """`f`: a function of the module, a method, or made by a function."""
    head = f"def f({', '.join(n + '=2' if n == 'k' else n for n in sorted(names, key=lambda n: n == 'k'))}):"
    roll = draw.rng.random()
    if roll < 0.08:
        return "\n".join(["def make(gain):", *indented([head, *indented([*lines[:-1], lines[-1] + " * gain"]),
                                                        "return f"]), "f = make(0.7)"])
    if roll < 0.16:
        head = head.replace("f(", "total(self, ", 1)
        return "\n".join(["class Problem:", *indented(["gain = 0.8", head, *indented([*lines[:-1],
                                                                                      lines[-1] + " * self.gain"])]),
                          "f = Problem().total"])
    return "\n".join([head, *indented(lines)])


def given(draw: Draw, names: list[str]) -> str:
    """Fresh arguments."""
    texts = {"x": f"np.array({[round(draw.rng.uniform(-1.2, 1.5), 2) for _ in range(3)]})",
             "s": repr(round(draw.rng.uniform(0.2, 1.3), 2))}
    texts |= {name: text for name, _, text in draw.given}
    return f"def given():\n    return ({', '.join(texts[name] for name in names if name != 'k')},)"


def features(program: Program) -> Iterator[str]:
    """What a program has in it."""
    for name, pattern in FEATURES.items():
        if re.search(pattern, program.text, re.M):
            yield name

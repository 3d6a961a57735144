"""Every sentence with which tangent_nb refuses is in a message that is written down here.

The sentences are collected from the source: what the calls that refuse are given, and whatever else reads like a
sentence in the modules that make up reasons and remedies. What a text leaves open ({...}) may be anything.
"""
from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from refusals import cases

ROOT = Path(__file__).resolve().parents[2] / "tangent_nb"
REFUSE = {"refuse", "refuse_whole", "refused", "_refuse", "_refused", "_refusal", "Refusal", "RefusedError",
          "TangentError", "ArgumentError", "unhandled", "_incomplete", "NoWayError"}
# In these only what is given to the calls that refuse is a text of ours: the rest are comments, signatures of rows,
# what the page says, and what check_grads says of a kink.
CALLS_ONLY = ("rules", "notebook", "tracing", "optimise", "syntax", "emit", "errors.py", "at_kinks.py", "inside.py",
              "take_away")
# Calls whose texts are no messages: templates of code, stages, regular expressions,
# errors that Python or NumPy raises in its own words.
OTHER = {"library", "expr", "statement", "template", "template_statements", "_template", "Stage", "RuntimeError",
         "ValueError", "TypeError", "IndexError", "AssertionError", "AttributeError", "NameError",
         "UnboundLocalError", "compile", "fullmatch", "sub", "search", "findall"}
# Sentences that are no reasons or remedies, by their beginning.
NO_MESSAGES = ("Grad of: ", "Tangent of: ", "x.__class__ is not ", "x.shape != s", "x.dtype != d", "def {}({}):",
               "def {}{}:", "the same on jax.numpy", "the same in nopython mode", "compiled for classes",
               "rt.", "sampled for other arguments", "kept exactly for these", "Captured | None", "a notebook cell",
               "functools.partial")
# What no program was found to reach: nets, so that a gap elsewhere gives no wrong number.
# By the file, with the beginnings of the texts.
NETS: dict[str, tuple[str, ...]] = {
    # of a function that is called in a notebook, where no derivation is refused
    "notebook/quiz.py": ("there is no quiz on",),
    # Desugar gives a function with stars a text for each way in which it is called;
    # a name that is shown is one of the user.
    "analyse/fence/calls.py": ("{} takes any number of arguments", "names for the parameters of {}"),
    "analyse/fence/state.py": ("what is differentiated",),
    # Desugar binds functions that are values to what they read.
    "analyse/fence/derivatives.py": ("the function {} reads {}, which is differentiated",
                                     "pass {} as an argument, or call {}"),
    # Of Python 3.12 on; a class of nodes that Python has not yet.
    "analyse/fence/words.py": ("a type alias", "the type alias outside", "{} is not differentiated"),
    # Each name that was bound is bound in the core language too.
    "desugar/reader.py": ("the variable {} is left out", "another name for it in {}"),
    # The fence refuses what has no rule.
    "differentiate/cotangents.py": ("this is made of what is differentiated",
                                    "a function of NumPy, or one of your own"),
    # The fence refuses methods of ufuncs.
    "backends/jax_calls.py": ("a function of NumPy without a method",),
    # jax_static.py finds what an index depends on; lists that others hold may not change on NumPy either.
    "backends/jax_runtime/indexing.py": ("an index depends on data", "an index that is a Python int"),
    "backends/jax_static.py": ("a list that is given is changed", "a list of its own"),
    # Of what is changed in place it is known whether it is an array; errors of ours have a place of their own.
    "backends/numba_text.py": ("whether this is an array is not known", "x = x + ... for x += ..."),
    # Parts of parts have been written as one index, or as new containers; what a call chooses has a name.
    "backends/jax_text.py": ("a part of a part", "one index: A[i, j] = v", "an index that is a variable"),
    # What has parts is a container that is known: others are refused when they come in, and these places see none.
    "runtime/containers.py": ("use a dict, a list or an array",),
    "runtime/records.py": ("an attribute of {} is set", "{} sets attributes in its own way", ".{} of {} is a property"),
    "runtime/structure.py": ("{} is used as",),
    # Lists that change are written as new lists, or are not owned.
    "pipeline/in_place.py": ("{} is a list, and one of its items is changed", "an array, or another list"),
    # What pushes forward is in a text that gathers; what a debugger shows.
    "runtime/stored_outside.py": ("{} of an object that others may hold is assigned in a function",),
    "runtime/waiting.py": ("<what is stored here",),
    # Where the text of a function stands that makes an object, or reads an attribute.
    "runtime/opened.py": ("<{}.{} of {}>", "def outer({}):"),
    # Functions without a text, or of whose calls the text says too little, are refused before.
    "take_away/theirs.py": ("it has no source text", "put it in a file or in a notebook cell",
                            "its file has changed", "run its definition again", "it is a method that calls super()",
                            "call the function of the other class",
                            "it assigns a variable of the function around it", "let it return the value"),
    "take_away/layout.py": ("it assigns {} (global)", "call them by two names"),
    # What files raise that were taken away, each with a class of errors of its own: tests/take_away.
    "take_away/plain.py": ("this call reaches a place", "the function returned a value of class"),
    # For arguments without a text an error is raised that says why.
    "take_away/versions.py": ("{} has no text for such arguments",),
    # What is compared at the end of each run: programs on which it differs are mended when they are found.
    "tracing/elementary/graph.py": ("the graph of {} is not drawn",),
    "tracing/elementary/sheet.py": ("cannot write down the run of {}",),
    # Where igraph is not installed: tests/tracing/elementary/test_graph.py hides it.
    "tracing/elementary/layout.py": ("to draw a graph igraph is needed",),
    # The derivative itself asks for a floating number, and takes containers apart.
    "tracing/elementary/program.py": ("{} of {} holds no floating number",),
    "tracing/elementary/recorder.py": ("it computes with {}, which holds values", "pass the numbers and arrays"),
    # Texts for the classes of arguments alone read items of a container that is made there without a name.
    "sampling/plan.py": ("{} is no array",),
    # Pairs are called by their names; what is computed again is refused in split motion before it has samples.
    "pipeline/streams.py": ("{} draws samples, and is handed on", "a call of the function by its name",
                            "what is computed again draws samples", "grad or value_and_grad, whose text does both"),
    # What a debugger shows.
    "runtime/kept_samples.py": ("<{} of {} of {}>", "<bits of {}>"),
    "runtime/drawn_matrices.py": ("<{}, as a matrix>",),
    # What a loop goes over does not change while it does; derivatives of derivatives that go over a list by its places
    # have found no loop yet that may be left early.
    "runtime/drawn_trips.py": ("a loop was to make {} trips", "a loop that may be left early"),
    # A loop that no program has come to: of each loop of a derivative it is said why it is kept as it is; and a name.
    "sampling/drawn_trips.py": ("its backward sweep does not go over the same trips", "the while loop"),
    "runtime/computed.py": ("<.{} of {}>", "def {}_of(obj):"),
}


def texts(path: Path) -> Iterator[tuple[int, str, list[str]]]:
    """The line of each text in a module, the text, and its constant parts."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls_only = path.relative_to(ROOT).parts[0] in CALLS_ONLY
    skipped = {id(part) for node in ast.walk(tree) for part in _no_messages(node)}
    given = {id(part) for node in ast.walk(tree) if isinstance(node, ast.Call) and _name(node.func) in REFUSE
             for arg in [*node.args, *(keyword.value for keyword in node.keywords)] for part in _strings(arg)}
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Constant, ast.JoinedStr)) or id(node) in skipped and id(node) not in given:
            continue
        parts = _parts(node)
        text = "{}".join(parts)
        sentence = not calls_only and len(re.findall(r"\S+ (?=\S)", text)) >= 2
        if (sentence or id(node) in given) and re.search(r"[a-z]{2}", "".join(parts)) \
                and not text.startswith(NO_MESSAGES):
            yield node.lineno, text, parts


def _strings(node: ast.AST) -> Iterator[ast.AST]:
    """The strings that an argument may be: whole, or one of two; not what is looked up or called in it."""
    if isinstance(node, (ast.Constant, ast.JoinedStr)):
        yield node
    elif isinstance(node, ast.IfExp):
        yield from [*_strings(node.body), *_strings(node.orelse)]
    elif isinstance(node, (ast.BinOp, ast.BoolOp)):
        for part in ast.iter_child_nodes(node):
            yield from _strings(part)


def _parts(node: Any) -> list[str]:
    """The constant parts of a text, in order; between them it is open."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else [""]
    parts = [""]
    for value in node.values:
        if isinstance(value, ast.Constant):
            parts[-1] += value.value
        else:
            parts.append("")
    return parts


def _no_messages(node: ast.AST) -> Iterator[ast.AST]:
    """Strings that are docstrings, annotations, parts of other strings, or given to other calls."""
    if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and node.body \
            and isinstance(node.body[0], ast.Expr):
        yield node.body[0].value
    if isinstance(node, ast.Assert):
        yield from ast.walk(node)
    if isinstance(node, ast.JoinedStr):
        yield from (part for part in ast.walk(node) if part is not node)
    if isinstance(node, ast.Call) and _name(node.func) in OTHER:
        yield from ast.walk(node)
    if isinstance(node, ast.Call) and _name(node.func) == "split" and not node.args \
            and isinstance(node.func, ast.Attribute):
        yield node.func.value                              # names in a table
    for name in ("annotation", "returns"):
        if isinstance(getattr(node, name, None), ast.AST):
            yield from ast.walk(getattr(node, name))
    if isinstance(node, ast.AnnAssign) and _name(node.annotation) == "TypeAlias":
        yield from ast.walk(node)


def _name(node: ast.AST) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))


@cache
def pieces() -> str:
    """Each reason and each remedy that is written down, and each message that is neither, between zeros."""
    found: dict[str, None] = {}
    for case in cases():
        message = case.message.rstrip("\n")
        found[message] = None
        for _, text in re.findall(r"^  (why|instead): (.*(?:\n    .*)*)", message, re.M):
            found[text.replace("\n    ", "\n")] = None
    return "\0".join(["", *found, ""])


def is_pinned(parts: list[str]) -> bool:
    """A text is the whole of a piece; one of several words may also be part of a piece."""
    if len(re.findall(r"[a-z]{2,}", "".join(parts))) >= 3:
        return re.search("[^\0]*?".join(map(re.escape, filter(None, parts))), pieces()) is not None
    return re.search("\0" + "[^\0]*?".join(map(re.escape, parts)) + "\0", pieces()) is not None


FILES = sorted(ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_text_is_written_down(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    nets = NETS.get(name, ())
    found = list(texts(path))
    missing = [f"{name}:{line}: {text}"
               for line, text, parts in found if not text.startswith(nets or ("\0",)) and not is_pinned(parts)]
    assert not missing, "\n" + "\n".join(missing)
    assert [net for net in nets if not any(text.startswith(net) for _, text, _ in found)] == []


def test_nets_are_in_files() -> None:
    assert set(NETS) <= {path.relative_to(ROOT).as_posix() for path in FILES}

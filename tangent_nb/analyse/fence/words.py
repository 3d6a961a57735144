"""The allow-list: which statements and expressions the language has, and in which words the others are refused.

A class of nodes that is let in here has to be handled by every later stage.
`WORDS` gives reason and remedy for those that are not.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

STATEMENTS = (gast.Assign, gast.AugAssign, gast.If, gast.For, gast.While, gast.Break, gast.Continue, gast.Return,
              gast.Expr, gast.Assert, gast.Raise, gast.Pass, gast.With, gast.Try, gast.FunctionDef)
EXPRESSIONS = (gast.BoolOp, gast.BinOp, gast.UnaryOp, gast.IfExp, gast.Compare, gast.Call, gast.Constant,
               gast.Attribute, gast.Subscript, gast.Name, gast.List, gast.Tuple, gast.Dict, gast.Set, gast.JoinedStr,
               gast.FormattedValue, gast.Slice,
               gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.Starred)
INSIDE = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
SIGNS = {"LShift": "<<", "RShift": ">>", "BitOr": "|", "BitXor": "^", "BitAnd": "&", "Invert": "~", "MatMult": "@"}
IMPORT = ("what this line imports is not there, or its name means something else in this function too",
          "the import outside, before the function")
INSERTION = ("insert_grad_of takes one variable, and names its cotangent after as, alone in its with",
             "with tnb.insert_grad_of(y) as by:")
WORDS: Mapping[str, tuple[str, str]] = {
    "TryStar": ("except* is not differentiated", "except without the star"),
    "Import": IMPORT,
    "ImportFrom": IMPORT,
    "AsyncFunctionDef": ("an async def is not differentiated", "a plain def"),
    "ClassDef": ("a class inside of a function is not differentiated", "define the class outside"),
    "Match": ("a pattern of this match is not differentiated", "if and elif"),
    "SetComp": ("a set of differentiable values is not differentiated: it has no order, and drops what is equal",
                "a list: [... for ...]"),
    "GeneratorExp": ("what goes over this generator expression cannot be seen here", "a list: [... for ...]"),
    "Starred": ("this starred expression (*) is not differentiated", "the items one by one"),
    "TypeAlias": ("a type alias inside of a function is not differentiated",
                  "the type alias outside, before the function"),
}


def words(node: gast.AST) -> tuple[str, str]:
    """Why a statement or an expression that is not on the list is refused, and the remedy."""
    name = type(node).__name__
    return WORDS.get(name, (f"{name} is not differentiated", "other statements"))


def of_closure(fn: Any, given: str) -> tuple[str, str]:
    """Why `tnb.grad(g)`, or its like, of what carries a derivative is refused, and the remedy."""
    return (f"tnb.{fn.__name__} is given {given}, which depends on what is differentiated",
            ("its derivative outside, dg = tnb.grad(g), "
             "of a function g that takes all that it reads as arguments, and here dg(...)"))


def hidden(fn: Any) -> tuple[str, str]:
    """Why a call of one of `HIDDEN` is refused, and the remedy."""
    if any(fn is one for one in (eval, exec, compile, __import__)):
        return f"{fn.__name__} runs code that cannot be seen here", \
            "that code itself, as statements or expressions of the function"
    if fn is super:
        return "super() looks in the classes above that of the object, which is known only when the function runs", \
            "the method by the name of its class, Base.method(self, ...), or example arguments, like=(...)"
    return f"{fn.__name__} reaches variables by their names, which cannot be seen here", \
        "the variables or attributes themselves: x, obj.x"

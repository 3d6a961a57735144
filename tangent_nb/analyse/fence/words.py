"""The allow-list: which statements and expressions the language has, and in which words the others are refused.

A class of nodes that is let in here has to be handled by every later stage. `WORDS` gives reason and remedy for those that are not.
"""
from __future__ import annotations

from collections.abc import Mapping

import gast

STATEMENTS = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.If, gast.For, gast.While, gast.Break, gast.Continue, gast.Return,
              gast.Expr, gast.Assert, gast.Raise, gast.Pass, gast.With, gast.Try, gast.FunctionDef)
EXPRESSIONS = (gast.BoolOp, gast.BinOp, gast.UnaryOp, gast.IfExp, gast.Compare, gast.Call, gast.Constant, gast.Attribute,
               gast.Subscript, gast.Name, gast.List, gast.Tuple, gast.Dict, gast.Set, gast.JoinedStr, gast.FormattedValue, gast.Slice,
               gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.Starred)
INSIDE = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
SIGNS = {"LShift": "<<", "RShift": ">>", "BitOr": "|", "BitXor": "^", "BitAnd": "&", "Invert": "~", "MatMult": "@"}
WORDS: Mapping[str, tuple[str, str]] = {
    "TryStar": ("except* is not differentiated", "except without the star"),
    "AsyncWith": ("async with is not differentiated", "a plain function"),
    "AsyncFor": ("async for is not differentiated", "a plain for"),
    "Delete": ("del of a part is not differentiated: what comes after it would move", "a new list or array without it: A = A[1:]"),
    "Import": ("this import cannot be followed: what it names is not there, or has its name from elsewhere too", "import at the top"),
    "ImportFrom": ("this import cannot be followed: what it names is not there, or has its name from elsewhere too", "import at the top"),
    "FunctionDef": ("this nested function assigns variables of the function around it, and is used as a value",
                    "call it by its name, or return the new values"),
    "AsyncFunctionDef": ("an async def is not differentiated", "a plain def"),
    "ClassDef": ("a class inside of a function is not differentiated", "define the class outside"),
    "Match": ("a pattern of this match is not differentiated", "if and elif"),
    "ListComp": ("this comprehension is not differentiated", "a for loop that appends, or an array expression"),
    "SetComp": ("a set of differentiable values is not differentiated: it has no order, and drops what is equal", "a list: [... for ...]"),
    "DictComp": ("this dict comprehension is not differentiated", "a list comprehension, or an array"),
    "GeneratorExp": ("this generator expression is not differentiated", "a for loop, or an array expression"),
    "NamedExpr": ("this := is not differentiated", "an assignment on a line before"),
    "Starred": ("this starred expression (*) is not differentiated", "the items one by one"),
    "Yield": ("a generator (yield) is not differentiated", "return the values"),
    "YieldFrom": ("a generator (yield from) is not differentiated", "return the values"),
    "Await": ("await is not differentiated", "a plain function"),
    "TypeAlias": ("a type alias is not differentiated", "write it outside"),
}

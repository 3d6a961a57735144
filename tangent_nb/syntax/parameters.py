"""Parameters of Python's own trees."""
from __future__ import annotations

import ast


def bare(args: ast.arguments) -> ast.arguments:
    """Parameters without defaults and annotations: these are evaluated outside of the function."""
    def plain(arg: ast.arg) -> ast.arg:
        return ast.copy_location(ast.arg(arg.arg, None), arg)

    return ast.arguments([plain(a) for a in args.posonlyargs], [plain(a) for a in args.args],
                         args.vararg and plain(args.vararg), [plain(a) for a in args.kwonlyargs],
                         [None] * len(args.kwonlyargs), args.kwarg and plain(args.kwarg), [])

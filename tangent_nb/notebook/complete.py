"""Completion after `%%grad`, `%grad` and `%%quiz`: flags, and what can follow each of them."""
from __future__ import annotations

import inspect
import re
import types
from typing import Any

from IPython.core.completer import SimpleCompletion, context_matcher

from ..backends import BACKENDS, COMPILERS
from ..optimise import PASSES
from . import quiz_options
from .options import MODES, parser

TARGETED = ("%grad", quiz_options.MAGIC)           # a function comes first
ARGUMENTS: dict[str, Any] = {"-b": BACKENDS, "--backend": BACKENDS, "-c": tuple(COMPILERS),
                             "--compile": tuple(COMPILERS), "--tape": ("sampled:0.1",), "-m": MODES, "--mode": MODES,
                             "-O": tuple(PASSES), "--passes": tuple(PASSES),
                             **dict.fromkeys(("-n", "--name", "--prefix", "--names"), ())}


class Completer:
    """Answers IPython's completer for one shell."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.text = ""                             # the whole cell that is being completed, where that is known

    def match(self, context: Any) -> dict[str, Any]:
        """What can stand at the cursor, instead of what else is offered there."""
        self.text = context.full_text
        if not re.match(r"\s*(%%?grad|%%quiz)\s", context.text_until_cursor):
            return {"completions": []}
        found = self.possible(context.text_until_cursor.lstrip(), context.token)
        return {"completions": [SimpleCompletion(one) for one in found], "suppress": bool(found), "ordered": True}

    def possible(self, before: str, symbol: str) -> list[str]:
        """What can stand in place of `symbol`, the end of the line before the cursor."""
        typed = re.split(r"[\s,'\"]", before)[-1]
        found = [one for one in self._possible(before) if one.startswith(typed)]
        cut = len(typed) - len(symbol)             # the front end may replace less than what was typed (`common-te`)
        return [one[cut:] if cut > 0 else one for one in found]

    def _possible(self, before: str) -> list[str]:
        words = before.split()
        last = words[-1] if before[-1:].isspace() else words[-2] if len(words) > 1 else ""
        if not before[-1:].isspace() and words[-1].startswith("-"):
            return self._flags(words)
        if last in ARGUMENTS:
            return list(ARGUMENTS[last])
        if last in ("-w", "--wrt"):
            return ["*", *self._parameters(words)]
        if last in ("-f", "--function"):
            return self._functions()
        if last == "--at":
            return [f"{name}=" for name in self._parameters(words)]
        if words[0] in TARGETED and len(words) - (not before[-1:].isspace()) == 1:
            return self._functions()
        if words.count("--at") and before.count('"') % 2:
            return [f"{name}=" for name in self._parameters(words)]
        return self._flags(words)

    def _flags(self, words: list[str]) -> list[str]:
        actions = (quiz_options.parser() if words[0] == quiz_options.MAGIC else parser(words[0]))._actions
        return [flag for action in actions if not set(action.option_strings) & set(words[:-1])
                for flag in action.option_strings]

    def _functions(self) -> list[str]:
        namespace = self.shell.user_ns
        there = [name for name, value in namespace.items()
                 if type(value) is types.FunctionType and not name.startswith("_")]
        return list(dict.fromkeys([*re.findall(r"^def\s+(\w+)", self.text, re.M), *there]))

    def _parameters(self, words: list[str]) -> list[str]:
        """The parameters of the function that is meant: after the magic's name, or -f, or the cell's last."""
        quiz = words[0] == quiz_options.MAGIC      # whose -f names a function of other parameters
        named = next((words[place + 1]
                      for place, word in enumerate(words[:-1]) if word in ("-f", "--function") and not quiz), "")
        if not named and words[0] in TARGETED and len(words) > 1 and not words[1].startswith("-"):
            named = words[1]
        written = re.findall(r"^def\s+(\w+)\s*\(([^)]*)\)", self.text, re.M)
        for name, parameters in reversed(written):
            if not named or name == named:
                return re.findall(r"(?:^|,)\s*\**(\w+)", re.sub(r"\[[^]]*\]", "", parameters))
        function = self.shell.user_ns.get(named)
        return list(inspect.signature(function).parameters) if type(function) is types.FunctionType else []


def register(shell: Any) -> None:
    """Give a shell the completions."""
    completer = Completer(shell)

    @context_matcher()  # type: ignore[untyped-decorator]
    def match(context: Any) -> dict[str, Any]:
        return completer.match(context)

    shell.Completer.custom_matchers.append(match)

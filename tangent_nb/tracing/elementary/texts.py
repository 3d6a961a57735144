"""What is known of generated texts while their code runs: what each line is for, and which of the user's it is of."""
from __future__ import annotations

import ast
import re
import types

from ...emit import derivation_at
from ...syntax.program import Derivation, Origin
from ..statements import Lines
from ..stepper import Step
from ..texts import statements_of


class Texts:
    """The generated texts that code is of, each looked up once."""

    def __init__(self) -> None:
        self._known: dict[types.CodeType, tuple[Derivation | None, Lines | None]] = {}

    def known(self, code: types.CodeType) -> Derivation | None:
        """The derivative that code belongs to; None for code of others."""
        return self._of(code)[0]

    def lines(self, code: types.CodeType) -> Lines | None:
        """Its statements by line."""
        return self._of(code)[1]

    def _of(self, code: types.CodeType) -> tuple[Derivation | None, Lines | None]:
        if code not in self._known:
            found = derivation_at(code)
            lines = statements_of(found.emitted, code) if found is not None and found.emitted.lines else None
            self._known[code] = (found, lines) if lines is not None else (None, None)
        return self._known[code]

    def role(self, step: Step) -> str:
        """What the line of a statement is for."""
        known = self.known(step.activation.frame.f_code)
        return "" if known is None else known.emitted.lines[step.statement.first - 1].role

    def origin(self, step: Step) -> Origin | None:
        """The user's statement that it comes from."""
        known = self.known(step.activation.frame.f_code)
        origins = known.emitted.lines[step.statement.first - 1].origins if known is not None else ()
        return next((one for one in origins if one is not None), None)

    def name(self, code: types.CodeType) -> str:
        """The user's function that generated code is of: a text calls it `_half_tan` where it is not the main one."""
        known = self.known(code)
        if known is not None and known.emitted.functions[:1] == (code.co_name,):
            return known.primal.name
        return re.sub(r"^_|_tan(_[0-9]+)?$", "", code.co_name)


def result_name(known: Derivation) -> str:
    """The variable that holds what a function returns, as its normal form says."""
    text = next((stage.text for stage in known.stages if stage.name == "normalise"), "")
    for node in ast.parse(text).body[:1]:
        last = node.body[-1] if isinstance(node, ast.FunctionDef) else node
        if isinstance(last, ast.Return) and isinstance(last.value, ast.Name):
            return last.value.id
    return ""

"""What is refused under `%%grad` reads as `tests/refusals` has it,
with the number of the cell and the lines of the cell."""
from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from refusals import cases
from refusals.case import Case

OTHER_FUNCTIONS = ("f = ", "@tnb.adjoint(iter)")                  # a cell derives what it defines by def
RIGHT = ("global", "global_in_a_helper")               # the module of a cell is there, that of a text alone is not


def is_for_a_cell(case: Case) -> bool:
    plain = case.derive is None and case.at is None and case.wrt == 0 and not case.keywords and case.name not in RIGHT
    return plain and not any(f"\n{start}" in f"\n{case.program}" for start in OTHER_FUNCTIONS) \
        and "def f(" in case.program and not case.program.rpartition("\n@")[2].startswith("tnb.")


def test_every_message_in_a_cell(shell: Any) -> None:
    shell.run("import tangent_nb as tnb")
    shown, wanted = {}, {}
    for case in filter(is_for_a_cell, cases()):
        mode = "-m forward" if case.modes == ("forward",) else ""
        seen = shell.run(f"%%grad {mode}\n{case.program}")
        text = "\n".join(display["text/plain"] for display in seen.displays) + seen.text
        shown[case.name] = \
            re.sub(r"cell In\[\d+\], line (\d+)", lambda match: f"cell 1, line {int(match[1]) - 1}", text).strip()
        wanted[case.name] = case.message.strip()
    assert len(shown) > 100 and shown == wanted

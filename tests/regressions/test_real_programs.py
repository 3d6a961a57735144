"""Programs of the grammar `real` on which a derivative was once wrong, a crash, or refused for nothing: now right.

What they do outside, as objects that they change, is compared too."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fuzz"))
import real_judge
from real_programs import Program

pytestmark = pytest.mark.sampled(3)

PROGRAMS = sorted((Path(__file__).resolve().parent / "real").glob("*.txt"))


@pytest.mark.parametrize("mode", [mode for mode in real_judge.MODES if mode != "primal"])
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_regression(path: Path, mode: str) -> None:
    text = path.read_text(encoding="utf-8")
    verdict = real_judge.judge(Program(text), only=mode)
    assert verdict.kind == "right" and (not verdict.message or "# second order: refused" in text), verdict

"""What the widget of a quiz tells, in a real kernel whose front end has names for its cells."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .test_quiz_report import POSE, SETUP, answer

pytestmark = [pytest.mark.xdist_group("quiz"),
              pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")]
VIEW = "application/vnd.jupyter.widget-view+json"
WRONG = answer(bh="np.sum(h)").replace("dlayer", "two")
RAISES = answer(bh="nothing").replace("dlayer", "three")
Run = Callable[..., "tuple[list[Any], str]"]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """Runs cells: the states of the quizzes at the end, in the order of their outputs, and what was printed."""
    from jupyter_client.manager import start_new_kernel

    own = dict.fromkeys(("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR"), str(tmp_path))
    manager, client = start_new_kernel(kernel_name="python3", env={**os.environ, **own}, startup_timeout=60)

    def ran(*cells: str) -> tuple[list[Any], str]:
        kept: dict[str, Any] = {}
        shown: list[str] = []
        printed: list[str] = []

        def told(message: Any) -> None:
            kind, content = message["msg_type"], message["content"]
            if kind == "display_data":
                shown.append(content["data"][VIEW]["model_id"])
            elif kind == "stream":
                printed.append(content["text"])
            elif kind in ("comm_open", "comm_msg") and "state" in content["data"]:
                kept.setdefault(content["comm_id"], {}).update(content["data"]["state"])

        for number, cell in enumerate((SETUP, *cells)):
            client.session.metadata = {"cellId": f"cell-{number}"}
            client.execute_interactive(cell, timeout=60, output_hook=told, allow_stdin=False)
        return [kept[one]["state"] for one in shown], "".join(printed)

    try:
        yield ran
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.mark.parametrize("later, name", [(WRONG, "two"), (RAISES, "three")])
def test_an_output_keeps_the_mark_of_its_own_answer(run: Run, later: str, name: str) -> None:
    (posed, first, second, again), printed = run(
        POSE, answer(), later, POSE, "%quiz layer --hint bh", "print(tnb.quiz_report('layer'))")
    assert first["name"] == "dlayer" and first["points"] == 6.0 and first["problem"] == ""
    assert [one["verdict"] for one in first["blanks"]] == ["right"] * 5
    assert not any(one["hints"] or one["says"] for one in first["blanks"])
    assert first["newer"] == f"a newer answer, {name}, has been given: that one counts"
    assert second["name"] == name and second["points"] < 6.0 and second["newer"] == ""
    assert len(second["blanks"][0]["hints"]) == 1
    assert posed["points"] == again["points"] == second["points"] and posed["newer"] == ""
    assert f"layer: {second['points']:g} of 6 points" in printed


def test_without_a_posed_quiz_too(run: Run) -> None:
    magic = '%%quiz layer --at "x=X, w=W, b=B" -w w,b'
    cells = [text.replace("%%quiz layer", magic) for text in (answer(), WRONG)]
    (first, second), _ = run(*cells)
    assert first["name"] == "dlayer" and first["newer"].startswith("a newer answer, two,")
    assert second["name"] == "two" and second["newer"] == ""

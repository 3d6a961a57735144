"""The headings of a notebook, each with what its cells show when they are run."""
from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest


def text_of(output: Any) -> str:
    return str(output["text"] if output["output_type"] == "stream" else output["data"].get("text/plain", ""))


def sections_of(path: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Run a notebook in a kernel of its own."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name)))
        patch.setenv("PYTHONWARNINGS", "ignore")
        # two prints may come in two pieces
        NotebookClient(notebook, kernel_name="python3", timeout=300, coalesce_streams=True,
                       resources={"metadata": {"path": str(path.parent)}}).execute()
    found: dict[str, str] = {}
    heading = ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and "# " in cell.source:
            heading = [line for line in cell.source.split("\n") if line.startswith("#")][-1].lstrip("# ")
            found[heading] = ""
        elif cell.cell_type == "code":
            found[heading] += "".join(text_of(output).rstrip("\n") + "\n" for output in cell.outputs)
    return found


def in_order(patterns: Iterable[str], shown: str, heading: str) -> None:
    """What cells show has these patterns, one after the other."""
    at = 0
    for wanted in patterns:
        match = re.compile(wanted, re.M).search(shown, at)
        assert match is not None, f"{heading}: {wanted} is not in\n{shown[at:]}"
        at = match.start()

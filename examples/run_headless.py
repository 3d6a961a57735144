"""Run notebooks without a browser and print what their cells print: python run_headless.py quickstart.ipynb …

Exits with 1 at the first cell that fails, after printing its traceback.
"""
from __future__ import annotations

import argparse
import os
import re
import sys
import time
from itertools import groupby
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

# debugpy, inside the kernel, otherwise warns about Python's frozen modules; nothing is debugged here.
os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")

ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


def as_seen(text: str) -> str:
    """What a terminal would be left showing: no colours, and of lines that were overwritten the last state.

    >>> as_seen("10 %\\r20 %\\rdone\\n")
    'done\\n'
    """
    lines = ANSI.sub("", text).replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)


def shown(outputs: list[Any]) -> str:
    """The plain text of a cell's outputs, each ending in a newline; pieces of one stream are put together first."""
    texts = []
    for stream, pieces in groupby(outputs, key=lambda output: output.get("name")):
        found = [text_of(piece) for piece in pieces]
        texts += ["".join(found)] if stream else found
    return "".join(text if text.endswith("\n") else text + "\n" for text in map(as_seen, texts) if text)


def text_of(output: Any) -> str:
    """One output's plain text; empty where it has none."""
    if output.output_type == "stream":
        return output.text
    if output.output_type == "error":
        return "\n".join(output.traceback) or f"{output.ename}: {output.evalue}"
    return output.data.get("text/plain", "")


def run(path: Path, timeout: float) -> bool:
    """Execute one notebook in its own folder, printing each cell's outputs when it ends. True if no cell failed."""
    notebook = nbformat.read(path, as_version=4)
    started, took = 0.0, [0.0]

    def begin(cell: Any, cell_index: int) -> None:
        nonlocal started
        started = time.perf_counter()

    def end(cell: Any, cell_index: int, execute_reply: Any) -> None:
        took.append(time.perf_counter() - started)
        print(shown(cell.outputs), end="", flush=True)

    client = NotebookClient(
        notebook, kernel_name="python3", timeout=timeout, resources={"metadata": {"path": str(path.parent)}},
        on_cell_execute=begin, on_cell_executed=end, extra_arguments=["--IPKernelApp.log_level=ERROR"],
    )
    print(f"== {path}", flush=True)
    try:
        client.execute()
    except CellExecutionError:
        print(f"== {path}: FAILED in the cell above")
        return False
    print(f"== {path}: {len(took) - 1} cells in {sum(took):.1f} s, the slowest in {max(took):.1f} s")
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--timeout", type=float, default=120, help="seconds that a cell may take (default: 120)")
    options = parser.parse_args()
    return 0 if all(run(path, options.timeout) for path in options.notebooks) else 1


if __name__ == "__main__":
    sys.exit(main())

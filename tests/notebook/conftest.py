"""A real IPython shell for each test that asks for one."""
from __future__ import annotations

import atexit
import builtins
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from tangent_nb.notebook import load_ipython_extension

ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


class Shell:
    """A shell with the extension loaded, and what its cells put out."""

    def __init__(self, ip: InteractiveShell) -> None:
        self.ip = ip

    def run(self, cell: str) -> SimpleNamespace:
        """Run a cell as a user would: its text output, its displays, whether it succeeded, its value."""
        with capture_output() as seen:
            result = self.ip.run_cell(cell, store_history=True)
        displays = [output.data for output in seen.outputs]
        text = ANSI.sub("", seen.stdout)
        return SimpleNamespace(text=text, stderr=ANSI.sub("", seen.stderr), displays=displays, ok=result.success,
                               error=result.error_in_exec or result.error_before_exec, value=result.result)

    def __getitem__(self, name: str) -> Any:
        return self.ip.user_ns[name]

    def __contains__(self, name: str) -> bool:
        return name in self.ip.user_ns


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    """A fresh shell. Nothing of it is left behind."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")
    # which doctests leave there, and IPython then keeps its hands off `_`
    monkeypatch.delattr(builtins, "_", raising=False)
    main, hooks, path = sys.modules["__main__"], (sys.displayhook, sys.excepthook), list(sys.path)
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.xmode = "Context"
    InteractiveShell.clear_instance()
    ip = InteractiveShell.instance(config=config)
    load_ipython_extension(ip)
    ip.run_cell("import numpy as np")
    try:
        yield Shell(ip)
    finally:
        ip.restore_sys_module_state()
        ip.atexit_operations()
        atexit.unregister(ip.atexit_operations)
        InteractiveShell.clear_instance()
        sys.modules["__main__"] = main
        sys.displayhook, sys.excepthook = hooks
        sys.path[:] = path

"""A real JupyterLab or Notebook, and a real browser to look at it with."""
from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]
APPS = {"lab": ("LabApp", "lab/tree/{name}?reset&"), "notebook": ("JupyterNotebookApp", "notebooks/{name}?")}
IDLE = """() => { const w = window.jupyterapp?.shell?.currentWidget; const k = w?.sessionContext?.session?.kernel;
  return w?.content?.widgets?.length && k?.status === 'idle' && k?.connectionStatus === 'connected' }"""


def places(name: str) -> list[Any]:
    """Where something is looked at, an application with a theme: the first in the sample, all of them in the rest."""
    found = (("lab", "Light"), ("lab", "Dark"), ("notebook", "Light"))
    return [pytest.param(one, id="-".join(one), marks=[pytest.mark.xdist_group(f"{name}-{'-'.join(one)}"),
                                                        pytest.mark.full if at else pytest.mark.sampled(2)])
            for at, one in enumerate(found)]


def missing(what: str) -> Any:
    """Skip for want of a browser; fail where one is required."""
    if os.environ.get("REQUIRE_BROWSER", "0") != "0":
        pytest.fail(f"REQUIRE_BROWSER is set, and there is no {what}")
    return pytest.skip(f"no {what}")


@contextmanager
def launched() -> Iterator[Any]:
    """An installed Chromium or Chrome, else Playwright's own."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright (a Python package) to drive a browser")
    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
        found = next(filter(None, map(shutil.which, BROWSERS)), str(own) if own.exists() else None)
        if found is None:
            missing("Chromium or Chrome")
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


def write_notebook(path: Path, cells: Sequence[str]) -> None:
    """A notebook of code cells."""
    import nbformat
    code = [nbformat.v4.new_code_cell(cell, id=f"cell{place}") for place, cell in enumerate(cells)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nbformat.v4.new_notebook(cells=code, metadata={"kernelspec": kernel}), path)


@contextmanager
def served(work: Path, app: str = "lab", theme: str = "Light") -> Iterator[SimpleNamespace]:
    """A server with a home of its own in a folder; `address(name)` of a notebook there."""
    settings = work / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false", "checkForUpdates": false}')
    (settings / "themes.jupyterlab-settings").write_text(json.dumps({"theme": f"JupyterLab {theme}"}))
    extension = work / "data" / "labextensions" / "tangent_nb"
    (extension / "static").mkdir(parents=True)
    shutil.copy(ROOT / "js" / "lab" / "package.json", extension)
    for name in ("lab.js", "widget.css"):
        shutil.copy(ROOT / "tangent_nb" / "static" / name, extension / "static")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex(16)
    own = {"HOME": "", "JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime",
           "IPYTHONDIR": "ipython", "JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces"}
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, **{name: str(work / folder) for name, folder in own.items()}, "NO_PROXY": "*",
                   "PYTHONPATH": path, "PYTHONWARNINGS": "ignore"}
    name, page = APPS[app]
    with open(work / "server.log", "w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyter", app, "--no-browser", "--ip=127.0.0.1", f"--port={port}", "--allow-root",
             f"--IdentityProvider.token={token}", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={work}",
             f"--{name}.expose_app_in_browser=True"],
            env=environment, cwd=work, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        try:
            address = f"http://127.0.0.1:{port}"
            _wait(f"{address}/api?token={token}", server, work / "server.log")
            yield SimpleNamespace(address=lambda one: f"{address}/{page.format(name=one)}token={token}", work=work)
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait(20)


def _wait(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            assert server.poll() is None, log.read_text()
            time.sleep(0.1)
    pytest.fail("Jupyter does not answer:\n" + log.read_text()[-2000:])


def run_all(page: Any, address: str, last: str) -> None:
    """Open a notebook, and run its cells until an output holds the text of the last one."""
    page.goto(address)
    page.locator(".jp-Notebook .jp-Cell").first.wait_for(timeout=120_000)
    page.wait_for_function(IDLE, timeout=120_000)
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.locator(".jp-OutputArea-output", has_text=last).first.wait_for(timeout=120_000)


def serious(page: Any, selector: str) -> list[str]:
    """What axe finds that is serious, or worse, in what is selected. It looks at contrast in exported pages alone."""
    page.evaluate((ROOT / "js" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("one => axe.run(document.querySelectorAll(one), {resultTypes: ['violations']})", selector)
    return [f"{one['id']}: {one['nodes'][0]['html'][:300]}" for one in found["violations"]
            if one["impact"] in ("serious", "critical")]


def brightness(colour: str) -> float:
    """The mean of a CSS colour's three parts; -1 where it is transparent."""
    parts = [float(part) for part in colour[colour.index("(") + 1:-1].split(",")]
    return sum(parts[:3]) / 3 if len(parts) == 3 or parts[3] > 0.5 else -1.0

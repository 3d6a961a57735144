"""`%%grad` in a real JupyterLab, in a real browser: what a reader sees."""
from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]
LOSS = """%%grad -w w,b --at "x=X, w=W, b=B, y=Y" --check
def loss(x, w, b, y):  # <script>window.HIT=1</script>
    h = np.tanh(np.dot(x, w) + b)
    r = h - y
    return np.mean(r * r)
"""
CELLS = [
    "%load_ext tangent_nb\nimport numpy as np\n"
    "X, W, B, Y = np.ones((4, 3)), np.eye(3) / 2, np.zeros(3), np.zeros((4, 3))",
    LOSS,
    '%%grad\ndef g(x):\n    s = "<img src=q onerror=window.HIT=1>"\n    return (lambda: x)()\n',
    "print('all', 'done')",
]
IDLE = """() => { const w = window.jupyterapp?.shell?.currentWidget; const k = w?.sessionContext?.session?.kernel;
  return w?.content?.widgets?.length && k?.status === 'idle' && k?.connectionStatus === 'connected' }"""


def missing(what: str) -> Any:
    """Skip for want of a browser; fail where one is required."""
    if os.environ.get("REQUIRE_BROWSER", "0") != "0":
        pytest.fail(f"REQUIRE_BROWSER is set, and there is no {what}")
    return pytest.skip(f"no {what}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
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


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Iterator[SimpleNamespace]:
    """A JupyterLab with a home of its own, and a notebook in it."""
    nbformat = pytest.importorskip("nbformat")
    work = tmp_path_factory.mktemp("lab")
    cells = [nbformat.v4.new_code_cell(cell, id=f"cell{place}") for place, cell in enumerate(CELLS)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), work / "t.ipynb")
    settings = work / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false", "checkForUpdates": false}')
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex(16)
    own = {"HOME": "", "JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime",
           "IPYTHONDIR": "ipython", "JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces"}
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, **{name: str(work / folder) for name, folder in own.items()}, "NO_PROXY": "*",
                   "PYTHONPATH": path, "PYTHONWARNINGS": "ignore"}
    with open(work / "server.log", "w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyter", "lab", "--no-browser", "--ip=127.0.0.1", f"--port={port}", "--allow-root",
             f"--IdentityProvider.token={token}", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={work}",
             "--LabApp.expose_app_in_browser=True"],
            env=environment, cwd=work, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(f"{address}/api?token={token}", server, work / "server.log")
            yield SimpleNamespace(address=f"{address}/lab/tree/t.ipynb?reset&token={token}", work=work)
        finally:
            server.send_signal(signal.SIGINT if os.name != "nt" else signal.SIGTERM)
            try:
                server.wait(5)
            except subprocess.TimeoutExpired:
                server.terminate()
                server.wait(20)


def wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            assert server.poll() is None, log.read_text()
            time.sleep(0.1)
    pytest.fail("JupyterLab does not answer:\n" + log.read_text()[-2000:])


@pytest.fixture(scope="module")
def page(lab: SimpleNamespace, browser: Any) -> Iterator[Any]:
    """The notebook in JupyterLab, all of its cells run."""
    page = browser.new_page(viewport={"width": 1300, "height": 1000})
    page.goto(lab.address)
    page.locator(".jp-Notebook .jp-Cell").first.wait_for(timeout=120_000)
    page.wait_for_function(IDLE, timeout=120_000)
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.locator(".jp-OutputArea-output", has_text="all done").wait_for(timeout=120_000)
    yield page
    page.close()


def test_both_panes_are_seen_side_by_side(page: Any, lab: SimpleNamespace) -> None:
    left, right = page.locator(".tnb-view .tnb-pane").all()
    assert left.is_visible() and right.is_visible()
    assert "def loss(x, w, b, y):" in left.inner_text() and "def dloss_dw_db(x, w, b, y):" in right.inner_text()
    one, other = left.bounding_box(), right.bounding_box()
    assert one["y"] == other["y"] and one["x"] + one["width"] <= other["x"] + 1 and one["width"] > 300
    inside = page.locator(".tnb-view").first.bounding_box()
    assert other["x"] + other["width"] <= inside["x"] + inside["width"] + 1, "the right pane is not cut"
    assert page.evaluate("[...document.querySelectorAll('.tnb-code > span > span')].every(e => e.scrollWidth <= e.clientWidth + 1)")
    assert page.locator(".tnb-yes").count() == 2
    page.locator(".tnb-view").first.screenshot(path=lab.work / "light.png")
    assert (lab.work / "light.png").stat().st_size > 5_000


def test_linked_lines_have_one_colour(page: Any) -> None:
    colours = page.evaluate("""() => [...document.querySelectorAll('.tnb-g0')].map(
        e => getComputedStyle(e).borderLeftColor)""")
    assert len(colours) > 2 and len(set(colours)) == 1


def test_a_refusal_is_a_box_of_text(page: Any) -> None:
    message = page.locator(".tnb-refused .tnb-message")
    assert "cannot differentiate g" in message.inner_text() and "line 4" in message.inner_text()


def test_nothing_of_the_users_text_acts(page: Any) -> None:
    assert page.evaluate("window.HIT") is None
    assert page.locator(".tnb-view script, .tnb-view img").count() == 0


def test_the_theme_is_followed(page: Any, lab: SimpleNamespace) -> None:
    def colours() -> list[str]:
        return page.evaluate("""() => { const s = getComputedStyle(document.querySelector('.tnb-view'));
            return [s.backgroundColor, s.color] }""")

    light = colours()
    page.evaluate("window.jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})")
    page.wait_for_function("document.body.dataset.jpThemeLight === 'false'", timeout=30_000)
    page.wait_for_timeout(300)
    dark = colours()
    assert brightness(light[0]) > 200 > 80 > brightness(dark[0])
    assert brightness(light[1]) < 100 < 180 < brightness(dark[1])
    page.locator(".tnb-view").first.screenshot(path=lab.work / "dark.png")


def brightness(colour: str) -> float:
    parts = [float(part) for part in colour[colour.index("(") + 1:-1].split(",")]
    return sum(parts[:3]) / 3 if len(parts) == 3 or parts[3] > 0.5 else -1.0


def test_a_narrow_place_stacks_the_panes(page: Any) -> None:
    page.set_viewport_size({"width": 620, "height": 1000})
    page.wait_for_timeout(500)
    left, right = (pane.bounding_box() for pane in page.locator(".tnb-view .tnb-pane").all()[:2])
    page.set_viewport_size({"width": 1300, "height": 1000})
    assert right["y"] >= left["y"] + left["height"] - 1 and right["x"] == left["x"]


def test_a_saved_notebook_that_is_not_trusted_shows_both_panes(lab: SimpleNamespace, browser: Any) -> None:
    import nbformat

    from tangent_nb.notebook import show

    def area(x: Any, y: Any) -> Any:
        return x * y

    cell = nbformat.v4.new_code_cell("%grad area", id="saved")
    cell.outputs = [nbformat.v4.new_output("display_data", data=show(area)._repr_mimebundle_())]
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), lab.work / "saved.ipynb")
    page = browser.new_page(viewport={"width": 1300, "height": 800})
    page.goto(lab.address.replace("t.ipynb", "saved.ipynb"))
    left, right = page.locator(".tnb-pane").first, page.locator(".tnb-pane").nth(1)
    right.wait_for(timeout=60_000)
    assert page.locator(".tnb-view style").count() == 0, "JupyterLab takes the style away"
    assert "def area(x: Any, y: Any)" in left.inner_text() and "def darea_dx(x, y):" in right.inner_text()
    one, other = left.bounding_box(), right.bounding_box()
    assert one["y"] == other["y"] and one["x"] + one["width"] <= other["x"] + 1
    page.close()


def test_an_exported_page_works_without_a_server(browser: Any, tmp_path: Path) -> None:
    from tangent_nb.notebook import show

    def area(x: Any, y: Any) -> Any:
        return x * y  # <script>window.HIT=1</script>

    path = show(area, wrt=("x", "y")).export_html(tmp_path / "area.html")
    requests: list[str] = []
    errors: list[str] = []
    for scheme in ("light", "dark"):
        page = browser.new_page(viewport={"width": 1000, "height": 400}, color_scheme=scheme)
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: errors.append(message.text))
        page.goto(path.as_uri())
        assert page.locator(".tnb-pane").count() == 2 and page.evaluate("window.HIT") is None
        background = page.evaluate("getComputedStyle(document.querySelector('.tnb-view')).backgroundColor")
        assert (brightness(background) > 200) == (scheme == "light"), "the policy lets its own style in"
        page.close()
    assert errors == [] and all(url.startswith("file:") for url in requests)

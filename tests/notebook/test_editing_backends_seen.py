"""The editor in a real JupyterLab, of derivatives on JAX and Numba."""
from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from .browsing import launched, run_all, served, write_notebook
from .test_editing_seen import LOSS, RUN, at_end, follows, text

pytest.importorskip("jax")
pytest.importorskip("numba")
pytestmark = pytest.mark.xdist_group("browser")

CELLS = ["%load_ext tangent_nb\nimport numpy as np\nimport jax\njax.config.update('jax_enable_x64', True)\n"
         "X, W = np.ones((4, 3)), np.eye(3) / 2", LOSS.replace("-w w", "-w w -b jax"),
         LOSS.replace("-w w", "-w w -c numba").replace("loss", "cost"), "print('all', 'done')"]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    with launched() as browser:
        work = tmp_path_factory.mktemp("lab")
        write_notebook(work / "t.ipynb", CELLS)
        with served(work) as server:
            page = browser.new_page(viewport={"width": 1300, "height": 1000})
            run_all(page, server.address("t.ipynb"), "all done")
            yield page


@pytest.mark.parametrize("place, name, shown", [(0, "loss", "jnp.exp(w)"), (1, "cost", "@numba.njit")])
def test_typed_followed_and_applied(page: SimpleNamespace, place: int, name: str, shown: str) -> None:
    widget = page.locator(".tnb-widget").nth(place)
    widget.wait_for(timeout=60_000)
    seen = SimpleNamespace(page=page, widget=widget, lines=widget.locator(".tnb-editor .cm-line"),
                           derived=widget.locator("[role=tabpanel]"))
    widget.get_by_role("button", name="edit", exact=True).click()
    seen.lines.first.wait_for(timeout=60_000)
    at_end(seen, "np.mean")
    page.keyboard.type(" + np.sum(np.exp(w)) * 7.5")
    follows(seen, "7.5")
    follows(seen, shown)
    assert page.evaluate(RUN, f"print({name}.__code__.co_names)") == "('np', 'tanh', 'mean', 'half')"
    assert "7.5" in text(seen)
    page.keyboard.press("Control+Enter")
    widget.locator(".tnb-told", has_text="applied").wait_for(timeout=60_000)
    two = page.evaluate(RUN, f"v = W.copy(); v[1, 2] += 1e-6; print(d{name}_dw(X, W)[1, 2] - "
                             f"({name}(X, v) - {name}(X, W)) / 1e-6)")
    assert abs(float(two)) < 1e-4
    assert f"in use as d{name}_dw" in widget.inner_text()

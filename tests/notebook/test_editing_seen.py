"""The editor in a real JupyterLab and Notebook 7: typed into, applied, left."""
from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from .browsing import launched, places, run_all, serious, served, write_notebook

LOSS = """%%grad -w w --at "x=X, w=W"
def half(t):
    return t / 2

def loss(x, w):
    h = np.tanh(x @ w)
    return np.mean(half(h) * h)
"""
CELLS = ["%load_ext tangent_nb\nimport numpy as np\nX, W, RAN = np.ones((4, 3)), np.eye(3) / 2, []", LOSS,
         "print('all', 'done')"]
SAVED = "() => JSON.stringify(window.jupyterapp.shell.currentWidget.model.toJSON())"
SOURCE = "() => window.jupyterapp.shell.currentWidget.content.widgets[1].model.sharedModel.getSource()"
AGAIN = """() => { const {content} = window.jupyterapp.shell.currentWidget; content.activeCellIndex = 1;
  return window.jupyterapp.commands.execute('notebook:run-cell'); }"""
REWRITTEN = """() => { const {sharedModel} = window.jupyterapp.shell.currentWidget.content.widgets[1].model;
  sharedModel.setSource(sharedModel.getSource().replace('t / 2', 't / 3')); }"""
RUN = """code => new Promise(done => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  let text = '';
  const future = kernel.requestExecute({code});
  future.onIOPub = one => { if (one.header.msg_type === 'stream') text += one.content.text; };
  future.done.then(() => done(text.trim()));
})"""

LETTER = """row => {
  const walk = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  while (walk.nextNode() !== null && walk.currentNode.data.trim() === '');
  const at = walk.currentNode.data.search(/\\S/), range = document.createRange();
  range.setStart(walk.currentNode, at);
  range.setEnd(walk.currentNode, at + 1);
  const {x, width, height} = range.getBoundingClientRect();
  return {x, width, height};
}"""


@pytest.fixture(scope="module", params=places("editing"))
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    with launched() as browser:
        work = tmp_path_factory.mktemp("editing")
        write_notebook(work / "t.ipynb", CELLS)
        with served(work, *request.param) as server:
            page = browser.new_page(viewport={"width": 1300, "height": 1000})
            run_all(page, server.address("t.ipynb"), "all done")
            widget = page.locator(".tnb-widget").first
            widget.wait_for(timeout=60_000)
            yield SimpleNamespace(page=page, widget=widget, lines=widget.locator(".tnb-editor .cm-line"),
                                  derived=widget.locator("[role=tabpanel]"), run=lambda code: page.evaluate(RUN, code))


def text(seen: SimpleNamespace) -> str:
    return "\n".join(seen.lines.all_inner_texts())


def at_end(seen: SimpleNamespace, words: str) -> None:
    """Put the cursor at the end of a line: where that is broken, the first key goes to the end of a part."""
    seen.lines.filter(has_text=words).click()
    for _ in range(2):
        seen.page.keyboard.press("End")


def follows(seen: SimpleNamespace, words: str) -> None:
    seen.derived.locator("[data-row]", has_text=words).first.wait_for(timeout=60_000)


def test_the_editor_stands_where_the_source_stood(seen: SimpleNamespace) -> None:
    before = seen.widget.locator("[data-row]", has_text="np.tanh").first.locator(".tnb-text").evaluate(LETTER)
    number = seen.widget.locator("[data-row]", has_text="np.tanh").first.locator(".tnb-number").inner_text()
    assert "CodeMirror" not in seen.page.evaluate(SAVED)
    seen.widget.get_by_role("button", name="edit", exact=True).click()
    line = seen.lines.filter(has_text="np.tanh")
    line.wait_for(timeout=60_000)
    assert seen.page.evaluate("document.activeElement.classList.contains('cm-content')")
    after = line.evaluate(LETTER)
    assert abs(after["x"] - before["x"]) < 0.5
    assert (after["width"], after["height"]) == (before["width"], before["height"])
    assert number == "6" and "6" in seen.widget.locator(".cm-lineNumbers .cm-gutterElement").all_inner_texts()
    seen.widget.locator(".tnb-editor .tnb-link").first.wait_for()


def test_the_derivative_follows_what_is_typed(seen: SimpleNamespace) -> None:
    at_end(seen, "np.mean")
    seen.page.keyboard.type(" + np.sum(np.exp(w))")
    follows(seen, "np.exp(w)")
    assert seen.run("print(loss.__code__.co_names)") == "('np', 'tanh', 'mean', 'half')", "nothing of it has run"
    assert seen.page.locator(".jp-CodeCell").count() == 3


def test_what_is_pointed_at_lights_up_across(seen: SimpleNamespace) -> None:
    seen.lines.filter(has_text="np.tanh").hover()
    seen.derived.locator(".tnb-hot", has_text="np.tanh").first.wait_for()
    seen.derived.locator("[data-row]", has_text="np.exp(w)").first.hover()
    seen.widget.locator(".tnb-editor .cm-line.tnb-hot", has_text="np.mean").wait_for()


def test_an_error_stands_under_its_place(seen: SimpleNamespace) -> None:
    at_end(seen, "np.tanh")
    seen.page.keyboard.type(" +")
    fault = seen.widget.locator(".tnb-fault")
    fault.wait_for(timeout=60_000)
    line = seen.lines.filter(has_text="np.tanh").bounding_box()
    assert "invalid syntax" in fault.inner_text() and 0 <= fault.bounding_box()["y"] - line["y"] - line["height"] < 3
    assert seen.widget.locator(".tnb-dimmed").count() == 1
    assert "np.exp(w)" in seen.derived.inner_text(), "the last one stays"
    seen.page.keyboard.type(" nope")
    seen.widget.locator(".tnb-fault", has_text="nope is not known").wait_for(timeout=60_000)
    assert seen.widget.locator(".tnb-dimmed").count() == 0
    for _ in " + nope":
        seen.page.keyboard.press("Backspace")
    fault.wait_for(state="detached", timeout=60_000)


def test_axe_finds_nothing_serious(seen: SimpleNamespace) -> None:
    at_end(seen, "np.tanh")
    seen.page.keyboard.type(" +")
    seen.widget.locator(".tnb-fault").wait_for(timeout=60_000)
    assert serious(seen.page, ".tnb-widget") == []
    for _ in " +":
        seen.page.keyboard.press("Backspace")
    seen.widget.locator(".tnb-fault").wait_for(state="detached", timeout=60_000)


def test_a_busy_kernel_is_said_and_waited_for(seen: SimpleNamespace) -> None:
    seen.page.evaluate("""() => { window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestExecute(
        {code: 'sum(range(200_000_000))'}) }""")
    at_end(seen, "np.mean")
    seen.page.keyboard.type(" * 7.5")
    seen.widget.locator(".tnb-told", has_text="the kernel is busy: the derivative follows").wait_for(timeout=20_000)
    follows(seen, "7.5")
    assert seen.widget.locator(".tnb-told").inner_text() == ""


def test_nothing_runs_until_it_is_applied(seen: SimpleNamespace) -> None:
    seen.lines.first.click()
    seen.page.keyboard.press("Home")
    seen.page.keyboard.insert_text("RAN.append(1)\n@RAN.append\ndef decorated(x=RAN.append(2)): pass\n"
                                   "import no_such_module\n")
    seen.page.wait_for_timeout(1500)
    follows(seen, "7.5")
    assert seen.run("print(RAN)") == "[]"
    seen.page.keyboard.press("Control+z")
    assert text(seen).startswith("def half")


def test_the_keyboard_gets_out(seen: SimpleNamespace) -> None:
    seen.lines.first.click()
    seen.page.keyboard.press("Tab")
    assert not seen.page.evaluate("document.activeElement.classList.contains('cm-content')")
    seen.lines.first.click()
    seen.page.keyboard.press("Escape")
    assert seen.page.evaluate("document.activeElement.textContent") == "apply"
    assert "7.5" in text(seen)


def test_apply_defines_both_and_the_cell_has_the_text(seen: SimpleNamespace) -> None:
    seen.lines.first.click()
    seen.page.keyboard.press("Control+Enter")
    seen.widget.locator(".tnb-told", has_text="applied").wait_for(timeout=60_000)
    assert seen.run("print(dloss_dw(X, W).shape, loss(X, W) > 7, RAN)") == "(3, 3) True []"
    assert "7.5" in seen.run("import inspect; print(inspect.getsource(loss))")
    source = seen.page.evaluate(SOURCE)
    assert source.startswith('%%grad -w w --at "x=X, w=W"\ndef half(t):') and "7.5" in source
    assert "in use as dloss_dw" in seen.widget.inner_text() and seen.page.locator(".jp-CodeCell").count() == 3
    assert "CodeMirror" not in seen.page.evaluate(SAVED)


def test_what_is_discarded_is_gone(seen: SimpleNamespace) -> None:
    seen.lines.first.click()
    seen.page.keyboard.press("Home")
    seen.page.keyboard.type("oops ")
    seen.widget.locator(".tnb-fault").wait_for(timeout=60_000)
    seen.widget.get_by_role("button", name="discard", exact=True).click()
    assert seen.widget.locator(".cm-editor").count() == 0 and seen.widget.locator(".tnb-dimmed").count() == 0
    seen.widget.locator("[data-row]", has_text="7.5").first.wait_for()
    seen.widget.get_by_role("button", name="edit", exact=True).click()
    seen.lines.first.wait_for(timeout=60_000)
    assert text(seen).startswith("def half")
    seen.page.keyboard.press("Escape")
    assert seen.widget.locator(".cm-editor").count() == 0


def test_what_is_not_applied_comes_back_when_the_cell_runs_again(seen: SimpleNamespace) -> None:
    seen.widget.get_by_role("button", name="edit", exact=True).click()
    at_end(seen, "np.mean")
    seen.page.keyboard.type(" + 0.25")
    seen.page.evaluate(AGAIN)
    seen.widget.locator(".tnb-editing .tnb-note", has_text="is back: it has not run").wait_for(timeout=60_000)
    assert "+ 0.25" in text(seen)
    assert "not applied" in seen.widget.locator(".tnb-pane").first.inner_text()
    assert "0.25" not in seen.run("import inspect; print(inspect.getsource(loss))")
    assert not seen.page.evaluate("document.activeElement.classList.contains('cm-content')"), "nobody asked to write"


def test_it_is_said_where_the_cell_has_another_text(seen: SimpleNamespace) -> None:
    seen.page.evaluate(REWRITTEN)
    seen.page.evaluate(AGAIN)
    lost = seen.widget.locator(".tnb-lost", has_text="the cell has another text now")
    lost.wait_for(timeout=60_000)
    assert "+ 0.25" in lost.inner_text() and seen.widget.locator(".cm-editor").count() == 0
    seen.widget.get_by_role("button", name="continue with it").click()
    seen.lines.first.wait_for(timeout=60_000)
    assert "+ 0.25" in text(seen)
    seen.widget.get_by_role("button", name="discard", exact=True).click()
    assert seen.widget.locator(".tnb-lost").count() == 0

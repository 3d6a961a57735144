"""`%%grad` in a real kernel: what the front end is sent, and what its debugger sees."""
from __future__ import annotations

import math
import os
import queue
import re
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
F = "def f(x):\n    y = x * x\n    return y / x\n"
pytestmark = [pytest.mark.xdist_group("kernel"),           # one worker starts it, once
              pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")]


class Kernel:
    """A running kernel, and what comes back from it."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.sequence = 0

    def run(self, code: str) -> SimpleNamespace:
        """Run a cell: the reply's content, displays, streams, the traceback without colours."""
        messages: list[Any] = []
        reply = self.client.execute_interactive(code, timeout=60, output_hook=messages.append, allow_stdin=False)
        contents = [(message["msg_type"], message["content"]) for message in messages]
        return SimpleNamespace(
            status=reply["content"]["status"], reply=reply["content"],
            displays=[content["data"] for kind, content in contents if kind == "display_data"],
            results=[content["data"] for kind, content in contents if kind == "execute_result"],
            streams="".join(content["text"] for kind, content in contents if kind == "stream"),
            traceback=ANSI.sub("", "\n".join("\n".join(c["traceback"]) for kind, c in contents if kind == "error")))

    def answer(self, code: str, answers: list[str]) -> str:
        """Run a cell that asks, and answer: all that it prints."""
        left, heard = iter(answers), []

        def told(message: Any) -> None:
            if message["msg_type"] == "stream":
                heard.append(message["content"]["text"])

        self.client.execute_interactive(code, timeout=60, output_hook=told, allow_stdin=True,
                                        stdin_hook=lambda _: self.client.input(next(left, "q")))
        return ANSI.sub("", "".join(heard))

    def debug(self, command: str, arguments: Any = None) -> Any:
        """One request of the debugger's protocol, as JupyterLab sends it."""
        self.sequence += 1
        content = {"type": "request", "seq": self.sequence, "command": command, "arguments": arguments or {}}
        message = self.client.session.msg("debug_request", content)
        self.client.control_channel.send(message)
        while True:
            reply = self.client.get_control_msg(timeout=30)
            if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                return reply["content"]

    def stopped(self) -> Any:
        """The thread that the debugger has stopped; None where it does not stop."""
        end = time.monotonic() + 15
        while time.monotonic() < end:
            try:
                message = self.client.get_iopub_msg(timeout=1)
            except queue.Empty:
                continue
            if message["msg_type"] == "debug_event" and message["content"].get("event") == "stopped":
                return message["content"]["body"]["threadId"]
        return None


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    from jupyter_client.manager import start_new_kernel
    home = str(tmp_path_factory.mktemp("kernel"))
    own = dict.fromkeys(("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR"), home)
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, **own, "PYTHONPATH": path, "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    manager, client = start_new_kernel(kernel_name="python3", env=environment, startup_timeout=60)
    try:
        kernel = Kernel(client)
        assert kernel.run("%load_ext tangent_nb\nimport numpy as np").status == "ok"
        yield kernel
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_both_forms_are_sent_after_the_cells_own_result(kernel: Kernel) -> None:
    seen = kernel.run("%%grad\n" + F + "f(3.0)")
    [display] = seen.displays
    assert seen.status == "ok" and set(display) == {
        "text/plain", "text/html", "application/vnd.jupyter.widget-view+json", "application/vnd.tangent_nb+json"}
    [display] = kernel.run("%grad f --static").displays
    assert set(display) == {"text/plain", "text/html"}
    assert "df_dx" in display["text/html"] and "df_dx" in display["text/plain"]
    assert [result["text/plain"] for result in seen.results] == ["3.0"]
    assert kernel.run("round(df_dx(3.0), 6)").results == [{"text/plain": "1.0"}]
    assert kernel.run("_, get_ipython().history_manager.input_hist_raw[-4][:6]").results \
        == [{"text/plain": "(1.0, '%%grad')"}]


@pytest.mark.parametrize("above", ["%%grad\n", "\n\n%%grad -w x\n", "%%time\n%%grad -q\n", "%%grad\n\n \n"])
def test_tracebacks_and_sources_have_the_cells_lines(kernel: Kernel, above: str) -> None:
    kernel.run(above + F)
    line = above.count("\n") + 3
    assert f"----> {line}     return y / x" in kernel.run("f(0)").traceback
    assert kernel.run("import inspect; print(inspect.getsource(f), end='')").streams == F


def test_a_cell_that_runs_again_has_its_new_number(kernel: Kernel) -> None:
    """The file of a cell is named by its text: an unchanged one has the number under which it ran last."""
    kernel.run("%load_ext tangent_nb")
    for _ in range(2):
        ran = kernel.run("%%grad --static\n" + F)
        assert f"cell In[{ran.reply['execution_count']}]" in ran.displays[-1]["text/html"]


def test_an_error_of_the_cell_fails_it(kernel: Kernel) -> None:
    seen = kernel.run("%%grad\n" + F + "f(0)\n")
    assert seen.status == "error" and seen.reply["ename"] == "ZeroDivisionError" and not seen.displays
    assert "----> 5 f(0)" in seen.traceback and "tangent_nb" not in seen.traceback
    seen = kernel.run("%%grad\ndef f(x)\n    return x")
    assert seen.status == "error" and seen.reply["ename"] == "SyntaxError" and "line 2" in seen.traceback


def test_top_level_await_is_refused_before_anything_runs(kernel: Kernel) -> None:
    seen = kernel.run("%%grad\nimport asyncio\nseen_by = 1\nawait asyncio.sleep(0)\n" + F)
    assert seen.status == "error" and "await in a cell of its own" in seen.streams + seen.traceback
    assert kernel.run("'seen_by' in globals()").results == [{"text/plain": "False"}]


def test_completion_and_help(kernel: Kernel) -> None:
    def completed(code: str, position: int) -> list[str]:
        content = kernel.client.complete(code, position, reply=True, timeout=30)["content"]
        return [code[:content["cursor_start"]] + match for match in content["matches"]]

    assert "%%grad --check" in completed("%%grad --ch\n" + F, 11)
    assert completed("%%grad -w \n" + F, 10) == ["%%grad -w *", "%%grad -w x"]
    assert "%%grad" in completed("%%gra", 5)
    [page] = kernel.run("%%grad?").reply["payload"]
    assert "beside its source" in page["data"]["text/plain"] and "--at" in page["data"]["text/plain"]


LOOP = """def rolled(x, n):
    total = 0.0
    for i in range(n):
        x = np.sin(x) * x
        total = total + x
    return total
"""


def test_a_stop_in_the_backward_pass_of_a_line(kernel: Kernel) -> None:
    kernel.run("%%grad -q\n" + LOOP)
    kernel.run("import sys")
    seen = kernel.run("%grad_break rolled 5")
    assert seen.streams == "stops in the backward pass of line 5 of rolled: x = np.sin(x) * x\n"
    heard = kernel.answer("found = drolled_dx(2.0, 2)", ["p i", "p bx", "c", "p x", "c"])
    assert heard.count("# Grad of: x = np.sin(x) * x") == 2 and str(2.0 * math.sin(2.0)) in heard, heard
    assert "stops nowhere" in kernel.run("%grad_break --clear").streams
    assert kernel.run("bool(found == drolled_dx(2.0, 2))").results == [{"text/plain": "True"}]
    assert kernel.run("sys.gettrace()").results == []
    assert kernel.answer("drolled_dx(2.0, 2)", []) == ""


def test_stops_that_there_are_none_for(kernel: Kernel) -> None:
    kernel.run("%%grad -q\n" + LOOP)
    assert "rolled is lines 2 to 7: there is no line 40 in it" in kernel.run("%grad_break rolled 40").streams
    assert "give a line of the function" in kernel.run("%grad_break rolled").streams
    assert "takes a function of yours, or a derivative of one" in kernel.run("%grad_break len 3").streams
    assert "takes a function of yours, or a derivative of one" in kernel.run("%grad_break np 3").streams
    assert "line 2 of rolled computes nothing: def rolled(x, n):" in kernel.run("%grad_break rolled 2").streams


@pytest.mark.parametrize("above", ["%%grad\n", "%%grad -w x\n\n# a comment\n"])
def test_a_breakpoint_in_the_cell_is_hit(kernel: Kernel, above: str) -> None:
    pytest.importorskip("debugpy")
    kernel.debug("initialize", {"clientID": "test", "adapterID": "", "pathFormat": "path", "linesStartAt1": True,
                                "columnsStartAt1": True})
    kernel.debug("attach")
    try:
        cell = above + F
        path = kernel.debug("dumpCell", {"code": cell})["body"]["sourcePath"]
        line = above.count("\n") + 2
        kernel.debug("setBreakpoints", {"breakpoints": [{"line": line}], "source": {"path": path}})
        kernel.debug("configurationDone")
        kernel.run(cell)
        kernel.debug("dumpCell", {"code": "f(2.0)"})
        kernel.client.execute("f(2.0)")
        thread = kernel.stopped()
        assert thread is not None
        frame = kernel.debug("stackTrace", {"threadId": thread})["body"]["stackFrames"][0]
        assert (frame["name"], frame["line"], frame["source"]["path"]) == ("f", line, path)
        kernel.debug("continue", {"threadId": thread})
    finally:
        kernel.debug("disconnect", {"restart": False, "terminateDebuggee": False})


ROOTS = "import math\ndef root(x):\n    y = math.sqrt(x)\n    return 3.0 * y\n"
FAIL = "with np.errstate(divide='raise'):\n    droot_dx(0.0)"


def test_an_error_in_the_backward_pass_is_told_with_both_lines(kernel: Kernel) -> None:
    kernel.run("%%grad\n" + ROOTS)
    seen = kernel.run(FAIL)
    assert seen.reply["ename"] == "FloatingPointError" and "# Grad of: y = math.sqrt(x)" in seen.traceback
    told = r"line \d+ of droot_dx, .*, is backward code of\n  cell In\[\d+\], line 4: y = math.sqrt\(x\)\n"
    assert re.search(told, seen.streams), seen.streams
    kernel.run("1 / 0")
    assert "backward" not in kernel.run("1 / 0").streams


def test_a_breakpoint_in_the_derivative_is_hit(kernel: Kernel) -> None:
    """With the line's variables, and the next line after it."""
    pytest.importorskip("debugpy")
    kernel.run("%%grad -q --at x=1.0\n" + F)     # what is shown is for the arguments, and serves them
    [path] = re.findall(r"\S+\.py", kernel.run("print(df_dx.__code__.co_filename)").streams)
    text = Path(path).read_text().split("\n")
    line = next(number for number, one in enumerate(text, 1) if one.strip().startswith("bx"))
    kernel.debug("initialize", {"clientID": "test", "adapterID": "", "pathFormat": "path", "linesStartAt1": True,
                                "columnsStartAt1": True, "supportsVariableType": True})
    kernel.debug("attach")
    try:
        kernel.debug("dumpCell", {"code": "df_dx(2.0)"})
        kernel.debug("setBreakpoints", {"breakpoints": [{"line": line}], "source": {"path": path}})
        kernel.debug("configurationDone")
        kernel.client.execute("df_dx(2.0)")
        thread = kernel.stopped()
        assert thread is not None
        frame = kernel.debug("stackTrace", {"threadId": thread})["body"]["stackFrames"][0]
        assert (frame["name"], frame["line"], frame["source"]["path"]) == ("df_dx", line, path)
        scope = kernel.debug("scopes", {"frameId": frame["id"]})["body"]["scopes"][0]
        found = kernel.debug("variables", {"variablesReference": scope["variablesReference"]})["body"]["variables"]
        assert {"x": "2.0"}.items() <= {one["name"]: one["value"] for one in found}.items()
        kernel.debug("next", {"threadId": thread})
        assert kernel.stopped() == thread
        assert kernel.debug("stackTrace", {"threadId": thread})["body"]["stackFrames"][0]["line"] > line
        kernel.debug("continue", {"threadId": thread})
    finally:
        kernel.debug("disconnect", {"restart": False, "terminateDebuggee": False})


def test_a_line_profiler_shows_generated_lines(kernel: Kernel, tmp_path: Path) -> None:
    pytest.importorskip("line_profiler")
    kernel.run("%%grad -q\n" + F)
    kernel.run("%load_ext line_profiler")
    page = kernel.run(f"%lprun -T {tmp_path / 'lines.txt'} -f df_dx df_dx(2.0)")
    assert page.status == "ok", page.traceback
    assert "# Grad of: y = x * x" in (tmp_path / "lines.txt").read_text()


def test_debug_steps_through_generated_code(kernel: Kernel) -> None:
    """`%debug` after an error, its commands answered as a front end does.
    (Last: pdb takes the debugger's tracing away.)"""
    kernel.run("%%grad -q --at x=1.0\n" + ROOTS)
    kernel.run(FAIL)
    heard = kernel.answer("%debug", ["p y", "l", "up", "down", "q"])
    assert "0.0" in heard and "# Grad of: y = math.sqrt(x)" in heard and "droot_dx(0.0)" in heard

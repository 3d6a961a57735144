"""`%%grad` and `%grad` in a real shell."""
from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

LOSS = """def loss(x, w, b, y):
    h = np.tanh(np.dot(x, w) + b)
    r = h - y
    return np.mean(r * r)
"""
SQUARE = "def f(x):\n    return x * x\n"
REFUSED = "def f(x):\n    return eval('x')\n"


def html(seen: Any) -> str:
    return "".join(display.get("text/html", "") for display in seen.displays)


def text(seen: Any) -> str:
    return "\n".join(display["text/plain"] for display in seen.displays)


def test_the_loss(shell: Any) -> None:
    seen = shell.run("%%grad -w w,b\n" + LOSS)
    assert seen.ok and len(seen.displays) == 1 and set(seen.displays[0]) == {"text/plain", "text/html"}
    df = shell["dloss_dw_db"]
    x, w, b, y = np.ones((2, 3)), np.eye(3), np.zeros(3), np.zeros((2, 3))
    bw, bb = df(x, w, b, y)
    assert bw.shape == (3, 3) and bb.shape == (3,)
    assert "dloss_dw_db" in html(seen) and "  2 │ def loss(x, w, b, y):" in text(seen)
    assert "cell In[" in text(seen)


def test_the_last_function_or_the_one_named(shell: Any) -> None:
    both = "def f(x):\n    return x * x\ndef g(x):\n    return x * 3.0\n"
    shell.run("%%grad\n" + both)
    assert "dg_dx" in shell and "df_dx" not in shell
    shell.run("%%grad -f f\n" + both)
    assert round(shell["df_dx"](3.0), 4) == 6.0
    shell.run("%%grad\nh = lambda x: x * x\n")
    assert "dh_dx" in shell
    assert shell.run("%%grad -f nothing\n" + both).stderr.startswith("UsageError: -f nothing")
    assert "the cell defines no function" in shell.run("%%grad\nz = 1").stderr and shell["z"] == 1


def test_names(shell: Any) -> None:
    shell.run("df_dx = 'mine'")
    seen = shell.run("%%grad\n" + SQUARE)
    assert shell["df_dx"] == "mine" and "-n NAME" in seen.stderr and not seen.ok and not seen.displays
    seen = shell.run("%%grad -n slope\n" + SQUARE)
    assert shell["slope"].__name__ == "slope" and "def slope(x):" in text(seen) and shell["df_dx"] == "mine"
    assert 'in slope' in shell.run("slope('two')").text \
        and "slope" in shell["slope"].__code__.co_filename, "the traceback calls it so"
    first = shell["slope"]
    shell.run("%%grad -n slope\n" + SQUARE)
    assert shell["slope"] is not first
    shell.run("del df_dx")
    shell.run("%%grad\n" + SQUARE)
    assert callable(shell["df_dx"]) and "the user's" not in shell
    assert [name for name in shell.ip.user_ns if "tangent" in name] == []


def test_a_refusal_is_a_message_not_a_traceback(shell: Any) -> None:
    seen = shell.run("%%grad\n" + REFUSED)
    assert text(seen).startswith("cannot differentiate f") and "line 3" in text(seen) and "^" in text(seen)
    assert "cannot differentiate f" in html(seen) and "Traceback" not in seen.text + text(seen)
    assert callable(shell["f"]) and "df_dx" not in shell


def test_what_was_derived_before_does_not_survive_a_refusal(shell: Any) -> None:
    shell.run("%%grad\n" + SQUARE)
    seen = shell.run("%%grad\n" + REFUSED)
    assert "df_dx" not in shell and "df_dx: of the function as it was before" in text(seen)


def test_an_error_of_the_cell_is_ipythons(shell: Any) -> None:
    seen = shell.run("%%grad\n" + SQUARE + "f(1) / 0\n")
    assert isinstance(seen.error, ZeroDivisionError) and "----> 4 f(1) / 0" in seen.text
    assert not seen.displays and "df_dx" not in shell and "tangent_nb" not in seen.text


def test_modes_and_passes(shell: Any) -> None:
    seen = shell.run("%%grad -m forward\n" + SQUARE)
    assert "tf_dx" in shell and "mode forward" in text(seen)
    assert "passes none" in text(shell.run("%%grad --raw\n" + SQUARE))
    import tangent_nb
    assert f"passes {tangent_nb.PASSES[0]}" in text(shell.run(f"%%grad -O {tangent_nb.PASSES[0]}\n" + SQUARE))
    assert "passes all" in text(shell.run("%%grad\n" + SQUARE))


def test_values_and_check(shell: Any) -> None:
    shell.run("a = 3.0")
    seen = shell.run('%%grad --at "x=a, n=2" --check\ndef f(x, n):\n    print("hello")\n    return x ** n\n')
    assert seen.ok and "df/dx  6.0" in text(seen) and "f      9.0" in text(seen) and "✓" in text(seen)
    assert seen.text.count("hello") == 1 and "✓ agrees" in html(seen)
    assert "{" in text(shell.run("%%grad --at \"x={'a': 1.0}['a']\" -n t\ndef f(x):\n    return x + len('{')\n"))


def test_a_function_that_raises_at_these_values(shell: Any) -> None:
    seen = shell.run('%%grad --at "x=-1.0"\ndef f(x):\n    assert x > 0, "positive"\n    return x * x\n')
    assert isinstance(seen.error, AssertionError) and "df_dx" in shell and len(seen.displays) == 1
    assert "tangent_nb/notebook" not in seen.text and "positive" in seen.text


def test_arguments_that_cannot_be_used(shell: Any) -> None:
    seen = shell.run('%%grad --at "x=q"\n' + SQUARE)
    assert "UsageError: --at: NameError" in seen.stderr and "f" in shell


def test_quiet(shell: Any) -> None:
    seen = shell.run("%%grad -q\n" + SQUARE)
    assert not seen.displays and seen.text == "" and "df_dx" in shell
    assert shell.run("%%grad -q\n" + REFUSED).displays


def test_every_parameter(shell: Any) -> None:
    seen = shell.run("%%grad -w '*'\ndef f(x, n, w=1.0, s='a'):\n    for i in range(n):\n"
                     "        x = x * w\n    return x\n")
    assert "df_dx_dw" in shell and "left out: n (it is used as a count in range), s (its value is a str)" in text(seen)


def test_options_are_read_before_the_cell_runs(shell: Any) -> None:
    seen = shell.run("%%grad --nonsense\nz = 1")
    assert "UsageError: '--nonsense' is not understood" in seen.stderr and "z" not in shell and not seen.ok


def test_the_line_magic(shell: Any) -> None:
    shell.run(SQUARE)
    assert "df_dx" in text(shell.run("%grad f")) and "df_dx" in shell
    shell.run("class space: g = f")
    assert "mode forward" in text(shell.run("%grad space.g -m forward"))
    assert "UsageError: 'nothing'" in shell.run("%grad nothing").stderr
    assert "give a function" in shell.run("%grad").stderr
    assert "return np.sum(" in text(shell.run("%grad np.sum"))
    assert "cannot differentiate" in text(shell.run("%grad open"))


def test_the_last_expression_of_the_cell_is_shown_first(shell: Any) -> None:
    seen = shell.run("%%grad\n" + SQUARE + "f(3.0)")
    assert seen.value == 9.0 and len(seen.displays) == 1


def test_under_other_magics(shell: Any) -> None:
    assert shell.run("%%time\n%%grad\n" + SQUARE).ok and "df_dx" in shell
    shell.run("%%capture got\n%%grad -n one\n" + SQUARE)
    assert "one" in shell and len(shell["got"].outputs) == 1
    seen = shell.run("%%grad -n two\n%%time\n" + SQUARE)     # which keeps no text of what it runs
    assert "no source text" in text(seen) and callable(shell["f"])


def test_a_derivative_of_a_derivative(shell: Any) -> None:
    shell.run("%%grad\ndef f(x):\n    return x * x * x\n")
    shell.run("%grad df_dx")
    assert round(shell["ddf_dx_dx"](2.0), 3) == 12.0


def test_help(shell: Any) -> None:
    info = shell.ip.inspector.info(shell.ip.find_cell_magic("grad"))
    for words in ("beside its source", "--at", "-w x,w1", "--check", "%grad f", "forward"):
        assert words in info["docstring"]
    assert shell.run("%%grad?").ok and shell.run("%grad?").ok


@pytest.mark.parametrize("again", [1, 2])
def test_loading_twice_does_no_harm(shell: Any, again: int) -> None:
    from tangent_nb.notebook import load_ipython_extension
    before = len(shell.ip.Completer.custom_matchers)
    for _ in range(again):
        load_ipython_extension(shell.ip)
    assert len(shell.ip.Completer.custom_matchers) == before


def test_the_same_cell_again_leaves_the_same_bytes(shell: Any) -> None:
    """Apart from the number of the cell: a notebook that is run again has no diff."""
    cell = '%%grad --at "x=2.0" --check\ndef f(x):\n    return x * x\n'
    one, two = (shell.run(cell).displays[-1] for _ in range(2))
    assert one.keys() == two.keys()
    for kind, text in one.items():
        assert re.sub(r"In\[\d+\]", "In[]", text) == re.sub(r"In\[\d+\]", "In[]", two[kind])


def test_the_derivative_is_written_into_a_file(shell: Any, tmp_path: Any) -> None:
    path = tmp_path / "gradient.py"
    shell.run("k = 3.0")
    assert shell.run(f"%%grad -q -e {path}\ndef f(x):\n    return k * x * x\n").ok
    scope: dict[str, Any] = {"__name__": "gradient"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True), scope)
    assert scope["df_dx"](2.0) == shell["df_dx"](2.0) == 12.0
    wrong = shell.run("%grad f -e gradient.txt")
    assert "--export takes a Python file, not 'gradient.txt': a name that ends in .py" in wrong.text + wrong.stderr

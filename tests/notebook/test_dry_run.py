"""`--dry-run`: what is refused is listed, and nothing is bound."""
from __future__ import annotations

from typing import Any

SQUARE = "def f(x):\n    return x * x\n"
THREE = """def f(x, n):
    s = {x, x * n}
    del x[0]
    return np.real_if_close(x)
"""


def text(seen: Any) -> str:
    return "\n".join(display["text/plain"] for display in seen.displays)


def test_every_place_is_listed_and_nothing_is_bound(shell: Any) -> None:
    seen = shell.run("%%grad --dry-run\n" + THREE)
    assert seen.ok and text(seen).startswith("cannot differentiate f: 3 places") and "df_dx" not in shell
    assert all(f"line {number}, column" in text(seen) for number in (3, 4, 5)) and text(seen).count("instead: ") == 3
    assert text(shell.run("%grad --dry-run f")).partition("\n")[2] == text(seen).partition("\n")[2]


def test_nothing_is_refused(shell: Any) -> None:
    shell.run(SQUARE)
    seen = shell.run("%grad --dry-run f")
    assert text(seen) == "nothing in f is refused" and "df_dx" not in shell
    assert text(shell.run("%grad f --dry-run -w '*' -m forward")) == "nothing in f is refused"


def test_a_derivative_of_before_stays(shell: Any) -> None:
    shell.run("%%grad\n" + SQUARE)
    before = shell["df_dx"]
    shell.run("%%grad --dry-run\n" + THREE)
    assert shell["df_dx"] is before


def test_other_options_are_heeded(shell: Any) -> None:
    shell.run(SQUARE)
    assert "f has no parameter 'q'" in text(shell.run("%grad --dry-run f -w q"))
    assert shell.run("%grad --dry-run").stderr.startswith("UsageError: give a function")
    assert "no parameter can have a derivative" \
        in text(shell.run("%%grad --dry-run -w '*'\ndef g(n: int):\n    return n * 2.0\n"))

"""Messages say where, why, and what to write instead."""
from __future__ import annotations

from tangent_nb.errors import MOST, Refusal, RefusedError, TangentError, render
from tangent_nb.syntax.program import SourceFile, Span


def span(line: str, text: str, number: int = 1) -> Span:
    source = SourceFile("m.py", "m.py", ("",) * (number - 1) + (line,))
    start = line.index(text)
    return Span(source, number, start, number, start + len(text))


def place(line: str, text: str) -> tuple[str, str]:
    shown, carets = render("f", [Refusal(span(line, text), "why")]).splitlines()[2:4]
    return shown, carets


def test_one_place_reads_as_a_whole() -> None:
    message = render("loss", [Refusal(span("    y = g(x) + 1", "g(x)", 3), "g has no rule.", "write a rule for g.")])
    assert message == (
        "cannot differentiate loss\n"
        "  m.py, line 3, column 9\n"
        "    y = g(x) + 1\n"
        "        ^^^^\n"
        "  why: g has no rule.\n"
        "  instead: write a rule for g.")


def test_places_are_counted_and_limited() -> None:
    many = [Refusal(span("y = x", "x"), f"reason {i}") for i in range(MOST + 3)]
    message = str(RefusedError("f", many))
    assert message.startswith(f"cannot differentiate f: {MOST + 3} places\n")
    assert message.endswith("\n\n  and 3 more")
    assert f"reason {MOST - 1}" in message and f"reason {MOST}" not in message
    assert RefusedError("f", many).refusals == tuple(many)
    assert issubclass(RefusedError, TangentError)


def test_tabs_are_expanded() -> None:
    shown, carets = place("\ta\t= bad", "bad")
    assert "\t" not in shown and shown.index("bad") == carets.index("^") and carets.count("^") == 3


def test_wide_characters_take_two_columns_and_marks_none() -> None:
    assert place("x = '漢字' + bad", "bad")[1].index("^") == 4 + len("x = '____' + ")
    assert place("x = 'e\u0301' + bad", "bad")[1].index("^") == 4 + len("x = 'e' + ")
    assert place("漢 = 1", "漢")[1] == "    ^^"


def test_a_span_of_lines_underlines_the_first() -> None:
    source = SourceFile("m.py", "m.py", ("y = f(a,", "      b)"))
    message = render("f", [Refusal(Span(source, 1, 4, 2, 8), "why")])
    assert message.splitlines()[2:4] == ["    y = f(a,", "        ^^^^"]


def test_a_long_line_is_cut_around_the_place() -> None:
    shown, carets = place("y = " + "a + " * 500 + "bad" + " + c" * 500, "bad")
    assert len(shown) < 200 and shown[carets.index("^"):].startswith("bad")


def test_odd_spans_never_raise() -> None:
    source = SourceFile("m.py", "m.py", ("x",))
    for place_ in [Span(source, 9, 3, 9, 5), Span(source, 1, 50, 1, 60), Span(source, 1, 1, 1, 0)]:
        assert "^" in render("f", [Refusal(place_, "why")])
    assert render("f", []) == "cannot differentiate f"
    assert render("f", [Refusal(None, "one\ntwo")]).splitlines()[1:] == ["  why: one", "    two"]

"""The functions that are differentiated, from the table of rules: the page docs/supported.md, which
`python tests/supported_table.py` writes."""
from __future__ import annotations

from collections import Counter
from pathlib import Path

from tangent_nb.rules.supported import SECTIONS, Line, section

PAGE = Path(__file__).resolve().parent.parent / "docs" / "supported.md"
HEAD = """\
# What is differentiated

This page is made from the table of rules by `python tests/supported_table.py`, and tested to be as the table is.
`tnb.supported("np.linalg")` prints the part of it that is asked for.

* **both modes**: reverse and forward, twice: the solutions of `scipy.integrate` and `scipy.optimize` in reverse mode \
first, with
  fixed times; others of any order where what the rules call has rules (most). \
What a signature does not name is refused.
* **constant**: no derivative flows through it.
* **refused**: known, and refused with the reason and what to write instead. What is not on this page is refused too, \
with the
  function that has the nearest name; a rule of your own is written with `@tnb.adjoint`.

Random draws (`np.random`, `random`, `rng.normal(size=3)` of a generator that is made, given or seen) are constants, \
drawn once,
as the function is run; by what is differentiated nothing is drawn. The columns of a Jacobian or Hessian are of the \
same draws.

Array methods and operators have the rows of the functions that they are. \
*Where* is the part of the line from which the tests
draw the arguments; where it is empty they draw from -1 to 1.

"""


def page() -> str:
    """The whole page."""
    found = {name: section(name) for name in SECTIONS}
    counts = Counter(line.status for lines in found.values() for line in lines)
    parts = [HEAD, ", ".join(f"{n} {status}" for status, n in sorted(counts.items())), ".\n"]
    for name, lines in found.items():
        parts += [f"\n## {name}\n\n| function | | where | notes |\n|---|---|---|---|\n", *map(_row, lines)]
    return "".join(parts)


def _row(line: Line) -> str:
    cells = (f"`{line.name}{line.signature}`", line.status, line.domain, line.note)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

"""The quickstart's cells show what their headings say."""
import importlib.util
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from notebook_sections import in_order, sections_of

pytestmark = pytest.mark.xdist_group("quickstart")         # one worker runs it, once
QUICKSTART = Path(__file__).parent.parent / "examples" / "quickstart.ipynb"
JAX = importlib.util.find_spec("jax") is not None

# For each heading what the cells under it show, in order.
SHOWN = {
    "Derivatives you can read": [],
    "A first derivative": [r"bx = 2\.0 \* bf \* x\n", r"^6\.0$"],
    "Loops and branches": [r"while x < 100\.0:", r"for .* in reversed|while ", r"dclimb/dx +\d", r"dcount/dx +1\.0"],
    "A neural network": [r"images to learn from", r"def gradient\(x, w1, b1, wout, bout, label\):",
                         r"9[3-9]\.\d% of the test images"],
    "Your own code in the backward pass": [r"Clipping 14\.0", r"\(49\.0, 10\.0, 4\.0\)"],
    "What the optimizer does": [r"passes none\n", r"passes all\n",
                                r"optimized=False: \d+ lines\noptimized=True: \d+ lines"],
    "Forward mode": [r"def tsurvey_dx1_dx2\(x1, x2, dx1, dx2\):", r"finite differences", r"✓"],
    "On JAX": [r"jnp\.tanh" if JAX else "pip install", r"\.at\[" if JAX else "pip install"],
    "Where does the NaN come from?": [r"bsquares\[1\] became Inf in the backward sweep", r"is watched",
                                      r"became Inf in the backward sweep"],
    "A quiz": [r"backward pass of energy", r"\nline 4, bh: found"],
    "When it says no": [r"cannot differentiate refused\n  cell In\[\d+\], line 4, column \d+\n", r"\^{3}", r"\n  why: ",
                        r"\n  instead: "],
    "Where to go from here": [r"d\(df_dx\)/dx +2\.0"],
}
REFUSED = {"When it says no"}


@pytest.fixture(scope="module")
def sections(tmp_path_factory):
    return sections_of(QUICKSTART, tmp_path_factory)


def test_every_heading_is_looked_at(sections):
    assert list(sections) == list(SHOWN)


@pytest.mark.parametrize("heading", SHOWN)
def test_its_cells_show_what_it_says(sections, heading):
    shown = sections[heading]
    in_order(SHOWN[heading], shown, heading)
    assert ("cannot differentiate" in shown) == (heading in REFUSED)


def test_lists_are_lists():
    """A list's items follow each other: a paragraph between them would end it."""
    import nbformat
    for cell in nbformat.read(QUICKSTART, as_version=4).cells:
        if cell.cell_type == "markdown":
            blocks = [block for block in cell.source.split("\n\n") if block.startswith("- ")]
            assert len(blocks) <= 1, cell.source

"""The lecture's cells show what their headings say."""
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from notebook_sections import in_order, sections_of

pytestmark = pytest.mark.xdist_group("step_through")       # one worker runs it, once
LECTURE = Path(__file__).parent.parent / "examples" / "step_through.ipynb"

SHOWN = {
    "Reverse mode, step by step": [],
    "A function is a list of elementary operations": [r"reverse adjoint trace", r"= 5\.5$", r"= 1\.716$", r"= 11\.652"],
    "The chain rule, from below": [r"v₋₁ → v₁ → v₄ → v₅ = 0\.5", r"their sum: 5\.5"],
    "Forward mode": [r"forward tangent trace", r"= 5\.5$"],
    "The adjoint is a program": [r"def dsurvey_dx1_dx2\(x1, x2\):", r"finite differences", r"✓"],
    "Loops: what has to be remembered": [r"x_saved\.append\(x\)", r"\[0, 1, 2, 3, 4, 3, 2, 1, 0\]",
                                         r"the gradient: 0\.\d+"],
    "A network": [r"bw2 = h\.T @ br", r"bw1 = x\.T @ b"],
    "Where it goes wrong": [r"sqrt: NaN in the forward sweep", r"weights\[i\]  -1\.0"],
    "Your turn": [r"bh"],
    "To take away": [r"def dnetwork_dw1_db1_dw2", r"bw2 = h\.T @ br"],
}


@pytest.fixture(scope="module")
def sections(tmp_path_factory):
    return sections_of(LECTURE, tmp_path_factory)


def test_every_heading_is_looked_at(sections):
    assert list(sections) == list(SHOWN)


@pytest.mark.parametrize("heading", SHOWN)
def test_its_cells_show_what_it_says(sections, heading):
    in_order(SHOWN[heading], sections[heading], heading)
    assert "cannot differentiate" not in sections[heading]

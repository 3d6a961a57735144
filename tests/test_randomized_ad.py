"""The cells of the notebook on sampled tapes show what their headings say."""
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from notebook_sections import in_order, sections_of

pytestmark = pytest.mark.xdist_group("randomized_ad")      # one worker runs it, once
NOTEBOOK = Path(__file__).parent.parent / "examples" / "randomized_ad.ipynb"

SHOWN = {
    "A sampled tape": [],
    "Data": [r"(the digits of scikit-learn|generated blobs): \(1797, 64\)"],
    "A network, and its gradient": [r"x_sampled = rt\.sample\(x, stream, fraction=0\.1\)", r"rt\.pack_bits",
                                    r"rt\.drawn\(x_sampled\)"],
    "Right on average": [r"mean of    1: off by", r"mean of 1024: off by", r"same for the batch", r"projected"],
    "Memory": [r"exact    keeps", r"sampled  keeps"],
    "Training": [r"exact, 150 images", r"sampled, same"],
    "Your turn": [],
}


@pytest.fixture(scope="module")
def sections(tmp_path_factory):
    return sections_of(NOTEBOOK, tmp_path_factory)


def test_every_heading_is_looked_at(sections):
    assert list(sections) == list(SHOWN)


@pytest.mark.parametrize("heading", SHOWN)
def test_its_cells_show_what_it_says(sections, heading):
    in_order(SHOWN[heading], sections[heading], heading)
    assert "cannot differentiate" not in sections[heading]


def test_the_mean_of_many_is_near_and_no_nearer_than_chance_lets_it(sections):
    found = [tuple(map(float, pair)) for pair in
             re.findall(r"off by +([\d.]+) of its length, +([\d.]+) times", sections["Right on average"])]
    assert len(found) == 6 and found[-1][0] < 0.2 * found[0][0]
    assert all(0.3 < chance < 3.0 for _, chance in found)


def test_a_sampled_tape_is_small(sections):
    exact, sampled = (int(number.replace(",", "")) for number in re.findall(r"keeps +([\d,]+)", sections["Memory"]))
    assert sampled < exact / 7


def test_all_ways_train(sections):
    assert all(float(right) > 85 for right in re.findall(r"to test: ([\d.]+)%", sections["Training"]))
    assert len(re.findall(r"to test:", sections["Training"])) == 4

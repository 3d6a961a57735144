"""Settings that all tests share, and which of them `make test` runs. That warnings are errors is in pyproject.toml."""
import gc
import subprocess
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import settings

from tangent_nb.rules import libraries, table

collect_ignore_glob = ["corpus_*.py"]     # their entries join the corpus when it is imported: once

# The same examples on every run: a failure on one machine is a failure on all. `make fuzz` looks for new ones.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")


# ------------------------------------------------------------------ the sample: docs/testing.md
MANY = 12              # cases of a test; of more a third runs


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sample", action="store_true", help="of what has the mark `sampled` one test in so many")
    parser.addoption("--turn", type=int,
                     help="which ones; unless it is given, the number of commits: each takes the next")


def pytest_configure(config: pytest.Config) -> None:
    gc.set_threshold(100_000, 20, 100)  # a derivation makes so many objects that garbage would be looked for after each
    config.addinivalue_line("markers",
                            "sampled(of): with --sample one test in so many runs, the tests of one entry together")
    config.addinivalue_line("markers", "full: with --sample it does not run")
    if config.getoption("sample") and config.option.turn is None:
        config.option.turn = _commits()                    # handed to the workers


def pytest_report_header(config: pytest.Config) -> str:
    return f"a sample, turn {config.option.turn}; make test-full runs all" if config.getoption("sample") \
        else "all tests"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    places: dict[tuple[Path, str], int] = {}
    items.sort(key=lambda item: places.setdefault((item.path, group_of(item) or item.nodeid), len(places)))
    if config.getoption("sample"):
        parts: tuple[list[pytest.Item], list[pytest.Item]] = [], []
        cases = Counter(map(_test_of, items))
        for item in items:
            parts[in_sample(item, config.option.turn, cases[_test_of(item)])].append(item)
        left, items[:] = parts
        config.hook.pytest_deselected(items=left)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Groups that xdist does not see would be derived, and browsers started, once in each worker."""
    alone = [item.nodeid
             for item in session.items if item.get_closest_marker("xdist_group") is not None and "@" not in item.nodeid]
    if getattr(session.config.option, "loadgroup", False) and alone:
        raise pytest.UsageError(f"this pytest-xdist does not see the group of {alone[0]}")


def in_sample(item: pytest.Item, turn: int, cases: int = 1) -> bool:
    """It is its turn: of a test with many cases a third, of that as much as its marks say; the largest counts.
    cases: of the test, in all."""
    if item.get_closest_marker("full") is not None:
        return False
    of = max((mark.args[0] for mark in item.iter_markers("sampled")), default=1) * (3 if cases > MANY else 1)
    return (crc32((group_of(item) or item.name).encode()) + turn) % of == 0


def _test_of(item: pytest.Item) -> tuple[Path, str]:
    """The test of which it is a case."""
    return item.path, item.nodeid.partition("[")[0]


def group_of(item: pytest.Item) -> str:
    """What its tests have together: one worker runs them, one after the other."""
    group = item.get_closest_marker("xdist_group")
    return group.args[0] if group is not None else ""


def _commits() -> int:
    """How many commits there are: one number for all machines and workers, another for the next commit."""
    done = subprocess.run(["git", "rev-list", "--count", "HEAD"], cwd=Path(__file__).parent,
                          capture_output=True, text=True)
    return int(done.stdout) if done.returncode == 0 else 0


@pytest.fixture(autouse=True, scope="module")
def _collector() -> Iterator[None]:
    """What the tests before keep is not gone over again: an IPython shell collects all garbage when it ends, and there
    are hundreds; pytest, when all have."""
    gc.freeze()
    yield
    gc.collect()                                           # else what is garbage now would be kept until the end
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _rows_of_scipy() -> None:
    """The rows that are filled when SciPy is imported: before a test exchanges the table for a copy,
    in which they would be lost."""
    table.fill(*[module for module in libraries.ROWS_OF if find_spec("scipy") is not None])


@pytest.fixture(autouse=True)
def _double_precision_of_cases(request: pytest.FixtureRequest) -> Iterator[None]:
    """JAX in double precision, as NumPy, for the cases of refusals that are about JAX;
    they are left out where it is missing."""
    case = getattr(getattr(request.node, "callspec", None), "params", {}).get("case")
    if "jax" not in repr(getattr(case, "keywords", "")) and not str(getattr(case, "name", "")).endswith("_jax"):
        yield
        return
    config = pytest.importorskip("jax").config
    before = config.jax_enable_x64
    config.update("jax_enable_x64", True)
    yield
    config.update("jax_enable_x64", before)

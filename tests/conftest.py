"""Settings that all tests share. That warnings are errors is in pyproject.toml."""
from collections.abc import Iterator
from importlib.util import find_spec

import pytest
from hypothesis import settings

from tangent_nb.rules import libraries, table

collect_ignore_glob = ["corpus_*.py"]     # their entries join the corpus when it is imported: once

# The same examples on every run: a failure on one machine is a failure on all. `make fuzz` looks for new ones.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True, scope="session")
def _rows_of_scipy() -> None:
    """The rows that are filled when SciPy is imported: before a test exchanges the table for a copy, in which they would be lost."""
    table.fill(*[module for module in libraries.ROWS_OF if find_spec("scipy") is not None])


@pytest.fixture(autouse=True)
def _double_precision_of_cases(request: pytest.FixtureRequest) -> Iterator[None]:
    """JAX in double precision, as NumPy, for the cases of refusals that are about JAX; they are left out where it is missing."""
    case = getattr(getattr(request.node, "callspec", None), "params", {}).get("case")
    if "jax" not in repr(getattr(case, "keywords", "")) and not str(getattr(case, "name", "")).endswith("_jax"):
        yield
        return
    config = pytest.importorskip("jax").config
    before = config.jax_enable_x64
    config.update("jax_enable_x64", True)
    yield
    config.update("jax_enable_x64", before)

"""Settings that all tests share. That warnings are errors is in pyproject.toml."""
from collections.abc import Iterator

import pytest
from hypothesis import settings

collect_ignore_glob = ["corpus_*.py"]     # their entries join the corpus when it is imported: once

# The same examples on every run: a failure on one machine is a failure on all. `make fuzz` looks for new ones.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")


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

"""JAX in double precision, as NumPy; tests of single precision say so."""
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

jax = pytest.importorskip("jax")


@pytest.fixture(autouse=True)
def _double_precision() -> Iterator[None]:
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


@pytest.fixture
def single_precision() -> None:
    jax.config.update("jax_enable_x64", False)

"""JAX in double precision, as NumPy; tests of single precision say so. Several processes share the memory of a GPU."""
import os
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
jax = pytest.importorskip("jax")
TESTS = count(1)


@pytest.fixture(autouse=True)
def _double_precision() -> Iterator[None]:
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)
    if next(TESTS) % 100 == 0:
        jax.clear_caches()     # 7 MB of what is compiled for each test would be kept until the end


@pytest.fixture
def single_precision() -> None:
    jax.config.update("jax_enable_x64", False)

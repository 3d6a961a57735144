"""How long importing tangent_nb and deriving take. Prints a table of milliseconds."""
from __future__ import annotations

import platform
import statistics
import subprocess
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import numpy as np

import tangent_nb as tnb

IMPORTS = 10
DERIVATIONS = 20


def square(x):
    return x * x


def logsumexp(x):
    return np.log(np.sum(np.exp(x), axis=-1, keepdims=True))


def logsoftmax(logits):
    return logits - logsumexp(logits)


def softmax_xent(logits, y):
    return -np.sum(logsoftmax(logits) * y, axis=-1)


def mlp(x, w1, b1, wout, bout, label):
    h1 = np.tanh(np.dot(x, w1) + b1)
    out = np.dot(h1, wout) + bout
    loss = np.mean(softmax_xent(out, label))
    return loss


def import_time(module: str, after: str = "") -> float:
    """Milliseconds that an import takes in a fresh interpreter, after other imports."""
    program = f"{after}\nimport time\nstart = time.perf_counter()\nimport {module}\nprint(time.perf_counter() - start)"
    return 1e3 * float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)


def derive_time(f: Callable[..., Any], wrt: int | tuple[int, ...]) -> float:
    """Milliseconds that `grad` takes on a new function object with the code of `f`."""
    fresh = types.FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
    start = time.perf_counter()
    tnb.grad(fresh, wrt=wrt)
    return 1e3 * (time.perf_counter() - start)


def row(what: str, times: list[float]) -> None:
    print(f"{what:<44}{times[0]:9.1f}{statistics.median(times):9.1f}{min(times):9.1f}{max(times):9.1f}")


def main() -> None:
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.system()} {platform.machine()}\n")
    print(f"{'milliseconds':<44}{'first':>9}{'median':>9}{'least':>9}{'most':>9}")
    row("import numpy", [import_time("numpy") for _ in range(IMPORTS)])
    row("import tangent_nb, after numpy", [import_time("tangent_nb", after="import numpy") for _ in range(IMPORTS)])
    row("grad(square)", [derive_time(square, 0) for _ in range(DERIVATIONS)])
    row("grad(mlp, wrt=(1, 2, 3, 4))", [derive_time(mlp, (1, 2, 3, 4)) for _ in range(DERIVATIONS)])


if __name__ == "__main__":
    main()

"""The part of the corpus about norms of every order."""
from __future__ import annotations

import functools

import corpus
import numpy as np
from corpus import M23, M32, M33, T223, V4, section

section("norm")
R33 = M33 + np.diag([0.0, 0.1, 0.3])                     # no ties among its sums
R223 = T223 + 0.1 * np.sin(np.arange(12.0)).reshape(2, 2, 3)
add = functools.partial(corpus.add, holomorphic=False)
op = functools.partial(corpus.op, _details={"holomorphic": False})

for order, name in ((None, "none"), (1, "one"), (2, "two"), (3, "three"), (2.5, "fraction"), (-1, "minus_one"),
                    (0.5, "half"), (np.inf, "inf"), (-np.inf, "minus_inf"), (0, "zero")):
    text = "np.inf" if order == np.inf else "-np.inf" if order == -np.inf else repr(order)
    op(f"vector_{name}", f"np.linalg.norm(x, {text}) * x", x=V4)
    op(f"rows_{name}", f"np.linalg.norm(x, ord={text}, axis=-1, keepdims=True) * x", x=M32)
    if order is not None:
        op(f"vector_norm_{name}", f"np.linalg.vector_norm(x, axis=(0, 2), ord={text})", x=T223 + 0.05)
for order, name in (("fro", "fro"), ("nuc", "nuc"), (1, "one"), (-1, "minus_one"), (2, "two"), (-2, "minus_two"),
                    (np.inf, "inf"), (-np.inf, "minus_inf")):
    text = "np.inf" if order == np.inf else "-np.inf" if order == -np.inf else repr(order)
    op(f"matrix_{name}", f"np.linalg.norm(x, {text}) * x", x=R33)
    op(f"matrix_wide_{name}", f"np.linalg.norm(x, {text}) * x", x=M23)
    op(f"matrices_{name}", f"np.linalg.norm(x, {text}, axis=(2, 0), keepdims=True) * x", x=R223)
    op(f"matrix_norm_{name}", f"np.linalg.matrix_norm(x, ord={text})", x=R223)
op("vector_norm", "np.linalg.vector_norm(x) * x", x=M23)
op("matrix_norm", "np.linalg.matrix_norm(x, keepdims=True) * x", x=R223)


def squared_at_zero(x):
    return np.linalg.norm(x, 2) ** 2 + np.linalg.norm(x, 3) * np.sum(x) + np.linalg.norm(x, 1) ** 2


add(squared_at_zero, np.zeros(3), smooth=False, expected=np.zeros(3))


def nuclear_of_the_identity(x):
    return np.linalg.norm(x, "nuc")


add(nuclear_of_the_identity, np.eye(3))

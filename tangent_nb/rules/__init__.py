"""The rules: one row for each function that is differentiated, passed through without a derivative, or refused.

Importing this package fills the table. A new NumPy function goes, as one row, into the file of its kind.
"""
from . import (  # noqa: F401
    arithmetic,
    builtin,
    constants,
    containers,
    contraction,
    creation,
    cumulative,
    decomposition_rows,
    decompositions,
    eigenvalues,
    elementwise,
    fourier,
    functions,
    in_place,
    joining,
    linalg,
    methods,
    nan_reductions,
    norms,
    order,
    persistent,
    polynomials,
    products,
    reductions,
    runtime_differences,
    runtime_rows,
    samples,
    selection,
    shaping,
    special,
    ufunc_methods,
)
from .builtin import MAX_OF, MIN_OF, SUM
from .containers import FIELD, GET, KEYS, REPLACED, VALUES, WITH_APPENDED, WITH_FIELD, WITH_INNER, WITH_ITEM
from .effects import (
    DRAWING,
    Effects,
    effect_rows,
    effects_of,
    may_change,
    may_draw,
    may_fill,
    may_only_compute,
    method_row,
    methods_named,
)
from .elementwise import LOGISTIC, SIGMOID, SQUARED_HYPOT
from .jax_column import OnJax, every_on_jax, of_jax_arrays, on_jax, on_jax_by_call
from .libraries import LIBRARIES
from .norms import SQUARED_NORM
from .row import Choice, Rule
from .supported import nearest, supported
from .table import lookup, lookup_method, lookup_operator, operator_of, rows

__all__ = [
    "Choice", "DRAWING", "Effects", "FIELD", "GET", "KEYS", "LIBRARIES", "LOGISTIC", "MAX_OF", "MIN_OF", "OnJax",
    "REPLACED", "Rule", "SIGMOID", "SQUARED_HYPOT", "SQUARED_NORM", "SUM", "VALUES", "WITH_APPENDED", "WITH_FIELD",
    "WITH_INNER", "WITH_ITEM", "effect_rows", "effects_of", "every_on_jax", "lookup", "lookup_method",
    "lookup_operator", "may_change", "may_draw", "may_fill", "may_only_compute", "method_row", "operator_of",
    "methods_named", "nearest", "of_jax_arrays", "on_jax", "on_jax_by_call", "rows", "supported",
]

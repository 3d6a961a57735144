"""Automatic differentiation of NumPy code by source-code transformation: derivatives that can be read."""
from __future__ import annotations

from typing import Any

from . import errors
from . import inside as inside
from .api import autodiff, explain, grad, jvp, pullback, report, source, stages, value_and_grad, versions, vjp
from .asked import PASSES
from .matrices import check_grads, hessian, hvp, jacobian
from .rules import supported
from .runtime.checkpoints import checkpoint, checkpointed
from .runtime.containers import register_container
from .runtime.persistent import PersistentArray, append, pop, setitem
from .runtime.sampled import Sampled, sampled
from .runtime.surgery import insert_grad_of, stop_gradient
from .take_away import export
from .tracing import graph, step, tape_report, trace_table, watch
from .user_rules import adjoint, check_rule, non_differentiable, tangent
from .variances import variance

__all__ = [
    "PASSES", "PersistentArray", "Sampled", "adjoint", "append", "autodiff", "check_grads", "check_rule", "checkpoint",
    "checkpointed", "errors", "explain", "export", "grad", "graph", "hessian", "hvp", "insert_grad_of", "jacobian",
    "jvp", "non_differentiable", "pop", "pullback", "register_container", "report", "sampled", "setitem", "source",
    "stages", "step", "stop_gradient", "supported", "tangent", "tape_report", "trace_table", "value_and_grad",
    "variance", "versions", "vjp", "watch",
]


def __getattr__(name: str) -> Any:
    if name in ("show", "quiz_report"):            # the notebook imports IPython
        from . import notebook
        return getattr(notebook, name)
    raise AttributeError(f"module 'tangent_nb' has no attribute {name!r}")


def load_ipython_extension(ip: Any) -> None:
    """`%load_ext tangent_nb`."""
    from .notebook import load_ipython_extension as load

    load(ip)

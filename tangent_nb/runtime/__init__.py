"""What generated code calls, as `rt`: helpers that have no name in NumPy. They import NumPy and our errors only."""
from .broadcasting import broadcast_to_like, cast, mask, unbroadcast
from .checks import (
    Helper,
    check_floating,
    check_helpers,
    check_number,
    check_result,
    check_seed,
    check_tangent,
    differentiable,
    real_only,
    seed,
    snapshot,
)
from .cumulative import last, triangle, triangle_along, uncumsum, undiff, unlast, untriangle
from .indexing import add_at, index_like, pick, sort_as, unsort, untake, updated, written
from .kinks import above, below, greater, inside, ratio, sign, sign_dx
from .linalg import (
    apply,
    cofactor,
    cofactor_dx,
    dot_dx,
    dot_dy,
    einsum,
    einsum_dx,
    einsum_dy,
    einsum_dz,
    inner_dx,
    inner_dy,
    inverse_transpose,
    kron_dx,
    kron_dy,
    matmul_dx,
    matmul_dy,
    outer_dx,
    outer_dy,
    outer_last,
    solve,
    tensordot_dx,
    tensordot_dy,
)
from .power import power_dx, power_dy
from .reductions import (
    centered,
    count,
    euclidean,
    others,
    others_along,
    others_along2,
    reduce_like,
    share,
    unreduce,
)
from .shaping import (
    rearray,
    recast,
    repad,
    reshape_like,
    unappend,
    unarray,
    uncast,
    uncolumn_stack,
    unconcatenate,
    undiag,
    undiagonal,
    unhstack,
    unpad,
    unrepeat,
    unroll,
    unstack,
    unsum,
    untile,
    untrace,
    untranspose,
    unvstack,
)
from .structure import add_grad, copy, ones_like, only_floating, relist, zeros_like
from .surgery import insert_grad_of, stop_gradient

__all__ = [
    "Helper", "above", "add_at", "add_grad", "apply", "below", "broadcast_to_like", "cast", "centered",
    "check_floating", "check_helpers", "check_number", "check_result", "check_seed", "check_tangent", "cofactor", "cofactor_dx", "copy", "count",
    "differentiable", "dot_dx", "dot_dy", "einsum", "einsum_dx", "einsum_dy", "einsum_dz", "euclidean", "greater",
    "index_like", "inner_dx", "inner_dy", "insert_grad_of", "inside", "inverse_transpose", "kron_dx", "kron_dy",
    "last", "mask", "matmul_dx", "matmul_dy", "ones_like", "only_floating", "others", "others_along", "others_along2", "outer_dx",
    "outer_dy", "outer_last", "pick", "power_dx", "power_dy", "ratio", "real_only", "rearray", "recast",
    "reduce_like", "relist", "repad", "reshape_like", "seed", "share", "sign", "sign_dx", "snapshot", "solve", "sort_as",
    "stop_gradient", "tensordot_dx", "tensordot_dy", "triangle", "triangle_along", "unappend", "unarray",
    "unbroadcast", "uncast", "uncolumn_stack", "unconcatenate", "uncumsum", "undiag", "undiagonal", "undiff",
    "unhstack", "unlast", "unpad", "unreduce", "unrepeat", "unroll", "unsort", "unstack", "unsum", "untake",
    "untile", "untrace", "untranspose", "untriangle", "unvstack", "updated", "written", "zeros_like",
]

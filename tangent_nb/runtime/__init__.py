"""What generated code calls, as `rt`: helpers that have no name in NumPy. They import NumPy and our errors only."""
from ..errors import TangentError as TangentError  # caught by generated code; it computes nothing, and needs no row
from .broadcasting import broadcast_to_like, cast, cut, mask, pole_weights, unbroadcast, uncut, where_finite
from .checks import (
    Helper,
    check_apart,
    check_completed,
    check_errstate,
    check_floating,
    check_generator,
    check_growing,
    check_helpers,
    check_kept,
    check_number,
    check_overlap,
    check_result,
    check_seed,
    check_stored,
    check_tangent,
    check_view,
    differentiable,
    real_only,
    seed,
    snapshot,
    uncaught,
)
from .constants import check_constants, check_places
from .contraction import einsum, einsum_da, einsum_db, einsum_dc, einsum_dx, einsum_dy, einsum_dz
from .cumulative import last, triangle, triangle_along, uncumsum, undiff, unlast, untriangle, with_first, without_first
from .decompositions import (
    as_hermitian,
    as_square,
    cond_slope,
    cond_slope_dx,
    factors,
    folded,
    gaps,
    half_lower,
    of_hermitian,
    outside,
    outside_along,
    outside_du,
    residual_seed,
    residual_sums,
    skew,
    solve_factor,
    spectral,
    svd_gaps,
    symmetric,
    tall,
    untruncated,
    weighted,
)
from .dicts import (
    dict_tangent,
    dropped,
    got,
    got_default,
    got_tangent,
    merged,
    redict,
    undropped,
    ungot,
    unmerged,
    unmerged_last,
    unvalues,
    values,
)
from .differences import around, middle, unaround, unediff1d, ungradient, unmiddle, unweights_over, unwidths, weights_over, widths
from .distributions import covariance, deviation, log_parts
from .dynamic import check_method, clean, method, own_pullback, pullback, pushforward
from .eigenvalues import eigenvectors, scaled, scaled_along, scaled_dv, simple_roots, simple_vectors, unscaled, unscaled_along
from .filters import convolution_like, lagged, unconvolve
from .fourier import fft_axes, fft_length, halved, last_axis, resized, rfftn_dx, unhalved
from .gamma import polygamma
from .indexing import add_at, check_index, index_like, pick, sort_as, unsort, untake, updated, written
from .inner import add_inner, appended, inner, with_appended, with_inner, without_appended, without_inner
from .joining import (
    along_mesh,
    places,
    restack,
    split_like,
    unblock,
    unchoose,
    undstack,
    uninsert,
    unmesh,
    unresize,
    unrollaxis,
    unselect,
    unsplit,
)
from .kinks import above, accumulate_along, below, greater, inside, raised, ratio, root_above_1, sign, sign_dx, sign_dx2, unaccumulate
from .linalg import (
    apply,
    broadcast_along,
    cofactor,
    cofactor_dx,
    cross,
    dot_dx,
    dot_dy,
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
    unbroadcast_along,
)
from .lists import check_items, check_leaf, check_lengths, only_slice, put_back, repeated, unrepeated, with_slice, without, without_slice
from .matrices import (
    as_lower,
    as_read,
    corner,
    diagonal_block,
    frechet,
    on_axis,
    on_diagonal,
    other_way,
    paired,
    right_side,
    sides,
    system,
    triangle_of,
    unsystem,
    untoeplitz,
    untoeplitz_dr,
    zero_row,
)
from .norms import norm_slope, norm_slope_dx
from .order import quantile_along, unquantile
from .padding import pad_ends, repad, unpad, unpad_ends
from .parts import only_part, part, part_of, with_part
from .persistent import PersistentArray, append, pop, setitem
from .polynomials import coefficients, fit, polyval_dp, unfit, unpolyadd, unpolyder, unpolyint, untrimmed, vander_dn
from .power import power_dx, power_dy
from .powers import matrix_power_along, matrix_power_along2, multi_dot_along, multi_dot_along2, multi_dot_dx, multi_dot_dx2
from .reading import check_reading, reading
from .recorded import recorded, steady
from .records import (
    add_field,
    add_item,
    check_array,
    exchanged,
    field,
    field_like,
    items,
    record,
    replaced,
    with_field,
    with_item,
    without_field,
    without_item,
)
from .reductions import centered, count, included, others, others_along, others_along2, reduce_like, share, share_of_start, through, unreduce
from .second_solutions import minimum_second, odeint_second, quad_second, root_second, solve_ivp_second
from .shaping import (
    order_of_axes,
    rearray,
    recast,
    reshape_like,
    samples,
    unappend,
    unarray,
    uncast,
    uncolumn_stack,
    unconcatenate,
    undiag,
    undiagonal,
    unhstack,
    unrepeat,
    unroll,
    unstack,
    unsum,
    untile,
    untrace,
    untranspose,
    unvstack,
    with_samples,
)
from .signals import (
    between,
    convolve_dx,
    correlate_dx,
    correlate_dy,
    cov_along,
    interp_dfp,
    interp_dx,
    interp_dx_dfp,
    simpson_weights,
    uncov,
    unhistogram,
    variances,
)
from .solved import closure_of
from .solvers import (
    check_end,
    guess_adjoint,
    guess_tangent,
    minimum_adjoint,
    minimum_tangent,
    odeint_adjoint,
    odeint_tangent,
    quad_adjoint,
    quad_tangent,
    root_adjoint,
    root_tangent,
    solve_ivp_adjoint,
    solve_ivp_tangent,
)
from .special import dawsn_derivative, erfcx_derivative, i0_derivative, sinc_derivative
from .storing import (
    check_cast,
    check_out,
    check_pieces,
    check_scalar,
    check_target,
    check_values,
    diagonal_index,
    flat_index,
    index_along,
    mask_index,
    selected,
    selection,
    unselected,
)
from .structure import (
    add_grad,
    choice,
    chosen,
    columns,
    copy,
    head,
    is_mapping,
    is_sequence,
    joined,
    ones_like,
    only_floating,
    ordered,
    outline,
    place,
    recolumns,
    relist,
    tail,
    taken,
    unchosen,
    uncolumns,
    unordered,
    zero_gradient,
    zeros_like,
)
from .surgery import insert_grad_of, stop_gradient
from .unbound import UNBOUND as UNBOUND
from .unbound import bound
from .versions import added, lengthened, shortened, versioned, zeroed

__all__ = [
    "Helper", "PersistentArray", "TangentError", "above", "accumulate_along", "add_at", "add_field", "add_grad", "add_inner", "add_item",
    "added", "along_mesh", "append", "appended", "apply", "around", "as_hermitian", "as_lower", "as_read", "as_square", "below", "between",
    "bound",
    "broadcast_along", "broadcast_to_like", "cast", "centered", "check_apart", "check_growing", "check_array", "check_cast", "check_completed",
    "check_constants", "check_end", "check_errstate", "check_floating", "check_generator", "check_helpers", "check_index", "check_items",
    "check_kept", "check_leaf", "check_lengths", "check_method", "check_number", "check_out", "check_overlap", "check_pieces", "check_places",
    "check_reading", "check_result", "check_scalar", "check_seed", "check_stored", "check_tangent", "check_target", "check_values", "check_view",
    "choice", "chosen", "clean", "closure_of", "coefficients", "cofactor", "cofactor_dx", "columns", "cond_slope", "cond_slope_dx",
    "convolution_like", "convolve_dx", "copy", "corner", "correlate_dx", "correlate_dy", "count", "cov_along", "covariance", "cross", "cut",
    "dawsn_derivative", "deviation", "diagonal_block", "diagonal_index", "dict_tangent", "differentiable", "dot_dx", "dot_dy", "dropped",
    "eigenvectors", "einsum", "einsum_da", "einsum_db", "einsum_dc", "einsum_dx", "einsum_dy", "einsum_dz", "erfcx_derivative", "exchanged",
    "factors", "fft_axes", "fft_length", "field", "field_like", "fit", "flat_index", "folded", "frechet", "gaps", "got", "got_default",
    "got_tangent", "greater", "guess_adjoint", "guess_tangent", "half_lower", "halved", "head", "i0_derivative", "included", "index_along",
    "index_like", "inner", "inner_dx", "inner_dy", "insert_grad_of", "inside", "interp_dfp", "interp_dx", "interp_dx_dfp", "inverse_transpose",
    "is_mapping", "is_sequence", "items", "joined", "kron_dx", "kron_dy", "lagged", "last", "last_axis", "lengthened", "log_parts", "mask",
    "mask_index", "matmul_dx", "matmul_dy", "matrix_power_along", "matrix_power_along2", "merged", "method", "middle", "minimum_adjoint",
    "minimum_second", "minimum_tangent", "multi_dot_along", "multi_dot_along2", "multi_dot_dx", "multi_dot_dx2", "norm_slope", "norm_slope_dx",
    "odeint_adjoint", "odeint_second", "odeint_tangent", "of_hermitian", "on_axis", "on_diagonal", "ones_like", "only_floating", "only_part",
    "only_slice", "order_of_axes", "ordered", "other_way", "others", "others_along", "others_along2", "outer_dx", "outer_dy", "outer_last",
    "outline", "outside", "outside_along", "outside_du", "own_pullback", "pad_ends", "paired", "part", "part_of", "pick", "place", "places",
    "pole_weights", "polygamma", "polyval_dp", "pop", "power_dx", "power_dy", "pullback", "pushforward", "put_back", "quad_adjoint",
    "quad_second", "quad_tangent", "quantile_along", "raised", "ratio", "reading", "real_only", "rearray", "recast", "recolumns",
    "record", "recorded", "redict",
    "reduce_like", "relist", "repad", "repeated", "replaced", "reshape_like", "residual_seed", "residual_sums", "resized", "restack", "rfftn_dx",
    "right_side", "root_above_1", "root_adjoint", "root_second", "root_tangent", "samples", "scaled", "scaled_along", "scaled_dv", "seed",
    "selected", "selection", "setitem", "share", "share_of_start", "shortened", "sides", "sign", "sign_dx", "sign_dx2", "simple_roots",
    "simple_vectors", "simpson_weights", "sinc_derivative", "skew", "snapshot", "solve", "solve_factor", "solve_ivp_adjoint",
    "solve_ivp_second", "solve_ivp_tangent", "sort_as", "spectral", "split_like", "steady", "stop_gradient", "svd_gaps", "symmetric", "system",
    "tail",
    "taken", "tall", "tensordot_dx", "tensordot_dy", "through", "triangle", "triangle_along", "triangle_of", "unaccumulate", "unappend",
    "unaround", "unarray",
    "unblock", "unbroadcast", "unbroadcast_along", "uncast", "uncaught", "unchoose", "unchosen", "uncolumn_stack", "uncolumns", "unconcatenate",
    "unconvolve", "uncov", "uncumsum", "uncut", "undiag", "undiagonal", "undiff", "undropped", "undstack", "unediff1d", "unfit", "ungot",
    "ungradient", "unhalved", "unhistogram", "unhstack", "uninsert", "unlast", "unmerged", "unmerged_last", "unmesh", "unmiddle", "unordered",
    "unpad", "unpad_ends", "unpolyadd", "unpolyder", "unpolyint", "unquantile", "unreduce", "unrepeat", "unrepeated", "unresize", "unroll",
    "unrollaxis", "unscaled", "unscaled_along", "unselect", "unselected", "unsort", "unsplit", "unstack", "unsum", "unsystem", "untake",
    "untile", "untoeplitz", "untoeplitz_dr", "untrace", "untranspose", "untriangle", "untrimmed", "untruncated", "unvalues", "unvstack",
    "unweights_over", "unwidths", "updated", "values", "vander_dn", "variances", "versioned", "weighted", "weights_over", "where_finite",
    "widths",
    "with_appended", "with_field", "with_first", "with_inner", "with_item", "with_part", "with_samples", "with_slice", "without",
    "without_appended", "without_field", "without_first", "without_inner", "without_item", "without_slice", "written", "zero_gradient",
    "zero_row", "zeroed", "zeros_like",
]

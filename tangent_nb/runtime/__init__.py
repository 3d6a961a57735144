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
from .dicts import dict_tangent, got, got_default, got_tangent, merged, redict, ungot, unmerged, unmerged_last, unvalues, values
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

"""Numbers: NumPy's scalars, 0-d arrays and dtypes, casts, masks as factors."""
import numpy as np
from corpus import M23, P3, V3, V4, W3, A, B, add, section

section("numbers")
SINGLE = {"tol": 3e-5, "orders": 1}
HALF = {"tol": 2e-2, "orders": 1}
V3_SINGLE = V3.astype(np.float32)


def nps_scalars(x, v):
    y = np.float64(2.0) * x + v[0]
    return y * v[1] * np.float64(x) + np.sum(v) * x


add(nps_scalars, A, V3)
add(nps_scalars, np.float64(0.7), V3, name="nps_scalars_in", wrt=(0, 1))
add(nps_scalars, np.array(0.7), V3, name="nps_scalars_0d", wrt=(0, 1))


def nps_item(v):
    s = np.sum(v * v).item()
    return s * v[1].item() + v.item(2) * s


add(nps_item, V3)


def nps_item_of_a_matrix(m):
    return m.item(0, 1) * m.item(5) + m[1, 0].item() ** 2


add(nps_item_of_a_matrix, M23)


def nps_tolist(v):
    values = v.tolist()
    s = 0.0
    for k, a in enumerate(values):
        s = s * 0.5 + a ** (k + 2)
    return s + values[0] * values[-1]


add(nps_tolist, V3, holomorphic=False)


def nps_tolist_of_a_matrix(m):
    (a, b, c), row = m.tolist()
    return a * row[1] - b * row[0] + c * row[2] ** 2


add(nps_tolist_of_a_matrix, M23, holomorphic=False)


def nps_astype(v, k):
    w = v.astype(float) * k.astype(np.float64)
    positive = (v > 0.0).astype(float)
    return np.sum(w * w) + np.sum(positive * v) * 2.0


add(nps_astype, V3, np.array([1, -2, 3]))


def nps_astype_single_inside(v):
    w = np.array([1.0, 0.5, -2.0], dtype=np.float32).astype(v.dtype)
    return np.sum(w * v ** 2)


add(nps_astype_single_inside, V3)


def nps_single(v):
    w = v * 2 + np.float32(0.5)
    return np.sum(np.sin(w) * v)


add(nps_single, V3_SINGLE, **SINGLE)


def nps_single_loop(v, n):
    s = np.float32(1.0)
    for k in range(n):
        s = s * v[k % 3] + 1
        v = v * v - k
    return s * np.mean(v)


add(nps_single_loop, V3_SINGLE, 3, **SINGLE)


def nps_single_scalar(x):
    y = x * x + 1
    return np.exp(-y) * x


add(nps_single_scalar, np.float32(0.7), wrt=(0,), **SINGLE)


def nps_half(v):
    return np.sum(v * v * 2) * v[0]


add(nps_half, np.array([0.5, -1.25, 0.75], np.float16), **HALF)


def nps_single_and_double(v, w):
    product = v * w
    s = np.sum(product.astype(np.float32)) + np.dot(v, w)
    return s * 0.5


add(nps_single_and_double, V3_SINGLE, W3, holomorphic=False, **SINGLE)


def nps_zero_d(a):
    b = a * a
    c = np.array(3.0) * b + a[()]
    return c * np.asarray(2.0) * b


add(nps_zero_d, np.array(0.7))


def nps_zero_d_made(x, y):
    a = np.array(x * y)
    b = np.zeros(())
    b[...] = a * x
    a += b
    return a * b


add(nps_zero_d_made, A, B)


def nps_zero_d_of_reductions(m):
    top = np.asarray(np.sum(m, axis=None))
    return top * np.mean(m) + m.sum() ** 2 * top.size + m[0, 0]


add(nps_zero_d_of_reductions, M23)


def nps_ints_and_bools(v, k, flags):
    w = v * k + flags
    w = np.where(flags, w, v * v) * (k > 1) + v ** k
    return np.sum(w * w)


add(nps_ints_and_bools, P3, np.array([1, 2, 3]), np.array([True, False, True]))


def nps_int_scalars(v, k):
    n = k[1] + np.int64(1)
    return np.sum(v ** n) * k[0] / n + v[k[2]] * int(k.sum())


add(nps_int_scalars, V3, np.array([3, 1, 2]))


def nps_mask_as_factor(v, w):
    mask = v > w
    return np.sum(mask * v * w) + np.sum(~mask * v ** 2) + mask.sum() * v[0]


add(nps_mask_as_factor, V3, W3)


def nps_mask_selects(v):
    positive = v[v > 0.0]
    return np.sum(positive ** 2) * np.sum(v[~(v > 0.0)]) + positive.size * v[0]


add(nps_mask_selects, V4)


def nps_masks_combined(v):
    inside = (v > -1.0) & (v < 1.0) | (v == 50.0)
    outside = np.logical_not(inside) ^ False
    return np.sum(np.where(inside, v * v, np.abs(v))) * (1 + outside.sum())


add(nps_masks_combined, V4)


def nps_mask_assigned(v):
    w = v * 2.0
    w[v < 0.0] = 0.1
    w[v > 1.0] *= v[0]
    return np.sum(w * v)


add(nps_mask_assigned, V4)


def nps_mean_of_mask(v):
    share = np.mean(v > 0.0)
    return share * np.sum(v ** 2) + np.count_nonzero(v < 0.0) * v[1]


add(nps_mean_of_mask, V4)


def nps_select_and_piecewise(v):
    y = np.select([v < -0.5, v > 1.0], [v ** 2, np.sqrt(np.abs(v))], default=0.3 * v)
    return np.sum(y * v)


add(nps_select_and_piecewise, V4, holomorphic=False)


def nps_where_nested(v, x):
    y = np.where(v > x, np.log(np.where(v > x, v, 1.0)), x * v)
    return np.sum(y) * x


add(nps_where_nested, V4, 0.2)


def nps_where_with_scalars(x, y):
    return np.where(x > 0.0, x * y, y) * np.where(y > 0, 1, 2) + x


add(nps_where_with_scalars, A, B)


def nps_nonzero(v):
    (k,) = np.nonzero(v > 0.0)
    best = np.argmax(v)
    return np.sum(v[k] ** 2) * v[best] + len(k) * v[0]


add(nps_nonzero, V4)


def nps_rounding(v):
    low = np.floor(v)
    rest = v - low
    return np.sum(rest ** 2 * np.ceil(v)) + np.sum(np.round(v, 1) * v) + np.sum(np.trunc(2.0 * v) * v)


add(nps_rounding, V3)


def nps_remainder(v, x):
    return np.sum((v % x) * v) + np.sum(v // 0.6 * v) + np.sum(np.remainder(v, 0.9)) * x


add(nps_remainder, W3, A, holomorphic=False)


def nps_divmod(v):
    quotient, rest = np.divmod(v, 0.5)
    return np.sum(quotient * v) + np.sum(rest * rest)


add(nps_divmod, V3, holomorphic=False, may_refuse=True)


def nps_float_of_zero_d(v):
    loss = np.mean(v * v)
    return float(loss) * float(v[0]) + float(np.dot(v, v)) ** 0.5


add(nps_float_of_zero_d, V3)


def nps_python_sum(m):
    total = sum(m)
    return total[0] * total[2] + sum(sum(m)) ** 2


add(nps_python_sum, M23)


def nps_python_max(v):
    return max(v) ** 2 + min(v) * 3.0 + max(np.max(v), 0.0)


add(nps_python_max, V3, holomorphic=False)


def nps_real_imag(v):
    return np.sum(v.real * v) + np.sum(np.real(v) ** 3) + np.sum(v.imag)


add(nps_real_imag, V3, holomorphic=False)


def nps_fourier(v):
    spectrum = np.fft.fft(v)
    return np.sum(np.abs(spectrum[1:]) ** 2 * np.array([1.0, 0.5, 0.2]))


add(nps_fourier, V4, holomorphic=False, may_refuse=True)


def nps_infinity_masked(v):
    w = np.where(np.isfinite(v), v, 0.0)
    w = np.where(w > 0.0, w, -np.inf)
    return np.sum(np.exp(w) * v ** 2)


add(nps_infinity_masked, V4, holomorphic=False)


def nps_running_extreme(v):
    best = -np.inf
    s = 0.0
    for a in v:
        best = np.maximum(best, a)
        s = s * 0.5 + best * a
    return s


add(nps_running_extreme, V4, holomorphic=False)


def nps_dtype_decides(v):
    if v.dtype == np.float64 and np.issubdtype(v.dtype, np.floating):
        return np.sum(v ** 3)
    return np.sum(v)


add(nps_dtype_decides, V3, holomorphic=False)


def nps_empty_sums(v, n):
    none = v[:0]
    return np.sum(none) + np.prod(none) * np.sum(v ** 2) + sum(v[n:]) * v[0]


add(nps_empty_sums, V3, 3)


def nps_scalar_methods(x):
    y = (x * x).sum() * 2.0 + x.mean()
    return y * x.reshape(1)[0] + x.max()


add(nps_scalar_methods, np.float64(0.7), wrt=(0,), holomorphic=False)


def nps_select_without_default(v):
    return np.sum(np.select([v > 1.0], [v * v]) * v)


add(nps_select_without_default, V4, holomorphic=False)


def nps_ndenumerate_in_a_generator(v):
    m = np.outer(v, v)
    return sum(a * (i + 1) * j for (i, j), a in np.ndenumerate(m)) + max(m.flat) * m.flat[3]


add(nps_ndenumerate_in_a_generator, V3, holomorphic=False)


def nps_random_of_a_local_generator(v):
    rng = np.random.default_rng(1)
    s = 0.0
    for a in v:
        s = s * rng.uniform() + a * a * rng.normal()
        rng.integers(3)
    return s


add(nps_random_of_a_local_generator, V3)

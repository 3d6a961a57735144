"""Numbers: Python's floats and ints, truth values as factors, `math`, rounding, infinities."""
import math

import numpy as np
from corpus import P3, V3, W3, A, B, C, add, section

section("numbers")


def num_float_of(x):
    y = float(x) * x
    return float(y) + float(3) * float("0.5") * x


add(num_float_of, A)


def num_float_of_results(v):
    s = float(np.sum(v * v))
    t = float(v[0]) * s
    return t * t + s


add(num_float_of_results, V3)


def num_ints_mixed(x, n):
    y = n * x + 1
    y = y / n + n // 2 - n % 2
    return y ** n / 7 + (n + 1) * x


add(num_ints_mixed, A, 3)


def num_int_argument(n):
    return n * n / 2 + math.sqrt(n)


add(num_int_argument, 4, wrt=(0,), holomorphic=False, smooth=False, orders=1, expected=(4.25,))


def num_int_as_constant(x, y):
    n = int(x * 4)
    s = 0.0
    for k in range(n):
        s = s * x + y
    return s * n


add(num_int_as_constant, A, B)


def num_big_ints(x):
    big = 2 ** 70 + 1
    ratio = big // 3 ** 40 % 1000
    return x * (big / 10 ** 21) + x * x * ratio


add(num_big_ints, A)


def num_factorials(x, n):
    s, f = 0.0, 1
    for k in range(n):
        s += x ** k / f
        f *= k + 1
    return s * x + math.factorial(5) * x / math.comb(n, 2)


add(num_factorials, A, 24, holomorphic=False)


def num_integer_powers(x):
    return x ** 3 - x ** -2 + 2 ** 3 * x + x ** 0 + x ** 1


add(num_integer_powers, A)


def num_float_powers(x, y):
    return x ** 2.5 + x ** y + 2.0 ** y + y ** 2


add(num_float_powers, A, B)


def num_negative_base(x, n):
    return x ** n + x ** 3.0 + (-x) ** 0.5 + -x ** 2


add(num_negative_base, B, 3)


def num_pow(x, y):
    return pow(x, 3) * pow(2, 4) + pow(x, y) - pow(y, 2) + math.pow(x, 1.5)


add(num_pow, A, B)


def num_floor_division(x):
    k = x // 0.3
    return x * k + (7 * x) // 2 * x * x


add(num_floor_division, A)


def num_remainder(x, y):
    return (x % 0.5) * x + (x % y) * y


add(num_remainder, 2.3, 0.9)


def num_remainder_negative(x):
    return x % 1.0 * 2.0 + (x % -0.9) * x


add(num_remainder_negative, B)


def num_divmod(x, y):
    quotient, rest = divmod(x, y)
    return quotient * x + rest * rest


add(num_divmod, 2.3, 0.9)


def num_divmod_of_ints(x, seconds):
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return x ** hours * minutes + x * seconds


add(num_divmod_of_ints, A, 7384)


def num_abs(x, y):
    return abs(x) * y + abs(y) ** 3 + abs(-2) * x + math.fabs(x * y)


add(num_abs, A, B, holomorphic=False)


def num_round(x):
    return round(x, 1) * x + round(x * 10) * x * x + round(2.567, 1)


add(num_round, 0.73)


def num_floors(x):
    fraction = x - math.floor(x)
    return fraction * fraction + math.ceil(x) * x + math.trunc(-x * 3) * x


add(num_floors, 2.3)


def num_truth_as_factor(x, y):
    return (x > 0) * x * x + (x < y) * y + (y <= 0.0) * 2 * y * x


add(num_truth_as_factor, A, B)


def num_truth_summed(v):
    count = sum(a > 0.0 for a in v) + (v[0] > v[1])
    share = sum([a < 0 for a in v]) / len(v)
    return count * v[0] ** 2 + share * v[2]


add(num_truth_summed, V3)


def num_truth_as_exponent_and_index(x, y):
    k = int(x > y)
    table = [y, x * x]
    return x ** (1 + (y < 0)) * table[k] + (x, y)[y > 0] * True


add(num_truth_as_exponent_and_index, A, B, wrt=(0,))


def num_bool_of(x, n):
    return bool(x) * x * x + bool(n) * 3.0 + (not n) * x + x * bool([])


add(num_bool_of, A, 0)


def num_complex_inside(x, y):
    z = complex(x, y)
    w = z * z + 1.0
    return w.real + 2.0 * w.imag


add(num_complex_inside, A, B, holomorphic=False, may_refuse=True)


def num_complex_modulus(x):
    z = x + 2.0j * x * x
    return abs(z) * (z * z.conjugate()).real


add(num_complex_modulus, A, holomorphic=False, may_refuse=True)


def num_complex_exponential(x):
    w = np.exp(1j * x)
    return np.real(w) * x + np.imag(w)


add(num_complex_exponential, A, holomorphic=False, may_refuse=True)


def num_real_part(x):
    y = x * x
    return y.real * x + y.imag + x.conjugate() * 2.0


add(num_real_part, A, holomorphic=False)


def num_attributes_of_int(x, n):
    return x * n.numerator + x * x * (n.bit_length() + (3.0).is_integer())


add(num_attributes_of_int, A, 5)


def num_math_functions(x):
    return math.sin(x) * math.exp(-x) + math.log(1.0 + x) * math.sqrt(x) + math.tanh(x) ** 2


add(num_math_functions, A)


def num_math_more(x, y):
    return math.hypot(x, y) * math.atan2(y, x) + math.log1p(x) - math.expm1(y) + math.log(x, 2.0) + math.log10(x)


add(num_math_more, A, 1.2)


def num_math_inverse(x):
    return math.asin(x) * math.acos(x) + math.atan(x) + math.asinh(x) + math.acosh(1.0 + x) + math.atanh(x)


add(num_math_inverse, A)


def num_math_constants(r):
    area = math.pi * r ** 2
    return area * math.e ** -r + math.tau * r + math.degrees(r) * math.radians(45.0)


add(num_math_constants, A)


def num_math_special(x):
    return math.erf(x) * x + math.gamma(x + 1.0) + math.lgamma(x + 2.0)


add(num_math_special, A, holomorphic=False, may_refuse=True)


def num_math_sums(v, w):
    return math.fsum(a * b for a, b in zip(v, w)) * math.prod([v[0], w[1], 2.0]) + math.dist(v, w)


add(num_math_sums, V3, W3, holomorphic=False, may_refuse=True)


def num_math_sums_alone(v, w):
    return math.fsum(a * b for a, b in zip(v, w)) * math.prod([v[0], w[1], 2.0])


add(num_math_sums_alone, V3, W3, holomorphic=False)


def num_copysign_and_fmod(x, y):
    return math.copysign(x, y) * y + math.fmod(x * 5.0, 2.0) * x


add(num_copysign_and_fmod, A, B, holomorphic=False, may_refuse=True)


def num_infinity_guard(v):
    best, worst = float("inf"), -math.inf
    for a in v:
        best = a * a if a * a < best else best
        worst = max(worst, a)
    return best + 2.0 * worst ** 2 if math.isfinite(best) and worst > -np.inf else 0.0


add(num_infinity_guard, V3, holomorphic=False)


def num_nan_guard(x):
    y = math.nan if x < 0.0 else math.log(x)
    if math.isnan(y) or y != y:
        return x * x
    return y * x


add(num_nan_guard, A)
add(num_nan_guard, B, name="num_nan_guard_taken")


def num_overflow_guard(x):
    try:
        return math.exp(2000.0 * x)
    except OverflowError:
        return x ** 3


add(num_overflow_guard, A, holomorphic=False)


def num_sum_of_floats(x, y):
    s = sum([x, y * 2, 3, x * y])
    return s * s + sum((x, True, y))


add(num_sum_of_floats, A, B)


def num_max_min(x, y):
    return max(x, y) ** 2 + 3.0 * min(x, y, 0.5) + max(x * y, -10) * min(4, 2) + max(0, x)


add(num_max_min, A, B, holomorphic=False)


def num_clamped(v):
    s = 0.0
    for a in v:
        s = s * 2.0 + max(-1.0, min(1.0, a)) * a
    return s


add(num_clamped, V3, holomorphic=False)


def num_unary(x, n):
    return -(+x) * -n + ~n * x * x - (not x) + +True * x


add(num_unary, A, 4)


def num_bits(x, n):
    s = 0.0
    for k in range(n.bit_length()):
        if n >> k & 1:
            s += x ** k
    return s * (n ^ 5 | 8)


add(num_bits, A, 11)


def num_literals(x):
    return x * 0x1F + x * x * 1_000e-3 + 0b101 * x - .5e1 * x ** 3 + 0o17


add(num_literals, A)


def num_constants_of_types(x):
    eps, big = np.finfo(float).eps, np.iinfo(np.int32).max
    return x * (1.0 + eps) * (big % 7) + np.pi * x * x


add(num_constants_of_types, A, holomorphic=False, may_refuse=True)


def num_horner_of_ints(x, c):
    value = 0
    for k in c:
        value = value * x + k
    return value


add(num_horner_of_ints, A, (2, 0, -1, 3))


def num_mean_and_spread(v):
    n = len(v)
    mean = sum(v) / n
    return (sum((a - mean) ** 2 for a in v) / (n - 1)) ** 0.5


add(num_mean_and_spread, P3)
add(num_mean_and_spread, np.array([A, B, C]), name="num_mean_and_spread_wide")


def num_divmod_of_negative_numbers(x, y):
    quotient, rest = divmod(x, y)
    other, last = divmod(x, -y)
    return quotient * x + rest * rest + other * last * y


add(num_divmod_of_negative_numbers, -2.3, 1.7, holomorphic=False)


def num_math_of_two_and_three(x, y):
    return math.log(x, y) + math.hypot(x, y, x * y) + math.remainder(x, y) * x + math.gamma(x) * math.lgamma(y)


add(num_math_of_two_and_three, 2.3, 1.7, holomorphic=False)


def num_prod_with_start(v, s):
    return math.prod(v, start=s) + math.prod(a + 3.0 for a in v) * math.fsum([s, s * s])


add(num_prod_with_start, V3, A, holomorphic=False)

"""map, filter, functools.reduce, itertools, operator, sorted with a key: functions that take functions."""
from __future__ import annotations

import functools
import itertools
import operator
from functools import reduce
from itertools import accumulate, chain, pairwise

import numpy as np
from corpus import M23, V3, V4, W3, A, B, C, add, section

section("functions_iterators")


def map_lambda(x):
    return sum(map(lambda v: v * v * 1.5, x))


add(map_lambda, V3)


def map_closure_to_list(x, k):
    scaled = list(map(lambda v: np.sin(v * k), x))
    return scaled[0] * scaled[1] + scaled[2]


add(map_closure_to_list, V3, C)


def map_two(x, y):
    return sum(map(lambda a, b: a * b * a, x, y))


add(map_two, V3, W3)


def map_operator(x, y):
    return np.sum(np.array(list(map(operator.mul, x, y))) * np.array([1.0, -2.0, 0.5]))


add(map_operator, V3, W3)


def map_unpacked(x, y):
    a, b, c = map(np.exp, (x, y, x * y))
    return a * b - c


add(map_unpacked, A, B)


def map_in_a_loop(x):
    total = 0.0
    for k, v in enumerate(map(np.tanh, x)):
        total = total * 0.5 + v * (k + 1)
    return total


add(map_in_a_loop, V4)


def filter_positive(x):
    return sum(v * v * v for v in filter(lambda v: v > 0.0, x))


add(filter_positive, V4)


def filter_then_map(x, k):
    kept = filter(lambda v: abs(v) > 0.5, x)
    return sum(map(lambda v: v * k, kept)) * k


add(filter_then_map, V4, C)


def filter_indices(x):
    total = 0.0
    for i in filter(lambda i: i % 2 == 0, range(4)):
        total = total + x[i] * x[i] * (i + 1)
    return total


add(filter_indices, V4)


def reduce_product(x):
    return reduce(lambda a, b: a * b, x)


add(reduce_product, V3)


def reduce_with_start(x, start):
    return functools.reduce(lambda acc, v: acc * 0.5 + v * v, x, start)


add(reduce_with_start, V4, A)


def reduce_operator(x):
    return reduce(operator.mul, [x + 1.0, x * x, 3.0 - x]) + reduce(operator.add, (x, x * x, x))


add(reduce_operator, A)


def reduce_horner(x, c):
    return reduce(lambda acc, coefficient: acc * x + coefficient, c, 0.0)


add(reduce_horner, A, V4)


def reduce_matrices(m, v):
    return np.sum(reduce(np.dot, [m, m.T, m]) @ v)


add(reduce_matrices, M23, V3)


def reduce_compose(x):
    steps = [np.sin, lambda t: t * t, np.exp]
    return reduce(lambda value, f: f(value), steps, x)


add(reduce_compose, A)


def accumulate_sums(x):
    total = 0.0
    for k, s in enumerate(accumulate(x)):
        total = total + s * s * (k + 1)
    return total


add(accumulate_sums, V4)


def accumulate_products(x):
    partial = list(itertools.accumulate(x, operator.mul))
    return partial[1] + partial[2] * partial[-1]


add(accumulate_products, V4)


def accumulate_recurrence(x, rate):
    *_, last = accumulate(x, lambda s, v: s * rate + v, initial=0.5)
    return last * rate


add(accumulate_recurrence, V3, 0.9)


def chain_two(x, y):
    return sum(v * v * k for k, v in enumerate(chain(x, y, [3.0]), start=1))


add(chain_two, V3, W3)


def chain_from_rows(m):
    total = 1.0
    for v in chain.from_iterable(m):
        total = total * (v + 2.0)
    return total


add(chain_from_rows, M23)


def product_of_two(x, y):
    total = 0.0
    for a, b in itertools.product(x, y):
        total = total + np.sin(a * b) * a
    return total


add(product_of_two, V3, W3)


def product_of_indices(m):
    total = 0.0
    for i, j in itertools.product(range(2), range(3)):
        total = total + m[i, j] ** 2 * (i + 2 * j + 1)
    return total


add(product_of_indices, M23)


def pairwise_steps(x):
    return sum((b - a) ** 2 * b for a, b in pairwise(x))


add(pairwise_steps, V4)


def repeat_value(x, n):
    total = 0.0
    for k, v in enumerate(itertools.repeat(x * x, n)):
        total = total + v * x * k
    return total


add(repeat_value, A, 3)


def starmap_terms(x, y):
    return sum(itertools.starmap(lambda a, b: a * np.exp(b), [(x, y), (y, x), (2.0, x * y)]))


add(starmap_terms, A, B)


def combinations_of_points(x):
    return sum(1.0 / (1.0 + (a - b) ** 2) * a for a, b in itertools.combinations(x, 2))


add(combinations_of_points, V4)


def islice_of_count(x):
    total = 0.0
    for k in itertools.islice(itertools.count(1), 4):
        total = total + x ** k / k
    return total


add(islice_of_count, A)


def cycle_of_signs(x):
    return sum(s * v * v for s, v in zip(itertools.cycle((1.0, -2.0)), x))


add(cycle_of_signs, V4)


def takewhile_growing(x):
    powers = itertools.takewhile(lambda v: v < 9.0, (x * 1.7 ** k for k in range(20)))
    return sum(powers)


add(takewhile_growing, A)


def zip_longest_filled(x, y):
    return sum(a * b for a, b in itertools.zip_longest(x, [y, y * y], fillvalue=2.0))


add(zip_longest_filled, V4, A)


def itemgetter_of_pairs(x, y):
    pairs = [(x, 3.0 * y), (y, x * x)]
    second = operator.itemgetter(1)
    return second(pairs[0]) * second(pairs[1]) + sum(map(operator.itemgetter(0), pairs))


add(itemgetter_of_pairs, A, B)


def operator_functions(x, y):
    return operator.sub(operator.truediv(x, y), operator.pow(x, 3)) * operator.neg(y)


add(operator_functions, A, B)


def operator_matmul(m, v):
    w = operator.matmul(m, v)
    return operator.getitem(w, 0) * operator.getitem(w, -1)


add(operator_matmul, M23, V3)

OPERATORS = {"+": operator.add, "*": operator.mul, "-": operator.sub}


def operator_table(x, y):
    value = x
    for symbol in "*+-*":
        value = OPERATORS[symbol](value, y) * 0.9
    return value


add(operator_table, A, B)


def sorted_by_key(x):
    ordered = sorted(x, key=lambda v: -v)
    return ordered[0] * ordered[1] + 3.0 * ordered[2]


add(sorted_by_key, V4)


def sorted_pairs(x, y):
    pairs = sorted([(3, x), (1, y), (2, x * y)], key=operator.itemgetter(0))
    return sum(v * (k + 1) for k, (_, v) in enumerate(pairs))


add(sorted_pairs, A, B)


def largest_by_key(x):
    return max(x, key=abs) ** 2 * min(x, key=lambda v: (v - 0.5) ** 2)


add(largest_by_key, V4)


def generator_expression(x, w):
    products = (a * b for a, b in zip(x, w) if b > 0.0)
    return sum(p * p for p in products)


add(generator_expression, V3, W3)


def iterator_by_hand(x):
    it = iter(x)
    total = next(it)
    for v in it:
        total = total * v + 1.0
    return total + next(it, 0.5) * x[1]


add(iterator_by_hand, V3)


def vectorize_user_function(x, k):
    curve = np.vectorize(lambda v: v * v + k)
    return np.sum(curve(x) * np.array([1.0, 2.0, 3.0]))


add(vectorize_user_function, V3, A)


def apply_along_rows(m):
    lengths = np.apply_along_axis(lambda row: np.sum(row * row), 1, m)
    return lengths[0] * lengths[1]


add(apply_along_rows, M23)


def row_functions(x):
    features = [lambda v: v, lambda v: v * v, np.sin]
    table = np.array([[f(v) for f in features] for v in x])
    return np.sum(table @ np.array([1.0, -1.0, 2.0]) * x)


add(row_functions, V3)


def generator_reads_its_variables_late(x):
    k = 2.0
    products = (v * k for v in x)
    k = 5.0
    return sum(a * j for j, a in enumerate(products)) * k


add(generator_reads_its_variables_late, V3)


def generator_goes_over_what_was_there(x):
    y = x * 2.0
    squares = (v * v for v in y)
    y = x * 100.0
    return sum(squares) + y[0]


add(generator_goes_over_what_was_there, V3)


def generator_is_empty_the_second_time(x):
    squares = (v * v for v in x)
    return sum(squares) + 3.0 * sum(squares) + x[0]


add(generator_is_empty_the_second_time, V3)


def generator_left_half_way(x):
    squares = (v * v for v in x)
    s = 0.0
    for v in squares:
        s = s + v
        if v > 1.0:
            break
    return s * 10.0 + sum(squares)


add(generator_left_half_way, V3)


def generator_of_a_list_that_grows(x):
    values = [x[0], x[1]]
    squares = (v * v for v in values)
    values.append(x[2])
    return sum(squares)


add(generator_of_a_list_that_grows, V3)


def generator_variable_is_a_global_elsewhere(x):
    products = (v * len(OPERATORS) for v in x)
    return sum(a * OPERATORS for OPERATORS, a in enumerate(products))


add(generator_variable_is_a_global_elsewhere, V3)


def iterator_in_a_while(x):
    it = iter(x)
    s = 0.0
    while (v := next(it, None)) is not None:
        s = s * 1.5 + v
    return s


add(iterator_in_a_while, V3)


def iterator_asked_in_its_own_loop(x):
    it = iter(x)
    s = 0.0
    for v in it:
        s = s + v * next(it, 2.0)
    return s


add(iterator_asked_in_its_own_loop, V3)


def iterator_asked_in_one_branch(x):
    it = iter(x)
    a = next(it) if x[0] > 50.0 else 2.0
    return a * next(it) + next(it) * 3.0


add(iterator_asked_in_one_branch, V3)


def product_rebinds_its_items(x):
    s = 0.0
    for a, b in itertools.product(x, x):
        s = s + a * b
        a = a * 2.0
        s = s + a
    return s


add(product_rebinds_its_items, V3)


def product_of_nothing_binds_nothing(x):
    a = x[0]
    for a, _ in itertools.product(x, []):
        pass
    return a * a


add(product_of_nothing_binds_nothing, V3)


def product_left_by_break(x):
    s = 0.0
    for a, b in itertools.product(x, x):
        if a * b < 0.0:
            break
        s = s + a * b
    return s + a


add(product_left_by_break, V3)


def product_repeated(x):
    return sum(a * b * c for a, b, c in itertools.product(x, repeat=3))


add(product_repeated, V3)


def permutations_of_two(x):
    return sum(a * b * b for a, b in itertools.permutations(x, 2))


add(permutations_of_two, V3)


def combinations_with_themselves(x):
    return sum(a * b * k for k, (a, b) in enumerate(itertools.combinations_with_replacement(x, 2)))


add(combinations_with_themselves, V3)


def dropwhile_then_all(x):
    return sum(v * v for v in itertools.dropwhile(lambda v: v > 0.0, x)) + x[0]


add(dropwhile_then_all, V4)


def takewhile_binds_what_it_takes(x):
    v = x[0]
    for v in itertools.takewhile(lambda a: a > -50.0, x[:2]):
        pass
    return v * v


add(takewhile_binds_what_it_takes, V3)


def count_in_a_loop(x):
    s = x
    for k in itertools.count(1):
        s = s * x + k
        if s > 20.0:
            break
    return s


add(count_in_a_loop, 1.3)


def count_by_active_steps(x):
    return sum(itertools.islice(itertools.count(x, x * x), 4))


add(count_by_active_steps, A)


def cycle_of_active_items(x):
    s = 0.0
    for k, v in zip(range(7), itertools.cycle(x)):
        s = s * 0.5 + v * k
    return s


add(cycle_of_active_items, V3)


def cycle_of_nothing(x):
    s = x[0]
    for a, b in zip(x, itertools.cycle([])):
        s = s + a * b
    return s


add(cycle_of_nothing, V3)


def islice_ends_before_an_error(x):
    return sum(itertools.islice((1.0 / (2 - k) * v for k, v in enumerate(x)), 2))


add(islice_ends_before_an_error, V4)


def islice_with_bounds(x):
    return sum(itertools.islice(x, 1, None)) * sum(itertools.islice(x, 0, 3, 2))


add(islice_with_bounds, V4)


def accumulate_of_nothing(x):
    return sum(accumulate([v for v in x if v > 100.0])) + x[0]


add(accumulate_of_nothing, V3)


def accumulate_largest(x):
    return sum(accumulate(x, max)) * max(accumulate(x, lambda a, b: a * 0.5 + b))


add(accumulate_largest, V3)


def attrgetter_of_an_array(x):
    transposed = operator.attrgetter("T")
    return np.sum(transposed(np.outer(x, x * x))[0])


add(attrgetter_of_an_array, V3)


def reduce_over_iterators(x):
    return reduce(operator.add, chain(x, x), 2.0) * reduce(lambda a, b: a * b, (v + 3.0 for v in x))


add(reduce_over_iterators, V3)


LEVELS = [np.array([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 0.5]), 2.0]


def horner_of_constants(x, terms=4):
    left = iter((*LEVELS, 1.5)[-terms + 1:])
    total = next(left) * x
    for level in left:
        total += level
        total *= x
    return np.sum(total)


add(horner_of_constants, V3)


def first_of_constants(x):
    left = iter([2.0, 3.0, 4.0])
    first = next(left)
    return x ** first * sum(left) + next(left, 5.0) * x


add(first_of_constants, A)


def over_joined_iterators(x, y):
    p = x * y
    squares = sum([t ** 2 for t in list(itertools.chain([p, x], [p, 2.0 * y]))])
    return squares + sum(t * t for t in sorted(itertools.chain([p, x], (y,)))) + sum([t for t in tuple([x, *[y, p]])])


add(over_joined_iterators, A, B)

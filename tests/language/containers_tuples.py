"""Containers: tuples, star-unpacking, rows of arrays, deques, stacks and queues."""
from collections import deque

import numpy as np
from corpus import M23, M33, V3, V4, V5, W3, A, B, C, add, section

section("containers")


def tuple_joined(x, y):
    t = (x, y) + (x * y,)
    t = t * 2
    t += (np.sin(x),)
    return t[1] * t[2] + t[-1] * t[3] * len(t)


add(tuple_joined, A, B)


def tuple_sliced(x, y):
    t = (x, y, x * y, x - y)
    a, b = t[1:3]
    c = t[::-1][0]
    return a * b + c ** 2


add(tuple_sliced, A, B)


def tuple_nested_unpacked(x, y):
    pair = ((x, [y, x * y]), np.exp(y))
    (a, (b, c)), d = pair
    return a * b + 2.0 * c * d


add(tuple_nested_unpacked, A, B)


def tuple_compared(x, y):
    best = (0.0, x)
    for score, value in ((2, x * y), (3, y * y), (3, x)):
        if (score, value > 0.0) > (best[0], False):
            best = (score, value * x)
    return best[1] * y


add(tuple_compared, A, B)


def tuple_of_actives_compared(x, y):
    low, high = (x, y), (y, x)
    if low > high:
        low, high = high, low
    return low[0] * high[0] ** 2 + low[1]


add(tuple_of_actives_compared, A, B, holomorphic=False)


def tuple_state(x, n):
    state = (x, 1.0, x * x)
    for k in range(n):
        position, velocity, energy = state
        state = (position + 0.1 * velocity, velocity - position * x, energy * 0.5 + position * k)
    return state[0] * state[1] + state[2]


add(tuple_state, A, 3)


def tuple_of_array(v):
    t = tuple(v)
    return t[0] * t[1] + np.sum(np.array(t) ** 3)


add(tuple_of_array, V3)


def tuple_count_and_index(x):
    kinds = (1, 3, 3, 2)
    return x ** kinds.index(3) + x * x * kinds.count(3)


add(tuple_count_and_index, A)


def tuple_argument(point):
    (x, y), scale = point
    return np.sin(x * y) * scale + x * x


add(tuple_argument, ((0.7, -1.3), 2.1), wrt=(0,), orders=1)


def star_tail(v):
    first, *rest = v
    s = first
    for r in rest:
        s = s * r + first
    return s


add(star_tail, V4)


def star_head(x, y):
    values = [x, y, x * y, y * y]
    *head, last = values
    return head[0] + 2.0 * head[2] * last


add(star_head, A, B)


def star_middle(x, y):
    a, *middle, b = x, x * y, y, x + y
    return a * middle[0] + b * middle[1] * len(middle)


add(star_middle, A, B)


def star_nothing_left(x, y):
    a, b, *rest = x * y, y
    return a * b + len(rest) * x


add(star_nothing_left, A, B)


def star_display(x, y):
    base = [x, x * y]
    values = [y, *base, *(k * x for k in (2.0, 3.0))]
    t = (*values, y * y)
    return values[1] * t[2] + t[3] * t[4] - t[5]


add(star_display, A, B)


def star_in_for(x, y):
    s = 0.0
    for name, *numbers in (("a", x, y), ("b", x * y), ("a", y, x, 2.0)):
        if name == "a":
            s = s + numbers[0] * numbers[1] ** 2
        else:
            s = s * numbers[0]
    return s


add(star_in_for, A, B)


def star_nested(x, y):
    (a, *b), *c = [x, y, x * y], y, x - y
    return a * b[1] + b[0] * c[0] * c[1]


add(star_nested, A, B)


def rows_unpacked(m):
    top, bottom = m
    return np.sum(top * bottom) + top[0] * bottom[2] ** 2


add(rows_unpacked, M23)


def rows_star_unpacked(m):
    first, *others = m
    total = first * 2.0
    for row in others:
        total = total * row + first
    return np.sum(total)


add(rows_star_unpacked, M33)


def rows_unpacked_twice(m):
    (a, b), (c, d) = m[:2, :2]
    return a * d - b * c + a * a * b


add(rows_unpacked_twice, M33)


def columns_unpacked(m):
    x, y, z = m.T
    return np.sum(x * y ** 2) + np.sum(np.sin(z))


add(columns_unpacked, M23)


def shape_unpacked(m):
    rows, columns = m.shape
    s = 0.0
    for i in range(rows):
        for j in range(columns):
            s = s + m[i, j] ** 2 * (i * columns + j)
    return s / rows


add(shape_unpacked, M23)


def deque_window(v):
    window = deque(maxlen=3)
    s = 0.0
    for a in v:
        window.append(a)
        s = s + sum(window) ** 2 / len(window)
    return s


add(deque_window, V5)


def deque_both_ends(x, y):
    line = deque([x, y])
    line.appendleft(x * y)
    line.append(y * y)
    line.rotate(1)
    first, last = line.popleft(), line.pop()
    return first + 2.0 * last * line[0] + line[1] ** 3


add(deque_both_ends, A, B)


def deque_breadth_first(x):
    children = {0: [1, 2], 1: [3], 2: [3, 4], 3: [], 4: []}
    value = {0: x}
    queue = deque([0])
    while queue:
        node = queue.popleft()
        for child in children[node]:
            value[child] = value.get(child, 0.0) + value[node] * (child + x)
            queue.append(child)
    return value[3] * value[4]


add(deque_breadth_first, A)


def stack_reverse_polish(x, y):
    stack = []
    for token in "x y * x + y y * -".split():
        if token == "x":
            stack.append(x)
        elif token == "y":
            stack.append(y)
        else:
            b, a = stack.pop(), stack.pop()
            stack.append(a * b if token == "*" else a + b if token == "+" else a - b)
    return stack.pop() * x


add(stack_reverse_polish, A, B)


def stack_of_intervals(x):
    stack = [(0.0, x, 0)]
    area = 0.0
    while stack:
        a, b, depth = stack.pop()
        middle = 0.5 * (a + b)
        if depth == 2:
            area = area + (b - a) * np.exp(middle)
        else:
            stack.append((a, middle, depth + 1))
            stack.append((middle, b, depth + 1))
    return area


add(stack_of_intervals, A)


def stack_monotone(v):
    stack, s = [], 0.0
    for a in v:
        while stack and stack[-1] < a:
            s = s + stack.pop() * a
        stack.append(a)
    return s + sum(stack) ** 2


add(stack_monotone, V5, holomorphic=False)


def queue_of_pairs(x, y):
    todo = [(x, 1), (y, 2)]
    done = []
    while todo:
        value, weight = todo.pop(0)
        done.append(value * weight)
        if weight < 4:
            todo.append((value * x, weight + 2))
    return done[0] * done[1] + done[2] * done[3]


add(queue_of_pairs, A, B)


def membership(x, y):
    s = 0.0
    for k in range(6):
        if k in (1, 4) or k in {2}:
            s = s * x + y
        elif k not in [0, 3]:
            s = s * y
    return s


add(membership, A, B)


def heap_of_values(x, y, z):
    heap = []
    for value in (x, y, z, x * y):
        k = 0
        while k < len(heap) and heap[k] < value:
            k += 1
        heap.insert(k, value)
    return heap[0] * heap[1] + heap[2] * heap[3] ** 2


add(heap_of_values, A, B, C, holomorphic=False)


def pairs_of_lists(v, w):
    pairs = list(zip(v, w))
    pairs[1] = (pairs[1][1], pairs[0][0])
    return sum(a * a * b for a, b in pairs)


add(pairs_of_lists, V3, W3)


def enumerate_zip_nested(v, w):
    return sum((k + 1) * (a - b) ** 2 for k, (a, b) in enumerate(zip(v, reversed(w))))


add(enumerate_zip_nested, V3, W3)


def pairs_with_the_next(v):
    return sum((b - a) ** 2 * a for a, b in zip(v, v[1:]))


add(pairs_with_the_next, V4)


def slices_in_a_loop(v, w):
    s = 0.0
    for k in range(1, 3):
        a, b = v[k:], w[:-k]
        s = s + np.dot(a, b) * k
    return s * v[0]


add(slices_in_a_loop, V3, W3)


def deque_taken_from_both_ends(v):
    line = deque([v[0], v[1]])
    line.rotate(3)
    line.extend([v[2], v[0]])
    s = 0.0
    while line:
        a = line.popleft()
        s = s * 1.1 + a * a
        if line:
            s = s + line.pop()
    return s


add(deque_taken_from_both_ends, V3)


def deque_that_forgets(v):
    last = deque(v, maxlen=2)
    last.append(v[0] * v[1])
    last.appendleft(v[2] * 3.0)
    last.rotate(-1)
    return last[0] * 2.0 + last[-1] ** 2 + sum(last) * len(last)


add(deque_that_forgets, V3)


def deque_read_and_popped(v):
    line = deque(v)
    return line[0] * line.pop() + line.popleft() * line[0]


add(deque_read_and_popped, V4)

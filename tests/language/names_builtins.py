"""Global names that hide builtins: generated code calls builtins too, and not those."""
from __future__ import annotations

from corpus import M23, V2, V3, W3, A, B, C, add, section
from oracles import sourced

section("names_builtins")


def hidden(text: str, *arguments: object, **details: object) -> None:
    """An entry whose function is the last definition of a cell that hides builtins."""
    scope = sourced("import builtins\nimport numpy as np\n" + text)
    add(scope[("\n" + text).split("\ndef ")[-1].split("(")[0]], *arguments, **details)


hidden("""\
def sum(values):
    return values[0] * values[1]

def hides_sum(x, y):
    return builtins.sum([x * y, y]) * x
""", A, B)

hidden("""\
def sum(values):
    return values[0] * values[1]

def hides_sum_and_sums_arrays(x):
    y = builtins.sum(x * x)
    for row in (x, x * 2.0):
        y = y + np.sum(row) * row[0]
    return y * sum(x)
""", V3)

hidden("""\
def len(v):
    return 2

def hides_len(x):
    total = 0.0
    for v in x:
        total = total * 0.5 + v * v * len(x)
    return total
""", V3)

hidden("""\
def range(n):
    return builtins.range(n, 2 * n)

def hides_range(x):
    y = x
    for k in range(3):
        y = y * np.sin(x) + k
    return y
""", A)

hidden("""\
def reversed(values):
    return values

def hides_reversed(x):
    for k in range(4):
        x = x * x - 0.1 * k
    return x
""", A)

hidden("""\
def enumerate(values):
    return [(2 * k, v) for k, v in zip(range(9), values)]

def hides_enumerate(x):
    total = 0.0
    for k, v in enumerate(x):
        total = total + v * v * k
    return total
""", V3)

hidden("""\
zip = reversed = None
tuple = dict = 3.0

def hides_four(x, w):
    total = 0.0
    for a, b in builtins.zip(x, w):
        total = total + a * b * tuple
    return total * dict
""", V3, W3)

hidden("""\
list = float = int = 2.0

def hides_types(x, w):
    y = x
    while y < 4.0:
        y = y * w + float
    return y * list - int * x
""", A, C)

hidden("""\
def abs(x):
    return x * x

def hides_abs(x):
    return abs(x) * builtins.abs(x) + np.abs(x) * 0.5
""", B, holomorphic=False)

hidden("""\
max = min = lambda *v: v[0] * v[-1]

def hides_max_and_min(x, y):
    return max(x, y) + builtins.max(x, y * x) * min(x, 2.0)
""", A, B, holomorphic=False)

hidden("""\
max = min = None

def hides_extremes(x):
    return np.max(x) * np.min(x) * np.clip(x[0], -1.0, 1.0) + builtins.max(x[0], x[1])
""", V3)

hidden("""\
def pow(a, b):
    return a + b

def hides_pow(x, y):
    return pow(x, y) * x ** 3 + builtins.pow(x, 2)
""", A, B)

hidden("""\
isinstance = type = getattr = hasattr = None

def hides_questions(x, y):
    def mixed(v):
        return v * y
    return mixed(x) * np.where(x > 0.0, x, y)
""", A, B)

hidden("""\
bool = slice = iter = next = any = all = map = filter = sorted = str = print = set = id = None

def hides_many(m, v):
    rows = m[:, 1:] * v
    y = rows[0] @ rows[1]
    if y > -9.0 and v[0] > 0.0:
        y = y * v[-1]
    return y + m[1].sum() * v[0]
""", M23, V2)

hidden("""\
rt = helpers = seed = _stack = d = b = 1.5

def globals_of_generated_names(x):
    bx = rt * x
    for k in range(2):
        bx = bx * seed + helpers * x * x
    return bx * _stack + d * b
""", A)

hidden("""\
def df_dx(x):
    return 100.0 * x

def bf(x):
    return df_dx(x) * 0.01 * x

def _bf_fwd(x):
    return x + 7.0

def _bf_bwd(residuals, x):
    return x * 55.0

def f(x):
    return bf(x) * _bf_fwd(x) + _bf_bwd(None, x)
""", A, name="functions_of_generated_names")

hidden("""\
def grow(x, n):
    for _ in range(n):
        x = x * 1.1 + 0.2
    return x

_grow_fwd = _grow_bwd = _grow_tan = 3.0

def pair_names_taken(x):
    return grow(x, 2) * grow(x * x, 3) * _grow_fwd + _grow_tan * _grow_bwd
""", A)

"""What is not differentiated is refused: with place, caret, reason and remedy, all at once, never with a number."""
from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import fresh, sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

V = np.array([1.0, 2.0, 3.0])


@dataclass(frozen=True)
class Case:
    """A text that defines `f`. line: of the refused place, 0 where there is none (found when called, or the whole
    function); says: a pattern that the message must hold."""

    name: str
    text: str
    line: int
    says: str
    args: tuple[Any, ...] = (2.0,)


CASES = [
    # ------------------------------------------------------------ calls that change an array in place
    Case("multiply_at", "def f(x):\n    y = x * 1.0\n    np.multiply.at(y, [0, 0], x[:2])\n    return np.sum(y)\n", 3,
         "multiply.at", (V,)),
    Case("shuffle", "def f(x):\n    y = x * 1.0\n    np.random.shuffle(y)\n    return np.sum(y)\n", 3, "random|no rule",
         (V,)),
    Case("resize", "def f(x):\n    y = x * 1.0\n    y.resize((3, 1), refcheck=False)\n    return np.sum(y)\n", 3,
         "resize", (V,)),
    Case("out_to_a_copy", "def f(x):\n    y = x * 1.0\n    np.add(x[[0, 1]], 1.0, out=y[[0, 1]])\n"
         "    return np.sum(y)\n", 3, "writes into an array", (V,)),
    Case("out_of_two", "def f(x):\n    y = x * 1.0\n    np.modf(x, out=(y, None))\n    return np.sum(y)\n", 3,
         "writes into an array", (V,)),
    Case("out_constant_in_a_dict", "def f(x, k='a'):\n    d = {'a': np.zeros(3)}\n    np.add(1.0, 2.0, out=d[k])\n"
         "    return np.sum(d['a'] * x)\n", 3, "writes into an array", (V,)),
    Case("out_narrow_sum", "def f(x):\n    y = np.zeros(3, np.float32)\n    np.cumsum(x, out=y)\n"
         "    return np.sum(y)\n", 0, "does not fit", (V,)),
    Case("out_shape", "def f(x):\n    y = np.zeros((2, 3))\n    np.dot(x, 2.0, out=y)\n    return np.sum(y)\n", 0,
         "have to fit", (V,)),
    Case("out_leading_axis", "def f(x):\n    y = np.zeros(3)\n    np.add(x[None], 1.0, out=y)\n    return np.sum(y)\n",
         0, "have to fit", (V,)),
    Case("out_integers", "def f(x):\n    i = np.zeros(3, int)\n    np.divide(2, 1, out=i)\n    return np.sum(x[i])\n",
         0, "does not fit", (V,)),
    Case("out_of_a_list",
         "def f(x):\n    y = [0.0, 0.0, 0.0] * (x[0] > 0)\n    np.add(x, 1.0, out=y)\n    return y[0]\n", 3, "", (V,)),
    Case("copyto_integers", "def f(x):\n    i = np.zeros(3, int)\n    np.copyto(i, np.ones(3))\n"
         "    return np.sum(x[i])\n", 0, "does not fit", (V,)),
    Case("copyto_mask", "def f(x):\n    y = x * 1.0\n    np.copyto(y, 2.0, where=np.array([1, 0, 1]))\n"
         "    return np.sum(y)\n", 0, "truth values", (V,)),
    Case("put_cycles", "def f(x):\n    y = np.zeros(3)\n    np.put(y, [0, 1, 2], x[:2])\n    return np.sum(y)\n", 0,
         "repeat", (V,)),
    Case("put_mask", "def f(x):\n    y = np.zeros(3)\n    np.put(y, x > 1.5, 2.0)\n    return np.sum(y * x)\n", 0,
         "integers", (V,)),
    Case("putmask_cycles", "def f(x):\n    y = np.outer(x, x)\n    np.putmask(y, y > 2.0, x[:2])\n"
         "    return np.sum(y)\n", 0, "repeat", (V,)),
    Case("fill_with_array", "def f(x):\n    y = np.zeros(3)\n    y.fill(x[:1])\n    return np.sum(y)\n", 0,
         "one number", (V,)),
    Case("fill_of_no_array",
         "class Box:\n    def fill(self, v): self.v = v\nbox = [Box()]\ndef f(x):\n    b = box[0]\n    b.fill(2.0)\n"
         "    return np.sum(x) * b.v\n", 0, "may hold b too|is a Box", (V,)),
    Case("nan_to_num_in_place", "def f(x):\n    c = np.array([1.0, np.nan, 2.0])\n    np.nan_to_num(c, copy=False)\n"
         "    return np.sum(c * x)\n", 3, "writes into an array", (V,)),
    Case("sort_along_what", "def f(x):\n    y = x * 1.0\n    y.sort(axis=y.ndim - 1)\n    return np.sum(y)\n", 3,
         "sort", (V,)),
    Case("hypot_of_a_star", "import math\ndef f(x):\n    return math.hypot(*x)\n", 3, "argument has a star", (V,)),
    # ------------------------------------------------------------ statements
    Case("async_def", "async def f(x):\n    return x * x\n", 0, "async|coroutine"),
    Case("await", "async def f(x):\n    y = await x\n    return y * x\n", 0, "async|coroutine|await"),
    Case("generator", "def f(x):\n    yield x * x\n", 0, "generator|yield"),
    Case("yield_from", "def f(x):\n    yield from [x, x * x]\n", 0, "generator|yield"),
    Case("global_write", "G = 0.0\ndef f(x):\n    global G\n    G = x * x\n    return G * x\n", 3, "global"),
    Case("nonlocal_write", "def make():\n    k = 0.0\n    def f(x):\n        nonlocal k\n        k = x * x\n"
         "        return k * x\n    return f\nf = make()\n", 4, "nonlocal"),
    Case("try_star", "def f(x):\n    try:\n        y = x * x\n    except* ValueError:\n        y = x\n    return y\n",
         4, "except"),
    Case("try_half_done",
         "def f(x):\n    y = x\n    try:\n        while abs(y) < 9:\n            y = y * int('2') * y\n"
         "    except ValueError:\n        y = y * x\n    return y\n", 4, "try"),
    Case("finally_returns", "def f(x):\n    try:\n        y = x * x\n    finally:\n        return x\n", 5, "finally"),
    Case("with_active", "def f(x):\n    with np.errstate(divide=x):\n        y = x * x\n    return y\n", 2, "with"),
    Case("class", "def f(x):\n    class Box:\n        v = 2.0\n    return x * x * Box.v\n", 2, "class"),
    Case("attribute_assignment", "class Box: pass\nbox = Box()\ndef f(x, others=(box,)):\n    box.v = x * x\n"
         "    for one in others:\n        x = x * one.v\n    return x\n", 4, "attribute"),
    Case("items_in_turn",
         "import itertools\ndef f(x):\n    k = s = x\n    for a in itertools.chain((v * k for v in (x, 2.0)), [x]):\n"
         "        k = k + 1.0\n        s = s + a\n    return s\n", 4, "one by one"),
    Case("items_that_print", "import itertools\ndef g(v):\n    print(v)\n    return v * v\ndef f(x):\n    s = x\n"
         "    for a in itertools.accumulate(g(v) for v in (x, 2.0)):\n        s = s + a\n    return s\n", 7,
         "one by one"),
    Case("items_that_may_fail", "import itertools\nimport math\ndef f(x):\n    s = x\n"
         "    for a in itertools.chain((math.log(v) for v in (x, -1.0)), [x]):\n"
         "        s = s + a\n        if s > 0:\n            break\n    return s\n", 5, "might raise"),
    Case("iterator_in_parts",
         "def f(x):\n    g = (i * i for i in range(5))\n    s = x\n    for j in g:\n        s = s * j + x\n"
         "        if j > 1:\n            break\n    return s + sum(g) * x\n", 4, "iterator"),
    Case("alias_by_get", "def f(x):\n    d = {'k': [x]}\n"
         "    a = d.get('k', [])\n    a.append(x * x)\n    return d['k'][-1]\n", 4, "changed in place"),
    Case("alias_by_max", "def f(x):\n    a = [x, 1.0]\n    b = [x, 2.0]\n    c = max(a, b)\n    c.append(x * x)\n"
         "    return a[-1] * b[-1]\n", 5, "changed in place"),
    Case("row_that_is_a_view",
         "import numpy as np\ndef f(x):\n    c = np.ones((2, 2)) * x\n    rows = list(c)\n    rows[0][1] = x * x\n"
         "    return np.sum(c)\n", 0, "an item of an array"),
    Case("updated_with_pairs",
         "def f(x):\n    d = {'a': x}\n    d.update([('b', x * x)])\n    return d['a'] * d['b']\n", 0, "pairs"),
    # ------------------------------------------------------------ expressions
    Case("stored_in_integers_of_an_argument", "import numpy as np\ndef f(x, n):\n    p = np.zeros_like(n)\n"
         "    p[0] = x * 2.0\n    return p[0] * x\n", 0, "array of int", (2.0, np.array([1, 2]))),
    Case("number_from_text", "def f(x):\n    t = f'{x}'\n    return float(t) * 2\n", 3, "text"),
    Case("number_from_str", "def f(x):\n    t = [str(x)]\n    u = t[0]\n    return x * float(u)\n", 4, "text"),
    Case("number_from_repr", "import numpy as np\ndef f(x):\n    return np.float64(repr(x)) * x\n", 3, "text"),
    Case("number_from_text_in_a_callee", "def g(t):\n    return float(t)\ndef f(x):\n    return g(str(x)) * x\n", 4,
         "text"),
    Case("set_comprehension", "def f(x):\n    d = {x * i for i in range(3)}\n    return x * len(d)\n", 2, "set"),
    Case("active_key_read", "def f(x):\n    d = {2.0: x}\n    return d[x] * x\n", 3, "key"),
    Case("active_key_of_a_comprehension", "def f(x):\n    d = {x * i: i for i in range(3)}\n    return x * sum(d)\n", 2,
         "key"),
    Case("active_key_stored",
         "def f(x):\n    d = {}\n    d[x] = 1.0\n    for k in d:\n        x = x * k\n    return x\n", 3, "key"),
    Case("del_of_a_part", "def f(x):\n    y = [x, x * x]\n    z = y\n    del y[0]\n    return z[0]\n", 4, "del"),
    Case("double_starred_call", "import numpy as np\ndef f(x):\n    d = {'x1': x, 'x2': x}\n"
         "    d.update(x1=x * x)\n    return np.hypot(**d)\n", 5, r"star|\*\*|keyword"),
    # ------------------------------------------------------------ writes that are not to a fresh local array
    Case("write_broadcast_view", "def f(x):\n    y = x * 1.0\n    v = np.broadcast_to(y, (2, 3))\n    y[1] = 5.0\n"
         "    return np.sum(v * v)\n", 4, "view|alias|part", (V,)),
    Case("write_contiguous_argument", "def f(x):\n    y = np.ascontiguousarray(x)\n    y[0] = 5.0\n"
         "    return np.sum(y * x)\n", 3, "alias|argument|caller|fresh|view", (V,)),
    Case("write_real_of_argument", "def f(x):\n    y = np.real(x)\n    y[0] = 5.0\n    return np.sum(y * x)\n", 3,
         "alias|argument|caller|fresh|view", (V,)),
    Case("write_global", "G = np.zeros(3)\ndef f(x):\n    G[0] = x * x\n    return np.sum(G * x)\n", 3,
         "global|fresh|local|G"),
    # ------------------------------------------------------------ calls
    Case("opaque_call", "import statistics\ndef f(x):\n    return statistics.mean([x, x * x])\n", 3, "mean|rule"),
    Case("unknown_numpy", "def f(x):\n    return np.real_if_close(x) * 1.0\n", 2, "real_if_close"),
    Case("unknown_method", "def f(x):\n    return x.getfield(float)[0] * np.sum(x)\n", 2, "getfield", (V,)),
    Case("random_of_active", "rng = np.random.default_rng(0)\ndef f(x):\n    return rng.normal(x) * x\n"
         "", 3, "normal|rule"),
    Case("bytes_hide", "def f(x):\n    return x.byteswap()[0] * x[1]\n", 2, "byteswap", (V,)),
    # ------------------------------------------------------------ iterators
    Case("iterator_in_two_places", "def f(x):\n    it = iter(x)\n    return sum(a * b for a, b in zip(it, it))\n", 2,
         "iter|next", (V,)),
    Case("iterator_of_a_list_that_grows", "def f(x):\n    L = [x[0]]\n    it = iter(L)\n    L.append(x[1])\n"
         "    return next(it) * next(it)\n", 3, "iter|next", (V,)),
    Case("generator_bound_by_a_walrus",
         "def f(x):\n    for v in (g := (a * a for a in x)): break\n    return v + sum(g)\n", 2, "generator", (V,)),
    Case("endless_iterator", "import itertools\ndef f(x):\n    return sum(itertools.cycle(x))\n", 3, "for ever", (V,)),
    Case("loop_over_a_chain_that_grows",
         "import itertools\ndef f(x):\n    L = [x[0]]\n    s = 0.0\n    for v in itertools.chain(L, [x[1]]):\n"
         "        s = s + v\n        if len(L) < 3: L.append(v)\n    return s\n", 5, "changes it", (V,)),
    Case("product_of_what_changes",
         "import itertools\ndef f(x):\n    y = x * 1.0\n    s = 0.0\n    for a, b in itertools.product(y, y):\n"
         "        y[0] = y[0] * 2.0\n        s = s + a * b\n    return s\n", 5, "changes it", (V,)),
    Case("combinations_of_unknown_size", "import itertools\ndef f(x, n=2):\n"
         "    return sum(a for a, *_ in itertools.combinations(x, n))\n", 3, "how many", (V,)),
    Case("array_of_a_generator", "def f(x):\n    return np.sum(np.array(v * v for v in x))\n", 2, "generator", (V,)),
    # ------------------------------------------------------------ dicts, sets, deques that something else holds
    Case("pop_of_a_dict_with_two_names",
         "def f(x):\n    d = {'a': x}\n    e = d\n    d.pop('a')\n    return x * len(e)\n", 4, "pop"),
    Case("pop_of_a_dict_in_a_closure", "def f(x):\n    d = {'a': x}\n    def g(): return len(d)\n    d.pop('a')\n"
         "    return x * g()\n", 4, "pop"),
    Case("pop_in_a_loop_over_the_dict",
         "def f(x):\n    d = {'a': x, 'b': x}\n    for k in d: d.pop('b', None)\n    return d['a']\n", 3, "pop"),
    Case("set_with_two_names", "def f(x):\n    a = set()\n    b = a\n    a.add(3)\n    return x * len(b)\n", 4,
         "change"),
    Case("deque_with_two_names", "import collections\ndef f(x):\n    q = collections.deque()\n    p = q\n"
         "    q.append(x)\n    return p[0]\n", 5, "changed in place|deque"),
    Case("or_pattern_with_a_guard", "def f(x):\n    match (x, x * x):\n"
         "        case (a, _) | (_, a) if a < 1.0: return a\n    return x\n", 2, "pattern"),
    Case("number_of_a_formatted_text", "def f(x):\n    return x * float('{:.3f}'.format(x))\n", 2, "text"),
    Case("flat_written", "def f(x):\n    m = np.outer(x, x)\n    m.flat[2] = 7.0\n    return np.sum(m * m)\n", 3,
         "flat", (V,)),
    Case("shuffled", "def f(x):\n    rng = np.random.default_rng(0)\n    a = rng.normal(size=3)\n    rng.shuffle(a)\n"
         "    return np.sum(x * a)\n", 4, "change", (V,)),
    # ------------------------------------------------------------ calls that hide
    Case("eval", "def f(x):\n    return eval('x * x') * x\n", 2, "eval"),
    Case("exec", "def f(x):\n    exec('y = 1')\n    return x * x\n", 2, "exec"),
    Case("callee_with_refusal", "def h(x):\n    try:\n        return x * x\n    finally:\n        return x\n"
         "def f(x):\n    return h(x) * x\n", 5, "finally"),
    # ------------------------------------------------------------ signature and result
    Case("no_return", "def f(x):\n    y = x * x\n", 0, "return"),
    Case("returns_none", "def f(x):\n    y = x * x\n    return None\n", 0, "None|return"),
    Case("falls_off_the_end", "def f(x):\n    if x > 5.0:\n        return x * x\n", 0, "None|return"),
    Case("function_of_a_later_value",
         "def f(x):\n    n = 3\n    fs = [lambda t: t * n]\n    n = 5\n    return fs[0](x)\n", 3, "later"),
    Case("function_of_a_later_active_value",
         "def f(x):\n    fs = [lambda t: t * x]\n    x = x * x\n    return fs[0](x)\n", 2, "later"),
    Case("functions_of_a_loop", "def f(x):\n    fs = [lambda t: t * x * k for k in (1.0, 2.0)]\n    return fs[0](x)\n",
         2, "later"),
    Case("function_of_a_changed_dict", "def f(x):\n    p = {'w': x}\n    fs = [lambda t: t * p['w']]\n"
         "    p['w'] = 2.0 * x\n    return fs[0](x)\n", 3, "later"),
    Case("function_before_its_variable", "def f(x):\n    fs = [lambda t: t * k]\n    k = x * x\n    return fs[0](x)\n",
         2, "later"),
    Case("default_of_its_own_name", "def f(x):\n    fs = []\n    for k in range(2):\n"
         "        fs.append(lambda t, x=x: t * x * k)\n    return fs[0](x)\n", 4, "later"),
    Case("partial_of_an_unknown_function", "from functools import partial\ndef f(x):\n"
         "    fs = [lambda a, b: a * b * x]\n    return partial(fs[0], 3.0)(2.0)\n", 4, "partial"),
    Case("default_given_by_position", "def f(x):\n    fs = [lambda t, c=x: t * c]\n    return fs[0](x, 3.0 * x)\n", 0,
         "by position"),
    Case("cached_with_a_later_value",
         "import functools\ndef f(x):\n    k = 2\n    @functools.cache\n    def g(t):\n        return t * x * k\n"
         "    y = g(x)\n    k = 3\n    return y + g(x)\n", 4, "cache"),
    Case("vector_output", "def f(x):\n    return x * 2.0\n", 0, "scalar|vjp|jacobian", (V,)),
    Case("vector_output_of_one", "def f(x):\n    return x[:1] * 2.0\n", 0, "scalar|vjp|jacobian", (V,)),
    Case("tuple_output", "def f(x):\n    return x * 2.0, x\n", 0, "scalar|vjp|jacobian|tuple"),
    Case("bool_output", "def f(x):\n    return x > 0\n", 0, "bool|float|differentia"),
    Case("int_output", "def f(x):\n    return int(x)\n", 0, "int|float|differentia"),
    Case("argmax_output", "def f(x):\n    return np.argmax(x)\n", 0, "int|float|differentia", (V,)),
    Case("string_output", "def f(x):\n    return 'a' * int(x)\n", 0, "str|float|number|differentia"),
    # ------------------------------------------------------------ arguments
    Case("integer_array", "def f(x):\n    return np.sum(x * x)\n"
         "", 0, "int.*astype|astype.*int|float", (np.array([1, 2, 3]),)),
    Case("bool_array", "def f(x):\n    return np.sum(x * 2.0)\n", 0, "bool", (np.array([True, False]),)),
    Case("complex_array", "def f(x):\n    return np.sum(np.abs(x))\n", 0, "complex", (np.array([1.0 + 2.0j]),)),
    Case("complex_number", "def f(x):\n    return abs(x * x)\n", 0, "complex", (1.0 + 2.0j,)),
    Case("object_array", "def f(x):\n    return np.sum(x)\n", 0, "object", (np.array([1.0, 2.0], object),)),
    Case("string_argument", "def f(x):\n    return 2.0 * len(x)\n", 0, "str", ("abc",)),
    Case("none_argument", "def f(x):\n    if x is None:\n        return 1.0\n    return x * x\n", 0, "None", (None,)),
]
NO_REMEDY = {"no_return"}


def define(case: Case) -> Callable[..., Any]:
    return sourced(case.text)["f"]


def refusal(case: Case, derive: Callable[[Callable[..., Any]], Any], *more: Any) -> str:
    """The message; a failure where a number came back, or any other error."""
    function = define(case)
    args = tuple(fresh(a) for a in case.args)
    with np.errstate(all="ignore"):
        with pytest.raises(TangentError) as caught:
            answer = derive(function)(*args, *more)
            raise AssertionError(f"answered {answer!r}")
    return str(caught.value)


def has_place(message: str, line: int) -> bool:
    """A line number, and a line of carets under a line of source."""
    return bool(re.search(rf"\bline {line}\b", message)) and bool(re.search(r"^\s*\^+\s*$", message, re.M))


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_refused_in_reverse(case: Case) -> None:
    message = refusal(case, tnb.grad)
    assert re.search(case.says, message, re.I), message
    if case.line:
        assert has_place(message, case.line), message
    assert case.name in NO_REMEDY or len(message.splitlines()) > 1 or ": " in message, "a remedy is due: " + message


@pytest.mark.parametrize("case", [c for c in CASES if c.line], ids=lambda c: c.name)
def test_refused_in_forward(case: Case) -> None:
    """The fence is the same in forward mode."""
    message = refusal(case, tnb.jvp, *[fresh(a) for a in case.args[:1]])
    assert re.search(case.says, message, re.I) and has_place(message, case.line), message


@pytest.mark.parametrize("case", [c for c in CASES if c.line], ids=lambda c: c.name)
def test_every_place_has_reason_and_remedy(case: Case) -> None:
    """Each place: its file or cell, line, column, source line, carets under the expression, why, and what instead."""
    message = refusal(case, tnb.grad)
    lines = message.splitlines()
    at = next(i for i, text in enumerate(lines) if re.search(rf"\bline {case.line}\b", text))
    source = case.text.splitlines()[case.line - 1].strip()
    assert lines[at + 1].strip() == source, message
    carets = lines[at + 2]
    assert set(carets.strip()) == {"^"} and len(carets.rstrip()) <= len(lines[at + 1].rstrip()), message
    assert re.match(r"\s*why: \S+", lines[at + 3]), message
    assert re.search(r"^\s*instead: \S+", "\n".join(lines[at + 3:]), re.M), message


def test_all_refusals_at_once() -> None:
    """One attempt lists every place, in the order of the text."""
    scope = sourced(
        "import statistics\n"
        "def f(x):\n"
        "    a = {x * i for i in range(3)}\n"
        "    h = [lambda t: t * x * i for i in range(3)]\n"
        "    with open(x) as handle:\n"
        "        y = x\n"
        "    try:\n"
        "        y = x * x\n"
        "    finally:\n"
        "        return y\n"
        "    z = statistics.mean([x, y])\n"
        "    return y * z\n")
    with pytest.raises(TangentError) as caught:
        tnb.grad(scope["f"])(2.0)
    message = str(caught.value)
    for line, word in ((3, "set"), (4, "lambda"), (5, "with"), (10, "finally"), (11, "mean")):
        assert has_place(message, line) and word in message, message
    places = [int(n) for n in re.findall(r"\bline (\d+)", message)]
    assert places == sorted(places)
    assert len(caught.value.refusals) >= 5


def test_refusals_of_callees_are_listed_too() -> None:
    scope = sourced("def h(x):\n    del x[0]\n    return x\ndef f(x):\n    y = [lambda: y * x]\n    return h(x)\n")
    with pytest.raises(TangentError) as caught:
        tnb.grad(scope["f"])(2.0)
    assert "lambda" in str(caught.value) and "del" in str(caught.value)


# ------------------------------------------------------------------ wrt
PLAIN = "def f(x, y=2.0, *, z=3.0):\n    return x * y * z\n"


@pytest.mark.parametrize("wrt", [3, -4, "q", (0, 7), ("x", "nope"), (0, 0), ("x", 0), (), None, 1.5, True, [[0]]],
                         ids=repr)
def test_wrt_is_checked(wrt: Any) -> None:
    """Out of range, unknown, twice, none, or of a wrong type."""
    for derive in (tnb.grad, tnb.vjp, tnb.jvp, tnb.value_and_grad):
        with pytest.raises(TangentError) as caught:
            derive(sourced(PLAIN)["f"], wrt=wrt)
        if wrt in (3, "q", (0, 7)):
            assert all(name in str(caught.value) for name in ("x", "y")), "the message names what there is"


def test_wrt_by_keyword_only_name() -> None:
    assert tnb.grad(sourced(PLAIN)["f"], wrt="z")(2.0) == 4.0


# ------------------------------------------------------------------ calls of derivatives
def test_a_seed_of_another_shape() -> None:
    scope = sourced("def f(x):\n    return x * x\ndef g(x):\n    return x, x * x\n")
    x = np.array([1.0, 2.0, 3.0])
    for seed in (np.ones(2), np.ones((3, 1)), np.ones((2, 3)), 1.0, (np.ones(3),), None, "one"):
        with pytest.raises(TangentError):
            tnb.vjp(scope["f"])(x, seed)
        with pytest.raises(TangentError):
            tnb.pullback(scope["f"], x)[1](seed)
    for seed in (np.ones(3), (np.ones(3),), (np.ones(3), np.ones(2)), 1.0):
        with pytest.raises(TangentError):
            tnb.vjp(scope["g"])(x, seed)


def test_a_tangent_of_another_shape() -> None:
    scope = sourced("def f(x):\n    return np.sum(x * x)\n")
    for tangent in (np.ones(2), np.ones((3, 1)), np.ones((2, 3)), 1.0, "one", None):
        with pytest.raises(TangentError):
            tnb.jvp(scope["f"])(np.array([1.0, 2.0, 3.0]), tangent)


def test_forward_grad_names_jvp() -> None:
    scope = sourced("def f(x):\n    return x * x\n")
    with pytest.raises(TangentError, match="jvp|jacobian"):
        tnb.autodiff(scope["f"], mode="sideways")


@pytest.mark.parametrize("thing", [3.0, "f", None, np.ones(3), object(), len, int, [].append, "abc".upper],
                         ids=lambda t: type(t).__name__)
def test_not_a_function(thing: Any) -> None:
    with pytest.raises(TangentError):
        tnb.grad(thing)


def test_missing_source() -> None:
    scope: dict[str, Any] = {}
    exec("def f(x):\n    return x * x\n", scope)
    with pytest.raises(TangentError, match="source|text"):
        tnb.grad(scope["f"])
    with pytest.raises(TangentError, match="source|text"):
        tnb.grad(eval("lambda x: x * x"))


def test_unknown_pass_and_option() -> None:
    scope = sourced("def f(x):\n    return x * x\n")
    with pytest.raises(TangentError):
        tnb.grad(scope["f"], optimized=("no_such_pass",))
    with pytest.raises(TangentError):
        tnb.grad(scope["f"], backend="abacus")


def test_inserted_code_is_refused_in_forward_mode() -> None:
    scope = sourced("def f(x):\n    y = x * x\n    with insert_grad_of(y) as dy:\n        dy = dy * 0.5\n"
                    "    return y\n",
                    {"insert_grad_of": tnb.insert_grad_of})
    assert tnb.grad(scope["f"])(3.0) == 3.0
    with pytest.raises(TangentError) as caught:
        tnb.jvp(scope["f"])(3.0, 1.0)
    assert has_place(str(caught.value), 3)


# ------------------------------------------------------------------ only values can tell
def test_what_is_called_may_be_an_array() -> None:
    f = sourced("def f(x): return np.sum(V(x))\n", {"np": np, "V": np.arange(3.0)})["f"]
    with pytest.raises(TangentError, match="that is called has no derivative rule"):
        tnb.grad(f)


def test_an_unbound_name_is_the_users_error() -> None:
    """UnboundLocalError as Python raises it, or a refusal; never a number."""
    for text in ("def f(x, n):\n    if n > 5:\n        y = x * x\n    return y\n",
                 "def f(x, n):\n    for i in range(n - 1):\n        y = x * i\n    return y\n"):
        function = sourced(text)["f"]
        with pytest.raises((TangentError, NameError)):
            tnb.grad(function)(2.0, 1)


def test_a_refused_call_changes_nothing() -> None:
    """What is refused when it is called has written nothing before."""
    for text in ("def f(x, y):\n    x[0] = 5.0\n    return np.sum(x * y)\n",
                 "def f(x, y):\n    x += 1.0\n    return np.sum(x) + y[0]\n"):
        x = np.array([1.0, 2.0, 3.0])
        with pytest.raises(TangentError, match="shares its memory"):
            tnb.grad(sourced(text)["f"])(x, x[1:])
        assert np.array_equal(x, [1.0, 2.0, 3.0])


@pytest.mark.parametrize("value", ["M.w", "[M.w]"])
def test_an_argument_that_a_class_holds_is_not_changed(value: str) -> None:
    """Its attribute is read where the argument has changed."""
    text = (f"class M:\n    w = np.ones(3)\n    n = 2\nM.v = {value}\ndef f(x):\n    x[0] = 5.0 * x[1] * M.n\n"
            "    return np.sum(M.v * x)\n")
    space = sourced(text, {"np": np})
    for derive in (tnb.grad, tnb.jvp):
        with pytest.raises(TangentError, match="M.v shares its memory"):
            derive(space["f"])(space["M"].w, *([np.ones(3)] if derive is tnb.jvp else []))
    assert np.array_equal(tnb.grad(space["f"])(np.ones(3)), [0.0, 11.0, 1.0])


@pytest.mark.parametrize("text", [
    "def f(x):\n    s = f'{x} and {x * x!r}'\n    return x * x * len(s) / len(s)\n",
    "def f(x):\n    print(f'{x:.3f}', end='')\n    return x * x\n",
    "def f(x):\n    if x > 99:\n        raise ValueError(f'too big: {x}')\n    return x * x\n",
    "def f(x):\n    t = [i * 2 for i in range(3)]\n    return x * x * t[1] / 2\n",
], ids=["string", "print", "raise", "inactive comprehension"])
def test_inactive_text_is_right_or_refused(text: str) -> None:
    """f-strings in what carries no derivative; an inactive comprehension may be refused."""
    try:
        assert tnb.grad(sourced(text)["f"])(3.0) == 6.0
    except TangentError:
        assert "comprehension" in text or " for i in " in text, "an f-string in inactive code is accepted"


CLASSES = """from dataclasses import dataclass
class P:
    def __init__(self, a): self.a = a
class S(P):
    def __add__(self, o):
        if o.a > 1.0:
            return NotImplemented
        return P(self.a + o.a)
@dataclass
class D:
    a: float
    b: float = 2.0
class E(D):
    pass
"""


@dataclass
class Above:
    """Holds a number."""

    a: float
    k = 3.0


@dataclass
class Below(Above):
    """Reads what its class has from above."""

    def part(self) -> float:
        return super().k * self.a


@pytest.mark.parametrize("text, why", [
    ("def f(x):\n    p = P(x)\n    p.__class__ = S\n    return p.a\n", None),
    ("def f(x):\n    d = D(x)\n    d.__class__ = E\n    e = {'d': d}\n    return e['d'].a\n", None),
    ("def f(x):\n    p = S(x) + P(x * x)\n    return p.a\n", "used as a value"),
], ids=["class exchanged", "class of a value exchanged", "NotImplemented in the end"])
def test_objects_that_are_more_than_they_hold(text: str, why: str | None) -> None:
    with pytest.raises(TangentError, match=why):
        tnb.grad(sourced(CLASSES + text, {"__name__": __name__})["f"])(0.7)


@pytest.mark.parametrize("text, change", [
    ("def f(x):\n    d = {'d': D(x, x * x)}\n    return d['d'].a * x\n",
     "@dataclass\nclass D:\n    b: float\n    a: float = 2.0\n"),
    ("def f(x):\n    s = S(x)\n    return s.a * (3.0 if isinstance(s, P) else 1.0)\n", "class P: pass\n"),
    ("def f(x):\n    match D(x, x * x):\n        case D(a, b): return a * b * b\n", "D.__match_args__ = ('b', 'a')\n"),
], ids=["fields in another order", "class that is asked for", "order of a pattern"])
def test_a_class_defined_anew_is_noticed(text: str, change: str) -> None:
    scope = sourced(CLASSES + text, {"__name__": __name__})
    derivative = tnb.grad(scope["f"])
    derivative(0.7)
    exec(change, scope)
    plain = (scope["f"](0.7 + 1e-6) - scope["f"](0.7 - 1e-6)) / 2e-6
    try:
        assert abs(derivative(0.7) - plain) < 1e-6
    except TangentError as error:
        assert "defined anew" in str(error)


def test_super_is_refused_in_what_an_object_is_asked_for_when_called() -> None:
    def f(x: float) -> float:
        held = {"e": Below(x)}
        return held["e"].part()
    with pytest.raises(TangentError, match=r"super\(\)"):
        tnb.grad(f)(0.7)


def test_an_array_before_an_object_calls_its_method_for_each_item() -> None:
    scope = sourced("import numpy as np\nclass S:\n    def __init__(self, v): self.v = v\n"
                    "    def __rmul__(self, o): return np.sum(o) ** 2 * self.v\ndef f(x, w): return np.sum(x * S(w))\n")
    assert tnb.grad(scope["f"])(3.0, 2.0) == 12.0
    with pytest.raises(TangentError, match="for each item"):
        tnb.grad(scope["f"])(V, 2.0)


def test_the_greater_of_two_objects_has_no_tangent() -> None:
    scope = sourced(CLASSES.replace("@dataclass", "@dataclass(order=True)")
                    + "def f(x): return max(D(x, x * x), D(x * x, x)).b\n", {"__name__": __name__})
    for call in (lambda: tnb.grad(scope["f"])(0.7), lambda: tnb.jvp(scope["f"])(0.7, 1.0)):
        with pytest.raises(TangentError, match="arithmetic on a D"):
            call()


def test_a_method_of_another_cell_is_shown_there() -> None:
    """Its body stands in the place of the call, and its places are those of its own text."""
    scope = sourced("class P:\n    def __init__(self, a):\n        self.a = a\n    def total(self, d):\n"
                    "        values = d.values()\n"
                    "        return self.a * sum(values)\n    def low(self):\n"
                    "        return np.real_if_close(self.a)\n", {"np": np, "__name__": __name__})
    sourced("# a comment\ndef f(x):\n    return P(x).total({'a': x})\ndef g(x):\n    return P(x).low()\n"
            "def h(x):\n    return P(x).total()\n", scope)
    for name, where in (("f", "line 5, column 18\n    values = d.values()\n             ^^^^^^^^^^\n"), (
            "g", "line 8, column 16\n    return np.real_if_close(self.a)\n           ^^^^^^^^^^^^^^^^^^^^^^^^\n"),
                        ("h", "line 7, column 12\n    return P(x).total()\n           ^^^^^^^^^^^^\n")):
        with pytest.raises(TangentError) as caught:
            tnb.grad(scope[name])
        assert where in str(caught.value)


@pytest.mark.parametrize("call", ["pile.append(*each)", "keep = lambda *some: pile.append(*some)\n    keep(each[0])",
                                  "piles[0].append(*each)"])
@pytest.mark.parametrize("optimized", [True, False])
def test_a_star_in_the_call_that_grows_a_list(call: str, optimized: bool) -> None:
    """How many items it holds is not known: it was taken for the one that is appended,
    and the text had a star where none can be. What the star of a lambda takes stands by name."""
    scope = sourced(f"rows = [(3.0,)]\ndef f(x):\n    each = rows[0]\n"
                    f"    pile = [x * 2.0]\n    piles = [pile]\n    {call}\n"
                    "    return pile[0] * pile[-1]\n")
    for derive in (tnb.grad, tnb.jvp):
        with pytest.raises(TangentError, match="may hold it too" if "lambda" in call else "has a star"):
            derive(scope["f"], optimized=optimized)

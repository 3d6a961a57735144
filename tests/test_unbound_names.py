"""Names that are not bound where they are read: what Python raises, and what handlers then do, in each mode.

Each program is judged in seven modes, with each n: the derivative against differences, an exception by its kind and its
words. A refusal is as good as the right answer, unless the program is one of those that are derived for certain.
"""
from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

LOOPS = {
    "empty_loop": "for i in range(n):\n    y = x * x\nreturn y",
    "empty_loop_twice": "for i in range(n):\n    y = x * x\nz = y * x\nreturn y * z",
    "caught": "for i in range(n):\n    y = x\ntry:\n    L = [y, x]\nexcept NameError:\n    L = [x * x, x * x]\n"
              "return L[1] * 3.0",
    "caught_literal": "for i in range(0):\n    y = x\ntry:\n    L = [y, x]\nexcept NameError:\n"
                      "    L = [x * x, x * x]\nreturn L[1] * 3.0",
    "loop_variable": "for i in range(n):\n    pass\nreturn x * x * i",
    "loop_variable_caught": "for i in range(n):\n    pass\ntry:\n    k = i\nexcept UnboundLocalError:\n    k = 7\n"
                            "return x * x * k",
    "loop_items": "s = x\nfor v in [x] * n:\n    s = s * v\nreturn s * v",
    "overwritten": "for i in range(n):\n    y = x * i\n    y = np.sin(y)\nreturn y * y",
    "carried": "for i in range(n):\n    if i > 0:\n        y = y * x\n    else:\n        y = x\nreturn y",
    "carried_unbound": "for i in range(n):\n    if i > 1:\n        y = y * x\nreturn x * x",
    "while": "k = n\nwhile k > 0:\n    y = x * k\n    k = k - 1\nreturn y * x",
    "while_true": "k = n\nwhile True:\n    y = x * x\n    k = k - 1\n    if k < 1:\n        break\nreturn y",
    "for_else": "for i in range(n):\n    if i == 2:\n        break\nelse:\n    y = x * x\nreturn y",
    "break_before": "for i in range(3):\n    if i == n:\n        break\n    y = x * x\nreturn y * x",
    "continue_over": "for i in range(3):\n    if i < n:\n        continue\n    y = x * i\nreturn y * x",
    "augmented": "for i in range(n):\n    k = 1.0\nk += x\nreturn k * k",
    "augmented_caught": "for i in range(n):\n    k = 1.0\ntry:\n    k += x\nexcept NameError:\n    k = x * x\n"
                        "return k * k",
    "append": "for i in range(n):\n    L = [x]\nL.append(x * x)\nreturn L[0] * L[-1]",
    "stored_in_after_the_value":
        "if n > 1:\n    A = np.zeros(2)\ntry:\n    A[0] = {'k': 2.0}['q' if n > 0 else 'k'] * x\n"
        "except KeyError:\n    return x * 3.0\nexcept NameError:\n    return x * 5.0\nreturn x * A[0]",
    "stored_in_before_the_index":
        "if n > 1:\n    A = np.zeros(2)\ntry:\n    A[{'k': 0}['q' if n < 2 else 'k']] = x * x\n"
        "except KeyError:\n    return x * 3.0\nexcept NameError:\n    return x * 5.0\nreturn x * A[0]",
    "stored_in_after_another":
        "B = np.zeros(2)\nif n > 1:\n    A = np.zeros(2)\ntry:\n"
        "    B[{'k': 0}['q' if n > 0 else 'k']], A[0] = x, x * x\n"
        "except KeyError:\n    return x * 3.0\nexcept NameError:\n    return x * 5.0\nreturn x * A[0]",
    "stored_in_after_the_same":
        "B = np.zeros(2)\nif n > 1:\n    A = np.zeros(2)\ntry:\n"
        "    B[{'k': 0}['q' if n > 0 else 'k']] = A[0] = x\n"
        "except KeyError:\n    return x * 3.0\nexcept NameError:\n    return x * 5.0\nreturn x * A[0]",
    "stored_in_without_a_try": ("B = np.zeros(2)\nif n > 0:\n    A = np.zeros(2)\n"
                                "B[0], A[0] = x, x * x\nreturn A[0] * B[0]"),
    "stored_in_what_else_is_unbound": "for i in range(n):\n    A[0] = w\n    A = np.ones(2)\nreturn x * x",
    "append_caught": "for i in range(n):\n    L = [x]\ntry:\n    L.append(x * x)\nexcept NameError:\n"
                     "    L = [x * x * x]\nreturn L[-1]",
    "item_set": "for i in range(n):\n    A = np.ones(2)\nA[0] = x\nreturn A[0] * A[1]",
    "in_loop_of_loop": "for i in range(n):\n    for j in range(i):\n        y = x * j\n    x = x * 2.0\nreturn x * y",
    "previous": "for i in range(3):\n    if i > n:\n        x = x * last\n    last = np.sin(x)\nreturn x * last",
    "previous_unbound": "for i in range(3):\n    if i >= n:\n        x = x * last\n    last = np.sin(x)\n"
                        "return x * last",
    "zip": "for a, b in zip([x, x][:n], [x * x, x]):\n    pass\nreturn a * b",
    "display": "for a in (x, x * x):\n    y = a * x\nreturn y * a",
    "enumerate": "for i, a in enumerate([x] * n):\n    y = a * x\nreturn y * i",
    "print": "for i in range(n):\n    last = x\nprint(last)\nreturn x * x",
    "text": "for i in range(n):\n    last = x\ns = f'{last}'\nreturn x * x * len(s[:1])",
    "unused": "for i in range(n):\n    last = x\nlast\nreturn x * x",
    "unused_assigned": "for i in range(n):\n    last = x\nt = last\nreturn x * x",
    "unused_pair": "for i in range(n):\n    last = x\nt = (last, x)\nreturn x * t[1]",
    "tested": "for i in range(n):\n    a = 0\nreturn x * x if not a else x",
    "dict": "for i in range(n):\n    q = 2.0\nd = {'a': q, 'b': x}\nreturn d['b'] * x",
    "keyword": "for i in range(n):\n    q = 2.0\nd = dict(a=q, b=x)\nreturn d['b'] * x",
    "ignored_argument": "def first(a, b):\n    return a * a\nfor i in range(n):\n    q = 2.0\nreturn first(x, q)",
    "argument": "def both(a, b):\n    return a * b\nfor i in range(n):\n    q = x\nreturn both(x, q)",
    "outer_argument": "for i in range(n):\n    q = x\nreturn outer_first(x, q)",
    "array_of": "for i in range(n):\n    q = x\nA = np.array([x, q])\nreturn A[0] * A[0]",
    "slice": "for i in range(n):\n    k = 1\nA = np.array([x, x * x])\nreturn np.sum(A[k:])",
    "starred": "for i in range(n):\n    q = [x]\nL = [x, *q]\nreturn L[0] * x",
    "none_is_a_value": "for i in range(n):\n    y = None\ntry:\n    z = y\nexcept NameError:\n    z = x * x\n"
                       "return x if z is None else z * 2.0",
}

BRANCHES = {
    "branch": "if n > 0:\n    y = x * x\nreturn y * x",
    "correlated": "if n > 0:\n    y = x * x\nz = x\nif n > 0:\n    z = y * x\nreturn z",
    "caught": "if n > 0:\n    y = x\ntry:\n    z = y\nexcept UnboundLocalError:\n    z = x * x\n"
              "return x if z is None else z * 2.0",
    "caught_by_all": "if n > 0:\n    y = x\ntry:\n    z = y * x\nexcept Exception:\n    z = x * x * x\nreturn z",
    "not_caught": "if n > 0:\n    y = x\ntry:\n    z = y * x\nexcept ValueError:\n    z = x * x * x\nreturn z",
    "finally": "if n > 0:\n    y = x\nz = x\ntry:\n    z = y * x\nexcept NameError:\n    z = x * x * x\nfinally:\n"
               "    z = z * 2.0\nreturn z",
    "try_else": "if n > 0:\n    y = x\ntry:\n    z = y\nexcept NameError:\n    w = x * x\nelse:\n    w = z * 3.0\n"
                "return w",
    "text_of_error": "if n > 0:\n    y = x\ntry:\n    z = y * x\nexcept NameError as e:\n    z = x * len(str(e))\n"
                     "return z",
    "name_of_error": "if n > 0:\n    y = x\ntry:\n    z = y * x\nexcept NameError as e:\n    z = x * len(e.name)\n"
                     "return z",
    "after_what_raises":
        "if n > 0:\n    y = x\ntry:\n    z = math.log(x - 5.0) + y\nexcept ValueError:\n    z = x * x\n"
        "except NameError:\n    z = x * 9.0\nreturn z",
    "before_what_raises":
        "if n > 0:\n    y = x\ntry:\n    z = y + math.log(x - 5.0)\nexcept ValueError:\n    z = x * x\n"
        "except NameError:\n    z = x * 9.0\nreturn z",
    "conditional": "if n > 0:\n    y = x * x\nz = y if n > 0 else x\nreturn z * x",
    "conditional_method": "if n > 0:\n    A = np.ones(2) * x\ny = A.sum() if n > 0 else x\nreturn y * x",
    "conditional_change": "if n > 0:\n    L = [x, x * x]\ny = x if n == 0 else L.pop()\nreturn y * x",
    "conditional_wrong": "if n > 0:\n    y = x * x\nz = x if n > 0 else y\nreturn z * x",
    "and": "if n > 0:\n    k = 2\nif n > 0 and k > 1:\n    x = x * x\nreturn x * 3.0",
    "and_wrong": "if n > 0:\n    k = 2\nif n < 5 and k > 1:\n    x = x * x\nreturn x * 3.0",
    "or": "if n > 0:\n    k = 2\nif n == 0 or k > 1:\n    x = x * x\nreturn x * 3.0",
    "chain": "if n > 0:\n    k = 2\nif 0 < n < k:\n    x = x * x\nreturn x * 3.0",
    "elif": "if n == 0:\n    y = x\nelif n == 1:\n    z = x * x\nelse:\n    y = z = x\nreturn y * z",
    "elif_test": "if n > 0:\n    k = 2\nif n > 5:\n    y = x\nelif k > 1:\n    y = x * x\nelse:\n    y = x\nreturn y",
    "walrus": "if n > 0 and (y := x * x) > 0.0:\n    x = y * x\nreturn y * x",
    "walrus_unused": "if n > 0 and (y := x * x) > 0.0:\n    x = y * x\nreturn x",
    "augmented": "if n > 0:\n    y = x\ny *= x\nreturn y",
    "augmented_array": "if n > 0:\n    y = np.ones(2) * x\ny *= x\nreturn np.sum(y)",
    "swap": "if n > 0:\n    a = x\nb = x * x\na, b = b, a\nreturn a * b * b",
    "object": "if n > 0:\n    b = Box(x)\nreturn b.value * x",
    "object_caught": "if n > 0:\n    b = Box(x)\ntry:\n    y = b.value\nexcept NameError:\n    y = x * x\nreturn y * x",
    "tuple": "if n > 0:\n    p = (x, x * x)\nreturn p[0] * p[1]",
    "tuple_caught": "if n > 0:\n    p = (x, x * x)\ntry:\n    a, b = p\nexcept NameError:\n    a = b = x\nreturn a * b",
    "list": "if n > 0:\n    L = [x, x * x]\nreturn L[0] * L[1]",
    "dict": "if n > 0:\n    d = {'a': x, 'b': x * x}\nreturn d['a'] * d['b']",
    "dict_caught": "if n > 0:\n    d = {'a': x, 'b': x * x}\ntry:\n    y = d['a']\nexcept NameError:\n"
                   "    y = x * x * x\nreturn y",
    "length": "if n > 0:\n    L = [x, x]\nreturn x * x * len(L)",
    "assert": "if n > 0:\n    y = x\nassert y is not None\nreturn x * x",
    "raise": "if n > 0:\n    error = ValueError('no')\ntry:\n    raise error\nexcept ValueError:\n    x = x * x\n"
             "except NameError:\n    x = x * 3.0\nreturn x",
    "with": "if n > 0:\n    y = x\nwith contextlib.suppress(NameError):\n    x = y * x * x\nreturn x * 2.0",
    "with_as": "if n > 0:\n    with contextlib.nullcontext(x) as y:\n        x = y * x\nreturn x * y",
    "suppressed": "with contextlib.suppress(ValueError):\n    math.log(n - 1.0)\n    y = x * x\nreturn y * x",
    "match": "match n:\n    case 1:\n        y = x\n    case 2:\n        z = x * x\nreturn y * x",
    "match_capture": "match [x, n]:\n    case [a, 2]:\n        x = a * a\n    case _:\n        x = x * 3.0\n"
                     "return x * a",
    "match_guard": "match n:\n    case k if k > 1:\n        x = x * k\nreturn x * x * k",
    "import": "if n > 0:\n    import math as m\nreturn m.sin(x) * x",
    "function": "if n > 0:\n    def g(t):\n        return t * t\nreturn g(x)",
    "function_caught": "if n > 0:\n    def g(t):\n        return t * t\ntry:\n    y = g(x)\nexcept NameError:\n"
                       "    y = x * x * x\nreturn y",
    "class": "if n > 0:\n    class P:\n        k = 2.0\nreturn x * x * P.k",
    "never": "if n > 0:\n    return x * x\nreturn y * x\ny = 1.0",
    "first_read": "z = y * x\ny = x\nreturn z",
    "first_read_caught": "try:\n    z = y * x\nexcept NameError:\n    z = x * x\ny = z * x\nreturn y",
    "helper": "return outer_maybe(x, n)",
    "helper_caught": "try:\n    y = outer_maybe(x, n)\nexcept UnboundLocalError:\n    y = x * x * x\nreturn y",
    "helper_loop": "return outer_loop(x, n) * x",
    "helper_loop_caught": "try:\n    y = outer_loop(x, n) * x\nexcept NameError as e:\n    y = x * len(str(e))\n"
                          "return y",
    "helper_print": "outer_print(x, n)\nreturn x * x",
    "helper_deep": "try:\n    y = outer_deep(x, n)\nexcept NameError:\n    y = x * x * x\nreturn y",
    "helper_function": "return outer_function(x, n)",
    "helper_straight": "try:\n    y = outer_straight(x)\nexcept NameError:\n    y = x * x * x\nreturn y",
}

DELETED = {
    "plain": "t = x * x\ndel t\nreturn x * x * x",
    "returned": "t = x * x\ndel t\nreturn t",
    "parameter": "del x\nreturn x",
    "parameter_caught": "y = x * x\ndel x\ntry:\n    return x\nexcept NameError:\n    return y",
    "parameter_constant": "del x\ntry:\n    return x\nexcept NameError:\n    return 2.0",
    "branch": "t = x * x\nif n > 0:\n    del t\nreturn t * x",
    "branch_caught": "t = x * x\nif n > 0:\n    del t\ntry:\n    u = (t, x * 3.0)\nexcept NameError:\n"
        "    u = (0.0, x * 7.0)\nreturn u[1]",
    "again": "t = x * x\ndel t\nt = x * 3.0\nreturn t * x",
    "twice": "t = x * x\nif n > 0:\n    del t\ndel t\nreturn x * x",
    "twice_caught": "t = x * x\nif n > 0:\n    del t\ntry:\n    del t\nexcept NameError:\n    x = x * x\n"
        "return x * 2.0",
    "in_loop": "t = x\nfor i in range(n):\n    t = t * x\n    s = t\n    del t\n    t = s\nreturn t",
    "in_loop_gone": "t = x\nfor i in range(n):\n    x = x * t\n    del t\nreturn x",
    "in_loop_caught": "t = x\nfor i in range(n):\n    try:\n        x = x * t\n        del t\n"
        "    except NameError:\n        x = x * 2.0\nreturn x",
    "in_try": "t = x\ntry:\n    del t\n    y = math.log(x - 5.0)\nexcept ValueError:\n    y = x\ntry:\n"
        "    y = y * t\nexcept NameError:\n    y = y * x * x\nreturn y",
    "several": "a, b = x, x * x\ndel a, b\nreturn x * a",
    "list": "L = [x, x * x]\ndel L\nreturn x * L[0]",
    "list_branch": "L = [x, x * x]\nif n > 0:\n    del L\nreturn x * L[0]",
    "array": "A = np.ones(2) * x\nif n > 0:\n    del A\nreturn np.sum(A * A)",
    "array_set": "A = np.ones(2)\nA[0] = x\nif n > 0:\n    del A\nreturn A[0] * x",
    "loop_variable": "for i in range(3):\n    x = x * 1.5\ndel i\nreturn x * i",
    "unused": "t = x\ndel t\nt\nreturn x * x",
    "tested": "a = 1\nif n > 0:\n    del a\nreturn x * x if a else x",
    "closure": "t = x\ndef g():\n    return t * x\ny = g()\nif n > 0:\n    del t\nreturn y * g()",
    "function": "def g(t):\n    return t * t\nif n > 0:\n    del g\nreturn g(x)",
    "helper": "return outer_deleted(x, n)",
    "helper_caught": "try:\n    y = outer_deleted(x, n)\nexcept NameError:\n    y = x * x * x\nreturn y",
    "no_del": "if n > 0:\n    t = x\ndel t\nreturn x * x",
}

HANDLERS = {
    "gone": "try:\n    y = math.log(x - 5.0)\nexcept ValueError as e:\n    y = x * x\nreturn y * len(str(e))",
    "gone_caught":
        "try:\n    y = math.log(x - 5.0)\nexcept ValueError as e:\n    y = x * x\ntry:\n    y = y * len(str(e))\n"
        "except NameError:\n    y = y * x\nreturn y",
    "never_bound": "try:\n    y = x * x\nexcept ValueError as e:\n    y = x\nreturn y if e is None else y",
    "overwritten": "e = x\ntry:\n    y = math.log(x - 5.0)\nexcept ValueError as e:\n    y = x * x\nreturn y * e",
    "before": "e = x\ntry:\n    y = math.log(x + n)\nexcept ValueError as e:\n    y = x * x\nreturn y * e",
    "body_half_done": "try:\n    y = x * x\n    z = math.log(x - 5.0)\nexcept ValueError:\n    pass\nreturn y * x",
    "body_not_done": "try:\n    z = math.log(x - 5.0)\n    y = x * x\nexcept ValueError:\n    pass\nreturn y * x",
    "body_not_done_caught":
        "try:\n    z = math.log(x - 5.0)\n    y = x * x\nexcept ValueError:\n    pass\ntry:\n    w = y * x\n"
        "except NameError:\n    w = x * x * x\nreturn w",
    "read_in_handler": "try:\n    z = math.log(x - 5.0)\n    y = x * x\nexcept ValueError:\n    z = y\nreturn z",
    "branch_in_body": "try:\n    if n > 0:\n        y = x * x\n    z = math.log(x)\nexcept ValueError:\n    z = x\n"
                      "if n > 0:\n    z = z * y\nreturn z",
    "loop_in_body": "try:\n    for i in range(n):\n        y = x * i\n    z = math.sqrt(x)\nexcept ValueError:\n"
                    "    z = x\nreturn z * y",
    "in_loop": "s = x\nfor i in range(3):\n    try:\n        s = s + last * x\n    except NameError:\n"
               "        s = s * x\n    last = s * 0.5\nreturn s",
    "in_loop_never":
        "s = x\nfor i in range(3):\n    try:\n        s = s + last * x\n    except NameError:\n        s = s * x\n"
        "    if i >= n:\n        last = s * 0.5\nreturn s",
    "nested": "try:\n    try:\n        y = z * x\n    except ValueError:\n        y = x\nexcept NameError:\n"
              "    y = x * x\nif n > 5:\n    z = 1.0\nreturn y",
    "again": "try:\n    y = z * x\nexcept NameError:\n    y = x * x\n    if n > 1:\n        raise\nz = y\nreturn z",
}

INSIDE = {
    "inner": "def g():\n    return y * x\nfor i in range(n):\n    y = x * x\nreturn g()",
    "inner_caught": "def g():\n    return y * x\nfor i in range(n):\n    y = x * x\ntry:\n    z = g()\n"
        "except NameError:\n    z = x\nreturn z",
    "inner_local_error": "def g():\n    return y * x\nfor i in range(n):\n    y = x * x\ntry:\n    z = g()\n"
        "except UnboundLocalError:\n    z = x\nreturn z",
    "inner_text": "def g():\n    return y * x\nfor i in range(n):\n    y = x * x\ntry:\n    z = g()\n"
        "except NameError as e:\n    z = x * len(str(e))\nreturn z",
    "inner_unused": "def g():\n    return x * x if n > 0 else y\nfor i in range(n):\n    y = x * x\nreturn g()",
    "inner_conditional": "def g():\n    return y * x if n > 0 else x * x\nfor i in range(n):\n    y = x * x\n"
        "return g()",
    "inner_before": "def g():\n    return y * x\nz = g()\ny = x\nreturn z",
    "inner_after": "def g():\n    return y * x\ny = x\nreturn g()",
    "inner_print": "def g():\n    print(y)\nfor i in range(n):\n    y = x * x\ng()\nreturn x * x",
    "inner_of_inner": "def g():\n    def h():\n        return y * x\n    return h()\nfor i in range(n):\n"
        "    y = x * x\nreturn g()",
    "inner_calls": "def h():\n    return y * x\ndef g():\n    return h() * x\nfor i in range(n):\n    y = x * x\n"
        "return g()",
    "inner_own": "def g(t):\n    if t > 5.0:\n        y = t\n    return y * t\nreturn g(x + 10.0 * n)",
    "inner_nonlocal": "def g():\n    nonlocal y\n    y = y * x\nfor i in range(n):\n    y = x\ng()\nreturn y",
    "inner_nonlocal_binds": "def g():\n    nonlocal y\n    y = x * x\nif n > 0:\n    g()\nreturn y\ny = 1.0",
    "lambda": "for i in range(n):\n    y = x * x\ng = lambda t: t * y\nreturn g(x)",
    "lambda_before": "g = lambda t: t * y\nfor i in range(n):\n    y = x * x\nreturn g(x)",
    "lambda_caught": "for i in range(n):\n    y = x * x\ng = lambda t: t * y\ntry:\n    z = g(x)\n"
        "except NameError:\n    z = x\nreturn z",
    "comprehension": "for i in range(n):\n    y = x * x\nL = [y * a for a in (x, x * x)]\nreturn L[0] * L[1]",
    "comprehension_empty": "for i in range(n):\n    y = x * x\nL = [y * a for a in [x] * n]\nreturn sum(L) + x * x",
    "comprehension_first": "for i in range(n):\n    y = [x, x]\nL = [x * a for a in y]\nreturn L[0]",
    "comprehension_own": "L = [a * x for a in (x, x)]\nreturn L[0] * a\na = 1.0",
    "generator": "for i in range(n):\n    y = x * x\nreturn sum(y * a for a in (x, x * x))",
    "map": "for i in range(n):\n    y = x * x\nreturn sum(map(lambda a: a * y, [x, x * x]))",
    "comprehension_caught": "for i in range(n):\n    y = x * x\ntry:\n    L = [y * a for a in (x, x * x)]\n"
        "except NameError:\n    L = [x, x]\nreturn L[0] * L[1]",
    "dict_comprehension": "for i in range(n):\n    y = x * x\nd = {k: y * x for k in 'ab'}\nreturn d['a'] * d['b']",
    "walrus_in_comprehension": "L = [b for a in [x] * n if (b := a * a) > 0.0]\nreturn b * x",
    "default": "for i in range(n):\n    y = x * x\ndef g(t, k=y):\n    return t * k\nreturn g(x)",
    "class_body": "for i in range(n):\n    y = 2.0\nclass P:\n    k = y\nreturn x * x * P.k",
    "sorted_key": "for i in range(n):\n    y = 2.0\nL = sorted([x, x * x], key=lambda a: a * y)\nreturn L[0] * x",
}

OUTSIDE = {
    "global": "return x * nowhere",
    "global_unused": "t = nowhere\nreturn x * x",
    "global_printed": "print(nowhere)\nreturn x * x",
    "global_caught": "try:\n    t = nowhere\n    y = x\nexcept NameError:\n    y = x * x\nreturn y",
    "global_caught_first": "try:\n    y = x\n    t = nowhere\nexcept NameError:\n    y = x * x\nreturn y",
    "global_in_pair": "try:\n    t = (nowhere, x)\n    y = x\nexcept NameError:\n    y = x * x\nreturn y",
    "global_in_helper": "try:\n    t = outer_global()\n    y = x\nexcept NameError:\n    y = x * x\nreturn y",
    "global_in_helper_unused": "outer_global()\nreturn x * x",
    "global_conditional": "y = nowhere if n > 5 else x * x\nreturn y",
    "global_branch": "if n > 5:\n    x = x * nowhere\nreturn x * x",
    "global_called": "try:\n    y = nowhere(x)\nexcept NameError:\n    y = x * x\nreturn y",
    "global_attribute": "try:\n    y = nowhere.k * x\nexcept NameError:\n    y = x * x\nreturn y",
    "global_text": "try:\n    y = nowhere * x\nexcept NameError as e:\n    y = x * len(str(e))\nreturn y",
    "global_tested": "try:\n    if nowhere:\n        x = x * 2.0\nexcept NameError:\n    x = x * x\nreturn x",
}

GROUPS = {"loops": LOOPS, "branches": BRANCHES, "deleted": DELETED, "handlers": HANDLERS, "inside": INSIDE,
          "outside": OUTSIDE}
# Refused in all modes, or in all that go backward.
REFUSED = ("branches_match_guard", "branches_import", "branches_class", "branches_helper_print", "handlers_overwritten",
           "handlers_before", "inside_inner_print", "inside_class_body")
PROGRAMS = {f"{group}_{name}": text for group, programs in GROUPS.items() for name, text in programs.items()}

HEAD = """
class Box:
    def __init__(self, value):
        self.value = value
def outer_first(a, b):
    return a * a
def outer_maybe(x, n):
    if n > 0:
        y = x * x
    return y * x
def outer_loop(x, n):
    for i in range(n):
        y = x * (i + 1.0)
        x = y * 0.5
    return y
def outer_print(x, n):
    for i in range(n):
        last = x
    print(last)
def outer_deep(x, n):
    return outer_maybe(x, n) * x
def outer_straight(x):
    z = y * x
    y = x
    return z
def outer_deleted(x, n):
    t = x * x
    if n > 0:
        del t
    return t * x
def outer_function(x, n):
    if n > 0:
        def square(t):
            return t * t
    def double():
        nonlocal x
        x = x * 2.0
    double()
    return square(x)
def outer_global():
    return nowhere
"""


def loaded(body: str, head: str = HEAD) -> Any:
    text = f"{head}\ndef f(x, n):\n" + "\n".join("    " + line for line in body.splitlines()) + "\n"
    import contextlib
    return sourced(text, {"np": np, "math": math, "contextlib": contextlib, "__name__": "unbound_names"})["f"]


def outcome(run: Any) -> tuple[str, Any]:
    """What a call does: "refused", the kind and the words of an exception, or the number."""
    try:
        return "value", float(np.ravel(run())[0])
    except TangentError as error:
        return "refused", str(error)
    except Exception as error:
        return type(error).__name__, str(error)


def modes(f: Any, x: float) -> dict[str, tuple[int, Any]]:
    """The ways to run a derivative, each with its order."""
    made: dict[str, Any] = {}

    def once(name: str, make: Any) -> Any:
        if name not in made:
            made[name] = make()
        return made[name]

    return {"grad": (1, lambda n: once("grad", lambda: tnb.grad(f))(x, n)),
            "raw": (1, lambda n: once("raw", lambda: tnb.grad(f, optimized=False))(x, n)),
            "value_and_grad": (1, lambda n: once("value", lambda: tnb.value_and_grad(f))(x, n)[1]),
            "jvp": (1, lambda n: once("jvp", lambda: tnb.jvp(f))(x, n, dx=1.0)),
            "raw_jvp": (1, lambda n: once("raw_jvp", lambda: tnb.jvp(f, optimized=False))(x, n, dx=1.0)),
            "jacobian": (1, lambda n: once("jacobian", lambda: tnb.jacobian(f))(x, n)),
            "split": (1, lambda n: tnb.pullback(f, x, n)[1](1.0)),
            "second": (2, lambda n: once("second", lambda: tnb.grad(tnb.grad(f)))(x, n)),
            "second_forward": (2, lambda n: once("second_forward", lambda: tnb.jvp(tnb.grad(f)))(x, n, dx=1.0))}


def expected(f: Any, x: float, n: int, order: int) -> tuple[str, Any]:
    kind, value = outcome(lambda: f(x, n))
    if kind != "value":
        return kind, value
    h = 1e-5 if order == 1 else 1e-4
    up, down = float(f(x + h, n)), float(f(x - h, n))
    return "value", (up - down) / (2 * h) if order == 1 else (up - 2 * value + down) / (h * h)


def judged(body: str, x: float = 0.7, head: str = HEAD) -> list[str]:
    """Which modes were refused; every other one does what it should."""
    f = loaded(body, head)
    refused = []
    for mode, (order, run) in modes(f, x).items():
        for n in (0, 1, 3):
            kind, found = outcome(lambda: run(n))
            if kind == "refused":
                refused.append(f"{mode}: {found}")
                continue
            wanted, value = expected(f, x, n, order)
            assert kind == wanted, f"{mode}, n = {n}: {found}, not {value}\n{body}"
            if kind == "value":
                np.testing.assert_allclose(found, value, rtol=1e-4 if order == 1 else 1e-2,
                                           atol=1e-6 if order == 1 else 1e-4, err_msg=f"{mode}, n = {n}\n{body}")
            else:
                assert found == value, f"{mode}, n = {n}\n{body}"
    return refused


@pytest.mark.sampled(24)
@pytest.mark.parametrize("name", PROGRAMS)
def test_names_that_are_not_bound(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    refused = judged(PROGRAMS[name])
    if name not in REFUSED:
        assert all(text.startswith("second") for text in refused), refused


@pytest.mark.parametrize("name", ["loops_caught", "branches_caught", "deleted_branch_caught", "outside_global_caught"])
def test_what_a_handler_does_instead(name: str) -> None:
    assert not judged(PROGRAMS[name])


def test_a_text_asks_where_a_name_may_not_be_bound() -> None:
    f = loaded("for i in range(n):\n    y = x * i\nreturn y")
    assert "    y = rt.UNBOUND\n" in tnb.source(tnb.grad(f)) and "    rt.bound(y, 'y')\n" in tnb.source(tnb.grad(f))
    assert "UNBOUND" not in tnb.source(tnb.jvp(f)) and "    rt.bound(y, 'y')\n" in tnb.source(tnb.jvp(f))


@pytest.mark.parametrize("body", [
    "for i in range(3):\n    y = x * i\nreturn y", "for a in (x, x * x):\n    y = a * x\nreturn y * a",
    "y = x\ndel y\ny = x * x\nreturn y",
    "while True:\n    y = x * n\n    n = n - 1\n    if n < 1:\n        break\nreturn y",
    "def g():\n    return y * x\ny = x\nreturn g()",
    "try:\n    y = x\n    z = math.log(x)\nexcept ValueError:\n    z = y\nreturn z",
    "if n > 0 and (k := n + 1) > 1:\n    x = x * k\nreturn x",
    "if n > 0:\n    y = x\nelse:\n    raise ValueError\nreturn y * x",
    "match n:\n    case 0:\n        y = x\n    case _:\n        y = x * x\nreturn y"])
def test_a_text_asks_nothing_where_names_are_bound(body: str) -> None:
    f = loaded(body)
    assert "bound(" not in tnb.source(tnb.grad(f)) + tnb.source(tnb.jvp(f)) + tnb.source(tnb.grad(f, optimized=False))


@pytest.mark.parametrize("optimized", [True, False])
def test_a_range_of_the_user_may_give_nothing(optimized: bool) -> None:
    text = "def range(n):\n    return []\n\ndef f(x):\n    for i in range(3):\n        y = x * 2.0\n    return y * x\n"
    f = sourced(text)["f"]
    for made, args in ((f, (1.0,)), (tnb.grad(f, optimized=optimized), (1.0,)),
                       (tnb.jvp(f, optimized=optimized), (1.0, 1.0))):
        with pytest.raises(UnboundLocalError, match="'y'"):
            made(*args)

"""Programs with generators that print what they do: what they print, where they are left, what changes meanwhile.

The bodies of `f(x)`, of an array of three numbers, line by line with `|` between them; REFUSED may become right.
"""
from __future__ import annotations

HEAD = """
import itertools, functools
import numpy as np
class P:
    def __init__(self, a, b=2.0): self.a, self.b = a, b
    def gen(self):
        for i in range(3):
            yield self.a * i + self.b
    def up(self): self.a = self.a * 1.5
class Q(P):
    def gen(self):
        print("Q")
        for v in super().gen():
            yield v * 2
def scaled(x, k=2.0):
    print("start")
    for i, v in enumerate(x):
        print("g", i)
        yield v * k
        print("after", i)
    print("end")
def two(x):
    print("a"); yield x[0]
    print("b"); yield x[1] * 2
    print("c"); yield x[2] * 3
    print("d")
def fin(x):
    try:
        for v in x:
            yield v
        print("normal")
    finally:
        print("fin")
def inner_break(x):
    for i in range(3):
        for v in x:
            if v > 0.6: break
            yield v * i
        else:
            yield -1.0
        if i == 1:
            return
    yield 100.0
def wh(x):
    i = 0
    while i < 5:
        i += 1
        if i == 2: continue
        if i == 5: break
        yield x * i
    else:
        yield x * 100
def mutdef(x, acc=[0.0]):
    for v in x:
        yield v + acc[0]
def arg_rebound(x):
    x = x * 2
    for v in x:
        x = x + 1
        yield v + x[0]
def sq(it):
    for v in it:
        print("sq")
        yield v * v
def tup(x):
    for v in x:
        yield v, v * 2, 3.0
def one(x):
    yield x
def none(x):
    return
    yield x
def empty(x):
    if False: yield x
def errs(x):
    with np.errstate(all="ignore"):
        for v in x: yield np.log(v)
def p_reads(p):
    for k in ("w", "b"):
        yield np.sum(p[k]) * 2
def draws(rng, x):
    for v in x:
        yield v * rng.normal()
def kw(x, *args, scale=1.0, **more):
    for a in args:
        yield np.sum(x) * a * scale * more.get("q", 1.0)
def sends(x):
    got = yield x[0]
    yield x[1]
def deleg(x):
    r = yield from two(x)
    yield x[0]
def raises(x):
    yield x[0]
    raise ValueError("late")
def loopy(x):
    n = 0
    while True:
        n += 1
        yield x * n
        if n > 2: print("more")
"""
RIGHT = [
    's=0.0|k=x*1.0|for v in scaled(k):|    k = k * 2|    s = s + v + np.sum(k)|return s',
    's=0.0|for v in scaled(x):|    x = x * 2|    s = s + v * np.sum(x)|return s',
    'p=P(x[0])|s=0.0|for v in p.gen():|    p.up()|    s = s + v * p.a|return s',
    's=0.0|for v in two(x):|    if v > 1: continue|    s = s + v|    print("f")|else:|    s = s * 2|return s',
    's=0.0|for v in two(x):|    s = s + v|    if s > 1: break|else:|    s = s * 2|return s',
    'for v in two(x):|    if v > 1: return v * x[0]|return x[1]',
    's=0.0|for v in fin(x):|    s = s + v|    if s > 1: break|else:|    s = s * 2|print("out")|return s',
    'for v in fin(x):|    return v * 2|return x[0]',
    'return sum(inner_break(x))',
    's=0.0|for v in inner_break(x):|    s = s + v|    if s > 1.5: break|return s',
    'return sum(np.sum(v) for v in wh(x))',
    's=0.0|for v in wh(x):|    s = s + np.sum(v)|    if v[0] > 2.5: return s|return s * 2',
    'return sum(mutdef(x))',
    'return sum(arg_rebound(x))',
    's=0.0|for v in arg_rebound(x):|    s = s + v * np.sum(x)|    x = x * 1.1|return s',
    'k=x[0]|s=0.0|for v in sq(k * u for u in x):|    k = k + v|    s = s + k|return s',
    's=0.0|for v in sq(scaled(x)):|    s = s + v|    if s > 1: break|return s',
    's=0.0|for a, *b in tup(x):|    s = s + a * b[0] + b[1]|return s',
    'p=P(1.0)|s=0.0|for p.a in scaled(x):|    s = s + p.a * 2|return s + p.a',
    'y=x.copy()|s=0.0|for y[0] in scaled(x):|    s = s + np.sum(y)|return s',
    'd={}|s=0.0|for d["k"] in scaled(x):|    s = s + d["k"]|return s + d["k"]',
    's=0.0|for v, w in zip(scaled(x), two(x)):|    s = s + v * w|    print("f")|return s',
    's=0.0|for v, w in zip(two(x), scaled(x)):|    s = s + v * w|    print("f")|return s',
    's=0.0|for v, w in zip(scaled(x[:2]), scaled(x)):|    s = s + v * w|    print("f")|'
    '    if s > 100: break|return s',
    's=0.0|for v, w in zip(scaled(x), scaled(x[:2])):|    s = s + v * w|    print("f")|'
    '    if v > 1: continue|    s = s + 1|return s',
    's=0.0|for w, v in zip([x[0], x[1]], scaled(x)):|    s = s + v * w|    print("f")|return s',
    's=0.0|for v, w in zip(scaled(x), [x[0], x[1]]):|    s = s + v * w|    print("f")|else:|    s = s * 2|return s',
    's=0.0|for w, v, u in zip(range(2), scaled(x), x):|    s = s + v * w * u|    x = x * 2|return s',
    'y=x.copy()|s=0.0|for v, u in zip(scaled(y), y):|    s = s + v * u|    y[2] = y[2] * 1.5|return s',
    'y=x.copy()|s=0.0|for u, v in zip(y, scaled(y)):|    s = s + v * u|    y[2] = y[2] * 1.5|return s',
    'ws=[x[0]]|s=0.0|for v, w in zip(scaled(x), ws):|    s = s + v * w|    ws.append(v)|return s',
    'return sum(itertools.islice(scaled(x), 2))',
    's=0.0|for v in itertools.islice(two(x), 1, 3):|    s = s + v|    print("f")|return s',
    's=0.0|for v in itertools.islice(two(x), 0):|    s = s + v|return s + x[0]',
    'try:|    a, b = two(x)|except ValueError:|    print("too many"); return x[0] * 3|return a * b',
    'a, b, c = two(x)|return a * b * c',
    'try:|    a, b, c, d = two(x)|except ValueError as e:|    print(e); return x[0] * 3|return a * b',
    's=0.0|for i, v in enumerate(two(x), 5):|    s = s + v * i|    if i == 6: break|return s * i',
    's=0.0|for v in itertools.chain(two(x), scaled(x), [x[0]]):|    s = s + v|    if s > 4.5: break|'
    'else:|    s = s * 2|return s',
    'y=x.copy()|s=0.0|for a, b in itertools.pairwise(scaled(y)):|    s = s + a * b|    y[2] = s|return s',
    's=0.0|for v in itertools.accumulate(scaled(x), lambda a, b: a * b + x[0]):|    s = s + v|'
    '    x = x * 2|return s',
    'y=x.copy()|g=scaled(y)|y[1]=9.0|print("made")|return sum(g)',
    'k=2.0|g=scaled(x, k)|k=5.0|x=x*2|return sum(g) * k',
    'k=x[0]|def inner(n):|    for i in range(n): yield k * i|s=0.0|for v in inner(4):|    s = s + v|'
    '    k = k + v|return s',
    'total=0.0|def inner(n):|    nonlocal total|    for i in range(n):|        total = total + x[0]|'
    '        yield total * i|s=0.0|for v in inner(3):|    total = total * 2|    s = s + v|return s + total',
    'return sum(w * 2 for v in scaled(x) if (w := v * v) > 0.3)',
    'return sum(draws(np.random.default_rng(3), x))',
    'rng=np.random.default_rng(3)|s=0.0|for v in draws(rng, x):|    s = s + v * rng.normal()|return s',
    'return sum(kw(x, 1.0, 2.0, scale=3.0, q=x[0]))',
    's=0.0|for v in one(x):|    s = s + np.sum(v)|    v[0] = 5.0|return s + np.sum(x)',
    's=np.sum(x)|for v in none(x): s = s * 3|for v in empty(x): s = s * 5|else: s = s * 7|return s',
    'return sum(errs(x)) + np.sum(list(errs(x * 2)))',
    'p={"w": x, "b": x[0]}|s=0.0|for v in p_reads(p):|    p["w"] = x * 3|    s = s + v|return s',
    'try:|    for v in raises(x): y = v|except ValueError as e:|    print(e); y = x[1]|return y',
    's=0.0|for v in scaled(x):|    try:|        if v > 1.1: continue|        if v > 3: break|'
    '        s = s + v|    finally:|        print("fin")|return s',
    's=0.0|for v in scaled(x):|    for w in two(x):|        if w > v: break|        s = s + w|    else:|'
    '        continue|    s = s + 1.0|    print("f")|return s',
    's=0.0|for v in scaled(x):|    for w in two(x):|        if w * v > 1: return s + w|        s = s + w|return s',
    'for v in loopy(x):|    if v[0] > 1: break|return np.sum(v)',
    's=0.0|for i, v in enumerate(loopy(x)):|    if i > 2: break|    if i == 1: continue|'
    '    s = s + np.sum(v) * i|return s',
    'out=[]|for v in scaled(x): out += [v, v * 2]|return sum(out)',
    'out=[x[0]]|out.extend(scaled(x))|return sum(out)',
    'out=[x[0], *scaled(x), *two(x)]|return sum(out) * len(out)',
    'return max(scaled(x)) + min(two(x)) + sorted(two(x))[1]',
    'return max(scaled(x), key=lambda v: abs(v - 1))',
    ''
    'return functools.reduce(lambda a, b: a * b, two(x)) + functools.reduce(lambda a, b: a + b * x[0], scaled(x), 1.0)',
    'return np.sum([v for row in [x, x * 2] for v in two(row)])',
    'return sum(v * w for v in two(x) for w in scaled(x))',
    'd={i: v for i, v in enumerate(two(x))}|return d[1] * d[2]',
    'return next(scaled(x)) * 2 + next((v for v in two(x) if v > 1), x[0])',
    'return next(empty(x), x[0])',
    'it=iter(two(x))|s=0.0|for v in it: s = s + v|return s',
    's=0.0|for v in filter(lambda u: u > s, scaled(x)):|    s = s + v * 0.5|return s',
    's=0.0|for v in itertools.takewhile(lambda u: u < 1.5, two(x)):|    s = s + v|else:|    s = s * 2|return s',
    's=0.0|for v in itertools.dropwhile(lambda u: u < 1.5, two(x)):|    s = s + v|    print("f")|return s',
    's=0.0|for v, w in zip(sq(two(x)), itertools.count(1)): s = s + v * w|return s',
    's=0.0|for (i, v), w in zip(enumerate(scaled(x)), x): s = s + i * v * w|return s',
    's=0.0|for i, (v, w) in enumerate(zip(scaled(x), two(x))): s = s + i * v * w|return s',
    'a=np.array(list(scaled(x)))|b=np.stack([v * x for v in two(x)])|return np.sum(a) * np.sum(b)',
    's=0.0|for v in (u * s for u in scaled(x)):|    s = s + v + 1|    if s > 3: break|return s',
    's=0.0|for v in (u * w for u in two(x) for w in scaled(x)):|    s = s + v|    if s > 3: break|return s',
    's=0.0|for v in two(x):|    s = s + v|    v = s|    print("f")|return s + v',
    's,v=0.0,x[0]|for v in scaled(x): s = s + v|return s + v * v',
    's=0.0|while s < 3:|    for v in scaled(x):|        s = s + v|        if s > 2: break|    else:|'
    '        continue|    break|return s',
]
REFUSED = [
    'p=P(x[0])|s=0.0|for v in p.gen():|    p = P(v)|    s = s + v + p.a|return s',
    'q=Q(x[0])|s=0.0|for v in q.gen():|    s = s + v|    if s > 5: break|return s',
    's=0.0|try:|    for v in fin(x):|        s = s + v|        if s > 1: raise ValueError|'
    'except ValueError:|    print("handler"); s = s * 3|return s',
    's=0.0|for (a, b), w in zip(((v, v * 2) for v in x), scaled(x)):|    s = s + a * b * w|return s',
    'p=P(x[0])|g=p.gen()|p.up()|p=P(7.0)|return sum(g) + p.a',
    'args=(1.0, x[1])|return sum(kw(x, *args))',
    'return sum(sends(x))',
    'return sum(deleg(x))',
    's=0.0|for v in errs(x): s = s + v|return s',
    'fs=[]|for v in two(x):|    fs.append(lambda: v)|return sum(f() for f in fs)',
    'fs=[]|for v in scaled(x):|    fs.append(lambda v=v: v * 2)|return sum(f() for f in fs)',
    'return any(v > 1 for v in two(x)) * x[0] + all(v > 1 for v in two(x)) * x[1]',
    's=0.0|for v in sq(sq(scaled(x))):|    s = s + v|    x = x * 2|return s',
    's=0.0|for v in map(lambda u: u * s, two(x)):|    s = s + v + 1|return s',
    'g=fin(x)|s=0.0|for v in g:|    s = s + v|    break|print("out")|return s',
    's=0.0|for v in sq(fin(x)):|    s = s + v|    break|print("out")|return s',
    'def total(it): return sum(v * 2 for v in it)|return total(two(x)) + total(v for v in scaled(x))',
]

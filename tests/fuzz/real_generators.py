"""Theme of real_programs.py: generators, what goes over them, pipelines of them, and generators as context managers."""
from __future__ import annotations

from real_draws import Draw, Scope, indented

GENERATORS = (
    ("steps", "t, n=3", "for k in range(n):\n    yield t\n    t = {t}"),
              ("steps", "t, n=3", "for k in range(n):\n    t = {t}\n    yield t * (k + 1)"),
    ("steps", "t, n=3", "while n > 0:\n    yield {t}\n    n -= 1\n    t = t * 0.7"),
    ("steps", "t, n=3", "yield t\nif t > 0.3:\n    yield {t}\nyield {s}"))
PIPES = (
    ("running", "total = 0.0\nfor v in items:\n    total += v\n    yield total"),
         ("running", "last = 0.3\nfor v in items:\n    last = 0.5 * last + v\n    yield last"),
    ("running", "for i, v in enumerate(items):\n    if i == 2:\n        return\n    yield v * (i + 1)"),
    ("running", "items = list(items)\nfor a, b in zip(items, items[1:]):\n    yield a - b"),
         ("running", "for v in items:\n    if v > 0.1:\n        yield np.sqrt(v)"),
    ("running", "yield from (v * v for v in items)\nyield 0.2"))
MANAGERS = (
    ("eased", "yield k * 2.0"), ("eased", "try:\n    yield k\nfinally:\n    EVENTS.append('left')"),
    ("eased", "EVENTS.append('in')\nyield np.tanh(k)\nEVENTS.append('out')"))


def add(draw: Draw) -> None:
    """Generators of the module and what consumes them."""
    name, parameters, body = draw.pick(*GENERATORS)
    scope = Scope({"t": "s"})
    draw.module.append("\n".join([f"def {name}({parameters}):",
                                  *indented([draw.fill(line, scope, 1) for line in body.split("\n")])]))
    forms = [(2.5, "steps({s})"), (1, "steps({s}, {n})".replace("{n}", draw.pick("2", "4")))]
    if draw.chance(0.6):
        name, body = draw.pick(*PIPES)
        draw.module.append("\n".join(["def running(items):", *indented(body.split("\n"))]))
        forms += [(2.5, "running({J})")]
    if draw.chance(0.4):
        draw.module.append("def joined(t, items):\n    yield t\n    yield from items\n    yield from steps(t * 0.5, 2)")
        forms += [(1.5, "joined({s}, {J})")]
    forms += [(2, "({t} for t in {J})"), (1, "(t * r for t, r in zip({J}, {J}))"),
              (1, "(i * t for i, t in enumerate({J}, 1))"), (1, "map({F}, {J})"),
              (0.6, "sorted({I})"), (0.5, "sorted({I}, key=lambda t: -t)"), (0.5, "(t for t in {I} if t > 0.1)"),
              (0.4, "filter(lambda t: t < 1.0, {I})"),
              (0.4, "itertools.accumulate({J})"), (0.4, "itertools.chain({J}, {J})"),
              (0.4, "reversed([{s}, {s}, {s}])"),
              (0.3, "itertools.islice(steps({s}), 2)"), (0.3, "map(lambda t, r: t * r, {J}, {J})"),
              (0.3, "itertools.starmap(lambda t, r: t - r, zip({J}, {J}))"),
              (0.3, "(t - r for t, r in itertools.pairwise({J}))")]
    draw.forms["I"] += forms
    draw.forms["s"] += [(2, "sum({I})"), (0.7, "max({I}, default=0.1)"), (0.4, "min({I}, default=0.1)"),
                        (0.6, "max([{s}, {s}], key=lambda t: t * t)"),
                        (0.6, "np.sum(np.array(list({I})))"), (0.4, "np.mean([{s}, *{I}])"),
                        (0.6, "functools.reduce(lambda t, r: t * 0.5 + r, {I}, {s})"),
                        (0.4, "sum(t * r for t in [{s}, {s}] for r in {J})"), (0.3, "math.fsum({I})"),
                        (0.3, "np.prod([{s}, *{I}])")]
    draw.forms["b"] += [(0.7, "any(t > 1.0 for t in {I})"), (0.7, "all(t < 2.0 for t in {I})")]
    if draw.chance(0.35):
        name, body = draw.pick(*MANAGERS)
        draw.module += ["EVENTS = []", "\n".join(["@contextlib.contextmanager", "def eased(k):",
                                                  *indented(body.split("\n"))])]
        draw.statements.append((2, lambda scope, depth: managed(draw, scope)))
    draw.statements += [(3, lambda scope, depth: consumed(draw, scope)),
                        (1.5, lambda scope, depth: looped(draw, scope)),
                        (0.25, lambda scope, depth: pipeline(draw, scope)),
                        (1, lambda scope, depth: paired(draw, scope)),
                        (0.2, lambda scope, depth: own(draw, scope)), (0.1, lambda scope, depth: stepped(draw, scope))]


def managed(draw: Draw, scope: Scope) -> list[str]:
    """A with."""
    name = scope.copy().new("s")
    head = draw.fill(f"with eased({{s}}) as {name}:", scope, 1)
    found = scope.free("s")
    line = f"{draw.pick(*found)} += {name} * {draw.expr('s', scope, 1)}" if found else "pass"
    return [head, *indented([line]), *draw.inner(scope, 1, 0, **{name: "s"})]


def consumed(draw: Draw, scope: Scope) -> list[str]:
    """A number, or a list, of what is gone over."""
    if draw.chance(0.3):
        return draw.let(scope, "L", draw.pick("list({I})", "[{t} for t in {I}]", "sorted({I})"), 2)
    text = draw.fill(draw.pick("sum({I})", "sum({I})", "max({I}, default=0.2)", "np.sum(np.array(list({I})))"), scope,
                     3)
    return [f"{scope.new('s')} = {text}"]


def looped(draw: Draw, scope: Scope) -> list[str] | None:
    """A loop that gathers."""
    if not (found := scope.free("s")):
        return None
    name = draw.pick(*found)
    form = draw.usual(("for i, t in enumerate({I}):\n    NAME += t * i",
                       "for t, r in zip({J}, {J}):\n    NAME += t * r",
                     "for t in {I}:\n    if t > 0.8:\n        break\n    NAME += {t}\nelse:\n    NAME *= 1.1",
                       "for t in {I}:\n    NAME = NAME * 0.5 + {t}"),
                      ("for (i, t), r in zip(enumerate({I}), {I}):\n    NAME += i * t - r",))
    head, *lines = [line.replace("NAME", name) for line in form.split("\n")]
    return [draw.fill(head, scope, 2), *[draw.fill(line, scope.copy(t="s"), 1) for line in lines]]


def pipeline(draw: Draw, scope: Scope) -> list[str]:
    """Generators that stand in each other, one by one."""
    again = draw.chance(0.05)                                    # under one name
    lines, last = [draw.fill(draw.usual(("stream = {J}",), ("stream = steps({s})", "stream = {I}")), scope,
                             1)], "stream"
    for k in range(draw.pick(1, 2)):
        name = "stream" if again else f"stream{k}"
        lines.append(name + " = " + draw.fill(draw.pick("(t * {s} for t in LAST)", "map({F}, LAST)",
                                                        "(t for t in LAST if t < 1.4)", "list(LAST)"),
                                              scope, 1).replace("LAST", last))
        last = name
    value = draw.pick("sum(LAST)", "max(LAST, default=0.4)", "sum(t * t for t in LAST)").replace("LAST", last)
    return [*lines, f"{scope.new('s')} = {value}"]


def paired(draw: Draw, scope: Scope) -> list[str]:
    """Pairs, sorted or chosen by a key."""
    form = draw.pick("pairs = sorted(zip({J}, {J}), key=lambda t: t[0])\nNAME = sum(a * b for a, b in pairs)",
                     "pairs = [(t, t * {s}) for t in {I}]\nNAME = sum(a - b for a, b in pairs)",
                     "best = max([({s}, 'a'), ({s}, 'b')], key=lambda t: t[0])\nNAME = best[0] * {s}",
                     "cols = list(zip([{s}, {s}], [{s}, {s}]))\nNAME = cols[0][1] * cols[1][0]",
                     "lo, hi = sorted([{s}, {s}])\nNAME = hi - lo * 0.5")
    return draw.named(scope, "s", form, 1)


def own(draw: Draw, scope: Scope) -> list[str]:
    """A generator in the function, which reads what the function has."""
    inside = Scope(dict(scope.names) | {"t": "s"})
    body = draw.pick("yield t\nyield {t}", "for k in range(3):\n    yield {t} * k",
                     "t = {t}\nyield t\nt = t * 0.5\nyield t + {s}",
                     "yield from [t, {t}]\nyield from map({F}, [t])")
    lines = ["def each(t):", *indented([draw.fill(line, inside, 1) for line in body.split("\n")])]
    return [*lines, *draw.let(scope, "s", draw.usual(("sum(each({s}))", "max(each({s}))",
                                                      "sum(t * {s} for t in each({s}))"),
                                                         ("sum(t * r for t, r in zip(each({s}), each({s})))",)), 1)]


def stepped(draw: Draw, scope: Scope) -> list[str]:
    """An iterator that is asked."""
    lines = [draw.fill("stream = iter([{s}, {s}, {s}])", scope, 1), f"{scope.new('s')} = next(stream)"]
    return [*lines, f"{scope.new('s')} = sum(stream)"]

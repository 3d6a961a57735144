"""Theme of real_programs.py: stars in calls, signatures and displays; partials, decorators and tables of functions."""
from __future__ import annotations

from real_draws import Draw, Scope, indented

HELPERS = (
    ("weighted", "*terms, scale=1.0", "total = 0.0\nfor i, v in enumerate(terms):\n    total += v * (i + 1)\n"
                                      "return total * scale"),
    ("weighted", "*terms, scale=1.0", "return scale * sum(v * v for v in terms)"),
    ("combine", "a, b=0.5, *rest, power=1, **options",
     "total = a * b ** power + sum(rest)\nreturn total * options.get('scale', 1.0)"),
    ("combine", "a, b=0.5, *rest, power=1, **options",
     "total = a - b\nfor v in rest:\n    total = total * 0.5 + v\nfor name, v in options.items():\n"
     "    total += v if name == 'scale' else 0.0\n"
     "return total ** power"),
    ("combine", "a, b=0.5, *rest, power=1, **options",
     "if 'scale' in options:\n    a = a * options['scale']\nif rest:\n    return a * rest[-1] + b\n"
     "return np.tanh(a) * b ** power"))
TABLES = ("{'soft': {F}, 'sin': np.sin}", "{'soft': np.tanh, 'line': {F}}", "{'soft': {F}, 'half': {F}}")
SIGNATURES = {"weighted": ("{s}, {s}", "*{L}", "{s}, *{L}", "*{L}, scale={s}", "*{T}", "*{v}", "*{I}",
                           "*[{t} for t in {L}], scale={s}", "*{L}, **KNOBS"),
              "combine": ("{s}", "{s}, {s}", "*{L}", "{s}, *{L}", "{s}, power=2, **OPTIONS", "*{L}, **OPTIONS",
                          "{s}, b={s}, scale={s}",
                          "{s}, **{O}", "*{T}, power=2", "**{'a': {s}, 'b': {s}}", "{s}, **OPTIONS, power=2")}


def add(draw: Draw) -> None:
    """Functions with stars, options outside, tables, and statements that use them."""
    have = []
    for name in draw.rng.sample(("weighted", "combine"), draw.pick(1, 2)):
        _, parameters, body = draw.pick(*[one for one in HELPERS if one[0] == name])
        draw.module.append("\n".join([f"def {name}({parameters}):", *indented(body.split("\n"))]))
        have.append(name)
    draw.module += ["OPTIONS = {'scale': 1.3}" if draw.chance(0.6) else "OPTIONS = dict(scale=0.8, offset=0.1)",
                    "KNOBS = {'scale': 0.6}"]
    if draw.chance(0.4):
        draw.module.append("def call(fn, *args, **kwargs):\n    return fn(*args, **kwargs)")
        draw.forms["s"] += [(1.5, lambda d, scope, depth: d.fill("call({F}, {s})", scope, depth)),
                            (1, lambda d, scope,
                             depth: f"call({(n := d.pick(*have))}, {arguments(d, n, scope, depth)})")]
    if draw.chance(0.4):
        body = draw.pick("out = fn(*args, **kwargs)\nreturn out * 1.1",
                         "CALLS.append(fn.__name__)\nreturn fn(*args, **kwargs)",
                         "return np.tanh(fn(*args, **kwargs))")
        draw.module += ["CALLS = []", "\n".join(["def traced(fn):", "    @functools.wraps(fn)",
                                                 "    def wrapper(*args, **kwargs):",
                                                 *indented(indented(body.split("\n"))), "    return wrapper"])]
        name = draw.global_name("curve", "law")
        draw.module.append(f"@traced\ndef {name}(t, k=0.7):\n"
                           f"    return {draw.fill('{t}', Scope({'t': 's', 'k': 's'}), 2)}")
        draw.forms["C"].append((1.5, name))
        draw.forms["s"].append((1, f"{name}({{s}}, k={{s}})"))
    if draw.chance(0.5):
        draw.module.append("def scaled(k, t):\n    return " + draw.fill("{t}", Scope({"t": "s", "k": "s"}), 2))
        draw.forms["C"] += [(1.5, "functools.partial(scaled, {s})")]
        draw.forms["s"] += [(1, "scaled(*[{s}, {s}])"), (1, "scaled(t={s}, k={s})"), (1, "scaled({s}, **{'t': {s}})")]
    if draw.chance(0.5):
        draw.module.append("TABLE = " + draw.fill(draw.pick(*TABLES), Scope({}), 1))
        key = "soft"
        draw.forms["C"].append((1.2, f"TABLE['{key}']"))
        draw.forms["s"] += [(1.2, "sum(fn({s}) for fn in TABLE.values())"),
                            (0.5, "sum(fn({s}) for name, fn in TABLE.items() if name != 'sin')")]
    if draw.chance(0.4):
        draw.module.append("def chain(*fns):\n    def run(t):\n        for fn in fns:\n            t = fn(t)\n"
                           "        return t\n    return run")
        draw.forms["s"].append((1, "chain({F}, {F})({s})"))
        draw.forms["C"].append((0.8, "chain({C}, {C})"))
    for name in have:
        draw.forms["s"].append((4, lambda d, scope, depth, name=name: f"{name}({arguments(d, name, scope, depth)})"))
    draw.forms["s"] += [(0.8, "max(*[{s}, {s}])"), (0.5, "np.hypot(*({s}, 0.7))")]
    draw.forms["I"] += [(1, "[*{I}, {s}]"), (0.6, "({s}, *{I})"), (0.4, "[*{I}, *{I}]")]
    draw.forms["v"] += [(0.6, "np.array([*[{s}, {s}], {s}])")]
    draw.statements += [(2, lambda scope, depth: listed(draw, scope)),
                        (1.2, lambda scope, depth: unpacked(draw, scope)),
                        (1.2, lambda scope, depth: merged(draw, scope)),
                        (1.2, lambda scope, depth: partial(draw, scope)),
                        (0.8, lambda scope, depth: nested(draw, scope)), (0.4, lambda scope, depth: told(draw, scope))]


def arguments(draw: Draw, name: str, scope: Scope, depth: int) -> str:
    """What one of the functions with stars is given."""
    form = draw.pick(*SIGNATURES[name])
    lists = scope.of("L")
    form = form.replace("{L}", draw.pick(*lists) if lists else "[{s}, {s}]").replace("{T}", "({s}, {s})")
    form = form.replace("{O}", "dict(b={s}, scale={s})")
    return draw.fill(form, scope, depth)


def listed(draw: Draw, scope: Scope) -> list[str]:
    """A list of numbers."""
    text = draw.fill(draw.pick("[{s}, {s}, {s}]", "[{s}, {s}]", "[{t} for t in {I}]", "[*{I}, {s}]"), scope, 2)
    return [f"{scope.new('L')} = {text}"]


def unpacked(draw: Draw, scope: Scope) -> list[str]:
    """Stars among targets."""
    lists = scope.of("L")
    text = draw.pick(*lists) if lists and draw.chance(0.7) else draw.fill("[{s}, {s}, {s}]", scope, 1)
    one, rest = scope.new("s"), scope.new("L")
    return [f"{one}, *{rest} = {text}" if draw.chance(0.6) else f"*{rest}, {one} = {text}"]


def merged(draw: Draw, scope: Scope) -> list[str]:
    """A dict of others."""
    text = draw.fill(draw.pick("{'a': {s}, 'b': {s}}", "dict(a={s}, b={s})", "{**OPTIONS, 'a': {s}, 'b': {s}}",
                               "dict(OPTIONS, a={s}, b={s})"), scope, 2)
    return [f"{scope.new('D')} = {text}"]


def partial(draw: Draw, scope: Scope) -> list[str]:
    """A function that is bound to something, or a lambda, under a name."""
    text = draw.fill(draw.pick("lambda t: {t}", "lambda *ts: sum(ts) * {s}", "lambda t, k=0.5: k * t + {s}", "{C}"),
                     scope, 2)
    return draw.let(scope, "C", text, 0)


def nested(draw: Draw, scope: Scope) -> list[str]:
    """A function in the function, with stars of its own."""
    inside = Scope(dict(scope.names) | {"t": "s"})
    value = draw.fill("{t}", inside, 2)
    name = scope.new("C")
    scope.reads()
    return [f"def {name}(t, *more, k=0.4, **options):", f"    return {value} * k + sum(more)"]


def told(draw: Draw, scope: Scope) -> list[str]:
    """What is printed."""
    lists = scope.of("L")
    return [draw.fill(f"print('values', *[round(float(t), 3) for t in {draw.pick(*lists)}], sep=', ')" if lists
                      else "print('at', round(float({s}), 3))", scope, 0)]

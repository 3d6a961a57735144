"""Theme of real_programs.py: derivatives that the program takes itself, over what it is differentiated for."""
from __future__ import annotations

from real_draws import Draw, Scope, indented

LOSSES = ("np.sum((w - {v}) ** 2) * {s}", "np.sum(np.tanh(w) * {v}) + {s} * np.sum(w ** 2)",
          "np.mean((w * {s} - {v}) ** 2)",
          "np.sum(np.sin(w * {s})) + w @ w", "np.sum(w ** 3) * {s} + w[0] * w[1]")


def add(draw: Draw) -> None:
    """Functions of the module to be derived, and the forms of derivatives."""
    scope = Scope({"t": "s", "k": "s"})
    name = draw.global_name("potential", "growth")
    draw.module.append(f"def {name}(t, k=0.6):\n    return {draw.fill('{t}', scope, 2)}")
    draw.forms["C"].append((1, name))
    draw.forms["s"] += [(0.7, f"tnb.grad({name})({{s}}, {{s}})"), (0.5, f"tnb.grad({name}, wrt='k')({{s}}, {{s}})"),
                        (1.5, "tnb.grad({F})({s})"), (0.5, "tnb.jvp({G})({s}, {s})"), (0.4, "tnb.vjp({G})({s}, {s})"),
                        (0.4, "tnb.grad(tnb.grad({F}))({s})"),
                        (0.4, f"tnb.grad(functools.partial({name}, k={{s}}))({{s}})"),
                        (0.3, "tnb.value_and_grad({F})({s})[1]")]
    draw.forms["v"] += [(1, "tnb.grad({V})({v})"), (2, "tnb.jacobian(lambda w: w * {v})({v}) @ {v}")]
    if draw.chance(0.5):
        draw.module.append("def newton(fn, t, n=2):\n    dfn = tnb.grad(fn)\n    for _ in range(n):\n"
                           "        t = t - 0.3 * fn(t) / (1.0 + dfn(t) ** 2)\n    return t")
        draw.forms["s"].append((1, "newton({F}, {s})"))
    if draw.chance(0.4):
        draw.module.append("def descend(fn, w, rate=0.1, n=2):\n    for _ in range(n):\n"
                           "        w = w - rate * tnb.grad(fn)(w)\n    return w")
        draw.forms["v"].append((1, "descend({V}, {v}, {s})"))
    draw.statements += [(3, lambda scope, depth: loss(draw, scope)), (2, lambda scope, depth: curve(draw, scope)),
                        (2.5, lambda scope, depth: taken(draw, scope)),
                        (1.5, lambda scope, depth: descent(draw, scope))]


def loss(draw: Draw, scope: Scope) -> list[str]:
    """A loss over an array, that reads what the function has."""
    inside = Scope({n: k for n, k in scope.names.items() if n != "w"})
    value = draw.fill(draw.pick(*LOSSES), inside, 1)
    name = scope.new("V")
    scope.reads()
    scope.names.pop("w", None)
    if draw.chance(0.5):
        return [f"def {name}(w):", f"    return {value}"]
    return [f"def {name}(w):", *indented([f"e = {draw.fill('w * {s}', inside, 1)}",
                                          f"return np.sum(e ** 2) + {value}"])]


def curve(draw: Draw, scope: Scope) -> list[str]:
    """A function of a number, that reads what the function has."""
    inside = Scope(dict(scope.names) | {"t": "s"})
    value = draw.fill("{t}", inside, 2)
    name = scope.new("C")
    scope.reads()
    return [f"def {name}(t):", f"    return {value}"] if draw.chance(0.6) else [f"{name} = lambda t: {value}"]


def taken(draw: Draw, scope: Scope) -> list[str]:
    """A derivative under a name."""
    losses = scope.of("V")
    if losses and draw.chance(0.6):
        one = draw.pick(*losses)
        form = draw.pick(f"NAME, slope = tnb.value_and_grad({one})({{v}})\nNAME += np.sum(slope)",
                         f"NAME = np.sum(tnb.grad({one})({{v}}) * {{v}})",
                         f"NAME = {{v}} @ tnb.hessian({one})({{v}}) @ {{v}}", f"NAME = tnb.jvp({one})({{v}}, {{v}})",
                         f"slope = tnb.vjp({one})({{v}}, {{s}})\nNAME = slope @ slope",
                         f"slope = tnb.grad({one})\nNAME = np.sum(slope({{v}})) + slope({{v}})[0]",
                         f"NAME = np.sum(tnb.hvp({one})({{v}}, {{v}}))")
    else:
        form = draw.pick("slope = tnb.grad({F})\nNAME = slope({s}) * slope({s})",
                         "both = tnb.value_and_grad({F})\nNAME, slope = both({s})\nNAME = NAME + slope",
                         "NAME = sum(tnb.grad({F})(t) for t in [{s}, {s}])",
                         "slope = tnb.grad({F})\nNAME = {s}\nfor _ in range(2):\n    NAME = NAME - 0.1 * slope(NAME)",
                         "NAME = (tnb.grad({F})({s}) + {s}) ** 2")
    return draw.named(scope, "s", form, 1)


def descent(draw: Draw, scope: Scope) -> list[str] | None:
    """Some steps along a gradient."""
    if not (losses := scope.of("V")):
        return None
    one = draw.pick(*losses)
    start = draw.expr("v", scope, 1)
    step = draw.fill(draw.pick("0.1", "{s}"), scope, 0)
    name = scope.new("v")
    lines = [f"{name} = {start}"]
    if draw.chance(0.4):
        lines.append(f"slope = tnb.grad({one})")
        return [*lines, f"for _ in range({draw.pick(2, 3)}):", f"    {name} = {name} - {step} * slope({name})"]
    return [*lines, f"for _ in range({draw.pick(2, 3)}):", f"    {name} = {name} - {step} * tnb.grad({one})({name})"]

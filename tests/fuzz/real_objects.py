"""Theme of real_programs.py: classes of the program's own, and objects, made inside and given from outside."""
from __future__ import annotations

from dataclasses import dataclass, field

from real_draws import Draw, Scope, indented


@dataclass
class Known:
    """A class. new: how its objects are made; methods: of one number, that give a number; changing: that change the
    object; values: attributes and properties that are numbers."""

    name: str
    new: str
    methods: list[str] = field(default_factory=list)
    changing: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=lambda: ["w", "b"])
    adds: bool = False
    indexed: bool = False
    enters: bool = False
    called: bool = False


SELF = {"self.w": "s", "self.b": "s"}
CHANGES = (
    ("step", "self.w = {t}\nself.n += 1\nreturn self.w"), ("push", "self.b += {t}\nself.n += 1\nreturn self.b * {s}"),
    ("record", "self.log.append(t)\nreturn sum(self.log) / len(self.log)"),
    ("observe", "self.n += 1\ndelta = t - self.b\nself.b += delta / self.n\nself.w += delta * (t - self.b)\n"
                "return self.b"),
    ("remember", "if 'z' not in self.cache:\n    self.cache['z'] = {t}\nreturn self.cache['z'] * {s}"),
    ("forward", "self.out = {t}\nreturn np.tanh(self.out) + self.out"), ("count", "self.n += 1\nreturn {t}"),
    ("shift", "self.w, self.b = self.b, {t}\nreturn self"), ("keep",
                                                             "self.cache['last'] = {t}\nself.log.append(self.n)\n"
                                                             "return {s}"))


def class_text(draw: Draw, base: Known | None) -> Known:
    """Write a class into the module."""
    names = ("Child", "Scaled", "Deep", "Special") if base else ("Model", "Filter", "Layer", "Spring", "Market",
                                                                 "Track")
    name = draw.global_name(*names)
    scope = Scope(SELF | {"t": "s"})
    known = Known(name, f"{name}({{s}}, {{s}})")
    lines: list[str] = []
    if base:
        known = Known(name, base.new.replace(base.name, name), list(base.methods), list(base.changing),
                      list(base.values), base.adds,
                      base.indexed, base.enters, base.called)
        head = f"class {name}({base.name}):"
        if draw.chance(0.5) and "k=" not in base.new and "({s}, {s}" in base.new:
            lines += ["def __init__(self, w, b, k=0.6):", "    super().__init__(w, b)", "    self.k = k"]
            scope.names["self.k"] = "s"
            known.values.append("k")
    elif draw.chance(0.35):
        head = f"@dataclass\nclass {name}:"
        lines += ["w: float", "b: float = 0.3", "n: int = 0", "log: list = field(default_factory=list)",
                  "cache: dict = field(default_factory=dict)"]
    else:
        head = f"class {name}:"
        lines += ["def __init__(self, w, b=0.3):", *indented(["self.w = w", "self.b = b", "self.n = 0", "self.log = []",
                                                              "self.cache = {}"])]
    for method in draw.rng.sample(("at", "rate", "slope"), draw.pick(1, 1, 2)):
        if base and draw.chance(0.5) and base.methods:
            method = draw.pick(*base.methods)
            lines += [f"def {method}(self, t):",
                      f"    return super().{method}(t) * {draw.fill('{s}', scope, 1)} + {draw.fill('{t}', scope, 1)}"]
        else:
            lines += [f"def {method}(self, t):", f"    return {draw.fill('{t}', scope, 2)}"]
        known.methods += [method] if method not in known.methods else []
    lines += special(draw, known, scope, base)
    draw.module.append("\n".join([head, *indented(lines)]))
    draw.classes[name] = known
    return known


def special(draw: Draw, known: Known, scope: Scope, base: Known | None) -> list[str]:
    """Methods that change, properties, operators."""
    lines: list[str] = []
    for method, body in draw.rng.sample(CHANGES, draw.pick(0, 1, 1, 2)):
        if method not in known.changing:
            lines += [f"def {method}(self, t):", *indented([draw.fill(line, scope, 1) for line in body.split("\n")])]
            known.changing.append(method)
    own = Scope({n: k for n, k in scope.names.items() if n != "t"})
    if draw.chance(0.35) and "size" not in known.values:
        lines += ["@property", "def size(self):", f"    return {draw.expr('s', own, 2)}"]
        known.values.append("size")
    if draw.chance(0.3):
        lines += ["def __call__(self, t):", f"    return {draw.fill('{t}', scope, 1)}"]
        known.called = True
    if draw.chance(0.2) and not base:
        lines += ["def __add__(self, other):", f"    return {known.name}(self.w + other.w, self.b * other.b)",
                  "def __mul__(self, k):",
                  f"    return {known.name}(self.w * k, self.b)"]
        known.adds = True
    if draw.chance(0.15) and not base:
        lines += ["def __getitem__(self, i):", "    return (self.w, self.b)[i]", "def __len__(self):", "    return 2"]
        known.indexed = True
    if draw.chance(0.12) and not base:
        lines += ["def __iter__(self):", "    yield self.w", "    yield self.b"]
    if draw.chance(0.1) and not base:
        lines += ["def __enter__(self):", "    self.n += 1", "    return self", "def __exit__(self, *exc):",
                  "    self.log.append(self.n)",
                  "    return False"]
        known.enters = True
    if draw.chance(0.2):
        lines += ["@classmethod", "def default(cls, t):", "    return cls(t, 0.2)"] if draw.chance(0.5) else [
            "@staticmethod", "def link(t):", "    return np.tanh(t) + 0.1"]
    return lines


def objects(scope: Scope, draw: Draw) -> list[tuple[str, Known]]:
    """The objects in reach."""
    return [(name, draw.classes[kind[1:]]) for name, kind in scope.names.items() if kind.startswith("O")]


def add(draw: Draw) -> None:
    """Classes, objects outside, and what can be done with them."""
    first = class_text(draw, None)
    if draw.chance(0.5):
        class_text(draw, first)
    elif draw.chance(0.3):
        class_text(draw, None)
    outside: dict[str, str] = {}
    if draw.chance(0.35):
        known = draw.classes[draw.pick(*draw.classes)]
        name = draw.global_name("MODEL", "SHARED", "STATS")
        draw.module.append(f"{name} = {draw.fill(known.new, Scope({}), 0)}")
        outside[name] = "O" + known.name
    if draw.chance(0.3):
        known = draw.classes[draw.pick(*draw.classes)]
        draw.given.append(("m", "O" + known.name, draw.fill(known.new, Scope({}), 0)))
    if draw.chance(0.12):
        draw.given.append(("group", "N", "[" + ", ".join(draw.fill(draw.classes[draw.pick(*draw.classes)].new,
                                                                   Scope({}), 0) for _ in range(2)) + "]"))
    draw.outside = outside                                       # type: ignore[attr-defined]
    draw.forms["s"] += [(2.5, value), (3, called)]
    draw.forms["C"] += [(2, bound)]
    draw.forms["I"] += [(1, over)]
    draw.statements += [(3, lambda scope, depth: make(draw, scope)), (4, lambda scope, depth: change(draw, scope)),
                        (1.5, lambda scope, depth: assign(draw, scope)), (1.2, lambda scope, depth: group(draw, scope)),
                        (1.2, lambda scope, depth: operate(draw, scope)),
                        (1.5, lambda scope, depth: through(draw, scope)),
                        (0.8, lambda scope, depth: hold(draw, scope))]


def value(draw: Draw, scope: Scope, depth: int) -> str:
    """A number that an object holds."""
    if not (found := objects(scope, draw)):
        return draw.expr("s", scope, depth)
    name, known = draw.pick(*found)
    return f"{name}[{draw.pick(0, 1)}]" if known.indexed and draw.chance(0.3) else f"{name}.{draw.pick(*known.values)}"


def called(draw: Draw, scope: Scope, depth: int) -> str:
    """A method that changes nothing."""
    if not (found := objects(scope, draw)):
        return draw.expr("s", scope, depth)
    name, known = draw.pick(*found)
    argument = draw.expr("s", scope, depth)
    method = "" if known.called and draw.chance(0.4) else f".{draw.pick(*known.methods)}"
    return f"{name}{method}({argument})"


def bound(draw: Draw, scope: Scope, depth: int) -> str:
    """A method as a value."""
    if not (found := objects(scope, draw)):
        return "np.tanh"
    name, known = draw.pick(*found)
    return name if known.called and draw.chance(0.3) else f"{name}.{draw.pick(*known.methods)}"


def over(draw: Draw, scope: Scope, depth: int) -> str:
    """What the objects of a list give."""
    if not (found := scope.of("N")):
        return draw.fill("[{s}, {s}]", scope, depth)
    common = [m for m in ("at", "rate", "slope") if all(m in known.methods for known in draw.classes.values())]
    forms = ["o.w for o in {N}", "o.w * o.b for o in {N}", "{s} * o.b for o in {N} if o.n < 2"]
    forms += [f"o.{m}({{s}}) for o in {{N}}" for m in common] * 2
    text = draw.fill(draw.pick(*forms).replace("{N}", draw.pick(*found)), scope, depth)
    return f"[{text}]" if draw.chance(0.4) else f"({text})"


def make(draw: Draw, scope: Scope) -> list[str]:
    """An object."""
    known = draw.classes[draw.pick(*draw.classes)]
    text = draw.fill(known.new, scope, 1)
    return [f"{scope.new('O', of='O' + known.name)} = {text}"]


def change(draw: Draw, scope: Scope) -> list[str] | None:
    """A method that changes its object."""
    found = [(name, known) for name, known in objects(scope, draw) if known.changing]
    if not found:
        return None
    name, known = draw.pick(*found)
    method = draw.pick(*known.changing)
    text = draw.fill(f"{name}.{method}({{s}})", scope, 1)
    unused = draw.chance(0.1 if name == "m" else 0.5)            # what is not known is rather asked than refused so
    return [text] if method == "shift" or unused else [f"{scope.new('s')} = {text}"]


def assign(draw: Draw, scope: Scope) -> list[str] | None:
    """An attribute."""
    if not (found := objects(scope, draw)):
        return None
    name, _ = draw.pick(*found)
    form = draw.pick("{o}.w = {s}", "{o}.b += {s}", "{o}.n += 1", "{o}.w *= {s}", "{o}.b = {o}.w * {s}",
                     "{o}.log.append({s})",
                     "{o}.cache['x'] = {s}")
    return [draw.fill(form.replace("{o}", name), scope, 1)]


def group(draw: Draw, scope: Scope) -> list[str]:
    """A list of objects, or a loop over one."""
    if (found := scope.of("N")) and draw.chance(0.7):
        inside = scope.copy()
        common = [m for m in sorted({m for k in draw.classes.values() for m in k.methods})
                  if all(m in known.methods for known in draw.classes.values())]
        names = scope.free("s")
        forms = ["o.w = {s}", "o.b += {s} * o.w", "o.n += 1"]
        if names:
            forms += [f"{draw.pick(*names)} += o.w * {{s}}"] * 2 + [f"{draw.pick(*names)} += o.{m}({{s}})"
                                                                    for m in common] * 2
        head = draw.pick("for o in {N}:", "for o in {N}:", "for i, o in enumerate({N}):").replace("{N}",
                                                                                                  draw.pick(*found))
        inside.names |= {"o.w": "s"}
        return [head, *indented([draw.fill(draw.pick(*forms), inside, 1) for _ in range(draw.pick(1, 2))])]
    known = [draw.classes[draw.pick(*draw.classes)] for _ in range(draw.pick(2, 3))]
    if draw.chance(0.3):
        text = f"[{draw.fill(known[0].new.replace('{s}', '{t}', 1), scope, 1)} for t in {draw.expr('I', scope, 1)}]"
    else:
        text = f"[{', '.join(draw.fill(one.new, scope, 1) for one in known)}]"
    return [f"{scope.new('N')} = {text}"]


def operate(draw: Draw, scope: Scope) -> list[str] | None:
    """Operators, factories, managers, choices."""
    found = objects(scope, draw)
    adding = [(name, known) for name, known in found if known.adds]
    if adding and draw.chance(0.7):
        name, known = draw.pick(*adding)
        other = draw.pick(*[n for n, k in adding if k is known])
        text = draw.fill(draw.pick(f"{name} + {other}", f"{name} * {{s}}", f"{name} * {{s}} + {other}"), scope, 1)
        return [f"{scope.new('O', of='O' + known.name)} = {text}"]
    entering = [(name, known) for name, known in found if known.enters]
    if entering and draw.chance(0.7):
        name, known = draw.pick(*entering)
        return [f"with {name} as held:", *draw.inner(scope, 1, 0, held="O" + known.name)]
    if groups := scope.of("N"):
        best = draw.pick("max", "min", "sorted")
        text = f"{best}({draw.pick(*groups)}, key=lambda o: o.w)" + ("[0]" if best == "sorted" else "")
        return [f"best = {text}", *draw.let(scope, "s", "best.w * {s}", 1)]
    return None


def through(draw: Draw, scope: Scope) -> list[str] | None:
    """A helper of the module that is given an object."""
    if not (found := objects(scope, draw)):
        return None
    if "advance" not in draw.taken:
        draw.taken.add("advance")
        known = draw.pick(*found)[1]
        body = draw.pick("o.w = o.w * 0.9 + t\nreturn o.w", "return o.w * t + o.b",
                         "for _ in range(2):\n    t = t * 0.5 + o.w\nreturn t",
                         f"o.n += 1\nreturn o.{known.methods[0]}(t)", "for _ in range(2):\n    o.b += t\nreturn o.b")
        draw.module.append("\n".join(["def advance(o, t):", *indented(body.split("\n"))]))
        draw.advances = known.methods[0]                         # type: ignore[attr-defined]
    found = [(name, known) for name, known in found if draw.advances in known.methods]  # type: ignore[attr-defined]
    if not found:
        return None
    return draw.let(scope, "s", f"advance({draw.pick(*found)[0]}, {{s}})", 1)


def hold(draw: Draw, scope: Scope) -> list[str] | None:
    """A method, or an object, under another name or in a container."""
    if not (found := objects(scope, draw)):
        return None
    name, known = draw.pick(*found)
    if draw.chance(0.5):
        return [f"{scope.new('C')} = {name}.{draw.pick(*known.methods)}"]
    if draw.chance(0.5):
        return [f"box = {{'it': {name}}}", *draw.let(scope, "s", "box['it'].w * {s}", 1)]
    other = scope.new("O", of="O" + known.name)
    return [f"{other} = {name}"]

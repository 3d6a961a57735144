"""Control flow: `match`, with literals, sequences, mappings, classes, guards, alternatives and captures."""
from dataclasses import dataclass

import numpy as np
from corpus import V3, A, B, add, section

section("control_flow")


@dataclass
class Circle:
    """A pattern's class with fields."""

    radius: float


@dataclass
class Box:
    """Another."""

    width: float
    height: float


def match_literals(x, n):
    match n:
        case 0:
            y = x
        case 1 | 2:
            y = x * x
        case -3:
            y = np.sin(x)
        case _:
            y = np.exp(x)
    return y * x


for _n in (0, 2, -3, 7):
    add(match_literals, A, _n, name=f"match_literals_{_n}")


def match_strings(x, name):
    match name:
        case "relu":
            return np.maximum(x, 0.0) * x
        case "tanh" | "th":
            return np.tanh(x)
        case other:
            return x * len(other)


add(match_strings, A, "relu", holomorphic=False)
add(match_strings, A, "th", name="match_strings_either")
add(match_strings, A, "identity", name="match_strings_captured")


def match_none_and_booleans(x, flag):
    match flag:
        case None:
            return x
        case True:
            return x * x
        case False:
            return x ** 3
    return 0.0


add(match_none_and_booleans, A, None, name="match_none")
add(match_none_and_booleans, A, False, name="match_false")


def match_sequence(x, y):
    match (x, x * y, y):
        case (a, b):
            return a * b
        case [a, b, c]:
            return a * b + c * c
    return 0.0


add(match_sequence, A, B)


def match_star(x, y):
    values = [x, y, x * y, y * y]
    match values:
        case []:
            s = 0.0
        case [first, *rest, last]:
            s = first * last
            for r in rest:
                s = s + r * r
    return s


add(match_star, A, B)


def match_commands(x, program):
    for command in program:
        match command.split():
            case ["scale", k]:
                x = x * float(k)
            case ["power", n]:
                x = x ** int(n)
            case ["sin"]:
                x = np.sin(x)
            case _:
                raise ValueError(command)
    return x


add(match_commands, A, ("scale 1.5", "sin", "power 3"))


def match_tagged_tuples(x, y):
    s = 0.0
    for shape in (("circle", x), ("box", x, y), ("point",)):
        match shape:
            case ("circle", r):
                s += 3.0 * r ** 2
            case ("box", w, h):
                s += w * h
            case (name,):
                s *= len(name)
    return s


add(match_tagged_tuples, A, B)


def match_mapping(x, y):
    match {"kind": "line", "slope": x, "offset": y, "extra": 1}:
        case {"kind": "point"}:
            return x
        case {"kind": "line", "slope": m, "offset": b, **rest}:
            return m * m * len(rest) + m * b
    return 0.0


add(match_mapping, A, B)


def match_dataclass(x, y):
    area = 0.0
    for shape in [Circle(x), Box(x, y), Circle(radius=y)]:
        match shape:
            case Circle(radius=r):
                area += 3.14 * r * r
            case Box(w, h):
                area += w * h * 2.0
    return area


add(match_dataclass, A, B)


def match_kinds(x, y):
    s = 0.0
    for item in (x, "two", 3, [y, x]):
        match item:
            case str():
                s = s + len(item) * x
            case int(n):
                s = s * n
            case float() as value:
                s = s + value * value
            case [a, b]:
                s = s + a * b
    return s


add(match_kinds, A, B, holomorphic=False)


def match_guard(x, y):
    match (x, y):
        case (a, b) if a < b:
            return a * a
        case (a, b) if a > 0.0 and b < 0.0:
            return a * b * b
        case _:
            return x


add(match_guard, A, B)


def match_guard_captures(v):
    s = 1.0
    for k, a in enumerate(v):
        match k:
            case n if n % 2 == 0:
                s = s * a
            case n:
                s = s + a * a * n
    return s


add(match_guard_captures, V3)


def match_as(x, y):
    match [(x, y), x * y]:
        case [(a, b) as pair, (c as d)]:
            return a * b * d + pair[0] * pair[1] ** 2 + c
    return 0.0


add(match_as, A, B)


def match_in_loop_with_break(x, codes):
    for code in codes:
        match code:
            case "+":
                x = x + 0.5
                continue
            case "stop":
                break
            case "*":
                x = x * x
        x = np.sin(x)
    return x


add(match_in_loop_with_break, A, ("*", "+", "*", "stop", "*"))


def match_nothing(x, n):
    y = x * x
    match n:
        case 1:
            y = y * x
    return y * x


add(match_nothing, A, 5)


def match_nested_values(x, y):
    tree = ("add", ("mul", x, y), ("neg", x))
    match tree:
        case ("add", ("mul", a, b), (name, c)) if name == "neg":
            return a * b - c * c
        case (_, *_):
            return x


add(match_nested_values, A, B)


def match_or_with_captures(x, y):
    s = 0.0
    for pair in ((x, 1), (2, y), (x * y, 3)):
        match pair:
            case (a, 1) | (2, a):
                s = s * a + a
            case (a, n):
                s = s + a * n
    return s


add(match_or_with_captures, A, B)


def match_rest_has_the_name_of_the_subject(x, y):
    table = {"a": x, "b": y, "c": 2.0}
    match table:
        case {"a": first, **table}:
            return first * table["b"] * len(table)
    return x


add(match_rest_has_the_name_of_the_subject, A, B)


class Spot:
    """A place."""

    def __init__(self, a, b):
        self.a, self.b = a, b


def of_a_spot(spot, w):
    match spot:
        case Spot(a=a, b=b) if a > 1.0:
            return b
        case Spot(a=a) if a > 0.8:
            pass
        case Spot(a=a, b=b):
            return a * b * w
    return spot.a * 5.0


def match_returns_in_the_place_of_a_call(x, y):
    return of_a_spot(Spot(x, y), x) + of_a_spot(Spot(y, x), x) * 10.0 + of_a_spot(Spot(0.9 * x / x, y), y) * 100.0


add(match_returns_in_the_place_of_a_call, A, B)


def match_returns_in_a_loop_in_the_place_of_a_call(x, y):
    total = 0.0

    def first(values):
        nonlocal total
        for v in values:
            match v:
                case float() if v > 1.0:
                    return v * 7.0
                case _:
                    total = total + v
        return total
    return first([x, y]) + first([x, 0.5 * y]) * 3.0 + total * x


add(match_returns_in_a_loop_in_the_place_of_a_call, A, B)

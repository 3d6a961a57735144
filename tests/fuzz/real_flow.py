"""Theme of real_programs.py: errors that are caught, globals, nonlocals, memos, dicts, names for one container."""
from __future__ import annotations

import re

from real_draws import Draw, Scope, indented


def add(draw: Draw) -> None:
    """What the module has of this, and the statements."""
    draw.module.append("class Refusal(ValueError):\n    pass")
    draw.module.append(draw.pick(
        "def checked(t):\n    if t > 1.2:\n        raise Refusal(f'too large: {t:.3f}')\n    return t * 0.8",
        "def checked(t):\n    if not t > -0.4:\n        raise Refusal('too small')\n    return np.sqrt(t + 0.5)",
        "def checked(t):\n    try:\n        return math.log(t)\n    except ValueError:\n        return t * 0.3",
        "def checked(t):\n    for bound in (0.3, 0.9, 1.5):\n        if t < bound:\n            return t * bound\n"
        "    raise Refusal('beyond')"))
    draw.forms["I"] += [(1, "{D}.values()"), (0.5, "[t * {s} for name, t in {D}.items() if name != 'b']")]
    draw.forms["D"] = [(1, "{'a': {s}, 'b': {s}}"), (0.5, "dict(a={s}, b={s})"), (0.4, "dict(zip('ab', [{s}, {s}]))"),
                       (0.4, "{name: t for name, t in zip('ab', [{s}, {s}])}")]
    statements = [(3, attempt), (1.5, table), (2, changed), (1.2, counted), (1.5, aliased), (1, early), (0.8, matrix),
                  (0.8, grouped), (0.5, ended)]
    if draw.chance(0.5):
        draw.module.append(draw.pick("TOTAL = 0.0", "TOTAL = 0.4"))
        statements.append((2, written))
    if draw.chance(0.4):
        draw.module += ["HISTORY = []"]
        statements.append((1.2, kept))
    if draw.chance(0.5):
        draw.module.append(draw.pick(
            "@functools.lru_cache(maxsize=None)\ndef weight(n):\n"
            "    return 1.0 if n < 1 else 0.5 * weight(n - 1) + 0.2",
            "MEMO = {}\ndef weight(n):\n    if n not in MEMO:\n        MEMO[n] = 1.0 / (n + 1.0)\n    return MEMO[n]",
            "@functools.cache\ndef weight(n):\n    return math.sqrt(n + 1.0)"))
        draw.forms["s"] += [(1.5, "weight(2) * {s}"), (1, "sum(weight(k) * {s} ** k for k in range(3))")]
    if draw.chance(0.06):
        draw.module.append("CACHE = {}\ndef stored(name, t):\n    if name not in CACHE:\n"
                           "        CACHE[name] = t * t\n    return CACHE[name]")
        draw.forms["s"].append((1, "stored('first', {s})"))
    draw.forms["s"] += [(0.6, "{D}.get('a', {s})"), (0.4, "{D}['a']")]
    draw.statements += [(weight, lambda scope, depth, form=form: form(draw, scope)) for weight, form in statements]


def attempt(draw: Draw, scope: Scope) -> list[str]:
    """A try."""
    body, handler = draw.pick(
        ("NAME = checked({s})", "except Refusal:\n    NAME = {s}"),
                              ("NAME = math.log({s})", "except ValueError:\n    NAME = {s}"),
        ("NAME = math.sqrt({s}) * {s}", "except (ValueError, ZeroDivisionError) as error:\n    NAME = 0.1 * {s}\n"
                                        "    print('caught', type(error).__name__)"),
        ("NAME = {'a': {s}}['z']", "except KeyError:\n    NAME = {s}"),
                              ("NAME = [{s}, {s}][3]", "except IndexError:\n    NAME = {s}"),
        ("NAME = {s}\nif NAME > 0.5:\n    raise Refusal('high')",
         "except Refusal as error:\n    NAME = {s} * 0.5\n    print(error)"),
        ("NAME = checked({s}) + checked({s})", "except Refusal:\n    NAME = 0.2\nelse:\n    NAME = NAME * {s}"),
        ("NAME = {s}\nNAME = NAME * checked(NAME)", "except Refusal:\n    NAME = {s}\nfinally:\n    print('done')"),
        ("NAME = {s} / (0.0 * TURN)", "except ZeroDivisionError:\n    NAME = {s}"),
                              ("NAME = {s}", "finally:\n    print('always')"))
    names = scope.free("s")
    kept = bool(names) and draw.chance(0.5)
    lines = ["try:", *indented(body.split("\n")), *handler.split("\n")]
    lines = [draw.fill(line.replace("TURN", "1.0"), scope, 1) for line in lines]
    name = draw.pick(*names) if kept else scope.new("s")
    return [line.replace("NAME", name) for line in lines]


def table(draw: Draw, scope: Scope) -> list[str]:
    """A dict."""
    text = draw.fill(draw.weighted(draw.forms["D"]), scope, 2)
    return [f"{scope.new('D')} = {text}"]


def changed(draw: Draw, scope: Scope) -> list[str] | None:
    """A dict or a list that changes."""
    dicts, lists = scope.of("D"), scope.of("L")
    if dicts and draw.chance(0.7):
        form = draw.pick("D['a'] = {s}", "D['b'] += {s}", "D.update(a={s})", "D['c'] = {s}", "D.setdefault('c', {s})",
                         "for name in D:\n    D[name] = D[name] * {s}",
                         "D = {name: t * {s} for name, t in D.items()}", "D['a'], D['b'] = D['b'], D['a']",
                         "if 'c' in D:\n    D['a'] += D['c']")
        return [draw.fill(re.sub(r"\bD\b", dicts[-1], line), scope, 1) for line in form.split("\n")]
    if lists:
        form = draw.pick("L.append({s})", "L[0] = {s}", "L[-1] *= {s}", "L.insert(0, {s})", "L.extend([{s}, {s}])",
                         "L.reverse()", "L.sort()", "L += [{s}]",
                         "L[0], L[1] = L[1], L[0]", "L.append(L.pop(0))")
        return [draw.fill(re.sub(r"\bL\b", lists[-1], form), scope, 1)]
    return None


def counted(draw: Draw, scope: Scope) -> list[str]:
    """A nonlocal."""
    inside = Scope(dict(scope.names) | {"t": "s"})
    text = draw.fill("{t}", inside, 1)
    start = draw.expr("s", scope, 1)
    name = scope.new("s")
    call = f"{draw.pick('bump', 'add', 'note')}_{name}"
    body = draw.pick(f"{name} = {name} + {text}", f"{name} = {name} * 0.5 + t", f"{name} += t\nreturn {name}")
    lines = [f"{name} = {start}", f"def {call}(t):", *indented([f"nonlocal {name}", *body.split("\n")])]
    return [*lines, *[f"{call}({draw.expr('s', scope, 1)})" for _ in range(draw.pick(1, 2))]]


def aliased(draw: Draw, scope: Scope) -> list[str]:
    """Two names of one container."""
    form = draw.usual(
        ("A = [{s}, {s}]\nB = A\nB.append({s})\nNAME = sum(A) * A[-1]",
         "A = [{s}, {s}]\nB = list(A)\nB[0] = {s}\nNAME = A[0] * B[0]",
         "A = np.array([{s}, {s}])\nB = A\nB[0] = {s}\nNAME = np.sum(A)",
         "A = [{s}, {s}]\nB = A[:]\nA[0] = {s}\nNAME = sum(B) * A[0]",
         "A = B = [{s}, {s}]\nA[1] = {s}\nNAME = B[1] * B[0]",
         "A = {'a': {s}}\nB = dict(A)\nB['a'] = B['a'] * {s}\nNAME = A['a'] + B['a']"),
        ("A = {'a': {s}, 'b': {s}}\nB = A\nB['a'] = {s}\nNAME = A['a'] * A['b']",
         "A = [{s}]\nB = [A, A]\nB[0].append({s})\nNAME = sum(B[1])",
         "A = {'x': [{s}]}\nB = A['x']\nB.append({s})\nNAME = sum(A['x'])",
         "A = ({s}, [{s}])\nA[1].append(A[0])\nNAME = sum(A[1])"))
    number = str(len(scope.names))
    lines = [draw.fill(re.sub(r"\b([AB])\b", lambda name: {"A": "first", "B": "second"}[name[1]] + number, line), scope,
                       1) for line in form.split("\n")]
    name = scope.new("s")
    return [line.replace("NAME", name) for line in lines]


def early(draw: Draw, scope: Scope) -> list[str] | None:
    """A return before the end."""
    return None if scope.loops and draw.chance(0.6) else [draw.fill("if {s} > 1.1:", scope, 1),
                                                          "    return " + draw.expr("s", scope, 2)]


def matrix(draw: Draw, scope: Scope) -> list[str]:
    """Rows of numbers."""
    form = draw.pick("rows = [[0.0] * 2 for _ in range(2)]\nrows[0][1] = {s}\nrows[1][0] = {s}\n"
                     "NAME = sum(sum(one) for one in rows)",
                     "rows = [[t * i for t in [{s}, {s}]] for i in range(1, 3)]\nNAME = rows[0][0] * rows[1][1]",
                     "rows = np.zeros((2, 2))\nfor i in range(2):\n    rows[i, 1] = {s} * (i + 1)\n"
                     "NAME = np.sum(rows ** 2)")
    return draw.named(scope, "s", form, 1)


def grouped(draw: Draw, scope: Scope) -> list[str]:
    """Sums by a key."""
    form = draw.pick("sums = {}\nfor i, t in enumerate({I}):\n    sums[i % 2] = sums.get(i % 2, 0.0) + t\n"
                     "NAME = sums.get(0, 0.3) * sums.get(1, 0.5)",
                     "sums = collections.defaultdict(float)\nfor i, t in enumerate({I}):\n"
                     "    sums['odd' if i % 2 else 'even'] += t\nNAME = sums['even'] - sums['odd'] * 0.5",
                     "lists = {'lo': [], 'hi': []}\nfor t in {I}:\n    lists['hi' if t > 0.5 else 'lo'].append(t)\n"
                     "NAME = sum(lists['lo']) + sum(t * t for t in lists['hi'])")
    return draw.named(scope, "s", form, 2)


def ended(draw: Draw, scope: Scope) -> list[str]:
    """An error that leaves the function, at some arguments."""
    return [draw.fill("if {s} > 1.9:", scope, 1), draw.fill("    raise Refusal(f'no value beyond {x[0]:.2f}')", scope,
                                                            1)]


def written(draw: Draw, scope: Scope) -> list[str]:
    """A global."""
    draw.globals.add("TOTAL")                                    # type: ignore[attr-defined]
    form = draw.usual(("TOTAL = TOTAL + 1.0", "TOTAL += 1"), ("TOTAL += {s}", "TOTAL = {s}\nNAME = TOTAL * {s}",
                                                              "TOTAL = TOTAL * 0.5 + {s}\nNAME = np.tanh(TOTAL)"))
    return draw.named(scope, "s", form, 1)


def kept(draw: Draw, scope: Scope) -> list[str]:
    """A list outside."""
    form = draw.pick("HISTORY.append({s})", "HISTORY.append({s})\nNAME = HISTORY[-1] * {s}",
                     "HISTORY.append(1)\nNAME = {s} * len(HISTORY)",
                     "HISTORY.append({s})\nNAME = sum(HISTORY)")
    return draw.named(scope, "s", form, 1)

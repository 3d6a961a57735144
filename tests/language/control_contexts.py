"""Control flow: `with`, `try`, `raise`, `assert`, printing."""
import contextlib
import io
import math
import warnings

import numpy as np
from corpus import M33, V3, A, B, add, section

section("control_flow")


class Scaled:
    """A context that gives a value and swallows nothing."""

    def __init__(self, factor):
        self.factor = factor

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return False


class Doubling:
    """A context whose value is computed from what it was given."""

    def __init__(self, value):
        self.value = value

    def __enter__(self):
        return 2.0 * self.value

    def __exit__(self, kind, error, trace):
        self.value = 0.0


@contextlib.contextmanager
def block(name):
    """A context without effect."""
    yield len(name)


def with_errstate(v):
    with np.errstate(divide="ignore", invalid="ignore"):
        y = v / (1.0 + v * v)
    return np.sum(y * v)


add(with_errstate, V3, holomorphic=False)


def with_errstate_in_a_loop(v, n):
    for k in range(n):
        with np.errstate(over="ignore"):
            v = np.exp(-v * v) * (k + 1.0) + v
    return np.sum(v)


add(with_errstate_in_a_loop, V3, 3, holomorphic=False)


def with_return_inside(x):
    with np.errstate(all="ignore"):
        if x > 0.0:
            return np.log(x) * x
        x = -x
    return x * x


add(with_return_inside, A, holomorphic=False)
add(with_return_inside, B, name="with_return_not_taken", holomorphic=False)


def with_own_context(x):
    with Scaled(3.0) as s:
        y = x * x * s.factor
    return y * x + s.factor


add(with_own_context, A, holomorphic=False)


def with_active_context(x, y):
    with Doubling(x * y) as t:
        s = t * x
    return s + t * t


add(with_active_context, A, B, holomorphic=False)


def with_generator_context(x):
    with block("four") as n:
        y = x ** n
    with block("a"), block("bc") as m:
        y = y * m + x
    return y


add(with_generator_context, A, holomorphic=False)


def with_break_inside(x):
    for k in range(6):
        with contextlib.nullcontext(k) as n:
            if n == 3:
                break
            if n == 1:
                continue
            x = x * x + n
    return x * k


add(with_break_inside, A, holomorphic=False)


def with_several_and_nested(v):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        w = np.sqrt(v * v + 1.0)
        with contextlib.suppress(ValueError):
            w = w * v
    return np.sum(w * w)


add(with_several_and_nested, V3, holomorphic=False)


def with_suppressed_error(x):
    y = x * x
    with contextlib.suppress(KeyError):
        y = y * x
        table = {"a": 1.0}
        y = y * table["b"]
    return y * 2.0


add(with_suppressed_error, A, holomorphic=False)


def try_not_failing(x):
    try:
        y = math.sqrt(x) * x
    except ValueError:
        y = 0.0
    return y * y


add(try_not_failing, A)


def try_failing(x):
    try:
        y = math.sqrt(x)
    except ValueError:
        y = -x * x
    return y * x


add(try_failing, B, holomorphic=False)


def try_half_done(x, n):
    y = x
    try:
        y = y * x
        y = y * (6 // n)
        y = y + np.sin(x)
    except ZeroDivisionError:
        y = y * 5.0
    return y


add(try_half_done, A, 0)
add(try_half_done, A, 2, name="try_whole")


def try_all_parts(x, key):
    table = {"a": 2.0}
    s = x
    try:
        s = s * table[key]
    except KeyError:
        s = s + x * x
    else:
        s = s * x
    finally:
        s = s * 3.0
    return s * x


add(try_all_parts, A, "a")
add(try_all_parts, A, "b", name="try_all_parts_failing")


def try_several_handlers(x, items):
    s = 0.0
    for item in items:
        try:
            s = s * x + 1.0 / int(item)
        except ValueError as error:
            s = s + x * len(str(error)[:3])
        except (ZeroDivisionError, TypeError):
            s = s * x * x
    return s


add(try_several_handlers, A, ("2", "x", "0", "4"))


def try_return_inside(x, n):
    try:
        if n > 1:
            return x * x
        y = x ** 3 / n
    except ZeroDivisionError:
        return np.sin(x)
    return y * x


for _n in range(3):
    add(try_return_inside, A, _n, name=f"try_return_inside_{_n}", holomorphic=False)


def try_finally_with_return(x):
    log = []
    try:
        return x * x * (len(log) + 1)
    finally:
        log.append("done")


add(try_finally_with_return, A)


def try_in_loop_with_break(v, keys):
    weights = {0: 1.0, 1: 0.5, 2: 2.0}
    s = 1.0
    for k in keys:
        try:
            s = s * v[k] * weights[k] + k
        except (KeyError, IndexError):
            break
        finally:
            s = s + 0.1 * v[0]
    return s


add(try_in_loop_with_break, V3, (0, 2, 7, 1))


def try_raised_by_hand(x, limit):
    try:
        y = x
        for k in range(5):
            y = y * 1.5 + x * k
            if k == limit:
                raise StopIteration("enough")
        y = y * x
    except StopIteration:
        y = y + x * x
    return y


add(try_raised_by_hand, A, 2)


def try_value_carried_by_the_error(x):
    try:
        if x > 0.0:
            raise ValueError(x * x)
        y = x
    except ValueError as error:
        y = error.args[0] * x
    return y


add(try_value_carried_by_the_error, A, may_refuse=True)


def try_nested(x, n):
    try:
        try:
            y = x * (1 // n)
        except ZeroDivisionError as error:
            y = x * x
            raise ValueError("no steps") from error
        y = y + 1.0
    except ValueError:
        y = y * x
    return y


add(try_nested, A, 0)


def try_linalg_fallback(m):
    try:
        inverse = np.linalg.inv(m)
    except np.linalg.LinAlgError:
        inverse = np.eye(3)
    return np.sum(inverse * m)


add(try_linalg_fallback, M33, holomorphic=False)


def raise_when_out_of_range(x, n):
    if n < 0:
        raise ValueError("n is negative: %d" % n)
    if not 0.0 < x < 10.0:
        raise ArithmeticError(f"x is {x:.3f}, not in (0, 10)")
    return math.log(x) * x ** n


add(raise_when_out_of_range, A, 2)


def asserts(v, w):
    assert v.shape == w.shape, "shapes differ"
    assert all(isinstance(k, int) for k in v.shape)
    s = v @ w
    assert np.isfinite(s), f"{s} is not finite"
    return s * s


add(asserts, V3, V3 * 0.5 + 0.2, holomorphic=False)


def prints_to_a_buffer(x, n):
    out = io.StringIO()
    for k in range(n):
        x = x - 0.1 * (x ** 3 - 1.0)
        print(f"{k:2d} {x:.6f}", file=out)
    return x * x * out.getvalue().count("\n")


add(prints_to_a_buffer, A, 3, holomorphic=False)


def formats(x):
    title = f"{'x':>4} = {x!r:.3} {x:{8}.{3}f}" + "{:.2f} {}".format(x, "ok") + "%.1f" % x
    return x * x * (1.0 if title.startswith("   x") else 2.0)


add(formats, A, holomorphic=False)


def nothing_to_do(x):
    """A docstring."""
    ...
    pass
    if x > 0:
        ...
    for _ in range(3):
        pass
    return x * x


add(nothing_to_do, A)


class Guard:
    """A context that asks what was raised, and lets divisions by zero pass."""

    def __init__(self, k):
        self.k, self.failed = k, 0.0

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.k = self.k * 2.0
            return False
        self.failed = 1.0
        return issubclass(kind, ZeroDivisionError)


def with_asking_context(v, bound):
    guard = Guard(v[0])
    y = v[1]
    with guard:
        y = y * guard.k
        if v[1] < bound:
            raise ZeroDivisionError("too small")
        y = y * 3
    return y * guard.k + guard.failed * v[2]


add(with_asking_context, V3, 10.0, wrt=(0,), holomorphic=False)
add(with_asking_context, V3, -10.0, wrt=(0,), holomorphic=False)


class Gain:
    """What is multiplied by, for some time another number."""

    def __init__(self, w):
        self.w, self.on = w, True

    def __call__(self, x):
        return x * self.w if self.on else x

    @contextlib.contextmanager
    def scaled(self, k):
        old, self.w = self.w, self.w * k
        try:
            yield self.w
        finally:
            self.w = old


@contextlib.contextmanager
def silent(gain):
    before = gain.on
    gain.on = False
    try:
        yield gain
    finally:
        gain.on = before


@contextlib.contextmanager
def set_to(gain, k):
    old = gain.w
    gain.w = k
    yield
    gain.w = old


@contextlib.contextmanager
def forgiving(gain):
    try:
        yield gain
    except ZeroDivisionError:
        gain.w = gain.w * 5.0


@contextlib.contextmanager
def multiplied(scale):
    yield lambda x: x * scale


def with_generator_that_gives_a_function(v):
    with multiplied(v[0]) as louder:
        y = louder(np.tanh(louder(v)))
    return np.sum(y)


add(with_generator_that_gives_a_function, V3, holomorphic=False)


def with_generator_that_changes_an_object(v):
    gain = Gain(v[0])
    y = gain(v)
    with silent(gain) as same:
        z = same(np.sin(v))
    return np.sum(y * z) * gain(v[1])


add(with_generator_that_changes_an_object, V3, holomorphic=False)


def with_method_and_return(v):
    gain = Gain(v[0])
    with gain.scaled(3.0) as k, silent(gain):
        a = gain(v[1]) * k
        return a * gain(v[2])


add(with_method_and_return, V3, holomorphic=False)


def with_generator_that_goes_on(v):
    gain = Gain(v[0])

    def inner(k):
        with set_to(gain, v[1] * k):
            return gain(v[2])

    a = 0.0
    for i in range(3):
        with set_to(gain, v[1] * i):
            a = a + gain(v[2])
    return a * inner(2.0) * gain(v[2])


add(with_generator_that_goes_on, V3, holomorphic=False)


def with_generator_that_catches(v):
    gain = Gain(v[0])
    y = v[1]
    with forgiving(gain):
        y = gain(y)
        if v[0] < 100:
            raise ZeroDivisionError
        y = y * 100
    return y * gain(v[2])


add(with_generator_that_catches, V3, holomorphic=False)


class Model:
    """Its attributes are set for some time, by their names."""

    def __init__(self, w):
        self.w, self.used, self.total = w, 0, 0.0

    def __enter__(self):
        self.used += 1
        return self

    def __exit__(self, *error):
        self.w = self.w * 2

    def add(self, x):
        self.total = self.total + x * self.w
        return self

    @contextlib.contextmanager
    def override(self, **given):
        before = {name: getattr(self, name) for name in given}
        for name, value in given.items():
            setattr(self, name, value)
        try:
            yield self
        finally:
            for name, value in before.items():
                setattr(self, name, value)


def with_attributes_by_name(v):
    model = Model(v[0])
    with model.override(w=v[1] * 3):
        model.add(v[2])
    return model.add(v[2]).total


add(with_attributes_by_name, V3, holomorphic=False)


def with_own_managers_in_a_loop(v):
    total = 0.0
    for i in range(3):
        with Model(v[i]) as one, Model(one.w * v[1]) as other:
            if i == 1:
                continue
            one.add(other.w).add(v[0])
            total = total + one.total * other.w
    with one:
        one.add(v[1])
    return total * one.total * one.w * one.used


add(with_own_managers_in_a_loop, V3, holomorphic=False)

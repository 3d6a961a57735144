"""The part of the corpus about `try` and `with`: which way was taken, what was done by then,
and that everything is done once."""
from __future__ import annotations

import contextlib
import math
import threading
import warnings
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from typing import Any

import numpy as np
from corpus import M33, P3, V3, W3, A, B, add, section

section("try")


# ---------------------------------------------------------------- one handler
def try_zero_division(x):
    try:
        y = x / (x - 0.7)
    except ZeroDivisionError:
        y = x * 3.0
    return y * x


add(try_zero_division, A, smooth=False, holomorphic=False, expected=(6.0 * A,))
add(try_zero_division, B, name="try_zero_division_not_taken")


def try_key(x, k):
    table = {"a": 2.0, "b": 3.0}
    z = x * x
    try:
        y = x * table[k]
    except KeyError:
        y = x * x * z
    return y * z


add(try_key, A, "a", name="try_key_found")
add(try_key, A, "c", name="try_key_missing")


def try_index(x, i):
    items = [x * 2.0, x * x, 3.0]
    try:
        y = items[i] * x
    except IndexError:
        y = np.sin(x)
    return y


add(try_index, A, 1, name="try_index_inside")
add(try_index, A, 7, name="try_index_outside")


def try_int(x, text):
    try:
        n = int(text)
    except ValueError:
        n = 5
    return x ** n * n


add(try_int, A, "3", name="try_int_reads")
add(try_int, A, "three", name="try_int_fails")


def try_array_index(x, i):
    try:
        y = x[i] * x[0]
    except IndexError:
        y = np.sum(x * x)
    return y


add(try_array_index, V3, 2, name="try_array_index_inside")
add(try_array_index, V3, 5, name="try_array_index_outside")


def try_math_domain(x):
    try:
        return math.sqrt(x) * x
    except ValueError:
        pass
    return x * x * 3.0


add(try_math_domain, A, name="try_math_domain_inside")
add(try_math_domain, B, name="try_math_domain_outside", holomorphic=False)


def try_raise(x):
    y = x * x
    try:
        if y > 1.0:
            raise ValueError("too much")
        y = y * np.exp(x)
    except ValueError:
        y = y / x
    return y * x


add(try_raise, A, name="try_raise_not_taken")
add(try_raise, B, name="try_raise_taken")


def try_assert(x):
    try:
        assert x > 0, "not positive"
        y = np.log(x)
    except AssertionError:
        y = x * x
    return y * x


add(try_assert, A, name="try_assert_holds")
add(try_assert, B, name="try_assert_fails")


def try_linalg(m, x):
    try:
        y = np.linalg.solve(m, x)
    except np.linalg.LinAlgError:
        y = np.dot(m, x)
    return np.sum(y * y)


add(try_linalg, M33, V3, name="try_linalg_regular", holomorphic=False)
add(try_linalg, np.ones((3, 3)), V3, name="try_linalg_singular", smooth=False, holomorphic=False,
    expected=(np.array([[2 * sum(V3) * v for v in V3]] * 3), np.full(3, 6 * sum(V3))))


def checked_root(t):
    if t < 0:
        raise ValueError("negative")
    for _ in range(2):
        t = np.sqrt(t)
    return t


def try_helper(x):
    try:
        y = checked_root(x) * x
    except ValueError:
        y = checked_root(-x)
    return y * x


add(try_helper, A, name="try_helper_works")
add(try_helper, B, name="try_helper_raises")


def short_helper(t):
    return math.log(t) * t


def try_short_helper(x):
    try:
        y = short_helper(x)
    except ValueError:
        y = x * x
    return y * x


add(try_short_helper, A, name="try_short_helper_works")
add(try_short_helper, B, name="try_short_helper_raises", holomorphic=False)


# ---------------------------------------------------------------- what was done by then
def try_seen_half_done(x, k):
    table = {"a": 2.0}
    z = x * x
    try:
        x = x * 2.0
        y = x * table[k]
    except KeyError:
        y = x * 10.0
    return y * z + x


add(try_seen_half_done, A, "a", name="try_seen_half_done_not_taken")
add(try_seen_half_done, A, "b", name="try_seen_half_done_taken")


def try_overwrites_what_stood_before(a, x, text):
    y = a * x
    try:
        a = a * x * x
        n = int(text)
        y = y * a * n
    except ValueError:
        pass
    return y * x


add(try_overwrites_what_stood_before, A, B, "2", name="try_overwrites_done")
add(try_overwrites_what_stood_before, A, B, "two", name="try_overwrites_half_done")


def try_unseen_half_done(a, x, text):
    y = np.sin(a) * x
    try:
        a = a * x * x
        n = int(text)
        a = a * n
    except ValueError:
        a = x
    return y * a


add(try_unseen_half_done, A, B, "2", name="try_unseen_half_done_not_taken")
add(try_unseen_half_done, A, B, "two", name="try_unseen_half_done_taken")


def try_sum_of_parts(x, texts):
    total = x
    count = 0
    for text in texts:
        try:
            count += 1
            total = total * x
            total = total + float(text) * x
            count += 1
        except ValueError:
            total = total * 0.5
    return total * count


add(try_sum_of_parts, A, ["1", "x", "2.5", "", "-1"])


def try_augmented(x, texts):
    total = x * x
    for text in texts:
        try:
            total += float(text) * x * total
        except ValueError:
            total -= x
    return total


add(try_augmented, A, ["1", "x", "2.5"], orders=1)


def try_cell(x, n):
    y = np.zeros(n)
    for i in range(n + 2):
        try:
            y[i] = x[i] * x[i] * i
        except IndexError:
            y[0] = y[0] + x[1] * x[2]
    return np.sum(y * y)


add(try_cell, V3, 3)


def try_append(x, texts):
    found = []
    for text in texts:
        try:
            found.append(float(text) * x * x)
        except ValueError:
            found.append(x)
    total = 0.0
    for item in found:
        total = total + item * item
    return total


add(try_append, A, ["1", "x", "2.5"], orders=1)


def try_loop_in_body(x, texts):
    total = x
    for words in texts:
        y = x * x
        try:
            part = x
            for word in words:
                part = part * y * float(word)
                y = np.sin(part) * y
            total = total + part * y
        except ValueError:
            total = total * np.cos(x)
    return total


add(try_loop_in_body, A, [["1", "2"], ["3", "x", "2"], [], ["0.5", "1.5"]], orders=1)


def try_branch_in_body(x, texts):
    total = x
    for text in texts:
        y = x * total
        try:
            if len(text) > 1:
                w = y * total
                z = w * float(text)
            else:
                z = np.sin(y)
                z = z * float(text)
            total = total + z * y
        except ValueError:
            total = total * y
    return total


add(try_branch_in_body, A, ["1", "22", "x", "xx", "3"], orders=1, smooth=False)


def try_halfway_in_loop(x, texts):
    total = x
    try:
        for text in texts:
            total = total * float(text)
        total = total + 1.0
    except ValueError:
        total = total * x
    else:
        total = total * 2.0
    return total


add(try_halfway_in_loop, A, ["2", "x"], name="try_halfway_in_loop_taken")
add(try_halfway_in_loop, A, ["2", "3"], name="try_halfway_in_loop_not_taken")


def try_halfway_in_branch(x, texts):
    y = x
    for text in texts:
        try:
            if text > "a":
                y = y * x
                z = y * float(text)
            else:
                y = y * float(text)
                z = x
        except ValueError:
            z = y * 3.0
        y = y + z
    return y


add(try_halfway_in_branch, A, ["2", "a", "b", "3"])


def try_halfway_in_while(x, texts):
    total = x
    k = 0
    try:
        while k < len(texts):
            total = total * float(texts[k])
            k += 1
    except ValueError:
        total = total * x
    return total


add(try_halfway_in_while, A, ["1", "x"], refused=True, message="before an exception is not known")


# ---------------------------------------------------------------- loops and exits
def try_continue(x, texts):
    total = 0.0
    for text in texts:
        try:
            v = float(text)
        except ValueError:
            continue
        total = total + x * v * x * total + v * x
    return total


add(try_continue, A, ["1", "x", "3", "y"])


def try_break(x, texts):
    total = x
    for text in texts:
        try:
            v = float(text)
        except ValueError:
            break
        total = total * v * x
    return total


add(try_break, A, ["1", "3", "y", "7"], name="try_break_taken")
add(try_break, A, ["1", "3"], name="try_break_not_taken")


def try_return_in_loop(x, texts):
    for text in texts:
        try:
            return x * int(text) * x
        except ValueError:
            x = x * x + 0.1
    return x


add(try_return_in_loop, A, ["a", "b", "3", "4"], name="try_return_in_loop_taken")
add(try_return_in_loop, A, ["a", "b"], name="try_return_in_loop_not_taken")


def try_return_in_handler(x, text):
    try:
        n = int(text)
    except ValueError:
        return np.sin(x)
    y = x * n
    return y * y


add(try_return_in_handler, A, "3", name="try_return_in_handler_not_taken")
add(try_return_in_handler, A, "x", name="try_return_in_handler_taken")


def try_until_it_works(x):
    tries = 0
    while True:
        try:
            y = checked_root(x)
            break
        except ValueError:
            tries += 1
            x = x + 0.9
    return y * x * tries


add(try_until_it_works, -2.0, orders=1)


def try_branches_that_return(x, text):
    try:
        if x > 5.0:
            return x * x
        n = int(text)
        if n > 3:
            return x * n * x
    except ValueError:
        n = 2
    return x ** n


for text in ("1", "x", "7"):
    add(try_branches_that_return, A, text, name=f"try_branches_that_return_{text}")


# ---------------------------------------------------------------- several handlers
def try_two_handlers(x, table, k):
    try:
        y = x * table[k] / (table[k] - 1.0)
    except KeyError:
        y = x * x
    except (ZeroDivisionError, TypeError) as error:
        n = len(error.args)
        y = np.sin(x) * n
    return y * x


for k in ("a", "b", "c", "d"):
    add(try_two_handlers, A, {"a": 2.0, "b": 1.0, "d": None}, k, name=f"try_two_handlers_{k}")


def try_bare(x, text):
    try:
        y = x * int(text)
    except:  # noqa: E722
        y = x
    return y * x


add(try_bare, A, "2", name="try_bare_not_taken")
add(try_bare, A, "x", name="try_bare_taken")


def try_handlers_in_a_loop(x, texts):
    total = x
    for text in texts:
        try:
            v = 1.0 / float(text)
        except ValueError:
            total = total * x
        except ZeroDivisionError:
            total = np.sin(total)
        else:
            total = total * v + x
    return total


add(try_handlers_in_a_loop, A, ["1", "x", "0", "2", "x"])


def try_else(x, text):
    log = []
    try:
        n = int(text)
    except ValueError:
        log.append("except")
        y = x
    else:
        log.append("else")
        y = x ** n
    finally:
        log.append("finally")
    return y * len(log) * x


add(try_else, A, "3", name="try_else_taken")
add(try_else, A, "x", name="try_else_not_taken")


def try_nested(x, a, b):
    try:
        y = x * x
        try:
            y = y * int(a)
        except ValueError:
            y = y * int(b)
        z = y * 2.0
    except ValueError:
        z = np.sin(x)
    return z * x


for a, b in (("2", "3"), ("x", "3"), ("x", "y")):
    add(try_nested, A, a, b, name=f"try_nested_{a}_{b}")


def try_in_handler(x, a, b):
    y = x
    try:
        y = x * float(a)
    except ValueError:
        try:
            y = x * x * float(b)
        except ValueError:
            y = y * y * x
    return y * x


for a, b in (("2", "3"), ("x", "3"), ("x", "y")):
    add(try_in_handler, A, a, b, name=f"try_in_handler_{a}_{b}")


def try_raises_again(x, text):
    try:
        try:
            y = x * float(text)
        except ValueError as error:
            raise KeyError(text) from error
    except KeyError as error:
        y = x * x if error.__cause__ is not None else x
    return y * x


add(try_raises_again, A, "2", name="try_raises_again_not_taken")
add(try_raises_again, A, "x", name="try_raises_again_taken")


def try_bare_raise(x, text):
    log = []
    try:
        try:
            y = x * float(text)
        except ValueError:
            log.append(text)
            raise
        finally:
            log.append("done")
    except ValueError:
        y = np.sin(x)
    return y * len(log)


add(try_bare_raise, A, "2", name="try_bare_raise_not_taken")
add(try_bare_raise, A, "x", name="try_bare_raise_taken")


def try_finally(x, text):
    y = x
    try:
        y = y * x * float(text)
    finally:
        y = y * x
    return y * y


add(try_finally, A, "2")


def try_finally_and_return(x, n):
    total = x
    for i in range(n):
        try:
            if i == 2:
                return total * x
            total = total * x + i
        finally:
            x = x * 0.5
    return total


add(try_finally_and_return, A, 2, name="try_finally_and_return_not_taken")
add(try_finally_and_return, A, 4, name="try_finally_and_return_taken")


def try_unpacks(x, parts):
    try:
        a, b = parts
    except ValueError:
        a, b = 1.0, 2.0
    return x * a + x * x * b


add(try_unpacks, A, (3.0, 4.0), name="try_unpacks_two")
add(try_unpacks, A, (3.0, 4.0, 5.0), name="try_unpacks_three")


def try_floating_point_error(x):
    with np.errstate(divide="raise"):
        try:
            y = 1.0 / (x - x[0])
        except FloatingPointError:
            y = x * x
    return np.sum(y * x)


add(try_floating_point_error, V3, holomorphic=False)


def try_vector(x, w, text):
    h = np.tanh(x * w)
    try:
        scale = float(text)
        h = h * scale
        h = np.exp(h) * w
    except ValueError:
        h = h * x
    return np.sum(h * h)


add(try_vector, V3, W3, "0.5", name="try_vector_not_taken")
add(try_vector, V3, W3, "half", name="try_vector_taken")

# ---------------------------------------------------------------- with
section("with")


def with_errstate(x):
    with np.errstate(all="ignore"):
        y = np.log(x) * x
    return np.sum(y)


add(with_errstate, P3, holomorphic=False)


def with_several(x):
    with np.errstate(divide="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = x / (1.0 + x)
        y = y * x
    return np.sum(y)


add(with_several, P3, holomorphic=False)


class Counting:
    """A manager of the user's, which counts."""

    def __init__(self) -> None:
        self.entered = 0
        self.left = 0

    def __enter__(self) -> Counting:
        self.entered += 1
        return self

    def __exit__(self, *raised: Any) -> None:
        self.left += 1


@contextlib.contextmanager
def scaled(factor: float) -> Iterator[float]:
    yield factor * 2.0


LOCK = threading.Lock()


def with_user_manager(x):
    with Counting() as manager:
        y = x * x * manager.entered
    return y * manager.left


add(with_user_manager, A, holomorphic=False)


def with_generator(x, n):
    total = x
    for i in range(n):
        with scaled(i + 1.0) as factor, LOCK:
            total = total * x * factor
            total = np.sin(total)
    return total


add(with_generator, A, 3, holomorphic=False)


def with_return(x, n):
    for i in range(n):
        with scaled(2.0) as factor:
            if i == 2:
                return x * factor * x
            x = x * factor
    return x


add(with_return, A, 2, name="with_return_not_taken", holomorphic=False)
add(with_return, A, 4, name="with_return_taken", holomorphic=False)


def with_nullcontext(x):
    with nullcontext(x * x) as y:
        z = y * x
    with nullcontext():
        z = z * x
    return z


add(with_nullcontext, A, holomorphic=False)


def with_suppress(x, text):
    y = x
    with suppress(ValueError, TypeError):
        y = x * x * float(text)
    return y * x


add(with_suppress, A, "2", name="with_suppress_not_taken", holomorphic=False)
add(with_suppress, A, "x", name="with_suppress_taken", holomorphic=False)


def with_suppress_in_loop(x, texts):
    total = x
    for text in texts:
        with contextlib.suppress(ValueError):
            total = total * float(text)
            total = total + int(text) * x
    return total


add(with_suppress_in_loop, A, ["1", "2.5", "x", "3"], holomorphic=False)


def with_return_suppressed(x, text):
    with suppress(ValueError):
        return x * int(text)
    return x * x * x


add(with_return_suppressed, A, "2", name="with_return_suppressed_not_taken", holomorphic=False)
add(with_return_suppressed, A, "x", name="with_return_suppressed_taken", holomorphic=False)


class Swallowing:
    """A manager that swallows what is raised."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *raised: Any) -> bool:
        return True


def try_log(x):
    y = x
    try:
        y = math.log(y)
    except ValueError:
        y = y * 3.0
    return y


add(try_log, A)
add(try_log, -A, name="try_log_of_negative", holomorphic=False)


def try_root_of_itself(x, n):
    y = x * x
    try:
        for k in range(3):
            y = math.sqrt(y) * x / (n - k)
    except ArithmeticError:
        y = y * x
    return y


add(try_root_of_itself, A, 5, holomorphic=False)
add(try_root_of_itself, A, 1, name="try_root_of_itself_second", holomorphic=False)
add(try_root_of_itself, A, 0, name="try_root_of_itself_first", holomorphic=False)


def try_branch_that_returns(x, n):
    try:
        if n > 1:
            return x * x
        y = x ** 3 / n
    except ZeroDivisionError:
        return np.sin(x)
    return y * x


add(try_branch_that_returns, A, 2)
add(try_branch_that_returns, A, 1, name="try_branch_that_goes_on")
add(try_branch_that_returns, A, 0, name="try_branch_that_raises", holomorphic=False)


def try_array_updated(x, n):
    y = np.array([x, 2.0 * x])
    try:
        y *= x
        y /= np.ones(3)[n:]
        y **= 2.0
    except (ValueError, ZeroDivisionError):
        y = y * 3.0
    return y.sum()


add(try_array_updated, A, 1)
add(try_array_updated, A, 0, name="try_array_updated_half")


def with_swallowing_manager(x):
    y = x
    with Swallowing():
        y = x * x
        raise ValueError("swallowed")
    return y * x


add(with_swallowing_manager, A, holomorphic=False)


def with_manager_of_active(x):
    with scaled(x) as factor:
        y = x * factor
    return y


add(with_manager_of_active, A, holomorphic=False)


def try_return_in_finally(x):
    try:
        print(x / 2.0)
    finally:
        return x * 3.0


add(try_return_in_finally, A, refused=True, message="finally leaves")

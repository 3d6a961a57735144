"""`watch`: a derivative that stops at the first line that makes a NaN or an Inf."""
from __future__ import annotations

import functools
import inspect
import os
import types
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from ..api import derivation
from ..errors import NonFiniteError, TangentError
from .finite import found
from .judge import Judge
from .origins import Origins
from .stepper import Step, run
from .texts import Texts, make_text


def watch(df: Callable[..., Any], *, allow: Collection[str] = ()) -> Callable[..., Any]:
    """A function that does what the derivative `df` does, and raises NonFiniteError at the first line that makes a NaN
    or an Inf.

    The error names the generated line, the user's line that it belongs to, the sweep, and the inputs of the line.
    Arguments that are not finite are an error at once, but for those that `allow` names and defaults. It runs many
    times slower than `df`, which is left as it is. Floating-point warnings are off while it runs; an error that `df`
    raises by itself is passed on.

    A line is guilty if what it stores, returns, appends, or passes to a function of the user's has

    - a NaN, and nothing that it reads has a NaN; or
    - an Inf, and nothing that it reads has an Inf or a NaN.

    Where the line consists of operators, ufuncs and `np.where`, this is asked for each element. What a line reads are
    names, parts of lists and arrays, constants such as `np.inf`, and what the functions of the user's return that it
    calls (they are watched, too). So values that are infinite on purpose (`best = np.inf`, a mask of `-np.inf`,
    `float("inf")`) are passed on without fault; `inf - inf` is a fault. Of an update in place only what it changes
    counts. What vanishes within a line (`np.maximum(np.log(x), 0)`) is not seen; what memory happens to hold after
    `np.empty`, and what a property returns, is taken as it is.

    >>> from tangent_nb import grad
    >>> df = watch(grad(lambda x: np.sum(np.sqrt(x))))
    >>> df(np.array([1.0, 4.0]))
    array([0.5 , 0.25])
    >>> try:
    ...     df(np.array([1.0, 0.0]))
    ... except NonFiniteError as error:
    ...     print(error.name, error.sweep)
    bx backward
    """
    known = derivation(df)
    df = inspect.unwrap(df)
    if known.compiled:
        raise TangentError(f"{df.__name__} is compiled, and runs no lines that could be followed: watch a derivative "
                           "with compile=None")
    allow = (allow,) if isinstance(allow, str) else tuple(allow)
    if unknown := set(allow) - set(inspect.signature(df).parameters):
        known_names = ", ".join(inspect.signature(df).parameters)
        raise TangentError(f"{df.__name__} has no parameter {', '.join(sorted(unknown))} to allow: "
                           f"it has {known_names}")
    origins = Origins(known, df.__code__.co_filename)
    texts = Texts(origins)

    @functools.wraps(df)
    def watched(*args: Any, **kwargs: Any) -> Any:
        _check_arguments(df, args, kwargs, allow)
        make_text(known, df, args, kwargs)
        judge = Judge(origins)
        try:
            with np.errstate(all="ignore"):
                return run(lambda: df(*args, **kwargs), texts.follow, judge)
        except NonFiniteError as error:
            raise error.with_traceback(_ending_at(judge.guilty, error.__traceback__)) from None

    return watched


def _check_arguments(df: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any],
                     allow: Collection[str]) -> None:
    try:
        bound = inspect.signature(df).bind(*args, **kwargs).arguments
    except TypeError:
        return                                     # the call raises it
    for name, value in bound.items():
        bad = None if name in allow else found(value)
        if bad is not None:
            raise NonFiniteError(f"the argument {name}{bad.part} of {df.__name__} is not finite: {bad.text()}\n"
                                 f"  if it is meant to be: tnb.watch({df.__name__}, allow=({name!r},))", name=name)


def _ending_at(guilty: Step | None, trace: types.TracebackType | None) -> types.TracebackType | None:
    """The traceback from the derivative to the guilty line: without the tracer's frames,
    which come to it one line later."""
    ours = os.path.dirname(__file__)
    frames = []
    while trace is not None and guilty is not None:
        if os.path.dirname(trace.tb_frame.f_code.co_filename) != ours:
            frames.append((trace.tb_frame, trace.tb_lasti, trace.tb_lineno))
        if trace.tb_frame is guilty.activation.frame:
            frames[-1] = trace.tb_frame, guilty.start, guilty.statement.first
            break
        trace = trace.tb_next
    result = None
    for frame, instruction, line in reversed(frames):
        result = types.TracebackType(result, frame, instruction, line)
    return result

"""The calls that make derivatives, with their conventions."""
from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from .asked import NUMPY, Settings, Wrt, check_examples, positional, request_of, settings_of
from .errors import RefusedError, TangentError, made_at_calls, reached_later, render
from .every import EVERY, every
from .pipeline import Derived, captured_of, check_steady, derive, deriving, is_clean
from .pipeline.versions import described
from .rules import lookup
from .rules.table import with_row
from .runtime.remembered import DERIVE, OPERATORS, PULLBACKS
from .syntax.nodes import parameter_names, starred_parameters
from .syntax.program import Derivation


def grad(f: Callable[..., Any], wrt: Wrt = 0, *, optimized: bool | Sequence[str] = True, backend: str = "numpy",
         compile: str | None = None, tape: Any = None, like: Sequence[Any] | None = None,
         has_aux: bool = False) -> Callable[..., Any]:
    """The gradient of a scalar-valued function, in reverse mode: a plain function with the signature of `f`.

    f: a function that returns one number. wrt: the index or name of a parameter, or a tuple of them, for which the
    result is a tuple. A parameter may hold a number, an array of floats, or a container of these: lists, tuples, dicts,
    dataclasses, plain objects, in any nesting, and what `register_container` makes known. The gradient has the same
    structure, with None for what holds no number. wrt may also name a part of a parameter, `"params['layers'][0].w"`,
    or a global or closure variable that `f` reads; `"*"` stands for the tuple of all parameters that can have a
    derivative, in order: of no other kind by their annotation, default or use. optimized: True for all passes, and a
    text of its own for arguments of such classes and ranks as those of a call; names of `PASSES` for these alone; False
    for none; `"+reuse"` for all and one that is off by itself. backend: `"numpy"`, or `"jax"` for the same on
    `jax.numpy`. compile: `"jit"`, with JAX, or `"numba"`, for the arguments of each call. like: example arguments to
    make such a text for at once. tape: `Sampled(0.1)`, to keep a part of what is saved: the gradient is right on
    average. has_aux: `f` returns `(value, aux)`, the derivative `(gradient, aux)`. A gradient has
    the shape and dtype of its argument. Raises RefusedError where `f` is not differentiated, and ArgumentError when
    called with what has no derivative.

    >>> import numpy as np
    >>> def f(x): return x * np.sin(x)
    >>> print(round(grad(f)(0.5), 6))
    0.918217
    >>> def loss(p, x): return p["w"] * x + p["b"]
    >>> grad(loss)({"w": 2.0, "b": 1.0, "name": "line"}, 3.0)
    {'w': 3.0, 'b': 1.0, 'name': None}
    >>> grad(loss, wrt="p['w']")({"w": 2.0, "b": 1.0}, 3.0)
    3.0
    >>> grad(lambda x, y, k=3, name="f": x * y, wrt="*")(2.0, 5.0)
    (5.0, 2.0, 0.0)

    Source: A. Griewank and A. Walther, "Evaluating Derivatives" (2008), section 3.2.
    """
    return _derived(f, "grad", wrt, optimized, like, has_aux, settings_of(backend, compile, tape))


def value_and_grad(f: Callable[..., Any], wrt: Wrt = 0, *, optimized: bool | Sequence[str] = True,
                   backend: str = "numpy", compile: str | None = None, tape: Any = None,
                   like: Sequence[Any] | None = None, has_aux: bool = False) -> Callable[..., Any]:
    """Like `grad`, with the value: `(value, gradient)`; with `has_aux` `((value, aux), gradient)`.

    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """
    return _derived(f, "value_and_grad", wrt, optimized, like, has_aux, settings_of(backend, compile, tape))


def vjp(f: Callable[..., Any], wrt: Wrt = 0, *, optimized: bool | Sequence[str] = True, backend: str = "numpy",
        compile: str | None = None, tape: Any = None, like: Sequence[Any] | None = None) -> Callable[..., Any]:
    """The vector-Jacobian product, in reverse mode: `vjp(f)(*args, seed)`, the seed with the structure of the result.

    The seed is the last argument where all parameters of `f` are plain ones without defaults, else the keyword `seed=`.

    >>> import numpy as np
    >>> vjp(lambda x: x * x)(np.array([1.0, 2.0]), np.array([1.0, 10.0]))
    array([ 2., 40.])
    """
    return _derived(f, "vjp", wrt, optimized, like, False, settings_of(backend, compile, tape))


def jvp(f: Callable[..., Any], wrt: Wrt = 0, *, optimized: bool | Sequence[str] = True, backend: str = "numpy",
        compile: str | None = None, tape: Any = None, like: Sequence[Any] | None = None) -> Callable[..., Any]:
    """The Jacobian-vector product, in forward mode: `jvp(f)(*args, *tangents)`, a tangent for each of wrt, in order.

    Tangents are the last arguments where all parameters of `f` are plain ones without defaults,
    else keywords: `dx=` for `x`.

    >>> jvp(lambda x: x * x)(3.0, 1.0)
    6.0
    """
    return _derived(f, "jvp", wrt, optimized, like, False, settings_of(backend, compile, tape))


def jvp_of_units(f: Callable[..., Any], wrt: Wrt = 0) -> Callable[..., Any]:
    """`jvp` for unit vectors: a pole behind one of their zeros contributes 0."""
    return _derived(f, "jvp", wrt, True, None, False, NUMPY, cut=True)


def autodiff(f: Callable[..., Any], wrt: Wrt = 0, *, mode: str = "reverse", motion: str = "joint",
             optimized: bool | Sequence[str] = True, backend: str = "numpy", compile: str | None = None,
             tape: Any = None, like: Sequence[Any] | None = None) -> Any:
    """Tangent's general entry: `vjp` or `jvp` by mode. With motion `"split"` a pair of functions, for reverse mode:
    `forward(*args)` gives `(value, residuals)`, and `backward(residuals, seed)` the cotangents, any number of times:
    the residuals own their data, and keep what `backward` reads of variables outside.

    >>> forward, backward = autodiff(lambda x: x * x, motion="split")
    >>> value, residuals = forward(3.0)
    >>> value, backward(residuals, 1.0)
    (9.0, 6.0)
    """
    settings = settings_of(backend, compile, tape)
    if mode not in ("reverse", "forward"):
        raise TangentError(f"mode is 'reverse' (as in vjp) or 'forward' (as in jvp), not {mode!r}")
    if motion not in ("joint", "split"):
        raise TangentError(f"motion is 'joint' or 'split', not {motion!r}")
    if mode == "forward":
        if motion == "split":
            raise TangentError("forward mode has one motion: split is for mode='reverse'")
        return _derived(f, "jvp", wrt, optimized, like, False, settings)
    if motion == "joint":
        return _derived(f, "vjp", wrt, optimized, like, False, settings)
    return _split(f, wrt, optimized, like, settings)


def pullback(f: Callable[..., Any], *args: Any, wrt: Wrt = 0, backend: str = "numpy",
             compile: str | None = None) -> tuple[Any, Callable[[Any], Any]]:
    """`(value, pb)` at the given arguments; `pb(seed)` gives the cotangents, any number of times, and owns its data.

    >>> value, pb = pullback(lambda x: x * x, 3.0)
    >>> value, pb(1.0), pb(10.0)
    (9.0, 6.0, 60.0)
    """
    forward, backward = _split(f, wrt, True, None, settings_of(backend, compile, None), args)
    value, residuals = forward(*args)

    def pb(seed: Any) -> Any:
        return backward(residuals, seed)

    return value, pb


def named(f: Any, kind: str, wrt: Wrt, name: str, *, optimized: bool | Sequence[str] = True, backend: str = "numpy",
          compile: str | None = None, like: Sequence[Any] | None = None, tape: Any = None) -> Callable[..., Any]:
    """What `grad` or `jvp` (kind) gives, under another name; "" for its own."""
    return _derived(f, kind, wrt, optimized, like, False, settings_of(backend, compile, tape), name=name)


def _derived(f: Any, kind: str, wrt: Wrt, optimized: bool | Sequence[str], like: Sequence[Any] | None, has_aux: bool,
             settings: Settings, *, cut: bool = False, name: str = "") -> Callable[..., Any]:
    found = _found(f, kind, wrt, optimized, like, has_aux, settings, cut=cut, name=name)
    function: Callable[..., Any] = found.functions[found.main[0]]
    return function


def _split(f: Any, wrt: Wrt, optimized: bool | Sequence[str], like: Sequence[Any] | None, settings: Settings,
           given: Sequence[Any] = ()) -> tuple[Callable[..., Any], ...]:
    """The two functions of split motion. given: the arguments, where they are known."""
    if settings.compiled:
        raise TangentError(f"compile={settings.compiled!r} is for joint motion (grad, vjp, jvp): leave compile out")
    found = _found(f, "split", wrt, optimized, like, False, settings, given, owned=True)
    return tuple(found.functions[name] for name in found.main)


def _found(f: Any, kind: str, wrt: Wrt, optimized: bool | Sequence[str], like: Sequence[Any] | None, has_aux: bool,
           settings: Settings, given: Sequence[Any] = (), *, cut: bool = False, owned: bool = False,
           name: str = "") -> Derived:
    check_examples(like, f, settings.backend)
    if isinstance(wrt, str) and wrt == EVERY:
        values = dict(zip(positional(captured_of(f, settings.backend)), given or like or (), strict=False))
        return every(f, lambda names: _found(f, kind, names, optimized, like, has_aux, settings, cut=cut, owned=owned,
                                             name=name), values)[0]
    try:
        with deriving():
            return derive(f, replace(request_of(f, kind, wrt, optimized, like, has_aux, settings), cut=cut,
                                     owned=owned, name=name))
    except TangentError as error:                          # without our frames, which say nothing of the function
        raise error.with_traceback(None) from error.__cause__


def _for_call(fn: Any, names: tuple[str, ...], kind: str, *, owned: bool = False) -> Any:
    """The derivative of a function that is called by another derivative, as `rt.pullback` and the like ask for it (of
    split motion both functions): it may not change what it is given. A keyword that two stars take is refused."""
    tree = captured_of(fn).tree
    more = set(names) - set(parameter_names(tree)) if tree.args.kwarg is not None else set()
    if both := sorted(set(names) & set(starred_parameters(tree)) | more):
        raise TangentError(f"{fn.__name__} takes {both[0]} through two stars (**): name its parameters")
    with deriving():
        request = request_of(fn, kind, names[0] if kind == "grad" else names, True, None, False)
        found = derive(fn, replace(request, outermost=False, owned=owned, cut=kind in ("split", "push")))
    functions = tuple(found.functions[name] for name in found.main)
    return functions if kind == "split" else functions[0]


def _steady_for_call(fn: Any, given: tuple[tuple[str, ...], Any], steady: str) -> bool:
    """What a solver follows does not jump, and has no kink where `steady` is "twice"."""
    with deriving():
        check_steady(fn, *given, steady)
    return True


def _clean_for_call(fn: Any, names: tuple[str, ...]) -> bool:
    """What `rt.clean` asks of what is called."""
    with deriving():
        return is_clean(fn)


def _parameters_of(fn: Any, names: tuple[str, ...] = ()) -> list[str]:
    """The parameters that may be given by position."""
    return positional(captured_of(fn))


DERIVE.update({f"steady_{often}": partial(_steady_for_call, steady=often) for often in ("once", "twice")})
DERIVE.update({kind: partial(_for_call, kind=kind) for kind in ("split", "push", "vjp", "grad")})
DERIVE.update(owned=partial(_for_call, kind="split", owned=True), parameters=_parameters_of, clean=_clean_for_call)
DERIVE["alone"] = lambda fn: not isinstance(fn, types.FunctionType) and lookup(fn) is not None
DERIVE["row"] = with_row
PULLBACKS.add(pullback)
OPERATORS.update({grad: "", value_and_grad: "", vjp: "seed", jvp: "tangents"})


def derivation(df: Any) -> Derivation:
    """What is known of a derived function."""
    found = getattr(df, "__tangent_nb__", None)
    if not isinstance(found, Derivation):
        raise TangentError(f"{getattr(df, '__name__', df)!r} is not a derivative made by tangent_nb: "
                           "make one, tnb.grad(f)")
    return found


def source(df: Callable[..., Any]) -> str:
    """The text of a derivative, with that of the functions it calls: exactly what runs.

    >>> print(source(grad(lambda x: 3.0 * x)).splitlines()[0])
    def dfunction_dx(x):
    """
    return derivation(df).emitted.text


def stages(df: Callable[..., Any]) -> dict[str, str]:
    """The text that each stage and each pass made, in order."""
    return {stage.name: stage.text for stage in derivation(df).stages}


def versions(df: Callable[..., Any]) -> dict[str, str]:
    """The texts of a derivative by what they are for: `"general"` is for all arguments,
    another for those that it names.

    >>> df = grad(lambda x, n: x * n, like=(2.0, 3))
    >>> list(versions(df)), versions(df)["general"].splitlines()[0]
    (['x: float, n: int', 'general'], 'def _dfunction_dx_general(x, n):')
    """
    one = derivation(df)
    asked = one.later or one.beside
    made = {} if asked is None else {described(one): next(iter(versions(one.function).values()))
                                     for one in asked.made if one.function is not None}
    return {**made, **(one.versions or {"general": one.emitted.text})}


def explain(df: Callable[..., Any]) -> str:
    """The source map and the facts: each generated line with its role and the user's lines that it comes from."""
    one = derivation(df)
    text = one.emitted.text.splitlines()
    rows = []
    for line in one.emitted.lines:
        places = sorted({(o.span.source.label, o.span.line) for o in line.origins if o is not None})
        where = ", ".join(f"{label}:{number}" for label, number in places)
        rows.append(f"{line.number:4} {line.role:10} {where:24} {text[line.number - 1]}".rstrip())
    facts = [f"{name}: {value}" for name, value in one.facts.items() if value]
    return "\n".join([*facts, *rows])


def report(f: Callable[..., Any], wrt: Wrt = 0) -> str:
    """Everything in `f` that would be refused, at once: for certain, and when it is reached;
    an empty text where nothing is.

    >>> report(lambda x: x * x)
    ''
    >>> def f(x, n):
    ...     if n > 9:
    ...         return None
    ...     return x ** n
    >>> print(report(f))
    f is refused when it reaches this place
      doctest ..., line 3, column 9
        return None
        ^^^^^^^^^^^
      why: it returns None
      instead: return a number or an array
    """
    try:
        found = _found(f, "vjp", wrt, True, None, False, NUMPY)
    except RefusedError as error:
        return refused_at_once(error)
    return later(found.derivation)


def refused_at_once(error: RefusedError) -> str:
    """What `report` says of a function that is refused."""
    certain = [one for one in error.refusals if one not in error.reached]
    if not error.reached or not certain:
        return str(error)
    return f"{render(error.name, certain)}\n\n{reached_later(error.name, error.reached)}"


def later(known: Derivation) -> str:
    """What `report` says of a function that has a derivative."""
    if known.lacks:
        return made_at_calls(known.primal.name, known.lacks)
    return reached_later(known.primal.name, known.reached) if known.reached else ""

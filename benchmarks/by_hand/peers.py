"""What other tools take for the text of a program as it stands, with their own `np` in it.

A tool is skipped where it is not installed, and for programs whose text it does not differentiate: arrays that are
changed in place, functions of `math`, branches that a compiler cannot follow, functions that it does not have.
"""
from __future__ import annotations

import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .program import Program, leaves, same

UNROLLED = 3000                        # operations of JAX that may be compiled: more take minutes
Made = Callable[[], Any] | str         # a call, or why there is none


def with_numpy(f: Callable[..., Any], xp: Any) -> Callable[..., Any]:
    """The function, and those that it calls, with another `np`."""
    space = {**f.__globals__, "np": xp}
    for name, value in f.__globals__.items():
        if isinstance(value, types.FunctionType) and value.__globals__ is f.__globals__:
            space[name] = types.FunctionType(value.__code__, space, name, value.__defaults__)
    return types.FunctionType(f.__code__, space, f.__name__, f.__defaults__)


def each(value: Any, made: Callable[[Any], Any]) -> Any:
    """Arrays, in lists too, made into those of another tool."""
    if isinstance(value, list | tuple):
        return type(value)(each(item, made) for item in value)
    return made(value) if isinstance(value, np.ndarray) else value


def tried(make: Callable[[Program, tuple[Any, ...]], Callable[[], Any]]) -> Callable[[Program, tuple[Any, ...]], Made]:
    """What a tool cannot do is a result: the first words of its error."""
    def peer(program: Program, arguments: tuple[Any, ...]) -> Made:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                call = make(program, arguments)
                if not same(call(), program.by_hand(*arguments)):
                    return "another gradient"
                return call
        except ImportError:
            return "not installed"
        except Exception as error:
            return f"{type(error).__name__}: {str(error).splitlines()[0][:60] if str(error) else ''}"

    peer.__name__ = make.__name__
    return peer


@tried
def autograd(program: Program, arguments: tuple[Any, ...]) -> Callable[[], Any]:
    import autograd as tool
    import autograd.numpy as anp

    f = with_numpy(program.primal, anp)
    df = tool.grad(lambda active: f(*(active[program.wrt.index(i)] if i in program.wrt else a
                                      for i, a in enumerate(arguments))))
    active = tuple(arguments[i] for i in program.wrt)
    return lambda: tuple(df(active))


@tried
def jax(program: Program, arguments: tuple[Any, ...]) -> Callable[[], Any]:
    import jax as tool
    import jax.numpy as jnp

    tool.config.update("jax_enable_x64", True)
    fixed = tuple(i for i, a in enumerate(arguments) if isinstance(a, int))
    df = tool.jit(tool.grad(with_numpy(program.primal, jnp), argnums=program.wrt), static_argnums=fixed)
    there = tuple(each(a, jnp.asarray) for a in arguments)
    if len(df.trace(*there).jaxpr.eqns) > UNROLLED:
        raise NotImplementedError("the loop is unrolled, too far to be compiled")
    return lambda: tool.block_until_ready(df(*there))


@tried
def torch(program: Program, arguments: tuple[Any, ...]) -> Callable[[], Any]:
    import torch as tool

    tool.set_default_dtype(tool.float64)
    f = with_numpy(program.primal, types.SimpleNamespace(**{**vars(tool), "dot": tool.matmul}))
    there = [each(np.asarray(a) if i in program.wrt and isinstance(a, float) else a, tool.tensor)
             for i, a in enumerate(arguments)]
    active = [t.requires_grad_() for t in leaves([there[i] for i in program.wrt])]
    return lambda: tuple(g.numpy() for g in tool.autograd.grad(f(*there), active))


PEERS = (autograd, jax, torch)

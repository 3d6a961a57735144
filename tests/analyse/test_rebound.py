"""A name of its own for each value, where the old one is bound on every path."""
import gast

from tangent_nb.analyse.rebound import bound_once
from tangent_nb.capture import capture
from tangent_nb.syntax.nodes import unparse


def either(w, n):
    if n > 1:
        w = [0.0] * n
    elif n == 1:
        w = [w]
    else:
        raise ValueError(n)
    return w


def sometimes(w, n):
    if n > 1:
        w = [0.0] * n
    return w


def tried(w):
    try:
        w = float(w)
    except ValueError:
        raise
    return w


def told(w):
    try:
        w = float(w)
    except ValueError:
        raise TypeError(w)
    return w


def looped(w, n):
    for k in range(n):
        w = w + k
    return w


def returned(fn):
    return unparse(bound_once(capture(fn)).tree.body[-1])


def test_a_new_name_behind_branches_that_all_bind_it():
    assert returned(either) == "return w_1"
    assert returned(tried) == "return w_1"


def test_the_old_name_where_a_path_keeps_it():
    assert returned(sometimes) == "return w"
    assert returned(told) == "return w"
    assert returned(looped) == "return w"


def test_the_branches_agree():
    tree = bound_once(capture(either)).tree
    stored = {node.id for node in gast.walk(tree) if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)}
    assert stored == {"w_1"}
    assert "w = " in unparse(capture(either).tree)       # the text itself stays

"""Reading containers and making them: dicts, lists, tuples, and objects that hold numbers and arrays."""
from __future__ import annotations

import operator
from typing import Any

from .. import runtime as rt
from ..syntax.spec import UNKNOWN, Spec
from . import infer
from .table import check, linear, nondifferentiable, rule

HELD: dict[str, Any] = {"memory": "alias", "spec": infer.anything}

FIELD = linear(rt.field, "y = rt.field(x, name)", pull={"x": "rt.field_like(g, x, name)"}, nondiff=["name"],
               memory="view", spec=infer.anything)
check(rt.check_array, "x, name")
rule(rt.of_array, "y = rt.of_array(x, name)", pull={"x": "g"}, push={"x": "g"}, nondiff=["name"], refuses=True, **HELD)
for fn in (rt.record, rt.items):
    rule(fn, f"y = rt.{fn.__name__}(x, name)", pull={"x": "g"}, push={"x": "g"}, nondiff=["name"], memory="view",
         refuses=True, spec=lambda args, constants: args["x"] if args["x"].kind == "items" else UNKNOWN)
linear(rt.field_like, "y = rt.field_like(v, x, name)", pull={"v": "rt.copy(rt.field(g, name))"},
       nondiff=["x", "name"], **HELD)

# --- sums of parts
rule(rt.add_item, "y = rt.add_item(x, index, v)", pull={"x": "g", "v": "rt.pick(g, index)"},
     push={"x": "g", "v": "rt.index_like(g, x, index)"}, nondiff=["index"], **HELD)
rule(rt.add_inner, "y = rt.add_inner(x, keys, v)", pull={"x": "g", "v": "rt.inner(g, keys)"},
     push={"x": "g", "v": "rt.add_inner(rt.zeros_like(x), keys, g)"}, nondiff=["keys"], **HELD)
rule(rt.add_field, "y = rt.add_field(x, name, v)", pull={"x": "g", "v": "rt.copy(rt.field(g, name))"},
     push={"x": "g", "v": "rt.field_like(g, x, name)"}, nondiff=["name"], **HELD)

# --- other parts
ITEM, INNER, APPENDED = ("item", "index", "pick"), ("inner", "keys", "inner"), ("appended", "keys", "appended")
WITH_ITEM, WITH_INNER, WITH_APPENDED = (
    rule(getattr(rt, f"with_{part}"), f"y = rt.with_{part}(x, {key}, v)", nondiff=[key], memory="alias",
         spec=lambda args, constants: Spec("list") if args["x"].kind == "list" else UNKNOWN,
         pull={"x": f"rt.without_{part}(g, x, {key})", "v": f"rt.{taken}(g, {key})"},
         push={"x": f"rt.with_{part}(g, {key}, rt.zeros_like(v))", "v": f"rt.with_{part}(rt.zeros_like(x), {key}, g)"})
    for part, key, taken in (ITEM, INNER, APPENDED))
WITH_FIELD, REPLACED, _ = (
    rule(fn, f"y = rt.{fn.__name__}(x, name, v)", nondiff=["name"], **HELD,
         pull={"x": "rt.without_field(g, x, name)", "v": "rt.copy(rt.field(g, name))"},
         push={"x": "rt.exchanged(g, name, rt.zeros_like(v))", "v": "rt.exchanged(rt.zeros_like(x), name, g)"})
    for fn in (rt.with_field, rt.replaced, rt.exchanged))
for part, key, taken in (ITEM, INNER, APPENDED):
    linear(getattr(rt, f"without_{part}"), f"y = rt.without_{part}(v, x, {key})", nondiff=["x", key], **HELD,
           pull={"v": f"rt.with_{part}(g, {key}, rt.zeros_like(rt.{taken}(v, {key})))"})
linear(rt.inner, "y = rt.inner(v, keys)", pull={"v": "rt.with_inner(rt.zeros_like(v), keys, g)"}, nondiff=["keys"],
       spec=infer.anything)
linear(rt.appended, "y = rt.appended(v, keys)", pull={"v": "rt.with_inner(rt.zeros_like(v), (*keys, -1), g)"},
       nondiff=["keys"], spec=infer.anything)
linear(rt.without_field, "y = rt.without_field(v, x, name)", nondiff=["x", "name"], **HELD,
       pull={"v": "rt.exchanged(g, name, rt.zeros_like(rt.field(v, name)))"})
rule(rt.merged, "z = rt.merged(x, y)", also=[operator.or_], operator="BitOr", joins="all", **HELD,
     pull={"x": "rt.unmerged(g, x, y)", "y": "rt.unmerged_last(g, x, y)"},
     push={"x": "rt.merged(g, rt.zeros_like(y))", "y": "rt.merged(rt.zeros_like(x), g)"})

# --- reading dicts
rule(dict, "y = dict(x)", pull={"x": "rt.redict(g, x)"}, push={"x": "rt.dict_tangent(g, x)"}, **HELD)
linear(tuple, "y = tuple(x)", pull={"x": "rt.relist(g, x)"}, memory="alias", spec=infer.some("tuple"), spreads=True)
GET = rule(None, "y = dict.get(x, key, default=None)", method="get", nondiff=["key"], **HELD,
           pull={"x": "rt.got(g, x, key)", "default": "rt.got_default(g, x, key, default)"},
           push={"x": "rt.got_tangent(g, x, key, default)", "default": "rt.got_default(g, x, key, y)"})
VALUES = linear(rt.values, "y = rt.values(x)", method="values", pull={"x": "rt.unvalues(g, x)"}, memory="alias",
                spec=infer.some("list"))
linear(rt.unvalues, "y = rt.unvalues(v, x)", pull={"v": "rt.values(g)"}, nondiff=["x"], **HELD)
KEYS = nondifferentiable(None, "y = dict.keys(x)", method="keys", because="keys carry nothing", breaks="",
                         memory="alias")
nondifferentiable(None, "n = list.index(x, value, start=0, stop=None)", method="index", because="a place")
nondifferentiable(None, "n = list.count(x, value)", method="count", because="a number of items")

# --- parts of arguments
rule(rt.part, "y = rt.part(x, path)", pull={"x": "rt.only_part(g, x, path)"}, push={"x": "rt.part_of(g, path)"},
     nondiff=["path"], memory="view", refuses=True, spec=infer.anything)
rule(rt.with_part, "y = rt.with_part(x, path, v)", nondiff=["path"], **HELD,
     pull={"x": "rt.with_part(g, path, rt.zeros_like(v))", "v": "rt.part_of(g, path)"},
     push={"x": "rt.with_part(g, path, rt.zeros_like(v))", "v": "rt.only_part(g, x, path)"})
linear(rt.part_of, "y = rt.part_of(v, path)", pull={"v": "rt.only_part(g, v, path)"}, nondiff=["path"],
       spec=infer.anything)
linear(rt.only_part, "y = rt.only_part(v, x, path)", pull={"v": "rt.part_of(g, path)"}, nondiff=["x", "path"], **HELD)

# --- the transposes of reading dicts
linear(rt.dict_tangent, "y = rt.dict_tangent(v, x)", pull={"v": "rt.redict(g, v)"}, nondiff=["x"], **HELD)
linear(rt.redict, "y = rt.redict(v, x)", pull={"v": "rt.dict_tangent(g, x)"}, nondiff=["x"], **HELD)
linear(rt.unmerged, "r = rt.unmerged(v, x, y)", nondiff=["x", "y"], **HELD,
       pull={"v": "rt.merged(g, rt.zeros_like(y))"})
linear(rt.unmerged_last, "r = rt.unmerged_last(v, x, y)", nondiff=["x", "y"], **HELD,
       pull={"v": "rt.merged(rt.zeros_like(x), g)"})
linear(rt.got, "y = rt.got(v, x, key)", nondiff=["x", "key"], **HELD, pull={"v": "rt.ungot(g, v, x, key)"})
linear(rt.ungot, "y = rt.ungot(w, v, x, key)", nondiff=["v", "x", "key"], **HELD, pull={"w": "rt.got(g, x, key)"})
linear(rt.got_default, "y = rt.got_default(v, x, key, default)", nondiff=["x", "key", "default"], **HELD,
       pull={"v": "rt.got_default(g, x, key, default)"})
linear(rt.got_tangent, "y = rt.got_tangent(v, x, key, default)", nondiff=["x", "key", "default"], **HELD,
       pull={"v": "rt.got(g, x, key)"})
linear(rt.namespace, "y = rt.namespace(x)", pull={"x": "rt.named_items(g, x)"}, **HELD)
linear(rt.named_items, "y = rt.named_items(v, x)", pull={"v": "rt.namespace(g)"}, nondiff=["x"], **HELD)

# --- functions that are bound to what they are given
BOUND = {"fn": "rt.bound_function(g, fn, args, keywords)", "args": "rt.bound_arguments(g, fn, args)",
         "keywords": "rt.bound_keywords(g, keywords)"}
ALONG = {"fn": "rt.bound_along(y, g, rt.zeros_like(args), rt.zeros_like(keywords))",
         "args": "rt.bound_along(y, rt.zeros_like(fn), g, rt.zeros_like(keywords))",
         "keywords": "rt.bound_along(y, rt.zeros_like(fn), rt.zeros_like(args), g)"}
rule(rt.bind, "y = rt.bind(fn, args, keywords, shown=False)", nondiff=["shown"], refuses=True, **HELD, pull=BOUND,
     push=ALONG)
linear(rt.bound_function, "y = rt.bound_function(v, fn, args, keywords)", nondiff=["fn", "args", "keywords"], **HELD,
       pull={"v": "rt.bound_along(v, g, rt.zeros_like(args), rt.zeros_like(keywords))"})
linear(rt.bound_arguments, "y = rt.bound_arguments(v, fn, args)", nondiff=["fn", "args"], **HELD,
       pull={"v": "rt.bound_along(v, rt.zeros_like(fn), g, {})"})
linear(rt.bound_keywords, "y = rt.bound_keywords(v, keywords)", nondiff=["keywords"], **HELD,
       pull={"v": "rt.bound_along(v, None, (), g)"})
rule(rt.bound_along, "r = rt.bound_along(y, fn, args, keywords)", nondiff=["y"], **HELD, pull=BOUND, push=ALONG)
check(rt.check_twice, "fn, names, given", shape_only=frozenset({"given"}))

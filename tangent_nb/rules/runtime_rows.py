"""The helpers that generated code calls: rows for them too, so that derivatives have derivatives."""
from __future__ import annotations

from .. import runtime as rt
from ..syntax.spec import UNKNOWN, Spec
from . import infer, layout
from .infer import cotangent
from .layout import items_like
from .sharing import not_once
from .table import check, elementwise, linear, nondifferentiable, rule, unsupported

# --- broadcasting and structure
linear(rt.unbroadcast, "y = rt.unbroadcast(v, x)", pull={"v": "rt.broadcast_to_like(g, v)"}, nondiff=["x"],
       shape_only=frozenset("x"), spec=cotangent("x"), memory="view", itself=True, spreads=True)
linear(rt.broadcast_to_like, "y = rt.broadcast_to_like(v, x)", pull={"v": "rt.unbroadcast(g, v)"}, nondiff=["x"],
       spec=cotangent("x"), memory="view", spreads=True)
linear(rt.cast, "y = rt.cast(v, x)", pull={"v": "rt.cast(g, v)"}, nondiff=["x"], spec=infer.anything, memory="view",
       itself=True, spreads=True)
rule(rt.mask, "y = rt.mask(v, condition)", pull={"v": "rt.mask(g, condition)"}, push={"v": "rt.mask(g, condition)"},
     nondiff=["condition"], spec=lambda args, constants: cotangent("v")(args, constants).like(kind="numeric")
     if args["v"].kind not in ("float", "scalar") or args["condition"].kind != "bool" else args["v"], zeros=True)
elementwise(rt.cut, "y = rt.cut(v, u)", v="rt.mask(g, rt.uncut(v, u))", nondiff=["u"], spec=infer.like("v"),
            memory="view", itself=True, spreads=False)
linear(rt.where_finite, "y = rt.where_finite(v, x)", pull={"v": "rt.where_finite(g, x)"}, nondiff=["x"],
       spec=infer.anything)
nondifferentiable(rt.pole_weights, "y = rt.pole_weights(x)", because="constants, and which of them count",
                  spec=infer.anything, breaks="")
nondifferentiable(rt.uncut, "y = rt.uncut(v, u)", because="a truth value", spec=infer.anything, breaks="")
linear(rt.copy, "y = rt.copy(x)", pull={"x": "g"}, spec=infer.like("x"), fills=True, spreads=True)
rule(rt.bound, "y = rt.bound(x, name, outside=False)", pull={"x": "g"}, push={"x": "g"}, nondiff=["name", "outside"],
     spec=infer.like("x"), memory="alias", refuses=True)
linear(rt.only_floating, "y = rt.only_floating(v, x)", pull={"v": "rt.only_floating(g, x)"}, nondiff=["x"],
       spec=infer.anything, memory="view")
linear(rt.relist, "y = rt.relist(v, x)", pull={"v": "list(g)"}, nondiff=["x"], spec=infer.anything, memory="alias",
       spreads=True)
rule(rt.add_grad, "z = rt.add_grad(x, y)", pull={"x": "g", "y": "g"}, push={"x": "g", "y": "g"}, spec=infer.anything)
for fn in (rt.zeros_like, rt.zero_gradient, rt.ones_like):
    nondifferentiable(fn, f"y = rt.{fn.__name__}(x)", zero=True, because="it depends on a shape only", breaks="",
                      spec=items_like("x"), fills=True, shape_only=frozenset("x"), zeros=fn is rt.zeros_like)
nondifferentiable(rt.outline, "y = rt.outline(x)", because="it has a shape only", spec=infer.like("x"), breaks="")
rule(rt.differentiable, "y = rt.differentiable(x)", pull={"x": "g"}, push={"x": "g"}, spec=infer.like("x"),
     memory="view", refuses=True)
rule(rt.of_floats, "y = rt.of_floats(x)", pull={"x": "g"}, push={"x": "g"}, spec=infer.like("x"),
     memory="view", refuses=True)
nondifferentiable(rt.keys, "y = rt.keys(x)", because="keys, and whole numbers, have none", spec=infer.anything,
                  memory="view", refuses=True)
linear(rt.unadded, "y = rt.unadded(v, x)", pull={"v": "rt.unadded(g, v)"}, nondiff=["x"], spec=items_like("x"),
       memory="view")
nondifferentiable(rt.as_key, "y = rt.as_key(x)", because="an index, or a key, has none", spec=infer.anything,
                  memory="alias", refuses=True)
nondifferentiable(rt.seed, "y = rt.seed(x)", zero=True, because="it is constant", spec=cotangent("x"), breaks="",
                  refuses=True)
for name in ("check_seed", "check_tangent"):
    linear(getattr(rt, name), f"y = rt.{name}(v, x)", pull={"v": f"rt.{name}(g, v)"}, nondiff=["x"],
           spec=items_like("x"), memory="view", refuses=True, spreads=True)

nondifferentiable(rt.stop_gradient, "y = tnb.stop_gradient(x)", zero=True, because="it is taken as a constant",
                  memory="view", breaks="", spec=infer.like("x"))
for fn in (rt.check_apart, rt.check_growing):
    check(fn, "x, others, names")
check(rt.check_kept_by, "fn, xs, names")
check(rt.check_overlap, "x, v, text, index=None", shape_only=frozenset("v"))
check(rt.check_inserted, "g, y", shape_only=frozenset("y"))
check(rt.check_generator, "g, name")
check(rt.check_finite, "values")
check(rt.check_undone, "x, first, last, name")
for fn in (rt.check_constants, rt.check_matrices, rt.check_places, rt.check_result):
    check(fn, "x")
for fn in (rt.check_floating, rt.check_copies, rt.check_items, rt.check_stored, rt.check_leaf,
           rt.check_number, rt.check_joined):
    check(fn, "x, name")
check(rt.alike, "x, structure")
check(rt.fits, "made, *arguments")
check(rt.check_kept, "v, x, name")
check(rt.check_view, "v, name, x=None")
check(rt.check_helpers, "helpers, *functions")
check(rt.check_index, "i, name")
check(rt.check_completed, "done")
check(rt.check_errstate, "")
check(rt.uncaught, "")
check(rt.refused, "why, instead=''")
check(rt.check_lengths, "xs")
check(rt.check_enough, "xs, n", shape_only=frozenset({"xs"}))
nondifferentiable(rt.surplus, "y = rt.surplus(xs, n)", because="a number of items", shape_only=frozenset({"xs"}),
                  spec=infer.integer, breaks="")
check(rt.check_call, "text, count, names=(), given=()", shape_only=frozenset({"given"}))
check(rt.check_factor, "x, name", shape_only=frozenset({"x"}))
check(rt.check_some, "xs", shape_only=frozenset({"xs"}))
check(rt.check_part, "x, index")
check(rt.check_counter, "x, name")
check(rt.check_columns, "x, others, draws=False")
check(rt.check_settable, "x, name, value=None")
check(rt.settle, "gathered", pure=False)
check(rt.append_later, "x, value, path='', *, fresh=False", pure=False)
check(rt.insert_later, "x, index, value, path, *, fresh=False", pure=False)
check(rt.put_later, "x, index, value, path, *, fresh=False, number=False", pure=False)
check(rt.refill_later, "x, items, path", pure=False)
check(rt.pop_later, "x, index, path", pure=False)
check(rt.clear_later, "x, path", pure=False)
check(rt.check_taken_items, "x, path")
check(rt.check_each, "xs, name, path, *, number=False", judged=True)
check(rt.set_later, "x, key, value, path='', *, fresh=False, constant=False", pure=False)
check(rt.check_taken, "x, name, path, *, item=False", judged=True)
nondifferentiable(rt.stores, "y = rt.stores(xs=(), paths=(), *, inner=False)", because="it gathers what is stored",
                  breaks="", pure=False, memory="fresh")
check(rt.check_there, "x, name, there, *, item=False", judged=True)
nondifferentiable(rt.missing, "y = rt.missing(x, name, *, item=False)", because="it is 0, or raises", breaks="",
                  pure=False, refuses=True, judged=True)
nondifferentiable(rt.is_there, "y = rt.is_there(x, name, *, item=False, counted=False)",
                  because="it says whether something is there", breaks="", pure=False, refuses=True, judged=True)
nondifferentiable(rt.later, "y = rt.later(x, name, value, path='', *, fresh=False, constant=False, alike=False, "
                  "begun=False, number=False)",
                  because="nobody reads it there", breaks="", pure=False, refuses=True, judged=True)

for name in ("pullback", "own_pullback", "pushforward"):
    unsupported(getattr(rt, name), f"rt.{name}", because="the function that is called is known only when it runs, "
                "and its second derivative is not taken", instead="call the function by its name", pure=False)
unsupported(rt.version, "rt.version", because="there is a text for the arguments of each call alone",
            instead="the derivative with like=, for examples", pure=False)
unsupported(rt.made_for, "rt.made_for", because="there is a text for the arguments of each call alone",
            instead="the derivative with like=, for examples", pure=False)
nondifferentiable(rt.integer, "y = rt.integer(n)", because="an int", breaks="", spec=infer.integer)
for name in ("nopython", "python_numbers", "not_compiled", "outside_of"):
    unsupported(getattr(rt, name), f"rt.{name}", because="it is the entry of compiled code, which has no derivative",
                instead="the derivative with compile=None", pure=False)
rule(rt.derivative_of, "y = rt.derivative_of(x, operator, wrt=0, optimized=True, has_aux=False)",
     pull={"x": "rt.bound_as(g, x)"}, push={"x": "rt.bound_as(g, y)"},
     nondiff=["operator", "wrt", "optimized", "has_aux"], spec=infer.anything, memory="alias", refuses=True)
linear(rt.bound_as, "y = rt.bound_as(v, x)", pull={"v": "rt.bound_as(g, v)"}, nondiff=["x"], spec=infer.anything,
       memory="alias")
rule(rt.method_of, "y = rt.method_of(x, name)", pull={"x": "rt.owner_of(g, x, name)"},
     push={"x": "rt.bound_as(g, y)"}, nondiff=["name"], spec=infer.anything, memory="alias")
for name in ("halves", "along_call"):
    nondifferentiable(getattr(rt, name), f"y = rt.{name}(fn, shape, active, closure=False, first=False, "
                      f"{'owned=False, ' * (name == 'halves')}owner=None)", because="a function with a text of its own",
                      breaks="", refuses=True)
nondifferentiable(rt.applied, "y = rt.applied(fn, args, keywords)", because="of constants", memory="alias",
                  refused=["args", "keywords"], spec=infer.anything, breaks="", refuses=True, remedies=dict.fromkeys(
                      ("args", "keywords"), "tnb.value_and_grad(f)(x), of which there are further derivatives"))
rule(rt.with_residuals, "y = rt.with_residuals(backward, x)", pull={"x": "rt.parts_of(g, (0,))[0]"},
     push={"x": "rt.with_parts_of((g,), y, (0,))"}, nondiff=["backward"], spec=infer.anything, memory="alias")
linear(rt.parts_of, "y = rt.parts_of(v, keys)", pull={"v": "rt.with_parts_of(g, v, keys)"}, nondiff=["keys"],
       spec=infer.some("tuple"), memory="alias")
linear(rt.with_parts_of, "y = rt.with_parts_of(v, x, keys)", pull={"v": "rt.parts_of(g, keys)"}, nondiff=["x", "keys"],
       spec=infer.anything, memory="alias")
linear(rt.owner_of, "y = rt.owner_of(v, x, name)", pull={"v": "rt.bound_as(g, v)"}, nondiff=["x", "name"],
       spec=infer.anything, memory="alias")
for fn in (rt.method, rt.computed):
    nondifferentiable(fn, f"y = rt.{fn.__name__}(name)", because="a function", breaks="")
for fn in (rt.method_above, rt.property_above):
    nondifferentiable(fn, f"y = rt.{fn.__name__}(cls, x, name)", because="a function", breaks="", refuses=True)
nondifferentiable(rt.dispatched, "y = rt.dispatched(fn, value)", because="a function", breaks="")
check(rt.check_method, "value, name")
rule(rt.steady, "y = rt.steady(x)", pull={"x": "g"}, push={"x": "g"}, memory="view", spec=infer.like("x"), breaks="",
     refuses=True)                                         # what a loop goes over, which may be differentiated later
nondifferentiable(rt.numbered, "y = rt.numbered(x)", because="a constant", memory="view", spec=infer.like("x"),
                  breaks="", refuses=True, refused=["x"])
nondifferentiable(rt.recorded, "y = rt.recorded(x, watched=())", because="items as they are taken", memory="alias",
                  spec=infer.anything, breaks="", pure=False)
nondifferentiable(rt.reading, "y = rt.reading(*functions)", because="a snapshot", memory="alias", breaks="")
check(rt.check_reading, "x")
check(rt.check_unread, "fn, *changed")
nondifferentiable(rt.clean, "y = rt.clean(fn)", because="a function", memory="alias", breaks="")
for name in ("is_sequence", "is_mapping"):
    nondifferentiable(getattr(rt, name), f"y = rt.{name}(x)", because="a truth value",
                      spec=infer.some("bool", "b1"), breaks="")
nondifferentiable(rt.chosen, "y = rt.chosen(x, best, key=None)", because="a place", spec=infer.some("int", "weak"))
nondifferentiable(rt.place, "y = rt.place(x, i)", because="a place", spec=infer.some("int", "weak"), breaks="")
nondifferentiable(rt.ordered, "y = rt.ordered(x, key=None, reverse=False)", because="places", spec=infer.some("list"))
linear(rt.choice, "y = rt.choice(v, x, place)", pull={"v": "rt.unchosen(g, v, place)"}, nondiff=["x", "place"],
       spec=infer.anything, memory="alias")
linear(rt.unchosen, "y = rt.unchosen(v, x, place)", pull={"v": "rt.choice(g, x, place)"}, nondiff=["x", "place"],
       spec=items_like("x"))
linear(rt.unordered, "y = rt.unordered(v, x, places)", pull={"v": "rt.taken(g, places)"}, nondiff=["x", "places"],
       spec=items_like("x"), memory="alias")
linear(rt.taken, "y = rt.taken(x, places)", pull={"x": "rt.unordered(g, x, places)"}, nondiff=["places"],
       spec=infer.some("list"), memory="alias")
linear(rt.columns, "y = rt.columns(x)", pull={"x": "rt.uncolumns(g, x)"}, spec=infer.some("list"), memory="alias")
linear(rt.uncolumns, "y = rt.uncolumns(v, x)", pull={"v": "rt.recolumns(g, v)"}, nondiff=["x"], spec=infer.anything,
       memory="alias")
linear(rt.recolumns, "y = rt.recolumns(v, x)", pull={"v": "rt.uncolumns(g, v)"}, nondiff=["x"], spec=infer.anything,
       memory="alias")
linear(rt.head, "y = rt.head(v, x)", pull={"v": "rt.joined(g, rt.zeros_like(v[len(x):]))"}, nondiff=["x"],
       spec=infer.anything, memory="alias")
linear(rt.tail, "y = rt.tail(v, x)", pull={"v": "rt.joined(rt.zeros_like(v[:len(v) - len(x)]), g)"}, nondiff=["x"],
       spec=infer.anything, memory="alias")
rule(rt.joined, "z = rt.joined(x, y)", pull={"x": "rt.head(g, x)", "y": "rt.tail(g, y)"},
     push={"x": "rt.joined(g, rt.zeros_like(y))", "y": "rt.joined(rt.zeros_like(x), g)"}, memory="alias",
     spec=lambda args, constants: Spec(args["x"].kind) if args["x"].kind in ("list", "tuple") else UNKNOWN)
linear(rt.repeated, "y = rt.repeated(x, n)", pull={"x": "rt.unrepeated(g, x, n)"}, nondiff=["n"],
       spec=lambda args, constants: Spec(args["x"].kind) if args["x"].kind in ("list", "tuple") else UNKNOWN,
       memory="alias")
linear(rt.unrepeated, "y = rt.unrepeated(v, x, n)", pull={"v": "rt.repeated(g, n)"}, nondiff=["x", "n"],
       spec=infer.anything, memory="alias")
rule(rt.with_slice, "y = rt.with_slice(x, cut, v)",
     pull={"x": "rt.without_slice(g, x, cut)", "v": "rt.only_slice(g, x, cut)"}, nondiff=["cut"],
     push={"x": "rt.with_slice(g, cut, rt.zeros_like(v))", "v": "rt.with_slice(rt.zeros_like(x), cut, g)"},
     memory="alias", spec=infer.some("list"))
linear(rt.without_slice, "y = rt.without_slice(v, x, cut)",
       pull={"v": "rt.with_slice(g, cut, rt.zeros_like(rt.only_slice(v, x, cut)))"},
       nondiff=["x", "cut"], memory="alias", spec=infer.some("list"))
linear(rt.only_slice, "y = rt.only_slice(v, x, cut)",
       pull={"v": "rt.with_slice(rt.zeros_like(rt.without_slice(v, x, cut)), cut, g)"},
       nondiff=["x", "cut"], memory="alias", spec=infer.some("list"))
linear(rt.without, "y = rt.without(x, cut)", pull={"x": "rt.put_back(g, x, cut)"}, nondiff=["cut"],
       spec=lambda args, constants: Spec("list") if args["x"].kind == "list" else UNKNOWN, memory="alias")
linear(rt.put_back, "y = rt.put_back(v, x, cut)", pull={"v": "rt.without(g, cut)"}, nondiff=["x", "cut"],
       spec=infer.anything, memory="alias")

# --- kinks: constant almost everywhere
SLOPE = "piecewise constant"
nondifferentiable(rt.greater, "z = rt.greater(x, y)", zero=True, because=SLOPE, spec=infer.floats)
for name in ("inside", "below", "above"):
    nondifferentiable(getattr(rt, name), f"y = rt.{name}(x, low, high)", zero=True, because=SLOPE, spec=infer.anything)
nondifferentiable(rt.share_of_start, "s = rt.share_of_start(x, y, axis=None, keepdims=False, initial=None, where=True)",
                  zero=True, because=SLOPE, spec=infer.anything)
nondifferentiable(rt.share, "s = rt.share(x, y, axis=None, keepdims=False, initial=None, where=True)", zero=True,
                  because=SLOPE, spec=cotangent("x"))
rule(rt.sign, "y = rt.sign(x)", pull={"x": "rt.sign_dx(g, x)"}, push={"x": "rt.sign_dx(g, x)"}, spec=infer.anything,
     diagonal=True, breaks="jump", spreads=True)
rule(rt.sign_dx, "y = rt.sign_dx(v, x)", pull={"v": "rt.cast(rt.sign_dx(g, x), v)", "x": "rt.sign_dx2(g, v, x)"},
     push={"v": "rt.sign_dx(g, x)", "x": "rt.sign_dx2(g, v, x)"}, spec=infer.anything, breaks={"x": "jump"})
nondifferentiable(rt.sign_dx2, "y = rt.sign_dx2(u, v, x)", zero=True, because=SLOPE, spec=infer.anything)
elementwise(rt.ratio, "z = rt.ratio(x, y)", x="rt.ratio(g, y)", y="-rt.ratio(g * z, y)", spec=infer.ratio,
            domain={"y": (0.5, 2.0)})

# --- interpolators by their values
linear(rt.weigh, "z = rt.weigh(x, y)", spec=infer.arrays, multiplies="elements", pull={
    "x": "rt.tensordot_dx(g, x, rt.known_weights(y), 1)", "y": "rt.tensordot_dy(g, rt.known_weights(x), y, 1)"})
rule(rt.known_weights, "y = rt.known_weights(x)", spec=infer.anything, pull={"x": "rt.mask(g, np.isfinite(x))"},
     push={"x": "rt.mask(g, np.isfinite(x))"})

# --- powers
elementwise(rt.power_dx, "z = rt.power_dx(v, x, y)", v="rt.power_dx(g, x, y)", x="rt.power_dx(g * (v * y), x, y - 1.0)",
            y="g * v * np.power(x, y - 1.0) + rt.power_dy(g * (v * y), x, y, np.power(x, y - 1.0))",
            spec=infer.anything,
            domain={"x": (0.5, 2.0)}, infinite="pole")
elementwise(rt.power_dy, "r = rt.power_dy(v, x, y, z)", v="rt.power_dy(g, x, y, z)", z="rt.power_dy(g, x, y, v)",
            x="g * rt.ratio(v * z, x)", nondiff=["y"], spec=infer.anything, domain={"x": (0.5, 2.0)}, infinite="pole")

elementwise(rt.polygamma, "y = rt.polygamma(n, x)", x="g * rt.polygamma(n + 1, x)", nondiff=["n"], spec=infer.pyfloat,
            infinite="pole")

# --- indices
linear(rt.storable, "y = rt.storable(x)", pull={"x": "g"}, memory="view", spec=infer.like("x"))
linear(rt.index_like, "y = rt.index_like(v, x, index)", pull={"v": "rt.pick(g, index)"}, nondiff=["x", "index"],
       spec=items_like("x"))
linear(rt.pick, "y = rt.pick(x, index)", pull={"x": "rt.index_like(g, x, index)"}, nondiff=["index"], fills=True,
       spec=layout.subscript)
rule(rt.updated, "y = rt.updated(x, index, v)", pull={"x": "rt.updated(g, index, rt.zeros_like(rt.pick(g, index)))",
                                                     "v": "rt.written(g, v, index)"},
     push={"x": "rt.updated(g, index, rt.zeros_like(rt.pick(g, index)))",
           "v": "rt.updated(rt.zeros_like(x), index, g)"}, nondiff=["index"], spec=infer.like("x"))
linear(rt.written, "y = rt.written(x, v, index)", pull={"x": "rt.updated(rt.zeros_like(x), index, g)"},
       nondiff=["v", "index"], spec=cotangent("v"))
linear(rt.untake, "y = rt.untake(v, x, indices, axis=None, mode='raise')",
       pull={"v": "np.take(g, indices, axis, mode=mode)"}, nondiff=["x", "indices"], spec=cotangent("x"))
linear(rt.unsort, "y = rt.unsort(v, x, axis=-1)", pull={"v": "rt.sort_as(g, x, axis)"}, nondiff=["x"],
       spec=cotangent("x"), breaks={"x": "jump"})
linear(rt.sort_as, "y = rt.sort_as(v, x, axis=-1)", pull={"v": "rt.unsort(g, x, axis)"}, nondiff=["x"],
       spec=infer.arrays, breaks={"x": "jump"})

# --- reductions
linear(rt.unreduce, "y = rt.unreduce(v, x, axis=None, keepdims=False)",
       pull={"v": "rt.reduce_like(g, v, axis, keepdims)"}, nondiff=["x"],
       shape_only=frozenset("x"), spec=items_like("x"), spreads=True)
linear(rt.reduce_like, "y = rt.reduce_like(x, v, axis=None, keepdims=False)",
       pull={"x": "rt.unreduce(g, x, axis, keepdims)"}, nondiff=["v"], spec=cotangent("v"), spreads=True)
nondifferentiable(rt.count, "y = rt.count(x, axis=None, ddof=0, where=True, keepdims=False)", because="integer valued",
                  shape_only=frozenset("x"),
                  spec=infer.anything, breaks="", spreads=True)
nondifferentiable(rt.included, "y = rt.included(x, where)", because="a truth value", spec=infer.anything,
                  memory="alias", breaks="")
linear(rt.through, "y = rt.through(v, dtype)", pull={"v": "rt.through(g, dtype)"}, nondiff=["dtype"], memory="view",
       spec=infer.anything, spreads=True)
linear(rt.centered, "y = rt.centered(x, axis=None, where=True)", pull={"x": "rt.centered(g, axis, where)"},
       spec=infer.anything, spreads=True)
linear(rt.real_only, "y = rt.real_only(x)", pull={"x": "g"}, spec=infer.like("x"), memory="view", spreads=True)
linear(rt.uncumsum, "y = rt.uncumsum(v, x, axis=None)", pull={"v": "np.cumsum(g, axis)"}, nondiff=["x"],
       spec=cotangent("x"), spreads=True)
rule(rt.others, "y = rt.others(x, axis=None)", pull={"x": "rt.others_along(g, x, axis)"},
     push={"x": "rt.others_along(g, x, axis)"}, spec=cotangent("x"), spreads=True)
rule(rt.others_along, "y = rt.others_along(v, x, axis=None)", pull={"v": "rt.others_along(g, x, axis)",
     "x": "rt.others_along2(g, v, x, axis)"}, push={"v": "rt.others_along(g, x, axis)",
                                                    "x": "rt.others_along2(g, v, x, axis)"},
     spec=cotangent("x"), multiplies="mixed")
linear(rt.others_along2, "y = rt.others_along2(u, v, x, axis=None)",
       pull={"u": "rt.others_along2(g, v, x, axis)", "v": "rt.others_along2(u, g, x, axis)"}, nondiff=["x"],
       refused=["x"], spec=cotangent("x"), note="a product is differentiated three times")
linear(rt.unsum, "y = rt.unsum(v, x)", pull={"v": "sum(g)"}, nondiff=["x"], spec=items_like("x"), spreads=True)

rule(rt.triangle, "y = rt.triangle(x, axis=None)", pull={"x": "rt.untriangle(g, x, axis)"},
     push={"x": "rt.triangle_along(g, axis)"}, spec=infer.arrays)
linear(rt.triangle_along, "y = rt.triangle_along(x, axis=None)", pull={"x": "rt.untriangle(g, x, axis)"},
       spec=infer.arrays)
linear(rt.untriangle, "y = rt.untriangle(v, x, axis=None)", pull={"v": "rt.triangle_along(g, axis)"}, nondiff=["x"],
       spec=cotangent("x"))
linear(rt.last, "y = rt.last(x, axis=None)", pull={"x": "rt.unlast(g, x, axis)"}, spec=infer.arrays, memory="view")
linear(rt.unlast, "y = rt.unlast(v, x, axis=None)", pull={"v": "rt.last(g, axis)"}, nondiff=["x"], spec=cotangent("x"),
       memory="view")
linear(rt.undiff, "y = rt.undiff(v, x, n=1, axis=-1)", pull={"v": "np.diff(g, n, axis)"}, nondiff=["x"],
       spec=cotangent("x"), memory="alias", shares=not_once)

# --- products: the partials of a helper that is linear in its operands are the helpers again
for name, product in [(one, "{0} @ {1}" if one == "matmul" else f"np.{one}({{0}}, {{1}})")
                      for one in ("dot", "matmul", "inner", "outer", "kron")]:
    apart = {other: frozenset([other] if name == "matmul" else ()) for other in "xy"}
    drawn = {other: frozenset([other] if name in ("dot", "matmul") else ()) for other in "xy"}
    rule(getattr(rt, f"{name}_dx"), f"r = rt.{name}_dx(v, x, y)", nondiff=["x"], spec=cotangent("x"),
         pull={"v": product.format("g", "y"), "y": f"rt.{name}_dy(v, g, y)"}, matrices=apart["y"],
         push={"v": f"rt.{name}_dx(g, x, y)", "y": f"rt.{name}_dx(v, x, g)"}, spreads=True, multiplies="elements",
         drawn=drawn["y"])
    rule(getattr(rt, f"{name}_dy"), f"r = rt.{name}_dy(v, x, y)", nondiff=["y"], spec=cotangent("y"),
         pull={"v": product.format("x", "g"), "x": f"rt.{name}_dx(v, x, g)"}, matrices=apart["x"],
         push={"v": f"rt.{name}_dy(g, x, y)", "x": f"rt.{name}_dy(v, g, y)"}, spreads=True, multiplies="elements",
         drawn=drawn["x"])
for x, y, factors in (("x", "y", "g, y"), ("y", "x", "x, g")):
    linear(getattr(rt, f"tensordot_d{x}"), f"r = rt.tensordot_d{x}(v, x, y, axes=2)", nondiff=[x], spec=cotangent(x),
           pull={"v": f"np.tensordot({factors}, axes)", y: f"rt.tensordot_d{y}(v, {factors}, axes)"}, spreads=True,
           multiplies="elements")
rule(rt.solve, "y = rt.solve(a, b, vector)", nondiff=["vector"], spec=infer.anything, pull={
    "a": "rt.unbroadcast(-rt.outer_last(rt.solve(np.swapaxes(a, -1, -2), g, vector), y, vector), a)",
    "b": "rt.unbroadcast(rt.solve(np.swapaxes(a, -1, -2), g, vector), b)"},
     push={"a": "-rt.solve(a, rt.apply(g, y, vector), vector)", "b": "rt.solve(a, g, vector)"}, spreads=True)
linear(rt.apply, "y = rt.apply(m, v, vector)", nondiff=["vector"], spec=infer.anything,
       pull={"m": "rt.unbroadcast(rt.outer_last(g, v, vector), m)",
             "v": "rt.unbroadcast(rt.apply(np.swapaxes(m, -1, -2), g, vector), v)"}, spreads=True)
linear(rt.outer_last, "y = rt.outer_last(u, v, vector)", nondiff=["vector"], spec=infer.anything,
       pull={"u": "rt.unbroadcast(rt.apply(g, v, vector), u)",
             "v": "rt.unbroadcast(rt.apply(np.swapaxes(g, -1, -2), u, vector), v)"}, spreads=True)
rule(rt.cofactor, "y = rt.cofactor(x)", pull={"x": "rt.cofactor_dx(g, x)"}, spec=cotangent("x"),
     push={"x": "rt.cofactor_dx(g, x)"}, note="symmetric, as second derivatives are", spreads=True)
OF_INVERSE = "rt.cut(-(y @ g.mT @ y), np.any(g != 0.0, axis=(-2, -1), keepdims=True))"
rule(rt.inverse_transpose, "y = rt.inverse_transpose(x)", spec=cotangent("x"),
     pull={"x": OF_INVERSE}, push={"x": OF_INVERSE}, infinite="pole", spreads=True)
W = "rt.inverse_transpose(x)"
TURNED = f"({W} @ g.mT @ {W})"
THIRD = (f"rt.cofactor_dx(g, x) * np.sum({W} * v, axis=(-2, -1), keepdims=True) - rt.cofactor_dx(g, x) @ v.mT @ {W} "
         f"- rt.cofactor(x) * np.sum({TURNED} * v, axis=(-2, -1), keepdims=True) + rt.cofactor(x) @ v.mT @ {TURNED}")
rule(rt.cofactor_dx, "r = rt.cofactor_dx(v, x)", spec=cotangent("x"),
     pull={"v": "rt.cofactor_dx(g, x)", "x": THIRD}, push={"v": "rt.cofactor_dx(g, x)", "x": THIRD},
     note="symmetric in what comes in; for a matrix that can be inverted differentiated further")

# --- moving values
linear(rt.unarray, "y = rt.unarray(v, x)", pull={"v": "rt.rearray(g, v)"}, nondiff=["x"], shape_only=frozenset("x"),
       spec=items_like("x"), memory="view", spreads=True)
linear(rt.rearray, "y = rt.rearray(x, v)", pull={"x": "rt.unarray(g, x)"}, nondiff=["v"], spec=cotangent("v"),
       memory="view", spreads=True)
linear(rt.reshape_like, "y = rt.reshape_like(v, x, order='C')", pull={"v": "rt.reshape_like(g, v, order)"},
       nondiff=["x"], shape_only=frozenset("x"), spec=cotangent("x"), memory="view", spreads=True)
linear(rt.untranspose, "y = rt.untranspose(v, axes=None)", pull={"v": "np.transpose(g, axes)"}, spec=infer.arrays,
       memory="view", spreads=True)
linear(rt.unroll, "y = rt.unroll(v, shift, axis=None)", pull={"v": "np.roll(g, shift, axis)"}, nondiff=["shift"],
       spec=infer.like("v", "array"), spreads=True)
linear(rt.untile, "y = rt.untile(v, x, reps)", pull={"v": "np.tile(g, reps)"}, nondiff=["x", "reps"],
       spec=cotangent("x"), spreads=True)
linear(rt.unrepeat, "y = rt.unrepeat(v, x, repeats, axis=None)", pull={"v": "np.repeat(g, repeats, axis)"},
       nondiff=["x", "repeats"], spec=cotangent("x"), spreads=True)
linear(rt.unwindow, "y = rt.unwindow(v, x, window_shape, axis=None)", nondiff=["x", "window_shape"],
       spec=cotangent("x"), pull={"v": "np.lib.stride_tricks.sliding_window_view(g, window_shape, axis)"})
linear(rt.undiag, "y = rt.undiag(v, x, k=0)", pull={"v": "np.diag(g, k)"}, nondiff=["x"], spec=cotangent("x"))
linear(rt.undiagonal, "y = rt.undiagonal(v, x, offset=0, axis1=0, axis2=1)", nondiff=["x"], spec=cotangent("x"),
       pull={"v": "np.diagonal(g, offset, axis1, axis2)"})
linear(rt.untrace, "y = rt.untrace(v, x, offset=0, axis1=0, axis2=1)", pull={"v": "np.trace(g, offset, axis1, axis2)"},
       nondiff=["x"], spec=cotangent("x"))
for name, axis in (("stack", ", axis=0"), ("concatenate", ", axis=0"), ("vstack", ""), ("hstack", ""),
                   ("column_stack", "")):
    given_axis = axis and ", axis"
    linear(getattr(rt, f"un{name}"), f"y = rt.un{name}(v, arrays{axis})", pull={"v": f"np.{name}(g{given_axis})"},
           nondiff=["arrays"], shape_only=frozenset(["arrays"]), spec=items_like("arrays"), memory="view", spreads=True)
linear(rt.unappend, "y = rt.unappend(v, x, values, axis=None)", pull={"v": "np.append(g[0], g[1], axis)"},
       nondiff=["x", "values"], spec=infer.anything, memory="view")
linear(rt.uncast, "z = rt.uncast(v, x, y)", pull={"v": "rt.uncast(g, v, y)"}, nondiff=["x", "y"],
       shape_only=frozenset("xy"), spec=items_like("x"), memory="view")
linear(rt.recast, "z = rt.recast(v, y)", pull={"v": "rt.uncast(g, v, y)"}, nondiff=["y"], spec=infer.anything,
       memory="view")

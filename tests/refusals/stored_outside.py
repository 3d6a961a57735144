"""What is stored in objects that others hold, and read where the derivative does not see it."""
from __future__ import annotations

from .case import Case

CASES = [
    Case("stored_and_read_unseen", """\
class Layer:
    def __new__(cls):
        return object.__new__(cls)
    def kept(self):
        return self.x

def f(x, layer=Layer()):
    layer.x = x * x
    return layer.kept() * x
""", """\
x of an object that others may hold is assigned, and read again where the derivative does not see it: keep the value \
in a variable, or return it
  cell 1, line 9, column 5
    return layer.kept() * x
    ^^^^^^^^^^^^^^^^^^^^^^^
""", """\
class Layer:
    pass

def f(x, layer=Layer()):
    squared = x * x
    layer.x = squared
    return squared * x
""", at=(2.0,)),
    Case("stored_before_it_is_there", """\
class Cell:
    pass

cell = Cell()

def f(x):
    if x < 0.0:
        cell.h = x
    return cell.h * x
""", """\
a Cell has no h when the function begins: set it before, or in the function before it is read
  cell 1, line 7, column 5
    if x < 0.0:
    ^^^^^^^^^^
""", """\
class Cell:
    h = 1.0

cell = Cell()

def f(x):
    if x < 0.0:
        cell.h = x
    return cell.h * x
""", at=(2.0,)),
    Case("stored_by_two_names", """\
class Cell:
    h = 1.0

cell = other = Cell()

def f(x):
    cell.h = x
    other.h = x * x
    return cell.h * other.h
""", """\
h of an object that others may hold is assigned in two ways, and read again: keep the value in a variable, or return it
  cell 1, line 8, column 5
    other.h = x * x
    ^^^^^^^^^^^^^^^
""", """\
class Cell:
    h = 1.0

cell = other = Cell()

def f(x):
    cell.h = x
    h = other.h = x * x
    return h * h
""", at=(2.0,)),
    Case("stored_and_changing", """\
class Layer:
    pass

layer = Layer()

def f(x):
    items = [x, x * x]
    layer.items = items
    return items[0] * items[1]
""", """\
items of an object that others may hold is assigned a list: only arrays, numbers, texts and None are assigned there, \
tuples of these, and lists and dicts that are written down there; return it too
  cell 1, line 8, column 5
    layer.items = items
    ^^^^^^^^^^^^^^^^^^^
""", """\
class Layer:
    pass

layer = Layer()

def f(x):
    items = [x, x * x]
    layer.items = [items[0], items[1]]
    return items[0] * items[1]
""", at=(2.0,)),
    Case("grown_and_read", """\
class Box:
    def __init__(self):
        self.seen = [1.0]

def f(x, one=Box(), other=Box()):
    one.seen.append(x * x)
    return x * len(other.seen)
""", """\
cannot differentiate f
  cell 1, line 6, column 5
    one.seen.append(x * x)
    ^^^^^^^^^^^^^^^^^^^^^^
  why: one.seen comes from outside, and is changed and read here, or where this is called
  instead: a list or dict of this function, which it returns
""", """\
class Box:
    def __init__(self):
        self.seen = [1.0]

def f(x, one=Box(), other=Box()):
    seen = []
    seen.append(x * x)
    return x * len(other.seen)
"""),
    Case("grown_that_is_no_list", """\
class Log:
    def append(self, value):
        self.last = value

class Box:
    def __init__(self):
        self.seen = Log()

def f(x, box=Box()):
    box.seen.append(x * x)
    return x * x
""", """\
a Log is changed by its methods, and others may hold it too: only lists are, or return the value
  cell 1, line 10, column 5
    box.seen.append(x * x)
    ^^^^^^^^^^^^^^^^^^^^^^
""", """\
class Box:
    def __init__(self):
        self.seen = []

def f(x, box=Box()):
    box.seen.append(x * x)
    return x * x
""", at=(2.0,)),
    Case("item_that_is_of_no_dict", """\
class Box:
    def __init__(self):
        self.seen = np.zeros(2)

def f(x, box=Box()):
    box.seen[0] = x * x
    return x * x
""", """\
an item of an array is assigned, and others may hold it too: only dicts and lists are changed so, or return the value
  cell 1, line 6, column 5
    box.seen[0] = x * x
    ^^^^^^^^^^^^^^^^^^^
""", """\
class Box:
    def __init__(self):
        self.seen = {}

def f(x, box=Box()):
    box.seen[0] = x * x
    return x * x
""", at=(2.0,)),
    Case("item_that_a_defaultdict_would_make", """\
from collections import defaultdict
counts = defaultdict(int)

def f(x):
    if "calls" not in counts:
        x = 1.0 * x
    counts["calls"] += 1
    return x * x
""", """\
a defaultdict has no 'calls' when the function begins, and would make it: set it before, or in the function before it \
is read
  cell 1, line 7, column 5
    counts["calls"] += 1
    ^^^^^^^^^^^^^^^^^^^^
""", """\
from collections import Counter
counts = Counter()

def f(x):
    if "calls" not in counts:
        x = 1.0 * x
    counts["calls"] += 1
    return x * x
""", at=(2.0,)),
    Case("items_of_a_list_outside", """\
rates = [0.5, 0.25]

def f(x, k):
    rates[k] = [x]
    return x * x * rates[1]
""", """\
a slice is an index into rates, which others may hold: only numbers are, or return the list
  cell 1, line 4, column 5
    rates[k] = [x]
    ^^^^^^^^^^^^^^
""", """\
rates = [0.5, 0.25]

def f(x, k):
    rates[k] = x
    return x * x * rates[1]
""", at=(2.0, slice(0, 1)), typed_at=(2.0, 0)),
    Case("stored_of_another_shape", """\
class Cell:
    def __init__(self, h):
        self.h = h

def f(x, cell=Cell(0.5)):
    cell.h = cell.h * np.array([1.0, x])
    return np.sum(cell.h)
""", """\
h of an object that is differentiated is assigned an array, and was a float of another shape: keep it under another \
name
  cell 1, line 6, column 5
    cell.h = cell.h * np.array([1.0, x])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", wrt="cell.h", at=(2.0,)),
    Case("objects_that_a_list_holds_twice", """\
class Cell:
    h = 1.0
cells = [Cell()] * 2

def f(x):
    for cell in cells:
        cell.h = x * x
    return cells[0].h
""", """\
a list holds an object twice, and h of its objects is assigned, and read again: keep the value in a variable, or \
return it
  cell 1, line 6, column 5
    for cell in cells:
    ^^^^^^^^^^^^^^^^^
""", """\
class Cell:
    h = 1.0
cells = [Cell(), Cell()]

def f(x):
    for cell in cells:
        cell.h = x * x
    return cells[0].h
""", at=(2.0,)),
    Case("objects_that_are_in_no_list", """\
class Cell:
    h = 1.0
cells = {Cell()}

def f(x):
    h = 0.0
    for cell in cells:
        cell.h = x * x
        h = cell.h
    return h
""", """\
h of the objects in a set is assigned, and read again: only lists and tuples of objects are gone over so
  cell 1, line 7, column 5
    for cell in cells:
    ^^^^^^^^^^^^^^^^^
""", """\
class Cell:
    h = 1.0
cells = [Cell()]

def f(x):
    h = 0.0
    for cell in cells:
        cell.h = x * x
        h = cell.h
    return h
""", at=(2.0,)),
    Case("objects_whose_arrays_are_added_to", """\
class Cell:
    def __init__(self):
        self.h = np.ones(2)
cells = [Cell(), Cell()]

def f(x):
    for cell in cells:
        cell.h += x
    return np.sum(cells[0].h)
""", """\
h of an object that others may hold is an array, and is changed in place: assign a new value, ... = ... + ...
  cell 1, line 7, column 5
    for cell in cells:
    ^^^^^^^^^^^^^^^^^
""", """\
class Cell:
    def __init__(self):
        self.h = np.ones(2)
cells = [Cell(), Cell()]

def f(x):
    for cell in cells:
        cell.h = np.ones(2) + x
    return np.sum(cells[0].h)
""", at=(2.0,)),
    Case("variable_of_a_module_that_recursion_reads", """\
import types
settings = types.ModuleType("settings")
settings.rate = 1.5

def grown(x, n):
    return x * settings.rate if n == 0 else grown(x * settings.rate, n - 1)

def f(x):
    y = grown(x, 1)
    settings.rate = 3.0
    return y * grown(x, 1)
""", """\
cannot differentiate f
  cell 1, line 10, column 5
    settings.rate = 3.0
    ^^^^^^^^^^^^^^^^^^^
  why: the global variable rate is assigned, and read where the backward pass would read it as it is then
  instead: pass rate as an argument, and return the new value
""", """\
def grown(x, rate, n):
    return x * rate if n == 0 else grown(x * rate, rate, n - 1)

def f(x):
    y = grown(x, 1.5, 1)
    return y * grown(x, 3.0, 1)
"""),
]

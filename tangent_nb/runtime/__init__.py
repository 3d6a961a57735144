"""What generated code calls, as `rt`: helpers that have no name in NumPy. They import NumPy and our errors only.

Each public function, class and value of the modules here is one of `rt`, under its own name, which no other has.
"""
import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors import TangentError as TangentError  # caught by generated code; it computes nothing, and needs no row

MODULES = tuple(import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
for _module in MODULES:
    globals().update({name: value for name, value in vars(_module).items()
                      if not name.startswith("_") and getattr(value, "__module__", None) == _module.__name__})

if TYPE_CHECKING:
    def __getattr__(name: str) -> Any: ...

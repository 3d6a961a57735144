"""Which operations a partial would read before and after they assign what they read."""
from __future__ import annotations

from collections.abc import Callable, Collection

from ..syntax.nodes import reads
from .resolve import Operation


def reads_both(operation: Operation, y: str, memory: Callable[[str], Collection[str]] = lambda name: (name,)) -> bool:
    """In `y = …` a partial would read the value of y both before and after. memory: the names whose memory one may
    share, from which it may be read anew."""
    if operation.kind != "rule" or operation.rule is None:
        return False
    rule = operation.rule
    mine = {p for p, arg in operation.args.items() if any(y in memory(name) for name in reads(arg))}
    texts = [choice.reads for side in (rule.pull, rule.push) for found in side.values() for choice in found]
    return bool(mine) and any(rule.result in text for text in texts) and any(mine & text for text in texts)

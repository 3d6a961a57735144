"""Where generated text lives: real files in a directory of this process.

Debuggers, profilers and tracebacks want files. A process has a directory of its own, readable by its user alone, and
holds a lock in it while it lives; children that are forked hold it too, for they go on reading there. The last of them
that ends in an orderly way removes it; directories of processes that were killed are removed when the next process
makes one. A process that works for another one (of a pool, or forked) may be ended at any moment: what it generates has
the name of a file, and lies in `linecache` alone. So does a text that is only looked at.
"""
from __future__ import annotations

import atexit
import contextlib
import getpass
import hashlib
import linecache
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

try:
    import fcntl  # noqa: TID251 -- where there is none, an open file cannot be removed, which serves as well
except ImportError:                                # Windows
    fcntl = None  # type: ignore[assignment]

LOCK = "lock"
YOUNG = 60.0                                       # seconds: a directory this new may still be without its lock


class Folder:
    """The directory of the process `pid`."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        root = _root()
        _sweep(root)
        self.path = Path(tempfile.mkdtemp(prefix=f"{self.pid}-", dir=root))
        self.lock = os.open(self.path / LOCK, os.O_CREAT | os.O_RDWR)      # open as long as the process lives
        if fcntl is not None:
            with contextlib.suppress(OSError):
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        atexit.register(self.leave)

    def leave(self) -> None:
        """Close it at the end of the process: after its workers, where they are ended later than now."""
        util = sys.modules.get("multiprocessing.util")
        if util is None or util.is_exiting():
            self.close()
        else:
            util.Finalize(None, self.close, exitpriority=-100)

    def close(self) -> None:
        """Remove the directory, unless a process that was forked still lives: it does so then."""
        with contextlib.suppress(OSError):
            os.close(self.lock)
        if fcntl is None or _unlocked(self.path / LOCK):
            shutil.rmtree(self.path, ignore_errors=True)

    def write(self, name: str, text: str) -> str:
        """The path of a file that holds `text`: the same path for the same text."""
        path = self.path / _file(name, text)
        if not path.exists():
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)       # a cleaner of such files may have come by
            descriptor, unfinished = tempfile.mkstemp(dir=self.path)
            with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            os.replace(unfinished, path)
        return str(path)


_FOLDER: Folder | None = None
_BUSY = threading.Lock()
_FORKED = False
_PASSING: ContextVar[set[str] | None] = ContextVar("_PASSING", default=None)


@contextlib.contextmanager
def passing() -> Iterator[set[str]]:
    """What is generated here is looked at and let go: it is in no file. The paths that it has until `link.forget`."""
    paths: set[str] = set()
    token = _PASSING.set(paths)
    try:
        yield paths
    finally:
        _PASSING.reset(token)


def write(name: str, text: str) -> str:
    """Write a text into this process's directory, or remember it where this is the process of another one; its path."""
    global _FOLDER
    paths = _PASSING.get()
    with _BUSY:
        if paths is not None or _is_worker():
            path = os.path.join(_nowhere(), _file(name, text))
            linecache.cache[path] = (len(text), None, text.splitlines(True), path)
            if paths is not None:
                paths.add(path)
            return path
        if _FOLDER is None:
            _FOLDER = Folder()
        return _FOLDER.write(name, text)


def _file(name: str, text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]
    return f"{re.sub(r'[^A-Za-z0-9_]', '_', name)[:60]}_{digest}.py"


def _is_worker() -> bool:
    """This process was forked, or started by `multiprocessing` or a library like it, which name what they start."""
    process = sys.modules.get("multiprocessing.process")
    return _FORKED or process is not None and process.current_process().name != "MainProcess"


def _nowhere() -> str:
    """The directory in the paths of text that is in no file."""
    return os.path.join(tempfile.gettempdir(), "tangent_nb-worker", f"{os.getpid()}-memory")


def _forked_child() -> None:
    global _BUSY, _FORKED
    _BUSY, _FORKED = threading.Lock(), True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked_child)


def _root() -> Path:
    """The directory of this user; a new one where another user has taken its name."""
    try:
        user = re.sub(r"\W", "_", getpass.getuser())
    except (KeyError, OSError, ImportError):       # a user without a name, as in some containers
        user = "user"
    root = Path(tempfile.gettempdir()) / f"tangent_nb-{user}"
    with contextlib.suppress(FileExistsError):
        root.mkdir(mode=0o700)
    probe = Path(tempfile.mkdtemp(prefix=f"tangent_nb-{user}-"))
    if root.is_symlink() or root.lstat().st_uid != probe.stat().st_uid:
        return probe
    probe.rmdir()
    if fcntl is not None and root.stat().st_mode & 0o077:
        root.chmod(0o700)
    return root


def _sweep(root: Path) -> None:
    """Remove what dead processes left. In doubt a directory stays."""
    with contextlib.suppress(OSError):
        for path in root.iterdir():
            match = re.match(r"(\d+)-", path.name)
            if match and _is_dead(int(match[1]), path):
                shutil.rmtree(path, ignore_errors=True)


def _is_dead(pid: int, path: Path) -> bool:
    """No process of that number runs, and nobody (it may be of another container, or forked) holds the lock."""
    try:
        if time.time() - path.stat().st_mtime < YOUNG:
            return False
        if fcntl is None:                          # Windows does not remove a file that is open
            (path / LOCK).unlink(missing_ok=True)
            return True
        return not _runs(pid) and _unlocked(path / LOCK)
    except OSError:
        return False


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _unlocked(path: Path) -> bool:
    locks: Any = fcntl
    try:
        with open(path) as file:
            locks.flock(file, locks.LOCK_EX | locks.LOCK_NB)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def is_generated(filename: str) -> bool:
    """The text is one of those that this process has written."""
    directory = os.path.dirname(filename)
    return _FOLDER is not None and directory == str(_FOLDER.path) or _is_worker() and directory == _nowhere()

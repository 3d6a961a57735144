"""Where generated text lives: real files in a directory of this process.

Debuggers, profilers and tracebacks want files. Each process has a directory of its own, readable by its user alone;
directories of processes that are gone are removed when the next process makes one. A process holds a lock in its
directory while it lives.
"""
from __future__ import annotations

import atexit
import contextlib
import getpass
import hashlib
import os
import re
import shutil
import tempfile
import threading
import time
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
        self.shared = False                        # a forked child may still read these files
        if fcntl is not None:
            with contextlib.suppress(OSError):
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        atexit.register(self.close)

    def close(self) -> None:
        """Remove the directory, at the end of the process that made it; after a fork leave that to the next sweep."""
        if os.getpid() == self.pid and not self.shared:
            os.close(self.lock)
            shutil.rmtree(self.path, ignore_errors=True)

    def write(self, name: str, text: str) -> str:
        """The path of a file that holds `text`: the same path for the same text."""
        digest = hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]
        path = self.path / f"{re.sub(r'[^A-Za-z0-9_]', '_', name)[:60]}_{digest}.py"
        if not path.exists():
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)       # a cleaner of such files may have come by
            descriptor, unfinished = tempfile.mkstemp(dir=self.path)
            with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            os.replace(unfinished, path)
        return str(path)


_FOLDER: Folder | None = None
_BUSY = threading.Lock()


def write(name: str, text: str) -> str:
    """Write a text into this process's directory, and return its path."""
    global _FOLDER
    with _BUSY:
        if _FOLDER is None or _FOLDER.pid != os.getpid():
            _FOLDER = Folder()
        return _FOLDER.write(name, text)


def _forked_parent() -> None:
    if _FOLDER is not None:
        _FOLDER.shared = True


def _forked_child() -> None:
    global _BUSY
    _BUSY = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_parent=_forked_parent, after_in_child=_forked_child)


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
    """The file is one of those that this process has written."""
    return _FOLDER is not None and os.path.dirname(filename) == str(_FOLDER.path)

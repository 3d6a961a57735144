"""What the docs name is there, and what is there the docs name. Their examples run as doctests."""
import re
from pathlib import Path

import numpy as np
import pytest

import tangent_nb
from tangent_nb import runtime
from tangent_nb.syntax.building import MARKS

ROOT = Path(__file__).parent.parent
DOCS = sorted((ROOT / "docs").glob("*.md"))
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
GENERATED = re.compile(r"_(saved|fwd|bwd|tan|jax|jit|forward|backward|dx|db|value|\d)$")      # names in derivatives
ON_JAX = set(re.findall(r"(?m)^(?:def )?(\w+)(?:\(| = )", "\n".join(
    path.read_text(encoding="utf-8") for path in (ROOT / "tangent_nb" / "backends" / "jax_runtime").glob("*.py"))))
UNREAD = {"spec", "helper"}          # set in the pipeline, read by nobody


def named(text):
    """What stands in backquotes outside of the examples."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"(?m)^    .*$", "", text))


def anchor(heading):
    return re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-")


def test_every_part_of_the_package_is_on_the_map():
    parts = {f"{path.name}/" if path.is_dir() else path.name for path in (ROOT / "tangent_nb").iterdir()
             if not path.name.startswith(("_", ".")) and path.suffix in ("", ".py")}
    assert sorted(parts - set(named(ARCHITECTURE))) == []


def test_every_pass_and_mark_is_described():
    assert [name for name in tangent_nb.PASSES if f"| `{name}` |" not in ARCHITECTURE] == []
    assert sorted(set(MARKS) - UNREAD - set(named(ARCHITECTURE))) == []


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_what_a_page_names_exists(path):
    text = path.read_text(encoding="utf-8")
    folders = [ROOT, ROOT / "tangent_nb", *(p for p in (ROOT / "tangent_nb").iterdir() if p.is_dir()), ROOT / "docs"]
    files = {name for name in named(text) if re.fullmatch(r"[\w./]+(\.py|\.toml|/)", name)}
    assert sorted(name for name in files if not any((folder / name).exists() for folder in folders)) == []
    prose = re.sub(r"(?m)^ {4}.*$", "", text)              # in code, `](x)` is a call
    for target, part in re.findall(r"\]\(([\w.-]*)#?([\w-]*)\)", prose):
        page = path.parent / target if target else path
        assert page.exists(), target
        assert not part or part in map(anchor, re.findall(r"(?m)^#+ (.*)$", page.read_text(encoding="utf-8"))), part


def test_what_is_sampled_is_written_down():
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")
             if re.search(r"mark\.(sampled|full)\b", path.read_text(encoding="utf-8"))}
    table = set(re.findall(r"`(tests/[^`]*\.py)`", (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
                           .split("## The sample")[1].split("##")[0]))
    assert files - {"tests/test_docs.py"} == table


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_names_of_code_exist(path):
    words = named(path.read_text(encoding="utf-8"))
    code = "\n".join(p.read_text(encoding="utf-8") for folder in ("tangent_nb", "tests")
                     for p in (ROOT / folder).rglob("*.py"))
    ours = {word for word in words if re.fullmatch(r"[\w.]*_[\w.]*|[A-Z]\w{3,}", word) and not GENERATED.search(word)}
    assert sorted(word for word in ours if word.rpartition(".")[2] not in code) == []
    for module, name in {tuple(m.groups()) for word in words for m in re.finditer(r"\b(np|rt|tnb)\.(\w+)", word)}:
        assert hasattr({"np": np, "rt": runtime, "tnb": tangent_nb}[module], name) \
            or module == "rt" and name in ON_JAX, (module, name)


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_lines_are_short(path):
    lines = path.read_text(encoding="utf-8").splitlines()      # the rows of tables cannot be broken
    assert [n for n, line in enumerate(lines, 1) if len(line) > 130 and not line.startswith("| ")] == []

"""What has been run: a line of JSON for each run, in a file for each experiment."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "results"


class Results:
    """The runs of an experiment. A line that was cut off when a run was interrupted is left out."""

    def __init__(self, name: str, quick: bool = False) -> None:
        self.path = FOLDER / f"{name}{'_quick' if quick else ''}.jsonl"
        self.rows: list[dict[str, Any]] = []
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                try:
                    self.rows.append(json.loads(line))
                except json.JSONDecodeError:
                    continue

    def find(self, **key: Any) -> dict[str, Any] | None:
        """The run that has been kept under a key."""
        return next((row for row in self.rows if all(row.get(name) == value for name, value in key.items())), None)

    def add(self, row: dict[str, Any]) -> dict[str, Any]:
        """Keep a run."""
        self.path.parent.mkdir(exist_ok=True)
        text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(("\n" if text and not text.endswith("\n") else "") + json.dumps(row) + "\n")
        self.rows.append(row)
        return row

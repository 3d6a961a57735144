"""Only names that are free, or that were bound here, are bound."""
from __future__ import annotations

from typing import Any

import pytest

from tangent_nb.notebook.names import Names
from tangent_nb.notebook.options import OptionError


def functions() -> list[Any]:
    def make() -> Any:
        def f(x: Any) -> Any:
            return x
        return f
    return [make() for _ in range(4)]


def test_a_name_of_the_users_is_kept() -> None:
    names, (f, df, again, mine) = Names(), functions()
    space: dict[str, Any] = {"df_dx": 3}
    with pytest.raises(OptionError, match=r"df_dx is a name of yours already \(an int\): .* -n NAME"):
        names.bind(space, "df_dx", df, f)
    assert space == {"df_dx": 3}
    del space["df_dx"]
    names.bind(space, "df_dx", df, f)
    names.bind(space, "df_dx", again, f)
    assert space["df_dx"] is again
    space["df_dx"] = mine
    with pytest.raises(OptionError, match="a function"):
        names.bind(space, "df_dx", df, f)
    space["df_dx"] = df                            # one of ours, but not put there by us last
    with pytest.raises(OptionError):
        names.bind(space, "df_dx", again, f)


def test_what_is_stale_goes() -> None:
    names, (f, df, again, mine) = Names(), functions()

    def changed(x: Any) -> Any:
        return x + 1

    changed.__name__ = "f"
    space: dict[str, Any] = {}
    names.bind(space, "df_dx", df, f)
    names.bind(space, "g", df, f)
    space["g"] = mine
    assert names.drop(space, f) == names.drop(space, again) == names.drop(space, 3) == [] and "df_dx" in space
    assert names.drop(space, changed) == ["df_dx"] and space == {"g": mine}

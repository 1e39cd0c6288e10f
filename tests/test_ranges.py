"""Every number among the settings has a range, wherever it is set."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from tests.conftest import Result
from thalamus.config import AUTO, RANGES, SETTINGS, Config, Tokens, load
from thalamus.errors import ConfigError

Run = Callable[..., Result]


def test_every_number_has_a_range_that_holds_its_default() -> None:
    numbers = {name for name, kind in SETTINGS.items() if kind in (int, float, Tokens)}
    assert numbers == set(RANGES)
    for name, (least, most) in RANGES.items():
        default = getattr(Config(), name)
        assert default == AUTO if SETTINGS[name] == Tokens else least <= default <= most


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("value", [".inf", "-.inf", ".nan", "-1", "-0.001", "1e300", "9" * 30])
def test_what_is_out_of_range_is_named_with_the_range(
    tmp_path: Path, name: str, value: str
) -> None:
    folder = tmp_path / "home" / "config"
    folder.mkdir(parents=True)
    (folder / "config.yaml").write_text(f"{name}: {value}\n")
    with pytest.raises(ConfigError) as caught:
        load({}, {"THALAMUS_HOME": str(tmp_path / "home")}, tmp_path)
    assert name in str(caught.value)
    plain = value.replace(".i", "i").replace(".n", "n")
    for given in (plain, float(plain)):
        with pytest.raises(ConfigError, match=name):
            load({name: given}, {}, tmp_path)
    with pytest.raises(ConfigError, match=name):
        load({}, {f"THALAMUS_{name.upper()}": plain}, tmp_path)


@pytest.mark.parametrize("name", RANGES)
def test_the_ends_of_a_range_are_in_it(tmp_path: Path, name: str) -> None:
    for value in RANGES[name]:
        assert getattr(load({name: value}, {}, tmp_path), name) == value


def test_the_range_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="core_tokens must be between 0 and 1,000,000, not inf"):
        load({"core_tokens": float("inf")}, {}, tmp_path)
    told = r"ingest_timeout must be between 0.01 and 86,400, not nan"
    with pytest.raises(ConfigError, match=told):
        load({"ingest_timeout": "nan"}, {}, tmp_path)


HUGE = "99999999999999999999"


COMMANDS = [
    ("retrieve", "x", "-n", HUGE),
    ("retrieve", "x", "-n", "2000"),
    ("memory", "--limit", HUGE),
    ("memory", "search", "x", "-n", HUGE),
    ("facts", "--limit", HUGE),
    ("why", "--depth", HUGE),
    ("trace", "--last", HUGE),
    ("prune", "--max-memories", HUGE),
    ("eval", "retrieval", "x", "--limit", HUGE),
    ("eval", "compare", "x", "y", "-k", HUGE),
]


def test_a_number_that_is_too_large_is_refused_with_the_range(run: Run) -> None:
    run("store", input='{"record":"memory","content":"Ana keeps bees."}')
    for command, end in product(COMMANDS, ((), ("--json",))):
        done = run(*command, *end)
        assert done.code == 2, done
        assert "range" in done.stderr and " to " in done.stderr
        assert command[-2] in done.stderr and command[-1] in done.stderr

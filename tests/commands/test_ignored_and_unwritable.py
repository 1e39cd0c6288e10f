"""Settings that are ignored, and places that cannot be written: the advice fits the cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.conftest import Run


@pytest.fixture
def stored(run: Run) -> Run:
    """A store with one memory."""
    assert run("store", input='{"record":"memory","content":"Ana keeps bees."}').code == 0
    return run


TO_A_FILE = [
    ("store", "backup", "FILE"),
    ("export", "FILE"),
    ("export", "-o", "FILE"),
    ("export", "--format", "golden", "-o", "FILE"),
    ("report", "-o", "FILE"),
    ("turn", "hi", "--events", "FILE"),
]


def test_a_missing_directory_is_named_as_the_cause(stored: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "missing" / "copy")
    for command in TO_A_FILE:
        done = stored(*[file if word == "FILE" else word for word in command])
        assert done.code in (1, 2), command
        first, advice = done.stderr.strip().splitlines()
        assert f"{file}" in first and first.endswith(": No such file or directory."), command
        assert ".part" not in first and advice.strip().startswith("Create the directory first")


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("store",), marks=pytest.mark.sqlite),
        ("config", "set", "user", "ana"),
        ("init", "--no-input", "--name", "Ana"),
    ],
)
def test_a_home_below_a_file_is_named_as_the_cause(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "file").write_text("")
    home = {"THALAMUS_HOME": str(tmp_path / "file" / "home")}
    done = run(*command, input='{"record":"memory","content":"Ana keeps bees."}', env=home)
    assert done.code in (1, 2)
    assert f"{tmp_path / 'file'} is a file, not a folder" in done.stderr
    assert "disk space" not in done.stderr and "config show" not in done.stderr


def test_an_export_goes_to_a_file_by_argument_or_option(stored: Run, tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    assert stored("export", str(one)).code == stored("export", "-o", str(other)).code == 0
    assert one.read_bytes() == other.read_bytes()
    assert stored("export", "-o", str(other), str(one)).code == 2


def test_a_misspelt_variable_is_named_with_its_setting(stored: Run) -> None:
    plain = stored("facts")
    done = stored("facts", env={"THALAMUS_MODL": "x"})
    assert (done.code, done.stdout) == (plain.code, plain.stdout)
    warning = "thalamus: THALAMUS_MODL is not a setting and is ignored.\n"
    assert done.stderr == f"{warning}  Did you mean THALAMUS_MODEL?\n{plain.stderr}"
    other = stored("facts", env={"THALAMUS_ZZZZ": "x"}).stderr
    assert "THALAMUS_ZZZZ" in other and "`thalamus config show`" in other


def test_variables_of_other_features_are_not_warned_about(stored: Run, home: Path) -> None:
    (home / "config").mkdir(exist_ok=True)
    (home / "config" / "config.yaml").write_text(
        "mcp: {notes: {url: 'http://127.0.0.1:1/mcp', key_env: THALAMUS_NOTES_KEY}}\n"
    )
    given = ("THALAMUS_MCP_TOKEN", "THALAMUS_STRICT_STAGES", "THALAMUS_NOTES_KEY")
    assert "THALAMUS" not in stored("facts", env=dict.fromkeys(given, "x")).stderr

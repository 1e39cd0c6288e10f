"""`thalamus schema`, and that the files agree with the records."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from thalamus.records.registry import RECORDS
from thalamus.records.schemas import pretty, schema, write
from thalamus.templates import packaged

Run = Callable[..., Any]


def test_the_files_agree_with_the_records() -> None:
    files = {path.stem: path.read_text(encoding="utf-8") for path in packaged("schemas").iterdir()}
    assert files == {name: pretty(schema(name)) + "\n" for name in RECORDS}, "run `just schemas`"


def test_writing_makes_a_file_for_each_record(tmp_path: Any) -> None:
    written = write(tmp_path / "new")
    assert [path.stem for path in written] == list(RECORDS)
    assert json.loads(written[0].read_text())["title"] == "turn"


@pytest.mark.parametrize("name", RECORDS)
def test_a_schema_says_what_the_record_is(name: str) -> None:
    made = schema(name)
    kind = RECORDS[name]
    assert made["$id"] == f"thalamus/{name}.json"
    assert made["properties"]["record"] == {"const": name}
    assert "record" in made["required"]
    assert made["additionalProperties"] is False
    assert set(made["properties"]) == {"record", *kind.__struct_fields__}
    text = json.dumps(made)
    assert all(f'"{part}"' in text for part in made.get("$defs", {}))
    assert text.count('"#/$defs/') >= len(made.get("$defs", {}))


def test_required_fields_are_those_without_which_decoding_fails() -> None:
    for name, kind in RECORDS.items():
        for field in set(schema(name)["required"]) - {"record"}:
            with pytest.raises(msgspec.ValidationError, match="missing required field"):
                msgspec.json.decode(b'{"record":"%s"}' % name.encode(), type=kind)
            assert field in kind.__struct_fields__


def test_the_command_lists_and_shows(run: Run) -> None:
    listing = run("schema").stdout.splitlines()
    assert [line.split()[0] for line in listing] == list(RECORDS)
    assert listing[1] == "memory             Something to remember."
    assert json.loads(run("schema", "fact").stdout) == schema("fact")
    every = json.loads(run("schema", "--all").stdout)
    assert list(every) == list(RECORDS)
    wrong = run("schema", "facts")
    assert wrong.code == 2
    assert "turn, memory, fact" in wrong.stderr

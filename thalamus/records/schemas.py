"""JSON Schemas of the records, generated from ``thalamus.records``.

``python -m thalamus.records.schemas`` writes them to ``schemas/``; they are the promise of the
command line.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import msgspec

from thalamus.records.registry import RECORDS
from thalamus.templates import packaged

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of the record ``name``. Raises ``KeyError`` if there is no such record."""
    kind = RECORDS[name]
    whole = msgspec.json.schema(kind)
    parts: dict[str, Any] = whole["$defs"]
    for part in parts.values():
        _tidy(part)
    body = _with_own_root(parts.pop(kind.__name__), kind.__name__)
    body.pop("title", None)
    body.pop("description", None)
    result: dict[str, Any] = {
        "$schema": DIALECT,
        "$id": f"thalamus/{name}.json",
        "title": name,
        "description": inspect.cleandoc(kind.__doc__ or "").replace("``", "`"),
        **body,
    }
    return result | {"$defs": dict(sorted(parts.items()))} if parts else result


def summary(name: str) -> str:
    """The first sentence of a record's documentation."""
    text = " ".join(inspect.cleandoc(RECORDS[name].__doc__ or "").split())
    for end in (". ", ": "):
        text = text.split(end, 1)[0]
    return text.rstrip(".").replace("``", "`") + "."


def pretty(value: dict[str, Any]) -> str:
    """JSON formatted for people, as in the schema files."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def write(folder: Path) -> list[Path]:
    """Writes ``NAME.json`` for every record; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name in RECORDS:
        path = folder / f"{name}.json"
        path.write_text(pretty(schema(name)) + "\n", encoding="utf-8")
        files.append(path)
    return files


def _with_own_root(body: dict[str, Any], name: str) -> dict[str, Any]:
    """The body of a schema, with a record's references to its own kind pointing to the root."""
    text = json.dumps(body).replace(f'"#/$defs/{name}"', '"#"')
    return dict(json.loads(text))


def _tidy(part: dict[str, Any]) -> None:
    """Normalizes a schema: a field with a single value becomes a ``const``, documentation plain
    text."""
    if "description" in part:
        part["description"] = inspect.cleandoc(part["description"]).replace("``", "`")
    for field in part.get("properties", {}).values():
        if isinstance(field.get("enum"), list) and len(field["enum"]) == 1:
            field["const"] = field.pop("enum")[0]


if __name__ == "__main__":
    for written in write(packaged("schemas")):
        print(written)

"""The shape of the house: which way imports point, and what start-up loads."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import pytest
from msgspec import Struct

import thalamus

PACKAGE = Path(thalamus.__file__).parent
# what each room may import of the package; the ground floor is open to all
GROUND = {"records", "errors", "clock", "config", "policy", "predicates"}
MAY_IMPORT = {
    "records": {"records", "templates"},
    "errors": set(),
    "clock": {"errors"},
    "config": {"errors"},
    "events": {"records", "clock", "errors"},
    "predicates": {"policy"},
    "templates": {"errors", "policy"},
    "policy": {"records", "errors", "policy"},
    "models": GROUND | {"models"},
    "readers": GROUND | {"readers"},
    "storage": GROUND | {"storage"},
    "context": GROUND | {"events", "templates"},
    "memory": GROUND | {"memory", "context", "events", "templates"},
    "pipeline": GROUND | {"pipeline", "memory", "context", "events", "templates"},
    "transfer": GROUND | {"transfer", "memory", "context", "readers"},
    "evaluation": GROUND
    | {"evaluation", "api", "context", "events", "memory", "models", "readers"},
}
# what still points the wrong way
NOT_YET = {
    "memory/erase.py": {"api", "security", "storage"},
}
# the seams: protocols may be imported by those who are handed what they promise
PROTOCOLS = {"thalamus.models.protocol", "thalamus.storage.protocol"}
SEAMS = dict.fromkeys(("context", "memory", "pipeline", "transfer", "evaluation"), PROTOCOLS)
HEAVY = "numpy usearch tantivy ollama httpx pydantic sqlite_utils pypdf rich prompt_toolkit".split()


def imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return {name for name in found if name.startswith("thalamus.")}


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if room not in MAY_IMPORT:
        return
    seams = SEAMS.get(room, set())
    wrong = [
        name
        for name in imports(path)
        if name.split(".")[1]
        not in MAY_IMPORT[room] | NOT_YET.get(str(path.relative_to(PACKAGE)), set())
        and not any(name == seam or name.startswith(f"{seam}.") for seam in seams)
    ]
    assert wrong == [], f"{path.name} may not import these"


def test_policy_is_pure() -> None:
    """No files, clock, network or randomness: they are arguments."""
    impure = {"os", "time", "random", "pathlib", "socket", "subprocess", "sqlite3"}
    for path in (PACKAGE / "policy").rglob("*.py"):
        tree = ast.parse(path.read_text())
        names = {
            alias.name.split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
        } | {
            (node.module or "").split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
        }
        assert not names & impure, path.name
        asked = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not asked & {"now", "today", "utcnow"}, f"{path.name} asks for the time"


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["facts"]])
def test_start_up_loads_nothing_heavy(arguments: list[str], environment: dict[str, str]) -> None:
    code = (
        "import sys\n"
        "from thalamus.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        f"loaded = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "sys.exit(' '.join(loaded) or 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", list(modules()), ids=str)
def test_the_fields_of_every_struct_can_be_decoded(path: Path) -> None:
    """Their types are there when the program runs, not only for the type checker."""
    name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    if path.name == "__main__.py" or "msgspec" not in path.read_text():
        return
    for item in vars(importlib.import_module(name)).values():
        if isinstance(item, type) and issubclass(item, Struct) and item.__module__ == name:
            get_type_hints(item)

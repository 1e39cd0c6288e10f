"""The shape of the house: which way imports point, and what start-up loads."""

from __future__ import annotations

import ast
import gc
import importlib
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.inspect import type_info

import thalamus
from tests.conftest import Result
from thalamus.store.schema import statements

PACKAGE = Path(thalamus.__file__).parent
BASE = {"errors", "extras", "clock", "records", "files", "locks", "logs", "names", "text", "data"}
SHARED = BASE | {"config", "policy"}
# The folders whose functions, options and results a command or an interface may import for its own
# subject: not the databases and the models.
SUBJECTS = {
    "diagnostics",
    "evaluation",
    "events",
    "memory",
    "pipeline",
    "policy",
    "readers",
    "security",
    "tools",
    "transfer",
}
# Runs the command line in a process of its own, which then looks at what was imported
RUN = """\
import sys
from thalamus.cli import main
try: main(sys.argv[1:])
except SystemExit: pass
"""
# What each folder and each module of the package may import of the others (the ``__init__`` of the
# package is ``thalamus``). One that is not here fails the test.
MAY_IMPORT: dict[str, set[str]] = {
    # names of types, which are imported when they are used
    "thalamus": {
        "api",
        "cancel",
        "events",
        "pipeline",
        "memory",
        "transfer",
        "turn_run",
        "version",
        *SHARED,
    },
    "__main__": {"cli"},
    "cli": {"thalamus", "commands", "terminal", *BASE},
    "operations": {"api", "terminal", *BASE},
    "commands": {
        "features",
        "api",
        "config",
        "config_file",
        "operations",
        "serving",
        "terminal",
        "ui",
        *SUBJECTS,
        *BASE,
    },
    "ui": {"api", "cancel", "config", "config_file", "operations", "terminal", *SUBJECTS, *BASE},
    "terminal": {"api", "cancel", "config", "operations", "templates", *SUBJECTS, *BASE},
    "serving": {"api", "config", "version", *SUBJECTS, *BASE},
    "evaluation": {"api", "engine", "memory", "models", "readers", *SHARED, "turn_run"},
    "api": {
        "cancel",
        "engine",
        "turn_run",
        "events",
        "memory",
        "models",
        "pipeline",
        "plugins",
        "security",
        "templates",
        "tools",
        "transfer",
        *SHARED,
    },
    "diagnostics": {
        "engine",
        "turn_run",
        "memory",
        "models",
        "pipeline",
        "plugins",
        "security",
        "templates",
        "tools",
        "version",
        *SHARED,
    },
    "transfer": {
        "cancel",
        "engine",
        "memory",
        "readers",
        "report",
        "version",
        "web",
        *SHARED,
        "turn_run",
    },
    "report": BASE,
    # features: nothing imports them but ``features``, by name
    "features": BASE,
    "agents": {"api", "commands", "config", "features", "terminal", "turn_run", *SUBJECTS, *BASE},
    "pipeline": {
        "cancel",
        "engine",
        "events",
        "extract",
        "memory",
        "templates",
        "tools",
        *SHARED,
        "turn_run",
    },
    "extract": {"engine", "events", "memory", "templates", *SHARED, "turn_run"},
    "tools": {"engine", "events", "memory", "version", *SHARED, "turn_run"},
    "memory": {"engine", "events", "templates", *SHARED, "turn_run"},
    "plugins": {"engine", "events", "tools", *BASE, "turn_run"},
    "turn_run": {"cancel", "engine", "events", *SHARED},
    "engine": {"events", "templates", *SHARED},
    "cancel": set(),
    "events": BASE,
    "security": {"config", *BASE},
    "store": {"store_url", *BASE},
    "models": SHARED,
    "readers": SHARED,
    "web": {"version", *SHARED},
    "templates": {"errors", "policy"},
    "policy": {"errors", "names", "records", "text"},
    "records": {"names", "templates"},
    "text": {"data"},
    "data": set(),
    "config": {"clock", "errors", "files", "logs", "names", "store_url"},
    "store_url": {"errors"},
    "config_file": {"config", "errors", "files", "yaml_edit"},
    "yaml_edit": {"errors"},
    "clock": {"errors"},
    "files": {"errors", "names"},
    "locks": set(),
    "logs": {"text"},
    "errors": {"extras"},
    "extras": set(),
    "names": set(),
    "version": set(),
}
# Of the store, the subjects and the interfaces; not the databases, and not what signs their rows.
STORE = {
    f"store.{name}"
    for name in """
    aliases base batches concepts documents embeddings encrypted encryption.cipher
    encryption.contents encryption.sources erasure exported_files facts insights jobs ledger links
    location maintenance memories options plans projects reader records sessions sources stage_logs
    statistics turns values world writer
    """.split()
}
# The seams: single modules that those may import who are handed what they promise, or that need
# nothing themselves.
PROTOCOLS = {"models.protocol", *STORE}
SEAMS: dict[str, set[str]] = {
    "thalamus": {"store.maintenance", "store.signing.audit", "store.values"},
    "api": {"store.chat_history", "store.opening", "store.signing.audit", *STORE},
    "commands": {"models.catalogue", *STORE},
    "agents": STORE,
    "ui": STORE,
    "terminal": {"store.chat_history"},
    "engine": PROTOCOLS,
    "turn_run": PROTOCOLS,
    "diagnostics": PROTOCOLS,
    "evaluation": PROTOCOLS,
    "memory": PROTOCOLS,
    "pipeline": PROTOCOLS,
    "extract": PROTOCOLS,
    "tools": PROTOCOLS,
    "transfer": PROTOCOLS,
    "web": {"models.retry_after"},
    # the keys with which the store signs and encrypts
    "security": {"store.base", "store.erasure", "store.signing"},
}
# Folders and files whose docstrings have not been checked yet; it may only shrink.
UNCHECKED_PROSE = {"api"}
HEAVY = "numpy usearch tantivy ollama httpx pydantic sqlite_utils pypdf rich prompt_toolkit".split()
HEAVY += "mcp mcp_types anyio starlette uvicorn textual".split()
HEAVY += "psycopg psycopg_pool".split()  # only where the store is on PostgreSQL
HEAVY += "httpcore lxml trafilatura feedparser".split()
HEAVY += ["thalamus.memory.concepts.derivation"]  # of what is written; a twentieth


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


MODULES = modules()


@cache
def tree(name: str) -> ast.Module:
    """The parsed source of a module."""
    gc.disable()  # which would go through all trees that are kept, again and again
    try:
        return ast.parse(MODULES[name].read_text())
    finally:
        gc.enable()


def unit(name: str) -> str:
    """The folder or top-level module that a module belongs to."""
    return ".".join(name.split(".")[1:2]) or "thalamus"


@cache
def imports(name: str) -> set[str]:
    """The modules of the package that a module imports: anywhere in it, for types too."""
    found: set[str] = set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports relatively"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found.add(full if full in MODULES else str(node.module))
    return {target for target in found if target in MODULES} - {name}


def forbidden(name: str) -> set[str]:
    """What a module imports and may not."""
    own = unit(name)
    allowed = MAY_IMPORT[own] | {own}
    seams = tuple(f"thalamus.{seam}" for seam in SEAMS.get(own, ()))
    return {
        item
        for item in imports(name)
        if unit(item) not in allowed and not f"{item}.".startswith(tuple(f"{s}." for s in seams))
    }


def test_every_folder_and_module_has_its_place() -> None:
    assert {unit(name) for name in MODULES} == set(MAY_IMPORT)


def test_imports_point_one_way() -> None:
    assert {name: found for name in MODULES if (found := forbidden(name))} == {}


def test_the_api_gives_out_nothing_but_itself() -> None:
    """Types and functions are imported from where they live."""
    assert importlib.import_module("thalamus.api").__all__ == ["Thalamus"]


def test_there_is_no_import_cycle() -> None:
    graph = {name: imports(name) for name in MODULES}
    reached = {name: reachable(name, graph) for name in MODULES}
    circular = {
        frozenset(other for other in reached[name] if name in reached[other])
        for name in MODULES
        if name in reached[name]
    }
    assert circular == set()


def reachable(name: str, graph: dict[str, set[str]]) -> set[str]:
    """The modules that are imported by this one, and by those, and so on."""
    found: set[str] = set()
    waiting = set(graph[name])
    while waiting:
        item = waiting.pop()
        if item not in found:
            found.add(item)
            waiting |= graph[item]
    return found


def test_policy_and_text_are_pure() -> None:
    """No files, clock, network or randomness: they are arguments."""
    impure = {"os", "time", "random", "pathlib", "socket", "subprocess", "sqlite3"}
    for name in MODULES:
        if unit(name) not in ("policy", "text"):
            continue
        nodes = list(ast.walk(tree(name)))
        names = {
            alias.name.split(".")[0]
            for node in nodes
            if isinstance(node, ast.Import)
            for alias in node.names
        } | {(n.module or "").split(".")[0] for n in nodes if isinstance(n, ast.ImportFrom)}
        assert not names & impure, name
        asked = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        assert not asked & {"now", "today", "utcnow"}, f"{name} asks for the time"


@pytest.mark.sqlite
@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["facts"]])
def test_start_up_loads_nothing_heavy(arguments: list[str], environment: dict[str, str]) -> None:
    code = (
        f"{RUN}loaded = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "sys.exit(' '.join(loaded) or 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr


def test_a_search_loads_no_other_stage(environment: dict[str, str]) -> None:
    code = (
        f"{RUN}"
        "sys.exit(' '.join(name for name in sys.modules if 'thalamus.pipeline' in name) or 0)\n"
    )
    memory = b'{"record": "memory", "content": "The tea is in the tin."}'
    for arguments, given in ((["store"], memory), (["retrieve", "tea"], b"")):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            input=given,
            capture_output=True,
            env=environment,
        )
    assert b"tin" in done.stdout
    loaded = set(done.stderr.decode().split())
    assert loaded <= {"thalamus.pipeline", "thalamus.pipeline.retrieve"}


@pytest.mark.sqlite
@pytest.mark.parametrize("count", [100, 300])  # without a vector index, and with one
def test_one_search_of_a_small_store_finds_the_same_without_numpy(
    count: int, tmp_path: Path, environment: dict[str, str], run: Callable[..., Result]
) -> None:
    code = f"{RUN}sys.exit('numpy' if 'numpy' in sys.modules else 0)\n"
    numbers = random.Random(7)
    vectors = [[numbers.gauss(0, 1) for _ in range(32)] for _ in range(count + 20)]
    memory = {"record": "memory", "embedding_model": "own"}
    lines = [
        json.dumps({**memory, "content": f"Fact {n} of tea.", "embedding": vector})
        for n, vector in enumerate(vectors)
    ]
    environment |= {"THALAMUS_EMBEDDER": "none"}
    for part in (lines[:count], lines[count:]):  # the last ones are not indexed yet
        assert run("store", input="\n".join(part)).code == 0
    question = tmp_path / "question.json"
    question.write_text(json.dumps(vectors[count + 1]))
    search = ["retrieve", "--json", "tea", "--embedding", f"@{question}"]
    without, with_numpy = (
        subprocess.run(
            [sys.executable, "-c", f"{begin}{code}", *search], capture_output=True, env=environment
        )
        for begin in ("", "import numpy\n")
    )
    assert (without.stderr, with_numpy.stderr) == (b"", b"numpy\n")
    assert f"Fact {count + 1} of tea." in without.stdout.decode().splitlines()[0]
    assert without.stdout == with_numpy.stdout


def test_a_classic_turn_loads_no_tool_and_no_stage_of_other_flows(
    environment: dict[str, str],
) -> None:
    code = (
        f"{RUN}"
        "sys.stderr.write(' '.join(name for name in sys.modules if name.startswith('thalamus.')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "turn", "I live in Porto."],
        capture_output=True,
        env=environment,
    )
    assert b"Porto" in done.stdout
    loaded = set(done.stderr.decode().split())
    assert {"thalamus.pipeline.answer", "thalamus.pipeline.reflect"} <= loaded
    others = ("act", "gather", "route", "topics", "draft", "search_plan", "crystallize")
    assert not {f"thalamus.pipeline.{name}" for name in others} & loaded
    assert not [name for name in loaded if name.startswith("thalamus.tools.")]


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_every_struct_that_is_decoded_can_be(database: str) -> None:
    """The types of its fields, and of theirs, are there when the program runs, not only for the
    type checker."""
    if database == "postgres":
        pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    sources = "\n".join(path.read_text() for path in MODULES.values())
    decoded = set(re.findall(r"(?:\btype=|\bconvert\([^,\n]+, |Decoder\()(\w+)", sources))
    for name, path in MODULES.items():
        in_postgres = name.startswith("thalamus.store.postgres.")
        if name == "thalamus.__main__" or in_postgres != (database == "postgres"):
            continue
        if "msgspec" not in path.read_text():
            continue
        for item in vars(importlib.import_module(name)).values():
            own = isinstance(item, type) and issubclass(item, Struct) and item.__module__ == name
            if own and (
                name.startswith("thalamus.records.")
                or item.__struct_config__.forbid_unknown_fields
                or item.__name__ in decoded
            ):
                type_info(item)


def test_a_docstring_begins_with_a_noun_or_a_verb() -> None:
    """Its first line names the thing or its action, instead of beginning with a question word."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = []
    for name in MODULES:
        place = name.removeprefix("thalamus.")
        if {place, place.split(".")[0]} & UNCHECKED_PROSE:
            continue
        for node in ast.walk(tree(name)):
            if isinstance(node, documented) and (text := ast.get_docstring(node)):
                first = text.splitlines()[0]
                is_message = place == "errors" and isinstance(node, ast.ClassDef)
                if not is_message and re.match(r"(What|How|Whether|That|Which)\b", first):
                    found.append(f"{name}: {first}")
    assert found == []


def test_prose_is_unchecked_only_where_it_has_to_be() -> None:
    places = {name.removeprefix("thalamus.") for name in MODULES}
    assert places | {place.split(".")[0] for place in places} >= UNCHECKED_PROSE


def test_rows_are_written_in_one_place() -> None:
    """What writes rows of records is wrapped by the layer that signs them: nothing goes past it.
    What is written elsewhere is not a record's, or a signature, or a whole file."""
    allowed = {
        "store.tables": {"{table}"},
        "store.migrations": {"meta", "{table}"},
        "store.owner_migration": {"{table}"},
        "store.sqlite.migrations": {"{table}"},  # a table that is made again
        "store.postgres.words": {"posting", "corpus"},
        "store.schema": {"meta"},  # the migration of its values
        "store.sqlite.backup": {"main.{table}", "space", "meta"},  # restoring a backup
    }
    writes = re.compile(
        r"(?:INSERT (?:OR \w+ )?INTO|\bUPDATE|DELETE FROM) ((?:main\.)?(?:\{table\}|[a-z]+))"
    )
    found: dict[str, set[str]] = {}
    for name, path in MODULES.items():
        if tables := set(writes.findall(path.read_text())):
            found[name.removeprefix("thalamus.")] = tables
    assert found == allowed


def table_names() -> set[str]:
    """The tables of a store."""
    found = re.findall(r"CREATE TABLE (\w+)", "\n".join(statements()))
    assert len(found) > 20
    return set(found)


def test_only_the_store_names_tables() -> None:
    """What is above the seam asks a collection. Below it security reads and writes what it
    encrypts and signs, row by row."""
    tables, found = table_names(), set()
    for name in MODULES:
        for node in ast.walk(tree(name)):
            called = node.func if isinstance(node, ast.Call) else None
            method = getattr(called, "attr", getattr(called, "id", ""))
            if method not in ("select", "each", "insert", "update", "delete", "describe", "Among"):
                continue
            first = node.args[0] if isinstance(node, ast.Call) and node.args else None
            if isinstance(first, ast.Constant) and first.value in tables:
                found.add(unit(name))
    assert found == {"store"}


def test_only_the_store_runs_sql() -> None:
    found = {
        unit(name)
        for name, path in MODULES.items()
        if re.search(r"\.execute(many|script)?\(", path.read_text())
        and name != "thalamus.agents.opencode"  # reads the database of another program
    }
    assert found == {"store"}


def test_no_sql_calls_python() -> None:
    for name, path in MODULES.items():
        assert "create_function" not in path.read_text(), name


def test_the_database_interface_is_narrow() -> None:
    """What another database has to offer."""
    from thalamus.store.base import Store

    assert len(Store.__abstractmethods__) <= 35, sorted(Store.__abstractmethods__)

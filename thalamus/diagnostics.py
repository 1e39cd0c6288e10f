"""Checks of ``doctor``: versions, paths, store, indexes, embeddings, models, configuration.

Checks run one by one as they are requested, so that they can be printed immediately. None of them
raises: errors are reported as checks.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus import config as configuration
from thalamus import files
from thalamus.config import Config
from thalamus.errors import ThalamusError
from thalamus.extras import install_command, installed
from thalamus.models.protocol import ROLES, roles_in_use
from thalamus.policy.window_budget import notes_budget
from thalamus.records.installation import Check, CheckState
from thalamus.security.store_state import finding_line
from thalamus.store import concepts as concept_rows
from thalamus.store import embeddings as embedding_rows
from thalamus.store.base import Store
from thalamus.text.local_time import local_day
from thalamus.version import VERSION

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.engine import Engine, ModelSource
    from thalamus.models.protocol import ChatModel, ChatRequest, Embedder
    from thalamus.store.maintenance import IndexState, ServerState
    from thalamus.turn_run import TurnRun


def check_configuration(home: str = "") -> Iterator[Check]:
    """Checks of the configuration, before a turn runs into its problems.

    ``home``: the folder from a flag, if any. Errors are reported as checks.
    """
    home = home or os.environ.get("THALAMUS_HOME", "")
    files = list(check_files(home))
    yield from files
    readable = configuration.load({"home": home or None}, problems=[])
    yield from check_variables(readable)
    yield from check_prompts(readable)
    try:
        config = configuration.load({"home": home or None})
    except ThalamusError as error:
        if all(check.state == "ok" for check in files):  # otherwise it has already been reported
            yield failed("settings", error)
        return
    yield Check(
        name="settings", state="ok", detail=f"{len(config.origin)} set, others at their defaults"
    )
    yield from check_models(config)
    yield from check_flows(config)
    yield from check_tools(config)
    yield from check_retention(config)


def new_problems(home: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Check]:
    """Problems and warnings of settings, models, flows and tools ``after`` a change that did not
    exist ``before``."""
    earlier = {check.detail for check in _problems(home, before)} if before != after else set()
    return [check for check in _problems(home, after) if check.detail not in earlier]


def _problems(home: str, values: Mapping[str, Any]) -> Iterator[Check]:
    valid: dict[str, Any] = {}
    for name, value in values.items():
        try:
            valid[name] = configuration.read_setting(name, value, configuration.USER_FILE)
        except ThalamusError as error:
            yield failed("settings", error)
    config = Config(**{"home": home, **valid})
    for check in (*check_models(config), *check_flows(config), *check_tools(config)):
        if check.state != "ok":
            yield check


def failed(name: str, error: ThalamusError, state: CheckState = "problem") -> Check:
    """An error as a check."""
    return Check(name=name, state=state, detail=error.message, fix=error.advice)


def check_files(home: str) -> Iterator[Check]:
    """Checks of every setting in the user file and the project file."""
    own = configuration.user_dir(home)
    project = configuration.find_project_file(Path.cwd())
    for path in (own / configuration.USER_FILE, project):
        if path is None or not path.is_file():
            continue
        try:
            values = configuration.read_file(path)
        except ThalamusError as error:
            yield failed("file", error)
            continue
        problems = list(_wrong_settings(values, str(path)))
        yield from problems
        if not problems:
            yield Check(name="file", state="ok", detail=f"{path}: {len(values)} settings")
            if path == project:
                yield from _ignored(path, own)


def check_variables(config: Config) -> Iterator[Check]:
    """Checks for variables that start with THALAMUS_ and are not settings."""
    for name, similar in configuration.unknown_variables(config, os.environ):
        fix = f"Did you mean {similar}?" if similar else ""
        yield Check(name="variable", state="warning", detail=f"{name} is not a setting", fix=fix)


def check_prompts(config: Config) -> Iterator[Check]:
    """Checks of each template in use, and of files in the user's folder that are not templates."""
    from thalamus.policy.prompts import TOKENS
    from thalamus.templates import Templates

    try:
        own = config.own_prompts()
    except ThalamusError as error:
        yield failed("prompt", error)
        return
    templates = Templates(own)
    for name in TOKENS:
        try:
            templates.load(name)
        except ThalamusError as error:
            yield failed("prompt", error)
        else:
            yield Check(name="prompt", state="ok", detail=f"{name}: {templates.path(name)}")
    for path in sorted(own.glob("*")):
        if path.name not in {f"{name}.md" for name in TOKENS}:
            fix = _nearest_name(path.stem, set(TOKENS)) or f"Templates: {', '.join(TOKENS)}."
            yield Check(name="prompt", state="warning", detail=f"{path} is not used", fix=fix)


def check_models(config: Config) -> Iterator[Check]:
    """Checks that model names are valid and local models present. Servers are not contacted."""
    for role in config.models:
        if role not in ROLES:
            fix = f"Roles: {', '.join(ROLES)}."
            yield Check(
                name="model", state="problem", detail=f"models.{role}: unknown role", fix=fix
            )
    for spec, roles in specs(config).items():
        yield _model_check(spec, f"model for {', '.join(roles)}", config)
    yield _model_check(config.embedder, "embedder", config)
    if config.reranker != "none":
        yield _model_check(config.reranker, "reranker", config)


def specs(config: Config) -> dict[str, list[str]]:
    """Names of the chat models with their roles."""
    found: dict[str, list[str]] = {}
    for role in roles_in_use(config):
        found.setdefault(config.model_for(role), []).append(role)
    return found


def check_flows(config: Config) -> Iterator[Check]:
    """Checks that the configured flow and all custom flows are lists of stages."""
    from thalamus.pipeline.flow import FLOWS, STAGES, find_flow
    from thalamus.plugins import Plugins

    names = {*STAGES, *FLOWS}
    plugins = Plugins(logs=False, taken=lambda: names) if config.plugins else None
    for name in dict.fromkeys([config.flow, *config.flows]):
        try:
            stages = find_flow(name, config.flows, plugins).names()
        except ThalamusError as error:
            yield failed("flow", error)
        else:
            yield Check(name="flow", state="ok", detail=f"{name}: {' → '.join(stages)}")


def check_tools(config: Config) -> Iterator[Check]:
    """Checks that MCP servers, skills and lists of tools are valid and name existing things. No
    server is started."""
    from thalamus.plugins import Plugins
    from thalamus.tools.skills import STAGES
    from thalamus.tools.toolbox import Toolbox

    try:
        box = Toolbox(config, Plugins(logs=False) if config.plugins else None)
    except ThalamusError as error:
        yield failed("tools", error)
        return
    yield from _servers(config)
    wrong = [(skill, tool) for skill, tool in box.names_in_skills() if not box.might_have(tool)]
    for skill, tool in wrong:
        fix = _nearest_name(tool, set(box.own)) or "`thalamus tools list` shows what there is."
        detail = f"skills.{skill}: no such tool: {tool}"
        yield Check(name="tools", state="problem", detail=detail, fix=fix)
    if not wrong:
        count = sum(1 for stage in STAGES if box.uses_tools(stage))
        yield Check(name="tools", state="ok", detail=f"{count} stages may use tools")


def _servers(config: Config) -> Iterator[Check]:
    """Requirements of each MCP server: the SDK, its program, the variable with its key."""
    from thalamus.tools.mcp_settings import read_servers

    if config.mcp and not installed("mcp"):
        detail = "the package mcp is not installed: no tools of MCP servers"
        fix = f"Install it with `{install_command('mcp')}`."
        yield Check(name="mcp", state="problem", detail=detail, fix=fix)
    for name, server in read_servers(config.mcp).items():
        lacking = []
        if server.command and shutil.which(server.command[0], path=server.env.get("PATH")) is None:
            lacking.append(f"no program {server.command[0]}")
        if server.key_env and not os.environ.get(server.key_env):
            lacking.append(f"the environment variable {server.key_env} is not set")
        if lacking:
            fix = "Until then its tools are absent."
            detail = f"{name}: {', '.join(lacking)}"
            yield Check(name="mcp", state="warning", detail=detail, fix=fix)
        else:
            where = server.url or " ".join(server.command)
            yield Check(name="mcp", state="ok", detail=f"{name}: {where}")


def check_retention(config: Config) -> Iterator[Check]:
    """Checks of the retention rules, packaged or custom."""
    from thalamus.memory.retention.rules import FILE, load_rules

    try:
        rules = load_rules(config.config_dir)
    except ThalamusError as error:
        yield failed("retention", error)
        return
    own = config.config_dir / FILE
    source = str(own) if own.is_file() else "packaged"
    yield Check(name="retention", state="ok", detail=f"{len(rules)} kinds, {source}")


def _plugin_models(config: Config) -> Mapping[str, Any]:
    """Models of the installed plugins."""
    if not config.plugins:
        return {}
    from thalamus.plugins import Plugins

    return Plugins(logs=False, settings=config.plugin_settings).models()


def _model_check(spec: str, purpose: str, config: Config) -> Check:
    from thalamus.errors import ModelMissing
    from thalamus.models import resolve

    resolvers: dict[str, Callable[[str, Config], object]]
    own = partial(_plugin_models, config)
    chat = partial(resolve.chat_model, plugins=own)
    resolvers = {
        "embedder": partial(resolve.embedder, plugins=own),
        "reranker": resolve.reranker,
    }
    if spec == "auto" and purpose != "reranker":
        return Check(name="model", state="ok", detail=f"{purpose}: auto")
    try:
        resolvers.get(purpose, chat)(spec, config)
    except ModelMissing as error:
        return failed("model", error, "warning")
    except ThalamusError as error:
        return failed("model", error)
    return Check(name="model", state="ok", detail=f"{purpose}: {spec}")


def _ignored(project: Path, own: Path) -> Iterator[Check]:
    try:
        ignored = configuration.read_project_file(project, own)[1]
    except ThalamusError as error:
        yield failed("file", error)
        return
    if ignored is not None:
        yield Check(name="file", state="warning", detail=ignored.message, fix=ignored.advice)


def _wrong_settings(values: dict[str, Any], source: str) -> Iterator[Check]:
    """All errors of a file, where loading stops at the first."""
    for name, value in values.items():
        try:
            configuration.read_setting(name, value, source)
        except ThalamusError as error:
            yield failed("file", error)


def _nearest_name(name: str, known: set[str]) -> str:
    import difflib

    similar = difflib.get_close_matches(name, sorted(known), n=1)
    return f"Did you mean {similar[0]}?" if similar else ""


# the dependencies in pyproject.toml, compared by a test, and packages of its extras
NEEDED = (
    "typer msgspec sqlite-utils usearch numkong tantivy numpy ollama httpx pypdf cryptography"
    " protego python-stdnum ahocorasick_rs pyyaml rich prompt_toolkit wcwidth jinja2 json-repair"
    " simpleeval jsonschema pluggy tokenizers wordllama"
).split()
OPTIONAL = ("xllamacpp", "keyring", "mcp", "psycopg")
PATIENCE = 15.0  # seconds for a model to answer here
LITTLE_SPACE = 1 << 30  # bytes; less free space is a warning
CLOCKS_APART = 2.0  # seconds; more is a warning
NO_SPACE = 50 << 20  # bytes; less free space is a problem


MOST_EXAMINED = 2000  # entries without concepts that are examined
MOST_NAMED = 5  # names listed in one line
MOST_READ = 200  # entries whose language is estimated
OpenStore = Callable[[], "Store | None"]


def examine(run: TurnRun, open_store: OpenStore, *, ask_models: bool = True) -> Iterator[Check]:
    """All checks, in order of dependency. Errors are reported as checks."""
    config = run.engine.config
    yield from versions()
    yield from plugins(config)
    yield from paths(config)
    yield from tenant_places(config)
    yield from _safely("store", lambda: store(run, open_store))
    if ask_models:
        yield from chat_models(config)
        yield from _safely("embedder", lambda: embedder(config, run.engine.models))
        yield from reranker(config)
    yield from (check for check in check_configuration(config.home) if check.state != "ok")


def versions() -> Iterator[Check]:
    """Versions of Thalamus, Python, SQLite and the dependencies."""
    import sqlite3

    yield Check(name="thalamus", state="ok", detail=VERSION)
    yield Check(
        name="python", state="ok", detail=f"{platform.python_version()} {platform.machine()}"
    )
    yield Check(name="sqlite", state="ok", detail=sqlite3.sqlite_version)
    found, missing = [], []
    for name in (*NEEDED, *OPTIONAL):
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            missing.append(name)
    yield Check(name="packages", state="ok", detail=", ".join(found))
    lacking = [name for name in missing if name in NEEDED]
    if lacking:
        fix = "Reinstall Thalamus."
        detail = f"missing: {', '.join(lacking)}"
        yield Check(name="packages", state="problem", detail=detail, fix=fix)
    if "xllamacpp" in missing:
        fix = f"To run models in this process: `{install_command('local')}`."
        yield Check(name="packages", state="ok", detail="xllamacpp is not installed", fix=fix)


def plugins(config: Config) -> Iterator[Check]:
    """The installed plugins, with those that cannot be loaded."""
    from thalamus.pipeline.flow import FLOWS, STAGES
    from thalamus.plugins import Plugins, installed

    if not config.plugins:
        yield Check(name="plugins", state="ok", detail="disabled")
        return
    if not installed():
        return
    found = Plugins(logs=False, taken=lambda: {*STAGES, *FLOWS})
    yield Check(name="plugins", state="ok", detail=", ".join(found.names()) or "none")
    found.stages()
    for problem in found.problems():
        yield Check(name="plugins", state="warning", detail=problem.message, fix=problem.fix)


def paths(config: Config) -> Iterator[Check]:
    """Checks that the directories are writable, and of the free disk space."""
    folders = {"config": config.config_dir, "data": config.store_dir, "cache": config.cache_dir}
    if config.store:  # on a server
        del folders["data"]
    for name, folder in folders.items():
        parent = _existing_parent(folder)
        writable = os.access(parent, os.W_OK)
        state: CheckState = "ok" if writable or name == "config" else "problem"
        detail = f"{folder}{'' if writable else ' is not writable'}"
        fix = "" if writable else f"Fix the permissions of {parent}, or set THALAMUS_HOME."
        yield Check(name=f"path {name}", state=state, detail=detail, fix=fix)
    if config.store:
        return
    free = shutil.disk_usage(_existing_parent(config.store_dir)).free
    state = "problem" if free < NO_SPACE else "warning" if free < LITTLE_SPACE else "ok"
    fix = "Free disk space: without it, nothing can be stored." if state != "ok" else ""
    yield Check(name="disk", state=state, detail=f"{free / 1e9:.1f} GB free", fix=fix)


def store(run: TurnRun, open_store: OpenStore) -> Iterator[Check]:
    """Checks of the tables, the ledger's chain, the signatures and the search indexes."""
    opened = open_store()
    if opened is None:
        yield Check(name="store", state="ok", detail=f"none yet at {run.engine.config.store_place}")
        return
    where = f"{opened.place}, schema version {opened.schema_version()}"
    yield Check(name="store", state="ok", detail=where)
    if (state := opened.server()) is not None:
        yield from server(state, run.engine.clock)
    counts = opened.counts()
    rows = ", ".join(f"{count} {table}" for table, count in counts.items())
    yield Check(name="rows", state="ok", detail=rows)
    yield integrity(opened, counts["event"])
    yield signatures(opened, run.engine.config)
    yield from encrypted(opened)
    yield from plain(opened, run.engine.config)
    if opened.unfinished():
        detail = "a forget was interrupted: deleted text may be left in files of the store"
        fix = "Run `thalamus forget --finish`."
        yield Check(name="forgetting", state="problem", detail=detail, fix=fix)
    yield from map(_index, opened.index_states())
    yield from embeddings(run.engine)
    yield from languages(run.engine)
    yield concepts(opened)
    yield from batches(run)
    yield from unfinished(run)
    yield from memories(opened)
    yield from names(opened)


def names(opened: Store) -> Iterator[Check]:
    """Names that are stored in another Unicode form than they are written in."""
    from thalamus.memory.join_names import other_spellings

    for kind, found in other_spellings(opened).items():
        more = f" (and {len(found) - MOST_NAMED} more)" if len(found) > MOST_NAMED else ""
        detail = f"{kind} in several Unicode forms: {', '.join(found[:MOST_NAMED])}{more}"
        fix = f"`thalamus store join {kind} {shlex.quote(found[0])}` joins the forms of a name."
        yield Check(name="names", state="warning", detail=detail, fix=fix)


def tenant_places(config: Config) -> Iterator[Check]:
    """Folders and files of the tenant that are not used, because there are others under the normal
    form of its name."""
    for place in config.tenant_places:
        for other in files.other_spellings(place):
            detail = f"{other} is of the same tenant as {place}, and is not used"
            fix = (
                "`thalamus export` and `import` join two tenants: move both folders to a home of"
                " their own (THALAMUS_HOME) to export them."
            )
            yield Check(name="names", state="warning", detail=detail, fix=fix)


def server(found: ServerState, clock: Clock) -> Iterator[Check]:
    """The version of the database server, how far its clock is from that of this machine, and
    changes of the tables."""
    yield Check(name="server", state="ok", detail=found.name)
    if found.changes:
        more = f" (and {len(found.changes) - 1} more)" if len(found.changes) > 1 else ""
        fix = (
            "The owner of the database recreates indexes, views and row level security with"
            " `thalamus store init URL`, and undoes other changes."
        )
        detail = finding_line(found.changes[0]) + more
        yield Check(name="tables", state="problem", detail=detail, fix=fix)
    behind = (found.now - clock.now()).total_seconds()
    if not clock.fixed and abs(behind) > CLOCKS_APART:
        order = "behind" if behind > 0 else "ahead of"
        detail = f"the clock of this machine is {abs(behind):.0f} s {order} that of the server"
        fix = "Synchronize both, for example with NTP, or `today` differs between them."
        yield Check(name="clock", state="warning", detail=detail, fix=fix)


def integrity(opened: Store, entries: int) -> Check:
    """Result of the store's check of its tables and of the chain of its ledger ``entries``."""
    if problems := opened.check():
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        fix = "Restore a backup with `thalamus store restore BACKUP`."
        return Check(name="integrity", state="problem", detail=problems[0] + more, fix=fix)
    detail = f"tables intact, {entries} ledger entries in an unbroken chain"
    return Check(name="integrity", state="ok", detail=detail)


def concepts(opened: Store) -> Check:
    """Number of entries that lack their concepts, among the newest without any."""
    from thalamus.memory.concepts.derivation import missing, rebuild_position

    lacking, looked_at = missing(opened, MOST_EXAMINED)
    if lacking:
        least = "at least " if looked_at == MOST_EXAMINED else ""
        detail = f"{least}{lacking} entries lack their concepts"
        if rebuild_position(opened):
            detail += "; a run that computed them was interrupted"
        fix = "`thalamus store reindex --concepts` computes them."
        return Check(name="concepts", state="warning", detail=detail, fix=fix)
    detail = f"{concept_rows.count(opened)} concepts, no entry lacks its own"
    return Check(name="concepts", state="ok", detail=detail)


def signatures(opened: Store, config: Config) -> Check:
    """Result of `thalamus doctor --signatures` in brief."""
    from thalamus.errors import BadKey, NotSigned
    from thalamus.security.keys import StoreKeys

    try:
        with opened.verification(StoreKeys(config)) as verified:
            found = [finding_line(finding) for finding in verified.findings()]
    except (BadKey, NotSigned) as error:
        return failed("signatures", error, "warning")
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        fix = "`thalamus doctor --signatures` lists them all."
        return Check(name="signatures", state="problem", detail=found[0] + more, fix=fix)
    return Check(name="signatures", state="ok", detail=verified.summary)


def encrypted(opened: Store) -> Iterator[Check]:
    """Number of encrypted rows, and of those that cannot be decrypted."""
    count, closed = opened.count_encrypted()
    if closed:
        detail = f"the key of {closed} of {count} encrypted rows is missing"
        fix = (
            "They are not recalled: it was destroyed, or is in the key file of another machine."
            " `thalamus key show` shows where it belongs."
        )
        yield Check(name="encryption", state="warning", detail=detail, fix=fix)
    elif count:
        yield Check(name="encryption", state="ok", detail=f"{count} encrypted rows, all readable")


def plain(opened: Store, config: Config) -> Iterator[Check]:
    """Number of rows in plain text that are personal, or that something personal was made of."""
    from thalamus.memory.plain_sources import unencrypted

    if config.key_store == "none" or not config.encrypt_personal:
        return
    if count := len(unencrypted(opened)):
        rows = "1 row is" if count == 1 else f"{count:,} rows are"
        detail = f"{rows} stored as plain text though personal, or the source of something personal"
        fix = "`thalamus key encrypt` encrypts them and erases the plain words from the files."
        yield Check(name="encryption", state="warning", detail=detail, fix=fix)


def embeddings(engine: Engine) -> Iterator[Check]:
    """Embeddings of each model, and those missing for the configured one."""
    from thalamus.memory.embeddings import count_missing

    opened = engine.store
    for space in embedding_rows.spaces(opened):
        detail = f"{space.count} by {space.model}, {space.dimension} dimensions"
        yield Check(name="embeddings", state="ok", detail=detail)
    try:
        chosen = engine.models.embedder()
    except ThalamusError as error:
        yield failed("embeddings", error)
        return
    if chosen is None:
        yield Check(name="embeddings", state="ok", detail="disabled: full text only")
        return
    lacking = count_missing(engine)[1]
    if lacking:
        many = "1 entry has" if lacking == 1 else f"{lacking} entries have"
        detail = f"{many} no embedding of {chosen.name}; full text is searched"
        fix = "Run `thalamus store reindex --embed`."
        yield Check(name="embeddings", state="warning", detail=detail, fix=fix)


def languages(engine: Engine) -> Iterator[Check]:
    """Advice to get an embedder for other languages, if most entries are in one."""
    from thalamus.policy.english import share_in_english
    from thalamus.store.values import Filter

    try:
        chosen = engine.models.embedder()
    except ThalamusError:
        return  # reported by ``embeddings``
    if chosen is None or not chosen.name.startswith(("static:", "wordllama:")):
        return
    newest = engine.store.entries(Filter(), MOST_READ)
    if share_in_english([entry.text for entry in newest]) < 0.5:
        detail = f"most of the newest {len(newest)} entries are not in English"
        fix = "An embedder that finds more of them (72 MB): `thalamus models pull multilingual`."
        yield Check(name="languages", state="ok", detail=detail, fix=fix)


def batches(run: TurnRun) -> Iterator[Check]:
    """Batches that can be undone, and those that the next prune deletes."""
    from thalamus.memory.undo.undo import batches as undoable_batches

    found = undoable_batches(run.engine.store, run.engine.config.undo_days, undoable=True)
    if not found:
        return
    now = run.engine.clock.stamp()
    over = [batch for batch in found if (batch.until or now) < now]
    last = local_day(found[0].at, run.zone)
    detail = f"{len(found)} can be undone, the last of {last} ({found[0].action})"
    if over:
        detail += f"; {len(over)} expired, to be deleted by the next `thalamus prune`"
    yield Check(name="batches", state="ok", detail=detail)


def memories(opened: Store) -> Iterator[Check]:
    """Memories that an earlier version made by rules."""
    from thalamus.memory.unfounded import unfounded

    count = sum(map(len, unfounded(opened).values()))
    if count:
        many = "1 memory was" if count == 1 else f"{count} memories were"
        detail = f"{many} made by rules of an earlier version"
        fix = "`thalamus reflect --again` replaces them; `thalamus undo` takes that back."
        yield Check(name="memories", state="warning", detail=detail, fix=fix)


def unfinished(run: TurnRun) -> Iterator[Check]:
    """Turns that were answered but not reflected on."""
    from thalamus.memory.jobs import unfinished_jobs
    from thalamus.store.jobs import FINISH

    found = unfinished_jobs(run.engine.store, FINISH, run.engine.clock.stamp())
    failed = sum(job.state == "failed" for job in found)
    fix = "`thalamus reflect --pending` finishes now, else the next `turn`, `chat` or `prune`."
    if failed:
        many = "1 turn" if failed == 1 else f"{failed} turns"
        detail = f"{many} failed too often to be retried automatically"
        fix = "`thalamus reflect --pending --retry` retries them."
        yield Check(name="reflection", state="warning", detail=detail, fix=fix)
    elif found:
        many = "1 turn" if len(found) == 1 else f"{len(found)} turns"
        detail = f"{many} pending since {local_day(found[0].created_at, run.zone)}"
        yield Check(name="reflection", state="ok", detail=detail, fix=fix)


def chat_models(config: Config) -> Iterator[Check]:
    """Checks that each role's model replies. A cassette is not called."""
    from thalamus.models import resolve

    patient = _with_short_timeout(config)
    for spec, roles in specs(config).items():
        name = f"model {', '.join(roles)}"
        if config.cassette or spec.startswith("cassette:"):
            yield _cassette(name, config.cassette or spec.partition(":")[2])
            continue
        try:
            chat = resolve.chat_model(spec, patient, partial(_plugin_models, config))
            reply = chat.chat(_test_request(roles[0]))
        except ThalamusError as error:
            # no model was chosen: memory works without one, and the advice has the next step
            yield failed(name, error, "warning" if spec == "auto" else "problem")
        except Exception as error:
            detail = f"{spec}: {type(error).__name__}: {error}"
            yield Check(name=name, state="problem", detail=detail)
        else:
            yield Check(name=name, state="ok", detail=f"{reply.model} answers")
            yield window(f"window {', '.join(roles)}", chat, config)
            if "verify" in roles:
                yield from yes_or_no(chat)


def yes_or_no(chat: ChatModel) -> Iterator[Check]:
    """Warns of a small model whose server sends no probabilities."""
    from thalamus.models.protocol import MayGiveWords, Sized, YesNo

    capable = isinstance(chat, Sized) and chat.small() is False
    if capable or not (isinstance(chat, YesNo) and isinstance(chat, MayGiveWords)):
        return
    try:
        chat.yes(_test_request("verify"))
    except ThalamusError as error:
        yield failed("yes or no", error, "warning")
        return
    if chat.gives_words():
        detail = (
            f"the server of {chat.name} sends no probabilities: no note is kept from a question"
        )
        fix = "Use a server that sends `logprobs`, such as Ollama from 0.12.11 on, or llama.cpp."
        yield Check(name="yes or no", state="warning", detail=detail, fix=fix)


def window(name: str, chat: ChatModel, config: Config) -> Check:
    """The context window of a model, how fast it reads, and the tokens for notes."""
    from thalamus.models.protocol import Capacity, Limited

    fixed = config.deterministic or bool(os.environ.get("THALAMUS_NOW"))
    found = Capacity(chat.context(), "")
    if isinstance(chat, Limited):
        found = chat.capacity()
    chosen = None if config.token_budget == configuration.AUTO else config.token_budget
    left = found.window - min(config.max_answer_tokens, found.window // 2)
    notes = notes_budget(found.window, left, chosen, None if fixed else found.reads)
    detail = f"{found.window:,} tokens" + (f" ({found.why})" if found.why else "")
    if found.speed is not None:
        many = "1 prompt" if found.readings == 1 else f"{found.readings} prompts"
        detail += f"; reads {found.speed:,.0f} tokens a second (median of {many})"
    else:
        detail += "; how fast it reads is not known"
    return Check(name=name, state="ok", detail=f"{detail}; notes: {notes:,} tokens at most")


def embedder(config: Config, models: ModelSource) -> Iterator[Check]:
    """Checks that the embedder returns a vector."""
    from thalamus.errors import NoStore, StoreUnreachable, UnsafeRole, UnsafeTables
    from thalamus.models import resolve

    if config.cassette or config.embedder.startswith("cassette:"):
        yield _cassette("embedder", config.cassette or config.embedder.partition(":")[2])
        return
    try:
        spec = config.embedder
        if spec == "auto":
            found = models.embedder()
            spec = found.name if found else "none"
        chosen: Embedder | None = resolve.embedder(
            spec, _with_short_timeout(config), plugins=partial(_plugin_models, config)
        )
        if chosen is None:
            yield Check(name="embedder", state="ok", detail="none: full text only")
            return
        size = len(chosen.embed(["word"], "query")[0]) // 4
    except (NoStore, StoreUnreachable, UnsafeRole, UnsafeTables):
        return  # reported by ``store``
    except ThalamusError as error:
        yield failed("embedder", error)
    except Exception as error:
        detail = f"{config.embedder}: {type(error).__name__}: {error}"
        yield Check(name="embedder", state="problem", detail=detail)
    else:
        yield Check(name="embedder", state="ok", detail=f"{chosen.name}, {size} dimensions")


def reranker(config: Config) -> Iterator[Check]:
    """Checks that the reranker, if any, returns a score."""
    from thalamus.models import resolve

    if config.reranker == "none":
        return
    if config.cassette or config.reranker.startswith("cassette:"):
        yield _cassette("reranker", config.cassette or config.reranker.partition(":")[2])
        return
    try:
        chosen = resolve.reranker(config.reranker, _with_short_timeout(config))
        if chosen is not None:
            score = chosen.score("Who says hello?", ["Ana says hello."])[0]
            yield Check(name="reranker", state="ok", detail=f"{chosen.name} gives {score:.2f}")
    except ThalamusError as error:
        yield failed("reranker", error)
    except Exception as error:
        detail = f"{config.reranker}: {type(error).__name__}: {error}"
        yield Check(name="reranker", state="problem", detail=detail)


def _safely(name: str, checks: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    """The checks up to the first exception, and that exception as a check."""
    try:
        yield from checks()
    except ThalamusError as error:
        yield failed(name, error)
    except Exception as error:
        detail = f"{type(error).__name__}: {error}"
        fix = "If it persists, restore a backup with `thalamus store restore BACKUP`."
        yield Check(name=name, state="problem", detail=detail, fix=fix)


def _index(state: IndexState) -> Check:
    """State of an index: its health, its number of entries, and how many are missing.

    The number is not compared with that of rows: not every row is indexed, and an index may still
    have an entry that was just deleted.
    """
    name = f"index {state.name}" + (f" {state.extra['model']}" if "model" in state.extra else "")
    detail = "1 entry" if state.entries == 1 else f"{state.entries:,} entries"
    if not state.healthy:
        return Check(
            name=name,
            state="problem",
            detail=f"{detail}; {state.note or 'damaged'}",
            fix="Run `thalamus store reindex`; nothing is lost.",
        )
    if state.behind:
        them = "it" if state.behind == 1 else "them"
        detail += f", {state.behind:,} not in it yet (searches read {them} from the store)"
    else:
        detail += ", up to date"
    if hnsw := state.extra.get("hnsw"):
        what = f"HNSW index over {hnsw['rows']:,}" if hnsw["kept"] else "HNSW index not kept"
        detail += f"; {what}, recall@10 {hnsw['recall']:.3f}"
    if state.note:
        detail += f"; {state.note}"
    return Check(name=name, state="ok", detail=detail)


def _cassette(name: str, file: str) -> Check:
    if Path(file).expanduser().is_file():
        return Check(name=name, state="ok", detail=f"recorded in {file}")
    fix = "Record it with THALAMUS_CASSETTE_MODE=record."
    return Check(name=name, state="warning", detail=f"no recording at {file}", fix=fix)


def _with_short_timeout(config: Config) -> Config:
    from thalamus.config import SETTINGS, Config

    values = {name: getattr(config, name) for name in SETTINGS}
    values["model_timeout"] = min(config.model_timeout or PATIENCE, PATIENCE)
    return Config(**values)


def _test_request(role: str) -> ChatRequest:
    from typing import cast

    from thalamus.models.protocol import ChatRequest, Message, Role

    return ChatRequest(role=cast(Role, role), messages=[Message("user", "Say yes.")], max_tokens=1)


def _existing_parent(folder: Path) -> Path:
    """The folder, or its nearest existing parent."""
    while not folder.exists():
        folder = folder.parent
    return folder

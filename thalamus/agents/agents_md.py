"""A section of AGENTS.md or CLAUDE.md, the files that coding agents read by themselves: what the
user said of a project, rewritten between two marks. The rest of the file stays as it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.agents.context import is_about_work
from thalamus.agents.install import Change
from thalamus.errors import NothingFound, UsageError
from thalamus.memory.user import projects
from thalamus.memory.user.checkout import checkout_of
from thalamus.policy.injection import suspicious
from thalamus.policy.retention import SUMMARIES
from thalamus.policy.sensitivity import personal
from thalamus.policy.speakers import said_by_agent
from thalamus.records import IMPORTANCES, Fact, Memory
from thalamus.records.kinds import own_text
from thalamus.store import facts as fact_rows
from thalamus.store import memories as memory_rows
from thalamus.store.encrypted import is_hidden
from thalamus.store.values import Filter
from thalamus.text.local_time import local_day
from thalamus.transfer.exported_files import remember_file

if TYPE_CHECKING:
    from thalamus.records import Project
    from thalamus.turn_run import TurnRun

FORMAT = "agents-md"
NAMES = ("AGENTS.md", "CLAUDE.md")  # the first that is there gets the section, or else the first
BEGIN = "<!-- thalamus:begin (written by `thalamus export --agents-md`; changes here are lost) -->"
END = "<!-- thalamus:end -->"
_BEGINS = "<!-- thalamus:begin"
MOST = 4_000  # characters of the section: it is in every prompt of the agent
LONGEST = 300  # characters of a statement
LINE_ENDS = "\r\n"


class AgentsFile(Change, frozen=True):
    """The change of a file that writes its section; ``holds``: the ids of what is in it."""

    holds: tuple[str, ...] = ()


def agents_file(target: str, run: TurnRun) -> AgentsFile:
    """The file with the section on the current project. ``target``: the file, or ``-`` for the one
    in the repository of the working directory.

    Raises ``NothingFound`` without a current project, ``UsageError`` for a file that cannot be read
    or has only one of the marks.
    """
    project = projects.current(run)
    if project is None:
        fix = "Name it with --project, or `thalamus project add NAME --repo .` adds it."
        raise NothingFound("a project of this directory", fix=fix)
    if target == "-" and not _is_here(project, run):
        raise UsageError(
            f"The working directory is not of the project {project.name!r}.", fix="Give FILE."
        )
    path = Path(target) if target != "-" else _file_here()
    before = _text(path)
    lines, holds, room = [], [], MOST - len(_section([]))
    for id, line in _confirmed(project, run):
        if len(line) < room:
            room -= len(line) + 1
            lines.append(line)
            holds.append(id)
    after = _with_section(before, lines, path)
    return AgentsFile(path, before, after, holds=tuple(holds))


def write(found: AgentsFile, run: TurnRun) -> None:
    """Writes the file, and notes what is in it, so that `forget` names it. Raises ``OSError``."""
    found.apply()
    engine = run.engine
    with engine.store.writing() as writer:
        count, at = len(found.holds), engine.clock.stamp()
        remember_file(found.path, FORMAT, count, found.holds, at, writer, engine)


def _file_here() -> Path:
    checkout = checkout_of(Path.cwd())
    folder = Path(checkout.root) if checkout is not None else Path.cwd()
    found = (folder / name for name in NAMES)
    return next((path for path in found if path.exists()), folder / NAMES[0])


def _is_here(project: Project, run: TurnRun) -> bool:
    """True in the directory of a project, and for a project without one."""
    found = projects.here(run.engine.store, run.engine.config.user or None)
    return not project.repo_url or (found is not None and found.id == project.id)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Cannot read {path}: {error}") from None


def _confirmed(project: Project, run: TurnRun) -> Iterator[tuple[str, str]]:
    """Ids and lines of the memories and facts of a project that are the user's own words and hold
    at present, the most important and newest first; nothing personal, and nothing that gives
    orders."""
    store, zone, config = run.engine.store, run.zone, run.engine.config
    about = projects.linked(store, project)
    where = Filter(
        kinds=("memory", "fact"),
        ids=tuple(about),
        user=config.user or None,
        agent=config.agent or None,
        now=run.engine.clock.stamp(),
    )
    holds = {entry.id for entry in store.entries(where, len(about))} if about else set()
    memories = [
        memory
        for memory in memory_rows.active(store, holds)
        if not (memory.stale or memory.is_document or memory.type in SUMMARIES)
    ]
    said = {memory.provenance.turn for memory in memories if memory.provenance is not None}
    facts = [
        fact
        for fact in fact_rows.current(store, holds)
        if fact.valid_to is None and not (fact.provenance and fact.provenance.turn in said)
    ]
    found: list[Memory | Fact] = [*memories, *facts]
    found.sort(key=lambda one: (one.created_at or "", one.stored_id), reverse=True)
    found.sort(key=_importance)
    seen = set()
    for one in found:
        text = " ".join(own_text(one).split())
        private = one.sensitivity == "personal" or not is_about_work(one) or personal(text)
        unfit = is_hidden(one) or private or said_by_agent(one) or suspicious(text)
        if unfit or len(text) > LONGEST or text in seen:
            continue
        seen.add(text)
        yield one.stored_id, f"- {text.replace('-->', '→')} ({local_day(one.created_at, zone)})"


def _importance(one: Memory | Fact) -> int:
    return -IMPORTANCES.index(one.importance) if isinstance(one, Memory) else 0


def _with_section(text: str, lines: list[str], path: Path) -> str:
    """The text of a file with the section in place of the former one, or at its end; without one if
    there is nothing to say."""
    head, begin, rest = text.partition(_BEGINS)
    _, end, tail = rest.partition(END)
    line_end = "\r\n" if "\r\n" in text else "\n"
    if bool(begin) != bool(end) or (not begin and END in text):
        raise UsageError(
            f"{path} has only one of the marks of the section.",
            fix=f"Take it out, or put {END} where the section ends.",
        )
    if not begin:
        head = f"{text.rstrip()}{line_end * 2}" if text.strip() else ""
    if not lines:
        without = f"{head.rstrip()}{line_end}{tail.lstrip(LINE_ENDS)}".lstrip(LINE_ENDS)
        return without if begin else text
    section = _section(lines).replace("\n", line_end)
    return f"{head}{section}{tail or line_end}"


def _section(lines: list[str]) -> str:
    return "\n".join(
        [
            BEGIN,
            "## What was agreed with the user",
            "",
            "As remembered from earlier sessions; what the user says now goes before it.",
            "",
            *lines,
            END,
        ]
    )

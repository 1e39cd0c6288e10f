"""Projects: added by hand or introduced in a message, found by name, linked with related
records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from thalamus.clock import days_later
from thalamus.errors import NothingFound, UsageError
from thalamus.memory.embeddings import embed_alone
from thalamus.names import too_long
from thalamus.policy import projects as rules
from thalamus.policy.entities import USER, key_of
from thalamus.policy.projects import WORKS_ON
from thalamus.policy.sensitivity import personal
from thalamus.records import Event, Fact, Link, Memory, Project, Provenance, Turn
from thalamus.store import links
from thalamus.store import records as record_rows
from thalamus.store.encrypted import is_hidden
from thalamus.store.values import Filter, Vector
from thalamus.text.analyzer import fold
from thalamus.text.tokens import query_words

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.policy.predicates import Registry
    from thalamus.policy.retention import Rule
    from thalamus.records import ProjectStatus, Record
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer
    from thalamus.turn_run import TurnRun

NAMING = 200  # memories searched for the name of a new project


def projects(
    reader: Reader, user: str | None, status: ProjectStatus | None = None
) -> list[Project]:
    """Projects of a user and shared ones, oldest first; of one ``status`` or of all. Unreadable
    ones are left out."""
    if status is None:
        found = list(reader.each(Project))
    else:
        found = record_rows.with_status(reader, Project, status)
    return [one for one in found if one.user in (None, user) and not is_hidden(one)]


def current_projects(reader: Reader, user: str | None, now: str, rule: Rule) -> list[Project]:
    """A user's own projects; an active one that a message introduced counts as paused when
    nothing was said about it for as long as the ``rule`` keeps memories of projects."""
    own = [one for one in projects(reader, user) if one.user == user]
    if rule.keep == "forever":
        return own
    since = days_later(now, -rule.days)
    return [
        structs.replace(one, status="paused") if _is_idle(one, since, reader) else one
        for one in own
    ]


def _is_idle(project: Project, since: str, reader: Reader) -> bool:
    """True for an active project that a message introduced before a moment, and about which
    nothing was said from then on."""
    introduced = project.provenance is not None and project.status == "active"
    if not introduced or (project.created_at or "") >= since:
        return False
    about = linked(reader, project)
    said = [fact.created_at or "" for fact in reader.by_ids(Fact, about)]
    for memory in reader.by_ids(Memory, about):
        said += [memory.created_at or "", memory.seen_at or ""]
    return max(said, default="") < since


def find_project(reader: Reader, typed: str, user: str | None) -> Project:
    """The project with this name, in any case, or this id or id prefix. Raises ``NothingFound``
    with similar names, ``UsageError`` when it is ambiguous."""
    stored = projects(reader, user)
    found = rules.find_projects(stored, typed)
    if not found:
        names = ", ".join(rules.similar_names(stored, typed))
        fix = f"The nearest: {names}." if names else "`thalamus project add NAME` adds one."
        raise NothingFound(f"the project {typed!r}", fix=fix)
    first, *others = _own(found, user)
    if others:
        ids = ", ".join(project.stored_id for project in (first, *others))
        raise UsageError(f"Ambiguous project {typed!r}: {ids}.", fix="Give one of these ids.")
    return first


def named_project(reader: Reader, name: str | None, user: str | None) -> Project | None:
    """The project with exactly this name, in any case, or this id; None when there is none."""
    found = rules.with_name(projects(reader, user), name) if name else []
    return next(iter(_own(found, user)), None)


def _own(found: list[Project], user: str | None) -> list[Project]:
    """The user's own projects among these; shared ones only where there are no own ones."""
    return [project for project in found if project.user == user] or found


# -- changing --------------------------------------------------------------------------------------


def add(project: Project, run: TurnRun) -> Project:
    """Adds a project, linked with the memories that mention it. Raises ``UsageError`` when the name
    exists."""
    store = run.engine.create_store()
    project = _complete(project, run.engine)
    vector = embed_alone([project], run)[0]
    naming = _naming(project, run.engine)
    with store.writing() as writer:
        _check_name(project, writer)
        _write(project, vector, writer)
        for id in naming:
            writer.add(_about(id, project))
    return project


def set_status(project: Project, status: ProjectStatus, engine: Engine) -> Project:
    """Closes, pauses or resumes a project."""
    store = engine.store
    if project.status == status:
        return project
    closed_at = engine.clock.stamp() if status == "closed" else None
    with store.writing() as writer:
        writer.change(Project, project.stored_id, status=status, closed_at=closed_at)
        data = {"project": project.id, "status": status}
        writer.add_event(Event(name="project_changed", at=writer.now, data=data))
    return structs.replace(project, status=status, closed_at=closed_at)


def link(project: Project, ids: Sequence[str], engine: Engine) -> None:
    """Links records with a project by hand. Raises ``UsageError`` for the project itself."""
    store = engine.store
    if project.id in ids:
        raise UsageError(f"{project.id} is the project itself.")
    with store.writing() as writer:
        new = [id for id in ids if writer.add(_about(id, project))]
        if new:
            data = {"project": project.id, "linked": new}
            writer.add_event(Event(name="project_linked", at=writer.now, data=data))


def unlink(project: Project, ids: Sequence[str], engine: Engine) -> None:
    """Removes such links. Raises ``UsageError`` for an id that is not linked."""
    store = engine.store
    with store.writing() as writer:
        for id in ids:
            if not links.delete(writer, id, "about", project.stored_id):
                raise UsageError(f"{id} is not linked with the project {project.name!r}.")
        data = {"project": project.id, "unlinked": list(ids)}
        writer.add_event(Event(name="project_linked", at=writer.now, data=data))


def linked(reader: Reader, project: Project) -> list[str]:
    """Ids of the records linked with a project, sorted."""
    return sorted(links.sources(reader, project.stored_id, "about"))


def _check_name(project: Project, reader: Reader) -> None:
    if problem := too_long(project.name):
        raise UsageError(f"NAME {problem}.")
    own = [one for one in projects(reader, project.user) if one.user == project.user]
    for other in own:
        if fold(other.name) == fold(project.name):
            fix = f"`thalamus project show {other.id}` shows it."
            if other.status != "active":
                fix = (
                    f"It is {other.status}: `thalamus project reopen {other.id}` takes it up again."
                )
            raise UsageError(f"There is already a project {other.name!r}.", fix=fix)


def _complete(project: Project, engine: Engine) -> Project:
    """The project with its id, owner and times; marked personal if it contains something
    personal."""
    now = engine.clock.stamp()
    text = f"{project.name}\n{project.description or ''}\n{project.repo_url or ''}"
    private = project.sensitivity == "personal" or personal(text) is not None
    created_at = project.created_at or now
    user = project.user or engine.config.user or None
    return structs.replace(
        project,
        id=project.id or engine.clock.new_id("prj", user, created_at, project.name),
        created_at=created_at,
        recorded_at=now,
        user=user,
        agent=project.agent or engine.config.agent or None,
        sensitivity="personal" if private else "normal",
    )


def _write(project: Project, vector: Vector | None, writer: Writer) -> None:
    writer.add(project, vector)
    source = project.provenance
    if source is not None and source.turn:
        writer.add(Link(source=project.stored_id, relation="derived_from", target=source.turn))
    data = {"project": project.id}
    writer.add_event(Event(name="project_added", at=writer.now, data=data))


def _about(id: str, project: Project) -> Link:
    return Link(source=id, relation="about", target=project.stored_id)


# -- mentions of a project -------------------------------------------------------------------------


def _naming(project: Project, engine: Engine) -> list[str]:
    """Ids of stored memories that mention a project, except those of documents."""
    where = Filter(kinds=("memory",), user=project.user, now=engine.clock.stamp())
    hits = engine.store.search_text(query_words(project.name), where, NAMING)
    entries = [hit.entry for hit in hits if hit.entry.record == "memory"]
    return [one.id for one in entries if rules.is_named(project.name, one.text, one.topic)]


def link_named(records: Iterable[Record], writer: Writer) -> None:
    """Links just stored memories and facts with the active projects of their owner that they
    mention."""
    stored = [record for record in records if isinstance(record, (Memory, Fact)) and record.id]
    if not stored:
        return
    found = record_rows.with_status(writer, Project, "active")
    active = [one for one in found if not is_hidden(one)]
    for record in stored:
        text, topic = _recalled_text(record)
        for project in active:
            own = project.user in (None, record.user)
            if own and rules.is_named(project.name, text, topic):
                writer.add(_about(record.stored_id, project))


def _recalled_text(record: Memory | Fact) -> tuple[str, str | None]:
    """Content of a record, and its topic; empty for records that are not recalled, or of a
    document."""
    if isinstance(record, Fact):
        return f"{record.subject}\n{record.object}", None
    if record.is_document or record.status != "active":
        return "", None
    return record.content, record.topic


class Introduced(Struct, frozen=True):
    """A project introduced in a turn, with its embedding."""

    project: Project
    vector: Vector | None


def introduced(turn: Turn, run: TurnRun, predicates: Callable[[], Registry]) -> Introduced | None:
    """The new project that the user works on, according to a fact in the turn's reflection; None
    when there is none, or it is known."""
    fact = _naming_fact(turn, predicates)
    if fact is None or rules.find_projects(projects(run.engine.store, turn.user), fact.object):
        return None
    quote = fact.provenance.quote if fact.provenance is not None else None
    project = Project(
        name=fact.object,
        created_at=turn.created_at,
        session=turn.session,
        user=turn.user,
        agent=turn.agent,
        provenance=Provenance(turn=turn.id, quote=fact.quote or quote),
    )
    project = _complete(project, run.engine)
    return Introduced(project, embed_alone([project], run)[0])


def _naming_fact(turn: Turn, predicates: Callable[[], Registry]) -> Fact | None:
    """First fact of a turn's reflection that names the user's current project."""
    for fact in turn.reflection.facts if turn.reflection is not None else ():
        if key_of(fact.subject) != USER or predicates().name(fact.predicate) != WORKS_ON:
            continue
        if fact.valid_to is None and rules.is_name(fact.object, turn.message):
            return fact
    return None


def add_introduced(found: Introduced, writer: Writer) -> None:
    """Adds a project that a turn introduced, unless another process already did."""
    if not rules.find_projects(projects(writer, found.project.user), found.project.name):
        _write(found.project, found.vector, writer)

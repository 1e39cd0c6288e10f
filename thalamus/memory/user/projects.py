"""Projects: added by hand or introduced in a message, found by name, linked with related
records."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from thalamus.clock import days_later
from thalamus.errors import NothingFound, UsageError
from thalamus.memory.embeddings import embed_alone
from thalamus.memory.user.checkout import canonical, checkout_of, name_of
from thalamus.names import too_long
from thalamus.policy import projects as rules
from thalamus.policy.entities import USER, key_of
from thalamus.policy.projects import PROJECT, WORKS_ON
from thalamus.policy.sensitivity import personal
from thalamus.records import Event, Fact, Link, Memory, Project, Provenance, Reflection, Turn
from thalamus.store import links
from thalamus.store import records as record_rows
from thalamus.store.encrypted import is_hidden
from thalamus.store.projects import memories_in_several, of_records
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

GENERAL = 3  # projects in which something was said, from which it may hold everywhere
THIS_PROJECT, NO_PROJECT = "auto", "none"  # values of the setting `project`
LONGEST = 50  # characters of the name of a project that gets it from its address
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


# -- the current project ---------------------------------------------------------------------------


def current(run: TurnRun) -> Project | None:
    """The project that recall prefers: the one that the setting ``project`` names, or else that of
    the working directory; None if there is none. Raises ``NothingFound``, ``UsageError`` for a name
    on the command line that is not one project's; elsewhere it may be a project of another
    store."""
    return run.once("project", lambda: _current(run))


def _current(run: TurnRun) -> Project | None:
    store, config = run.engine.open_store(False), run.engine.config
    if store is None or config.project == NO_PROJECT:
        return None
    if config.project != THIS_PROJECT:
        try:
            return find_project(store, config.project, config.user or None)
        except (NothingFound, UsageError):
            if config.origin.get("project") == "flag":
                raise
            return None
    return here(store, config.user or None)


def here(reader: Reader, user: str | None, directory: str | Path = ".") -> Project | None:
    """The project of a directory: of its repository, or of a directory around it."""
    known = {canonical(one.repo_url): one for one in projects(reader, user) if one.repo_url}
    if not known:
        return None
    checkout = checkout_of(directory)
    if checkout is not None and (found := known.get(checkout.remote or "")) is not None:
        return found
    try:
        folder = Path(directory).expanduser().resolve()
    except (OSError, RuntimeError):
        return None
    around = (known.get(str(parent)) for parent in (folder, *folder.parents))
    return next((one for one in around if one is not None), None)


def with_address(address: str, user: str | None, reader: Reader) -> Project | None:
    """The project with the address of a repository or a directory: the user's own before a shared
    one."""
    found = [one for one in projects(reader, user) if one.repo_url]
    found = [one for one in found if canonical(one.repo_url or "") == address]
    return next(iter(_own(found, user)), None)


def of_address(address: str, run: TurnRun) -> Project:
    """The project with the address of a repository or a directory; it is added if there is none,
    under the last part of the address, or more of it if a project has that name."""
    user = run.engine.config.user or None
    store = run.engine.create_store()
    if (known := with_address(address, user, store)) is not None:
        return known
    taken = {fold(one.name) for one in projects(store, user) if one.user == user}
    parts = [part for part in address.replace("\\", "/").split("/") if part]
    longer = ("/".join(parts[-count:]) for count in range(2, len(parts) + 1))
    names = (name for name in (name_of(address), *longer) if fold(name) not in taken)
    try:
        return add(Project(name=next(names, address)[-LONGEST:], repo_url=address), run)
    except UsageError:
        if (known := with_address(address, user, store)) is None:
            raise
        return known  # another process has just added it


def directory_address(directory: str) -> str | None:
    """The address of a directory that is no repository; None for one that is no project either:
    the home directory, those around it, and those of temporary files."""
    if not directory:
        return None
    path, home = Path(directory), Path.home()
    if not path.is_absolute() or path in (home, *home.parents):
        return None
    return None if path == Path(tempfile.gettempdir()) else str(path)


def is_elsewhere(known: Collection[str], here: Project | None) -> bool:
    """True for what belongs to some projects (``known``) but not to the current one. In ``GENERAL``
    it holds everywhere."""
    return 0 < len(known) < GENERAL and (here is None or here.stored_id not in known)


def may_replace_here(memory: Memory, old: Memory, turn: Turn | None, reader: Reader) -> bool:
    """False if a memory is said in one project and an old one belongs to another: what holds here
    does not end what holds there."""
    said_in = turn.stored_id if turn is not None else None
    if said_in is None and memory.provenance is not None:
        said_in = memory.provenance.turn
    found = of_records(reader, [old.stored_id, *filter(None, [said_in])])
    own = found.get(said_in or "", set())
    if turn is not None and isinstance(project := turn.metadata.get(PROJECT), str):
        own = own | {project}  # which is linked after it was written
    there = found.get(old.stored_id, set())
    return not own or not there or len(there) >= GENERAL or not own.isdisjoint(there)


def general(user: str | None, reader: Reader) -> list[tuple[Memory, list[Project]]]:
    """The user's memories that were said in ``GENERAL`` projects or more, each with these: they may
    hold everywhere."""
    found = [one for one in memories_in_several(reader, GENERAL) if one.user == user]
    known = {one.stored_id: one for one in projects(reader, user)}
    of_each = of_records(reader, [one.stored_id for one in found])
    return [
        (one, [known[id] for id in sorted(of_each[one.stored_id]) if id in known])
        for one in found
        if not is_hidden(one)
    ]


def generalize(memory: Memory, engine: Engine) -> None:
    """Lets a memory hold everywhere: it belongs to no project any more. Raises ``UsageError`` if it
    belongs to none."""
    store, id = engine.store, memory.stored_id
    known = store.by_ids(Project, sorted(of_records(store, [id]).get(id, ())))
    if not known:
        raise UsageError(f"{memory.id} belongs to no project.")
    for project in known:
        unlink(project, [memory.stored_id], engine)


def other_projects(ids: Collection[str], here: Project | None, reader: Reader) -> dict[str, str]:
    """In words, the projects of the records that belong to others than the current one, by id."""
    belonging = of_records(reader, ids).items()
    found = {id: known for id, known in belonging if is_elsewhere(known, here)}
    wanted = sorted({id for known in found.values() for id in known})
    names = {
        one.stored_id: one.name for one in reader.by_ids(Project, wanted) if not is_hidden(one)
    }
    return {
        id: f"in the project {' and '.join(sorted(names[one] for one in known if one in names))}"
        for id, known in found.items()
        if known & names.keys()
    }


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


def link_stored(records: Sequence[Record], writer: Writer) -> None:
    """Links just stored turns with the project that they name in their metadata, and memories and
    facts with the projects of what they come from, or take the place of; also with the active
    projects of their owner that they mention."""
    turns = [one for one in records if isinstance(one, Turn) and PROJECT in one.metadata]
    made = {item.stored_id: (item, turn) for item, turn in _made_of_turns(records)}
    if not made and not turns:
        return
    known = {one.stored_id: one for one in writer.each(Project)}
    if not known:
        return
    for turn in turns:
        project = known.get(str(turn.metadata[PROJECT]))
        if project is not None and project.user in (None, turn.user):
            writer.add(_about(turn.stored_id, project))
    origins = {id: {turn} if turn else set() for id, (_, turn) in made.items()}
    for link in links.outgoing(writer, made, "derived_from", "supersedes"):
        origins[link.source].add(link.target)
    inherited = of_records(writer, set().union(*origins.values()))
    for id, (record, _) in made.items():
        wanted = set().union(*(inherited.get(origin, ()) for origin in origins[id]))
        text, topic = _recalled_text(record)
        for project in known.values():
            own = project.user in (None, record.user) and project.status == "active"
            if own and not is_hidden(project) and rules.is_named(project.name, text, topic):
                wanted.add(project.stored_id)
        links.add(writer, [Link(id, "about", project) for project in sorted(wanted)])


def _made_of_turns(records: Iterable[Record]) -> Iterator[tuple[Memory | Fact, str | None]]:
    """Stored memories and facts, those of reflections included, with the turns they come from."""
    for record in records:
        if isinstance(record, (Memory, Fact)):
            if record.id:
                yield record, record.provenance.turn if record.provenance is not None else None
            continue
        reflection = record.reflection if isinstance(record, Turn) else record
        if isinstance(reflection, Reflection):
            said_in = record.id if isinstance(record, Turn) else reflection.turn
            items: list[Memory | Fact] = [*reflection.memories_to_store, *reflection.facts]
            yield from ((item, said_in) for item in items if item.id)


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

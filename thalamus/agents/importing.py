"""Import of transcripts. Each session becomes turns of the user and activities of the agent, under
the project that it worked on. No model is called; `consolidate` extracts memories later."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.agents.formats import AGENTS, folder_of, recognize
from thalamus.agents.transcript import Transcript, turns_of
from thalamus.clock import days_later
from thalamus.memory.imported_turns import add_answers
from thalamus.memory.user import projects
from thalamus.memory.user.checkout import canonical, checkout_of, name_of
from thalamus.policy.activities import is_activity
from thalamus.policy.projects import PROJECT
from thalamus.records import Project, Record, Turn
from thalamus.store import ledger
from thalamus.transfer.foreign.importing import ForeignImport, SourceImporter
from thalamus.transfer.foreign.report import Report

if TYPE_CHECKING:
    from thalamus.turn_run import TurnRun

RECENT = 30  # days since a session after which a project that comes with an import is paused


class TranscriptImporter(SourceImporter):
    """Imports transcripts of one agent.

    It needs no mark of what was imported before: a turn has the same id each time, and one that the
    ledger knows was stored before, even if it was undone since.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._projects: dict[tuple[str, str], Project | None] = {}
        self._last: dict[str, str] = {}  # when each project was last worked on, by its id
        self._begun = self._run.engine.clock.stamp()

    @classmethod
    def recognize(cls, path: Path) -> str | None:
        found = recognize(path)
        return found.name if found is not None else None

    @classmethod
    def folder(cls, source: str) -> Path:
        return folder_of(AGENTS[source])

    def run(
        self, path: Path, source: str, on_progress: Callable[[int], None] = lambda count: None
    ) -> ForeignImport:
        self.result.sources.add(source)
        self.add(AGENTS[source].read(path, self._report), on_progress)
        if not self.result.sessions:
            self._report.problem(f"{path} contains no sessions of {source}")
        return self.result

    def add(
        self,
        transcripts: Iterable[Transcript],
        on_progress: Callable[[int], None] = lambda count: None,
    ) -> None:
        """Stores sessions, in transactions of about ``batch_size`` turns. Raises as ``run``."""
        batch: list[tuple[Transcript, list[Turn]]] = []
        size = self._run.engine.config.batch_size
        config = self._run.engine.config
        try:
            for transcript in transcripts:
                self.result.sessions.add(transcript.session)
                turns = turns_of(transcript)
                for turn in turns:
                    turn.user = config.user or None
                    turn.agent = turn.agent or config.agent or None
                batch.append((transcript, turns))
                if sum(len(turns) for _, turns in batch) >= size:
                    ready, batch = batch, []
                    on_progress(self._store(ready))
        finally:
            on_progress(self._store(batch))
        self._pause_old()

    def _store(self, batch: Sequence[tuple[Transcript, list[Turn]]]) -> int:
        """Stores the new turns of sessions; returns the number of all of them."""
        news = {turn.stored_id for turn in self._news([one for _, turns in batch for one in turns])}
        added: list[Turn] = []
        for transcript, turns in batch:
            new = [turn for turn in turns if turn.stored_id in news]
            news -= {turn.stored_id for turn in new}
            project = self._project(transcript) if new and not self._dry_run else None
            if project is not None:
                newest = max(turn.created_at or "" for turn in new)
                before = self._last.get(project.stored_id, "")
                self._last[project.stored_id] = max(before, newest)
                for turn in new:
                    turn.metadata[PROJECT] = project.stored_id
            added += new
        if added and not self._dry_run:
            self._write_turns(added)
        self.result.added.update(map(_kind, added))
        return sum(len(turns) for _, turns in batch)

    def _project(self, transcript: Transcript) -> Project | None:
        """The project of a session with something new, which is added if there is none: that of the
        repository, or of the directory. None for a session that has none, or one that was
        forgotten."""
        key = transcript.directory, transcript.repository
        if key not in self._projects:
            self._projects[key] = self._found_project(transcript)
        return self._projects[key]

    def _found_project(self, transcript: Transcript) -> Project | None:
        address = _address(transcript)
        if address is None:
            return None
        user = self._run.engine.config.user or None
        store = self._run.engine.create_store()
        if (known := projects.with_address(address, user, store)) is not None:
            return known
        name = name_of(address)
        if self._forgotten(Project(name=name, repo_url=address, user=user)):
            return None
        return projects.of_address(address, self._run)

    def _pause_old(self) -> None:
        """Pauses the projects that came with this import and were not worked on lately: those that
        are active are part of the profile."""
        now = self._run.engine.clock.stamp()
        for project in {one.stored_id: one for one in self._projects.values() if one}.values():
            new = (project.recorded_at or "") >= self._begun
            if new and self._last.get(project.stored_id, now) < days_later(now, -RECENT):
                projects.set_status(project, "paused", self._run.engine)

    def _news(self, batch: Sequence[Turn]) -> list[Turn]:
        """The turns that were never stored. One that was stored while the agent was still answering
        gets the whole answer."""
        store = self._run.engine.open_store(False)
        ids = [turn.stored_id for turn in batch]
        there = {turn.stored_id: turn for turn in store.by_ids(Turn, ids)} if store else {}
        known = ledger.with_turns(store, ids) if store and not self._include_forgotten else set()
        news: dict[str, Turn] = {}
        answered = []
        for turn in batch:
            id = turn.stored_id
            stored = there.get(id)
            if id in news and _is_continued(news[id], turn):  # in a copy of the session
                news[id].answer = turn.answer
                self.result.there[_kind(turn)] += 1
            elif id in self._seen or id in known or stored is not None:
                if stored is not None and _is_continued(stored, turn):
                    answered.append(turn)
                else:
                    self.result.there[_kind(turn)] += 1
            elif self._is_forgotten(turn):
                self.result.forgotten[_kind(turn)] += 1
            else:
                news[id] = turn
            self._seen.add(id)
        if answered and not self._dry_run:
            add_answers(answered, self._run)
        self.result.answered += len(answered)
        return list(news.values())

    def _is_forgotten(self, turn: Turn) -> bool:
        """True for a turn that was forgotten, or of a session that was; also of the agent, whose
        turns have no ref."""
        return self._forgotten(structs.replace(turn, ref=turn.ref or turn.id))


def _is_continued(stored: Turn, turn: Turn) -> bool:
    """True if the agent has answered more since a turn was stored."""
    before, now = stored.answer or "", turn.answer or ""
    return stored.message == turn.message and len(now) > len(before) and now.startswith(before)


def _kind(turn: Turn) -> str:
    return "activity" if is_activity(turn.metadata) else "turn"


def _address(transcript: Transcript) -> str | None:
    """The address of a session's project: the remote that the agent recorded or that the directory
    has, or else the directory."""
    if transcript.repository:
        return canonical(transcript.repository)
    if not Path(transcript.directory).is_absolute():  # such as one of another system
        return None
    checkout = checkout_of(transcript.directory)
    return checkout.address if checkout else projects.directory_address(transcript.directory)


def store_steps(
    transcript: Transcript, run: TurnRun, forgotten: Callable[[Record], bool] | None
) -> None:
    """Stores part of a session, as its hooks report it. Raises ``StoreBusy``, ``StoreFull``."""
    TranscriptImporter(run, Report(), forgotten).add([transcript])

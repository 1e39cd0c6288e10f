"""Sessions: past conversations, their turns, and the ledger of each turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.api.runtime import View
from thalamus.errors import NothingMatches
from thalamus.records import Turn
from thalamus.store import ledger
from thalamus.store.values import Filter

if TYPE_CHECKING:
    from thalamus.records import Event, Plan, Session, SessionMatch, StageLog


class SessionsView(View):
    """Sessions, their turns, and settings of the next turns."""

    def find(
        self, limit: int | None = None, *, since: str | None = None, until: str | None = None
    ) -> list[Session]:
        """The sessions, newest first; with a configured user, without those of others. ``since``,
        ``until``: only those with a part in that period. Raises ``NoStore``."""
        from thalamus.memory.sessions import sessions

        if not (since or until):
            return sessions(self._database, self._user, limit)
        from thalamus.policy.timeline import moment

        found = [
            one
            for one in sessions(self._database, self._user, None)
            if not (since and moment(one.last_at) < moment(since))
            and not (until and moment(one.started_at) >= moment(until))
        ]
        return found[:limit]

    def get(self, id: str) -> Session:
        """The session with this name or title, or the only one with this prefix. Raises
        ``NoStore``, ``NothingMatches``, ``UsageError`` when it is ambiguous."""
        from thalamus.memory.sessions import session_details

        return session_details(self._database, id, self._user)

    def turns(self, id: str, limit: int | None = None) -> list[Turn]:
        """The turns of a session, oldest first, or the last ``limit`` of them; without those that
        are encrypted and cannot be decrypted here. Raises as ``get``."""
        from thalamus.memory.sessions import session_turns

        session = self.get(id).id
        return session_turns(self._database, session, self._user, limit)

    def search(
        self, query: str, limit: int = 20, *, since: str | None = None, until: str | None = None
    ) -> list[SessionMatch]:
        """Passages of past sessions that match a query, by full text over their turns and titles,
        best first. ``since``, ``until``: only what was said in that period, and no titles. Raises
        ``NoStore``."""
        from thalamus.memory.sessions import search_sessions

        where = Filter(kinds=("turn",), user=self._user, since=since, until=until)
        return search_sessions(self._database, query, where.user, limit, where)

    def rename(self, id: str, title: str) -> Session:
        """Gives a session a title; an empty one removes it. Raises as ``get``, and ``UsageError``
        for a title that is too long."""
        from thalamus.memory.sessions import rename

        return rename(self.get(id), title, self._engine)

    def resume(self, id: str) -> Session:
        """Continues a session: the next turn belongs to it. Raises as ``get``."""
        session = self.get(id)
        self._runtime.new_session(session.id)
        return session

    def export(self, id: str) -> Iterator[str]:
        """The lines of a session as Markdown. Raises as ``get``."""
        from thalamus.transfer.markdown import session_markdown

        session = self.get(id)
        return session_markdown(session, self.turns(session.id), self._new_run().zone)

    def last_turn(self, *, anywhere: bool = False) -> str | None:
        """The id of the last turn of this session and user, or (``anywhere``) of any session of the
        user. Raises ``NoStore``."""
        from thalamus.store.turns import last_id

        session = None if anywhere else self._runtime.session
        return last_id(self._database, session, self._user)

    def last_turns(self, count: int, session: str | None = None) -> list[str]:
        """The ids of the last turns in the ledger (of one session), oldest first. Raises
        ``NoStore``."""
        from thalamus.memory.sessions import last_turns

        return last_turns(self._database, count, session)

    def trace(self, turn: str) -> list[Event]:
        """Ledger entries of a turn. Raises ``NoStore``, and ``NothingMatches`` if there are
        none."""
        events = ledger.of_turn(self._database, turn)
        if not events:
            fix = (
                "`thalamus trace --last 10` lists turns; `thalamus why ID` explains anything else."
            )
            raise NothingMatches(f"The ledger has no entries about {turn} as a turn.", fix=fix)
        return events

    def stage_logs(self, turn: str) -> list[StageLog]:
        """Inputs and outputs of each stage of a turn, as long as they are kept (``log_days``).
        Raises ``NoStore``, and ``NothingMatches`` if there are none."""
        from thalamus.memory.stage_logs import logs_of

        found = logs_of(self._database, turn)
        if not found:
            days = self._config.log_days
            fix = f"Logs are kept for {days:g} days (log_days)." if days else "`log_days` is 0."
            raise NothingMatches(f"There is no stage log of {turn}.", fix=fix)
        return found

    def plan(self) -> Plan | None:
        """The plan for the next turn of this session and user. Raises ``NoStore``."""
        from thalamus.store import plans

        return plans.last(self._database, self._runtime.session, self._user)

    def use_persona(self, name: str) -> None:
        """Chooses the persona of the next turns (empty: none). Later statements about the assistant
        belong to it."""
        self._configure(persona=name.strip())

    def personas(self) -> list[str]:
        """The names of the personas that memories describe, and of the chosen one. Raises
        ``StoreDamaged``."""
        from thalamus.memory.standing.core import known_personas

        store = self._runtime.open_store(False)
        here = self._runtime.here()
        known = known_personas(store, here.user, here.agent) if store is not None else []
        return sorted({*known, *filter(None, [self._config.persona])})

    def use_flow(self, name: str) -> None:
        """Runs the next turns through this flow. Raises ``UsageError`` or ``ConfigError`` for an
        invalid one, and as ``look_up_models``; then the flow stays unchanged."""
        self._runtime.look_up_models(name)
        self._configure(flow=name)

    def flows(self) -> list[str]:
        """The names of all flows, your own last; raises nothing of its own."""
        from thalamus.pipeline.flow import FLOWS

        return [*FLOWS, *(name for name in self._config.flows if name not in FLOWS)]

    def _configure(self, **changes: str) -> None:
        """Changes settings of the next turns."""
        self._runtime.config = structs.replace(self._config, **changes)
        self._runtime.engine = structs.replace(self._engine, config=self._config)

"""Settings, models, events and the open store: the state that the API and its views share."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus import files
from thalamus.api.calls import checked
from thalamus.api.stores import Stores
from thalamus.clock import Clock
from thalamus.config import Config, check_name, load
from thalamus.errors import NoStore, NoTables
from thalamus.names import normal_name
from thalamus.records.ownership import Owner
from thalamus.store import embeddings
from thalamus.store.values import Filter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from thalamus.engine import Engine, ModelSource
    from thalamus.events import ThalamusEvents
    from thalamus.models.handed import ChatFunction, EmbedFunction
    from thalamus.pipeline.flow import Flow
    from thalamus.plugins import Plugins
    from thalamus.policy.retention import Rules
    from thalamus.records import Turn
    from thalamus.security.fingerprints import Fingerprints
    from thalamus.security.keys import StoreKeys
    from thalamus.store.base import Store
    from thalamus.store.location import Location
    from thalamus.store.options import StoreOptions
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Follower, Touched, Writer
    from thalamus.turn_run import TurnRun


@checked
class Runtime:
    """The settings of a ``Thalamus``, the models and events passed to its stages, its store and its
    current session."""

    def __init__(
        self,
        *,
        config: Config | None = None,
        events: ThalamusEvents | None = None,
        clock: Clock | None = None,
        share_models: ModelSource | None = None,
        chat: ChatFunction | None = None,
        embed: EmbedFunction | None = None,
        **settings: Any,
    ) -> None:
        """Raises ``ConfigError`` for settings that are wrong, ``UsageError`` for a bad
        ``THALAMUS_NOW``."""
        self.config = config if config is not None else load(flags=settings)
        if config is None and self.config.ignored is not None:
            self.config.ignored.log()
        self.clock = clock or Clock.from_environment()
        for place in self.config.tenant_places:
            files.adopt_spelling(place)
        self.session = self.config.session
        self.stores = Stores()
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._begun: set[str] = set()
        self._models = share_models
        self._handed = chat, embed
        # of stages since this object was created, as (stage, error)
        self.failures: list[tuple[str, Exception]] = []
        if events is not None:
            self.events = events

    @cached_property
    def events(self) -> ThalamusEvents:
        """Listeners of events."""
        from thalamus.events import ThalamusEvents

        return ThalamusEvents(self.clock)

    @property
    def engine(self) -> Engine:
        """Settings, models, prompts and store as the stages are given them."""
        if self._engine is None:
            with self._lock:
                self._engine = self._engine or self._make_engine()
        return self._engine

    @engine.setter
    def engine(self, engine: Engine) -> None:
        self._engine = engine

    def _make_engine(self) -> Engine:
        from thalamus.engine import Engine
        from thalamus.models.resolve import Models
        from thalamus.templates import Templates

        plugins = self._plugins() if self.config.plugins else None
        own = plugins.models if plugins is not None else dict
        return Engine(
            config=self.config,
            clock=self.clock,
            models=self._models or Models(self.config, self._stored_embedders, own, *self._handed),
            templates=Templates(self.config.own_prompts()),
            open_store=self.open_store,
            events=self.events,
            rules=lambda: self.rules,
            plugins=plugins,
            fingerprints=lambda: self.fingerprints,
            failures=self.failures,
        )

    def new_run(self, **state: Any) -> TurnRun:
        """A run of the engine for one call."""
        from thalamus.turn_run import TurnRun

        return TurnRun(self.engine, **state)

    def _stored_embedders(self) -> list[str]:
        """Names of the models of the store's vectors, the one with the most vectors first."""
        store = self.open_store(False)
        if store is None:
            return []
        if spaces := embeddings.spaces(store):
            return [space.model for space in sorted(spaces, key=lambda space: -space.count)]
        # vectors of encrypted entries belong to no space
        newest = [entry.id for entry in store.entries(Filter(), 10)]
        return [vector.model for vector in embeddings.of(store, newest).values()]

    def _plugins(self) -> Plugins:
        from thalamus.plugins import Plugins

        def taken() -> set[str]:
            from thalamus.pipeline.flow import FLOWS, STAGES

            return {*STAGES, *FLOWS}

        plugins = Plugins(self.events, taken=taken, settings=self.config.plugin_settings)
        self.events.plugins = plugins
        return plugins

    @property
    def user(self) -> str | None:
        """The configured user; None for unowned records."""
        return self.config.user or None

    @property
    def agent(self) -> str | None:
        """The configured agent, if any."""
        return self.config.agent or None

    @property
    def location(self) -> Location:
        """The place of the store, whether it exists or not."""
        from thalamus.store.opening import location

        config = self.config
        return location(config.store, config.store_dir, config.tenant, config.busy_timeout)

    @property
    def database(self) -> Store:
        """The open store behind the views. Raises ``NoStore`` when there is none yet, and as
        ``open_store``."""
        store = self.open_store(False)
        if store is None:
            raise NoStore(self.config.store_place)
        return store

    def open_store(self, create: bool = False, *, remind: bool = True) -> Store | None:
        """The store of this thread, opened once; None when there is none and ``create`` is false.
        ``remind``: warn about an unfinished erasure. Raises ``StoreDamaged``, also for a lost
        store, and ``StoreTooNew``.
        """

        def open() -> Store | None:
            try:
                return self.location.open(self.store_options(create, remind))
            except NoTables:
                raise
            except NoStore:
                return None

        return self.stores.current(open)

    def store_options(self, create: bool = False, remind: bool = False) -> StoreOptions:
        """The options with which the store is opened."""
        from thalamus.memory.personal import subject_of
        from thalamus.security.keys import StoreKeys
        from thalamus.store.options import StoreOptions

        config = self.config
        return StoreOptions(
            tenant=config.tenant,
            create=create,
            busy_timeout=config.busy_timeout,
            connections=config.store_connections,
            clock=self.clock,
            follow=self._follow(),
            keys=StoreKeys(config) if config.key_store != "none" else None,
            subject_of=subject_of if config.encrypt_personal else None,
            plain_sources=_plain_sources if config.encrypt_personal else None,
            hnsw=config.hnsw,
            remind=remind,
            owner=Owner(self.user, self.agent),
        )

    def _follow(self) -> Follower:
        """Callback that derives the concepts of written records. It loads
        ``memory.concepts.derivation``, which a process that only reads does not need."""

        def follow(writer: Writer, touched: Touched) -> None:
            from thalamus.errors import ConceptsLag
            from thalamus.memory.concepts.derivation import follower

            def failed(error: Exception) -> None:
                self.events.failed("concepts", error)
                writer.lag = ConceptsLag(f"{type(error).__name__}: {error}")

            follower(failed)(writer, touched)

        return follow

    def close(self) -> None:
        """Ends the sessions and closes the store."""
        if self._begun:
            self._end_sessions()
        self.stores.close()
        engine = self._engine  # not created just for this
        if engine is not None and (tools := engine.kept.pop("tools", None)) is not None:
            tools.close()

    def _end_sessions(self) -> None:
        from thalamus.events import SessionEnded

        for session in sorted(self._begun):
            self.events.emit(SessionEnded(session=session))
        self._begun.clear()

    def in_session(self, turn: Turn) -> Turn:
        """The turn with its session filled in; the first turn of a session emits an event."""
        from thalamus.events import SessionStarted

        if turn.session is None:
            turn = structs.replace(turn, session=self.session)
        assert turn.session is not None
        if turn.session not in self._begun:
            self._begun.add(turn.session)
            self.events.emit(SessionStarted(session=turn.session))
        return turn

    def new_session(self, session: str | None = None) -> str:
        """Ends the current session and begins another, whose name is returned.

        What was said stays in memory, but is no longer part of the recent dialogue. Raises
        ``ConfigError`` for a name that is too long.
        """
        from thalamus.events import SessionEnded

        if self.session in self._begun:
            self._begun.remove(self.session)
            self.events.emit(SessionEnded(session=self.session))
        if session:
            check_name("session", session)
        self.session = normal_name(session or "") or self.clock.new_id("session", self.session)
        return self.session

    def look_up_models(self, flow: str | None = None) -> Flow:
        """Looks up the models of all roles of a flow (None: the configured one), once, and returns
        the flow. Raises ``ModelMissing``, with the command to get it as advice, for one that is
        certainly missing; ``UsageError`` or ``ConfigError`` for an invalid flow."""
        from thalamus.pipeline.flow import find_flow
        from thalamus.pipeline.models import look_up

        found = find_flow(flow or self.config.flow, self.config.flows, self.engine.plugins)
        look_up(found, self.engine)
        return found

    def here(self, as_of: str | None = None, *, timeless: bool = False) -> Filter:
        """The filter for this user and agent at this time."""
        return Filter(
            user=self.user,
            agent=self.agent,
            as_of=as_of,
            now=None if timeless else self.clock.stamp(),
        )

    @cached_property
    def rules(self) -> Rules:
        """The retention rules by kind. Raises ``ConfigError``."""
        from thalamus.memory.retention.rules import load_rules

        return load_rules(self.config.config_dir)

    @property
    def unembedded(self) -> Exception | None:
        """The last error because of which records other than turns were stored without
        embeddings."""
        from thalamus.memory.embeddings import unembedded

        return unembedded(self.engine)

    @cached_property
    def store_keys(self) -> StoreKeys:
        """Keys of the store, read on first use."""
        from thalamus.security.keys import StoreKeys

        return StoreKeys(self.config)

    @property
    def fingerprints(self) -> Fingerprints | None:
        """Maker of fingerprints of forgotten records; None without a key."""
        from thalamus.security.fingerprints import Fingerprints

        return Fingerprints(self.store_keys) if self.config.key_store != "none" else None


def _plain_sources(reader: Reader, ids: Iterable[str]) -> dict[str, str]:
    """See ``memory.plain_sources``, which a process that stores nothing personal does not need."""
    from thalamus.memory.plain_sources import plain_sources

    return plain_sources(reader, ids)


class View:
    """A part of the API: the operations on one subject."""

    def __init_subclass__(cls) -> None:
        checked(cls)

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    @property
    def _config(self) -> Config:
        return self._runtime.config

    @property
    def _clock(self) -> Clock:
        return self._runtime.clock

    @property
    def _engine(self) -> Engine:
        return self._runtime.engine

    def _new_run(self) -> TurnRun:
        return self._runtime.new_run()

    @property
    def _database(self) -> Store:
        return self._runtime.database

    @property
    def _user(self) -> str | None:
        return self._runtime.user

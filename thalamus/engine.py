"""The engine: settings, models, prompts and the open store, shared by threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from msgspec import Struct, field

from thalamus.config import AUTO
from thalamus.errors import MODEL_ERRORS, NoStore
from thalamus.events import ThalamusEvents
from thalamus.models.protocol import (
    ChatModel,
    Embedder,
    Limited,
    Message,
    Reranker,
    Role,
    Sized,
)
from thalamus.policy import window_budget
from thalamus.policy.model_size import ROUTES, billions
from thalamus.records import Evidence, Issue, Memory, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from thalamus.clock import Clock
    from thalamus.config import Config
    from thalamus.policy.retention import Rules
    from thalamus.store.base import Store
    from thalamus.templates import Templates

T = TypeVar("T")


class PluginHooks(Protocol):
    """Hooks implemented by plugins. ``any``: there are plugins."""

    @property
    def any(self) -> bool: ...

    def before_write(self, memory: Memory) -> Memory | Verdict: ...

    def after_retrieve(self, evidence: list[Evidence]) -> list[Evidence]: ...

    def on_task_complete(self, task: dict[str, object]) -> None: ...

    def stages(self) -> Mapping[str, Any]: ...

    def tools(self) -> Mapping[str, Any]: ...

    def models(self) -> Mapping[str, Any]: ...

    def problems(self) -> list[Issue]: ...


class ModelSource(Protocol):
    """Models by role, loaded on first use."""

    def chat(self, role: Role) -> ChatModel: ...

    def embedder(self) -> Embedder | None: ...

    def reranker(self) -> Reranker | None: ...

    def check_ability(self, role: Role, ability: str, test: Callable[[], bool]) -> bool: ...


class Engine(Struct, frozen=True):
    """Everything that lives as long as a ``Thalamus``. ``open_store(create)`` returns the store of
    the current thread, None if there is none and ``create`` is false; ``rules``: the retention
    rules, read on first use; ``failures``: of stages, for the exit status; ``kept``: see ``once``.
    """

    config: Config
    clock: Clock
    models: ModelSource
    templates: Templates
    open_store: Callable[[bool], Store | None]
    events: ThalamusEvents = field(default_factory=ThalamusEvents)
    rules: Callable[[], Rules] = dict
    plugins: PluginHooks | None = None
    # waits that many seconds for a busy model
    sleep: Callable[[float], None] = time.sleep
    # the maker of fingerprints of forgotten records; None without a key
    fingerprints: Callable[[], Any] = lambda: None
    failures: list[tuple[str, Exception]] = []
    kept: dict[str, Any] = {}

    def once(self, name: str, make: Callable[[], T]) -> T:
        """Result of ``make``, called for a name once in the life of the engine."""
        with _making:
            if name not in self.kept:
                self.kept[name] = make()
            made: T = self.kept[name]
            return made

    @property
    def use_memory(self) -> bool:
        """True if turns recall memories and are stored."""
        return self.config.memory

    @property
    def store(self) -> Store:
        """The open store. Raises ``NoStore`` if there is none."""
        opened = self.open_store(False)
        if opened is None:
            raise NoStore(self.config.store_place)
        return opened

    @property
    def memory_store(self) -> Store | None:
        """The store that turns recall from; None if there is none, or memory is off."""
        return self.open_store(False) if self.use_memory else None

    def create_store(self) -> Store:
        """The open store, created if there is none."""
        opened = self.open_store(True)
        assert opened is not None
        return opened

    def dialogue(self, name: str, **values: str) -> list[Message]:
        """The messages of a dialogue prompt with its placeholders filled."""
        return [Message(role, text) for role, text in self.templates.dialogue(name, **values)]  # type: ignore[arg-type]

    def small(self, role: Role) -> bool:
        """True if the role's model is small, or of unknown size."""
        chat = self.models.chat(role)
        return not isinstance(chat, Sized) or chat.small() is not False

    def too_small(self, role: Role) -> bool:
        """True if the role's model is known to be too small to decide what a message needs. Raises
        the errors of ``ModelSource.chat``."""
        chat = self.models.chat(role)
        size = chat.billions() if isinstance(chat, Sized) else billions(chat.name)
        return size is not None and size < ROUTES

    def answer_tokens(self) -> int:
        """Tokens reserved for an answer: the setting, but at most half of a small context."""
        return min(self.config.max_answer_tokens, self.models.chat("answer").context() // 2)

    def notes_budget(self, left: int, role: Role = "answer", fixed: int = 0) -> int:
        """Tokens for notes, by the setting or by what the role's model can take
        (``policy.window_budget``, which has the parameters)."""
        window, reads, setting = window_budget.UNKNOWN, None, self.config.token_budget
        chosen = None if setting == AUTO else setting
        with suppress(*MODEL_ERRORS):
            chat = self.models.chat(role)
            window = chat.context()
            if isinstance(chat, Limited) and not (self.config.deterministic or self.clock.fixed):
                reads = chat.capacity().reads
        return window_budget.notes_budget(window, left, chosen, reads, fixed)


_making = threading.RLock()

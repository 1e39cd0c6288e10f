"""Models: those in use, those on this machine, and those that can be pulled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import structs

from thalamus.api.runtime import View
from thalamus.errors import ThalamusError

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.models.protocol import Role
    from thalamus.records.installation import Model, ModelCheck


class ModelsView(View):
    """The models of each role, and those available here or to pull."""

    def find(self) -> list[Model]:
        """The models of this machine and those that can be pulled, with their roles."""
        from thalamus.models.inventory import inventory

        return inventory(self._resolved(), self._plugins)

    def name(self, role: Role = "answer") -> str:
        """The full name of the chat model of a role. Raises ``ModelUnreachable``, ``ModelMissing``,
        ``UsageError`` for an invalid name."""
        return self._engine.models.chat(role).name

    def wake(self, role: Role = "answer") -> str:
        """Loads the chat model of a role and returns its full name, so that a missing one raises
        here and not at the first message."""
        chat = self._engine.models.chat(role)
        chat.context()
        return chat.name

    def small(self, role: Role = "answer") -> bool:
        """True if the chat model of a role is known to have fewer than four billion parameters.
        Raises as ``wake``."""
        from thalamus.models.protocol import Sized

        chat = self._engine.models.chat(role)
        return isinstance(chat, Sized) and chat.small() is True

    def embedder(self) -> str:
        """The full name of the embedder, or ``none``. Raises ``ModelMissing``, ``UsageError``."""
        embedder = self._engine.models.embedder()
        return embedder.name if embedder else "none"

    def reranker(self) -> str:
        """The full name of the reranker, or ``none``. Raises ``ModelMissing``, ``ModelFailed``,
        ``UsageError``."""
        reranker = self._engine.models.reranker()
        return reranker.name if reranker else "none"

    def chat(self) -> list[Model]:
        """The chat models of this machine, of Ollama and as files in the usual places, then those
        that can be pulled; see ``recommended``."""
        from thalamus.models.candidates import candidates

        return candidates(self._config)

    def searched(self) -> str:
        """The places that ``chat`` searches, in words."""
        from thalamus.models.candidates import searched

        return searched(self._config)

    def recommended(self, models: Sequence[Model]) -> Model | None:
        """The recommended one of those models that are ready; None when none is."""
        from thalamus.models.candidates import machine_memory
        from thalamus.policy.model_size import recommended

        ready = [model for model in models if model.state == "ready"]
        return recommended(ready, machine_memory())

    def better(self, models: Sequence[Model]) -> Model | None:
        """A model to pull that remembers well; None if one of those does, or none would fit."""
        from thalamus.models.candidates import better

        return better(self._config, models)

    def pull(
        self,
        name: str,
        report: Callable[[str], None] = lambda _: None,
        progress: Callable[[int, int | None], None] = lambda _, __: None,
    ) -> str:
        """Downloads a model, and returns the name that ``model`` takes.

        ``name`` is one of the catalogue, ``ollama:NAME`` (the server downloads it),
        ``hf:OWNER/REPO/FILE.gguf`` or the URL of a GGUF file. ``report`` gets a line at each step,
        ``progress`` the bytes that are there and those in all. Raises ``ModelMissing``,
        ``ModelUnreachable``, ``ModelFailed``, ``StoreFull`` and ``UsageError``.
        """
        if name.startswith("ollama:"):
            from thalamus.models import ollama

            host = ollama.resolve_host(self._config.ollama_host)
            ollama.pull(host, name.removeprefix("ollama:"), progress)
            return name
        from thalamus.models.pull import pull

        return pull(name, self._config.cache_dir, report, progress)

    def check(self) -> Iterator[ModelCheck]:
        """Calls the chat model of each role, the embedder and the reranker. Failures are in the
        results."""
        from thalamus.models.inventory import ask_each

        return ask_each(self._resolved(), self._clock, self._plugins)

    def _plugins(self) -> Mapping[str, Any]:
        """Models of plugins."""
        plugins = self._engine.plugins
        return plugins.models() if plugins is not None else {}

    def _resolved(self) -> Config:
        """The settings with the embedder that ``auto`` stands for."""
        if self._config.embedder != "auto":
            return self._config
        try:
            return structs.replace(self._config, embedder=self.embedder())
        except ThalamusError:
            return self._config  # the embedder's own test reports it

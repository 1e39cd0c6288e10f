"""Prompt templates: custom ones before the packaged ones, read once."""

from __future__ import annotations

from pathlib import Path

from thalamus.errors import PromptError
from thalamus.policy import prompts


def packaged(kind: str) -> Path:
    """Folder of packaged data (``prompts``, ``schemas`` or ``docs``), in a wheel or a checkout."""
    inside = Path(__file__).parent / kind
    return inside if inside.is_dir() else Path(__file__).parent.parent / kind


class Templates:
    """Prompt templates by name. ``own``: the folder whose files take precedence."""

    def __init__(self, own: Path) -> None:
        self.own = own
        self._loaded: dict[str, str] = {}

    def path(self, name: str) -> Path:
        """The file of a template."""
        mine = self.own / f"{name}.md"
        return mine if mine.is_file() else packaged("prompts") / f"{name}.md"

    def load(self, name: str) -> str:
        """The validated text of a template. Raises ``PromptError``."""
        if name not in self._loaded:
            try:
                text = self.path(name).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise PromptError(name, f"{self.path(name)}: {error}") from None
            try:
                prompts.check(name, text)
            except PromptError as error:
                raise PromptError(self.path(name), error.args[1]) from None
            self._loaded[name] = text
        return self._loaded[name]

    def fill(self, name: str, **values: str) -> str:
        """The filled template."""
        return prompts.fill(name, self.load(name), values)

    def dialogue(self, name: str, **values: str) -> list[tuple[str, str]]:
        """The filled template as (role, content) of chat messages."""
        return prompts.dialogue(name, self.load(name), values)

"""Tested abilities of models, such as distinguishing yes from no.

Testing takes model calls, so results are kept in the cache directory under the model's identity
(``Identified``): Ollama's digest, the size and date of a file, or a server's address and model
name. Results expire, since a server may change the model behind a name.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from msgspec import json

from thalamus.files import replacing
from thalamus.models.protocol import ChatModel, Identified

FILE = "abilities.json"
EXPIRY = 30 * 24 * 3600  # seconds until an ability is tested again


class Abilities:
    """Results of ability tests of models in this process and earlier ones."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._results: WeakKeyDictionary[ChatModel, dict[str, bool]] = WeakKeyDictionary()

    def check_ability(self, chat: ChatModel, ability: str, test: Callable[[], bool]) -> bool:
        """Result of an ability test, run once per model. Raises whatever ``test`` raises; nothing
        is kept then."""
        known = self._results.setdefault(chat, {})
        if ability not in known:
            identity = chat.identity() if isinstance(chat, Identified) else None
            key = None if identity is None else _key(identity, ability)
            kept = self._read().get(key) if key is not None else None
            if _is_answer(kept) and 0 <= time.time() - kept["at"] < EXPIRY:  # type: ignore[index]
                known[ability] = kept["answer"]  # type: ignore[index]
            else:
                known[ability] = test()
                if key is not None:
                    self._keep(key, known[ability])
        return known[ability]

    def _read(self) -> dict[str, Any]:
        with suppress(OSError, ValueError):
            found = json.decode(self._path.read_bytes())
            if isinstance(found, dict):
                return found
        return {}

    def _keep(self, key: str, answer: bool) -> None:
        """Keeps a result; if it cannot be written, the ability is tested again."""
        kept = {**self._read(), key: {"answer": answer, "at": int(time.time())}}
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self._path, sync=False) as file:
                file.write(json.format(json.encode(kept)))


def _key(identity: str, ability: str) -> str:
    from hashlib import blake2b  # loads OpenSSL

    return blake2b(f"{identity}\x1f{ability}".encode(), digest_size=16).hexdigest()


def _is_answer(kept: Any) -> bool:
    return (
        isinstance(kept, dict)
        and isinstance(kept.get("answer"), bool)
        and isinstance(kept.get("at"), int)
    )

"""What was found out of models: whether one tells yes from no, whether it can extract.

It takes calls to find out, so it is kept in the cache directory, by what tells one model from
another: the digest of Ollama, size and date of a file, or else the address of a server and the name
(``Identified``); of a server that may change what is behind a name it is found out again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from thalamus.files import replacing
from thalamus.models.protocol import ChatModel, Identified

FILE = "abilities.json"
HOLDS = 30 * 24 * 3600  # seconds after which it is found out again


class Abilities:
    """Answers that were found out, of models of this process and of earlier ones."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._here: WeakKeyDictionary[ChatModel, dict[str, bool]] = WeakKeyDictionary()

    def found_out(self, chat: ChatModel, what: str, find_out: Callable[[], bool]) -> bool:
        """The answer to ``what`` for a model, found out once. Raises what ``find_out`` raises; then
        nothing is kept."""
        known = self._here.setdefault(chat, {})
        if what not in known:
            identity = chat.identity() if isinstance(chat, Identified) else None
            key = None if identity is None else _key(identity, what)
            kept = self._read().get(key) if key is not None else None
            if _is_answer(kept) and 0 <= time.time() - kept["at"] < HOLDS:  # type: ignore[index]
                known[what] = kept["answer"]  # type: ignore[index]
            else:
                known[what] = find_out()
                if key is not None:
                    self._keep(key, known[what])
        return known[what]

    def _read(self) -> dict[str, Any]:
        with suppress(OSError, ValueError):
            found = json.loads(self._path.read_text(encoding="utf-8"))
            if isinstance(found, dict):
                return found
        return {}

    def _keep(self, key: str, answer: bool) -> None:
        """Keeps an answer; where it cannot be written it is found out again."""
        kept = {**self._read(), key: {"answer": answer, "at": int(time.time())}}
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self._path, sync=False) as file:
                file.write(json.dumps(kept, indent=1).encode())


def _key(identity: str, what: str) -> str:
    return blake2b(f"{identity}\x1f{what}".encode(), digest_size=16).hexdigest()


def _is_answer(kept: Any) -> bool:
    return (
        isinstance(kept, dict)
        and isinstance(kept.get("answer"), bool)
        and isinstance(kept.get("at"), int)
    )

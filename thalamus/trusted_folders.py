"""The folders whose project file the user has accepted, each with a digest of what it then said."""

from __future__ import annotations

import json
import os
from pathlib import Path

from thalamus.errors import ConfigError

FILE = "trusted-folders.json"


class TrustedFolders:
    """The list in ``directory``, which must be the user's own: no project file may choose it."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / FILE

    def digests(self) -> dict[str, str]:
        """Folder -> digest of its project file. Raises ``ConfigError`` for a damaged list."""
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise ConfigError(f"{self.path}: {error}", fix=_DAMAGED) from None
        if not isinstance(found, dict) or not all(isinstance(d, str) for d in found.values()):
            raise ConfigError(f"{self.path}: it is not a list of folders", fix=_DAMAGED)
        return found

    def add(self, folder: Path, data: bytes) -> None:
        """Accepts the project file of a folder as it is."""
        self._write({**self.digests(), _name(folder): digest(data)})

    def remove(self, folder: Path) -> bool:
        """Takes a folder off the list; False when it is not on it."""
        kept = self.digests()
        if kept.pop(_name(folder), None) is None:
            return False
        self._write(kept)
        return True

    def accepted(self, folder: Path) -> str | None:
        """The digest of the project file that was accepted in a folder."""
        return self.digests().get(_name(folder))

    def _write(self, digests: dict[str, str]) -> None:
        part = self.path.with_name(f"{FILE}.{os.getpid()}.part")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with os.fdopen(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as out:
                json.dump(dict(sorted(digests.items())), out, indent=1)
                out.flush()
                os.fsync(out.fileno())
            part.replace(self.path)
        except OSError as error:
            raise ConfigError(f"{self.path} cannot be written: {error.strerror}") from None
        finally:
            part.unlink(missing_ok=True)


_DAMAGED = "Remove the file, then trust the folders again with `thalamus config trust DIR`."


def digest(data: bytes) -> str:
    """What stands for the words of a project file."""
    import hashlib

    return hashlib.sha256(data).hexdigest()


def _name(folder: Path) -> str:
    return str(folder.resolve())

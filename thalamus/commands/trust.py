"""`thalamus config trust`: accepts the project file of a directory, or revokes that."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.config import PROJECT_FILE, digest, read_file
from thalamus.errors import UsageError
from thalamus.records.installation import FolderState, TrustedFolder
from thalamus.terminal import jsonl
from thalamus.terminal.lines import one_line
from thalamus.terminal.streams import say
from thalamus.text.visible import visible

if TYPE_CHECKING:
    from thalamus.config import TrustedFolders


def accept(folder: Path, trusted: TrustedFolders, json: bool) -> None:
    """Trusts the current project file of a directory, and prints its settings. Raises
    ``UsageError`` if there is no such file, ``ConfigError`` if it cannot be read."""
    from thalamus.config import check_settings

    file = _folder(folder) / PROJECT_FILE
    if not file.is_file():
        raise UsageError(f"There is no {PROJECT_FILE} in {visible(str(file.parent))}.")
    data = file.read_bytes()
    settings = check_settings(read_file(file, data), str(file))
    trusted.add(file.parent, data)
    if json:
        jsonl.write(TrustedFolder(folder=str(file.parent.resolve()), state="trusted"))
        return
    say(f"trusted until it changes: {one_line(str(file))}")
    for name, value in settings.items():
        say(f"  {name}: {_shown(value)}")


def take_back(folder: Path, trusted: TrustedFolders, json: bool) -> None:
    """Revokes the trust in a directory. Raises ``UsageError`` if it was not trusted."""
    folder = _folder(folder)
    if not trusted.remove(folder):
        raise UsageError(
            f"{visible(str(folder))} is not trusted.",
            fix="`thalamus config trust --list` lists trusted directories.",
        )
    if json:
        jsonl.write(TrustedFolder(folder=str(folder.resolve()), state="revoked"))
    else:
        say(f"no longer trusted: {one_line(str(folder))}")


def show_trusted(trusted: TrustedFolders, json: bool) -> None:
    """Prints the trusted directories, each with the state of its project file."""
    for name, accepted in trusted.digests().items():
        state = _state(Path(name) / PROJECT_FILE, accepted)
        if json:
            jsonl.write(TrustedFolder(folder=name, state=state))
        else:
            say(f"{state:7}  {one_line(name)}")


def _state(file: Path, accepted: str) -> FolderState:
    try:
        data = file.read_bytes() if file.is_file() else None
    except OSError:
        data = b""
    if data is None:
        return "gone"
    return "trusted" if digest(data) == accepted else "changed"


def _folder(given: Path) -> Path:
    """The directory; its project file may be given instead."""
    absolute = given.expanduser().absolute()
    return absolute.parent if absolute.name == PROJECT_FILE else absolute


def _shown(value: Any) -> str:
    import msgspec

    return visible(msgspec.json.encode(value).decode())

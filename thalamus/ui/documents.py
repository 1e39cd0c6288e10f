"""The page of documents: those in memory, and the import of others."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import OptionList, ProgressBar, Static

from thalamus.errors import UsageError
from thalamus.terminal.lines import counted, document_line, one_line
from thalamus.terminal.local import day
from thalamus.text.visible import visible
from thalamus.ui.actions import CHANGES, Changing
from thalamus.ui.dialogs import AskText
from thalamus.ui.entries import Entry
from thalamus.ui.entry_list import EntryList
from thalamus.ui.pages import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from thalamus.api import Thalamus
    from thalamus.records import Document

NOTHING = "No documents yet. i imports one; a file can also be dropped here, or its path pasted."


class DocumentsPage(Changing, Page):
    """The documents in memory, the newest first."""

    PAGE = "documents"
    AUTO_FOCUS = "EntryList"
    DEFAULT_CSS = """
    DocumentsPage EntryList { height: 1fr; }
    DocumentsPage ProgressBar { display: none; padding: 0 1; height: 1; }
    DocumentsPage.-reading ProgressBar { display: block; }
    DocumentsPage #news { height: auto; max-height: 40%; padding: 0 1; color: $text-muted; }
    """
    BINDINGS = [
        Binding("i", "import", "Import", tooltip="Import a file, or the files of a folder"),
        *(binding for binding in CHANGES if binding.key in ("d", "w", "u")),
    ]

    def content(self) -> ComposeResult:
        yield EntryList("Documents")
        yield ProgressBar(show_eta=False)
        yield Static("", id="news", markup=False)

    def on_mount(self) -> None:
        self.reload()

    def on_screen_resume(self) -> None:
        self.reload()

    def chosen_id(self) -> str | None:
        chosen = self.query_one(EntryList).chosen
        return chosen.id if chosen is not None else None

    def reload(self, id: str | None = None) -> None:
        shown = self.query_one(EntryList)
        self.fetch(
            lambda t: [_entry(document) for document in t.memories.documents()],
            lambda found: shown.fill(found, NOTHING),
            group="list",
            empty=lambda: shown.fill([], NOTHING),
        )

    def action_import(self) -> None:
        """Asks for a path, and reads the file or folder."""
        question = "Which file or folder should be read into memory?"
        hint = "It can also be dropped on this page."
        self.app.push_screen(AskText(question, hint=hint), self.read)

    def on_paste(self, event: events.Paste) -> None:
        """Handles a pasted path, or a file dropped on the terminal, which pastes its path."""
        paths = pasted_paths(event.text)
        if paths:
            event.stop()
            question = "Read this into memory?"
            self.app.push_screen(AskText(question, str(paths[0])), self.read)

    @on(OptionList.OptionSelected)
    def open_entry(self) -> None:
        """Shows everything about a document."""
        self.action_why()

    def read(self, name: str | None) -> None:
        """Reads a file, or the files of a folder, into memory."""
        if not name:
            return
        if not self.ui.config.memory:
            self.ui.report("import", UsageError("Memory is off.", fix="Page Settings turns it on."))
            return
        path = Path(next(iter(pasted_paths(name)), Path(name.strip()).expanduser()))
        self.add_class("-reading")
        self.query_one(ProgressBar).update(total=None, progress=0)
        self.query_one("#news", Static).update(f"Reading {visible(str(path))} …")

        def progress(done: int, total: int, line: str) -> bool:
            if not self.ui.leaving:
                self.app.call_from_thread(self._progress, done, total, line)
            return not self.ui.leaving

        def job(thalamus: Thalamus) -> list[str]:
            self.ui.unread.append(path)
            if self.ui.leaving:
                return []
            self.ui.reading, whole = True, False
            try:
                lines, whole = ingest(thalamus, path, progress)
            finally:
                self.ui.reading = False
                if whole or not self.ui.leaving:  # an error is shown by itself
                    self.ui.unread.remove(path)
            return lines

        failed = partial(self.remove_class, "-reading")
        self.fetch(job, self._read, group="import", slow=True, failed=failed)

    def _progress(self, done: int, total: int, line: str) -> None:
        self.query_one(ProgressBar).update(total=total, progress=done)
        self.query_one("#news", Static).update(visible(line))

    def _read(self, lines: list[str]) -> None:
        self.remove_class("-reading")
        self.query_one("#news", Static).update(visible("\n".join(lines)))
        self.reload()


def ingest(
    thalamus: Thalamus, path: Path, progress: Callable[[int, int, str], bool]
) -> tuple[list[str], bool]:
    """Reads a file, or the files of a folder. Returns a line about each, errors included, and
    whether all were read: ``progress``, which is called after each, returns False to stop."""
    from thalamus.readers.detect import walk as find_documents

    paths = find_documents([path], recursive=True)
    lines = []
    for done, one in enumerate(paths, 1):
        document = thalamus.ingest(one)
        lines.append(document_line(document))
        lines += [f"  {issue.message}" for issue in document.issues]
        if not progress(done, len(paths), lines[-1]) and done < len(paths):
            return lines, False
    return lines or [f"There is nothing to read in {path}."], True


def pasted_paths(text: str) -> list[Path]:
    """The files named in a pasted text: as a path, quoted or with escaped spaces, or as a file
    URL."""
    import shlex

    found = []
    for line in text.strip().splitlines():
        plain = unquote(urlsplit(line).path) if line.startswith("file://") else line.strip()
        try:
            words = shlex.split(plain)
        except ValueError:
            words = []
        for name in (plain, words[0] if len(words) == 1 else ""):
            path = Path(name).expanduser()
            if name and _exists(path):
                found.append(path)
                break
    return found


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # too long for a name: a text was pasted
        return False


def _entry(document: Document) -> Entry:
    title = document.title or document.path
    marks = f"{counted({'piece': document.chunks})}, {document.characters:,} characters"
    when, kind = day(document.recorded_at), document.format or "document"
    return Entry(document.stored_id, "document", when, kind, one_line(title), marks)

"""The pages of the manual, shown on the terminal."""

from __future__ import annotations

import re
import shutil
import sys

from thalamus.templates import packaged
from thalamus.terminal.streams import say_text

WIDEST = 100  # columns of a page
_PICTURE = re.compile(r"^!\[[^]]*\]\([^)]*\)\n+", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
INDEX = "README"  # the page that lists the others


def names() -> list[str]:
    """The names of the pages."""
    return sorted(path.stem for path in packaged("docs").glob("*.md"))


def show(name: str) -> None:
    """Prints a page: as it is, or on a terminal formatted, in the pager."""
    text = _read(name)
    if not sys.stdout.isatty():
        say_text(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(width=min(shutil.get_terminal_size().columns, WIDEST), highlight=False)
    shown = Markdown(_PICTURE.sub("", text), hyperlinks=False, code_theme="bw")
    with console.pager(styles=console.is_terminal):
        console.print(shown)


def _read(name: str) -> str:
    return _COMMENT.sub("", (packaged("docs") / f"{name}.md").read_text(encoding="utf-8"))

"""`thalamus ingest`: reads documents into memory."""

from __future__ import annotations

import re
import sys
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import MODELS, OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.errors import UsageError
from thalamus.names import too_long
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from thalamus.records import Document

_SCHEME = re.compile(r"\w[\w+.-]+:/")
LONGEST = 60  # characters of a name in the line about it
MOST_KINDS = 5  # of files that were passed over, which are named

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings(*MODELS, *OWNER, *STORE)
def ingest(
    config: Config,
    files: Annotated[
        list[str], typer.Argument(metavar="FILES…", help="Files or web addresses; - is stdin.")
    ],
    recursive: Annotated[
        bool, typer.Option("--recursive", "-r", help="Read the documents in directories.")
    ] = False,
    no_summary: Annotated[
        bool, typer.Option("--no-summary", help="Do not let the model write summaries.")
    ] = False,
    project: Annotated[
        str | None, typer.Option(metavar="NAME", help="Link the documents with this project.")
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Name of what comes from stdin."),
    ] = None,
    include_forgotten: Annotated[
        bool, typer.Option("--include-forgotten", help="Also read what was forgotten here.")
    ] = False,
    json: Json = False,
) -> None:
    """Read documents into memory, in chunks with their page and position.

    PDF, Markdown, text, HTML, e-mails and notebooks, and pages or documents on the network by their
    address.
    What is stored already is skipped. Sentences that were forgotten are left out, unless
    --include-forgotten is given. A file that fails is reported and the others are still read;
    the exit status is then 1, or 2 if they are only missing or may not be opened.
    """
    from pathlib import Path

    from thalamus.commands.options import engine
    from thalamus.memory.documents.ingest import UNNAMED
    from thalamus.policy.sources import is_address
    from thalamus.readers.detect import walk as find_documents
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import document_line
    from thalamus.terminal.progress import StepLine, counting

    named = [Path(name) for name in files if name != "-" and not is_address(name)]
    _check(name, files, named)
    found: list[str | Path] = [name for name in files if is_address(name)]
    passed_over: Counter[str] = Counter()
    found += find_documents(named, recursive, passed_over)
    total = len(found) + ("-" in files)
    stdin = (name or UNNAMED[0]) if "-" in files else None
    failed = unreadable = 0
    with (
        engine(config) as thalamus,
        counting("read", "documents", total) as advance,
        StepLine() as step,
    ):
        of = thalamus.projects.get(project).id if project is not None else None
        if total == 1 and found:  # more are counted
            step(f"reading {str(found[0])[:LONGEST]}")
        read = partial(thalamus.ingest, project=of, include_forgotten=include_forgotten)
        for document in _documents(found, stdin, not no_summary, read):
            step.clear()
            failed += document.status == "failed"
            unreadable += _unreadable(document, named)
            if json:
                jsonl.write(document)
            else:
                say(document_line(document))
            advance(1)
    if passed_over:
        complain(_passed_over(passed_over))
    if failed:
        sys.exit(2 if unreadable == failed else 1)


def _check(name: str | None, files: list[str], named: list[Path]) -> None:
    """Raises ``UsageError`` for a name of standard input that is not read or too long, and for an
    address that cannot be read. An empty name is refused as that of every option."""
    from thalamus.policy.sources import ADDRESS_ADVICE

    if name is not None and "-" not in files:
        raise UsageError("--name names what comes from standard input.", fix="Add `-` to read it.")
    if problem := too_long(name or ""):
        raise UsageError(f"--name {problem}.", fix="Choose a shorter name.")
    for path in named:
        if _SCHEME.match(str(path)) and not path.exists():
            raise UsageError(f"{path} is neither a file nor a web address.", fix=ADDRESS_ADVICE)


def _unreadable(document: Document, named: list[Path]) -> bool:
    """True for a named file that is missing or may not be opened."""
    return document.kind in ("missing", "unreadable") and any(
        str(path) == document.path and (path.is_file() or not path.exists()) for path in named
    )


def _passed_over(count: Counter[str]) -> str:
    """A line about the files in directories that were not read."""
    total = count.total()
    kinds = [
        f"{suffix or 'no suffix'} {number}" for suffix, number in count.most_common(MOST_KINDS)
    ]
    kinds += ["…"] if len(count) > MOST_KINDS else []
    files = "1 file was" if total == 1 else f"{total} files were"
    return (
        f"thalamus: {files} passed over ({', '.join(kinds)})\n"
        "  `thalamus ingest FILE` reads any text, whatever its name."
    )


def _documents(
    found: list[str | Path],
    stdin: str | None,
    summarise: bool,
    read: Callable[..., Document],
) -> Iterator[Document]:
    """Ingests the documents one by one, first standard input under its name. After a missing model,
    no more summaries are attempted."""

    def done(document: Document) -> Document:
        nonlocal summarise
        for issue in document.issues:
            text = f"thalamus: {document.path}: {issue.message}"
            complain(f"{text}\n  {issue.fix}" if issue.fix else text)
            if issue.code in ("model_unreachable", "model_missing"):
                complain("thalamus: continuing without summaries")
                summarise = False
        return document

    if stdin is not None:
        data = _standard_input(stdin)
        yield done(read(data, name=stdin, summary=summarise))
    for one in found:
        yield done(read(one, summary=summarise))


def _standard_input(name: str) -> bytes:
    """The content of standard input; if it is too large, one byte more than allowed."""
    from thalamus.readers.detect import MAX_BYTES, format_of_bytes
    from thalamus.terminal.streams import read_input

    head = read_input(1024)
    return head + read_input(MAX_BYTES[format_of_bytes(head, name)] + 1 - len(head))

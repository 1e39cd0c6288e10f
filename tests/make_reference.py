"""The reference of the commands, read from the program itself: a page of Markdown, and man pages.

``python -m tests.make_reference docs/commands.md`` writes what follows the mark in that
page; with a folder, the man pages into it.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import typer.main
from msgspec import Struct

from thalamus.cli import app
from thalamus.commands.examples import EXAMPLES
from thalamus.commands.options import SHARED
from thalamus.commands.table import COMMANDS, GROUPS, MORE
from thalamus.config import SETTINGS
from thalamus.errors import ThalamusError
from thalamus.version import VERSION

MARK = "<!-- What follows is written by `just commands`, from the program's own help. -->\n"
# what the table of the page shows of each command
IDEAS = ("--json", "--limit", "--since", "--fail-empty", "--keep-going", "--dry-run")
MANY = 5  # commands from which an option is explained once


class Entry(Struct):
    """A command or a group: its words, the arguments of its usage, what it does, its own options
    with their help, the ``names`` of all its options, and the commands of a group."""

    words: str
    usage: str
    text: str
    options: list[tuple[str, str]]
    names: frozenset[str]
    commands: list[Entry]

    def leaves(self) -> Iterator[Entry]:
        """The commands that run: this one, or those of the group."""
        if not self.commands:
            yield self
        for one in self.commands:
            yield from one.leaves()


def entries() -> list[Entry]:
    """The top-level commands, in the order of their sections."""
    root: Any = typer.main.get_command(app)
    context = click.Context(root, info_name="thalamus", **root.context_settings)
    return [
        _entry(root.get_command(context, name), name, context)
        for section in (*GROUPS.values(), *MORE.values())
        for name in section
    ]


def _entry(command: Any, name: str, parent: Any) -> Entry:
    context = click.Context(command, info_name=name, parent=parent)
    rows = [one.get_help_record(context) for one in command.get_params(context)]
    usage = " ".join(command.collect_usage_pieces(context))
    nested = command.list_commands(context) if hasattr(command, "list_commands") else []
    return Entry(
        words=context.command_path.removeprefix("thalamus "),
        usage=usage.replace("[OPTIONS]", "").strip(),
        text="\n\n".join(" ".join(part.split()) for part in (command.help or "").split("\n\n")),
        options=[row for row in rows if row and "--help" not in row[0]],
        names=frozenset(name for one in command.params for name in one.opts),
        commands=[_entry(command.get_command(context, one), one, context) for one in nested],
    )


# -- Markdown --------------------------------------------------------------------------------------


def page(text: str) -> str:
    """The page of the commands, with everything after the mark made anew."""
    found = entries()
    common = _common(found)
    parts = [f"{text.partition(MARK)[0]}{MARK}", *_table(found), *_common_section(common)]
    parts += [part for one in found for part in _sections(one, "##", common)]
    return "\n".join(parts)


def _common(found: Sequence[Entry]) -> set[tuple[str, str]]:
    """Options that many commands have, with the same help."""
    counts = Counter(row for one in found for leaf in one.leaves() for row in leaf.options)
    return {row for row, count in counts.items() if count >= MANY and row[0].startswith("-")}


def _table(found: Sequence[Entry]) -> Iterator[str]:
    yield "## What each command takes\n"
    rows = [["command", *(f"`{idea}`" for idea in IDEAS)], ["---"] * (len(IDEAS) + 1)]
    for leaf in (leaf for one in found for leaf in one.leaves()):
        rows.append([f"`{leaf.words}`", *("✓" * (idea in leaf.names) for idea in IDEAS)])
    yield "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _common_section(common: set[tuple[str, str]]) -> Iterator[str]:
    yield "## Options of many commands\n\nThey are not repeated below.\n"
    yield _list(sorted(common, key=lambda row: row[0].lstrip("-")))
    yield _list([(f"{', '.join(names)} {value}", text) for names, value, text in SHARED.values()])


def _sections(entry: Entry, level: str, common: set[tuple[str, str]]) -> Iterator[str]:
    yield f"{level} `thalamus {entry.words}`\n\n{entry.text}\n"
    if not entry.commands:
        yield "\n".join(["```sh", *EXAMPLES.get(entry.words, ()), "```\n"])
        if own := [row for row in entry.options if row not in common]:
            yield _list(own)
    for one in entry.commands:
        yield from _sections(one, "###", common)


def _list(rows: Sequence[tuple[str, str]]) -> str:
    return "".join(f"- `{names}`: {text}\n" for names, text in rows)


# -- man pages -------------------------------------------------------------------------------------


def man_pages() -> dict[str, str]:
    """The text of each man page in roff, by its file name."""
    found = entries()
    pages = {"thalamus.1": _main_page()}
    for one in found:
        pages[f"thalamus-{one.words}.1"] = "\n".join(_man_page(one)) + "\n"
    return pages


def _main_page() -> str:
    lines = [*_title("thalamus", "long-term memory for local language models")]
    lines += [".SH SYNOPSIS", ".B thalamus", "[OPTIONS] COMMAND [ARGS]..."]
    for section, commands in {**GROUPS, **MORE}.items():
        lines.append(f".SH {_roff(section.upper())}")
        for name, summary in commands.items():
            lines += [".TP", f".BR thalamus\\-{_roff(name)} (1)", _roff(summary)]
    lines.append(".SH SHARED OPTIONS")
    for options, value, text in SHARED.values():
        lines += [".TP", f".B {_roff(', '.join(options))} {_roff(value)}", _roff(text)]
    lines.append(".SH EXIT STATUS")
    for code, names in sorted(_codes().items()):
        lines += [".TP", f".B {code}", _roff(", ".join(names))]
    lines += [".SH ENVIRONMENT", "Each setting is also a variable:"]
    lines.append(_roff(", ".join(sorted(f"THALAMUS_{name.upper()}" for name in SETTINGS))) + ".")
    lines += [".SH SEE ALSO", "\\fBthalamus help topics\\fR lists the pages of the manual."]
    return "\n".join(lines) + "\n"


def _codes() -> dict[int, list[str]]:
    """The names of errors by their exit status, which is theirs alone except for 1."""
    found: dict[int, list[str]] = {0: ["success"]}
    todo: list[type[ThalamusError]] = [ThalamusError]
    for kind in todo:
        todo += kind.__subclasses__()
        if kind.name not in found.setdefault(kind.code, []):
            found[kind.code].append(kind.name)
    return found


def _man_page(entry: Entry) -> Iterator[str]:
    yield from _title(f"thalamus-{entry.words}", COMMANDS[entry.words].rstrip("."))
    yield ".SH DESCRIPTION"
    yield _roff(entry.text)
    for leaf in entry.leaves():
        yield f".SH {_roff(f'thalamus {leaf.words}')}"
        yield f".B thalamus {_roff(leaf.words)}\n[OPTIONS] {_roff(leaf.usage)}\n.PP"
        if leaf is not entry:
            yield _roff(leaf.text)
        for names, text in leaf.options:
            yield f".TP\n.B {_roff(names)}\n{_roff(text)}"
        yield ".PP\nExamples:\n.PP\n.nf"
        yield from (_roff(line) for line in EXAMPLES.get(leaf.words, ()))
        yield ".fi"
    yield ".SH SEE ALSO\n.BR thalamus (1)"


def _title(name: str, summary: str) -> Iterator[str]:
    yield f'.TH {name.upper()} 1 "" "Thalamus {VERSION}"'
    yield f".SH NAME\n{_roff(name)} \\- {_roff(summary)}"


def _roff(text: str) -> str:
    """The text without anything that roff takes for a request or an escape."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("\n\n", "\n.PP\n")
    text = re.sub(r"[^\x00-\x7f]", lambda found: f"\\[u{ord(found[0]):04X}]", text)
    lines = text.split("\n")
    return "\n".join(
        f"\\&{line}" if line[:1] in (".", "'") and line != ".PP" else line for line in lines
    )


def main(target: str) -> None:
    """Writes the page, or the man pages into a folder."""
    path = Path(target)
    if path.suffix == ".md":
        path.write_text(page(path.read_text()))
        return
    path.mkdir(parents=True, exist_ok=True)
    for name, text in man_pages().items():
        (path / name).write_text(text)


if __name__ == "__main__":
    main(sys.argv[1])

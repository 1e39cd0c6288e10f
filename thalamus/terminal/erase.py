"""What `forget` shows: what goes, how far it is, and how it went."""

from __future__ import annotations

import json as jsons
import shlex
import sys
from itertools import groupby
from typing import TYPE_CHECKING

from thalamus.errors import ForgetIncomplete
from thalamus.terminal import streams
from thalamus.terminal.lines import one_line, quoted
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.api import ForgetReport
    from thalamus.config import Config

SHORT = 70  # characters of a text
HEADINGS = {
    "turn": "turns",
    "memory": "memories",
    "fact": "facts",
    "document": "documents",
    "chunk": "document chunks",
    "plan": "saved plans",
    "event": "ledger entries",
    "alias": "merged names",
    "predicate": "custom predicates",
    "history": "chat history entries",
}
UNNAMED = ("alias", "predicate")  # no command takes the ids of these


class StepLine:
    """One line on a terminal's standard error about what is being done."""

    def __init__(self) -> None:
        self._possible = sys.stderr.isatty()
        self._width = 0

    def __enter__(self) -> StepLine:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def __call__(self, what: str) -> None:
        if self._possible:
            self.clear()
            streams.status(f"{what} …")
            self._width = len(what) + 2

    def clear(self) -> None:
        """Takes the line away."""
        if self._width:
            streams.clear_status(self._width)
            self._width = 0


def show_plan(report: ForgetReport, json: bool) -> None:
    """What goes, by kind, each with the reason; ledger entries by reason."""
    if json:
        from thalamus.terminal import jsonl

        for verdict in (*(verdict for _, verdict in report.items), *report.kept):
            jsonl.write(verdict)
        return
    for group, items in groupby(report.items, key=lambda item: item[0]):
        verdicts = [verdict for _, verdict in items]
        say(f"{HEADINGS.get(group, group)}: {len(verdicts)}")
        if group == "event":
            for reason in dict.fromkeys(verdict.reason for verdict in verdicts):
                count = sum(verdict.reason == reason for verdict in verdicts)
                say(f"  {count} emptied: {reason}")
            continue
        for verdict in verdicts:
            id = "" if group in UNNAMED else f"  [{verdict.id}]"
            say(f"  {quoted(verdict.content, SHORT)}{id}  {verdict.reason}")
    if report.sessions:
        say(f"sessions: {len(report.sessions)} renamed, because their names contain the text")
    if report.history:
        say(f"{HEADINGS['history']}: {report.history}")
    if report.kept:
        say(f"kept, without its origin: {len(report.kept)}")
        for verdict in report.kept:
            say(f"  {quoted(verdict.content, SHORT)}  [{verdict.id}]")


def command(id: str = "", about: str | None = None) -> str:
    """The command line that forgets something: one thing, or what is ``about`` another."""
    return f"thalamus forget --about {shlex.quote(about)}" if about else f"thalamus forget {id}"


def show_report(report: ForgetReport, json: bool, at: str) -> None:
    """How it went. Raises ``ForgetIncomplete`` when something is left."""
    if json and (report.done or report.search.found):
        from thalamus.terminal import jsonl

        jsonl.write(report.event(at))
    elif report.done:
        say(
            f"forgotten: {_counted(report.counts)}; {report.search.files} files"
            f" ({report.search.bytes / 1e6:.1f} MB) searched for {report.search.probes} texts"
        )
    for problem in report.left:
        complain(f"thalamus: not done: {problem}")
    if report.search.words and report.done:
        words = ", ".join(report.search.words[:12])
        more = " …" if len(report.search.words) > 12 else ""
        complain(f"Words that also occur in kept records: {words}{more}")
    for file in report.copies:
        complain(
            f"thalamus: {file} is a copy that still contains it; delete it, or create it again"
        )
    own = [found for found in report.residue if not found.copy]
    for found in own[:20]:
        where = f"{found.file}, byte {found.offset}" if found.offset >= 0 else found.file
        complain(f"thalamus: left: {where}: {found.what}")
    if report.residue:
        files = len({found.file for found in report.residue})
        raise ForgetIncomplete(f"{len(report.residue)} places in {files} files still contain it.")


def show_unfinished(left: list[str]) -> None:
    """What ``--finish`` did."""
    if left:
        raise ForgetIncomplete("; ".join(left))
    say("Indexes, log and database were rewritten; nothing is left to do.")


def show_receipt(data: bytes, config: Config) -> None:
    """What a receipt that is whole says, on two lines."""
    from thalamus.api import is_own_receipt

    receipt = jsons.loads(data)
    checks = receipt["checks"]
    left = len(checks.get("residue", ()))
    say(f"{receipt['at']}: {_counted(receipt['counts'])} forgotten; {left} places left")
    mine = " (the key of this machine)" if is_own_receipt(data, config) else ""
    say(f"signed by {receipt['public_key']}{mine}")


def _counted(counts: dict[str, int]) -> str:
    return one_line(
        ", ".join(f"{count} {HEADINGS.get(kind, kind)}" for kind, count in counts.items())
    )

"""What `forget` shows: what goes, how far it is, and how it went."""

from __future__ import annotations

import json as jsons
import sys
from itertools import groupby
from typing import TYPE_CHECKING

from thalamus.errors import ForgetIncomplete
from thalamus.terminal.plain import one_line, quoted

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.forgetting import ForgetReport

SHORT = 70  # characters of a text
HEADINGS = {
    "turn": "turns",
    "memory": "memories",
    "fact": "facts",
    "document": "documents",
    "chunk": "pieces of documents",
    "plan": "saved plans",
    "event": "ledger entries",
    "alias": "names that were merged",
    "predicate": "predicates of your own",
    "history": "entries of the chat's history",
}
UNNAMED = ("alias", "predicate")  # no command takes the ids of these


class Steps:
    """One line on a terminal's standard error about what is being done."""

    def __init__(self) -> None:
        self._possible = sys.stderr.isatty()
        self._width = 0

    def __enter__(self) -> Steps:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def __call__(self, what: str) -> None:
        if self._possible:
            self.clear()
            print(f"\r{what} …", end="", file=sys.stderr, flush=True)
            self._width = len(what) + 2

    def clear(self) -> None:
        """Takes the line away."""
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr, flush=True)
            self._width = 0


def show(report: ForgetReport, json: bool) -> None:
    """What goes, by kind, each with the reason; ledger entries by reason."""
    if json:
        from thalamus.terminal import jsonl

        for verdict in (*(verdict for _, verdict in report.items), *report.kept):
            jsonl.write(verdict)
        return
    for group, items in groupby(report.items, key=lambda item: item[0]):
        verdicts = [verdict for _, verdict in items]
        print(f"{HEADINGS.get(group, group)}: {len(verdicts)}")
        if group == "event":
            for reason in dict.fromkeys(verdict.reason for verdict in verdicts):
                count = sum(verdict.reason == reason for verdict in verdicts)
                print(f"  {count} emptied: {reason}")
            continue
        for verdict in verdicts:
            id = "" if group in UNNAMED else f"  [{verdict.id}]"
            print(f"  {quoted(verdict.content, SHORT)}{id}  {verdict.reason}")
    if report.sessions:
        print(f"sessions: {len(report.sessions)} get another name, theirs holds the words")
    if report.history:
        print(f"{HEADINGS['history']}: {report.history}")
    if report.kept:
        print(f"stays, with its origin cut: {len(report.kept)}")
        for verdict in report.kept:
            print(f"  {quoted(verdict.content, SHORT)}  [{verdict.id}]")


def tell(report: ForgetReport, json: bool, at: str) -> None:
    """How it went. Raises ``ForgetIncomplete`` when something is left."""
    if json and (report.done or report.search.found):
        from thalamus.terminal import jsonl

        jsonl.write(report.event(at))
    elif report.done:
        print(
            f"forgotten: {_counted(report.counts)}; {report.search.files} files"
            f" ({report.search.bytes / 1e6:.1f} MB) searched for {report.search.probes} texts"
        )
    for problem in report.left:
        print(f"thalamus: could not be done: {problem}", file=sys.stderr)
    if report.search.words and report.done:
        words = ", ".join(report.search.words[:12])
        more = " …" if len(report.search.words) > 12 else ""
        print(f"These words of it also stand in what was kept: {words}{more}", file=sys.stderr)
    for file in report.copies:
        print(
            f"thalamus: {file} is a copy that holds it and was not changed;"
            " delete it, or make it anew",
            file=sys.stderr,
        )
    own = [found for found in report.residue if not found.copy]
    for found in own[:20]:
        where = f"{found.file}, byte {found.offset}" if found.offset >= 0 else found.file
        print(f"thalamus: left: {where}: {found.what}", file=sys.stderr)
    if report.residue:
        files = len({found.file for found in report.residue})
        raise ForgetIncomplete(f"{len(report.residue)} places in {files} files hold some of it.")


def tell_left(left: list[str]) -> None:
    """What ``--finish`` did."""
    if left:
        raise ForgetIncomplete("; ".join(left))
    print("Indexes, log and database were written anew; nothing is left to be done.")


def tell_receipt(data: bytes, config: Config) -> None:
    """What a receipt that is whole says, on two lines."""
    receipt = jsons.loads(data)
    checks = receipt["checks"]
    left = len(checks.get("residue", ()))
    print(f"{receipt['at']}: {_counted(receipt['counts'])} forgotten; {left} places left")
    mine = ""
    if (config.config_dir / "signing.key").is_file():
        from thalamus.receipt_key import signing_key

        public = signing_key(config).public_key().public_bytes_raw().hex()
        mine = " (the key of this machine)" if public == receipt["public_key"] else ""
    print(f"signed by {receipt['public_key']}{mine}")


def _counted(counts: dict[str, int]) -> str:
    return one_line(
        ", ".join(f"{count} {HEADINGS.get(kind, kind)}" for kind, count in counts.items())
    )

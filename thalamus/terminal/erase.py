"""Output of `forget`: the plan, the progress and the result."""

from __future__ import annotations

import json as jsons
import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from thalamus.errors import ForgetIncomplete, NothingFound, NothingMatches
from thalamus.terminal.lines import counted, one_line, plural, quoted
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.memory.forget.erase import ForgetOptions, ForgetReport
    from thalamus.records import Verdict

SHORT = 70  # characters of a text
WHOLE = 400  # characters of a message that is deleted as a whole
NAMED = 40  # characters of an entry named in a reason
NAMES = {  # kinds with other names than in the store
    "chunk": "document chunk",
    "plan": "saved plan",
    "event": "ledger entry",
    "stage_log": "stage log",
    "sentence": "sentence of a turn",
    "session_title": "session title",
    "discovery_source": "source",
    "exported_file": "exported file",
    "alias": "merged name",
    "predicate": "custom predicate",
    "world": "world state entry",
    "world_change": "world state change",
    "history": "chat history entry",
}
REASONS = {"named": "what you asked to delete"}  # by rule; others have a reason
UNNAMED = ("alias", "predicate", "world")  # kinds whose ids no command takes


def show_plan(report: ForgetReport, json: bool) -> None:
    """Prints what will be deleted: the number of each kind, then each entry with its reason; logs
    and ledger entries by reason. After that the entries that are kept although their source is
    deleted."""
    if json:
        from thalamus.terminal import jsonl

        for verdict in (*(verdict for _, verdict in report.items), *report.kept):
            jsonl.write(verdict)
        return
    texts = {verdict.id: verdict.content for _, verdict in report.items if verdict.id}
    _show_counts(report)
    for group, items in groupby(report.items, key=lambda item: item[0]):
        verdicts = [verdict for _, verdict in items]
        heading = f"{plural(NAMES.get(group, group))}: {len(verdicts):,}"
        if group in ("event", "stage_log"):
            say(f"{heading} (their content is deleted)" if group == "event" else heading)
            for reason, count in Counter(_reason(one, texts) for one in verdicts).items():
                say(f"  {count:,} {reason}")
            continue
        say(heading)
        for verdict in verdicts:
            id = "" if group in UNNAMED else f"  [{verdict.id}]"
            most = WHOLE if group == "turn" else SHORT
            say(f"  {quoted(verdict.content, most)}{id}  ({_reason(verdict, texts)})")
    if report.sessions:
        say(f"sessions: {len(report.sessions):,} renamed (the name contains words to be forgotten)")
    if report.history:
        say(f"{plural(NAMES['history'])}: {report.history:,}")
    _show_kept(report)


def _show_kept(report: ForgetReport) -> None:
    """Prints the remains of shortened entries: of turns the deleted and the kept parts, and the
    rest."""
    if report.shortened:
        say(f"turns that are shortened: {len(report.shortened):,}")
    for one in report.shortened:
        sentences = [" ".join(quoted(text, WHOLE) for text in one.removed)] if one.removed else []
        answer = ["the answer"] if "answer" in one.counts else []
        say(f"  deleted: {', and '.join([*sentences, *answer])}")
        say(f"  stays:   {quoted(one.left, WHOLE)}  [{one.turn.id}]")
    unlinked = [verdict for verdict in report.kept if verdict.rule != "shortened"]
    if unlinked:
        say(f"kept, but no longer linked to what is deleted: {len(unlinked):,}")
        for verdict in unlinked:
            say(f"  {quoted(verdict.content, SHORT)}  [{verdict.id}]")


def _show_counts(report: ForgetReport) -> None:
    """Prints how much will be deleted, if it is more than one thing, and how much of it is kept."""
    if len(report.items) > 1 or report.shortened:
        say(f"to delete: {_counted(report.count())}")
    if report.stays:
        kept = counted({NAMES.get(kind, kind): n for kind, n in report.stays.items()})
        say(f"to keep of what came from it: {kept}, listed at the end")


def _reason(verdict: Verdict, texts: Mapping[str, str]) -> str:
    """The reason for a deletion, with the words of other deleted entries in place of their ids."""
    if verdict.rule in REASONS:
        return REASONS[verdict.rule]
    return re.sub(
        r"[^\s,]+",
        lambda word: quoted(texts[word[0]], NAMED) if word[0] in texts else word[0],
        verdict.reason,
    )


def nothing_to_forget(options: ForgetOptions, error: NothingFound) -> NothingFound:
    """The error for a selection that matches nothing, in terms of the selection."""
    if options.query:
        text = f"Nothing in the store contains {quoted(options.query)}."
        return NothingMatches(text, fix="--about also finds other forms of the words.")
    if options.subject:
        name = quoted(options.subject)
        return NothingMatches(f"There are no facts about {name}, and nothing mentions it.")
    if options.session:
        return NothingMatches(f"Nothing is stored of a session {quoted(options.session)}.")
    if options.about:
        return NothingMatches(f"Nothing is stored about {quoted(options.about)}.")
    words = " ".join(options.ids)
    if words and not any("_" in id and " " not in id for id in options.ids):
        error.fix = f"It is not an id. For everything about it: `{command(about=words)}`."
    return error


def command(ids: Sequence[str] = (), about: str | None = None) -> str:
    """The command line that deletes entries, or everything ``about`` something."""
    if about:
        return f"thalamus forget --about {shlex.quote(about)}"
    return " ".join(["thalamus forget", *ids])


def show_report(report: ForgetReport, json: bool, at: str) -> None:
    """Prints the deleted things. Raises ``ForgetIncomplete`` if something is left."""
    if json and (report.done or report.search.found):
        from thalamus.terminal import jsonl

        jsonl.write(report.event(at))
    elif report.done:
        say(f"deleted: {_counted(report.counts)}")
        search = report.search
        result = "" if report.residue else ": nothing is left"
        rows = f"{search.rows:,} rows and " if search.rows else ""
        say(
            f"searched {rows}{search.files:,} files ({search.bytes / 1e6:.1f} MB) for"
            f" {search.probes:,} pieces of the deleted texts{result}"
        )
    for limit in report.search.limits if report.done else ():
        complain(f"thalamus: {limit}")
    for problem in report.left:
        complain(f"thalamus: not done: {problem}")
    if report.search.words and report.done:
        words = ", ".join(report.search.words[:12])
        more = " …" if len(report.search.words) > 12 else ""
        complain(f"Not searched for, because kept entries contain them too: {words}{more}")
    for file in report.copies:
        complain(
            f"thalamus: {file} is a backup that still contains it; delete it, or create a new one"
        )
    for file in report.exports:
        complain(f"thalamus: {file} is an export that contains it; delete it, or export again")
    own = [found for found in report.residue if not found.copy]
    for found in own[:20]:
        where = f"{found.file}, byte {found.offset}" if found.offset >= 0 else found.file
        complain(f"thalamus: still there: {where}: {found.what}")
    if report.residue:
        files = len({found.file for found in report.residue})
        raise ForgetIncomplete(f"{len(report.residue)} places in {files} files still contain it.")


def show_unfinished(left: list[str]) -> None:
    """Prints the result of ``--finish``. Raises ``ForgetIncomplete`` if something is left."""
    if left:
        raise ForgetIncomplete("; ".join(left))
    say("What was deleted is erased; nothing is left to do.")


def show_receipt(data: bytes, config: Config) -> None:
    """Prints the content of an intact receipt, on two lines."""
    from thalamus.security.receipts import is_own_receipt

    receipt = jsons.loads(data)
    residue = len(receipt["checks"].get("residue", ()))
    left = f"{counted({'piece': residue})} left" if residue else "nothing was left"
    say(f"deleted on {receipt['at']}: {_counted(receipt['counts'])}; {left}")
    mine = " (the key of this machine)" if is_own_receipt(data, config) else ""
    say(f"signed by {receipt['public_key']}{mine}")


def show_covered(data: bytes, text: str) -> None:
    """Prints which rows of a receipt contained this text. Raises ``NothingMatches``."""
    from thalamus.security.receipts import covers

    found = covers(data, text)
    if not found:
        raise NothingMatches("The receipt does not cover this text.")
    ids = ["the words that were given to forget" if id == "name" else id for id in found]
    say(f"The receipt covers this text: {', '.join(ids)}")


def _counted(counts: dict[str, int]) -> str:
    rows = {NAMES.get(kind, kind): n for kind, n in counts.items() if kind != "event"}
    parts = [counted(rows)] if any(rows.values()) else []
    if entries := counts.get("event"):
        parts.append(f"the content of {counted({NAMES['event']: entries})}")
    return one_line(", ".join(parts) or "nothing")

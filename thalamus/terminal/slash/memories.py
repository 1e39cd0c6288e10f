"""Slash commands about memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.errors import NothingFound, NothingMatches, UsageError
from thalamus.terminal import lines
from thalamus.terminal.streams import say as print  # all output is for people
from thalamus.text.analyzer import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thalamus.memory.forget.erase import ForgetReport
    from thalamus.records import Memory
    from thalamus.terminal.slash.chat import Chat

MOST = 15  # entries in a listing


def _print_last(
    shown: Sequence[str], best: str, total: int | None = None, advice: str = ""
) -> None:
    """Prints lines in reverse order, so that the ``best`` ("newest", "strongest") are right above
    the prompt. If fewer than ``total`` are shown (None: unknown), says how to see the others."""
    for line in reversed(shown):
        print(line)
    if total is None and len(shown) == MOST:
        print(f"({MOST} at most are shown, the {best} last)")
    elif total is not None and total > len(shown):
        print(f"(the {best} {len(shown)} of {total:,}, the {best} last; {advice})")


def memory(chat: Chat, words: str) -> None:
    from thalamus.records import Instruction

    if words in ("on", "off"):
        _switch_memory(chat, words == "on")
        return
    thalamus = chat.thalamus
    if thalamus.open_store(False) is None:
        print("There are no memories yet.")
        return
    if words:
        wanted = Instruction(mode="memory", query=words, limit=MOST)
        matching = thalamus.recall(words, limit=MOST, instruction=wanted)
        _print_last([lines.evidence_line(item, 200) for item in matching], "best")
        if not matching:
            print("No memories match.")
        return
    found = thalamus.memories.find(limit=MOST)
    total = thalamus.memories.count()["memory"]
    advice = "/memory WORDS searches, `thalamus memory --limit N` lists more"
    _print_last(list(map(lines.memory_line, found)), "newest", total, advice)
    if not found:
        print("There are no memories yet.")


def _switch_memory(chat: Chat, on: bool) -> None:
    if on != chat.thalamus.config.memory:
        chat.use_memory(on)
    print(f"memory is {'on' if on else 'off: nothing is recalled or stored'}")


def facts(chat: Chat, subject: str) -> None:
    found = chat.thalamus.facts.find(subject or None)
    if subject and not found:
        wanted = fold(subject)
        found = [
            fact
            for fact in chat.thalamus.facts.find()
            if wanted in fold(f"{fact.predicate.replace('_', ' ')} {fact.object}")
        ]
    found.sort(key=lambda fact: fact.created_at or "", reverse=True)
    shown = [lines.fact_line(fact) for fact in found[:MOST]]
    advice = "/facts SUBJECT narrows them down, `thalamus facts` lists all"
    _print_last(shown, "newest", len(found), advice)
    if not found:
        about = f"about {lines.quoted(subject)}" if subject else "yet"
        print(f"There are no facts {about}.")


def profile(chat: Chat, _rest: str) -> None:
    from thalamus.terminal.profile import profile_lines

    for line in profile_lines(chat.thalamus.facts.profile()):
        print(line)


def insights(chat: Chat, words: str) -> None:
    from msgspec import structs

    from thalamus.terminal.insights import insight_line

    thalamus = chat.thalamus
    if words:
        where = structs.replace(thalamus.here(), kinds=("insight",))
        matching = thalamus.recall(words, limit=MOST, where=where)
        _print_last([lines.evidence_line(item, 200) for item in matching], "best")
        if not matching:
            print("No insights match.")
        return
    found = thalamus.insights.find()
    shown = [insight_line(insight) for insight in found[:MOST]]
    advice = "/insights WORDS searches, `thalamus insights` lists all"
    _print_last(shown, "strongest", len(found), advice)
    waiting = thalamus.insights.count_jobs().get("waiting", 0)
    if not found:
        print("There are no insights yet.")
    if waiting:
        many = "1 turn waits" if waiting == 1 else f"{waiting} turns wait"
        print(f"({many} to be looked at for connections)")


def consolidate(chat: Chat, _rest: str) -> None:
    from thalamus.terminal.insights import reflection_lines

    for line in reflection_lines(chat.thalamus.insights.merge()):
        print(line)


def world(chat: Chat, _rest: str) -> None:
    from thalamus.terminal.world import world_lines

    found = list(world_lines(chat.thalamus.projects.world()))
    for line in found or ["The world state is empty; the routed flow fills it."]:
        print(line)


def correct(chat: Chat, rest: str) -> None:
    id, _, value = rest.partition(" ")
    if not value.strip():
        fix = "/correct fact_… Porto (/facts shows ids)"
        raise UsageError("Give the id of a fact and what is right.", fix=fix)
    print(lines.fact_line(chat.thalamus.facts.correct(id, value.strip())))


def edit(chat: Chat, rest: str) -> None:
    id, _, text = rest.partition(" ")
    if not text.strip():
        fix = "/edit mem_… The user likes tea. (/memory shows ids)"
        raise UsageError("Give the id of a memory and its new text.", fix=fix)
    old = chat.thalamus.memories.get(id)
    print(lines.memory_line(chat.thalamus.memories.edit(id, content=text.strip())))
    _list_unchanged_facts(chat, old)


def _list_unchanged_facts(chat: Chat, old: Memory) -> None:
    """Lists the facts from the same words: editing a memory changes no fact."""
    quote = old.provenance.quote if old.provenance else None
    facts = [
        fact for fact in chat.thalamus.facts.find() if quote is not None and fact.quote == quote
    ]
    if facts:
        print("These facts come from the same words and are unchanged until you /correct them:")
    for fact in facts:
        print(lines.fact_line(fact))


def forget(chat: Chat, what: str) -> None:
    from thalamus.memory.forget.erase import ForgetOptions
    from thalamus.terminal.erase import command, nothing_to_forget, show_plan, show_report

    thalamus = chat.thalamus
    about = what.removeprefix("about ").strip() if what.startswith("about ") else None
    ids = what.split()
    if what in ("", "last"):
        last = thalamus.sessions.last_turn()
        if last is None:
            raise NothingMatches("There are no turns in this session yet.")
        ids = [last]

    def sure(report: ForgetReport) -> bool:
        show_plan(report, json=False)
        line = command(ids, about)
        return chat.sure("Delete all of this permanently?", f"{line} --yes")

    options = ForgetOptions(about=about) if about is not None else ForgetOptions(ids=tuple(ids))
    try:
        report = thalamus.forget(options, confirm=sure)
    except NothingFound as error:
        raise nothing_to_forget(options, error) from None
    if report.done:
        show_report(report, json=False, at="")
        print("This cannot be undone.")


def ingest(chat: Chat, file: str) -> None:
    from pathlib import Path

    from thalamus.policy.sources import is_address

    if not file:
        raise UsageError("Missing file or address.", fix="/ingest notes.md")
    if not chat.thalamus.config.memory:
        raise UsageError("Memory is off.", fix="`/memory on` turns it on.")
    source = file if is_address(file) else Path(file).expanduser()
    document = chat.thalamus.ingest(source)
    print(lines.document_line(document))
    for issue in document.issues:
        print(f"  {issue.message}")

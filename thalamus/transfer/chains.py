"""Chains of a store, from message to answer, with a selection of the successful ones."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from msgspec import Struct, convert, field, structs

from thalamus.memory.stage_logs import logs_of
from thalamus.memory.views.courses import FOLLOWING, Course, is_corrected, read_courses
from thalamus.policy.evidence_text import used_words
from thalamus.policy.sensitivity import personal
from thalamus.records import Instruction, PromptMessage, StageLog, Turn
from thalamus.records.golden import Golden, GoldenContext, GoldenEvidence, GoldenOutcome
from thalamus.store import ledger
from thalamus.store import turns as turn_rows
from thalamus.store.encrypted import is_hidden
from thalamus.store.encryption import contents

if TYPE_CHECKING:
    from thalamus.store.base import Store
    from thalamus.transfer.export import Selection

# reasons for leaving a turn out, in the order of the checks
REASONS = {
    "hidden": "its key is not here",
    "issues": "something went wrong in it",
    "interrupted": "it was interrupted, or not answered",
    "not_logged": "there is no log of its stages",
    "cut_short": "its answer was cut short",
    "unused": "its answer used nothing that was recalled or is in the profile",
    "corrected": "it was corrected within three turns",
    "personal": "it is, or quotes, what is personal",
}


class Chain(Struct):
    """A turn with the logs of its stages, and its row. ``holds``: ids of everything it quotes;
    ``quoted``: those of personal evidence that only its prompt quotes."""

    turn: Turn
    logs: dict[str, StageLog]
    row: Golden
    holds: set[str] = field(default_factory=set)
    quoted: set[str] = field(default_factory=set)


class Chains:
    """The successful chains of a store, in the order of storage. ``turns``: turns considered;
    ``left_out``: excluded turns by reason; ``fluent``: turns that went well, with or without
    recalled evidence."""

    def __init__(self, store: Store, selection: Selection, include_personal: bool) -> None:
        self._store = store
        self._selection = selection
        self._include_personal = include_personal
        self.turns = 0
        self.left_out: Counter[str] = Counter()
        self.fluent: set[str] = set()
        self._courses: dict[str, Course] = defaultdict(Course)
        self._after: dict[str, list[str]] = {}

    def each(self) -> Iterator[Chain]:
        """The successful chains."""
        self._courses |= read_courses(ledger.entries(self._store))
        gone = turn_rows.withdrawn(self._store)
        turns = [turn for turn in self._store.each(Turn) if turn.id not in gone]
        self._find_following(turns)
        for turn in turns:
            if not self._selection.takes(turn):
                continue
            self.turns += 1
            found = self._judge(turn)
            if isinstance(found, str):
                self.left_out[found] += 1
            else:
                yield found

    def _find_following(self, turns: list[Turn]) -> None:
        sessions: dict[tuple[str | None, str | None], list[str]] = defaultdict(list)
        for turn in turns:
            sessions[turn.session, turn.user].append(turn.stored_id)
        for ids in sessions.values():
            for place, id in enumerate(ids, 1):
                self._after[id] = ids[place : place + FOLLOWING]

    def _judge(self, turn: Turn) -> Chain | str:
        """The chain of a turn, or the reason why it is left out."""
        id = turn.stored_id
        own = self._courses[id]
        later = [self._courses[other] for other in self._after[id]]
        if is_hidden(turn):
            return "hidden"
        if own.issues and not turn.interrupted:
            return "issues"
        if turn.interrupted or not turn.answer:
            return "interrupted"
        logs = {log.stage: log for log in logs_of(self._store, id) if not is_hidden(log)}
        answer = logs.get("answer")
        if answer is None:
            return "not_logged"
        if own.cut:
            return "cut_short"
        chain = self._chain(turn, logs, answer, later, own)
        used = [item.id for item in chain.row.recall_result if item.used]
        profile = _used_profile(turn, answer)
        corrected = is_corrected(own, [*used, *profile], later)
        secret = False
        if not self._include_personal:
            encrypted = contents.ids(self._store, sorted(chain.holds))
            chain = _without_personal(chain, encrypted)
            secret = _is_personal(chain, encrypted)
        if not (corrected or secret):
            self.fluent.add(id)
        if not (used or profile):
            return "unused"
        return "corrected" if corrected else "personal" if secret else chain

    def _chain(
        self,
        turn: Turn,
        logs: dict[str, StageLog],
        answer: StageLog,
        later: list[Course],
        own: Course,
    ) -> Chain:
        used = set(answer.gave.get("used", ()))
        found = {item["id"]: item for log in logs.values() for item in log.gave.get("evidence", ())}
        evidence = [
            _evidence(found[item["id"]], item, used)
            for item in answer.given.get("evidence", ())
            if item["id"] in found
        ]
        shown = list(answer.given.get("shown", ()))
        profile = answer.gave.get("profile", ())
        plans = [log.gave[name] for log in logs.values() for name in _PLANS if name in log.gave]
        decided = Counter(one["decision"] for one in own.decisions if one.get("id"))
        row = Golden(
            turn=turn.stored_id,
            impulse=turn.message,
            context=GoldenContext(
                at=turn.created_at,
                dialogue=self._dialogue(shown),
                profile=[line["text"] for line in profile if line.get("in_prompt")],
            ),
            generated_plan=convert(plans[-1] if plans else [], list[Instruction]),
            recall_result=evidence,
            final_synthesis=turn.answer or "",
            models={name: _model(log.model) for name, log in logs.items() if log.model},
            outcome=GoldenOutcome(
                used=sum(item.used for item in evidence),
                decisions=dict(sorted(decided.items())),
                followed=len(later),
            ),
        )
        holds = {turn.stored_id, *shown, *(item.id for item in evidence)}
        holds |= {id for line in profile for id in line["ids"]}
        return Chain(turn, logs, row, holds | set(answer.given.get("inputs", ())))

    def _dialogue(self, shown: list[str]) -> list[PromptMessage]:
        """The exchanges in a prompt, oldest first."""
        turns = {turn.id: turn for turn in self._store.by_ids(Turn, shown)} if shown else {}
        content = []
        for id in shown:
            turn = turns.get(id)
            if turn is None or is_hidden(turn):
                continue
            content.append(PromptMessage(role="user", content=turn.message))
            if turn.answer:
                content.append(PromptMessage(role="assistant", content=turn.answer))
        return content


_PLANS = ("retrieval_instructions", "search_plan")


def _without_personal(chain: Chain, encrypted: Collection[str]) -> Chain:
    """The chain without personal evidence that its answer did not use: a capable model reads all
    notes, whatever they are about. The prompt as it was sent quotes it."""
    gone = {
        item.id
        for item in chain.row.recall_result
        if not item.used and (item.id in encrypted or personal(item.text))
    }
    kept = [item for item in chain.row.recall_result if item.id not in gone]
    row = structs.replace(chain.row, recall_result=kept)
    return structs.replace(chain, row=row, holds=chain.holds - gone, quoted=gone)


def _is_personal(chain: Chain, encrypted: Collection[str]) -> bool:
    """True if a chain is encrypted, quotes encrypted content, or matches a rule for personal
    content."""
    if not chain.holds.isdisjoint(encrypted):
        return True
    row = chain.row
    texts = [row.impulse, row.final_synthesis, *(item.text for item in row.recall_result)]
    texts += [*row.context.profile, *(content.content for content in row.context.dialogue)]
    return any(personal(text) for text in texts)


def _model(name: str) -> str:
    """Name of a model without the directory of its file."""
    provider, colon, rest = name.partition(":")
    return f"{provider}{colon}{PurePath(rest).name}" if rest.startswith(("/", "~", ".")) else name


def _evidence(content: dict[str, Any], scored: dict[str, Any], used: set[str]) -> GoldenEvidence:
    return GoldenEvidence(
        id=content["id"],
        kind=content["kind"],
        text=content["text"],
        score=scored["score"],
        rank=scored["rank"],
        used=content["id"] in used,
    )


def _used_profile(turn: Turn, answer: StageLog) -> list[str]:
    """Ids behind the profile lines that the answer of a turn used."""
    lines = answer.gave.get("profile", ())
    content = [line for line in lines if used_words(line["text"], turn.message, turn.answer or "")]
    return [id for line in content for id in line["ids"]]

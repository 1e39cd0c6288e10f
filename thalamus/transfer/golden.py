"""The golden data set: successful turns as training rows."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, field, to_builtins

from thalamus import files
from thalamus.errors import CannotWrite, UsageError
from thalamus.memory.redaction import names_of_people
from thalamus.policy.redaction import Redactor
from thalamus.records import Plan, PromptMessage, StageLog, Turn
from thalamus.records.golden import GoldenCard, GoldenFile
from thalamus.records.json_line import to_line
from thalamus.store import stage_logs
from thalamus.store.encrypted import HIDDEN
from thalamus.transfer.chains import REASONS, Chain, Chains
from thalamus.transfer.chats import Conversation, conversation_of
from thalamus.transfer.export import Selection
from thalamus.transfer.exported_files import remember_file
from thalamus.version import VERSION

if TYPE_CHECKING:
    from thalamus.engine import Engine

Purpose = Literal["planner", "synthesizer", "chat"]
# never redacted: ids, and words of the format
_NEVER_REDACTED = frozenset(
    {"record", "v", "id", "turn", "turns", "kind", "role", "models", "mode", "types"}
)


class GoldenOptions(Struct, frozen=True):
    """``purpose``: training format for one stage, or None for records; ``split``: names of the
    parts with their shares, which add up to 1; ``redacted``: replace names, addresses, numbers and
    secrets with placeholders; ``personal``: include personal turns."""

    purpose: Purpose | None = None
    split: tuple[tuple[str, float], ...] = ()
    redacted: bool = True
    personal: bool = False
    selection: Selection = field(default_factory=Selection)


class GoldenRow(Struct, frozen=True):
    """A row of the data set: its ``data``, its ``session``, and the ids it ``holds``."""

    data: dict[str, Any]
    session: str
    holds: frozenset[str]


def parse_split(text: str) -> tuple[tuple[str, float], ...]:
    """``train=0.9,test=0.1`` as names and shares. Raises ``UsageError``."""
    parts: dict[str, float] = {}
    wrong = UsageError(
        f"invalid --split {text!r}.",
        fix="Give names and shares that sum up to 1, such as train=0.9,test=0.1.",
    )
    for part in text.split(","):
        name, _, share = part.strip().partition("=")
        try:
            value = float(share)
        except ValueError:
            raise wrong from None
        if not name.isidentifier() or name in parts or not 0 < value <= 1:
            raise wrong
        parts[name] = value
    if abs(sum(parts.values()) - 1) > 1e-6:
        raise wrong
    return tuple(parts.items())


def part_of(session: str, split: Sequence[tuple[str, float]]) -> str:
    """The part of a session, always the same for the same name and shares."""
    digest = hashlib.sha256(session.encode()).digest()
    place, end = int.from_bytes(digest[:8], "big") / 2**64, 0.0
    for name, share in split:
        end += share
        if place < end:
            return name
    return split[-1][0]


class GoldenDataset:
    """Rows of a store's golden data set, made one by one; ``card`` describes the result
    afterwards."""

    def __init__(self, engine: Engine, options: GoldenOptions) -> None:
        store = engine.store
        self._store = store
        self._engine = engine
        self.options = options
        self._chains = Chains(store, options.selection, options.personal)
        self._models: Counter[str] = Counter()
        self._times: list[str] = []
        self._rows = 0

    def rows(self) -> Iterator[GoldenRow]:
        """The rows in the order of their turns; for ``chat`` one per session."""
        make = self._chats if self.options.purpose == "chat" else self._of_chains
        known = names_of_people(self._engine) if self.options.redacted else ()
        for row in make():
            self._rows += 1
            if self.options.redacted:
                data = Redactor(known).each(row.data, _NEVER_REDACTED)
                row = GoldenRow(data, row.session, row.holds)
            yield row

    def lines(self) -> Iterator[bytes]:
        """The rows as JSON lines."""
        return (to_line(row.data) for row in self.rows())

    def _of_chains(self) -> Iterator[GoldenRow]:
        for chain in self._chains.each():
            if chain.quoted and self.options.purpose is not None:  # a prompt as it was sent
                self._chains.left_out["personal"] += 1
                continue
            for data in self._data(chain):
                self._count(chain)
                yield GoldenRow(data, _session(chain.turn), frozenset(chain.holds))

    def _count(self, chain: Chain) -> None:
        self._models.update(set(chain.row.models.values()))
        self._times.append(chain.turn.created_at or "")

    def _data(self, chain: Chain) -> Iterator[dict[str, Any]]:
        if self.options.purpose is None:
            yield to_builtins(chain.row)
        elif self.options.purpose == "synthesizer":
            prompt = chain.logs["answer"].messages
            yield _conversation(prompt, chain.row.final_synthesis) | {"turn": chain.row.turn}
        else:
            yield from self._plans(chain)

    def _plans(self, chain: Chain) -> Iterator[dict[str, Any]]:
        """Prompts and replies of planners whose plan was executed in this turn: its own search
        plan, or the plan saved after the previous turn."""
        log = chain.logs.get("search_plan")
        retrieve = chain.logs.get("retrieve")
        inputs = retrieve.given.get("inputs", ()) if retrieve is not None else ()
        if log is None and inputs:
            log = self._plan_log(inputs)
        if log is None or not log.messages or not (log.reply or "").strip():
            return
        prompt = (log.calls[0] if log.calls else log).messages  # before any reminder of the format
        yield _conversation(prompt, log.reply or "") | {"turn": chain.row.turn}

    def _plan_log(self, ids: Sequence[str]) -> StageLog | None:
        """Log of the stage that made one of these plans."""
        for plan in self._store.by_ids(Plan, ids):
            for log in stage_logs.of_stage(self._store, plan.turn, "plan"):
                saved = log.gave.get("plan") or {}
                if saved.get("id") == plan.id and log.reply != HIDDEN:
                    return log
        return None

    def _chats(self) -> Iterator[GoldenRow]:
        """Exchanges of each session with a successful chain: those without problems or later
        corrections."""
        chains = list(self._chains.each())
        for chain in chains:
            self._count(chain)
        golden = {conversation_of(chain.turn) for chain in chains}
        sessions: dict[Conversation, list[Turn]] = {}
        for turn in self._store.each(Turn):
            if conversation_of(turn) in golden and turn.id in self._chains.fluent:
                sessions.setdefault(conversation_of(turn), []).append(turn)
        for (session, *_), turns in sessions.items():
            messages: list[dict[str, str]] = []
            for turn in turns:
                messages.append({"role": "user", "content": turn.message})
                messages.append({"role": "assistant", "content": turn.answer or ""})
            ids = [turn.stored_id for turn in turns]
            yield GoldenRow({"messages": messages, "turns": ids}, session, frozenset(ids))

    def card(self, files: Sequence[GoldenFile]) -> GoldenCard:
        """Description of the data set, after its rows."""
        options, chains = self.options, self._chains
        selection = filters_of(options.selection)
        return GoldenCard(
            at=self._engine.clock.stamp(),
            version=VERSION,
            format=options.purpose or "golden",
            files=list(files),
            turns=chains.turns,
            rows=self._rows,
            left_out=dict(sorted(chains.left_out.items())),
            filters=selection,
            split=dict(options.split),
            redacted=options.redacted,
            personal=options.personal,
            models=dict(sorted(self._models.items())),
            first=min(self._times, default=None),
            last=max(self._times, default=None),
        )


def filters_of(selection: Selection) -> dict[str, str]:
    """The filters that a selection sets."""
    names = ("user", "session", "since", "until")
    given = {name: getattr(selection, name) for name in names}
    return {name: str(value) for name, value in given.items() if value is not None}


def write_dataset(dataset: GoldenDataset, name: Path, engine: Engine) -> GoldenCard:
    """Writes ``NAME.jsonl``, or one file per part (``NAME.train.jsonl``), with the card next to it
    (``NAME.card.json`` and ``.md``), and registers their content in the store. Raises
    ``UsageError`` if a file cannot be written."""
    parts = [part for part, _ in dataset.options.split] or [""]
    rows: dict[str, list[GoldenRow]] = {part: [] for part in parts}
    for row in dataset.rows():
        chosen = part_of(row.session, dataset.options.split) if dataset.options.split else ""
        rows[chosen].append(row)
    files, register = [], []
    try:
        for part, own in rows.items():
            path = name.with_name(f"{name.name}.{part}.jsonl" if part else f"{name.name}.jsonl")
            data = b"".join(to_line(row.data) for row in own)
            _write(path, data)
            digest = hashlib.sha256(data).hexdigest()
            files.append(GoldenFile(name=path.name, rows=len(own), sha256=digest))
            register.append((path, own))
        card = dataset.card(files)
        _write(name.with_name(f"{name.name}.card.json"), to_line(card))
        _write(name.with_name(f"{name.name}.card.md"), card_text(card).encode())
    except OSError as error:
        raise CannotWrite(error.filename or name, error) from None
    _remember(register, card, engine)
    return card


def _write(path: Path, data: bytes) -> None:
    with files.replacing(path) as file:
        file.write(data)


def _remember(
    files: Sequence[tuple[Path, Sequence[GoldenRow]]], card: GoldenCard, engine: Engine
) -> None:
    """Registers the content of the files."""
    store = engine.store
    with store.writing() as writer:
        for path, rows in files:
            holds = {id for row in rows for id in row.holds}
            remember_file(path, card.format, len(rows), holds, card.at, writer, engine)


def card_text(card: GoldenCard) -> str:
    """A card as Markdown."""
    lines = [
        f"# Golden data set ({card.format})",
        "",
        f"- Made on {card.at} by Thalamus {card.version}",
        f"- {card.rows:,} rows of {card.turns:,} turns, said from {card.first} to {card.last}",
        f"- Names, addresses, numbers and secrets {'are' if card.redacted else 'are not'} replaced",
        f"- Personal turns are {'taken' if card.personal else 'left out'}",
    ]
    lines += [f"- Only {name} {value}" for name, value in card.filters.items()]
    lines += ["", "| file | rows | SHA-256 |", "|---|---:|---|"]
    lines += [f"| {made.name} | {made.rows:,} | `{made.sha256}` |" for made in card.files]
    lines += ["", "| left out because | turns |", "|---|---:|"]
    lines += [f"| {REASONS[reason]} | {count:,} |" for reason, count in card.left_out.items()]
    lines += ["", "| model | rows |", "|---|---:|"]
    lines += [f"| {model} | {count:,} |" for model, count in card.models.items()]
    return "\n".join(lines) + "\n"


def _conversation(prompt: Sequence[PromptMessage], reply: str) -> dict[str, Any]:
    """A prompt with its reply, as chat messages."""
    messages = [{"role": message.role, "content": message.content} for message in prompt]
    return {"messages": [*messages, {"role": "assistant", "content": reply}]}


def _session(turn: Turn) -> str:
    return turn.session or turn.stored_id

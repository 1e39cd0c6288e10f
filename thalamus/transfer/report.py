"""Report about a store: turns, memories and insights as a web page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs

from thalamus import files
from thalamus.clock import time_zone
from thalamus.errors import CannotWrite, UsageError
from thalamus.memory.redaction import MASKED, RedactedView
from thalamus.memory.views.metrics import collect
from thalamus.memory.views.statistics import ENTRIES, periods, stage_times
from thalamus.memory.views.timeline import TimelineQuery, timeline
from thalamus.names import normalize
from thalamus.policy.concepts import concept_key
from thalamus.policy.entities import USER, key_of
from thalamus.records import Fact, Insight, Memory, Turn
from thalamus.records.kinds import own_text
from thalamus.records.timelines import TimelineItem
from thalamus.report.content import Content, DrawnEdge, DrawnNode, ReportRow, RowKind, RowLink
from thalamus.store import concepts as concept_rows
from thalamus.store import ledger, links
from thalamus.store import records as record_rows
from thalamus.store import statistics as statistic_rows
from thalamus.store.encrypted import HIDDEN, is_hidden
from thalamus.store.encryption import contents
from thalamus.store.statistics import Said
from thalamus.text.days import last_day
from thalamus.text.local_time import local, local_day
from thalamus.transfer.exported_files import remember_file
from thalamus.version import VERSION

if TYPE_CHECKING:
    from thalamus.store.base import Store
    from thalamus.turn_run import TurnRun

MOST_ROWS = 20_000
FORMAT = "report"
_PERIODS = 120  # bars of a chart
_MOST_ITEMS = 200  # entries of the timeline
_NODES = 90  # concepts in the graph
_INSIGHTS = 20  # insights in the graph
_EDGES = 400
_LINKS = 8  # listed links of a row
_Found = Turn | Memory | Fact | Insight
_RECORDS: Mapping[RowKind, type[_Found]] = {
    "turn": Turn,
    "memory": Memory,
    "fact": Fact,
    "insight": Insight,
}
# words for a link at its source and at its target
_WORDS = {
    "derived_from": ("from", "led to"),
    "evidence_of": ("recalled in", "recalled"),
    "supersedes": ("replaces", "replaced by"),
    "proposes": ("proposed instead of", "in whose place is proposed"),
    "merged_into": ("merged into", "made of"),
    "about": ("about", "subject of"),
    "part_of": ("part of", "has"),
}


class ReportOptions(Struct, frozen=True):
    """``session``, ``since`` and ``until`` (RFC 3339) select turns and records; ``personal``:
    include personal ones; ``redacted``: show what a redacted view does, without turns and concepts;
    ``title``: title of the page; ``limit``: number of newest records shown."""

    session: str | None = None
    since: str | None = None
    until: str | None = None
    personal: bool = False
    redacted: bool = False
    title: str = ""
    limit: int = MOST_ROWS

    def __post_init__(self) -> None:
        normalize(self, ("session",))


class ReportFile(Struct, frozen=True):
    """A finished report: the ``page`` as bytes, the ``rows`` of its table, and the ids it
    ``holds``."""

    page: bytes
    rows: int
    holds: tuple[str, ...]


def make_report(store: Store, run: TurnRun, options: ReportOptions) -> ReportFile:
    """The report page of a store."""
    from thalamus.report.page import page

    content = _ReportBuilder(store, run, options).content()
    holds = {row.id for row in content.rows} | {item.id for item in content.timeline}
    text = page(content).encode("utf-8")
    return ReportFile(text, len(content.rows), tuple(sorted(holds)))


def write_report(
    path: Path, store: Store, run: TurnRun, options: ReportOptions, *, replace: bool
) -> ReportFile:
    """Writes the report page of a store to a private file and registers its content for `forget`.
    The file is complete or does not exist; a pipe or device is written directly. Raises
    ``UsageError``."""
    if path.is_dir():
        raise UsageError(f"{path} is a directory.", fix="Give the name of a file.")
    special = path.exists() and not path.is_file()
    if path.exists() and not (replace or special):
        raise UsageError(f"{path} exists already.", fix="Choose another file, or give --force.")
    report = make_report(store, run, options)
    try:
        if special:
            path.write_bytes(report.page)
            return report
        with files.replacing(path.resolve()) as file:
            file.write(report.page)
            files.flush(file)
            at = run.engine.clock.stamp()
            with store.writing() as writer:
                remember_file(path, FORMAT, report.rows, report.holds, at, writer, run.engine)
    except OSError as error:
        raise CannotWrite(path, error) from None
    return report


class _ReportBuilder:
    """The content of one report, read from a store."""

    def __init__(self, store: Store, run: TurnRun, options: ReportOptions) -> None:
        self._store = store
        self._run = run
        self._options = options
        config = run.engine.config
        self._user = config.user or None
        period = options.since or None, options.until or None
        self._said = Said(*period, options.session or None, self._user or None)
        self._zone: tzinfo = time_zone(config.timezone)
        self._personal = frozenset[str]() if options.personal else frozenset(_personal(store))
        self._view = RedactedView(run.engine) if options.redacted else None
        self._unreadable = 0

    def content(self) -> Content:
        options = self._options
        shown = self._records()
        rows = [self._row(kind, record) for kind, record in shown[: options.limit]]
        self._link(rows)
        items = self._timeline()
        if options.redacted:
            items = _shown_items(items, rows)
        now = self._run.engine.clock.stamp()
        content = Content(
            title=options.title or "What Thalamus remembers",
            made_at=local(now, self._zone)[:16].replace("T", " "),
            version=VERSION,
            scope=self._scope(),
            counts=Counter(kind for kind, _ in shown),
            older=len(shown) - len(rows),
            timeline=items[-_MOST_ITEMS:],
            earlier=len(items) > _MOST_ITEMS,
            days={item.at: local_day(item.at, self._zone) for item in items},
            rows=rows,
        )
        if options.redacted:  # figures about the rest would tell of it
            return content
        counts, allowed = self._counts(), sum(self._counts(options.personal).values())
        unit, found = periods(self._store, self._zone, self._said, most=_PERIODS)
        nodes, edges, concepts = self._graph(shown)
        return structs.replace(
            content,
            counts=counts,
            hidden=sum(counts.values()) - allowed + self._unreadable,
            older=allowed - self._unreadable - len(rows),
            unit=unit,
            periods=found,
            stages=stage_times(self._stage_entries()),
            figures=collect(
                self._store, now, options.since, session=options.session, until=options.until
            ).figures,
            nodes=nodes,
            edges=edges,
            all_nodes=concepts,
        )

    # -- what is chosen ----------------------------------------------------------------------------

    def _scope(self) -> list[str]:
        options = self._options
        parts = [f"session {options.session}" if options.session else "all sessions"]
        if options.since:
            parts.append(f"since {local_day(options.since, self._zone)}")
        if options.until:
            parts.append(f"before {local_day(options.until, self._zone)}")
        if options.redacted:
            return [*parts[bool(options.session) :], "redacted"]
        return parts + ([f"user {self._user}"] if self._user else [])

    def _counts(self, personal: bool = True) -> dict[str, int]:
        """Numbers of the chosen records, or of those of them that are not personal."""
        return {
            kind: statistic_rows.count(self._store, record, self._said, personal=personal)
            for kind, record in _RECORDS.items()
        }

    def _stage_entries(self) -> list[str]:
        """Ledger data of the stages of selected turns."""
        options = self._options
        period = options.since, options.until
        return ledger.stages(self._store, *period, options.session or None, ENTRIES)

    # -- rows --------------------------------------------------------------------------------------

    def _records(self) -> list[tuple[RowKind, _Found]]:
        """Selected records that may be shown, newest first; at least as many as asked for, and all
        of a redacted view."""
        found: list[tuple[RowKind, _Found]] = []
        personal, limit = self._options.personal, None if self._view else self._options.limit
        for kind, record in _RECORDS.items():
            records: list[Any] = statistic_rows.newest(
                self._store, record, self._said, limit, personal=personal
            )
            readable = [(kind, item) for item in records if not is_hidden(item)]
            if self._view is not None:
                readable = [
                    (kind, one) for _, each in readable for one in self._view.readable([each])
                ]
            else:
                self._unreadable += len(records) - len(readable)
            found += readable
        found.sort(key=lambda one: one[1].created_at or "", reverse=True)
        return found[:limit]

    def _row(self, kind: RowKind, record: Any) -> ReportRow:
        at = record.created_at or ""
        row = ReportRow(kind, record.id, at, local_day(at, self._zone), own_text(record))
        details = {"session": record.session or "", "user": record.user or ""}
        if isinstance(record, Turn):
            row.answer = record.answer or ""
            row.status = "interrupted" if record.interrupted else ""
        elif isinstance(record, Fact):
            row.status = _fact_status(record, self._run.engine.clock.stamp())
            row.quotes = [record.quote] if record.quote not in (None, "", MASKED) else []
            details |= {
                "true from": local_day(record.valid_from, self._zone),
                "to": last_day(record.valid_to, {}, self._zone) if record.valid_to else "",
            }
        else:
            row.status = "" if record.status == "active" else record.status
            if isinstance(record, Memory):
                quote = record.provenance.quote if record.provenance else None
                row.quotes = [quote] if quote and quote != record.content else []
                row.status = row.status or ("contradicted" if record.stale else "")
                details = {"type": record.type, "topic": record.topic or ""} | details
                details |= {"scope": record.scope, "no longer": record.stale or ""}
            else:
                details["strength"] = f"{record.strength:g}"
                details["concepts"] = ", ".join(record.concepts)
        if not isinstance(record, Turn):
            details["trust"] = f"{record.trust:g}"
        row.details = {name: value for name, value in details.items() if value not in ("", MASKED)}
        return row

    def _link(self, rows: list[ReportRow]) -> None:
        """Adds links and recall counts to the rows."""
        by_id = {row.id: row for row in rows}
        ids = tuple(by_id)
        for link in links.outgoing(self._store, ids):
            if self._view is not None and link.target not in by_id:
                continue
            row = by_id[link.source]
            if link.relation == "evidence_of":
                row.recalled += 1
            self._add_link(row, _WORDS[link.relation][False], link.target, by_id)
        for link in links.incoming(self._store, ids):
            if self._view is not None and link.source not in by_id:
                continue
            self._add_link(by_id[link.target], _WORDS[link.relation][True], link.source, by_id)

    def _add_link(
        self, row: ReportRow, words: str, id: str, by_id: Mapping[str, ReportRow]
    ) -> None:
        if len(row.links) >= _LINKS:
            row.more += 1
        else:
            text = by_id[id].text if id in by_id else ""
            row.links.append(RowLink(words, id, text))

    # -- the timeline ------------------------------------------------------------------------------

    def _timeline(self) -> list[TimelineItem]:
        """The latest entries that may be shown, plus one more if there are more."""
        options, config = self._options, self._run.engine.config
        query = TimelineQuery(
            since=options.since,
            until=options.until,
            limit=_MOST_ITEMS + 1 if self._everything else MOST_ROWS,
            user=self._user,
            agent=config.agent or None,
        )
        shown = [
            item
            for item in timeline(self._store, query)
            if item.id not in self._personal
            and item.text != HIDDEN
            and options.session in (None, item.session)
        ]
        return shown if self._view is not None else shown[-_MOST_ITEMS - 1 :]

    @property
    def _everything(self) -> bool:
        return not (self._personal or self._options.session or self._view)

    # -- the graph ---------------------------------------------------------------------------------

    def _graph(
        self, shown: Iterable[tuple[RowKind, _Found]]
    ) -> tuple[list[DrawnNode], list[DrawnEdge], int]:
        """The most frequent concepts of the rows, the insights about them, and the total number of
        concepts."""
        records = [record for _, record in shown]
        about = self._about(records)
        seen = Counter(concept for concepts in about.values() for concept in concepts)
        top = [n for n, _ in sorted(seen.items(), key=lambda one: (-one[1], one[0]))[:_NODES]]
        rows = concept_rows.by_number(self._store, top)
        ids = {n: f"c{n}" for n in top if n in rows}
        keys = {rows[n].key: ids[n] for n in ids}
        nodes = [DrawnNode(ids[n], rows[n].name, rows[n].kind, seen[n]) for n in ids]
        together: Counter[tuple[str, str]] = Counter()
        for concepts in about.values():
            connected_ids = sorted(ids[n] for n in concepts if n in ids)
            together.update(
                (a, b) for place, a in enumerate(connected_ids) for b in connected_ids[place + 1 :]
            )
        edges = [DrawnEdge(a, b, weight) for (a, b), weight in together.most_common(_EDGES)]
        facts = list(_fact_edges(records, keys))
        edges += facts[:_EDGES]
        if any(USER in (edge.source, edge.target) for edge in edges):
            nodes.insert(0, DrawnNode(USER, "user", "user", len(facts)))
        _add_insights(records, keys, nodes, edges)
        connected = {id for edge in edges for id in (edge.source, edge.target)}
        return [node for node in nodes if node.id in connected], edges, len(seen)

    def _about(self, records: Iterable[_Found]) -> dict[int, set[int]]:
        """Numbers of the concepts of each record, by its key."""
        ids: dict[type[_Found], list[str]] = defaultdict(list)
        for record in records:
            ids[type(record)].append(record.stored_id)
        about: dict[int, set[int]] = defaultdict(set)
        for kind, of_kind in ids.items():
            keys = self._store.keys(kind, of_kind)
            for key, concept in concept_rows.of_entries(self._store, keys.values()):
                about[key].add(concept)
        return about


def _personal(store: Store) -> Iterable[str]:
    """Ids of all encrypted or personal records."""
    yield from contents.all_ids(store)
    for kind in (Memory, Fact, Insight):
        yield from record_rows.personal(store, kind)


def _shown_items(items: Iterable[TimelineItem], rows: Iterable[ReportRow]) -> list[TimelineItem]:
    """The entries of a timeline that are rows, with the texts of these."""
    texts = {row.id: row.text for row in rows}
    return [
        TimelineItem(at=i.at, kind=i.kind, id=i.id, text=texts[i.id], end=i.end, change=i.change)
        for i in items
        if i.id in texts
    ]


def _fact_status(fact: Fact, now: str) -> str:
    if fact.retired_at:
        return "retracted"
    return "ended" if fact.valid_to and fact.valid_to <= now else ""


def _fact_edges(records: Iterable[_Found], keys: Mapping[str, str]) -> Iterable[DrawnEdge]:
    """Facts between concepts that are shown, or the user; each statement once."""
    seen_statements = set()
    for fact in records:
        if not isinstance(fact, Fact) or fact.retired_at:
            continue
        ends = []
        for name in (fact.subject, fact.object):
            ends.append(USER if key_of(name) == USER else keys.get(concept_key(name), ""))
        statement = (*ends, fact.predicate)
        if all(ends) and ends[0] != ends[1] and statement not in seen_statements:
            seen_statements.add(statement)
            yield DrawnEdge(ends[0], ends[1], label=fact.predicate.replace("_", " "))


def _add_insights(
    records: Iterable[_Found],
    keys: Mapping[str, str],
    nodes: list[DrawnNode],
    edges: list[DrawnEdge],
) -> None:
    """Adds the strongest insights about concepts that are shown."""
    insights = [r for r in records if isinstance(r, Insight) and r.status == "active"]
    for insight in sorted(insights, key=lambda one: -one.strength)[:_INSIGHTS]:
        connected_ids = {
            keys[key] for name in insight.concepts if (key := concept_key(name)) in keys
        }
        if connected_ids:
            nodes.append(
                DrawnNode(insight.stored_id, insight.content, "insight", len(connected_ids))
            )
            edges += [DrawnEdge(insight.stored_id, id) for id in sorted(connected_ids)]

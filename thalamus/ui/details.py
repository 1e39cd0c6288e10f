"""All details of one entry: its fields, its origin, its links and its history."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct, structs
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Static, Tree

from thalamus.errors import NothingFound, NothingMatches
from thalamus.records import Fact
from thalamus.terminal.lines import belief_lines, one_line, quoted
from thalamus.terminal.local import day
from thalamus.text.visible import visible
from thalamus.ui.actions import CHANGES, Changing
from thalamus.ui.key_footer import KeyFooter
from thalamus.ui.origins import add_line, fill

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.records import Link
    from thalamus.records.reports import Origin

# fields of no interest to people, or shown elsewhere
HIDDEN = {
    "v",
    "id",
    "content",
    "quote",
    "embedding",
    "embedding_model",
    "provenance",
    "beliefs",
    "notes",
}
ORDINARY = {"trust": 1.0, "strength": 1.0, "seen": 1, "status": "active", "sensitivity": "normal"}
TIMES = ("_at", "_from", "_to")


class Everything(Struct, frozen=True):
    """Details of an entry: the ``record`` (None if it no longer exists), its ``origin``, its
    ``links`` with the entries at their other ends."""

    record: Any
    origin: Origin
    links: list[tuple[Link, Origin]]


def everything(thalamus: Thalamus, id: str) -> Everything:
    """Reads all details. Raises ``NoStore``, ``NothingFound``."""
    full = thalamus.store.find_id(id)
    links = []
    for link in thalamus.store.links(full):
        other = link.target if link.source == full else link.source
        links.append((link, thalamus.store.describe(other)))
    return Everything(thalamus.store.get(full), thalamus.why(full), links)


def fields(record: Any) -> Iterator[tuple[str, str]]:
    """(name, value) of the fields of a record that differ from their defaults."""
    if record is None:
        return
    source = getattr(record, "provenance", None)
    if quote := getattr(record, "quote", None) or (source.quote if source else None):
        yield "said as", quoted(quote)
    for name, value in structs.asdict(record).items():
        if name in HIDDEN or value in (None, "", [], {}, UNSET, False, ORDINARY.get(name)):
            continue
        shown = day(value) if isinstance(value, str) and name.endswith(TIMES) else _plain(value)
        yield name.replace("_", " "), one_line(shown)


def field_lines(record: Any) -> str:
    """The fields, one per line."""
    return "\n".join(f"{name:<12} {value}" for name, value in fields(record))


def summary(record: Any) -> str:
    """The fields in a few lines."""
    return " · ".join(f"{name} {value}" for name, value in fields(record))


def history_lines(record: Any) -> list[str]:
    """History of a fact: beliefs at other times, and later assertions about it."""
    if not isinstance(record, Fact):
        return []
    notes = [] if record.notes is UNSET else record.notes
    later = [f"{day(note.recorded_at)}  {note.kind} {day(note.at)}" for note in notes]
    return [*belief_lines(record), *later]


class Details(Changing):
    """One entry with all details. Enter on an origin or a link opens it."""

    TITLE = "details"
    AUTO_FOCUS = "Tree"
    DEFAULT_CSS = """
    Details #fields { height: auto; max-height: 55%; padding: 0 1; border: round $foreground 30%; }
    Details #fields:focus { border: round $primary; }
    Details #content { text-style: bold; margin-bottom: 1; }
    Details #names { color: $text-muted; }
    Details Tree { height: 1fr; border: round $foreground 30%; background: $background;
                   padding: 0 1; }
    Details Tree:focus { border: round $primary; }
    """
    BINDINGS = [
        Binding("escape", "leave", "Back"),
        *(binding for binding in CHANGES if binding.key != "w"),
    ]

    def __init__(self, id: str, then: Callable[[str | None], None]) -> None:
        super().__init__()
        self._thing = id
        self._then = then

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="fields"):
            yield Static("", id="content", markup=False)
            yield Static("", id="names", markup=False)
        yield Tree("", id="origins")
        yield KeyFooter()

    def on_mount(self) -> None:
        origins = self.query_one(Tree)
        origins.show_root = False
        origins.guide_depth = 3
        origins.border_title = "Where it came from"
        self.reload()

    def chosen_id(self) -> str | None:
        return self._thing

    def hide(self, ids: Collection[str]) -> None:
        if self._thing in ids:
            self.query_one("#content", Static).update("Deleting …")
            self.query_one("#names", Static).update("")
            self.query_one(Tree).clear()

    def reload(self, id: str | None = None) -> None:
        self._load(id or self._thing)

    def action_undo(self) -> None:
        self.ui.open_undo(lambda restored: self._load(self._thing, restored or ""))

    def on_tree_node_selected(self, event: Tree.NodeSelected[str]) -> None:
        """Opens the entry at the other end."""
        other = event.node.data
        if other and other != self._thing:
            self.ui.open_details(other, lambda _: self.reload())

    def action_leave(self) -> None:
        self._then(self._thing)
        self.dismiss(None)

    def _load(self, *ids: str) -> None:
        """Shows the first of these entries that exists."""
        self.fetch(
            lambda t: next(filter(None, (_if_there(t, id) for id in ids if id)), None),
            self._show,
            group="details",
        )

    def _show(self, found: Everything | None) -> None:

        if found is None:  # it was deleted
            self.action_leave()
            return
        self._thing = found.origin.id
        self.query_one("#fields").border_title = f"{found.origin.kind} {found.origin.id}"
        self.query_one("#content", Static).update(visible(found.origin.text))
        self.query_one("#names", Static).update(visible(field_lines(found.record)))
        origins: Tree[str] = self.query_one(Tree)
        origins.clear()
        fill(origins.root, found.origin)
        if found.links:
            links = origins.root.add("Links", expand=True)
            for link, other in found.links:
                add_line(links, _link(link, other, found.origin.id), other.id)
        if history := history_lines(found.record):
            past = origins.root.add("History", expand=True)
            for line in history:
                add_line(past, line)


def _if_there(thalamus: Thalamus, id: str) -> Everything | None:
    try:
        return everything(thalamus, id)
    except (NothingFound, NothingMatches):
        return None


def _link(link: Link, other: Origin, id: str) -> str:
    text = quoted(other.text, 160)
    if link.relation == "supersedes" and link.source != id:
        return f"replaced by {text}"
    arrow = link.relation.replace("_", " ")
    return f"{arrow} {text}" if link.source == id else f"{text} is {arrow} it"


def _plain(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, Struct):
        given = structs.asdict(value).items()
        return ", ".join(f"{name} {part}" for name, part in given if part)
    return "yes" if value is True else str(value)

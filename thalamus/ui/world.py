"""The page of the world state: the present activities of the user, and their changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import OptionList, Static

from thalamus.records import WorldOperation
from thalamus.terminal.local import day
from thalamus.terminal.world import operations_line, world_lines
from thalamus.text.visible import visible
from thalamus.ui.actions import CHANGES, Changing
from thalamus.ui.dialogs import AskText
from thalamus.ui.entries import Entry
from thalamus.ui.entry_list import EntryList
from thalamus.ui.pages import Page

if TYPE_CHECKING:
    from thalamus.api import Thalamus

MOST = 100  # changes in the list
NOTHING = "Nothing is known. What a routed turn is about is kept here."


class WorldPage(Changing, Page):
    """The world state, and below it its changes, the newest first."""

    PAGE = "world"
    AUTO_FOCUS = "EntryList"
    DEFAULT_CSS = """
    WorldPage #world { height: auto; max-height: 50%; border: round $foreground 30%; padding: 0 1; }
    WorldPage EntryList { height: 1fr; }
    """
    BINDINGS = [
        Binding("o", "project", "Project", tooltip="Set the current project"),
        Binding("t", "goal", "Goal", tooltip="Add a goal"),
        *(binding for binding in CHANGES if binding.key in ("w", "u")),
    ]

    def content(self) -> ComposeResult:
        world = Static("", id="world", markup=False)
        world.border_title = "At present"
        yield world
        yield EntryList("Changes")

    def on_mount(self) -> None:
        self.reload()

    def on_screen_resume(self) -> None:
        self.reload()

    def chosen_id(self) -> str | None:
        chosen = self.query_one(EntryList).chosen
        return chosen.id if chosen is not None else None

    def reload(self, id: str | None = None) -> None:
        self.fetch(_state, self._show, group="list", empty=lambda: self._show(([], [])))

    def action_project(self) -> None:
        """Sets the project."""
        self._ask("What do you work on at present?", "set", "project")

    def action_goal(self) -> None:
        """Adds a goal."""
        self._ask("What do you want to reach?", "append", "goals")

    @on(OptionList.OptionSelected)
    def open_entry(self) -> None:
        """Shows all details of a change."""
        self.action_why()

    def _ask(self, question: str, op: str, path: str) -> None:
        def apply(value: str | None) -> None:
            if value:
                operation = WorldOperation(op=op, path=path, value=value)  # type: ignore[arg-type]
                self.change(lambda t: t.projects.apply([operation]), "Changed")

        self.app.push_screen(AskText(question), apply)

    def _show(self, state: tuple[list[str], list[Entry]]) -> None:
        lines, changes = state
        self.query_one("#world", Static).update(visible("\n".join(lines)) or NOTHING)
        self.query_one(EntryList).fill(changes, "It never changed.")


def _state(thalamus: Thalamus) -> tuple[list[str], list[Entry]]:
    changes = [
        Entry(
            change.stored_id,
            "world_change",
            day(change.at),
            "changed",
            operations_line(change.operations),
            f"undone on {day(change.undone_at)}" if change.undone_at else "",
        )
        for change in reversed(thalamus.projects.history(MOST))
    ]
    return list(world_lines(thalamus.projects.world())), changes

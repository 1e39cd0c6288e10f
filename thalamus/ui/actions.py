"""Actions on a chosen memory, fact or insight: each is one call of the API and can be undone."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from textual.binding import Binding

from thalamus.clock import read_date
from thalamus.errors import NothingMatches, UsageError
from thalamus.operations import OPERATIONS
from thalamus.records import Fact, Insight, Memory
from thalamus.terminal.lines import quoted, statement
from thalamus.terminal.local import zone
from thalamus.text.visible import visible
from thalamus.ui.dialogs import AskText, Confirm
from thalamus.ui.edit import EditMemory
from thalamus.ui.entry_list import EntryList
from thalamus.ui.output import Caught
from thalamus.ui.pages import PageView

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.memory.forget.erase import ForgetReport

UNDO = "u undoes it."
SHORT = 100  # characters of a changed text in a message
CHANGES = [
    Binding("e", "edit", "Edit", tooltip="Edit a memory; correct a fact that is wrong"),
    Binding("p", "pin", "Pin", tooltip="Pin a memory (never pruned), or unpin it"),
    *(
        Binding(
            one.key,
            f"operate('{one.name}')",
            one.name.rpartition(" ")[2].title(),
            tooltip=one.help.removesuffix("."),
            show=False,
        )
        for one in OPERATIONS.values()
        if one.key
    ),
    Binding("n", "end", "End", tooltip="End a fact on a day", show=False),
    Binding(
        "x",
        "reject",
        "Reject",
        show=False,
        tooltip="Reject a fact, an insight or a quarantined memory",
    ),
    Binding("d", "forget", "Forget", tooltip="Delete for good, with everything derived from it"),
    Binding("w", "why", "Why", tooltip="Where it came from, its links and its history", show=False),
    Binding("u", "undo", "Undo", tooltip="What can be undone, and undo it"),
]


class Changing(PageView):
    """A screen whose chosen entry can be changed."""

    def chosen_id(self) -> str | None:
        """The id of the chosen entry."""
        raise NotImplementedError

    # -- memories --------------------------------------------------------------------------------

    def action_edit(self) -> None:
        """Edits a memory, or corrects a fact."""
        self._with_record(self._edit)

    def action_pin(self) -> None:
        """Pins a memory, or unpins it."""

        def pin(record: Any) -> None:
            memory = _memory(record)
            word = "Unpinned" if memory.pinned else "Pinned"
            self.change(lambda t: t.memories.pin(memory.stored_id, not memory.pinned), word)

        self._with_record(pin)

    def action_operate(self, name: str) -> None:
        """Runs an operation on the chosen memory."""
        operation = OPERATIONS[name]
        act = operation.load()

        def run(memory: Memory) -> None:
            given = act.takes(memory.stored_id)
            undo = UNDO if operation.undoable else ""
            self.change(lambda t: next(iter(act.run(t, given)), None), operation.done, undo)

        self._with_record(lambda record: run(_memory(record)))

    # -- facts, insights -------------------------------------------------------------------------

    def action_end(self) -> None:
        """Asks when a fact ended, and ends it."""

        def ask(record: Any) -> None:
            fact = _fact(record)
            question = f"No longer so: {statement(fact)}"
            self.app.push_screen(AskText(question, hint="Since which day? 2026-05-08"), reply(fact))

        def reply(fact: Fact) -> Callable[[str | None], None]:
            def end(day: str | None) -> None:
                if day:
                    self.change(lambda t: t.facts.end(fact.stored_id, _day(day)), "Ended")

            return end

        self._with_record(ask)

    def action_reject(self) -> None:
        """Retracts a fact, rejects an insight or deletes a quarantined memory."""
        self._with_record(self._reject)

    def _reject(self, record: Any) -> None:
        id = record.stored_id
        request: Callable[[Thalamus], object]
        if isinstance(record, Fact):
            question = f"Retract “{statement(record)}”? It never was true."
            request, word = lambda t: t.facts.retract(id), "Retracted"
        elif isinstance(record, Insight):
            question = f"Reject {quoted(record.content)}? It is not concluded again."
            request, word = lambda t: t.insights.reject(id), "Rejected"
        elif isinstance(record, Memory) and record.status == "quarantined":
            question = f"Delete {quoted(record.content)}?"
            request, word = lambda t: t.memories.reject(id), "Deleted"
        else:
            raise UsageError(
                "Only facts, insights and quarantined memories can be rejected.",
                fix="d forgets any entry.",
            )
        undo = UNDO if isinstance(record, Fact | Insight) else ""
        self._sure(question, lambda: self.change(request, word, undo))

    # -- anything --------------------------------------------------------------------------------

    def action_forget(self) -> None:
        """Deletes something permanently, after showing the plan."""
        id = self.chosen_id()
        if id is not None:
            self.app.clear_notifications()  # notifications would cover the buttons
            self.fetch(
                lambda t: forget(t, id, self.ui.confirm, self._hide_deleted),
                self._forgotten,
                group="forget",
                slow=True,
                failed=self._all_again,
            )

    def hide(self, ids: Collection[str]) -> None:
        """Hides entries that are being deleted."""
        for listed in self.query(EntryList):
            listed.hide(ids)

    def action_undo(self) -> None:
        """Shows the changes that can be undone."""
        self.ui.open_undo(self.reload)

    def action_why(self) -> None:
        """Shows the origin of the entry."""
        if (id := self.chosen_id()) is not None:
            self.ui.open_details(id, self.reload)

    def change(self, request: Callable[[Thalamus], object], word: str, undo: str = UNDO) -> None:
        """Runs a change and shows the result."""

        def done(result: object) -> None:
            text = f"{word}."
            if isinstance(result, Memory | Fact):
                says = result.content if isinstance(result, Memory) else statement(result)
                text = f"{word}: {quoted(says, SHORT)}"
            self.notify(visible(f"{text}\n{undo}".rstrip()), markup=False)
            self.reload(result.id if isinstance(result, Memory | Fact) else None)

        self.fetch(request, done, group="change")

    def _edit(self, record: Any) -> None:
        id = record.stored_id
        if isinstance(record, Memory):
            self.app.push_screen(
                EditMemory(record),
                lambda changes: (
                    self.change(lambda t: t.memories.edit(id, **changes), "Changed")
                    if changes
                    else None
                ),
            )
            return
        fact = _fact(record)
        question = f"{fact.subject} {fact.predicate}: what is right?"
        self.app.push_screen(
            AskText(question, fact.object, hint="The corrected fact replaces the wrong one."),
            lambda right: (
                self.change(lambda t: t.facts.correct(id, right), "Corrected")
                if right and right != fact.object
                else None
            ),
        )

    def _hide_deleted(self, ids: Collection[str]) -> None:
        """Called in another thread: these are deleted from now on, which may take a while."""

        def hide() -> None:
            if self.is_attached:
                self.hide(ids)
                self.notify("Deleting …", title="forget")

        self.app.call_from_thread(hide)

    def _forgotten(self, text: str) -> None:
        if text:
            self.ui.forget_typed()
            self.ui.talk(lambda conversation: conversation.show_again())
            self.notify(visible(text), title="forget", timeout=8, markup=False)
        self._all_again()

    def _all_again(self) -> None:
        """Shows everything that there is."""
        for listed in self.query(EntryList):
            listed.hide(())
        self.reload()

    def _sure(self, question: str, then: Callable[[], None]) -> None:
        self.app.push_screen(Confirm(question), lambda yes: then() if yes else None)

    def _with_record(self, then: Callable[[Any], object]) -> None:
        id = self.chosen_id()
        if id is not None:
            self.fetch(lambda t: t.store.get(id), then, group="record")


def forget(
    thalamus: Thalamus,
    id: str,
    confirm: Callable[[str, str], bool],
    on_start: Callable[[Collection[str]], object],
) -> str:
    """Deletes something after ``confirm`` was called with the plan; ``on_start`` is called with the
    ids being deleted. Returns the output."""
    from thalamus.memory.forget.erase import ForgetOptions
    from thalamus.terminal.erase import show_plan, show_report

    with Caught() as printed:

        def sure(report: ForgetReport) -> bool:
            show_plan(report, json=False)
            agreed = confirm("Delete all of this permanently?", printed.take())
            if agreed:
                on_start({verdict.id for _, verdict in report.items if verdict.id})
            return agreed

        report = thalamus.forget(ForgetOptions(ids=(id,)), confirm=sure)
        if report.done:
            show_report(report, json=False, at="")
        return printed.take().strip()


def _day(text: str) -> str:
    return read_date(text, "the day", zone()) or ""


def _memory(record: object) -> Memory:
    if not isinstance(record, Memory):
        raise NothingMatches("This is not a memory.", fix="This only works with memories.")
    return record


def _fact(record: object) -> Fact:
    if not isinstance(record, Fact):
        raise NothingMatches("This is not a fact.", fix="This only works with facts.")
    return record

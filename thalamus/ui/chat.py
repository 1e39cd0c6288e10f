"""The page of the chat: the conversation, the field in which one writes, the debug console."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Markdown, Static
from textual.widgets.markdown import MarkdownStream

from thalamus.terminal.attended import consent_question
from thalamus.terminal.lines import visible
from thalamus.terminal.repl import unfence
from thalamus.terminal.slash_commands import HELP
from thalamus.ui.composer import Composer
from thalamus.ui.console import Console
from thalamus.ui.conversation import (
    Answered,
    BehindChanged,
    ConsentAsked,
    CopyAsked,
    Done,
    EngineChanged,
    Failed,
    Happened,
    IssueNoted,
    LeaveAsked,
    ModelWoke,
    PanelSet,
    Printed,
    SessionOpened,
)
from thalamus.ui.pages import Page

if TYPE_CHECKING:
    from thalamus.records import Verdict

WIDE = 110  # columns from which on the console stands at the side
STAGES = {
    "route": "deciding …",
    "gather": "gathering …",
    "draft": "drafting …",
    "retrieve": "recalling …",
    "answer": "thinking …",
    "reflect": "reflecting …",
    "store": "remembering …",
    "plan": "planning …",
}


class ChatPage(Page):
    """The chat, with the debug console at its side, or below it where there is no room."""

    PAGE = "chat"
    AUTO_FOCUS = "Composer"
    DEFAULT_CSS = """
    ChatPage #body { height: 1fr; layout: vertical; }
    ChatPage #talk { width: 1fr; height: 1fr; }
    ChatPage #log { height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; }
    ChatPage Console { height: 50%; display: none; }
    ChatPage.-debug Console { display: block; }
    ChatPage.-side #body { layout: horizontal; }
    ChatPage.-side Console { height: 1fr; width: 44%; }
    ChatPage .user { color: $text; background: $boost; margin: 1 0 0 0; padding: 0 1;
                     border-left: thick $primary; }
    ChatPage .note { color: $text-muted; margin: 1 0 0 1; }
    ChatPage .error { color: $text-error; margin: 1 0 0 1; }
    ChatPage Markdown { margin: 1 0 0 0; padding: 0 1; height: auto; background: $background; }
    ChatPage .consent { height: auto; margin: 1 0 0 1; }
    ChatPage .consent Static { width: auto; max-width: 80%; color: $text-warning; }
    ChatPage .consent Button { margin-left: 1; }
    ChatPage #state { height: 1; padding: 0 1; color: $text-muted; }
    ChatPage #used { width: 1fr; text-wrap: nowrap; text-overflow: ellipsis; }
    ChatPage #going { width: auto; color: $text-accent; }
    """
    BINDINGS = [
        Binding("ctrl+g", "console", "Debug console", priority=True),
        Binding("ctrl+o", "why", "Why", tooltip="Why the last answer said that", priority=True),
        Binding("escape", "stop", "Stop", tooltip="Stop the answer; otherwise leave the field"),
        Binding("pageup", "scroll(-1)", "Scroll up", show=False, priority=True),
        Binding("pagedown", "scroll(1)", "Scroll down", show=False, priority=True),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._stream: MarkdownStream | None = None
        self.answering = False
        self._stage = ""
        self._consents: list[Verdict] = []
        self._answer: Markdown | None = None
        self._turn_id: str | None = None  # of the last answer

    def content(self) -> ComposeResult:
        with Horizontal(id="body"):
            with Vertical(id="talk"):
                yield VerticalScroll(id="log", can_focus=True)
                composer = Composer(list(dict.fromkeys(usage.split()[0] for usage in HELP)))
                composer.border_title = "Message"
                yield composer
                with Horizontal(id="state"):
                    yield Static("", id="used", markup=False)
                    yield Static("", id="going", markup=False)
            yield Console(self.ui.preferences.panels)

    def on_mount(self) -> None:
        self.query_one("#log", VerticalScroll).anchor()
        self.set_class(self.ui.preferences.console, "-debug")
        self.query_one(Composer).sent = self.ui.history()
        self.show_state()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= WIDE, "-side")

    # -- what the user does ----------------------------------------------------------------------

    @on(Composer.Sent)
    def send(self, event: Composer.Sent) -> None:
        """Hands a message or a command to the thread of the chat."""
        text = event.text
        if self._consents and text.strip().lower() in ("y", "yes", "n", "no"):
            self.decide(text.strip().lower().startswith("y"))
            return
        message = unfence(text)
        self.query_one(Composer).sent = self.ui.remember_typed(message)
        self.add(Static(visible(message), markup=False, classes="user"))
        self.answering = True
        self.show_state()
        self.ui.say(message)

    @on(Console.Toggled)
    def keep_panels(self, event: Console.Toggled) -> None:
        """Keeps which panels are open."""
        self.ui.keep(panels=event.opened)

    @on(Composer.Changed)
    def typed(self) -> None:
        """While somebody writes, insights are not concluded."""
        if self.query_one(Composer).text and self.ui.conversation is not None:
            self.ui.conversation.typed()

    def action_stop(self) -> None:
        """Stops the answer; where there is none, leaves the field, so that digits are keys."""
        if self.answering and self.ui.conversation is not None:
            self.ui.conversation.stop()
        elif isinstance(self.focused, Composer):
            self.query_one("#log").focus()
        else:
            self.query_one(Composer).focus()

    def action_why(self) -> None:
        """Shows what the last answer rests on."""
        if self._turn_id is None:
            self.notify("There is no answer yet.")
        else:
            self.ui.open_details(self._turn_id, lambda: None)

    def action_console(self) -> None:
        """Shows or hides the debug console."""
        shown = not self.has_class("-debug")
        self.set_class(shown, "-debug")
        self.ui.keep(console=shown)
        (self.query_one(Console) if shown else self.query_one(Composer)).focus()

    def action_scroll(self, pages: int) -> None:
        """Scrolls the conversation by a page."""
        log = self.query_one("#log", VerticalScroll)
        log.scroll_relative(y=pages * (log.size.height - 1), animate=False)

    # -- what the thread of the chat tells -------------------------------------------------------

    @on(Happened)
    async def hear(self, message: Happened) -> None:
        """Shows an event in the console, and an answer as it is made."""
        event = message.event
        name = type(event).__name__
        if name == "Token" and not message.behind:
            await self._write(event.text)
            return
        if name == "ErrorReported":
            self.ui.notify(visible(f"{event.where}: {event.error}"), severity="error", markup=False)
        if name in ("StageStarted", "StageFinished", "StageFailed"):
            self._stage = STAGES.get(event.stage, "") if name == "StageStarted" else ""
            self.show_state()
        self.query_one(Console).hear(event, behind=message.behind)
        if name == "TurnFinished" and message.behind:
            self.ui.refresh_page()

    @on(Answered)
    async def finish(self, message: Answered) -> None:
        """Ends the answer that was being written."""
        turn = message.turn
        self._turn_id = turn.id if self.ui.config.memory else None
        if self._stream is None and turn.answer is not None:
            await self._write(turn.answer)
        await self._end_stream()
        if turn.interrupted:
            kept = "the partial answer is kept" if self.ui.config.memory else "nothing is kept"
            self.note(f"(stopped; {kept})")

    @on(Printed)
    def print(self, message: Printed) -> None:
        """Shows what a command printed."""
        self.note(message.text.rstrip())

    @on(Failed)
    async def fail(self, message: Failed) -> None:
        """Shows what went wrong, and what to do."""
        await self._end_stream()
        advice = getattr(message.error, "advice", "")
        text = f"{message.error or type(message.error).__name__}"
        self.add(
            Static(
                visible("\n".join(part for part in (text, advice) if part)),
                markup=False,
                classes="error",
            )
        )
        self.ui.note_issue(message.where, message.error)

    @on(ConsentAsked)
    def ask(self, message: ConsentAsked) -> None:
        """Asks whether something may be kept; not at once, and not in a window: it can wait."""
        self._consents += message.waiting
        if len(self._consents) == len(message.waiting):
            self._ask_next()

    @on(Button.Pressed)
    def decided(self, event: Button.Pressed) -> None:
        """A button below such a question was pressed."""
        if event.button.name in ("keep", "delete"):
            self.decide(event.button.name == "keep")

    def decide(self, keep: bool) -> None:
        """Keeps or deletes what was asked about."""
        waiting = self._consents.pop(0)
        self.query(".consent").remove()
        self.query_one(Composer).focus()
        self.ui.talk(lambda conversation: conversation.decide(waiting.id or "", keep))
        self._ask_next()

    @on(IssueNoted)
    def note_issue(self, message: IssueNoted) -> None:
        """Keeps what went wrong in the panel of issues."""
        self.query_one(Console).add_issue(message.text)

    @on(PanelSet)
    def set_panel(self, message: PanelSet) -> None:
        """Opens or closes a panel of the console."""
        self.query_one(Console).set_panel(message.name, message.opened)

    @on(BehindChanged)
    @on(ModelWoke)
    def show_change(self) -> None:
        """There is more or less to do behind the prompt, or the model is awake."""
        self.show_state()

    @on(EngineChanged)
    def change(self, message: EngineChanged) -> None:
        """The conversation goes on with other settings, or in another session."""
        self.ui.follow(message.config, message.session)
        self.show_state()

    @on(SessionOpened)
    async def open_session(self, message: SessionOpened) -> None:
        """Shows what was said last in the session that the chat goes on with."""
        log = self.query_one("#log", VerticalScroll)
        await log.remove_children()
        for turn in message.turns:
            await log.mount(Static(visible(turn.message), markup=False, classes="user"))
            if turn.answer:
                await log.mount(Markdown(visible(turn.answer), open_links=False))
        self.note(f"session {self.ui.session}")
        self.app.switch_mode("chat")

    @on(CopyAsked)
    def copy(self, message: CopyAsked) -> None:
        """Puts a text into the clipboard of the terminal."""
        self.app.copy_to_clipboard(message.text)

    @on(LeaveAsked)
    async def leave(self) -> None:
        """A command asked to leave."""
        await self.ui.action_quit()

    # -- what is shown ---------------------------------------------------------------------------

    @on(Done)
    def done(self) -> None:
        """What was sent is dealt with."""
        self.answering = False
        self._stage = ""
        self.show_state()

    def note(self, text: str) -> None:
        """Adds a remark of the program."""
        if text:
            self.add(Static(visible(text), markup=False, classes="note"))

    def add(self, widget: Static | Horizontal | Markdown) -> None:
        """Adds something at the end of the conversation."""
        self.query_one("#log", VerticalScroll).mount(widget)

    def show_state(self) -> None:
        """Says on one line what is used, and what goes on."""
        conversation = self.ui.conversation
        going = self._stage if self.answering else ""
        if not going and self.answering:
            going = "thinking …"
        if not going and conversation is not None and conversation.remembering:
            going = "remembering …"
        if not going and self.ui.model is None:
            going = "waking the model …"
        config = self.ui.config
        memory = config.tenant if config.memory else "off"
        model = (self.ui.model or config.model).rpartition("/")[2]
        used = f"{model}  memory {memory}  {self.ui.session}"
        self.query_one("#used", Static).update(visible(used))
        self.query_one("#going", Static).update(going)

    async def _write(self, text: str) -> None:
        if self._stream is None:
            self._answer = Markdown(open_links=False)
            await self.query_one("#log", VerticalScroll).mount(self._answer)
            self._stream = Markdown.get_stream(self._answer)
        await self._stream.write(visible(text))

    async def _end_stream(self) -> None:
        if self._stream is not None:
            stream, self._stream = self._stream, None
            await stream.stop()

    def _ask_next(self) -> None:
        if self._consents:
            keep = Button("Keep (y)", name="keep", variant="success", compact=True)
            delete = Button("Delete (n)", name="delete", variant="error", compact=True)
            question = Static(consent_question(self._consents[0]), markup=False)
            self.add(Horizontal(question, keep, delete, classes="consent"))

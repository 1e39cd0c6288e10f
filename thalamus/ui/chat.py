"""The page of the chat: the conversation, the input field and the debug console."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Markdown, Static
from textual.widgets.markdown import MarkdownStream

from thalamus.terminal.attended import consent_question
from thalamus.terminal.beside_prompt import BesidePrompt
from thalamus.terminal.conversation import is_command
from thalamus.terminal.fence import unfence
from thalamus.terminal.profile import known_line
from thalamus.terminal.slash.advice import in_chat
from thalamus.terminal.slash_commands import HELP
from thalamus.text.visible import visible
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
    PageAsked,
    PanelSet,
    Printed,
    SessionOpened,
)
from thalamus.ui.dialogs import Confirm
from thalamus.ui.pages import Page

if TYPE_CHECKING:
    from thalamus.records import Verdict

WIDE = 110  # least columns for the console at the side
WELCOME = (
    "Nothing is remembered yet. Say what your name is, where you live, what you are busy with: it"
    " is remembered from then on, in every conversation. F2 shows what is remembered, and changes"
    " or deletes it. /help lists the commands, ? the keys."
)
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
    """The chat, with the debug console next to it, or below it if the screen is narrow."""

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
    ChatPage ToastRack { dock: top; align: right top; margin: 1 0 0 0; }
    ChatPage #used { width: 1fr; text-wrap: nowrap; text-overflow: ellipsis; }
    ChatPage #activity { width: auto; color: $text-primary; }
    """
    BINDINGS = [
        Binding("ctrl+g", "console", "Debug console", priority=True),
        Binding("ctrl+o", "why", "Why", tooltip="Why the last answer said that", priority=True),
        Binding(
            "escape",
            "stop",
            "Stop",
            tooltip="Stop the answer, and leave the field if nothing is written in it",
        ),
        Binding(
            "escape",
            "leave_field",
            "Leave the field",
            tooltip="Leave the field, when no answer comes: digits are keys then",
        ),
        Binding("pageup", "scroll(-1)", "Scroll up", show=False, priority=True),
        Binding("pagedown", "scroll(1)", "Scroll down", show=False, priority=True),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._stream: MarkdownStream | None = None
        self._sent: deque[bool] = deque()  # the input being handled; whether it is a message
        self._stage = ""
        self._stored = BesidePrompt()
        self._consents: list[Verdict] = []
        self._answer: Markdown | None = None
        self._turn_id: str | None = None  # of the last answer

    def content(self) -> ComposeResult:
        with Horizontal(id="body"):
            with Vertical(id="talk"):
                yield VerticalScroll(id="log", can_focus=True)
                commands = list(dict.fromkeys(usage.split()[0] for usage in HELP))
                composer = Composer(commands, self.ui.history)
                composer.border_title = "Message"
                yield composer
                with Horizontal(id="state"):
                    yield Static("", id="used", markup=False)
                    yield Static("", id="activity", markup=False)
            yield Console(self.ui.preferences.panels)

    def on_mount(self) -> None:
        self.query_one("#log", VerticalScroll).anchor()
        self.set_class(self.ui.preferences.console is True, "-debug")
        self.show_state()
        if self.ui.config.memory:
            self.fetch(
                lambda t: WELCOME if t.store.is_empty() else known_line(t),
                self.note,
                group="welcome",
            )

    def on_resize(self, event: events.Resize) -> None:
        wide = event.size.width >= WIDE
        self.set_class(wide, "-side")
        if self.ui.preferences.console is None:
            self.set_class(wide, "-debug")

    # -- what the user does ----------------------------------------------------------------------

    @on(Composer.Sent)
    def send(self, event: Composer.Sent) -> None:
        """Sends a message or a command to the thread of the chat."""
        text = event.text
        if self._consents and text.strip().lower() in ("y", "yes", "n", "no"):
            self.decide(text.strip().lower().startswith("y"))
            return
        message = unfence(text)
        self.ui.remember_typed(message)
        self.add(Static(visible(message), markup=False, classes="user"))
        self._stored.clear()
        self._sent.append(not (is_command(message) or message.startswith("!")))
        self._state_changed()
        self.ui.say(message)

    @on(Markdown.LinkClicked)
    def open_link(self, event: Markdown.LinkClicked) -> None:
        """Opens a link of an answer in the browser, after showing its whole address, because a
        model wrote it."""
        address = event.href
        if not address.startswith(("https://", "http://")):
            self.notify(visible(f"Not opened: {address}"), markup=False)
            return
        self.app.push_screen(
            Confirm("Open this address in the browser?", visible(address)),
            lambda yes: self.app.open_url(address) if yes else None,
        )

    @on(Console.Toggled)
    def keep_panels(self, event: Console.Toggled) -> None:
        """Saves which panels are open."""
        self.ui.keep(panels=event.opened)

    @on(Composer.Changed)
    def typed(self) -> None:
        """Stops concluding insights while the user is typing."""
        if self.query_one(Composer).text and self.ui.conversation is not None:
            self.ui.conversation.typed()

    @property
    def answering(self) -> bool:
        """True while a message or a command is being handled."""
        return bool(self._sent)

    def on_key(self, event: events.Key) -> None:
        """Writes characters that are not keys here into the field, wherever the focus is."""
        if event.is_printable and event.character and event.key not in self.active_bindings:
            self._write_on(event.character)
            event.stop()

    def on_paste(self, event: events.Paste) -> None:
        """Pastes into the field, wherever the focus is."""
        self._write_on(event.text)
        event.stop()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Escape stops an answer or leaves the field; the footer shows which."""
        if action == "stop":
            return self.answering
        if action == "leave_field":
            return not self.answering and isinstance(self.focused, Composer)
        return super().check_action(action, parameters)

    def action_stop(self) -> None:
        """Stops the answer, and leaves the field if it is empty."""
        self.stop_answer()
        if not self.query_one(Composer).text:
            self.action_leave_field()

    def stop_answer(self) -> None:
        """Stops the current answer, if any."""
        if self.answering and self.ui.conversation is not None:
            self.ui.conversation.stop()

    def action_leave_field(self) -> None:
        """Leaves the field, so that digits are keys."""
        self.query_one("#log").focus()

    def action_why(self) -> None:
        """Shows the origin of the last answer."""
        if any(self._sent):
            self.notify("The answer is not there yet. Ctrl+G shows what it is being made of.")
        elif self._turn_id is None:
            self.notify("There is no answer yet.")
        else:
            self.ui.open_details(self._turn_id, lambda _: None)

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
        """Shows an event in the console, and an answer while it is generated."""
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
        if name == "StageWaiting":
            self._stage = f"waiting {event.seconds:.3g} s"
            self.show_state()
        self.query_one(Console).hear(event, behind=message.behind)
        if name == "TurnFinished" and not event.left:
            self._stored.stored(event.record)
            self.show_state()
        if name == "TurnFinished" and message.behind:
            self.ui.refresh_page()

    @on(Answered)
    async def finish(self, message: Answered) -> None:
        """Ends the answer in progress."""
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
        """Shows the output of a command."""
        self.note(message.text.rstrip())

    @on(Failed)
    async def fail(self, message: Failed) -> None:
        """Shows an error and its advice."""
        await self._end_stream()
        advice = in_chat(getattr(message.error, "advice", ""))
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
        """Asks for consent in the conversation rather than in a dialog: it can wait."""
        self._consents += message.waiting
        if len(self._consents) == len(message.waiting):
            self._ask_next()

    @on(Button.Pressed)
    def decided(self, event: Button.Pressed) -> None:
        """Handles a button below such a question."""
        if event.button.name in ("keep", "delete"):
            self.decide(event.button.name == "keep")

    def decide(self, keep: bool) -> None:
        """Keeps or deletes the entry of the question."""
        waiting = self._consents.pop(0)
        self.query(".consent").remove()
        self.query_one(Composer).focus()
        self.ui.talk(lambda conversation: conversation.decide(waiting.stored_id, keep))
        self._ask_next()

    @on(IssueNoted)
    def note_issue(self, message: IssueNoted) -> None:
        """Adds an error to the panel of issues."""
        self.query_one(Console).add_issue(message.text)

    @on(PanelSet)
    def set_panel(self, message: PanelSet) -> None:
        """Opens or closes a panel of the console."""
        self.query_one(Console).set_panel(message.name, message.opened)

    @on(BehindChanged)
    @on(ModelWoke)
    def show_change(self) -> None:
        """Shows the state after the background work or the model changed."""
        self.show_state()

    @on(EngineChanged)
    def change(self, message: EngineChanged) -> None:
        """Shows other settings or another session."""
        self.ui.follow(message.config, message.session)
        self.show_state()

    @on(SessionOpened)
    async def open_session(self, message: SessionOpened) -> None:
        """Shows the last messages of the session, or the rest of it after a deletion."""
        log = self.query_one("#log", VerticalScroll)
        await log.remove_children()
        for turn in message.turns:
            await log.mount(Static(visible(turn.message), markup=False, classes="user"))
            if turn.answer:
                await log.mount(Markdown(visible(turn.answer), open_links=False))
        if not message.moved:
            self.query_one(Console).clear()
            return
        self.note(f"session {self.ui.session}")
        self.app.switch_mode("chat")

    @on(PageAsked)
    def open_page(self, message: PageAsked) -> None:
        """Opens the page that a command asked for."""
        self.app.switch_mode(message.name)

    @on(CopyAsked)
    def copy(self, message: CopyAsked) -> None:
        """Copies a text to the clipboard of the terminal."""
        self.app.copy_to_clipboard(message.text)

    @on(LeaveAsked)
    async def leave(self) -> None:
        """Leaves on request of a command."""
        await self.ui.action_quit()

    # -- what is shown ---------------------------------------------------------------------------

    @on(Done)
    def done(self) -> None:
        """Ends the wait for the message that was sent."""
        if not self._sent.popleft() and self.ui.config.memory:
            self.ui.forget_typed()  # a command may have erased lines of the file
        self._stage = ""
        self._state_changed()

    def note(self, text: str) -> None:
        """Adds a remark of the program."""
        if text:
            self.add(Static(visible(text), markup=False, classes="note"))

    def add(self, widget: Static | Horizontal | Markdown) -> None:
        """Adds something at the end of the conversation."""
        self.query_one("#log", VerticalScroll).mount(widget)

    def show_state(self) -> None:
        """Shows the settings and the current work on one line."""
        conversation = self.ui.conversation
        activity = self._stage if self.answering else ""
        if not activity and self.answering:
            activity = "thinking …"
        if not activity and conversation is not None and conversation.remembering:
            activity = "remembering …"
        if not activity and self.ui.model is None:
            activity = "waking the model …"
        activity = activity or self._stored.outcome(most=2)
        config = self.ui.config
        memory = config.tenant if config.memory else "off"
        model = (self.ui.model or config.model).rpartition("/")[2]
        used = f"{model}  memory {memory}  {self.ui.session}"
        self.query_one("#used", Static).update(visible(used))
        self.query_one("#activity", Static).update(activity)

    def _state_changed(self) -> None:
        self.show_state()
        self.refresh_bindings()

    def _write_on(self, text: str) -> None:
        """Returns to the field, and writes there."""
        composer = self.query_one(Composer)
        composer.focus()
        composer.insert(text)

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

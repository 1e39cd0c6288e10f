"""The page of settings of the chat, and of erasing the memory.

Settings last until the screen is left, unless they are saved to the configuration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Checkbox, Label, Select, Static

from thalamus.terminal.lines import counted
from thalamus.text.visible import visible
from thalamus.ui.dialogs import AskText
from thalamus.ui.output import Caught
from thalamus.ui.pages import Page
from thalamus.ui.panels import PANELS
from thalamus.ui.saving import save_settings

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.records.installation import Model
    from thalamus.transfer.reset import ResetReport

LEVELS = ("debug", "info", "warning", "error")
OTHERS = ("embedder", "reranker")  # roles of models other than chat models
EVERY = "every role"  # the model of roles without their own


class SettingsPage(Page):
    """Fields, each with its meaning next to it."""

    PAGE = "settings"
    AUTO_FOCUS = "#memory"
    DEFAULT_CSS = """
    SettingsPage VerticalScroll { padding: 0 1; }
    SettingsPage .row { height: 1; }
    SettingsPage Label { width: 14; }
    SettingsPage Label.hint { width: 1fr; color: $text-muted; padding-left: 2;
                              text-wrap: nowrap; text-overflow: ellipsis; }
    SettingsPage Checkbox { width: 34; background: $background; }
    SettingsPage Select { width: 44; }
    SettingsPage .heading { text-style: bold; color: $text-primary; margin-top: 1; height: 1; }
    SettingsPage Button { margin-right: 2; }
    """
    BINDINGS = [
        Binding("n", "new", "New session", tooltip="Begin a new session; memories are kept"),
        Binding(
            "s",
            "save",
            "Save",
            tooltip="Save to the configuration, for every start",
        ),
        Binding("ctrl+r", "reset", "Reset memory", tooltip="Erase everything that is remembered"),
    ]

    def content(self) -> ComposeResult:
        config, shown = self.ui.config, self.ui.preferences
        with VerticalScroll(can_focus=False):
            yield _switch("memory", "Memory", config.memory, "off: nothing is recalled or stored")
            yield _switch("prompts", "Log prompts", config.log_prompts, "show them in the console")
            yield _select("level", "Log level", [(n, n) for n in LEVELS], config.log_level)
            themes = sorted(self.app.available_themes)
            yield _select("theme", "Colours", [(name, name) for name in themes], shown.theme)
            with Horizontal(classes="row"):
                yield Button("Save to configuration (s)", id="save", compact=True)
            yield Static("Models", classes="heading")
            yield Static("Looking for models …", id="models")
            yield Static("Panels of the debug console", classes="heading")
            for name, title in PANELS.items():
                yield _switch(f"panel-{name}", title, name in shown.panels, "")
            yield Static("Start again", classes="heading")
            with Horizontal(classes="row"):
                yield Button("New session (n)", id="new", compact=True)
                yield Button("Reset memory (Ctrl+R)", id="reset", variant="error", compact=True)

    def on_mount(self) -> None:
        self._list_models()

    def on_screen_resume(self) -> None:
        """Shows the present values: commands of the chat change them, too."""
        with self.prevent(Checkbox.Changed, Select.Changed):
            self.query_one("#memory", Checkbox).value = self.ui.config.memory
            for name in PANELS:
                opened = name in self.ui.preferences.panels
                self.query_one(f"#panel-{name}", Checkbox).value = opened

    def action_new(self) -> None:
        """Begins a new session."""
        self.ui.new_session()

    def action_save(self) -> None:
        """Writes the settings to the configuration file."""
        config = self.ui.config
        self.fetch(lambda _: save_settings(config), self._saved, group="save")

    def action_reset(self) -> None:
        """Erases the memory, after the tenant's name was typed."""
        self.fetch(lambda t: t.store.inspect_erasure(), self._ask_reset, group="reset")

    @on(Button.Pressed)
    def pressed(self, event: Button.Pressed) -> None:
        """Runs the action of a button, which is that of its key."""
        actions = {"new": self.action_new, "save": self.action_save, "reset": self.action_reset}
        actions[event.button.id or ""]()

    @on(Checkbox.Changed)
    def switched(self, event: Checkbox.Changed) -> None:
        """Applies a switch."""
        name = event.checkbox.id or ""
        if name == "memory":
            self.ui.use_settings(memory=event.value)
        elif name == "prompts":
            self.ui.use_settings(log_prompts=event.value)
        else:
            self.ui.open_panel(name.removeprefix("panel-"), event.value)

    @on(Select.Changed)
    def selected(self, event: Select.Changed) -> None:
        """Applies a choice from a list."""
        name, value = event.select.id or "", event.value
        if not isinstance(value, str):
            return
        if name == "theme":
            self.app.theme = value
            self.ui.keep(theme=value)
        elif name == "level":
            import logging

            logging.getLogger("thalamus").setLevel(value.upper())
            self.ui.use_settings(log_level=value)
        else:
            self._use_model(name.removeprefix("role-"), value)

    # -- models ----------------------------------------------------------------------------------

    def _list_models(self) -> None:
        self.fetch(lambda t: t.models.find(), self._show_models, group="models", slow=True)

    async def _fill_models(self, found: list[Model]) -> None:
        config = self.ui.config
        chats = [model for model in found if model.kind == "chat" and model.state == "ready"]
        roles = [role for model in found for role in model.roles if role not in OTHERS]
        names = {model.name for model in chats}
        rows = [_model_select("model", EVERY, names, config.model)]
        for role in dict.fromkeys(roles):
            rows.append(_model_select(role, role, names, config.models.get(role, "")))
        place = self.query_one("#models", Static)
        await self.query_one(VerticalScroll).mount_all(rows, after=place)
        place.display = False

    def _show_models(self, found: list[Model]) -> None:
        self.run_worker(self._fill_models(found), exit_on_error=False)

    def _use_model(self, role: str, name: str) -> None:
        config = self.ui.config
        if role == "model":
            self.ui.use_settings(model=name)
        else:
            others = {other: spec for other, spec in config.models.items() if other != role}
            self.ui.use_settings(models=others | ({role: name} if name else {}))

    def _saved(self, lines: list[str]) -> None:
        self.notify(visible("\n".join(lines)), timeout=8, markup=False)

    # -- resetting -------------------------------------------------------------------------------

    def _ask_reset(self, report: ResetReport) -> None:
        copies = "".join(f"\nstill holds it, and is left: {path}" for path in report.copies)
        hint = f"{report.place}: {counted(report.counts)}{copies}"
        tenant = self.ui.config.tenant
        question = f"Erase everything? Type the name of the memory ({tenant}):"

        def reset(name: str | None) -> None:
            if name == tenant:
                self.fetch(_reset, self._was_reset, group="reset", slow=True)
            elif name is not None:
                self.notify("Another name: nothing was erased.", severity="warning")

        self.app.push_screen(AskText(question, hint=hint), reset)

    def _was_reset(self, problems: list[str]) -> None:
        text = "\n".join(["The memory was erased.", *problems])
        self.notify(visible(text), markup=False)
        self.ui.forget_typed()
        self.ui.new_session()


class Box(Checkbox):
    """A box that is empty when off, also without colours."""

    @property
    def BUTTON_INNER(self) -> str:  # type: ignore[override]
        return "X" if self.value else " "


def _reset(thalamus: Thalamus) -> list[str]:
    with Caught():
        return thalamus.store.erase().left


def _switch(id: str, name: str, value: bool, hint: str) -> Horizontal:
    box = Box(name, value, id=id, compact=True)
    return Horizontal(box, Label(hint, classes="hint"), classes="row")


def _select(id: str, name: str, choices: list[tuple[str, str]], value: str) -> Horizontal:
    known = [*choices, *([(value, value)] if value not in dict(choices).values() else [])]
    chosen: Any = Select(known, value=value, allow_blank=False, id=id, compact=True)
    return Horizontal(Label(name), chosen, classes="row")


def _model_select(role: str, name: str, names: set[str], value: str) -> Horizontal:
    choices = [(visible(model), model) for model in sorted(names)]
    if role != "model":
        choices.insert(0, (f"as {EVERY}", ""))
    return _select(f"role-{role}", name, choices, value)

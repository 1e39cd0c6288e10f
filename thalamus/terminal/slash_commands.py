"""The commands inside a chat, each a line that begins with a slash."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Protocol

from thalamus.errors import NothingFound, UsageError
from thalamus.terminal import lines
from thalamus.terminal.streams import say as print  # whatever is said is for people

if TYPE_CHECKING:
    from thalamus.api import ForgetReport, Thalamus

HELP = {
    "help": "this list",
    "memory [WORDS]": "what is remembered, or what of it matches",
    "facts [SUBJECT]": "the facts that hold now",
    "plan": "what the next turn will look up",
    "why [ID]": "where the last answer, or a thing, came from",
    "forget [ID]": "delete the last turn, or a thing, and all that rests on it",
    "forget about X": "delete what was said about something",
    "debug": "tell what each turn plans, fetches, keeps and stores, or stop it",
    "model [SPEC]": "which model answers, or change it for this chat",
    "import FILE": "read a document into memory",
    "reset": "begin a new session; what was said stays in memory",
    "quit": "leave (or Ctrl-D)",
}
MOST = 15  # lines that a listing shows


class Leave(Exception):
    """The user wants to leave."""


class Chat(Protocol):
    """The chat that the commands are given in."""

    thalamus: Thalamus
    debug: bool

    def sure(self, question: str, command: str) -> bool: ...

    def use_model(self, spec: str) -> str: ...


class SlashCommands:
    """Runs slash commands for a chat and prints what they show."""

    def __init__(self, repl: Chat) -> None:
        self._repl = repl

    def run(self, line: str) -> None:
        """Runs ``/name rest``. Raises ``Leave``, or an error that the chat tells."""
        name, _, rest = line[1:].strip().partition(" ")
        names = list(dict.fromkeys(usage.split()[0] for usage in HELP))
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"Did you mean /{near[0]}?" if near else "/help lists them."
            raise UsageError(f"There is no command /{name}.", fix=f"{hint} (// begins a message.)")
        needs_store = name in ("memory", "facts", "plan", "why", "forget")
        if needs_store and self._repl.thalamus.open_store(False) is None:
            print("Nothing is remembered yet.")
            return
        getattr(self, f"_{name}")(rest.strip())

    def _help(self, _rest: str) -> None:
        for usage, what in HELP.items():
            print(f"/{usage:17} {what}")
        print('Alt-Enter or """ begins a new line, Ctrl-C stops an answer.')

    def _memory(self, words: str) -> None:
        thalamus = self._repl.thalamus
        if words:
            for item in thalamus.retrieve(words, limit=MOST):
                text = lines.one_line(item.text, 200)
                print(f"{item.score:.2f}  {lines.day(item.at)}  {item.kind:8}  {text}  [{item.id}]")
            return
        found = thalamus.memories(limit=MOST)
        for memory in found:
            print(lines.memory_line(memory))
        if not found:
            print("Nothing is remembered yet.")

    def _facts(self, subject: str) -> None:
        found = self._repl.thalamus.facts(subject or None)
        for fact in found:
            print(lines.fact_line(fact))
        if not found:
            print("No facts are known yet.")

    def _plan(self, _rest: str) -> None:
        thalamus = self._repl.thalamus
        plan = thalamus.saved_plan()
        if plan is None or not plan.retrieval_instructions:
            print("Nothing is planned; the next turn looks up what its message calls up.")
            return
        for item in plan.retrieval_instructions:
            print(f"{item.mode}: {item.query}, at most {item.limit}")

    def _why(self, id: str) -> None:
        from thalamus.terminal.explain import tree
        from thalamus.terminal.tree import lines

        thalamus = self._repl.thalamus
        if not id and thalamus.last_turn_id() is None:
            raise NothingFound("an answer in this session")
        for line in lines(tree(thalamus.why(id or None))):
            print(line)

    def _forget(self, what: str) -> None:
        from thalamus.api import ForgetOptions
        from thalamus.terminal.erase import command, show_plan, show_report

        thalamus = self._repl.thalamus
        about = what.removeprefix("about ").strip() if what.startswith("about ") else None
        full = thalamus.last_turn_id() if what in ("", "last") else what
        if full is None:
            raise NothingFound("a turn in this session")

        def sure(report: ForgetReport) -> bool:
            show_plan(report, json=False)
            line = command(full, about)
            return self._repl.sure("Delete all of this for good?", f"{line} --yes")

        options = ForgetOptions(about=about) if about is not None else ForgetOptions(ids=(full,))
        report = thalamus.forget(options, confirm=sure)
        if report.done:
            show_report(report, json=False, at="")

    def _debug(self, _rest: str) -> None:
        self._repl.debug = not self._repl.debug
        print(f"debug is {'on' if self._repl.debug else 'off'}")

    def _model(self, spec: str) -> None:
        if spec:
            print(f"model {self._repl.use_model(spec)}")
            return
        thalamus = self._repl.thalamus
        print(f"model {thalamus.model_name()}")
        print(f"embedder {thalamus.embedder_name()}")

    def _import(self, file: str) -> None:
        from pathlib import Path

        if not file:
            raise UsageError("Which file?", fix="/import notes.md")
        document = self._repl.thalamus.ingest_document(Path(file).expanduser())
        print(lines.document_line(document))

    def _reset(self, _rest: str) -> None:
        print(f"session {self._repl.thalamus.reset_session()}")

    def _quit(self, _rest: str) -> None:
        raise Leave

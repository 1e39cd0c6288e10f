"""The commands inside a chat, each a line that begins with a slash."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Protocol

from thalamus.errors import NothingFound, NothingMatches, UsageError
from thalamus.terminal import lines
from thalamus.terminal.streams import say as print  # whatever is said is for people

if TYPE_CHECKING:
    from thalamus.api import ForgetReport, Thalamus

HELP = {
    "help": "show this list",
    "memory [WORDS]": "list memories, or search them for WORDS",
    "memory on|off": "remember again, or recall and store nothing from here on",
    "facts [SUBJECT]": "list the facts that hold now, or those about SUBJECT",
    "profile": "show who you are, as every prompt says it",
    "insights [WORDS]": "list what was concluded from what you said, or search it for WORDS",
    "reflect": "merge insights that are about the same (!reflect does too)",
    "plan": "show what the next turn will recall",
    "why [ID]": "show where the last answer, or an id, came from",
    "forget [ID]": "delete the last turn, or an id, with everything derived from it",
    "forget about X": "delete what was said about X",
    "debug": "toggle printing what each turn plans, recalls and stores",
    "model [SPEC]": "show the models, or change the model of this chat",
    "persona [NAME]": "show the personas, or change that of this chat (none: without)",
    "import FILE": "read a document into memory",
    "reset": "start a new session; memories are kept",
    "quit": "leave (or Ctrl-D)",
}
NEEDS_STORE = ("memory", "facts", "profile", "insights", "reflect", "plan", "why", "forget")
MOST = 15  # lines that a listing shows


class Leave(Exception):
    """The user wants to leave."""


class Chat(Protocol):
    """The chat that the commands are given in."""

    thalamus: Thalamus
    debug: bool

    def sure(self, question: str, command: str) -> bool: ...

    def use_model(self, spec: str) -> str: ...

    def use_memory(self, on: bool) -> None: ...


class SlashCommands:
    """Runs slash commands for a chat and prints what they show."""

    def __init__(self, repl: Chat) -> None:
        self._repl = repl

    def run(self, line: str) -> None:
        """Runs ``/name rest``. Raises ``Leave``, or an error that the chat prints."""
        name, _, rest = line[1:].strip().partition(" ")
        names = list(dict.fromkeys(usage.split()[0] for usage in HELP))
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"Did you mean /{near[0]}?" if near else "/help lists the commands."
            raise UsageError(
                f"Unknown command /{name}.", fix=f"{hint} (To start a message with /, type //.)"
            )
        if name == "memory" and rest.strip() in ("on", "off"):
            self._switch_memory(rest.strip() == "on")
            return
        needs_store = name in NEEDS_STORE
        if needs_store and self._repl.thalamus.open_store(False) is None:
            print("There are no memories yet.")
            return
        getattr(self, f"_{name}")(rest.strip())

    def _help(self, _rest: str) -> None:
        for usage, what in HELP.items():
            print(f"/{usage:17} {what}")
        print('Alt-Enter or """ starts a new line, Ctrl-C stops an answer.')

    def _memory(self, words: str) -> None:
        from thalamus.records import Instruction

        thalamus = self._repl.thalamus
        if words:
            wanted = Instruction(mode="memory", query=words, limit=MOST)
            matching = thalamus.retrieve(words, limit=MOST, instruction=wanted)
            for item in matching:
                print(lines.evidence_line(item, 200))
            if not matching:
                print("No memories match.")
            return
        found = thalamus.memories(limit=MOST)
        for memory in found:
            print(lines.memory_line(memory))
        if not found:
            print("There are no memories yet.")

    def _switch_memory(self, on: bool) -> None:
        if on != self._repl.thalamus.config.memory:
            self._repl.use_memory(on)
        print(f"memory is {'on' if on else 'off: nothing is recalled or stored'}")

    def _facts(self, subject: str) -> None:
        found = self._repl.thalamus.facts(subject or None)
        for fact in found:
            print(lines.fact_line(fact))
        if not found:
            about = f"about {lines.quoted(subject)}" if subject else "yet"
            print(f"There are no facts {about}.")

    def _profile(self, _rest: str) -> None:
        from thalamus.terminal.profile import profile_lines

        for line in profile_lines(self._repl.thalamus.profile()):
            print(line)

    def _insights(self, words: str) -> None:
        from thalamus.terminal.insights import insight_line

        thalamus = self._repl.thalamus
        if words:
            matching = thalamus.search_insights(words, limit=MOST)
            for item in matching:
                print(lines.evidence_line(item, 200))
            if not matching:
                print("No insights match.")
            return
        found = thalamus.insights()
        for insight in found[:MOST]:
            print(insight_line(insight))
        waiting = thalamus.count_jobs().get("waiting", 0)
        if not found:
            print("There are no insights yet.")
        if waiting:
            many = "1 turn waits" if waiting == 1 else f"{waiting} turns wait"
            print(f"({many} to be looked at for connections)")

    def _reflect(self, _rest: str) -> None:
        from thalamus.terminal.insights import reflection_lines

        for line in reflection_lines(self._repl.thalamus.reflect_deeply()):
            print(line)

    def _plan(self, _rest: str) -> None:
        thalamus = self._repl.thalamus
        plan = thalamus.saved_plan()
        if plan is None or not plan.retrieval_instructions:
            print("No plan; the next turn recalls by its message.")
            return
        for item in plan.retrieval_instructions:
            print(lines.instruction_line(item))

    def _why(self, id: str) -> None:
        from thalamus.terminal.explain import tree
        from thalamus.terminal.tree import lines

        thalamus = self._repl.thalamus
        if not id and thalamus.last_turn_id() is None:
            raise NothingMatches("There are no turns in this session yet.")
        for line in lines(tree(thalamus.why(id or None))):
            print(line)

    def _forget(self, what: str) -> None:
        from thalamus.api import ForgetOptions
        from thalamus.terminal.erase import command, nothing_to_forget, show_plan, show_report

        thalamus = self._repl.thalamus
        about = what.removeprefix("about ").strip() if what.startswith("about ") else None
        full = thalamus.last_turn_id() if what in ("", "last") else what
        if full is None:
            raise NothingMatches("There are no turns in this session yet.")

        def sure(report: ForgetReport) -> bool:
            show_plan(report, json=False)
            line = command(full, about)
            return self._repl.sure("Delete all of this permanently?", f"{line} --yes")

        options = ForgetOptions(about=about) if about is not None else ForgetOptions(ids=(full,))
        try:
            report = thalamus.forget(options, confirm=sure)
        except NothingFound as error:
            raise nothing_to_forget(options, error) from None
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
        print(f"reranker {thalamus.reranker_name()}")

    def _persona(self, name: str) -> None:
        thalamus = self._repl.thalamus
        if name:
            thalamus.use_persona("" if name == "none" else name)
        print(f"persona {thalamus.persona or 'none'}")
        if not name and (known := thalamus.personas()):
            print(f"known: {', '.join(known)}")

    def _import(self, file: str) -> None:
        from pathlib import Path

        if not file:
            raise UsageError("Missing file name.", fix="/import notes.md")
        if not self._repl.thalamus.config.memory:
            raise UsageError("Memory is off.", fix="`/memory on` turns it on.")
        document = self._repl.thalamus.ingest_document(Path(file).expanduser())
        print(lines.document_line(document))

    def _reset(self, _rest: str) -> None:
        print(f"session {self._repl.thalamus.reset_session()}")

    def _quit(self, _rest: str) -> None:
        raise Leave

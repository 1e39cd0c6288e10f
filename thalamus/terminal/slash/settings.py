"""Slash commands that change how the next turns are run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalamus.terminal.streams import say as print  # all output is for people
from thalamus.terminal.tool_calls import tool_lines

if TYPE_CHECKING:
    from thalamus.terminal.slash.chat import Chat


def model(chat: Chat, spec: str) -> None:
    if spec:
        print(f"model {chat.use_model(spec)}")
        return
    thalamus = chat.thalamus
    print(f"model {thalamus.models.name()}")
    print(f"embedder {thalamus.models.embedder()}")
    print(f"reranker {thalamus.models.reranker()}")


def persona(chat: Chat, name: str) -> None:
    thalamus = chat.thalamus
    if name:
        thalamus.sessions.use_persona("" if name == "none" else name)
    print(f"persona {thalamus.config.persona or 'none'}")
    if not name and (known := thalamus.sessions.personas()):
        print(f"known: {', '.join(known)}")


def flow(chat: Chat, name: str) -> None:
    thalamus = chat.thalamus
    if name:
        thalamus.sessions.use_flow(name)
    print(f"flow {thalamus.config.flow}")
    if not name:
        print(f"known: {', '.join(thalamus.sessions.flows())}")


def tools(chat: Chat, _rest: str) -> None:
    thalamus = chat.thalamus
    for line in tool_lines(thalamus.tools.find()):
        print(line)
    for problem in thalamus.tools.problems():
        print(problem.message)

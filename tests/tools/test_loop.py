"""A model that was not taught to call tools chooses one as JSON."""

from __future__ import annotations

import pytest

from thalamus import Thalamus
from thalamus.models.protocol import ChatReply, ChatRequest, Message, TokenSink
from thalamus.models.scripted import ScriptedChat
from thalamus.records import Turn
from thalamus.tools.call import Caller
from thalamus.tools.loop import run_tools
from thalamus.tools.toolbox import toolbox
from thalamus.turn_run import TurnRun

pytestmark = pytest.mark.storeless

CHOICE = '{"tool": "calculate", "arguments": {"expression": "17 * 23"}}'


class Untaught(ScriptedChat):
    """A model without calls of its own, which chooses once and then answers."""

    def __init__(self, choice: str) -> None:
        super().__init__()
        self.choice = choice

    def calls_tools(self) -> bool:
        return False

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        chosen = any("391" in message.content for message in request.messages)
        return ChatReply(model=self.name, text="It is 391." if chosen else self.choice)


@pytest.mark.parametrize("written", ["{}", "```json\n{}\n```", "I will calculate it: {}"])
def test_a_choice_is_read_however_it_is_wrapped(
    thalamus: Thalamus, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    model = Untaught(written.replace("{}", CHOICE))
    monkeypatch.setattr(type(thalamus.engine.models), "chat", lambda self, role: model)
    turn = Turn(message="How much is 17 * 23?")
    box = toolbox(thalamus.engine)
    caller = Caller(box, turn, TurnRun(thalamus.engine), "act")
    messages = [Message("user", turn.message)]
    done = run_tools(TurnRun(thalamus.engine), "act", messages, box.of_stage("act"), caller)
    assert done.text == "It is 391." and not done.issues


@pytest.mark.parametrize("reply", ["{not JSON", '{"tool": 7}', '[{"name": "calculate"}]', "{}"])
def test_an_unusable_choice_is_asked_for_once_more(
    thalamus: Thalamus, monkeypatch: pytest.MonkeyPatch, reply: str
) -> None:
    monkeypatch.setattr(type(thalamus.engine.models), "chat", lambda self, role: Untaught(reply))
    turn = Turn(message="How much is 17 * 23?")
    box = toolbox(thalamus.engine)
    caller = Caller(box, turn, TurnRun(thalamus.engine), "act")
    messages = [Message("user", turn.message)]
    done = run_tools(TurnRun(thalamus.engine), "act", messages, box.of_stage("act"), caller)
    assert len(done.replies) == 2 and not caller.calls
    assert [issue.code for issue in done.issues] == ["unusable_reply"]

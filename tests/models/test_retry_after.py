"""Models that are busy are asked again after the time that they name."""

import pytest
from msgspec import structs

from thalamus.cancel import CancelToken
from thalamus.errors import BadKey, ModelBusy, ModelFailed
from thalamus.models.ollama import OllamaChat, OllamaEmbedder
from thalamus.models.openai import OpenAIChat, OpenAIEmbedder
from thalamus.models.protocol import ChatReply, ChatRequest, Message
from thalamus.models.retry_after import retry_after
from thalamus.policy.retry import LONGEST, ask_patiently

CHAT = "/v1/chat/completions"


@pytest.mark.parametrize(
    ("words", "headers", "seconds"),
    [
        ("Slow down.", {}, None),
        ("Slow down.", {"retry-after": "7"}, 7),
        ("Slow down.", {"retry-after": "1.5"}, 1.5),
        ("Slow down.", {"retry-after-ms": "250"}, 0.25),
        ("Slow down.", {"retry-after": "2m30s"}, 150),
        (
            "Slow down.",
            {
                "retry-after": "Thu, 26 Nov 2026 10:00:30 GMT",
                "date": "Thu, 26 Nov 2026 10:00:00 GMT",
            },
            30,
        ),
        ("Rate limit reached. Please try again in 1s.", {}, 1),
        ("Please try again in 7.66s. Visit the site.", {}, 7.66),
        ("Please try again in 2m59.56s.", {}, 179.56),
        ("try again in 340ms", {}, 0.34),
        ("Please retry after 20 seconds.", {}, 20),
        ("Please retry in 36.1s.", {}, 36.1),
        ('{"error": {"details": [{"retryDelay": "36s"}]}}', {}, 36),
        ('{"error": "Model x is currently loading", "estimated_time": 20.5}', {}, 20.5),
        ("No deployments available, Try again in 60 seconds.", {}, 60),
        ("Retry after 1 minute", {}, 60),
        ("Limit 3 of 10 requests in 60 s", {}, None),
    ],
)
def test_the_time_that_a_server_asks_to_wait(words, headers, seconds):
    assert retry_after(words, headers) == (seconds and pytest.approx(seconds))


def failing(*errors):
    """A call that raises these errors, then returns the number of calls; and the waits."""
    queue, waits = list(errors), []

    def call():
        if queue:
            raise queue.pop(0)
        return len(errors) + 1

    return call, waits, lambda seconds, busy: waits.append(seconds)


def test_a_busy_model_is_asked_at_most_three_times():
    call, waits, wait = failing(ModelBusy("m", "rate", 3.0), ModelBusy("m", "Loading model"))
    assert (ask_patiently(call, wait), waits) == (3, [3.0, 25.0])
    call, waits, wait = failing(*[ModelBusy("m", "rate")] * 3)
    with pytest.raises(ModelBusy):
        ask_patiently(call, wait)
    assert waits == [2.0, 5.0]
    call, waits, wait = failing(ModelBusy("m", "rate", LONGEST + 1))
    with pytest.raises(ModelBusy):
        ask_patiently(call, wait)
    assert waits == []


REFUSALS = [
    (429, "Rate limit reached", True),
    (503, "Loading model", True),
    (529, "Overloaded", True),
    (429, "You exceeded your current quota, please check your plan and billing details.", False),
    (429, "insufficient_quota", False),
    (429, "You exceeded your current quota. Please retry in 36.1s.", True),
    (429, "You exceeded your current quota (PerDay). Please retry in 36.1s.", False),
    (429, "Rate limit exceeded: free-models-per-day", False),
    (401, "Slow down", False),
    (402, "Insufficient credits", False),
    (403, "Slow down", False),
    (500, "Loading model", False),
]


@pytest.mark.parametrize("inside", [False, True])
def test_only_what_passes_by_itself_is_waited_for(model_server, answer, inside):
    url = model_server.url + "/v1"
    chat, embedder = OpenAIChat("m", url, None, 5), OpenAIEmbedder("m", url, None, 5)
    for status, words, busy in REFUSALS:
        body = {"error": {"message": words, "code": status}}
        reply = answer(body) if inside else answer(body, status=status)
        model_server.routes[CHAT] = lambda _, reply=reply: reply
        model_server.routes["/v1/embeddings"] = model_server.routes[CHAT]
        for call in (
            lambda: chat.chat(ask()),
            lambda: chat.chat(ask(), lambda text: None),
            lambda: chat.yes(ask()),
            lambda: embedder.embed(["x"], "document"),
        ):
            with pytest.raises((ModelFailed, BadKey)) as caught:
                call()
            assert isinstance(caught.value, ModelBusy) == busy, (status, words)
            assert words[:12] in caught.value.message


@pytest.mark.parametrize(
    ("status", "words", "busy"),
    [
        (503, "server busy, please try again.  maximum pending requests exceeded", True),
        (429, "too many concurrent requests", True),
        (429, "you have reached your daily usage limit", False),
        (500, "llama runner process has terminated", False),
    ],
)
def test_ollama_is_waited_for_too(model_server, answer, status, words, busy):
    for path in ("/api/chat", "/api/embed"):
        model_server.routes[path] = lambda _: answer({"error": words}, status=status)
    model_server.routes["/api/show"] = lambda body: answer({"model_info": {}})
    chat = OllamaChat("m", model_server.url, 5, "5m")
    for call in (
        lambda: chat.chat(ask()),
        lambda: chat.chat(ask(), lambda text: None),
        lambda: OllamaEmbedder("m", model_server.url, 5, "5m").embed(["x"], "document"),
    ):
        with pytest.raises(ModelFailed) as caught:
            call()
        assert isinstance(caught.value, ModelBusy) == busy


def ask():
    return ChatRequest(role="answer", messages=[Message("user", "Hello")])


# -- in a turn ------------------------------------------------------------------------------------


class Busy:
    """A chat model that is busy some times."""

    name = "busy"

    def __init__(self, times, begins=False):
        self.times, self.begins, self.asked = times, begins, 0

    def context(self):
        return 4096

    def chat(self, request, on_token=None):
        self.asked += 1
        if on_token is not None and self.begins:
            on_token("Hel")
        if self.asked <= self.times:
            raise ModelBusy(self.name, "Loading model", 1.0)
        return ChatReply(text="Hello.", model=self.name)


def turn_with(thalamus, model, **more):
    """(the turn, the waits, what the status line said)"""
    waits, said = [], []
    thalamus.engine = structs.replace(thalamus.engine, sleep=waits.append)
    thalamus.engine.models._chats["scripted"] = model
    thalamus.events.bind("on_status_update", lambda *status: said.append(status))
    turn = thalamus.turn("Hi", flow="answer", **more)
    return turn, waits, said


def test_a_turn_waits_and_says_so(thalamus):
    turn, waits, said = turn_with(thalamus, Busy(2))
    assert turn.answer == "Hello." and not turn.issues
    assert sum(waits) == pytest.approx(2.0)
    waiting = ("answer", "waiting", {"seconds": 1.0, "reason": "Loading model"})
    assert said.count(waiting) == 2


def test_a_turn_gives_up_with_the_servers_words(thalamus):
    model = Busy(9)
    turn, _, _ = turn_with(thalamus, model)
    [issue] = turn.issues
    assert (issue.code, model.asked, turn.answer) == ("model_busy", 3, None)
    assert "Loading model" in issue.message


def test_an_answer_that_has_begun_is_not_begun_again(thalamus):
    heard = []
    thalamus.events.bind("on_token", heard.append)
    model = Busy(1, begins=True)
    turn, waits, _ = turn_with(thalamus, model)
    assert (heard, waits, model.asked) == (["Hel"], [], 1)
    assert turn.issues[0].code == "model_busy"


def test_waiting_is_cancelled(thalamus):
    token = CancelToken()
    model = Busy(2)
    thalamus.engine.models._chats["scripted"] = model

    def sleep(seconds):
        token.cancel()

    thalamus.engine = structs.replace(thalamus.engine, sleep=sleep)
    turn = thalamus.turn("Hi", flow="answer", cancel=token)
    assert (turn.interrupted, model.asked) == ("answer", 1)

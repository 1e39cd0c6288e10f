"""A chat model as a reranker: it is asked of each passage whether it helps to answer the question,
and how sure it is of a yes is the score.

Models made for reranking (cross-encoders) do this better and faster; this is for those who have a
chat model only, and for servers without an interface for reranking, such as Ollama.
"""

from __future__ import annotations

from collections.abc import Sequence

from thalamus.errors import ModelFailed
from thalamus.models.protocol import Chat, ChatRequest, Message, YesNo

LONGEST = 1000  # characters of a passage that are shown: thirty longer ones would take minutes
_QUESTION = 500  # of a question
_FIX = "Choose another model as `reranker`, or none."

_RULES = (
    "You check notes from past conversations. Does the note help to answer the question?"
    " Answer with one word: yes or no."
)
# pairs that differ in what decides: sharing a subject with the question is not enough
_EXAMPLES = (
    ("When did Ilse sell her boat?", "Ilse: I finally sold the boat last Tuesday!", "yes"),
    ("When did Ilse sell her boat?", "Ilse: Sailing is what I love most in summer.", "no"),
    ("Which instrument does Tom play?", "Tom: My cello lessons start again in May.", "yes"),
    ("Which instrument does Tom play?", "Ana: That sounds wonderful, Tom!", "no"),
)


class ChatReranker:
    """Scores passages with ``chat``; ``name`` is that of the model."""

    def __init__(self, chat: Chat) -> None:
        self.name = chat.name
        self._chat = chat

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """The probability of a yes for each text. Raises what the model raises, and ``ModelFailed``
        when it says neither yes nor no."""
        return [self._yes(question, text) for text in texts]

    def _yes(self, question: str, text: str) -> float:
        if not isinstance(self._chat, YesNo):
            raise ModelFailed(self.name, "it cannot be asked for a yes or no", fix=_FIX)
        request = ChatRequest(role="verify", messages=_messages(question, text), max_tokens=1)
        score = self._chat.yes(request)
        if score is None:
            raise ModelFailed(self.name, "it answers neither yes nor no", fix=_FIX)
        return score


def _messages(question: str, text: str) -> list[Message]:
    messages = [Message("system", _RULES)]
    for asked, note, answer in _EXAMPLES:
        messages += [Message("user", _pair(asked, note)), Message("assistant", answer)]
    return [*messages, Message("user", _pair(question[:_QUESTION], text[:LONGEST]))]


def _pair(question: str, note: str) -> str:
    return f"Question: {question}\nNote: {note}"

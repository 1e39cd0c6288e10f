"""A chat model as a reranker: asked if a passage helps to answer the question, it scores by the
probability of yes.

Cross-encoders are better and faster at this. It is meant for machines with only a chat model, and
for servers without a reranking endpoint, such as Ollama.
"""

from __future__ import annotations

from collections.abc import Sequence

from thalamus.errors import ModelFailed
from thalamus.models.protocol import ChatModel, ChatRequest, Message, YesNo

LONGEST = 1000  # characters read of a passage: thirty longer ones would take minutes
_QUESTION = 500  # characters read of a question
_FIX = "Choose another model as `reranker`, or none."
_LARGER = "Choose a larger model or a reranking model as `reranker`, or none."

# Least difference in the probability of yes between a plain yes and a plain no. A model with half a
# billion parameters reaches 0.3 and ranks worse than chance; one with 1.5 billion reaches 0.96.
MARGIN = 0.5
_PLAIN = "Where does my sister live?"
_PLAIN_YES = "My sister Hedda lives in Turin."
_PLAIN_NO = "I love figs."

_RULES = (
    "You are given a note from a past conversation and a question. Can the question be answered"
    " from the note? Answer with one word: yes or no."
)
# pairs that differ in the deciding detail: sharing a subject with the question is not enough
_EXAMPLES = (
    ("Ilse: I finally sold the boat last Tuesday!", "When did Ilse sell her boat?", "yes"),
    ("Ilse: Sailing is what I love most in summer.", "When did Ilse sell her boat?", "no"),
    ("Tom: My cello lessons start again in May.", "Which instrument does Tom play?", "yes"),
    ("Ana: That sounds wonderful, Tom! Which one is it?", "Which instrument does Tom play?", "no"),
    ("Ana: I moved to Cork in 2019.", "Which city did Ana move to?", "yes"),
    ("Ana: My aunt breeds alpacas.", "Which city did Ana move to?", "no"),
)


class ChatReranker:
    """Scores passages with ``chat``; ``name`` is that of the model."""

    def __init__(self, chat: ChatModel) -> None:
        self.name = chat.name
        self._chat = chat
        self._can_tell: bool | None = None

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Probability of yes for each text. Raises the model's errors, and ``ModelFailed`` if the
        model answers neither yes nor no, or cannot tell a plain yes from a plain no: very small
        models cannot, and would rank worse than chance."""
        if self._can_tell is None:
            yes, no = (self._yes(_PLAIN, note) for note in (_PLAIN_YES, _PLAIN_NO))
            self._can_tell = yes - no >= MARGIN
        if not self._can_tell:
            reason = "it cannot tell a note that answers a question from one that does not"
            raise ModelFailed(self.name, reason, fix=_LARGER)
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
    for note, example, answer in _EXAMPLES:
        messages += [Message("user", _pair(example, note)), Message("assistant", answer)]
    return [*messages, Message("user", _pair(question[:_QUESTION], text[:LONGEST]))]


def _pair(question: str, note: str) -> str:
    return f"Note:\n- {note}\nQuestion: {question}"

"""The marks that models and chat templates leave in replies, in one table.

Servers parse the forms of thoughts that they know and pass on the others as text, together with
end-of-turn tokens that are missing from their list of stop tokens.
"""

from __future__ import annotations

import re

from msgspec import Struct

from thalamus.text.lazy_regex import lazy_regex

_TAG = r"(?:(?:\w+[:_])?think|thinking|thoughts?|reasoning|scratchpad|inner_monologue|antthinking)"
_SHOWN_TAG = r"(?:answer|response|output|final|final_answer)"


class ThoughtForm(Struct, frozen=True):
    """A form of thoughts: the patterns of its beginning and its end (None: the closing tag of the
    same name). ``opens_reply``: ordinary words, which only count at the beginning of a reply."""

    begin: re.Pattern[str]
    end: re.Pattern[str] | None
    opens_reply: bool = False


def _form(begin: str, end: str, opens_reply: bool = False) -> ThoughtForm:
    return ThoughtForm(lazy_regex(begin), lazy_regex(end), opens_reply)


FORMS: tuple[ThoughtForm, ...] = (
    # DeepSeek, Qwen, GLM, MiniMax, Seed (<seed:think>), LongCat (<longcat_think>), and others
    ThoughtForm(lazy_regex(rf"<(?P<tag>{_TAG})>", re.IGNORECASE), None),
    _form("◁think▷", "◁/think▷"),  # Kimi
    _form(r"\[THINK\]", r"\[/THINK\]"),  # Magistral
    _form(r"<\|begin_of_thought\|>", r"<\|end_of_thought\|>"),  # OpenThoughts
    _form(r"<\|START_THINKING\|>", r"<\|END_THINKING\|>"),  # Command A
    _form(r"<\|think(?:ing|_start)?\|>", r"<\|(?:/think(?:ing)?|think_end)\|>"),
    _form(r"<\|inner_prefix\|>", r"<\|inner_suffix\|>"),  # Apertus
    _form(r"<unused94>(?:thought\n)?", "<unused95>"),  # MedGemma
    _form(r"<\|channel>thought\b", r"<channel\|>"),  # Gemma 4
    # Granite
    _form("Here(?: is|'s) my thought process:", "Here(?: is|'s) my response:", True),
    # gpt-oss (Harmony), where the server drops its special tokens
    _form(r"(?:assistant)?(?:analysis|commentary)(?=[A-Z\d\"'“])", "assistantfinal", True),
)
CLOSING = lazy_regex(
    rf"</(?P<tag>{_TAG})>|◁/think▷|\[/THINK\]|<\|end_of_thought\|>|<\|END_THINKING\|>"
    r"|<\|(?:/think(?:ing)?|think_end)\|>|<\|inner_suffix\|>|<unused95>|<channel\|>",
    re.IGNORECASE,
)
# words of FORMS that count at the beginning of a reply, for text that has arrived only in part
OPENERS = (
    *("Here is my thought process:", "Here's my thought process:"),
    *(f"{name}{channel}" for name in ("", "assistant") for channel in ("analysis", "commentary")),
)

# a Harmony channel (gpt-oss): its header, the names of those that are shown, the end of the others
HARMONY = lazy_regex(
    r"(?:<\|start\|>\s*(?:assistant)?\s*)?<\|channel\|>\s*(\w*)[^<]{0,80}"
    r"(?:<\|constrain\|>[^<]{0,40})?<\|message\|>"
)
HARMONY_BEGINS = ("<|start|>", "<|channel|>")
HARMONY_SHOWN = ("final", "assistant", "")
HARMONY_END = lazy_regex(r"<\|(?:end|call|return)\|>|(?=<\|start\|>)|(?=<\|channel\|>)")
HARMONY_CUT = lazy_regex(
    r"(?:<\|start\|>\s*(?:assistant)?\s*)?(?:<\|channel\|>\s*\w*(?: to=\S*)?[^\w\s]*\s*)?"
    r"(?:<\|constrain\|>\w*)?(?:<[|\w]*)?\Z"
)
LONGEST_HEADER = 200  # characters

# what a template puts before a reply, and around the answer after thoughts
HEADER = lazy_regex(
    r"(?:<\|im_start\|>assistant|<\|start_header_id\|>assistant<\|end_header_id\|>"
    r"|<\|header_start\|>assistant<\|header_end\|>|<\|start_of_role\|>assistant<\|end_of_role\|>"
    r"|<start_of_turn>model|<\|turn>model|<\|assistant\|>|<｜Assistant｜>"
    r"|<\|begin_of_text\|>|<\|begin_of_box\|>|<bos>|<s>|\[/INST\])\s*"
)
WRAPPING = lazy_regex(
    rf"<{_SHOWN_TAG}>|<\|begin_of_solution\|>|<\|START_RESPONSE\|>|<\|begin_of_box\|>",
    re.IGNORECASE,
)
WRAPPING_END = lazy_regex(
    rf"</{_SHOWN_TAG}>|<\|end_of_solution\|>|<\|END_RESPONSE\|>|<\|end_of_box\|>", re.IGNORECASE
)

# marks that end a turn, or begin that of another speaker
END = lazy_regex(
    r"<\|(?!tool|python|message|constrain)[a-z][a-z_]{1,30}\|>|<｜[^｜<>\n]{2,30}｜>"
    r"|</?s>|<[be]os>|<pad>|<(?:end|start)_of_turn>|<\|turn>|<turn\|>|\[/?INST\]|\[\|endofturn\|\]",
    re.IGNORECASE,
)
# the end of a text that may still become one of the marks above
PARTIAL = lazy_regex(
    r"(?:<[|｜]?/?[\w:▁]{0,32}[|｜]?|<\|channel>[a-z]{0,6}|◁/?[a-z]{0,5}|\[/?[A-Z]{0,5}"
    r"|\[\|[a-z]{0,9}\|?|(?:<\|(?:im_start|start_header_id|header_start|start_of_role)\|>"
    r"|<start_of_turn>|<\|turn>)[a-z]{0,9}(?:<[|\w]*)?)\Z",
    re.IGNORECASE,
)

# lines of a dialogue that the model carries on by itself, and how its own reply may begin
OTHER_SPEAKER = lazy_regex(
    r"(?:\*\*)?(?:User|Human)[ \t]?(?:\*\*)?:|#{2,3} ?(?:User|Human|Instruction|Input)\b:?",
    re.IGNORECASE,
)
OWN_SPEAKER = lazy_regex(
    r"^(?:(?:\*\*)?(?:Assistant|AI|Bot)[ \t]?(?:\*\*)?:"
    r"|#{2,3} ?(?:Assistant|Response|Output)\b:?)",
    re.MULTILINE | re.IGNORECASE,
)
OWN_LABEL = lazy_regex(r"(?:Assistant|ASSISTANT) ?:|### ?(?:Assistant|Response):?(?=\s)")
# these lines for text that has arrived only in part
OTHER_LABELS = (
    *(f"{bold}{name}{colon}" for bold in ("", "**") for name in ("User", "Human")
      for colon in (":", " :", "**:")),
    *(f"{marks}{name} " for marks in ("##", "## ", "###", "### ")
      for name in ("User", "Human", "Instruction", "Input")),
)  # fmt: skip
OWN_LABELS = (
    *("Assistant:", "Assistant :", "ASSISTANT:", "ASSISTANT :"),
    *(f"{marks}{name}: " for marks in ("###", "### ") for name in ("Assistant", "Response")),
)

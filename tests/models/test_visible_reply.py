"""Thoughts are kept from the reader, however the reply is cut into pieces."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.models.protocol import Message
from thalamus.models.visible_reply import VisibleReply

pytestmark = pytest.mark.storeless

BITS = st.sampled_from(
    ["<think>", "</think>", "<th", "ink>", "</", "think>", " ", "\n", "yes", "<"]
)


def strip_thinking(text):
    reply = VisibleReply()
    reply.feed(text)
    return reply.close()


@pytest.mark.parametrize(
    ("reply", "visible"),
    [
        ("plain", "plain"),
        ("  kept as it is\n", "  kept as it is\n"),
        ("<think>a\nb</think>\n\nyes", "yes"),
        ("\n<think></think> <think>more</think>\nyes", "yes"),
        ("<think>never ended", ""),
        ("<think>x</think>", ""),
        ("the tag <think> in a text</think>", "the tag <think> in a text</think>"),
        ("thoughts of a template\n</think>\n\nyes", "yes"),
        ("one writes </think> at the end", "one writes </think> at the end"),
        ("<thi", "<thi"),
        ("", ""),
    ],
)
def test_strip_thinking(reply, visible):
    assert strip_thinking(reply) == visible


@pytest.mark.parametrize(
    ("reply", "thoughts"),
    [
        ("plain", None),
        ("<think>a\nb</think>\n\nyes", "a\nb"),
        ("\n<think></think> <think>more</think>\nyes", "more"),
        ("<think>one</think><think>two</think>yes", "one\ntwo"),
        ("<think>never ended</thi", "never ended</thi"),
        ("the tag <think> in a text</think>", None),
        ("thoughts of a template\n</think>\n\nyes", "thoughts of a template"),
    ],
)
def test_thoughts_are_kept_apart(reply, thoughts):
    for pieces in ([reply], list(reply)):
        visible = VisibleReply()
        for piece in pieces:
            visible.feed(piece)
        visible.close()
        assert visible.thoughts() == thoughts


def test_thoughts_that_come_apart_are_added_and_can_be_stopped():
    seen = []
    visible = VisibleReply(seen.append)
    visible.think("Well, ")
    visible.think("let me see")
    visible.feed("Yes")
    assert (visible.close(), visible.thoughts()) == ("Yes", "Well, let me see")
    assert seen == ["", "", "Yes"]


@given(st.lists(BITS, max_size=12), st.lists(st.integers(0, 60), max_size=8))
def test_pieces_make_no_difference(bits, cuts):
    text = "".join(bits)
    edges = sorted({0, len(text), *(min(c, len(text)) for c in cuts)})
    whole, cut = [], []
    once, often = VisibleReply(whole.append), VisibleReply(cut.append)
    once.feed(text)
    for start, end in pairwise(edges):
        often.feed(text[start:end])
    assert once.close() == often.close() == strip_thinking(text)
    assert once.orphan or "".join(whole) == "".join(cut)
    assert once.thoughts() == often.thoughts()


WORDS = "Tram 28 climbs to the castle."
ASKED = "How do I get to the castle?"

THOUGHTS = [
    "<think>Trams?</think>",
    "<think>\nOkay, trams or `<think>` tags?\n</think>\n\n",
    "<Think> Hm, trams. </Think>\n",
    "<thinking>Trams.</thinking>\n\n",
    "<thought>\nTrams.\n</thought>\n",
    "<thoughts>Trams.</thoughts>",
    "<reasoning>Trams.</reasoning>\n",
    "<seed:think>Trams.</seed:think>",
    "<mm:think>Trams.</mm:think>",
    "<longcat_think>\nTrams.\n</longcat_think>\n",
    "<antThinking>Trams.</antThinking>",
    "◁think▷Trams.◁/think▷",
    "[THINK]Trams.[/THINK]",
    "<|begin_of_thought|>\n\nTrams.\n\n<|end_of_thought|>\n\n<|begin_of_solution|>",
    "<|START_THINKING|>Trams.<|END_THINKING|><|START_RESPONSE|>",
    "<|inner_prefix|>Trams.<|inner_suffix|>",
    "<unused94>thought\nTrams.<unused95>",
    "<|channel>thought\nTrams.\n<channel|>",
    "Here is my thought process:\n\nTrams.\n\nHere is my response:\n\n",
    "<think>Trams.</think>\n\n<answer>",
    "<think>one</think>\n<think>two</think>\n",
    "<|channel|>analysis<|message|>Trams.<|end|><|start|>assistant<|channel|>final<|message|>",
    "<|channel|>analysis<|message|>Trams.<|start|>assistant<|channel|>final<|message|>",
    "<|start|>assistant<|channel|>analysis<|message|>Trams.<|end|>\n"
    "<|start|>assistant<|channel|>final<|message|>",
    '<|channel|>commentary to=functions.map <|constrain|>json<|message|>{"a": 1}<|call|>'
    "<|start|>assistant<|channel|>final<|message|>",
    "<|channel|>final<|message|>",
    "analysisUser asks about trams.assistantfinal",
    'analysis"Castle" is the one in Lisbon. We answer.assistantfinal',
    "assistantanalysisTrams.assistantfinal",
    "<|im_start|>assistant\n",
    "<s>",
    "Assistant: ",
    "### Response:\n",
]
ENDS = [
    "<|im_end|>",
    "</s>",
    " </s>",
    "<|eot_id|>",
    "<|endoftext|>\n",
    "<end_of_turn>\n",
    "<｜end▁of▁sentence｜>",
    "<|return|>",
    "\n<|im_end|>",
    "<|im_end|>\n<|im_start|>user\nAnd the river?<|im_end|>",
    "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nAnd the river?",
    "<|end|><|user|>And the river?",
    "\nUser: And the river?\nAssistant: Walk down.",
    "\n\nHuman: And the river?",
    "\n\n### Instruction:\nAnd the river?\n\n### Response:\nWalk down.",
    "\nUser:",
    "<|endoftext|>Human: And the river?",
    "<|endoftext|>The following is a list of trams.",
    "\n\n**User:** And the river?\n\n**Assistant:** Walk down.",
    "\nuser: And the river?\nassistant: Walk down.",
    "<turn|>\n<|turn>user\nAnd the river?",
    "[/INST]",
]


def read(text, pieces=None, asked=ASKED, cut=False, **more):
    """(what a listener hears, the reply) of a text that arrives in pieces."""
    heard = []
    visible = VisibleReply(heard.append, [Message("user", asked)], **more)
    for piece in pieces or [text]:
        visible.feed(piece)
    reply = visible.close(cut)
    return "".join(heard), reply


@pytest.mark.parametrize("begin", ["", *THOUGHTS])
def test_only_the_final_words_are_shown(begin):
    for end in ("", *ENDS):
        text = begin + WORDS + end
        for pieces in ([text], list(text)):
            heard, reply = read(text, pieces)
            assert heard.strip() == reply.strip() == WORDS, text


@given(
    st.sampled_from(["", "  ", *THOUGHTS]),
    st.sampled_from([WORDS, "Use `<think>` tags.", "a < b, [x] and <b>", "One.\n\nTwo:\n- x"]),
    st.sampled_from(["", *ENDS]),
    st.lists(st.integers(0, 200), max_size=8),
    st.booleans(),
)
def test_where_a_stream_is_split_makes_no_difference(begin, words, end, cuts, broken):
    text = begin + words + end
    edges = sorted({0, len(text), *(min(c, len(text)) for c in cuts)})
    pieces = [text[a:b] for a, b in pairwise(edges)]
    assert read(text, pieces, cut=broken) == read(text, cut=broken)


@pytest.mark.parametrize("text", [*(t + WORDS for t in THOUGHTS), *(WORDS + e for e in ENDS)])
def test_a_stream_that_is_cut_shows_no_half_mark(text):
    for length in range(len(text)):
        heard, reply = read(text[:length], list(text[:length]), cut=True)
        assert heard == reply
        shown = reply.strip()
        assert WORDS.startswith(shown) or shown in (WORDS + "\nUser", WORDS + "\n\nHuman"), shown


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("What does <think> do?", "<think> is a tag around thoughts; </think> ends them."),
        ("Explain <think>", "<think>\nis written first, then the thoughts, and no end"),
        ("What ends a turn in ChatML?", "Each turn ends with <|im_end|> in ChatML."),
        ("What ends a turn in ChatML, <|im_end|>?", "It is <|im_end|>"),
        ("How do I end strikethrough?", "Write </s>"),
        ("How do I strike text out?", "Write <s>old</s>"),
        ("Which tags are there?", "The tags are `<think>` and `</think>`."),
        ("A filter, please", "```py\ntext.split('</think>')[1]\n```"),
        ("A template, please", "```\n<|im_start|>user\nHi<|im_end|>\n```\nThat is all."),
        ("Write a chat", "Here is one:\n\nUser: Hi!\nAssistant: Hello!"),
        ("Write a chat", "User: Hi!\nAssistant: Hello!\nUser: Bye."),
        ("How do I log in?", "Connect with this.\nHost: a.example\nUser: root\nPort: 22"),
        ("How do I log in?", "Connect with this.\nHost: a.example\nUser: root"),
        ("How do I log in?", "Like this.\nUser: the root account\nPort: 22"),
        ("What is AI?", "AI: artificial intelligence."),
        ("Analyse", "analysis of the data shows nothing"),
        ("Is 3 < 4?", "3 <4 and [x] <b>bold</b>, List<Str"),
        ("Is it here?", "Here is my thought on it: yes."),
        ("Generics?", "A List<think_t> in C++"),
        ("XML?", "<answer>42</answer>"),
    ],
)
def test_a_reply_about_such_marks_is_not_lost(asked, reply):
    for pieces in ([reply], list(reply)):
        assert read(reply, pieces, asked) == (reply, reply)


def test_thoughts_about_the_marks_end_where_they_end():
    thoughts = "<think>\nThe user asks about <think> and </think> tags.\n</think>\n\n"
    reply = thoughts + "The tag <think> begins them."
    heard = "The tag <think> begins them."
    assert read(reply, list(reply), "What is <think>?") == (heard, heard)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sure! <think>Trams.</think>" + WORDS, "Sure! " + WORDS),
        ("Sure!\n<thinking>\nTrams.\n</thinking>\n" + WORDS, "Sure!\n\n" + WORDS),
        ("Hm, trams.\n</think>\n\n" + WORDS, WORDS),
        ("Hm, trams.</think>" + WORDS, WORDS),
        ("Hm, trams.◁/think▷" + WORDS, WORDS),
        ("Sure! <think>Trams", "Sure! <think>Trams"),
    ],
)
def test_thoughts_that_come_late_or_begin_in_the_prompt(text, expected):
    assert read(text)[1] == expected


def test_thoughts_that_a_template_begins_are_not_heard_the_next_time():
    text = "Hm, trams.\n</think>\n\n" + WORDS
    assert read(text, list(text), inside=True) == (WORDS, WORDS)
    assert read(WORDS, list(WORDS), inside=True) == (WORDS, WORDS)
    visible = VisibleReply()
    visible.feed(text)
    visible.close()
    assert visible.orphan


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<think>x</think>{"a": "b"}<|im_end|>', '{"a": "b"}'),
        ('{"a": "<think>User</think>\\nUser: x"}', '{"a": "<think>User</think>\\nUser: x"}'),
        ('{"a": "done.</think>"}', '{"a": "done.</think>"}'),
    ],
)
def test_json_is_left_as_it_is(text, expected):
    assert read(text, list(text), structured=True) == (expected, expected)

"""The user's own words, told from what is quoted or pasted."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thalamus.text.voices import has_others, marked, own_parts, unclear_parts

pytestmark = pytest.mark.storeless

LINES = st.lists(
    st.sampled_from(
        ["I keep bees", "> you keep bees", "```", "~~~", "x = 1", "", "From: A", "To: B", "Re: C",
         "Olga: hi", "20:15 Olga: hi", "[20:16] <Ole> hm", "-----Original-----", "我养蜂", "\t"]
    ),
    max_size=12,
)  # fmt: skip


def own(message: str) -> list[str]:
    return [part.of(message).strip() for part in own_parts(message)]


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("look:\n> I keep bees\nme too", ["look:", "me too"]),
        ("fix it\n```py\nbees = 3\n```\nI use Python", ["fix it", "I use Python"]),
        ("fix it\n~~~\n```\nbees = 3\n~~~\nthanks", ["fix it", "thanks"]),
        ("fix it\n```\nnever closed", ["fix it"]),
        ("hm\n-----Original Message-----\nI keep bees\nOle", ["hm"]),
        ("see\nFrom: Ole\nTo: Olga\nSubject: bees\n\nI keep bees", ["see"]),
        ("Von: Ole\nAn: Olga\nBetreff: Bienen\n\nIch habe Bienen", []),
        ("Ole: hi\nOlga: I keep bees\nOle: wow", []),
        ("[20:15] <Ole> hi\n[20:16] <Olga> I keep bees\nfunny", ["funny"]),
        ("12.11.26, 20:15:03 Ole: hi\n12.11.26, 20:16:03 Olga: 我养蜂", []),
        ("2026-01-30T10:00:00 ERROR disk\n2026-01-30T10:00:01 ERROR bees\nhelp", ["help"]),
        # mail programs: Outlook, Gmail, Apple Mail, Thunderbird
        ("De : Ole\nEnvoyé : lundi\nÀ : Olga\nObjet : abeilles\nJ'ai des abeilles", []),
        ("hm\n**From:** Ole\n**Sent:** Monday\nI keep bees", ["hm"]),
        ("hm\nFrom: Ole <ole@example.org>\nI keep bees", ["hm"]),
        ("差出人： 花子\n件名： 蜂\n\n蜂を飼っています", []),
        ("On Tue, 3 Nov 2026 at 9:14 Ole Berg\n<ole@example.org> wrote:\n\nI keep bees", []),
        ("Am Di., 3. Nov. 2026 um 09:14 Uhr schrieb Ole <ole@example.org>:\nIch imkere", []),
        ("Le mar. 3 nov. 2026 à 09:14, Ole <ole@example.org> a écrit :\nJ'ai des abeilles", []),
        ("Ole <ole@example.org> 于2026年11月3日周二 09:14写道：\n我养蜂", []),
        ("Am 03.11.2026 um 09:14 schrieb Ole Berg:\nIch imkere", []),
        ("so\n---------- Weitergeleitete Nachricht ---------\nVon: Ole\n\nIch imkere", ["so"]),
        # chats: WhatsApp, Telegram, Discord, Slack, IRC
        ("12/11/2026, 20:15 - Ole: hi\nI keep bees\n12/11/2026, 20:16 - Olga: wow", []),
        ("\u200e[11/12/26, 8:15:03\u202fPM] ~ Ole: I keep bees", []),
        ("Ole, [12.11.2026 20:15]\nI keep bees", []),
        ("Ole — Today at 8:15 PM\nhi\nI keep bees\nOle — Today at 8:17 PM\nyes", []),
        ("Ole  8:15 PM\nI keep bees\nOlga  8:16 PM\nwow\nOle  8:17 PM\nyes", []),
        ("[20:15] Ole Berg\nI keep bees\n[20:16] Ole Berg\nyes", []),
        ("<ole> I keep bees\n<olga> wow", []),
        # interviews and logs
        ("**Q:** Why?\n\n**A:** I keep bees.\n\n**Q:** And?\n\n**A:** No.", []),
        ("Nov  2 10:00:01 hive: I keep bees\nNov  2 10:00:02 hive: full\nhm", ["hm"]),
    ],
)
def test_words_of_others(message: str, parts: list[str]) -> None:
    assert own(message) == parts
    assert has_others(message)


@pytest.mark.parametrize(
    "message",
    [
        "my plan:\n- buy hives\n- sell honey",
        "7:00 wake up\n8:30 feed the hens\n9:00 work",
        "I get up at 7:00 and\nmy brother at 9:00",
        "20:15 Ole: dinner",  # one time of day is an appointment
        "Name: Olga Berg\nAlter: 34\nOrt: Graz\nso, das bin ich",  # a list of one's own
        "名前: 花子\n年齢: 34\n住所: 大阪",
        "Monday: hens\nTuesday: bees\nWednesday: rest\n",
        "I moved\n\n---\n\nand keep bees",
        "About me\n--------\nI keep bees",
        "Monday 9:00\nfeed the hens\nTuesday 10:00\nhoney",
        "",
    ],
)
def test_words_of_ones_own(message: str) -> None:
    assert "".join(part.of(message) for part in own_parts(message)) == message
    assert not has_others(message) and marked(message) == message


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("My neighbour wrote: I keep bees. I love honey.", ["I keep bees. I love honey."]),
        ("She says: I keep bees.\n\nI keep hens.", ["I keep bees."]),
        ("Her letter:\n\nI keep bees.\n\nI love honey.", ["I keep bees.\n\nI love honey."]),
        ("Olga: I keep bees\nOle: I keep hens", ["I keep bees\nOle: I keep hens"]),
        ("<ole> hi\n<olga> hi\nI keep bees\n\nI keep hens", ["I keep bees\n\nI keep hens"]),
        ("Name: Olga\nAge: 34\nCity: Graz\n\nI keep bees", "all"),
        ("look:\n> I keep bees\nI keep hens", []),
        ("On 3 Nov 2026 at 9:14 Ole\n<ole@example.org> wrote:\n\n> hi\n\nI keep hens", []),
        ("I get up at 7:30, see https://example.org", []),
        ("I keep bees :)", []),
    ],
)
def test_words_that_may_be_of_others(message: str, parts: list[str] | str) -> None:
    found = [part.of(message).strip() for part in unclear_parts(message)]
    assert [part for part in found if part] == ([message] if parts == "all" else parts)


def test_others_are_marked_in_the_prompt() -> None:
    assert marked("look\n```\nx\n```\nok") == "look\n> ```\n> x\n> ```\nok"


@given(LINES, st.sampled_from(["\n", "\r\n", "\r", "\u2028"]))
def test_own_parts_are_in_order_and_within_the_message(lines: list[str], end: str) -> None:
    message = end.join(lines)
    parts = own_parts(message)
    assert all(0 <= part.start < part.end <= len(message) for part in parts)
    assert all(one.end < other.start for one, other in pairwise(parts))
    assert has_others(message) == (sum(part.end - part.start for part in parts) < len(message))


@given(st.text(max_size=80))
def test_any_text_has_parts(message: str) -> None:
    parts = own_parts(message)
    assert all(0 <= part.start < part.end <= len(message) for part in parts)
    assert marked(message).replace("> ", "") == message.replace("> ", "")

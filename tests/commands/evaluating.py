"""Small files of cases in all three formats, and of results."""

from __future__ import annotations

import json
from typing import Any

PETS = ["otter", "heron", "badger", "lynx", "magpie", "newt", "stoat", "wren"]


def talk() -> dict[str, Any]:
    """A conversation of two sessions in LoCoMo's form; ``D1:n`` is about the n-th animal."""
    said = [
        {"speaker": "Ana", "dia_id": f"D1:{n}", "text": f"The {pet} sleeps in barn {n}."}
        for n, pet in enumerate(PETS, start=1)
    ]
    photo = {"speaker": "Bo", "dia_id": "D2:1", "text": "", "blip_caption": "a red kayak"}
    asked = [
        {"question": f"Where does the {pet} sleep?", "evidence": [f"D1:{n}"], "category": 4}
        for n, pet in enumerate(PETS, start=1)
    ]
    asked += [
        {"question": "Do lynx and kayak meet?", "evidence": ["D1:4; D2:1"], "category": 1},
        {"question": "Which colour has the kayak?", "evidence": ["D2:1", "D9:9"], "category": 3},
        {"question": "Who sank?", "evidence": ["D2:1"], "category": 5, "adversarial_answer": "x"},
        {"question": "Nothing known?", "evidence": [], "category": 2, "answer": 7},
    ]
    conversation = {
        "speaker_a": "Ana",
        "speaker_b": "Bo",
        "session_1_date_time": "2:15 pm on 7 March, 2024",
        "session_1": said,
        "session_2_date_time": "9:05 am on 2 June, 2024",
        "session_2": [photo],
        "session_3_date_time": "9:05 am on 3 June, 2024",
    }
    return {"sample_id": "talk", "conversation": conversation, "qa": asked}


def chat(number: int, id: str, **more: Any) -> dict[str, Any]:
    """A question about one animal in LongMemEval's form, its answer in the session of that."""
    sessions = [
        [
            {"role": "user", "content": f"My {pet} is called {pet[::-1]}.", "has_answer": True},
            {"role": "assistant", "content": "A fine name."},
        ]
        for pet in PETS
    ]
    return {
        "question_id": id,
        "question_type": "names",
        "question": f"What is my {PETS[number]} called?",
        "question_date": "2024/06/06 (Thu) 10:00",
        "haystack_session_ids": [f"s_{pet}" for pet in PETS],
        "haystack_dates": ["2024/03/09 (Sat) 14:15"] * len(PETS),
        "haystack_sessions": sessions,
        "answer_session_ids": [f"s_{PETS[number]}"],
        **more,
    }


def plain(pets: list[str] = PETS) -> list[dict[str, Any]]:
    """Questions in one's own form, about records that the first of them brings."""
    records = [
        {"record": "memory", "content": f"The {pet} eats plums.", "id": f"mem_{pet}"}
        | {"session": f"s_{pet}", "metadata": {"id": f"note-{pet}"}}
        for pet in PETS
    ]
    cases = [{"question": f"What does the {pet} eat?", "gold": [f"note-{pet}"]} for pet in pets]
    return [{**cases[0], "records": records}, *cases[1:]]


def lines(cases: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(case) + "\n" for case in cases)


def many() -> dict[str, Any]:
    """The conversation with so many questions that a run can be stopped in the middle."""
    case = talk()
    case["qa"] = case["qa"][:8] * 30
    return case


def results(rankings: dict[str, list[str]], **header: Any) -> str:
    """A results file: gold is always ``a`` and ``b``, the type the first letter of the id."""
    first = {"record": "evaluation", "file": "f", "sha256": "0", "format": "plain", "k": [2, 3]}
    first |= {"level": "turn", "embedder": "none", **header}
    rows = [
        {"record": "evaluation_result", "id": id, "type": id[0], "question": f"{id}?"}
        | {"gold": ["a", "b"], "ranked": ranked}
        for id, ranked in rankings.items()
    ]
    return lines([first, *rows])

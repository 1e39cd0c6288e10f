"""What was found out of a model is kept as long as it is the same model."""

from __future__ import annotations

from pathlib import Path

import pytest

from thalamus.models.abilities import EXPIRY, FILE, Abilities

pytestmark = pytest.mark.storeless


class Model:
    """A chat model of which only its identity matters."""

    def __init__(self, identity: str | None) -> None:
        self._identity = identity

    def identity(self) -> str | None:
        return self._identity


class Anonymous:
    """A model that cannot be told from another one."""


class Finder:
    """Counts how often it is asked."""

    def __init__(self, answer: bool = True) -> None:
        self.answer, self.asked = answer, 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.answer


def ask(folder: Path, model: object, finder: Finder, what: str = "yes") -> bool:
    """As a new process asks."""
    return Abilities(folder).check_ability(model, what, finder)  # type: ignore[arg-type]


def test_it_is_found_out_once_for_each_model_and_question(tmp_path: Path) -> None:
    finder = Finder(answer=False)
    assert [ask(tmp_path, Model("a"), finder) for _ in range(3)] == [False] * 3
    assert finder.asked == 1
    ask(tmp_path, Model("b"), finder)
    ask(tmp_path, Model("a"), finder, "other")
    assert finder.asked == 3


def test_a_model_without_identity_is_asked_in_each_process(tmp_path: Path) -> None:
    finder, here = Finder(), Abilities(tmp_path)
    for model in (Model(None), Anonymous()):
        for _ in range(2):
            here.check_ability(model, "yes", finder)  # type: ignore[arg-type]
    assert finder.asked == 2
    ask(tmp_path, Model(None), finder)
    assert finder.asked == 3 and not (tmp_path / FILE).exists()


@pytest.mark.parametrize("content", ["", "[]", "{", '{"x": 1}'])
def test_a_damaged_file_costs_a_question(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    finder = Finder()
    assert ask(tmp_path, Model("a"), finder) and ask(tmp_path, Model("a"), finder)
    assert finder.asked == 1


def test_it_is_found_out_again_after_a_month(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finder, now = Finder(), 1_700_000_000.0
    monkeypatch.setattr("time.time", lambda: now)
    ask(tmp_path, Model("a"), finder)
    monkeypatch.setattr("time.time", lambda: now + EXPIRY + 1)
    ask(tmp_path, Model("a"), finder)
    assert finder.asked == 2


def test_a_folder_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    finder = Finder()
    assert ask(tmp_path / "file" / "cache", Model("a"), finder)


def test_what_fails_is_not_kept(tmp_path: Path) -> None:
    def fails() -> bool:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        ask(tmp_path, Model("a"), fails)  # type: ignore[arg-type]
    assert not (tmp_path / FILE).exists()

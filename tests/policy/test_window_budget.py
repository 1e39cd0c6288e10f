import pytest

from thalamus.policy.window_budget import notes_budget, reading_step


@pytest.mark.parametrize(
    ("window", "left", "chosen", "reads", "expected"),
    [
        (32_768, 30_000, None, None, 4000),  # until the speed is known
        (32_768, 30_000, None, 16_000, 8192),  # a quarter of the window
        (32_768, 30_000, None, 2000, 2000),  # what it reads in five seconds
        (32_768, 30_000, None, 500, 1000),  # but never less than this
        (8192, 6000, None, None, 2048),
        (2048, 1200, None, None, 600),  # half of the room is for the dialogue
        (32_768, 30_000, 9000, 1000, 9000),  # the setting wins
        (8192, 6000, 9000, None, 3000),  # if there is room
        (512, -100, None, None, 0),
    ],
)
def test_notes_get_a_share_of_the_window_that_is_read_quickly(
    window: int, left: int, chosen: int | None, reads: int | None, expected: int
) -> None:
    assert notes_budget(window, left, chosen, reads) == expected


def test_the_setting_is_for_notes_and_instructions() -> None:
    assert notes_budget(32_768, 30_000, 8000, None, fixed=900) == 7100
    assert notes_budget(32_768, 30_000, 900, None, fixed=800) == 450


@pytest.mark.parametrize(
    ("speeds", "current", "expected"),
    [
        ([900, 900], None, None),  # too few measurements
        ([900, 10, 900], None, 4000),  # the median, rounded down
        ([50, 50, 50], None, 1000),  # the smallest step
        ([99_999] * 3, None, 32_000),  # the largest
        ([350, 350, 350], 2000, 2000),  # 1,750: not clearly less than 2,000
        ([300, 300, 300], 2000, 1000),
        ([900, 900, 900], 2000, 2000),  # 4,500: not clearly more than 4,000
        ([1000, 1000, 1000], 2000, 4000),
    ],
)
def test_a_reading_speed_counts_in_steps_that_are_kept(
    speeds: list[float], current: int | None, expected: int | None
) -> None:
    assert reading_step(speeds, current) == expected

"""Owners of records, and the one decision on who reaches a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from thalamus.names import normal_name

# owner of a row that nobody else can be derived for: it is reached without a user only
DEFAULT_USER = ""


class Owner(Struct, frozen=True):
    """A user and an agent. As those of a row, None stands for a row that all share; as those of a
    reader, None reaches the rows of all."""

    user: str | None = None
    agent: str | None = None

    def reaches(self, record: Any) -> bool:
        """True for a record of this user and agent, and for one that is shared."""
        owners = (
            (self.user, getattr(record, "user", None)),
            (self.agent, getattr(record, "agent", None)),
        )
        return all(
            wanted is None or owner is None or normal_name(owner) == normal_name(wanted)
            for wanted, owner in owners
        )

    @property
    def where(self) -> dict[str, Any]:
        """Condition on rows with the columns ``user`` and ``agent``: those that it reaches."""
        owners = {"user": self.user, "agent": self.agent}
        return {name: (wanted, None) for name, wanted in owners.items() if wanted is not None}


def common_owner(owners: list[tuple[str | None, str | None]]) -> Owner:
    """The owner that all of these (user, agent) are; the default user if they differ, or if there
    are none."""
    users = {user for user, _ in owners}
    if len(users) != 1:
        return Owner(DEFAULT_USER)
    agents = {agent for _, agent in owners}
    return Owner(users.pop(), agents.pop() if len(agents) == 1 else None)


def names_in(value: Any) -> list[str]:
    """Texts in a JSON value that may be ids: without spaces."""
    if isinstance(value, str):
        return [value] if value and " " not in value and "\0" not in value else []
    parts: Sequence[Any] = ()
    if isinstance(value, dict):
        parts = [*value.values()]
    elif isinstance(value, list):
        parts = value
    return [name for part in parts for name in names_in(part)]

"""Addresses of PostgreSQL databases that hold stores."""

from __future__ import annotations

import re
from urllib.parse import unquote

from msgspec import Struct

from thalamus.errors import ConfigError

SCHEMA = "thalamus"  # of the tables, unless the address names another
PASSWORD_ADVICE = "Put the password into ~/.pgpass or PGPASSWORD."
_FORM = "postgresql://USER@HOST:PORT/DATABASE"
_HOST = r"(\[[0-9a-fA-F:.]*\]|[^\[\]:@/,]*)(:\d+)?"
_ADDRESS = re.compile(
    r"(?P<scheme>postgres(?:ql)?)://"
    r"(?:(?P<user>[^:@/?#]*)(?::(?P<password>[^/?#]*))?@)?"
    rf"(?P<hosts>{_HOST}(?:,{_HOST})*)"
    r"(?:/(?P<name>[^@?#]*))?"
    r"(?:\?(?P<parameters>[^#]*))?"
)
_SCHEMA = re.compile(r"(?!pg_)[a-z_][a-z0-9_]{0,62}")
_SHOWN = ("host", "port", "user", "dbname")  # parameters that say which database it is


class StoreUrl(Struct, frozen=True):
    """An address without a password. ``libpq``: as libpq takes it; ``schema``: of the tables;
    ``shown``: as people are shown it."""

    libpq: str
    schema: str
    shown: str

    def place(self, tenant: str) -> str:
        """The place of a tenant's store, in words: another one for each schema, because keys are
        kept as long as any place needs them."""
        schema = "" if self.schema == SCHEMA else f", schema {self.schema}"
        return f"{self.shown}{schema}, tenant {tenant}"


def parse_store_url(text: str) -> StoreUrl:
    """The parts of an address. Raises ``ConfigError``, which never quotes it: a wrong one may hold
    a password."""
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise ConfigError(f"store must be an address such as {_FORM}, without a password")
    parameters = [item for item in (found["parameters"] or "").split("&") if item]
    named = [(unquote(item.partition("=")[0]), item) for item in parameters]
    if found["password"] or any("password" in name.lower() for name, _ in named):
        raise ConfigError("store must not contain a password", fix=PASSWORD_ADVICE)
    if not all("=" in item for item in parameters):
        raise ConfigError(f"store has a parameter without a value; its form is {_FORM}?NAME=VALUE")
    schemas = [unquote(item.partition("=")[2]) for name, item in named if name == "schema"]
    schema = schemas[-1] if schemas else SCHEMA
    if not _SCHEMA.fullmatch(schema):
        raise ConfigError(
            "the schema in store may only consist of a to z, 0 to 9 and _ (63 at most), and not"
            " begin with a digit or pg_"
        )
    user = f"{found['user']}@" if found["user"] else ""
    plain = f"postgresql://{user}{found['hosts']}/{found['name'] or ''}"
    others = [item for name, item in named if name != "schema"]
    shown = [item for name, item in named if name in _SHOWN]
    return StoreUrl(_joined(plain, others), schema, _joined(plain, shown))


def _joined(plain: str, parameters: list[str]) -> str:
    return f"{plain}?{'&'.join(parameters)}" if parameters else plain

"""A tenant's store in a PostgreSQL database, before it is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from thalamus.errors import NoStore
from thalamus.storage.options import StoreOptions
from thalamus.storage.postgres.store import PostgresStore

if TYPE_CHECKING:
    pass


class PostgresLocation(NamedTuple):
    """See ``storage.protocol.location.Location``."""

    url: str
    tenant: str

    @property
    def database(self) -> str:
        return "PostgreSQL"

    @property
    def place(self) -> str:
        return f"{self.url.partition('?')[0]}, tenant {self.tenant}"

    @property
    def key_place(self) -> str:
        return self.place

    def exists(self) -> bool:
        try:
            self.open(StoreOptions(tenant=self.tenant)).close()
        except NoStore:
            return False
        return True

    def identity(self) -> object:
        return None  # one that is lost is opened again by the driver

    def open(self, options: StoreOptions) -> PostgresStore:
        return PostgresStore(self.url, options)

"""Layers around the tables of a store: with keys its rows are signed as they are written, and
personal records are encrypted; without keys neither."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.security.cipher import Cipher
    from thalamus.security.signed_head import Head
    from thalamus.security.signing_layer import SigningLayer
    from thalamus.storage.options import StoreOptions
    from thalamus.storage.protocol.rows import Rows
    from thalamus.storage.relational.signatures import Signatures
    from thalamus.storage.relational.tables import End, Tables
    from thalamus.storage.relational.unit_of_work import TextIndex, UnitOfWork


class Layers:
    """Chooses the layers of a store.

    ``place``: where the store is, which is recorded with its keys; ``check_schema``: see
    ``security.signing_layer``.
    """

    def __init__(
        self,
        tables: Tables,
        options: StoreOptions,
        place: str,
        check_schema: Callable[[str | None], str],
    ) -> None:
        self._tables = tables
        self._keys: Any = options.keys
        self._subject_of = options.subject_of
        self._plain_sources = options.plain_sources
        self._follow = options.follow
        self._owner = options.owner
        self._place = place
        self._check_schema = check_schema
        self._signed: SigningLayer | None = None

    @contextmanager
    def unit(
        self,
        clock: Clock,
        index: Callable[[Rows], TextIndex],
        *,
        values: Mapping[str, str] | None = None,
        ends: Mapping[str, End] | None = None,
        erasing: bool = False,
    ) -> Iterator[UnitOfWork]:
        """A unit of work in the current transaction, complete and signed at the end of the block;
        the caller commits, and then calls ``committed``. ``index``: returns the full-text index of
        these rows; ``values`` and ``ends``: see ``Tables.begin``. With ``erasing`` the signatures
        of deleted rows no longer name them."""
        self._tables.begin(values, ends)
        self._tables.keep_spellings()
        try:
            rows = self._begin()
            writer = self._writer(rows, clock, index(rows))
            yield writer
            writer.finish()
            if erasing:
                self._signatures.blank_names()
        finally:
            self._tables.end()

    def _begin(self) -> Rows:
        """Rows for writing, signed if there is a key."""
        if self._keys is None:
            from thalamus.security.signed_head import begin_without

            begin_without(self._signatures)
            return self._tables
        if self._signed is None:
            from thalamus.security.signing_layer import SigningLayer

            self._keys.upgrade()
            self._signed = SigningLayer(self._tables, self._keys, self._place, self._check_schema)
        self._signed.begin()
        return self._signed

    @property
    def _signatures(self) -> Signatures:
        from thalamus.storage.relational.signatures import Signatures  # readers need none

        return Signatures(self._tables)

    def _writer(self, rows: Rows, clock: Clock, index: TextIndex) -> UnitOfWork:
        """A unit of work, with encryption if there is a key."""
        if self._keys is None:
            from thalamus.storage.relational.unit_of_work import UnitOfWork

            return UnitOfWork(self._tables, rows, clock, index, self._follow, self._owner)
        from thalamus.security.cipher import Cipher
        from thalamus.security.encryption_layer import EncryptionLayer

        cipher = Cipher(rows, self._keys, self._subject_of)
        options = (self._follow, self._owner)
        return EncryptionLayer(
            self._tables, rows, clock, index, *options, cipher, self._plain_sources
        )

    def committed(self) -> None:
        """Records the store with its key."""
        if self._signed is not None:
            self._signed.committed()

    @cached_property
    def cipher(self) -> Cipher | None:
        """Cipher for reading; None without keys."""
        from thalamus.security.cipher import Cipher

        return None if self._keys is None else Cipher(self._tables, self._keys)

    def signed_head(self) -> Head | None:
        """End of the signatures and the key that made them; None when the store is not signed.
        Raises ``Tampered`` when it cannot be read."""
        from thalamus.security.signed_head import checked_head, read_meta

        return checked_head(read_meta(self._signatures))

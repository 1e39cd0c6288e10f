"""Layers around the tables of a store: with keys its rows are signed as they are written, and
personal records are encrypted; without keys neither."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.store.encryption.cipher import Cipher
    from thalamus.store.options import StoreOptions
    from thalamus.store.row_access import Rows
    from thalamus.store.signing.head import Head
    from thalamus.store.signing.layer import SigningLayer
    from thalamus.store.signing.signatures import Signatures
    from thalamus.store.tables import End, Tables
    from thalamus.store.writer import TextIndex, Writer


class Layers:
    """Chooses the layers of a store.

    ``place``: where the store is, which is recorded with its keys; ``check_schema``: see
    ``store.signing.layer``.
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
    ) -> Iterator[Writer]:
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
            from thalamus.store.signing.head import begin_without

            begin_without(self._signatures)
            return self._tables
        if self._signed is None:
            from thalamus.store.signing.layer import SigningLayer

            self._keys.upgrade()
            self._signed = SigningLayer(self._tables, self._keys, self._place, self._check_schema)
        self._signed.begin()
        return self._signed

    @property
    def _signatures(self) -> Signatures:
        from thalamus.store.signing.signatures import Signatures  # readers need none

        return Signatures(self._tables)

    def _writer(self, rows: Rows, clock: Clock, index: TextIndex) -> Writer:
        """A unit of work, with encryption if there is a key."""
        if self._keys is None:
            from thalamus.store.writer import Writer

            return Writer(self._tables, rows, clock, index, self._follow, self._owner)
        from thalamus.store.encryption.cipher import Cipher
        from thalamus.store.encryption.layer import EncryptionLayer

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
        from thalamus.store.encryption.cipher import Cipher

        return None if self._keys is None else Cipher(self._tables, self._keys)

    def signed_head(self) -> Head | None:
        """End of the signatures and the key that made them; None when the store is not signed.
        Raises ``Tampered`` when it cannot be read."""
        from thalamus.store.signing.head import checked_head, read_meta

        return checked_head(read_meta(self._signatures))

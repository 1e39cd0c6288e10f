"""The signed head of a store: the end of its signatures and of its ledger, under the store key.

It is kept in ``meta``, together with what it covers there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from thalamus.errors import BadKey, Tampered, UsageError
from thalamus.store.keys import Keys
from thalamus.store.signing.signatures import Signatures
from thalamus.store.signing.signer import GENESIS, Signer
from thalamus.store.signing.tables import SignedTable
from thalamus.store.tables import COUNTERS

NAME = "signed_head"
COLUMNS = "signed_columns"  # columns of each table when its rows were signed, as JSON
SUMS = "signed_vectors"  # vectors of each space, as JSON
TRIGGERS = "signed_triggers"  # digest of the triggers, set by the code that checks them
ENTRY = ["seq", "hash", "user", "agent"]  # columns of a ledger entry that its signature covers
NEXT_KEY = COUNTERS["key"]
_FORMER = ("store", NEXT_KEY, COLUMNS, SUMS, TRIGGERS)  # before all counters were values
# counters in the order in which they are signed; later ones follow them
_COUNTED = (
    *("batch", "concept", "embedding", "fact_interval", "fact_note", "job", "removal"),
    *("event", "space"),
)
# signed with the head
SIGNED_META = tuple(
    dict.fromkeys((*_FORMER, *map(COUNTERS.__getitem__, _COUNTED), *COUNTERS.values()))
)
Meta = Mapping[str, str]  # the head and what is signed with it, by name


class Sum(msgspec.Struct, omit_defaults=True):
    """Number of signed vectors, and the sum of their contributions."""

    count: int = 0
    total: str = "0"
    edited: int = 0  # only during verification

    def move(self, count: int, by: int) -> None:
        """Adds to both."""
        total = int(self.total, 16) + by
        self.count += count
        self.total = f"{total % (1 << 128):x}"


class Head(msgspec.Struct):
    """``first`` … ``n``: the signatures; ``seq`` and ``hash``: the last ledger entry."""

    key: str  # fingerprint of the key that signed it
    first: int = 1
    n: int = 0
    chain: str = GENESIS.hex()
    seq: int = 0
    hash: str = ""
    mac: str = ""

    def signature(self, signer: Signer, meta: Meta) -> str:
        """Expected value of ``mac``."""
        return self._mac(signer, [meta.get(name) for name in SIGNED_META])

    def is_signed(self, signer: Signer, meta: Meta) -> bool:
        """True when ``mac`` matches the head and what is signed with it."""
        if self.mac == self.signature(signer, meta):
            return True
        number = meta.get(NEXT_KEY, "")  # which a migrated store had signed as an integer
        if not (number.isdecimal() and len(number) < 19):
            return False
        values = [int(number) if name == NEXT_KEY else meta.get(name) for name in _FORMER]
        return self.mac == self._mac(signer, values)

    def _mac(self, signer: Signer, values: Sequence[str | int | None]) -> str:
        head = [self.key, self.first, self.n, self.chain, self.seq, self.hash]
        return signer.head([head, values]).hex()


def read_meta(signatures: Signatures) -> Meta:
    """The head and what is signed with it, read together."""
    return signatures.values((NAME, *SIGNED_META))


def parsed(meta: Meta) -> Head | None:
    """The head; None when the store was never signed. Raises ``ValueError`` if not valid."""
    text = meta.get(NAME)
    if text is None:
        return None
    return msgspec.json.decode(text, type=Head, strict=True)


def write(signatures: Signatures, head: Head, signer: Signer) -> None:
    """Signs and writes the head, which names the last ledger entry."""
    head.mac = head.signature(signer, read_meta(signatures))
    signatures.set_value(NAME, msgspec.json.encode(head).decode())


def columns(meta: Meta) -> dict[str, list[str]]:
    """Columns with which each table was signed."""
    return msgspec.json.decode(meta.get(COLUMNS) or "{}", type=dict[str, list[str]])


def sums(meta: Meta) -> dict[int, Sum]:
    """Signed vectors by space."""
    return msgspec.json.decode(meta.get(SUMS) or "{}", type=dict[int, Sum])


def put_sums(signatures: Signatures, found: dict[int, Sum]) -> None:
    signatures.set_value(SUMS, msgspec.json.encode(found).decode())


def store_id(meta: Meta) -> str:
    return str(meta.get("store"))


def to_keep(meta: Meta, head: Head, signer: Signer) -> str:
    """The head in one word, to be kept elsewhere."""
    values = [store_id(meta), head.n, head.chain, head.seq, head.hash or "-"]
    mac = signer.head(["kept", *values]).hex()[:32]
    return ":".join(map(str, [*values, mac]))


def kept(meta: Meta, text: str, signer: Signer) -> Head:
    """Parses a head from ``to_keep``. Raises ``UsageError`` when it is not one."""
    parts = text.strip().split(":")
    if len(parts) != 6 or not (parts[1].isdecimal() and parts[3].isdecimal()):
        raise UsageError(
            "Not a valid head value.",
            fix="Give what `thalamus doctor --signatures --head` printed.",
        )
    if parts[0] != store_id(meta):
        raise UsageError(f"The head belongs to another store, {parts[0]}.")
    n, seq = int(parts[1]), int(parts[3])
    values = [parts[0], n, parts[2], seq, parts[4]]
    if signer.head(["kept", *values]).hex()[:32] != parts[5]:
        raise UsageError(
            "The head was not signed with the current key of this store, or was copied wrongly.",
            fix="Keep a new head after `thalamus key rotate` or `adopt`.",
        )
    hash = "" if parts[4] == "-" else parts[4]
    return Head(key=signer.fingerprint, n=n, chain=parts[2], seq=seq, hash=hash)


def signed_columns(signed: Mapping[str, SignedTable]) -> dict[str, list[str]]:
    """The columns with which the rows of each table are signed, and those of ledger entries."""
    return {**{kind: table.columns for kind, table in signed.items()}, "event": ENTRY}


def write_columns(signatures: Signatures, signed: dict[str, SignedTable]) -> None:
    """Records the columns with which the rows are signed; the head must be signed afterwards."""
    found = signed_columns(signed)
    signatures.set_value(COLUMNS, msgspec.json.encode(found).decode())


# -- checks before writing ------------------------------------------------------------------------


def check_head(signatures: Signatures, meta: Meta, head: Head, signer: Signer) -> None:
    """Raises ``Tampered`` when the head does not match its signature, or the end is cut off."""
    if not head.is_signed(signer, meta):
        raise Tampered("its signed head was changed")
    end = signatures.last() or (head.first - 1, GENESIS)
    if end != (head.n, bytes.fromhex(head.chain)):
        raise Tampered("its last signatures are not those that were signed")
    if signatures.last_entry() != (head.seq, head.hash):
        raise Tampered("its last ledger entries are missing or changed")


def signer_for(keys: Keys, head: Head | None) -> Signer:
    """Signer of a store with this head. Raises ``BadKey`` when its key is missing."""
    key = keys.key(head.key if head else None)
    if key is None:
        assert head is not None
        raise BadKey(
            f"the store was signed with key {head.key}, which is missing",
            fix="Reading works without it. Restore the key file (`thalamus key show` prints where),"
            " or copy that of another machine that uses the store. If it is lost, sign the store"
            " again: with `thalamus key rotate` after restoring an older backup, else with"
            " `thalamus key adopt`, after which machines with the old key cannot write.",
        )
    return Signer(key)


def checked_head(meta: Meta) -> Head | None:
    """The head. Raises ``Tampered`` when it cannot be read."""
    try:
        return parsed(meta)
    except (ValueError, TypeError) as error:
        raise Tampered("its signed head is not a valid head") from error


def begin_without(signatures: Signatures) -> None:
    """Raises ``BadKey`` when the store is signed: without a key it is read-only."""
    if checked_head(read_meta(signatures)) is not None:
        raise BadKey("the store is signed, but no key is available")

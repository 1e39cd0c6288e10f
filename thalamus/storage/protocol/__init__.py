"""The interface of a store, behind which another database can be used.

``store.Store`` and its ``writer.Writer`` are mandatory for every database. Whole records of every
kind are found, added, replaced and removed there; a small collection for each subject
(``memories``, ``facts``, ``links``, ``records(kind)`` …) answers the questions about it and changes
single fields. ``erasure``, ``maintenance`` and ``counting`` are optional: a database may implement
them its own way, or not at all.

All writing happens in a *unit of work* (``Store.writing``): one transaction that is durable when
the ``with`` block ends, and is rolled back completely when it raises. The search indexes are synced
automatically; a search is right even while they lag, are missing or damaged.

Times are RFC 3339 text in UTC. A ``key`` is an integer that is unique over memories, facts and
turns, grows with every insertion and is never reused.
"""

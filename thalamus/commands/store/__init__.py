"""`thalamus store`: the filter that writes, and the maintenance of the store."""

from thalamus.commands.groups import Group

group = Group(
    "Write records from standard input to the store; back up, restore, copy and reindex it."
    " Without a command: `write`.",
    {
        "write": "store.write:write",
        "init": "store.init:init",
        "backup": "store.backup:backup",
        "restore": "store.restore:restore",
        "copy": "store.copy:copy",
        "join": "store.join:join",
        "reindex": "store.reindex:reindex",
        "stats": "store.stats:stats",
    },
    default="write",
)

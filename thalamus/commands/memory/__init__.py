"""`thalamus memory`: the commands about memories."""

from thalamus.commands.groups import Group

group = Group(
    "List, show, search and change memories. Without a command: `list`.",
    {
        "list": "memory.list:list_memories",
        "show": "memory.list:show",
        "search": "memory.list:search",
        "edit": "memory.edit:edit",
        "pin": "memory.edit:pin",
        "unpin": "memory.edit:unpin",
        "promote": "memory.edit:promote",
        "demote": "memory.edit:demote",
        "release": "memory.quarantine:release",
        "reject": "memory.quarantine:reject",
    },
    words="search",
)

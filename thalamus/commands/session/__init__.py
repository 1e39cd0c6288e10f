"""`thalamus session`: past conversations."""

from thalamus.commands.groups import Group

group = Group(
    "List, search, show, resume, rename and export past conversations. Without a command: `list`.",
    {
        "list": "session.list:list_sessions",
        "search": "session.list:search",
        "show": "session.show:show",
        "resume": "session.resume:resume",
        "rename": "operation:session rename",
        "export": "session.show:export",
    },
    words="search",
)

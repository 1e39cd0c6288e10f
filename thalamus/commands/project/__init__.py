"""`thalamus project`: the commands about the user's projects."""

from thalamus.commands.groups import Group

group = Group(
    "List, show, add, close and link projects. Without a command: `list`.",
    {
        "list": "project.list:list_projects",
        "show": "project.list:show",
        "status": "project.status:status",
        "add": "project.change:add",
        "close": "operation:project close",
        "pause": "operation:project pause",
        "reopen": "operation:project reopen",
        "link": "project.link:link",
        "unlink": "project.link:unlink",
    },
    words="show",
)

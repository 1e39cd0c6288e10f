"""`thalamus world`: the present activities of the user."""

from thalamus.commands.groups import Group

group = Group(
    "Show and change the world state: what the user is busy with. Without a command: `show`.",
    {
        "show": "world.show:show",
        "apply": "world.apply:apply",
        "history": "world.show:history",
        "diff": "world.diff:diff",
    },
    default="show",
)

"""`thalamus profile`: the commands about the user."""

from thalamus.commands.groups import Group

group = Group(
    "Show, set and edit who the user is. Without a command: `show`.",
    {
        "show": "profile.show:show",
        "set": "profile.change:set_fields",
        "edit": "profile.change:edit",
    },
    default="show",
)

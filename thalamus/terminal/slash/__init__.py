"""The commands inside a chat, by what they are about. Each is a thin call of the API."""

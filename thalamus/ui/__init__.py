"""The full screen: chat, debug console, memory browser and settings, on Textual.

It holds no logic of its own: it calls ``thalamus.api`` and listens to events.
"""

"""Report of a store as one self-contained web page."""

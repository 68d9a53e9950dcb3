"""The text of a file and its words. Nothing here knows what a word means."""

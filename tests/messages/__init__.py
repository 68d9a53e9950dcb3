"""Catalogues: every message of the code in every language, none dead, none half."""

"""Small games that everybody knows and whose numbers are known, as data."""

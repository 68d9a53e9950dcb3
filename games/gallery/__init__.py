"""Well-known games of many kinds, each whole, with facts that other programs know, as data."""

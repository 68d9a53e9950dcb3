"""House rules of the bundled rulebooks, as data."""

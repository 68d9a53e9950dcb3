"""The bundled rulebooks, as data."""

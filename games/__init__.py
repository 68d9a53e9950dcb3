"""The bundled rulebooks of games that one can buy, as data."""

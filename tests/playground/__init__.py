"""The playground: its parts by themselves, and the whole in a browser."""

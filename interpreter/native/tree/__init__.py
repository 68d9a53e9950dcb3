"""The exact size of a game's tree, counted over many histories side by side."""

"""The table in the terminal: whole games by scripts, and what the lines look like."""

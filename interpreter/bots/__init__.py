"""Players that think. They see observations, never positions, and know no game."""

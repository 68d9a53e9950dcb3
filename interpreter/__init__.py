"""What a checked program means: positions, decisions, chance, points."""

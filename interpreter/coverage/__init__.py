"""Which parts of the rules were reached by examples and random games, and what would reach the rest."""

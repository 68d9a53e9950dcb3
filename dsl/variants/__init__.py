"""One rulebook out of a base and its variants, a smaller one out of a declared small table, and what differs."""

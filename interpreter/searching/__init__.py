"""Looking for games that break the rules' own promises, and telling the shortest of them."""

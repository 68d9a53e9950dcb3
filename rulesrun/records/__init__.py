"""Games as events: traces, their replay, and what each player remembers of them."""

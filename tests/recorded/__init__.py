"""What must not change unless a commit says why: digests of games, as they were when they were recorded."""

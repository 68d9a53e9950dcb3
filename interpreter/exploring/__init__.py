"""Every reachable position of a small table: which there are, what is broken in them, what never happens."""

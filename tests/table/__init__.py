"""People and bots at a table: what each seat is sent, and that nothing else can be read from it."""

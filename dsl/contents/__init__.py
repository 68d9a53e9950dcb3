"""What a rulebook declares, as plain answers for those who tell of it: nobody outside walks its tree for that."""

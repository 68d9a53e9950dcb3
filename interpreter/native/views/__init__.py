"""What each seat sees and remembers of positions in machine code, the same as `interpreter.play.visibility` says."""

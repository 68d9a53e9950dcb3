"""Bots' thinking in machine code: the rollouts, evaluations and search trees of `interpreter.bots`."""

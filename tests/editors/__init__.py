"""Extensions of editors, built and driven in the editors themselves."""

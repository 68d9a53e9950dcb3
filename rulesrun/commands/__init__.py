"""The commands of the command line, one a module: `run(request)` gives the exit code."""

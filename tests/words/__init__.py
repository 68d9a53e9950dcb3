"""The words that make rules shorter: the same game said without them plays alike, on both engines and in every room."""

"""What is wrong with a file, as data, and how it is laid out for people and as JSON."""

"""The rules as machine code, with the same meaning as the reference interpreter."""

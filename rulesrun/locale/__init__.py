"""Reports in other languages."""

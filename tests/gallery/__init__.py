"""Every game of the gallery beside programs that know it: OpenSpiel, or a small one written apart."""

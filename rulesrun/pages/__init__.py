"""Pages for a browser: findings in, one self-contained HTML document out. Opens no files, prints nothing."""

"""These rules are broken on purpose: tests/searching looks whether what is wrong is found."""

collect_ignore_glob = ["*.rules"]

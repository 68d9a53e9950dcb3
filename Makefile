# What people type; .ci/run does the same from nothing.
.PHONY: check long bench

check:
	ruff check .
	mypy
	python -m pytest

long:
	python -m pytest --long

bench:
	python benchmarks/reference.py

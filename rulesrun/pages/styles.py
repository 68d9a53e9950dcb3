"""What pages look like and the little they do: files beside the code, read once, put into each page."""

from __future__ import annotations

from pathlib import Path

STATIC = Path(__file__).resolve().parent / "static"
PALETTE = (STATIC / "palette.css").read_text("utf-8")
STYLE = PALETTE + (STATIC / "report.css").read_text("utf-8")
SCRIPT = (STATIC / "report.js").read_text("utf-8")

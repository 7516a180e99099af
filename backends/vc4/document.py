"""The reference page `docs/isa/vc4.md`, made from the tables.  `python -m backends.vc4.isa` writes it."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "isa" / "vc4.md"


def write_page() -> None:
    """Renew the page."""

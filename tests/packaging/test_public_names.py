"""A change of a public name or signature is a conscious one: it changes the recorded list, too."""

from __future__ import annotations

from pathlib import Path

from tests.packaging.public_names import public_text

RECORDED = Path(__file__).with_name("public_names.txt")


def test_public_names_are_as_recorded(accept: bool) -> None:
    text = public_text()
    if accept:
        RECORDED.write_text(text, encoding="utf-8")
    assert text == RECORDED.read_text(encoding="utf-8"), "docs/releasing.md says what to do"

"""The gallery has the code of every machine, and pictures that the machine code drew."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.runtime.png import decode_png
from tests.shared_data import PROJECT_ROOT
from website import gallery


def test_pages_have_the_code_of_every_machine() -> None:
    pages = gallery.gallery_pages(has_pictures=False)
    assert all(name.endswith(".md") for name in pages)
    shader = (PROJECT_ROOT / "examples" / "shaders" / "02_vertex_color.vert").read_text(encoding="utf-8")
    page = pages["02_vertex_color.md"].decode()
    for target in glslc_multi.targets():
        assert f'=== "{target}"' in page
    for line in glslc_multi.compile(shader, target="pica200", stage="vertex").assembly.splitlines():
        assert f"    {line}\n" in page


def test_what_does_not_fit_is_said() -> None:
    page = gallery.gallery_pages(has_pictures=False)["11_plasma.md"].decode()
    assert "the combiners of pica200 cannot compute sin for each pixel" in page


def test_pictures_are_drawn_by_the_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "_EXAMPLES", ("11_plasma",))
    files = gallery.gallery_pages(has_pictures=True)
    pictures = {name for name in files if name.endswith(".png")}
    assert pictures == {f"11_plasma-{target}.png" for target in ("adreno", "agal", "vc4", "xenos")}
    assert all(f"]({name})" in files["11_plasma.md"].decode() for name in pictures)
    pixels = decode_png(files["11_plasma-vc4.png"])
    assert len({tuple(pixel) for row in pixels[::8] for pixel in row[::8]}) > 50

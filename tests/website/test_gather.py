"""Pages are gathered with what they link to, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from website import gather


def test_pages_come_with_what_they_lead_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "project"
    texts = {
        "docs/a.md": "[b](../part/b.md#place) [the web](https://a.example/c.md) [here](#place) [gone](gone.md)",
        "part/b.md": "![a picture](b.png) [a](../docs/a.md) [a folder](../other)",
        "part/b.png": "pixels",
        "other/c.md": "nobody links to this",
    }
    for name, text in texts.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    monkeypatch.setattr(gather, "PROJECT", project)
    gather.gather([project / "docs" / "a.md"], tmp_path / "out")
    files = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert files == {"docs/a.md", "part/b.md", "part/b.png"}

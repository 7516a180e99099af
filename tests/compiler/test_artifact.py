"""Artifacts make rarely needed texts on demand."""

from __future__ import annotations

from glslc_multi.compiler.artifact import Artifact, Reflection, Stats
from glslc_multi.compiler.records import replace


def test_texts_are_made_once_someone_asks() -> None:
    asked: list[str] = []

    def write() -> str:
        asked.append("text")
        return "mov"

    def make_keys() -> dict[str, object]:
        asked.append("keys")
        return {"agalasm": "mov"}

    first = Artifact(b"", write, Reflection("fake", "vertex"), Stats(1, 1, 1, 1), make_map_keys=make_keys)
    artifact = replace(first, binary=b"code")
    assert asked == []
    assert [artifact.assembly, artifact.assembly] == ["mov", "mov"]
    assert [artifact.map_keys, artifact.map_keys] == [{"agalasm": "mov"}] * 2
    assert asked == ["text", "keys"]

"""Debian's packages of sources, without a network."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from tests.judges.debian import extract, with_sources
from tests.judges.model import Unavailable


def test_sources_in_both_forms_name_packages_of_sources_too() -> None:
    stanza = "Types: deb\nURIs: http://deb.debian.org/debian\nSuites: bookworm\nSigned-By: /usr/share/keyrings/k.gpg\n"
    assert with_sources(stanza, ".sources") == stanza.replace("Types: deb", "Types: deb deb-src")
    line = "deb [signed-by=/k.gpg] http://deb.debian.org/debian bookworm main"
    assert with_sources(f"# a comment\n{line}\ndeb-src http://x y z\n", ".list") == (
        f"{line}\n{line.replace('deb ', 'deb-src ', 1)}\n"
    )


@pytest.fixture
def tarball() -> io.BytesIO:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:xz") as archive:
        for name, text in (("one-1.0/a/first.c", "first"), ("one-1.0/a/second.c", "second")):
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    data.seek(0)
    return data


def test_some_files_of_a_tarball(tarball: io.BytesIO, tmp_path: Path) -> None:
    extract(tarball, ["a/second.c"], tmp_path)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("second.c", "second")]


def test_a_file_that_the_tarball_lacks(tarball: io.BytesIO, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"no a/third\.c"):
        extract(tarball, ["a/first.c", "a/third.c"], tmp_path)

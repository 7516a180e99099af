"""Files out of Debian's packages of sources, fetched by apt with folders of its own; /etc is read, not written.

apt's own sources need not name packages of sources: a copy of them that does is made in the cache.
"""

from __future__ import annotations

import fcntl
import re
import shutil
import subprocess
import tarfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tests.judges.model import CACHE, Unavailable

_APT = CACHE / "apt"
_SOURCES = Path("/etc/apt")
#: Seconds that fetching may take.
_PATIENCE = 300
#: Seconds for which lists of packages are good: files of older ones are gone.
_DAY = 24 * 60 * 60


def fetch_from_source_package(package: str, members: Sequence[str], folder: Path) -> None:
    """Files of an upstream tarball, by their paths in it, to `folder` under their own names."""
    with _apt_ready():
        _apt("source", "--download-only", package)
        (tarball,) = _fetched(f"{package}_*.orig.tar.*", package)
        with tarball.open("rb") as file:
            extract(file, members, folder)


def fetch_from_linux(members: Sequence[str], folder: Path) -> None:
    """Files of the kernel, out of the tarball that the package `linux-source` leads to."""
    with _apt_ready():
        depends = _apt("depends", "linux-source", program="apt-cache")
        found = re.search(r"Depends: (linux-source-\S+)", depends)
        if found is None:
            raise Unavailable("apt knows no package linux-source")
        _apt("download", found[1])
        (package,) = _fetched("linux-source-*.deb", found[1])
        with _data_of(package) as files, tarfile.open(fileobj=files, mode="r|") as archive:
            for entry in archive:
                if re.search(r"/linux-source-[^/]*\.tar\.\w+$", entry.name):
                    tarball = archive.extractfile(entry)
                    assert tarball is not None
                    extract(tarball, members, folder)
                    return
        raise Unavailable(f"{package.name} has no tarball")


@contextmanager
def locked() -> Iterator[None]:
    """One process at a time."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def _apt_ready() -> Iterator[None]:
    """apt with lists of packages of sources; what is downloaded goes away afterwards."""
    if shutil.which("apt-get") is None:
        raise Unavailable("there is no apt here")
    for folder in ("lists/partial", "cache/archives/partial", "sources", "download"):
        (_APT / folder).mkdir(parents=True, exist_ok=True)
    stamp = _APT / "updated"
    if not stamp.exists() or time.time() - stamp.stat().st_mtime > _DAY:
        _write_sources()
        # One source that cannot be reached does not matter, unless it is the one with the package.
        _apt("update", is_needed=False)
        if not any((_APT / "lists").glob("*Sources*")):
            raise Unavailable("apt reaches no packages of sources: there is no network, or they are not offered")
        stamp.touch()
    try:
        yield
    finally:
        shutil.rmtree(_APT / "download")


def _write_sources() -> None:
    """apt's sources, each for packages and for packages of sources."""
    for path in (_SOURCES / "sources.list", *_SOURCES.glob("sources.list.d/*")):
        if path.suffix in (".list", ".sources") and path.is_file():
            text = path.read_text(encoding="utf-8")
            (_APT / "sources" / path.name).write_text(with_sources(text, path.suffix), encoding="utf-8")


def with_sources(text: str, suffix: str) -> str:
    """A file of apt's sources that names packages of sources, too."""
    if suffix == ".sources":
        return re.sub(r"(?m)^Types:.*$", "Types: deb deb-src", text)
    lines = [line for line in text.splitlines() if line.startswith("deb ")]
    return "".join(f"{line}\ndeb-src {line.removeprefix('deb ')}\n" for line in lines)


def _apt(*arguments: str, program: str = "apt-get", is_needed: bool = True) -> str:
    """What apt prints."""
    places = {
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": _APT / "sources",
        "Dir::State::lists": _APT / "lists",
        "Dir::Cache": _APT / "cache",
        "Acquire::Languages": "none",
        "Acquire::Retries": "0",
        "Acquire::http::Timeout": "15",
        # Where root calls it, it would become another user, who may not write here.
        "APT::Sandbox::User": "",
    }
    options = [part for name, value in places.items() for part in ("-o", f"{name}={value}")]
    command = [program, "-q", *options, *arguments]
    try:
        done = subprocess.run(
            command, cwd=_APT / "download", capture_output=True, text=True, check=False, timeout=_PATIENCE
        )
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{program} {arguments[0]} took more than {_PATIENCE} seconds") from None
    if done.returncode and is_needed:
        complaint = next((line for line in done.stderr.splitlines() if line.startswith("E:")), "it fails")
        raise Unavailable(f"{program} {' '.join(arguments)}: {complaint}")
    return done.stdout


def _fetched(pattern: str, package: str) -> list[Path]:
    found = sorted((_APT / "download").glob(pattern))
    if len(found) != 1:
        raise Unavailable(f"the package {package} has {len(found)} files {pattern}")
    return found


@contextmanager
def _data_of(package: Path) -> Iterator[IO[bytes]]:
    """The files of a binary package as a tar stream."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE) as unpacking:
        assert unpacking.stdout is not None
        try:
            yield unpacking.stdout
        finally:
            unpacking.kill()


def extract(tarball: IO[bytes], members: Sequence[str], folder: Path) -> None:
    """Some files of a tarball whose only folder is the upstream version's; reads no further than it must."""
    missing = set(members)
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=tarball, mode="r|*") as archive:
        for entry in archive:
            path = entry.name.removeprefix("./").partition("/")[2]
            if path not in missing:
                continue
            content = archive.extractfile(entry)
            assert content is not None
            (folder / Path(path).name).write_bytes(content.read())
            missing.remove(path)
            if not missing:
                return
    raise Unavailable(f"the package has no {', '.join(sorted(missing))}")

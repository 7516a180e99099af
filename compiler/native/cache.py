"""Compiled code on disk, found by the digest of what it was compiled from.

An entry is a file: the digest of the code, then the code.  It is written aside and renamed, so that readers
see it whole or not at all; an entry that does not fit its digest is not used and is written anew.  A folder
that cannot be written to only makes compiling slower.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

from glslc_multi.compiler.own_files import is_own_folder, make_own_folder, read_own_file

_DIGEST_SIZE = 20


class ObjectCache:
    """Entries in `folder`, in sub-folders by the first digits of their keys; without a folder it stays empty, and with
    one that others could write to: what is in the cache is executed."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder if folder is not None and is_own_folder(str(folder)) else None

    def get(self, key: str) -> bytes | None:
        """The code under a key; None where there is none, or a damaged one."""
        if self.folder is None:
            return None
        try:
            entry = read_own_file(str(self._path(self.folder, key)))
        except OSError:
            return None
        digest, code = entry[:_DIGEST_SIZE], entry[_DIGEST_SIZE:]
        return code if digest == _digest(code) else None

    def put(self, key: str, code: bytes) -> None:
        """Keep code under a key, if the folder can be written to."""
        if self.folder is None:
            return
        path = self._path(self.folder, key)
        with suppress(OSError):
            make_own_folder(str(path.parent))
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as aside:
                aside.write(_digest(code) + code)
            try:
                Path(aside.name).replace(path)
            except OSError:
                Path(aside.name).unlink(missing_ok=True)
                raise

    @staticmethod
    def _path(folder: Path, key: str) -> Path:
        return folder / key[:2] / key[2:]


def cache_key(*parts: str) -> str:
    """The digest of texts."""
    return blake2b("\0".join(parts).encode(), digest_size=_DIGEST_SIZE).hexdigest()


def default_cache() -> ObjectCache:
    """The cache in the folder that `GLSLC_MULTI_CACHE` names ("off" or nothing: none), else in the user's."""
    named = os.environ.get("GLSLC_MULTI_CACHE")
    return ObjectCache(_user_folder() if named is None else Path(named) / "host" if named not in ("", "off") else None)


@cache
def _user_folder() -> Path:
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises where there is none
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "glslc-multi" / "host"


def _digest(code: bytes) -> bytes:
    return blake2b(code, digest_size=_DIGEST_SIZE).digest()

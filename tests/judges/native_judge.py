"""Judges whose C files are fetched, and compiled with a main function and stand-in headers of ours (`native/`)."""

from __future__ import annotations

import shutil
import subprocess
from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from tests.judges.debian import locked
from tests.judges.model import CACHE, NATIVE, Judge, Unavailable


class NativeJudge(Judge):
    """A program of this computer that reads words from its standard input."""

    #: Folder of our sources in `native/`.
    native: ClassVar[str]
    #: Paths of the files in the tarball.
    members: ClassVar[Sequence[str]]
    flags: ClassVar[Sequence[str]] = ()

    @abstractmethod
    def fetch(self, folder: Path) -> None:
        """Get the files."""

    def complete(self, folder: Path) -> None:
        """Make what is generated of the files that were fetched."""

    @property
    def _folder(self) -> Path:
        return CACHE / self.native

    @property
    def _program(self) -> Path:
        return self._folder / "judge"

    def prepare(self, *, fetch: bool) -> None:
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is None:
            raise Unavailable("there is no C compiler")
        with locked():
            if not all((self._folder / Path(path).name).exists() for path in self.members):
                if not fetch:
                    raise Unavailable("not fetched yet: `make judges-ready`")
                self.fetch(self._folder)
            self._build(compiler)

    def _build(self, compiler: str) -> None:
        """Compile, unless nothing of ours is newer than the program."""
        ours = NATIVE / self.native
        if self._program.exists():
            built = self._program.stat().st_mtime
            if all(path.stat().st_mtime < built for path in ours.rglob("*")):
                return
        self.complete(self._folder)
        includes = (f"-I{ours}", f"-I{self._folder}")
        for product in self._products():
            command = [compiler, "-O1", "-w", *self.flags, *includes, *product]
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
            if done.returncode:
                raise Unavailable(f"it cannot be built: {done.stderr.strip().splitlines()[:1]}")

    def _products(self) -> Sequence[tuple[str, ...]]:
        """What is compiled, as arguments of the compiler; the program last, by whose time the others are known, too."""
        return [("-o", str(self._program), str(NATIVE / self.native / "judge.c"))]

    def _run(self, code: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        """The program on machine code."""
        return subprocess.run(
            [str(self._program), *arguments], input=code, capture_output=True, check=False, timeout=60
        )

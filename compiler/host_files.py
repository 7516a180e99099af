"""What host code is made of: a compiled program, the names that it has in the text, and the files that come out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from glslc_multi.compiler.records import dataclass

if TYPE_CHECKING:
    from glslc_multi.compiler.artifact import Artifact


@dataclass(frozen=True, slots=True)
class HostProgram:
    """A stage alone, or the stages of a linked program, to write a loader for."""

    stages: Mapping[str, Artifact]
    #: What names in the text, and those of the files, begin with: an identifier of C.
    prefix: str
    #: All stages in one file, where the target has such files.
    binary: bytes | None = None


@dataclass(frozen=True, slots=True)
class HostFile:
    """One file, named as the text of the others names it."""

    name: str
    text: str | bytes

    @property
    def data(self) -> bytes:
        return self.text if isinstance(self.text, bytes) else self.text.encode("utf-8", "surrogateescape")

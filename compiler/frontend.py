"""The contract of a front end: which sources are its own, and how they become modules.

`frontends/<name>/frontend.py` holds one object of this class under the name `FRONT_END`.  Its methods import what they
need when they are called.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar

from glslc_multi.compiler.records import dataclass, field

if TYPE_CHECKING:
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.ir.module import Module


@dataclass(frozen=True, slots=True)
class Source:
    """A shader's text or bytes, its name in messages, its stage where the name does not say, and its language."""

    content: str | bytes = field(repr=False)
    filename: str
    front_end: FrontEnd
    stage: str | None = None

    @property
    def text(self) -> str:
        """The text; "" of a binary, which has no lines to show."""
        return self.content if isinstance(self.content, str) else ""


@dataclass(frozen=True, slots=True)
class FrontEndOptions:
    """What a front end needs to know besides the source."""

    defines: Mapping[str, str] = field(default_factory=dict)
    #: Predefined macros that are not to be defined.
    undefines: Sequence[str] = ()
    include_dirs: Sequence[str] = ()
    #: The language's version of a source that does not say its own, as after `--std`; "" is the front end's default.
    std: str = ""
    #: Names of the fixed-function pipeline exist (`--compat`).
    compat: bool = False
    #: The entry point of a source that has several (`--entry`); for a pair, that of each after a comma.
    entry: str = ""
    #: Numbers of specialization constants -> their values (`--spec`).
    specializations: Mapping[int, str] = field(default_factory=dict)
    #: Commands that are run are told (`-v`).
    verbose: bool = False

    def entry_of(self, stage: str) -> str:
        """The entry point of a stage; "" where none is named."""
        first, _, second = self.entry.partition(",")
        return second if second and stage not in ("vertex", "coordinate") else first


@dataclass(frozen=True, slots=True)
class Prepared:
    """A source as its front end has read it, with everything that it includes."""

    source: Source
    #: In the front end's own form.
    content: Any
    #: Paths of all included files, for depfiles.
    dependencies: Sequence[str] = ()


class FrontEnd(ABC):
    """A language that shaders are written in."""

    name: ClassVar[str]
    #: One line for lists.
    description: ClassVar[str]
    #: Suffix of the language's files -> stage that it stands for; "" where the source itself tells.
    stage_of_suffix: ClassVar[Mapping[str, str]]
    #: The versions of the language that `FrontEndOptions.std` can name.
    standards: ClassVar[Sequence[str]] = ()
    #: Whether sources are bytes; else they are UTF-8 text.
    is_binary: ClassVar[bool] = False

    def __repr__(self) -> str:
        return f"<front end {self.name}>"

    def takes(self, filename: str, content: str | bytes) -> bool:
        """Whether a source is of this language: by the suffix of its name, unless a front end looks at the content."""
        return PurePath(filename).suffix in self.stage_of_suffix

    def stage_of(self, filename: str, content: str | bytes) -> str:
        """The stage that a source itself tells, where the suffix of its name does not; "" where it does not either."""
        return ""

    @abstractmethod
    def prepare(self, source: Source, stage: str | None, options: FrontEndOptions, sink: DiagnosticSink) -> Prepared:
        """Read a source and what it includes; `sink` has what is wrong with it.  None is an unknown stage."""

    @abstractmethod
    def print_prepared(self, prepared: Prepared) -> str:
        """The source with everything that it includes, as text."""

    def version_of(self, prepared: Prepared) -> int:
        """The version of GLSL that a source is written in, as `#version` has it; 0 for other languages."""
        return 0

    @abstractmethod
    def identity(self, prepared: Prepared) -> object:
        """Everything except positions: two sources whose identities have the same `repr` become the same module."""

    @abstractmethod
    def lower(self, prepared: Prepared, stage: str, sink: DiagnosticSink) -> Module:
        """The module of one stage; raises `CompileError` where the source has errors."""

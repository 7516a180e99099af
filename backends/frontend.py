"""The front end of machine code: the files that back ends write, read back (`compiler/lifting`).

Names come from the register map, which stands beside the file under its name with `.json` after it, or is named by
`--map`; without one, from what the file itself says, and from its registers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar

from glslc_multi.backends.registry import target_of_suffix
from glslc_multi.compiler.diagnostics.catalogue import machine, usage
from glslc_multi.compiler.files import may_read, note_absent, note_read
from glslc_multi.compiler.frontend import FrontEnd, FrontEndOptions, Prepared, Source
from glslc_multi.compiler.records import dataclass

if TYPE_CHECKING:
    from glslc_multi.compiler.artifact import Artifact
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.target import Target


@dataclass(frozen=True, slots=True)
class _Program:
    """A file as `prepare` leaves it."""

    artifact: Artifact
    #: Whether its register map was there.
    is_named: bool


class MachineCode(FrontEnd):
    """Files of machine code: of one target, with the register map in some file, where that is said."""

    name = "machine"
    description = "machine code of the targets, with or without its register map"
    #: Not those of its files: these are what a folder of sources is compiled to.
    stage_of_suffix: ClassVar[Mapping[str, str]] = {}
    suffixes: ClassVar[frozenset[str]] = frozenset(
        {".agalbin", ".shbin", ".tev", ".vc4", ".a2xx", ".vsu", ".psu", ".mem"}
    )
    is_binary = True

    def __init__(
        self,
        target: Target | None = None,
        register_map: str = "",
        entry: str = "",
        *,
        map_content: str | None = None,
        is_exact: bool = False,
    ) -> None:
        """`entry` is the shader of a file that has several; `map_content` stands for a file of a register map."""
        self._target = target
        self._register_map = register_map
        self._entry = entry
        self._map_content = map_content
        self._is_exact = is_exact

    def takes(self, filename: str, content: str | bytes) -> bool:
        return PurePath(filename).suffix in self.suffixes

    def stage_of(self, filename: str, content: str | bytes) -> str:
        from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink

        try:
            program = self._read(_bytes(content), filename, self._entry, None, DiagnosticSink())
            return program.artifact.reflection.stage
        except CompileError:
            # What is wrong with the file is told when it is prepared, whatever the stage.
            return "vertex"

    def prepare(self, source: Source, stage: str | None, options: FrontEndOptions, sink: DiagnosticSink) -> Prepared:
        entry = self._entry or options.entry_of(stage or "")
        program = self._read(_bytes(source.content), source.filename, entry, stage, sink)
        return Prepared(source, program, (self._map_of(source.filename),) if program.is_named else ())

    def _map_of(self, filename: str) -> str:
        return self._register_map or f"{filename}.json"

    def _read(self, data: bytes, filename: str, entry: str, stage: str | None, sink: DiagnosticSink) -> _Program:
        """Read a shader of a file and its register map, if that is there; raise what is wrong with them."""
        from glslc_multi.compiler.artifact import Artifact, Stats
        from glslc_multi.compiler.assembly import assemble_text
        from glslc_multi.compiler.diagnostics import CompileError
        from glslc_multi.compiler.lifting.register_map import keys_of_target, preamble_of, reflection_of
        from glslc_multi.compiler.target import MachineFault

        target, path = self._target_of(filename), self._map_of(filename)
        if PurePath(filename).suffix not in self.suffixes and _is_text(data):
            data = assemble_text(data.decode("utf-8"), target=target, filename=filename, sink=sink)
        data = target.select_shader(data, entry, stage, filename, sink)
        try:
            own = target.read_interface(data, filename, sink)
        except MachineFault as fault:
            sink.report(machine.NOT_LIFTED, filename=filename, reason=str(fault))
            raise CompileError(sink.diagnostics) from None
        text = self._map_content or _read_map(path, bool(self._register_map), sink)
        reflection, keys, preamble = own, dict[str, Any](), None
        if text is not None:
            try:
                content = json.loads(text)
                reflection, keys, preamble = reflection_of(content), keys_of_target(content), preamble_of(content)
            except (ValueError, KeyError, TypeError, AttributeError):
                sink.report(usage.BAD_REGISTER_MAP, path=path, problem="it is no register map")
                sink.raise_if_errors()
            assert reflection is not None
            if reflection.target != target.name or (own is not None and reflection.stage != own.stage):
                problem = f"it is of a {reflection.stage} shader for {reflection.target}"
                sink.report(usage.BAD_REGISTER_MAP, path=path, problem=problem)
        elif reflection is None:
            reason = f"files for {target.name} are not read without a register map"
            sink.report(machine.NOT_LIFTED, filename=filename, reason=reason)
        sink.raise_if_errors()
        assert reflection is not None
        artifact = Artifact(data, str, reflection, Stats(0, 0, 0, 0), make_map_keys=lambda: keys, preamble=preamble)
        return _Program(artifact, text is not None)

    def print_prepared(self, prepared: Prepared) -> str:
        from glslc_multi.compiler.diagnostics import DiagnosticSink

        target = self._target_of(prepared.source.filename)
        return target.disassemble(_bytes(prepared.source.content), prepared.source.filename, DiagnosticSink())

    def identity(self, prepared: Prepared) -> object:
        return prepared.content.artifact.binary, prepared.content.artifact.reflection

    def lower(self, prepared: Prepared, stage: str, sink: DiagnosticSink) -> Module:
        from glslc_multi.compiler.isa.container import BadContainer, report_bad
        from glslc_multi.compiler.lifting.lift import lift
        from glslc_multi.compiler.lifting.operations import Unliftable
        from glslc_multi.compiler.target import MachineFault

        source, program = prepared.source, prepared.content
        artifact = program.artifact
        target = self._target_of(source.filename)
        try:
            code = target.machine_code(artifact, {})
            if code is None:
                raise Unliftable(f"{artifact.reflection.stage} programs for {target.name} are not lifted")
            return lift(
                code,
                artifact.reflection,
                is_complete=program.is_named,
                is_exact=self._is_exact,
                preamble=artifact.preamble,
            )
        except (Unliftable, MachineFault) as reason:
            sink.report(machine.NOT_LIFTED, filename=source.filename, reason=str(reason))
        except BadContainer as error:
            report_bad(error, source.filename, sink, target.name)
        sink.raise_if_errors()
        raise AssertionError("that was an error")

    def _target_of(self, filename: str) -> Target:
        target = self._target or target_of_suffix(PurePath(filename).suffix)
        assert target is not None, "the suffixes are those of targets"
        return target


def _is_text(data: bytes) -> bool:
    """Tell whether a file is assembly: machine code has bytes that no text has."""
    try:
        return all(character.isprintable() or character.isspace() for character in data.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def _bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode()


def _read_map(path: str, is_wanted: bool, sink: DiagnosticSink) -> str | bytes | None:
    """Return the text of a register map; None where there is none and none is wanted."""
    try:
        if not may_read(Path(path)):
            raise FileNotFoundError("it is in another folder")
        text = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        if is_wanted:
            sink.report(usage.BAD_REGISTER_MAP, path=path, problem=getattr(error, "strerror", None) or str(error))
            sink.raise_if_errors()
        note_absent(path)
        return None
    note_read(path, text)
    return text


FRONT_END = MachineCode()

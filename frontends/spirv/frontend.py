"""The front end: a module of SPIR-V, binary or text, to IR.

bytes or text - code (binary.py, text.py) - contents (module/) - IR (lower/)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink, SourceFile
from glslc_multi.compiler.diagnostics.catalogue import limits
from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.frontend import FrontEnd, FrontEndOptions, Prepared, Source
from glslc_multi.compiler.records import dataclass

if TYPE_CHECKING:
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.spirv.code import Code, Invalid
    from glslc_multi.frontends.spirv.module.contents import Contents, EntryPoint

_MAGICS = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")
#: Stages of which there are targets.
STAGES = ("vertex", "fragment")


@dataclass(frozen=True, slots=True)
class ReadModule:
    """A module as `prepare` leaves it."""

    code: Code
    file: SourceFile
    options: FrontEndOptions


class Spirv(FrontEnd):
    """Modules of SPIR-V 1.0 to 1.6."""

    name = "spirv"
    description = "SPIR-V 1.0 to 1.6, binary or text (spirv-as)"
    stage_of_suffix: ClassVar[Mapping[str, str]] = {".spv": "", ".spvasm": ""}
    is_binary = True

    def takes(self, filename: str, content: str | bytes) -> bool:
        return is_module(content) or super().takes(filename, content)

    def stage_of(self, filename: str, content: str | bytes) -> str:
        """That of the entry points, where all have the same."""
        from glslc_multi.compiler.spirv.code import Invalid

        try:
            code = read_code(content)
        except Invalid:
            # What is wrong with the module is told when it is prepared, whatever the stage.
            return "fragment"
        models = {entry.id(0) for entry in code.instructions if entry.name == "OpEntryPoint"}
        stages = {0: "vertex", 4: "fragment"}
        found = {stages[model] for model in models if model in stages} or {"fragment"}
        return found.pop() if len(found) == 1 else ""

    def prepare(self, source: Source, stage: str | None, options: FrontEndOptions, sink: DiagnosticSink) -> Prepared:
        return Prepared(source, self.read(source.content, source.filename, options, sink))

    def read(self, content: str | bytes, filename: str, options: FrontEndOptions, sink: DiagnosticSink) -> ReadModule:
        """A module from its bytes or its text."""
        from glslc_multi.compiler.spirv.code import Invalid
        from glslc_multi.compiler.spirv.text import print_code
        from glslc_multi.frontends.spirv.module.spans import ModuleText, Spans

        file = SourceFile(filename, "" if is_module(content) else text_of(content))
        try:
            code = read_code(content)
        except Invalid as invalid:
            report(invalid, Spans(file) if not is_module(content) else None, sink)
            sink.raise_if_errors()
            raise
        if is_module(content):
            file = ModuleText(filename, lambda: print_code(code))
        return ReadModule(code, file, options)

    def print_prepared(self, prepared: Prepared) -> str:
        from glslc_multi.compiler.spirv.text import print_code

        return print_code(prepared.content.code)

    def identity(self, prepared: Prepared) -> object:
        module: ReadModule = prepared.content
        options = module.options
        return self.print_prepared(prepared), options.entry, sorted(options.specializations.items())

    def lower(self, prepared: Prepared, stage: str, sink: DiagnosticSink) -> Module:
        from glslc_multi.compiler.shading.emitter import TooLarge
        from glslc_multi.compiler.spirv.code import Invalid
        from glslc_multi.frontends.spirv.lower import lower
        from glslc_multi.frontends.spirv.lower.shader import INSTRUCTION_LIMIT
        from glslc_multi.frontends.spirv.module.contents import Contents
        from glslc_multi.frontends.spirv.module.uses import point_at_use

        module: ReadModule = prepared.content
        contents = Contents(module.code, module.file, module.options.specializations)
        try:
            contents.read()
            wanted = "vertex" if stage == "coordinate" else stage
            entry = find_entry(contents, wanted, module.options.entry_of(wanted))
            contents.constants.check_specializations()
            return lower(contents, entry, prepared.source.filename)
        except Invalid as invalid:
            point_at_use(contents, invalid)
            if isinstance(id := invalid.values.get("id"), int):
                invalid.values["id"] = module.code.spelled(id)
            report(invalid, contents.spans, sink)
        except TooLarge as too_large:
            sink.report(limits.SHADER_TOO_LARGE, too_large.span, limit=INSTRUCTION_LIMIT)
        raise CompileError(sink.diagnostics)


FRONT_END = Spirv()


def is_module(content: str | bytes) -> bool:
    """Whether this is a binary module."""
    return isinstance(content, bytes) and content[:4] in _MAGICS


def text_of(content: str | bytes) -> str:
    return content if isinstance(content, str) else content.decode("utf-8", "replace")


def read_code(content: str | bytes) -> Code:
    """The instructions of a module in either form."""
    from glslc_multi.compiler.spirv.binary import read_binary
    from glslc_multi.compiler.spirv.text import read_text

    if isinstance(content, bytes) and is_module(content):
        return read_binary(content)
    return read_text(text_of(content))


def find_entry(contents: Contents, stage: str, name: str) -> EntryPoint:
    """The entry point of a stage, by its name where there are several."""
    from glslc_multi.compiler.spirv.code import Invalid

    entries = [entry for entry in contents.entry_points if entry.stage == stage and name in ("", entry.name)]
    if not entries:
        wanted = f"'{name}' of the stage {stage}" if name else f"of the stage {stage}"
        spelled = [f"{entry.name} ({entry.model})" for entry in contents.entry_points]
        notes = [f"it has {', '.join(spelled)}"] if spelled else []
        raise Invalid(messages.NO_ENTRY_POINT, None, wanted=wanted, notes=notes)
    if len(entries) > 1:
        names = ", ".join(entry.name for entry in entries)
        raise Invalid(messages.SEVERAL_ENTRY_POINTS, None, stage=stage, names=names, help="name one with --entry")
    return entries[0]


def report(invalid: Invalid, spans: object, sink: DiagnosticSink) -> None:
    """Tell what is wrong with a module."""
    from glslc_multi.frontends.spirv.module.spans import Spans

    span = invalid.span
    if span is None and isinstance(spans, Spans):
        span = spans.span(invalid.at)
    sink.report(invalid.entry, span, **invalid.values)  # type: ignore[arg-type]

"""A file of machine code, explained: the GLSL that it means, and the words that each line of it comes from."""

from __future__ import annotations

from pathlib import PurePath

from glslc_multi.compiler.artifact import Stats
from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.compiler.driver import prepare
from glslc_multi.compiler.frontend import Source
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.records import replace
from glslc_multi.compiler.target import Target
from glslc_multi.report.explain.explanation import Explanation, ListedWord
from glslc_multi.rewrite import rewritten


def explain_machine_code(source: Source, target: Target, request: Request, sink: DiagnosticSink) -> Explanation:
    """Decompile, and describe the words of the file itself."""
    artifact = prepare(source, request.front_end, sink).content.artifact
    version = "100" if artifact.reflection.stage == "geometry" else "300es"
    written = rewritten(source, replace(request, optimisation=2), version, sink)
    listed = target.list_words(artifact.binary, request.target_options)
    lines: list[dict[str, None]] = [{} for _ in listed]
    for number, spans in enumerate(written.origins(), start=1):
        for word in {span.line - 1 for span in spans if span.line <= len(lines)}:
            lines[word][f"0:{number}"] = None
    # What is part of a larger operation, such as a length, comes before the rest of it.
    placed = [number for number, keys in enumerate(lines) if keys]
    for number in reversed(range(placed[0], placed[-1]) if placed else ()):
        lines[number] = lines[number] or lines[number + 1]
    samplers = target.lookups(artifact, listed)
    words = [
        ListedWord(word, tuple(keys), samplers.get(number, ()))
        for number, (word, keys) in enumerate(zip(listed, lines, strict=True))
    ]
    assembly = target.disassemble(artifact.binary, source.filename, sink)
    shown = replace(artifact, stats=Stats(len(words), 0, 0, 0), write_assembly=lambda: assembly)
    file = SourceFile(f"{PurePath(source.filename).name}, decompiled", written.text)
    return Explanation(shown, (file,), tuple(words), (), {}, None, ())

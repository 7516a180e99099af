"""The text of a file: UTF-8, or Latin-1 where a file is that, as old shaders with names or units in comments are.

The two can be told apart: accented letters in Latin-1 are hardly ever valid UTF-8.
"""

from __future__ import annotations

from codecs import BOM_UTF8

from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue.preprocess import READ_AS_LATIN1
from glslc_multi.compiler.diagnostics.catalogue.usage import NOT_UTF8


def decode_source(data: bytes, name: str, sink: DiagnosticSink, included_at: Span | None = None) -> SourceFile:
    """The file with its text, without a byte order mark; that letters stand in comments only is for others to check."""
    data = data.removeprefix(BOM_UTF8)
    try:
        return SourceFile(name, data.decode(), included_at)
    except UnicodeDecodeError as error:
        offset = error.start
    read = SourceFile(name, data[:offset].decode())
    line = len(read.line_starts)
    column, byte = len(read.line_text(line)) + 1, f"0x{data[offset]:02x}"
    if b"\0" in data:
        # Another kind of file, not another encoding.
        sink.report(NOT_UTF8, path=name, line=line, offset=offset, byte=byte)
        sink.raise_if_errors()
    file = SourceFile(name, data.decode("latin-1"), included_at)
    sink.report(READ_AS_LATIN1, Span(file, line, column, line, column + 1), byte=byte)
    return file

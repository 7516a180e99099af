"""What disassemblers share: files that are no programs, words without text, labels between lines."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.isa.container import BadContainer, unpacked
from glslc_multi.compiler.isa.disassembly import report_no_text, text_of, with_labels


def test_a_file_that_is_no_program_is_reported_and_raised() -> None:
    def unpack(data: bytes) -> int:
        if not data:
            raise BadContainer("it is empty")
        return data[0]

    sink = DiagnosticSink()
    assert unpacked(unpack, b"\x07", "a.bin", sink, "toy") == 7
    with pytest.raises(CompileError):
        unpacked(unpack, b"", "a.bin", sink, "toy")
    (found,) = sink.diagnostics
    assert (found.message, found.target) == ("this is no program for toy: it is empty", "toy")
    assert found.span is not None and found.span.location == "a.bin:1:1"


def test_what_has_no_text_is_reported() -> None:
    sink = DiagnosticSink()
    report_no_text(sink, "a.bin", "word 3", "0007 is no instruction")
    assert [found.message for found in sink.diagnostics] == ["word 3 has no assembly text: 0007 is no instruction"]


def test_labels_stand_before_lines_and_after_the_last() -> None:
    labels = {0: ["a:", "b:"], 2: ["c:"]}
    assert text_of(with_labels(["one", "two"], lambda number: labels.get(number, []))) == "a:\nb:\none\ntwo\nc:\n"

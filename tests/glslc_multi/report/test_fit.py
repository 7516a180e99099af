"""Which limits a shader misses, and which it comes closest to."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import limits, names
from glslc_multi.report.fit import Use, closest_limit, excesses, shortfall


def refused(*needs: tuple[str, str, str]) -> CompileError:
    sink = DiagnosticSink()
    for need, limit, what in needs:
        sink.report(limits.RESOURCE_EXCEEDED, target="agal", need=need, limit=limit, what=what)
    with pytest.raises(CompileError) as found:
        sink.raise_if_errors()
    return found.value


def test_every_limit_that_is_missed_is_named_once() -> None:
    error = refused(("66", "64", "instructions"), ("9", "8", "temporaries"), ("66", "64", "instructions"))
    assert excesses(error.diagnostics) == [Use(66, 64, "instructions"), Use(9, 8, "temporaries")]
    assert shortfall(error.diagnostics) == "2 instructions too many (66 of 64); 1 temporaries too many (9 of 8)"


def test_a_need_that_is_no_number_is_told_in_words() -> None:
    error = refused(("more", "8", "temporaries"))
    assert excesses(error.diagnostics) == []
    assert shortfall(error.diagnostics) == error.diagnostics[0].message


def test_what_is_no_limit_is_its_own_reason() -> None:
    sink = DiagnosticSink()
    sink.report(names.UNDECLARED_NAME, None, name="x")
    assert excesses(sink.diagnostics) == []
    assert shortfall(sink.diagnostics) == sink.diagnostics[0].message


def test_the_closest_limit_is_the_one_with_the_largest_share() -> None:
    uses = {"code_words": (23, 64), "temporary_registers": (4, 8), "samplers": (0, 8), "nothing": (3, 0)}
    assert closest_limit(uses) == Use(4, 8, "temporary registers")
    assert str(closest_limit(uses)) == "4 of 8 temporary registers"
    assert closest_limit({"samplers": (0, 8)}) is None

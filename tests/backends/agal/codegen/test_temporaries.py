"""Temporaries as the shared scheduler and allocator see them: eight registers of four components in version 1, 26 later
(backends/agal/README.md)."""

from __future__ import annotations

import pytest

from glslc_multi.backends.agal.codegen.register_files import register_files
from glslc_multi.backends.agal.codegen.temporaries import Pressure, Temporaries
from glslc_multi.backends.agal.isa.registers import ATTRIBUTE, CONSTANT, OUTPUT, TEMPORARY, VARYING
from glslc_multi.compiler.codegen.machine import Def, Use, VirtualRegister


@pytest.mark.parametrize(("version", "components"), [(1, 32), (2, 104), (3, 104)])
def test_an_order_may_fill_all_temporaries_before_one_has_failed(version: int, components: int) -> None:
    files = register_files("fragment", version)
    assert Pressure(files, tries=0).limit == components
    # Two registers are left free then, since full ones are hard to assign.
    assert (Pressure(files, tries=16).limit, Pressure(files, tries=16).tries) == (components - 8, 16)


def test_only_temporaries_run_short() -> None:
    files = register_files("vertex", 2)
    pressure = Pressure(files, tries=0)
    assert [pressure.weight(files[type][0]) for type in (ATTRIBUTE, CONSTANT, OUTPUT, VARYING)] == [0, 0, 0, 0]
    assert pressure.weight(files[TEMPORARY][3]) == 1
    assert pressure.weight(VirtualRegister(0, 4, files.temporaries)) == 1


@pytest.mark.parametrize("splits", [False, True])
def test_live_ranges_are_split_where_that_is_asked_for(splits: bool) -> None:
    files = register_files("vertex", 3)
    model = Temporaries(files, splits)
    assert (model.splits, model.target, model.resource) == (splits, "agal 3", "temporary registers")
    target, source = Def(files[TEMPORARY][1], (2, 3)), Use(files[TEMPORARY][4], (1, 0))
    made = model.copy(target, source)
    assert (made.op.name, made.defs, made.uses) == ("mov", [target], [source])

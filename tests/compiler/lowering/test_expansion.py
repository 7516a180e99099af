"""Every row of an expansion table uses what it says and computes what its opcode means."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import FLOAT, Kind, Type
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.ir.verify import check
from glslc_multi.compiler.lowering.builtins import ROWS
from glslc_multi.compiler.lowering.expansion import Expander, Row
from glslc_multi.compiler.lowering.opcode_set import OpcodeSet

LANES = 64
_SHUFFLES = OpcodeSet("swizzle.construct.insert")
_PLUMBING = OpcodeSet("load.store.ret.ftoi.ftob.btof.itof")
_INPUT_KINDS: dict[str, Kind] = {"F": "float", "I": "int", "B": "bool"}


def operand_kinds(opcode: Opcode) -> list[Kind]:
    """The kinds of the operands, from the signature's letters (`F3` is a float too)."""
    return [_INPUT_KINDS[letter.strip()[0]] for letter in opcode.signature.partition("->")[0].split(",")]


def module_of(opcode: Opcode, width: int) -> tuple[Module, Instruction]:
    """A module that applies `opcode` to its inputs, converted to the kinds of the operands."""
    module = Module("vertex")
    builder = Builder(module.add_function("main").add_block("entry"))
    operands = []
    for number, kind in enumerate(operand_kinds(opcode)):
        loaded = builder.load(module.add_variable(Variable(f"x{number}", "attribute", FLOAT.with_width(width))))
        convert = {"int": ops.FTOI, "bool": ops.FTOB}.get(kind)
        operands.append(loaded if convert is None else builder.op(convert, loaded))
    result = builder.op(opcode, *operands)
    back = {"int": ops.ITOF, "bool": ops.BTOF}.get(result.type.kind)
    shown = result if back is None else builder.op(back, result)
    builder.store(module.add_variable(Variable("y", "output", shown.type)), shown)
    builder.ret()
    return module, result


def values(random: Random, name: str, count: int, type: Type) -> dict[str, Array]:
    """Numbers of both signs, whole ones and equal ones among them; positive ones where logarithms follow."""
    low = 1 if name in ("fpow", "flog", "fsqrt", "frsqrt") else -24
    draw = [[random.randint(low, 24) / 4 or 0.5 for _ in range(type.width)] for _ in range(LANES * count)]
    shape = (count, LANES) if type.is_scalar else (count, LANES, type.width)
    return {f"x{number}": value for number, value in enumerate(np.array(draw).reshape(shape))}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.opcode}-{'-'.join(sorted(map(str, row.uses)))}")
def test_row(row: Row) -> None:
    width = 4 if row.opcode in (ops.DOT, ops.ALL, ops.ANY) else 3
    module, original = module_of(row.opcode, width)
    inputs = values(Random(row.opcode.name), row.opcode.name, len(operand_kinds(row.opcode)), FLOAT.with_width(width))
    expected = evaluate(module, inputs, {}, lanes=LANES).outputs["y"]
    assert Expander([row], lambda opcode: opcode is not row.opcode).expand(original)
    check(module, final=True)
    made = {instruction.op for instruction in module.main.instructions()}
    if row.opcode not in _PLUMBING:
        assert row.opcode not in made
    assert made <= row.uses | _SHUFFLES | _PLUMBING
    found = evaluate(module, inputs, {}, lanes=LANES).outputs["y"]
    np.testing.assert_allclose(found, expected, rtol=2e-6, atol=2e-5)


def test_the_shortest_way_wins() -> None:
    remaining = OpcodeSet("flt.fneg.fabs.ffract.fsub.fmul.fstep.fsign.not.btof.select")
    expander = Expander(ROWS, remaining.__contains__)
    chosen = expander.row_of(ops.FTRUNC)
    assert chosen is not None
    assert ops.FFLOOR in chosen.uses
    assert expander.row_of(ops.FDIV) is None


def test_opcode_set() -> None:
    assert str(OpcodeSet("fmul.fadd")) == "fadd.fmul"
    assert OpcodeSet("") == frozenset()
    with pytest.raises(ValueError, match="no opcode 'fmull'"):
        OpcodeSet("fadd.fmull")

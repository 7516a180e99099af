"""Every opcode with a meaning computes what the evaluator computes, on numbers at the edges of the formats."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.signatures import Signature, SignatureError
from glslc_multi.compiler.ir.types import VEC3, Kind, Type, vector
from glslc_multi.compiler.ir.variables import Variable
from tests.compiler.ir.numbers_for_tests import FLOATS, INTS, random_floats, random_ints
from tests.compiler.native.run_host import evaluate_on_host

_KINDS: dict[str, Kind] = {"F": "float", "f": "float", "I": "int", "i": "int", "B": "bool", "b": "bool", "C": "bool"}
#: Opcodes whose result may be one unit in the last place off.
_ELEMENTARY = frozenset(
    (ops.FEXP, ops.FEXP2, ops.FLOG, ops.FLOG2, ops.FPOW, ops.FSIN, ops.FCOS, ops.FTAN, ops.FASIN, ops.FACOS)
) | {ops.FATAN, ops.FATAN2}
_EXACT = [
    opcode
    for opcode in ops.OPCODES.values()
    if opcode.has_semantics and opcode.attribute == "none" and opcode not in _ELEMENTARY and "(" not in opcode.signature
]


def operand_types(opcode: Opcode, general: Kind, width: int) -> list[Type]:
    """Types that fit the signature, with `width` components where it leaves that open."""
    types = []
    for letter in Signature(opcode.signature).operands:
        if letter == "F3":
            types.append(VEC3)
        elif letter in ("T", "t"):
            types.append(vector(general, width if letter == "T" else 1))
        else:
            types.append(vector(_KINDS[letter], width if letter in "FIBC" else 1))
    return types


def module_of(opcode: Opcode, types: list[Type]) -> Module:
    """The opcode on one attribute for each operand."""
    module = Module("vertex")
    builder = Builder(module.add_function("main").add_block("entry"))
    operands: list[Value] = []
    for number, type in enumerate(types):
        operands.append(builder.load(module.add_variable(Variable(f"x{number}", "attribute", type))))
    result = builder.op(opcode, *operands)
    builder.store(module.add_variable(Variable("y", "output", result.type)), result)
    builder.ret()
    return module


def numbers(type: Type, lanes: int, seed: int) -> Array:
    generator = np.random.default_rng(seed)
    shape = (lanes, type.width) if type.width > 1 else (lanes,)
    if type.kind == "bool":
        return generator.integers(0, 2, shape).astype(np.bool_)
    if type.kind == "int":
        pool = np.array([*INTS, *random_ints(seed, 40)])
        return generator.choice(pool, shape).astype(np.int32)
    pool = np.array([*FLOATS, *random_floats(seed, 60)])
    return generator.choice(pool, shape).astype(np.float32)


@pytest.mark.parametrize("opcode", _EXACT, ids=repr)
def test_an_opcode_agrees_with_the_evaluator_bit_for_bit(opcode: Opcode) -> None:
    tried = 0
    general: Kind
    for general, width in (("float", 3), ("int", 2), ("bool", 4)):
        types = operand_types(opcode, general, width)
        if "T" not in opcode.signature and general != "float":
            continue
        try:
            module = module_of(opcode, types)
        except SignatureError:
            continue
        tried += 1
        inputs = {f"x{number}": numbers(type, 1001, number + 1) for number, type in enumerate(types)}
        wanted = evaluate(module, inputs, {}, lanes=1001).outputs["y"]
        found = evaluate_on_host(module, inputs, {}, lanes=1001).outputs["y"]
        np.testing.assert_array_equal(found, wanted)
        if found.dtype == np.float32:
            is_number = ~np.isnan(wanted)
            np.testing.assert_array_equal(np.signbit(found)[is_number], np.signbit(wanted)[is_number])
    assert tried

"""The machine as the shared machinery sees it: opcodes, register files; and bounds of the length of code."""

from __future__ import annotations

from glslc_multi.backends.pica200.codegen.length import expected_words, least_words
from glslc_multi.backends.pica200.codegen.machine_ops import BRANCH, EMIT, END, JUMP, OPS, SETEMIT, SETEMIT_IF
from glslc_multi.backends.pica200.codegen.procedures.calls import call_repeats
from glslc_multi.backends.pica200.codegen.register_files import (
    ADDRESS,
    CONSTANTS,
    FLAGS,
    INPUTS,
    LOOP_COUNTER,
    OUTPUTS,
    TEMPORARIES,
    VALUES,
    is_constant,
    is_input,
)
from glslc_multi.backends.pica200.codegen.rewrites.strips import Emission
from glslc_multi.backends.pica200.codegen.temporaries import Temporaries
from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    Def,
    MachineFunction,
    MachineInstruction,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.registers import Register

# --- Opcodes and registers, by `docs/isa/pica200.md` ----------------------------------------------------------------

_BY_COMPONENT = {"ADD", "MUL", "SGE", "SLT", "FLR", "MAX", "MIN", "MOVA", "MOV", "MAD"}
_TO_ALL = {"DP3", "DP4", "DPH", "EX2", "LG2", "RCP", "RSQ"}


def test_opcodes() -> None:
    assert set(OPS) == _BY_COMPONENT | _TO_ALL | {"CMP"}
    for name, op in OPS.items():
        sources = {"MAD": 3, "FLR": 1, "MOV": 1, "MOVA": 1, "EX2": 1, "LG2": 1, "RCP": 1, "RSQ": 1}.get(name, 2)
        assert op.name == name
        assert op.sources == ("each" if name in _BY_COMPONENT else "slots",) * sources
        assert op.result == ("none" if name == "CMP" else "each" if name in _BY_COMPONENT else "replicate")
        assert op.effect is (name == "CMP") and op.writes == ((FLAGS,) if name == "CMP" else ())
        assert op.copy == (name == "MOV") and not op.terminator


def test_what_has_no_result_has_an_effect() -> None:
    for op in (BRANCH, END, EMIT, SETEMIT, SETEMIT_IF, JUMP):
        assert op.effect and op.result == "none"
        assert op.terminator is (op in (BRANCH, END, JUMP))
    assert SETEMIT_IF.reads == (FLAGS,)


def test_register_files() -> None:
    counts = {INPUTS: 16, TEMPORARIES: 16, OUTPUTS: 16, CONSTANTS: 96}
    for file, count in counts.items():
        assert (file.count, file.components) == (count, 4)
        assert file.writable is (file in (TEMPORARIES, OUTPUTS)) and file.readable is (file is not OUTPUTS)
    assert [register.file.components for register in (ADDRESS, LOOP_COUNTER, FLAGS)] == [2, 1, 2]
    assert [register.file.writable for register in (ADDRESS, LOOP_COUNTER, FLAGS)] == [True, False, True]
    assert [register.index for register in (ADDRESS, LOOP_COUNTER, FLAGS)] == [0, 0, 0]
    assert {register.file.count for register in (ADDRESS, LOOP_COUNTER, FLAGS)} == {1}
    assert is_constant(CONSTANTS[3]) and not is_constant(INPUTS[3]) and not is_constant(virtual(4))
    assert is_input(INPUTS[3]) and not is_input(CONSTANTS[3]) and not is_input(virtual(4))


def test_components_stay_in_their_lanes_where_they_can() -> None:
    costs = [[Temporaries().component_cost(virtual(4), lane, component) for component in range(4)] for lane in range(4)]
    assert all((costs[lane][component] == 0) is (lane == component) for lane in range(4) for component in range(4))
    assert min(cost for row in costs for cost in row) == 0


# --- Length -----------------------------------------------------------------------------------------------------------


def virtual(width: int) -> VirtualRegister:
    return MachineFunction("main").new_register(width, VALUES)


def move(target: VirtualRegister | Register, source: AnyRegister, width: int = 1) -> MachineInstruction:
    lanes = tuple(range(width))
    return MachineInstruction(OPS["MOV"], [Def(target, lanes)], [Use(source, lanes)])


def add(width: int = 4) -> MachineInstruction:
    lanes = tuple(range(width))
    return MachineInstruction(OPS["ADD"], [Def(TEMPORARIES[0], lanes)], [Use(INPUTS[0], lanes)] * 2)


def least(*instructions: MachineInstruction) -> int:
    function = MachineFunction("main")
    function.add_block("entry").instructions = list(instructions)
    return least_words(function)


def test_everything_but_jumps_is_a_word() -> None:
    assert least(add(), MachineInstruction(JUMP), add(1), MachineInstruction(END)) == 3


def test_a_choice_of_vertices_is_two_words_for_each() -> None:
    emissions = [Emission(slot, issues=True, is_turned=False) for slot in (1, 2)]
    assert least(add(), MachineInstruction(SETEMIT_IF, attributes={"emissions": emissions})) == 5


def test_moves_that_may_vanish() -> None:
    assert least(move(virtual(4), virtual(4), 4), move(TEMPORARIES[3], virtual(2), 2), add()) == 1
    assert least(move(virtual(2), TEMPORARIES[3], 2)) == 0
    for stays in (move(OUTPUTS[1], virtual(2), 2), move(virtual(3), INPUTS[2], 3), move(virtual(3), CONSTANTS[2], 3)):
        assert least(stays) == 1


def test_moves_from_one_register_or_to_one_register_are_joined() -> None:
    """As many words as registers that their values fill."""
    assert least(*(move(virtual(1), CONSTANTS[5]) for _ in range(4))) == 1
    assert least(*(move(virtual(1), CONSTANTS[5]) for _ in range(5))) == 2
    assert least(*(move(virtual(3), CONSTANTS[5], 3) for _ in range(2))) == 2
    assert least(*(move(virtual(1), CONSTANTS[n]) for n in range(3))) == 3
    assert least(move(OUTPUTS[0], virtual(2), 2), move(OUTPUTS[0], virtual(2), 2)) == 1
    assert least(move(OUTPUTS[0], virtual(2), 2), move(OUTPUTS[1], virtual(2), 2)) == 2
    # The lanes that a move to an output writes count, whatever else the output has.
    assert least(move(OUTPUTS[0], INPUTS[1], 4), move(OUTPUTS[1], INPUTS[1], 1)) == 2


def test_moves_are_joined_in_a_row_only() -> None:
    assert least(move(virtual(1), CONSTANTS[5]), add(), move(virtual(1), CONSTANTS[5])) == 3


def test_expected_words_count_procedures() -> None:
    function, procedure = MachineFunction("main"), MachineFunction("shared")
    function.add_block("entry").instructions = [add(), MachineInstruction(END)]
    procedure.add_block("entry").instructions = [
        add(),
        move(TEMPORARIES[1], TEMPORARIES[2], 4),
        move(TEMPORARIES[3], TEMPORARIES[4], 4),
    ]
    assert expected_words(function, ()) == 2
    # In a procedure that has its registers, no move vanishes; it stands in place of a call.
    assert expected_words(function, [procedure]) == 4


def test_code_without_repeats_has_no_procedures() -> None:
    function = MachineFunction("main")
    function.add_block("entry").instructions = [add(), MachineInstruction(END)]
    assert call_repeats(function, ordered=False) == {}

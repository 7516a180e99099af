"""Checks of recorded data about the PICA200: encodings, containers, executions.

Executions were recorded in float32 (rules in the data's README); every record also runs in 24 bits, with
its wider tolerance, and is disassembled and assembled again.  The GLSL of a record is not compiled; the
evaluator runs it, against the recorded words in the simulator.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glslc_multi.backends.pica200.isa import descriptors, instructions
from glslc_multi.backends.pica200.isa.asm import assemble
from glslc_multi.backends.pica200.isa.container import read, write
from glslc_multi.backends.pica200.isa.disasm import disassemble, disassemble_program
from glslc_multi.backends.pica200.isa.program import SEMANTICS, Program
from glslc_multi.backends.pica200.isa.rules import Fault
from glslc_multi.backends.pica200.isa.validate import validate
from glslc_multi.backends.pica200.machine.lane_arithmetic import F24, F32
from glslc_multi.backends.pica200.machine.simulate import Result, Uniforms, simulate
from glslc_multi.compiler.arithmetic.lanes import quiet
from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.golden.pica200_glsl import compare_with_glsl
from tests.golden.runner import Failure, Verdict

Record = Mapping[str, Any]
Array = NDArray[Any]

_COMPONENTS = 4
#: Faults that recorded programs may have: they are alone in a file, without the outputs of a usable shader.
_ABOUT_THE_WHOLE = ("missing-position", "output-gap", "unwritten-output", "stale-loop-counter", "leaves-code")


class _Wrong(Exception):
    """What differs."""


def _check(same: object, reason: str) -> None:
    if not same:
        raise _Wrong(reason)


def _verdict(check: Callable[[Record], None], case: Record) -> Verdict:
    try:
        check(case)
    except _Wrong as error:
        return Failure(str(error))
    return None


# --- Handlers ---------------------------------------------------------------------------------------------------------


def encoding(case: Record, document: Any) -> Verdict:
    """One instruction: text to words and back."""
    return _verdict(_encoding, case)


def flow_encoding(case: Record, document: Any) -> Verdict:
    """A small program: text to words and back."""
    return _verdict(_program_matches, case)


def container(case: Record, document: Any) -> Verdict:
    """A file: text to bytes, bytes to content."""
    return _verdict(_container, case)


def execution(case: Record, document: Any) -> Verdict:
    """A program run on vertices."""
    return _verdict(_execution, case)


def documented(case: Record, document: Any) -> Verdict:
    """A published formula."""
    return _verdict(_documented, case)


# --- Encodings --------------------------------------------------------------------------------------------------------


def _encoding(case: Record) -> None:
    program = _assemble(f".proc main\n{case['asm']}\n.end\n")
    word, descriptor = int(case["word"], 16), int(case["opdesc"], 16)
    _check(program.code == [word], f"word is {program.code[0]:#010x}")
    _check(program.descriptors == [descriptor], f"descriptor is {program.descriptors[0]:#010x}")
    instruction = instructions.decode(word)
    _check(instruction is not None, "the word does not decode")
    assert instruction is not None
    _check(instruction.operation.layout.format.name.replace("1a", "1u") == case["format"], "the format differs")
    _check(
        instructions.encode(instruction.name, **instruction.fields) == word, "decoding and encoding changes the word"
    )
    _check_text(program)


def _program_matches(case: Record) -> None:
    _matching_program(case)


def _matching_program(case: Record) -> Program:
    """The program of the record's text, which must be the record's words."""
    program = _assemble(case["asm"])
    words = [int(word, 16) for word in case["words"]]
    table = [int(word, 16) for word in case["opdescs"]]
    same = program.code == words and program.descriptors == table
    _check(same or _equivalent(program, words, table), "words differ")
    shader = program.executables[0]
    _check(shader.entry == case["entry"], f"entry is {shader.entry}")
    _check(shader.end == case.get("endmain", shader.end), f"end of main is {shader.end}")
    _check_text(program)
    _check_rules(program)
    return program


def _equivalent(program: Program, words: Sequence[int], table: Sequence[int]) -> bool:
    """Whether only the numbering of descriptors differs."""
    if len(program.code) != len(words):
        return False
    return all(
        _meaning(ours, program.descriptors) == _meaning(theirs, table)
        for ours, theirs in zip(program.code, words, strict=True)
    )


def _meaning(word: int, table: Sequence[int]) -> object:
    """A word without its descriptor's number, and the bits of the descriptor that matter to it."""
    instruction = instructions.decode(word)
    if instruction is None or instruction.descriptor is None:
        return word
    fields = {name: value for name, value in instruction.fields.items() if name != "desc"}
    value = table[instruction.descriptor]
    return instruction.name, fields, value & descriptors.care_bits(instruction.operation, value)


def _check_text(program: Program) -> None:
    """The printed program assembles to the same file."""
    text = disassemble_program(program, DiagnosticSink())
    _check(write(_assemble(text)) == write(program), "the printed text assembles to something else")


def _check_rules(program: Program) -> None:
    faults: list[Fault] = [fault for fault in validate(program) if fault.rule not in _ABOUT_THE_WHOLE]
    _check(not faults, f"the validator objects: {faults[:1]}")


# --- Containers -------------------------------------------------------------------------------------------------------


def _container(case: Record) -> None:
    program = _matching_program(case)
    recorded = bytes.fromhex(case["shbin_hex"])
    _check(write(program) == recorded, "the file differs")
    found = read(recorded, case["name"], DiagnosticSink())
    _check(found == program, "reading the file gives another program")
    text = disassemble(recorded, case["name"], DiagnosticSink())
    _check(write(_assemble(text)) == recorded, "the printed file assembles to something else")
    _check_content(case, program)


def _check_content(case: Record, program: Program) -> None:
    shader = program.executables[0]
    floats = {str(c.register): [_bits(x) for x in c.floats] for c in shader.constants if c.bank == "c"}
    integers = {str(c.register): list(c.values) for c in shader.constants if c.bank == "i"}
    _check(floats == case["constants_float"], "float constants differ")
    _check(integers == case["constants_int"], "integer constants differ")
    outputs = [{"type": SEMANTICS[o.semantic], "reg": o.register, "mask": o.mask} for o in shader.outputs]
    _check(outputs == case["outputs"], "outputs differ")
    uniforms = [{"name": u.name, "first": u.first, "last": u.last} for u in shader.uniforms]
    _check(uniforms == case["uniforms"], "uniforms differ")


# --- Executions -------------------------------------------------------------------------------------------------------


def _execution(case: Record) -> None:
    program = _matching_program(case)
    _compare(case, _run(case, program, f32=True), f32=True)
    _compare(case, _run(case, program, f32=False), f32=False)
    if "glsl" in case:
        difference = compare_with_glsl(case)
        _check(not difference, difference)


def _run(case: Record, program: Program, f32: bool) -> Result:
    uniforms = Uniforms(
        {int(register): _floats(values) for register, values in case["float_uniforms"].items()},
        {int(register): values for register, values in case["int_uniforms"].items()},
        {int(register): value for register, value in case["bool_uniforms"].items()},
    )
    vertices = case["vertices"]
    registers = sorted({name for vertex in vertices for name in vertex})
    zero = ["0x00000000"] * _COMPONENTS
    inputs = {int(name[1:]): np.array([_floats(v.get(name, zero)) for v in vertices]) for name in registers}
    if not inputs:
        inputs = {0: np.zeros((len(vertices), _COMPONENTS))}
    return simulate(program, inputs, uniforms, f32=f32)


def _compare(case: Record, result: Result, f32: bool) -> None:
    mode = "float32" if f32 else "24 bits"
    tolerance = _tolerance(case, f32)
    for lane, want in enumerate(case["results"]):
        where = f"vertex {lane} in {mode}"
        for name, values in want["out"].items():
            _check_values(result.outputs[lane][int(name[1:])], values, tolerance, f"{where}: {name}")
        _check_state(result, lane, want, where)
        _check_emitted(result, lane, want.get("emitted", []), tolerance, where)


def _check_state(result: Result, lane: int, want: Record, where: str) -> None:
    found = {
        "a0": result.address[lane].tolist(),
        "aL": int(result.counter[lane]),
        "cmp": result.flags[lane].tolist(),
        "steps": int(result.steps[lane]),
    }
    for name, value in found.items():
        _check(name not in want or want[name] == value, f"{where}: {name} is {value}, recorded {want.get(name)}")


def _check_emitted(result: Result, lane: int, want: Sequence[Any], tolerance: _Tolerance, where: str) -> None:
    found: list[Any] = []
    for triangle in result.emitted[lane]:
        found += [*(["winding"] if triangle.winding else []), *triangle.vertices]
    _check(len(found) == len(want), f"{where}: {len(found)} emitted, recorded {len(want)}")
    for ours, theirs in zip(found, want, strict=True):
        if isinstance(theirs, str) or isinstance(ours, str):
            _check(isinstance(ours, str) and ours == theirs, f"{where}: winding differs")
            continue
        for name, values in theirs.items():
            _check_values(ours[int(name[1:])], values, tolerance, f"{where}: emitted {name}")


class _Tolerance:
    """How far a component may be off: relative, absolute, and the magnitude above which it does not count."""

    def __init__(self, relative: float, absolute: float, ignored: float) -> None:
        self._relative, self._absolute, self._ignored = relative, absolute, ignored

    def accepts(self, got: float, want: float) -> bool:
        if math.isnan(want):
            return math.isnan(got) or (self._ignored < math.inf and math.isinf(got))
        if math.isinf(want):
            return got == want or (self._ignored < math.inf and not math.isfinite(got))
        if abs(want) > self._ignored:
            return True
        return got == want or abs(got - want) <= max(self._relative * abs(want), self._absolute)


_EXACT = _Tolerance(0.0, 0.0, math.inf)
#: EX2 and LG2 come from the host's library: 2 units in the last place, or what later arithmetic makes of them.
_HOST_FUNCTION = _Tolerance(2 * 2.0**-23, 0.0, math.inf)
_AFTER_HOST_FUNCTION = _Tolerance(1e-5, 0.0, math.inf)
_F24 = _Tolerance(2.0**-10, 2.0**-14, 2.0**63)


def _tolerance(case: Record, f32: bool) -> _Tolerance:
    if not f32:
        return _F24
    names = [found.name for word in case["words"] if (found := instructions.decode(int(word, 16)))]
    computed = [name for name in names if name not in ("MOV", "END", "NOP")]
    if not {"EX2", "LG2"} & set(names):
        return _EXACT
    return _HOST_FUNCTION if len(computed) == 1 else _AFTER_HOST_FUNCTION


def _check_values(got: Array, want: Sequence[str], tolerance: _Tolerance, where: str) -> None:
    for component, value, recorded in zip("xyzw", got.tolist(), want, strict=True):
        expected = _float(recorded)
        _check(tolerance.accepts(value, expected), f"{where}.{component} is {value!r}, recorded {expected!r}")


# --- Formulas ---------------------------------------------------------------------------------------------------------


def _documented(case: Record) -> None:
    operation = instructions.BY_NAME[case["op"]]
    assert operation.compute is not None
    sources = [tuple(F32.fconst(x) for x in _floats(case[name])) for name in ("s1", "s2") if name in case]
    with quiet():
        values = operation.compute(F32, *sources)
        _check_values(np.array(values), case["expect"], _EXACT, "result")
        rounded = operation.compute(F24, *(tuple(F24.fconst(float(x)) for x in source) for source in sources))
        _check_values(np.array(rounded), case["expect"], _F24, "result in 24 bits")
    if operation.flags is not None:
        flags = [bool(flag) for flag in operation.flags(F32, *sources)]
        _check(flags == case["cmp"], f"flags are {flags}")


# --- Helpers ----------------------------------------------------------------------------------------------------------


def _assemble(text: str) -> Program:
    return assemble(text, "record", DiagnosticSink())


def _float(bits: str) -> float:
    if bits == "nan":
        return math.nan
    value: float = struct.unpack("<f", struct.pack("<I", int(bits, 16)))[0]
    return value


def _floats(values: Sequence[str]) -> list[float]:
    return [_float(value) for value in values]


def _bits(value: float) -> str:
    return "nan" if math.isnan(value) else f"{struct.unpack('<I', struct.pack('<f', value))[0]:#010x}"

"""Checks of recorded THEIA: encodings, single instructions, whole blocks, blocks that break a rule, images."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from glslc_multi.backends.theia.isa import asm
from glslc_multi.backends.theia.isa.container import count_field, pack, unpack
from glslc_multi.backends.theia.isa.disasm import disassemble, spell_word
from glslc_multi.backends.theia.isa.program import Program
from glslc_multi.backends.theia.isa.registers import Variant, address_of
from glslc_multi.backends.theia.isa.validate import validate
from glslc_multi.backends.theia.machine.outcomes import Outcome
from glslc_multi.backends.theia.machine.scene import Scene, render
from glslc_multi.backends.theia.machine.simulate import simulate
from glslc_multi.backends.theia.machine.state import Machine
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.golden.runner import Failure, Verdict

Case = Mapping[str, Any]

#: `NOP RT_FALSE`, `RETURN RT_TRUE`.
_NOP, _RETURN = 0, 0x0040000000000001
#: Cycles of a block besides those of its instructions, and of the NOP that follows a recorded instruction.
_BLOCK_CYCLES, _NOP_CYCLES = 3, 2
#: The variants that were recorded.
_VARIANTS: tuple[Variant, ...] = ("trunk", "icarus")
_TEMPORARIES = [f"R{number}" for number in range(1, 13)]


def check_encoding(case: Case, document: Any) -> Verdict:
    """The line gives the recorded word, and the word the line."""
    labels = {name: int(address, 16) for name, address in document["labels"].items()}
    program = _assemble_recorded([case["asm"]], [case["word"]], labels)
    spelled = spell_word(int(case["word"], 16), "trunk", {address: name for name, address in labels.items()})
    return _differs("words", _hex_words(program), [case["word"]]) or _differs("text", spelled, case["asm"])


def check_execution(case: Case, _document: Any) -> Verdict:
    """One instruction, then NOP and RETURN; a taken jump leads to another RETURN."""
    line = _assemble_recorded([case["asm"]], [case["word"]])
    verdict = _differs("words", _hex_words(line), [case["word"]])
    for variant in _VARIANTS:
        if verdict is None and variant in case:
            verdict = _check_instruction(case, case[variant], variant)
    return verdict


def check_program(case: Case, _document: Any) -> Verdict:
    """The source gives the words, the words their text again, and each run its results."""
    program = _assemble_recorded(case["source"], case["words"])
    verdict = (
        _differs("words", _hex_words(program), case["words"])
        or _differs("entry", f"{program.starts[0]:x}", case["entry_ip"])
        or _differs("count", str(count_field(program)), case["count_field"])
        or _round_trip(program)
    )
    if verdict is not None:
        return verdict
    has_cycles = case.get("timing") != "uncertain"
    for number, run in enumerate(case["runs"]):
        for variant in _VARIANTS:
            verdict = _check_run(_with_variant(program, variant), run["in"], {}, run.get(variant), has_cycles)
            if verdict is not None:
                return Failure(f"run {number} on {variant}: {verdict.reason}")
    return None


def check_hazard(case: Case, _document: Any) -> Verdict:
    """The validator reports an error for the recorded variants only; elsewhere the simulator agrees."""
    program = _assemble_recorded(case["source"], case["words"])
    verdict: Failure | None = _differs("words", _hex_words(program), case["words"])
    for variant in _VARIANTS:
        verdict = verdict or _check_hazard(case, _with_variant(program, variant))
    return verdict


def check_image(case: Case, _document: Any) -> Verdict:
    """The source gives the words, and the chip the image."""
    program = _assemble(case["source"], "trunk")
    verdict = _differs("words", _hex_words(program), case["words"])
    for name in ("USERCONSTANTS", "PIXELSHADER"):
        recorded = case.get(f"entry_{name.lower()}")
        if recorded is not None:
            verdict = verdict or _differs(name, program.entries.get(name), int(recorded, 16))
    if verdict is not None:
        return verdict
    triangles = [
        {("TRI_DIFFUSE" if name == "DIFFUSE" else name): _row(row) for name, row in triangle.items()}
        for triangle in case.get("triangles", ())
    ]
    registers = _registers(case["registers"], "trunk")
    image = render(program, Scene(case["width"], case["height"], registers, triangles, case["cores"]))
    wrong = [
        f"row {y}, column {x}: expected {recorded}, found {image[y][x]}"
        for y, row in enumerate(case["pixels"])
        for x, recorded in enumerate(row)
        if image[y][x] != recorded
    ]
    return Failure(f"{len(wrong)} pixels differ, first {wrong[0]}") if wrong else None


# --- Parts ------------------------------------------------------------------------------------------------------------


def _check_instruction(case: Case, recorded: Case, variant: Variant) -> Failure | None:
    program = Program((int(case["word"], 16), _NOP, _RETURN, _RETURN), variant)
    outcome, machine = simulate(program, _registers(case["regs"], variant), texture=_memory(case))
    verdict = _differs(f"{variant} completes", outcome.completes, recorded["completes"])
    if verdict is not None or not recorded["completes"]:
        return verdict
    if "result" in recorded:
        lanes = slice(2, 3) if recorded.get("defined") == "z only" else slice(3)
        found = _hex_row(machine, address_of(case["dst"], variant) or 0)[lanes]
        verdict = _differs(f"{variant} result", found, recorded["result"][lanes])
    if "taken" in recorded:
        verdict = verdict or _differs(f"{variant} taken", outcome.taken, recorded["taken"])
    if "output_memory" in recorded:
        verdict = verdict or _differs(f"{variant} output", _hex_output(outcome), recorded["output_memory"])
    others = _BLOCK_CYCLES + (0 if recorded.get("taken") else _NOP_CYCLES)
    return verdict or _cycles_differ(outcome, recorded["total_cycles"] + others)


def _check_run(
    program: Program, registers: Case, texture: Mapping[int, int], recorded: Case | None, has_cycles: bool
) -> Failure | None:
    """Compare a run of a block with its record; an empty record says nothing."""
    if not recorded:
        return None
    loaded = _registers(registers, program.variant)
    outcome, machine = simulate(program, loaded, texture=texture, start=program.starts[0])
    if not outcome.completes or not recorded["completes"]:
        return _differs("completes", outcome.completes, recorded["completes"])
    rows = {name: _hex_row(machine, address_of(name, program.variant) or 0) for name in _TEMPORARIES}
    verdict = _differs("out", {name: row for name, row in rows.items() if set(row) != {"00000000"}}, recorded["out"])
    verdict = verdict or _differs("output", _hex_output(outcome), recorded["output_memory"])
    if "return_code" in recorded:
        verdict = verdict or _differs("return code", str(outcome.return_code), recorded["return_code"])
    if not has_cycles:
        return verdict
    if "instructions_executed" in recorded:
        verdict = verdict or _differs("executed", outcome.executed, recorded["instructions_executed"])
    return verdict or _cycles_differ(outcome, recorded["cycles"])


def _check_hazard(case: Case, program: Program) -> Failure | None:
    faults = validate(program)
    recorded = case.get(program.variant)
    if program.variant not in case["violates"]:
        if faults:
            return Failure(f"{program.variant}: refused: {faults[0].rule}: {faults[0].message}")
        verdict = _check_run(program, case["in"], _memory(case), recorded, has_cycles=True)
        return Failure(f"{program.variant}: {verdict.reason}") if verdict is not None else None
    if not faults:
        return Failure(f"{program.variant}: accepted although: {case['rule']}")
    if recorded and not recorded["completes"]:
        loaded = _registers(case["in"], program.variant)
        outcome, _ = simulate(program, loaded, texture=_memory(case), start=program.starts[0])
        return _differs(f"{program.variant} completes", outcome.completes, False)
    return None


def _assemble(lines: Iterable[str], variant: Variant, labels: Mapping[str, int] | None = None) -> Program:
    text = "\n".join(lines)
    return asm.assemble(text, "recorded.theia", DiagnosticSink(), variant=variant, labels=labels)


def _assemble_recorded(lines: list[str], words: list[str], labels: Mapping[str, int] | None = None) -> Program:
    """The program of a text that does not say which variant's register names it uses: those that give the words."""
    last = _VARIANTS[-1]
    for variant in _VARIANTS[:-1]:
        try:
            program = _assemble(lines, variant, labels)
        except CompileError:
            continue
        if _hex_words(program) == words:
            return program
    return _assemble(lines, last, labels)


def _with_variant(program: Program, variant: Variant) -> Program:
    return Program(program.words, variant, program.entries)


def _round_trip(program: Program) -> Failure | None:
    data = pack(program)
    text = disassemble(data, "recorded.mem", DiagnosticSink(), variant=program.variant)
    again = asm.assemble(text, "again.theia", DiagnosticSink(), variant=program.variant)
    return _differs("file", pack(again), data) or _differs("words in the file", unpack(data).words, program.words)


def _cycles_differ(outcome: Outcome, recorded: int) -> Failure | None:
    if abs(outcome.cycles - recorded) <= outcome.tolerance:
        return None
    return _differs("cycles", outcome.cycles, recorded)


def _differs(what: str, found: Any, recorded: Any) -> Failure | None:
    return None if found == recorded else Failure(f"{what}: expected {recorded}, found {found}")


def _registers(named: Mapping[str, list[str]], variant: Variant) -> dict[int, list[int]]:
    found = {}
    for name, row in named.items():
        address = next((at for v in (variant, *_VARIANTS) if (at := address_of(name, v)) is not None), None)
        if address is None:
            raise ValueError(f"there is no register {name}")
        found[address] = _row(row)
    return found


def _row(row: list[str]) -> list[int]:
    return [int(lane, 16) for lane in row]


def _memory(case: Case) -> dict[int, int]:
    return {int(address, 16): int(word, 16) for address, word in case.get("texture_memory", {}).items()}


def _hex_words(program: Program) -> list[str]:
    return [f"{word:016x}" for word in program.words]


def _hex_row(machine: Machine, address: int) -> list[str]:
    return [f"{lane:08x}" for lane in machine.patterns(address)]


def _hex_output(outcome: Outcome) -> list[list[str]]:
    return [[f"{address:08x}", f"{word:08x}"] for address, word in outcome.output]

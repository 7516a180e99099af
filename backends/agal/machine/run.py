"""Runs an artifact on the simulator, with registers by file and number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from glslc_multi.backends.agal.machine.built_ins import by_side, with_window
from glslc_multi.backends.agal.machine.simulate import maker, simulate, valid_program
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.execution.program import Engine
from glslc_multi.compiler.target import MachineInputs, MachineOutputs


def run(artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
    """The registers that the program leaves, and the lanes that it discarded."""
    return _run(artifact, inputs, None)


def translate(artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
    """`run` for an artifact, translated for this computer."""
    from glslc_multi.compiler.native.programs import TranslatedCode

    engine = TranslatedCode(maker(valid_program(artifact.binary)))
    return lambda inputs: _run(artifact, inputs, engine)


def _run(artifact: Artifact, inputs: MachineInputs, engine: Engine | None) -> MachineOutputs:
    given = with_window(artifact.reflection, inputs)
    return by_side(given, lambda side: _run_registers(artifact, side, engine))


def _run_registers(artifact: Artifact, inputs: MachineInputs, engine: Engine | None) -> MachineOutputs:
    results = simulate(
        artifact.binary,
        _named(inputs.inputs),
        _named(inputs.constants),
        {f"fs{number}": texture for number, texture in inputs.textures.items()},
        lanes=inputs.lanes,
        quads=inputs.quads,
        host_samplers=_listed(artifact, "samplers"),
        base_level=_listed(artifact, "base_level"),
        engine=engine,
    )
    outputs: dict[str, dict[int, Any]] = {}
    for name, value in results.outputs.items():
        space = name.rstrip("0123456789")
        outputs.setdefault(space, {})[int(name[len(space) :] or "0")] = value
    discarded = results.discarded if artifact.reflection.stage == "fragment" else None
    return MachineOutputs(outputs, discarded)


def _named(registers: Mapping[str, Mapping[int, Any]]) -> dict[str, Any]:
    return {f"{space}{number}": value for space, file in registers.items() for number, value in file.items()}


def _listed(artifact: Artifact, key: str) -> list[int]:
    """Samplers that the host sees to, by number (see `codegen/samplers.py`)."""
    named = str((artifact.reflection.host_state or {}).get(key, ""))
    return [int(name.removeprefix("fs")) for name in named.split(",") if name]

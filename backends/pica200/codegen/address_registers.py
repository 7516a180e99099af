"""Indices go to a0.x and a0.y: a MOVA stands before the first word of a block that needs one.

In: legal code whose indexed operands name the register of their index.  Out: they name a component of a0.  Of two
indices, the one that is needed again later is replaced.  Two indices in one register, which are both needed, are set by
one MOVA: a word of seventeen of a shader that blends bones.  An indexed word lies between two MOVAs, since a word reads
one c register, so that they never meet.
"""

from __future__ import annotations

from glslc_multi.backends.pica200.codegen.machine_ops import OPS
from glslc_multi.backends.pica200.codegen.register_files import ADDRESS, LOOP_COUNTER
from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    Def,
    Lanes,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Use,
)
from glslc_multi.compiler.codegen.step import step
from glslc_multi.compiler.records import dataclass, field

#: Register, lane and sign of an index.
_Index = tuple[AnyRegister, Lanes, bool]


@step("set addresses")
def set_addresses(function: MachineFunction) -> None:
    """Change `function` in place."""
    for block in function.blocks:
        if any(_indexed(instruction) is not None for instruction in block.instructions):
            _Block(block).run()


def _indexed(instruction: MachineInstruction) -> Use | None:
    """The operand whose index has to be in a0."""
    for use in instruction.uses:
        if use.relative is not None and use.relative.register != LOOP_COUNTER:
            return use
    return None


def _key(use: Use) -> _Index:
    assert use.relative is not None
    return use.relative.register, use.relative.lanes, use.relative.negate


@dataclass(slots=True)
class _Block:
    """A block, word by word: what a0.x and a0.y hold."""

    block: MachineBlock
    holds: list[_Index | None] = field(default_factory=lambda: [None, None])
    out: list[MachineInstruction] = field(default_factory=list)

    def run(self) -> None:
        instructions = self.block.instructions
        for number, instruction in enumerate(instructions):
            use = _indexed(instruction)
            if use is not None:
                key = _key(use)
                if key not in self.holds:
                    self._load(key, instructions[number:], instruction)
                assert use.relative is not None
                use.relative = Use(ADDRESS, (self.holds.index(key),))
            self.out.append(instruction)
            if ADDRESS in instruction.op.clobbers:
                self.holds = [None, None]
            for definition in instruction.defs:
                self.holds = [held if held is None or held[0] != definition.register else None for held in self.holds]
        self.block.instructions = self.out

    def _load(self, key: _Index, ahead: list[MachineInstruction], before: MachineInstruction) -> None:
        """Set a component of a0, and the other one where the same register has what is needed there."""
        # The indices that instructions need, in order, until one of their registers changes.
        needed: dict[_Index, None] = {}
        changed: set[object] = set()
        for instruction in ahead:
            use = _indexed(instruction)
            if use is not None and _key(use)[0] not in changed:
                needed.setdefault(_key(use))
            changed.update(definition.register for definition in instruction.defs)
        wanted = list(needed)
        partner = next((other for other in wanted if _is_pair(key, other) and other not in self.holds), None)
        if partner is not None and not any(held in wanted for held in self.holds):
            self.holds = [key, partner]
            self._emit((0, 1), Use(key[0], (key[1][0], partner[1][0]), key[2]), before)
            return
        distances = [wanted.index(held) if held in wanted else len(wanted) for held in self.holds]
        component = distances.index(max(distances))
        self.holds[component] = key
        self._emit((component,), Use(*key), before)

    def _emit(self, components: Lanes, source: Use, before: MachineInstruction) -> None:
        lanes = tuple(component for component in components if component is not None)
        self.out.append(MachineInstruction(OPS["MOVA"], [Def(ADDRESS, lanes)], [source], span=before.span))


def _is_pair(first: _Index, second: _Index) -> bool:
    return first != second and first[0] == second[0] and first[2] == second[2]

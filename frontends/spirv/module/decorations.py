"""Names and decorations of ids and of members of structures (sections 3.20 and 3.52.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from glslc_multi.compiler.records import dataclass, field
from glslc_multi.compiler.spirv.code import Instruction, Value
from glslc_multi.compiler.spirv.grammar.enumerants import spelled

#: Decoration -> its parameters.
Marks = dict[str, Sequence[Value]]


@dataclass(slots=True)
class Decorations:
    """What a module says about its ids."""

    names: dict[int, str] = field(default_factory=dict)
    member_names: dict[tuple[int, int], str] = field(default_factory=dict)
    of_id: defaultdict[int, Marks] = field(default_factory=lambda: defaultdict(dict))
    of_member: defaultdict[tuple[int, int], Marks] = field(default_factory=lambda: defaultdict(dict))

    def read(self, instruction: Instruction) -> None:
        """Take in one instruction of debug names or annotations."""
        name, target = instruction.name, instruction.id(0)
        if name == "OpName":
            self.names.setdefault(target, instruction.text(1))
        elif name == "OpMemberName":
            self.member_names.setdefault((target, instruction.id(1)), instruction.text(2))
        elif name in ("OpDecorate", "OpDecorateId", "OpDecorateString"):
            self.of_id[target][_decoration(instruction, 1)] = instruction.operands[2:]
        elif name in ("OpMemberDecorate", "OpMemberDecorateString"):
            self.of_member[target, instruction.id(1)][_decoration(instruction, 2)] = instruction.operands[3:]
        elif name == "OpGroupDecorate":
            for id in instruction.ids(1):
                self.of_id[id].update(self.of_id[target])
        elif name == "OpGroupMemberDecorate":
            pairs = instruction.ids(1)
            for id, member in zip(pairs[::2], pairs[1::2], strict=True):
                self.of_member[id, member].update(self.of_id[target])

    def has(self, id: int, decoration: str) -> bool:
        return id in self.of_id and decoration in self.of_id[id]

    def marks(self, id: int) -> Marks:
        return self.of_id.get(id, {})

    def member_marks(self, id: int, member: int) -> Marks:
        return self.of_member.get((id, member), {})


def number(marks: Marks, decoration: str) -> int | None:
    """The one parameter of a decoration; None where it is missing."""
    operands = marks.get(decoration)
    return operands[0] if operands and isinstance(operands[0], int) else None


def _decoration(instruction: Instruction, index: int) -> str:
    return spelled("Decoration", instruction.id(index))

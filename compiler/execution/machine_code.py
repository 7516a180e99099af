"""The code of an artifact as an engine runs it that knows no machine: a program on lanes, and where values stand.

A *slot* is a component of a register, as the register map names it; the program's keys are the machine's own names.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from glslc_multi.compiler.arithmetic.operations import LaneOperations
from glslc_multi.compiler.execution.program import Key, LaneProgram, Lanes
from glslc_multi.compiler.records import dataclass, field


class Slot(NamedTuple):
    """A component of a register, by the register map's name of its file."""

    space: str
    number: int
    component: int


#: The space of sizes of textures: unit, and 0 for the width, 1 for the height.
TEXTURE_EXTENT = "texture extent"
#: The space of the normal that a quaternion is made of, by the transform of that name.
NORMAL = "normal"
#: What stands in a slot; None where nothing does.
ReadSlot = Callable[[Slot], Any]
#: Makes what the chip puts into a register, of what stands in slots.
Computed = Callable[[LaneOperations, ReadSlot], Any]
#: Where an input stands.
Given = Slot | Computed | float
#: The texel at a column and row.
Fetch = Callable[[Sequence[Any]], Sequence[Any]]
#: Makes a colour of texels, by the coordinate of a lookup.
Lookup = Callable[[LaneOperations, Sequence[Any], Fetch], Sequence[Any]]
#: What a run hands out, by key.
Outputs = Mapping[Key, Any]
#: A triangle that a geometry shader issues: whether it is turned, and what its corners have in place of outputs.
Triangle = tuple[bool, Sequence[Outputs]]
#: Makes a result of the position in clip space.
Make = Callable[[LaneOperations, Sequence[Any]], Any]
#: A result by name, the number that was found, what makes it, and by how much the chip's format may round it.
Derived = tuple[str, Any, Make, float]


def _as_it_is(_a: LaneOperations, _slot: Slot, x: Any) -> Any:
    """What is stored is the number."""
    return x


def _nothing(_outputs: Outputs) -> Sequence[Derived]:
    """Slots have all of a position."""
    return ()


def _no_triangles(_outputs: Outputs) -> Sequence[Triangle]:
    """Nothing is issued."""
    return ()


def _no_limits(_module: Any) -> Mapping[str, tuple[float, float]]:
    """All numbers are welcome."""
    return {}


def _same_place(slot: Slot) -> Hashable:
    """The register has the same number in both stages."""
    return slot.number, slot.component


def _as_left(_a: LaneOperations, _slot: Slot, x: Any) -> Any:
    """What is interpolated is what the vertex has left."""
    return x


def _is_smooth(_slot: Slot) -> bool:
    """All is interpolated."""
    return False


def _is_kept(_outputs: Outputs) -> bool:
    """Nothing is discarded."""
    return False


def _no_memory(_key: Key, _address: int) -> None:
    """No buffer is read."""


@dataclass(frozen=True, slots=True)
class MachineCode:
    """The program of an artifact, and the slots of the register map that its keys mean."""

    make: Callable[[Lanes], LaneProgram[Any]]
    #: Key of an input -> its slot, or a number, or how the chip makes it of slots.
    input: Callable[[Key], Given]
    #: Number of a constant word -> its slot, or the number, or how the host makes it of slots.
    constant: Callable[[int], Given]
    #: What stands in the slot of an output after a run that has handed this out.
    output: Callable[[Slot, Outputs], Any]
    #: What is to stand in the slot of an output for a number of the source.
    stored: Callable[[LaneOperations, Slot, Any], Any] = _as_it_is
    #: Whether the code brings the depth of positions from -w...w to 0...w, as an option may ask.
    depth_from_zero: bool = False
    #: What a run has handed out for the chip to read of a position that no slot has.
    position: Callable[[Outputs], Sequence[Derived]] = _nothing
    #: The triangles that a run has handed out, in order.
    triangles: Callable[[Outputs], Sequence[Triangle]] = _no_triangles
    #: Number of a texture -> the unit of its sampler.
    sampler: Callable[[int], int] = int
    #: What the code does for a lookup where it finds texels itself; None where the machine has lookups.
    lookup: Lookup | None = None
    #: Key of a buffer and address of an element -> the slot of its first component.
    memory: Callable[[Key, int], Slot | None] = _no_memory
    #: Whether a run that has handed this out has discarded its lane: a truth value, or a number that is not 0.
    discarded: Callable[[Outputs], Any] = _is_kept
    #: Whether it can be lifted: nothing here asks what number a value is.
    is_liftable: bool = True
    #: The same without the roundings of the machine's formats, where it has them.
    real: MachineCode | None = None
    #: Whether it has the machine's infinities and denormal numbers all the same.
    is_exact: bool = True
    #: What a shader says of itself by pragmas.
    pragmas: tuple[str, ...] = ()
    #: Floats of a register.
    width: int = 4
    #: Gives what was lifted a better form, once registers are values.
    refine: Callable[[Any, Any], None] | None = None
    #: Place -> the number of the first word that runs there, as a listing counts them.
    word_of: Callable[[Any], int] | None = None
    #: The register map of what is lifted, where that has slots which the artifact's has not.
    register_map: Any = None
    #: Slot of a varying of either stage -> what brings it from one to the other.
    wire: Callable[[Slot], Hashable] = _same_place
    #: Slot of an input -> what the chip interpolates for what a vertex has left.
    at_corner: Callable[[LaneOperations, Slot, Any], Any] = _as_left
    #: Whether the chip takes an input from the last vertex instead.
    is_flat: Callable[[Slot], bool] = _is_smooth
    #: How slots of varyings that are not in the source follow from its inputs, where no stage before is known.
    passed: Mapping[Slot, Computed] = field(default_factory=dict)
    #: Between which numbers inputs of a module are, by name, each a byte of it, where the code takes that for granted.
    limits: Callable[[Any], Mapping[str, tuple[float, float]]] = _no_limits
    #: Whether the rows of its pixels go down, against OpenGL's: the upper lanes of a quad are the lower ones.
    rows_down: bool = False
    #: Kind -> the largest number that the machine has, where that is less than GLSL asks for.
    largest: Mapping[str, float] = field(default_factory=dict)
    #: How far results may be from the source's for all inputs, as the compiler states.
    bound: float = 0.0
    #: By how much it rounds what it interpolates.
    grain: float = 0.0
    #: Relative rounding of a few operations.
    rounding: float = 2.0**-20
    #: The least number above 0 of a fixed point; 0 where numbers are floats.
    step: float = 0.0

"""A machine's program as something that lanes run: what each target says once, and what the engines offer it.

A target writes a `LaneProgram`: where it begins, what the instruction at a *place* does, and which places follow.  It
works on `Lanes`, which hold its variables (registers, flags, whatever has a number a lane) and hand it values from
outside.  Three engines run it: `ArrayEngine` (numpy, place by place), `TranslatedCode` of `compiler/native/programs.py`
(one function of LLVM's, made beforehand), and `ProofLanes` of `compiler/proof/lanes.py` (one lane, in algebra).

A place is an address with all that is known beforehand about the machine when lanes come there: stacks of calls,
which instruction came before, how far a stream was read.  What depends on values is in variables.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, NoReturn, TypeVar

from glslc_multi.compiler.arithmetic.evaluation_error import fail
from glslc_multi.compiler.arithmetic.operations import LaneOperations
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.diagnostics.catalogue.evaluation import UNUSABLE_TEXTURE
from glslc_multi.compiler.records import dataclass, field

if TYPE_CHECKING:
    # With numpy.
    from glslc_multi.compiler.arithmetic.sampling import Texture

#: The type of a number: as LLVM calls it.
Element = Literal["float", "double", "i1", "i32", "i64"]
Place = TypeVar("Place", bound=Hashable)
#: A place that may follow, and the condition under which it does: lane by lane, or for all lanes (`Lanes.any`); None
#: for the last one, where all others fail.
Edge = tuple[Place, Number | None]
#: A value that goes in or comes out: space, register and component, as the target counts them.
Key = Any


class Word(NamedTuple):
    """In place of an input, what a variable begins with that all lanes share: the constant of this number."""

    number: int


class Named(NamedTuple):
    """In place of bytes, an array of this name, for an engine that finds out later what its elements are."""

    name: str


RIGHT, UP = range(2)
#: By direction: the lanes of a quad that steps start from, and where they end.
STEPS = (((0, 0, 2, 2), (1, 1, 3, 3)), ((0, 1, 0, 1), (2, 3, 2, 3)))


@dataclass(slots=True)
class LaneState:
    """What a run begins with."""

    lanes: int
    #: By key, one value a lane, or one for all; or bytes.
    inputs: Mapping[Key, Any] = field(default_factory=dict)
    #: Words of 32 bits that all lanes share.
    constants: Any = ()
    textures: Sequence[Texture | None] = ()
    #: Whether lanes 4k to 4k+3 are the pixels (x, y), (x+1, y), (x, y+1), (x+1, y+1).
    quads: bool = False
    max_steps: int = 1 << 20
    #: Values that a lane may have of outputs that grow (`Lanes.append`).
    most: int = 1


def sampled(state: LaneState, number: int, kinds: Collection[bool]) -> Texture:
    """A texture of a run, if a program can sample it: as a cube map, as a 2D texture, or as whichever it is."""
    texture = state.textures[number]
    if texture is None:
        fail(UNUSABLE_TEXTURE, name=str(number), problem="there is none")
    if texture.kind not in {"cube" if is_cube else "2d" for is_cube in kinds}:
        fail(UNUSABLE_TEXTURE, name=str(number), problem="it is of the other kind (2D or cube)")
    if texture.texels != "float" or texture.compare:
        fail(UNUSABLE_TEXTURE, name=str(number), problem="its texels are no colours")
    return texture


class Lanes(ABC):
    """What lanes have while they run a program, and the arithmetic on it.

    A mask is a truth value a lane; where one is given to choose lanes, None means all.
    """

    #: Computes with what is read here.
    operations: LaneOperations
    #: Of the lanes that run a place, those that writes reach; a program may set it.
    mask: Number | None = None

    # variables ---------------------------------------------------------------------------------
    @abstractmethod
    def read(self, name: str, element: Element = "float", given: Key = None) -> Number:
        """A variable; at the start it is 0, or the input (or `Word`) `given`."""

    @abstractmethod
    def write(self, name: str, value: Number, where: Number | None = None, given: Key = None) -> None:
        """Change a variable in the lanes of `mask`, of these in `where` alone; others have what it began with.

        What may be written before it is read has to be `given` here as well.
        The bits of a float may go into a variable of i32; what is read then has one type or the other.
        """

    def end_instruction(self) -> None:  # noqa: B027 (most engines need not know)
        """An instruction ends after which the same place may run another one."""

    def limited(self, number: Number, low: int, high: int) -> Number:
        """The nearest whole number in a range; who trusts programs may take them to stay inside."""
        a = self.operations
        return a.imin(a.imax(number, a.iconst(low)), a.iconst(high))

    def is_inside(self, address: Number, size: int) -> Number:
        """Whether an address is one of a file of some size, which may be trusted likewise."""
        return self.operations.ult(address, self.operations.iconst(size))

    def both(self, first: Number | None, second: Number | None) -> Number | None:
        """Lanes in both masks."""
        if first is None or second is None:
            return second if first is None else first
        return self.operations.band(first, second)

    # values from outside -----------------------------------------------------------------------
    @abstractmethod
    def input(self, key: Key, element: Element = "float") -> Number:
        """A value by lane."""

    @abstractmethod
    def constant(self, index: int, element: Element = "float") -> Number:
        """A word that is the same for all lanes; as a double, it is the float of the word."""

    @abstractmethod
    def constant_at(self, index: Number, element: Element = "float") -> Number:
        """Each lane's own of these words; `index` is an i64, and must be the number of a word."""

    @abstractmethod
    def size(self, key: Key) -> Number:
        """How many bytes an input has that is bytes, as an i64."""

    @abstractmethod
    def load(self, key: Key, address: Number, element: Element) -> Number:
        """A number from these bytes, at each lane's own address: an i64, inside of them, aligned or not."""

    def element(self, key: Key, address: Number, count: int, read: Callable[[], Sequence[Number]]) -> Sequence[Number]:
        """The `count` components of a vertex's element at an address, which `read` takes from the bytes there; `key`
        is that of the buffer and what tells elements apart where the address does not."""
        return read()

    @abstractmethod
    def lane_numbers(self) -> Number:
        """0, 1, 2, ... by lane, as an i32: from 0 on in each group."""

    # values to the outside ---------------------------------------------------------------------
    @abstractmethod
    def output(self, key: Key, value: Number, element: Element = "float") -> None:
        """Hand out a value by lane, at the end of the program."""

    @abstractmethod
    def append(self, key: Key, value: Number, number: Number, where: Number, element: Element = "float") -> None:
        """Hand out a value by lane, where `number` says the how manieth it is (below `LaneState.most`)."""

    def emit(self, outputs: Mapping[Key, Number]) -> None:
        """Let a vertex be the next one of a triangle strip; engines that know no strips run programs that append."""
        self.fault("vertices are emitted")

    def end_strip(self) -> None:
        """Let the next vertex begin another strip."""
        self.fault("vertices are emitted")

    # all lanes ---------------------------------------------------------------------------------
    @abstractmethod
    def any(self, mask: Number) -> Number:
        """Whether a mask holds in any lane that runs together with this one: a condition for `Edge` and `either`."""

    def all(self, mask: Number) -> Number:
        """Whether it holds in all of them."""
        return self.negated(self.any(self.operations.bnot(mask)))

    @abstractmethod
    def negated(self, condition: Number) -> Number:
        """The contrary of a condition for all lanes."""

    @abstractmethod
    def either(
        self, condition: Number, then: Callable[[], Sequence[Number]], otherwise: Callable[[], Sequence[Number]]
    ) -> Sequence[Number]:
        """What one of the two makes, by a condition that is the same for all lanes."""

    @abstractmethod
    def known(self, value: Number) -> int | None:
        """The number that all lanes have, if it is known here and now."""

    # textures ----------------------------------------------------------------------------------
    def face_of(
        self, direction: Sequence[Number], compute: Callable[[Sequence[Number]], Sequence[Number]]
    ) -> Sequence[Number]:
        """Where a direction meets the cube, as a machine says it: t, s, twice the coordinate along the axis, face."""
        return compute(direction)

    def direction_of(
        self, point: Sequence[Number], compute: Callable[[Sequence[Number]], Sequence[Number]]
    ) -> Sequence[Number]:
        """The direction to a point of a face, s first, which a texture is looked up by next."""
        return compute(point)

    @abstractmethod
    def sample(
        self,
        texture: int,
        coordinate: Sequence[Number],
        level: Number,
        *,
        by_steps: bool,
        is_cube: bool,
        steps: Sequence[Number] = (),
    ) -> Sequence[Number]:
        """The colour at a coordinate; coordinate, level and colour are doubles.

        With `steps` (to the right, then upwards), the level of detail is that of these plus `level`.  With `by_steps`
        and in quads, the steps are those to the neighbours.  Else it is `level`.
        """

    def step(self, x: Number, direction: int) -> Number:
        """What `x` grows by to the right or upwards, in each quad."""
        start, end = STEPS[direction]
        permuted = self.operations.permuted
        return self.operations.fsub(permuted(x, end), permuted(x, start))

    def steps(self, coordinate: Sequence[Number]) -> list[Number]:
        """What the coordinate grows by to the right, then upwards."""
        return [self.step(component, direction) for direction in (RIGHT, UP) for component in coordinate]

    # mistakes ----------------------------------------------------------------------------------
    @abstractmethod
    def require(self, mask: Number, reason: str) -> None:
        """A fault where the mask does not hold; translated code takes it for granted."""

    @abstractmethod
    def fault(self, reason: str) -> NoReturn:
        """The program does what the machine leaves undefined, or what an engine cannot run."""


class LaneProgram(ABC, Generic[Place]):
    """A program of one target, on lanes."""

    #: Whether lanes of a group may take different paths.
    lanes_part = True

    @property
    @abstractmethod
    def start(self) -> Place:
        """Where it begins."""

    @abstractmethod
    def step(self, place: Place) -> Sequence[Edge[Place]]:
        """Do what the instruction at a place does; the places that may follow, none at the end."""

    @abstractmethod
    def finish(self) -> None:
        """What is done when all lanes have come to the end."""

    def rank(self, place: Place) -> Any:
        """Of lanes at different places, those at the lowest one run first, so that lanes meet again."""
        return place


class Engine(ABC):
    """Runs one program, as often as wanted."""

    @abstractmethod
    def run(self, state: LaneState) -> dict[Key, Any]:
        """The outputs of all lanes; of those that grow, number by number."""

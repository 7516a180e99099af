"""Uniforms by name for engines: values in, what the GPU's driver must upload out.

    program = Program.of(glslc_multi.link(vertex, fragment, target="agal"))
    values = program.new_values()
    values["u_light"] = (0, 1, 0)
    for update in values.take_updates(): ...

A `Program` is what a compiled shader (or linked pair) says about its uniforms; it never changes, and any number of
threads may share it.  `UniformValues` are the values of one object that is drawn: each thread has its own.

The idea: every space of registers is an array of 32-bit words, which holds the program's literals from the start.
Setting a uniform spreads its numbers over the words, by routes that were made once from the reflection; registers
whose words change are marked, and `take_updates` gives runs of marked registers. Until they are set, uniforms have the
value of their initializer or are 0, as in OpenGL. What `-fpreamble` leaves to the host is computed in between.
`drivers.py` brings the words into the form that a machine's driver takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise ImportError("glslc_multi.runtime.program needs numpy: pip install 'glslc-multi[run]'") from error

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Binding, Location
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.types import BOOL, FLOAT, VEC2, VEC3, VEC4, matrix_shape
from glslc_multi.compiler.ir.variables import DEPTH_RANGE, Variable
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.target import Target, Update
from glslc_multi.runtime.names import Leaf, Names, flatten
from glslc_multi.runtime.preamble import run_preamble, uniforms_read
from glslc_multi.runtime.shader import CompiledProgram, CompiledShader
from glslc_multi.runtime.words import Words, register_width, words_of

__all__ = ["Program", "UniformValues", "Update"]

#: Types of what a host sets besides the uniforms of the source.
_HOST_TYPES = {type.name: type for type in (BOOL, FLOAT, VEC2, VEC3, VEC4)}


@dataclass(frozen=True, slots=True)
class _Space:
    """The registers of one space that one stage's code reads."""

    stage: str
    name: str
    #: Words that hold from the start: literals, and 0 for uniforms.
    initial: Words
    #: By register: whether it is in use.
    occupied: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Route:
    """Where the numbers of one uniform go in one space."""

    space: int
    target: Target
    binding: Binding
    transform: str
    #: Numbers of the value, in order, and the words where they go.
    sources: NDArray[np.intp]
    places: NDArray[np.intp]


class Program:
    """The uniforms of a compiled program, by name and by register."""

    def __init__(self, stages: Mapping[str, CompiledShader]) -> None:
        self.stages = MappingProxyType(dict(stages))
        modules = [shader.module for shader in self.stages.values()]
        declared = [v for module in modules for v in module.variables.values() if v.storage == "uniform"]
        self.names = Names(
            "uniform",
            [*declared, *_host_values(self.stages.values(), {variable.name for variable in declared})],
            [d for module in modules for d in module.declarations if d.storage == "uniform"],
        )
        self.spaces: tuple[_Space, ...] = ()
        self._routes: dict[str, list[_Route]] = {}
        #: Stage -> what computes uniforms of its own.
        self._preambles: dict[str, Module] = {}
        for stage, shader in self.stages.items():
            self._add_stage(stage, shader)

    @classmethod
    def of(cls, compiled: CompiledShader | CompiledProgram) -> Program:
        """What `glslc_multi.compile` or `link` returned."""
        if isinstance(compiled, CompiledProgram):
            return cls(compiled.stages)
        return cls({compiled.reflection.stage: compiled})

    @property
    def uniforms(self) -> tuple[str, ...]:
        """The names that values may be given for."""
        return tuple(self.names.leaves)

    def __repr__(self) -> str:
        return f"<program of {', '.join(self.stages)} with {len(self.uniforms)} uniforms>"

    def new_values(self) -> UniformValues:
        """All uniforms as the source has them, or 0; nothing uploaded yet."""
        return UniformValues(self)

    def _add_stage(self, stage: str, shader: CompiledShader) -> None:
        reflection, target = shader.reflection, shader.target
        bindings = _uploaded(shader)
        literals = [
            *[(literal.location, literal.words) for literal in reflection.literals],
            *[
                (Location("stream", index, "x"), (int(source, 16),))
                for index, (kind, source) in enumerate(reflection.stream)
                if kind == "constant"
            ],
            *shader.target.file_literals(shader.artifact),
        ]
        located = [(location, binding) for binding in bindings for location in binding.locations]
        numbers = {name: len(self.spaces) + n for n, name in enumerate(_space_names(literals, located))}
        for name in numbers:
            self.spaces += (_new_space(stage, name, target, literals, located),)
        for binding in bindings:
            self._add_routes(target, binding, numbers)
        if shader.artifact.preamble is not None:
            self._preambles[stage] = shader.artifact.preamble

    def _add_routes(self, target: Target, binding: Binding, numbers: Mapping[str, int]) -> None:
        pairs_of: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for location in binding.locations:
            width = self.spaces[numbers[location.space]].initial.shape[1]
            pairs = pairs_of.setdefault((location.space, location.transform), [])
            if location.transform == "table":
                pairs += [(number, location.index * width + number) for number in range(binding.length or 0)]
                continue
            for number, letter in enumerate(location.components):
                slot = location.index * width + "xyzw".index(letter)
                pairs.append((_source(binding, location, number), slot))
        for (space, transform), pairs in pairs_of.items():
            sources, places = np.array(pairs, dtype=np.intp).T
            route = _Route(numbers[space], target, binding, transform, sources, places)
            self._routes.setdefault(binding.name, []).append(route)


class UniformValues:
    """The values of a program's uniforms, and which registers they have changed since the last upload."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._values: dict[str, Leaf] = {}
        self._words = [space.initial.copy() for space in program.spaces]
        self._dirty = [space.occupied.copy() for space in program.spaces]
        self._is_stale = bool(program._preambles)
        self.set({name: value for name, value in DEPTH_RANGE.items() if name in program.names.leaves})
        for name, numbers in program.names.defaults.items():
            leaf = self._values[name] = self._leaf(name)
            leaf.assign_default(numbers)
            self._spread(name, leaf.value)

    def __repr__(self) -> str:
        return f"<values for {self.program}>"

    def __setitem__(self, name: str, value: Any) -> None:
        self.set({name: value})

    def set(self, values: Mapping[str, Any]) -> None:
        """Give values to uniforms, by names and in shapes as `CompiledShader.run` takes them; either all or none.

        What is declared but not used takes a value too, and forgets it.
        """
        changed: dict[str, Leaf] = {}
        for name, value in flatten(values):
            found = self.program.names.find(name)
            if found is not None:
                variable, indices = found
                leaf = changed.setdefault(variable.name, self._leaf(variable.name))
                leaf.assign(name, indices, value, partial=False)
        for name, leaf in changed.items():
            self._values[name] = leaf
            self._spread(name, leaf.value)
        self._is_stale |= bool(changed) and bool(self.program._preambles)

    def get(self, name: str) -> Array:
        """The numbers of a whole uniform as they were given; matrices by columns."""
        leaf = self.program.names.find(name)
        return np.zeros(0) if leaf is None else self._leaf(leaf[0].name).finish(fill=True)

    def take_updates(self, stage: str | None = None) -> list[Update]:
        """What changed since the last call: at first everything, literals included."""
        self._compute_preambles()
        updates = []
        for number, space in enumerate(self.program.spaces):
            if stage in (None, space.stage):
                updates += _runs(space, self._words[number], self._dirty[number])
                self._dirty[number][:] = False
        return updates

    def upload_again(self) -> None:
        """Mark everything as changed, because the driver has lost it."""
        for dirty, space in zip(self._dirty, self.program.spaces, strict=True):
            dirty |= space.occupied

    def words(self, stage: str, space: str) -> Words:
        """All words of a space, whether changed or not."""
        self._compute_preambles()
        for number, known in enumerate(self.program.spaces):
            if (known.stage, known.name) == (stage, space):
                return self._words[number].copy()
        return np.zeros((0, register_width(self.program.stages[stage].target, space)), np.uint32)

    def _leaf(self, name: str) -> Leaf:
        """A copy of a uniform's value, to be changed."""
        leaf = Leaf(self.program.names.leaves[name], "uniform", None)
        leaf_ = self._values.get(name)
        if leaf_ is not None:
            leaf.value[...] = leaf_.value
        return leaf

    def _spread(self, name: str, value: Array, stage: str | None = None) -> None:
        """Into the words of all stages, or of one."""
        flat = value.reshape(-1)
        routes = self.program._routes.get(name, ())
        for route in (r for r in routes if stage in (None, self.program.spaces[r.space].stage)):
            words = self._words[route.space].reshape(-1)
            new = words_of(flat[route.sources], route.target, route.binding.kind, route.transform)
            changed = route.places[words[route.places] != new]
            words[route.places] = new
            self._dirty[route.space][changed // self._words[route.space].shape[1]] = True

    def _compute_preambles(self) -> None:
        if not self._is_stale:
            return
        for stage, preamble in self.program._preambles.items():
            given = {v.name: self._leaf(v.name).value for v in uniforms_read(preamble)}
            for name, value in run_preamble(preamble, given).items():
                # The preamble of another stage may have made one of the same name.
                self._spread(name, value, stage)
        self._is_stale = False


# ------------------------------------------------------------------------- what the host sets besides
def _uploaded(shader: CompiledShader) -> list[Binding]:
    """Uniforms, and built-in inputs that are in registers for uniforms."""
    spaces = {space for space, storage in shader.target.located_spaces.items() if storage == "uniform"}
    inputs = [b for b in shader.reflection.inputs if {location.space for location in b.locations} <= spaces]
    return [*shader.reflection.uniforms, *inputs]


def _host_values(shaders: Iterable[CompiledShader], declared: set[str]) -> Iterator[Variable]:
    """Variables for what code reads from registers for uniforms and no source declares as one, such as a viewport."""
    for shader in shaders:
        preamble = shader.artifact.preamble
        computed = () if preamble is None else preamble.variables
        for binding in _uploaded(shader):
            if binding.name not in declared and binding.name not in computed and binding.type in _HOST_TYPES:
                yield Variable(binding.name, "uniform", _HOST_TYPES[binding.type])


# -------------------------------------------------------------------------------------------- layout
#: A register and the words that are there from the start.
_Fixed = tuple[Location, tuple[int, ...]]


def _space_names(literals: Iterable[_Fixed], located: Iterable[tuple[Location, Binding]]) -> list[str]:
    names = [location.space for location, _ in literals] + [location.space for location, _ in located]
    return list(dict.fromkeys(names))


def _new_space(
    stage: str, name: str, target: Target, literals: Iterable[_Fixed], located: Sequence[tuple[Location, Binding]]
) -> _Space:
    """A register that is a table has all elements of the longest one."""
    uniforms = [location for location, binding in located if location.space == name]
    tables = [b.length or 0 for location, b in located if location.space == name and location.transform == "table"]
    fixed = [(location, words) for location, words in literals if location.space == name]
    places = [location for location, _ in fixed] + uniforms
    count = 1 + max(location.index for location in places)
    initial = np.zeros((count, max(tables, default=register_width(target, name))), np.uint32)
    occupied = np.zeros(count, np.bool_)
    occupied[[location.index for location in places]] = True
    for location, words in fixed:
        for letter, word in zip(location.components, words, strict=True):
            initial[location.index, "xyzw".index(letter)] = word
    return _Space(stage, name, initial, occupied)


def _source(binding: Binding, location: Location, number: int) -> int:
    """Which of a value's numbers goes to component `number` of a location: elements in order, matrices by columns."""
    component = location.first + number
    if not binding.type.startswith("mat"):
        size = int(binding.type[-1]) if binding.type[-1].isdigit() else 1
        return location.element * size + component
    columns, rows = matrix_shape(binding.type)
    column, row = (component, location.column) if location.transform == "transpose" else (location.column, component)
    return (location.element * columns + column) * rows + row


def _runs(space: _Space, words: Words, dirty: NDArray[np.bool_]) -> list[Update]:
    registers = np.flatnonzero(dirty)
    if not len(registers):
        return []
    pieces = np.split(registers, np.flatnonzero(np.diff(registers) > 1) + 1)
    return [Update(space.stage, space.name, int(piece[0]), words[piece].copy()) for piece in pieces]

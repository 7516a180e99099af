"""The interface: global variables of the module as variables of the IR, with their names, places and roles.

Uniforms, attributes and inputs are read where they are; what the stage writes stands in local variables until the end
(`compiler/shading/outputs.py`).  Only what the reachable code uses becomes part of the module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.ir import variables as ir
from glslc_multi.compiler.ir.blocks import UniformBlock
from glslc_multi.compiler.ir.declarations import Declaration
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.records import dataclass, replace
from glslc_multi.compiler.shading.frag_coord import MovedCoordinate
from glslc_multi.compiler.shading.lvalues import LeafMemory, MemoryLValue, Slot
from glslc_multi.compiler.shading.members import members_of
from glslc_multi.compiler.shading.memory import Names, leaf_shapes, local_slot
from glslc_multi.compiler.shading.outputs import Output
from glslc_multi.compiler.shading.types import ArrayType, NumericType, Precision, SamplerType, ShaderType
from glslc_multi.compiler.spirv.code import Instruction, Invalid
from glslc_multi.compiler.spirv.grammar.enumerants import spelled
from glslc_multi.frontends.spirv.lower.builtins import BUILT_INS, BuiltIn, has_type
from glslc_multi.frontends.spirv.lower.layout import BlockLayout
from glslc_multi.frontends.spirv.lower.naming import Naming
from glslc_multi.frontends.spirv.module.constants import constant_numbers
from glslc_multi.frontends.spirv.module.contents import Contents, EntryPoint
from glslc_multi.frontends.spirv.module.decorations import Marks, number
from glslc_multi.frontends.spirv.module.types import PointerType, Struct

_REFUSED_STORAGE = {
    "Workgroup": "no target has memory that invocations share",
    "StorageBuffer": "no target has storage buffers",
    "AtomicCounter": "no target has atomic counters",
    "Image": "no target has storage images",
}
#: Storage that no variable of this kind has.
_MISPLACED = {
    "Function": "it has the storage of a function's own, and stands outside of all functions",
    "Private": "images are no memory of an invocation",
}
#: Where fragments' coordinates of the module differ from those of the machines.
_CONVENTIONS = {"OriginUpperLeft": "origin_upper_left", "PixelCenterInteger": "pixel_center_integer"}


@dataclass(frozen=True, slots=True)
class _Part:
    """A variable of the interface, or a member of a block of them."""

    name: str
    type: ShaderType
    marks: Marks
    precision: Precision
    storage: ir.Storage


class Interface:
    """The memory of all global variables, by id."""

    def __init__(self, contents: Contents, entry: EntryPoint) -> None:
        self._contents = contents
        self._entry = entry
        self._naming = Naming(contents, entry.stage)
        self.names = Names(built_in.name for built_in in BUILT_INS.values())
        self.memory: dict[int, MemoryLValue] = {}
        self.outputs: list[Output] = []
        self.blocks: list[tuple[UniformBlock, list[ir.Variable]]] = []
        self.coordinate: MovedCoordinate | None = None
        self.is_invariant = False
        #: Variables that exist only so that code can name them, with the reason why it must not.
        self.refused: dict[ir.Variable, str] = {}
        #: Global variables with the values that they begin with.
        self.initialised: list[tuple[MemoryLValue, Instruction]] = []
        self._variables: list[ir.Variable] = []
        self._declared: list[tuple[Declaration, list[ir.Variable]]] = []
        #: A built-in variable may be declared more than once.
        self._built_ins: dict[tuple[str, ShaderType], list[LeafMemory]] = {}
        self._shared = self._shared_locations()
        for variable in self._naming.in_order(contents.variables.values()):
            self._add(variable)
        self._number_colours()

    @property
    def counts_from_top(self) -> bool:
        """Whether window coordinates count from the top."""
        return "OriginUpperLeft" in self._contents.modes.get(self._entry.function, ())

    def register(self, module: Module, used: set[ir.Variable]) -> None:
        """Add the variables in `used` to the module, and what the linker and hosts want to know of them."""
        for variable in self._variables:
            if variable in used:
                module.add_variable(variable)
        for declaration, variables in self._declared:
            is_used = any(variable in used for variable in variables)
            module.declarations.append(replace(declaration, is_used=is_used))
        module.blocks = [block for block, variables in self.blocks if any(v in used for v in variables)]

    # ------------------------------------------------------------------------------- one variable
    def _add(self, at: Instruction) -> None:
        pointer = self._contents.type_of(at)
        if not isinstance(pointer, PointerType) or not at.operands:
            raise Invalid(messages.BAD_TYPES, at, name=at.name, what="its type is no pointer")
        storage, type_ = pointer.storage, pointer.pointee
        if spelled("StorageClass", at.id(0)) != storage:
            raise Invalid(messages.BAD_TYPES, at, name=at.name, what=f"its type is a pointer to {storage}")
        if storage in ("Input", "Output"):
            if self._entry.interface and at.result not in self._entry.interface:
                return
            self.memory[at.result] = self._pipeline(at, type_, storage)
        elif storage == "Private" and not type_.contains_sampler:
            name = self.names.unique(self._contents.name_of(at.result) or f"global{at.result}")
            slot = local_slot(name, type_, "highp", self._span(at), self._variables.append)
            self.memory[at.result] = MemoryLValue(slot, type_, None)
        elif storage in ("Uniform", "PushConstant"):
            self.memory[at.result] = self._block(at, type_, storage)
        elif storage == "UniformConstant":
            self.memory[at.result] = self._uniform(at, type_)
        else:
            misplaced = storage in _MISPLACED
            what = _MISPLACED[storage] if misplaced else _REFUSED_STORAGE.get(storage, "no target has such memory")
            entry = messages.BAD_INTERFACE if misplaced else messages.NOT_SUPPORTED
            raise Invalid(entry, at, name=self._naming.title(at), what=what)
        if len(at.operands) > 1 and storage != "UniformConstant":
            self.initialised.append((self.memory[at.result], at))

    def _uniform(self, at: Instruction, type_: ShaderType) -> MemoryLValue:
        marks = self._contents.decorations.marks(at.result)
        part = _Part(self._new_name(self._naming.short(at)), type_, marks, _precision(marks), "uniform")
        variables = list(self._variables_of(part, at))
        for variable in variables:
            variable.location = None
        defaults = self._defaults(at, variables)
        self._declare(part, variables, at, None, defaults)
        return MemoryLValue(Slot(tuple(map(LeafMemory, variables))), type_, None)

    def _defaults(
        self, at: Instruction, variables: list[ir.Variable]
    ) -> tuple[tuple[str, tuple[bool | int | float, ...]], ...]:
        """The numbers of an initializer, of a uniform of numbers or an array of them."""
        if len(at.operands) < 2 or len(variables) != 1:
            return ()
        numbers = constant_numbers(self._contents.constants.operand(at.id(1), at))
        return ((variables[0].name, tuple(0 if part is None else part for part in numbers)),)

    def _block(self, at: Instruction, type_: ShaderType, storage: str) -> MemoryLValue:
        struct = type_.element if isinstance(type_, ArrayType) else type_
        decorations = self._contents.decorations
        if isinstance(struct, Struct) and decorations.has(struct.id, "BufferBlock"):
            raise Invalid(messages.NOT_SUPPORTED, at, name=self._naming.title(at), what="no target has storage buffers")
        if not isinstance(struct, Struct):
            raise Invalid(messages.BAD_INTERFACE, at, name=self._naming.title(at), what="it is no block")
        name, has_instance = self._naming.block(at, struct)
        if not has_instance and any(self.names.is_taken(field.name) for field in struct.fields):
            has_instance = True
        name = self._new_name(name)
        prefix = f"{name}." if has_instance else ""
        length = type_.length if isinstance(type_, ArrayType) else None
        span = self._span(at)
        layout = BlockLayout(self._contents, at).make(name, prefix, struct.id, length, storage == "PushConstant", span)
        variables = []
        for index, field in enumerate(struct.fields):
            member: ShaderType = field.type if length is None else ArrayType(field.type, length)
            path = f"{name}[].{field.name}" if length is not None else f"{prefix}{field.name}"
            marks = decorations.member_marks(struct.id, index)
            part = _Part(path if has_instance else self._new_name(path), member, marks, _precision(marks), "uniform")
            own = list(self._variables_of(part, at, is_block_array=length is not None))
            variables += own
            self._declare(part, own, at, None)
        self.blocks.append((layout, variables))
        return MemoryLValue(Slot(tuple(map(LeafMemory, variables))), type_, None)

    def _pipeline(self, at: Instruction, type_: ShaderType, storage: str) -> MemoryLValue:
        """What flows in and out: one variable, a built-in one, or a block of either."""
        marks = self._contents.decorations.marks(at.result)
        parts = [self._part(at, self._naming.short(at), type_, marks, storage)]
        if isinstance(type_, Struct) and "BuiltIn" not in marks:
            parts = list(self._member_parts(at, type_, marks, storage))
        leaves = [leaf for part in parts for leaf in self._leaves(at, part, storage)]
        return MemoryLValue(Slot(tuple(leaves)), type_, None)

    def _member_parts(self, at: Instruction, struct: Struct, outer: Marks, storage: str) -> Iterator[_Part]:
        """Members take the locations after that of the variable, unless they have their own."""
        location, name = number(outer, "Location"), self._naming.short(at)
        for index, field in enumerate(struct.fields):
            marks = {**outer, **self._contents.decorations.member_marks(struct.id, index)}
            own = number(self._contents.decorations.member_marks(struct.id, index), "Location")
            if location is not None and own is None:
                marks["Location"] = [location]
            location = own if own is not None else location
            yield self._part(at, f"{name}.{field.name}", field.type, marks, storage)
            if location is not None:
                location += sum(shape.columns * _length(shape.dims) for shape in leaf_shapes(field.type, None))

    def _part(self, at: Instruction, name: str, type_: ShaderType, marks: Marks, storage: str) -> _Part:
        stage = self._entry.stage
        kind: ir.Storage = "varying"
        if (stage, storage) == ("vertex", "Input"):
            kind = "attribute"
        elif (stage, storage) == ("fragment", "Output"):
            kind = "output"
        return _Part(name, type_, marks, _precision(marks), kind)

    def _leaves(self, at: Instruction, part: _Part, storage: str) -> list[LeafMemory]:
        if "BuiltIn" in part.marks:
            return self._built_in(at, part, storage)
        for shape in leaf_shapes(part.type, None):
            if not isinstance(shape.type, NumericType) or shape.type.base == "bool":
                what = f"a {shape.type} does not go from stage to stage"
                raise Invalid(messages.BAD_INTERFACE, at, name=part.name, what=what)
        if "Index" in part.marks and number(part.marks, "Index"):
            what = "no target blends with two colours"
            raise Invalid(messages.NOT_SUPPORTED, at, name=part.name, what=what)
        name = self._naming.other(at, part.name) if self.names.is_taken(part.name) else part.name
        part = replace(part, name=self._new_name(name))
        variables = list(self._variables_of(part, at))
        location = number(part.marks, "Location")
        key = None if location is None else (location, number(part.marks, "Component") or 0)
        self._declare(part, variables, at, key if part.storage == "varying" else None)
        return self._slot(part, variables, at)

    def _built_in(self, at: Instruction, part: _Part, storage: str) -> list[LeafMemory]:
        decoration = self._naming.built_in(part.marks)
        built_in = BUILT_INS.get((self._entry.stage, storage, decoration))
        if built_in is None:
            # Blocks of built-in variables have members that hardly any shader uses: only that is refused.
            name = self.names.unique(f"gl_{decoration}")
            slot = local_slot(name, part.type, None, self._span(at), self._variables.append)
            for leaf in slot.leaves:
                self.refused[leaf.variable] = decoration
            return list(slot.leaves)
        if not has_type(built_in, part.type):
            what = f"it is a {part.type}, not what {built_in.name} is"
            raise Invalid(messages.BAD_INTERFACE, at, name=f"BuiltIn {decoration}", what=what)
        if (built_in.name, part.type) not in self._built_ins:
            known = replace(part, name=built_in.name, storage=built_in.storage, precision="highp")
            self._built_ins[built_in.name, part.type] = self._new_built_in(at, known, built_in)
        return self._built_ins[built_in.name, part.type]

    def _new_built_in(self, at: Instruction, part: _Part, found: BuiltIn) -> list[LeafMemory]:
        variables = list(self._variables_of(part, at))
        for variable in variables:
            variable.role, variable.location, variable.interpolation = found.role, None, ""
            variable.source_kind = None
        if found.role == "frag_coord":
            return self._coordinate(part, variables[0], at)
        self._declare(part, variables, at, None)
        return self._slot(part, variables, at)

    def _coordinate(self, part: _Part, variable: ir.Variable, at: Instruction) -> list[LeafMemory]:
        modes = self._contents.modes.get(self._entry.function, set())
        conventions = frozenset(word for mode, word in _CONVENTIONS.items() if mode in modes)
        self._declare(part, [variable], at, None)
        if not conventions:
            return [LeafMemory(variable)]
        slot = local_slot(f"{part.name}$moved", part.type, "highp", self._span(at), self._variables.append)
        self.coordinate = MovedCoordinate(slot.leaves[0].variable, variable, conventions)
        self._variables.append(self.coordinate.height)
        return list(slot.leaves)

    # ------------------------------------------------------------------------------- variables of the IR
    def _variables_of(self, part: _Part, at: Instruction, *, is_block_array: bool = False) -> Iterator[ir.Variable]:
        """The variables that a part becomes, one for each leaf of its type."""
        location = number(part.marks, "Location")
        if part.storage != "uniform" and location in self._shared:
            location = None
        name = part.name
        for shape in leaf_shapes(part.type, part.precision):
            storage: ir.Storage = "sampler" if isinstance(shape.type, SamplerType) else part.storage
            # An array of blocks has the brackets before the member.
            own = replace(shape, path=shape.path.removeprefix("[]")) if is_block_array else shape
            variable = own.variable(name, storage, self._span(at))
            variable.location = None if location is None or storage in ("uniform", "sampler") else location
            variable.interpolation = _interpolation(part) if part.storage == "varying" else ""
            variable.invariant = "Invariant" in part.marks and part.storage in ("varying", "output")
            if variable.invariant and variable.is_written_by(self._stage):
                self.is_invariant = True
            if location is not None:
                location += variable.length * variable.columns
            self._variables.append(variable)
            yield variable

    def _slot(self, part: _Part, variables: list[ir.Variable], at: Instruction) -> list[LeafMemory]:
        """Where code finds a variable: inputs as they are, outputs in their shadows."""
        if not variables[0].is_written_by(self._stage):
            return [LeafMemory(variable) for variable in variables]
        name = self.names.unique(f"{part.name}$out")
        slot = local_slot(name, part.type, part.precision, self._span(at), self._variables.append)
        for leaf, variable in zip(slot.leaves, variables, strict=True):
            self.outputs.append(Output(leaf.variable, variable))
        return list(slot.leaves)

    def _declare(
        self,
        part: _Part,
        variables: list[ir.Variable],
        at: Instruction,
        place: tuple[int, int] | None,
        defaults: tuple[tuple[str, tuple[bool | int | float, ...]], ...] = (),
    ) -> None:
        members = tuple(replace(member, precision="") for member in members_of("", part.type, None))
        declaration = Declaration(
            part.name,
            part.storage,
            str(part.type),
            members,
            # Stages need not agree on these two (Vulkan, "Interface Matching"): the fragment stage's word counts.
            invariant=None,
            interpolation="",
            is_centroid="Centroid" in part.marks and part.storage == "varying",
            keyword="out",
            defaults=defaults,
            place=place,
            span=self._span(at),
        )
        self._declared.append((declaration, variables))

    def _number_colours(self) -> None:
        """Roles of fragment outputs follow from where they go."""
        outputs = [variable for variable in self._variables if variable.storage == "output" and not variable.role]
        taken = {variable.location for variable in outputs}
        for variable in outputs:
            if variable.location is None:
                variable.location = next(n for n in range(len(outputs) + len(taken)) if n not in taken)
                taken.add(variable.location)
            is_first = variable.location == 0 and not variable.is_array
            variable.role = "frag_color" if is_first else "frag_data"

    def _shared_locations(self) -> set[int]:
        """Locations that several variables share by components: the linker gives each a location of its own."""
        counts: Counter[tuple[str, int]] = Counter()
        components: set[int] = set()
        for id, at in self._contents.variables.items():
            marks = self._contents.decorations.marks(id)
            location = number(marks, "Location")
            pointer = self._contents.types.by_id.get(at.type)
            if location is None or not isinstance(pointer, PointerType) or id not in self._entry.interface:
                continue
            counts[pointer.storage, location] += 1
            if number(marks, "Component"):
                components.add(location)
        return components | {location for (_, location), count in counts.items() if count > 1}

    @property
    def _stage(self) -> ir.Stage:
        return "vertex" if self._entry.stage == "vertex" else "fragment"

    def _new_name(self, name: str) -> str:
        return self.names.unique(name)

    def _span(self, at: Instruction) -> Span | None:
        return self._contents.spans.span(at)


def _precision(marks: Marks) -> Precision:
    return "mediump" if "RelaxedPrecision" in marks else "highp"


def _interpolation(part: _Part) -> ir.Interpolation:
    if "Flat" in part.marks:
        return "flat"
    return "noperspective" if "NoPerspective" in part.marks else ""


def _length(dims: tuple[int, ...]) -> int:
    total = 1
    for length in dims:
        total *= length
    return total

"""The interface of a lifted program: what the register map names, and registers by numbers where it names none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import get_args

from glslc_multi.compiler.artifact import Binding, Location, Reflection
from glslc_multi.compiler.execution.machine_code import NORMAL, TEXTURE_EXTENT, Slot
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant, int_constant
from glslc_multi.compiler.ir.module import Instruction, Module, Value
from glslc_multi.compiler.ir.types import FLOAT, INT, SAMPLER_2D, SAMPLER_CUBE, VEC4, matrix_shape, vector
from glslc_multi.compiler.ir.variables import ROLES, Address, Interpolation, Storage, Variable
from glslc_multi.compiler.isa.components import COMPONENTS
from glslc_multi.compiler.lifting.addresses import Sum
from glslc_multi.compiler.lifting.operations import LiftedOperations, Unliftable
from glslc_multi.compiler.proof.registers import part_of
from glslc_multi.compiler.records import replace

#: Transforms that leave a number what it is; the format of the machine rounds it.
_PLAIN = frozenset({"identity", "transpose", "f24", "q17", "f16", "f20"})
#: Longer than any memory whose addresses are known.
_MEMORY = 1 << 20
#: Where a float has its exponent.
_EXPONENT = 23
#: Columns of a matrix.
_SIZE = 4
#: Names of built-in variables, and their roles.
_ROLE_OF = {text.partition(":")[0]: role for role, text in reversed(ROLES.items()) if text.startswith("gl_")}


class Interface:
    """The variables of a module, and where they stand in the machine."""

    def __init__(self, module: Module, reflection: Reflection, builder: Builder, storage: Storage | None) -> None:
        """Reads are made by `builder`; `storage` is that of inputs that the map does not name, beside which constants
        have no names either.  With None, nothing stands there."""
        self._module = module
        self._builder = builder
        self._storage = storage
        #: By space, what constants without a name are the elements of.
        self._files: dict[str, Variable] = {}
        self._file_size = (reflection.limits or {}).get("constants", (0, 0))[1]
        self._values: dict[Slot, Value | None] = {}
        self._memories: set[Variable] = set()
        self._loads: dict[tuple[Variable, int, int], Value] = {}
        #: Register -> the variables that have components in it, the first one before the others.
        self._registers: dict[tuple[str, int], list[tuple[Variable, Location]]] = {}
        self._locations: dict[Variable, tuple[Location, ...]] = {}
        self._attributes = {(each.space, each.index) for x in reflection.attributes for each in x.locations}
        reads_varyings = module.stage == "fragment"
        for binding in reflection.attributes:
            self._bind(binding, "attribute")
        for binding in reflection.uniforms:
            self._bind(binding, "uniform")
        for binding in reflection.inputs:
            # What the machine hands fragments beside what OpenGL does is a varying to other machines.
            self._bind(binding, "input" if binding.name in _ROLE_OF or not reads_varyings else "varying")
        for binding in reflection.varyings if reads_varyings else ():
            self._bind(binding, "varying", (reflection.interpolation or {}).get(binding.name, ""))
        self.outputs = {binding: variable_of(binding, "output") for binding in reflection.outputs}
        if not reads_varyings:
            self.outputs |= {binding: variable_of(binding, "varying") for binding in reflection.varyings}
        for binding, variable in self.outputs.items():
            if reads_varyings and not variable.role:
                # A colour under a name of its own.
                variable.role, variable.location = "frag_color", binding.locations[0].index
            module.add_variable(variable)
        self._samplers = {
            location.index: (binding.name, location.element, binding.length)
            for binding in reflection.samplers
            for location in binding.locations
        }
        #: Space -> numbers of registers, and the words of constants in their first components.
        self._tables: dict[str, dict[int, int]] = {}
        for literal in reflection.literals:
            at = literal.location
            self._tables.setdefault(at.space, {})[at.index] = literal.words[0]
            for letter, word in zip(at.components, literal.words, strict=True):
                slot = Slot(at.space, at.index, COMPONENTS.index(letter))
                self._values[slot] = LiftedOperations(builder).number(LiftedOperations(builder).iconst(word))

    def _bind(self, binding: Binding, storage: Storage, interpolation: str = "") -> None:
        """Let a variable stand where the map says; of a component that several claim, the last one counts."""
        variable = self._module.add_variable(variable_of(binding, storage, interpolation))
        self._locations[variable] = binding.locations
        for location in binding.locations:
            if storage == "varying" and location.transform == "quaternion":
                location = replace(location, space=NORMAL, transform="identity")
            self._registers.setdefault((location.space, location.index), []).insert(0, (variable, location))

    # --- Reads --------------------------------------------------------------------------------------------------------

    def read_before(self, instruction: Instruction | None) -> None:
        """Make all further reads before an instruction."""
        self._builder.insertion_point = instruction

    def read(self, slot: Slot, is_constant: bool = False) -> Value | None:
        """What stands in a slot; None where nothing does."""
        if slot not in self._values:
            self._values[slot] = self._read(slot, is_constant)
        return self._values[slot]

    def _read(self, slot: Slot, is_constant: bool) -> Value | None:
        b, register, letter = self._builder, (slot.space, slot.number), COMPONENTS[slot.component]
        if slot.space == TEXTURE_EXTENT:
            sampler, element = self.sampler(slot.number, is_cube=False)
            return b.op(ops.ITOF, b.extract(b.texture_size(sampler, int_constant(0), element), slot.component))
        for variable, location in self._registers.get(register, ()):
            offset = location.components.find(letter)
            if offset >= 0:
                _, element, column, component = part_of(variable.name, location, offset)
                return _loaded(b.extract(self._load(variable, element, column), component), variable, location, b)
        if register in self._attributes:
            # Components that an attribute lacks are 0, 0, 0, 1 (OpenGL ES 2.0 section 2.7).
            return float_constant(float(letter == "w"))
        if self._storage is None:
            return None
        if is_constant:
            return b.extract(self._load(self._file(slot.space), slot.number), slot.component)
        location = Location(*register, COMPONENTS)
        self._bind(Binding(f"{slot.space}{slot.number}", "vec4", None, (location,)), self._storage)
        return self._read(slot, is_constant)

    def _load(self, variable: Variable, element: int, column: int = 0) -> Value:
        """Return a column, which is read once."""
        key = variable, element, column
        if key not in self._loads:
            self._loads[key] = self._builder.load(variable, element, column)
        return self._loads[key]

    def element(self, slot: Slot, distance: Sum, builder: Builder) -> Value:
        """What stands so many registers after a slot, which is in an array."""
        a, letter = LiftedOperations(builder), COMPONENTS[slot.component]
        here = [each for each in self._registers.get((slot.space, slot.number), ()) if each[0].is_array]
        if not here and slot.number in self._tables.get(slot.space, {}) and not slot.component:
            return builder.load(self._table(slot), distance.value(a))
        if not here and self._storage is None:
            # A counter that begins with the first register of the only array.
            arrays = [each for each in self._locations.items() if each[0].is_array and each[1][0].space == slot.space]
            here = [(variable, replace(first, index=slot.number)) for variable, (first, *_) in arrays]
            if len(here) != 1:
                raise Unliftable(f"a computed address begins at {slot.space}{slot.number}, which is in no array")
        for variable, location in here:
            offset = location.components.find(letter)
            if offset >= 0:
                return self._element(variable, location, offset, distance, builder)
        if here:
            # Instructions read more components than they use.
            return float_constant(0.0)
        number = Sum(slot.number, {}).plus(distance).value(a)
        return builder.extract(builder.load(self._file(slot.space), number), slot.component)

    def _element(self, variable: Variable, location: Location, offset: int, distance: Sum, builder: Builder) -> Value:
        """Return what stands so many registers after a component of an array."""
        a, name = LiftedOperations(builder), variable.name
        _, element, column, component = part_of(name, location, offset)
        numbers = self._slice(variable, component, location.index)
        by_element = _distance(number for (_, own), number in numbers.items() if own == column)
        elements = None if by_element is None else distance.divided(by_element)
        if elements is not None:
            value = builder.load(variable, Sum(element, {}).plus(elements).value(a), column)
        elif location.transform == "transpose":
            raise Unliftable(f"rows of {name} are counted")
        else:
            by_column = _distance(numbers.values())
            columns = None if by_column is None else distance.divided(by_column)
            if columns is None:
                raise Unliftable(f"the registers of {name} do not follow one another")
            start, count = element * variable.columns + column, a.iconst(variable.columns)
            number = Sum(start, {}).plus(columns).value(a)
            value = builder.load(variable, a.idiv(number, count), a.op(ops.IREM, number, count))
        return _loaded(builder.extract(value, component), variable, location, builder)

    def _slice(self, variable: Variable, component: int, index: int) -> dict[tuple[int, int], int]:
        """Return where a component of elements and columns stands, in order, around one of these registers: memory may
        have it several times, in arrays of all columns and of one."""
        parts = {
            each.index: (element, column)
            for each in self._locations[variable]
            for offset in range(len(each.components))
            for _, element, column, own in [part_of(variable.name, each, offset)]
            if own == component
        }
        numbers: dict[tuple[int, int], int] = {}
        for number, part in sorted(parts.items()):
            if numbers and part <= max(numbers):
                if index in numbers.values():
                    break
                numbers.clear()
            numbers[part] = number
        return numbers

    def _table(self, slot: Slot) -> Variable:
        """Return the array of constants that begins in a slot: of floats, unless one can only be a whole number."""
        words = [self._tables[slot.space][slot.number]]
        while (number := slot.number + len(words)) in self._tables[slot.space]:
            words.append(self._tables[slot.space][number])
        name = f"table.{slot.space}{slot.number}"
        table = self._module.main.variables.get(name)
        if table is None:
            constants = [int_constant((word ^ 1 << 31) - (1 << 31)) for word in words]
            is_float = all(not word or word >> _EXPONENT & 0xFF not in (0, 0xFF) for word in words)
            type = FLOAT if is_float else INT
            table = self._module.main.add_variable(Variable(name, "local", type, dims=(len(words),)))
            for element, constant in enumerate(constants):
                value = LiftedOperations(self._builder).number(constant) if is_float else constant
                self._builder.store(table, value, element)
        return table

    # --- Constants without names --------------------------------------------------------------------------------------

    def _file(self, space: str) -> Variable:
        """All constants of a space as one array."""
        if space not in self._files:
            variable = Variable(space, "uniform", VEC4, dims=(self._file_size,), precision="highp")
            self._files[space] = self._module.add_variable(variable)
        return self._files[space]

    def name_registers(self, matrices: Sequence[tuple[Variable, int]]) -> None:
        """Let constants be variables of their own where no address is computed, and nothing be one that is not read.

        In `matrices` are arrays of which the four vectors from a number on are a matrix.
        """
        loads = [each for each in self._module.main.instructions() if each.op is ops.LOAD]
        read = {load.address.variable for load in loads}
        for variable in self._locations.keys() - read:
            # What a preamble computes is no variable of the module.
            self._module.variables.pop(variable.name, None)
        for space, file in self._files.items():
            own = [load for load in loads if load.address.variable is file]
            if any(load.address.is_dynamic for load in own):
                continue
            del self._module.variables[file.name]
            columns = {first + n: (first, n) for array, first in matrices if array is file for n in range(_SIZE)}
            single: dict[int, Variable] = {}
            for load in sorted(own, key=lambda load: load.address.offset):
                number, column = columns.get(load.address.offset, (load.address.offset, 0))
                if number not in single:
                    size = _SIZE if load.address.offset in columns else 1
                    variable = Variable(f"{space}{number}", "uniform", VEC4, columns=size, precision="highp")
                    single[number] = self._module.add_variable(variable)
                load.attribute = Address(single[number], column=column)
                load.mark_changed()
        for array, _ in matrices:
            own = [load for load in loads if load.address.variable is array]
            if array.dims == (_SIZE,) and array in self._locations and not any(load.address.is_dynamic for load in own):
                array.dims, array.columns = (), _SIZE
                for load in own:
                    load.attribute = Address(array, column=load.address.offset)
                    load.mark_changed()

    def memory(self, name: str) -> Variable:
        """What code reads by addresses of its own, as an array, until the target knows better."""
        memory = self._module.find_variable(name)
        if memory is None:
            memory = self._module.add_variable(Variable(name, "uniform", FLOAT, dims=(_MEMORY,)))
        self._memories.add(memory)
        return memory

    def require_elements(self) -> None:
        """Refuse a program of which nobody knows what it reads by addresses of its own."""
        for instruction in self._module.main.instructions():
            if instruction.op is ops.LOAD and instruction.address.variable in self._memories:
                raise Unliftable(f"it is not known what is in {instruction.address.variable.name}")

    # --- Textures -----------------------------------------------------------------------------------------------------

    def sampler(self, unit: int, is_cube: bool) -> tuple[Variable, int]:
        """The sampler of a unit, and its element."""
        name, element, length = self._samplers.get(unit, (f"sampler{unit}", 0, None))
        variable = self._module.find_variable(name)
        type = SAMPLER_CUBE if is_cube else SAMPLER_2D
        if variable is None:
            dims = () if length is None else (length,)
            variable = self._module.add_variable(Variable(name, "sampler", type, dims=dims))
        if variable.type is not type:
            raise Unliftable(f"{name} is a cube map and is none")
        return variable, element


def _distance(numbers: Iterable[int]) -> int | None:
    """Return by how much each of some numbers is above the one before; None where that differs."""
    distances = {after - before for before, after in pairwise(numbers)} or {1}
    return distances.pop() if len(distances) == 1 else None


def variable_of(binding: Binding, storage: Storage, interpolation: str = "") -> Variable:
    """Return the variable of a value that a register map names."""
    is_matrix, kind = binding.type.startswith("mat"), "int" if binding.kind == "uint" else binding.kind
    columns, width = matrix_shape(binding.type) if is_matrix else (1, 1)
    if not is_matrix and binding.type[-1].isdigit():
        width = int(binding.type[-1])
    return Variable(
        binding.name,
        storage,
        vector(kind, width),
        columns=columns,
        dims=() if binding.length is None else (binding.length,),
        precision="" if kind == "bool" else "highp",
        role=_ROLE_OF.get(binding.name, ""),
        interpolation=next((way for way in get_args(Interpolation) if way == interpolation), ""),
        source_kind="uint" if binding.kind == "uint" else None,
    )


def _loaded(value: Value, variable: Variable, location: Location, builder: Builder) -> Value:
    """Return what the loader makes of a component of a variable."""
    match location.transform:
        case "int-to-float":
            return builder.op(ops.UTOF if variable.outer_kind == "uint" else ops.ITOF, value)
        case "bool-to-float":
            return builder.op(ops.BTOF, value)
        case "count":
            return builder.op(ops.ISUB, value, int_constant(1))
        case "unorm8" | "unorm8-up":
            return builder.op(ops.FSATURATE, value)
        case "snorm12":
            return builder.op(ops.FCLAMP, value, float_constant(-1.0), float_constant(1.0))
        case "negated":
            return builder.op(ops.FNEG, value)
        case plain if plain in _PLAIN:
            return builder.op(ops.BTOI, value) if variable.type.kind == "bool" else value
    raise Unliftable(f"{variable.name} is {location.transform}")

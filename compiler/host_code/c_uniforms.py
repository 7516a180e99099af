"""Uniforms by their GLSL names in C: a structure of their values, and functions that set them.

In: a program, and how its machine stores numbers in a register.  Out: lines of C99 for the target's templates:

    PREFIX_uniforms                        all values: flat arrays as OpenGL takes them, matrices by columns
    PREFIX_set_NAME(program, value)        a new value; of an array (program, first, count, value)
    PREFIX_set_BLOCK(program, buffer, size)  all members of a uniform block (`c_blocks.py`)
    PREFIX_put_NAME(program)               static: from the structure into the registers of all stages that read it
    PREFIX_put_all(program)                static: all of them, as when another program was bound before
    PREFIX_set_defaults(program)           static: values of initializers, and 0
    PREFIX_compute(program)                static: what the preambles compute, after something that they read has
                                           changed; whether it has

`program` points to a structure `PREFIX_program` of the target's own, which has the members `CUniforms.state`.

The idea: a setter copies the value and puts it; putting is loops over registers (`places.py`), in whose body the
target writes the numbers of one register.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from glslc_multi.compiler.artifact import Artifact, Binding
from glslc_multi.compiler.host_code.c_blocks import Buffer, buffers_of, names_of, read_lines, reader
from glslc_multi.compiler.host_code.c_names import CNames, member_name
from glslc_multi.compiler.host_code.c_values import COMMON_CONVERSIONS, Conversion
from glslc_multi.compiler.host_code.places import Run, runs_of, size_of
from glslc_multi.compiler.host_code.preamble_c import C_TYPES, CMember, CNumber, member_of, preamble_body, structure
from glslc_multi.compiler.host_code.uniforms import HostUniform, computed_of, host_uniforms, preamble_variables
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.compiler.ir.declarations import Number
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lowering.interface.window import VIEWPORT
from glslc_multi.compiler.records import dataclass, field

#: Variables of loops.
_COUNTERS = "ijkl"
#: What functions end in that are not of one uniform: `PREFIX_put_all`, `PREFIX_set_defaults`.
_TAKEN = ("all", "defaults")


@dataclass(frozen=True, slots=True)
class RegisterWrite:
    """Numbers that go into one register, after their conversion."""

    stage: str
    space: str
    #: Its number as an expression of C, which can be an operand.
    register: str
    #: Component -> number; `type` is "float", "int32_t", "uint32_t" or "int", a bool that is 0 or 1.
    numbers: Mapping[str, CNumber]


@dataclass(frozen=True, slots=True)
class CMachine:
    """How a machine's registers are written in C."""

    #: Statements that store the numbers; they may name `program`.
    store: Callable[[RegisterWrite], Iterable[str]]
    #: Transforms of the machine's own, beside the common ones.
    conversions: Mapping[str, Conversion] = field(default_factory=dict)
    #: Spaces in which built-in inputs are registers that the host sets.
    input_spaces: frozenset[str] = frozenset()
    #: Whether what a preamble computes is stored by `store`, by stage and binding; else the target does it.
    stores_computed: Callable[[str, Binding], bool] = lambda stage, binding: True


@dataclass(frozen=True, slots=True)
class CUniforms:
    """Lines for templates."""

    #: Types, for a header; `<math.h>`, `<stdbool.h>`, `<stdint.h>` and `<string.h>` come before.
    types: tuple[str, ...]
    #: Members of `PREFIX_program`.
    state: tuple[str, ...]
    #: Of the setters, with comments.
    prototypes: tuple[str, ...]
    functions: tuple[str, ...]
    #: Name of a uniform -> the member of `PREFIX_uniforms` and the end of its setter's name.
    members: Mapping[str, str]
    #: Stage and name of what its preamble computes -> an expression for the array, in a function with `program`.
    computed: Mapping[tuple[str, str], str]


def c_uniforms(program: HostProgram, machine: CMachine) -> CUniforms:
    """Everything about the uniforms of a program."""
    uniforms = host_uniforms(program.stages, machine.input_spaces)
    names = CNames()
    for taken in _TAKEN:
        names.new(taken)
    members = {uniform.name: names.new(member_name(uniform.name)) for uniform in uniforms}
    buffers = [buffer for buffer in buffers_of(program.stages) if names_of(buffer) & members.keys()]
    blocks = {names.new(member_name(buffer.name)): buffer for buffer in buffers}
    return _Writer(program, machine, uniforms, members, blocks).written()


@dataclass(frozen=True, slots=True)
class _Writer:
    program: HostProgram
    machine: CMachine
    uniforms: Sequence[HostUniform]
    members: Mapping[str, str]
    #: End of a setter's name -> what it takes.
    blocks: Mapping[str, Buffer]

    def written(self) -> CUniforms:
        staged = {stage: self._computed(artifact) for stage, artifact in self._with_preambles()}
        arrays = {
            (stage, name): f"program->{stage}_computed.{member}"
            for stage, members in staged.items()
            for name, member in members.items()
        }
        return CUniforms(
            types=tuple(self._types(staged)),
            state=(
                f"{self._prefix}_uniforms uniforms;",
                *(f"{self._prefix}_{stage}_computed {stage}_computed;" for stage in staged),
                "bool is_stale; /* something that is computed of uniforms is older than these */",
            ),
            prototypes=(
                *(f"{_remark(u)}\n{self._heading(u)};" for u in self.uniforms),
                *(f"{buffer.remark}\n{buffer.heading(self._prefix, name)};" for name, buffer in self.blocks.items()),
            ),
            functions=tuple(self._functions(staged, arrays)),
            members=self.members,
            computed=arrays,
        )

    @property
    def _prefix(self) -> str:
        return self.program.prefix

    @property
    def _argument(self) -> str:
        return f"{self._prefix}_program *program"

    def _with_preambles(self) -> Iterator[tuple[str, Artifact]]:
        return ((stage, made) for stage, made in self.program.stages.items() if made.preamble is not None)

    # --- types ------------------------------------------------------------------------------------
    def _types(self, staged: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
        yield from structure(f"{self._prefix}_uniforms", [self._member(uniform) for uniform in self.uniforms])
        for stage, members in staged.items():
            variables = preamble_variables(self.program.stages[stage], computed=True)
            members_of_struct = [member_of(variable, members[variable.name]) for variable in variables]
            yield ""
            yield from structure(f"{self._prefix}_{stage}_computed", members_of_struct)

    def _member(self, uniform: HostUniform) -> CMember:
        return CMember(self.members[uniform.name], _element(uniform), _size(uniform), _in_glsl(uniform))

    @staticmethod
    def _computed(artifact: Artifact) -> dict[str, str]:
        """The members of what a preamble computes, by the names of the variables."""
        names = CNames()
        variables: Iterable[Variable] = preamble_variables(artifact, computed=True)
        return {variable.name: names.new(member_name(variable.name)) for variable in variables}

    # --- functions --------------------------------------------------------------------------------
    def _functions(
        self, staged: Mapping[str, Mapping[str, str]], arrays: Mapping[tuple[str, str], str]
    ) -> Iterator[str]:
        for stage, members in staged.items():
            preamble = self.program.stages[stage].preamble
            assert preamble is not None, "only stages with preambles come here"
            name = f"{self._prefix}_{stage}"
            arguments = f"const {self._prefix}_uniforms *uniforms, {name}_computed *computed"
            yield f"static void {name}_preamble({arguments})"
            yield from preamble_body(preamble, {**self.members, **members})
            yield ""
        for uniform in self.uniforms:
            yield from self._put(uniform)
        yield from self._function("static void", "put_all", self._all_puts())
        yield from self._function("static void", "set_defaults", self._defaults())
        yield from self._function("static bool", "compute", self._computing(staged, arrays))
        for uniform in self.uniforms:
            yield from (self._heading(uniform), *_braced(self._setting(uniform)), "")
        yield from (*reader(self._prefix), "") if self.blocks else ()
        for name, buffer in self.blocks.items():
            yield from (buffer.heading(self._prefix, name), *_braced(self._setting_block(buffer)), "")

    def _function(self, result: str, name: str, body: Iterable[str]) -> Iterator[str]:
        yield f"{result} {self._prefix}_{name}({self._argument})"
        yield from _braced(body)
        yield ""

    def _put(self, uniform: HostUniform) -> Iterator[str]:
        if not uniform.places:
            return
        value = f"const {_element(uniform)} *value = program->uniforms.{self.members[uniform.name]};"
        lines = [line for stage, binding in uniform.places.items() for line in self._stores(stage, binding)]
        yield from self._function("static void", f"put_{self.members[uniform.name]}", [value, *lines])

    def _stores(self, stage: str, binding: Binding) -> Iterator[str]:
        """Stores of `value` into the registers of a stage."""
        for run in runs_of(binding):
            # The body of a run with its loops around it.
            lines = list(self.machine.store(self._write(stage, binding, run)))
            for counter, step in reversed(list(zip(_COUNTERS, run.steps, strict=False))):
                lines = [f"for (int {counter} = 0; {counter} < {step.count}; {counter}++) {{", *_indented(lines), "}"]
            yield from lines

    def _write(self, stage: str, binding: Binding, run: Run) -> RegisterWrite:
        convert = (COMMON_CONVERSIONS | dict(self.machine.conversions))[run.transform]
        register = _sum(run.first, [step.register for step in run.steps])
        moved = [step.source for step in run.steps]
        numbers = {
            letter: convert(_read(_sum(source, moved), binding))
            for letter, source in zip(run.components, run.sources, strict=True)
        }
        return RegisterWrite(stage, run.space, f"({register})" if " " in register else register, numbers)

    def _all_puts(self) -> Iterator[str]:
        placed = [uniform for uniform in self.uniforms if uniform.places]
        yield from (f"{self._prefix}_put_{self.members[uniform.name]}(program);" for uniform in placed)
        yield "program->is_stale = true;"

    def _defaults(self) -> Iterator[str]:
        yield "memset(&program->uniforms, 0, sizeof program->uniforms);"
        for uniform in self.uniforms:
            for number, value in enumerate(uniform.default or ()):
                if value or math.copysign(1.0, value) < 0:
                    literal = _literal(value, C_TYPES[_kind(uniform)])
                    yield f"program->uniforms.{self.members[uniform.name]}[{number}] = {literal};"
        yield "program->is_stale = true;"

    def _computing(
        self, staged: Mapping[str, Mapping[str, str]], arrays: Mapping[tuple[str, str], str]
    ) -> Iterator[str]:
        yield "if (!program->is_stale)"
        yield "    return false;"
        yield "program->is_stale = false;"
        for stage in staged:
            call = f"{self._prefix}_{stage}_preamble(&program->uniforms, &program->{stage}_computed);"
            yield call
            for binding in computed_of(self.program.stages[stage]):
                if self.machine.stores_computed(stage, binding):
                    value = f"const {C_TYPES[binding.kind]} *value = {arrays[stage, binding.name]};"
                    yield from _braced([value, *self._stores(stage, binding)])
        yield "return true;"

    # --- setters ----------------------------------------------------------------------------------
    def _heading(self, uniform: HostUniform) -> str:
        element, count = _element(uniform), _size(uniform)
        if uniform.name == VIEWPORT:
            arguments = "float x, float y, float width, float height"
        elif uniform.length is not None:
            arguments = f"int first, int count, const {element} *value"
        elif count > 1:
            arguments = f"const {element} value[{count}]"
        else:
            arguments = f"{'bool' if _kind(uniform) == 'bool' else element} value"
        return f"void {self._prefix}_set_{self.members[uniform.name]}({self._argument}, {arguments})"

    def _setting(self, uniform: HostUniform) -> Iterator[str]:
        member = f"program->uniforms.{self.members[uniform.name]}"
        length, count = uniform.length, _size(uniform)
        if uniform.name == VIEWPORT:
            for number, value in enumerate(("width / 2", "height / 2", "x + width / 2", "y + height / 2")):
                yield f"{member}[{number}] = {value};"
        elif length is not None:
            size = count // length
            yield f"if (first < 0 || first >= {length} || count <= 0)"
            yield "    return;"
            yield f"if (count > {length} - first)"
            yield f"    count = {length} - first;"
            yield f"memcpy({member} + {size} * first, value, (size_t)count * {size} * sizeof *value);"
        elif count > 1:
            yield f"memcpy({member}, value, sizeof {member});"
        else:
            yield f"{member}[0] = value;"
        yield from self._changed(uniform)

    def _changed(self, uniform: HostUniform) -> Iterator[str]:
        """What follows where a uniform has a new value."""
        if uniform.places:
            yield f"{self._prefix}_put_{self.members[uniform.name]}(program);"
        if uniform.preambles:
            yield "program->is_stale = true;"

    def _setting_block(self, buffer: Buffer) -> Iterator[str]:
        yield from read_lines(buffer, self._prefix, self.members)
        for uniform in self.uniforms:
            if uniform.name in names_of(buffer):
                yield from self._changed(uniform)
        yield "return true;"


# --- Pieces of text ---------------------------------------------------------------------------------------------------


def _braced(lines: Iterable[str]) -> list[str]:
    return ["{", *(f"    {line}" for line in lines), "}"]


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _sum(first: int, steps: Sequence[int]) -> str:
    """A number, and how far it moves in each turn of the loops."""
    moved = [
        counter if step == 1 else f"{step} * {counter}"
        for counter, step in zip(_COUNTERS, steps, strict=False)
        if step != 0
    ]
    return " + ".join(([str(first)] if first or not moved else []) + moved)


def _read(index: str, binding: Binding) -> CNumber:
    """A number of `value`; bools are whatever C takes for true."""
    text = f"value[{index}]"
    return CNumber(f"({text} != 0)" if binding.kind == "bool" else text, C_TYPES[binding.kind])


def _literal(value: Number, type: str) -> str:
    if type == "float":
        return f"{float(value).hex()}f" if math.isfinite(value) else ("-INFINITY" if value < 0 else "INFINITY")
    if type == "uint32_t":
        return f"{int(value) & 0xFFFFFFFF}u"
    # The smallest int has no literal of its own.
    return f"-{-int(value) - 1} - 1" if value == -(2**31) else str(int(value))


def _kind(uniform: HostUniform) -> str:
    return _as_binding(uniform).kind


def _element(uniform: HostUniform) -> str:
    return C_TYPES[_kind(uniform)]


def _size(uniform: HostUniform) -> int:
    return size_of(_as_binding(uniform))


def _as_binding(uniform: HostUniform) -> Binding:
    return Binding(uniform.name, uniform.type, uniform.length, ())


def _in_glsl(uniform: HostUniform) -> str:
    return f"{uniform.type} {uniform.name}{'' if uniform.length is None else f'[{uniform.length}]'}"


def _remark(uniform: HostUniform) -> str:
    if uniform.name == VIEWPORT:
        return "/* The viewport in pixels, by which gl_FragCoord counts. */"
    by_columns = ", by columns" if uniform.type.startswith("mat") else ""
    elements = "" if uniform.length is None else f", elements first to first + count - 1 of {uniform.length}"
    return f"/* {uniform.type} {uniform.name}{by_columns}{elements} */"

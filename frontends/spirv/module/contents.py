"""A module by its parts: instructions in, types, constants, variables and functions by their ids out.

Sections follow each other in the order of the specification (section 2.4), so that one walk is enough.  What is wrong
with an id or a type is found here; what functions do is for lowering.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from glslc_multi.compiler.diagnostics import SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.compiler.shading.types import ShaderType
from glslc_multi.compiler.spirv.code import Code, Instruction, Invalid
from glslc_multi.compiler.spirv.grammar.enumerants import number_of, spelled
from glslc_multi.compiler.spirv.grammar.refused import REASONS
from glslc_multi.compiler.spirv.grammar.standard import NAME as STANDARD_SET
from glslc_multi.frontends.spirv.module.constants import Constants
from glslc_multi.frontends.spirv.module.decorations import Decorations
from glslc_multi.frontends.spirv.module.spans import DEBUG_LINE, DEBUG_NO_LINE, DEBUG_SETS, DEBUG_SOURCE, Spans
from glslc_multi.frontends.spirv.module.types import FunctionType, Types

_NOT_SEMANTIC = "NonSemantic."
#: Parts that all values of a module have together.
_MOST_PARTS = 1 << 20
_NO_POINTERS = "no target has pointers that are values"


@dataclass(slots=True)
class Block:
    """A basic block: its label, and what follows up to the instruction that ends it."""

    label: Instruction
    body: list[Instruction] = field(default_factory=list)

    @property
    def end(self) -> Instruction:
        return self.body[-1]


@dataclass(slots=True, eq=False)
class Function:
    """A function: its parameters, and its blocks by the ids of their labels, the first one first."""

    start: Instruction
    type: FunctionType
    name: str
    parameters: list[Instruction] = field(default_factory=list)
    blocks: dict[int, Block] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """A shader of the module."""

    name: str
    model: str
    function: int
    interface: frozenset[int]
    at: Instruction

    @property
    def stage(self) -> str:
        return self.model.lower()


class Contents:
    """A module that was read."""

    def __init__(self, code: Code, file: SourceFile, specializations: Mapping[int, str]) -> None:
        self.code = code
        self.spans = Spans(file)
        self.decorations = Decorations()
        self.constants = Constants(self.decorations, specializations)
        self.types = Types(self.decorations, self.constants.length, Span(file, 1, 1, 1, 2))
        self.constants.types = self.types
        self.spans.numbers = self.constants.number
        self.entry_points: list[EntryPoint] = []
        #: Function -> its execution modes.
        self.modes: dict[int, set[str]] = {}
        self.variables: dict[int, Instruction] = {}
        self.functions: dict[int, Function] = {}
        #: Import -> name of the extended set of instructions.
        self.sets: dict[int, str] = {}
        self._defined: dict[int, Instruction] = {}
        self._function: Function | None = None
        self._block: Block | None = None
        self._line: Instruction | None = None
        self._source = 0
        self.is_hlsl = False
        self._parts = 0

    def name_of(self, id: int) -> str:
        """The name that the source gives to an id, or the text; "" where there is none."""
        name = self.decorations.names.get(id)
        if name is None:
            text = self.code.names.get(id, "")
            name = "" if text[:1].isdigit() else text
        return name

    def type_of(self, instruction: Instruction) -> ShaderType:
        """The type of a result."""
        return self.types.of(instruction.type, instruction)

    def count_parts(self, instruction: Instruction) -> None:
        """Count the parts of a result: few words can ask for very many, which take memory and are no code yet."""
        self._parts += self.type_of(instruction).leaf_count
        if self._parts > _MOST_PARTS:
            what = "the values of the module have too many parts in all"
            raise Invalid(messages.NOT_SUPPORTED, instruction, name=instruction.name, what=what)

    def definition(self, id: int) -> Instruction | None:
        """The instruction that yields an id."""
        return self._defined.get(id)

    def read(self) -> None:
        """Take in all instructions; raises `Invalid`."""
        for instruction in self.code.instructions:
            instruction.line = self._line
            if instruction.name in REASONS:
                what = REASONS[instruction.name]
                raise Invalid(messages.NOT_SUPPORTED, instruction, name=instruction.name, what=what)
            if instruction.result:
                id = instruction.result
                if id in self._defined:
                    raise Invalid(messages.BAD_ID, instruction, name=instruction.name, id=id, what="is defined twice")
                self._defined[id] = instruction
            if self._function is not None:
                self._read_in_function(self._function, instruction)
            else:
                self._read_outside(instruction)
        if self._function is not None:
            raise Invalid(messages.BAD_CONTROL_FLOW, self._function.start, what="the function has no OpFunctionEnd")

    def with_lines(self) -> Iterator[Instruction]:
        """All instructions in order, with their lines, of a module that was read in part."""
        self._line = None
        for instruction in self.code.instructions:
            if instruction.name in ("OpLine", "OpNoLine"):
                self._line_of_source(instruction)
            elif instruction.name == "OpExtInst":
                self._extended(instruction)
            elif instruction.name in ENDS:
                self._line = None
            else:
                instruction.line = self._line
                yield instruction

    # ---------------------------------------------------------------------------- outside of functions
    def _read_outside(self, instruction: Instruction) -> None:
        name = instruction.name
        if name.startswith(("OpConstant", "OpSpecConstant", "OpUndef")):
            self.count_parts(instruction)
            self.constants.read(instruction)
        elif name.startswith("OpType"):
            self.types.read(instruction)
        elif name in _ANNOTATIONS:
            self.decorations.read(instruction)
        elif name == "OpVariable":
            self.variables[instruction.result] = instruction
        elif name == "OpFunction":
            type_ = self.types.of(instruction.id(1), instruction)
            if not isinstance(type_, FunctionType) or type_.result is not self.type_of(instruction):
                raise Invalid(messages.BAD_TYPES, instruction, name=instruction.name, what="its type is another one")
            name = self.name_of(instruction.result).partition("(")[0] or f"function{instruction.result}"
            self._function = Function(instruction, type_, name)
            self.functions[instruction.result] = self._function
            self._block = None
        elif name in _READERS:
            _READERS[name](self, instruction)
        elif name not in _WITHOUT_MEANING:
            raise Invalid(messages.BAD_CONTROL_FLOW, instruction, what=f"{name} stands outside of all functions")

    def _memory_model(self, instruction: Instruction) -> None:
        if instruction.id(0) != number_of("AddressingModel", "Logical"):
            raise Invalid(messages.NOT_SUPPORTED, instruction, name=instruction.name, what=_NO_POINTERS)

    def _import(self, instruction: Instruction) -> None:
        name = instruction.text(0)
        if name != STANDARD_SET and name not in DEBUG_SETS and not name.startswith(_NOT_SEMANTIC):
            what = f"the instructions '{name}' are not known here"
            raise Invalid(messages.NOT_SUPPORTED, instruction, name=instruction.name, what=what)
        self.sets[instruction.result] = name

    def _entry_point(self, instruction: Instruction) -> None:
        model = spelled("ExecutionModel", instruction.id(0))
        interface = frozenset(instruction.ids(3))
        point = EntryPoint(instruction.text(2), model, instruction.id(1), interface, instruction)
        self.entry_points.append(point)

    def _execution_mode(self, instruction: Instruction) -> None:
        self.modes.setdefault(instruction.id(0), set()).add(spelled("ExecutionMode", instruction.id(1)))

    def _string(self, instruction: Instruction) -> None:
        self.spans.strings[instruction.result] = instruction.text(0)

    def _source_text(self, instruction: Instruction) -> None:
        if instruction.name == "OpSource":
            self._source = instruction.id(2)
            # DXC and Slang write Round for a function of the language that rounds halves to even.
            self.is_hlsl = spelled("SourceLanguage", instruction.id(0)) in ("HLSL", "Slang")
        text = instruction.operands[-1]
        if isinstance(text, str):
            self.spans.add_text(self._source, text)

    def _line_of_source(self, instruction: Instruction) -> None:
        self._line = None if instruction.name == "OpNoLine" else instruction

    def _extended(self, instruction: Instruction) -> None:
        """An instruction of an extended set that computes nothing."""
        if self.sets.get(instruction.id(0)) not in DEBUG_SETS:
            return
        number = instruction.id(1)
        if number == DEBUG_SOURCE:
            self.spans.add_source(instruction)
        elif number in (DEBUG_LINE, DEBUG_NO_LINE):
            self._line = instruction if number == DEBUG_LINE and len(instruction.operands) > 5 else None

    # ---------------------------------------------------------------------------- functions
    def _read_in_function(self, function: Function, instruction: Instruction) -> None:
        name = instruction.name
        if name in ("OpLine", "OpNoLine"):
            self._line_of_source(instruction)
        elif name == "OpExtInst" and self.sets.get(instruction.id(0)) != STANDARD_SET:
            self._extended(instruction)
        elif name == "OpFunctionEnd":
            self._require_end(instruction)
            if len(function.parameters) != len(function.type.parameters):
                what = "it has not as many parameters as its type"
                raise Invalid(messages.BAD_TYPES, function.start, name=function.start.name, what=what)
            for parameter, expected in zip(function.parameters, function.type.parameters, strict=True):
                if self.type_of(parameter) is not expected and self.type_of(parameter) != expected:
                    raise Invalid(
                        messages.BAD_TYPES, parameter, name=parameter.name, what="its function says another type"
                    )
            self._function = None
        elif name == "OpFunctionParameter":
            function.parameters.append(instruction)
        elif name == "OpLabel":
            self._require_end(instruction)
            self._block = function.blocks[instruction.result] = Block(instruction)
        elif self._block is None:
            if name not in _WITHOUT_MEANING:
                raise Invalid(messages.BAD_CONTROL_FLOW, instruction, what=f"{name} stands in no block")
        elif name not in _WITHOUT_MEANING:
            self._block.body.append(instruction)
            if name in ENDS:
                self._block = None
                self._line = None

    def _require_end(self, instruction: Instruction) -> None:
        if self._block is not None:
            what = "a block has no branch or return at its end"
            raise Invalid(messages.BAD_CONTROL_FLOW, instruction, what=what)


#: What ends a block.
ENDS = frozenset(
    "OpBranch OpBranchConditional OpSwitch OpKill OpReturn OpReturnValue OpUnreachable OpTerminateInvocation".split()
)
_ANNOTATIONS = frozenset(
    """OpName OpMemberName OpDecorate OpDecorateId OpDecorateString OpMemberDecorate OpMemberDecorateString
    OpGroupDecorate OpGroupMemberDecorate""".split()
)
_WITHOUT_MEANING = frozenset(
    """OpNop OpSourceExtension OpExtension OpCapability OpDecorationGroup OpModuleProcessed OpName""".split()
)
_READERS = {
    "OpMemoryModel": Contents._memory_model,
    "OpExtInstImport": Contents._import,
    "OpEntryPoint": Contents._entry_point,
    "OpExecutionMode": Contents._execution_mode,
    "OpExecutionModeId": Contents._execution_mode,
    "OpString": Contents._string,
    "OpSource": Contents._source_text,
    "OpSourceContinued": Contents._source_text,
    "OpLine": Contents._line_of_source,
    "OpNoLine": Contents._line_of_source,
    "OpExtInst": Contents._extended,
}

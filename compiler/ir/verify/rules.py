"""The rules of the IR by name, and what a broken one looks like."""

from __future__ import annotations

from glslc_multi.compiler.ir.module import Block, Function, Instruction
from glslc_multi.compiler.ir.text import label, symbol
from glslc_multi.compiler.records import dataclass

#: Rule -> what it asks, in the order in which they are checked.
RULES: dict[str, str] = {
    # the module
    "stage": "the stage is vertex, geometry or fragment",
    "main": "there is a function main",
    "names": "variables and functions are listed under their own names, which are unique in the module",
    "call-cycle": "no function calls itself, directly or through others",
    # variables
    "storage": "interface variables belong to the module, a function owns local ones only",
    "storage-stage": "attributes exist in vertex shaders only",
    "variable-type": "samplers have a sampler type, all others a bool, int or float one",
    "interface-type": "attributes, varyings and outputs are of float or int type",
    "matrix": "a variable has 1 to 4 columns; more than one only of float vectors",
    "dims": "array dimensions are positive numbers",
    "location": "a location is a number from 0 on; locals have none",
    "role": "a role is one of the table in variables.py; locals have none",
    "source-kind": "floats come from bool, int or uint, ints from uint, samplers from others; locals come from nowhere",
    "layout": "only square matrix uniforms are laid out in rows",
    "precision": "a precision is lowp, mediump, highp or none",
    "invariant": "only varyings, inputs and outputs are invariant",
    # functions and blocks
    "entry": "a function has at least one block, and nothing branches to the first",
    "block-list": "a block is listed once, in the function it belongs to, with a number and a name of its own",
    "links": "the instructions of a block are linked in both directions and know their block",
    "terminator": "a block has one terminator, as its last instruction",
    "targets": "branches go to blocks of the same function",
    "phi-first": "phis precede all other instructions of their block",
    "phi-blocks": "a phi has one operand for each predecessor of its block",
    "reducible": "every loop is entered through one block",
    # instructions
    "opcode": "the operation is a row of the opcode table",
    "flags": "instruction flags are PRECISE and RELAXED",
    "numbers": "instruction numbers are unique in the function and below its bound",
    "attribute": "the attribute is of the kind that the opcode asks for",
    "operand": "operands are constants or value-yielding instructions in a block of the same function",
    "users": "users and operands agree",
    "constant-type": "a constant is a bool, int or float or a vector of them, with as many components as its type",
    "constant-value": "a component is a Python bool, int or float as its type says, or undefined",
    "constant-range": "ints fit 32 bits, floats are float32 values",
    "operand-types": "number and types of the operands fit the opcode",
    "result-type": "the declared type is the one that follows from opcode and operands",
    "dominance": "a definition comes before its uses on every path",
    # memory, textures, stages
    "scope": "an address names a variable that the module or one of its functions lists",
    "index": "a constant index lies inside the array; only arrays have a dynamic one",
    "column": "a constant column lies inside the matrix; only matrices have a dynamic one",
    "load": "samplers and outputs cannot be loaded",
    "store": "only locals and outputs of the stage can be stored, and by the preamble its uniforms",
    "texture": "a sampler of the kind can be read in the mode and with the offset; sizes have neither",
    "callee": "calls name a function of the module other than main",
    "stage-kill": "kill occurs in fragment shaders only",
    "stage-emit": "emit_vertex and end_primitive occur in geometry shaders only",
    "stage-derivative": "ddx, ddy and texture.bias occur in fragment shaders only",
    # the finished form that front ends deliver and passes keep
    "one-exit": "main has one block that ends with ret",
    "output-once": "each element of an output is stored once, in the exit block of main, and nowhere else",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken rule and where; block and instruction are those of `function`, where they apply."""

    rule: str
    message: str
    function: Function | None = None
    block: Block | None = None
    instruction: Instruction | None = None

    @property
    def where(self) -> str:
        """`@main ^entry %4 'fadd'`, as far as it is known."""
        if self.function is None:
            return "module"
        words = [symbol(self.function.name)]
        if self.block is not None:
            words.append(label(self.block))
        if self.instruction is not None:
            words.append(f"%{self.instruction.id} '{self.instruction.op.name}'")
        return " ".join(words)

    @property
    def text(self) -> str:
        return f"{self.where}: {self.message} [{self.rule}]"


class Faults:
    """Collects faults; knows the function, block and instruction that are being looked at."""

    __slots__ = ("block", "function", "instruction", "list")

    def __init__(self) -> None:
        self.list: list[Fault] = []
        self.function: Function | None = None
        self.block: Block | None = None
        self.instruction: Instruction | None = None

    def add(self, rule: str, message: str) -> None:
        if rule not in RULES:
            raise KeyError(rule)
        self.list.append(Fault(rule, message, self.function, self.block, self.instruction))

    def look_at(
        self, function: Function | None, block: Block | None = None, instruction: Instruction | None = None
    ) -> None:
        """Faults from now on are faults of this place."""
        self.function, self.block, self.instruction = function, block, instruction

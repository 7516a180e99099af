"""The module: variables and functions of basic blocks in SSA form.

The shape follows LLVM: a value is a constant or an instruction; instructions sit in an intrusive
list inside their block, know their users, and carry dense ids.  Replacing all uses costs the number
of uses; erasing costs nothing more.  Constants are plain values without users, compared by content.

Functions take no operands and yield none: GLSL forbids recursion, so a callee's parameters and
results are ordinary variables that the caller stores before and loads after the call.  Inlining then
is copying blocks, and mem2reg turns the variables into values.

A function counts its changes, and an instruction knows when it last changed, so that who comes again looks
only at what is new.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.compiler.ir.blocks import UniformBlock
from glslc_multi.compiler.ir.declarations import Declaration
from glslc_multi.compiler.ir.ops import BR, CONDBR, PHI, Opcode
from glslc_multi.compiler.ir.types import Type
from glslc_multi.compiler.ir.variables import Address, Stage, Storage, TextureAccess, Variable

#: Instruction flags. `PRECISE`: keep this exact operation (an invariant output depends on it);
#: `RELAXED`: mediump or lowp, half precision would do.
PRECISE, RELAXED = 1, 2

#: A value that loses a user counts as changed when so few are left that one rewrite may see all of them, which
#: allows it to take the value apart.
FEW_USERS = 4

#: A component of a constant; None is `undef`.
Scalar = bool | int | float | None
_ZEROS: dict[str, Scalar] = {"float": 0.0, "int": 0, "bool": False}


class Value:
    """What an operand can be; `type` is its type."""

    __slots__ = ("type",)

    def __init__(self, type: Type) -> None:
        self.type = type


class Constant(Value):
    """A literal of `type`; components may be None, meaning undefined."""

    __slots__ = ("_key", "components")

    def __init__(self, type: Type, components: tuple[Scalar, ...]) -> None:
        self.type = type
        self.components = components
        self._key = ""

    @classmethod
    def splat(cls, type: Type, value: Scalar) -> Constant:
        """The constant with `value` in every component."""
        return cls(type, (value,) * type.width)

    @classmethod
    def undef(cls, type: Type) -> Constant:
        return cls.splat(type, None)

    @property
    def is_undef(self) -> bool:
        return all(component is None for component in self.components)

    def defined(self) -> Constant:
        """The same with 0 in the place of what is undefined, as the evaluator reads it."""
        zero = _ZEROS[self.type.kind]
        return Constant(self.type, tuple([zero if part is None else part for part in self.components]))

    @property
    def key(self) -> str:
        """The same text for constants of the same type and bits: -0.0 differs from 0.0, and NaN equals NaN."""
        if not self._key:
            self._key = f"{self.type.name}{self.components!r}"
        return self._key

    def same_as(self, other: Constant) -> bool:
        """Equal in type and bits."""
        return self.type is other.type and self.key == other.key

    def __repr__(self) -> str:
        return f"Constant({self.type}, {self.components})"


class Instruction(Value):
    """One operation in a block, and the value it yields.

    `attribute` is what the opcode's `attribute` kind says: a swizzle pattern (tuple of ints), a
    component number, an `Address`, a `TextureAccess`, the blocks of a phi (a list in operand order),
    the targets of a branch (a list of blocks), or the callee (a `Function`).
    """

    __slots__ = (
        "_operands",
        "attribute",
        "block",
        "changed",
        "flags",
        "id",
        "next",
        "op",
        "operands",
        "prev",
        "span",
        "users",
    )

    def __init__(
        self,
        op: Opcode,
        type: Type,
        operands: Iterable[Value] = (),
        attribute: Any = None,
        *,
        flags: int = 0,
        span: Span | None = None,
    ) -> None:
        self.type = type
        self.op = op
        self._operands: list[Value] = list(operands)
        #: The operands; change them through `set_operand`, `add_operand`, `remove_operand`.
        self.operands: Sequence[Value] = self._operands
        self.attribute: Any = attribute
        self.flags = flags
        self.span = span
        #: Dense within the function; assigned when the instruction enters a block.
        self.id = -1
        self.block: Block | None = None
        self.prev: Instruction | None = None
        self.next: Instruction | None = None
        #: User -> how many of its operands are this value, in the order the uses were made.
        self.users: dict[Instruction, int] = {}
        #: Number of the function's change that made it, gave it another operand or attribute, or took one of its last
        #: users; 0 for one that has changed outside of all blocks.
        self.changed = 0
        for operand in self._operands:
            _add_use(operand, self)

    # operands ------------------------------------------------------------------------------
    def add_operand(self, value: Value) -> None:
        self._operands.append(value)
        _add_use(value, self)
        self.mark_changed()

    def set_operand(self, index: int, value: Value) -> None:
        _remove_use(self._operands[index], self)
        self._operands[index] = value
        _add_use(value, self)
        self.mark_changed()

    def remove_operand(self, index: int) -> None:
        _remove_use(self._operands.pop(index), self)
        self.mark_changed()

    def replace_all_uses_with(self, value: Value) -> None:
        """Make every user of this instruction use `value` instead."""
        for user in list(self.users):
            for index, operand in enumerate(user._operands):
                if operand is self:
                    user.set_operand(index, value)

    def become(self, op: Opcode, operands: Iterable[Value]) -> None:
        """Compute the value by another operation, one without attribute, for the same users."""
        self.drop_operands()
        self.op, self.attribute = op, None
        for operand in operands:
            self.add_operand(operand)

    # place in the block --------------------------------------------------------------------
    def erase(self) -> None:
        """Take the instruction out of its block and drop its operands; it must have no users."""
        if self.users:
            raise ValueError(f"cannot erase %{self.id} ({self.op.name}): it still has users")
        self.unlink()
        self.drop_operands()

    def drop_operands(self) -> None:
        """Forget all operands, so that mutually dependent instructions can be erased."""
        for operand in self._operands:
            _remove_use(operand, self)
        self._operands.clear()

    def mark_changed(self) -> None:
        """Say that the instruction is another one now; who sets its opcode, type or attribute calls this."""
        block = self.block
        if block is None:
            self.changed = 0
            return
        function = block.function
        function.changes = self.changed = function.changes + 1

    def unlink(self) -> None:
        """Take the instruction out of its block, keeping operands and users, to insert it elsewhere."""
        if self.block is not None:
            self.block._unlink(self)

    # typed views of the attribute ----------------------------------------------------------
    @property
    def address(self) -> Address:
        """The address of a load or store, or the sampler element of a texture lookup."""
        attribute = self.attribute
        address: Address = attribute.address if isinstance(attribute, TextureAccess) else attribute
        return address

    @property
    def targets(self) -> list[Block]:
        """Successor blocks of a terminator (a new list; empty for `ret`)."""
        return list(self.attribute) if self.op is BR or self.op is CONDBR else []

    @property
    def is_terminator(self) -> bool:
        return self.op.is_terminator

    # phis ----------------------------------------------------------------------------------
    def incoming(self) -> Iterator[tuple[Value, Block]]:
        """The operands of a phi with the blocks they come from."""
        return zip(self._operands, self.attribute, strict=True)

    def add_incoming(self, value: Value, block: Block) -> None:
        self.add_operand(value)
        self.attribute.append(block)

    def remove_incoming(self, block: Block) -> None:
        """Drop the operands of a phi that come from `block`."""
        for index in reversed(range(len(self._operands))):
            if self.attribute[index] is block:
                self.remove_operand(index)
                del self.attribute[index]

    def __repr__(self) -> str:
        return f"%{self.id}:{self.type} = {self.op.name}"


def _add_use(value: Value, user: Instruction) -> None:
    if isinstance(value, Instruction):
        users = value.users
        users[user] = users.get(user, 0) + 1


def _remove_use(value: Value, user: Instruction) -> None:
    if not isinstance(value, Instruction):
        return
    users = value.users
    count = users[user]
    if count > 1:
        users[user] = count - 1
    else:
        del users[user]
    if len(users) <= FEW_USERS:
        value.mark_changed()


class Block:
    """A basic block: phis, then other instructions, a terminator last."""

    __slots__ = ("first", "function", "id", "last", "name")

    def __init__(self, function: Function, name: str, id: int) -> None:
        self.function = function
        self.name = name
        #: Dense within the function, in creation order.
        self.id = id
        self.first: Instruction | None = None
        self.last: Instruction | None = None

    def __iter__(self) -> Iterator[Instruction]:
        """The instructions in order; the current one may be erased or moved while iterating."""
        instruction = self.first
        while instruction is not None:
            following = instruction.next
            yield instruction
            instruction = following

    def __reversed__(self) -> Iterator[Instruction]:
        instruction = self.last
        while instruction is not None:
            preceding = instruction.prev
            yield instruction
            instruction = preceding

    def phis(self) -> Iterator[Instruction]:
        for instruction in self:
            if instruction.op is not PHI:
                return
            yield instruction

    @property
    def first_non_phi(self) -> Instruction | None:
        return next((i for i in self if i.op is not PHI), None)

    @property
    def terminator(self) -> Instruction | None:
        """The terminator, or None while the block is being built."""
        return self.last if self.last is not None and self.last.is_terminator else None

    @property
    def successors(self) -> list[Block]:
        """Blocks control may go to next, in the order of the terminator; duplicates kept."""
        terminator = self.terminator
        return [] if terminator is None else terminator.targets

    def append(self, instruction: Instruction) -> Instruction:
        return self.insert_before(None, instruction)

    def insert_before(self, place: Instruction | None, instruction: Instruction) -> Instruction:
        """Put `instruction` before `place` (at the end for None)."""
        if instruction.block is not None:
            raise ValueError(f"%{instruction.id} is already in a block; unlink it first")
        before = self.last if place is None else place.prev
        instruction.block, instruction.prev, instruction.next = self, before, place
        if before is None:
            self.first = instruction
        else:
            before.next = instruction
        if place is None:
            self.last = instruction
        else:
            place.prev = instruction
        function = self.function
        function.changes += 1
        if instruction.id < 0:
            instruction.id = function.take_id()
        # One that only moves stays what it was.
        if not instruction.changed:
            instruction.changed = function.changes
        return instruction

    def _unlink(self, instruction: Instruction) -> None:
        self.function.changes += 1
        before, after = instruction.prev, instruction.next
        if before is None:
            self.first = after
        else:
            before.next = after
        if after is None:
            self.last = before
        else:
            after.prev = before
        instruction.block = instruction.prev = instruction.next = None

    def __repr__(self) -> str:
        return f"^{self.name}"


class Function:
    """A function of basic blocks; the first is the entry, which nothing may branch to."""

    __slots__ = (
        "_block_names",
        "_next_block_id",
        "_next_id",
        "blocks",
        "changes",
        "module",
        "name",
        "seen",
        "span",
        "variables",
    )

    def __init__(self, module: Module, name: str, span: Span | None = None) -> None:
        self.module = module
        self.name = name
        self.span = span
        self.blocks: list[Block] = []
        #: The function's own `local` variables: parameters, result, arrays, temporaries.
        self.variables: dict[str, Variable] = {}
        #: How often anything in it was changed, and for who keeps count, how often when they last had seen all of it.
        self.changes = 0
        self.seen: dict[Hashable, int] = {}
        self._next_id = 0
        self._next_block_id = 0
        #: Every block name given so far -> the last number appended to make another one of it.
        self._block_names: dict[str, int] = {}

    @property
    def entry(self) -> Block:
        return self.blocks[0]

    @property
    def id_bound(self) -> int:
        """All instruction ids are below this: the size for tables indexed by id."""
        return self._next_id

    @property
    def block_id_bound(self) -> int:
        return self._next_block_id

    def take_id(self) -> int:
        self._next_id += 1
        return self._next_id - 1

    def reserve_ids(self, bound: int) -> None:
        """Hand out only ids from `bound` on; those below were given to instructions by their maker."""
        self._next_id = max(self._next_id, bound)

    def add_block(self, name: str, after: Block | None = None) -> Block:
        """A new empty block; its name is made unique by a number. It follows `after` in the list."""
        # `name`, or `name.1`, `name.2`... once it is taken.
        unique = name
        while unique in self._block_names:
            self._block_names[name] += 1
            unique = f"{name}.{self._block_names[name]}"
        self._block_names[unique] = 0
        block = Block(self, unique, self._next_block_id)
        self._next_block_id += 1
        index = len(self.blocks) if after is None else self.blocks.index(after) + 1
        self.blocks.insert(index, block)
        return block

    def remove_blocks(self, doomed: Iterable[Block]) -> None:
        """Erase blocks that nothing outside them branches to or takes values from (but for phis,
        whose entries for these blocks are dropped)."""
        gone = set(doomed)
        for block in gone:
            for successor in block.successors:
                for phi in successor.phis() if successor not in gone else ():
                    phi.remove_incoming(block)
        for block in gone:
            for instruction in block:
                instruction.drop_operands()
        for block in gone:
            for instruction in block:
                instruction.erase()
        self.blocks = [block for block in self.blocks if block not in gone]

    def add_variable(self, variable: Variable) -> Variable:
        """Register one of the function's `local` variables; names are unique in the module."""
        self.module.check_new_name(variable.name)
        self.variables[variable.name] = variable
        return variable

    def instructions(self) -> Iterator[Instruction]:
        """Those of all blocks; the current one may be erased or moved while iterating."""
        for block in self.blocks:
            instruction = block.first
            while instruction is not None:
                following = instruction.next
                yield instruction
                instruction = following

    def predecessors(self) -> dict[Block, list[Block]]:
        """Predecessors of every block, once each, in block order."""
        result: dict[Block, list[Block]] = {block: [] for block in self.blocks}
        for block in self.blocks:
            for successor in dict.fromkeys(block.successors):
                result[successor].append(block)
        return result

    def renumber(self) -> None:
        """Make instruction and block ids dense again, in block order; analyses must be dropped."""
        for index, block in enumerate(self.blocks):
            block.id = index
        self._next_block_id = len(self.blocks)
        instructions = list(self.instructions())
        self._next_id = len(instructions)
        for index, instruction in enumerate(instructions):
            instruction.id = index

    def __repr__(self) -> str:
        return f"@{self.name}()"


class Module:
    """One shader stage: its interface, its global memory and its functions, `main` among them."""

    __slots__ = (
        "blocks",
        "declarations",
        "exact_integers",
        "functions",
        "functions_made",
        "language",
        "name",
        "pragmas",
        "settled",
        "stage",
        "variables",
    )

    def __init__(self, stage: Stage, name: str = "") -> None:
        self.stage: Stage = stage
        self.name = name
        #: Interface variables and global locals by name, in declared order.
        self.variables: dict[str, Variable] = {}
        self.functions: dict[str, Function] = {}
        #: How many functions were added so far.
        self.functions_made = 0
        #: `#pragma` texts for the driver and the targets, in order.
        self.pragmas: list[str] = []
        #: Whether ints have 32 bits and wrap, as in GLSL from 1.30 and ES 3.00 on; else they may be floats (section
        #: 4.1.3).
        self.exact_integers = False
        #: The language of the source, if that links with itself alone.
        self.language = ""
        #: What the source declares, for the linker; the text form leaves it out.
        self.declarations: list[Declaration] = []
        #: Layouts of the uniform blocks, for hosts.
        self.blocks: list[UniformBlock] = []
        #: Pass -> the surroundings in which it last found nothing to do.
        self.settled: dict[Hashable, tuple[object, ...]] = {}

    @property
    def main(self) -> Function:
        return self.functions["main"]

    def add_variable(self, variable: Variable) -> Variable:
        self.check_new_name(variable.name)
        self.variables[variable.name] = variable
        return variable

    def add_function(self, name: str, span: Span | None = None) -> Function:
        if name in self.functions:
            raise ValueError(f"function {name} exists already")
        function = Function(self, name, span)
        self.functions[name] = function
        self.functions_made += 1
        return function

    def check_new_name(self, name: str) -> None:
        if self.find_variable(name) is not None:
            raise ValueError(f"variable {name} exists already")

    def find_variable(self, name: str) -> Variable | None:
        """The variable of this name, a function's own ones included."""
        if name in self.variables:
            return self.variables[name]
        return next((f.variables[name] for f in self.functions.values() if name in f.variables), None)

    def interface(self) -> Iterator[Variable]:
        """The variables that talk to the outside: all but locals."""
        return (variable for variable in self.variables.values() if variable.storage != "local")

    def of_storage(self, storage: Storage) -> list[Variable]:
        return [variable for variable in self.variables.values() if variable.storage == storage]

    def outputs(self) -> list[Variable]:
        """What this stage writes for the next: output variables, and varyings but in fragment shaders."""
        return [variable for variable in self.variables.values() if variable.is_written_by(self.stage)]

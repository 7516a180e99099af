"""The body of a function: blocks in an order in which values are known before they are used.

A block of the module becomes one or more of the IR: a switch is a chain of tests, and after a call that may discard the
pixel code goes on in a block of its own.  So phis are filled last, when it is known which blocks lead to theirs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from compiler.diagnostics.catalogue import spirv as messages
from compiler.ir import ops
from compiler.ir import types as ir
from compiler.ir.builder import int_constant
from compiler.ir.module import Block, Constant, Value
from compiler.ir.module import Instruction as IrInstruction
from compiler.ir.signatures import SignatureError
from compiler.shading.flow import Flow
from compiler.shading.lvalues import LValue, MemoryLValue
from compiler.shading.memory import local_slot
from compiler.shading.operand import Operand, column_types
from compiler.shading.recipes.emission import InstructionMaker
from compiler.shading.types import BOOL, VOID, NumericType, SamplerType, ShaderType
from frontends.spirv.code import Instruction, Invalid
from frontends.spirv.composites import COMPOSITE_OPERATIONS, checked, unfit
from frontends.spirv.grammar.standard import STANDARD, THROUGH_POINTER
from frontends.spirv.grammar.structure import LOOKUPS
from frontends.spirv.lower.pointers import select
from frontends.spirv.lower.shader import Binding, Instance, ShaderLowering
from frontends.spirv.lower.textures import Lookups, Texture
from frontends.spirv.module import contents
from frontends.spirv.module.types import SAMPLER, ImageType, PointerType
from frontends.spirv.numbers import signed
from frontends.spirv.values import apply, compute

#: What an id stands for in a function.
Known = Operand | Texture | LValue
#: A phi, its columns, and the label of its block.
_Phi = tuple[Instruction, list[IrInstruction], int]


class BodyLowering:
    """Lowers one function."""

    def __init__(self, shader: ShaderLowering, instance: Instance, flow: Flow) -> None:
        self._shader = shader
        self._contents = shader.contents
        self._instance = instance
        self._flow = flow
        self._emitter = flow.emitter
        self._known: dict[int, Known] = {}
        self._lookups = Lookups(flow.emitter, shader.textures, self._operand)
        self._phis: list[_Phi] = []
        #: (label of a block, label of its successor) -> the IR blocks that lead from one to the other.
        self._edges: defaultdict[tuple[int, int], list[Block]] = defaultdict(list)
        self._targets: dict[int, Block] = {}
        self._label = 0
        self._returns = False
        for parameter, known in zip(instance.source.parameters, instance.parameters, strict=True):
            self._known[parameter.result] = known

    def lower(self) -> None:
        """All blocks that control can reach; the function is left open at its only end."""
        source = self._instance.source
        if not source.blocks:
            raise Invalid(messages.BAD_CONTROL_FLOW, source.start, what="the function has no body")
        self._load_parameters()
        order = self._order(source)
        for label in order[1:]:
            self._targets[label] = self._flow.new_block(self._contents.name_of(label) or f"block{label}")
        for label in order:
            self._lower_block(source.blocks[label], label)
        if not self._returns:
            what = "no path through the function leads to its end"
            raise Invalid(messages.BAD_CONTROL_FLOW, source.start, what=what)
        for phi in self._phis:
            self._fill(*phi)
        self._flow.start_exit()

    def _load_parameters(self) -> None:
        """Parameters that are values, out of the memory where the caller put them."""
        for parameter in self._instance.source.parameters:
            known = self._known[parameter.result]
            if not isinstance(known, Texture | Operand) and not isinstance(self._type(parameter), PointerType):
                self._known[parameter.result] = known.load(self._emitter)

    def _order(self, source: contents.Function) -> list[int]:
        """Labels so that a block comes after those that dominate it."""

        def successors(label: int) -> list[int]:
            found = _targets(source.blocks[label].end)
            for target in found:
                if target not in source.blocks:
                    at = source.blocks[label].end
                    raise Invalid(messages.BAD_ID, at, name=at.name, id=target, what="is no block of the function")
            return found

        order = _reverse_postorder(next(iter(source.blocks)), successors)
        if any(order[0] in _targets(source.blocks[label].end) for label in order):
            raise Invalid(messages.BAD_CONTROL_FLOW, source.start, what="a branch leads to the function's first block")
        return order

    # ------------------------------------------------------------------------------- blocks
    def _lower_block(self, block: contents.Block, label: int) -> None:
        self._label = label
        if label in self._targets:
            self._flow.start(self._targets[label])
        for instruction in block.body:
            self._emitter.span = self._contents.spans.span(instruction)
            self._lower_instruction(instruction)

    def _lower_instruction(self, at: Instruction) -> None:
        marks = self._contents.decorations.marks(at.result) if at.result else {}
        self._emitter.at_precision("mediump" if "RelaxedPrecision" in marks else None)
        self._emitter.at_exactness("NoContraction" in marks)
        handler = _HANDLERS.get(at.name)
        if handler is not None:
            handler(self, at)
        elif at.row.meaning is not None or at.name in COMPOSITE_OPERATIONS:
            self._compute(at)
        elif at.name not in _WITHOUT_CODE:
            raise Invalid(messages.BAD_CONTROL_FLOW, at, what=f"{at.name} stands in a function")

    def _compute(self, at: Instruction) -> None:
        count = COMPOSITE_OPERATIONS.get(at.name, len(at.operands))
        if at.name in ("OpCopyObject", "OpCopyLogical") and not isinstance(self._find(at.id(0), at), Operand):
            self._known[at.result] = self._find(at.id(0), at)
            return
        operands = [self._operand(id, at) for id in at.ids()[:count]]
        result = compute(self._emitter, at, self._type(at), operands)
        if "DPdy" in at.name and self._shader.interface.counts_from_top:
            result = Operand(result.type, (self._emitter.op(ops.FNEG, result.value),))
        self._known[at.result] = result

    def _extended(self, at: Instruction) -> None:
        number = at.id(1)
        row = STANDARD.get(number)
        if row is None:
            what = f"instruction {number} of GLSL.std.450 is not supported"
            raise Invalid(messages.NOT_SUPPORTED, at, name=at.name, what=what)
        if number not in THROUGH_POINTER:
            operands = [self._operand(id, at) for id in at.ids(2)]
            self._known[at.result] = apply(self._emitter, at, row, self._type(at), operands)
            return
        # The first part is the result, the second one goes through a pointer.
        pointer, type_ = self._pointer(at.id(3), at), self._type(at)
        meaning = STANDARD[THROUGH_POINTER[number]].meaning
        assert meaning is not None
        first, second = meaning(InstructionMaker(self._emitter), list(self._operand(at.id(2), at).columns))
        self._known[at.result] = checked(at, Operand(type_, (first,)))
        pointer.store(self._emitter, checked(at, Operand(pointer.type, (second,))))

    # ------------------------------------------------------------------------------- memory
    def _variable(self, at: Instruction) -> None:
        type_ = self._type(at)
        if not isinstance(type_, PointerType) or type_.storage != "Function" or type_.pointee.contains_sampler:
            raise unfit(at, "a variable of a function has memory of its own")
        name = self._shader.interface.names.unique(self._contents.name_of(at.result) or f"variable{at.result}")
        slot = local_slot(name, type_.pointee, None, self._emitter.span, self._instance.add_local)
        memory = MemoryLValue(slot, type_.pointee, None)
        self._known[at.result] = memory
        if len(at.operands) > 1:
            self._store_value(memory, self._contents.constants.operand(at.id(1), at), at)

    def _access(self, at: Instruction) -> None:
        base = self._pointer(at.id(0), at)
        indices = [self._operand(id, at) for id in at.ids(1)]
        found = select(self._emitter, at, base, indices)
        type_ = self._type(at)
        if not isinstance(type_, PointerType) or type_.pointee != found.type:
            raise unfit(at, f"it leads to a {found.type}")
        self._known[at.result] = found

    def _load(self, at: Instruction) -> None:
        memory, type_ = self._pointer(at.id(0), at), self._type(at)
        if memory.type != type_:
            raise unfit(at, f"it loads a {memory.type}")
        if isinstance(type_, SamplerType):
            assert isinstance(memory, MemoryLValue)
            address, indices = memory.address(self._emitter)
            self._known[at.result] = Texture(type_, address, tuple(indices))
        elif type_.contains_sampler:
            raise unfit(at, "a composite of images is no value")
        else:
            self._known[at.result] = memory.load(self._emitter)

    def _store(self, at: Instruction) -> None:
        self._store_value(self._pointer(at.id(0), at), self._operand(at.id(1), at), at)

    def _store_value(self, memory: LValue, value: Operand, at: Instruction) -> None:
        if memory.type != value.type:
            raise unfit(at, f"it stores a {value.type} where a {memory.type} is")
        root = _root(memory)
        if any(leaf.variable.storage not in ("local",) for leaf in root.slot.leaves):
            raise unfit(at, "it stores to an input or a uniform")
        memory.store(self._emitter, value)

    def _copy_memory(self, at: Instruction) -> None:
        target, source = (self._pointer(at.id(index), at) for index in (0, 1))
        self._store_value(target, source.load(self._emitter), at)

    # ------------------------------------------------------------------------------- images
    def _sampled_image(self, at: Instruction) -> None:
        image, sampler = self._texture(at.id(0), at), self._texture(at.id(1), at)
        if sampler.type is not SAMPLER or not isinstance(image.type, ImageType) or image.type.is_combined:
            raise unfit(at, "it combines an image with a sampler")
        self._known[at.result] = self._shader.textures.combine(image, sampler, self._type(at), at)

    def _image(self, at: Instruction) -> None:
        self._known[at.result] = self._texture(at.id(0), at)

    def _lookup(self, at: Instruction) -> None:
        texture, type_ = self._texture(at.id(0), at), self._type(at)
        is_image = isinstance(texture.type, ImageType)
        is_separate = is_image and not getattr(texture.type, "is_combined", False)
        try:
            if "Sample" in at.name and is_image and not is_separate:
                in_fragment = self._shader.module.stage == "fragment"
                found = self._lookups.sample(at, type_, texture, in_fragment)
            elif "Sample" not in at.name and is_image:
                read = self._lookups.fetch if at.name == "OpImageFetch" else self._lookups.size
                found = read(at, type_, texture, is_separate)
            else:
                raise unfit(at, "its operand is no image of the kind")
        except (SignatureError, ValueError, KeyError) as error:
            raise unfit(at, str(error)) from None
        self._known[at.result] = found

    # ------------------------------------------------------------------------------- calls
    def _call(self, at: Instruction) -> None:
        source = self._contents.functions.get(at.id(0))
        if source is None or len(at.operands) != 1 + len(source.parameters) or source is self._shader.main.source:
            raise unfit(at, "its callee is no function, or takes another number of arguments")
        bindings = self._bindings(at, source)
        callee = self._shader.instance(source, bindings, at)
        copied: list[tuple[LValue, LValue]] = []
        for id, parameter, binding, own in zip(at.ids(1), source.parameters, bindings, callee.parameters, strict=True):
            if binding is not None or isinstance(own, Texture):
                continue
            if isinstance(self._type(parameter), PointerType):
                argument = self._pointer(id, at)
                copied.append((argument, own))
                self._emitter_store(own, argument.load(self._emitter), at)
            else:
                self._emitter_store(own, self._operand(id, at), at)
        self._emitter.call(callee.function)
        if self._shader.may_discard(source):
            self._flow.leave_if(self._shader.discarded.load(self._emitter).value)
        for argument, own in copied:
            if isinstance(_root(argument), MemoryLValue) and _is_writable(argument):
                argument.store(self._emitter, own.load(self._emitter))
        if callee.result is not None:
            self._known[at.result] = callee.result.load(self._emitter)

    def _emitter_store(self, memory: LValue, value: Operand, at: Instruction) -> None:
        if memory.type != value.type:
            raise unfit(at, f"an argument is a {value.type}, the parameter a {memory.type}")
        memory.store(self._emitter, value)

    def _bindings(self, at: Instruction, source: contents.Function) -> list[Binding]:
        """What the callee knows of its arguments: textures, globals, and variables that are given twice."""
        arguments = [self._find(id, at) for id in at.ids(1)]
        types = [self._type(parameter) for parameter in source.parameters]
        roots = [id(_root(each).slot) for each in arguments if not isinstance(each, Operand | Texture)]
        found: list[Binding] = []
        for argument, type_ in zip(arguments, types, strict=True):
            if isinstance(argument, Texture):
                found.append(self._bound_texture(argument, type_, at))
            elif isinstance(argument, Operand):
                found.append(None)
            else:
                found.append(self._bound_pointer(argument, type_, roots, at))
        return found

    def _bound_texture(self, texture: Texture, type_: ShaderType, at: Instruction) -> Binding:
        if texture.type is not type_ and str(texture.type) != str(type_):
            raise unfit(at, f"an argument is a {texture.type}, the parameter a {type_}")
        if texture.indices:
            what = "an image that is chosen at run time is an argument"
            raise Invalid(messages.NOT_SUPPORTED, at, name=at.name, what=what)
        return texture

    def _bound_pointer(self, argument: LValue, type_: ShaderType, roots: list[int], at: Instruction) -> Binding:
        if not isinstance(type_, PointerType) or type_.pointee != argument.type:
            raise unfit(at, f"an argument is a pointer to a {argument.type}, the parameter a {type_}")
        is_own = type_.storage == "Function" and not argument.type.contains_sampler
        if is_own and roots.count(id(_root(argument).slot)) == 1:
            return None
        if not isinstance(argument, MemoryLValue) or argument.dynamic is not None or isinstance(argument.column, Value):
            what = "a pointer to a part that is chosen at run time is an argument"
            raise Invalid(messages.NOT_SUPPORTED, at, name=at.name, what=what)
        return argument

    # ------------------------------------------------------------------------------- control flow
    def _phi(self, at: Instruction) -> None:
        type_ = self._type(at)
        if isinstance(type_, PointerType) or type_.contains_sampler or type_ is VOID:
            raise Invalid(
                messages.NOT_SUPPORTED, at, name=at.name, what="no target has pointers and images that are values"
            )
        block = self._emitter.block
        if self._targets.get(self._label) is not block:
            raise Invalid(messages.BAD_CONTROL_FLOW, at, what="a phi does not stand at the beginning of its block")
        columns = []
        for column in column_types(type_):
            phi = IrInstruction(ops.PHI, column, (), [], span=self._emitter.span)
            block.insert_before(block.first_non_phi, phi)
            columns.append(phi)
        self._known[at.result] = Operand(type_, tuple(columns))
        self._phis.append((at, columns, self._label))

    def _fill(self, at: Instruction, columns: list[IrInstruction], label: int) -> None:
        """The values of a phi, from each block that leads to it."""
        pairs = at.ids()
        for id, parent in zip(pairs[::2], pairs[1::2], strict=False):
            if (parent, label) not in self._edges:
                continue
            value = self._operand(id, at)
            if value.type != self._type(at):
                raise unfit(at, f"a {value.type} comes from %{self._contents.code.spelled(parent)}")
            for source in self._edges[parent, label]:
                for phi, column in zip(columns, value.columns, strict=True):
                    phi.add_incoming(column, source)

    def _jump(self, label: int) -> None:
        self._edges[self._label, label].append(self._emitter.block)
        self._flow.jump(self._targets[label])

    def _branch(self, condition: Value, if_true: int, if_false: Block, label_false: int | None = None) -> None:
        self._edges[self._label, if_true].append(self._emitter.block)
        if label_false is not None:
            self._edges[self._label, label_false].append(self._emitter.block)
        self._flow.branch(condition, self._targets[if_true], if_false)

    def _branch_conditional(self, at: Instruction) -> None:
        condition = self._operand(at.id(0), at)
        if condition.type is not BOOL:
            raise unfit(at, "its condition is no bool")
        if_true, if_false = at.id(1), at.id(2)
        if if_true == if_false:
            self._jump(if_true)
            return
        self._branch(condition.value, if_true, self._targets[if_false], if_false)

    def _switch(self, at: Instruction) -> None:
        """A chain of tests, one for the cases of each target; branches between targets are what they are."""
        selector = self._operand(at.id(0), at)
        if not isinstance(selector.type, NumericType) or not selector.type.is_scalar or not selector.type.is_integer:
            raise unfit(at, "its selector is no int")
        default, cases = at.id(1), at.ids(2)
        grouped: dict[int, list[int]] = {}
        for number, label in zip(cases[::2], cases[1::2], strict=False):
            grouped.setdefault(label, []).append(number)
        for label, numbers in grouped.items():
            if label == default:
                continue
            tests = [self._emitter.op(ops.IEQ, selector.value, int_constant(signed(n))) for n in numbers]
            condition = tests[0]
            for test in tests[1:]:
                condition = self._emitter.op(ops.OR, condition, test)
            rest = self._flow.new_block("otherwise")
            self._branch(condition, label, rest)
            self._flow.start(rest)
        self._jump(default)

    def _return(self, at: Instruction) -> None:
        if self._instance.source.type.result is not VOID:
            raise unfit(at, "the function yields a value")
        self._leave()

    def _return_value(self, at: Instruction) -> None:
        if self._instance.result is None:
            raise unfit(at, "the function yields nothing")
        self._emitter_store(self._instance.result, self._operand(at.id(0), at), at)
        self._leave()

    def _kill(self, at: Instruction) -> None:
        self._demote(at)
        self._leave()

    def _demote(self, at: Instruction) -> None:
        """The pixel is discarded; code goes on for the sake of its neighbours."""
        if self._shader.module.stage != "fragment":
            raise Invalid(
                messages.BAD_CONTROL_FLOW, at, what=f"{at.name} stands in a {self._shader.module.stage} shader"
            )
        self._emitter.kill()
        if self._instance is not self._shader.main and at.name != "OpDemoteToHelperInvocation":
            self._shader.discarded.store(self._emitter, Operand(BOOL, (Constant(ir.BOOL, (True,)),)))

    def _leave(self, at: Instruction | None = None) -> None:
        self._returns = True
        self._flow.leave()

    # ------------------------------------------------------------------------------- ids
    def _type(self, at: Instruction) -> ShaderType:
        return self._contents.type_of(at)

    def _find(self, id: int, user: Instruction) -> Known:
        """What an id stands for here."""
        found = self._known.get(id) or self._contents.constants.by_id.get(id) or self._shader.interface.memory.get(id)
        if found is None:
            what = "is no value that is known here"
            raise Invalid(messages.BAD_ID, user, name=user.name, id=self._contents.code.spelled(id), what=what)
        return found

    def _operand(self, id: int, user: Instruction) -> Operand:
        found = self._find(id, user)
        if not isinstance(found, Operand):
            raise unfit(user, f"%{self._contents.code.spelled(id)} is no value of numbers")
        return found

    def _pointer(self, id: int, user: Instruction) -> LValue:
        found = self._find(id, user)
        if isinstance(found, Operand | Texture):
            raise unfit(user, f"%{self._contents.code.spelled(id)} is no pointer")
        return found

    def _texture(self, id: int, user: Instruction) -> Texture:
        found = self._find(id, user)
        if not isinstance(found, Texture):
            raise unfit(user, f"%{self._contents.code.spelled(id)} is no image or sampler")
        return found

    def _nothing(self, at: Instruction) -> None:
        """What has no code."""

    def _undefined(self, at: Instruction) -> None:
        type_ = self._type(at)
        self._known[at.result] = Operand(type_, tuple(Constant.undef(column) for column in column_types(type_)))


_WITHOUT_CODE = frozenset({"OpLoopMerge", "OpSelectionMerge"})
_HANDLERS: dict[str, Callable[[BodyLowering, Instruction], None]] = {
    "OpUndef": BodyLowering._undefined,
    "OpExtInst": BodyLowering._extended,
    "OpVariable": BodyLowering._variable,
    "OpAccessChain": BodyLowering._access,
    "OpInBoundsAccessChain": BodyLowering._access,
    "OpLoad": BodyLowering._load,
    "OpStore": BodyLowering._store,
    "OpCopyMemory": BodyLowering._copy_memory,
    "OpSampledImage": BodyLowering._sampled_image,
    "OpImage": BodyLowering._image,
    "OpFunctionCall": BodyLowering._call,
    "OpPhi": BodyLowering._phi,
    "OpBranch": lambda body, at: body._jump(at.id(0)),
    "OpBranchConditional": BodyLowering._branch_conditional,
    "OpSwitch": BodyLowering._switch,
    "OpReturn": BodyLowering._return,
    "OpReturnValue": BodyLowering._return_value,
    "OpKill": BodyLowering._kill,
    "OpTerminateInvocation": BodyLowering._kill,
    "OpDemoteToHelperInvocation": BodyLowering._demote,
    "OpUnreachable": BodyLowering._leave,
    **dict.fromkeys((row.name for row in LOOKUPS), BodyLowering._lookup),
}


def _reverse_postorder(entry: int, successors: Callable[[int], list[int]]) -> list[int]:
    """The labels that control reaches, each after those that dominate it; without recursion, however long the chain."""
    order: list[int] = []
    seen = {entry}
    path = [(entry, iter(successors(entry)[::-1]))]
    while path:
        _, rest = path[-1]
        following = next((target for target in rest if target not in seen), None)
        if following is None:
            order.append(path.pop()[0])
        else:
            seen.add(following)
            path.append((following, iter(successors(following)[::-1])))
    return order[::-1]


def _targets(end: Instruction) -> list[int]:
    """The labels that a block may go on at."""
    if end.name == "OpBranch":
        return [end.id(0)]
    if end.name == "OpBranchConditional":
        return [end.id(1), end.id(2)]
    if end.name == "OpSwitch":
        return [end.id(1), *end.ids(3)[::2]]
    return []


def _root(memory: LValue) -> MemoryLValue:
    """The variable that a part belongs to."""
    while not isinstance(memory, MemoryLValue):
        memory = memory.base  # type: ignore[attr-defined]
    return memory


def _is_writable(memory: LValue) -> bool:
    return all(leaf.variable.storage == "local" for leaf in _root(memory).slot.leaves)

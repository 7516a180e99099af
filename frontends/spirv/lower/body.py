"""The body of a function, instruction by instruction; what belongs together has a file of its own.

Control flow is in `branches.py`, calls in `calls.py`, lookups in `textures.py`; `scope.py` knows what ids stand for.
"""

from __future__ import annotations

from collections.abc import Callable

from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir import types as ir
from glslc_multi.compiler.ir.module import Constant
from glslc_multi.compiler.ir.signatures import SignatureError
from glslc_multi.compiler.shading.flow import Flow
from glslc_multi.compiler.shading.lvalues import LValue, MemoryLValue
from glslc_multi.compiler.shading.memory import local_slot
from glslc_multi.compiler.shading.operand import Operand, column_types
from glslc_multi.compiler.shading.recipes.emission import InstructionMaker
from glslc_multi.compiler.shading.types import BOOL, VOID, SamplerType
from glslc_multi.compiler.spirv.code import Instruction, Invalid
from glslc_multi.compiler.spirv.grammar.standard import ROUND, ROUND_EVEN, STANDARD, THROUGH_POINTER
from glslc_multi.compiler.spirv.grammar.structure import LOOKUPS
from glslc_multi.frontends.spirv.composites import OPERATIONS, checked, misfit, unfit, value_ids
from glslc_multi.frontends.spirv.lower.branches import Branches
from glslc_multi.frontends.spirv.lower.calls import Calls
from glslc_multi.frontends.spirv.lower.order import blocks_in_order
from glslc_multi.frontends.spirv.lower.pointers import select
from glslc_multi.frontends.spirv.lower.scope import Scope, is_writable
from glslc_multi.frontends.spirv.lower.shader import Instance, ShaderLowering
from glslc_multi.frontends.spirv.lower.textures import Lookups, Texture
from glslc_multi.frontends.spirv.module.types import SAMPLER, ImageType, PointerType
from glslc_multi.frontends.spirv.values import apply, compute


class BodyLowering:
    """Lowers one function."""

    def __init__(self, shader: ShaderLowering, instance: Instance, flow: Flow) -> None:
        self._shader = shader
        self._contents = shader.contents
        self._instance = instance
        self._flow = flow
        self._emitter = flow.emitter
        self._scope = Scope(shader, instance)
        self._branches = Branches(self._scope, flow)
        self._calls = Calls(self._scope, flow)
        self._lookups = Lookups(flow.emitter, shader.textures, self._scope.operand)
        self._returns = False

    def lower(self) -> None:
        """All blocks that control can reach; the function is left open at its only end."""
        source = self._instance.source
        order = blocks_in_order(source)
        self._calls.load_parameters()
        self._branches.expect(order[1:])
        for label in order:
            block = source.blocks[label]
            self._branches.start(label)
            for instruction in block.body:
                self._emitter.span = self._contents.spans.span(instruction)
                self._lower_instruction(instruction)
        if not self._returns:
            what = "no path through the function leads to its end"
            raise Invalid(messages.BAD_CONTROL_FLOW, source.start, what=what)
        self._branches.fill_phis()
        self._flow.start_exit()

    def _lower_instruction(self, at: Instruction) -> None:
        marks = self._contents.decorations.marks(at.result) if at.result else {}
        self._emitter.at_precision("mediump" if "RelaxedPrecision" in marks else None)
        self._emitter.at_exactness("NoContraction" in marks)
        if at.type:
            self._contents.count_parts(at)
        handler = _HANDLERS.get(at.name)
        if handler is not None:
            handler(self, at)
        elif at.row.meaning is not None or at.name in OPERATIONS:
            self._compute(at)
        elif at.name not in _WITHOUT_CODE:
            raise Invalid(messages.BAD_CONTROL_FLOW, at, what=f"{at.name} stands in a function")

    def _compute(self, at: Instruction) -> None:
        if at.name in ("OpCopyObject", "OpCopyLogical") and not isinstance(self._scope.find(at.id(0), at), Operand):
            self._scope.define(at, self._scope.find(at.id(0), at))
            return
        operands = [self._scope.operand(id, at) for id in value_ids(at)]
        result = compute(self._emitter, at, self._scope.type(at), operands)
        if "DPdy" in at.name and self._shader.interface.counts_from_top:
            result = Operand(result.type, (self._emitter.op(ops.FNEG, result.value),))
        self._scope.define(at, result)

    def _extended(self, at: Instruction) -> None:
        number = at.id(1)
        if number == ROUND and self._contents.is_hlsl:
            number = ROUND_EVEN
        row = STANDARD.get(number)
        if row is None:
            what = f"instruction {number} of GLSL.std.450 is not supported"
            raise Invalid(messages.NOT_SUPPORTED, at, name=at.name, what=what)
        if number not in THROUGH_POINTER:
            operands = [self._scope.operand(id, at) for id in at.ids(2)]
            self._scope.define(at, apply(self._emitter, at, row, self._scope.type(at), operands))
            return
        # The first part is the result, the second one goes through a pointer.
        pointer, type_ = self._scope.pointer(at.id(3), at), self._scope.type(at)
        operand = self._scope.operand(at.id(2), at)
        if operand.type != type_:
            raise unfit(at, f"it yields a {type_} of a {operand.type}")
        meaning = STANDARD[THROUGH_POINTER[number]].meaning
        assert meaning is not None
        first, second = meaning(InstructionMaker(self._emitter), list(operand.columns))
        self._scope.define(at, checked(at, Operand(type_, (first,))))
        self._store_value(pointer, checked(at, Operand(pointer.type, (second,))), at)

    # ------------------------------------------------------------------------------- memory
    def _variable(self, at: Instruction) -> None:
        type_ = self._scope.type(at)
        if not isinstance(type_, PointerType) or type_.storage != "Function" or type_.pointee.contains_sampler:
            raise unfit(at, "a variable of a function has memory of its own")
        name = self._shader.interface.names.unique(self._contents.name_of(at.result) or f"variable{at.result}")
        slot = local_slot(name, type_.pointee, None, self._emitter.span, self._instance.add_local)
        memory = MemoryLValue(slot, type_.pointee, None)
        self._scope.define(at, memory)
        if len(at.operands) > 1:
            self._store_value(memory, self._contents.constants.operand(at.id(1), at), at)

    def _access(self, at: Instruction) -> None:
        base = self._scope.pointer(at.id(0), at)
        indices = [self._scope.operand(id, at) for id in at.ids(1)]
        lvalue = select(self._emitter, at, base, indices)
        type_ = self._scope.type(at)
        if not isinstance(type_, PointerType) or type_.pointee != lvalue.type:
            raise unfit(at, f"it leads to a {lvalue.type}")
        if type_.storage != self._scope.storage(at.id(0)):
            raise unfit(at, f"it does not lead to {type_.storage}")
        self._scope.define(at, lvalue)

    def _load(self, at: Instruction) -> None:
        memory, type_ = self._scope.pointer(at.id(0), at), self._scope.type(at)
        if memory.type != type_:
            raise unfit(at, f"it loads a {memory.type}")
        if isinstance(type_, SamplerType):
            assert isinstance(memory, MemoryLValue)
            address, indices = memory.address(self._emitter)
            self._scope.define(at, Texture(type_, address, tuple(indices)))
        elif type_.contains_sampler:
            raise unfit(at, "a composite of images is no value")
        else:
            self._scope.define(at, memory.load(self._emitter))

    def _store(self, at: Instruction) -> None:
        self._store_value(self._scope.pointer(at.id(0), at), self._scope.operand(at.id(1), at), at)

    def _store_value(self, memory: LValue, value: Operand, at: Instruction) -> None:
        if memory.type != value.type:
            raise unfit(at, f"it stores a {value.type} where a {memory.type} is")
        if not is_writable(memory):
            raise unfit(at, "it stores to an input or a uniform")
        memory.store(self._emitter, value)

    def _copy_memory(self, at: Instruction) -> None:
        target, source = (self._scope.pointer(at.id(index), at) for index in (0, 1))
        self._store_value(target, source.load(self._emitter), at)

    # ------------------------------------------------------------------------------- images
    def _sampled_image(self, at: Instruction) -> None:
        image, sampler = self._scope.texture(at.id(0), at), self._scope.texture(at.id(1), at)
        if sampler.type is not SAMPLER or not isinstance(image.type, ImageType) or image.type.is_combined:
            raise unfit(at, "it combines an image with a sampler")
        self._scope.define(at, self._shader.textures.combine(image, sampler, self._scope.type(at), at))

    def _image(self, at: Instruction) -> None:
        self._scope.define(at, self._scope.texture(at.id(0), at))

    def _lookup(self, at: Instruction) -> None:
        texture, type_ = self._scope.texture(at.id(0), at), self._scope.type(at)
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
            raise misfit(at, error) from None
        self._scope.define(at, found)

    # ------------------------------------------------------------------------------- ends
    def _return(self, at: Instruction) -> None:
        if self._instance.source.type.result is not VOID:
            raise unfit(at, "the function yields a value")
        self._leave()

    def _return_value(self, at: Instruction) -> None:
        self._calls.store_result(at)
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

    def _undefined(self, at: Instruction) -> None:
        type_ = self._scope.type(at)
        self._scope.define(at, Operand(type_, tuple(Constant.undef(column) for column in column_types(type_))))


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
    "OpFunctionCall": lambda body, at: body._calls.call(at),
    "OpPhi": lambda body, at: body._branches.phi(at),
    "OpBranch": lambda body, at: body._branches.jump(at.id(0)),
    "OpBranchConditional": lambda body, at: body._branches.conditional(at),
    "OpSwitch": lambda body, at: body._branches.switch(at),
    "OpReturn": BodyLowering._return,
    "OpReturnValue": BodyLowering._return_value,
    "OpKill": BodyLowering._kill,
    "OpTerminateInvocation": BodyLowering._kill,
    "OpDemoteToHelperInvocation": BodyLowering._demote,
    "OpUnreachable": BodyLowering._leave,
    **dict.fromkeys((row.name for row in LOOKUPS), BodyLowering._lookup),
}

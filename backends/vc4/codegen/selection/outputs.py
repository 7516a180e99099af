"""The end of a program: rows of the VPM of a vertex or coordinate shader, the tile buffer of a fragment shader.

In: the return of `main`, before which all outputs are stored once.  Out: the code that writes them where the hardware
expects them (section 8 of the reference).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from glslc_multi.backends.vc4.codegen.abi import DEPTH_OFFSET, DEPTH_SCALE, VIEWPORT_X, VIEWPORT_Y
from glslc_multi.backends.vc4.codegen.blending import BLENDS, Factor
from glslc_multi.backends.vc4.codegen.machine_ops import IN_B, LOAD_IMMEDIATE, LOAD_R4, ONLY_A, OUT, PAYLOAD_Z, R4, ZERO
from glslc_multi.backends.vc4.codegen.selection.conditions import test
from glslc_multi.backends.vc4.codegen.selection.emitter import TEXEL, QpuEmitter, literal
from glslc_multi.backends.vc4.isa.fixed_function import DEPTH_STEPS, SMALLEST_POINT, vpm_setup
from glslc_multi.backends.vc4.isa.instructions import Condition, Signal
from glslc_multi.backends.vc4.isa.registers import SFU, TLB_COLOUR, TLB_Z, VPM, VPM_SETUP
from glslc_multi.compiler.codegen.machine import Def, Literal32, Uniform, Use
from glslc_multi.compiler.codegen.operands import Operand, see_through
from glslc_multi.compiler.codegen.selection.trees import TreeTable
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.variables import Variable

#: Pack codes of MUL's results: the lowest byte; of file A: the lower and the upper half.
_FIRST_BYTE, _LOWER_HALF, _UPPER_HALF = 4, 1, 2
_ALL_ONES = 0xFFFFFFFF
#: So many rows that are written early, beside computations, make up for a second setup.
_ROWS_WORTH_A_SETUP = 2


def write_outputs(e: QpuEmitter, end: Instruction) -> None:
    """Emit the code before the end of the program."""
    outputs = _Outputs(e, end)
    if e.interface.is_fragment:
        outputs.write_fragment()
    else:
        outputs.write_vertex()
    e.span = end.span


class _Outputs:
    """What is stored before the end."""

    def __init__(self, e: QpuEmitter, end: Instruction) -> None:
        self.e = e
        self.stores: dict[tuple[Variable, int, int], Instruction] = {}
        self.killed: Value | None = None
        assert end.block is not None
        for instruction in end.block:
            if instruction.op is ops.STORE:
                address = instruction.address
                self.stores[address.variable, address.offset, address.column] = instruction
            elif instruction.op is ops.KILL:
                self.killed = instruction.operands[0]

    def _of_role(self, *roles: str) -> Value | None:
        """What is stored to the first element of a built-in variable; the code that follows comes from there."""
        stores_of_role = (store for (v, element, _), store in self.stores.items() if v.role in roles and not element)
        return self._value_of(next(stores_of_role, None))

    def _value_of(self, store: Instruction | None) -> Value | None:
        """What is stored; the code that follows comes from there."""
        self.e.span = None if store is None else store.span
        return None if store is None else store.operands[-1]

    def _read(self, value: Value | None, component: int) -> Use | None:
        """A component; None where it is undefined."""
        if value is None:
            return None
        operand = see_through(value, (component,), self.e.target.modifiers)
        return None if operand.is_undefined else self.e.use_operand(operand)

    # fragments -----------------------------------------------------------------------------
    def write_fragment(self) -> None:
        colour = self._of_role("frag_color", "frag_data")
        if self.e.interface.raw:
            words = [self._read(colour, component) or Use(ZERO) for component in range(4)]
        else:
            words = [self._pixel(colour)]
        span = self.e.span
        depth = self._depth() if self.e.interface.depth or self.e.interface.raw else None
        self.e.span = span
        cond = Condition.ALWAYS
        if self.killed is not None:
            cond = Condition(test(self.e, self.killed) ^ 1)
        if depth is not None:
            self.e.alu("mov", Def(OUT[TLB_Z]), depth, cond=cond, effect=True, queue="tlb")
        for word in words:
            self.e.alu("mov", Def(OUT[TLB_COLOUR]), word, cond=cond, effect=True, queue="tlb")

    def _depth(self) -> Use | None:
        """The shader's own depth, or that of the primitive; for tests only the shader's, as a float."""
        own = self._read(self._of_role("frag_depth"), 0)
        if self.e.interface.raw:
            return own
        if own is None:
            return Use(PAYLOAD_Z)
        return self.e.compute("ftoi", self.e.compute("fmul", self._clamped(own), literal(float(DEPTH_STEPS))))

    def _pixel(self, colour: Value | None) -> Use:
        """Four bytes, red in the lowest one."""
        channels = range(0 if colour is None else 4)
        origins = [self._origin(cast(Value, colour), component) for component in channels]
        if self.e.interface.blend != BLENDS["none"]:
            return self._packed(self._blended([self._used(origin) for origin in origins] or [None] * 4), {})
        defined = [(number, origin) for number, origin in enumerate(origins) if not origin.is_undefined]
        known = {number: _byte_of(origin) for number, origin in defined if _is_known(origin)}
        others = [(number, origin) for number, origin in defined if number not in known]
        return self._texel(others, known) or self._packed([self._used(origin) for origin in origins], known)

    def _used(self, origin: Operand) -> Use | None:
        return None if origin.is_undefined else self.e.use_operand(origin)

    def _texel(self, others: Sequence[tuple[int, Operand]], known: Mapping[int, int]) -> Use | None:
        """The word of a texture lookup whose components the channels are, but for bytes that are known; None where they
        are something else."""
        lookup = others[0][1].base if others else None
        if not isinstance(lookup, Instruction) or lookup.op is not ops.TEXTURE:
            return None
        if any(origin.base is not lookup or origin.lanes != (number,) for number, origin in others):
            return None
        word = Use(self.e.part(lookup, TEXEL))
        kept = ~_word_of_bytes({number: 0xFF for number, byte in known.items() if byte != 0xFF}) & _ALL_ONES
        if kept != _ALL_ONES:
            word = self.e.compute("and", word, self._loaded(kept))
        return self.e.compute("or", word, self._loaded(_word_of_bytes(known))) if any(known.values()) else word

    def _loaded(self, word: int) -> Use:
        """A word that is loaded, since no word of the stream may be read near the end."""
        result = self.e.new()
        self.e.emit(LOAD_IMMEDIATE, [result], [], immediate=word)
        return Use(result.register)

    def _origin(self, colour: Value, component: int) -> Operand:
        """Where a channel comes from, without clamps: packing does what they do."""
        operand = see_through(colour, (component,), self.e.target.modifiers)
        if isinstance(operand.base, Constant) or not operand.base.type.is_scalar:
            return operand
        return see_through(_unclamped(operand.base), (0,), self.e.target.modifiers)

    def _blended(self, colour: list[Use | None]) -> list[Use | None]:
        """The colour's channels mixed with those of the tile buffer, by the option `blend`."""
        blend = self.e.interface.blend
        clamped = [self._clamped(use or Use(ZERO)) for use in colour]
        alpha = clamped[3]
        one_minus_alpha = self.e.compute("fsub", literal(1.0), alpha) if "one_minus_alpha" in blend else None
        self.e.emit(LOAD_R4, [Def(R4)], [], signal=Signal.LOADC, queue="tlb")
        result = []
        for component, use in enumerate(clamped):
            destination = Use(R4, extra=_FIRST_BYTE + component)
            factors: dict[Factor, Use] = {
                "zero": Use(ZERO),
                "one": literal(1.0),
                "alpha": alpha,
                "destination": destination,
            }
            if one_minus_alpha is not None:
                factors["one_minus_alpha"] = one_minus_alpha
            terms = self._product(use, factors[blend.source]), self._product(destination, factors[blend.destination])
            result.append(self._sum(*terms))
        return result

    def _clamped(self, use: Use) -> Use:
        return self.e.compute("fmin", self.e.compute("fmax", use, literal(0.0)), literal(1.0))

    def _product(self, one: Use, factor: Use) -> Use | None:
        """A product; None for 0."""
        if factor == Use(ZERO):
            return None
        return one if factor == literal(1.0) else self.e.compute("fmul", one, factor)

    def _sum(self, one: Use | None, other: Use | None) -> Use | None:
        if one is None or other is None:
            return one or other
        return self.e.compute("fadd", one, other)

    def _packed(self, parts: Sequence[Use | None], known: Mapping[int, int]) -> Use:
        """Parts packed, which clamps numbers to between 0 and 1; several known bytes are a word of the stream."""
        packed = [(component, use) for component, use in enumerate(parts) if use is not None]
        if not packed:
            return Use(ZERO)
        if len(known) == len(packed):
            return self._loaded(_word_of_bytes(known))
        result = self.e.new()
        first = packed[0][1]
        is_one = len(packed) > 1 and all(
            (use.register, use.lanes) == (first.register, first.lanes) for _, use in packed
        )
        if is_one:
            self.e.alu("mov", result, first, pack=(1, 3), half="mul")
            return Use(result.register)
        has_word = len(known) > 1
        if has_word:
            self.e.alu("mov", result, literal(_word_of_bytes(known)))
            packed = [(component, use) for component, use in packed if component not in known]
        for number, (component, use) in enumerate(packed):
            keeps = has_word or number > 0
            self.e.alu("mov", result, use, keeps=keeps, pack=(1, _FIRST_BYTE + component), half="mul")
        return Use(result.register)

    # vertices ------------------------------------------------------------------------------
    def write_vertex(self) -> None:
        e = self.e
        position, place = self._of_role("position"), e.span
        clip = [self._read(position, component) or literal(1.0 if component == 3 else 0.0) for component in range(4)]
        clip = [e.compute("mov", use) if isinstance(use.register, Uniform) else use for use in clip]
        scale = self._reciprocal(clip[3])
        is_early = len(e.interface.varyings) >= _ROWS_WORTH_A_SETUP
        if is_early:
            self._begin_at(e.interface.fixed_rows)
            self._write_varyings()
            e.span = place
        self._begin_at(0)
        if e.interface.stage == "coordinate":
            for use in clip:
                self._row(use)
        packed = e.temporary(1, ONLY_A)
        for number, word in enumerate((VIEWPORT_X, VIEWPORT_Y)):
            scaled = self._times(e.compute("fmul", clip[number], Use(Uniform(word))), scale)
            e.alu("ftoi", Def(packed), scaled, keeps=number > 0, pack=(0, (_LOWER_HALF, _UPPER_HALF)[number]))
        self._row(Use(packed))
        depth = self._times(e.compute("fmul", clip[2], Use(Uniform(DEPTH_SCALE))), scale)
        self._row(e.compute("fadd", depth, Use(Uniform(DEPTH_OFFSET))))
        self._row(literal(1.0) if scale is None else scale)
        if e.interface.sizes:
            size = self._read(self._of_role("point_size"), 0) or literal(1.0)
            self._row(e.compute("fmax", size, literal(SMALLEST_POINT)))
        if not is_early:
            self._write_varyings()

    def _begin_at(self, row: int) -> None:
        """Set up the next row; the setup is a word of the stream, so that it can share a word with others."""
        setup = Use(Literal32((vpm_setup(row),)))
        self.e.alu("mov", Def(OUT[IN_B + VPM_SETUP]), setup, effect=True, queue="vpm write", is_setup=True)

    def _write_varyings(self) -> None:
        for part in self.e.interface.varyings:
            variable, element, column, component = part
            self._row(self._read(self._value_of(self.stores.get((variable, element, column))), component) or Use(ZERO))

    def _row(self, use: Use) -> None:
        self.e.alu("mov", Def(OUT[VPM]), use, effect=True, queue="vpm write")

    def _times(self, one: Use, scale: Use | None) -> Use:
        return one if scale is None else self.e.compute("fmul", one, scale)

    def _reciprocal(self, w: Use) -> Use | None:
        """1 / w; None where it is 1."""
        e = self.e
        if w == literal(1.0):
            return None
        result = e.new()
        guess = e.special(SFU.start, w)
        correction = e.compute("fsub", literal(2.0), e.compute("fmul", w, guess))
        return e.compute("fmul", Use(R4), correction, into=result)


def _is_known(channel: Operand) -> bool:
    """Whether it is a number; what packing makes of NaN is the machine's business."""
    return isinstance(channel.base, Constant) and not any(number != number for number in channel.numbers())


def _byte_of(channel: Operand) -> int:
    """A constant channel as packing makes it."""
    (number,) = channel.numbers()
    return int(min(max(number or 0.0, 0.0), 1.0) * 255.0 + 0.5)


def _word_of_bytes(values: Mapping[int, int]) -> int:
    return sum(byte << 8 * number for number, byte in values.items())


_CLAMPS: TreeTable[None] = TreeTable()
for _clamp in ("fmin(x, 1.0)", "fmin(1.0, x)", "fmax(x, 0.0)", "fmax(0.0, x)"):
    _CLAMPS.add(_clamp, lambda _: None)


def _unclamped(value: Value) -> Value:
    """The value inside of clamps to between 0 and 1, which packing does anyway."""
    while (found := _CLAMPS.find(value)) is not None:
        _, (value,) = found
    return value
